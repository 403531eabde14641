//! Our estimates beside the reports: signs, sizes, and how often an engine's result lies in our interval.

use lmrlab_stats::correlation::{pearson, spearman};

use super::estimates::{Estimates, IdeaEstimate};
use super::ideas::Idea;
use super::reported::Reported;
use super::reports::Report;

/// The share of the engines' results of an idea that have one sign when its reports agree.
pub const AGREEING: f64 = 0.8;

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
    /// Engines whose result lies in our interval, which allows for its own error; `None` when one side is missing.
    pub covered: Option<usize>,
}

impl IdeaAgreement {
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
    /// Of these ideas.
    pub fn of(ideas: &[Idea], estimates: Option<&Estimates>, reports: &[Report], level: f64) -> Self {
        let agreement = |idea: &Idea| {
            let ours = estimates.and_then(|estimates| estimates.get(&idea.id)).cloned();
            let theirs = Reported::of(reports, &idea.id);
            let covered = ours
                .as_ref()
                .zip(theirs.as_ref())
                .map(|(ours, theirs)| covered(ours, theirs, level));
            IdeaAgreement {
                id: idea.id.clone(),
                category: idea.category.clone(),
                ours,
                theirs,
                covered,
            }
        };
        Self {
            level,
            ideas: ideas.iter().map(agreement).collect(),
        }
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

/// Engines whose result lies in the interval of what is expected of it: our distribution for a new engine, and its own error.
fn covered(ours: &IdeaEstimate, theirs: &Reported, level: f64) -> usize {
    let expected = ours.in_an_engine();
    let is_covered = |elo: f64, error: f64| {
        let [low, high] = expected.widened(error).interval(level);
        (low..=high).contains(&elo)
    };
    let engines = theirs.engines.iter();
    engines.filter(|engine| is_covered(engine.elo, engine.error)).count()
}
