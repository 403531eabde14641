//! The searches that a factorial experiment compares.

use std::str::FromStr;
use std::sync::Arc;

use lmrlab_diagnostics::nearest;
use lmrlab_engine::search_parameters::{DECLARATIONS, Declaration, ParameterKind};
use lmrlab_policy::Policy;

use crate::variant::Variant;

/// Switches of a search preset that go on and off together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// The names of the switches with `+` between them.
    pub name: String,
    /// The switches.
    pub switches: Vec<String>,
}

/// Reads `NAME`, or `NAME+NAME` for several.
impl FromStr for Factor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || {
            DECLARATIONS
                .iter()
                .filter(|declaration| declaration.kind == ParameterKind::Switch)
                .map(|declaration| declaration.name)
        };
        let switches: Vec<String> = text
            .split('+')
            .map(|name| {
                Declaration::named(name.trim())
                    .map_or(name.trim(), |d| d.name)
                    .to_owned()
            })
            .collect();
        for name in &switches {
            if !known().any(|switch| switch == name) {
                let advice = match nearest(name, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the switches are: {}", known().collect::<Vec<_>>().join(", ")),
                };
                return Err(format!("the search has no switch `{name}`; {advice}"));
            }
        }
        Ok(Self {
            name: switches.join("+"),
            switches,
        })
    }
}

/// One combination.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Which factors are on: the switches in their order, then the reductions.
    pub on: Vec<bool>,
    /// The search.
    pub variant: Variant,
}

/// All combinations of the factors and of reductions, on or off. The first factor changes fastest, the reductions last; in
/// the last cell everything is on.
pub fn cells(whole: &Variant, factors: &[Factor]) -> Vec<Cell> {
    let count = 1_usize << (factors.len() + 1);
    (0..count)
        .map(|index| {
            let on: Vec<bool> = (0..=factors.len()).map(|factor| index >> factor & 1 == 1).collect();
            let mut preset = (*whole.preset).clone();
            let mut changes = Vec::new();
            for (factor, on) in factors.iter().zip(&on) {
                for switch in &factor.switches {
                    // A factor knows its switches: they can be set.
                    let _ = preset.parameters.set(switch, i32::from(*on));
                    changes.push(format!("{}{switch}", if *on { '+' } else { '-' }));
                }
            }
            let reduces = on.last() == Some(&true);
            let policy = if reduces { whole.name.as_str() } else { "none" };
            Cell {
                on,
                variant: Variant {
                    name: format!("{policy} in {}@{}", whole.preset.name(), changes.join(",")),
                    policy: if reduces {
                        Arc::clone(&whole.policy)
                    } else {
                        Arc::new(Policy::none())
                    },
                    preset: Arc::new(preset),
                    hash_mib: whole.hash_mib,
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_once() {
        let whole = Variant::new("some", Policy::none());
        let factors = ["null_move", "killers+history"].map(|text| text.parse().unwrap());
        let cells = cells(&whole, &factors);
        assert_eq!(cells.len(), 8);
        assert_eq!(cells[1].on, [true, false, false]);
        assert_eq!(cells[7].on, [true, true, true]);
        assert_eq!(cells[2].variant.name, "none in default@-null_move,+killers,+history");
        assert!(cells[4].variant.name.starts_with("some in default@"));
        let parameters = cells[1].variant.preset.parameters;
        assert!(parameters.null_move && !parameters.killers && !parameters.history);
    }

    #[test]
    fn switches_that_are_none_are_refused() {
        let near = "null_mov".parse::<Factor>().unwrap_err();
        assert!(near.contains("did you mean `null_move`?"), "{near}");
        assert!("futility_margin".parse::<Factor>().is_err());
        assert!("killers+".parse::<Factor>().is_err());
    }
}
