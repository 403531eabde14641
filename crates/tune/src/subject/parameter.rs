//! A parameter to tune: a number with bounds.

use lmrlab_diagnostics::number_text;

use crate::methods::random::Random;

/// The greatest bound of a parameter, and the greatest learning rate.
const GREATEST: f64 = 1e15;

/// The least step, as a share of the range. Rounding loses the square of a smaller step.
const LEAST_STEP: f64 = 1e-9;

/// The least step. With it, the product of its square and the least learning rate is far from 0.
const LEAST_SIZE: f64 = 1e-100;

/// The least learning rate.
const LEAST_RATE: f64 = 1e-12;

/// Where a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the policy.
    Policy,
    /// In the search preset.
    Preset,
    /// An option of a program that speaks UCI.
    Option,
}

impl Place {
    /// The prefixes of the names of UCI options of the project's engine, and of overrides.
    const PREFIXES: [(&'static str, Self); 2] = [("Policy.", Self::Policy), ("Search.", Self::Preset)];

    /// The prefix of names in this place; empty for the options of other programs.
    pub(crate) fn prefix(self) -> &'static str {
        let mut places = Self::PREFIXES.iter();
        places
            .find(|(_, place)| *place == self)
            .map_or("", |(prefix, _)| prefix)
    }

    /// The place of the parameter behind a UCI option, and the parameter's own name. A name without a prefix has no
    /// place.
    pub fn of_option(name: &str) -> (Option<Self>, &str) {
        let mut places = Self::PREFIXES.iter();
        places
            .find_map(|(prefix, place)| Some((Some(*place), name.strip_prefix(prefix)?)))
            .unwrap_or((None, name))
    }
}

/// A parameter to tune.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Whether it has whole values only.
    pub integer: bool,
    /// Where tuning starts.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A change that is worth trying, greater than 0. In SPSA this is `c_end`, the perturbation at the end of a run.
    pub step: f64,
    /// SPSA's learning rate at the end of a run; chosen from the budget when absent.
    pub r_end: Option<f64>,
}

impl Parameter {
    /// The nearest value within the bounds.
    pub fn clip(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }

    /// A value that can be played: within the bounds, and for an integer rounded up or down at random.
    pub fn playable(&self, value: f64, random: &mut Random) -> f64 {
        let value = self.clip(value);
        if self.integer {
            self.clip(random.round(value))
        } else {
            value
        }
    }

    /// The nearest value that can be played.
    pub fn rounded(&self, value: f64) -> f64 {
        let value = self.clip(value);
        if self.integer {
            self.clip(libm::round(value))
        } else {
            value
        }
    }

    /// Checks its numbers.
    ///
    /// # Errors
    /// The first mistake, in words that follow the parameter's name.
    pub fn check(&self) -> Result<(), String> {
        let &Self {
            start, min, max, step, ..
        } = self;
        let numbers = [start, min, max, step];
        let [at, from, to, width] = numbers.map(number_text);
        let greatest = number_text(GREATEST);
        let far = [min, max].into_iter().find(|bound| bound.abs() > GREATEST);
        let broken = [start, min, max]
            .into_iter()
            .find(|number| libm::trunc(*number) != *number);
        let wrong = if !numbers.iter().all(|number| number.is_finite()) {
            "has a number that is not finite".to_owned()
        } else if min >= max {
            format!("has the bounds {from} and {to}; the first must be less than the second")
        } else if start < min || start > max {
            format!("starts at {at}, outside its bounds {from} and {to}")
        } else if let Some(bound) = far {
            let bound = number_text(bound);
            format!("has the bound {bound}; bounds are from -{greatest} to {greatest}")
        } else if step <= 0.0 {
            format!("has the step {width}, which must be greater than 0")
        } else if step < LEAST_SIZE {
            format!("has the step {width}, too small; a step is at least {LEAST_SIZE:e}")
        } else if step < (max - min) * LEAST_STEP || min + step == min || max - step == max {
            format!(
                "has the step {width}, too small for its range from {from} to {to}; a step is at least {LEAST_STEP:e} of it"
            )
        } else if step > max - min {
            format!("has the step {width}, larger than its range from {from} to {to}")
        } else if let Some(number) = broken.filter(|_| self.integer) {
            let number = number_text(number);
            format!("is an integer, but {number} is not; a parameter with fractions has the type `float`")
        } else {
            match self.r_end {
                Some(r_end) if !(r_end.is_finite() && r_end > 0.0) => {
                    format!("has the r_end {}, which must be greater than 0", number_text(r_end))
                }
                Some(r_end) if !(LEAST_RATE..=GREATEST).contains(&r_end) => {
                    let shown = number_text(r_end);
                    format!("has the r_end {shown}; it is from {LEAST_RATE:e} to {greatest}")
                }
                _ => return Ok(()),
            }
        };
        Err(wrong)
    }

    /// From 0 to 100 in steps of 5, at the start 50.
    #[cfg(test)]
    pub(crate) fn example() -> Self {
        Self {
            name: "x".to_owned(),
            place: Place::Policy,
            integer: false,
            start: 50.0,
            min: 0.0,
            max: 100.0,
            step: 5.0,
            r_end: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter() -> Parameter {
        Parameter {
            integer: true,
            ..Parameter::example()
        }
    }

    #[test]
    fn playable_values_are_whole_and_within_bounds() {
        let mut random = Random::new(0, 0);
        for value in [-3.0, 0.2, 40.7, 99.9, 130.0] {
            let played = parameter().playable(value, &mut random);
            assert!((0.0..=100.0).contains(&played) && played.fract() == 0.0);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = |change: fn(&mut Parameter)| {
            let mut parameter = parameter();
            change(&mut parameter);
            parameter.check().unwrap_err()
        };
        assert!(parameter().check().is_ok());
        assert!(wrong(|p| p.min = 100.0).contains("bounds 100 and 100"));
        assert!(wrong(|p| p.start = 101.0).contains("outside"));
        assert!(wrong(|p| p.step = 0.0).contains("step 0"));
        assert!(wrong(|p| p.start = 0.5).contains("0.5"));
        assert!(wrong(|p| p.max = f64::NAN).contains("finite"));
        assert!(wrong(|p| p.r_end = Some(-1.0)).contains("r_end -1"));
        assert!(wrong(|p| p.r_end = Some(1e-200)).contains("r_end 1e-200"));
        assert!(wrong(|p| p.step = 1e-20).contains("step 1e-20, too small for its range from 0 to 100"));
        // The square of this step is 0, although its range is as small.
        let square = |p: &mut Parameter| (p.start, p.max, p.step) = (0.0, 1e-199, 1e-200);
        assert!(wrong(square).contains("step 1e-200, too small; a step is at least 1e-100"));
        assert!(wrong(|p| p.step = 101.0).contains("larger than its range"));
        assert!(wrong(|p| p.max = 1e308).contains("bound 1e308"));
        // Rounding loses this step in a sum, although the range is small.
        let lost = |p: &mut Parameter| (p.min, p.start, p.max, p.step) = (1e15 - 2.0, 1e15 - 2.0, 1e15, 1e-2);
        assert!(wrong(lost).contains("too small"));
        assert!(wrong(|p| p.start = 0.5).contains("has the type `float`"));
    }
}
