//! A journal: the lines of a run in their order, in a CSV file that survives a kill at any moment.
//!
//! A journal is the only source of the results of a run; every other file can be computed from it again. Its lines come in
//! entries of `N` lines, such as the two games of a pair, and an entry is written as a whole or not at all:
//!
//! - One process at a time writes to it ([`Journal::create`] and [`Journal::open`] take a lock).
//! - An entry is one write; a write that fails is rolled back.
//! - A journal that another process has changed, replaced or removed gets no more entries.
//! - The SHA-256 of each line is in journal.sha256, so that a run with an edited line is not resumed.
//! - A kill may leave the last entry unfinished. It is cut off when the run is resumed ([`LockedJournal::recover`]).
//! - Entries that are finished before an earlier one wait in waiting.csv ([`Journal::keep_waiting`]).
//! - Any process can [`read`] it at any time, without a lock and without changing it.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::appended::{AppendedFile, gone};
use super::folder::{JOURNAL_DIGESTS, MANIFEST, ResultFile, ResultsFolder, WAITING};
use super::line_digests::{DigestsToCompare, LineDigests};
use super::replacement::replace;
use crate::text_file::open_file;
use lmrlab_diagnostics::failure::Failure;

/// The longest line of a journal that is read, in bytes: far more than the longest possible game takes.
const MAX_LINE: u64 = 1 << 24;

/// How the lines of a journal are written and read.
pub trait LineFormat {
    /// One line.
    type Line;

    /// What messages call a line, such as `game`.
    const NAME: &'static str;

    /// The names of the columns.
    fn columns(&self) -> Vec<String>;

    /// Writes a line as a CSV record.
    ///
    /// # Errors
    /// When it cannot be written as CSV.
    fn write(&self, line: &Self::Line, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error>;

    /// Reads a record with as many cells as there are columns; `None` when the record has another format.
    fn read(&self, record: &csv::StringRecord) -> Option<Self::Line>;

    /// The index of the column that makes [`Self::read`] fail, where that is known.
    fn wrong_column(&self, _record: &csv::StringRecord) -> Option<usize> {
        None
    }
}

/// The lines of an entry.
type Entry<F, const N: usize> = [<F as LineFormat>::Line; N];

/// A journal that is being written, with the lock on it.
pub struct Journal<F, const N: usize> {
    file: AppendedFile,
    digests: LineDigests,
    folder: ResultsFolder,
    format: F,
    /// Whether there is a file with waiting entries.
    has_waiting: bool,
}

/// A journal that an earlier process wrote, with the lock on it, before its unfinished end is cut off.
pub struct LockedJournal<F, const N: usize>(Journal<F, N>);

impl<F: LineFormat, const N: usize> Journal<F, N> {
    /// Begins a journal.
    ///
    /// # Errors
    /// When the file exists already, or cannot be written.
    pub fn create(folder: &ResultsFolder, file: ResultFile, format: F) -> Result<Self, Failure> {
        let mut file = AppendedFile::create_locked(folder, file)?;
        let digests = LineDigests::create(folder)?;
        file.append(&header(&format, file.path())?)?;
        Ok(Self {
            file,
            digests,
            folder: folder.clone(),
            format,
            has_waiting: false,
        })
    }

    /// Opens the journal of a run that is resumed. A run that was killed early may not have one yet.
    ///
    /// # Errors
    /// When another process writes to it, or it cannot be written.
    pub fn open(folder: &ResultsFolder, file: ResultFile, format: F) -> Result<LockedJournal<F, N>, Failure> {
        let file = if folder.file(file).exists() {
            AppendedFile::open_locked(folder, file)?
        } else {
            AppendedFile::create_locked(folder, file)?
        };
        folder.remove_unfinished()?;
        Ok(LockedJournal(Self {
            file,
            digests: LineDigests::open(folder)?,
            folder: folder.clone(),
            format,
            has_waiting: folder.file(WAITING).exists(),
        }))
    }

