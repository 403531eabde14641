//! The facts that an engine fills: those of the catalogue with their units, and its own.

use std::fmt;

use crate::catalogue::{FACTS, Fact};
use crate::nearest::nearest;
use crate::number::number;
use crate::values::{MAX_OWN, Place, Places, SLOTS};

/// The most characters of a name.
pub(crate) const MAX_NAME: usize = 64;

/// The facts that an engine fills.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vocabulary {
    /// Their names as the engine lists them, own ones without `flag:` and `number:`.
    pub(crate) names: Vec<(String, Place)>,
    pub(crate) filled: Places,
    /// Factors that turn the engine's numbers into lmrlab's units.
    pub(crate) scales: [f64; SLOTS],
    pub(crate) own_flags: Vec<String>,
    pub(crate) own_numbers: Vec<String>,
}

/// What is wrong in an engine's list of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactsError(String);

impl fmt::Display for FactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FactsError {}

impl Default for Vocabulary {
    /// No facts.
    fn default() -> Self {
        Self {
            names: Vec::new(),
            filled: Places::default(),
            scales: [1.0; SLOTS],
            own_flags: Vec::new(),
            own_numbers: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// Reads a list such as `pv depth see*100/208 flag:threatened number:nodes_share`. The factor of `score` applies to
    /// the scores of a depth change; the engine does not fill `score` itself. Without one it is that of `alpha`.
    pub(crate) fn read(list: &str) -> Result<Self, FactsError> {
        let mut vocabulary = Self::default();
        for word in list.split_ascii_whitespace() {
            vocabulary.add(word)?;
        }
        if let [Place::Slot(score), Place::Slot(alpha)] = [Fact::Score, Fact::Alpha].map(Place::of)
            && !vocabulary.names.iter().any(|(name, _)| name == "score")
        {
            vocabulary.scales[usize::from(score)] = vocabulary.scales[usize::from(alpha)];
        }
        Ok(vocabulary)
    }

    fn add(&mut self, word: &str) -> Result<(), FactsError> {
        let (name, factor) = match word.split_once('*') {
            Some((name, factor)) => (name, Some(factor)),
            None => (word, None),
        };
        let (name, place) = if let Some(name) = name.strip_prefix("flag:") {
            self.own_flags.push(own_name(name)?);
            at_most_own(&self.own_flags, "flags")?;
            (name, Place::own_flag(self.own_flags.len() - 1))
        } else if let Some(name) = name.strip_prefix("number:") {
            self.own_numbers.push(own_name(name)?);
            at_most_own(&self.own_numbers, "numbers")?;
            (name, Place::own_number(self.own_numbers.len() - 1))
        } else {
            let Some(fact) = Fact::named(name) else {
                let names = FACTS.iter().map(|(_, name)| *name);
                let advice = match nearest(name, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "a fact of your own is `flag:NAME` or `number:NAME`".to_owned(),
                };
                return Err(FactsError(format!("lmrlab knows no fact `{name}`; {advice}")));
            };
            if fact.is_given() && (fact != Fact::Score || factor.is_none()) {
                return Err(FactsError(format!(
                    "`{name}` is not filled: a call gives it; leave it out of the list"
                )));
            }
            (name, Place::of(fact))
        };
        if self.names.iter().any(|(known, _)| known == name) {
            return Err(FactsError(format!("`{name}` is listed twice; leave one out")));
        }
        if let Some(factor) = factor {
            let Place::Slot(slot) = place else {
                return Err(FactsError(format!(
                    "the boolean `{name}` has no factor; write `{name}`"
                )));
            };
            let Some(value) = read_factor(factor) else {
                return Err(FactsError(format!(
                    "`{factor}` is no factor for `{name}`; write a number or a fraction other than 0, as in `{name}*0.5` or \
                     `{name}*100/208`"
                )));
            };
            if let Some(scale) = self.scales.get_mut(usize::from(slot)) {
                *scale = value;
            }
        }
        if place != Place::of(Fact::Score) {
            self.filled.insert(place);
        }
        self.names.push((name.to_owned(), place));
        Ok(())
    }

    /// The booleans of the catalogue that are filled, or its numbers, in its order.
    pub(crate) fn of_catalogue(&self, booleans: bool) -> impl Iterator<Item = (&'static str, Place)> {
        let filled = self.filled;
        let facts = FACTS.iter().map(|(fact, name)| (*fact, *name, Place::of(*fact)));
        let facts = facts.filter(move |(fact, _, place)| fact.is_boolean() == booleans && filled.contains(*place));
        facts.map(|(_, name, place)| (name, place))
    }
}

/// A factor: a number other than 0, or a fraction. The factor `b/a` times `a` is `b`; where rounding would give more, it
/// is the last bit less. So a number up to the engine's bound stays within lmrlab's.
fn read_factor(text: &str) -> Option<f64> {
    let factor = match text.split_once('/') {
        None => number(text)?,
        Some((above, below)) => {
            let (above, below) = (number(above)?, number(below)?);
            let quotient = above / below;
            match quotient.is_finite() && (quotient * below).abs() > above.abs() {
                // The next float towards 0.
                true => f64::from_bits(quotient.to_bits() - 1),
                false => quotient,
            }
        }
    };
    (factor.is_finite() && factor != 0.0).then_some(factor)
}

/// Checks the name of a fact of the engine's own.
fn own_name(name: &str) -> Result<String, FactsError> {
    match is_own_name(name) {
        true => Ok(name.to_owned()),
        false => Err(FactsError(format!(
            "`{name}` cannot be the name of a fact; use up to {MAX_NAME} letters, digits and `_`, a letter first, and no \
             name of the catalogue or of a function"
        ))),
    }
}

fn at_most_own(names: &[String], kind: &str) -> Result<(), FactsError> {
    match names.len() <= MAX_OWN {
        true => Ok(()),
        false => Err(FactsError(format!("more than {MAX_OWN} {kind} of the engine's own"))),
    }
}

/// Whether a fact of an engine's own may have this name.
pub(crate) fn is_own_name(name: &str) -> bool {
    is_identifier(name) && Fact::named(name).is_none() && !crate::code::is_word_of_the_language(name)
}

/// Whether a word is the name of a parameter: an identifier, or the element of a list, as in `w[2]`.
pub(crate) fn is_parameter_name(name: &str) -> bool {
    let element = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let (list, index) = element.unwrap_or((name, "0"));
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    name.len() <= MAX_NAME && is_identifier(list) && is_number
}

/// Whether a word is a letter or `_`, then letters, digits and `_`.
pub(crate) fn is_identifier(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
