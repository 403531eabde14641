//! Reads the expressions of one file, and notes what they mention.

use std::cell::RefCell;
use std::ops::Range;

use lmrlab_diagnostics::{Document, TomlTable};
use lmrlab_host::runtime::Expression;

use crate::complaint::Complain;
use crate::expression::parser::{self, Parser};
use crate::expression::scope::Scope;
use crate::facts::{Fact, Kind};

/// Reads expressions in the scope of one file.
pub(crate) struct Reader<'d> {
    pub(crate) document: &'d Document,
    pub(crate) scope: Scope,
    pub(crate) mentions: RefCell<Mentions>,
}

#[derive(Default)]
pub(crate) struct Mentions {
    pub(crate) lets: Vec<usize>,
    /// Where `history` is mentioned.
    pub(crate) history: Vec<Range<usize>>,
}

impl Reader<'_> {
    pub(crate) fn number(&self, table: &TomlTable<'_>, key: &str) -> Option<Expression> {
        self.expression(table, key, Kind::Number)
    }

    pub(crate) fn boolean(&self, table: &TomlTable<'_>, key: &str) -> Option<Expression> {
        self.expression(table, key, Kind::Boolean)
    }

    fn expression(&self, table: &TomlTable<'_>, key: &str, wanted: Kind) -> Option<Expression> {
        let (text, place) = (table.text(key)?, format!("`{key}`"));
        let of_kind = |parser: &mut Parser<'_>, whole| match wanted {
            Kind::Number => parser.number(whole, &place),
            Kind::Boolean => parser.boolean(whole, &place),
        };
        let reading = parser::read(self.document, &text, &self.scope, of_kind);
        let mut mentions = self.mentions.borrow_mut();
        mentions.lets.extend(reading.lets);
        for (fact, span) in reading.facts {
            let known = match table.path() {
                "rule" => !fact.is_of_research(),
                "research" => !fact.is_of_rules(),
                _ => !fact.is_of_research() && !fact.is_of_rules(),
            };
            if !known {
                let name = fact.name();
                let (label, place) = match fact.is_of_rules() {
                    true => ("outside the rules", "the expressions of `[[rule]]`"),
                    false => ("before the reduced search", "`deeper` and `shallower` in `[research]`"),
                };
                let mentioned = text.value.get(span.clone()).filter(|mentioned| *mentioned != name);
                let label = mentioned.map_or(label.to_owned(), |mentioned| format!("`{mentioned}` mentions it"));
                let help = format!("only {place} may mention `{name}`");
                let message = format!("`{name}` is not known here");
                table.wrong(message, text.place(span.clone()), &label, &help);
            }
            if fact == Fact::History {
                mentions.history.push(text.place(span));
            }
        }
        reading.value
    }
}
