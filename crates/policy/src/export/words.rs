//! Writes folded expressions in the words of the policy language, for comments.

use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::function::{binary_word, unary_word};
use crate::expression::parser::symbol;
use crate::expression::typed_tree::{Boolean, Number};
use crate::facts::Fact;

/// A folded number; `x` stands for one of the facts.
pub(super) fn number(number: &Number, x: Option<Fact>) -> String {
    Words { x }.number(number, 0)
}

struct Words {
    x: Option<Fact>,
}

/// The text, in parentheses if it binds less tightly than `wanted`.
fn within(text: String, binding: u8, wanted: u8) -> String {
    if binding < wanted { format!("({text})") } else { text }
}

impl Words {
    fn number(&self, number: &Number, wanted: u8) -> String {
        match number {
            Number::Constant(value) => within(value.to_string(), if *value < 0.0 { 6 } else { 7 }, wanted),
            Number::Fact(fact) if Some(*fact) == self.x => "x".to_owned(),
            Number::Fact(fact) => fact.info().name.to_owned(),
            // Folding has replaced parameters by their values, and no table is of a fact of another engine.
            Number::Parameter(_) | Number::Own(_) => String::new(),
            Number::Unary(Unary::Negate, x) => within(format!("-{}", self.number(x, 7)), 6, wanted),
            Number::Unary(operation, x) => format!("{}({})", unary_word(*operation), self.number(x, 0)),
            Number::Binary(operation, x, y) => {
                let sign = binary_word(*operation);
                let binding = match operation {
                    Binary::Add | Binary::Subtract => 4,
                    Binary::Multiply | Binary::Divide | Binary::Remainder => 5,
                    Binary::Minimum | Binary::Maximum | Binary::Power => return self.call(sign, x, y),
                };
                let text = format!("{} {sign} {}", self.number(x, binding), self.number(y, binding + 1));
                within(text, binding, wanted)
            }
            Number::If(condition, yes, no) => format!(
                "if({}, {}, {})",
                self.boolean(condition, 0),
                self.number(yes, 0),
                self.number(no, 0)
            ),
            Number::Steps(x, steps) => {
                let steps = steps
                    .iter()
                    .map(|(at, value)| format!(", {} => {}", self.number(at, 0), self.number(value, 0)));
                format!("steps({}{})", self.number(x, 0), steps.collect::<String>())
            }
            Number::Table(_, x, y) => self.call("table", x, y),
        }
    }

    fn call(&self, name: &str, x: &Number, y: &Number) -> String {
        format!("{name}({}, {})", self.number(x, 0), self.number(y, 0))
    }

    fn boolean(&self, boolean: &Boolean, wanted: u8) -> String {
        let terms = |terms: &[Boolean], word: &str, inner: u8| {
            let terms: Vec<String> = terms.iter().map(|term| self.boolean(term, inner)).collect();
            terms.join(word)
        };
        match boolean {
            Boolean::Constant(value) => value.to_string(),
            Boolean::Fact(fact) => fact.info().name.to_owned(),
            Boolean::Own(_) => String::new(),
            Boolean::Not(x) => within(format!("not {}", self.boolean(x, 3)), 3, wanted),
            Boolean::And(all) => within(terms(all, " and ", 3), 2, wanted),
            Boolean::Or(all) => within(terms(all, " or ", 2), 1, wanted),
            Boolean::Compare(comparison, x, y) => within(
                format!("{} {} {}", self.number(x, 4), symbol(*comparison), self.number(y, 4)),
                3,
                wanted,
            ),
            Boolean::Same(x, y) => within(format!("{} == {}", self.boolean(x, 7), self.boolean(y, 7)), 3, wanted),
            Boolean::If(condition, yes, no) => format!(
                "if({}, {}, {})",
                self.boolean(condition, 0),
                self.boolean(yes, 0),
                self.boolean(no, 0)
            ),
        }
    }
}
