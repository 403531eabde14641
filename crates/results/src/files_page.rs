//! The tables of docs/files.md, written from the rows.

use crate::games::GameRow;
use crate::lab_rows::{
    AnswerRow, AnswerTime, AuditMeasured, AuditSample, AuditTotal, AuditedDepth, AuditedKind, AuditedReduction,
    AuditedRule, BenchRow, BenchTime, BlameRow, CurveRow, GamesMeasured, IterationRow, NodesMeasured, PredictorRow,
    ProfileTotal, ProfiledFact, ProfiledKind, ProfiledMove, ProfiledRule, RocPoint, ScoreRow, SuiteMeasured, TrialRow,
};
use crate::parts::PartRow;
use crate::row::{Column, Row};
use crate::timings::TimingRow;
use crate::tournament_rows::{CrosstableRow, FateRow, LosRow, PairRow, StandingRow};

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
        GameRow PairRow StandingRow CrosstableRow LosRow FateRow TimingRow
        ProfileTotal ProfiledMove ProfiledKind ProfiledRule ProfiledFact
        AuditTotal AuditSample CurveRow ScoreRow PredictorRow RocPoint AuditedKind AuditedDepth AuditedReduction AuditedRule BlameRow
        AnswerRow AnswerTime BenchRow IterationRow BenchTime TrialRow PartRow
        NodesMeasured SuiteMeasured AuditMeasured GamesMeasured
    }
}

/// The page with its tables of columns written again: each stands behind a line such as `<!-- columns of GameRow -->`. A column that
/// several of the rows have is there once, and neighbours of the same meaning share a line.
pub fn written_again(page: &str) -> String {
    let mut text = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let Some(rows) = line.strip_prefix(MARK) else {
            continue;
        };
        while lines.next_if(|line| line.is_empty() || line.starts_with('|')).is_some() {}
        text.push_str("\n| column | unit | meaning |\n|---|---|---|\n");
        let mut table: Vec<(Vec<&str>, Column)> = Vec::new();
        for column in rows.trim_end_matches(" -->").split(", ").flat_map(columns) {
            if table.iter().any(|(names, _)| names.contains(&column.name)) {
                continue;
            }
            match table.last_mut() {
                Some((names, last)) if (last.unit, last.meaning) == (column.unit, column.meaning) => {
                    names.push(column.name);
                }
                _ => table.push((vec![column.name], column)),
            }
        }
        for (names, Column { unit, meaning, .. }) in table {
            text.push_str(&format!("| `{}` | {unit} | {meaning} |\n", names.join("`, `")));
        }
        text.push('\n');
    }
    text
}
