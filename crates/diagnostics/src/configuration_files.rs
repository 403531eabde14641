//! Reads configuration files: from the disk, from the built-in ones, or from recorded texts.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{built_in, inputs};

/// The largest configuration file that is read, in bytes. Hand-written files are a thousand times smaller.
pub const MAX_SOURCE_BYTES: u64 = 1 << 20;

type Texts = BTreeMap<PathBuf, Arc<str>>;

/// Reads configuration files and records their texts. Clones share the record. A [`Source`](crate::Source) passes its
/// files on to the sources that it names.
///
/// ```
/// use std::path::Path;
/// use lmrlab_diagnostics::{Files, Source};
///
/// let path = Path::new("/nowhere/idea.toml");
/// let files = Files::recorded([(path.to_owned(), "depth = 3".into())]);
/// assert_eq!(&*Source::read_from(&files, path, "idea.toml")?.text, "depth = 3");
/// assert!(files.has_file(Path::new("/somewhere/../nowhere/idea.toml")));
/// assert!(Source::read_from(&files, Path::new("/nowhere/other.toml"), "other.toml").is_err());
/// # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The only files that exist; `None` for the files of the disk and the built-in ones.
    recorded: Option<Arc<Texts>>,
    read: Arc<Mutex<Texts>>,
}

/// All are equal, so that sources compare by their texts and not by their files.
impl PartialEq for Files {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Files {}

impl Files {
    /// The files of the disk, and those that are built in.
    pub fn on_disk() -> Self {
        Self::default()
    }

    /// These texts, as if they were the only files.
    pub fn recorded(texts: impl IntoIterator<Item = (PathBuf, Arc<str>)>) -> Self {
        Self {
            recorded: Some(Arc::new(
                texts
                    .into_iter()
                    .map(|(path, text)| (without_parents(&path), text))
                    .collect(),
            )),
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
            Some(texts) => texts.contains_key(&without_parents(path)),
            None if built_in::is_built_in(path) => built_in::text(path).is_some(),
            None => path.is_file(),
        }
    }

    /// Whether there is such a folder.
    fn has_folder(&self, path: &Path) -> bool {
        match &self.recorded {
            Some(texts) => {
                let folder = without_parents(path);
                texts.keys().any(|file| file.starts_with(&folder))
            }
            None => path.is_dir(),
        }
    }

    /// The file at `path`, seen from `folder`. A relative path may lead to no file there, but to a built-in file, such
    /// as `configs/policies/house.toml`. Then it means the file at this path in the nearest folder above that has one,
    /// or else the built-in file.
    pub fn locate(&self, folder: &Path, path: &Path) -> PathBuf {
        let here = built_in::join(folder, path);
        let built_in = built_in::path(path);
        if path.is_absolute() || self.has_file(&here) || !self.has_file(&built_in) {
            return here;
        }
        let folder = absolute(folder);
        let mut above = folder.ancestors().map(|ancestor| ancestor.join(path));
        above.find(|path| self.has_file(path)).unwrap_or(built_in)
    }

    /// The TOML files of a kind, by their names without `.toml`. `kind` is a folder such as `configs/policies`. They
    /// are the built-in files and those of the nearest folder that has `kind`, from `root` upwards. A file of that
    /// folder replaces a built-in file of the same name.
    pub fn named(&self, kind: &str, root: &Path) -> BTreeMap<String, PathBuf> {
        let root = absolute(root);
        let project = root.ancestors().map(|ancestor| ancestor.join(kind));
        let project = project.into_iter().find(|folder| self.has_folder(folder));
        let folders = [Some(built_in::path(kind)), project];
        let mut named = BTreeMap::new();
        for folder in folders.into_iter().flatten() {
            for name in self.toml_names(&folder) {
                let path = folder.join(format!("{name}.toml"));
                named.insert(name, path);
            }
        }
        named
    }

    /// The names of the TOML files in a folder without `.toml`, sorted; empty when it cannot be read.
    pub fn toml_names(&self, folder: &Path) -> Vec<String> {
        let files: Vec<PathBuf> = match &self.recorded {
            Some(texts) => {
                let folder = without_parents(folder);
                let inside = |file: &&PathBuf| file.parent() == Some(folder.as_path());
                texts.keys().filter(inside).cloned().collect()
            }
            None if built_in::is_built_in(folder) => built_in::files(folder),
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
                .get(&without_parents(path))
                .cloned()
                .ok_or_else(|| Unreadable::new(format!("`{name}` is not a recorded file")))?,
            None => match built_in::text(path) {
                Some(text) => text.into(),
                None if built_in::is_built_in(path) => {
                    return Err(Unreadable::new(format!("`{}` is not built in", path.display())));
                }
                None => read_from_disk(path, name)?.into(),
            },
        };
        self.read
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(path.to_owned(), Arc::clone(&text));
        Ok(text)
    }
}

/// A path without `.` and `..` where that is possible. It does not read the disk, so it does not follow symbolic links.
pub fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
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
    if !metadata.is_file() {
        let message = format!("cannot read `{name}`: it is a pipe or a device, not a file");
        return Err(Unreadable::new(message).help("name a TOML file"));
    }
    let system = ["/proc", "/sys", "/dev"];
    if path
        .canonicalize()
        .is_ok_and(|path| system.iter().any(|folder| path.starts_with(folder)))
    {
        let message = format!("cannot read `{name}`: it is a file of the system");
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
    // A file may grow while it is read.
    let mut bytes = Vec::new();
    inputs::open(path)
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
