//! Under which conditions policies are screened. A model predicts only from measures that were made as those it was fitted to.

use std::fmt;

use super::agreement::Judging;
use super::judged::JudgedPosition;
use crate::audit::AuditOptions;
use crate::measures::Plan;
use crate::positions::LabPosition;
use crate::suite::TestPosition;

/// The name of the policy that others are compared with.
pub const REFERENCE: &str = "logarithm";

/// The file of judged positions, below the project's root.
pub const JUDGED: &str = "positions/judged.epd";

/// The transposition table of a search, in MiB: searches are short, and each begins with a cleared one.
pub const HASH_MIB: u32 = 2;

/// The share of the late moves that the audit samples: its searches are short, so it takes many.
const AUDIT_RATE: f64 = 0.1;

/// Positions, and how far they are searched.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The positions in which moves are chosen. The trees are those of the first of them.
    pub positions: Vec<JudgedPosition>,
    /// Nodes within which moves are chosen.
    pub nodes: u64,
    /// How many of the positions are searched to a depth and audited.
    pub trees: usize,
    /// That depth, in plies.
    pub depth: u32,
    /// Positions to be solved.
    pub suite: Vec<TestPosition>,
    /// Nodes within which they are to be solved.
    pub suite_nodes: u64,
}

impl Conditions {
    /// What is measured.
    pub fn plan(&self) -> Plan {
        let trees: Vec<LabPosition> = (self.positions.iter().take(self.trees))
            .map(|judged| LabPosition {
                name: judged.name.clone(),
                position: judged.position.clone(),
                operations: Vec::new(),
                place: 0..0,
            })
            .collect();
        let audit = AuditOptions {
            rate: AUDIT_RATE,
            ..AuditOptions::default()
        };
        Plan {
            nodes: Some((trees.clone(), self.depth)),
            suite: Some((self.suite.clone(), self.suite_nodes)),
            audit: Some((trees, self.depth, audit)),
            elo: None,
            choices: Some(Judging::new(self.positions.clone(), self.nodes)),
        }
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "moves of {} nodes in {} positions, {} of them searched to depth {}, {} test positions of {} nodes",
            self.nodes,
            self.positions.len(),
            self.trees.min(self.positions.len()),
            self.depth,
            self.suite.len(),
            self.suite_nodes
        )
    }
}
