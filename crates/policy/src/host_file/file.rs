//! The lines of a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use crate::expression::arithmetic::Unary;
use crate::expression::typed_tree::{Boolean, Grid, Number};
use crate::facts::Fact;
use crate::finish::{Finish, Rounding};
use crate::parameter::Parameter;
use crate::policy::Policy;
use crate::research::{LADDERS, Ladder, Research, TRIGGERS};
use crate::rule::{Effect, Rule};

use super::code::{Code, Names};
use super::{TooLarge, Units, VERSION, decimal};

/// The most characters of a name.
const MAX_NAME: usize = 64;
const MAX_PARAMETERS: usize = 256;
const MAX_RULES: usize = 256;
/// The most words of all expressions together.
const MAX_WORDS: usize = 16_384;
/// The most numbers that an expression may have on its stack.
const MAX_SLOTS: usize = 128;
const MAX_CELLS: usize = 65_536;
const MAX_LINE_BYTES: usize = 1 << 20;

/// A file has the logarithms of this number of integers: a reader takes them from the file, because systems compute different last digits.
const LOGARITHMS: u32 = 256;

/// Writes a policy with its parameters and rules as they are in force.
pub(super) fn write(policy: &Policy, units: Units) -> Result<String, TooLarge> {
    let definition = policy.definition();
    let parameters = policy.parameters();
    at_most(parameters.len(), "parameters", MAX_PARAMETERS)?;
    at_most(policy.rules().len(), "rules", MAX_RULES)?;
    for name in parameters.iter().map(|parameter| &parameter.name) {
        at_most(name.len(), &format!("characters in the name `{name}`"), MAX_NAME)?;
    }
    let names = Names {
        parameters,
        own: &definition.own,
    };
    let mut body = Body {
        names,
        text: String::new(),
        words: 0,
        grid: None,
        own: BTreeSet::new(),
        ln: false,
        log2: false,
    };
    body.condition(&definition.when, "the policy")?;
    body.number("reduce", &definition.reduce, "the policy")?;
    for (rule, now) in definition.rules.iter().zip(policy.rules()) {
        body.rule(rule, now.enabled)?;
    }
    let _ = writeln!(body.text, "{}", finish_line(&definition.finish));
    let _ = writeln!(body.text, "{}", research_line(&definition.research));
    for (key, condition) in [("deeper", &definition.deeper), ("shallower", &definition.shallower)] {
        if let Some(condition) = condition {
            let code = Code::of_boolean(&condition.normalised(), names);
            body.code(key, code, "`[research]`")?;
        }
    }
    body.text.push_str("end\n");

    let mut text = format!(
        "lmrlab-policy {VERSION} {} {}\nunits {}\n",
        policy.name(),
        policy.hash(),
        units.name()
    );
    for (kind, own) in [("flag", &definition.own.flags), ("number", &definition.own.numbers)] {
        for name in own.iter().filter(|name| body.own.contains(name.as_str())) {
            let _ = writeln!(text, "own {kind} {name}");
        }
    }
    for Parameter {
        name, value, min, max, ..
    } in parameters
    {
        let [value, min, max] = [value, min, max].map(|number| decimal::text(*number));
        let _ = writeln!(text, "param {name} {value} {min} {max}");
    }
    for (word, function, occurs) in [
        ("ln", Unary::NaturalLogarithm, body.ln),
        ("log2", Unary::BinaryLogarithm, body.log2),
    ] {
        if occurs {
            let values = (0..LOGARITHMS).map(|x| function.apply(f64::from(x)));
            let _ = writeln!(text, "{word}{}", numbers(values));
        }
    }
    if let Some(grid) = &body.grid {
        let cells = grid.cells();
        at_most(cells.len(), "cells in `table`", MAX_CELLS)?;
        let _ = writeln!(text, "columns {}", grid.columns());
        for row in cells.chunks(grid.columns()) {
            let _ = writeln!(text, "row{}", numbers(row.iter().copied()));
        }
    }
    text.push_str(&body.text);
    Ok(text)
}

fn at_most(found: usize, what: &str, most: usize) -> Result<(), TooLarge> {
    if found <= most {
        return Ok(());
    }
    Err(TooLarge {
        what: format!("{found} {what}"),
        most,
    })
}

/// The numbers, each after a space.
fn numbers(values: impl Iterator<Item = f64>) -> String {
    values.fold(String::new(), |text, value| text + " " + &decimal::text(value))
}

/// The lines with expressions.
struct Body<'p> {
    names: Names<'p>,
    text: String,
    /// The words so far.
    words: usize,
    /// The table of the policy, if it is read.
    grid: Option<Arc<Grid>>,
    /// The facts of another engine that are read.
    own: BTreeSet<&'p str>,
    /// Whether there is a natural logarithm, and a logarithm to base 2.
    ln: bool,
    log2: bool,
}

impl<'p> Body<'p> {
    /// A line of `key` and the words of an expression of `owner`.
    fn code(&mut self, key: &str, code: Code<'p>, owner: &str) -> Result<(), TooLarge> {
        let place = format!("`{key}` of {owner}");
        at_most(code.slots, &format!("stack slots in {place}"), MAX_SLOTS)?;
        self.words += code.words.len();
        at_most(self.words, &format!("words of code up to {place}"), MAX_WORDS)?;
        let line = format!("{key} {}", code.words.join(" "));
        at_most(line.len(), &format!("bytes in the line of {place}"), MAX_LINE_BYTES)?;
        self.text.push_str(&line);
        self.text.push('\n');
        self.ln |= code.ln;
        self.log2 |= code.log2;
        self.grid = self.grid.take().or(code.grid);
        self.own.extend(code.own);
        Ok(())
    }

