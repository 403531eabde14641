//! The regularized incomplete gamma and beta functions.
//!
//! Source: Press, Teukolsky, Vetterling, Flannery, *Numerical Recipes*, 3rd edition, 2007, sections 6.2 and 6.4: a series where
//! it converges fast, a continued fraction (by Lentz's method) elsewhere.

/// Relative size of the terms at which sums and fractions end.
const PRECISION: f64 = 1e-15;

/// In place of a zero in a continued fraction.
const TINY: f64 = 1e-300;

/// Terms at most; some dozens are usual.
const MAX_TERMS: u32 = 10_000;

/// P(a, x): the share of a gamma distribution of shape `a` (positive) that lies below `x`.
pub(super) fn lower_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let factor = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x >= a + 1.0 {
        let fraction = continued_fraction(x + 1.0 - a, |k| (k * (a - k), x + 1.0 - a + 2.0 * k));
        return 1.0 - factor / fraction;
    }
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..MAX_TERMS {
        term *= x / (a + f64::from(n));
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    factor * sum
}

/// I_x(a, b): the share of a beta distribution of shapes `a` and `b` (positive) that lies below `x`, 0 to 1.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let logarithm = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    let fraction = continued_fraction(1.0, |k| {
        let m = libm::floor(k / 2.0);
        let numerator = match k % 2.0 == 0.0 {
            true => m * (b - m) / ((a + k - 1.0) * (a + k)),
            false => -(a + m) * (a + b + m) / ((a + k - 1.0) * (a + k)),
        };
        (numerator * x, 1.0)
    });
    libm::exp(logarithm) / (a * fraction)
}

/// first + n(1) / (d(1) + n(2) / (d(2) + ...)), where `part(k)` is (n(k), d(k)).
fn continued_fraction(first: f64, part: impl Fn(f64) -> (f64, f64)) -> f64 {
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut value = nonzero(first);
    let (mut c, mut d) = (value, 0.0);
    for k in 1..MAX_TERMS {
        let (numerator, denominator) = part(f64::from(k));
        d = 1.0 / nonzero(denominator + numerator * d);
        c = nonzero(denominator + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < PRECISION {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // P(1, x) = 1 - exp(-x); P(1/2, x) = erf(sqrt(x)).
        for x in [1e-3, 0.5, 1.0, 3.0, 20.0] {
            assert!((lower_gamma(1.0, x) - (1.0 - libm::exp(-x))).abs() < 1e-14, "{x}");
            assert!((lower_gamma(0.5, x) - libm::erf(x.sqrt())).abs() < 1e-14, "{x}");
        }
        assert_eq!(lower_gamma(2.0, 0.0), 0.0);
    }
}
