//! The tables that last from one move of a game to the next.

use lmrlab_policy::facts::FactSet;
use lmrlab_policy::history::HistoryModel;

use super::stack::StackEntry;
use crate::depth::Ply;
use crate::evaluation::EvaluationMemory;
use crate::history::correction::CorrectionHistory;
use crate::history::fact_tables::FactTables;
use crate::history::killers::Killers;
use crate::history::ordering::OrderingHistories;
use crate::history::policy_history::PolicyHistory;
use crate::search_parameters::SearchParameters;
use crate::transposition::TranspositionTable;
use lmrlab_diagnostics::failure::OutOfMemory;

/// The tables that last from move to move, and the search stack.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) table: TranspositionTable,
    pub(crate) killers: Killers,
    pub(crate) ordering: OrderingHistories,
    pub(crate) correction: Option<CorrectionHistory>,
    pub(crate) policy_history: Option<PolicyHistory>,
    pub(crate) fact_tables: FactTables,
    pub(crate) evaluation: EvaluationMemory,
    pub(crate) stack: Box<[StackEntry]>,
    /// Keys of the game's positions, then of the current line. They serve to detect repetitions.
    pub(crate) keys: Vec<u64>,
}

impl Memory {
    /// Empty tables. `history` is the policy's history model, `needs` the facts that are read.
    pub(crate) fn new(
        hash_mib: u32,
        parameters: &SearchParameters,
        history: Option<HistoryModel>,
        needs: FactSet,
    ) -> Result<Self, OutOfMemory> {
        Ok(Self {
            table: TranspositionTable::new(hash_mib)?,
            killers: Killers::new(),
            ordering: OrderingHistories::new(parameters),
            correction: parameters.correction_history.then(CorrectionHistory::new),
            policy_history: history.map(PolicyHistory::new),
            fact_tables: FactTables::new(needs),
            evaluation: EvaluationMemory::new(),
            stack: vec![StackEntry::EMPTY; Ply::MAX.index() + 4].into_boxed_slice(),
            keys: Vec::new(),
        })
    }

    /// Copies the stack of `other` and those of its tables that this memory has. The transposition table is left out, and so are the
    /// caches of the evaluation: they do not change its value. Both memories belong to the same search setup and policy.
    pub(crate) fn copy_tables(&mut self, other: &Self) {
        self.killers.copy_from(&other.killers);
        self.ordering.copy_from(&other.ordering);
        if let (Some(own), Some(other)) = (&mut self.correction, &other.correction) {
            own.copy_from(other);
        }
        if let (Some(own), Some(other)) = (&mut self.policy_history, &other.policy_history) {
            own.copy_from(other);
        }
        self.fact_tables.copy_from(&other.fact_tables);
        self.stack.clone_from_slice(&other.stack);
        self.keys.clone_from(&other.keys);
    }

    /// Clears everything for a new game.
    pub(crate) fn new_game(&mut self) {
        self.table.new_game();
        self.killers.clear();
        self.ordering.clear();
        if let Some(history) = &mut self.correction {
            history.clear();
        }
        self.fact_tables.clear();
        if let Some(history) = &mut self.policy_history {
            history.clear();
        }
    }
}
