//! The file of reports: tests of ideas that authors of engines published, a line each.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source, nearest};
use lmrlab_stats::{Elo, Estimate, Pentanomial, Trinomial};

/// The file of the reports, in the folder of the ideas.
pub const REPORTS_FILE: &str = "reports.csv";

/// The columns of the file, in this order.
pub const COLUMNS: [&str; 13] = [
    "idea",
    "kind",
    "engine",
    "year",
    "stage",
    "tc",
    "elo",
    "elo_error_95",
    "games",
    "counts",
    "bounds",
    "outcome",
    "url",
];

/// The Elo of a report and that of its counts differ by no more than this.
const MOST_DIFFERENCE: f64 = 0.5;

/// A report with more Elo is refused.
const MOST_ELO: f64 = 1_000.0;

/// What a patch did to an idea.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It added the idea.
    Add,
    /// It removed the idea.
    Remove,
    /// It added the opposite of the idea.
    Opposite,
    /// It changed the strength or the shape of a term that was there already. This does not test the idea.
    Form,
}

const KINDS: [(&str, Kind); 4] = [
    ("add", Kind::Add),
    ("remove", Kind::Remove),
    ("opposite", Kind::Opposite),
    ("form", Kind::Form),
];

impl Kind {
    /// Its word in the file.
    pub fn word(self) -> &'static str {
        KINDS
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(word, _)| word)
    }

    /// The sign with which the result of the patch counts for the idea: 1 or -1. `None` when it does not test the idea.
    pub fn sign(self) -> Option<f64> {
        match self {
            Self::Add => Some(1.0),
            Self::Remove | Self::Opposite => Some(-1.0),
            Self::Form => None,
        }
    }
}

/// The games of a report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Counts {
    /// Pairs by their score.
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

    /// The estimate from the counts alone.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Pairs(pairs) => Estimate::of(pairs),
            Self::Games(games) => Estimate::of(games),
        }
    }
}

/// How a sequential test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It ended otherwise, or the report does not say how.
    Other,
}

/// A test that was published.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The name of the idea.
    pub idea: String,
    /// What the patch did.
    pub kind: Kind,
    /// The engine that was patched.
    pub engine: String,
    /// The Elo of the patch against its base, as reported, with half the width of its 95% interval.
    pub elo: Option<[f64; 2]>,
    /// Games that were played.
    pub games: Option<u64>,
    /// Their results, from the side of the patch.
    pub counts: Option<Counts>,
    /// The hypotheses of the sequential test, in Elo.
    pub bounds: Option<[f64; 2]>,
    /// How it ended.
    pub outcome: Outcome,
    /// The year; may be empty.
    pub year: String,
    /// At which time control: a word, and seconds where they were given.
    pub time_control: String,
    /// Where it is published.
    pub url: String,
}

/// Reads the file.
///
/// # Errors
/// When it cannot be read, its first line is not that of [`COLUMNS`], or a line is wrong; all mistakes, each with its line.
pub fn read_reports(files: &Files, path: &std::path::Path, name: &str) -> Result<Vec<Report>, Diagnostics> {
    parse_reports(&Source::read_from(files, path, name)?)
}

