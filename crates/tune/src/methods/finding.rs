//! What the games of a tuning run show about a parameter.

/// What the games show about a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// The 95% interval of its best value.
    pub interval: (f64, f64),
    /// The change that causes [`Self::effect`], in the parameter's unit.
    pub moved: f64,
    /// Elo lost by that change.
    pub effect: f64,
    /// Standard deviation of [`Self::effect`].
    pub deviation: f64,
    /// The share of the prior variance of [`Self::effect`] that the games have removed, from 0 to 1.
    pub share_of_games: f64,
}

impl Finding {
    /// Whether the interval and the deviation come more from the games than from the prior: the games have at least
    /// halved the variance. Before that they are no measurement.
    pub fn is_measured(&self) -> bool {
        self.share_of_games >= 0.5
    }

    /// Why a tuned value is not in the interval of the best value; `None` when it is.
    pub fn why_outside(&self, start: f64, tuned: f64) -> Option<&'static str> {
        let (low, high) = self.interval;
        if (low..=high).contains(&tuned) {
            None
        } else if tuned == start {
            Some("the start is outside; it stays until a gain is significant")
        } else {
            Some("the tuned value is outside; it goes only as far from the start as the gain is sure")
        }
    }

    /// The interval, where it comes from games.
    pub fn measured_interval(&self) -> Option<(f64, f64)> {
        self.is_measured().then_some(self.interval)
    }

    /// Whether the games show that the parameter matters: the effect is more than three standard deviations. Two would
    /// not be enough: the worse of two sides is taken, and the points depend on earlier outcomes.
    pub fn is_measurable(&self) -> bool {
        self.effect > 3.0 * self.deviation
    }
}

/// A value rounded to about a hundredth of a step, for people.
pub fn short(step: f64, value: f64) -> f64 {
    let digits = libm::ceil(1.0 - libm::log10(step)).clamp(0.0, 12.0);
    let unit = libm::pow(10.0, digits);
    libm::round(value * unit) / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_without_the_tuned_value_has_a_reason() {
        let finding = Finding {
            interval: (1.0, 2.0),
            moved: 0.5,
            effect: 20.0,
            deviation: 3.0,
            share_of_games: 0.4,
        };
        assert_eq!(finding.measured_interval(), None, "the prior is no measurement");
        for (start, tuned, reason) in [
            (0.0, 1.5, None),
            (0.0, 2.0, None),
            (0.0, 0.5, Some("goes only as far")),
            (0.5, 0.5, Some("it stays")),
        ] {
            let why = finding.why_outside(start, tuned);
            assert_eq!(why.is_some(), reason.is_some(), "{why:?}");
            assert!(why.is_none_or(|why| why.contains(reason.unwrap())), "{why:?}");
        }
    }
}
