//! games.csv, the journal of a run: the games in the order of the pairs, in a file that survives a kill at any moment.
//!
//! A journal is the only source of the results of a run; every other file can be computed from it again. A pair is
//! written as a whole or not at all:
//!
//! - One process at a time writes to it: the folder is locked.
//! - A pair is one write; a write that fails is rolled back.
//! - A journal that another process has changed, replaced or removed gets no more pairs.
//! - The SHA-256 of each line is in journal.sha256, so that a run with an edited line is not resumed.
//! - A kill may leave the last pair unfinished. It is cut off when the run is resumed ([`Journal::open`]).
//! - Pairs that are finished before an earlier one wait in waiting.csv ([`Journal::keep_waiting`]).
//! - Any process can [read](read_pairs) it at any time, without a lock and without changing it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::appended::AppendedFile;
use super::folder::{GAMES, JOURNAL_DIGESTS, MANIFEST, ResultsFolder, WAITING, remove_if_there, replace};
use super::replacement::gone;
use crate::rows::games::{self, GameRow};
use crate::sha256::sha256_of_bytes;
use crate::text_file::open_file;
use lmrlab_diagnostics::failure::Failure;

/// The longest line of a journal that is read, in bytes: far more than the longest possible game takes.
const MAX_LINE: u64 = 1 << 24;
/// The length of a line of journal.sha256: a digest in hexadecimal, and the end of the line.
const DIGEST_LINE: usize = 65;

/// The games of a pair.
type Games = [GameRow; 2];

/// The journal of a run that is played.
pub struct Journal {
    folder: ResultsFolder,
    games: AppendedFile,
    digests: AppendedFile,
    has_overrides: bool,
}

impl Journal {
    /// Opens the journal of a run, or begins it. Hands out the pairs that it has, and cuts off what follows the last whole
    /// one. `each` returns whether a pair is the next one of the run.
    ///
    /// # Errors
    /// When the journal was edited, belongs to another run, cannot be read or cannot be written, or when `each` fails.
    /// Then the file is as it was.
    pub fn open(
        folder: &ResultsFolder,
        has_overrides: bool,
        each: &mut dyn FnMut(Games) -> Result<bool, Failure>,
    ) -> Result<Self, Failure> {
        let mut games = AppendedFile::open(folder, GAMES)?;
        let mut digests = Digests::beside(games.path())?;
        let whole = scan(games.path(), Some(has_overrides), Some(&mut digests), each)?;
        games.cut(whole.length)?;
        if whole.length == 0 {
            games.append(games::header(has_overrides).as_bytes())?;
        }
        let digests = &digests.found[..whole.lines * DIGEST_LINE];
        let digests = AppendedFile::replace(folder, JOURNAL_DIGESTS, digests.as_bytes())?;
        Ok(Self {
            folder: folder.clone(),
            games,
            digests,
            has_overrides,
        })
    }

    /// Appends the next pair with one write.
    ///
    /// # Errors
    /// When the file cannot be written. Then no part of the pair stays in it.
    pub fn append(&mut self, pair: &Games) -> Result<(), Failure> {
        let lines = self.lines([pair])?;
        let digests: String = lines.split_inclusive(|byte| *byte == b'\n').map(digest).collect();
        self.digests.append(digests.as_bytes())?;
        self.games.append(&lines)
    }

    fn lines<'p>(&self, pairs: impl IntoIterator<Item = &'p Games>) -> Result<Vec<u8>, Failure> {
        let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let mut games = pairs.into_iter().flatten();
        let written = games.try_for_each(|game| game.write(self.has_overrides, &mut out));
        let lines = match written {
            Ok(()) => out.into_inner().map_err(csv::IntoInnerError::into_error),
            Err(error) => Err(error.into()),
        };
        lines.map_err(|error| Failure::write(self.games.path(), &error))
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
        self.games.sync()
    }

    /// Replaces the pairs in waiting.csv, which wait for an earlier one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_waiting<'p>(&self, pairs: impl Iterator<Item = &'p Games>) -> Result<(), Failure> {
        let lines = self.lines(pairs)?;
        if lines.is_empty() {
            return remove_if_there(&self.folder.file(WAITING));
        }
        let header = games::header(self.has_overrides);
        replace(&self.folder, WAITING, &[header.as_bytes(), &lines].concat())
    }

    /// The pairs that waited when an earlier process ended, as far as they can be read.
    pub fn waiting(&self) -> Vec<Games> {
        let mut pairs = Vec::new();
        // A pair that cannot be read is played again.
        let _ = scan(
            &self.folder.file(WAITING),
            Some(self.has_overrides),
            None,
            &mut |pair| {
                pairs.push(pair);
                Ok(true)
            },
        );
        pairs
    }
}