    fn number(&mut self, key: &str, number: &Number, owner: &str) -> Result<(), TooLarge> {
        let code = Code::of_number(&number.normalised(), self.names);
        self.code(key, code, owner)
    }

    /// The lines `flags` and `when`; neither for a condition that always holds.
    fn condition(&mut self, condition: &Boolean, owner: &str) -> Result<(), TooLarge> {
        let (flags, rest) = match split(condition.normalised()) {
            Some(parts) => parts,
            None => (BTreeMap::new(), Some(Boolean::Constant(false))),
        };
        if !flags.is_empty() {
            self.text.push_str("flags");
            for (flag, value) in flags {
                let sign = if value { '+' } else { '-' };
                let name = match flag {
                    Flag::Fact(fact) => fact.info().name,
                    Flag::Own(index) => self.names.own.flags.get(index).map_or("", String::as_str),
                };
                if matches!(flag, Flag::Own(_)) {
                    self.own.insert(name);
                }
                let _ = write!(self.text, " {sign}{name}");
            }
            self.text.push('\n');
        }
        match rest {
            Some(rest) => {
                let code = Code::of_boolean(&rest, self.names);
                self.code("when", code, owner)
            }
            None => Ok(()),
        }
    }

    fn rule(&mut self, rule: &Rule, enabled: bool) -> Result<(), TooLarge> {
        let owner = format!("rule `{}`", rule.name);
        let _ = writeln!(self.text, "rule {} {}", rule.name, if enabled { "on" } else { "off" });
        self.condition(&rule.when, &owner)?;
        for (prefix, effect) in [("", &rule.effect), ("else_", &rule.otherwise)] {
            let Some(effect) = effect else { continue };
            let word = match effect {
                Effect::Add(_) => "add",
                Effect::Multiply(_) => "mul",
                Effect::Set(_) => "set",
            };
            self.number(&format!("{prefix}{word}"), effect.amount(), &owner)?;
        }
        if let Some(cap) = &rule.cap {
            self.number("cap", cap, &owner)?;
        }
        if rule.stop {
            self.text.push_str("stop\n");
        }
        Ok(())
    }
}

/// A boolean fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Flag {
    Fact(Fact),
    /// The flag with this index among those of another engine.
    Own(usize),
}

impl Flag {
    /// The flag and its wanted value, when the term is a flag or its negation.
    fn of(term: &Boolean) -> Option<(Self, bool)> {
        match term {
            Boolean::Fact(fact) => Some((Self::Fact(*fact), true)),
            Boolean::Own(index) => Some((Self::Own(*index), true)),
            Boolean::Not(inner) => match &**inner {
                Boolean::Fact(fact) => Some((Self::Fact(*fact), false)),
                Boolean::Own(index) => Some((Self::Own(*index), false)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The boolean facts of a normalised condition with the values that they must have, and the rest of the condition. `None`
/// when a fact must be both true and false.
fn split(condition: Boolean) -> Option<(BTreeMap<Flag, bool>, Option<Boolean>)> {
    let terms = match condition {
        Boolean::And(terms) => terms,
        Boolean::Constant(true) => Vec::new(),
        other => vec![other],
    };
    let (mut flags, mut rest) = (BTreeMap::new(), Vec::new());
    for term in terms {
        match Flag::of(&term) {
            Some((flag, value)) => {
                if flags.insert(flag, value).is_some_and(|before| before != value) {
                    return None;
                }
            }
            None => rest.push(term),
        }
    }
    let rest = match rest.len() {
        0 | 1 => rest.pop(),
        _ => Some(Boolean::And(rest)),
    };
    Some((flags, rest))
}

fn finish_line(finish: &Finish) -> String {
    let round = match finish.round {
        Rounding::Truncate => "trunc",
        Rounding::Floor => "floor",
        Rounding::Ceiling => "ceil",
        Rounding::Nearest => "nearest",
    };
    let limit = |limit: Option<i32>| limit.map_or_else(|| "none".to_owned(), |plies| plies.to_string());
    format!(
        "finish scale={} round={round} min={} max={} max_at_root={} max_in_pv={} max_if_extended={} floor={} pv_bonus={}",
        decimal::text(finish.scale),
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
    let is_kind = |ladder: &Ladder| std::mem::discriminant(ladder) == std::mem::discriminant(&research.ladder);
    let ladder = LADDERS.iter().find(|(_, ladder, _)| is_kind(ladder));
    let trigger = TRIGGERS.iter().find(|(_, trigger, _)| *trigger == research.trigger);
    let (above, reduction) = match research.ladder {
        Ladder::Intermediate { above, reduction } => (above, reduction),
        _ => (2, 1),
    };
    format!(
        "research ladder={} trigger={} updates_history={} above={above} reduction={reduction} threat_feedback={}",
        ladder.map_or("", |(name, ..)| name),
        trigger.map_or("", |(name, ..)| name),
        u8::from(research.updates_history),
        research
            .threat_feedback
            .map_or_else(|| "none".to_owned(), |plies| plies.to_string()),
    )
}
