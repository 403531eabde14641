//! The file of reports: tests of ideas that authors of engines published, a line each.

use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_stats::{Estimate, Pentanomial, Trinomial};
use serde::Deserialize;

use super::lines::lines;

/// The file of the reports, in the folder of the ideas.
pub const REPORTS_FILE: &str = "reports.csv";

/// The most by which Elo as reported may differ from that of the counts.
const MOST_DIFFERENCE: f64 = 0.5;

/// The most Elo of a bound, and the least width of a test.
const BOUNDS: (f64, f64) = (100.0, 0.01);

/// What a patch did to the idea, and whether a gain of the patch is one of the idea or a loss. A change of the form says nothing about
/// the idea.
const KINDS: [(&str, Option<f64>); 4] = [
    ("add", Some(1.0)),
    ("remove", Some(-1.0)),
    ("opposite", Some(-1.0)),
    ("form", None),
];

/// The results that were counted.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum Counts {
    /// Pairs of games.
    Pairs(Pentanomial),
    /// Single games.
    Games(Trinomial),
}

impl Counts {
    fn games(&self) -> u64 {
        match self {
            Self::Pairs(pairs) => pairs.games(),
            Self::Games(games) => games.games(),
        }
    }

    /// The estimate from these counts.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Pairs(pairs) => Estimate::of(pairs),
            Self::Games(games) => Estimate::of(games),
        }
    }
}

impl TryFrom<String> for Counts {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let read = || match text.strip_prefix("W/L/D") {
            Some(games) => {
                let list = format!("[{}]", games.replace('/', ","));
                let [wins, losses, draws] = serde_json::from_str(&list).ok()?;
                Some(Self::Games(Trinomial::new([losses, draws, wins])))
            }
            None => Some(Self::Pairs(Pentanomial::new(serde_json::from_str(&text).ok()?))),
        };
        read().filter(|counts| (1..=1 << 40).contains(&counts.games())).ok_or_else(|| {
            format!("`{text}` is neither pairs by their score, as in `[a, b, c, d, e]`, nor games as `W/L/D wins/losses/draws`")
        })
    }
}

/// The hypotheses of a sequential test, in Elo, the lower one first.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Bounds(pub [f64; 2]);

impl TryFrom<String> for Bounds {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (most, least_width) = BOUNDS;
        let bounds: Option<[f64; 2]> = serde_json::from_str(&text).ok();
        let bounds = bounds.filter(|[low, high]| low.abs().max(high.abs()) <= most && high - low >= least_width);
        bounds
            .map(Self)
            .ok_or_else(|| format!("`{text}` is not two hypotheses in Elo, the lower one first, as in `[0,5]`"))
    }
}

/// A line of the file: the test of a patch against its base.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Report {
    /// The name of the idea.
    pub idea: String,
    /// What the patch did to the idea: `add`; `remove` takes it out, `opposite` does the reverse, and `form` changes a term that is there.
    pub kind: String,
    /// The engine.
    pub engine: String,
    /// When it was.
    pub year: Option<u16>,
    stage: String,
    tc: String,
    /// Elo of the patch, as reported.
    pub elo: Option<f64>,
    /// Half the width of its 95% interval.
    pub elo_error_95: Option<f64>,
    /// Games of the test.
    pub games: Option<u64>,
    /// The results, where they were reported.
    pub counts: Option<Counts>,
    /// The hypotheses of the test, where it was a sequential one.
    pub bounds: Option<Bounds>,
    /// How the test ended: `passed`, `failed`, or another word.
    pub outcome: String,
    /// The link to the report.
    pub url: String,
}

impl Report {
    /// The stage of the test, and its time control.
    pub fn time_control(&self) -> String {
        format!("{} {}", self.stage, self.tc).trim().to_owned()
    }

    /// 1 when a gain of the patch is one of the idea, -1 when it is a loss; `None` when it says nothing about the idea.
    pub fn sign(&self) -> Option<f64> {
        KINDS
            .iter()
            .find_map(|(kind, sign)| (*kind == self.kind).then_some(*sign))?
    }

    /// What is wrong with it.
    fn mistakes(&self) -> Vec<&'static str> {
        let counted = self.counts.map(|counts| counts.games());
        let by_counts = self.counts.and_then(|counts| Some(counts.estimate()?.elo.0));
        let differs = |elo: f64| by_counts.is_some_and(|counted| (elo - counted).abs() > MOST_DIFFERENCE);
        let has_link = self.url.starts_with("https://") || self.url.starts_with("http://");
        let has_result = self.counts.is_some() || self.elo.and(self.elo_error_95).is_some();
        let mistakes = [
            (
                KINDS.iter().all(|(kind, _)| *kind != self.kind),
                "`kind` is `add`, `remove`, `opposite` or `form`",
            ),
            (
                !has_link,
                "a report without a link cannot be checked: `url` is its https address",
            ),
            (
                self.elo_error_95.is_some_and(|error| error <= 0.0),
                "`elo_error_95` is half the width of the 95% interval in Elo, above 0",
            ),
            (
                !has_result,
                "there is no result: neither `counts`, nor `elo` with `elo_error_95`",
            ),
            (
                self.games.zip(counted).is_some_and(|(games, counted)| games != counted),
                "`games` is not the number of games in `counts`: one of them is mistyped",
            ),
            (
                self.elo.is_some_and(differs),
                "`elo` is not that of `counts`: both are of the patch against its base",
            ),
        ];
        let mistakes = mistakes.into_iter().filter(|(is_made, _)| *is_made);
        mistakes.map(|(_, what)| what).collect()
    }
}

/// Reads the text of the file.
///
/// # Errors
/// All mistakes of all lines.
pub(super) fn parse_reports(source: &Source) -> Result<Vec<Report>, Diagnostics> {
    lines(source, Report::mistakes)
}
