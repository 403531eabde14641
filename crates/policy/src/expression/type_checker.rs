//! The type checker: resolves names, and turns a syntax tree into a typed tree.

use std::ops::Range;
use std::sync::Arc;

use super::advice;
use super::arithmetic::{Binary, Comparison, Unary};
use super::function::{self, Function, binary_word};
use super::list;
use super::parser::{Argument, MAX_ELEMENTS, Node, Syntax, symbol};
use super::problem::Problem;
use super::scope::{Let, Scope};
use super::typed_tree::{Boolean, Element, Number, Size, Tree, Typed};
use crate::facts::{Fact, Kind};
use crate::parameter::DeclaredParameter;

/// How many nodes of subexpressions and of elements of lists an expression may copy.
const MAX_COPIES: usize = 16_384;

/// How high the tree of an expression may be, with what it copies. One that copies nothing is never so high: its syntax tree
/// has at most 256 levels, and each of at most 64 nested calls adds 6 for its arguments.
const MAX_HEIGHT: usize = 800;

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
    /// Which parameters and which subexpressions were mentioned, by their places in the scope.
    pub(crate) parameters: Vec<usize>,
    pub(crate) lets: Vec<usize>,
    pub(crate) mentions_table: bool,
    /// The copied nodes.
    copies: usize,
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
            lets: Vec::new(),
            mentions_table: false,
            copies: 0,
        }
    }

    /// The expression as a number; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn number(&mut self, syntax: &Syntax, place: &str) -> Option<Number> {
        let found = self.any(syntax)?;
        let kind = found.kind();
        let help = match found {
            Typed::Number(number) => return Some(number),
            Typed::Boolean(_) => format!("write `if({}, 1, 0)` to make it a number", self.piece(syntax)),
            Typed::List(_) => "`dot(a, b)` makes a number of two lists, and `at(list, x)` reads an element".to_owned(),
        };
        self.wrong_kind(syntax, place, Kind::Number.name(), kind, help);
        None
    }

    /// The expression as a boolean; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn boolean(&mut self, syntax: &Syntax, place: &str) -> Option<Boolean> {
        let found = self.any(syntax)?;
        let kind = found.kind();
        let help = match found {
            Typed::Boolean(boolean) => return Some(boolean),
            Typed::Number(_) => format!("compare it, as in `{} > 0`", self.piece(syntax)),
            Typed::List(_) => "a list is no condition; `at(list, x)` reads an element as a number".to_owned(),
        };
        self.wrong_kind(syntax, place, Kind::Boolean.name(), kind, help);
        None
    }

    /// The expression as a list; `None` when it is not one, or has a mistake. `place` names the place in messages.
    fn list(&mut self, syntax: &Syntax, place: &str) -> Option<Vec<Element>> {
        let found = self.any(syntax)?;
        let kind = found.kind();
        let Typed::List(elements) = found else {
            let help = "a list is written `[a, b, c]`, or it is a parameter with `value = [1, 2, 3]`".to_owned();
            self.wrong_kind(syntax, place, "a list", kind, help);
            return None;
        };
        Some(elements)
    }

    fn wrong_kind(&mut self, syntax: &Syntax, place: &str, wanted: &str, found: &str, help: String) {
        let problem = Problem::new(
            format!("{place} must be {wanted}, not {found}"),
            syntax.span.clone(),
            format!("this is {found}"),
        );
        self.problems.push(problem.help(help));
    }

    /// The value of the whole expression, of whatever type.
    pub(crate) fn value(&mut self, syntax: &Syntax) -> Option<Typed> {
        let value = self.any(syntax)?;
        self.is_low(value.size(), &syntax.span).then_some(value)
    }

    /// Whether a tree is low enough; reports a tree that is too high.
    pub(crate) fn is_low(&mut self, size: Size, span: &Range<usize>) -> bool {
        let low = size.height <= MAX_HEIGHT;
        if !low {
            self.problems.push(
                Problem::new(
                    format!("with its subexpressions this is nested more than {MAX_HEIGHT} levels deep"),
                    span.clone(),
                    "",
                )
                .help("split it into rules"),
            );
        }
        low
    }

    /// Notes that nodes are copied; `None` when these are too many.
    fn copy(&mut self, nodes: usize, span: &Range<usize>) -> Option<()> {
        let before = self.copies;
        self.copies = self.copies.saturating_add(nodes);
        if self.copies <= MAX_COPIES {
            return Some(());
        }
        if before <= MAX_COPIES {
            self.problems.push(
                Problem::new(
                    format!("with its subexpressions this has more than {MAX_COPIES} parts"),
                    span.clone(),
                    "one too many is copied here",
                )
                .help("each mention of a name in `[let]` is a copy of its expression: mention it less often"),
            );
        }
        None
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
            Node::Cell { name, name_span, index } => self.cell(name, name_span, *index, &syntax.span),
            Node::List(elements) => {
                let elements: Vec<_> = elements.iter().map(|element| self.element(element)).collect();
                elements.into_iter().collect::<Option<_>>().map(Typed::List)
            }
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
                let sign = binary_word(*operation);
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

    fn element(&mut self, syntax: &Syntax) -> Option<Element> {
        match self.any(syntax)? {
            Typed::Number(number) => Some(Element::Number(number)),
            Typed::Boolean(boolean) => Some(Element::Boolean(boolean)),
            Typed::List(_) => {
                let help = "name its elements one by one".to_owned();
                self.wrong_kind(syntax, "an element of a list", "a number or a boolean", "a list", help);
                None
            }
        }
    }

    /// An element of a list with a name.
    fn cell(&mut self, name: &str, name_span: &Range<usize>, index: usize, span: &Range<usize>) -> Option<Typed> {
        let found = self.name(name, name_span)?;
        let kind = found.kind();
        let Typed::List(elements) = found else {
            self.problems.push(Problem::new(
                format!("`{name}` is {kind} and has no elements"),
                span.clone(),
                "only a list has elements",
            ));
            return None;
        };
        let length = elements.len();
        match elements.into_iter().nth(index) {
            Some(Element::Number(number)) => Some(Typed::Number(number)),
            Some(Element::Boolean(boolean)) => Some(Typed::Boolean(boolean)),
            None => {
                self.problems.push(Problem::new(
                    format!("`{name}` has no element {index}"),
                    span.clone(),
                    format!("its elements are 0 to {}", length.saturating_sub(1)),
                ));
                None
            }
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
                let help = match (&left, &right) {
                    (Typed::List(_), _) | (_, Typed::List(_)) => {
                        "lists are not compared; their elements may be".to_owned()
                    }
                    (Typed::Boolean(_), _) => format!("write `{left_piece}` or `not {left_piece}`"),
                    _ => format!("write `{right_piece}` or `not {right_piece}`"),
                };
                self.problems.push(
                    Problem::new(
                        format!("{} cannot be compared with {}", left.kind(), right.kind()),
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
        let scope = self.scope;
        if let Some((index, parameter)) = (scope.parameters.iter().enumerate()).find(|(_, p)| p.name == name) {
            self.parameters.push(index);
            return Some(parameter_of(parameter));
        }
        if let Some((index, named)) = (scope.lets.iter().enumerate()).find(|(_, named)| named.name == name) {
            return self.subexpression(index, named, span);
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

    /// A copy of a subexpression.
    fn subexpression(&mut self, index: usize, named: &Let, span: &Range<usize>) -> Option<Typed> {
        self.lets.push(index);
        self.lets.extend(&named.lets);
        self.parameters.extend(&named.parameters);
        self.own.extend(named.own.iter().cloned());
        self.facts.extend(named.facts.iter().map(|fact| (fact, span.clone())));
        self.mentions_table |= named.table;
        let value = named.value.as_ref()?;
        self.copy(value.size().nodes, span)?;
        Some(value.clone())
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
            (Function::Dot, [left, right]) => {
                let place = "each argument of `dot`";
                let (left, right) = (self.list(left, place), self.list(right, place));
                let (left, right) = (left?, right?);
                let lengths = (left.len(), right.len());
                if lengths.0 != lengths.1 {
                    self.problems.push(Problem::new(
                        "the lists of `dot` differ in length",
                        span.clone(),
                        format!("{} elements and {} elements", lengths.0, lengths.1),
                    ));
                    return None;
                }
                let sum = list::dot(left, right);
                self.is_low(sum.size(), span).then_some(Typed::Number(sum))
            }
            (Function::At, [elements, x]) => {
                let elements = self.list(elements, "the first argument of `at`");
                let x = self.number(x, "the second argument of `at`");
                Some(Typed::Number(list::at(elements?, x?)))
            }
            (Function::Relu, [x]) => match self.any(x)? {
                Typed::List(elements) => Some(Typed::List(list::relu_each(elements))),
                Typed::Number(x) => Some(Typed::Number(list::relu(x))),
                Typed::Boolean(_) => {
                    let help = format!("write `if({}, 1, 0)`", self.piece(x));
                    let place = "the argument of `relu`";
                    self.wrong_kind(x, place, "a number or a list", Kind::Boolean.name(), help);
                    None
                }
            },
            (Function::Products(count), [elements]) => {
                let elements = self.list(elements, &format!("the argument of `{name}`"))?;
                self.products(&elements, count, name, span)
            }
            (Function::If, [condition, yes, no]) => self.choice(condition, yes, no),
            (Function::Steps, [_, _, ..]) => self.steps(arguments),
            _ => {
                self.problems.push(advice::wrong_count(info, arguments.len(), span));
                None
            }
        }
    }

    /// The products of any `count` elements.
    fn products(&mut self, elements: &[Element], count: usize, name: &str, span: &Range<usize>) -> Option<Typed> {
        let (products, occurrences) = list::count_of_products(elements.len(), count);
        if products == 0 || products > MAX_ELEMENTS {
            let (found, needed) = match products {
                0 => ("too few".to_owned(), format!("needs at least {count}")),
                products => (
                    format!("{products} products"),
                    format!("may have at most {MAX_ELEMENTS}"),
                ),
            };
            self.problems.push(Problem::new(
                format!("a list of {} elements has {found}: `{name}` {needed}", elements.len()),
                span.clone(),
                "",
            ));
            return None;
        }
        let nodes: usize = elements.iter().map(|element| element.size().nodes).sum();
        self.copy(nodes * occurrences, span)?;
        Some(Typed::List(list::products(elements, count)))
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
            (Typed::List(_), Typed::List(_)) => {
                let problem = Problem::new("`if` has no lists as its outcomes", span, "two lists");
                self.problems
                    .push(problem.help("choose between the numbers that are made of them"));
                None
            }
            (yes, no) => {
                self.problems.push(Problem::new(
                    "both outcomes of `if` must have the same type",
                    span,
                    format!("{} and {}", yes.kind(), no.kind()),
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

/// A parameter: a number, or a list of numbers.
fn parameter_of(parameter: &DeclaredParameter) -> Typed {
    match parameter.elements {
        None => Typed::Number(Number::Parameter(parameter.first)),
        Some(count) => {
            let places = parameter.first..parameter.first + count;
            Typed::List(places.map(|place| Element::Number(Number::Parameter(place))).collect())
        }
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
