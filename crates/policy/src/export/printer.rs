//! Writes expressions in C, in Rust, and in the words of the policy language.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use lmrlab_host::runtime::arithmetic::{Binary, Unary};
use lmrlab_host::runtime::expression::Grid;
use lmrlab_host::runtime::{Expression, Scheme};

use super::helper::{HELPERS, Helper};
use super::history_bound::{self, HistoryBound};
use super::names::{Names, fields};
use super::{Language, is_of_this_engine};
use crate::facts::{Fact, FactSet, Kind};
use crate::history::History;
use crate::policy::Policy;

/// The most values that a fact may have for a table.
const MOST_CELLS: i32 = 512;

/// Whether a fact is no field of the struct but a parameter of the functions that read it.
pub(super) fn is_parameter(fact: Fact) -> bool {
    fact.is_of_research() || is_of_this_engine(fact)
}

/// How tightly an operator binds, from loose to tight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Sign,
    Name,
}

/// A written expression.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    binding: Binding,
}

impl Piece {
    fn new(text: impl Into<String>, binding: Binding) -> Self {
        let text = text.into();
        Self { text, binding }
    }

    /// A variable or a call.
    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::new(name, Binding::Name)
    }

    /// The text, in parentheses if it binds less tightly than `binding`.
    pub(super) fn at(&self, binding: Binding) -> String {
        if self.binding >= binding {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

/// A table of a function of one fact, such as a logarithm.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lookup {
    /// The values that the fact may have.
    pub(super) range: RangeInclusive<i32>,
    pub(super) cells: Vec<f64>,
    /// The function of `x`, in the policy language, with the values of the parameters.
    pub(super) words: String,
    /// The name of the function that looks up, and that of the table.
    pub(super) name: String,
    pub(super) table: String,
}

/// Writes the expressions of one file, and notes what they need.
pub(super) struct Printer<'p> {
    pub(super) language: Language,
    /// The fact that is `x`, when the expression is written in the words of the policy language.
    words: Option<Fact>,
    pub(super) names: Names,
    pub(super) scheme: &'p Scheme,
    pub(super) history: Option<&'p History>,
    values: Vec<f64>,
    /// The facts that the policy's `[host]` declares, each with its field.
    pub(super) own: Vec<(Fact, String)>,
    /// The names of the parameters' constants.
    pub(super) constants: Vec<String>,
    /// The parameters that are constants of the file.
    pub(super) used: BTreeSet<usize>,
    /// The facts that the function reads in any way.
    pub(super) read: FactSet,
    /// The numbers that it reads as floats.
    floats: FactSet,
    /// The names of the bounds of histories.
    pub(super) bounds: BTreeMap<HistoryBound, String>,
    /// The words of the helpers that are called.
    helpers: BTreeSet<&'static str>,
    pub(super) lookups: Vec<Lookup>,
    /// The policy's own table, and the names of the function that reads it and of itself.
    pub(super) grid: Option<(Arc<Grid>, String, String)>,
    /// Lines that must stand before the statement that is being written.
    pub(super) before: Vec<String>,
    steps: usize,
}

impl<'p> Printer<'p> {
    pub(super) fn new(policy: &'p Policy, language: Language) -> Self {
        let own = &policy.scheme().own;
        let mut names = Names::new(language, policy.name());
        let parameters = policy.parameters().iter();
        Self {
            language,
            words: None,
            constants: parameters
                .clone()
                .map(|parameter| names.constant(&parameter.name))
                .collect(),
            names,
            scheme: policy.scheme(),
            own: own.iter().map(|(fact, _)| fact).zip(fields(own)).collect(),
            values: parameters.map(|parameter| parameter.value).collect(),
            history: policy.history(),
            used: BTreeSet::new(),
            read: FactSet::default(),
            floats: FactSet::default(),
            bounds: BTreeMap::new(),
            helpers: BTreeSet::new(),
            lookups: Vec::new(),
            grid: None,
            before: Vec::new(),
            steps: 0,
        }
    }

