//! Recorded pairs that a host played which was excluded later are taken back: the journal is cut before the first of them.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::ledger::{self, Fate};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::{PARTS, ResultFile};
use lmrlab_runner::text_file::open_file;

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenBack {
    /// The hosts that were excluded.
    pub hosts: BTreeSet<String>,
    /// The first pair that is played again, from 1.
    pub first: u64,
}

/// Cuts the journal of a run, with so many lines for each pair, before the first pair that an excluded host played. Nothing
/// when no pair of such a host is recorded. Nobody may be writing to the run.
///
/// # Errors
/// When a file cannot be read or written.
pub fn take_back(run: &Path, journal: ResultFile, lines_for_each: u64) -> Result<Option<TakenBack>, Failure> {
    let path = run.join(PARTS.name());
    let mut rows = ledger::read(&path)?;
    let excluded = rows.iter().filter(|row| row.fate == Fate::Excluded);
    let hosts: BTreeSet<String> = excluded.map(|row| row.host.clone()).collect();
    let is_wrong = |row: &ledger::AttemptRow| row.fate == Fate::Done && hosts.contains(&row.host);
    let wrong = rows.iter().filter(|row| is_wrong(row)).flat_map(|row| &row.pairs.0);
    let Some(first) = wrong.map(|range| range.first).min() else {
        return Ok(None);
    };
    let journal = run.join(journal.name());
    let cut = cut(&journal, (first - 1) * lines_for_each).map_err(|error| Failure::write(&journal, &error))?;
    for row in &mut rows {
        if is_wrong(row) {
            row.fate = Fate::Excluded;
        }
    }
    ledger::write(&path, &rows)?;
    Ok(cut.then_some(TakenBack { hosts, first }))
}

/// Keeps the header and so many lines of a file. Returns whether it had more.
fn cut(path: &Path, lines: u64) -> std::io::Result<bool> {
    let mut reader = BufReader::new(open_file(path)?);
    let mut line = Vec::new();
    let mut length = 0;
    for _ in 0..=lines {
        line.clear();
        length += reader.read_until(b'\n', &mut line)? as u64;
    }
    let has_more = !reader.fill_buf()?.is_empty();
    if has_more {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(length)?;
        file.sync_data()?;
    }
    Ok(has_more)
}

#[cfg(test)]
mod tests {
    use super::super::ledger::AttemptRow;
    use super::super::numbers::Numbers;
    use super::*;
    use lmrlab_runner::record::fixed::Spaced;
    use lmrlab_runner::record::folder::GAMES;

    #[test]
    fn the_journal_is_cut_before_the_first_pair_of_an_excluded_host() {
        let run = tempfile::tempdir().unwrap();
        let row = |host: &str, fate, first, last| AttemptRow {
            part: 1,
            attempt: 1,
            host: host.to_owned(),
            fate,
            pairs: Spaced(vec![Numbers { first, last }]),
            checks: 0,
            duration_ms: Some(1),
            why: String::new(),
        };
        let games: String = (1..=8).map(|game| format!("{game},\"a, b\"\n")).collect();
        let journal = run.path().join("games.csv");
        std::fs::write(&journal, format!("game,name\n{games}")).unwrap();
        let rows = [row("good", Fate::Done, 1, 2), row("bad", Fate::Done, 3, 4)];
        ledger::write(&run.path().join("parts.csv"), &rows).unwrap();
        assert_eq!(take_back(run.path(), GAMES, 2).unwrap(), None);

        let rows = [rows, [row("bad", Fate::Excluded, 5, 5), row("good", Fate::Done, 5, 6)]].concat();
        ledger::write(&run.path().join("parts.csv"), &rows).unwrap();
        let taken = take_back(run.path(), GAMES, 2).unwrap().unwrap();
        assert_eq!((taken.first, taken.hosts.len()), (3, 1));
        let kept = std::fs::read_to_string(&journal).unwrap();
        assert_eq!(kept.lines().count(), 5);
        assert!(kept.ends_with("4,\"a, b\"\n"));
        // Once is enough.
        assert_eq!(take_back(run.path(), GAMES, 2).unwrap(), None);
    }
}
