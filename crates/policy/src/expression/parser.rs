//! The parser: tokens to a checked expression, in one pass. The grammar is here, the rules of types are in `type_checker.rs`.

use lmrlab_diagnostics::{Diagnostic, Document, Text};
use lmrlab_host::runtime::Expression;
use lmrlab_host::runtime::arithmetic::{Binary, Unary};

use super::lexer::{Place, Placed, Token, tokens};
use super::list::MAX_ELEMENTS;
use super::scope::Scope;
use super::typed_tree::Typed;
use crate::complaint::wrong;
use crate::facts::Fact;

/// How deep parentheses and calls may nest.
const MAX_NESTING: usize = 64;

/// How high an expression may be. Chains such as `a + b + c` grow it by one a term.
const MAX_HEIGHT: usize = 256;

/// How many arguments a call may have.
const MAX_ARGUMENTS: usize = 64;

/// A part of an expression that has been read.
#[derive(Debug)]
pub(crate) struct Operand {
    /// `None` when it has a mistake, which is reported.
    pub(crate) value: Option<Typed>,
    /// Its place in the expression.
    pub(crate) span: Place,
    height: usize,
}

/// An argument of a call: `value`, or `threshold => value` in `steps`.
pub(super) struct Argument {
    pub(super) threshold: Option<Operand>,
    pub(super) value: Operand,
}

/// What an expression says.
pub(crate) struct Reading<T> {
    pub(crate) value: Option<T>,
    /// Which facts were mentioned, and where.
    pub(crate) facts: Vec<(Fact, Place)>,
    /// Which subexpressions were mentioned, by their places in the scope.
    pub(crate) lets: Vec<usize>,
}

/// Reads an expression and reports its mistakes. `wanted` makes the result of its value.
pub(crate) fn read<T>(
    document: &Document,
    text: &Text,
    scope: &Scope,
    wanted: impl FnOnce(&mut Parser<'_>, Operand) -> Option<T>,
) -> Reading<T> {
    let mut parser = Parser {
        text: &text.value,
        tokens: Vec::new(),
        next: 0,
        nesting: 0,
        scope,
        problems: Vec::new(),
        facts: Vec::new(),
        lets: Vec::new(),
        copies: 0,
    };
    let value = parser.whole().and_then(|whole| wanted(&mut parser, whole));
    for mut problem in parser.problems {
        problem.span = problem.span.map(|span| text.place(span));
        document.report(problem);
    }
    Reading {
        value,
        facts: parser.facts,
        lets: parser.lets,
    }
}

/// Reads one expression.
pub(crate) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Placed<'t>>,
    next: usize,
    nesting: usize,
    pub(super) scope: &'t Scope,
    /// The mistakes. Their places count from the start of the expression.
    pub(super) problems: Vec<Diagnostic>,
    pub(super) facts: Vec<(Fact, Place)>,
    pub(super) lets: Vec<usize>,
    /// How many nodes of subexpressions and lists were copied.
    pub(super) copies: usize,
}

type Parsed = Result<Operand, Diagnostic>;

/// What reads a part.
type Read<'t> = fn(&mut Parser<'t>) -> Parsed;

