//! Brownian motion with drift between two absorbing bounds: the model of a long SPRT's log-likelihood ratio.
//!
//! Source of the formulas: David Siegmund, *Sequential Analysis*, 1985, chapter 3; William Feller, *An Introduction to
//! Probability Theory and Its Applications*, volume 2, 1971, section X.5 (images and eigenfunctions).

use std::f64::consts::PI;

/// Times below this share of the squared width use the series of images, later ones that of eigenfunctions. Here each
/// needs a handful of terms.
const FEW_IMAGES: f64 = 0.2;
/// Images on each side. The others weigh less than e^-100 at these times.
const IMAGES: i32 = 4;
/// Terms below e to the minus this power are neglected.
const NEGLIGIBLE_EXPONENT: f64 = 45.0;
/// Steps of the integral over time.
const TIME_STEPS: u32 = 500;
/// When drift times width is less than this, the expected time comes from its series expansion.
const SMALL_DRIFT: f64 = 1e-5;

/// A motion that starts at 0 and ends at `lower` or `upper`.
///
/// In units in which its variance grows by 1 in a unit of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Brownian {
    /// Distance from the lower bound to the start; positive.
    start: f64,
    /// Distance between the bounds.
    width: f64,
    /// Mean change in a unit of time.
    drift: f64,
}

impl Brownian {
    /// Needs `lower < 0 < upper`.
    pub(super) fn new(lower: f64, upper: f64, drift: f64) -> Self {
        debug_assert!(lower < 0.0 && 0.0 < upper, "{lower} {upper}");
        Self {
            start: -lower,
            width: upper - lower,
            drift,
        }
    }

    /// Probability of ending at the upper bound.
    pub(super) fn upper_probability(&self) -> f64 {
        let Self { start, width, drift } = *self;
        if drift == 0.0 {
            return start / width;
        }
        // Arranged so that no exponent is positive.
        if drift > 0.0 {
            libm::expm1(-2.0 * drift * start) / libm::expm1(-2.0 * drift * width)
        } else {
            libm::exp(2.0 * drift * (width - start)) * libm::expm1(2.0 * drift * start)
                / libm::expm1(2.0 * drift * width)
        }
    }

    /// Expected time until it ends.
    pub(super) fn expected_time(&self) -> f64 {
        let Self { start, width, drift } = *self;
        if (drift * width).abs() < SMALL_DRIFT {
            let rest = width - start;
            return start * rest * (1.0 + drift * (rest - start) / 3.0);
        }
        (width * self.upper_probability() - start) / drift
    }

    /// Expected time until it ends or this time has come.
    pub(super) fn expected_time_within(&self, time: f64) -> f64 {
        let (lower, upper) = (-self.start, self.width - self.start);
        // The integral of the probability of not having ended, by the midpoint rule. Its steps grow, because the
        // motion may end early and the limit may be far.
        let mut sum = 0.0;
        let mut begin = 0.0;
        for step in 1..=TIME_STEPS {
            let end = time * (f64::from(step) / f64::from(TIME_STEPS)).powi(3);
            let middle = f64::midpoint(begin, end);
            sum += (end - begin) * (self.worse_outcome(middle, upper) - self.worse_outcome(middle, lower));
            begin = end;
        }
        sum
    }

    /// Probability of an outcome no better than being at `place`, between the bounds, at `time`. Either the motion has ended
    /// at the lower bound before, or it has not ended and is not above `place`.
    ///
    /// When `place` is the lower bound, this is the probability of having ended there by then. When it is the upper
    /// bound, this is the probability of not having ended there before.
    pub(super) fn worse_outcome(&self, time: f64, place: f64) -> f64 {
        let place = (place + self.start).clamp(0.0, self.width);
        let probability = if time <= 0.0 {
            f64::from(u8::from(place >= self.start))
        } else if time < FEW_IMAGES * self.width * self.width {
            self.by_images(time, place)
        } else {
            self.by_eigenfunctions(time, place)
        };
        probability.clamp(0.0, 1.0)
    }

    fn by_images(&self, time: f64, place: f64) -> f64 {
        let Self { start, width, drift } = *self;
        let root = (2.0 * time).sqrt();
        let speed = drift.abs();
        let ended_below = |image: f64| {
            let distance = (start + image).abs();
            let near = exp_erfc(-drift * start - distance * speed, (distance - speed * time) / root);
            let far = exp_erfc(-drift * start + distance * speed, (distance + speed * time) / root);
            (near + far).copysign(start + image) / 2.0
        };
        let under_way_below = |source: f64| {
            let exponent = drift * (source - start);
            let bottom = (-source - drift * time) / root;
            let top = (place - source - drift * time) / root;
            let (nearer, further) = if bottom + top < 0.0 {
                (-top, -bottom)
            } else {
                (bottom, top)
            };
            (exp_erfc(exponent, nearer) - exp_erfc(exponent, further)) / 2.0
        };
        (-IMAGES..=IMAGES)
            .map(|n| {
                let image = 2.0 * f64::from(n) * width;
                ended_below(image) + under_way_below(image + start) - under_way_below(image - start)
            })
            .sum()
    }

