//! manifest.toml: everything that is needed to run again, or to go on.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Files, Source, built_in};
use serde::{Deserialize, Serialize};

use super::folder::MANIFEST;
pub use super::part_of_run::{Merged, PartOfRun};
use super::{FORMAT_VERSION, version_2};
use crate::failure::{Failure, complaint, warning};
use crate::openings::Openings;
use crate::project::from_here;
use crate::sha256::{sha256, sha256_of_file};
use crate::shell_words::shell_words;
use crate::text_file;
use crate::tournament::Tournament;
use crate::tournament::description::OpeningsFile;
use crate::tournament::entrant::Entrant;
use crate::tournament::resolve::find_program;
use crate::tournament::write;
use crate::utc::{NoTime, Utc};

/// The longest manifest that is read, in bytes. It has the texts of all policies and presets.
pub(super) const MAX_BYTES: u64 = 1 << 28;

/// Which program began a run, and with which words.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The version of lmrlab.
    pub version: String,
    /// The commit that it was built from, where that is known.
    pub commit: Option<String>,
    /// The command line.
    pub command: Vec<String>,
}

/// What a run does. Each kind has a table of that name in its manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// A tournament of any format.
    Tournament,
    /// A tuning run.
    Tuning,
    /// A comparison of the lab that is not finished.
    Comparison,
}

impl RunKind {
    /// The name of its table in the manifest.
    pub fn table(self) -> &'static str {
        match self {
            Self::Tournament => "tournament",
            Self::Tuning => "tuning",
            Self::Comparison => "comparison",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tournament => "tournament",
            Self::Tuning => "tuning run",
            Self::Comparison => "comparison of the lab",
        })
    }
}

/// What a manifest says.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// When the run began.
    pub(crate) started: Utc,
    /// What it does.
    pub kind: RunKind,
    /// The part of a run that the folder has; nothing when it has all of it.
    pub part: Option<PartOfRun>,
    /// The parts that the run was put together from; nothing when it was not.
    pub merged: Option<Merged>,
    header: Header,
    /// The text of the file. One of an older version is as this version would write it.
    text: Arc<str>,
    /// Whether the text is not the one whose digest the file ends with.
    edited: bool,
}

/// The name of the table of a part.
const PART: &str = "part";
/// The name of the table of a run that was put together from parts.
const MERGED: &str = "merged";

/// What the last line of the file begins with; the SHA-256 of all that is above it follows. Manifests of earlier versions
/// have no such line.
const DIGEST: &str = "# SHA-256 of the lines above: ";

/// A text with its digest as the last line.
fn with_digest(text: &str) -> String {
    format!("{text}\n{DIGEST}{}\n", sha256(&format!("{text}\n")))
}

/// Whether a text has a digest, and it is not the text's.
fn is_edited(text: &str) -> bool {
    let Some(line) = text.rfind(DIGEST) else {
        return false;
    };
    let (above, line) = text.split_at(line);
    line.strip_prefix(DIGEST) != Some(&format!("{}\n", sha256(above)))
}

/// The keys that every run has.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Header {
    format_version: u32,
    lmrlab: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    started: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    command: String,
    /// Where names and relative paths start from, as seen from the results folder.
    root: String,
    #[serde(default, skip_serializing)]
    file: Vec<RecordedFile>,
}

/// A file that a run depends on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Its path, as seen from the project's root; or that of a built-in file.
    pub path: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// Of openings, the number of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// The text of a configuration file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl RecordedFile {
    /// An openings file.
    pub fn openings(file: &OpeningsFile, openings: &Openings) -> Self {
        Self {
            path: file.file.display().to_string(),
            sha256: openings.sha256().to_owned(),
            positions: Some(openings.count()),
            text: None,
        }
    }
}

impl Manifest {
    /// The manifest of a tournament that begins now, with its results in `folder`.
    ///
    /// # Errors
    /// When a program cannot be read.
    pub fn new(tournament: &Tournament, invocation: &Invocation, folder: &Path) -> Result<Self, Failure> {
        let description = write::tournament(&tournament.description);
        let openings = &tournament.description.conditions.openings;
        let mut files = vec![RecordedFile::openings(openings, &tournament.openings)];
        files.extend(programs(&tournament.engines)?);
        Self::of(
            RunKind::Tournament,
            description,
            files,
            (&tournament.files, &tournament.root),
            invocation,
            folder,
        )
    }

