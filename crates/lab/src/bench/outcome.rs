//! What a bench found.

use std::iter::zip;

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_results::lab_rows::{BenchRow, BenchTime, BenchedPolicy, IterationRow};
use lmrlab_results::outcome::picture::{Curve, Intervals, Line, Lines, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_results::written_score::WrittenScore;
use lmrlab_stats::{Paired, geometric_mean};

use super::{Benched, Counts};
use crate::host::Searched;
use crate::positions::LabPosition;
use crate::ratio::ratio;
use crate::variant::Variant;

tables! {
    /// The files of a bench. Nothing in positions.csv and iterations.csv depends on the clock.
    BenchTables {
        policies: BenchedPolicy,
        positions: BenchRow,
        iterations: IterationRow,
        times: BenchTime,
    }
}

/// The nodes and the time of a search, in milliseconds.
type Size = (u64, f64);

impl BenchTables {
    /// The tables of searches of `positions`, a list for each variant.
    pub fn of(variants: &[Variant], positions: &[LabPosition], benched: &[Vec<Benched>]) -> Self {
        let sizes = |searches: &[Benched]| -> Vec<Size> {
            let size = |benched: &Benched| (benched.report.nodes, benched.report.time.as_secs_f64() * 1e3);
            searches.iter().map(size).collect()
        };
        let first = benched.first().map_or_else(Vec::new, |first| sizes(first));
        let mut tables = Self::default();
        for (variant, searches) in zip(variants, benched) {
            let policy = || variant.name.clone();
            let iterations = iterations(&variant.name, searches);
            let mut counts = Counts::default();
            searches.iter().for_each(|benched| counts += &benched.counts);
            let depths = searches.iter().map(|benched| benched.iterations.len());
            let sizes = sizes(searches);
            tables.policies.push(BenchedPolicy {
                mean_depth: (depths.sum::<usize>() as f64 / searches.len().max(1) as f64).into(),
                effective_branching_factor: geometric_mean(
                    iterations.iter().filter_map(|row| row.effective_branching_factor),
                )
                .into(),
                first_move_cutoff_rate: ratio(counts.first_move_cutoffs, counts.cutoffs).into(),
                mean_cutoff_move: ratio(counts.cutoff_moves, counts.cutoffs).into(),
                null_move_cutoff_rate: ratio(counts.null_move_cutoffs, counts.null_moves).into(),
                quiescence_share: ratio(counts.quiescence_nodes, counts.nodes()).into(),
                ..compared(policy(), &sizes, &first)
            });
            tables.iterations.extend(iterations);
            tables.times.extend(times(&variant.name, positions, &sizes));
            tables
                .positions
                .extend(zip(positions, searches).map(|(position, benched)| {
                    let board = position.position.board();
                    let (score_cp, mate_in) = WrittenScore::from(benched.report.score).cells();
                    let best = benched.report.best;
                    BenchRow {
                        policy: policy(),
                        position: position.name.clone(),
                        fen: position.position.to_string(),
                        depth: benched.iterations.len(),
                        best: best.map_or_else(String::new, |mv| ChessVariant::of(board).uci_move(board, mv)),
                        score_cp,
                        mate_in,
                        nodes: benched.report.nodes,
                        quiescence_nodes: benched.counts.quiescence_nodes,
                        null_moves: benched.counts.null_moves,
                        null_move_cutoffs: benched.counts.null_move_cutoffs,
                        cutoffs: benched.counts.cutoffs,
                        first_move_cutoffs: benched.counts.first_move_cutoffs,
                        cutoff_moves: benched.counts.cutoff_moves,
                    }
                }));
        }
        tables
    }

    /// The tables of what a host reported: nodes and times alone.
    pub fn of_host(positions: &[LabPosition], searches: &[(&str, Vec<Searched>)]) -> Self {
        let sizes = |searches: &[Searched]| -> Vec<Size> {
            let size = |searched: &Searched| (searched.nodes, searched.time.as_secs_f64() * 1e3);
            searches.iter().map(size).collect()
        };
        let first = searches.first().map_or_else(Vec::new, |(_, first)| sizes(first));
        let mut tables = Self::default();
        for (policy, searches) in searches {
            let sizes = sizes(searches);
            tables.policies.push(compared((*policy).to_owned(), &sizes, &first));
            tables.times.extend(times(policy, positions, &sizes));
        }
        tables
    }

    /// What the tables say. `conditions` are what was searched, and how.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let policies = Table::of("policies", &self.policies);
        let names = policies.names("policy");
        let first = names.first().map_or("", String::as_str);
        let others = self.policies.iter().skip(1);
        let quantity =
            |what: &str, sides| Quantity::ratio(format!("{what}, divided by that of {first}"), "equal", sides);
        let dots = others
            .clone()
            .map(|row| Line::Value(row.policy.clone(), by_position(row), false));
        let mut sizes = Section::new("By policy").table(policies);
        if names.len() > 1 {
            sizes = sizes.draw([Intervals {
                title: format!("Nodes against {first}"),
                quantity: quantity("nodes", ["fewer nodes", "more nodes"]),
                lines: dots.collect(),
                note: "Geometric means over the positions.".to_owned(),
            }]);
        }
        let of_iterations = |title: &str, name: &str, value: fn(&IterationRow) -> Option<f64>| Lines {
            title: title.to_owned(),
            x: Quantity::new("depth", Seen::AsWritten),
            y: Quantity {
                is_ratio: name == "nodes",
                ..Quantity::new(
                    name,
                    if name == "nodes" {
                        Seen::Decimals(0)
                    } else {
                        Seen::Decimals(2)
                    },
                )
            },
            curves: (names.iter())
                .map(|policy| Curve {
                    name: policy.clone(),
                    points: (self.iterations.iter())
                        .filter(|row| row.policy == *policy)
                        .filter_map(|row| Some((f64::from(row.depth), Known::exact(value(row)?))))
                        .collect(),
                    has_band: false,
                })
                .collect(),
            in_text: true,
            ..Lines::default()
        };
        let mut sections = vec![sizes];
        if !self.iterations.is_empty() {
            let factors = of_iterations(
                "Effective branching factor of each iteration",
                "effective branching factor",
                |row| row.effective_branching_factor,
            );
            let nodes = of_iterations("Nodes of each iteration", "nodes", |row| Some(row.nodes as f64));
            let section = Section::new("By iteration").draw([factors, nodes]);
            sections.push(section.reference(Table::of("iterations", &self.iterations)));
            let positions = Table::of("positions", &self.positions);
            sections.push(Section::new("By position").reference(positions));
        }
        sections.push(Section::new("Times").reference(Table::of("times", &self.times)));
        let verdict = others.map(|row| {
            let known = by_position(row);
            format!(
                "{}: {} of the nodes of {first}, in the geometric mean over the positions.",
                row.policy,
                quantity("", ["", ""]).text(known)
            )
        });
        Outcome {
            title: format!("Bench of {}", names.join(", ")),
            conditions: conditions.to_owned(),
            verdict: verdict.collect(),
            sections,
            notes: Vec::new(),
            tables: self.tables(),
        }
    }
}