    /// Appends the next entry with one write.
    ///
    /// # Errors
    /// When the file cannot be written. Then no part of the entry stays in it.
    pub fn append(&mut self, entry: &Entry<F, N>) -> Result<(), Failure> {
        let lines = lines(&self.format, entry).map_err(|error| Failure::write(self.file.path(), &error))?;
        self.digests.append(&lines)?;
        self.file.append(&lines)
    }

    /// Makes what was appended survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that, or another process has changed a file of the run.
    pub fn sync(&mut self) -> Result<(), Failure> {
        let manifest = self.folder.file(MANIFEST);
        if !manifest.exists() {
            return Err(gone(&manifest));
        }
        self.digests.sync()?;
        self.file.sync()
    }

    /// Replaces the entries in waiting.csv, which wait for an earlier one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_waiting<'e>(&mut self, entries: impl Iterator<Item = &'e Entry<F, N>>) -> Result<(), Failure>
    where
        F::Line: 'e,
    {
        let path = self.folder.file(WAITING);
        let mut text = Vec::new();
        for entry in entries {
            text.extend(lines(&self.format, entry).map_err(|error| Failure::write(&path, &error))?);
        }
        if !text.is_empty() {
            self.has_waiting = true;
            text.splice(0..0, header(&self.format, &path)?);
            replace(&self.folder, WAITING, &text)?;
        } else if self.has_waiting {
            self.has_waiting = false;
            std::fs::remove_file(&path).map_err(|error| Failure::write(&path, &error))?;
        }
        Ok(())
    }

