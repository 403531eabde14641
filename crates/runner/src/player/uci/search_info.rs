//! Score, depth and nodes from an engine's `info` lines.

use super::uci_line::number;
use lmrlab_results::written_score::WrittenScore;

/// What an engine has reported about a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchInfo {
    /// The score, from the engine's side.
    pub score: WrittenScore,
    /// The depth of the score, in plies.
    pub depth: u32,
    /// The greatest count of nodes.
    pub nodes: u64,
    /// Whether the score is exact, not a bound.
    pub exact: bool,
}

impl SearchInfo {
    /// No report yet.
    pub const EMPTY: Self = Self {
        score: WrittenScore::Unknown,
        depth: 0,
        nodes: 0,
        exact: false,
    };

    /// Reads a line that begins with `info`. The last exact score counts; before the first exact one, the last bound.
    /// With several variations, only the first counts. Of the node counts, the greatest counts.
    pub fn update(&mut self, line: &[u8]) {
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
                    // No search has more, and their sum over a game is a number, too.
                    self.nodes = self.nodes.max(nodes).min(1 << 50);
                }
                b"multipv" => first = number(words.next()).is_none_or(|which: u64| which == 1),
                b"score" => {
                    let unit = words.next();
                    let value = number::<i32>(words.next());
                    score = value.and_then(|value| match unit {
                        // No engine means more centipawns than this.
                        Some(b"cp") => Some(WrittenScore::Centipawns(value.clamp(-1_000_000, 1_000_000))),
                        Some(b"mate") => Some(WrittenScore::Mate(value.clamp(-10_000, 10_000))),
                        _ => None,
                    });
                }
                b"lowerbound" | b"upperbound" => exact = false,
                // Moves or free text follow.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> (String, u32, u64) {
        let mut info = SearchInfo::EMPTY;
        for line in lines {
            info.update(line.as_bytes());
        }
        (info.score.to_string(), info.depth, info.nodes)
    }

    #[test]
    fn the_last_exact_score_counts() {
        assert_eq!(read(&[]), ("-".to_owned(), 0, 0));
        assert_eq!(
            read(&[
                "info depth 3 seldepth 4 score cp 31 nodes 100 pv e2e4 score cp 5",
                "info depth 4 score cp 90 lowerbound nodes 150",
                "info nodes 200 nps 5",
                "info string score cp 4",
                "info depth 4 multipv 2 score cp 1 nodes 210",
            ]),
            ("31".to_owned(), 3, 210)
        );
        assert_eq!(read(&["info depth 2 score cp 7 upperbound"]), ("7".to_owned(), 2, 0));
        assert_eq!(read(&["info depth 9 score mate -2 nodes 5"]), ("#-2".to_owned(), 9, 5));
        let most = format!("info nodes {}", u64::MAX);
        assert_eq!(read(&[&most]).2, 1 << 50);
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
            assert_eq!(read(&[line]), ("-".to_owned(), 0, 0), "{line}");
        }
    }
}
