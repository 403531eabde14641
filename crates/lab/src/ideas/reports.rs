//! The file of reports: tests of ideas that authors of engines published, a line each.

use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_stats::{Estimate, Pentanomial, Trinomial};
use serde::Deserialize;

use super::lines::lines;

/// The file of the reports, in the folder of the ideas.
pub const REPORTS_FILE: &str = "reports.csv";

/// The most by which Elo as reported may differ from that of the counts.
const MOST_DIFFERENCE: f64 = 0.5;

/// The most Elo that a report may have.
const MOST_ELO: f64 = 1_000.0;

/// The most Elo of a bound, and the least width of a test.
const BOUNDS: (f64, f64) = (100.0, 0.01);

/// What a patch did to the idea.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatchKind {
    /// It adds the idea.
    Add,
    /// It takes the idea out.
    Remove,
    /// It does the reverse.
    Opposite,
    /// It changes a term that is there: no test of the idea.
    Form,
}

impl PatchKind {
    /// Its word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Opposite => "opposite",
            Self::Form => "form",
        }
    }

    /// 1 when a gain of the patch is one of the idea, -1 when it is a loss; `None` when it says nothing about the idea.
    pub fn sign(self) -> Option<f64> {
        match self {
            Self::Add => Some(1.0),
            Self::Remove | Self::Opposite => Some(-1.0),
            Self::Form => None,
        }
    }
}

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
        let numbers = |list: &str, separator: char| -> Option<Vec<u64>> {
            list.split(separator).map(|number| number.trim().parse().ok()).collect()
        };
        let read = || match text.strip_prefix("W/L/D") {
            Some(games) => {
                let [wins, losses, draws] = numbers(games, '/')?.try_into().ok()?;
                Some(Self::Games(Trinomial::new([losses, draws, wins])))
            }
            None => {
                let list = text.strip_prefix('[')?.strip_suffix(']')?;
                Some(Self::Pairs(Pentanomial::new(numbers(list, ',')?.try_into().ok()?)))
            }
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
        let read = || {
            let (low, high) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
            let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            let is_right = low.abs().max(high.abs()) <= most && high - low >= least_width;
            is_right.then_some(Self([low, high]))
        };
        read().ok_or_else(|| format!("`{text}` is not two hypotheses in Elo, the lower one first, as in `[0,5]`"))
    }
}

/// A line of the file: the test of a patch against its base.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Report {
    /// The name of the idea.
    pub idea: String,
    /// What the patch did to the idea.
    pub kind: PatchKind,
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

    /// What is wrong with it.
    fn mistakes(&self) -> Vec<String> {
        let is_elo = |elo: f64| elo.abs() <= MOST_ELO;
        let counted = self.counts.map(|counts| counts.games());
        let by_counts = self.counts.and_then(|counts| Some(counts.estimate()?.elo.0));
        let differs = |elo: f64| by_counts.is_some_and(|counted| (elo - counted).abs() > MOST_DIFFERENCE);
        let has_link = self.url.starts_with("https://") || self.url.starts_with("http://");
        let has_result = self.counts.is_some() || self.elo.and(self.elo_error_95).is_some();
        let mistakes = [
            (self.idea.is_empty(), "no idea is named"),
            (self.engine.is_empty(), "no engine is named"),
            (
                self.year.is_some_and(|year| !(1970..=2100).contains(&year)),
                "`year` has four digits, or nothing",
            ),
            (
                !has_link,
                "a report without a link cannot be checked: `url` is its https address",
            ),
            (!self.elo.is_none_or(is_elo), "`elo` is a number of Elo, such as 3.2"),
            (
                !(self.elo_error_95).is_none_or(|error| error > 0.0 && is_elo(error)),
                "`elo_error_95` is half the width of the 95% interval in Elo, above 0",
            ),
            (self.games == Some(0), "`games` is a number of games, above 0"),
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
        mistakes.map(|(_, what)| what.to_owned()).collect()
    }
}

/// Reads the text of the file.
///
/// # Errors
/// All mistakes of all lines.
pub(super) fn parse_reports(source: &Source) -> Result<Vec<Report>, Diagnostics> {
    lines(source, Report::mistakes)
}
