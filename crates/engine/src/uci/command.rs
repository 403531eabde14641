//! The commands of UCI, parsed. As UCI asks, unknown words are skipped, and the rest of the line counts.

use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use cozy_chess::Color;
use lmrlab_engine::limits::{Clock, Limits};
use lmrlab_engine::whole_number::whole_number;

/// One line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    /// An error when the line names no position.
    Position(Result<Setup, String>),
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    Bench {
        depth: Option<u32>,
    },
}

/// A position as `position` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setup {
    /// `None` for the initial position.
    pub(super) fen: Option<String>,
    pub(super) moves: Vec<String>,
}

/// The limits of a `go`, as received.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Go {
    nodes: Option<u64>,
    depth: Option<u32>,
    move_time: Option<Duration>,
    time: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    mate: Option<u32>,
    /// The texts of `searchmoves`, not yet checked against the position.
    pub(super) search_moves: Vec<String>,
    infinite: bool,
    /// Whether the search lasts until `ponderhit` or `stop`.
    pub(super) ponder: bool,
}

impl Go {
    pub(super) fn limits(&self, side: Color) -> Limits {
        if self.infinite || self.ponder {
            return Limits::default();
        }
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.move_time,
            clock: self.time[side as usize].map(|remaining| Clock {
                remaining,
                increment: self.increment[side as usize],
                moves_to_go: self.moves_to_go,
            }),
            mate: self.mate,
            ..Limits::default()
        }
    }

    /// Whether only `stop` or `ponderhit` ends the search.
    pub(super) fn is_infinite(&self) -> bool {
        self.infinite || self.ponder || !self.is_limited()
    }

    fn is_limited(&self) -> bool {
        self.nodes.is_some()
            || self.depth.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
            || self.time.iter().any(Option::is_some)
    }
}

/// The greatest number of notes about one line. Further notes are dropped.
const MOST_NOTES: usize = 8;

type Words<'l> = Peekable<SplitAsciiWhitespace<'l>>;

/// Parses a line. The command is `None` when the line holds none that this engine supports. The notes say what was
/// wrong.
pub(super) fn parse(line: &str) -> (Option<Command>, Vec<String>) {
    let mut words = line.split_ascii_whitespace().peekable();
    let mut notes = Vec::new();
    let command = command(&mut words, &mut notes);
    notes.truncate(MOST_NOTES);
    (command, notes)
}

fn command(words: &mut Words<'_>, notes: &mut Vec<String>) -> Option<Command> {
    while let Some(word) = words.next() {
        let command = match word {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "setoption" => match set_option(words) {
                Ok(command) => command,
                Err(message) => {
                    notes.push(message);
                    break;
                }
            },
            "position" => Command::Position(position(words, notes)),
            "go" => Command::Go(go(words, notes)),
            "bench" => match words.next().map(str::parse).transpose() {
                Ok(depth) => Command::Bench { depth },
                Err(_) => {
                    notes.push("error: bench: say `bench` or `bench DEPTH`".to_owned());
                    break;
                }
            },
            "debug" | "register" => break,
            other => {
                notes.push(format!("error: unknown command `{}`", shown(other)));
                continue;
            }
        };
        return Some(command);
    }
    None
}

/// The beginning of a word, for a message.
fn shown(word: &str) -> String {
    word.chars().take(40).collect()
}

fn set_option(words: &mut Words<'_>) -> Result<Command, String> {
    let words: Vec<&str> = words.skip_while(|word| *word != "name").skip(1).collect();
    let end = words.iter().position(|word| *word == "value");
    let (name, value) = words.split_at(end.unwrap_or(words.len()));
    if name.is_empty() {
        return Err("error: setoption: say `setoption name NAME value VALUE`".to_owned());
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).unwrap_or_default().join(" "),
    })
}

