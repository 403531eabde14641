//! Games of PGN files and of runs, counted by player and by opening.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cozy_chess::Color;
use rayon::prelude::*;

use crate::run::Run;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_results::number_text::counted;
use lmrlab_results::pgn::game_tags::{GameTags, scan};
use lmrlab_results::pgn::tag::unescaped;
use lmrlab_results::text_file::{self, plain};
use lmrlab_stats::GameOutcome;
use lmrlab_stats::ratings::{Games, Opening};

/// What was read, and which games could not be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Bytes read.
    pub bytes: u64,
    /// Games that count.
    pub games: u64,
    /// Games with the result `*`.
    pub unfinished: u64,
    /// Games without a result, or with one that PGN does not know.
    pub without_result: u64,
    /// Games in which White or Black has no name.
    pub without_players: u64,
    /// Games of a player against itself.
    pub against_itself: u64,
    /// Games that break off within a comment. They count when their tags say how they ended.
    pub cut_off: u64,
}

impl Report {
    /// What was left out, in words.
    pub fn warnings(&self) -> Vec<String> {
        let skipped = [
            (self.unfinished, "unfinished (`*`)"),
            (self.without_result, "without a result"),
            (self.without_players, "without the names of both players"),
            (self.against_itself, "of a player against itself"),
        ];
        let skipped = skipped.into_iter().filter(|(count, _)| *count > 0);
        let mut warnings: Vec<String> = skipped
            .map(|(count, what)| format!("{} left out: {what}", counted(count, "game")))
            .collect();
        match self.cut_off {
            0 => {}
            1 => warnings.push("1 game breaks off in the middle of a comment".to_owned()),
            count => warnings.push(format!("{count} games break off in the middle of a comment")),
        }
        warnings
    }

    /// Adds the counts of another report.
    pub fn add(&mut self, other: &Report) {
        self.bytes += other.bytes;
        self.games += other.games;
        self.unfinished += other.unfinished;
        self.without_result += other.without_result;
        self.without_players += other.without_players;
        self.against_itself += other.against_itself;
        self.cut_off += other.cut_off;
    }
}

/// Names, and games between them.
#[derive(Debug, Clone, Default)]
pub struct Collector {
    /// Names of the players, in the order of their first games.
    pub names: Vec<String>,
    /// Their games.
    pub games: Games,
    /// What was read.
    pub report: Report,
    /// Tags of the last file that could not be read, by line and name.
    pub broken_tags: Vec<(usize, String)>,
    by_name: HashMap<String, usize>,
    by_tag: HashMap<Vec<u8>, usize>,
}

impl Collector {
    /// Reads PGN files and folders of runs in parallel and merges them in their order; `-` is standard input. Also returns
    /// warnings, of broken tags and of runs that were edited.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn of_files(files: &[PathBuf]) -> Result<(Self, Vec<Diagnostics>), Failure> {
        let collected: Vec<(Self, Vec<Diagnostics>)> = files
            .par_iter()
            .map(|file| {
                let mut collector = Self::default();
                if file.is_dir() {
                    let run = Run::open(file)?;
                    collector.read_run(&run)?;
                    return Ok::<_, Failure>((collector, run.edits()?));
                }
                let read = if file.as_os_str() == "-" {
                    collector.read(io::stdin().lock())
                } else {
                    text_file::open_stream(file).and_then(|file| collector.read(file))
                };
                read.map_err(|error| Failure::input(format!("cannot read {}: {error}", source_name(file)), ""))?;
                let warnings = broken_tags(file, &collector.broken_tags);
                Ok((collector, warnings))
            })
            .collect::<Result<_, _>>()?;
        let (collected, warnings): (Vec<Self>, Vec<_>) = collected.into_iter().unzip();
        let mut files = collected.into_iter();
        let mut all = files.next().unwrap_or_default();
        for file in files {
            all.merge(file);
        }
        Ok((all, warnings.into_iter().flatten().collect()))
    }

    /// Reads a stream of PGN to its end.
    ///
    /// A game counts when both players have names and a result is known. Its opening is its `FEN` tag. Games without
    /// that tag count as independent.
    ///
    /// # Errors
    /// When reading fails, or the stream is compressed.
    pub fn read(&mut self, source: impl Read) -> io::Result<()> {
        let scanned = scan(plain(source)?, |game| self.game(game))?;
        self.report.bytes += scanned.bytes;
        self.broken_tags.extend(scanned.broken_tags);
        Ok(())
    }

    /// Reads the games of a run from its journal.
    ///
    /// # Errors
    /// When the journal of the run cannot be read.
    pub fn read_run(&mut self, run: &Run) -> Result<(), Failure> {
        run.pairs(&mut |games| {
            for game in games {
                let [white, black] =
                    [Color::White, Color::Black].map(|side| self.named(game.player(side).into_owned()));
                let outcome = game.result.outcome_for(Color::White);
                self.games
                    .record(white, black, outcome, Some(Opening::of(game.fen.as_bytes())));
                self.report.games += 1;
            }
            Ok(())
        })
    }

    fn game(&mut self, game: &GameTags) {
        self.report.cut_off += u64::from(game.cut_off);
        let outcome = match game.result.trim_ascii() {
            b"1-0" => GameOutcome::Win,
            b"0-1" => GameOutcome::Loss,
            b"1/2-1/2" | b"1/2" => GameOutcome::Draw,
            b"*" => {
                self.report.unfinished += 1;
                return;
            }
            _ => {
                self.report.without_result += 1;
                return;
            }
        };
        let (Some(white), Some(black)) = (self.player(&game.white), self.player(&game.black)) else {
            self.report.without_players += 1;
            return;
        };
        if white == black {
            self.report.against_itself += 1;
            return;
        }
        self.report.games += 1;
        let opening = (!game.fen.is_empty()).then(|| Opening::of(&game.fen));
        self.games.record(white, black, outcome, opening);
    }

    /// The number of a player; `None` for a name that is empty or unknown.
    fn player(&mut self, tag: &[u8]) -> Option<usize> {
        if let Some(&known) = self.by_tag.get(tag) {
            return Some(known);
        }
        let name = unescaped(tag).trim().to_owned();
        if name.is_empty() || name == "?" {
            return None;
        }
        let number = self.named(name);
        self.by_tag.insert(tag.to_vec(), number);
        Some(number)
    }

    fn named(&mut self, name: String) -> usize {
        *self.by_name.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() - 1
        })
    }

    /// Adds the games of another collector.
    pub fn merge(&mut self, other: Collector) {
        let numbers: Vec<usize> = other.names.into_iter().map(|name| self.named(name)).collect();
        self.games.merge(&other.games, &numbers);
        self.report.add(&other.report);
    }

    /// The number of a player by name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

