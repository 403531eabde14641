//! The postfix words of an expression: its text in a compiled policy.
//!
//! A word is a number, the name of a fact, `@` and the name of a parameter, an operation (see
//! [`arithmetic`](crate::runtime::arithmetic)), or one of these:
//!
//! - `table` takes a row and a column, and gives the cell;
//! - `?3` takes a condition, and leaves out the next 3 words when it does not hold; `:2` leaves out 2 words. The two make a choice;
//! - `&3` leaves out 3 words when the value before it is 0 and otherwise drops that value; `|3` is the contrary. They make `and` and `or`;
//! - `dup` and `drop` stand in steps alone: `x dup 7 >= ?3 drop 2 :7 dup 3 >= ?3 drop 1 :2 drop 0`.
//!
//! Reading checks that the words have this structure, that numbers and booleans are not mixed, and that the stack stays low.

use crate::runtime::arithmetic::{Binary, Unary};
use crate::runtime::expression::{Expression, Grid};
use crate::runtime::facts::{CATALOGUE, Fact, Kind};
use crate::runtime::nearest::advice;
use crate::runtime::number::{number, number_text};
use crate::runtime::scheme::Scheme;
use std::sync::Arc;

/// The most words of all expressions of a policy.
pub(crate) const MAX_WORDS: usize = 16_384;
/// The most numbers on the stack.
const MAX_STACK: usize = 128;
/// The most levels of an expression.
const MAX_HEIGHT: usize = 832;
/// The most choices, steps and conjunctions inside each other.
const MAX_NESTING: usize = 128;

/// Whether a name is a word of expressions, or a function of the language.
pub fn is_word(name: &str) -> bool {
    matches!(name, "table" | "dup" | "drop") || Unary::named(name).is_some() || Binary::named(name).is_some()
}

/// Writes the words of an expression.
pub(crate) fn write(expression: &Expression, scheme: &Scheme) -> Vec<String> {
    let mut writer = Writer {
        scheme,
        words: Vec::new(),
    };
    writer.expression(expression);
    writer.words
}

struct Writer<'s> {
    /// It has the names of parameters and of an engine's own facts.
    scheme: &'s Scheme,
    words: Vec<String>,
}

impl Writer<'_> {
    fn push(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// Appends a jump; [`Writer::land`] writes its length.
    fn jump(&mut self, kind: &str) -> usize {
        self.push(kind);
        self.words.len() - 1
    }

    /// Lets the jump at `place` lead to here.
    fn land(&mut self, place: usize) {
        let left_out = self.words.len() - 1 - place;
        if let Some(word) = self.words.get_mut(place) {
            word.push_str(&left_out.to_string());
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Constant(value) => self.push(number_text(*value)),
            Expression::Fact(fact) => self.push(self.scheme.own.name_of(*fact)),
            Expression::Parameter(index) => match self.scheme.parameters.get(*index) {
                Some(parameter) => self.push(format!("@{}", parameter.name)),
                None => self.push("0"),
            },
            Expression::Unary(operation, x) => {
                self.expression(x);
                self.push(operation.name());
            }
            Expression::Binary(operation, x, y) => {
                self.expression(x);
                self.expression(y);
                self.push(operation.name());
            }
            Expression::Table(_, place) => {
                place.iter().for_each(|part| self.expression(part));
                self.push("table");
            }
            Expression::And(terms) => self.lazy(terms, "&", "1"),
            Expression::Or(terms) => self.lazy(terms, "|", "0"),
            Expression::If(parts) => {
                let [condition, yes, no] = &**parts;
                self.expression(condition);
                let otherwise = self.jump("?");
                self.expression(yes);
                let end = self.jump(":");
                self.land(otherwise);
                self.expression(no);
                self.land(end);
            }
            Expression::Steps(x, steps) => self.steps(x, steps),
        }
    }

    fn steps(&mut self, x: &Expression, steps: &[(Expression, Expression)]) {
        self.expression(x);
        let mut ends = Vec::with_capacity(steps.len());
        for (threshold, value) in steps.iter().rev() {
            self.push("dup");
            self.expression(threshold);
            self.push(Binary::GreaterOrEqual.name());
            let next = self.jump("?");
            self.push("drop");
            self.expression(value);
            ends.push(self.jump(":"));
            self.land(next);
        }
        self.push("drop");
        self.push("0");
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn lazy(&mut self, terms: &[Expression], jump: &str, empty: &str) {
        let Some((last, rest)) = terms.split_last() else {
            self.push(empty);
            return;
        };
        let mut ends = Vec::with_capacity(rest.len());
        for term in rest {
            self.expression(term);
            ends.push(self.jump(jump));
        }
        self.expression(last);
        ends.into_iter().for_each(|end| self.land(end));
    }
}

/// Where an expression stands: it says which facts are known there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Policy,
    Rule,
    Research,
}