fn position(words: &mut Words<'_>, notes: &mut Vec<String>) -> Result<Setup, String> {
    let words: Vec<&str> = words.collect();
    let kind = words.iter().position(|word| matches!(*word, "startpos" | "fen"));
    let Some(kind) = kind else {
        return Err("error: position: say `position startpos` or `position fen FEN`, then `moves ...`".to_owned());
    };
    let rest = &words[kind + 1..];
    let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
    // A FEN has six fields.
    let fields = if words[kind] == "fen" { end.min(6) } else { 0 };
    for unknown in words[..kind].iter().chain(&rest[fields..end]) {
        notes.push(format!("error: position: unknown word `{}`", shown(unknown)));
    }
    Ok(Setup {
        fen: (words[kind] == "fen").then(|| rest[..fields].join(" ")),
        moves: rest.iter().skip(end + 1).map(|mv| (*mv).to_owned()).collect(),
    })
}

/// Reads the limits of a `go`. A limit without its number is skipped. If no other limit is left, the search has depth 1,
/// because the sender of a limited search waits for its answer.
fn go(words: &mut Words<'_>, notes: &mut Vec<String>) -> Go {
    let mut go = Go::default();
    let mut skipped_limit = false;
    while let Some(word) = words.next() {
        match word {
            "searchmoves" => {
                while let Some(text) = words.next_if(|text| is_move(text)) {
                    go.search_moves.push(text.to_owned());
                }
            }
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "nodes" | "depth" | "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" | "mate" => {
                let Some(number) = words.peek().and_then(|text| whole_number(text)) else {
                    notes.push(format!("error: go: `{word}` needs a whole number"));
                    skipped_limit = true;
                    continue;
                };
                words.next();
                go.set(word, number);
            }
            other => notes.push(format!("error: go: unknown word `{}`", shown(other))),
        }
    }
    if skipped_limit && !go.is_limited() {
        go.depth = Some(1);
    }
    go
}