/// The line of a policy with what hosts report, too. The first policy is compared with itself.
fn compared(policy: String, sizes: &[Size], first: &[Size]) -> BenchedPolicy {
    let nodes = |sizes: &[Size]| sizes.iter().map(|(nodes, _)| nodes).sum::<u64>();
    let time = |sizes: &[Size]| sizes.iter().map(|(_, time)| time).sum::<f64>();
    let (all, milliseconds) = (nodes(sizes), time(sizes));
    // Where a host reports no nodes there is nothing to compare.
    let logs: Option<Vec<f64>> = zip(sizes, first)
        .map(|(one, other)| Some(ratio(one.0, other.0)?.ln()))
        .collect();
    let (mean, ends) = logs
        .filter(|logs| logs.iter().all(|log| log.is_finite()))
        .map_or((None, None), |logs| {
            let (mean, ends) = Paired::of(&logs).factor();
            (Some(mean), ends)
        });
    BenchedPolicy {
        policy,
        nodes: all,
        nodes_ratio: ratio(all, nodes(first)).into(),
        nodes_ratio_geometric_mean: mean.into(),
        nodes_ratio_geometric_mean_low_95: ends.map(|ends| ends.0).into(),
        nodes_ratio_geometric_mean_high_95: ends.map(|ends| ends.1).into(),
        time_ms: milliseconds.into(),
        time_ratio: Some(milliseconds / time(first))
            .filter(|ratio| ratio.is_finite())
            .into(),
        nodes_per_second: Some(all as f64 / milliseconds * 1e3)
            .filter(|speed| speed.is_finite())
            .into(),
        mean_depth: None.into(),
        effective_branching_factor: None.into(),
        first_move_cutoff_rate: None.into(),
        mean_cutoff_move: None.into(),
        null_move_cutoff_rate: None.into(),
        quiescence_share: None.into(),
    }
}

/// The quotient of the nodes with its interval.
fn by_position(row: &BenchedPolicy) -> Known {
    let ends = row
        .nodes_ratio_geometric_mean_low_95
        .0
        .zip(row.nodes_ratio_geometric_mean_high_95.0);
    Known {
        value: row.nodes_ratio_geometric_mean.0.unwrap_or(f64::NAN),
        interval: ends,
    }
}

fn times<'t>(policy: &'t str, positions: &'t [LabPosition], sizes: &'t [Size]) -> impl Iterator<Item = BenchTime> + 't {
    zip(positions, sizes).map(move |(position, (nodes, time_ms))| BenchTime {
        policy: policy.to_owned(),
        position: position.name.clone(),
        fen: position.position.to_string(),
        nodes: *nodes,
        time_ms: *time_ms,
    })
}

/// The iterations over all positions that completed them.
fn iterations(policy: &str, searches: &[Benched]) -> Vec<IterationRow> {
    let deepest = searches.iter().map(|benched| benched.iterations.len()).max();
    (0..deepest.unwrap_or(0))
        .map(|index| {
            let until = |benched: &Benched, index: Option<usize>| index.map_or(0, |index| benched.iterations[index]);
            let of =
                |benched: &Benched, index: usize| until(benched, Some(index)) - until(benched, index.checked_sub(1));
            let reached = searches.iter().filter(|benched| benched.iterations.len() > index);
            let (mut positions, mut nodes, mut before) = (0, 0, 0);
            for benched in reached {
                positions += 1;
                nodes += of(benched, index);
                before += index.checked_sub(1).map_or(0, |index| of(benched, index));
            }
            IterationRow {
                policy: policy.to_owned(),
                depth: index as u32 + 1,
                positions,
                nodes,
                // Knuth and Moore (1975) define the branching factor; iterative deepening makes it measurable.
                effective_branching_factor: ratio(nodes, before),
            }
        })
        .collect()
}