/// A value on the stack.
struct Entry {
    expression: Expression,
    kind: Option<Kind>,
    height: usize,
}

/// Reads and checks the words of one expression.
pub(crate) struct Reader<'r> {
    pub(crate) words: &'r [&'r str],
    /// It has the names of parameters and of an engine's own facts.
    pub(crate) scheme: &'r Scheme,
    pub(crate) grid: Option<&'r Arc<Grid>>,
    pub(crate) scope: Scope,
    /// The next word.
    pub(crate) next: usize,
}

impl<'r> Reader<'r> {
    /// The expression of all words.
    pub(crate) fn read(mut self, wanted: Kind) -> Result<Expression, String> {
        let whole = self.block(self.words.len(), false, 0, 0)?;
        let (found, wanted) = (whole.kind.unwrap_or(wanted).name(), wanted.name());
        ensure! { found == wanted, "the expression is {found}, and it must be {wanted}" }
        Ok(whole.expression)
    }

    /// The last word that was read, for messages.
    fn place(&self) -> String {
        let word = self.words.get(self.next.wrapping_sub(1)).copied().unwrap_or_default();
        format!("`{word}`, word {} of the line's expression", self.next)
    }

    /// Reads words up to `end` that leave one value; a threshold of steps ends at its comparison. `below` values are on the stack, and the block is inside `depth` others.
    fn block(&mut self, end: usize, is_threshold: bool, below: usize, depth: usize) -> Result<Entry, String> {
        ensure! { depth <= MAX_NESTING, "{} is inside more than {MAX_NESTING} choices", self.place() }
        let mut stack: Vec<Entry> = Vec::new();
        // The terms before the last one of `and` or `or`, and its jump.
        let mut terms: Vec<Entry> = Vec::new();
        let mut junction = ' ';
        while self.next < end {
            let Some(word) = self.words.get(self.next).copied() else {
                break;
            };
            if is_threshold && stack.len() == 1 && terms.is_empty() && word == ">=" {
                break;
            }
            self.next += 1;
            let here = below + stack.len();
            if let Some(unary) = Unary::named(word) {
                let kind = if unary == Unary::Not {
                    Kind::Boolean
                } else {
                    Kind::Number
                };
                let x = self.operand(&mut stack, Some(kind))?;
                let expression = Expression::unary(unary, x.expression);
                stack.push(self.entry(expression, Some(kind), x.height)?);
            } else if let Some(binary) = Binary::named(word) {
                let equality = matches!(binary, Binary::Equal | Binary::NotEqual);
                let wanted = (!equality).then_some(Kind::Number);
                let y = self.operand(&mut stack, wanted)?;
                let x = self.operand(&mut stack, wanted.or(y.kind))?;
                let kind = if binary.compares() { Kind::Boolean } else { Kind::Number };
                let expression = Expression::binary(binary, x.expression, y.expression);
                stack.push(self.entry(expression, Some(kind), x.height.max(y.height))?);
            } else if word == "table" {
                let grid = self.grid.cloned();
                let grid = grid.ok_or("the code reads a table, and the file has no line `columns` above")?;
                let column = self.operand(&mut stack, Some(Kind::Number))?;
                let row = self.operand(&mut stack, Some(Kind::Number))?;
                let expression = Expression::Table(grid, Box::new([row.expression, column.expression]));
                stack.push(self.entry(expression, Some(Kind::Number), row.height.max(column.height))?);
            } else if word == "dup" {
                let x = self.operand(&mut stack, Some(Kind::Number))?;
                self.next -= 1;
                stack.push(self.steps(x, end, here, depth)?);
            } else if let Some(sign @ ('?' | '&' | '|' | ':')) = word.chars().next() {
                let target = self.target(word, end)?;
                let whole = self.place();
                match sign {
                    '?' => {
                        let condition = self.operand(&mut stack, Some(Kind::Boolean))?;
                        let choice = self.choice(condition, (target, end), here - 1, depth)?;
                        stack.push(choice);
                    }
                    '&' | '|' => {
                        let left = self.operand(&mut stack, Some(Kind::Boolean))?;
                        if target == end && stack.is_empty() && (junction == sign || terms.is_empty()) {
                            junction = sign;
                            terms.push(left);
                            continue;
                        }
                        let right = self.block(target, false, here - 1, depth + 1)?;
                        stack.push(self.junction(sign, vec![left], right)?);
                    }
                    _ => return Err(format!("{whole} ends no choice")),
                }
            } else {
                stack.push(self.leaf(word)?);
            }
            let is_low = below + stack.len() <= MAX_STACK;
            ensure! { is_low, "{} needs more than {MAX_STACK} stack slots", self.place() }
        }
        let (last, count) = (stack.pop(), stack.len() + 1);
        match last {
            Some(value) if stack.is_empty() && terms.is_empty() => Ok(value),
            Some(last) if stack.is_empty() => self.junction(junction, terms, last),
            found => Err(format!(
                "the words up to {} leave {} values, and they must leave one",
                self.place(),
                found.map_or(0, |_| count)
            )),
        }
    }

