//! Main effects and two-factor interactions of switches, measured in every combination. Their errors come from the spread over
//! the positions, or over the openings.
//!
//! Source: Box, Hunter, Hunter, *Statistics for Experimenters*, 1978.

use lmrlab_stats::{Elo, PairOutcome, Paired};

/// The factors of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EffectKind {
    /// A factor, averaged over all combinations of the others.
    Main(usize),
    /// Two factors: half the difference between the effect of the one where the other is on, and where it is off.
    Interaction(usize, usize),
    /// The last factor, only in the combinations with the other on, or off.
    Given {
        /// The other factor.
        other: usize,
        /// Whether it is on.
        on: bool,
    },
}

/// An effect with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effect {
    /// The factors.
    pub(super) kind: EffectKind,
    /// How large it is.
    pub(super) size: Paired,
}

/// Effects on the logarithm of nodes: the main effects, the interactions, and the effect of the last factor with each
/// other factor on and off. `levels[cell]` says which factors are on in a cell of the grid; the nodes are
/// `nodes[cell][position]`.
pub(super) fn node_effects(levels: &[Vec<bool>], nodes: &[Vec<u64>]) -> Vec<Effect> {
    let logs: Vec<Vec<f64>> = nodes
        .iter()
        .map(|row| row.iter().map(|nodes| libm::log((*nodes).max(1) as f64)).collect())
        .collect();
    effects(levels, |weights| Paired::of(&blocks(weights, &logs)))
}

/// The same effects on Elo; `outcomes[cell][opening]` are against one and the same opponent.
///
/// Elo is not linear in the score, so its errors are those of the tangent at the score of each cell. Half a point is
/// added for and against to the counts of each cell. So a cell that won or lost everything has an Elo, too.
pub(super) fn elo_effects(levels: &[Vec<bool>], outcomes: &[Vec<PairOutcome>]) -> Vec<Effect> {
    let scores: Vec<Vec<f64>> = outcomes
        .iter()
        .map(|row| {
            row.iter()
                .map(|outcome| f64::from(outcome.half_points()) / 4.0)
                .collect()
        })
        .collect();
    let means: Vec<f64> = scores
        .iter()
        .map(|row| (row.iter().sum::<f64>() + 0.5) / (row.len() as f64 + 1.0))
        .collect();
    // The slope of -400 log10(1/s - 1).
    let slope = |mean: f64| 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
    let linear: Vec<Vec<f64>> = scores
        .iter()
        .zip(&means)
        .map(|(row, mean)| row.iter().map(|score| slope(*mean) * score).collect())
        .collect();
    effects(levels, |weights| {
        let size = weights
            .iter()
            .zip(&means)
            .map(|(weight, mean)| weight * Elo::from_score(*mean).0)
            .sum();
        Paired {
            mean: size,
            error_95: Paired::of(&blocks(weights, &linear)).error_95,
        }
    })
}

/// The weighted sum over the cells, block by block.
fn blocks(weights: &[f64], values: &[Vec<f64>]) -> Vec<f64> {
    let count = values.iter().map(Vec::len).min().unwrap_or(0);
    (0..count)
        .map(|block| {
            weights
                .iter()
                .zip(values)
                .map(|(weight, row)| weight * row[block])
                .sum()
        })
        .collect()
}

fn effects(levels: &[Vec<bool>], size: impl Fn(&[f64]) -> Paired) -> Vec<Effect> {
    let factors = levels.first().map_or(0, Vec::len);
    let last = factors.saturating_sub(1);
    let main = (0..factors).map(EffectKind::Main);
    let two =
        (0..factors).flat_map(|first| (first + 1..factors).map(move |second| EffectKind::Interaction(first, second)));
    let given = (0..last).flat_map(|other| [true, false].map(|on| EffectKind::Given { other, on }));
    let kinds = main.chain(two).chain(given);
    kinds
        .map(|kind| Effect {
            kind,
            size: size(&weights(kind, levels)),
        })
        .collect()
}

/// The weight of each cell in an effect: the cells with the factor on, against those with it off. The weights of each
/// side sum to 1.
fn weights(kind: EffectKind, levels: &[Vec<bool>]) -> Vec<f64> {
    let half = levels.len() as f64 / 2.0;
    let sign = |on: bool| if on { 1.0 } else { -1.0 };
    let weight = |cell: &Vec<bool>| match kind {
        EffectKind::Main(factor) => sign(cell[factor]) / half,
        EffectKind::Interaction(first, second) => sign(cell[first]) * sign(cell[second]) / half,
        EffectKind::Given { other, on } if cell[other] == on => 2.0 * sign(cell[cell.len() - 1]) / half,
        EffectKind::Given { .. } => 0.0,
    };
    levels.iter().map(weight).collect()
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

    fn size(effects: &[Effect], kind: EffectKind) -> Paired {
        let found = effects.iter().find(|effect| effect.kind == kind);
        found.unwrap().size
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
        let effects = node_effects(&levels(), &nodes);
        let near = |kind, factor: f64| {
            let found = size(&effects, kind);
            assert!((found.mean - factor.ln()).abs() < 1e-4, "{kind:?}: {found:?}");
            assert!(found.error_95.unwrap() < 1e-3, "the positions agree");
        };
        near(EffectKind::Main(0), 0.5 / 2f64.sqrt());
        near(EffectKind::Main(1), 1.0);
        near(EffectKind::Main(2), 1.0 / 3.0 / 2f64.sqrt());
        near(EffectKind::Interaction(0, 2), 1.0 / 2f64.sqrt());
        near(EffectKind::Interaction(0, 1), 1.0);
        near(EffectKind::Given { other: 0, on: true }, 1.0 / 6.0);
        near(EffectKind::Given { other: 0, on: false }, 1.0 / 3.0);
        assert_eq!(effects.len(), 3 + 3 + 4);
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
        let effects = elo_effects(&levels, &[row(0, 0), row(40, 10)]);
        let found = size(&effects, EffectKind::Main(0));
        let expected = Elo::from_score((65.0 + 0.5) / 101.0).0;
        assert!((found.mean - expected).abs() < 1e-9);
        // The error of the second cell alone, which the statistics of matches know, too.
        let estimate = lmrlab_stats::Estimate::of(&lmrlab_stats::Pentanomial::new([10, 0, 50, 0, 40]));
        let known = estimate.unwrap().elo_error_95.unwrap().0;
        assert!(
            (found.error_95.unwrap() / known - 1.0).abs() < 0.03,
            "{found:?} {known}"
        );
        let lost = elo_effects(&levels, &[row(0, 0), row(0, 100)]);
        assert!(size(&lost, EffectKind::Main(0)).mean.is_finite());
    }
}
