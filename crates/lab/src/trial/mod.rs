//! Many ideas in the same games.
//!
//! Each pair of games draws a random combination of the ideas for one side; the other side has exactly the ideas that the first
//! has not. So every pair tells about every idea, and the effect of each is estimated from all pairs by least squares. Its
//! error is that of a match as long as the whole trial. Effects of two ideas together cancel out in a
//! design with complements (foldover; Box, Hunter, Hunter, *Statistics for Experimenters*, 1978), and count as noise.

mod cells;
mod effects;
mod idea;

use std::sync::Arc;

use lmrlab_engine::position::Position;
use lmrlab_stats::PairOutcome;
use rand::RngExt;
use rand_pcg::Pcg64;

pub use self::cells::{Cell, Setting, Together, comparison};
pub use self::effects::effects;
pub use self::idea::{Idea, IdeaError};
use crate::measures::{Contest, play_pair};
use crate::variant::Variant;
use crate::workers::Workers;

/// Ideas to be tried in the same games.
#[derive(Debug)]
pub struct Trial<'t> {
    whole: &'t Variant,
    ideas: &'t [Idea],
    contest: &'t Contest,
}

impl<'t> Trial<'t> {
    /// A trial of these ideas, which all change `whole`.
    ///
    /// # Errors
    /// When an idea cannot be applied, or two of them change the same thing.
    pub fn new(whole: &'t Variant, ideas: &'t [Idea], contest: &'t Contest) -> Result<Self, IdeaError> {
        for (index, idea) in ideas.iter().enumerate() {
            idea.changes(whole)?;
            idea.check_together(&ideas[..index])?;
        }
        Ok(Self { whole, ideas, contest })
    }

    /// The ideas of the first side in each pair.
    pub fn combinations(&self) -> Vec<Vec<bool>> {
        (0..self.contest.pairs)
            .map(|pair| {
                let mut generator = Pcg64::new(u128::from(self.contest.seed), u128::from(pair));
                self.ideas.iter().map(|_| generator.random_bool(0.5)).collect()
            })
            .collect()
    }

    /// Plays all pairs. The outcomes are from the side of the first; `None` for pairs that were left when the workers were
    /// asked to stop.
    pub fn play(&self, workers: &Workers) -> Vec<Option<PairOutcome>> {
        let starts = self.contest.starts(self.contest.seed);
        let jobs: Vec<(Option<Position>, Vec<bool>)> = (0..)
            .zip(self.combinations())
            .map(|(pair, on)| (starts.of(pair), on))
            .collect();
        workers.measure("elo", &jobs, |(start, on)| {
            let off: Vec<bool> = on.iter().map(|on| !on).collect();
            play_pair(&self.with(on), &self.with(&off), start.as_ref()?, self.contest.nodes)
        })
    }

    /// The search with some of the ideas.
    fn with(&self, on: &[bool]) -> Variant {
        let mut policy = (*self.whole.policy).clone();
        let mut preset = (*self.whole.preset).clone();
        for (idea, _) in self.ideas.iter().zip(on).filter(|(_, on)| **on) {
            // Every idea was checked, and no two change the same.
            let _ = idea.apply(&mut policy, &mut preset);
        }
        Variant {
            policy: Arc::new(policy),
            preset: Arc::new(preset),
            ..self.whole.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;
    use lmrlab_policy::Policy;
    use lmrlab_runner::openings::Openings;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn contest() -> Contest {
        Contest {
            openings: Openings::parse(Source::new("openings.epd", START)).unwrap().0,
            pairs: 40,
            nodes: 100,
            seed: 3,
        }
    }

    #[test]
    fn sides_have_the_ideas_that_they_drew() {
        let whole = Variant::new("none", Policy::none());
        let ideas = ["-killers", "futility_margin=77"].map(|text| Idea::of_search(text).unwrap());
        let contest = contest();
        let trial = Trial::new(&whole, &ideas, &contest).unwrap();
        let parameters = |on: [bool; 2]| trial.with(&on).preset.parameters;
        assert!(parameters([false, false]) == whole.preset.parameters);
        assert!(!parameters([true, false]).killers);
        assert_eq!(parameters([true, true]).futility_margin, 77);
        let combinations = trial.combinations();
        assert_eq!(combinations.len(), 40);
        for idea in 0..2 {
            let on = combinations.iter().filter(|on| on[idea]).count();
            assert!((8..=32).contains(&on), "{on}");
        }
    }

    #[test]
    fn ideas_that_meet_are_refused() {
        let whole = Variant::new("none", Policy::none());
        let ideas = ["-killers", "history_bonus=100,+killers"].map(|text| Idea::of_search(text).unwrap());
        let contest = contest();
        let error = Trial::new(&whole, &ideas, &contest).unwrap_err();
        assert!(error.message.contains("both change `killers`"), "{}", error.message);
        let wrong = [Idea::of_policy("nothing=1").unwrap()];
        assert!(Trial::new(&whole, &wrong, &contest).is_err());
    }
}
