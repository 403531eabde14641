//! The tables of docs/files.md, written from the rows.

use crate::games::GameRow;
use crate::lab_rows::{
    AnswerRow, AnswerTime, AuditMeasured, AuditSample, AuditTotal, AuditedDepth, AuditedKind, AuditedReduction,
    AuditedRule, BenchRow, BenchTime, BlameRow, GamesMeasured, InteractionRow, IterationRow, NodesMeasured,
    PredictorRow, ProfileTotal, ProfiledFact, ProfiledKind, ProfiledMove, ProfiledRule, RocPoint, SuiteMeasured,
    TrialRow,
};
use crate::parts::PartRow;
use crate::row::{Column, Row};
use crate::tournament_rows::{PairRow, StandingRow};

/// The beginning of a line that asks for the columns of rows. The names of the rows follow.
const MARK: &str = "<!-- columns of ";

/// Neighbouring columns that share a line of a table: the first, the last, and their units and meaning together.
#[rustfmt::skip]
const TOGETHER: &[(&str, &str, &str, &str)] = &[
    ("game", "opening", "", "numbers from 1: of the game; of the pair, two games each; of the round; of the opening, through all books"),
    ("white", "black", "", "the engine that had White, and the one that had Black"),
    ("white_nodes", "black_mean_depth", "nodes, plies", "nodes searched in the whole game; mean depth of the searches"),
    ("depths", "times_ms", "plies, nodes, ms", "for each move; the time is from `go` to `bestmove`, and empty unless time is the limit"),
    ("fault", "fault_go", "", "what the side to move did wrong, if that ended the game; the `go` command that it did not answer properly"),
    ("first", "second", "", "the engine with White in the first game of the pair, and in the second"),
    ("n_ll", "n_ww", "pairs", "with 0, ½, 1, 1½ and 2 points of the side"),
    ("llr", "llr_upper", "", "log-likelihood ratio of the test; where the test rejects; where it accepts; empty without a test"),
    ("games", "losses", "games", "all, won, drawn and lost"),
    ("points", "score", "points, share", "a win is 1, a draw ½; the score is points divided by games"),
    ("mean_depth", "mean_nodes", "plies, nodes", "means of a search"),
    ("illegal_moves", "stalls", "games", "lost by an answer that was no legal move, or no move at all; because the process ended; by no answer"),
    ("part", "attempt", "", "number of the part, and attempt at its pairs, from 1; pairs that are submitted again make a new part"),
    ("best", "score", "", "the best move, and its score in centipawns, or moves to mate"),
    ("null_moves", "null_move_cutoffs", "", "null moves, and those that cut"),
    ("cutoffs", "first_move_cutoffs", "", "all, and those by the first move"),
    ("move", "right", "", "the move that was played at the limit; 1: it is right"),
    ("points", "most_points", "points", "of the move, and of the best move"),
    ("solution_depth", "solution_nodes", "plies, nodes", "from which iteration on, and after how many nodes, the move stayed right"),
    ("solved", "positions", "positions", "test positions solved, and all of them"),
    ("audit_dismissed", "missed_rate", "moves, share", "sampled moves that were reduced and failed low; of these, those that raise alpha at full depth; their share"),
    ("idea", "of", "", "its name, and what it changes: `policy` or `search`"),
    ("preset", "match_nodes", "nodes", "of the setting: its search preset, or the program of the host; nodes a move"),
    ("mean", "tau", "Elo", "gained by the idea: mean over the settings; standard deviation between settings beyond chance; empty with one setting, as what follows"),
    ("q", "q_probability", "", "Cochran's Q: how much the settings differ; its degrees of freedom; the probability of such differences by chance alone"),
    ("reduced", "extended", "moves", "with a reduction above 0, and below 0"),
    ("plies", "mean_reduction", "plies", "sum of the reductions; mean reduction of the reduced moves"),
    ("failed_high", "failed_high_rate", "moves, share", "reduced searches above alpha; their share"),
    ("researched", "confirmed_rate", "moves, share", "searched again; of these, still above alpha at full depth; their share"),
    ("reduced_nodes", "saved_nodes", "nodes", "of the reduced searches; of the searches after them; what the reductions saved, an estimate"),
    ("fact", "to", "", "a fact of the policy language; least and greatest of its values"),
    ("sampled", "undecided", "moves", "late moves of the sample; of these, those with a shadow search that ran out of nodes"),
    ("reduced_low_low", "reduced_low_high", "moves", "judged moves; the words of the name say how"),
    ("reduced_high_low", "unreduced_high_high", "moves", "judged moves; the words of the name say how"),
    ("missed_lower_95", "missed_upper_95", "share", "ends of the 95% interval of the missed rate"),
    ("expected", "outcome", "", "what the node was expected to be, and what it turned out to be"),
    ("move", "fen_after", "", "the move, and the position after it"),
    ("failed_high", "shadow_raises", "", "1: the search of the move was above alpha; 1: the shadow search raises alpha, empty when it ran out of nodes"),
    ("nodes", "shadow_nodes", "nodes", "of the observed search, and of the shadow search"),
    ("predictor", "reduce_when", "", "the number (`reduction` is the policy itself); whether moves are reduced when it is `great` or `small`"),
    ("raising_reduced", "low_reduced", "share", "dismissed share of the moves that raise alpha, and of those that fail low"),
    ("played", "played_score", "", "the move of the search with reductions, and its score"),
    ("missed", "missed_score", "", "the move of the search without reductions, and its score"),
    ("reduced_on_the_way", "why", "", "`ply:move:-reduction@depth:rules` of each move of the line that was reduced; how the policy came to each: the value of `reduce`, and what each rule added"),
];

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
        GameRow PairRow StandingRow
        ProfileTotal ProfiledMove ProfiledKind ProfiledRule ProfiledFact
        AuditTotal AuditSample PredictorRow RocPoint AuditedKind AuditedDepth AuditedReduction AuditedRule BlameRow
        AnswerRow AnswerTime BenchRow IterationRow BenchTime TrialRow InteractionRow PartRow
        NodesMeasured SuiteMeasured AuditMeasured GamesMeasured
    }
}