/// Reads the text of the file.
///
/// # Errors
/// As [`read_reports`].
pub fn parse_reports(source: &Source) -> Result<Vec<Report>, Diagnostics> {
    let mut wrong = Vec::new();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(source.text.as_bytes());
    let mut has_header = false;
    let mut reports = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                wrong.push(Diagnostic::error(format!("this is not a CSV file: {error}")));
                break;
            }
        };
        let start = record.position().map_or(0, |position| position.byte() as usize);
        let line = Line {
            text: &source.text,
            span: line_at(&source.text, start),
            wrong: &mut wrong,
        };
        let names = record.iter().map(|name| name.trim_start_matches('\u{feff}').trim());
        if !std::mem::replace(&mut has_header, true) {
            if !names.eq(COLUMNS) {
                let span = line.span.clone();
                wrong.push(
                    Diagnostic::error("the first line does not name the columns of a file of reports")
                        .at(span, "")
                        .help(format!("the columns are: {}", COLUMNS.join(", "))),
                );
                break;
            }
            continue;
        }
        let cells: Vec<&str> = record.iter().map(str::trim).collect();
        if let Ok(cells) = <[&str; COLUMNS.len()]>::try_from(cells) {
            reports.extend(line.report(cells));
        } else {
            let error = format!(
                "this line has {} cells, and there are {} columns",
                record.len(),
                COLUMNS.len()
            );
            let span = line.span.clone();
            wrong.push(
                Diagnostic::error(error)
                    .at(span, "")
                    .help("put cells with commas in them in double quotes"),
            );
        }
    }
    if !has_header && wrong.is_empty() {
        wrong.push(Diagnostic::error("the file is empty").help(format!("its first line is {}", COLUMNS.join(","))));
    }
    if wrong.is_empty() {
        Ok(reports)
    } else {
        Err(Diagnostics::new(source.clone(), wrong))
    }
}

/// The line that begins at a byte. Line breaks at this byte are skipped.
fn line_at(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let start = start + (rest.len() - rest.trim_start_matches(['\r', '\n']).len());
    let length = text.get(start..).and_then(|rest| rest.find(['\r', '\n']));
    start..length.map_or(text.len(), |length| start + length)
}

/// A line that is read.
struct Line<'l> {
    text: &'l str,
    span: Range<usize>,
    wrong: &'l mut Vec<Diagnostic>,
}

