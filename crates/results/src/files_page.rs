//! A test of docs/files.md: its tables are written from the rows.

use crate::row::{Column, Row};
use crate::rows::audit::*;
use crate::rows::bench::*;
use crate::rows::comparison::*;
use crate::rows::experiments::*;
use crate::rows::explanation::*;
use crate::rows::games::GameRow;
use crate::rows::host_check::*;
use crate::rows::ideas::*;
use crate::rows::pairs::*;
use crate::rows::parts::PartRow;
use crate::rows::policy::*;
use crate::rows::profile::*;
use crate::rows::rating::*;
use crate::rows::sprt::*;
use crate::rows::standings::*;
use crate::rows::suite::*;
use crate::rows::timings::TimingRow;
use crate::rows::tuning::*;

/// The beginning of a line that asks for the columns of rows. The names of the rows follow.
const MARK: &str = "<!-- columns of ";

/// The columns of a row by its name.
fn columns(row: &str) -> Vec<Column> {
    macro_rules! among {
        ($($Row:ident)+) => {
            match row {
                $(stringify!($Row) => $Row::columns(),)+
                _ => Vec::new(),
            }
        };
    }
    among! {
        GameRow PairRow StandingRow CrosstableRow LosRow FateRow TimingRow PartRow ComparedRow ComparedKey
        ProfileTotal ProfiledMove ProfiledKind ProfiledRule ProfiledFact
        AuditTotal AuditSample PredictorRow AuditedKind AuditedDepth AuditedReduction AuditedRule BlameRow
        SolvedByPolicy AnswerRow ChangedAnswer AnswerTime ReductionRow PolicyPart ExplainedSearch ExplainedRow
        BenchedPolicy BenchRow IterationRow BenchTime AblationRow SweepRow
        TrialRow InteractionRow TunedRow FinalMatchRow
        RatingRow FittedRow JudgedRow CorrectedRow PlannedRow MatchErrorRow HostFindingRow
        IdeaRow IdeaPolicyRow IdeaReportRow IdeaGamesRow
    }
}

/// The column that an interval belongs to: `elo` for `elo_error_95`.
fn interval_of(name: &str) -> Option<&str> {
    name.strip_suffix("_95")?.rsplit_once('_').map(|(name, _)| name)
}

/// The lines of the table of these rows. A column that several rows have is listed once for each of its meanings. Columns
/// with the same meaning share a line. An interval is in the line of its column. The columns in `above` are in earlier tables.
fn table(rows: &str, above: &mut Vec<Column>) -> String {
    let same = |one: &Column, two: &Column| (one.unit, one.meaning) == (two.unit, two.meaning);
    let mut known: Vec<Column> = Vec::new();
    let mut lines: Vec<(Vec<String>, Column)> = Vec::new();
    for column in rows.split(", ").flat_map(columns) {
        let is_same = |(names, other): &(Vec<String>, Column)| {
            names.iter().any(|name| *name == column.name) && same(other, &column)
        };
        if known.contains(&column) || lines.iter().any(is_same) {
            continue;
        }
        let line_of = |wanted: &dyn Fn(&[String], &Column) -> bool| {
            lines.iter().rposition(|(names, column)| wanted(names, column))
        };
        let interval = interval_of(&column.name);
        let line = line_of(&|names, _| names.iter().any(|name| Some(name.as_str()) == interval));
        if line.is_none() && above.contains(&column) {
            known.push(column);
            continue;
        }
        let line = line.or_else(|| line_of(&|_, other| same(other, &column)));
        match line.and_then(|line| lines.get_mut(line)) {
            Some((names, _)) if names.iter().any(|name| *name == column.name) => {}
            Some((names, _)) => names.push(column.name.to_string()),
            None => lines.push((vec![column.name.to_string()], column.clone())),
        }
        above.push(column);
    }
    let line =
        |names: &[String], unit: &str, meaning: &str| format!("| `{}` | {unit} | {meaning} |\n", names.join("`, `"));
    let mut text = String::from("| column | unit | meaning |\n|---|---|---|\n");
    if !known.is_empty() {
        let mut names: Vec<String> = Vec::new();
        for column in &known {
            if !names.iter().any(|name| *name == column.name) {
                names.push(column.name.to_string());
            }
        }
        text.push_str(&line(&names, "", "as above"));
    }
    text.extend(
        lines
            .iter()
            .map(|(names, Column { unit, meaning, .. })| line(names, unit, meaning)),
    );
    text
}

/// The page with its tables of columns written again: each stands behind a line such as `<!-- columns of GameRow -->`.
fn written_again(page: &str) -> String {
    let mut text = String::new();
    let mut above = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let Some(rows) = line.strip_prefix(MARK) else {
            continue;
        };
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
        while lines.next_if(|line| line.is_empty()).is_some() {}
        text.push_str(&table(rows.trim_end_matches(" -->"), &mut above));
        if lines.peek().is_some() {
            text.push('\n');
        }
    }
    text
}

/// With INSTA_UPDATE=always it writes the page, as other tests write their snapshots.
#[test]
fn the_page_has_the_columns_of_the_rows() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md");
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.matches(MARK).count() > 10);
    let written = written_again(&page);
    if page != written && std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, written).unwrap();
        return;
    }
    assert!(
        page == written,
        "INSTA_UPDATE=always writes the tables of docs/files.md"
    );
}

#[test]
fn every_column_has_a_meaning_once_and_an_interval_stands_beside_its_column() {
    let page = include_str!("../../../docs/files.md");
    let marks = page.lines().filter_map(|line| line.strip_prefix(MARK));
    for row in marks.flat_map(|rows| rows.trim_end_matches(" -->").split(", ")) {
        let columns = columns(row);
        assert!(!columns.is_empty(), "{row}");
        for column in columns {
            assert_ne!(column.meaning, "", "{row}: {}", column.name);
        }
    }
    let two = table("BenchRow, IterationRow", &mut Vec::new());
    assert_eq!(two.matches("| `depth` | plies |").count(), 2, "{two}");
    assert_eq!(two.matches("`policy`").count(), 1, "{two}");
    let mut above = Vec::new();
    let first = table("PredictorRow, PredictorRow", &mut above);
    let beside = "| `auc`, `auc_lower_95`, `auc_upper_95` |";
    assert!(first.contains(beside), "{first}");
    let second = table("PredictorRow", &mut above);
    assert!(second.contains("| `policy`, `predictor`, "), "{second}");
    assert_eq!(second.lines().count(), 3, "{second}");
}