impl Go {
    /// Sets a limit. A number outside its range becomes the nearest end of the range. Some interfaces send negative
    /// times after a flag has fallen; these count as 0.
    fn set(&mut self, limit: &str, number: i64) {
        let number = number.max(0) as u64;
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        // The longest time is a thousand years, so that later arithmetic cannot overflow.
        let time = Duration::from_millis(number.min(1000 * 365 * 24 * 3600 * 1000));
        match limit {
            "nodes" => self.nodes = Some(number),
            "depth" => self.depth = Some(small),
            "movetime" => self.move_time = Some(time),
            "wtime" => self.time[0] = Some(time),
            "btime" => self.time[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            "movestogo" => self.moves_to_go = Some(small),
            "mate" => self.mate = Some(small),
            _ => {}
        }
    }
}

/// Whether a word has the form of a move, legal or not.
fn is_move(word: &str) -> bool {
    let is_square = |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *word.as_bytes() {
        [a, b, c, d] => is_square(a, b) && is_square(c, d),
        [a, b, c, d, promotion] => is_square(a, b) && is_square(c, d) && promotion.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        let (command, notes) = parse(line);
        assert_eq!(notes, [""; 0], "{line}");
        command.unwrap()
    }

    /// The command of a line, and how many notes say what was wrong.
    fn noted(line: &str) -> (Option<Command>, usize) {
        let (command, notes) = parse(line);
        assert!(notes.iter().all(|note| note.starts_with("error: ")), "{notes:?}");
        (command, notes.len())
    }

    #[test]
    fn options_may_have_spaces() {
        let option = |name: &str, value: &str| Command::SetOption {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        assert_eq!(
            parsed("setoption name Some Name value a b c"),
            option("Some Name", "a b c")
        );
        assert_eq!(parsed("setoption name Button"), option("Button", ""));
        assert_eq!(parsed("setoption name Hash value"), option("Hash", ""));
        assert_eq!(parsed("setoption foo name Hash value 4"), option("Hash", "4"));
        for broken in [
            "setoption",
            "setoption name",
            "setoption name value",
            "setoption Hash 4",
        ] {
            assert_eq!(noted(broken), (None, 1), "{broken}");
        }
    }

    #[test]
    fn positions() {
        let setup = |fen: Option<&str>, moves: &[&str]| {
            Some(Command::Position(Ok(Setup {
                fen: fen.map(str::to_owned),
                moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
            })))
        };
        let fen = "8/8/8/8/8/8/8/8 w - - 0 1";
        for (line, command, notes) in [
            ("position startpos moves e2e4 e7e5", setup(None, &["e2e4", "e7e5"]), 0),
            ("position startpos moves", setup(None, &[]), 0),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", setup(Some(fen), &[]), 0),
            ("position foo startpos bar moves e2e4", setup(None, &["e2e4"]), 2),
            ("position startpos e2e4", setup(None, &[]), 1),
            (
                "position fen 8/8/8/8/8/8/8/8 w - - 0 1 foo moves e2e4",
                setup(Some(fen), &["e2e4"]),
                1,
            ),
            ("position fen moves e2e4", setup(Some(""), &["e2e4"]), 0),
        ] {
            assert_eq!(noted(line), (command, notes), "{line}");
        }
        for line in ["position", "position moves e2e4", "position 8/8/8/8/8/8/8/8 w - -"] {
            assert!(matches!(parsed(line), Command::Position(Err(_))), "{line}");
        }
    }

    #[test]
    fn limits_of_the_side_to_move() {
        let Command::Go(go) = parsed("go wtime 1000 btime -5 winc 10 binc 20 movestogo 3") else {
            panic!("not go");
        };
        let white = go.limits(Color::White).clock.unwrap();
        let black = go.limits(Color::Black).clock.unwrap();
        assert_eq!(white.remaining, Duration::from_secs(1));
        assert_eq!(black.remaining, Duration::ZERO);
        assert_eq!(black.increment, Duration::from_millis(20));
        assert_eq!(white.moves_to_go, Some(3));
        assert!(!go.is_infinite());
        for endless in ["go", "go infinite", "go infinite depth 3", "go ponder wtime 1 btime 1"] {
            assert!(
                matches!(parsed(endless), Command::Go(go) if go.is_infinite()),
                "{endless}"
            );
        }
    }

    #[test]
    fn a_go_is_read_whatever_else_stands_in_it() {
        for (line, same, notes) in [
            ("go foo depth 3 bar", "go depth 3", 2),
            ("go depth 3 4", "go depth 3", 1),
            ("go depth x", "go depth 1", 2),
            ("go nodes", "go depth 1", 1),
            ("go nodes depth 3", "go depth 3", 1),
            ("go wtime btime 100", "go btime 100", 1),
            ("go depth x infinite", "go depth 1 infinite", 2),
            ("go winc", "go depth 1", 1),
            ("go depth -1", "go depth 0", 0),
            ("go movetime -5", "go movetime 0", 0),
            ("go depth 99999999999999999999999", "go depth 4294967295", 0),
            ("go nodes 99999999999999999999999", "go nodes 9223372036854775807", 0),
            ("go wtime 99999999999999999999999", "go wtime 31536000000000", 0),
            (
                "go searchmoves e2e4 a7a8q depth 3",
                "go depth 3 searchmoves e2e4 a7a8q",
                0,
            ),
            ("go searchmoves e2e4 xyz depth 3", "go depth 3 searchmoves e2e4", 1),
            ("go foo", "go", 1),
        ] {
            assert_eq!(noted(line), (Some(parsed(same)), notes), "{line}");
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(noted("joho debug on"), (None, 1));
        assert_eq!(noted("joho isready"), (Some(Command::IsReady), 1));
        assert_eq!(noted("xyzzy 1 2"), (None, 3));
        assert_eq!(noted(&"x ".repeat(1_000)), (None, MOST_NOTES));
        assert_eq!(noted("bench x"), (None, 1));
        for nothing in ["", "debug on", "register later"] {
            assert_eq!(noted(nothing), (None, 0));
        }
    }
}