impl<'t> Parser<'t> {
    /// The whole expression; `None` when it is none, for a reason that is reported.
    fn whole(&mut self) -> Option<Operand> {
        if self.text.trim().is_empty() {
            let help = "write a number such as `1`, or a condition such as `depth >= 3 and not capture`";
            return self.refuse("this expression is empty", &(0..self.text.len()), "", help);
        }
        self.tokens = tokens(self.text, &mut self.problems)?;
        let before = self.problems.len();
        let parsed = self.expression();
        match parsed.and_then(|whole| self.expect_end().map(|()| whole)) {
            Ok(whole) => {
                let size = whole.value.as_ref()?.size();
                self.is_low(size, &whole.span).then_some(whole)
            }
            Err(problem) => {
                // What the parts mean is uncertain.
                self.problems.truncate(before);
                self.problems.push(problem);
                (self.facts, self.lets) = Default::default();
                None
            }
        }
    }

    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.next).map_or(Token::End, |placed| placed.token)
    }

    fn place(&self) -> Place {
        let end = self.text.len();
        self.tokens
            .get(self.next)
            .map_or(end..end, |placed| placed.span.clone())
    }

    fn take(&mut self, wanted: Token<'_>) -> bool {
        let found = self.peek() == wanted;
        self.next += usize::from(found);
        found
    }

    /// Takes an operator that is wanted.
    fn operator(&mut self, wanted: impl Fn(Binary) -> bool) -> Option<Binary> {
        let Token::Symbol(sign) = self.peek() else {
            return None;
        };
        let operation = Binary::named(sign).filter(|operation| wanted(*operation))?;
        self.next += 1;
        Some(operation)
    }

    fn expression(&mut self) -> Parsed {
        self.junction("or", Self::conjunction, Expression::Or)
    }

    fn conjunction(&mut self) -> Parsed {
        self.junction("and", Self::negation, Expression::And)
    }

    /// Terms with a word between them.
    fn junction(&mut self, word: &str, operand: Read<'t>, join: fn(Vec<Expression>) -> Expression) -> Parsed {
        let mut last = operand(self)?;
        if self.peek() != Token::Word(word) {
            return Ok(last);
        }
        let (start, mut height) = (last.span.start, last.height);
        let mut terms = Vec::new();
        while self.take(Token::Word(word)) {
            terms.push(std::mem::replace(&mut last, operand(self)?));
            height = height.max(last.height);
        }
        let span = start..last.span.end;
        terms.push(last);
        let place = format!("each side of `{word}`");
        let terms: Vec<_> = terms.into_iter().map(|term| self.boolean(term, &place)).collect();
        let terms: Option<Vec<_>> = terms.into_iter().collect();
        node(height, span, terms.map(|terms| Typed::Boolean(join(terms))))
    }

    fn negation(&mut self) -> Parsed {
        let start = self.place().start;
        if !self.take(Token::Word("not")) {
            return self.comparison();
        }
        let operand = self.nested(Self::negation)?;
        let (height, span) = (operand.height, start..operand.span.end);
        let value = self.boolean(operand, "the operand of `not`");
        node(
            height,
            span,
            value.map(|x| Typed::Boolean(Expression::unary(Unary::Not, x))),
        )
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let Some(comparison) = self.operator(Binary::compares) else {
            return Ok(left);
        };
        let right = self.sum()?;
        if let Some(second) = self.operator(Binary::compares) {
            return Err(self.chained(&left, comparison, &right, second));
        }
        let (height, span) = around(&left, &right);
        let value = self.compared(comparison, left, right, &span);
        node(height, span, value)
    }

    fn chained(&mut self, left: &Operand, first: Binary, middle: &Operand, second: Binary) -> Diagnostic {
        let end = self.sum().map_or(self.place().start, |right| right.span.end);
        let piece = |span: Place| self.text.get(span).unwrap_or_default().trim();
        let (left_text, middle_text) = (piece(left.span.clone()), piece(middle.span.clone()));
        let right = piece(middle.span.end..end).trim_start_matches(['=', '<', '>', '!']);
        let (first, second, right) = (first.name(), second.name(), right.trim());
        let help = format!("write `{left_text} {first} {middle_text} and {middle_text} {second} {right}`");
        let span = left.span.start..end;
        wrong("comparisons cannot be chained", span, "two comparisons in one", &help)
    }

    fn sum(&mut self) -> Parsed {
        self.chain(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Parsed {
        self.chain(&["*", "/", "%"], Self::sign)
    }

    /// Numbers with operators of one strength between them.
    fn chain(&mut self, signs: &[&str], operand: Read<'t>) -> Parsed {
        let mut left = operand(self)?;
        while let Some(operation) = self.operator(|operation| signs.contains(&operation.name())) {
            let sign = operation.name();
            let right = operand(self)?;
            let (height, span) = around(&left, &right);
            let left_number = self.number(left, &format!("the left side of `{sign}`"));
            let right_number = self.number(right, &format!("the right side of `{sign}`"));
            let value = left_number.zip(right_number);
            let value = value.map(|(x, y)| Typed::Number(Expression::binary(operation, x, y)));
            left = node(height, span, value)?;
        }
        Ok(left)
    }

    fn sign(&mut self) -> Parsed {
        let start = self.place().start;
        let Token::Symbol(sign @ ("-" | "+")) = self.peek() else {
            return self.primary();
        };
        self.next += 1;
        let operand = self.nested(Self::sign)?;
        let (height, span) = (operand.height, start..operand.span.end);
        let number = self.number(operand, &format!("the operand of `{sign}`"));
        let value = number.map(|x| match sign {
            "-" => Expression::unary(Unary::Negate, x),
            _ => x,
        });
        node(height, span, value.map(Typed::Number))
    }

    fn primary(&mut self) -> Parsed {
        let span = self.place();
        let token = self.peek();
        self.next += 1;
        let (message, label, help) = match token {
            Token::Number(value) => return leaf(Some(Typed::Number(Expression::Constant(value))), span),
            Token::Word("true") => return leaf(Some(Typed::Boolean(Expression::TRUE)), span),
            Token::Word("false") => return leaf(Some(Typed::Boolean(Expression::FALSE)), span),
            Token::Word(word @ ("and" | "or")) => {
                let message = format!("something is missing before `{word}`");
                (message, "a condition belongs on each side", "")
            }
            Token::Word("not") => {
                let message = "`not` cannot stand here without parentheses".to_owned();
                (message, "", "write `(not ...)`")
            }
            Token::Word(name) if self.take(Token::Symbol("(")) => return self.call(name, span),
            Token::Word(name) if self.take(Token::Symbol("[")) => return self.cell(name, span),
            Token::Word("if") => {
                let help = "a choice is written `if(condition, a, b)`";
                ("`if` is a function".to_owned(), "needs parentheses", help)
            }
            Token::Word(name) => {
                let value = self.name(name, &span);
                return leaf(value, span);
            }
            Token::Symbol("(") => {
                let inner = self.nested(Self::expression)?;
                let end = self.place().end;
                self.close(")", span.clone())?;
                // The place includes the parentheses: messages mark them too.
                let span = span.start..end;
                return Ok(Operand { span, ..inner });
            }
            Token::Symbol("[") => return self.list_of(span),
            Token::End => return Err(self.ended()),
            Token::Symbol(symbol) => {
                let what = match symbol {
                    ")" => "this parenthesis".to_owned(),
                    symbol => format!("`{symbol}`"),
                };
                let message = format!("something is missing before {what}");
                (message, "a value belongs before it", "")
            }
        };
        Err(wrong(message, span, label, help))
    }

    fn call(&mut self, name: &str, name_span: Place) -> Parsed {
        self.enter()?;
        let open = name_span.end..self.place().start;
        let (mut arguments, mut height) = (Vec::new(), 0);
        let mut ended = self.peek() == Token::Symbol(")");
        while !ended {
            let mut value = self.expression()?;
            let mut threshold = None;
            height = height.max(value.height);
            if self.take(Token::Symbol("=>")) {
                threshold = Some(value);
                value = self.expression()?;
                height = height.max(value.height);
            }
            if arguments.len() == MAX_ARGUMENTS {
                let message = format!("`{name}` has more than {MAX_ARGUMENTS} arguments");
                return Err(wrong(message, value.span, "one too many", ""));
            }
            arguments.push(Argument { threshold, value });
            ended = !self.take(Token::Symbol(","));
        }
        let span = name_span.start..self.place().end;
        self.close(")", open)?;
        self.nesting -= 1;
        let value = self.called((name, &name_span), arguments, &span);
        node(height, span, value)
    }

    /// The elements of a list; its bracket is taken.
    fn list_of(&mut self, open: Place) -> Parsed {
        self.enter()?;
        let (mut elements, mut height, mut ended) = (Vec::new(), 0, false);
        while !ended {
            let element = self.expression()?;
            if elements.len() == MAX_ELEMENTS {
                let message = format!("a list has at most {MAX_ELEMENTS} elements");
                return Err(wrong(message, element.span, "one too many", ""));
            }
            height = height.max(element.height);
            elements.push(self.element(element));
            ended = !self.take(Token::Symbol(","));
        }
        let span = open.start..self.place().end;
        self.close("]", open)?;
        self.nesting -= 1;
        let elements: Option<Vec<_>> = elements.into_iter().collect();
        node(height, span, elements.map(Typed::List))
    }

    /// The index of a named list's element; its bracket is taken.
    fn cell(&mut self, name: &str, name_span: Place) -> Parsed {
        let open = name_span.end..self.place().start;
        let first = self.next;
        let index = self.expression()?;
        let span = name_span.start..self.place().end;
        let token = self.tokens.get(first).filter(|_| self.next == first + 1);
        let token = token.map(|placed| placed.token);
        self.close("]", open)?;
        match token {
            Some(Token::Number(value)) if value.fract() == 0.0 && value < MAX_ELEMENTS as f64 => {
                let value = self.cell_of(name, &name_span, value as usize, &span);
                leaf(value, span)
            }
            _ => {
                let message = "the number of an element is written in digits";
                let help = format!("write `{name}[2]`; `at({name}, x)` reads the element whose number is `x`");
                Err(wrong(message, index.span, "counted from 0", &help))
            }
        }
    }

    fn enter(&mut self) -> Result<(), Diagnostic> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("this is nested more than {MAX_NESTING} levels deep");
            return Err(wrong(message, self.place(), "", "split it into rules"));
        }
        Ok(())
    }

    /// A part that is one level deeper.
    fn nested(&mut self, part: Read<'t>) -> Parsed {
        self.enter()?;
        let operand = part(self)?;
        self.nesting -= 1;
        Ok(operand)
    }

    /// Takes the symbol that closes what was opened at `open`.
    fn close(&mut self, symbol: &'static str, open: Place) -> Result<(), Diagnostic> {
        if self.take(Token::Symbol(symbol)) {
            return Ok(());
        }
        Err(match self.peek() {
            Token::End => {
                let bracket = if symbol == ")" { "parenthesis" } else { "bracket" };
                let message = format!("this {bracket} is never closed");
                wrong(message, open, "opened here", &format!("add `{symbol}`"))
            }
            token => misplaced(token, self.place()).help(format!("is a `,`, an operator or a `{symbol}` missing?")),
        })
    }

    fn expect_end(&self) -> Result<(), Diagnostic> {
        let (message, label, help) = match self.peek() {
            Token::End => return Ok(()),
            Token::Symbol(")") => ("this parenthesis closes nothing", "no `(` belongs to it", ""),
            Token::Symbol("]") => ("this bracket closes nothing", "no `[` belongs to it", ""),
            Token::Symbol("=>") => {
                let message = "`=>` stands between a threshold and its value in `steps`, nowhere else";
                (message, "", "the comparison \"at least\" is written `>=`")
            }
            token => return Err(misplaced(token, self.place())),
        };
        Err(wrong(message, self.place(), label, help))
    }

    fn ended(&self) -> Diagnostic {
        let end = self.text.trim_end().len();
        let before = self
            .tokens
            .len()
            .checked_sub(2)
            .and_then(|index| self.tokens.get(index));
        let (place, label) = match before {
            Some(last) => (last.span.clone(), "a value belongs after this"),
            None => (end..end, ""),
        };
        wrong("the expression ends too early", place, label, "")
    }
}