impl Line<'_> {
    /// Reports a mistake in a cell, and points at the cell where it can be found.
    fn refuse(&mut self, cell: &str, message: impl Into<String>, label: &str, help: impl Into<String>) {
        let line = self.text.get(self.span.clone()).unwrap_or_default();
        let span = match line.find(cell).filter(|_| !cell.is_empty()) {
            Some(start) => self.span.start + start..self.span.start + start + cell.len(),
            None => self.span.clone(),
        };
        let (error, help) = (Diagnostic::error(message).at(span, label), help.into());
        self.wrong.push(if help.is_empty() { error } else { error.help(help) });
    }

    fn report(mut self, cells: [&str; COLUMNS.len()]) -> Option<Report> {
        let [
            idea,
            kind,
            engine,
            year,
            stage,
            tc,
            elo,
            error,
            games,
            counts,
            bounds,
            outcome,
            url,
        ] = cells;
        let before = self.wrong.len();
        for (name, cell) in [("idea", idea), ("engine", engine)] {
            if cell.is_empty() {
                self.refuse(
                    "",
                    format!("no {name} is named"),
                    &format!("the column `{name}` is empty"),
                    "",
                );
            }
        }
        let known = KINDS.iter().find(|(name, _)| *name == kind);
        if known.is_none() {
            let names = KINDS.map(|(name, _)| name);
            let help = match nearest(kind, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("write {}", names.join(", ")),
            };
            self.refuse(
                kind,
                format!("`{kind}` is not a kind"),
                "what the patch did to the idea belongs here",
                help,
            );
        }
        if !year.is_empty() && !year.parse().is_ok_and(|year: u32| (1970..=2100).contains(&year)) {
            self.refuse(year, format!("`{year}` is not a year"), "four digits, or nothing", "");
        }
        if !(url.starts_with("https://") || url.starts_with("http://")) {
            let message = match url {
                "" => "the link is missing".to_owned(),
                _ => format!("`{url}` is not a link"),
            };
            self.refuse(
                url,
                message,
                "where the report is",
                "a report without a link cannot be checked: add its https address",
            );
        }
        let elo = self.number(elo, "elo", |elo| elo.abs() <= MOST_ELO, "a number of Elo, such as 3.2");
        let error = self.number(
            error,
            "elo_error_95",
            |error| error > 0.0 && error <= MOST_ELO,
            "half the width of the 95% interval in Elo, above 0",
        );
        let games = self.parsed(
            games,
            "games",
            |text| text.parse().ok().filter(|games| *games > 0),
            "a number of games, above 0",
        );
        let counts = self.parsed(
            counts,
            "counts",
            counted,
            "pairs by their score as `[a, b, c, d, e]`, or games as `W/L/D wins/losses/draws`",
        );
        let bounds = self.parsed(
            bounds,
            "bounds",
            interval,
            "both hypotheses in Elo, the lower one first, as in `[0,5]`",
        );
        if self.wrong.len() > before {
            return None;
        }
        if let Some(counts) = counts {
            self.check(&counts, elo, games);
        } else if elo.is_none() || error.is_none() {
            self.refuse(
                "",
                "this line has no result",
                "neither `counts`, nor `elo` with `elo_error_95`",
                "",
            );
        }
        (self.wrong.len() == before).then(|| Report {
            idea: idea.to_owned(),
            kind: known.map_or(Kind::Form, |(_, kind)| *kind),
            engine: engine.to_owned(),
            elo: elo.zip(error).map(<[f64; 2]>::from),
            games: games.or(counts.map(|counts| counts.games())),
            counts,
            bounds,
            outcome: match outcome {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed,
                _ => Outcome::Other,
            },
            year: year.to_owned(),
            time_control: format!("{stage} {tc}").trim().to_owned(),
            url: url.to_owned(),
        })
    }

    fn number(&mut self, cell: &str, column: &str, is_right: impl Fn(f64) -> bool, wanted: &str) -> Option<f64> {
        let number = |text: &str| {
            text.parse()
                .ok()
                .filter(|value: &f64| value.is_finite() && is_right(*value))
        };
        self.parsed(cell, column, number, wanted)
    }

    /// What a cell says; `None` when it is empty, or wrong and reported.
    fn parsed<T>(&mut self, cell: &str, column: &str, parse: impl Fn(&str) -> Option<T>, wanted: &str) -> Option<T> {
        let value = (!cell.is_empty()).then(|| parse(cell))?;
        if value.is_none() {
            self.refuse(cell, format!("`{cell}` is not right in column `{column}`"), wanted, "");
        }
        value
    }

    /// Checks that the counts of a line agree with its other numbers.
    fn check(&mut self, counts: &Counts, elo: Option<f64>, games: Option<u64>) {
        let counted = counts.games();
        if let Some(games) = games.filter(|games| *games != counted) {
            let message = format!("the counts are of {counted} games, not {games}");
            self.refuse(&games.to_string(), message, "", "one of them is mistyped");
        }
        let estimate = counts.estimate().map(|estimate| estimate.elo.0);
        if let Some((elo, counted)) = elo.zip(estimate)
            && (elo - counted).abs() > MOST_DIFFERENCE
        {
            let message = format!("the counts give {counted:+.2} Elo, not {elo:+.2}");
            self.refuse("", message, "", "Elo and counts are both of the patch against its base");
        }
    }
}

/// `[1, 2, 3, 2, 1]` or `W/L/D 10/8/20`.
fn counted(text: &str) -> Option<Counts> {
    let numbers = |list: &str, separator: char| -> Option<Vec<u64>> {
        list.split(separator).map(|number| number.trim().parse().ok()).collect()
    };
    let counts = match text.strip_prefix("W/L/D") {
        Some(games) => match numbers(games, '/')?[..] {
            [wins, losses, draws] => Counts::Games(Trinomial::new(losses, draws, wins)),
            _ => return None,
        },
        None => {
            let list = text.strip_prefix('[')?.strip_suffix(']')?;
            Counts::Pairs(Pentanomial::new(numbers(list, ',')?.try_into().ok()?))
        }
    };
    let is_sane = (1..=1_u64 << 40).contains(&counts.games());
    is_sane.then_some(counts)
}

/// `[0,5]`.
fn interval(text: &str) -> Option<[f64; 2]> {
    let list = text.strip_prefix('[')?.strip_suffix(']')?;
    let (low, high) = list.split_once(',')?;
    let [low, high] = [low, high].map(|number| {
        number
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|elo| Elo(*elo).0.abs() <= 100.0)
    });
    let (low, high) = low.zip(high)?;
    (high - low >= 0.01).then_some([low, high])
}
