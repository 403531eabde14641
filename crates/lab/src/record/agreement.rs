//! Our estimates beside the reports: signs, sizes, and how often an engine's result lies in our interval.

use lmrlab_stats::NormalMixture;
use lmrlab_stats::correlation::{pearson, spearman};

use super::estimates::{Estimates, IdeaEstimate};
use super::ideas::Idea;
use super::reported::Reported;
use super::reports::Report;

/// The share of the engines' results of an idea that have one sign when its reports agree.
pub const AGREEING: f64 = 0.8;

/// The results of other ideas that it takes to tell how much engines differ.
const LEAST_RESULTS: usize = 20;

/// What engines differ by beyond surroundings when fewer results tell: the standard deviation in Elo by the public record. A test says
/// when the published cells have moved away from it.
pub(super) const ENGINES_OF_RECORD: f64 = 4.4;

/// No engines differ by more, in Elo.
const MOST: f64 = 1_000.0;

/// Steps of the search for a deviation: to a millionth of [`MOST`].
const STEPS: usize = 20;

/// An idea, ours and theirs.
#[derive(Debug, Clone, PartialEq)]
pub struct IdeaAgreement {
    /// The idea.
    pub id: String,
    /// What kind of idea it is.
    pub category: String,
    /// By our games; `None` without games.
    pub ours: Option<IdeaEstimate>,
    /// By the reports; `None` without a test of it.
    pub theirs: Option<Reported>,
    /// What engines differ by beyond surroundings, for an idea without an effect: a standard deviation in Elo, by the reports of the
    /// other ideas.
    pub engines: f64,
    /// Engines whose result lies in our interval, which allows for its own error; `None` when one side is missing.
    pub covered: Option<usize>,
}

impl IdeaAgreement {
    /// What to expect in an engine that was not measured; `None` without games.
    pub fn in_an_engine(&self) -> Option<NormalMixture> {
        self.ours.as_ref().map(|ours| expected(ours, self.engines))
    }

    /// The standard deviation of an engine's own worth around the idea's; `None` without games.
    pub fn between_engines(&self) -> Option<f64> {
        let ours = self.ours.as_ref()?;
        Some(ours.between().hypot(self.engines * ours.scale))
    }

    /// The sign of our estimate.
    pub fn our_sign(&self) -> Option<f64> {
        sign(self.ours.as_ref()?.worth.mean())
    }

    /// The sign of our estimate without that of other ideas.
    pub fn raw_sign(&self) -> Option<f64> {
        sign(self.ours.as_ref()?.raw?.value)
    }

    /// The sign on which the reports agree.
    pub fn their_sign(&self) -> Option<f64> {
        self.theirs.as_ref()?.common_sign(AGREEING)
    }
}

/// 1 or -1; nothing is neither a gain nor a loss.
fn sign(elo: f64) -> Option<f64> {
    (elo != 0.0).then(|| elo.signum())
}

/// A part of a number of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Those that are as wanted.
    pub of: usize,
    /// All.
    pub all: usize,
}

impl Share {
    fn of(cases: impl Iterator<Item = bool>) -> Self {
        let mut share = Self { of: 0, all: 0 };
        for case in cases {
            share.all += 1;
            share.of += usize::from(case);
        }
        share
    }
}

/// All ideas.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The level of our intervals, 0 to 1.
    pub level: f64,
    /// The ideas that have a file, in the order of their names.
    pub ideas: Vec<IdeaAgreement>,
}

impl Agreement {
    /// Of all ideas.
    pub fn of(ideas: &[Idea], estimates: Option<&Estimates>, reports: &[Report], level: f64) -> Self {
        let mut found = Vec::new();
        let mut needed = Vec::new();
        for idea in ideas {
            let ours = estimates.and_then(|estimates| estimates.get(&idea.id)).cloned();
            let theirs = Reported::of(reports, &idea.id);
            let both = ours.as_ref().zip(theirs.as_ref());
            needed.push(both.map(|(ours, theirs)| needed_deviations(ours, theirs, level)));
            found.push(IdeaAgreement {
                id: idea.id.clone(),
                category: idea.category.clone(),
                ours,
                theirs,
                engines: 0.0,
                covered: None,
            });
        }
        for (number, idea) in found.iter_mut().enumerate() {
            let others = needed.iter().enumerate().filter(|(other, _)| *other != number);
            let others = others.filter_map(|(_, needed)| needed.as_ref()).flatten();
            idea.engines = deviation_of_engines(others.copied().collect(), level);
            let is_covered = |needed: &&f64| **needed <= idea.engines;
            idea.covered = needed[number]
                .as_ref()
                .map(|needed| needed.iter().filter(is_covered).count());
        }
        Self { level, ideas: found }
    }

