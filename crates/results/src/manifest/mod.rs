//! manifest.toml: everything that is needed to repeat a run, or to resume it.

mod digest;
mod elsewhere;
mod kind;
mod recorded_file;
mod resume_checks;

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::{Files, Source, built_in};
use serde::{Deserialize, Serialize};

use self::digest::{DIGEST, is_edited, with_digest};
pub use self::kind::RunKind;
pub use self::recorded_file::RecordedFile;
use super::FORMAT_VERSION;
use super::folder::{MANIFEST, MAX_MANIFEST};
pub use crate::part_of_run::{Merged, PartOfRun};
use crate::paths::{absolute, portable, relative};
use crate::sha256::sha256;
use crate::shell_words::shell_words;
use crate::text_file;
use crate::utc::{NoTime, Utc};
use lmrlab_diagnostics::failure::Failure;

/// The program that began a run, and its command line.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The version of lmrlab.
    pub version: String,
    /// The commit that it was built from, where that is known.
    pub commit: Option<String>,
    /// The bench fingerprint of its search, in nodes.
    pub bench: u64,
    /// The command line.
    pub command: Vec<String>,
    /// Whether the user asked for a page.
    pub report: bool,
}

/// What a manifest says.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// When the run began.
    started: Utc,
    /// What it does.
    pub kind: RunKind,
    /// The part of a run that is in this folder; `None` when it has the whole run.
    pub part: Option<PartOfRun>,
    /// The parts from which the run was merged; `None` when it was not merged.
    pub merged: Option<Merged>,
    header: Header,
    /// The text of the file.
    text: Arc<str>,
    /// Whether the text differs from the digest at the end of the file.
    edited: bool,
}

/// The name of the table of a part.
const PART: &str = "part";
/// The name of the table of a merged run.
const MERGED: &str = "merged";

/// The name of the table of an experiment.
const EXPERIMENT: &str = "experiment";

/// More openings than a file of 1 GiB has as FEN.
const MOST_OPENINGS: usize = 1 << 26;

/// The keys that every run has.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Header {
    format_version: u32,
    lmrlab: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    bench: u64,
    started: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    /// Whether it has a page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    report: bool,
    command: String,
    /// Where names and relative paths start from, as seen from the results folder.
    root: String,
    #[serde(default, skip_serializing)]
    file: Vec<RecordedFile>,
}

