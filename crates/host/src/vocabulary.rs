//! The facts that an engine fills: those of the catalogue with their units, and its own.

use std::fmt;

use crate::runtime::facts::{CATALOGUE, Fact, FactSet, Kind, MOST_OWN};
use crate::runtime::nearest::nearest;
use crate::runtime::number::number;
use crate::runtime::own_word;
use crate::runtime::reader::{MAX_NAME, is_own_name};
use crate::runtime::{Factors, OwnFacts};

/// The facts that an engine fills.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Vocabulary {
    /// Own ones included.
    pub(crate) filled: FactSet,
    /// Factors that turn the engine's numbers into lmrlab's units.
    pub(crate) factors: Factors,
    pub(crate) own: OwnFacts,
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

impl Vocabulary {
    /// Reads a list such as `pv depth see*100/208 flag:threatened number:nodes_share`. The factor of `score` applies to
    /// the scores of a depth change; the engine does not fill `score` itself. Without one it is that of `alpha`.
    pub(crate) fn read(list: &str) -> Result<Self, FactsError> {
        let mut vocabulary = Self::default();
        for word in list.split_ascii_whitespace() {
            vocabulary.add(word).map_err(FactsError)?;
        }
        // The engine does not fill it: it is in the list for its factor.
        if !vocabulary.filled.contains(Fact::Score) {
            vocabulary.factors.set(Fact::Score, vocabulary.factors.of(Fact::Alpha));
        }
        vocabulary.filled.remove(Fact::Score);
        Ok(vocabulary)
    }

    fn add(&mut self, word: &str) -> Result<(), String> {
        let (name, factor) = match word.split_once('*') {
            Some((name, factor)) => (name, Some(factor)),
            None => (word, None),
        };
        let own = (name.strip_prefix("flag:").map(|name| (Kind::Boolean, name)))
            .or_else(|| name.strip_prefix("number:").map(|name| (Kind::Number, name)));
        let (name, fact) = match own {
            None => (name, catalogued(name, factor.is_some())?),
            Some((kind, name)) => match self.own.named(name) {
                Some(listed) => (name, listed),
                None => (name, self.add_own(kind, name)?),
            },
        };
        ensure! { !self.filled.contains(fact), "`{name}` is listed twice; leave one out" }
        if let Some(factor) = factor {
            ensure! { !fact.is_boolean(), "the boolean `{name}` has no factor; write `{name}`" }
            let value = read_factor(factor).ok_or_else(|| {
                let examples = format!("`{name}*0.5` or `{name}*100/208`");
                format!(
                    "`{factor}` is no factor for `{name}`; write a number or a fraction other than 0, as in {examples}"
                )
            });
            self.factors.set(fact, value?);
        }
        self.filled.insert(fact);
        Ok(())
    }

    /// Adds the name of a fact of the engine's own.
    fn add_own(&mut self, kind: Kind, name: &str) -> Result<Fact, String> {
        let names = self.own.of_mut(kind);
        names.push(own_name(name)?);
        let fact = Fact::own(kind).get(names.len() - 1).copied();
        fact.ok_or_else(|| {
            let kind = if kind == Kind::Boolean { "flags" } else { "numbers" };
            format!("more than {MOST_OWN} {kind} of the engine's own")
        })
    }

    /// The facts as the list has them, without factors: those of the catalogue in its order, then those of the engine's own.
    pub(crate) fn words(&self) -> Vec<String> {
        let kinds = [Kind::Boolean, Kind::Number].into_iter();
        let catalogue = kinds.flat_map(|kind| self.of_catalogue(kind));
        let catalogue = catalogue.map(|fact| fact.name().to_owned());
        catalogue.chain(self.own.iter().map(own_word)).collect()
    }

    /// The facts of the catalogue of a kind that are filled, in its order.
    pub(crate) fn of_catalogue(&self, kind: Kind) -> impl Iterator<Item = Fact> {
        let filled = self.filled.iter();
        filled.filter(move |fact| fact.info().kind == kind)
    }

    /// The same; then those of the engine's own.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = Fact> {
        let own = self.own.iter().map(|(fact, _)| fact);
        self.of_catalogue(kind)
            .chain(own.filter(move |fact| fact.info().kind == kind))
    }
}

/// The fact of the catalogue with this name, which an engine can fill.
fn catalogued(name: &str, has_factor: bool) -> Result<Fact, String> {
    let Some(fact) = Fact::named(name) else {
        let advice = match nearest(name, CATALOGUE.iter().map(|info| info.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a fact of your own is `flag:NAME` or `number:NAME`".to_owned(),
        };
        return Err(format!("lmrlab knows no fact `{name}`; {advice}"));
    };
    let is_filled = !fact.is_given() || (fact == Fact::Score && has_factor);
    ensure! { is_filled, "`{name}` is not filled: a call gives it; leave it out of the list" }
    Ok(fact)
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
fn own_name(name: &str) -> Result<String, String> {
    let help = "no name of the catalogue or of a function";
    let letters = format!("up to {MAX_NAME} letters, digits and `_`, a letter first, and {help}");
    ensure! { is_own_name(name), "`{name}` cannot be the name of a fact; use {letters}" }
    Ok(name.to_owned())
}
