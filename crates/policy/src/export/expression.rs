//! Writes expressions in C, in Rust, and in the words of the policy language.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::helper::Helper;
use super::history_bound::{self, HistoryBound};
use super::lookup::{Lookup, constant, is_costly, one_small_fact};
use super::names::{Names, fields};
use super::span::Span;
use super::{Language, is_of_this_engine, words};
use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::parser::symbol;
use crate::expression::typed_tree::{Boolean, Grid, Number};
use crate::facts::{Fact, FactSet, Kind};
use crate::history::History;
use crate::own_facts::OwnFacts;
use crate::parameter::Parameter;

/// Whether a fact is no field of the struct but a parameter of the functions that read it.
pub(super) fn is_parameter(fact: Fact) -> bool {
    fact.is_of_research() || is_of_this_engine(fact)
}

/// The exported code bounds a sum or a product that may be greater than this, so that it cannot overflow. Below this,
/// rounding cannot make it overflow.
const SAFE: f64 = 1e300;

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
    pub(super) span: Span,
}

impl Piece {
    fn new(text: impl Into<String>, binding: Binding, span: Span) -> Self {
        Self {
            text: text.into(),
            binding,
            span,
        }
    }

    /// A variable.
    pub(super) fn variable(name: &str, span: Span) -> Self {
        Self::new(name, Binding::Name, span)
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

/// Writes the expressions of one file, and notes what they need.
#[derive(Debug)]
pub(super) struct Writer<'p> {
    pub(super) language: Language,
    pub(super) names: Names,
    parameters: &'p [Parameter],
    values: Vec<f64>,
    history: Option<&'p History>,
    /// The fields for the flags and for the numbers that the policy's `[host]` declares.
    own: [Vec<String>; 2],
    /// The names of the parameters' constants; empty until one is used.
    pub(super) constants: Vec<String>,
    /// The parameters that are constants of the file.
    pub(super) used: BTreeSet<usize>,
    /// The facts that the function reads in any way.
    pub(super) read: FactSet,
    /// The numbers that it reads as floats.
    floats: FactSet,
    /// The names of the bounds of histories.
    pub(super) bounds: BTreeMap<HistoryBound, String>,
    pub(super) helpers: BTreeSet<Helper>,
    pub(super) lookups: Vec<Lookup>,
    /// The policy's own table, and the names of the function that reads it and of itself.
    pub(super) grid: Option<(Arc<Grid>, String, String)>,
    /// Lines that must stand before the statement that is being written.
    pub(super) before: Vec<String>,
    steps: usize,
    /// The bounds of the reduction so far.
    pub(super) so_far: Span,
}

impl<'p> Writer<'p> {
    pub(super) fn new(
        language: Language,
        policy: &str,
        parameters: &'p [Parameter],
        history: Option<&'p History>,
        own: &OwnFacts,
    ) -> Self {
        let mut taken = own.flags.iter().chain(&own.numbers).cloned().collect();
        let mut names = Names::new(language, policy);
        Self {
            language,
            constants: parameters
                .iter()
                .map(|parameter| names.constant(&parameter.name))
                .collect(),
            names,
            parameters,
            own: [&own.flags, &own.numbers].map(|names| fields(names, &mut taken)),
            values: parameters.iter().map(|parameter| parameter.value).collect(),
            history,
            used: BTreeSet::new(),
            read: FactSet::default(),
            floats: FactSet::default(),
            bounds: BTreeMap::new(),
            helpers: BTreeSet::new(),
            lookups: Vec::new(),
            grid: None,
            before: Vec::new(),
            steps: 0,
            so_far: Span::ANY,
        }
    }

    /// A field of the struct of facts.
    pub(super) fn field(&self, fact: Fact) -> String {
        let name = fact.info().name;
        match self.language {
            _ if is_parameter(fact) => name.to_owned(),
            Language::C => format!("facts->{name}"),
            Language::Rust => format!("facts.{name}"),
        }
    }

    /// The field for a fact that the policy's `[host]` declares.
    pub(super) fn own_field(&self, kind: Kind, index: usize) -> &str {
        let [flags, numbers] = &self.own;
        let fields = if kind == Kind::Boolean { flags } else { numbers };
        fields.get(index).map_or("", String::as_str)
    }

    /// Reads a fact that the policy's `[host]` declares. A number may be any finite one.
    fn own(&mut self, kind: Kind, index: usize) -> Piece {
        self.read.insert_own(kind, index);
        let arrow = if self.language == Language::C { "->" } else { "." };
        Piece::variable(&format!("facts{arrow}{}", self.own_field(kind, index)), Span::ANY)
    }

