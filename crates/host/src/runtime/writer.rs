//! Writes the lines of a compiled policy.

use std::fmt;
use std::fmt::Write as _;

use crate::runtime::arithmetic::Unary;
use crate::runtime::expression::Expression;
use crate::runtime::facts::{Fact, FactSet};
use crate::runtime::finish::Finish;
use crate::runtime::number::number_text;
use crate::runtime::reader::{LOGARITHMS, MAX_CELLS, MAX_LINE_BYTES, MAX_NAME, MAX_PARAMETERS, MAX_RULES, VERSION};
use crate::runtime::research::{Ladder, Research};
use crate::runtime::scheme::{Rule, Scheme};
use crate::runtime::words::{self, MAX_NESTING, MAX_STACK, MAX_WORDS, Written};

/// A policy is larger than a compiled policy may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLarge(String);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TooLarge {}

fn at_most(found: usize, what: &str, most: usize) -> Result<(), TooLarge> {
    match found <= most {
        true => Ok(()),
        false => Err(TooLarge(format!(
            "{found} {what}; a file for a host may have at most {most}"
        ))),
    }
}

/// The numbers, each after a space.
fn numbers(values: impl Iterator<Item = f64>) -> String {
    values.fold(String::new(), |text, value| text + " " + &number_text(value))
}

impl Scheme {
    /// Writes the scheme as a compiled policy, which [`Scheme::read`] and `lmrlab.h` read.
    ///
    /// # Errors
    /// When it is larger than the format allows.
    pub fn write(&self) -> Result<String, TooLarge> {
        at_most(self.parameters.len(), "parameters", MAX_PARAMETERS)?;
        at_most(self.rules.len(), "rules", MAX_RULES)?;
        for name in self.parameters.iter().map(|parameter| &parameter.name) {
            at_most(name.len(), &format!("characters in the name `{name}`"), MAX_NAME)?;
        }
        let scheme = self.map(&Expression::normalised);
        let (mut facts, mut grid, mut logarithms) = (FactSet::default(), None, Vec::new());
        for expression in scheme.expressions() {
            facts = facts.union(expression.facts());
            expression.walk(&mut |part| match part {
                Expression::Table(of, _) => grid = Some(of),
                Expression::Unary(operation, _) => logarithms.push(*operation),
                _ => {}
            });
        }
        let (name, hash, units) = (&self.name, &self.hash, self.units.name());
        let mut text = format!("lmrlab-policy {VERSION} {name} {hash}\nunits {units}\n");
        for (fact, name) in self.own.iter().filter(|(fact, _)| facts.contains(*fact)) {
            let kind = if fact.is_boolean() { "flag" } else { "number" };
            let _ = writeln!(text, "own {kind} {name}");
        }
        for parameter in &self.parameters {
            let values = [parameter.value, parameter.min, parameter.max];
            let _ = writeln!(text, "param {}{}", parameter.name, numbers(values.into_iter()));
        }
        for function in [Unary::NaturalLogarithm, Unary::BinaryLogarithm] {
            if logarithms.contains(&function) {
                let values = (0..LOGARITHMS).map(|x| function.apply(x as f64));
                let _ = writeln!(text, "{}{}", function.name(), numbers(values));
            }
        }
        if let Some(grid) = grid {
            at_most(grid.cells().len(), "cells in `table`", MAX_CELLS)?;
            let _ = writeln!(text, "columns {}", grid.columns());
            for row in grid.cells().chunks(grid.columns()) {
                let _ = writeln!(text, "row{}", numbers(row.iter().copied()));
            }
        }
        let scheme = &scheme;
        let mut body = Body { scheme, text, words: 0 };
        body.condition(&scheme.when, "the policy")?;
        body.code("reduce", &scheme.reduce, "the policy")?;
        scheme.rules.iter().try_for_each(|rule| body.rule(rule))?;
        body.text += &finish_line(&self.finish);
        body.text += &research_line(&self.research);
        for (key, condition) in [("deeper", &scheme.deeper), ("shallower", &scheme.shallower)] {
            if let Some(condition) = condition {
                body.code(key, condition, "`[research]`")?;
            }
        }
        Ok(body.text + "end\n")
    }
}