/// Reads the pairs of a games.csv in their order, even while a run writes to it. Takes no lock, changes nothing, and leaves
/// out an unfinished pair at the end.
///
/// # Errors
/// When the file cannot be read, is no journal or has been changed, or `each` fails.
pub fn read_pairs(path: &Path, each: &mut dyn FnMut(Games) -> Result<(), Failure>) -> Result<(), Failure> {
    scan(path, None, None, &mut |pair| each(pair).map(|()| true)).map(drop)
}

/// As [`read_pairs`], and refuses a line that was edited, according to the digests beside the file.
///
/// # Errors
/// As [`read_pairs`], and when a line was edited.
pub fn read_unedited(path: &Path, each: &mut dyn FnMut(Games) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut digests = Digests::beside(path)?;
    scan(path, None, Some(&mut digests), &mut |pair| each(pair).map(|()| true)).map(drop)
}

/// The number of the first edited line of a games.csv, from 1, according to the digests beside it. `None` when no line was
/// edited. Takes no lock and changes nothing.
///
/// # Errors
/// When a file cannot be read, or games.csv is no journal.
pub fn edited_line(path: &Path) -> Result<Option<u64>, Failure> {
    let mut lines = Lines::open(path)?;
    let mut digests = Digests::beside(path)?;
    if lines.begin(None)?.is_some() {
        while lines.next()? {
            if digests.differ(&lines.text) {
                return Ok(Some(lines.count));
            }
        }
    }
    Ok(None)
}

/// The digests beside a games.csv, compared with its lines after the first.
///
/// The digests of a pair are written before the pair. After a kill, there may be digests without lines. After a loss of
/// power, there may be lines without digests. Runs of earlier versions have no digests. So only a digest that differs shows
/// that a line was edited.
struct Digests {
    recorded: Vec<u8>,
    /// Those of the lines so far, as in the file.
    found: String,
}

impl Digests {
    fn beside(path: &Path) -> Result<Self, Failure> {
        let mut recorded = Vec::new();
        match open_file(&path.with_file_name(JOURNAL_DIGESTS.name()))
            .and_then(|mut file| file.read_to_end(&mut recorded))
        {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let message = format!("cannot read the digests beside `{}`: {error}", path.display());
                return Err(Failure::input(message, ""));
            }
            _ => {}
        }
        // What a loss of power has left behind the last whole digest is none.
        let is_digest =
            |line: &&[u8]| line.len() == DIGEST_LINE && line[..DIGEST_LINE - 1].iter().all(u8::is_ascii_hexdigit);
        let whole = recorded.split_inclusive(|byte| *byte == b'\n').take_while(is_digest);
        recorded.truncate(whole.count() * DIGEST_LINE);
        Ok(Self {
            recorded,
            found: String::new(),
        })
    }

    /// Whether the next line has another digest than the recorded one. A line without its end has none.
    fn differ(&mut self, line: &[u8]) -> bool {
        if !line.ends_with(b"\n") {
            return false;
        }
        let found = digest(line);
        let place = self.found.len()..self.found.len() + DIGEST_LINE;
        let differs = (self.recorded.get(place)).is_some_and(|recorded| recorded != found.as_bytes());
        self.found.push_str(&found);
        differs
    }
}

/// The digest of a line, as a line.
fn digest(line: &[u8]) -> String {
    sha256_of_bytes(line) + "\n"
}

/// The part of a journal with whole pairs.
#[derive(Default)]
struct Whole {
    /// In bytes.
    length: u64,
    /// Without the first one.
    lines: usize,
}

