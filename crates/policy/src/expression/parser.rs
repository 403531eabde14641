//! The parser: tokens to a syntax tree, which has structure and places but no types.

use std::collections::BTreeSet;
use std::ops::Range;

use lmrlab_runtime::arithmetic::Binary;

use super::lexer::{Placed, Token, tokens};
use super::problem::Problem;

/// How deep parentheses and calls may nest.
const MAX_NESTING: usize = 64;

/// How high a syntax tree may be. Chains such as `a + b + c` grow it by one a term.
const MAX_HEIGHT: usize = 256;

/// How many arguments a call may have.
const MAX_ARGUMENTS: usize = 64;

/// How many elements a list may have.
pub(crate) const MAX_ELEMENTS: usize = 128;

/// A node of the tree with its place in the expression.
#[derive(Debug, Clone)]
pub(crate) struct Syntax {
    pub(crate) node: Node,
    pub(crate) span: Range<usize>,
    height: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Node {
    Number(f64),
    Boolean(bool),
    Name(String),
    /// An element of a list that has a name.
    Cell {
        name: String,
        name_span: Range<usize>,
        index: usize,
    },
    List(Vec<Syntax>),
    Call {
        name: String,
        name_span: Range<usize>,
        arguments: Vec<Argument>,
    },
    Negate(Box<Syntax>),
    /// A number with `+` before it, which changes nothing.
    Plus(Box<Syntax>),
    Not(Box<Syntax>),
    Arithmetic(Binary, Box<Syntax>, Box<Syntax>),
    Compare(Binary, Box<Syntax>, Box<Syntax>),
    And(Vec<Syntax>),
    Or(Vec<Syntax>),
}

/// An argument of a call: `value`, or `threshold => value` in `steps`.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) threshold: Option<Syntax>,
    pub(crate) value: Syntax,
}

impl Syntax {
    /// The names of values. Words before parentheses are functions, so they are not among them.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.collect_names(&mut names);
        names
    }

    fn collect_names<'s>(&'s self, names: &mut BTreeSet<&'s str>) {
        match &self.node {
            Node::Number(_) | Node::Boolean(_) => {}
            Node::Name(name) | Node::Cell { name, .. } => {
                names.insert(name);
            }
            Node::Call { arguments, .. } => {
                for argument in arguments {
                    argument.value.collect_names(names);
                    if let Some(threshold) = &argument.threshold {
                        threshold.collect_names(names);
                    }
                }
            }
            Node::Negate(x) | Node::Plus(x) | Node::Not(x) => x.collect_names(names),
            Node::Arithmetic(_, x, y) | Node::Compare(_, x, y) => {
                x.collect_names(names);
                y.collect_names(names);
            }
            Node::And(terms) | Node::Or(terms) | Node::List(terms) => {
                for term in terms {
                    term.collect_names(names);
                }
            }
        }
    }
}

