//! An axis: its range, the places of its ticks, and how its values are written.

/// The greatest number on an axis.
const GREATEST: f64 = 1e300;

/// The least width of an axis, as a share of its greatest number. Floating point cannot distinguish ticks that are
/// nearer to each other.
const LEAST_WIDTH: f64 = 1e-9;

/// How the values of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// As they are.
    Plain,
    /// With their sign.
    Signed,
    /// As percent.
    Percent,
}

#[derive(Debug, Clone, PartialEq)]
enum Scale {
    Linear,
    /// Ticks at 1, 2 and 5 times the powers of ten. The range is of the logarithms.
    Logarithmic,
    /// Names at 0, 1, 2 and so on, with half a unit around each.
    Names(Vec<String>),
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit.
    pub name: String,
    scale: Scale,
    range: (f64, f64),
    writing: Writing,
    reversed: bool,
}

impl Axis {
    /// A linear scale for all of these values, with a little room at both ends.
    pub fn linear(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values).unwrap_or((0.0, 1.0));
        let room = if high > low {
            (high - low) * 0.05
        } else {
            low.abs().max(1.0) * 0.5
        };
        Self::exact(name, (low - room, high + room))
    }

    /// The same from zero, for quantities that are not below it.
    pub fn from_zero(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let high = extent(values).map_or(1.0, |(_, high)| high);
        Self::exact(name, (0.0, if high > 0.0 { high * 1.06 } else { 1.0 }))
    }

    /// A linear scale with these ends. They are moved apart when they are too near for ticks, and limited to the
    /// numbers that pictures show.
    pub fn exact(name: impl Into<String>, (low, high): (f64, f64)) -> Self {
        let shown = |end: f64| {
            if end.is_nan() {
                0.0
            } else {
                end.clamp(-GREATEST, GREATEST)
            }
        };
        let (low, high) = (shown(low), shown(high));
        let least = low.abs().max(high.abs()).max(f64::MIN_POSITIVE / LEAST_WIDTH) * LEAST_WIDTH;
        let range = if high - low >= least {
            (low, high)
        } else {
            (low - least, low + least)
        };
        Self {
            name: name.into(),
            scale: Scale::Linear,
            range,
            writing: Writing::Plain,
            reversed: false,
        }
    }

    /// Values above zero on a logarithmic scale.
    pub fn logarithmic(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let logarithms = values.into_iter().filter(|value| *value > 0.0).map(f64::log10);
        let (low, high) = extent(logarithms).unwrap_or((0.0, 1.0));
        let room = ((high - low) * 0.06).max(0.05);
        Self {
            scale: Scale::Logarithmic,
            ..Self::exact(name, (low - room, high + room))
        }
    }

    /// Names, at 0, 1, 2 and so on.
    pub fn names(name: impl Into<String>, names: Vec<String>) -> Self {
        let end = names.len().max(1) as f64 - 0.5;
        Self {
            scale: Scale::Names(names),
            ..Self::exact(name, (-0.5, end))
        }
    }

    /// The axis with its values written in this way.
    pub fn written(self, writing: Writing) -> Self {
        Self { writing, ..self }
    }

    /// The axis with its low end where the high one was.
    pub fn reversed(self) -> Self {
        Self { reversed: true, ..self }
    }

    /// Whether it has names instead of values.
    pub(super) fn is_of_names(&self) -> bool {
        matches!(self.scale, Scale::Names(_))
    }

    /// The least and the greatest value.
    pub fn range(&self) -> (f64, f64) {
        match self.scale {
            Scale::Logarithmic => (10_f64.powf(self.range.0), 10_f64.powf(self.range.1)),
            _ => self.range,
        }
    }

    /// Where a value is along the axis, from 0 to 1; a value beyond an end is at this end.
    pub(super) fn share(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Logarithmic => value.max(f64::MIN_POSITIVE).log10(),
            _ => value,
        };
        let (low, high) = self.range;
        // What is no number is at the low end.
        let share = ((value.clamp(low, high) - low) / (high - low)).max(0.0);
        if self.reversed { 1.0 - share } else { share }
    }

    /// The ticks, approximately `about` of them.
    pub(super) fn ticks(&self, about: usize) -> Vec<f64> {
        let (low, high) = self.range;
        match &self.scale {
            Scale::Linear => round_values(low, high, about),
            // A place without a name is room for words.
            Scale::Names(names) => {
                let places = names.iter().enumerate().filter(|(_, name)| !name.is_empty());
                places.map(|(index, _)| index as f64).collect()
            }
            Scale::Logarithmic => {
                let decades = low.floor() as i32..=high.ceil() as i32;
                let steps: &[f64] = match high - low {
                    wide if wide > 2.5 => &[1.0],
                    wide if wide > 1.0 => &[1.0, 2.0, 5.0],
                    _ => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
                };
                decades
                    .flat_map(|decade| steps.iter().map(move |step| step * 10_f64.powi(decade)))
                    .filter(|value| (low..=high).contains(&value.log10()))
                    .collect()
            }
        }
    }

    /// The text of a value at a tick or beside a point.
    pub fn text(&self, value: f64) -> String {
        if let Scale::Names(names) = &self.scale {
            let index = value.round();
            let at = (index >= 0.0).then(|| names.get(index as usize)).flatten();
            return at.cloned().unwrap_or_default();
        }
        let (value, width) = match self.writing {
            Writing::Percent => (value * 100.0, (self.range.1 - self.range.0) * 100.0),
            _ => (value, self.range.1 - self.range.0),
        };
        let decimals = match self.scale {
            // Small values have two digits.
            Scale::Logarithmic => (1.0 - value.log10().floor()).clamp(0.0, 6.0) as usize,
            _ => (1.0 - (width / 2.0).log10().floor()).clamp(0.0, 6.0) as usize,
        };
        let text = grouped(value, decimals);
        match self.writing {
            Writing::Plain => text,
            Writing::Signed if value > 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9')) => {
                format!("+{text}")
            }
            Writing::Signed => text,
            Writing::Percent => format!("{text}%"),
        }
    }
}

