//! Text files of any origin. A file that is no text, or is too long, is refused before it fills the memory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use lmrlab_diagnostics::inputs;
use memchr::memchr;

/// Reads a text file of at most `most` bytes.
///
/// # Errors
/// When it cannot be read, is longer, has a NUL, or is a folder, a pipe or a device. Messages of lmrlab itself begin
/// with `it`.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_with(path, most, inputs::open)
}

/// As [`read`], for UTF-8, but the file does not count as an input of the command. For a file that is about to be
/// replaced.
///
/// # Errors
/// As [`read_utf8`].
pub fn peek_utf8(path: &Path, most: u64) -> io::Result<String> {
    utf8(read_with(path, most, |path| File::open(path))?)
}

fn read_with(path: &Path, most: u64, open: impl FnOnce(&Path) -> io::Result<File>) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    refuse_no_file(&metadata)?;
    if metadata.len() > most {
        let length = metadata.len();
        return Err(io::Error::other(format!(
            "it has {length} bytes; at most {most} are read"
        )));
    }
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    open(path)?.take(most).read_to_end(&mut bytes)?;
    refuse_no_text(&bytes)?;
    Ok(bytes)
}

/// As [`read`], of UTF-8.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_utf8(path: &Path, most: u64) -> io::Result<String> {
    utf8(read(path, most)?)
}

fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::other(format!("it is not UTF-8 text (byte {at})"))
    })
}

/// Opens a file that is read piece by piece.
///
/// # Errors
/// When it cannot be opened, is a folder, or is a pipe or a device, which might have no end.
pub fn open_file(path: &Path) -> io::Result<File> {
    refuse_no_file(&fs::metadata(path)?)?;
    inputs::open(path)
}

/// Refuses anything but a regular file. Opening a pipe may take forever, and a device might have no end.
///
/// # Errors
/// When `path` leads to a folder, a pipe, a socket or a device.
pub fn refuse_other_kinds(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) => refuse_no_file(&metadata),
        Err(_) => Ok(()),
    }
}

fn refuse_no_file(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    Ok(())
}

/// Opens a file or a pipe that is read piece by piece.
///
/// # Errors
/// When it cannot be opened, is a folder, or is a device, which might have no end.
pub fn open_stream(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if is_device(kind) {
        return Err(io::Error::other("it is a device, not a file"));
    }
    inputs::open(path)
}

#[cfg(unix)]
fn is_device(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

/// Text of an unknown encoding. What is not UTF-8 is taken for ISO 8859-1, the character set of PGN.
#[must_use]
pub fn decoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    text
}

/// The format of a file that is not readable text, by its first bytes, and what to do with it.
fn foreign_format(beginning: &[u8]) -> Option<String> {
    const COMPRESSED: [(&[u8], &str, &str); 6] = [
        (b"\x1f\x8b", "gzip", "gzip -d"),
        (b"\x28\xb5\x2f\xfd", "zstd", "zstd -d"),
        (b"BZh", "bzip2", "bzip2 -d"),
        (b"\xfd7zXZ\0", "xz", "xz -d"),
        (b"PK\x03\x04", "zip", "unzip"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
    ];
    if beginning.starts_with(b"\xff\xfe") || beginning.starts_with(b"\xfe\xff") {
        return Some("it is UTF-16 text: save it as UTF-8".to_owned());
    }
    let (_, name, command) = COMPRESSED.iter().find(|(magic, ..)| beginning.starts_with(magic))?;
    Some(format!(
        "it is compressed ({name}): decompress it first, with `{command} FILE`"
    ))
}

/// Refuses a compressed file, UTF-16, and what has a NUL.
fn refuse_no_text(bytes: &[u8]) -> io::Result<()> {
    if let Some(what) = foreign_format(bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    match memchr(0, bytes) {
        Some(at) => Err(io::Error::other(format!("it is not a text (byte {at} is NUL)"))),
        None => Ok(()),
    }
}

/// The stream from its beginning, unless it begins as a compressed file, UTF-16, or no text.
///
/// # Errors
/// When it is one of those, or cannot be read.
pub fn plain<R: Read>(mut source: R) -> io::Result<impl Read> {
    let mut beginning = Vec::new();
    source.by_ref().take(6).read_to_end(&mut beginning)?;
    refuse_no_text(&beginning)?;
    Ok(io::Cursor::new(beginning).chain(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let said = |most| match read_utf8(&path, most) {
            Ok(text) => text,
            Err(error) => error.to_string(),
        };
        fs::write(&path, "text").unwrap();
        assert_eq!(said(4), "text");
        assert_eq!(said(3), "it has 4 bytes; at most 3 are read");
        fs::write(&path, "te\0xt").unwrap();
        assert_eq!(said(9), "it is not a text (byte 2 is NUL)");
        fs::write(&path, b"te\xff").unwrap();
        assert_eq!(said(9), "it is not UTF-8 text (byte 2)");
        assert_eq!(read(folder.path(), 9).unwrap_err().to_string(), "it is a folder");
    }

    #[test]
    fn compressed_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (bytes, what) in [
            (&b"\x1f\x8b\x08\0"[..], "gzip"),
            (b"\x28\xb5\x2f\xfd\0", "zstd"),
            (b"BZh91AY", "bzip2"),
            (b"\xfd7zXZ\0\0", "xz"),
            (b"PK\x03\x04\0", "zip"),
            (b"\xff\xfe[\0", "UTF-16"),
        ] {
            fs::write(&path, bytes).unwrap();
            let said = read(&path, 99).unwrap_err().to_string();
            assert!(said.contains(what), "{said}");
            assert!(said.contains(" FILE`") || what == "UTF-16", "{said}");
        }
        fs::write(&path, "BZ").unwrap();
        assert_eq!(read(&path, 99).unwrap(), b"BZ");
    }

    #[test]
    fn what_is_not_utf_8_is_iso_8859_1() {
        assert_eq!(decoded("Björn ♔".as_bytes()), "Björn ♔");
        assert_eq!(decoded(b"Bj\xf6rn\xe5\xc3"), "Björnå\u{c3}");
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_no_files() {
        let device = Path::new("/dev/zero");
        assert!(open_file(device).unwrap_err().to_string().contains("device"));
        assert!(read(device, 9).unwrap_err().to_string().contains("device"));
        assert!(open_stream(device).unwrap_err().to_string().contains("device"));
    }
}