/// The columns of a row with the meanings that they have together.
fn together(row: &str) -> Vec<Column> {
    let mut columns = columns(row);
    for (first, last, unit, meaning) in TOGETHER {
        let place = |name| columns.iter().position(|column| column.name == name);
        if let (Some(first), Some(last)) = (place(*first), place(*last)) {
            for column in columns.iter_mut().take(last + 1).skip(first) {
                (column.unit, column.meaning) = (unit, meaning);
            }
        }
    }
    columns
}

/// The column that an interval belongs to: `elo` for `elo_error_95`.
fn interval_of(name: &str) -> Option<&str> {
    name.strip_suffix("_95")?.rsplit_once('_').map(|(name, _)| name)
}

/// The lines of the table of these rows. A column that several rows have is listed once. Columns with the same meaning
/// share a line. An interval is in the line of its column. The columns in `above` are in earlier tables.
fn table(rows: &str, above: &mut Vec<Column>) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut lines: Vec<(Vec<&str>, Column)> = Vec::new();
    for column in rows.split(", ").flat_map(together) {
        if known.contains(&column.name) || lines.iter().any(|(names, _)| names.contains(&column.name)) {
            continue;
        }
        let line_of =
            |wanted: &dyn Fn(&[&str], &Column) -> bool| lines.iter().position(|(names, column)| wanted(names, column));
        let interval = interval_of(column.name);
        let line = line_of(&|names, _| names.iter().any(|name| Some(*name) == interval));
        if line.is_none() && above.contains(&column) {
            known.push(column.name);
            continue;
        }
        let line = line.or_else(|| line_of(&|_, other| (other.unit, other.meaning) == (column.unit, column.meaning)));
        match line.and_then(|line| lines.get_mut(line)) {
            Some((names, _)) => names.push(column.name),
            None => lines.push((vec![column.name], column)),
        }
        above.push(column);
    }
    let line =
        |names: &[&str], unit: &str, meaning: &str| format!("| `{}` | {unit} | {meaning} |\n", names.join("`, `"));
    let mut text = String::from("| column | unit | meaning |\n|---|---|---|\n");
    if !known.is_empty() {
        text.push_str(&line(&known, "", "as above"));
    }
    text.extend(
        lines
            .iter()
            .map(|(names, Column { unit, meaning, .. })| line(names, unit, meaning)),
    );
    text
}

/// The page with its tables of columns written again: each stands behind a line such as `<!-- columns of GameRow -->`.
pub fn written_again(page: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_belong_together_share_a_line_of_the_page() {
        let page = include_str!("../../../docs/files.md");
        for (first, last, ..) in TOGETHER {
            let names = [format!("`{first}`"), format!("`{last}`")];
            assert!(
                page.lines().any(|line| names.iter().all(|name| line.contains(name))),
                "{first} {last}"
            );
        }
    }

    #[test]
    fn an_interval_stands_beside_its_column_and_a_known_column_is_named_again() {
        let mut above = Vec::new();
        let first = table("NodesMeasured", &mut above);
        assert!(
            first.contains("| `nodes_ratio`, `nodes_ratio_low_95`, `nodes_ratio_high_95` |"),
            "{first}"
        );
        let second = table("NodesMeasured", &mut above);
        assert!(second.contains("| `nodes`, `nodes_ratio`, "), "{second}");
        assert_eq!(second.lines().count(), 3, "{second}");
    }
}
