//! What an engine says, as far as a runner needs to understand it.

use super::super::WrittenScore;

/// What an engine told about a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) score: WrittenScore,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    /// Whether the score is an exact one, not a bound.
    exact: bool,
}

impl Told {
    /// Nothing yet.
    pub(super) const NOTHING: Self = Self {
        score: WrittenScore::Untold,
        depth: 0,
        nodes: 0,
        exact: false,
    };

    /// Takes in one line that begins with `info`. The last exact score counts, and before there is one the last bound;
    /// of several variations the first. The greatest number of nodes counts.
    pub(super) fn hear(&mut self, line: &[u8]) {
        let mut words = line
            .split(|byte| *byte == b' ' || *byte == b'\t')
            .filter(|word| !word.is_empty())
            .skip(1);
        let mut depth = None;
        let mut score = None;
        let mut exact = true;
        let mut first = true;
        while let Some(word) = words.next() {
            match word {
                b"depth" => depth = number(words.next()),
                b"nodes" => {
                    let nodes = number(words.next()).unwrap_or(0);
                    self.nodes = self.nodes.max(nodes);
                }
                b"multipv" => first = number(words.next()).is_none_or(|which: u64| which == 1),
                b"score" => {
                    let unit = words.next();
                    let value = number::<i32>(words.next());
                    score = value.and_then(|value| match unit {
                        // Beyond this an evaluation is no number of centipawns that anyone could mean.
                        Some(b"cp") => {
                            Some(WrittenScore::Centipawns(value.clamp(-1_000_000, 1_000_000)))
                        }
                        Some(b"mate") => Some(WrittenScore::Mate(value.clamp(-10_000, 10_000))),
                        _ => None,
                    });
                }
                b"lowerbound" | b"upperbound" => exact = false,
                // What follows is moves, or words for people.
                b"pv" | b"string" => break,
                _ => {}
            }
        }
        if let Some(score) = score
            && first
            && (exact || !self.exact)
        {
            self.score = score;
            self.exact = exact;
            self.depth = depth.unwrap_or(self.depth);
        }
    }
}

fn number<N: std::str::FromStr>(word: Option<&[u8]>) -> Option<N> {
    std::str::from_utf8(word?).ok()?.parse().ok()
}

/// What follows `word` in a line that begins with it.
pub(super) fn after<'l>(line: &'l [u8], word: &str) -> Option<&'l [u8]> {
    let rest = line.strip_prefix(word.as_bytes())?;
    match rest.first() {
        None => Some(rest),
        Some(b' ' | b'\t') => Some(rest.trim_ascii_start()),
        Some(_) => None,
    }
}

/// The name and the type of an `option` line: `option name Clear Hash type button`.
pub(super) fn option_line(line: &[u8]) -> Option<(String, String)> {
    let text = String::from_utf8_lossy(after(line, "option")?);
    let rest = text.trim_start().strip_prefix("name ")?;
    let (name, kind) = rest.split_once(" type ")?;
    let kind = kind.split_ascii_whitespace().next().unwrap_or_default();
    Some((name.trim().to_owned(), kind.to_owned()))
}

/// An option as an engine declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// Its type: `spin`, `check`, `combo`, `button` or `string`.
    pub kind: String,
    /// Of a spin: its value, its least and its greatest one.
    pub spin: Option<[i64; 3]>,
}

impl DeclaredOption {
    /// Reads an `option` line.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let (name, kind) = option_line(line)?;
        let text = String::from_utf8_lossy(line);
        let (_, rest) = text.split_once(" type ")?;
        let value = |key: &str| {
            let mut words = rest.split_ascii_whitespace();
            words.find(|word| *word == key)?;
            words.next()?.parse().ok()
        };
        let spin = (kind == "spin")
            .then(|| Some([value("default")?, value("min")?, value("max")?]))
            .flatten();
        Some(Self { name, kind, spin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> (String, u32, u64) {
        let mut told = Told::NOTHING;
        for line in lines {
            told.hear(line.as_bytes());
        }
        (told.score.to_string(), told.depth, told.nodes)
    }

    #[test]
    fn options_have_bounds() {
        let option =
            DeclaredOption::read(b"option name Lmr Base type spin default 77 min -5 max 200");
        let option = option.expect("an option");
        assert_eq!(option.name, "Lmr Base");
        assert_eq!(option.spin, Some([77, -5, 200]));
        let clear = DeclaredOption::read(b"option name Clear Hash type button").expect("an option");
        assert_eq!(clear.spin, None);
        assert_eq!(DeclaredOption::read(b"id name something"), None);
    }

    #[test]
    fn the_last_exact_score_counts() {
        assert_eq!(told(&[]), ("-".to_owned(), 0, 0));
        assert_eq!(
            told(&[
                "info depth 3 seldepth 4 score cp 31 nodes 100 pv e2e4 score cp 5",
                "info depth 4 score cp 90 lowerbound nodes 150",
                "info nodes 200 nps 5",
                "info string score cp 4",
                "info depth 4 multipv 2 score cp 1 nodes 210",
            ]),
            ("31".to_owned(), 3, 210)
        );
        assert_eq!(
            told(&["info depth 2 score cp 7 upperbound"]),
            ("7".to_owned(), 2, 0)
        );
        assert_eq!(
            told(&["info depth 9 score mate -2 nodes 5"]),
            ("#-2".to_owned(), 9, 5)
        );
    }

    #[test]
    fn nonsense_is_no_information() {
        for line in [
            "info",
            "info score",
            "info score cp",
            "info score cp x",
            "info depth -3 score cp 99999999999",
            "info nodes",
        ] {
            assert_eq!(told(&[line]), ("-".to_owned(), 0, 0), "{line}");
        }
    }

    #[test]
    fn options() {
        let option = |line: &str| option_line(line.as_bytes());
        assert_eq!(
            option("option name Clear Hash type button"),
            Some(("Clear Hash".to_owned(), "button".to_owned()))
        );
        assert_eq!(
            option("option name Hash type spin default 16 min 1 max 33554432"),
            Some(("Hash".to_owned(), "spin".to_owned()))
        );
        assert_eq!(option("options name x type spin"), None);
        assert_eq!(option("option type spin"), None);
    }
}
