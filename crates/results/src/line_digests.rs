//! journal.sha256: the SHA-256 of each line of a journal after its header, in hexadecimal, one a line. It shows whether
//! a line was edited.
//!
//! The digests of an entry are written before the entry. After a kill, there may be digests without lines. After a loss
//! of power, there may be lines without digests. Runs of earlier versions have no digests. So only a digest that
//! differs shows that a line was edited.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::appended::AppendedFile;
use super::folder::{JOURNAL_DIGESTS, ResultsFolder};
use crate::sha256::sha256_of_bytes;
use crate::text_file::open_file;
use lmrlab_diagnostics::failure::Failure;

/// The length of a digest, with the end of its line.
const LENGTH: u64 = 65;

/// The digests of a journal that is being written.
pub(crate) struct LineDigests(AppendedFile);

impl LineDigests {
    /// Begins the file.
    pub(crate) fn create(folder: &ResultsFolder) -> Result<Self, Failure> {
        AppendedFile::create(folder, JOURNAL_DIGESTS).map(Self)
    }

    /// Opens the file of a run that is resumed.
    pub(crate) fn open(folder: &ResultsFolder) -> Result<Self, Failure> {
        if !folder.file(JOURNAL_DIGESTS).exists() {
            return Self::create(folder);
        }
        AppendedFile::open(folder, JOURNAL_DIGESTS).map(Self)
    }

    /// Cuts off the digests after the first `lines` lines, and adds those that are missing.
    pub(crate) fn cut(&mut self, lines: u64, read: &DigestsToCompare) -> Result<(), Failure> {
        let there = read.there.min(lines);
        self.0.cut(there * LENGTH)?;
        let missing = (lines - there).min(read.missing.len() as u64) as usize;
        let text: String = read.missing[..missing]
            .iter()
            .map(|digest| format!("{digest}\n"))
            .collect();
        self.0.append(text.as_bytes())
    }

    /// Adds the digests of some whole lines.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<(), Failure> {
        self.0.append(digests_of(lines).as_bytes())
    }

    /// Makes them survive a loss of power.
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        self.0.sync()
    }
}

/// The digests of some whole lines, one a line.
fn digests_of(lines: &[u8]) -> String {
    let mut text = String::new();
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        text.push_str(&sha256_of_bytes(line));
        text.push('\n');
    }
    text
}

/// The digests in a file, compared with the lines of a journal from the first one on.
pub(crate) struct DigestsToCompare {
    /// `None` after the last whole digest.
    file: Option<BufReader<File>>,
    /// The number of lines so far that have a digest.
    there: u64,
    /// The digests of the lines that have none in the file.
    missing: Vec<String>,
}

impl DigestsToCompare {
    /// Those beside a journal.
    pub(crate) fn beside(journal: &Path) -> Result<Self, Failure> {
        let file = match open_file(&journal.with_file_name(JOURNAL_DIGESTS.name())) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            opened => Some(BufReader::new(opened.map_err(|error| {
                let shown = journal.display();
                Failure::input(format!("cannot read the digests beside `{shown}`: {error}"), "")
            })?)),
        };
        Ok(Self {
            file,
            there: 0,
            missing: Vec::new(),
        })
    }

    /// Whether the next line of the journal has the next digest. A line without a digest is taken as it is.
    pub(crate) fn is_next(&mut self, line: &[u8]) -> io::Result<bool> {
        let digest = sha256_of_bytes(line);
        let mut written = String::new();
        if let Some(file) = &mut self.file {
            // What is no text is no digest.
            let read = file.take(LENGTH).read_line(&mut written);
            read.or_else(|error| {
                if error.kind() == io::ErrorKind::InvalidData {
                    Ok(0)
                } else {
                    Err(error)
                }
            })?;
        }
        let written = written.strip_suffix('\n').unwrap_or_default();
        if written.len() as u64 + 1 != LENGTH || !written.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            self.file = None;
            self.missing.push(digest);
            return Ok(true);
        }
        self.there += 1;
        Ok(*written == digest)
    }
}
