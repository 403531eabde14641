//! Every fact of the catalogue in real searches: hand-checked values in given positions, and invariants of any tree.

mod root;
mod tree;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;

use lmrlab_diagnostics::Source;
use lmrlab_engine::search::observer::{Decision, Events, Observer};
use lmrlab_policy::Policy;

use crate::seen::{Seen, plain_search};

/// Reduces nothing, and needs every fact that a search keeps a table for.
pub(crate) const ASKS: &str = r#"
name    = "asks"
when    = "depth > 120 and (counter_move or capture_history + continuation_history_2 + continuation_history_4 + continuation_history + history > 1e6)"
reduce  = "1"
history = { model = "rebel" }
"#;

/// Hears of every decision.
struct Listener<F>(F);

impl<F: FnMut(Seen)> Observer for Listener<F> {
    fn events(&self) -> Events {
        Events::MOVES
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        (self.0)(Seen::new(decision));
    }
}

/// Searches a position with empty tables and passes on every decision.
pub(crate) fn search(policy: &str, fen: &str, limits: &Limits, each: impl FnMut(Seen)) -> Report {
    search_with(&plain_search(), policy, fen, limits, each)
}

/// As [`search`], with a preset.
fn search_with(preset: &Preset, policy: &str, fen: &str, limits: &Limits, each: impl FnMut(Seen)) -> Report {
    let (policy, _) = Policy::compile(Source::new("test.toml", policy)).unwrap();
    let game = Game::new(Position::from_fen(fen).unwrap());
    let mut engine = Engine::new(Arc::new(preset.clone()), Arc::new(policy), 4);
    let stop = AtomicBool::new(false);
    engine.search_observed(&game, limits, &stop, &mut Listener(each))
}