    /// The manifest of any run that begins now. `files` are those without a text, beside the configuration files that
    /// were read below `root`.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn of(
        kind: RunKind,
        description: toml::Table,
        files: Vec<RecordedFile>,
        (configuration, root): (&Files, &Path),
        invocation: &Invocation,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let started = Utc::now();
        let root = absolute(root);
        let mut file = files;
        for (path, text) in configuration.texts() {
            let path = if built_in::is_built_in(&path) {
                path
            } else {
                relative(&root, &absolute(&path))
            };
            file.push(RecordedFile {
                path: portable(&path),
                sha256: sha256(&text),
                positions: None,
                text: Some(text.to_string()),
            });
        }
        let header = Header {
            format_version: FORMAT_VERSION,
            lmrlab: invocation.version.clone(),
            commit: invocation.commit.clone(),
            started: started.to_string(),
            cpu: cpu_model(),
            command: shell_words(&invocation.command),
            root: portable(&relative(&absolute(folder), &root)),
            file,
        };
        let text = header.to_toml(kind, description);
        Ok(Self {
            started,
            kind,
            part: None,
            merged: None,
            text: text
                .map(|text| with_digest(&text))
                .map_err(|error| Failure::Run(format!("cannot write the manifest: {error}")))?
                .into(),
            header,
            edited: false,
        })
    }

    /// Reads the manifest of a results folder, of this version of the files or of the one before.
    ///
    /// # Errors
    /// When it cannot be read, or is of another version.
    pub fn load(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(MANIFEST.name());
        let refuse = |what: String| {
            Failure::input(
                format!("cannot read the manifest `{}`: {what}", path.display()),
                "it was cut short or edited; without it nobody knows what was played, so put it back as it was",
            )
        };
        let mut text = text_file::read_utf8(&path, MAX_BYTES).map_err(|error| refuse(error.to_string()))?;
        let edited = is_edited(&text);
        let tables: toml::Table = text.parse().map_err(|error| refuse(not_toml(&text, &error)))?;
        if text.trim().is_empty() {
            return Err(refuse("it is empty".to_owned()));
        }
        if !tables.contains_key("format_version") && !tables.contains_key("lmrlab") {
            return Err(Failure::input(
                format!("`{}` is not the results folder of a run", folder.display()),
                format!("its {} is not one of lmrlab", MANIFEST.name()),
            ));
        }
        // What is missing in a table has no place in the text.
        let lacking = |error: toml::de::Error| refuse(error.message().to_owned());
        let version: Version = tables.try_into().map_err(lacking)?;
        match version.format_version {
            FORMAT_VERSION => {}
            version_2::VERSION => {
                text = version_2::converted(&text, folder).map_err(|error| refuse(error.to_string()))?;
            }
            other => {
                return Err(Failure::input(
                    format!(
                        "the files in `{}` are of version {other}, and this program reads versions {} and {FORMAT_VERSION}",
                        folder.display(),
                        version_2::VERSION,
                    ),
                    "use the version of lmrlab that wrote them",
                ));
            }
        }
        let header: Header = toml::from_str(&text).map_err(lacking)?;
        let started = header.started.parse();
        let tables: toml::Table = toml::from_str(&text).map_err(lacking)?;
        let part = tables.get(PART).map(|part| part.clone().try_into());
        let merged = tables.get(MERGED).map(|merged| merged.clone().try_into());
        let kinds = [RunKind::Tournament, RunKind::Tuning, RunKind::Comparison];
        let kind = kinds.into_iter().find(|kind| tables.contains_key(kind.table()));
        Ok(Self {
            started: started.map_err(|error: NoTime| refuse(error.to_string()))?,
            kind: kind
                .ok_or_else(|| refuse("it has neither `[tournament]` nor `[tuning]` nor `[comparison]`".to_owned()))?,
            part: part.transpose().map_err(lacking)?,
            merged: merged.transpose().map_err(lacking)?,
            header,
            text: text.into(),
            edited,
        })
    }

    /// The manifest of a part of this run, for a folder of its own. `run` is the folder of this manifest.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn for_part(&self, run: &Path, part: PartOfRun, folder: &Path) -> Result<Self, Failure> {
        let table = toml::Table::try_from(&part).map_err(|error| unwritable(&error))?;
        Ok(Self {
            part: Some(part),
            merged: None,
            ..self.elsewhere(run, folder, (PART, table), &[])?
        })
    }

    /// The manifest of the run whose part this is, put together from parts, the first of which began at `started`. `of_part` is
    /// the folder of this manifest.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn for_merged(&self, of_part: &Path, merged: Merged, started: Utc, folder: &Path) -> Result<Self, Failure> {
        let table = toml::Table::try_from(&merged).map_err(|error| unwritable(&error))?;
        let changes = [("started", started.to_string())];
        let manifest = self.elsewhere(of_part, folder, (MERGED, table), &changes)?;
        Ok(Self {
            part: None,
            merged: Some(merged),
            started,
            header: Header {
                started: started.to_string(),
                ..manifest.header.clone()
            },
            ..manifest
        })
    }

    /// The manifest for another folder, with a table of its own and other values of some keys.
    fn elsewhere(
        &self,
        folder: &Path,
        to: &Path,
        (name, own): (&str, toml::Table),
        changes: &[(&str, String)],
    ) -> Result<Self, Failure> {
        let mut tables: toml::Table = self.text.parse().map_err(|error: toml::de::Error| unwritable(&error))?;
        let root = portable(&relative(&absolute(to), &self.root(folder)));
        tables.insert("root".to_owned(), root.clone().into());
        for (key, value) in changes {
            tables.insert((*key).to_owned(), value.clone().into());
        }
        // Before the description, whose texts are long.
        let mut sorted = toml::Table::new();
        for (key, value) in tables {
            if key == self.kind.table() {
                sorted.insert(name.to_owned(), own.clone().into());
            }
            if ![PART, MERGED].contains(&key.as_str()) {
                sorted.insert(key, value);
            }
        }
        let text = toml::to_string_pretty(&sorted).map_err(|error| unwritable(&error))?;
        Ok(Self {
            header: Header {
                root,
                ..self.header.clone()
            },
            text: with_digest(&text).into(),
            ..self.clone()
        })
    }

    /// Whether a run can go on: its files are of the version that this program writes.
    ///
    /// # Errors
    /// When they are older.
    pub fn check_version(&self, folder: &Path) -> Result<(), Failure> {
        if self.header.format_version == FORMAT_VERSION {
            return Ok(());
        }
        Err(Failure::input(
            format!(
                "`{}` has version {} of the files, and this program writes version {FORMAT_VERSION}",
                folder.display(),
                self.header.format_version
            ),
            "`lmrlab show` shows it; continue it with the version of lmrlab that began it",
        ))
    }

    /// What a reader of a run is told when somebody has edited the file.
    pub fn edit_warning(&self, folder: &Path) -> Option<Diagnostics> {
        (self.edited).then(|| warning(format!("{}; what follows relies on it", edited_message(folder))))
    }

    /// Whether the file is as the run wrote it, so that the run can go on.
    ///
    /// # Errors
    /// When somebody has edited it.
    pub fn check_unedited(&self, folder: &Path) -> Result<(), Failure> {
        if !self.edited {
            return Ok(());
        }
        Err(Failure::input(
            edited_message(folder),
            "put it back as it was, or begin a new run: games of different conditions do not go into one result",
        ))
    }

    /// The text of manifest.toml; one of an older version is as this version would write it.
    pub fn to_toml(&self) -> &str {
        &self.text
    }

    /// When the run began.
    pub fn began(&self) -> Utc {
        self.started
    }

    /// The table of [`RunKind::table`].
    pub fn description(&self) -> toml::Table {
        let mut tables: toml::Table = self.text.parse().unwrap_or_default();
        match tables.remove(self.kind.table()) {
            Some(toml::Value::Table(table)) => table,
            _ => toml::Table::new(),
        }
    }

    /// The text of the description and of what follows it, without the digest: when two runs have the same, they play the same.
    pub(super) fn described(&self) -> &str {
        let heading = format!("\n[{}]\n", self.kind.table());
        let from = self.text.find(&heading).unwrap_or(0);
        let to = self.text.rfind(DIGEST).unwrap_or(self.text.len());
        self.text.get(from..to).unwrap_or(&self.text)
    }

    /// The command line that began the run.
    pub fn command(&self) -> &str {
        &self.header.command
    }

    /// The text with a name for messages; the description is in the table of [`RunKind::table`].
    pub fn source(&self, folder: &Path) -> Source {
        let name = folder.join(MANIFEST.name()).display().to_string();
        Source::new(name, Arc::clone(&self.text))
    }

    /// The version of lmrlab that began the run, and its commit where that is known.
    pub fn program(&self) -> (&str, Option<&str>) {
        (&self.header.lmrlab, self.header.commit.as_deref())
    }

    /// When the run began, in UTC.
    pub fn started(&self) -> &str {
        &self.header.started
    }

    /// The processor that it began on, where the system told.
    pub fn cpu(&self) -> Option<&str> {
        self.header.cpu.as_deref()
    }

    /// Where names and relative paths start from, for a run in this folder.
    pub fn root(&self, folder: &Path) -> PathBuf {
        absolute(&folder.join(&self.header.root))
    }

    /// The files that the run depends on.
    pub fn files(&self) -> &[RecordedFile] {
        &self.header.file
    }

    /// Whether the openings and the programs are where the run looks for them: the manifest holds only their SHA-256.
    ///
    /// # Errors
    /// Those that are not, with where they should be.
    pub fn check_there(&self, folder: &Path) -> Result<(), Failure> {
        if self.header.format_version != FORMAT_VERSION {
            return Ok(());
        }
        let root = self.root(folder);
        let is_there = |file: &RecordedFile| {
            let path = Path::new(&file.path);
            // A part has the openings that it needs with its tasks.
            if file.positions.is_some() && self.part.is_some() {
                return true;
            }
            match (&file.text, file.positions) {
                (Some(_), _) => true,
                (None, Some(_)) => built_in::is_built_in(path) || root.join(path).exists(),
                (None, None) => find_program(&file.path, &root).is_some(),
            }
        };
        let missing: Vec<_> = (self.header.file.iter().filter(|file| !is_there(file)))
            .map(|file| {
                let shown = folder.display();
                let is_path = file.positions.is_some() || file.path.contains(std::path::is_separator);
                if !is_path {
                    let message = format!("the run in `{shown}` needs the program `{}`, which is not in PATH", file.path);
                    return complaint(message, "install it, or add its folder to PATH");
                }
                let path = from_here(&absolute(&root.join(&file.path)));
                let message = format!(
                    "the run in `{shown}` needs `{}`, and there is no {} `{}`",
                    file.path,
                    if file.positions.is_some() { "file" } else { "program" },
                    path.display()
                );
                if Path::new(&file.path).is_absolute() {
                    return complaint(message, "put the file back");
                }
                complaint(
                    message,
                    format!(
                        "paths in its manifest start from `{}`, seen from the folder of the run; that is `{}` now; if the \
                         folder was moved, move it back, or copy the file to where it is looked for",
                        self.header.root,
                        root.components().collect::<PathBuf>().display()
                    ),
                )
            })
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(Failure::Input(missing))
        }
    }

    /// The configuration files as they were when the run began.
    pub fn configuration(&self, root: &Path) -> Files {
        // Version 2 of the files has no texts: what it names is as it is now.
        if self.header.format_version == version_2::VERSION {
            return Files::on_disk();
        }
        let texts = self.header.file.iter().filter_map(|file| {
            let text = file.text.as_deref()?;
            Some((built_in::join(root, &file.path), text.into()))
        });
        Files::recorded(texts)
    }

    /// What differs from when the run began, and does not keep it from going on: configuration files, whose texts are
    /// in the manifest, and the program.
    pub fn warnings(&self, root: &Path, invocation: &Invocation) -> Vec<Diagnostics> {
        let change = |file: &RecordedFile| {
            let began = file.text.as_deref()?.as_bytes();
            let path = built_in::join(root, &file.path);
            let now = match built_in::text(&path) {
                Some(text) => Some(text.as_bytes().to_owned()),
                None => std::fs::read(&path).ok(),
            };
            match now {
                Some(now) if now == began => None,
                Some(_) => Some(format!("`{}` has changed since the run began", file.path)),
                None => Some(format!(
                    "`{}`, with which the run began, cannot be read",
                    from_here(&path).display()
                )),
            }
        };
        let mut warnings: Vec<Diagnostics> = (self.header.file.iter().filter_map(change))
            .map(|change| warning(format!("{change}; the run goes on with the text in its manifest")))
            .collect();
        let began = (&self.header.lmrlab, &self.header.commit);
        if began != (&invocation.version, &invocation.commit) {
            let told = |(version, commit): (&String, &Option<String>)| {
                let commit = commit.as_deref().unwrap_or("unknown");
                format!("{version} (commit {commit})")
            };
            warnings.push(warning(format!(
                "lmrlab {} began this run, and this is {}: if the project's own engine has changed between them, games \
                 before and after are not of the same engine",
                told(began),
                told((&invocation.version, &invocation.commit)),
            )));
        }
        warnings
    }

    /// Some positions of the openings file, from 0.
    pub fn some_openings(&self, positions: impl Iterator<Item = (usize, Box<str>)>) -> Option<Openings> {
        let file = self.header.file.iter().find(|file| file.positions.is_some())?;
        Some(Openings::some(file.positions?, &file.sha256, positions))
    }

    /// Compares openings and programs, whose contents no manifest holds.
    ///
    /// # Errors
    /// Those that have changed.
    pub fn check_unchanged(&self, now: &Self) -> Result<(), Failure> {
        let reports: Vec<_> = (self.header.file.iter().filter(|file| file.text.is_none()))
            .filter(|file| {
                !now.header
                    .file
                    .iter()
                    .any(|other| (&other.path, &other.sha256) == (&file.path, &file.sha256))
            })
            .map(|file| {
                complaint(
                    format!("`{}` has changed since the run began", file.path),
                    "the manifest holds only its SHA-256; put the old file back, or begin a new run",
                )
            })
            .collect();
        if reports.is_empty() {
            Ok(())
        } else {
            Err(Failure::Input(reports))
        }
    }
}

