//! Warns of what has no effect: declarations that no expression mentions, and conditions that hold for no move.

use std::ops::Range;

use lmrlab_diagnostics::TomlTable;
use lmrlab_host::runtime::{Expression, Scheme};

use crate::complaint::Complain;
use crate::contradiction::Contradictions;
use crate::expression::scope::Let;
use crate::expression_reader::Reader;
use crate::facts::FactSet;
use crate::history::History;
use crate::own_facts::Places;
use crate::parameter::DeclaredParameter;
use crate::rule_reader::RulePlaces;

impl Reader<'_> {
    /// Warns of what is declared and not mentioned.
    pub(crate) fn warn_of_unused(
        &self,
        root: &TomlTable<'_>,
        scheme: &Scheme,
        history: Option<History>,
        own_places: &Places,
    ) {
        let mentions = self.mentions.borrow();
        let (mut facts, mut parameters, mut table) = (FactSet::default(), Vec::new(), false);
        for expression in scheme.expressions() {
            facts = facts.union(expression.facts());
            expression.walk(&mut |part| match part {
                Expression::Parameter(index) => parameters.push(*index),
                Expression::Table(..) => table = true,
                _ => {}
            });
        }
        if mentions.history.is_empty() && history.is_some_and(|history| !history.orders_moves) {
            let message = "the history table is never used";
            let help = "mention `history`, set `orders_moves = true`, or remove it";
            let label = "no expression mentions `history`, and it does not order moves";
            root.warn(message, root.place_of("history"), label, help);
        }
        let unused = |message: String, place: Range<usize>, label: &str, help: &str| {
            if self.document.is_own(&place) {
                root.warn(message, place, label, help);
            }
        };
        if self.scope.grid.is_some() && !table {
            let help = "read it with `table(depth, move_number)`";
            unused("`table` is never read".to_owned(), root.place_of("table"), "", help);
        }
        for (name, place) in own_places {
            if !scheme.own.named(name).is_some_and(|fact| facts.contains(fact)) {
                let message = format!("the fact `{name}` is never read");
                unused(message, place.clone(), "no expression mentions it", "remove it");
            }
        }
        for (index, Let { name, .. }) in self.scope.lets.iter().enumerate() {
            if let Some(table) = root.table("let").filter(|_| !mentions.lets.contains(&index)) {
                let label = "no rule and no other key mentions it";
                unused(
                    format!("`{name}` of `[let]` is never used"),
                    table.place_of(name),
                    label,
                    "",
                );
            }
        }
        for DeclaredParameter { name, first, elements } in &self.scope.parameters {
            let places = *first..first + elements.unwrap_or(1);
            let is_used = parameters.iter().any(|index| places.contains(index));
            if let Some(table) = root.table("param").filter(|_| !is_used) {
                let message = format!("parameter `{name}` is never used");
                unused(message, table.place_of(name), "no expression mentions it", "");
            }
        }
    }
}

/// Warns of conditions that hold for no move, whatever the parameters are.
pub(crate) fn warn(root: &TomlTable<'_>, scheme: &Scheme, places: &[RulePlaces]) {
    let mut contradictions = Contradictions::new();
    let when = scheme.when.normalised();
    if !contradictions.can_hold(&[&when]) {
        if scheme.reduce.normalised() != Expression::Constant(0.0) {
            let help = "if that is meant, write `reduce = \"0\"`";
            let place = root.place_of_value("when");
            root.warn("this policy never reduces anything", place, "holds for no move", help);
        }
        return;
    }
    let rules = scheme.rules.iter().zip(places);
    for (rule, places) in rules.filter(|(rule, _)| rule.enabled) {
        let condition = rule.when.normalised();
        let name = rule.name.as_str();
        let never = match rule.otherwise {
            None => format!("rule `{name}` never applies"),
            Some(_) => format!("the condition of rule `{name}` never holds"),
        };
        if !contradictions.can_hold(&[&condition]) {
            let help = match rule.otherwise {
                None => "to switch it off, write `enabled = false`",
                Some(_) => "the `else_` effect applies to every move: make it the rule's only effect",
            };
            root.warn(never, places.when.clone(), "holds for no move", help);
        } else if !contradictions.can_hold(&[&when, &condition]) {
            let label = "holds for no move for which the policy's `when` holds";
            let help = "rules apply only to moves for which the policy's `when` holds";
            root.warn(never, places.when.clone(), label, help);
        }
    }
}
