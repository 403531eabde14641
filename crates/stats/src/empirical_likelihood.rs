//! Empirical likelihood: the most likely distribution for some counts when one mean is given.

use super::root_finding::{Sample, root};

/// Accuracy of the multiplier: twice the spacing of the numbers around 1.
const TOLERANCE: f64 = 2.0 * f64::EPSILON;

/// Maximum-likelihood distribution under one linear constraint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constrained<const N: usize> {
    /// The distribution, up to a common factor.
    pub(super) weights: [f64; N],
    /// The log-likelihood that the constraint costs; not negative.
    pub(super) cost: f64,
}

/// The distribution under which `observed` (positive counts) is most likely, among those where
/// `constraint` has mean 0.
///
/// `None` unless the constraint has values of both signs: otherwise no distribution satisfies it.
///
/// By Lagrange's method each frequency is divided by `1 + x g`. Here `g` is the value of the constraint, and the
/// multiplier `x` solves the secular equation `Σ w g / (1 + x g) = 0`. Source: Michel Van den Bergh, proposition 1.1 of
/// <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>; the problem is that of Art Owen, *Empirical
/// likelihood ratio confidence intervals for a single functional*, 1988.
pub(super) fn constrained<const N: usize>(observed: &[f64; N], constraint: &[f64; N]) -> Option<Constrained<N>> {
    let top = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bottom = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    if !(bottom < 0.0 && 0.0 < top) {
        return None;
    }
    // The multiplier lies between -1/top and -1/bottom. `z` is its place between them, from 0 to 1. The divisor of each
    // cell is then a mean of its values at both ends. These are not negative, so nothing cancels, however near to a
    // pole.
    let at_low = constraint.map(|g| 1.0 - g / top);
    let at_high = constraint.map(|g| 1.0 - g / bottom);
    let divisor = |cell: usize, z: f64| (1.0 - z) * at_low[cell] + z * at_high[cell];

    // The equation times z (1 - z), which takes out the poles at both ends and leaves the weight of
    // the extreme cells.
    let pole_free = |z: f64| {
        let sum: f64 = (0..N)
            .map(|i| observed[i] * (at_high[i] - at_low[i]) / divisor(i, z))
            .sum();
        z * (1.0 - z) * sum
    };
    let weight_where = |ends: &[f64; N]| (0..N).filter(|&i| ends[i] == 0.0).map(|i| observed[i]).sum::<f64>();
    let low = Sample {
        at: 0.0,
        value: weight_where(&at_low),
    };
    let high = Sample {
        at: 1.0,
        value: -weight_where(&at_high),
    };
    let z = root(low, high, TOLERANCE, pole_free);
    // Counts beyond 10^16 can push the root to where only an end is left to represent it.
    let z = z.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);

    let divisors: [f64; N] = std::array::from_fn(|i| divisor(i, z));
    let multiplier = z * (1.0 / top - 1.0 / bottom) - 1.0 / top;
    let log_divisor = |(&divisor, g): (&f64, &f64)| {
        // Near 1, the difference from 1 is exact; near 0, the divisor itself is.
        if divisor > 0.5 {
            libm::log1p(multiplier * g)
        } else {
            libm::log(divisor)
        }
    };
    let logs = divisors.iter().zip(constraint).map(log_divisor);
    Some(Constrained {
        cost: observed.iter().zip(logs).map(|(weight, log)| weight * log).sum(),
        weights: std::array::from_fn(|i| observed[i] / divisors[i]),
    })
}