/// Hands out the whole pairs of a file. Returns how much of the file they are. `each` returns whether a pair is the next
/// one. `has_overrides` is what the columns should be, where that is known. No line may differ from the `digests`.
fn scan(
    path: &Path,
    has_overrides: Option<bool>,
    mut digests: Option<&mut Digests>,
    each: &mut dyn FnMut(Games) -> Result<bool, Failure>,
) -> Result<Whole, Failure> {
    let shown = path.display();
    let mut lines = Lines::open(path)?;
    let Some(has_overrides) = lines.begin(has_overrides)? else {
        return Ok(Whole::default());
    };
    let mut whole = Whole {
        length: lines.read,
        lines: 0,
    };
    let mut first = None;
    while lines.next()? {
        if digests.as_mut().is_some_and(|digests| digests.differ(&lines.text)) {
            return Err(Failure::input(
                format!(
                    "line {} of `{shown}` was edited: its SHA-256 is not the one in {}",
                    lines.count,
                    JOURNAL_DIGESTS.name()
                ),
                "put the line back as it was, or begin a new run",
            ));
        }
        let Some(game) = lines.game(has_overrides) else {
            let line = lines.count;
            while lines.next()? {
                if lines.game(has_overrides).is_some() {
                    return Err(Failure::input(
                        format!("line {line} of `{shown}` is not a game, although later lines are"),
                        "the file was edited or is damaged; put the line back as it was, or begin a new run",
                    ));
                }
            }
            break;
        };
        let Some(first) = first.take() else {
            first = Some(game);
            continue;
        };
        if !each([first, game])? {
            return Err(Failure::input(
                format!(
                    "line {} of `{shown}` is not the game that this run has there",
                    lines.count
                ),
                "the file belongs to another run, or was edited",
            ));
        }
        whole = Whole {
            length: lines.read,
            lines: whole.lines + 2,
        };
    }
    Ok(whole)
}

/// The lines of a games.csv one after the other, with their ends, unchecked.
struct Lines<'p> {
    path: &'p Path,
    file: BufReader<File>,
    /// The last line.
    text: Vec<u8>,
    /// Bytes up to the end of the last line.
    read: u64,
    /// The number of the last line, from 1.
    count: u64,
    /// How many columns the first line has.
    columns: usize,
    record: csv::StringRecord,
}

impl<'p> Lines<'p> {
    fn open(path: &'p Path) -> Result<Self, Failure> {
        let file = open_file(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self {
            path,
            file: BufReader::with_capacity(1 << 16, file),
            text: Vec::new(),
            read: 0,
            count: 0,
            columns: 0,
            record: csv::StringRecord::new(),
        })
    }

    /// Reads the next line. Returns whether there is one.
    fn next(&mut self) -> Result<bool, Failure> {
        self.text.clear();
        let mut limited = (&mut self.file).take(MAX_LINE);
        let read = limited.read_until(b'\n', &mut self.text);
        self.read += read.map_err(|error| unreadable(self.path, &error))? as u64;
        self.count += 1;
        Ok(!self.text.is_empty())
    }

