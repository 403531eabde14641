//! What a tournament warns of and notes before its first game.

use std::time::Duration;

use lmrlab_diagnostics::built_in;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::position::Position;
use lmrlab_stats::{Elo, GameVariance};

use super::defaults::{all_threads, usual_threads};
use super::entrant::Entrant;
use super::{Tournament, contrast};
use crate::game::limit::{Limit, TimeControl};
use crate::processors;
use crate::sprt_text::{self, USUAL_DRAWS};

impl Tournament {
    /// The warnings before the first game.
    pub fn warnings(&self) -> Vec<String> {
        let pinning = (self.description.pin == Some(true) && !processors::CAN_PIN)
            .then(|| "threads cannot be pinned to processors on this system".to_owned());
        [
            self.repetition_warning(),
            self.undecided_warning(),
            self.load_warning(),
            self.hosting_warning(),
            self.clock_warning(),
            self.tablebase_warning(),
            pinning,
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The notes before the first game: what a test can find, and that few nodes change what features are worth.
    pub fn notes(&self) -> Vec<String> {
        let limits = (0..).map(|engine| self.description.terms_of(engine).limit);
        let few_nodes = few_nodes_note(self.engines.iter().zip(limits));
        let sprt = self.description.sprt.as_ref();
        let test = sprt.map(|sprt| sprt_text::prospects(sprt, self.pairs));
        test.into_iter().chain(few_nodes).collect()
    }

    /// What differs between its engines beside their reductions.
    pub fn confounders(&self) -> Vec<String> {
        contrast::confounders(&contrast::sides(&self.engines))
    }

    /// A warning about more games at the same time than the machine can give full time to.
    fn load_warning(&self) -> Option<String> {
        let all = all_threads();
        let usual = usual_threads(true, self.description.ponders());
        (!self.is_deterministic() && self.threads > usual).then(|| {
            format!(
                "{} games at the same time on {all} processors, under a time limit: other programs take time from the \
                 engines; use at most {usual} games at a time",
                self.threads
            )
        })
    }

    /// A warning about a long clock: its seconds may have been meant as milliseconds.
    fn clock_warning(&self) -> Option<String> {
        const LONG_BASE: Duration = Duration::from_secs(10_000);
        const LONG_INCREMENT: Duration = Duration::from_secs(60);
        let limits = (0..self.description.engines.len()).map(|engine| self.description.terms_of(engine).limit);
        let mut clocks = limits.filter_map(Limit::clock);
        let clock = clocks.find(|clock| clock.base >= LONG_BASE || clock.increment >= LONG_INCREMENT)?;
        let thousandth = TimeControl {
            base: clock.base / 1_000,
            increment: clock.increment / 1_000,
            ..clock
        };
        Some(format!(
            "the clock {clock} has {:.1} hours and {} s more for each move, because its numbers are seconds; if they are meant as \
             milliseconds, write {thousandth}",
            clock.base.as_secs_f64() / 3_600.0,
            clock.increment.as_secs_f64(),
        ))
    }

    /// A warning about openings that the tablebases decide.
    fn tablebase_warning(&self) -> Option<String> {
        let tables = self.tablebases.as_ref()?;
        let count = self.openings.count();
        let positions = (0..count).filter_map(|index| Position::from_fen(self.openings.fen(index)?).ok());
        let known = positions.filter(|position| tables.know(position)).count();
        (known > 0).then(|| {
            format!("{known} of the {count} openings are in the tablebases: their games end without a move, so they decide nothing")
        })
    }

    /// A warning about a program that plays both its own scheme and a policy, when its speed counts.
    fn hosting_warning(&self) -> Option<String> {
        let program = |engine: &Entrant| engine.external_engine().map(|engine| engine.program.clone());
        let plays_own = |hosted: &Entrant| {
            let mut others = self.engines.iter();
            others.any(|other| other.hosted_policy().is_none() && program(other) == program(hosted))
        };
        let mut engines = self.engines.iter();
        let hosted = engines.find(|engine| engine.hosted_policy().is_some() && plays_own(engine));
        hosted.filter(|_| !self.is_deterministic()).map(|engine| {
            format!(
                "`{}` reads its policy while it plays, which costs speed; its own scheme is compiled. Under a time limit that is a part \
                 of the result; a limit of nodes leaves it out",
                engine.name
            )
        })
    }

    /// A warning about openings that run out before the test can be expected to be decided.
    fn undecided_warning(&self) -> Option<String> {
        let sprt = self.description.sprt.as_ref()?;
        let openings = self.openings.count() as u64;
        if !self.is_deterministic() || self.pairs != openings {
            return None;
        }
        // The longest test: a true difference between the two hypotheses. With normalized Elo no draw rate matters.
        let variance = GameVariance::new(USUAL_DRAWS, Elo(0.0)).ok()?;
        let middle = variance.on_scale(sprt.model(), f64::midpoint(sprt.elo0(), sprt.elo1()));
        let expected = (sprt.plan(variance, middle, None).expected_games / 2.0).ceil() as u64;
        (expected > openings).then(|| {
            format!(
                "the test may end without a decision: there are openings for {openings} pairs, and a test of [{}, {}] takes \
                 about {expected} pairs when the true difference is between the two; {}",
                sprt.elo0(),
                sprt.elo1(),
                self.more_openings(expected - openings)
            )
        })
    }

    /// How to get at least this many more openings.
    fn more_openings(&self, missing: u64) -> String {
        let conditions = &self.description.conditions;
        if conditions.played_variant() == ChessVariant::Chess960 {
            return "name a second book of Chess960".to_owned();
        }
        let books = conditions.openings.all().map(|file| built_in::without_mark(file));
        let books: String = books.map(|file| format!("--openings {} ", file.display())).collect();
        format!(
            "make more with `lmrlab openings make --count {} --out more.epd`, then name both with `{books}--openings more.epd`; or add \
             them later with `lmrlab resume DIR --openings more.epd`",
            rounded_up(missing)
        )
    }

    /// A warning about too few openings.
    fn repetition_warning(&self) -> Option<String> {
        let openings = self.openings.count() as u64;
        (self.pairs > openings).then(|| {
            let consequence = if self.is_deterministic() {
                "later games repeat earlier ones move by move, so they add no information and make error bars too narrow"
            } else {
                "later pairs repeat openings"
            };
            format!(
                "{openings} openings for {} pairs: {consequence}",
                self.pairs
            )
        })
    }
}

/// The least nodes a move at which games say something about longer games.
const ENOUGH_NODES: u64 = 1_000;

/// A note about policies that play with very few nodes a move in the project's own engine.
pub fn few_nodes_note<'e>(engines: impl IntoIterator<Item = (&'e Entrant, Limit)>) -> Option<String> {
    let few = |(engine, limit): (&Entrant, Limit)| {
        engine.own().is_some() && limit.nodes().is_some_and(|nodes| nodes < ENOUGH_NODES)
    };
    engines.into_iter().any(few).then(|| {
        format!(
            "below {ENOUGH_NODES} nodes a move, a rule or a search feature may help where it hurts in longer searches: without late \
             move pruning the engine gains 53 Elo at 200 nodes, and loses 109 at 4000"
        )
    })
}

/// A number with two digits that are not zero, at least as great.
fn rounded_up(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    number.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_up_to_two_digits() {
        let numbers = [0, 7, 10, 99, 100, 101, 999, 30_412, u64::MAX];
        let rounded = [0, 7, 10, 99, 100, 110, 1_000, 31_000, u64::MAX];
        assert_eq!(numbers.map(rounded_up), rounded);
    }
}
