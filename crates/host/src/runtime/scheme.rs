//! A scheme: what a compiled policy says.

use crate::runtime::expression::Expression;
use crate::runtime::facts::{Fact, FactSet, Kind};
use crate::runtime::finish::Finish;
use crate::runtime::research::Research;

/// What a compiled policy says: how to reduce moves, and how to search them again. The default reduces no move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scheme {
    /// The policy's name.
    pub name: String,
    /// The hash of the policy's source and of the overrides with which it was compiled: 64 hexadecimal digits.
    pub hash: String,
    /// The units of the facts.
    pub units: Units,
    /// The facts of an engine's own.
    pub own: OwnFacts,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Which moves are late.
    pub when: Expression,
    /// The reduction before the rules, in plies.
    pub reduce: Expression,
    /// The rules, in the order in which they act.
    pub rules: Vec<Rule>,
    /// How the result becomes whole plies.
    pub finish: Finish,
    /// How a move is searched again.
    pub research: Research,
    /// When the re-search of the ladder `by_score` is a ply deeper.
    pub deeper: Option<Expression>,
    /// When it is a ply shallower.
    pub shallower: Option<Expression>,
}

named! {
    /// The units of the facts that a policy reads.
    #[derive(Default)]
    #[non_exhaustive]
    Units {
        #[default]
        Lmrlab "lmrlab" "Those of [`CATALOGUE`](crate::runtime::facts::CATALOGUE): centipawns, plies. The factors of the engine apply.";
        Host "host" "The engine's: it gives its facts without conversion.";
    }
}

/// The names of facts of an engine's own, in the order of their indices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnFacts {
    /// The flags.
    pub flags: Vec<String>,
    /// The numbers.
    pub numbers: Vec<String>,
}

impl OwnFacts {
    /// The names of a kind.
    pub fn of(&self, kind: Kind) -> &[String] {
        match kind {
            Kind::Boolean => &self.flags,
            Kind::Number => &self.numbers,
        }
    }

    /// The names of a kind, to be changed.
    pub fn of_mut(&mut self, kind: Kind) -> &mut Vec<String> {
        match kind {
            Kind::Boolean => &mut self.flags,
            Kind::Number => &mut self.numbers,
        }
    }

    /// Every fact with its name: flags, then numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Fact, &str)> + Clone {
        [Kind::Boolean, Kind::Number].into_iter().flat_map(|kind| {
            let names = self.of(kind).iter().map(String::as_str);
            Fact::own(kind).iter().copied().zip(names)
        })
    }

    /// The fact with this name.
    pub fn named(&self, name: &str) -> Option<Fact> {
        self.iter().find(|(_, own)| *own == name).map(|(fact, _)| fact)
    }

    /// The name of a fact, of these or of the catalogue.
    pub fn name_of(&self, fact: Fact) -> &str {
        let found = self.iter().find(|(own, _)| *own == fact);
        found.map_or(fact.name(), |(_, name)| name)
    }
}

/// A fact of an engine's own in a list of facts: `flag:NAME` or `number:NAME`.
pub(crate) fn own_word((fact, name): (Fact, &str)) -> String {
    let kind = if fact.is_boolean() { "flag" } else { "number" };
    format!("{kind}:{name}")
}

/// A number with a name and bounds, for sweeps, tuners and UCI options. An element of a list is a parameter, too.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name in expressions; `w[2]` of the third element of the list `w`.
    pub name: String,
    /// Its value now, from `min` to `max`.
    pub value: f64,
    /// Its value in the file.
    pub default: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A change that is worth trying; above 0. A twentieth of the range when the file names none.
    pub step: f64,
}

impl Parameter {
    /// The key of `[param]` that declares it: its name, or the name of its list.
    pub fn key(&self) -> &str {
        self.name.split_once('[').map_or(&self.name, |(list, _)| list)
    }

    /// Whether it is an element of a list.
    pub fn is_element(&self) -> bool {
        self.name.ends_with(']')
    }
}

/// A rule: a named change of the reduction.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Its name, unique in the policy.
    pub name: String,
    /// Whether it is on.
    pub enabled: bool,
    /// Whether it is on in the file.
    pub default: bool,
    /// When it applies.
    pub when: Expression,
    /// The change, and its amount.
    pub effect: Option<(Effect, Expression)>,
    /// The change when the condition does not hold.
    pub otherwise: Option<(Effect, Expression)>,
    /// Upper limit on the reduction so far, after the effect.
    pub cap: Option<Expression>,
    /// Whether later rules are skipped when it applies.
    pub stop: bool,
}

impl Rule {
    /// Its amounts: of the effect, of the other effect, and the cap.
    pub fn amounts(&self) -> impl Iterator<Item = &Expression> {
        let effects = [&self.effect, &self.otherwise].into_iter().flatten();
        effects.map(|(_, amount)| amount).chain(&self.cap)
    }

    /// The facts that it reads.
    pub fn facts(&self) -> FactSet {
        let amounts = self.amounts().map(Expression::facts);
        amounts.fold(self.when.facts(), FactSet::union)
    }

    /// The rule with its expressions changed.
    fn map(&self, change: &dyn Fn(&Expression) -> Expression) -> Self {
        let effect = |effect: &Option<(Effect, Expression)>| {
            let (effect, amount) = effect.as_ref()?;
            Some((*effect, change(amount)))
        };
        Self {
            when: change(&self.when),
            effect: effect(&self.effect),
            otherwise: effect(&self.otherwise),
            cap: self.cap.as_ref().map(change),
            ..self.clone()
        }
    }

    /// Whether both have the same effect. Their names do not count.
    pub fn acts_like(&self, other: &Self) -> bool {
        (&self.when, &self.effect, &self.otherwise, &self.cap, self.stop)
            == (&other.when, &other.effect, &other.otherwise, &other.cap, other.stop)
    }
}

named! {
    /// What a rule does with the reduction so far.
    Effect {
        Add "add" "It adds the amount.";
        Multiply "mul" "It multiplies by the amount.";
        Set "set" "It takes the amount instead.";
    }
}

impl Scheme {
    /// All expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let of_rules = self
            .rules
            .iter()
            .flat_map(|rule| std::iter::once(&rule.when).chain(rule.amounts()));
        let plain = [&self.when, &self.reduce].into_iter();
        plain.chain(&self.deeper).chain(&self.shallower).chain(of_rules)
    }

    /// The scheme for an engine with these facts of its own. A fact that the engine lacks is 0.
    #[must_use]
    pub fn with_own(&self, own: &OwnFacts) -> Self {
        let of_engine = |fact: Fact| {
            let found = own.named(self.own.name_of(fact));
            let found = found.filter(|found| found.is_boolean() == fact.is_boolean());
            found.map_or(Expression::Constant(0.0), Expression::Fact)
        };
        let change = |expression: &Expression| {
            expression.given(&|part| match part {
                Expression::Fact(fact) if fact.is_own() => Some(of_engine(*fact)),
                _ => None,
            })
        };
        Self {
            own: own.clone(),
            ..self.map(&change)
        }
    }

    /// The scheme with its expressions changed.
    pub(crate) fn map(&self, change: &dyn Fn(&Expression) -> Expression) -> Self {
        Self {
            when: change(&self.when),
            reduce: change(&self.reduce),
            rules: self.rules.iter().map(|rule| rule.map(change)).collect(),
            deeper: self.deeper.as_ref().map(change),
            shallower: self.shallower.as_ref().map(change),
            ..self.clone()
        }
    }
}