    /// A value; its highest part has this height.
    fn entry(&self, expression: Expression, kind: Option<Kind>, height: usize) -> Result<Entry, String> {
        let height = height + 1;
        ensure! { height <= MAX_HEIGHT, "{} is nested more than {MAX_HEIGHT} levels deep", self.place() }
        Ok(Entry {
            expression,
            kind,
            height,
        })
    }

    /// Takes the top of the stack. If a kind is wanted, it must not be of the other kind.
    fn operand(&self, stack: &mut Vec<Entry>, wanted: Option<Kind>) -> Result<Entry, String> {
        let operand = stack
            .pop()
            .ok_or_else(|| format!("{} has too few operands", self.place()));
        self.of_kind(operand?, wanted)
    }

    fn of_kind(&self, value: Entry, wanted: Option<Kind>) -> Result<Entry, String> {
        if let (Some(found), Some(wanted)) = (value.kind, wanted) {
            let (place, found, wanted) = (self.place(), found.name(), wanted.name());
            ensure! { found == wanted, "{place} has {found} where {wanted} belongs" }
        }
        Ok(value)
    }

    /// Where a jump leads: at most to `end`.
    fn target(&self, word: &str, end: usize) -> Result<usize, String> {
        let (sign, count) = word.split_at(1);
        let digits = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        let count = count.parse().ok().filter(|count| digits && *count <= MAX_WORDS);
        let count: usize = count
            .ok_or_else(|| format!("`{word}` is no jump; write the number of words to leave out, as in `{sign}3`"))?;
        let target = self.next + count;
        ensure! { target <= end, "the jump {} leads out of the expression", self.place() }
        Ok(target)
    }

