//! The type checker: resolves names, and turns a syntax tree into a typed tree.

use std::ops::Range;
use std::sync::Arc;

use super::advice;
use super::arithmetic::{Binary, Comparison, Unary};
use super::function::{self, Function};
use super::parser::{Argument, Node, Syntax, symbol};
use super::problem::Problem;
use super::scope::Scope;
use super::typed_tree::{Boolean, Number};
use crate::facts::{Fact, Kind};

/// Checks one expression.
#[derive(Debug)]
pub(crate) struct Checker<'a> {
    text: &'a str,
    scope: &'a Scope,
    pub(crate) problems: Vec<Problem>,
    /// Which facts were mentioned, and where.
    pub(crate) facts: Vec<(Fact, Range<usize>)>,
    /// Which facts of another engine were mentioned.
    pub(crate) own: Vec<String>,
    /// Which parameters were mentioned.
    pub(crate) parameters: Vec<usize>,
    pub(crate) mentions_table: bool,
}

enum Typed {
    Number(Number),
    Boolean(Boolean),
}

impl Typed {
    fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Boolean(_) => Kind::Boolean,
        }
    }
}

impl<'a> Checker<'a> {
    pub(crate) fn new(text: &'a str, scope: &'a Scope) -> Self {
        Self {
            text,
            scope,
            problems: Vec::new(),
            facts: Vec::new(),
            own: Vec::new(),
            parameters: Vec::new(),
            mentions_table: false,
        }
    }