/// The file so far; a normalised scheme.
struct Body<'s> {
    scheme: &'s Scheme,
    text: String,
    /// The words of expressions so far.
    words: usize,
}

impl Body<'_> {
    /// A line of `key` and the words of a normalised expression of `owner`.
    fn code(&mut self, key: &str, expression: &Expression, owner: &str) -> Result<(), TooLarge> {
        let place = format!("`{key}` of {owner}");
        let Written { words, slots, nesting } = words::write(expression, self.scheme);
        at_most(slots, &format!("stack slots in {place}"), MAX_STACK)?;
        at_most(nesting, &format!("choices inside each other in {place}"), MAX_NESTING)?;
        self.words += words.len();
        at_most(self.words, &format!("words of code up to {place}"), MAX_WORDS)?;
        let line = format!("{key} {}", words.join(" "));
        at_most(line.len(), &format!("bytes in the line of {place}"), MAX_LINE_BYTES)?;
        self.text.push_str(&line);
        self.text.push('\n');
        Ok(())
    }

    /// The lines `flags` and `when`; neither for a condition that always holds.
    fn condition(&mut self, condition: &Expression, owner: &str) -> Result<(), TooLarge> {
        let (mut flags, mut rest) = (Vec::new(), Vec::new());
        for term in condition.terms() {
            match term.literal() {
                Some(literal) if flags.contains(&literal) => {}
                Some(literal) => flags.push(literal),
                None => rest.push(term.clone()),
            }
        }
        let contradicts = |(fact, wanted): &(Fact, bool)| flags.contains(&(*fact, !wanted));
        if flags.iter().any(contradicts) {
            (flags, rest) = (Vec::new(), vec![Expression::FALSE]);
        }
        flags.sort_unstable();
        if !flags.is_empty() {
            self.text.push_str("flags");
        }
        for (fact, wanted) in &flags {
            let name = self.scheme.own.name_of(*fact);
            let _ = write!(self.text, " {}{name}", if *wanted { '+' } else { '-' });
        }
        if !flags.is_empty() {
            self.text.push('\n');
        }
        match rest.as_slice() {
            [] | [Expression::Constant(1.0)] => Ok(()),
            [only] => self.code("when", only, owner),
            _ => self.code("when", &Expression::And(rest), owner),
        }
    }

    fn rule(&mut self, rule: &Rule) -> Result<(), TooLarge> {
        let owner = format!("rule `{}`", rule.name);
        let _ = writeln!(
            self.text,
            "rule {} {}",
            rule.name,
            if rule.enabled { "on" } else { "off" }
        );
        self.condition(&rule.when, &owner)?;
        for (prefix, effect) in [("", &rule.effect), ("else_", &rule.otherwise)] {
            if let Some((effect, amount)) = effect {
                self.code(&format!("{prefix}{}", effect.name()), amount, &owner)?;
            }
        }
        if let Some(cap) = &rule.cap {
            self.code("cap", cap, &owner)?;
        }
        if rule.stop {
            self.text.push_str("stop\n");
        }
        Ok(())
    }
}

fn limit(limit: Option<impl ToString>) -> String {
    limit.map_or_else(|| "none".to_owned(), |plies| plies.to_string())
}

fn finish_line(finish: &Finish) -> String {
    format!(
        "finish scale={} round={} min={} max={} max_at_root={} max_in_pv={} max_if_extended={} floor={} pv_bonus={}\n",
        number_text(finish.scale),
        finish.round.name(),
        finish.min,
        limit(finish.max),
        limit(finish.max_at_root),
        limit(finish.max_in_pv),
        limit(finish.max_if_extended),
        finish.floor,
        finish.pv_bonus
    )
}

/// The line of `[research]`. With a ladder other than `intermediate`, the two numbers of `intermediate` are its
/// defaults, and nothing reads them.
fn research_line(research: &Research) -> String {
    let (above, reduction) = match research.ladder {
        Ladder::Intermediate { above, reduction } => (above, reduction),
        _ => (2, 1),
    };
    format!(
        "research ladder={} trigger={} updates_history={} above={above} reduction={reduction} threat_feedback={}\n",
        research.ladder.name(),
        research.trigger.name(),
        u8::from(research.updates_history),
        limit(research.threat_feedback),
    )
}
