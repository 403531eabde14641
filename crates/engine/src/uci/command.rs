//! The commands of UCI, parsed.

use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

use cozy_chess::Color;
use lmrlab_engine::limits::{Clock, Limits};

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
    /// `fen` is `None` for the initial position.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    Quit,
    Bench {
        depth: Option<u32>,
    },
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
}

impl Go {
    pub(super) fn limits(&self, side: Color) -> Limits {
        if self.infinite {
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

    /// Whether only `stop` ends the search.
    pub(super) fn is_infinite(&self) -> bool {
        let limited = self.nodes.is_some()
            || self.depth.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
            || self.time.iter().any(Option::is_some);
        self.infinite || !limited
    }
}

/// Parses a line. `None` for an empty line or a command that this engine ignores.
pub(super) fn parse(line: &str) -> Result<Option<Command>, String> {
    let mut words = line.split_ascii_whitespace();
    let Some(word) = words.next() else {
        return Ok(None);
    };
    Ok(Some(match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        "setoption" => set_option(words)?,
        "position" => position(words)?,
        "go" => Command::Go(go(words)?),
        "bench" => Command::Bench {
            depth: match words.next() {
                None => None,
                Some(word) => Some(number("bench", word)?),
            },
        },
        "debug" | "register" | "ponderhit" => return Ok(None),
        other => {
            let shown: String = other.chars().take(40).collect();
            return Err(format!("error: unknown command `{shown}`"));
        }
    }))
}

fn set_option(words: SplitAsciiWhitespace<'_>) -> Result<Command, String> {
    let words: Vec<&str> = words.collect();
    let usage = "error: setoption: say `setoption name NAME value VALUE`";
    if words.first() != Some(&"name") {
        return Err(usage.to_owned());
    }
    let split = words.iter().position(|word| *word == "value");
    let (name, value) = words[1..].split_at(split.map_or(words.len() - 1, |at| at - 1));
    if name.is_empty() {
        return Err(usage.to_owned());
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).unwrap_or_default().join(" "),
    })
}

fn position(mut words: SplitAsciiWhitespace<'_>) -> Result<Command, String> {
    let usage = "error: position: say `position startpos` or `position fen FEN`, then `moves ...`";
    let (fen, rest): (Option<String>, Vec<&str>) = match words.next() {
        Some("startpos") => (None, words.collect()),
        Some("fen") => {
            let words: Vec<&str> = words.collect();
            let end = words.iter().position(|word| *word == "moves");
            let (fen, rest) = words.split_at(end.unwrap_or(words.len()));
            (Some(fen.join(" ")), rest.to_vec())
        }
        _ => return Err(usage.to_owned()),
    };
    let moves = match rest.split_first() {
        None => Vec::new(),
        Some((&"moves", moves)) => moves.iter().map(|mv| (*mv).to_owned()).collect(),
        Some(_) => return Err(usage.to_owned()),
    };
    Ok(Command::Position { fen, moves })
}

fn go(mut words: SplitAsciiWhitespace<'_>) -> Result<Go, String> {
    let mut go = Go::default();
    let mut pushed_back = None;
    while let Some(word) = pushed_back.take().or_else(|| words.next()) {
        if word == "searchmoves" {
            for text in words.by_ref() {
                if !text.starts_with(|c| ('a'..='h').contains(&c)) || text.len() < 4 || text.len() > 5 {
                    pushed_back = Some(text);
                    break;
                }
                go.search_moves.push(text.to_owned());
            }
            continue;
        }
        let mut value = || {
            words
                .next()
                .ok_or_else(|| format!("error: go: `{word}` needs a number"))
        };
        match word {
            "nodes" => go.nodes = Some(number(word, value()?)?),
            "depth" => go.depth = Some(number(word, value()?)?),
            "movetime" => go.move_time = Some(milliseconds(word, value()?)?),
            "wtime" => go.time[0] = Some(milliseconds(word, value()?)?),
            "btime" => go.time[1] = Some(milliseconds(word, value()?)?),
            "winc" => go.increment[0] = milliseconds(word, value()?)?,
            "binc" => go.increment[1] = milliseconds(word, value()?)?,
            "movestogo" => go.moves_to_go = Some(number(word, value()?)?),
            "mate" => go.mate = Some(number(word, value()?)?),
            "infinite" => go.infinite = true,
            other => {
                return Err(format!(
                    "error: go: `{other}` is not a limit that this engine knows: nodes, depth, movetime, wtime, btime, winc, binc, movestogo, mate, searchmoves, infinite"
                ));
            }
        }
    }
    Ok(go)
}

fn number<T: FromStr>(what: &str, word: &str) -> Result<T, String> {
    word.parse()
        .map_err(|_| format!("error: {what}: `{word}` is not a number in its range"))
}

/// Milliseconds; negative times, which some interfaces send after a flag has fallen, count as 0.
fn milliseconds(what: &str, word: &str) -> Result<Duration, String> {
    let value: i64 = number(what, word)?;
    // A thousand years are as good as any longer time, and cannot overflow in later arithmetic.
    let longest = 1000 * 365 * 24 * 3600 * 1000;
    Ok(Duration::from_millis(value.clamp(0, longest) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    #[test]
    fn options_may_have_spaces() {
        assert_eq!(
            parsed("setoption name Some Name value a b c"),
            Command::SetOption {
                name: "Some Name".to_owned(),
                value: "a b c".to_owned()
            }
        );
        assert_eq!(
            parsed("setoption name Button"),
            Command::SetOption {
                name: "Button".to_owned(),
                value: String::new()
            }
        );
        assert!(parse("setoption").is_err());
        assert!(parse("setoption name").is_err());
        assert!(parse("setoption name value").is_err());
    }

    #[test]
    fn positions() {
        assert_eq!(
            parsed("position startpos moves e2e4 e7e5"),
            Command::Position {
                fen: None,
                moves: vec!["e2e4".to_owned(), "e7e5".to_owned()]
            }
        );
        assert_eq!(
            parsed("position fen 8/8/8/8/8/8/8/8 w - - 0 1"),
            Command::Position {
                fen: Some("8/8/8/8/8/8/8/8 w - - 0 1".to_owned()),
                moves: Vec::new()
            }
        );
        assert!(parse("position").is_err());
        assert!(parse("position startpos e2e4").is_err());
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
        assert!(matches!(parsed("go"), Command::Go(go) if go.is_infinite()));
        assert!(matches!(parsed("go infinite"), Command::Go(go) if go.is_infinite()));
    }

    #[test]
    fn nonsense_is_answered_and_never_panics() {
        for line in [
            "go depth",
            "go depth x",
            "go nodes -1",
            "go wtime 99999999999999999999999",
            "go ponder",
            "xyzzy",
            "bench x",
        ] {
            assert!(parse(line).unwrap_err().starts_with("error:"), "{line}");
        }
        assert_eq!(parse(""), Ok(None));
        assert_eq!(parse("ponderhit"), Ok(None));
    }
}