/// Parses `text`; `None` when it is not an expression, for a reason that is added to the problems.
pub(crate) fn parse(text: &str, problems: &mut Vec<Problem>) -> Option<Syntax> {
    if text.trim().is_empty() {
        problems.push(
            Problem::new("this expression is empty", 0..text.len(), "")
                .help("write a number such as `1`, or a condition such as `depth >= 3 and not capture`"),
        );
        return None;
    }
    let tokens = tokens(text, problems)?;
    let mut parser = Parser {
        text,
        tokens: &tokens,
        next: 0,
        nesting: 0,
    };
    let result = parser.expression().and_then(|syntax| {
        parser.expect_end()?;
        Ok(syntax)
    });
    match result {
        Ok(syntax) => Some(syntax),
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Placed<'t>],
    next: usize,
    nesting: usize,
}

type Parsed = Result<Syntax, Problem>;

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.next).map_or(Token::End, |placed| placed.token)
    }

    fn place(&self) -> Range<usize> {
        self.tokens
            .get(self.next)
            .map_or_else(|| self.text.len()..self.text.len(), |placed| placed.span.clone())
    }

    fn take(&mut self, wanted: Token<'_>) -> bool {
        let found = self.peek() == wanted;
        if found {
            self.next += 1;
        }
        found
    }

    fn expression(&mut self) -> Parsed {
        let terms = self.chain("or", Self::conjunction)?;
        many(terms, Node::Or)
    }

    fn conjunction(&mut self) -> Parsed {
        let terms = self.chain("and", Self::negation)?;
        many(terms, Node::And)
    }

    fn chain(&mut self, word: &str, operand: fn(&mut Self) -> Parsed) -> Result<Vec<Syntax>, Problem> {
        let mut terms = vec![operand(self)?];
        while self.take(Token::Word(word)) {
            terms.push(operand(self)?);
        }
        Ok(terms)
    }

    fn negation(&mut self) -> Parsed {
        let start = self.place().start;
        if !self.take(Token::Word("not")) {
            return self.comparison();
        }
        self.enter()?;
        let operand = self.negation()?;
        self.nesting -= 1;
        let span = start..operand.span.end;
        node(operand.height, span, Node::Not(Box::new(operand)))
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let Some(comparison) = comparison(self.peek()) else {
            return Ok(left);
        };
        self.next += 1;
        let right = self.sum()?;
        if let Some(second) = self::comparison(self.peek()) {
            return Err(self.chained(&left, comparison, &right, second));
        }
        let (span, height) = around(&left, &right);
        node(height, span, Node::Compare(comparison, Box::new(left), Box::new(right)))
    }

    fn chained(&mut self, left: &Syntax, first: Binary, middle: &Syntax, second: Binary) -> Problem {
        self.next += 1;
        let end = self.sum().map_or(self.place().start, |right| right.span.end);
        let piece = |span: Range<usize>| self.text.get(span).unwrap_or_default().trim();
        let middle_text = piece(middle.span.clone());
        let right_text = piece(middle.span.end..end)
            .trim_start_matches(['=', '<', '>', '!'])
            .trim();
        Problem::new(
            "comparisons cannot be chained",
            left.span.start..end,
            "two comparisons in one",
        )
        .help(format!(
            "write `{} {} {middle_text} and {middle_text} {} {right_text}`",
            piece(left.span.clone()),
            first.word(),
            second.word(),
        ))
    }

    fn sum(&mut self) -> Parsed {
        let operator = |token: Token<'_>| match token {
            Token::Symbol("+") => Some(Binary::Add),
            Token::Symbol("-") => Some(Binary::Subtract),
            _ => None,
        };
        self.binary(operator, Self::product)
    }

    fn product(&mut self) -> Parsed {
        let operator = |token: Token<'_>| match token {
            Token::Symbol("*") => Some(Binary::Multiply),
            Token::Symbol("/") => Some(Binary::Divide),
            Token::Symbol("%") => Some(Binary::Remainder),
            _ => None,
        };
        self.binary(operator, Self::sign)
    }

    fn binary(&mut self, operator: fn(Token<'_>) -> Option<Binary>, operand: fn(&mut Self) -> Parsed) -> Parsed {
        let mut left = operand(self)?;
        while let Some(operation) = operator(self.peek()) {
            self.next += 1;
            let right = operand(self)?;
            let (span, height) = around(&left, &right);
            left = node(
                height,
                span,
                Node::Arithmetic(operation, Box::new(left), Box::new(right)),
            )?;
        }
        Ok(left)
    }

    fn sign(&mut self) -> Parsed {
        let start = self.place().start;
        let sign = match self.peek() {
            Token::Symbol("-") => Node::Negate,
            Token::Symbol("+") => Node::Plus,
            _ => return self.primary(),
        };
        self.next += 1;
        self.enter()?;
        let operand = self.sign()?;
        self.nesting -= 1;
        let span = start..operand.span.end;
        node(operand.height, span, sign(Box::new(operand)))
    }

    fn primary(&mut self) -> Parsed {
        let span = self.place();
        let token = self.peek();
        self.next += 1;
        match token {
            Token::Number(value) => leaf(Node::Number(value), span),
            Token::Word("true") => leaf(Node::Boolean(true), span),
            Token::Word("false") => leaf(Node::Boolean(false), span),
            Token::Word(word @ ("and" | "or")) => Err(Problem::new(
                format!("something is missing before `{word}`"),
                span,
                "a condition belongs on each side",
            )),
            Token::Word("not") => {
                Err(Problem::new("`not` cannot stand here without parentheses", span, "").help("write `(not ...)`"))
            }
            Token::Word(name) => {
                if self.take(Token::Symbol("(")) {
                    self.call(name, span)
                } else if self.take(Token::Symbol("[")) {
                    self.cell(name, span)
                } else if name == "if" {
                    Err(Problem::new("`if` is a function", span, "needs parentheses")
                        .help("a choice is written `if(condition, a, b)`"))
                } else {
                    leaf(Node::Name(name.to_owned()), span)
                }
            }
            Token::Symbol("(") => {
                self.enter()?;
                let inner = self.expression()?;
                let end = self.place().end;
                self.close(")", span.clone())?;
                self.nesting -= 1;
                // The place includes the parentheses: messages mark them too.
                Ok(Syntax {
                    span: span.start..end,
                    ..inner
                })
            }
            Token::Symbol("[") => self.list(span),
            Token::End => Err(self.ended()),
            Token::Symbol(")") => Err(Problem::new(
                "something is missing before this parenthesis",
                span,
                "a value belongs before it",
            )),
            Token::Symbol(symbol) => Err(Problem::new(
                format!("something is missing before `{symbol}`"),
                span,
                "a value belongs before it",
            )),
        }
    }

    fn call(&mut self, name: &str, name_span: Range<usize>) -> Parsed {
        self.enter()?;
        let open = name_span.end..self.place().start;
        let mut arguments = Vec::new();
        let mut height = 0;
        if self.peek() != Token::Symbol(")") {
            loop {
                let mut value = self.expression()?;
                let mut threshold = None;
                if self.take(Token::Symbol("=>")) {
                    height = height.max(value.height);
                    threshold = Some(value);
                    value = self.expression()?;
                }
                height = height.max(value.height);
                if arguments.len() == MAX_ARGUMENTS {
                    return Err(Problem::new(
                        format!("`{name}` has more than {MAX_ARGUMENTS} arguments"),
                        value.span,
                        "one too many",
                    ));
                }
                arguments.push(Argument { threshold, value });
                if !self.take(Token::Symbol(",")) {
                    break;
                }
            }
        }
        let end = self.place().end;
        self.close(")", open)?;
        self.nesting -= 1;
        node(
            height,
            name_span.start..end,
            Node::Call {
                name: name.to_owned(),
                name_span,
                arguments,
            },
        )
    }

    /// The elements of a list; its bracket is taken.
    fn list(&mut self, open: Range<usize>) -> Parsed {
        self.enter()?;
        let mut elements = Vec::new();
        loop {
            let element = self.expression()?;
            if elements.len() == MAX_ELEMENTS {
                return Err(Problem::new(
                    format!("a list has at most {MAX_ELEMENTS} elements"),
                    element.span,
                    "one too many",
                ));
            }
            elements.push(element);
            if !self.take(Token::Symbol(",")) {
                break;
            }
        }
        let end = self.place().end;
        self.close("]", open.clone())?;
        self.nesting -= 1;
        let height = elements.iter().map(|element| element.height).max().unwrap_or(0);
        node(height, open.start..end, Node::List(elements))
    }

    /// The index of a named list's element; its bracket is taken.
    fn cell(&mut self, name: &str, name_span: Range<usize>) -> Parsed {
        let open = name_span.end..self.place().start;
        let index = self.expression()?;
        let end = self.place().end;
        self.close("]", open)?;
        let whole = match index.node {
            Node::Number(value) if value.fract() == 0.0 && (0.0..MAX_ELEMENTS as f64).contains(&value) => {
                value as usize
            }
            _ => {
                return Err(Problem::new(
                    "the number of an element is written in digits",
                    index.span,
                    "counted from 0",
                )
                .help(format!(
                    "write `{name}[2]`; `at({name}, x)` reads the element whose number is `x`"
                )));
            }
        };
        leaf(
            Node::Cell {
                name: name.to_owned(),
                name_span: name_span.clone(),
                index: whole,
            },
            name_span.start..end,
        )
    }

    fn enter(&mut self) -> Result<(), Problem> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let place = self.place();
            return Err(
                Problem::new(format!("this is nested more than {MAX_NESTING} levels deep"), place, "")
                    .help("split it into rules"),
            );
        }
        Ok(())
    }

    /// Takes the symbol that closes what was opened at `open`.
    fn close(&mut self, symbol: &'static str, open: Range<usize>) -> Result<(), Problem> {
        let place = self.place();
        match self.peek() {
            token if token == Token::Symbol(symbol) => {
                self.next += 1;
                Ok(())
            }
            Token::End => {
                let bracket = if symbol == ")" { "parenthesis" } else { "bracket" };
                let message = format!("this {bracket} is never closed");
                Err(Problem::new(message, open, "opened here").help(format!("add `{symbol}`")))
            }
            token => Err(misplaced(token, place).help(format!("is a `,`, an operator or a `{symbol}` missing?"))),
        }
    }

    fn expect_end(&self) -> Result<(), Problem> {
        let place = self.place();
        match self.peek() {
            Token::End => Ok(()),
            Token::Symbol(")") => Err(Problem::new(
                "this parenthesis closes nothing",
                place,
                "no `(` belongs to it",
            )),
            Token::Symbol("]") => Err(Problem::new(
                "this bracket closes nothing",
                place,
                "no `[` belongs to it",
            )),
            Token::Symbol("=>") => Err(Problem::new(
                "`=>` stands between a threshold and its value in `steps`, nowhere else",
                place,
                "",
            )
            .help("the comparison \"at least\" is written `>=`")),
            token => Err(misplaced(token, place)),
        }
    }

    fn ended(&self) -> Problem {
        let end = self.text.trim_end().len();
        let before = self
            .tokens
            .len()
            .checked_sub(2)
            .and_then(|index| self.tokens.get(index));
        match before {
            Some(last) => Problem::new(
                "the expression ends too early",
                last.span.clone(),
                "a value belongs after this",
            ),
            None => Problem::new("the expression ends too early", end..end, ""),
        }
    }
}

