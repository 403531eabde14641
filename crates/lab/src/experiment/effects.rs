//! Main effects and two-factor interactions of switches, measured in every combination. Their errors come from the spread over
//! the positions, or over the openings.
//!
//! Source: Box, Hunter, Hunter, *Statistics for Experimenters*, 1978.

use lmrlab_results::rows::experiments::EffectRow;
use lmrlab_stats::{Elo, PairOutcome, Paired};

use super::{Axis, Measured, Point};

/// What each switch is worth, alone and with another. Empty when neither nodes nor games were measured.
pub(super) fn effects(axes: &[Axis], points: &[Point], measured: &[Measured]) -> Vec<EffectRow> {
    let factors: Vec<&str> = axes.iter().map(|axis| axis.parameter.as_str()).collect();
    let on = |point: &Point| point.values.iter().map(|value| *value > 0.0).collect();
    let levels: Vec<Vec<bool>> = points.iter().map(on).collect();
    let has_nodes = measured.iter().all(|row| !row.nodes.is_empty());
    let nodes: Vec<&[u64]> = measured.iter().map(|row| row.nodes.as_slice()).collect();
    let on_nodes = has_nodes.then(|| on_nodes(&nodes));
    let outcomes: Option<Vec<&[PairOutcome]>> = measured.iter().map(|row| row.outcomes.as_deref()).collect();
    let on_elo = outcomes.map(|outcomes| on_elo(&outcomes));
    if on_nodes.is_none() && on_elo.is_none() {
        return Vec::new();
    }
    let row = |(effect, weights): (String, Vec<f64>)| {
        let (factor, ends) = on_nodes.as_ref().map(|size| size(&weights).factor()).unzip();
        let (low, high) = ends.flatten().unzip();
        let elo = on_elo.as_ref().map(|size| size(&weights));
        EffectRow {
            effect,
            nodes_factor: factor.into(),
            nodes_factor_low_95: low.into(),
            nodes_factor_high_95: high.into(),
            elo: elo.map(|size| size.mean).into(),
            elo_error_95: elo.and_then(|size| size.error_95).into(),
        }
    };
    contrasts(&factors, &levels).into_iter().map(row).collect()
}

/// The effects by name, each with the weights of the cells: `levels[cell][factor]`. First those of each factor, averaged over the
/// others; then half the differences between the effects of one where another is on and off; then the effect of the last factor
/// where another one is on, or off.
fn contrasts(factors: &[&str], levels: &[Vec<bool>]) -> Vec<(String, Vec<f64>)> {
    let half = levels.len() as f64 / 2.0;
    let sign = |on: bool| if on { 1.0 } else { -1.0 };
    let mut contrasts = Vec::new();
    let mut add = |name: String, weight: &dyn Fn(&[bool]) -> f64| {
        contrasts.push((name, levels.iter().map(|cell| weight(cell) / half).collect()));
    };
    for (index, factor) in factors.iter().enumerate() {
        add((*factor).to_owned(), &|cell| sign(cell[index]));
    }
    for (first, one) in factors.iter().enumerate() {
        for (second, other) in factors.iter().enumerate().skip(first + 1) {
            add(format!("{one} with {other}"), &|cell| {
                sign(cell[first]) * sign(cell[second])
            });
        }
    }
    if let [others @ .., last] = factors {
        for (index, other) in others.iter().enumerate() {
            for (on, word) in [(true, "on"), (false, "off")] {
                let weight = |cell: &[bool]| match cell[index] == on {
                    true => 2.0 * sign(cell[others.len()]),
                    false => 0.0,
                };
                add(format!("{last} where {other} is {word}"), &weight);
            }
        }
    }
    contrasts
}

/// Effects on the logarithm of nodes, by the weights of the cells: `nodes[cell][position]`.
fn on_nodes(nodes: &[&[u64]]) -> impl Fn(&[f64]) -> Paired + use<> {
    let log = |nodes: &u64| libm::log((*nodes).max(1) as f64);
    let logs: Vec<Vec<f64>> = nodes.iter().map(|row| row.iter().map(log).collect()).collect();
    move |weights| Paired::of(&blocks(weights, &logs))
}

