//! A scheme written by hand in Rust.

use lmrlab_policy::facts::{Fact, FactSet, Facts};
use lmrlab_policy::history::{History, HistoryModel};
use lmrlab_policy::research::Research;

use lmrlab_engine::reductions::Reductions;

/// A whole number among the facts.
#[inline]
fn whole<F: Facts>(facts: &F, fact: Fact) -> i32 {
    facts.number(fact) as i32
}

/// What the scheme makes of ln(depth) * ln(move number), for depths below 128 and moves below 256.
#[derive(Clone)]
struct Table(Vec<[i32; 256]>);

impl Table {
    fn new(of: impl Fn(f64) -> f64) -> Self {
        let cell = |depth: usize, number: usize| {
            if depth == 0 || number == 0 {
                return 0;
            }
            of((depth as f64).ln() * (number as f64).ln()) as i32
        };
        Self(
            (0..128)
                .map(|depth| std::array::from_fn(|number| cell(depth, number)))
                .collect(),
        )
    }

    #[inline]
    fn at(&self, depth: i32, number: i32) -> i32 {
        self.0[depth as usize][number as usize]
    }
}

/// configs/policies/rebel-advanced.toml.
#[derive(Clone)]
pub(crate) struct RebelAdvanced {
    table: Table,
}

impl RebelAdvanced {
    pub(crate) fn new() -> Self {
        Self {
            table: Table::new(|both| 0.5 + 2.0 * both / 2.1),
        }
    }
}

impl Reductions for RebelAdvanced {
    fn depth_change<F: Facts>(&self, _: &F) -> i32 {
        0
    }

    fn never_reduces(&self) -> bool {
        false
    }

    fn reducible_from(&self) -> (i32, i32) {
        (3, 0)
    }

    fn needs(&self) -> FactSet {
        FactSet::default()
    }

    #[inline]
    fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        let flags = facts.flags();
        let depth = whole(facts, Fact::Depth);
        if depth < 3
            || flags.has(Fact::TtMove)
            || flags.has(Fact::InCheck)
            || flags.has(Fact::QueenPromotion)
            || facts.boolean(Fact::AdvancedPawn)
            || whole(facts, Fact::Iteration) >= 8 && facts.boolean(Fact::WasBest)
        {
            return 0;
        }
        let most = depth - 1 + whole(facts, Fact::Extension);
        if flags.has(Fact::Capture) || flags.has(Fact::GivesCheck) {
            return i32::from(whole(facts, Fact::See) < 0).min(most);
        }
        let number = whole(facts, Fact::MoveNumber).min(63);
        let mut steps = self.table.at(depth, number);
        let history = whole(facts, Fact::History);
        for threshold in [0, 500, 1000, 1500] {
            steps -= i32::from(history > threshold);
            steps += i32::from(history < -threshold);
        }
        steps -= i32::from(whole(facts, Fact::EvalMinusAlpha) > 10);
        steps -= i32::from(whole(facts, Fact::Positional) > 50);
        let creates = facts.boolean(Fact::CreatesThreat);
        let escapes = facts.boolean(Fact::EscapesThreat);
        if (creates || escapes) && whole(facts, Fact::See) >= 0 {
            steps -= i32::from(creates) + i32::from(escapes);
        }
        steps -= i32::from(whole(facts, Fact::PassedDelta) >= 25);
        steps -= i32::from(whole(facts, Fact::KingSafetyDelta) >= 25);
        let delta = whole(facts, Fact::EvalDelta);
        steps -= i32::from(delta >= 50);
        steps += i32::from(delta <= -50);
        steps -= i32::from(flags.has(Fact::Killer));
        steps -= i32::from(whole(facts, Fact::PstDelta) >= 20);
        (steps.max(0) / 2).min(most)
    }

    fn research(&self) -> Research {
        Research::default()
    }

    fn history(&self) -> Option<&History> {
        const HISTORY: History = History {
            model: HistoryModel::Rebel {
                ply_limit: 8,
                bound: 2000,
            },
            orders_moves: false,
        };
        Some(&HISTORY)
    }
}
