//! What a bench found.

use std::iter::zip;

use lmrlab_results::outcome::picture::{Curve, Intervals, Lines, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::bench::{BenchRow, BenchTime, BenchedPolicy, IterationRow, TreeCounts};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_results::written_score::WrittenScore;
use lmrlab_stats::{Paired, geometric_mean};

use super::Benched;
use crate::host::Searched;
use crate::notation::uci;
use crate::positions::LabPosition;
use crate::ratio::ratio;
use crate::variant::Variant;

tables! {
    /// The files of a bench. Nothing in positions.csv and iterations.csv depends on the clock.
    BenchTables {
        policies: Vec<BenchedPolicy>,
        positions: Vec<BenchRow>,
        iterations: Vec<IterationRow>,
        times: Vec<BenchTime>,
    }
}

impl BenchTables {
    /// The tables of the searches of each variant at the same positions.
    pub fn of(variants: &[Variant], positions: &[LabPosition], benched: &[Vec<Benched>]) -> Self {
        let sizes: Vec<(&str, Vec<Searched>)> = zip(variants, benched)
            .map(|(variant, searches)| (variant.name.as_str(), searches.iter().map(Searched::from).collect()))
            .collect();
        let mut tables = Self::of_host(positions, &sizes);
        for (row, searches) in zip(&mut tables.policies, benched) {
            let iterations = iterations(&row.policy, searches);
            let mut counts = TreeCounts::default();
            searches.iter().for_each(|benched| counts += &benched.counts);
            let depths = searches.iter().map(|benched| benched.iterations.len());
            row.mean_depth = Some(depths.sum::<usize>() as f64 / searches.len().max(1) as f64);
            row.effective_branching_factor =
                geometric_mean(iterations.iter().filter_map(|row| row.effective_branching_factor));
            row.first_move_cutoff_rate = ratio(counts.first_move_cutoffs, counts.cutoffs);
            row.mean_cutoff_move = ratio(counts.cutoff_moves, counts.cutoffs);
            row.null_move_cutoff_rate = ratio(counts.null_move_cutoffs, counts.null_moves);
            row.quiescence_share = ratio(counts.quiescence_nodes, row.nodes);
            tables.iterations.extend(iterations);
            let policy = &row.policy;
            let searches = zip(positions, searches);
            tables.positions.extend(searches.map(|(position, benched)| {
                let (score_cp, mate_in) = WrittenScore::from(benched.report.score).cells();
                BenchRow {
                    policy: policy.clone(),
                    position: position.name.clone(),
                    fen: position.position.to_string(),
                    depth: benched.iterations.len(),
                    best: (benched.report.best).map_or_else(String::new, |mv| uci(&position.position, mv)),
                    score_cp,
                    mate_in,
                    nodes: benched.report.nodes,
                    counts: benched.counts,
                }
            }));
        }
        tables
    }

    /// The tables of the searches of a host with each policy: nodes and times as it reports them.
    pub fn of_host(positions: &[LabPosition], searches: &[(&str, Vec<Searched>)]) -> Self {
        let first = searches.first().map_or(&[][..], |(_, first)| &first[..]);
        let mut tables = Self::default();
        for (policy, searches) in searches {
            tables.policies.push(compared(policy, searches, first));
            let times = zip(positions, searches).map(|(position, searched)| BenchTime {
                policy: (*policy).to_owned(),
                position: position.name.clone(),
                fen: position.position.to_string(),
                nodes: searched.nodes,
                time_ms: searched.time.as_secs_f64() * 1e3,
            });
            tables.times.extend(times);
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
        let mut sizes = Section::new("By policy").table(policies);
        if let [_, others @ ..] = &self.policies[..]
            && !others.is_empty()
        {
            let picture = Intervals::of(
                format!("Nodes against {first}"),
                &Table::of("policies", others),
                "policy",
                "nodes_ratio_geometric_mean",
                quantity("nodes", ["fewer nodes", "more nodes"]),
            );
            sizes = sizes.draw([picture.note("Geometric means over the positions.")]);
        }
        let iterations = Table::of("iterations", &self.iterations);
        let of_iterations = |title: &str, y: Quantity, column: &str| Lines {
            title: title.to_owned(),
            x: Quantity::new("depth", Seen::AsWritten),
            y,
            curves: Curve::all(&iterations, "policy", "depth", column),
            in_text: true,
            ..Lines::default()
        };
        let mut sections = vec![sizes];
        if !self.iterations.is_empty() {
            let factors = of_iterations(
                "Effective branching factor of each iteration",
                Quantity::new("effective branching factor", Seen::Decimals(2)),
                "effective_branching_factor",
            );
            let nodes = Quantity {
                is_ratio: true,
                ..Quantity::new("nodes", Seen::Decimals(0))
            };
            let nodes = of_iterations("Nodes of each iteration", nodes, "nodes");
            let section = Section::new("By iteration").draw([factors, nodes]);
            sections.push(section.reference(iterations));
            let positions = Table::of("positions", &self.positions);
            sections.push(Section::new("By position").reference(positions));
        }
        sections.push(Section::new("Times").reference(Table::of("times", &self.times)));
        let verdict = others.map(|row| {
            let known = Known::of(row, "nodes_ratio_geometric_mean").unwrap_or(Known::exact(f64::NAN));
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

impl From<&Benched> for Searched {
    fn from(benched: &Benched) -> Self {
        Self {
            nodes: benched.report.nodes,
            time: benched.report.time,
        }
    }
}

/// Nodes and times of a policy, compared with those of the first one.
pub(crate) fn compared(policy: &str, searches: &[Searched], first: &[Searched]) -> BenchedPolicy {
    let nodes = |searches: &[Searched]| searches.iter().map(|searched| searched.nodes).sum::<u64>();
    let time = |searches: &[Searched]| {
        let times = searches.iter().map(|searched| searched.time.as_secs_f64() * 1e3);
        times.sum::<f64>()
    };
    let (all, milliseconds) = (nodes(searches), time(searches));
    // Where a host reports no nodes there is nothing to compare.
    let logs: Option<Vec<f64>> = zip(searches, first)
        .map(|(one, other)| Some(libm::log(ratio(one.nodes, other.nodes)?)).filter(|log| log.is_finite()))
        .collect();
    let (mean, ends) = logs.map(|logs| Paired::of(&logs).factor()).unzip();
    let (low, high) = ends.flatten().unzip();
    BenchedPolicy {
        policy: policy.to_owned(),
        nodes: all,
        nodes_ratio: ratio(all, nodes(first)),
        nodes_ratio_geometric_mean: mean,
        nodes_ratio_geometric_mean_low_95: low,
        nodes_ratio_geometric_mean_high_95: high,
        time_ms: milliseconds.into(),
        time_ratio: Some(milliseconds / time(first)).filter(|ratio| ratio.is_finite()),
        nodes_per_second: Some(all as f64 / milliseconds * 1e3).filter(|speed| speed.is_finite()),
        ..BenchedPolicy::default()
    }
}

/// The iterations over all positions that completed them.
fn iterations(policy: &str, searches: &[Benched]) -> Vec<IterationRow> {
    let deepest = searches.iter().map(|benched| benched.iterations.len()).max();
    let row = |index: usize| {
        let reached = searches.iter().filter(|benched| benched.iterations.len() > index);
        let nodes = |index: usize| reached.clone().map(|benched| benched.iterations[index]).sum();
        let (of_iteration, before) = (nodes(index), index.checked_sub(1).map_or(0, nodes));
        IterationRow {
            policy: policy.to_owned(),
            depth: index as u32 + 1,
            positions: reached.clone().count() as u64,
            nodes: of_iteration,
            // Knuth and Moore (1975) define the branching factor; iterative deepening makes it measurable.
            effective_branching_factor: ratio(of_iteration, before),
        }
    };
    (0..deepest.unwrap_or(0)).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_counts_alike() {
        let of = |nodes: u64| Searched {
            nodes,
            time: std::time::Duration::ZERO,
        };
        let row = compared("a", &[of(10), of(4_000)], &[of(20), of(2_000)]);
        assert_eq!(row.nodes, 4_010);
        let mean = row.nodes_ratio_geometric_mean.unwrap();
        assert!((mean - 1.0).abs() < 1e-12, "a half and a double");
    }
}