/// Warns of tags that could not be read.
fn broken_tags(file: &Path, tags: &[(usize, String)]) -> Vec<Diagnostics> {
    let Some((line, name)) = tags.first() else {
        return Vec::new();
    };
    let more = match tags.len() - 1 {
        0 => String::new(),
        more => format!(", nor can {more} more of its tags"),
    };
    let warning = Diagnostic::warning(format!(
        "{}: the tag `{name}` in line {line} cannot be read{more}",
        source_name(file)
    ));
    let warning = warning.help("a tag is a name, and a value in quotes before a bracket: `[White \"Weiss\"]`");
    vec![Diagnostics::new(Source::new(source_name(file), ""), vec![warning])]
}

/// How messages name what is read.
pub fn source_name(file: &Path) -> String {
    match file.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => format!("`{}`", file.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, result: &str, fen: &str) -> String {
        format!(
            "[Event \"e\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{result}\n\n"
        )
    }

    fn read(text: &str) -> Collector {
        let mut collector = Collector::default();
        collector.read(text.as_bytes()).expect("a slice");
        collector
    }

    #[test]
    fn what_cannot_be_used_is_counted() {
        let text = [
            game("A", "B", "1-0", ""),
            game("A", "B", "*", ""),
            game("A", "?", "1-0", ""),
            game("A", "A", "1-0", ""),
            game("A", "B", "won", ""),
            game("B", " A ", "1/2-1/2", ""),
        ]
        .concat();
        let collector = read(&text);
        assert_eq!(collector.names, ["A", "B"]);
        assert_eq!(
            collector.report,
            Report {
                bytes: text.len() as u64,
                games: 2,
                unfinished: 1,
                without_result: 1,
                without_players: 1,
                against_itself: 1,
                ..Report::default()
            }
        );
    }

    #[test]
    fn an_opening_is_the_position_of_the_fen_tag() {
        let text = [
            game("A", "B", "1-0", "f1"),
            game("B", "A", "1/2-1/2", "f2"),
            game("A", "C", "0-1", "f1"),
            game("A", "C", "0-1", ""),
        ];
        let mut expected = Games::default();
        for (white, black, outcome, fen) in [
            (0, 1, GameOutcome::Win, Some("f1")),
            (1, 0, GameOutcome::Draw, Some("f2")),
            (0, 2, GameOutcome::Loss, Some("f1")),
            (0, 2, GameOutcome::Loss, None),
        ] {
            expected.record(white, black, outcome, fen.map(|fen| Opening::of(fen.as_bytes())));
        }
        assert_eq!(read(&text.concat()).games, expected);
    }

    #[test]
    fn files_can_be_read_apart() {
        let (first, second) = (game("A", "B", "1-0", "f"), game("C", "A", "0-1", ""));
        let mut apart = read(&second);
        apart.merge(read(&first));
        assert_eq!(apart.names, ["C", "A", "B"]);
        let together = read(&(second + &first));
        assert_eq!((&apart.names, &apart.games), (&together.names, &together.games));
    }
}