impl Manifest {
    /// The manifest of any run that begins now. `files` has no texts; the texts come from the configuration files that
    /// were read below `root`.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn of(
        kind: RunKind,
        description: toml::Table,
        files: Vec<RecordedFile>,
        (configuration, root): (&Files, &Path),
        invocation: &Invocation,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let started = Utc::now();
        let typed_root = root;
        let root = absolute(root);
        let mut file = files;
        for (path, text) in configuration.texts() {
            let path = if built_in::is_built_in(&path) {
                path
            } else {
                // Names are looked up again below the root, so symbolic links on the way are not resolved.
                let typed = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
                let plain = !typed.components().any(|part| part == Component::ParentDir);
                let stays = plain && typed_root == root;
                relative(&root, &if stays { typed } else { absolute(&path) })
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
            bench: invocation.bench,
            started: started.to_string(),
            cpu: cpu_model(),
            report: invocation.report,
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
                .map_err(|error| Failure::encode("the manifest", &error))?
                .into(),
            header,
            edited: false,
        })
    }

    /// Reads the manifest of a results folder.
    ///
    /// # Errors
    /// When it cannot be read, or is of another version.
    pub fn load(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(MANIFEST.name());
        let refuse = |what: String| {
            Failure::input(
                format!("cannot read the manifest `{}`: {what}", path.display()),
                "it was cut short or edited; restore it from a copy, because the run cannot be read without it",
            )
        };
        let text = text_file::read_utf8(&path, MAX_MANIFEST).map_err(|error| refuse(error.to_string()))?;
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
        // A missing key has no place in the text.
        let lacking = |error: toml::de::Error| refuse(error.message().to_owned());
        let version: Version = tables.clone().try_into().map_err(lacking)?;
        if version.format_version != FORMAT_VERSION {
            return Err(Failure::input(
                format!(
                    "the files in `{}` are of version {}, and this program reads version {FORMAT_VERSION}",
                    folder.display(),
                    version.format_version,
                ),
                "use the version of lmrlab that wrote them",
            ));
        }
        let header: Header = toml::from_str(&text).map_err(lacking)?;
        let openings = header.file.iter().filter_map(|file| file.positions);
        if (openings.fold(0, usize::saturating_add)) > MOST_OPENINGS {
            return Err(refuse(format!(
                "its `positions` are more than {MOST_OPENINGS}, and no run has as many openings"
            )));
        }
        let started = header.started.parse();
        let part = tables.get(PART).map(|part| part.clone().try_into::<PartOfRun>());
        let merged = tables.get(MERGED).map(|merged| merged.clone().try_into());
        let kinds = [RunKind::Tournament, RunKind::Tuning];
        let kind = kinds.into_iter().find(|kind| tables.contains_key(kind.table()));
        Ok(Self {
            started: started.map_err(|error: NoTime| refuse(error.to_string()))?,
            kind: kind.ok_or_else(|| refuse("it has neither `[tournament]` nor `[tuning]`".to_owned()))?,
            part: match part.transpose().map_err(lacking)? {
                Some(PartOfRun {
                    number, of: Some(of), ..
                }) if !(1..=of).contains(&number) => {
                    return Err(refuse(format!("it is part {number} of {of}")));
                }
                part => part,
            },
            merged: merged.transpose().map_err(lacking)?,
            header,
            text: text.into(),
            edited,
        })
    }

    /// The text of manifest.toml.
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

    /// The experiment that the games of the run belong to; `None` when they belong to none.
    pub fn experiment(&self) -> Option<toml::Table> {
        let mut tables: toml::Table = self.text.parse().unwrap_or_default();
        match tables.remove(EXPERIMENT) {
            Some(toml::Value::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// The text of the description and of everything behind it, without the digest. Two runs with the same text play
    /// the same.
    pub fn described(&self) -> &str {
        let heading = format!("\n[{}]\n", self.kind.table());
        let from = self.text.find(&heading).unwrap_or(0);
        let to = self.text.rfind(DIGEST).unwrap_or(self.text.len());
        self.text.get(from..to).unwrap_or(&self.text)
    }

    /// The command line that began the run.
    pub fn command(&self) -> &str {
        &self.header.command
    }

    /// Whether the run has a page, which every process that resumes it updates.
    pub fn has_page(&self) -> bool {
        self.header.report
    }

    /// The text with its file name, for messages. The description is in the table of [`RunKind::table`].
    pub fn source(&self, folder: &Path) -> Source {
        let name = folder.join(MANIFEST.name()).display().to_string();
        Source::new(name, Arc::clone(&self.text))
    }

    /// The version of lmrlab that began the run, and its commit where that is known.
    pub fn program(&self) -> (&str, Option<&str>) {
        (&self.header.lmrlab, self.header.commit.as_deref())
    }

    /// The bench fingerprint of the search that began the run, in nodes.
    pub fn bench(&self) -> u64 {
        self.header.bench
    }

    /// When the run began, in UTC.
    pub fn started(&self) -> &str {
        &self.header.started
    }

    /// The processor that it began on, where the system reports it.
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

    /// The configuration files as they were when the run began.
    pub fn configuration(&self, root: &Path) -> Files {
        let texts = self.header.file.iter().filter_map(|file| {
            let text = file.text.as_deref()?;
            Some((built_in::join(root, &file.path), text.into()))
        });
        Files::recorded(texts)
    }
}

/// Where a text stops being TOML, and why.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    format!("line {line} is not valid TOML: {}", error.message())
}

/// The key that every version of the file has.
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

/// The processor's name, where the system reports it.
fn cpu_model() -> Option<String> {
    if cfg!(windows) {
        return std::env::var("PROCESSOR_IDENTIFIER").ok();
    }
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}