    /// The values that a number may have.
    pub(super) fn range(&self, fact: Fact) -> Span {
        let span = match (fact, self.history) {
            (Fact::SoFar, _) => self.so_far,
            (Fact::History, Some(history)) => Span::of_range(&history.model.range()),
            _ => fact.range().map_or(Span::ANY, |range| Span::of_range(&range)),
        };
        match history_bound::bounds(fact, self.history) {
            // The engine's number is scaled.
            Some(_) => Span { whole: false, ..span },
            None => span,
        }
    }

    /// Starts a function: nothing is read yet.
    pub(super) fn start_function(&mut self) {
        (self.read, self.floats) = (FactSet::default(), FactSet::default());
        self.steps = 0;
    }

    /// Calls a helper.
    pub(super) fn call(&mut self, helper: Helper, arguments: &[&str]) -> String {
        self.note(helper);
        format!("{}({})", self.names.with_prefix(helper.name()), arguments.join(", "))
    }

    fn note(&mut self, helper: Helper) {
        self.helpers.insert(helper);
        for called in helper.calls() {
            self.note(*called);
        }
    }

    /// The result of an operation that may overflow.
    fn bounded(&mut self, piece: Piece) -> Piece {
        if piece.span.greatest() <= SAFE {
            return piece;
        }
        let text = self.call(Helper::Bounded, &[&piece.text]);
        Piece::new(text, Binding::Name, piece.span)
    }

    pub(super) fn number(&mut self, number: &Number) -> Piece {
        if is_costly(number)
            && let Some(piece) = self.looked_up(number)
        {
            return piece;
        }
        match number {
            Number::Constant(value) => float(*value),
            Number::Fact(fact) => {
                self.read.insert(*fact);
                self.floats.insert(*fact);
                self.note_bounds(*fact);
                Piece::new(fact.info().name, Binding::Name, self.range(*fact))
            }
            Number::Parameter(index) => self.parameter(*index),
            Number::Own(index) => self.own(Kind::Number, *index),
            Number::Unary(operation, x) => self.unary(*operation, x),
            Number::Binary(operation, x, y) => {
                let (x, y) = (self.number(x), self.number(y));
                self.binary(*operation, &x, &y)
            }
            Number::If(condition, yes, no) => {
                let (condition, yes, no) = (self.boolean(condition), self.number(yes), self.number(no));
                self.choice(&condition, &yes, &no)
            }
            Number::Steps(x, steps) => self.steps(x, steps),
            Number::Table(grid, row, column) => {
                let (row, column) = (self.number(row), self.number(column));
                if self.grid.is_none() {
                    let function = self.names.function("table");
                    self.grid = Some((Arc::clone(grid), function, self.names.constant("cells")));
                }
                let function = self.grid.as_ref().map_or("", |(_, function, _)| function);
                let cells = grid.cells().iter().map(|cell| Span::of(*cell));
                Piece::new(
                    format!("{function}({}, {})", row.text, column.text),
                    Binding::Name,
                    cells.reduce(Span::or).unwrap_or(Span::ANY),
                )
            }
        }
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

    /// The history table that the policy declares.
    pub(super) fn history(&self) -> Option<&'p History> {
        self.history
    }

    /// The constant of a bound.
    pub(super) fn bound(&self, bound: HistoryBound) -> String {
        self.bounds.get(&bound).cloned().unwrap_or_default()
    }

    fn parameter(&mut self, index: usize) -> Piece {
        self.used.insert(index);
        let span = self.parameters.get(index).map_or(Span::ANY, |parameter| {
            // A user who changes the constant stays between its bounds.
            Span::between(parameter.min, parameter.max, false)
        });
        let name = self.constants.get(index).cloned().unwrap_or_default();
        Piece::new(name, Binding::Name, span)
    }

    /// A logarithm or the like, from a table or as a constant.
    fn looked_up(&mut self, number: &Number) -> Option<Piece> {
        let folded = number.fold(&self.values);
        let mut facts = FactSet::default();
        folded.collect_facts(&mut facts);
        if facts == FactSet::default() {
            return Some(float(constant(&folded)));
        }
        let (fact, range) = one_small_fact(&folded)?;
        self.read.insert(fact);
        let words = words::number(&folded, Some(fact));
        let same = |lookup: &Lookup| lookup.words == words && lookup.range == range;
        let place = match self.lookups.iter().position(same) {
            Some(place) => place,
            None => {
                let wanted = match &folded {
                    Number::Unary(Unary::SquareRoot, _) => "sqrt",
                    Number::Unary(Unary::NaturalLogarithm, _) => "ln",
                    Number::Unary(Unary::BinaryLogarithm, _) => "log2",
                    Number::Unary(..) => "exp",
                    _ => "pow",
                };
                let (name, table) = (
                    self.names.function(wanted),
                    self.names.constant(&format!("{wanted}_table")),
                );
                self.lookups.push(Lookup::new(&folded, range, words, name, table));
                self.lookups.len() - 1
            }
        };
        let lookup = self.lookups.get(place)?;
        let text = format!("{}({})", lookup.name, self.field(fact));
        Some(Piece::new(text, Binding::Name, lookup.span()))
    }

