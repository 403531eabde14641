//! Random policies, with a simple interpreter, and moves for them.

use std::fmt::Write as _;

use crate::common::Move;
use lmrlab_policy::facts::{Fact, Facts};
use proptest::prelude::*;

/// Amounts as the file writes them.
const AMOUNTS: [&str; 10] = [
    "1",
    "-0.75",
    "2.5",
    "history / 512",
    "depth / 4",
    "if(pv, 0.5, 1.5)",
    "slope * moves_searched",
    "dot(weights, pairs(net)) - at(weights, depth / 8)",
    "twice_late",
    "0.25 - so_far / 2",
];

/// How many of them may stand outside the rules.
const PLAIN: usize = 9;

/// Amounts as they are meant.
fn amount(index: usize, facts: &Move, so_far: f64) -> f64 {
    match index {
        0 => 1.0,
        1 => -0.75,
        2 => 2.5,
        3 => facts.number(Fact::History) / 512.0,
        4 => facts.number(Fact::Depth) / 4.0,
        5 if facts.flags().has(Fact::Pv) => 0.5,
        5 => 1.5,
        6 => 0.125 * facts.number(Fact::MovesSearched),
        7 => {
            let net = [
                f64::from(u8::from(facts.flags().has(Fact::Pv))),
                (facts.number(Fact::Depth) - 8.0).max(0.0),
                f64::from(u8::from(facts.number(Fact::See) >= 0.0)),
            ];
            let products = [net[0] * net[1], net[0] * net[2], net[1] * net[2]];
            let sum: f64 = WEIGHTS.iter().zip(products).map(|(weight, x)| weight * x).sum();
            sum - WEIGHTS[(facts.number(Fact::Depth) as usize / 8).min(2)]
        }
        8 if facts.number(Fact::MovesSearched) > 3.0 => facts.number(Fact::Depth),
        8 => 0.0,
        _ => 0.25 - so_far / 2.0,
    }
}

const CONDITIONS: [&str; 7] = [
    "pv",
    "not improving",
    "history < 0",
    "depth >= 5 and moves_searched > 3",
    "king_zone or pv",
    "see >= 0",
    "true",
];

