//! manifest.toml: everything that is needed to repeat a run, or to resume it.
//!
//! The last line is the SHA-256 of what is above it. It shows whether the text was edited.

mod resume_checks;

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::{Files, Source, built_in};
use serde::{Deserialize, Serialize};
use toml::Table;

use super::FORMAT_VERSION;
use super::folder::{MANIFEST, MAX_MANIFEST};
pub use crate::part_of_run::{Merged, PartOfRun};
use crate::paths::{absolute, portable, relative};
use crate::sha256::sha256;
use crate::shell_words::shell_words;
use crate::text_file;
use crate::utc::Utc;
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

/// What a run does. Each kind has a table of that name in its manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunKind {
    /// A tournament of any format.
    #[default]
    Tournament,
    /// A tuning run.
    Tuning,
}

impl RunKind {
    /// The name of its table in the manifest.
    pub fn table(self) -> &'static str {
        match self {
            Self::Tournament => "tournament",
            Self::Tuning => "tuning",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tournament => "tournament",
            Self::Tuning => "tuning run",
        })
    }
}

/// A file that a run depends on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordedFile {
    /// Its path relative to the project's root, or the path of a built-in file.
    pub path: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// The number of positions, for openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// The text of a configuration file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What a manifest says: its keys and tables, in their order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    format_version: u32,
    /// The version of lmrlab that began the run.
    pub lmrlab: String,
    /// The commit that it was built from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The bench fingerprint of its search, in nodes.
    pub bench: u64,
    /// When the run began.
    pub started: Utc,
    /// The processor that it began on, where the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Whether the run has a page, which every process that resumes it updates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub report: bool,
    /// The command line that began the run.
    pub command: String,
    /// Where names and relative paths start from, as seen from the results folder.
    root: String,
    /// The part of a run that is in this folder; `None` when it has the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<PartOfRun>,
    /// The parts from which the run was merged; `None` when it was not merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
    /// The experiment that the games of the run belong to; `None` when they belong to none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Table>,
    // The texts of descriptions are long, so these tables stand behind the others. One of them is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<Table>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tuning: Option<Table>,
    /// The files that the run depends on.
    #[serde(default)]
    pub file: Vec<RecordedFile>,
    /// What it does.
    #[serde(skip)]
    pub kind: RunKind,
    /// The text of the file.
    #[serde(skip)]
    text: Arc<str>,
    /// Whether the text differs from the digest at the end of the file.
    #[serde(skip)]
    edited: bool,
}

/// The beginning of the last line. The SHA-256 of all lines above it follows. Manifests of earlier versions have no
/// such line.
const DIGEST: &str = "# SHA-256 of the lines above: ";

/// More openings than a file of 1 GiB has as FEN.
const MOST_OPENINGS: usize = 1 << 26;