    fn unary(&mut self, operation: Unary, x: &Number) -> Piece {
        let x = self.number(x);
        let rounded = |by: f64| Span::between(x.span.low - by, x.span.high + by, true);
        let positive = |high: f64| Span::between(0.0, high, false);
        let (helper, span) = match operation {
            Unary::Negate => {
                return Piece::new(format!("-{}", x.at(Binding::Name)), Binding::Sign, x.span.negated());
            }
            Unary::Absolute => (Helper::Absolute, Span::between(0.0, x.span.greatest(), x.span.whole)),
            Unary::Floor => (Helper::Floor, rounded(1.0)),
            Unary::Ceil => (Helper::Ceil, rounded(1.0)),
            Unary::Round => (Helper::Round, rounded(1.0)),
            Unary::Truncate => (Helper::Truncate, rounded(1.0)),
            Unary::SquareRoot => (Helper::SquareRoot, positive(1.0 + x.span.greatest())),
            Unary::NaturalLogarithm => (Helper::NaturalLogarithm, Span::between(-1e4, 1e4, false)),
            Unary::BinaryLogarithm => (Helper::BinaryLogarithm, Span::between(-1e4, 1e4, false)),
            Unary::Exponential => (Helper::Exponential, positive(f64::MAX)),
        };
        Piece::new(self.call(helper, &[&x.text]), Binding::Name, span)
    }

    pub(super) fn binary(&mut self, operation: Binary, x: &Piece, y: &Piece) -> Piece {
        let plain = |sign: &str, binding: Binding, next: Binding, span: Span| {
            Piece::new(format!("{} {sign} {}", x.at(binding), y.at(next)), binding, span)
        };
        let helper = match operation {
            Binary::Add => {
                let sum = plain("+", Binding::Sum, Binding::Product, x.span.plus(y.span));
                return self.bounded(sum);
            }
            Binary::Subtract => {
                let difference = plain("-", Binding::Sum, Binding::Product, x.span.plus(y.span.negated()));
                return self.bounded(difference);
            }
            Binary::Multiply => {
                let product = plain("*", Binding::Product, Binding::Sign, x.span.times(y.span));
                return self.bounded(product);
            }
            Binary::Divide if !y.span.has_zero() => {
                let quotient = plain("/", Binding::Product, Binding::Sign, x.span.over(y.span));
                return self.bounded(quotient);
            }
            Binary::Divide => Helper::Divide,
            Binary::Remainder => Helper::Remainder,
            Binary::Minimum => Helper::Minimum,
            Binary::Maximum => Helper::Maximum,
            Binary::Power => Helper::Power,
        };
        let span = match operation {
            Binary::Minimum => Span::between(
                x.span.low.min(y.span.low),
                x.span.high.min(y.span.high),
                x.span.whole && y.span.whole,
            ),
            Binary::Maximum => Span::between(
                x.span.low.max(y.span.low),
                x.span.high.max(y.span.high),
                x.span.whole && y.span.whole,
            ),
            Binary::Divide => x.span.over(y.span),
            Binary::Remainder => Span::between(-x.span.greatest(), x.span.greatest(), x.span.whole && y.span.whole),
            _ => Span::ANY,
        };
        Piece::new(self.call(helper, &[&x.text, &y.text]), Binding::Name, span)
    }

    fn choice(&self, condition: &Piece, yes: &Piece, no: &Piece) -> Piece {
        let text = match self.language {
            Language::C => format!(
                "{} ? {} : {}",
                condition.at(Binding::Or),
                yes.at(Binding::Or),
                no.at(Binding::Choice)
            ),
            Language::Rust => format!("if {} {{ {} }} else {{ {} }}", condition.text, yes.text, no.text),
        };
        Piece::new(text, Binding::Choice, yes.span.or(no.span))
    }

