//! manifest.toml: everything that is needed to run a tournament again.

mod configuration;
mod restore;

use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use serde::{Deserialize, Serialize};

use self::configuration::Configuration;
use super::FORMAT_VERSION;
use super::folder::{MANIFEST, ResultsFolder};
use crate::failure::Failure;
use crate::tournament::Tournament;
use crate::utc::{NoTime, Utc};

/// What a manifest says.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// When the run began.
    pub started: Utc,
    text: Text,
}

impl Manifest {
    /// The manifest of a tournament that begins now, asked for with these words, with its results in `folder`.
    pub fn new(tournament: &Tournament, command: &[String], folder: &Path) -> Self {
        let started = Utc::now();
        Self {
            started,
            text: Text::new(tournament, command, started, folder),
        }
    }

    /// Reads the manifest of a results folder.
    ///
    /// # Errors
    /// When it cannot be read, or was not written by this version of the program.
    pub fn load(folder: &ResultsFolder) -> Result<Self, Failure> {
        let path = folder.file(MANIFEST);
        let refuse = |what: String| {
            Failure::input(
                format!("cannot read the manifest `{}`: {what}", path.display()),
                "without it the run cannot be continued",
            )
        };
        let text = std::fs::read_to_string(&path).map_err(|error| refuse(error.to_string()))?;
        let version: Version = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        if version.format_version != FORMAT_VERSION {
            return Err(Failure::input(
                format!(
                    "`{}` has version {} of the files, and this program writes version {FORMAT_VERSION}",
                    folder.path().display(),
                    version.format_version
                ),
                "continue the run with the version of lmrlab that began it",
            ));
        }
        let text: Text = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        let started = text.started.parse();
        Ok(Self {
            started: started.map_err(|error: NoTime| refuse(error.to_string()))?,
            text,
        })
    }

    /// The tournament, with the files that the manifest names as they were. Comes with warnings.
    ///
    /// # Errors
    /// When one of these files has changed or is gone; the message says which.
    pub fn tournament(
        &self,
        folder: &ResultsFolder,
        threads: Option<NonZeroUsize>,
    ) -> Result<(Tournament, Vec<Diagnostics>), Failure> {
        let root = absolute(&folder.path().join(&self.text.root));
        let recorded = NonZeroUsize::new(self.text.threads).unwrap_or(NonZeroUsize::MIN);
        let tournament = self
            .text
            .tournament
            .restore(&root, threads.unwrap_or(recorded))?;
        let this = Text::program();
        let mut warnings = Vec::new();
        if (&self.text.lmrlab, &self.text.commit) != (&this.0, &this.1) {
            let told = |(version, commit): (&String, &Option<String>)| {
                let commit = commit.as_deref().unwrap_or("unknown");
                format!("{version} (commit {commit})")
            };
            warnings.push(Diagnostics::new(
                Source::new("", ""),
                vec![Diagnostic::warning(format!(
                    "the run was begun by lmrlab {}, and this is {}: if the project's own engine has changed between \
                     them, games before and after are not of the same engine",
                    told((&self.text.lmrlab, &self.text.commit)),
                    told((&this.0, &this.1)),
                ))],
            ));
        }
        Ok((tournament, warnings))
    }

    /// The text of manifest.toml.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which it always can.
    pub fn to_toml(&self) -> Result<String, Failure> {
        toml::to_string_pretty(&self.text)
            .map_err(|error| Failure::Run(format!("cannot write the manifest: {error}")))
    }
}

/// The one key that every version of the file has.
#[derive(Deserialize)]
struct Version {
    format_version: u32,
}

/// The keys of the file, in its order.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Text {
    format_version: u32,
    lmrlab: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    started: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    threads: usize,
    command: String,
    /// Where names and relative paths of the tournament start from, as seen from the results folder.
    root: String,
    tournament: Configuration,
}

impl Text {
    fn new(tournament: &Tournament, command: &[String], started: Utc, folder: &Path) -> Self {
        let (lmrlab, commit) = Self::program();
        Self {
            format_version: FORMAT_VERSION,
            lmrlab,
            commit,
            started: started.to_string(),
            cpu: cpu_model(),
            threads: tournament.threads.get(),
            command: shell_words(command),
            root: relative(&absolute(folder), &absolute(&tournament.root))
                .display()
                .to_string(),
            tournament: Configuration::new(tournament),
        }
    }

    /// The version and the commit of this program.
    fn program() -> (String, Option<String>) {
        (
            env!("CARGO_PKG_VERSION").to_owned(),
            option_env!("LMRLAB_COMMIT").map(str::to_owned),
        )
    }
}

/// An absolute path, without `.` and `..` where the file system allows that.
pub fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // The folder itself may not be there yet, but those above it are.
    let there = absolute.ancestors().find_map(|ancestor| {
        let real = ancestor.canonicalize().ok()?;
        let rest = absolute.strip_prefix(ancestor).ok()?;
        Some(real.join(rest))
    });
    there.unwrap_or(absolute)
}

/// The way from one folder to another, both absolute.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from
        .components()
        .zip(to.components())
        .take_while(|(one, other)| one == other)
        .count();
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
    let told = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}

/// Words as one would type them in a shell.
fn shell_words(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    words
        .iter()
        .map(|word| {
            if !word.is_empty() && word.chars().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', r"'\''"))
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_folder_to_another() {
        let way = |from, to| {
            relative(Path::new(from), Path::new(to))
                .display()
                .to_string()
        };
        assert_eq!(way("/a/b/results/x", "/a/b"), "../..");
        assert_eq!(way("/a/b", "/a/b"), ".");
        assert_eq!(way("/a/b", "/c/d"), "../../c/d");
        assert_eq!(way("/a", "/a/b/c"), "b/c");
    }

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let words = ["lmrlab", "match", "a b", "it's", "", "x@y=2.0"].map(str::to_owned);
        assert_eq!(
            shell_words(&words),
            r"lmrlab match 'a b' 'it'\''s' '' x@y=2.0"
        );
    }
}
