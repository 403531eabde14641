//! Moves with chosen facts, and policies to ask about them.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, FactSet, Facts, Flags};

/// A move of which the test says everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move {
    flags: Flags,
    booleans: FactSet,
    numbers: [f64; 128],
}

impl Move {
    /// A quiet move, all moves before it being quiet too.
    pub(crate) fn quiet(depth: u32, moves_searched: u32) -> Self {
        let nothing = Self {
            flags: Flags::NONE,
            booleans: FactSet::default(),
            numbers: [0.0; 128],
        };
        let searched = f64::from(moves_searched);
        nothing
            .with(Fact::Quiet)
            .number(Fact::Depth, f64::from(depth))
            .number(Fact::MovesSearched, searched)
            .number(Fact::MoveNumber, searched + 1.0)
            .number(Fact::QuietNumber, searched + 1.0)
    }

    /// The same move with a number changed.
    pub(crate) fn number(mut self, fact: Fact, value: f64) -> Self {
        self.numbers[fact as usize] = value;
        self
    }

    /// The same move with one more truth.
    pub(crate) fn with(mut self, fact: Fact) -> Self {
        if fact.is_flag() {
            self.flags = self.flags.with(fact, true);
        } else {
            self.booleans.insert(fact);
        }
        self
    }

    /// The same move as a capture.
    pub(crate) fn capture(mut self) -> Self {
        let mut flags = Flags::NONE.with(Fact::Capture, true);
        for info in lmrlab_policy::facts::CATALOGUE {
            if info.fact.is_flag() && info.fact != Fact::Quiet && self.flags.has(info.fact) {
                flags = flags.with(info.fact, true);
            }
        }
        self.flags = flags;
        self
    }
}

impl Facts for Move {
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        if fact.is_flag() {
            self.flags.has(fact)
        } else {
            self.booleans.contains(fact)
        }
    }

    fn number(&self, fact: Fact) -> f64 {
        self.numbers[fact as usize]
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A policy from `configs/policies`.
pub(crate) fn shipped(name: &str) -> Policy {
    let path = root().join(format!("configs/policies/{name}.toml"));
    match Policy::load(&path) {
        Ok((policy, _)) => policy,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

/// A policy from a text without mistakes.
pub(crate) fn policy(text: &str) -> Policy {
    match Policy::compile(Source::new("policy.toml", text)) {
        Ok((policy, _)) => policy,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

/// What is said about a text: its errors or its warnings.
pub(crate) fn complaints(text: &str) -> String {
    match Policy::compile(Source::new("policy.toml", text)) {
        Ok((_, warnings)) => warnings.to_string(),
        Err(errors) => errors.to_string(),
    }
}
