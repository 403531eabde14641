//! What a suite found.

use lmrlab_results::number_text::unsigned;
use lmrlab_results::outcome::notation::moves_in_san;
use lmrlab_results::outcome::picture::Board;
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::suite::{AnswerRow, AnswerTime, ChangedAnswer, SolvedByPolicy};
use lmrlab_results::tables;
use lmrlab_stats::{CONFIDENCE, geometric_mean};

use super::solve::{Answer, changes, gain, solved};

tables! {
    /// The files of a suite. Nothing in answers.csv and changes.csv depends on the clock, unless the clock ended the searches.
    SuiteTables {
        policies: Vec<SolvedByPolicy>,
        answers: Vec<AnswerRow>,
        changes: Vec<ChangedAnswer>,
        times: Vec<AnswerTime>,
    }
}

/// The most positions gained or lost by one policy in the text of the command, and about how many by all.
const SHOWN_CHANGES: (usize, usize) = (40, 400);
/// The most boards of positions that one policy gained, and of those that it lost.
const MOST_BOARDS: usize = 8;
/// About how many boards a page has: it has to stay small.
const ALL_BOARDS: usize = 60;

const GAINED: &str = "gained";
const LOST: &str = "lost";

impl SuiteTables {
    /// The tables of the answers of each policy to the same tests.
    pub fn of(answers: Vec<Vec<Answer>>) -> Self {
        let all = answers.first().map_or(0, Vec::len);
        let solved_by_all: Vec<usize> = (0..all)
            .filter(|index| answers.iter().all(|answers| answers[*index].row.right > 0))
            .collect();
        let mut tables = Self::default();
        for (number, of_policy) in answers.iter().enumerate() {
            let mut row = solved_by(of_policy, &solved_by_all);
            if let Some(first) = answers.first().filter(|_| number > 0) {
                let (gain, error) = gain(first, of_policy);
                (row.solved_gain, row.solved_gain_error_95) = (Some(gain), error.into());
                for (change, positions) in [GAINED, LOST].into_iter().zip(changes(first, of_policy)) {
                    tables.changes.extend(positions.into_iter().map(|index| {
                        let row = of_policy[index].row.clone();
                        ChangedAnswer {
                            policy: row.policy,
                            position: row.position,
                            change: change.to_owned(),
                            expected: row.expected,
                            avoided: row.avoided,
                            first: first[index].row.r#move.clone(),
                            r#move: row.r#move,
                            fen: row.fen,
                        }
                    }));
                }
            }
            tables.policies.push(row);
        }
        let answers = answers.into_iter().flatten();
        (tables.answers, tables.times) = answers.map(|answer| (answer.row, answer.time)).unzip();
        tables
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let policies = Table::of("policies", &self.policies);
        let names = policies.names("policy");
        let first = names.first().map_or("", String::as_str);
        let others = names.len().saturating_sub(1);
        let hidden: &[&str] = if others == 0 { &["solved_gain"] } else { &[] };
        let mut section = Section::new("Solved").table(policies.without(hidden));
        let by_all = self.policies.first().map_or(0, |row| row.solved_by_all);
        if by_all > 0 {
            let all = if others == 0 { "were" } else { "all policies" };
            section = section.say(format!(
                "To the solution: geometric means over the {by_all} positions that {all} solved."
            ));
        }
        let mut sections = vec![section];
        sections.extend((self.policies.iter().skip(1)).map(|row| self.against(row, first, others)));
        sections.push(Section::new("Every answer").reference(Table::of("answers", &self.answers)));
        sections.push(Section::new("Times").reference(Table::of("times", &self.times)));
        let verdict = self.policies.iter().enumerate().map(|(index, row)| {
            let solved = format!("{}: {} of {} solved", row.policy, row.solved, row.positions);
            match index {
                0 => format!("{solved}."),
                _ => format!("{solved}; against {first}: {}.", self.difference(row)),
            }
        });
        Outcome {
            title: format!("Suite of {}", names.join(", ")),
            conditions: conditions.to_owned(),
            verdict: verdict.collect(),
            sections,
            tables: self.tables(),
            ..Outcome::default()
        }
    }

    /// What a policy gained and lost against the first one; `others` policies are compared with it.
    fn against(&self, row: &SolvedByPolicy, first: &str, others: usize) -> Section {
        let policy = &row.policy;
        let section = Section::new(format!("{policy} against {first}")).say(format!("{}.", self.difference(row)));
        let table = Table::of("changes", &self.changes).only("policy", policy);
        if table.rows.is_empty() {
            return section;
        }
        let is_avoided = self.changes.iter().any(|row| !row.avoided.is_empty());
        let hidden: &[&str] = if is_avoided {
            &["policy"]
        } else {
            &["policy", "avoided"]
        };
        let table = table.without(hidden).headed("first", first.to_owned());
        let shown = (SHOWN_CHANGES.1 / others).clamp(10, SHOWN_CHANGES.0);
        let most = (ALL_BOARDS / (2 * others)).clamp(1, MOST_BOARDS);
        let of = |change| self.changes_of(policy, change).take(most);
        let boards = of(GAINED).chain(of(LOST)).map(|row| board(row, first));
        section
            .table(table.headed("move", policy.clone()).at_most(shown))
            .draw(boards)
    }

