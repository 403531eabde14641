//! The type checker: resolves names, and turns a syntax tree into a typed tree.

use std::ops::Range;
use std::sync::Arc;

use lmrlab_runtime::Expression;
use lmrlab_runtime::arithmetic::{Binary, Unary};
use lmrlab_runtime::expression::Size;

use super::advice;
use super::function::{self, Function};
use super::list;
use super::parser::{Argument, MAX_ELEMENTS, Node, Syntax};
use super::problem::Problem;
use super::scope::{Let, Scope};
use super::typed_tree::Typed;
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
    /// Which subexpressions were mentioned, by their places in the scope.
    pub(crate) lets: Vec<usize>,
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
            lets: Vec::new(),
            copies: 0,
        }
    }

    /// The expression as a number; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn number(&mut self, syntax: &Syntax, place: &str) -> Option<Expression> {
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
    pub(crate) fn boolean(&mut self, syntax: &Syntax, place: &str) -> Option<Expression> {
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
    fn list(&mut self, syntax: &Syntax, place: &str) -> Option<Vec<Typed>> {
        let found = self.any(syntax)?;
        let kind = found.kind();
        let Typed::List(elements) = found else {
            let help = "a list is written `[a, b, c]`, or it is a parameter with `value = [1, 2, 3]`".to_owned();
            self.wrong_kind(syntax, place, "a list", kind, help);
            return None;
        };
        Some(elements)
    }

    /// Reports a mistake; without help where that is empty.
    fn wrong(&mut self, message: impl Into<String>, span: &Range<usize>, label: &str, help: &str) {
        let problem = Problem::new(message, span.clone(), label);
        self.problems
            .push(if help.is_empty() { problem } else { problem.help(help) });
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
            let message = format!("with its subexpressions this is nested more than {MAX_HEIGHT} levels deep");
            self.wrong(message, span, "", "split it into rules");
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
            let message = format!("with its subexpressions this has more than {MAX_COPIES} parts");
            let help = "each mention of a name in `[let]` is a copy of its expression: mention it less often";
            self.wrong(message, span, "one too many is copied here", help);
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
            Node::Number(value) => Some(Typed::Number(Expression::Constant(*value))),
            Node::Boolean(value) => Some(Typed::Boolean(if *value {
                Expression::TRUE
            } else {
                Expression::FALSE
            })),
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
                Some(Typed::Number(Expression::unary(Unary::Negate, operand)))
            }
            Node::Plus(operand) => self.number(operand, "the operand of `+`").map(Typed::Number),
            Node::Not(operand) => {
                let operand = self.boolean(operand, "the operand of `not`")?;
                Some(Typed::Boolean(Expression::unary(Unary::Not, operand)))
            }
            Node::Arithmetic(operation, left, right) => {
                let sign = operation.word();
                let left = self.number(left, &format!("the left side of `{sign}`"));
                let right = self.number(right, &format!("the right side of `{sign}`"));
                Some(Typed::Number(Expression::binary(*operation, left?, right?)))
            }
            Node::And(terms) => Some(Typed::Boolean(Expression::And(self.terms(terms, "and")?))),
            Node::Or(terms) => Some(Typed::Boolean(Expression::Or(self.terms(terms, "or")?))),
            Node::Compare(comparison, left, right) => self.comparison(*comparison, left, right, &syntax.span),
        }
    }

    fn element(&mut self, syntax: &Syntax) -> Option<Typed> {
        let element = self.any(syntax)?;
        if matches!(element, Typed::List(_)) {
            let help = "name its elements one by one".to_owned();
            self.wrong_kind(syntax, "an element of a list", "a number or a boolean", "a list", help);
            return None;
        }
        Some(element)
    }

    /// An element of a list with a name.
    fn cell(&mut self, name: &str, name_span: &Range<usize>, index: usize, span: &Range<usize>) -> Option<Typed> {
        let found = self.name(name, name_span)?;
        let kind = found.kind();
        let Typed::List(elements) = found else {
            let message = format!("`{name}` is {kind} and has no elements");
            self.wrong(message, span, "only a list has elements", "");
            return None;
        };
        let length = elements.len();
        let element = elements.into_iter().nth(index);
        if element.is_none() {
            let message = format!("`{name}` has no element {index}");
            let label = &format!("its elements are 0 to {}", length.saturating_sub(1));
            self.wrong(message, span, label, "");
        }
        element
    }

    fn terms(&mut self, terms: &[Syntax], word: &str) -> Option<Vec<Expression>> {
        let place = format!("each side of `{word}`");
        let checked: Vec<_> = terms.iter().map(|term| self.boolean(term, &place)).collect();
        checked.into_iter().collect()
    }

    fn comparison(&mut self, comparison: Binary, left: &Syntax, right: &Syntax, span: &Range<usize>) -> Option<Typed> {
        let (left_piece, right_piece) = (self.piece(left), self.piece(right));
        let left = self.any(left);
        let right = self.any(right);
        match (left?, right?) {
            (Typed::Boolean(_), Typed::Boolean(_)) if !matches!(comparison, Binary::Equal | Binary::NotEqual) => {
                let message = format!("`{}` compares numbers", comparison.word());
                let problem = Problem::new(message, span.clone(), "both sides are booleans");
                self.problems
                    .push(problem.help("booleans are compared with `==` and `!=`"));
                None
            }
            (Typed::Number(left), Typed::Number(right)) | (Typed::Boolean(left), Typed::Boolean(right)) => {
                Some(Typed::Boolean(Expression::binary(comparison, left, right)))
            }
            (left, right) => {
                let help = match (&left, &right) {
                    (Typed::List(_), _) | (_, Typed::List(_)) => {
                        "lists are not compared; their elements may be".to_owned()
                    }
                    (Typed::Boolean(_), _) => format!("write `{left_piece}` or `not {left_piece}`"),
                    _ => format!("write `{right_piece}` or `not {right_piece}`"),
                };
                let message = format!("{} cannot be compared with {}", left.kind(), right.kind());
                self.wrong(message, span, "", &help);
                None
            }
        }
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Option<Typed> {
        let scope = self.scope;
        if let Some(parameter) = scope.parameters.iter().find(|parameter| parameter.name == name) {
            return Some(parameter_of(parameter));
        }
        if let Some((index, named)) = (scope.lets.iter().enumerate()).find(|(_, named)| named.name == name) {
            return self.subexpression(index, named, span);
        }
        if let Some(own) = self.own_fact(name) {
            return Some(own);
        }
        if let Some(fact) = Fact::named(name) {
            self.facts.push((fact, span.clone()));
            return Some(match fact.info().kind {
                Kind::Number => Typed::Number(Expression::Fact(fact)),
                Kind::Boolean => Typed::Boolean(Expression::Fact(fact)),
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
        let value = named.value.as_ref()?;
        self.facts.extend(value.facts().iter().map(|fact| (fact, span.clone())));
        self.copy(value.size().nodes, span)?;
        Some(value.clone())
    }

    /// A fact of another engine.
    fn own_fact(&self, name: &str) -> Option<Typed> {
        let (kind, index) = self.scope.own.named(name)?;
        let fact = Expression::Own(kind, index);
        Some(match kind {
            Kind::Boolean => Typed::Boolean(fact),
            Kind::Number => Typed::Number(fact),
        })
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
            let message = format!("`=>` belongs in `steps`, not in `{name}`");
            self.wrong(message, &argument.value.span, "", "");
            return None;
        }
        let values: Vec<&Syntax> = arguments.iter().map(|argument| &argument.value).collect();
        match (info.function, values.as_slice()) {
            (Function::Unary(operation), [x]) => {
                let x = self.number(x, &format!("the argument of `{name}`"))?;
                Some(Typed::Number(Expression::unary(operation, x)))
            }
            (Function::Binary(operation), [x, y]) => {
                let (x, y) = self.pair(x, y, name);
                Some(Typed::Number(Expression::binary(operation, x?, y?)))
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
                let raised = Expression::binary(Binary::Maximum, x?, low?);
                Some(Typed::Number(Expression::binary(Binary::Minimum, raised, high?)))
            }
            (Function::Table, [row, column]) => {
                let (row, column) = self.pair(row, column, name);
                let Some(grid) = &self.scope.grid else {
                    if self.scope.has_table {
                        return None;
                    }
                    let message = "`table` is called, but the file has no table";
                    let help = "add `table = [[..], [..]]` at the top level, one row for each depth from 0";
                    self.wrong(message, span, "", help);
                    return None;
                };
                Some(Typed::Number(Expression::Table(
                    Arc::clone(grid),
                    Box::new([row?, column?]),
                )))
            }
            (Function::Dot, [left, right]) => {
                let place = "each argument of `dot`";
                let (left, right) = (self.list(left, place), self.list(right, place));
                let (left, right) = (left?, right?);
                let lengths = (left.len(), right.len());
                if lengths.0 != lengths.1 {
                    let message = "the lists of `dot` differ in length";
                    let label = &format!("{} elements and {} elements", lengths.0, lengths.1);
                    self.wrong(message, span, label, "");
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
                value @ (Typed::List(_) | Typed::Number(_)) => Some(list::relu(value)),
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
                self.problems.push(advice::wrong_count(&info, arguments.len(), span));
                None
            }
        }
    }

    /// The products of any `count` elements.
    fn products(&mut self, elements: &[Typed], count: usize, name: &str, span: &Range<usize>) -> Option<Typed> {
        let (products, occurrences) = list::count_of_products(elements.len(), count);
        if products == 0 || products > MAX_ELEMENTS {
            let (found, needed) = match products {
                0 => ("too few".to_owned(), format!("needs at least {count}")),
                products => (
                    format!("{products} products"),
                    format!("may have at most {MAX_ELEMENTS}"),
                ),
            };
            let message = format!("a list of {} elements has {found}: `{name}` {needed}", elements.len());
            self.wrong(message, span, "", "");
            return None;
        }
        let nodes: usize = elements.iter().map(|element| element.size().nodes).sum();
        self.copy(nodes * occurrences, span)?;
        Some(Typed::List(list::products(elements, count)))
    }

    fn pair(&mut self, x: &Syntax, y: &Syntax, name: &str) -> (Option<Expression>, Option<Expression>) {
        let place = format!("each argument of `{name}`");
        (self.number(x, &place), self.number(y, &place))
    }

    fn choice(&mut self, condition: &Syntax, yes: &Syntax, no: &Syntax) -> Option<Typed> {
        let condition = self.boolean(condition, "the condition of `if`");
        let span = yes.span.start..no.span.end;
        let (yes, no) = (self.any(yes), self.any(no));
        match (yes?, no?) {
            (Typed::Number(yes), Typed::Number(no)) => Some(Typed::Number(Expression::choice(condition?, yes, no))),
            (Typed::Boolean(yes), Typed::Boolean(no)) => Some(Typed::Boolean(Expression::choice(condition?, yes, no))),
            (Typed::List(_), Typed::List(_)) => {
                let problem = Problem::new("`if` has no lists as its outcomes", span, "two lists");
                self.problems
                    .push(problem.help("choose between the numbers that are made of them"));
                None
            }
            (yes, no) => {
                let message = "both outcomes of `if` must have the same type";
                self.wrong(message, &span, &format!("{} and {}", yes.kind(), no.kind()), "");
                None
            }
        }
    }

    fn steps(&mut self, arguments: &[Argument]) -> Option<Typed> {
        let (first, rest) = arguments.split_first()?;
        let mut sound = true;
        if first.threshold.is_some() {
            let message = "the first argument of `steps` is a number without `=>`";
            let help = "write `steps(quiet_number, 3 => 1, 7 => 2)`";
            self.wrong(message, &first.value.span, "", help);
            sound = false;
        }
        let x = self.number(&first.value, "the first argument of `steps`");
        let mut steps = Vec::with_capacity(rest.len());
        let mut previous: Option<f64> = None;
        for argument in rest {
            let Some(threshold) = &argument.threshold else {
                let message = "a step needs a threshold and a value";
                let help = "write `threshold => value`, as in `3 => 1`";
                self.wrong(message, &argument.value.span, "one of the two is missing", help);
                sound = false;
                continue;
            };
            let checked = self.number(threshold, "a threshold of `steps`");
            let facts = checked.as_ref().map(Expression::facts).unwrap_or_default();
            let own = self
                .scope
                .own
                .iter()
                .find(|(kind, index, _)| facts.contains_own(*kind, *index));
            if let Some(fact) = facts.iter().next().map(Fact::name).or(own.map(|(.., name)| name)) {
                let problem = Problem::new(
                    "a threshold of `steps` cannot depend on the move",
                    threshold.span.clone(),
                    format!("`{fact}` is a fact"),
                )
                .help("use numbers and parameters, or write it with `if`");
                self.problems.push(problem);
                sound = false;
            }
            if let Some(Expression::Constant(value)) = checked {
                if previous.is_some_and(|previous| value <= previous) {
                    let message = "the thresholds of `steps` must ascend";
                    self.wrong(message, &threshold.span, "not above the one before", "");
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
        sound.then(|| Typed::Number(Expression::Steps(Box::new(x), steps)))
    }
}

/// A parameter: a number, or a list of numbers.
fn parameter_of(parameter: &DeclaredParameter) -> Typed {
    let number = |place| Typed::Number(Expression::Parameter(place));
    match parameter.elements {
        None => number(parameter.first),
        Some(count) => Typed::List((parameter.first..parameter.first + count).map(number).collect()),
    }
}

/// One operation over many numbers, as a balanced tree.
fn pair_up(operation: Binary, mut numbers: Vec<Expression>) -> Expression {
    while numbers.len() > 1 {
        let mut rest = numbers.into_iter();
        let mut paired = Vec::with_capacity(rest.len().div_ceil(2));
        while let Some(x) = rest.next() {
            paired.push(match rest.next() {
                Some(y) => Expression::binary(operation, x, y),
                None => x,
            });
        }
        numbers = paired;
    }
    numbers.pop().unwrap_or(Expression::FALSE)
}