    /// Reads the first line. Returns whether the games have overrides; `None` when a killed process has not finished the
    /// line.
    fn begin(&mut self, has_overrides: Option<bool>) -> Result<Option<bool>, Failure> {
        self.next()?;
        // Spreadsheets write a byte order mark.
        let text = self.text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&self.text);
        let known = [false, true]
            .into_iter()
            .filter(|known| has_overrides.is_none_or(|wanted| wanted == *known));
        for known in known {
            let header = games::header(known);
            if text == header.as_bytes() {
                self.columns = header.split(',').count();
                return Ok(Some(known));
            }
            if !text.ends_with(b"\n") && header.as_bytes().starts_with(text) {
                return Ok(None);
            }
        }
        let shown = self.path.display();
        Err(match self.text.ends_with(b"\r\n") {
            true => Failure::input(
                format!("the lines of `{shown}` end with CR LF; a run ends them with LF"),
                "an editor or a copy has changed the line ends; change them back, as with `dos2unix`",
            ),
            false => Failure::input(
                format!("the columns in line 1 of `{shown}` are not those of this run"),
                "the file was changed, or written by another version of lmrlab or for another run",
            ),
        })
    }

    /// The game of the last line; `None` when the line has another format, or is incomplete.
    fn game(&mut self, has_overrides: bool) -> Option<GameRow> {
        let line = str::from_utf8(&self.text).ok()?.strip_suffix('\n')?;
        self.record.clear();
        if line.contains('"') {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*self.text);
            reader.read_record(&mut self.record).ok()?;
        } else {
            // A new reader for each line would take longer than the parsing itself.
            self.record.extend(line.split(','));
        }
        let is_whole = self.record.len() == self.columns;
        is_whole.then(|| GameRow::read(has_overrides, &self.record)).flatten()
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("cannot read `{}`: {error}", path.display()), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two games each of two pairs.
    fn text() -> String {
        let game = |game: u64, result: &str| {
            let pair = game.div_ceil(2);
            format!("{game},{pair},{pair},1,f,\"a, b\",c,{result},checkmate,1,5,0,1.00,,e2e4,31,1,5,,,\n")
        };
        let games = (1..=4).map(|number| game(number, if number == 2 { "0-1" } else { "1-0" }));
        games::header(false) + &games.collect::<String>()
    }

    fn folder(path: &Path) -> ResultsFolder {
        std::fs::write(path.join(MANIFEST.name()), "").unwrap();
        ResultsFolder::existing(path).unwrap()
    }

    fn pairs(path: &Path) -> Vec<Games> {
        let mut pairs = Vec::new();
        read_pairs(path, &mut |pair| {
            pairs.push(pair);
            Ok(())
        })
        .unwrap();
        pairs
    }

    #[test]
    fn what_is_unfinished_is_left_out_and_cut_off_later() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let (path, text) = (folder.file(GAMES), text());
        std::fs::write(&path, &text).unwrap();
        let both = pairs(&path);
        assert_eq!(both.len(), 2);
        let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
        for length in 0..text.len() {
            std::fs::write(&path, &text[..length]).unwrap();
            let whole = usize::from(length >= ends[2]);
            assert_eq!(pairs(&path).len(), whole, "{length}");
            assert_eq!(
                std::fs::read_to_string(&path).unwrap(),
                text[..length],
                "reading changes nothing"
            );
            let mut seen = Vec::new();
            let mut journal = Journal::open(&folder, false, &mut |pair| {
                seen.push(pair);
                Ok(true)
            })
            .unwrap();
            assert_eq!(seen, both[..whole]);
            both[whole..].iter().for_each(|pair| journal.append(pair).unwrap());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{length}");
            let digests = std::fs::read_to_string(folder.file(JOURNAL_DIGESTS)).unwrap();
            let expected: String = text
                .split_inclusive('\n')
                .skip(1)
                .map(|line| digest(line.as_bytes()))
                .collect();
            assert_eq!(digests, expected);
            assert_eq!(edited_line(&path).unwrap(), None);
        }
        std::fs::write(&path, text.replace("0-1", "1-0")).unwrap();
        assert_eq!(edited_line(&path).unwrap(), Some(3));
        let digests = std::fs::read(folder.file(JOURNAL_DIGESTS)).unwrap();
        let refused = Journal::open(&folder, false, &mut |_| Ok(true)).err().unwrap();
        assert!(refused.to_string().contains("was edited"), "{refused}");
        assert_eq!(std::fs::read(folder.file(JOURNAL_DIGESTS)).unwrap(), digests);
    }

    #[test]
    fn a_changed_file_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let path = folder.file(GAMES);
        let text = text();
        let damage = |from: &[u8], to: &[u8]| {
            let at = text
                .as_bytes()
                .windows(from.len())
                .position(|window| window == from)
                .unwrap();
            [&text.as_bytes()[..at], to, &text.as_bytes()[at + from.len()..]].concat()
        };
        for (damaged, complaint) in [
            (b"other\n".to_vec(), "the columns in line 1 of"),
            (games::header(true).into(), "the columns in line 1 of"),
            (text.replace('\n', "\r\n").into(), "end with CR LF"),
            (damage(b"0-1", b"x"), "line 3 of"),
            (damage(b"0-1", b"\xff"), "line 3 of"),
            (damage(b"0-1", b"0-1,"), "line 3 of"),
            (damage(b"1,1,1,1", b"9,1,1,1"), "line 3 of"),
        ] {
            std::fs::write(&path, &damaged).unwrap();
            let opened = Journal::open(&folder, false, &mut |pair| Ok(pair[0].game != 9));
            let refused = opened.err().unwrap().to_string();
            assert!(refused.contains(complaint), "{refused}");
            assert_eq!(std::fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn pairs_wait_for_earlier_ones() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        std::fs::write(folder.file(GAMES), text()).unwrap();
        let both = pairs(&folder.file(GAMES));
        let journal = Journal::open(&folder, false, &mut |_| Ok(true)).unwrap();
        assert!(journal.waiting().is_empty());
        journal.keep_waiting(both.iter()).unwrap();
        assert_eq!(journal.waiting(), both);
        journal.keep_waiting([].iter()).unwrap();
        assert!(!folder.file(WAITING).exists());
    }
}