/// The multiples of a round number in a range: at most `about` of them, as many as can be.
fn round_values(low: f64, high: f64, about: usize) -> Vec<f64> {
    let power = (high - low).log10().floor() as i32;
    let steps = (power - 3..=power + 1).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let of_step = |step: f64| ((low / step).ceil(), (high / step).floor(), step);
    let mut steps = steps
        .map(of_step)
        .filter(|(first, last, _)| last - first + 1.0 <= about as f64);
    let (first, last, step) = steps.next().unwrap_or((0.0, 0.0, 0.0));
    (0..=(last - first) as usize)
        .map(|index| (first + index as f64) * step)
        .collect()
}

/// The least and the greatest of the values that are finite.
fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

/// A number with commas between groups of three digits, without trailing zeros.
/// Very large ones are in scientific notation.
pub fn grouped(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e15 {
        return format!("{value:.2e}");
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let rest = rest.trim_end_matches('0');
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !rest.is_empty() {
        grouped.push('.');
        grouped.push_str(rest);
    }
    let zero = grouped.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !zero {
        format!("-{grouped}")
    } else {
        grouped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(1_234_567.0, 0), "1,234,567");
        assert_eq!(grouped(-0.5, 2), "-0.5");
        assert_eq!(grouped(-0.001, 1), "0");
        assert_eq!(grouped(999.96, 1), "1,000");
    }

    #[test]
    fn ticks_and_their_texts() {
        let elo = Axis::linear("Elo", [-40.0, 38.0]).written(Writing::Signed);
        let texts: Vec<String> = elo.ticks(6).iter().map(|tick| elo.text(*tick)).collect();
        assert_eq!(texts, ["-40", "-20", "0", "+20", "+40"]);
        let names = Axis::names("rule", ["", "checks", "late"].map(str::to_owned).to_vec());
        assert_eq!(names.ticks(6), [1.0, 2.0]);
        let nodes = Axis::logarithmic("nodes", [900.0, 52_000.0]);
        let texts: Vec<String> = nodes.ticks(6).iter().map(|tick| nodes.text(*tick)).collect();
        assert_eq!(texts, ["1,000", "2,000", "5,000", "10,000", "20,000", "50,000"]);
        let share = Axis::exact("share", (0.0, 1.0)).written(Writing::Percent);
        assert_eq!(share.text(0.25), "25%");
    }

    proptest! {
        #[test]
        fn every_axis_has_a_width_and_a_few_ticks_with_short_texts(
            one in prop::num::f64::ANY,
            other in prop::num::f64::ANY,
        ) {
            for axis in [
                Axis::exact("x", (one, other)),
                Axis::linear("x", [one, other]),
                Axis::from_zero("x", [one, other]),
                Axis::logarithmic("x", [one, other]),
            ] {
                let (low, high) = axis.range;
                prop_assert!(low < high && (high - low).is_finite(), "{:?}", axis);
                let ticks = axis.ticks(10);
                prop_assert!(ticks.len() < 1_000, "{:?}: {}", axis, ticks.len());
                for tick in ticks {
                    prop_assert!(axis.text(tick).len() < 60, "{:?}: {}", axis, axis.text(tick));
                }
            }
        }
    }

    #[test]
    fn an_axis_of_nothing_or_of_one_value_has_a_width() {
        for axis in [
            Axis::linear("x", []),
            Axis::linear("x", [5.0, 5.0]),
            Axis::linear("x", [f64::NAN, f64::INFINITY]),
            Axis::from_zero("x", [0.0]),
            Axis::logarithmic("x", [7.0]),
        ] {
            let (low, high) = axis.range();
            assert!(low < high, "{axis:?}");
        }
    }
}