fn unwritable(error: &dyn fmt::Display) -> Failure {
    Failure::Run(format!("cannot write a manifest: {error}"))
}

fn edited_message(folder: &Path) -> String {
    format!(
        "`{}` was edited: its SHA-256 is not the one in its last line",
        folder.join(MANIFEST.name()).display()
    )
}

/// Where a text stops being TOML, and why.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    format!("line {line} is not valid TOML: {}", error.message())
}

/// The one key that every version of the file has.
#[derive(Deserialize)]
struct Version {
    format_version: u32,
}

impl Header {
    /// The header, the description in its table, and the files.
    fn to_toml(&self, kind: RunKind, description: toml::Table) -> Result<String, toml::ser::Error> {
        let mut table = toml::Table::try_from(self)?;
        table.insert(kind.table().to_owned(), description.into());
        table.insert("file".to_owned(), toml::Value::try_from(&self.file)?);
        toml::to_string_pretty(&table)
    }
}

/// The programs among some engines, each once.
///
/// # Errors
/// When one cannot be read.
pub fn programs(engines: &[Entrant]) -> Result<Vec<RecordedFile>, Failure> {
    let mut files: Vec<RecordedFile> = Vec::new();
    for engine in engines {
        let Some(external) = engine.external_engine() else {
            continue;
        };
        let path = engine.reference().to_owned();
        if files.iter().any(|file| file.path == path) {
            continue;
        }
        let sha256 = sha256_of_file(&external.program).map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", external.program.display()),
                "a run records the SHA-256 of its programs",
            )
        })?;
        files.push(RecordedFile {
            path,
            sha256,
            positions: None,
            text: None,
        });
    }
    Ok(files)
}