fn misplaced(token: Token<'_>, place: Range<usize>) -> Problem {
    match token {
        Token::Word(word @ ("then" | "else" | "if")) => Problem::new(format!("`{word}` cannot stand here"), place, "")
            .help("a choice is written `if(condition, a, b)`"),
        Token::Word("not") => Problem::new("`not` cannot stand here", place, ""),
        Token::Word(_) | Token::Number(_) | Token::Symbol("(" | "[") => Problem::new(
            "two values stand side by side",
            place,
            "an operator belongs before this",
        ),
        Token::Symbol(symbol) => Problem::new(format!("`{symbol}` cannot stand here"), place, ""),
        Token::End => Problem::new("the expression ends too early", place, ""),
    }
}

fn comparison(token: Token<'_>) -> Option<Binary> {
    match token {
        Token::Symbol(symbol) => Binary::named(symbol).filter(|operation| operation.compares()),
        _ => None,
    }
}

fn leaf(node: Node, span: Range<usize>) -> Parsed {
    Ok(Syntax { node, span, height: 0 })
}

/// A node; its highest child has `height`.
fn node(height: usize, span: Range<usize>, node: Node) -> Parsed {
    if height >= MAX_HEIGHT {
        return Err(Problem::new("this expression has too many parts in a row", span, "").help("split it into rules"));
    }
    Ok(Syntax {
        node,
        span,
        height: height + 1,
    })
}

fn around(left: &Syntax, right: &Syntax) -> (Range<usize>, usize) {
    (left.span.start..right.span.end, left.height.max(right.height))
}

/// One term as it is, several under a node.
fn many(mut terms: Vec<Syntax>, wrap: fn(Vec<Syntax>) -> Node) -> Parsed {
    if terms.len() == 1
        && let Some(only) = terms.pop()
    {
        return Ok(only);
    }
    let start = terms.first().map_or(0, |term| term.span.start);
    let end = terms.last().map_or(0, |term| term.span.end);
    let height = terms.iter().map(|term| term.height).max().unwrap_or(0);
    node(height, start..end, wrap(terms))
}