    /// Reads a word that must be there.
    fn expect(&mut self, wanted: &str) -> Result<&'r str, String> {
        let word = self.words.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        ensure! { word.starts_with(wanted), "{} stands where `{wanted}` belongs", self.place() }
        Ok(word)
    }

    /// The rest of `if`, after its condition. A false condition leads to `otherwise`.
    fn choice(
        &mut self,
        condition: Entry,
        (otherwise, end): (usize, usize),
        below: usize,
        depth: usize,
    ) -> Result<Entry, String> {
        let yes = self.block(otherwise.saturating_sub(1), false, below, depth + 1)?;
        let jump = self.expect(":")?;
        ensure! { self.next == otherwise, "{} stands in the middle of a choice", self.place() }
        let end = self.target(jump, end)?;
        let no = self.block(end, false, below, depth + 1)?;
        let kind = yes.kind.or(no.kind);
        let no = self.of_kind(no, kind)?;
        let height = condition.height.max(yes.height).max(no.height);
        let choice = Expression::choice(condition.expression, yes.expression, no.expression);
        self.entry(choice, kind, height)
    }

    /// The rest of `steps`, after `x`.
    fn steps(&mut self, x: Entry, end: usize, below: usize, depth: usize) -> Result<Entry, String> {
        let (mut steps, mut height) = (Vec::new(), x.height);
        let mut last = None;
        while self.words.get(self.next) == Some(&"dup") {
            self.next += 1;
            let threshold = self.block(end, true, below + 1, depth + 1)?;
            self.expect(">=")?;
            let jump = self.expect("?")?;
            let next = self.target(jump, end)?;
            self.expect("drop")?;
            let value = self.block(next.saturating_sub(1), false, below - 1, depth + 1)?;
            let jump = self.expect(":")?;
            let target = self.target(jump, end)?;
            let fits = self.next == next && last.is_none_or(|last| last == target);
            ensure! { fits, "{} stands in the middle of steps", self.place() }
            last = Some(target);
            let threshold = self.of_kind(threshold, Some(Kind::Number))?;
            let value = self.of_kind(value, Some(Kind::Number))?;
            height = height.max(threshold.height).max(value.height);
            steps.push((threshold.expression, value.expression));
        }
        self.expect("drop")?;
        self.expect("0")?;
        ensure! { last == Some(self.next), "{} does not end the steps", self.place() }
        steps.reverse();
        self.entry(
            Expression::Steps(Box::new(x.expression), steps),
            Some(Kind::Number),
            height,
        )
    }

    /// `and` or `or` of some terms and a last one.
    fn junction(&self, sign: char, mut terms: Vec<Entry>, last: Entry) -> Result<Entry, String> {
        terms.push(self.of_kind(last, Some(Kind::Boolean))?);
        let height = terms.iter().map(|term| term.height).max().unwrap_or(0);
        let terms = terms.into_iter().map(|term| term.expression).collect();
        let whole = if sign == '&' {
            Expression::And(terms)
        } else {
            Expression::Or(terms)
        };
        self.entry(whole, Some(Kind::Boolean), height)
    }

    /// A number, a parameter or a fact.
    fn leaf(&self, word: &str) -> Result<Entry, String> {
        let expression = if let Some(name) = word.strip_prefix('@') {
            let parameters = self.scheme.parameters.iter();
            let place = parameters.clone().position(|parameter| parameter.name == name);
            place.map(Expression::Parameter).ok_or_else(|| {
                let known = parameters.map(|parameter| parameter.name.as_str());
                format!("no parameter is called `{name}`; {}", advice(name, known, "parameters"))
            })?
        } else if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
            let value = number(word).ok_or_else(|| format!("`{word}` is not a finite number"))?;
            Expression::Constant(value)
        } else {
            let fact = self.scheme.fact(word)?;
            let (of_rules, of_research) = (fact.is_of_rules(), fact.is_of_research());
            let is_known = (!of_rules || self.scope == Scope::Rule) && (!of_research || self.scope == Scope::Research);
            ensure! { is_known, "`{word}` is not known in this line" }
            Expression::Fact(fact)
        };
        let kind = expression.kind();
        self.entry(expression, kind, 0)
    }
}

impl Scheme {
    /// A fact by its name.
    pub(crate) fn fact(&self, name: &str) -> Result<Fact, String> {
        Fact::named(name).or(self.own.named(name)).ok_or_else(|| {
            let known = CATALOGUE.iter().map(|info| info.name);
            let advice = advice(name, known.chain(self.own.iter().map(|(_, name)| name)), "facts");
            format!("no fact and no operation is called `{name}`; {advice}")
        })
    }
}