/// An absolute path, without `.` and `..` where the file system allows that.
pub fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // The folder itself may not be there yet, but those above it are.
    let there = absolute.ancestors().find_map(|ancestor| {
        let real = dunce::canonicalize(ancestor).ok()?;
        let rest = absolute.strip_prefix(ancestor).ok()?;
        Some(real.join(rest))
    });
    there.unwrap_or(absolute)
}

/// A path as every system understands it.
pub fn portable(path: &Path) -> String {
    path.display().to_string().replace(std::path::MAIN_SEPARATOR, "/")
}

/// The way from one folder to another, both absolute; between two drives there is none, and `to` stays absolute.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from
        .components()
        .zip(to.components())
        .take_while(|(one, other)| one == other)
        .count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    if path.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        path
    }
}

/// The processor's name, where the system tells it.
fn cpu_model() -> Option<String> {
    if cfg!(windows) {
        return std::env::var("PROCESSOR_IDENTIFIER").ok();
    }
    let told = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_folder_to_another() {
        let way = |from, to| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(way("/a/b/results/x", "/a/b"), "../..");
        assert_eq!(way("/a/b", "/a/b"), ".");
        assert_eq!(way("/a/b", "/c/d"), "../../c/d");
        assert_eq!(way("/a", "/a/b/c"), "b/c");
    }

    #[test]
    fn an_edited_text_is_told_from_the_one_that_was_written() {
        let text = "format_version = 3\nlimit = 5\n";
        let written = with_digest(text);
        assert!(!is_edited(&written));
        assert!(!is_edited(text), "a manifest of an earlier version has no digest");
        assert!(is_edited(&written.replace("limit = 5", "limit = 6")));
        assert!(is_edited(&format!("{written}more = 1\n")));
        assert!(is_edited(written.trim_end()));
        let quoting = with_digest(&format!("text = '''\n{DIGEST}0\n'''\n"));
        assert!(!is_edited(&quoting));
    }
}