    /// The entries that waited when an earlier process ended, as far as they can be read.
    pub fn waiting(&self) -> Vec<Entry<F, N>> {
        let mut entries = Vec::new();
        // A pair that cannot be read is played again.
        let _ = scan(&self.folder.file(WAITING), &self.format, None, &mut |entry| {
            entries.push(entry);
            Ok(true)
        });
        entries
    }
}

impl<F: LineFormat, const N: usize> LockedJournal<F, N> {
    /// Reads the journal and cuts off what follows its last whole entry. `each` returns whether an entry is the next
    /// one of the run.
    ///
    /// # Errors
    /// When the journal was edited, belongs to another run, cannot be read or cannot be written, or when `each` fails.
    /// Then the file is as it was.
    pub fn recover(self, each: &mut dyn FnMut(Entry<F, N>) -> Result<bool, Failure>) -> Result<Journal<F, N>, Failure> {
        let mut journal = self.0;
        let path = journal.file.path();
        let shown = path.display();
        let mut digests = DigestsToCompare::beside(path)?;
        let mut compare = Compare {
            digests: &mut digests,
            edited: &mut |line| {
                Err(Failure::input(
                    format!(
                        "line {line} of `{shown}` was edited: its SHA-256 is not the one in {}",
                        JOURNAL_DIGESTS.name()
                    ),
                    "put the line back as it was, or begin a new run",
                ))
            },
        };
        let whole = scan(path, &journal.format, Some(&mut compare), each)?;
        journal.file.cut(whole.length)?;
        journal.digests.cut(whole.lines, &digests)?;
        if whole.length == 0 {
            let header = header(&journal.format, journal.file.path())?;
            journal.file.append(&header)?;
        }
        Ok(journal)
    }
}

/// Reads the whole entries of a journal, even while a run writes to it. Takes no lock, changes nothing, and leaves out
/// an unfinished entry at the end.
///
/// # Errors
/// When the file cannot be read, is not a journal of this format or has been changed, or `each` fails.
pub fn read<F: LineFormat, const N: usize>(
    path: &Path,
    format: &F,
    each: &mut dyn FnMut(Entry<F, N>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    scan(path, format, None, &mut |entry| each(entry).map(|()| true)).map(|_| ())
}

/// The number of the first edited line of a journal, from 1, according to the digests beside it. `None` when no line
/// was edited. Takes no lock and changes nothing.
///
/// # Errors
/// When the file cannot be read, or is not a journal of this format.
pub fn edited_line<F: LineFormat>(path: &Path, format: &F) -> Result<Option<u64>, Failure> {
    let mut first = None;
    let mut digests = DigestsToCompare::beside(path)?;
    let mut compare = Compare {
        digests: &mut digests,
        edited: &mut |line| {
            first = first.or(Some(line));
            Ok(())
        },
    };
    scan::<F, 1>(path, format, Some(&mut compare), &mut |_| Ok(true))?;
    Ok(first)
}

/// What is compared with the lines of a journal.
struct Compare<'c> {
    digests: &'c mut DigestsToCompare,
    /// Gets the number of each line that was edited.
    edited: &'c mut dyn FnMut(u64) -> Result<(), Failure>,
}

/// The part of a journal with whole entries.
#[derive(Default)]
struct Whole {
    /// In bytes.
    length: u64,
    /// Without the header.
    lines: u64,
}

/// The first line of a file of lines in this format, with its end.
///
/// # Errors
/// When it cannot be written as CSV.
pub fn header<F: LineFormat>(format: &F, path: &Path) -> Result<Vec<u8>, Failure> {
    csv_text(|out| out.write_record(format.columns())).map_err(|error| Failure::write(path, &error))
}

/// Lines in this format, with their ends.
///
/// # Errors
/// When one cannot be written as CSV.
pub fn lines<F: LineFormat>(format: &F, lines: &[F::Line]) -> io::Result<Vec<u8>> {
    csv_text(|out| lines.iter().try_for_each(|line| format.write(line, out)))
}

fn csv_text(write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error>) -> io::Result<Vec<u8>> {
    let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    write(&mut out)
        .map_err(io::Error::from)
        .and_then(|()| out.into_inner().map_err(csv::IntoInnerError::into_error))
}

/// Hands out the whole entries of a file. Returns how much of the file they are. `each` returns whether an entry is the
/// next one.
fn scan<F: LineFormat, const N: usize>(
    path: &Path,
    format: &F,
    mut compare: Option<&mut Compare<'_>>,
    each: &mut dyn FnMut(Entry<F, N>) -> Result<bool, Failure>,
) -> Result<Whole, Failure> {
    let shown = path.display();
    let unreadable = |error: io::Error| Failure::input(format!("cannot read `{shown}`: {error}"), "");
    let header = header(format, path)?;
    let header = String::from_utf8_lossy(&header);
    let mut text = Lines::open(path).map_err(unreadable)?;
    match text.next_line().map_err(unreadable)? {
        Some(line) if line == header => {}
        // The process was killed while it wrote the first line.
        Some(line) if !line.ends_with('\n') && header.starts_with(line) => return Ok(Whole::default()),
        None => return Ok(Whole::default()),
        Some(line) => {
            if line.strip_suffix("\r\n") == header.strip_suffix('\n') {
                return Err(Failure::input(
                    format!("the lines of `{shown}` end with CR LF; a run ends them with LF"),
                    "an editor or a copy has changed the line ends; change them back, as with `dos2unix`",
                ));
            }
            if !text.is_text() {
                return Err(not_text(path, text.count));
            }
            return Err(Failure::input(
                format!("the columns in line 1 of `{shown}` are not those of this run"),
                "the file was changed, or written by another version of lmrlab or for another run",
            ));
        }
    }
    let mut reader = LineReader::new(format);
    let mut whole = Whole {
        length: text.read,
        lines: 0,
    };
    let mut entry = Vec::with_capacity(N);
    while let Some(line) = text.next_line().map_err(unreadable)? {
        let Some(line) = reader.line_of(format, line) else {
            let was_text = text.is_text();
            let wrong = reader.wrong_cell(format).unwrap_or_default();
            let is_line = |text: &str| reader.line_of(format, text).is_some();
            return match text.any(is_line).map_err(unreadable)? {
                true if !was_text => Err(not_text(path, text.count)),
                true => Err(Failure::input(
                    format!(
                        "line {} of `{shown}` is not a {}{wrong}, although later lines are",
                        text.count,
                        F::NAME
                    ),
                    "the file was edited",
                )),
                false => Ok(whole),
            };
        };
        if let Some(compare) = &mut compare
            && !compare.digests.is_next(&text.bytes).map_err(unreadable)?
        {
            (compare.edited)(text.count)?;
        }
        entry.push(line);
        if entry.len() < N {
            continue;
        }
        // It has as many lines as it should.
        let Ok(lines) = <[F::Line; N]>::try_from(std::mem::take(&mut entry)) else {
            continue;
        };
        if !each(lines)? {
            return Err(Failure::input(
                format!(
                    "line {} of `{shown}` is not the {} that this run has there",
                    text.count,
                    F::NAME
                ),
                "the file belongs to another run, or was edited",
            ));
        }
        whole.length = text.read;
        whole.lines += N as u64;
    }
    Ok(whole)
}

fn not_text(path: &Path, line: u64) -> Failure {
    Failure::input(
        format!(
            "line {line} of `{}` is not UTF-8 text, so it is no line of a CSV file",
            path.display()
        ),
        "the file is damaged or another one; put it back as it was, or begin a new run",
    )
}

/// Parses lines of CSV, one after the other.
struct LineReader {
    columns: usize,
    record: csv::StringRecord,
}

impl LineReader {
    /// For lines of this format.
    fn new<F: LineFormat>(format: &F) -> Self {
        Self {
            columns: format.columns().len(),
            record: csv::StringRecord::new(),
        }
    }