    fn steps(&mut self, x: &Number, steps: &[(Number, Number)]) -> Piece {
        let mut x = self.number(x);
        if x.binding != Binding::Name || x.text.contains('(') {
            // It is compared with each threshold.
            self.steps += 1;
            let name = format!("step_{}", self.steps);
            let keyword = self.float_keyword();
            self.before.push(format!("{keyword} {name} = {};", x.text));
            x = Piece::new(name, Binding::Name, x.span);
        }
        let mut result = float(0.0);
        for (threshold, value) in steps {
            let (threshold, value) = (self.number(threshold), self.number(value));
            let condition = Piece::new(
                format!("{} >= {}", x.at(Binding::Sum), threshold.at(Binding::Sum)),
                Binding::Comparison,
                Span::ANY,
            );
            result = self.choice(&condition, &value, &result);
        }
        result
    }

    /// The words before the name of a constant float in a function.
    pub(super) fn float_keyword(&self) -> &'static str {
        match self.language {
            Language::C => "const double",
            Language::Rust => "let",
        }
    }

    pub(super) fn boolean(&mut self, boolean: &Boolean) -> Piece {
        let piece = |text: String, binding| Piece::new(text, binding, Span::ANY);
        match boolean {
            Boolean::Constant(value) => piece(value.to_string(), Binding::Name),
            Boolean::Fact(fact) => {
                self.read.insert(*fact);
                piece(self.field(*fact), Binding::Name)
            }
            Boolean::Own(index) => self.own(Kind::Boolean, *index),
            Boolean::Not(x) => {
                let x = self.boolean(x);
                piece(format!("!{}", x.at(Binding::Name)), Binding::Sign)
            }
            Boolean::And(terms) => piece(self.terms(terms, "&&", Binding::Comparison), Binding::And),
            // A compiler warns about `&&` in `||` without parentheses.
            Boolean::Or(terms) => piece(self.terms(terms, "||", Binding::Comparison), Binding::Or),
            Boolean::Compare(comparison, x, y) => {
                let (x, y) = (self.number(x), self.number(y));
                let sign = symbol(*comparison);
                piece(
                    format!("{} {sign} {}", x.at(Binding::Sum), y.at(Binding::Sum)),
                    Binding::Comparison,
                )
            }
            Boolean::Same(x, y) => {
                let (x, y) = (self.boolean(x), self.boolean(y));
                piece(
                    format!("{} == {}", x.at(Binding::Name), y.at(Binding::Name)),
                    Binding::Comparison,
                )
            }
            Boolean::If(condition, yes, no) => {
                let (condition, yes, no) = (self.boolean(condition), self.boolean(yes), self.boolean(no));
                self.choice(&condition, &yes, &no)
            }
        }
    }

    fn terms(&mut self, terms: &[Boolean], sign: &str, binding: Binding) -> String {
        let terms: Vec<String> = terms.iter().map(|term| self.boolean(term).at(binding)).collect();
        terms.join(&format!(" {sign} "))
    }

    /// The factor from the scale of the engine's history to lmrlab's, as an operand of a product; `None` for other facts.
    fn scale(&self, fact: Fact) -> Option<String> {
        let (first, other) = history_bound::bounds(fact, self.history)?;
        let factor = |bound: HistoryBound| format!("{} / {}", literal(f64::from(bound.value())), self.bound(bound));
        let first = factor(first);
        let quiet = self.field(Fact::Quiet);
        Some(match (other.map(factor), self.language) {
            (None, _) => format!("({first})"),
            (Some(other), Language::C) => format!("({quiet} ? {first} : {other})"),
            (Some(other), Language::Rust) => format!("if {quiet} {{ {first} }} else {{ {other} }}"),
        })
    }

    /// Lines that make floats of the numbers that the function reads, in the catalogue's order.
    pub(super) fn locals(&self) -> Vec<String> {
        let (language, keyword) = (self.language, self.float_keyword());
        let is_local = |fact: &Fact| {
            let is_float = is_of_this_engine(*fact) || (fact.is_of_research() && language == Language::C);
            fact.info().kind == Kind::Number && !is_float && !fact.is_of_rules()
        };
        let line = |fact: Fact| {
            let (name, field) = (fact.info().name, self.field(fact));
            let value = match language {
                Language::C => field,
                Language::Rust => format!("f64::from({field})"),
            };
            let scale = self.scale(fact).map_or(String::new(), |scale| format!(" * {scale}"));
            format!("{keyword} {name} = {value}{scale};")
        };
        self.floats.iter().filter(is_local).map(line).collect()
    }
}

fn float(value: f64) -> Piece {
    let binding = if value.is_sign_negative() {
        Binding::Sign
    } else {
        Binding::Name
    };
    Piece::new(literal(value), binding, Span::of(value))
}

/// A number as both languages write it, to the last bit.
pub(super) fn literal(value: f64) -> String {
    format!("{value:?}")
}
