//! Root of a function of one variable between two points of opposite sign.

/// Evaluations at most; then the best point so far is the result. Ten are usual; only roots that are tiny compared with the
/// interval need more than a few dozen.
const MAX_EVALUATIONS: u32 = 100;

/// A point and the function's value there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) at: f64,
    pub(super) value: f64,
}

/// The root of `f` between `a` and `b`, to within `tolerance` relative to the root. The values at `a` and `b` differ in
/// sign.
///
/// Inverse quadratic interpolation where the last three points lie so that it must converge,
/// bisection elsewhere. The answer is one of the points where `f` was evaluated, or an end; at an
/// end it is not evaluated again. Source: Tirupathi R. Chandrupatla, *A new hybrid
/// quadratic/bisection algorithm for finding the zero of a nonlinear function without using
/// derivatives*, 1997.
pub(super) fn root(a: Sample, b: Sample, tolerance: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (mut newest, mut opposite) = (a, b);
    let mut step = 0.5;
    for _ in 0..MAX_EVALUATIONS {
        let mut at = newest.at + step * (opposite.at - newest.at);
        if at == newest.at || at == opposite.at {
            at = f64::midpoint(newest.at, opposite.at);
        }
        let next = Sample { at, value: f(at) };
        let dropped;
        if (next.value > 0.0) == (newest.value > 0.0) {
            dropped = newest;
        } else {
            dropped = opposite;
            opposite = newest;
        }
        newest = next;

        let best = closer_to_zero(newest, opposite);
        let smallest_step = tolerance * best.at.abs() / (opposite.at - newest.at).abs();
        // An empty interval makes the step infinite or NaN.
        if best.value == 0.0 || smallest_step > 0.5 || smallest_step.is_nan() {
            break;
        }
        step = interpolated_step(newest, opposite, dropped).clamp(smallest_step, 1.0 - smallest_step);
    }
    closer_to_zero(newest, opposite).at
}

/// The positive root of a rising function that is negative at 0. `start` is a guess above 0; the search begins there and doubles it.
pub(super) fn rising_root(start: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut high = start;
    while f(high) < 0.0 && high < f64::MAX.sqrt() / 4.0 {
        high *= 2.0;
    }
    let [low, high] = [0.0, high].map(|at| Sample { at, value: f(at) });
    root(low, high, 1e-13, f)
}

fn closer_to_zero(a: Sample, b: Sample) -> Sample {
    if a.value.abs() < b.value.abs() { a } else { b }
}

/// Where the next point should lie, as a fraction of the way from the newest to the one on the
/// other side of the root.
fn interpolated_step(newest: Sample, opposite: Sample, dropped: Sample) -> f64 {
    let position = (newest.at - opposite.at) / (dropped.at - opposite.at);
    let height = (newest.value - opposite.value) / (dropped.value - opposite.value);
    // The inverse parabola through the three points is monotonic between them only in this region.
    if height * height < position && (1.0 - height) * (1.0 - height) < 1.0 - position {
        let Sample { value: n, .. } = newest;
        let (o, d) = (opposite.value, dropped.value);
        let stretch = (dropped.at - newest.at) / (opposite.at - newest.at);
        n / (o - n) * d / (o - d) + stretch * n / (d - n) * o / (d - o)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(lo: f64, hi: f64, f: impl Fn(f64) -> f64) -> (f64, u32) {
        let mut evaluations = 0;
        let ends = [lo, hi].map(|at| Sample { at, value: f(at) });
        let found = root(ends[0], ends[1], 1e-15, |x| {
            evaluations += 1;
            f(x)
        });
        (found, evaluations)
    }

    #[test]
    fn finds_known_roots_quickly() {
        let (found, evaluations) = solve(0.0, 2.0, |x| x * x - 2.0);
        assert!((found - 2.0_f64.sqrt()).abs() < 1e-14);
        assert!(evaluations < 12, "{evaluations}");
        let (found, evaluations) = solve(0.0, 10.0, |x| (-x).exp() - 1e-3);
        assert!((found - 1000.0_f64.ln()).abs() < 1e-12);
        assert!(evaluations < 20, "{evaluations}");
    }

    #[test]
    fn finds_steps_and_roots_at_the_ends() {
        let (found, _) = solve(-1.0, 1.0, |x| if x < 0.3 { -1.0 } else { 1.0 });
        assert!((found - 0.3).abs() < 1e-12);
        assert_eq!(solve(0.0, 1.0, |x| x).0, 0.0);
        assert_eq!(solve(0.5, 0.5, |x| x - 0.5).0, 0.5);
    }
}