    /// Parses one line of text; `None` when it has another format, or is incomplete.
    fn line_of<F: LineFormat>(&mut self, format: &F, text: &str) -> Option<F::Line> {
        let line = text.strip_suffix('\n')?;
        self.record.clear();
        if line.contains('"') {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .from_reader(text.as_bytes());
            reader.read_record(&mut self.record).ok()?;
        } else {
            // A new reader for each line would take longer than the parsing itself.
            self.record.extend(line.trim_end_matches('\r').split(','));
        }
        if self.record.len() != self.columns {
            self.record.clear();
            return None;
        }
        format.read(&self.record)
    }

    /// The column that cannot be read in the last line, with its cell; `None` when that is not known.
    fn wrong_cell<F: LineFormat>(&self, format: &F) -> Option<String> {
        let column = format.wrong_column(&self.record)?;
        let cell: String = self.record.get(column)?.chars().take(40).collect();
        Some(format!(
            " (its `{}` is `{}`)",
            format.columns().get(column)?,
            cell.escape_debug()
        ))
    }
}

/// The lines of a text file one after the other, with their ends, unchecked.
pub(crate) struct Lines {
    file: BufReader<File>,
    bytes: Vec<u8>,
    /// Bytes up to the end of the last line.
    pub(crate) read: u64,
    /// Number of the last line, from 1.
    count: u64,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufReader::with_capacity(1 << 16, open_file(path)?),
            bytes: Vec::new(),
            read: 0,
            count: 0,
        })
    }

    /// The next line; `None` after the last one.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<&str>> {
        self.bytes.clear();
        let mut limited = io::Read::take(&mut self.file, MAX_LINE);
        let count = limited.read_until(b'\n', &mut self.bytes)?;
        if count == 0 {
            return Ok(None);
        }
        self.read += count as u64;
        self.count += 1;
        // What is no text is no line of a CSV file.
        let text = str::from_utf8(&self.bytes).unwrap_or("\u{fffd}");
        // Spreadsheets write a byte order mark.
        let bare = text.strip_prefix('\u{feff}').filter(|_| self.count == 1);
        Ok(Some(bare.unwrap_or(text)))
    }

    /// Whether the last line is text, as all of a journal is.
    fn is_text(&self) -> bool {
        !self.bytes.contains(&0) && str::from_utf8(&self.bytes).is_ok()
    }

    /// Whether any of the lines that follow is one of these.
    fn any(&mut self, mut is: impl FnMut(&str) -> bool) -> io::Result<bool> {
        let line = self.count;
        while let Some(next) = self.next_line()? {
            if is(next) {
                self.count = line;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::GAMES;

    /// Numbers, two a line.
    struct Numbers;

    impl LineFormat for Numbers {
        type Line = (u64, u64);
        const NAME: &'static str = "pair of numbers";

        fn columns(&self) -> Vec<String> {
            ["one", "other, with a comma"].map(str::to_owned).to_vec()
        }

        fn write(&self, line: &Self::Line, out: &mut csv::Writer<Vec<u8>>) -> csv::Result<()> {
            out.serialize(line)
        }

        fn read(&self, record: &csv::StringRecord) -> Option<Self::Line> {
            record.deserialize(None).ok()
        }
    }

    const HEADER: &str = "one,\"other, with a comma\"\n";

    fn folder(path: &Path) -> ResultsFolder {
        std::fs::write(path.join(MANIFEST.name()), "format_version = 2\nlmrlab = \"\"").unwrap();
        ResultsFolder::existing(path).unwrap()
    }

    fn entries(path: &Path) -> Result<Vec<[(u64, u64); 2]>, Failure> {
        let mut entries = Vec::new();
        read(path, &Numbers, &mut |entry| {
            entries.push(entry);
            Ok(())
        })?;
        Ok(entries)
    }

    #[test]
    fn what_is_unfinished_is_left_out_and_cut_off_later() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let path = folder.file(GAMES);
        let mut journal = Journal::<_, 2>::create(&folder, GAMES, Numbers).unwrap();
        journal.append(&[(1, 2), (3, 4)]).unwrap();
        journal.append(&[(5, 6), (7, 8)]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{HEADER}1,2\n3,4\n5,6\n7,8\n"));
        assert_eq!(entries(&path).unwrap().len(), 2);
        drop(journal);
        for length in 0..text.len() {
            std::fs::write(&path, &text[..length]).unwrap();
            let read = entries(&path).unwrap();
            let whole = length.saturating_sub(HEADER.len()) / 8;
            assert_eq!(read.len(), whole, "{length}");
            let before = std::fs::read_to_string(&path).unwrap();
            assert_eq!(before, text[..length], "reading changes nothing");
            let mut seen = Vec::new();
            let mut journal = Journal::<_, 2>::open(&folder, GAMES, Numbers)
                .unwrap()
                .recover(&mut |entry| {
                    seen.push(entry);
                    Ok(true)
                })
                .unwrap();
            assert_eq!(seen, read);
            for entry in &[[(1, 2), (3, 4)], [(5, 6), (7, 8)]][seen.len()..] {
                journal.append(entry).unwrap();
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{length}");
        }
    }

    #[test]
    fn a_changed_file_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let path = folder.file(GAMES);
        for (text, complaint) in [
            (&b"other\n"[..], "the columns in line 1 of"),
            (b"\xff\xfe\n", "line 1 of"),
            (b"\0\0\n", "is not UTF-8 text"),
            (b"one,\"other, with a comma\"\r\n1,2\r\n3,4\r\n", "end with CR LF"),
            (b"H1,2\n3,x\n5,6\n7,8\n", "line 3 of"),
            (b"H1,2\n3,\xff\n5,6\n7,8\n", "is not UTF-8 text"),
            (b"H1,2,3\n3,4\n", "line 2 of"),
            (b"H9,2\n3,4\n", "line 3 of"),
        ] {
            let text = match text.strip_prefix(b"H") {
                Some(rows) => [HEADER.as_bytes(), rows].concat(),
                None => text.to_vec(),
            };
            std::fs::write(&path, &text).unwrap();
            let refused = Journal::<_, 2>::open(&folder, GAMES, Numbers)
                .unwrap()
                .recover(&mut |entry| Ok(entry[0].0 != 9))
                .err()
                .unwrap()
                .to_string();
            assert!(refused.contains(complaint), "{refused}");
            assert_eq!(std::fs::read(&path).unwrap(), text);
        }
    }

    #[test]
    fn entries_wait_for_earlier_ones() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let mut journal = Journal::<_, 2>::create(&folder, GAMES, Numbers).unwrap();
        assert!(journal.waiting().is_empty());
        let entries = [[(1, 2), (3, 4)], [(5, 6), (7, 8)]];
        journal.keep_waiting(entries.iter()).unwrap();
        assert_eq!(journal.waiting(), entries);
        journal.keep_waiting([].iter()).unwrap();
        assert!(!folder.file(WAITING).exists());
    }
}