    /// The same with some of the ideas alone. What engines differ by stays what all tell.
    #[must_use]
    pub fn only(mut self, ideas: &[Idea]) -> Self {
        self.ideas
            .retain(|idea| ideas.iter().any(|wanted| wanted.id == idea.id));
        self
    }

    /// The engines' results that lie in our intervals.
    pub fn coverage(&self) -> Share {
        let mut share = Share { of: 0, all: 0 };
        for idea in &self.ideas {
            if let Some((covered, theirs)) = idea.covered.zip(idea.theirs.as_ref()) {
                share.of += covered;
                share.all += theirs.engines.len();
            }
        }
        share
    }

    /// Of the ideas whose reports agree, those where a sign of ours is theirs.
    pub fn signs(&self, ours: impl Fn(&IdeaAgreement) -> Option<f64>) -> Share {
        let both = self.ideas.iter().filter_map(|idea| ours(idea).zip(idea.their_sign()));
        Share::of(both.map(|(ours, theirs)| ours == theirs))
    }

    /// The means of ours and theirs, of the ideas that have both.
    fn means(&self) -> (Vec<f64>, Vec<f64>) {
        let both = self
            .ideas
            .iter()
            .filter_map(|idea| idea.ours.as_ref().zip(idea.theirs.as_ref()));
        both.map(|(ours, theirs)| (ours.worth.mean(), theirs.mean.value))
            .unzip()
    }

    /// Ideas that have both.
    pub fn compared(&self) -> usize {
        self.means().0.len()
    }

    /// Pearson's coefficient of the means of ours and theirs.
    pub fn pearson(&self) -> Option<f64> {
        let (ours, theirs) = self.means();
        pearson(&ours, &theirs)
    }

    /// Spearman's coefficient of the means of ours and theirs.
    pub fn spearman(&self) -> Option<f64> {
        let (ours, theirs) = self.means();
        spearman(&ours, &theirs)
    }
}

/// Our distribution of an idea's worth in a new engine, when engines differ by so much beyond surroundings.
fn expected(ours: &IdeaEstimate, engines: f64) -> NormalMixture {
    ours.in_a_surrounding().widened(engines * ours.scale)
}

/// For each engine's result: what engines have to differ by at least for it to lie in our interval, which allows for its own error.
fn needed_deviations(ours: &IdeaEstimate, theirs: &Reported, level: f64) -> Vec<f64> {
    let in_a_surrounding = ours.in_a_surrounding();
    let beyond = (1.0 - level) / 2.0;
    let needed = |elo: f64, error: f64| {
        let is_covered = |engines: f64| {
            let expected = in_a_surrounding.widened(error.hypot(engines * ours.scale));
            (beyond..=1.0 - beyond).contains(&expected.probability_below(elo))
        };
        if is_covered(0.0) {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, MOST);
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            if is_covered(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    };
    let engines = theirs.engines.iter();
    engines.map(|engine| needed(engine.elo, engine.error)).collect()
}

/// What engines differ by beyond surroundings: so much that the wanted share of the results of other ideas lies in their intervals. With
/// one more result, that of a new engine, this share is what can be expected (split conformal prediction; H. Papadopoulos, K.
/// Proedrou, V. Vovk, A. Gammerman, *Inductive confidence machines for regression*, 2002).
fn deviation_of_engines(mut needed: Vec<f64>, level: f64) -> f64 {
    if needed.len() < LEAST_RESULTS {
        return ENGINES_OF_RECORD;
    }
    needed.sort_by(f64::total_cmp);
    let place = ((needed.len() + 1) as f64 * level).ceil() as usize;
    needed[place.clamp(1, needed.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_differ_by_what_covers_the_wanted_share() {
        let needed = |count: u32| (0..count).rev().map(f64::from).collect::<Vec<_>>();
        assert_eq!(deviation_of_engines(needed(19), 0.8), ENGINES_OF_RECORD);
        // The twentieth of 24, and there is one more to come.
        assert_eq!(deviation_of_engines(needed(24), 0.8), 19.0);
        assert_eq!(deviation_of_engines(needed(24), 0.999), 23.0);
    }
}
