//! Writes the lines of a compiled policy.

use std::fmt::Write as _;

use crate::runtime::arithmetic::Unary;
use crate::runtime::expression::Expression;
use crate::runtime::facts::{Fact, FactSet};
use crate::runtime::finish::Finish;
use crate::runtime::number::number_text;
use crate::runtime::reader::{LOGARITHMS, PolicyError, VERSION};
use crate::runtime::research::{Ladder, Research};
use crate::runtime::scheme::{Rule, Scheme};
use crate::runtime::words;

/// The numbers, each after a space.
fn numbers(values: impl Iterator<Item = f64>) -> String {
    values.fold(String::new(), |text, value| text + " " + &number_text(value))
}

impl Scheme {
    /// Writes the scheme as a compiled policy, which [`Scheme::read`] and `lmrlab.h` read.
    ///
    /// # Errors
    /// When it is larger than the format allows: [`Scheme::read`] refuses it.
    pub fn write(&self) -> Result<String, PolicyError> {
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
            let _ = writeln!(text, "columns {}", grid.columns());
            for row in grid.cells().chunks(grid.columns()) {
                let _ = writeln!(text, "row{}", numbers(row.iter().copied()));
            }
        }
        let mut body = Body { scheme: &scheme, text };
        body.condition(&scheme.when);
        body.code("reduce", &scheme.reduce);
        scheme.rules.iter().for_each(|rule| body.rule(rule));
        body.text += &finish_line(&self.finish);
        body.text += &research_line(&self.research);
        for (key, condition) in [("deeper", &scheme.deeper), ("shallower", &scheme.shallower)] {
            condition.iter().for_each(|condition| body.code(key, condition));
        }
        body.text += "end\n";
        Self::read(body.text.as_bytes())?;
        Ok(body.text)
    }
}

/// The file so far; a normalised scheme.
struct Body<'s> {
    scheme: &'s Scheme,
    text: String,
}

impl Body<'_> {
    /// A line of `key` and the words of a normalised expression.
    fn code(&mut self, key: &str, expression: &Expression) {
        let words = words::write(expression, self.scheme).join(" ");
        let _ = writeln!(self.text, "{key} {words}");
    }

    /// The lines `flags` and `when`; neither for a condition that always holds.
    fn condition(&mut self, condition: &Expression) {
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
            let sign = |wanted: bool| if wanted { '+' } else { '-' };
            let words = flags
                .iter()
                .map(|(fact, wanted)| (sign(*wanted), self.scheme.own.name_of(*fact)));
            let words: String = words.map(|(sign, name)| format!(" {sign}{name}")).collect();
            let _ = writeln!(self.text, "flags{words}");
        }
        match rest.as_slice() {
            [] | [Expression::Constant(1.0)] => {}
            [only] => self.code("when", only),
            _ => self.code("when", &Expression::And(rest)),
        }
    }

    fn rule(&mut self, rule: &Rule) {
        let switch = if rule.enabled { "on" } else { "off" };
        let _ = writeln!(self.text, "rule {} {switch}", rule.name);
        self.condition(&rule.when);
        for (prefix, effect) in [("", &rule.effect), ("else_", &rule.otherwise)] {
            if let Some((effect, amount)) = effect {
                self.code(&format!("{prefix}{}", effect.name()), amount);
            }
        }
        if let Some(cap) = &rule.cap {
            self.code("cap", cap);
        }
        if rule.stop {
            self.text.push_str("stop\n");
        }
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
