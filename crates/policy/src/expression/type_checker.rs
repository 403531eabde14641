//! The type checker: resolves names, and makes typed trees of their parts.

use std::sync::Arc;

use lmrlab_host::runtime::Expression;
use lmrlab_host::runtime::arithmetic::Binary;
use lmrlab_host::runtime::expression::Size;

use super::advice;
use super::function::{self, Function};
use super::lexer::Place;
use super::list::{self, MAX_ELEMENTS};
use super::parser::{Argument, Operand, Parser};
use super::scope::Let;
use super::typed_tree::Typed;
use crate::complaint::wrong;
use crate::facts::{Fact, Kind};
use crate::parameter::DeclaredParameter;

/// How many nodes of subexpressions and of elements of lists an expression may copy.
const MAX_COPIES: usize = 16_384;

/// How high the tree of an expression may be, with what it copies. One that copies nothing is never so high: its parts have
/// at most 256 levels, and each of at most 64 nested calls adds 6 for its arguments.
const MAX_HEIGHT: usize = 800;

impl<'t> Parser<'t> {
    /// The operand as a number; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn number(&mut self, operand: Operand, place: &str) -> Option<Expression> {
        let (found, span) = (operand.value?, operand.span);
        let kind = found.kind();
        let help = match found {
            Typed::Number(number) => return Some(number),
            Typed::Boolean(_) => format!("write `if({}, 1, 0)` to make it a number", self.piece(&span)),
            Typed::List(_) => "`dot(a, b)` makes a number of two lists, and `at(list, x)` reads an element".to_owned(),
        };
        self.wrong_kind(&span, place, (Kind::Number.name(), kind), &help)
    }

    /// The operand as a boolean; `None` when it is not one, or has a mistake. `place` names the place in messages.
    pub(crate) fn boolean(&mut self, operand: Operand, place: &str) -> Option<Expression> {
        let (found, span) = (operand.value?, operand.span);
        let kind = found.kind();
        let help = match found {
            Typed::Boolean(boolean) => return Some(boolean),
            Typed::Number(_) => format!("compare it, as in `{} > 0`", self.piece(&span)),
            Typed::List(_) => "a list is no condition; `at(list, x)` reads an element as a number".to_owned(),
        };
        self.wrong_kind(&span, place, (Kind::Boolean.name(), kind), &help)
    }

    /// The operand as a list; `None` when it is not one, or has a mistake. `place` names the place in messages.
    fn list(&mut self, operand: Operand, place: &str) -> Option<Vec<Typed>> {
        match operand.value? {
            Typed::List(elements) => Some(elements),
            found => {
                let help = "a list is written `[a, b, c]`, or it is a parameter with `value = [1, 2, 3]`";
                self.wrong_kind(&operand.span, place, ("a list", found.kind()), help)
            }
        }
    }

    /// Reports a mistake: without a label or help where that is empty.
    pub(super) fn refuse<T>(&mut self, message: impl Into<String>, span: &Place, label: &str, help: &str) -> Option<T> {
        self.problems.push(wrong(message, span.clone(), label, help));
        None
    }

    fn wrong_kind<T>(&mut self, span: &Place, place: &str, (wanted, found): (&str, &str), help: &str) -> Option<T> {
        let message = format!("{place} must be {wanted}, not {found}");
        self.refuse(message, span, &format!("this is {found}"), help)
    }

    /// Whether a tree is low enough; reports a tree that is too high.
    pub(super) fn is_low(&mut self, size: Size, span: &Place) -> bool {
        if size.height <= MAX_HEIGHT {
            return true;
        }
        let message = format!("with its subexpressions this is nested more than {MAX_HEIGHT} levels deep");
        self.refuse(message, span, "", "split it into rules").unwrap_or(false)
    }

    /// Notes that nodes are copied; `None` when these are too many.
    fn copy(&mut self, nodes: usize, span: &Place) -> Option<()> {
        let before = self.copies;
        self.copies = self.copies.saturating_add(nodes);
        if self.copies <= MAX_COPIES {
            return Some(());
        }
        if before > MAX_COPIES {
            return None;
        }
        let message = format!("with its subexpressions this has more than {MAX_COPIES} parts");
        let help = "each mention of a name in `[let]` is a copy of its expression: mention it less often";
        self.refuse(message, span, "one too many is copied here", help)
    }

    /// The text of an expression, shortened so that it fits a message.
    fn piece(&self, span: &Place) -> &'t str {
        let piece = self.text.get(span.clone()).unwrap_or_default();
        if piece.len() <= 40 && !piece.contains('\n') {
            piece
        } else {
            "..."
        }
    }

    pub(super) fn element(&mut self, operand: Operand) -> Option<Typed> {
        match operand.value? {
            Typed::List(_) => {
                let kinds = ("a number or a boolean", "a list");
                self.wrong_kind(
                    &operand.span,
                    "an element of a list",
                    kinds,
                    "name its elements one by one",
                )
            }
            element => Some(element),
        }
    }

    /// An element of a list with a name.
    pub(super) fn cell_of(&mut self, name: &str, name_span: &Place, index: usize, span: &Place) -> Option<Typed> {
        let found = self.name(name, name_span)?;
        let kind = found.kind();
        let Typed::List(mut elements) = found else {
            let message = format!("`{name}` is {kind} and has no elements");
            return self.refuse(message, span, "only a list has elements", "");
        };
        if index < elements.len() {
            return Some(elements.swap_remove(index));
        }
        let label = format!("its elements are 0 to {}", elements.len().saturating_sub(1));
        self.refuse(format!("`{name}` has no element {index}"), span, &label, "")
    }

    /// A comparison of two operands.
    pub(super) fn compared(&mut self, sign: Binary, left: Operand, right: Operand, span: &Place) -> Option<Typed> {
        let is_equality = matches!(sign, Binary::Equal | Binary::NotEqual);
        let piece = |operand: &Operand| self.piece(&operand.span);
        let (left_piece, right_piece) = (piece(&left), piece(&right));
        match (left.value?, right.value?) {
            (Typed::Boolean(_), Typed::Boolean(_)) if !is_equality => {
                let message = format!("`{}` compares numbers", sign.name());
                let help = "booleans are compared with `==` and `!=`";
                self.refuse(message, span, "both sides are booleans", help)
            }
            (Typed::Number(left), Typed::Number(right)) | (Typed::Boolean(left), Typed::Boolean(right)) => {
                Some(Typed::Boolean(Expression::binary(sign, left, right)))
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
                self.refuse(message, span, "", &help)
            }
        }
    }

    pub(super) fn name(&mut self, name: &str, span: &Place) -> Option<Typed> {
        let scope = self.scope;
        if let Some(parameter) = scope.parameters.iter().find(|parameter| parameter.name == name) {
            return Some(parameter_of(parameter));
        }
        if let Some((index, named)) = (scope.lets.iter().enumerate()).find(|(_, named)| named.name == name) {
            return self.subexpression(index, named, span);
        }
        if let Some(fact) = scope.own.named(name).or(Fact::named(name)) {
            self.facts.push((fact, span.clone()));
            return Some(Typed::of(fact.info().kind, Expression::Fact(fact)));
        }
        self.problems.push(match function::named(name) {
            Some(info) => {
                let message = format!("`{name}` is a function and needs its arguments");
                wrong(message, span.clone(), "", &format!("write `{}`", info.usage))
            }
            None => advice::unknown_name(name, span, scope),
        });
        None
    }

    /// A copy of a subexpression.
    fn subexpression(&mut self, index: usize, named: &Let, span: &Place) -> Option<Typed> {
        self.lets.push(index);
        self.lets.extend(&named.lets);
        let value = named.value.as_ref()?;
        self.facts.extend(value.facts().iter().map(|fact| (fact, span.clone())));
        self.copy(value.size().nodes, span)?;
        Some(value.clone())
    }

    /// A call of a function.
    pub(super) fn called(&mut self, called: (&str, &Place), arguments: Vec<Argument>, span: &Place) -> Option<Typed> {
        let (name, name_span) = called;
        let Some(info) = function::named(name) else {
            self.problems
                .push(advice::unknown_function(name, name_span, self.scope));
            return None;
        };
        if info.function != Function::Steps
            && let Some(argument) = arguments.iter().find(|argument| argument.threshold.is_some())
        {
            let message = format!("`=>` belongs in `steps`, not in `{name}`");
            return self.refuse(message, &argument.value.span, "", "");
        }
        let (counts, wanted) = info.function.arguments();
        if !counts.contains(&arguments.len()) {
            let message = format!("`{name}` takes {wanted}, but has {}", arguments.len());
            return self.refuse(message, span, "", &format!("write `{}`: {}", info.usage, info.meaning));
        }
        let place = match arguments.len() {
            1 => format!("the argument of `{name}`"),
            _ => format!("each argument of `{name}`"),
        };
        if info.function == Function::Steps {
            return self.steps(arguments);
        }
        let mut operands = arguments.into_iter().map(|argument| argument.value);
        match info.function {
            Function::Dot => {
                let left = self.list(operands.next()?, &place);
                let right = self.list(operands.next()?, &place);
                let (left, right) = (left?, right?);
                if left.len() != right.len() {
                    let label = format!("{} elements and {} elements", left.len(), right.len());
                    return self.refuse("the lists of `dot` differ in length", span, &label, "");
                }
                let sum = list::dot(left, right);
                return self.is_low(sum.size(), span).then_some(Typed::Number(sum));
            }
            Function::At => {
                let elements = self.list(operands.next()?, "the first argument of `at`");
                let x = self.number(operands.next()?, "the second argument of `at`");
                return Some(Typed::Number(list::at(elements?, x?)));
            }
            Function::Relu => {
                let operand = operands.next()?;
                return match operand.value? {
                    Typed::Boolean(_) => {
                        let help = format!("write `if({}, 1, 0)`", self.piece(&operand.span));
                        let kinds = ("a number or a list", Kind::Boolean.name());
                        self.wrong_kind(&operand.span, &place, kinds, &help)
                    }
                    value => Some(list::relu(value)),
                };
            }
            Function::Products(count) => {
                let elements = self.list(operands.next()?, &place)?;
                return self.products(&elements, count, name, span);
            }
            Function::If => return self.choice(operands.next()?, operands.next()?, operands.next()?),
            _ => {}
        }
        let numbers: Vec<_> = operands.map(|operand| self.number(operand, &place)).collect();
        if info.function == Function::Table && !self.scope.has_table {
            let message = "`table` is called, but the file has no table";
            let help = "add `table = [[..], [..]]` at the top level, one row for each depth from 0";
            return self.refuse(message, span, "", help);
        }
        let numbers: Vec<_> = numbers.into_iter().collect::<Option<_>>()?;
        Some(Typed::Number(match (info.function, <[_; 2]>::try_from(numbers)) {
            (Function::Binary(operation), Ok([x, y])) => Expression::binary(operation, x, y),
            (Function::Table, Ok(place)) => Expression::Table(Arc::clone(self.scope.grid.as_ref()?), Box::new(place)),
            (Function::Fold(operation), numbers) => pair_up(operation, numbers.map_or_else(|all| all, Vec::from)),
            (Function::Unary(operation), Err(mut x)) => Expression::unary(operation, x.pop()?),
            // The numbers of `clamp`.
            (_, numbers) => {
                let [x, low, high] = numbers.err()?.try_into().ok()?;
                Expression::binary(Binary::Minimum, Expression::binary(Binary::Maximum, x, low), high)
            }
        }))
    }

    /// The products of any `count` elements.
    fn products(&mut self, elements: &[Typed], count: usize, name: &str, span: &Place) -> Option<Typed> {
        let (products, occurrences) = list::count_of_products(elements.len(), count);
        let (found, needed) = match products {
            0 => ("too few".to_owned(), format!("needs at least {count}")),
            1..=MAX_ELEMENTS => {
                let nodes: usize = elements.iter().map(|element| element.size().nodes).sum();
                self.copy(nodes * occurrences, span)?;
                return Some(Typed::List(list::products(elements, count)));
            }
            _ => {
                let found = format!("{products} products");
                (found, format!("may have at most {MAX_ELEMENTS}"))
            }
        };
        let message = format!("a list of {} elements has {found}: `{name}` {needed}", elements.len());
        self.refuse(message, span, "", "")
    }

    fn choice(&mut self, condition: Operand, yes: Operand, no: Operand) -> Option<Typed> {
        let condition = self.boolean(condition, "the condition of `if`");
        let span = yes.span.start..no.span.end;
        match (yes.value?, no.value?) {
            (Typed::Number(yes), Typed::Number(no)) => Some(Typed::Number(Expression::choice(condition?, yes, no))),
            (Typed::Boolean(yes), Typed::Boolean(no)) => Some(Typed::Boolean(Expression::choice(condition?, yes, no))),
            (Typed::List(_), Typed::List(_)) => {
                let help = "choose between the numbers that are made of them";
                self.refuse("`if` has no lists as its outcomes", &span, "two lists", help)
            }
            (yes, no) => {
                let message = "both outcomes of `if` must have the same type";
                self.refuse(message, &span, &format!("{} and {}", yes.kind(), no.kind()), "")
            }
        }
    }

    fn steps(&mut self, arguments: Vec<Argument>) -> Option<Typed> {
        let mut arguments = arguments.into_iter();
        let first = arguments.next()?;
        let before = self.problems.len();
        if first.threshold.is_some() {
            let message = "the first argument of `steps` is a number without `=>`";
            let help = "write `steps(quiet_number, 3 => 1, 7 => 2)`";
            self.refuse::<()>(message, &first.value.span, "", help);
        }
        let x = self.number(first.value, "the first argument of `steps`");
        let steps: Vec<_> = arguments.map(|argument| self.step(argument)).collect();
        let constants = steps
            .iter()
            .flatten()
            .filter_map(|(threshold, _, span)| match threshold {
                Expression::Constant(value) => Some((*value, span)),
                _ => None,
            });
        let constants: Vec<_> = constants.collect();
        for pair in constants.windows(2) {
            if let [(before, _), (after, span)] = pair
                && after <= before
            {
                let message = "the thresholds of `steps` must ascend";
                self.refuse::<()>(message, span, "not above the one before", "");
            }
        }
        let steps = steps
            .into_iter()
            .map(|step| step.map(|(threshold, value, _)| (threshold, value)));
        let steps = Expression::Steps(Box::new(x?), steps.collect::<Option<_>>()?);
        (self.problems.len() == before).then_some(Typed::Number(steps))
    }

    /// The threshold of a step, its value, and the place of the threshold.
    fn step(&mut self, argument: Argument) -> Option<(Expression, Expression, Place)> {
        let Some(threshold) = argument.threshold else {
            let message = "a step needs a threshold and a value";
            let help = "write `threshold => value`, as in `3 => 1`";
            return self.refuse(message, &argument.value.span, "one of the two is missing", help);
        };
        let span = threshold.span.clone();
        let threshold = self.number(threshold, "a threshold of `steps`");
        let facts = threshold.as_ref().map(Expression::facts).unwrap_or_default();
        let scope = self.scope;
        let own = scope
            .own
            .iter()
            .map(|(fact, _)| fact)
            .filter(|fact| facts.contains(*fact));
        if let Some(fact) = facts.iter().chain(own).next() {
            let fact = scope.own.name_of(fact);
            let message = "a threshold of `steps` cannot depend on the move";
            let help = "use numbers and parameters, or write it with `if`";
            self.refuse::<()>(message, &span, &format!("`{fact}` is a fact"), help);
        }
        let value = self.number(argument.value, "the value of a step");
        Some((threshold?, value?, span))
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
