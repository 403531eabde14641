//! Where configuration files are read from: the disk, or the texts that were read before.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest configuration file that is read, in bytes. Hand-written files are a thousand times smaller.
pub const MAX_SOURCE_BYTES: u64 = 1 << 20;

type Texts = BTreeMap<PathBuf, Arc<str>>;

/// Reads configuration files and remembers their texts. Clones share what they remember, and a [`Source`](crate::Source) passes its
/// files on to the sources that it names.
///
/// ```
/// use std::path::Path;
/// use lmrlab_diagnostics::{Files, Source};
///
/// let path = Path::new("/nowhere/idea.toml");
/// let files = Files::recorded([(path.to_owned(), "depth = 3".into())]);
/// assert_eq!(&*Source::read_from(&files, path, "idea.toml")?.text, "depth = 3");
/// assert!(Source::read_from(&files, Path::new("/nowhere/other.toml"), "other.toml").is_err());
/// # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The only files that there are; those of the disk when absent.
    recorded: Option<Arc<Texts>>,
    read: Arc<Mutex<Texts>>,
}

/// Two sources are equal whatever they were read from.
impl PartialEq for Files {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Files {}

impl Files {
    /// The files of the disk.
    pub fn on_disk() -> Self {
        Self::default()
    }

    /// These texts, as if they were the only files.
    pub fn recorded(texts: impl IntoIterator<Item = (PathBuf, Arc<str>)>) -> Self {
        Self {
            recorded: Some(Arc::new(texts.into_iter().collect())),
            read: Arc::default(),
        }
    }

    /// The texts that were read so far, by path.
    pub fn texts(&self) -> BTreeMap<PathBuf, Arc<str>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether there is such a file.
    pub fn has_file(&self, path: &Path) -> bool {
        match &self.recorded {
            Some(texts) => texts.contains_key(path),
            None => path.is_file(),
        }
    }

    /// Whether there is such a folder.
    pub fn has_folder(&self, path: &Path) -> bool {
        match &self.recorded {
            Some(texts) => texts.keys().any(|file| file.starts_with(path)),
            None => path.is_dir(),
        }
    }

    /// The names of the TOML files in a folder without `.toml`, sorted; empty when it cannot be read.
    pub fn toml_names(&self, folder: &Path) -> Vec<String> {
        let files: Vec<PathBuf> = match &self.recorded {
            Some(texts) => {
                let inside = |file: &&PathBuf| file.parent() == Some(folder);
                texts.keys().filter(inside).cloned().collect()
            }
            None => std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .collect(),
        };
        let stem = |file: &PathBuf| {
            let name = file.file_name()?.to_str()?;
            Some(name.strip_suffix(".toml")?.to_owned())
        };
        let mut names: Vec<String> = files.iter().filter_map(stem).collect();
        names.sort_unstable();
        names
    }

    /// The text of a file that messages call `name`, as its user wrote it.
    ///
    /// # Errors
    /// When the file cannot be opened, is longer than [`MAX_SOURCE_BYTES`], or is not UTF-8.
    pub(crate) fn text(&self, path: &Path, name: &str) -> Result<Arc<str>, Unreadable> {
        let text: Arc<str> = match &self.recorded {
            Some(texts) => texts
                .get(path)
                .cloned()
                .ok_or_else(|| Unreadable::new(format!("`{name}` is not a recorded file")))?,
            None => read_from_disk(path, name)?.into(),
        };
        self.read
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(path.to_owned(), Arc::clone(&text));
        Ok(text)
    }
}

/// Why a file cannot be read.
pub(crate) struct Unreadable {
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
}

impl Unreadable {
    fn new(message: String) -> Self {
        Self { message, help: None }
    }

    fn help(self, help: &'static str) -> Self {
        Self {
            help: Some(help),
            ..self
        }
    }
}

fn read_from_disk(path: &Path, name: &str) -> Result<String, Unreadable> {
    let cannot_read = |error: std::io::Error| Unreadable::new(format!("cannot read `{name}`: {error}"));
    let metadata = std::fs::metadata(path).map_err(cannot_read)?;
    if metadata.is_dir() {
        let message = format!("`{name}` is a folder, not a file");
        return Err(Unreadable::new(message).help("name a TOML file"));
    }
    let too_long = |length: &str| {
        Unreadable::new(format!(
            "`{name}` {length} than the {MAX_SOURCE_BYTES} bytes that a configuration file may have"
        ))
        .help("is this the right file?")
    };
    if metadata.len() > MAX_SOURCE_BYTES {
        return Err(too_long(&format!("has {} bytes, more", metadata.len())));
    }
    // A device or a pipe has no length beforehand.
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(cannot_read)?;
    if bytes.len() as u64 > MAX_SOURCE_BYTES {
        return Err(too_long("is longer"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Unreadable::new(format!("`{name}` is not UTF-8 text (byte {at})")).help("save the file as UTF-8")
    })
}