fn misplaced(token: Token<'_>, place: Place) -> Diagnostic {
    let stranger = |name: &str, help: &str| wrong(format!("`{name}` cannot stand here"), place.clone(), "", help);
    match token {
        Token::Word(word @ ("then" | "else" | "if")) => stranger(word, "a choice is written `if(condition, a, b)`"),
        Token::Word("not") => stranger("not", ""),
        Token::Word(_) | Token::Number(_) | Token::Symbol("(" | "[") => {
            let label = "an operator belongs before this";
            wrong("two values stand side by side", place.clone(), label, "")
        }
        Token::Symbol(symbol) => stranger(symbol, ""),
        Token::End => wrong("the expression ends too early", place.clone(), "", ""),
    }
}

fn leaf(value: Option<Typed>, span: Place) -> Parsed {
    let height = 0;
    Ok(Operand { value, span, height })
}

/// A part; its highest part has `height`.
fn node(height: usize, span: Place, value: Option<Typed>) -> Parsed {
    if height >= MAX_HEIGHT {
        let message = "this expression has too many parts in a row";
        return Err(wrong(message, span, "", "split it into rules"));
    }
    let height = height + 1;
    Ok(Operand { value, span, height })
}

/// The height and the place of two parts side by side.
fn around(left: &Operand, right: &Operand) -> (usize, Place) {
    (left.height.max(right.height), left.span.start..right.span.end)
}