    /// The helpers that the file calls.
    pub(super) fn helpers(&self) -> impl Iterator<Item = &'static Helper> {
        HELPERS.iter().filter(|helper| self.helpers.contains(helper.word))
    }

    /// A field of the struct of facts.
    pub(super) fn field(&self, fact: Fact) -> String {
        let arrow = self.language.pick("->", ".");
        let own = self.own.iter().find(|(own, _)| *own == fact);
        match is_parameter(fact) {
            true => fact.name().to_owned(),
            false => format!("facts{arrow}{}", own.map_or(fact.name(), |(_, field)| field)),
        }
    }

    /// Whether a divisor is certainly not 0. A user who changes the constant of a parameter stays between its bounds.
    fn is_nonzero(&self, divisor: &Expression) -> bool {
        match divisor {
            Expression::Constant(value) => *value != 0.0,
            Expression::Parameter(index) => {
                let parameter = self.scheme.parameters.get(*index);
                parameter.is_some_and(|known| known.min > 0.0 || known.max < 0.0)
            }
            Expression::If(parts) => parts[1..].iter().all(|part| self.is_nonzero(part)),
            _ => false,
        }
    }

    /// Starts a function: nothing is read yet.
    pub(super) fn start_function(&mut self) {
        (self.read, self.floats) = (FactSet::default(), FactSet::default());
        self.steps = 0;
    }

    /// Calls the helper of an operation.
    pub(super) fn call(&mut self, word: &str, arguments: &[&str]) -> String {
        let arguments = arguments.join(", ");
        let Some(helper) = HELPERS
            .iter()
            .find(|helper| helper.word == word && self.words.is_none())
        else {
            return format!("{word}({arguments})");
        };
        self.helpers.extend([helper.word, helper.calls]);
        format!("{}({arguments})", self.names.with_prefix(helper.name))
    }

    /// Writes a boolean.
    pub(super) fn boolean(&mut self, expression: &Expression) -> Piece {
        match expression {
            Expression::Constant(value) => Piece::name((*value != 0.0).to_string()),
            Expression::If(parts) => {
                let [condition, yes, no] = parts.each_ref().map(|part| self.boolean(part));
                self.choice(&condition, &yes, &no)
            }
            other => self.expression(other),
        }
    }

    /// Writes a number, or a boolean that is no constant and no choice.
    pub(super) fn expression(&mut self, expression: &Expression) -> Piece {
        if is_costly(expression)
            && self.words.is_none()
            && let Some(piece) = self.looked_up(expression)
        {
            return piece;
        }
        match expression {
            Expression::Constant(value) => self.constant(*value),
            Expression::Fact(fact) => self.fact(*fact),
            Expression::Parameter(index) => {
                self.used.insert(*index);
                Piece::name(self.constants.get(*index).cloned().unwrap_or_default())
            }
            Expression::Unary(Unary::Not, x) => {
                let x = self.boolean(x);
                match self.words {
                    Some(_) => Piece::new(format!("not {}", x.at(Binding::Comparison)), Binding::Comparison),
                    None => Piece::new(format!("!{}", x.at(Binding::Name)), Binding::Sign),
                }
            }
            Expression::Unary(operation, x) => {
                let x = self.expression(x);
                self.unary(*operation, &x)
            }
            Expression::Binary(operation, x, y) if operation.compares() => {
                let sign = operation.name();
                let (x, y) = match [x, y].iter().any(|side| side.kind() == Some(Kind::Boolean)) {
                    true => (self.boolean(x).at(Binding::Name), self.boolean(y).at(Binding::Name)),
                    false => (self.expression(x).at(Binding::Sum), self.expression(y).at(Binding::Sum)),
                };
                Piece::new(format!("{x} {sign} {y}"), Binding::Comparison)
            }
            Expression::Binary(operation, x, y) => {
                let is_plain = self.words.is_some() || (*operation == Binary::Divide && self.is_nonzero(y));
                let (x, y) = (self.expression(x), self.expression(y));
                match operation {
                    Binary::Divide | Binary::Remainder if is_plain => {
                        infix(*operation, (Binding::Product, Binding::Sign), &x, &y)
                    }
                    _ => self.binary(*operation, &x, &y),
                }
            }
            Expression::And(terms) => self.junction(terms, ["&&", "and"], Binding::And),
            Expression::Or(terms) => self.junction(terms, ["||", "or"], Binding::Or),
            Expression::If(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, yes, no) = (self.boolean(condition), self.expression(yes), self.expression(no));
                self.choice(&condition, &yes, &no)
            }
            Expression::Steps(x, steps) => self.steps(x, steps),
            Expression::Table(grid, place) => {
                let [row, column] = place.each_ref().map(|part| self.expression(part).text);
                if self.grid.is_none() && self.words.is_none() {
                    let function = self.names.function("table");
                    self.grid = Some((Arc::clone(grid), function, self.names.constant("cells")));
                }
                let function = self.grid.as_ref().map_or("table", |(_, function, _)| function);
                Piece::name(format!("{function}({row}, {column})"))
            }
            _ => Piece::name(""),
        }
    }

    fn constant(&self, value: f64) -> Piece {
        let text = match self.words {
            Some(_) => value.to_string(),
            None => literal(value),
        };
        let binding = if value.is_sign_negative() {
            Binding::Sign
        } else {
            Binding::Name
        };
        Piece::new(text, binding)
    }

    fn fact(&mut self, fact: Fact) -> Piece {
        if self.words == Some(fact) {
            return Piece::name("x");
        }
        self.read.insert(fact);
        if fact.is_boolean() || fact.is_own() {
            return Piece::name(self.field(fact));
        }
        self.floats.insert(fact);
        self.note_bounds(fact);
        Piece::name(fact.name())
    }

    /// Notes the bounds of a history. If quiet moves have a bound of their own, notes that the function reads `quiet`.
    fn note_bounds(&mut self, fact: Fact) {
        let Some((first, other)) = history_bound::bounds(fact, self.history) else {
            return;
        };
        if other.is_some() {
            self.read.insert(Fact::Quiet);
        }
        for bound in [Some(first), other].into_iter().flatten() {
            if !self.bounds.contains_key(&bound) {
                let name = self.names.constant(bound.name());
                self.bounds.insert(bound, name);
            }
        }
    }

    /// The constant of a bound.
    pub(super) fn bound(&self, bound: HistoryBound) -> String {
        self.bounds.get(&bound).cloned().unwrap_or_default()
    }

    /// A logarithm or the like, from a table or as a constant.
    fn looked_up(&mut self, number: &Expression) -> Option<Piece> {
        let folded = number.with_parameters(&self.values);
        if let Expression::Constant(value) = folded {
            return Some(self.constant(value));
        }
        let facts = folded.facts();
        let mut all = facts.iter();
        let (fact, None, false) = (all.next()?, all.next(), facts.has_own()) else {
            return None;
        };
        let range = fact
            .range()
            .filter(|range| range.end() - range.start() < MOST_CELLS && !fact.is_of_rules())?;
        self.read.insert(fact);
        self.words = Some(fact);
        let words = self.expression(&folded).text;
        self.words = None;
        let same = |lookup: &Lookup| lookup.words == words && lookup.range == range;
        let place = match self.lookups.iter().position(same) {
            Some(place) => place,
            None => {
                let wanted = match &folded {
                    Expression::Unary(operation, _) => operation.name(),
                    _ => Binary::Power.name(),
                };
                let cell = |x: i32| {
                    let known = |part: &Expression| {
                        (*part == Expression::Fact(fact)).then_some(Expression::Constant(f64::from(x)))
                    };
                    match folded.given(&known) {
                        Expression::Constant(cell) => cell,
                        _ => 0.0,
                    }
                };
                self.lookups.push(Lookup {
                    cells: range.clone().map(cell).collect(),
                    range,
                    words,
                    name: self.names.function(wanted),
                    table: self.names.constant(&format!("{wanted}_table")),
                });
                self.lookups.len() - 1
            }
        };
        let lookup = self.lookups.get(place)?;
        let text = format!("{}({})", lookup.name, self.field(fact));
        Some(Piece::name(text))
    }

    fn unary(&mut self, operation: Unary, x: &Piece) -> Piece {
        if operation == Unary::Negate {
            return Piece::new(format!("-{}", x.at(Binding::Name)), Binding::Sign);
        }
        Piece::name(self.call(operation.name(), &[&x.text]))
    }

    pub(super) fn binary(&mut self, operation: Binary, x: &Piece, y: &Piece) -> Piece {
        match operation {
            Binary::Add | Binary::Subtract => infix(operation, (Binding::Sum, Binding::Product), x, y),
            Binary::Multiply => infix(operation, (Binding::Product, Binding::Sign), x, y),
            _ => Piece::name(self.call(operation.name(), &[&x.text, &y.text])),
        }
    }

    fn choice(&self, condition: &Piece, yes: &Piece, no: &Piece) -> Piece {
        let text = match (self.words, self.language) {
            (Some(_), _) => format!("if({}, {}, {})", condition.text, yes.text, no.text),
            (None, Language::C) => format!(
                "{} ? {} : {}",
                condition.at(Binding::Or),
                yes.at(Binding::Or),
                no.at(Binding::Choice)
            ),
            (None, Language::Rust) => format!("if {} {{ {} }} else {{ {} }}", condition.text, yes.text, no.text),
        };
        let binding = if self.words.is_some() {
            Binding::Name
        } else {
            Binding::Choice
        };
        Piece::new(text, binding)
    }

    fn steps(&mut self, x: &Expression, steps: &[(Expression, Expression)]) -> Piece {
        let mut x = self.expression(x);
        let steps: Vec<_> = steps
            .iter()
            .map(|(at, value)| (self.expression(at), self.expression(value)))
            .collect();
        if self.words.is_some() {
            let steps = steps
                .iter()
                .map(|(at, value)| format!(", {} => {}", at.text, value.text));
            return Piece::name(format!("steps({}{})", x.text, steps.collect::<String>()));
        }
        if x.binding != Binding::Name || x.text.contains('(') {
            // It is compared with each threshold.
            self.steps += 1;
            let name = format!("step_{}", self.steps);
            self.before
                .push(format!("{} {name} = {};", self.language.constant(), x.text));
            x = Piece::name(name);
        }
        steps.iter().fold(self.constant(0.0), |below, (threshold, value)| {
            let text = format!("{} >= {}", x.at(Binding::Sum), threshold.at(Binding::Sum));
            self.choice(&Piece::new(text, Binding::Comparison), value, &below)
        })
    }

    /// Terms with `&&` or `||` between them. A compiler warns about `&&` in `||` without parentheses.
    fn junction(&mut self, terms: &[Expression], signs: [&str; 2], binding: Binding) -> Piece {
        let sign = signs[usize::from(self.words.is_some())];
        let terms: Vec<String> = terms
            .iter()
            .map(|term| self.boolean(term).at(Binding::Comparison))
            .collect();
        Piece::new(terms.join(&format!(" {sign} ")), binding)
    }

    /// The factor from the scale of the engine's history to lmrlab's, as an operand of a product; `None` for other facts.
    fn scale(&self, fact: Fact) -> Option<String> {
        let (first, other) = history_bound::bounds(fact, self.history)?;
        let factor = |bound: HistoryBound| format!("{} / {}", literal(f64::from(bound.value())), self.bound(bound));
        let first = factor(first);
        let quiet = self.field(Fact::Quiet);
        Some(match other.map(factor) {
            None => format!("({first})"),
            Some(other) => self.language.pick(
                format!("({quiet} ? {first} : {other})"),
                format!("if {quiet} {{ {first} }} else {{ {other} }}"),
            ),
        })
    }

    /// Lines that make floats of the numbers that the function reads, in the catalogue's order.
    pub(super) fn locals(&self) -> Vec<String> {
        let is_local = |fact: &Fact| {
            let is_float = is_of_this_engine(*fact) || (fact.is_of_research() && self.language == Language::C);
            !is_float && !fact.is_of_rules()
        };
        let line = |fact: Fact| {
            let field = self.field(fact);
            let value = self.language.pick(field.clone(), format!("f64::from({field})"));
            let scale = self.scale(fact).map_or(String::new(), |scale| format!(" * {scale}"));
            format!("{} {} = {value}{scale};", self.language.constant(), fact.name())
        };
        self.floats.iter().filter(is_local).map(line).collect()
    }
}

/// An operation between its operands, with how tightly it and its right operand bind.
fn infix(operation: Binary, (binding, right): (Binding, Binding), x: &Piece, y: &Piece) -> Piece {
    Piece::new(
        format!("{} {} {}", x.at(binding), operation.name(), y.at(right)),
        binding,
    )
}

/// Whether an operation costs more than a table lookup.
fn is_costly(number: &Expression) -> bool {
    use Unary::{BinaryLogarithm, Exponential, NaturalLogarithm, SquareRoot};
    matches!(
        number,
        Expression::Unary(SquareRoot | NaturalLogarithm | BinaryLogarithm | Exponential, _)
            | Expression::Binary(Binary::Power, ..)
    )
}

/// A number as both languages write it, to the last bit.
pub(super) fn literal(value: f64) -> String {
    format!("{value:?}")
}