impl Manifest {
    /// The manifest of any run that begins now. `files` has no texts; the texts come from the configuration files that
    /// were read below `root`.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn of(
        kind: RunKind,
        description: Table,
        files: Vec<RecordedFile>,
        (configuration, root): (&Files, &Path),
        invocation: &Invocation,
        folder: &Path,
    ) -> Result<Self, Failure> {
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
        let description = |of: RunKind| (of == kind).then(|| description.clone());
        let manifest = Self {
            format_version: FORMAT_VERSION,
            lmrlab: invocation.version.clone(),
            commit: invocation.commit.clone(),
            bench: invocation.bench,
            started: Utc::now(),
            cpu: cpu_model(),
            report: invocation.report,
            command: shell_words(&invocation.command),
            root: portable(&relative(&absolute(folder), &root)),
            part: None,
            merged: None,
            experiment: None,
            tournament: description(RunKind::Tournament),
            tuning: description(RunKind::Tuning),
            file,
            kind,
            text: Arc::default(),
            edited: false,
        };
        manifest.written()
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
        let tables: Table = text.parse().map_err(|error| refuse(not_toml(&text, &error)))?;
        if text.trim().is_empty() {
            return Err(refuse("it is empty".to_owned()));
        }
        if !tables.contains_key("format_version") && !tables.contains_key("lmrlab") {
            return Err(Failure::input(
                format!("`{}` is not the results folder of a run", folder.display()),
                format!("its {} is not one of lmrlab", MANIFEST.name()),
            ));
        }
        match tables.get("format_version").and_then(toml::Value::as_integer) {
            Some(version) if version != i64::from(FORMAT_VERSION) => {
                return Err(Failure::input(
                    format!(
                        "the files in `{}` are of version {version}, and this program reads version {FORMAT_VERSION}",
                        folder.display(),
                    ),
                    "use the version of lmrlab that wrote them",
                ));
            }
            _ => {}
        }
        // A missing key has no place in the text.
        let lacking = |error: toml::de::Error| refuse(error.message().to_owned());
        let manifest: Self = tables.try_into().map_err(lacking)?;
        let openings = manifest.file.iter().filter_map(|file| file.positions);
        if (openings.fold(0, usize::saturating_add)) > MOST_OPENINGS {
            return Err(refuse(format!(
                "its `positions` are more than {MOST_OPENINGS}, and no run has as many openings"
            )));
        }
        if let Some(PartOfRun {
            number, of: Some(of), ..
        }) = manifest.part
            && !(1..=of).contains(&number)
        {
            return Err(refuse(format!("it is part {number} of {of}")));
        }
        Ok(Self {
            kind: match (&manifest.tournament, &manifest.tuning) {
                (Some(_), _) => RunKind::Tournament,
                (None, Some(_)) => RunKind::Tuning,
                (None, None) => return Err(refuse("it has neither `[tournament]` nor `[tuning]`".to_owned())),
            },
            edited: is_edited(&text),
            text: text.into(),
            ..manifest
        })
    }

    /// The manifest with its text made again.
    fn written(self) -> Result<Self, Failure> {
        let text = toml::to_string_pretty(&self).map_err(|error| Failure::encode("the manifest", &error))?;
        Ok(Self {
            text: format!("{text}\n{DIGEST}{}\n", sha256(&format!("{text}\n"))).into(),
            ..self
        })
    }

    /// This manifest with changes. Everything else stays the same, also the time and the command with which the run began.
    ///
    /// # Errors
    /// When it cannot be written as TOML. This does not happen.
    pub fn with(&self, change: impl FnOnce(&mut Self)) -> Result<Self, Failure> {
        let mut manifest = self.clone();
        change(&mut manifest);
        manifest.written()
    }

    /// Changes the folder in which the manifest is, and leaves the root where it is.
    pub fn move_to(&mut self, from: &Path, folder: &Path) {
        self.root = portable(&relative(&absolute(folder), &self.root(from)));
    }

    /// The manifest of a part of this run, for a folder of its own. `run` is the folder of this manifest.
    ///
    /// # Errors
    /// As [`Self::with`].
    pub fn for_part(&self, run: &Path, part: PartOfRun, folder: &Path) -> Result<Self, Failure> {
        self.with(|manifest| {
            manifest.part = Some(part);
            manifest.merged = None;
            manifest.move_to(run, folder);
        })
    }

    /// Adds books behind those of the run, and sets keys of the description.
    pub fn add_books(&mut self, books: Vec<RecordedFile>, keys: Table) {
        let description = self.tournament.as_mut().or(self.tuning.as_mut());
        if let Some(description) = description {
            description.extend(keys);
        }
        let behind = self.file.iter().rposition(|file| file.positions.is_some());
        let at = behind.map_or(0, |last| last + 1);
        self.file.splice(at..at, books);
    }

    /// The text of manifest.toml.
    pub fn to_toml(&self) -> &str {
        &self.text
    }

    /// The table of [`RunKind::table`].
    pub fn description(&self) -> Table {
        let table = self.tournament.as_ref().or(self.tuning.as_ref());
        table.cloned().unwrap_or_default()
    }

    /// The text with its file name, for messages. The description is in the table of [`RunKind::table`].
    pub fn source(&self, folder: &Path) -> Source {
        let name = folder.join(MANIFEST.name()).display().to_string();
        Source::new(name, Arc::clone(&self.text))
    }

    /// Where names and relative paths start from, for a run in this folder.
    pub fn root(&self, folder: &Path) -> PathBuf {
        absolute(&folder.join(&self.root))
    }

    /// The configuration files as they were when the run began.
    pub fn configuration(&self, root: &Path) -> Files {
        let texts = self.file.iter().filter_map(|file| {
            let text = file.text.as_deref()?;
            Some((built_in::join(root, &file.path), text.into()))
        });
        Files::recorded(texts)
    }
}

/// Whether a text has a digest that is not its own.
fn is_edited(text: &str) -> bool {
    let digest = text.rfind(DIGEST).map(|line| text.split_at(line));
    digest.is_some_and(|(above, line)| line != format!("{DIGEST}{}\n", sha256(above)))
}

/// Where a text stops being TOML, and why.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    format!("line {line} is not valid TOML: {}", error.message())
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