    fn by_eigenfunctions(&self, time: f64, place: f64) -> f64 {
        let Self { start, width, drift } = *self;
        let mut sum = 0.0;
        let mut n = 1.0;
        loop {
            let frequency = n * PI / width;
            let decay = (frequency * frequency) * time / 2.0;
            if decay > NEGLIGIBLE_EXPONENT {
                break;
            }
            let weight = libm::exp(drift * (place - start) - drift * drift * time / 2.0 - decay);
            let shape = drift * libm::sin(frequency * place) - frequency * libm::cos(frequency * place);
            sum += weight * libm::sin(frequency * start) * shape / (drift * drift + frequency * frequency);
            n += 1.0;
        }
        1.0 - self.upper_probability() + 2.0 / width * sum
    }
}

/// `exp(exponent) * erfc(x)`, where the one may be huge while the other is tiny.
fn exp_erfc(exponent: f64, x: f64) -> f64 {
    if x < 20.0 {
        return libm::exp(exponent) * libm::erfc(x);
    }
    // The asymptotic expansion of the error function; its first neglected term is below 1e-12.
    let inverse = 1.0 / (2.0 * x * x);
    let series = 1.0 - inverse * (1.0 - 3.0 * inverse * (1.0 - 5.0 * inverse));
    libm::exp(exponent - x * x) * series / (x * PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::normal;
    use proptest::prelude::*;

    #[test]
    fn without_drift() {
        let motion = Brownian::new(-1.0, 3.0, 0.0);
        assert_eq!(motion.upper_probability(), 0.25);
        assert_eq!(motion.expected_time(), 3.0);
        let nearly = Brownian::new(-1.0, 3.0, 1e-4);
        assert!((nearly.expected_time() - 3.0).abs() < 1e-3);
        assert!((nearly.upper_probability() - 0.25).abs() < 1e-3);
    }

    #[test]
    fn a_bound_far_away_does_not_matter() {
        // First passage of a single bound: Siegmund 1985, (3.15).
        let (distance, drift, time) = (1.0, -0.7, 2.0_f64);
        let motion = Brownian::new(-distance, 50.0, drift);
        let root = time.sqrt();
        let expected = normal((-distance - drift * time) / root)
            + (-2.0 * drift * distance).exp() * normal((-distance + drift * time) / root);
        assert!((motion.worse_outcome(time, -distance) - expected).abs() < 1e-13);
    }

    proptest! {
        #[test]
        fn both_series_agree(
            lower in -4.0..-0.5, upper in 0.5..4.0, drift in -3.0..3.0, share in 0.05..0.5, place in 0.0..=1.0,
        ) {
            let motion = Brownian::new(lower, upper, drift);
            let time = share * motion.width * motion.width;
            let place = place * motion.width;
            let (images, functions) = (motion.by_images(time, place), motion.by_eigenfunctions(time, place));
            prop_assert!((images - functions).abs() < 1e-11, "{images} {functions}");
        }

        #[test]
        fn always_a_probability(
            lower in -50.0..-1e-3, upper in 1e-3..50.0, drift in -1e4..1e4, time in 0.0..1e6, place in -60.0..60.0,
        ) {
            let motion = Brownian::new(lower, upper, drift);
            prop_assert!((0.0..=1.0).contains(&motion.upper_probability()));
            prop_assert!((0.0..=1.0).contains(&motion.worse_outcome(time, place)));
            let expected = motion.expected_time();
            prop_assert!(expected.is_finite() && expected > 0.0, "{expected}");
        }

        #[test]
        fn time_settles_the_outcome(lower in -4.0..-0.5, upper in 0.5..4.0, drift in -3.0..3.0) {
            let motion = Brownian::new(lower, upper, drift);
            let late = motion.worse_outcome(1e4, lower);
            prop_assert!((late - (1.0 - motion.upper_probability())).abs() < 1e-12);
            let time = motion.expected_time();
            prop_assert!((motion.expected_time_within(1e3) / time - 1.0).abs() < 1e-3, "{time}");
        }
    }
}
