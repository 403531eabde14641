//! results/published: runs and tables, with their sources.

use std::path::{Path, PathBuf};

use lmrlab_engine::bench::FINGERPRINT;
use lmrlab_results::folder::MANIFEST;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::text_file;
use serde::Deserialize;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 24;

/// The folder of the published results, from the project's root.
pub const FOLDER: &str = "results/published";

/// One published run or table, as sources.toml lists it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedSource {
    /// Its folder or file in results/published.
    pub path: String,
    /// The command that makes it, without `--out`.
    pub command: String,
    /// The files of each run that are published, in addition to the manifest.
    #[serde(default)]
    pub files: Vec<String>,
    /// The bench fingerprint of its search, when no manifest has it.
    pub bench: Option<u64>,
    /// A note for the reader; may be empty.
    #[serde(default)]
    pub note: String,
    /// Why the command alone cannot play it again, such as a program that is not available. Empty when it can.
    #[serde(default)]
    pub by_hand: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    #[serde(rename = "run")]
    runs: Vec<PublishedSource>,
}

/// The published results.
#[derive(Debug)]
pub struct Published {
    folder: PathBuf,
    sources: Vec<PublishedSource>,
}

impl Published {
    /// The published results of a project.
    ///
    /// # Errors
    /// When sources.toml cannot be read.
    pub fn open(root: &Path) -> Result<Self, String> {
        let folder = root.join(FOLDER);
        let text = read(&folder.join("sources.toml"))?;
        let sources: Sources = toml::from_str(&text).map_err(|error| format!("{FOLDER}/sources.toml: {error}"))?;
        Ok(Self {
            folder,
            sources: sources.runs,
        })
    }

    /// What is published, in the order of sources.toml.
    pub fn sources(&self) -> &[PublishedSource] {
        &self.sources
    }

    /// The text of a file in the folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn text(&self, path: &str) -> Result<String, String> {
        read(&self.folder.join(path))
    }

    /// The path of a file or folder of the results.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// The manifest of the run to which a file or folder belongs, if it belongs to one.
    pub fn manifest(&self, path: &str) -> Option<Manifest> {
        let at = self.folder.join(path);
        let folder = at
            .ancestors()
            .take_while(|folder| *folder != self.folder)
            .find(|folder| folder.join(MANIFEST.name()).is_file())?;
        Manifest::load(folder).ok()
    }

    /// The bench fingerprint of the search that made a file or folder, in nodes.
    ///
    /// # Errors
    /// When neither a manifest nor sources.toml has it.
    pub fn bench(&self, path: &str) -> Result<u64, String> {
        let source = self
            .sources
            .iter()
            .find(|source| Path::new(path).starts_with(&source.path));
        if let Some(bench) = self.manifest(path).map(|manifest| manifest.bench) {
            return Ok(bench);
        }
        source.and_then(|source| source.bench).ok_or_else(|| {
            format!("neither a manifest nor {FOLDER}/sources.toml has the bench fingerprint of `{path}`")
        })
    }

    /// The list of the published results, as rows of a Markdown table.
    ///
    /// # Errors
    /// As [`Self::bench`].
    pub fn list(&self) -> Result<String, String> {
        let mut list = "| what | bench | command |\n|---|---|---|\n".to_owned();
        for source in &self.sources {
            let bench = self.bench(&source.path)?;
            let bench = if bench == FINGERPRINT {
                String::new()
            } else {
                bench.to_string()
            };
            let note = [source.note.as_str(), source.by_hand.as_str()];
            let note: Vec<&str> = note.into_iter().filter(|note| !note.is_empty()).collect();
            let note = if note.is_empty() {
                String::new()
            } else {
                format!("; {}", note.join("; "))
            };
            list += &format!(
                "| {} | {bench} | `{}`{note} |\n",
                source.path,
                source.command.replace('|', "\\|")
            );
        }
        Ok(list)
    }
}

/// Reads a text.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    text_file::read_utf8(path, MAX_BYTES).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}