    /// The expression as a number; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn number(&mut self, syntax: &Syntax, place: &str) -> Option<Number> {
        match self.any(syntax)? {
            Typed::Number(number) => Some(number),
            Typed::Boolean(_) => {
                let problem = self
                    .wrong_kind(syntax, place, Kind::Number)
                    .help(format!("write `if({}, 1, 0)` to make it a number", self.piece(syntax)));
                self.problems.push(problem);
                None
            }
        }
    }

    /// The expression as a boolean; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn boolean(&mut self, syntax: &Syntax, place: &str) -> Option<Boolean> {
        match self.any(syntax)? {
            Typed::Boolean(boolean) => Some(boolean),
            Typed::Number(_) => {
                let problem = self
                    .wrong_kind(syntax, place, Kind::Boolean)
                    .help(format!("compare it, as in `{} > 0`", self.piece(syntax)));
                self.problems.push(problem);
                None
            }
        }
    }

    fn wrong_kind(&self, syntax: &Syntax, place: &str, wanted: Kind) -> Problem {
        let found = match wanted {
            Kind::Number => Kind::Boolean,
            Kind::Boolean => Kind::Number,
        };
        Problem::new(
            format!("{place} must be {}, not {}", wanted.name(), found.name()),
            syntax.span.clone(),
            format!("this is {}", found.name()),
        )
    }

    /// The text of an expression, shortened so that it fits a message.
    fn piece(&self, syntax: &Syntax) -> &'a str {
        let piece = self.text.get(syntax.span.clone()).unwrap_or_default();
        if piece.len() <= 40 && !piece.contains('\n') {
            piece
        } else {
            "..."
        }
    }

    fn any(&mut self, syntax: &Syntax) -> Option<Typed> {
        match &syntax.node {
            Node::Number(value) => Some(Typed::Number(Number::Constant(*value))),
            Node::Boolean(value) => Some(Typed::Boolean(Boolean::Constant(*value))),
            Node::Name(name) => self.name(name, &syntax.span),
            Node::Call {
                name,
                name_span,
                arguments,
            } => self.call(name, name_span, arguments, &syntax.span),
            Node::Negate(operand) => {
                let operand = self.number(operand, "the operand of `-`")?;
                Some(Typed::Number(Number::Unary(Unary::Negate, Box::new(operand))))
            }
            Node::Plus(operand) => self.number(operand, "the operand of `+`").map(Typed::Number),
            Node::Not(operand) => {
                let operand = self.boolean(operand, "the operand of `not`")?;
                Some(Typed::Boolean(Boolean::Not(Box::new(operand))))
            }
            Node::Arithmetic(operation, left, right) => {
                let sign = match operation {
                    Binary::Add => "+",
                    Binary::Subtract => "-",
                    Binary::Multiply => "*",
                    Binary::Divide => "/",
                    _ => "%",
                };
                let left = self.number(left, &format!("the left side of `{sign}`"));
                let right = self.number(right, &format!("the right side of `{sign}`"));
                Some(Typed::Number(Number::Binary(
                    *operation,
                    Box::new(left?),
                    Box::new(right?),
                )))
            }
            Node::And(terms) => self
                .terms(terms, "and")
                .map(|terms| Typed::Boolean(Boolean::And(terms))),
            Node::Or(terms) => self.terms(terms, "or").map(|terms| Typed::Boolean(Boolean::Or(terms))),
            Node::Compare(comparison, left, right) => self.comparison(*comparison, left, right, &syntax.span),
        }
    }

    fn terms(&mut self, terms: &[Syntax], word: &str) -> Option<Vec<Boolean>> {
        let place = format!("each side of `{word}`");
        let checked: Vec<_> = terms.iter().map(|term| self.boolean(term, &place)).collect();
        checked.into_iter().collect()
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        left: &Syntax,
        right: &Syntax,
        span: &Range<usize>,
    ) -> Option<Typed> {
        let (left_piece, right_piece) = (self.piece(left), self.piece(right));
        let left = self.any(left);
        let right = self.any(right);
        match (left?, right?) {
            (Typed::Number(left), Typed::Number(right)) => Some(Typed::Boolean(Boolean::Compare(
                comparison,
                Box::new(left),
                Box::new(right),
            ))),
            (Typed::Boolean(left), Typed::Boolean(right)) => {
                let same = Boolean::Same(Box::new(left), Box::new(right));
                match comparison {
                    Comparison::Equal => Some(Typed::Boolean(same)),
                    Comparison::NotEqual => Some(Typed::Boolean(Boolean::Not(Box::new(same)))),
                    _ => {
                        self.problems.push(
                            Problem::new(
                                format!("`{}` compares numbers", symbol(comparison)),
                                span.clone(),
                                "both sides are booleans",
                            )
                            .help("booleans are compared with `==` and `!=`"),
                        );
                        None
                    }
                }
            }
            (left, right) => {
                let help = if left.kind() == Kind::Boolean {
                    format!("write `{left_piece}` or `not {left_piece}`")
                } else {
                    format!("write `{right_piece}` or `not {right_piece}`")
                };
                self.problems.push(
                    Problem::new(
                        format!("{} cannot be compared with {}", left.kind().name(), right.kind().name()),
                        span.clone(),
                        "",
                    )
                    .help(help),
                );
                None
            }
        }
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Option<Typed> {
        if let Some(index) = self.scope.parameters.iter().position(|p| p == name) {
            self.parameters.push(index);
            return Some(Typed::Number(Number::Parameter(index)));
        }
        if let Some(own) = self.own_fact(name) {
            self.own.push(name.to_owned());
            return Some(own);
        }
        if let Some(fact) = Fact::named(name) {
            self.facts.push((fact, span.clone()));
            return Some(match fact.info().kind {
                Kind::Number => Typed::Number(Number::Fact(fact)),
                Kind::Boolean => Typed::Boolean(Boolean::Fact(fact)),
            });
        }
        let problem = match function::named(name) {
            Some(info) => Problem::new(
                format!("`{name}` is a function and needs its arguments"),
                span.clone(),
                "",
            )
            .help(format!("write `{}`", info.usage)),
            None => advice::unknown_name(name, span, self.scope),
        };
        self.problems.push(problem);
        None
    }

    /// A fact of another engine.
    fn own_fact(&self, name: &str) -> Option<Typed> {
        let place = |names: &[String]| names.iter().position(|own| own == name);
        let own = &self.scope.own;
        let flag = place(&own.flags).map(|index| Typed::Boolean(Boolean::Own(index)));
        flag.or_else(|| place(&own.numbers).map(|index| Typed::Number(Number::Own(index))))
    }

    fn call(
        &mut self,
        name: &str,
        name_span: &Range<usize>,
        arguments: &[Argument],
        span: &Range<usize>,
    ) -> Option<Typed> {
        let Some(info) = function::named(name) else {
            self.problems
                .push(advice::unknown_function(name, name_span, self.scope));
            // The arguments may have mistakes too.
            for argument in arguments {
                self.any(&argument.value);
            }
            return None;
        };
        if info.function != Function::Steps
            && let Some(argument) = arguments.iter().find(|a| a.threshold.is_some())
        {
            self.problems.push(Problem::new(
                format!("`=>` belongs in `steps`, not in `{name}`"),
                argument.value.span.clone(),
                "",
            ));
            return None;
        }
        let values: Vec<&Syntax> = arguments.iter().map(|argument| &argument.value).collect();
        match (info.function, values.as_slice()) {
            (Function::Unary(operation), [x]) => {
                let x = self.number(x, &format!("the argument of `{name}`"))?;
                Some(Typed::Number(Number::Unary(operation, Box::new(x))))
            }
            (Function::Binary(operation), [x, y]) => {
                let (x, y) = self.pair(x, y, name);
                Some(Typed::Number(binary(operation, x?, y?)))
            }
            (Function::Fold(operation), [_, _, ..]) => {
                let place = format!("each argument of `{name}`");
                let numbers: Vec<_> = values.iter().map(|x| self.number(x, &place)).collect();
                let numbers: Option<Vec<_>> = numbers.into_iter().collect();
                Some(Typed::Number(pair_up(operation, numbers?)))
            }
            (Function::Clamp, [x, low, high]) => {
                let place = "each argument of `clamp`";
                let x = self.number(x, place);
                let low = self.number(low, place);
                let high = self.number(high, place);
                Some(Typed::Number(binary(
                    Binary::Minimum,
                    binary(Binary::Maximum, x?, low?),
                    high?,
                )))
            }
            (Function::Table, [row, column]) => {
                self.mentions_table = true;
                let (row, column) = self.pair(row, column, name);
                let Some(grid) = &self.scope.grid else {
                    if self.scope.has_table {
                        return None;
                    }
                    self.problems.push(
                        Problem::new("`table` is called, but the file has no table", span.clone(), "")
                            .help("add `table = [[..], [..]]` at the top level, one row for each depth from 0"),
                    );
                    return None;
                };
                Some(Typed::Number(Number::Table(
                    Arc::clone(grid),
                    Box::new(row?),
                    Box::new(column?),
                )))
            }
            (Function::If, [condition, yes, no]) => self.choice(condition, yes, no),
            (Function::Steps, [_, _, ..]) => self.steps(arguments),
            _ => {
                self.problems.push(advice::wrong_count(info, arguments.len(), span));
                None
            }
        }
    }

    fn pair(&mut self, x: &Syntax, y: &Syntax, name: &str) -> (Option<Number>, Option<Number>) {
        let place = format!("each argument of `{name}`");
        (self.number(x, &place), self.number(y, &place))
    }

    fn choice(&mut self, condition: &Syntax, yes: &Syntax, no: &Syntax) -> Option<Typed> {
        let condition = self.boolean(condition, "the condition of `if`");
        let span = yes.span.start..no.span.end;
        let (yes, no) = (self.any(yes), self.any(no));
        match (yes?, no?) {
            (Typed::Number(yes), Typed::Number(no)) => Some(Typed::Number(Number::If(
                Box::new(condition?),
                Box::new(yes),
                Box::new(no),
            ))),
            (Typed::Boolean(yes), Typed::Boolean(no)) => Some(Typed::Boolean(Boolean::If(
                Box::new(condition?),
                Box::new(yes),
                Box::new(no),
            ))),
            (yes, no) => {
                self.problems.push(Problem::new(
                    "both outcomes of `if` must have the same type",
                    span,
                    format!("{} and {}", yes.kind().name(), no.kind().name()),
                ));
                None
            }
        }
    }

    fn steps(&mut self, arguments: &[Argument]) -> Option<Typed> {
        let (first, rest) = arguments.split_first()?;
        let mut sound = true;
        if first.threshold.is_some() {
            self.problems.push(
                Problem::new(
                    "the first argument of `steps` is a number without `=>`",
                    first.value.span.clone(),
                    "",
                )
                .help("write `steps(quiet_number, 3 => 1, 7 => 2)`"),
            );
            sound = false;
        }
        let x = self.number(&first.value, "the first argument of `steps`");
        let mut steps = Vec::with_capacity(rest.len());
        let mut previous: Option<f64> = None;
        for argument in rest {
            let Some(threshold) = &argument.threshold else {
                self.problems.push(
                    Problem::new(
                        "a step needs a threshold and a value",
                        argument.value.span.clone(),
                        "one of the two is missing",
                    )
                    .help("write `threshold => value`, as in `3 => 1`"),
                );
                sound = false;
                continue;
            };
            let (mentioned, mentioned_own) = (self.facts.len(), self.own.len());
            let checked = self.number(threshold, "a threshold of `steps`");
            let fact = self.facts.get(mentioned).map(|(fact, _)| fact.info().name);
            if let Some(fact) = fact.or(self.own.get(mentioned_own).map(String::as_str)) {
                let problem = Problem::new(
                    "a threshold of `steps` cannot depend on the move",
                    threshold.span.clone(),
                    format!("`{fact}` is a fact"),
                )
                .help("use numbers and parameters, or write it with `if`");
                self.problems.push(problem);
                sound = false;
            }
            if let Some(Number::Constant(value)) = checked {
                if previous.is_some_and(|previous| value <= previous) {
                    self.problems.push(Problem::new(
                        "the thresholds of `steps` must ascend",
                        threshold.span.clone(),
                        "not above the one before",
                    ));
                    sound = false;
                }
                previous = Some(value);
            }
            let value = self.number(&argument.value, "the value of a step");
            match (checked, value) {
                (Some(threshold), Some(value)) => steps.push((threshold, value)),
                _ => sound = false,
            }
        }
        let x = x?;
        sound.then(|| Typed::Number(Number::Steps(Box::new(x), steps)))
    }
}

fn binary(operation: Binary, x: Number, y: Number) -> Number {
    Number::Binary(operation, Box::new(x), Box::new(y))
}

/// One operation over many numbers, as a balanced tree.
fn pair_up(operation: Binary, mut numbers: Vec<Number>) -> Number {
    while numbers.len() > 1 {
        let mut rest = numbers.into_iter();
        let mut paired = Vec::with_capacity(rest.len().div_ceil(2));
        while let Some(x) = rest.next() {
            paired.push(match rest.next() {
                Some(y) => binary(operation, x, y),
                None => x,
            });
        }
        numbers = paired;
    }
    numbers.pop().unwrap_or(Number::Constant(0.0))
}