/// The same effects on Elo; `outcomes[cell][opening]` are against one and the same opponent.
///
/// Elo is not linear in the score, so its errors are those of the tangent at the score of each cell. Half a point is
/// added for and against to the counts of each cell. So a cell that won or lost everything has an Elo, too.
fn on_elo(outcomes: &[&[PairOutcome]]) -> impl Fn(&[f64]) -> Paired + use<> {
    let mut elos: Vec<f64> = Vec::new();
    let linear = outcomes.iter().map(|row| {
        let scores = row.iter().map(|outcome| f64::from(outcome.half_points()) / 4.0);
        let mean = (scores.clone().sum::<f64>() + 0.5) / (row.len() as f64 + 1.0);
        elos.push(Elo::from_score(mean).0);
        // The slope of -400 log10(1/s - 1).
        let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
        scores.map(|score| slope * score).collect()
    });
    let linear: Vec<Vec<f64>> = linear.collect();
    move |weights| Paired {
        mean: weights.iter().zip(&elos).map(|(weight, elo)| weight * elo).sum(),
        error_95: Paired::of(&blocks(weights, &linear)).error_95,
    }
}

/// The weighted sum over the cells, block by block.
fn blocks(weights: &[f64], values: &[Vec<f64>]) -> Vec<f64> {
    let count = values.iter().map(Vec::len).min().unwrap_or(0);
    let sum = |block: usize| {
        weights
            .iter()
            .zip(values)
            .map(|(weight, row)| weight * row[block])
            .sum()
    };
    (0..count).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two switches and the reductions.
    fn levels() -> Vec<Vec<bool>> {
        (0..8)
            .map(|index| (0..3).map(|factor| index >> factor & 1 == 1).collect())
            .collect()
    }

    fn size(levels: &[Vec<bool>], factors: &[&str], name: &str, size: impl Fn(&[f64]) -> Paired) -> Paired {
        let contrasts = contrasts(factors, levels);
        let found = contrasts.iter().find(|(effect, _)| effect == name);
        size(&found.unwrap().1)
    }

    #[test]
    fn known_effects_are_found() {
        // Nodes are e^10 / 2 with the first factor / 3 with the reductions, and once more by 2 with both, in positions of
        // different size.
        let nodes: Vec<Vec<u64>> = levels()
            .iter()
            .map(|on| {
                let mut log = 12.0;
                log -= if on[0] { 2f64.ln() } else { 0.0 };
                log -= if on[2] { 3f64.ln() } else { 0.0 };
                log -= if on[0] && on[2] { 2f64.ln() } else { 0.0 };
                [0.0, 1.0, 2.5]
                    .map(|size: f64| (log + size).exp().round() as u64)
                    .to_vec()
            })
            .collect();
        let nodes: Vec<&[u64]> = nodes.iter().map(Vec::as_slice).collect();
        let factors = ["a", "b", "c"];
        let near = |kind: &str, factor: f64| {
            let found = size(&levels(), &factors, kind, on_nodes(&nodes));
            assert!((found.mean - factor.ln()).abs() < 1e-4, "{kind:?}: {found:?}");
            assert!(found.error_95.unwrap() < 1e-3, "the positions agree");
        };
        near("a", 0.5 / 2f64.sqrt());
        near("b", 1.0);
        near("c", 1.0 / 3.0 / 2f64.sqrt());
        near("a with c", 1.0 / 2f64.sqrt());
        near("a with b", 1.0);
        near("c where a is on", 1.0 / 6.0);
        near("c where a is off", 1.0 / 3.0);
        assert_eq!(contrasts(&factors, &levels()).len(), 3 + 3 + 4);
    }

    #[test]
    fn elo_adds_up_and_an_even_cell_has_no_error() {
        let row = |wins: usize, losses: usize| {
            let mut row = vec![PairOutcome::Even; 100 - wins - losses];
            row.extend(vec![PairOutcome::WinWin; wins]);
            row.extend(vec![PairOutcome::LossLoss; losses]);
            row
        };
        let levels = [vec![false], vec![true]];
        let of = |row: Vec<PairOutcome>| size(&levels, &["a"], "a", on_elo(&[&[PairOutcome::Even; 100], &row]));
        let found = of(row(40, 10));
        let expected = Elo::from_score((65.0 + 0.5) / 101.0).0;
        assert!((found.mean - expected).abs() < 1e-9);
        // The error of the second cell alone, which the statistics of matches know, too.
        let estimate = lmrlab_stats::Estimate::of(&lmrlab_stats::Pentanomial::new([10, 0, 50, 0, 40]));
        let known = estimate.unwrap().elo_error_95.unwrap().0;
        assert!(
            (found.error_95.unwrap() / known - 1.0).abs() < 0.03,
            "{found:?} {known}"
        );
        assert!(of(row(0, 100)).mean.is_finite());
    }
}