    fn changes_of(&self, policy: &str, change: &str) -> impl Iterator<Item = &ChangedAnswer> {
        let changes = self.changes.iter();
        changes.filter(move |row| row.policy == policy && row.change == change)
    }

    /// The difference to the first policy: only positions in which the two differ say something (McNemar 1947).
    fn difference(&self, row: &SolvedByPolicy) -> String {
        format!(
            "{} gained, {} lost: {:+} ± {} ({CONFIDENCE})",
            self.changes_of(&row.policy, GAINED).count(),
            self.changes_of(&row.policy, LOST).count(),
            row.solved_gain.unwrap_or_default(),
            unsigned(row.solved_gain_error_95.0, 1)
        )
    }
}

/// What one policy solved, without a comparison. `solved_by_all` are the positions that every policy solved.
fn solved_by(answers: &[Answer], solved_by_all: &[usize]) -> SolvedByPolicy {
    let count = (answers.len() as f64).max(1.0);
    let solved = solved(answers);
    let rows = || answers.iter().map(|answer| &answer.row);
    let has_points = rows().any(|row| row.most_points.is_some());
    let depths: u64 = rows().map(|row| u64::from(row.depth)).sum();
    let by_all = || solved_by_all.iter().filter_map(|index| answers.get(*index));
    let solution_nodes = by_all().filter_map(|answer| Some(answer.row.solution_nodes?.max(1) as f64));
    let solution_times = by_all().filter_map(|answer| Some(answer.time.solution_time_ms.0?.max(1e-3)));
    SolvedByPolicy {
        policy: rows().next().map_or_else(String::new, |row| row.policy.clone()),
        solved: solved as u64,
        positions: answers.len() as u64,
        solved_rate: Some(solved as f64 / count),
        solved_gain: None,
        solved_gain_error_95: None.into(),
        points: has_points.then(|| rows().filter_map(|row| row.points).sum()),
        most_points: has_points.then(|| rows().filter_map(|row| row.most_points).sum()),
        mean_depth: Some(depths as f64 / count),
        solution_nodes: geometric_mean(solution_nodes),
        solution_time_ms: geometric_mean(solution_times).into(),
        nodes: rows().map(|row| row.nodes).sum(),
        time_ms: answers.iter().filter_map(|it| it.time.time_ms.0).sum::<f64>().into(),
        solved_by_all: solved_by_all.len() as u64,
    }
}

fn board(row: &ChangedAnswer, first: &str) -> Board {
    let is_gained = row.change == GAINED;
    let meaning = |policy: &str, is_right: bool| format!("{policy}, {}", if is_right { "right" } else { "wrong" });
    Board {
        title: format!("{}: {}", row.position, row.change),
        fen: row.fen.clone(),
        moves: vec![
            (row.first.clone(), !is_gained, meaning(first, !is_gained)),
            (row.r#move.clone(), is_gained, meaning(&row.policy, is_gained)),
        ],
        text: vec![format!(
            "Expected: {}.",
            expected(&row.fen, &row.expected, &row.avoided)
        )],
    }
}

/// The moves that are asked for, then `not` and the moves that are wrong.
fn expected(fen: &str, wanted: &str, avoided: &str) -> String {
    let [wanted, avoided] = [wanted, avoided].map(|moves| moves_in_san(fen, moves));
    match (wanted.is_empty(), avoided.is_empty()) {
        (_, true) => wanted,
        (true, false) => format!("not {avoided}"),
        (false, false) => format!("{wanted}, not {avoided}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_written_in_san() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let asked = [("g1f3 e2e4", ""), ("", "f2f3"), ("e2e4", "d2d4")];
        assert_eq!(
            asked.map(|(wanted, avoided)| expected(start, wanted, avoided)),
            ["Nf3 e4", "not f3", "e4, not d4"]
        );
    }

    #[test]
    fn means_are_over_what_all_solved() {
        let answer = |nodes: Option<u64>| {
            let mut answer = Answer::default();
            answer.row.solution_nodes = nodes;
            answer.time.solution_time_ms = nodes.map(|_| 2.0).into();
            answer
        };
        let rows = [[Some(100), Some(10_000), Some(7)], [Some(10), Some(10), None]];
        let of = |row: [Option<u64>; 3]| solved_by(&row.map(answer), &[0, 1]);
        let nodes = of(rows[0]).solution_nodes.unwrap();
        let time = of(rows[1]).solution_time_ms.0.unwrap();
        assert!((nodes - 1_000.0).abs() < 1e-9 && (time - 2.0).abs() < 1e-9);
    }
}