fn holds(index: usize, facts: &Move) -> bool {
    let flag = |fact| facts.flags().has(fact);
    match index {
        0 => flag(Fact::Pv),
        1 => !flag(Fact::Improving),
        2 => facts.number(Fact::History) < 0.0,
        3 => facts.number(Fact::Depth) >= 5.0 && facts.number(Fact::MovesSearched) > 3.0,
        4 => facts.boolean(Fact::KingZone) || flag(Fact::Pv),
        5 => facts.number(Fact::See) >= 0.0,
        _ => true,
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Effect {
    Add(usize),
    Multiply(usize),
    Set(usize),
}

impl Effect {
    fn line(self, prefix: &str) -> String {
        let (word, index) = match self {
            Self::Add(index) => ("add", index),
            Self::Multiply(index) => ("mul", index),
            Self::Set(index) => ("set", index),
        };
        format!("{prefix}{word} = \"{}\"\n", AMOUNTS[index])
    }

    fn apply(self, plies: f64, facts: &Move) -> f64 {
        match self {
            Self::Add(index) => plies + amount(index, facts, plies),
            Self::Multiply(index) => plies * amount(index, facts, plies),
            Self::Set(index) => amount(index, facts, plies),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Rule {
    when: usize,
    effect: Effect,
    otherwise: Option<Effect>,
    cap: Option<usize>,
    stop: bool,
    enabled: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Scheme {
    when: usize,
    reduce: usize,
    rules: Vec<Rule>,
    half: bool,
    min: i32,
    max: Option<i32>,
    max_in_pv: Option<i32>,
    max_if_extended: Option<i32>,
    floor: i32,
    pv_bonus: i32,
}

const WEIGHTS: [f64; 3] = [0.5, -0.25, 2.0];

/// The parameters and the subexpressions.
pub(crate) const PARAMETER: &str = "[param]\nslope = { value = 0.125, min = 0, max = 1 }\n\
    weights = { value = [0.5, -0.25, 2], min = -2, max = 2 }\n\
    [let]\ntwice_late = \"2 * late\"\nlate = \"if(is_late, depth / 2, 0)\"\nis_late = \"moves_searched > 3\"\n\
    net = \"relu([pv, depth - 8, see >= 0])\"\n";

impl Scheme {
    pub(crate) fn head(&self) -> String {
        format!(
            "when = \"{}\"\nreduce = \"{}\"\nhistory = {{ model = \"rebel\" }}\n",
            CONDITIONS[self.when], AMOUNTS[self.reduce]
        )
    }

    pub(crate) fn rule_lines(&self, keys: impl Fn(&Rule) -> String) -> String {
        let rules = self.rules.iter().zip(0..);
        rules.fold(String::new(), |mut text, (rule, index)| {
            let _ = write!(text, "[[rule]]\nname = \"r{index}\"\n{}", keys(rule));
            text
        })
    }

    pub(crate) fn finish(&self) -> String {
        let mut text = format!(
            "[finish]\nscale = {}\nmin = {}\nnegative = {}\nfloor = {}\npv_bonus = {}\n",
            if self.half { 0.5 } else { 1.0 },
            self.min,
            self.min < 0,
            self.floor,
            self.pv_bonus
        );
        for (key, value) in [
            ("max", self.max),
            ("max_in_pv", self.max_in_pv),
            ("max_if_extended", self.max_if_extended),
        ] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        text
    }

    pub(crate) fn text(&self) -> String {
        let rules = self.rule_lines(|rule| Self::first_half(rule) + &Self::second_half(rule));
        let (head, finish) = (self.head(), self.finish());
        format!("name = \"random\"\n{head}{PARAMETER}{rules}{finish}")
    }

    pub(crate) fn first_half(rule: &Rule) -> String {
        format!("when = \"{}\"\n{}", CONDITIONS[rule.when], rule.effect.line(""))
    }

    pub(crate) fn second_half(rule: &Rule) -> String {
        let mut text = rule.otherwise.map_or(String::new(), |e| e.line("else_"));
        if let Some(cap) = rule.cap {
            let _ = writeln!(text, "cap = \"{}\"", AMOUNTS[cap]);
        }
        let _ = writeln!(text, "stop = {}\nenabled = {}", rule.stop, rule.enabled);
        text
    }

    pub(crate) fn plies(&self, facts: &Move) -> i32 {
        if !holds(self.when, facts) {
            return 0;
        }
        let mut plies = amount(self.reduce, facts, 0.0);
        for rule in self.rules.iter().filter(|rule| rule.enabled) {
            if holds(rule.when, facts) {
                let before = plies;
                plies = rule.effect.apply(plies, facts);
                if let Some(cap) = rule.cap {
                    plies = plies.min(amount(cap, facts, before));
                }
                if rule.stop {
                    break;
                }
            } else if let Some(otherwise) = rule.otherwise {
                plies = otherwise.apply(plies, facts);
            }
        }
        let scaled = if self.half { plies / 2.0 } else { plies };
        let mut whole = (scaled.clamp(-256.0, 256.0).trunc() as i32).max(self.min);
        whole = self.max.map_or(whole, |max| whole.min(max));
        let (pv, extended) = (facts.flags().has(Fact::Pv), facts.flags().has(Fact::Extended));
        if pv && let Some(max) = self.max_in_pv {
            whole = whole.min(max);
        }
        if extended && let Some(max) = self.max_if_extended {
            whole = whole.min(max);
        }
        if whole > 0 {
            let depth = facts.number(Fact::Depth) as i32 - 1 + i32::from(extended);
            whole = whole.min((depth - self.floor).max(0));
        }
        whole - if pv { self.pv_bonus } else { 0 }
    }
}

fn any_effect() -> impl Strategy<Value = Effect> {
    (0..3, 0..AMOUNTS.len()).prop_map(|(kind, index)| match kind {
        0 => Effect::Add(index),
        1 => Effect::Multiply(index),
        _ => Effect::Set(index),
    })
}

fn any_rule() -> impl Strategy<Value = Rule> {
    (
        0..CONDITIONS.len(),
        any_effect(),
        prop::option::of(any_effect()),
        prop::option::of(0..AMOUNTS.len()),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.8),
    )
        .prop_map(|(when, effect, otherwise, cap, stop, enabled)| Rule {
            when,
            effect,
            otherwise,
            cap,
            stop,
            enabled,
        })
}

pub(crate) fn any_scheme() -> impl Strategy<Value = Scheme> {
    (
        (0..CONDITIONS.len(), 0..PLAIN),
        prop::collection::vec(any_rule(), 0..6),
        any::<bool>(),
        (-3..2, prop::option::of(2..6)),
        prop::option::of(0..4),
        prop::option::of(0..3),
        (0..3, 0..3),
    )
        .prop_map(
            |((when, reduce), rules, half, (min, max), max_in_pv, max_if_extended, rest)| Scheme {
                when,
                reduce,
                rules,
                half,
                min,
                max,
                max_in_pv,
                max_if_extended,
                floor: rest.0,
                pv_bonus: rest.1,
            },
        )
}

pub(crate) fn any_move() -> impl Strategy<Value = Move> {
    (1..40_u32, 0..80_u32, -2000..2000_i32, any::<[bool; 4]>()).prop_map(
        |(depth, searched, history, [pv, improving, zone, extended])| {
            let mut facts = Move::quiet(depth, searched).number(Fact::History, f64::from(history));
            for (is, fact) in [
                (pv, Fact::Pv),
                (improving, Fact::Improving),
                (zone, Fact::KingZone),
                (extended, Fact::Extended),
            ] {
                if is {
                    facts = facts.with(fact);
                }
            }
            facts
                .number(Fact::See, f64::from(history % 3))
                .number(Fact::Extension, f64::from(u8::from(extended)))
        },
    )
}
