//! The same ideas in several settings: a trial in each, and what the settings say together.

use lmrlab_engine::limits::Limits;
use lmrlab_stats::DEVIATIONS_95;
use lmrlab_stats::meta::{RandomEffectsMean, outliers};

use super::{Idea, IdeaError, Trial};
use crate::kept::Comparison;
use crate::measures::{Contest, Paired};
use crate::positions::LabPosition;
use crate::search::search;
use crate::variant::Variant;

/// Nodes of the searches that show whether an idea can act, at least. In shorter ones an idea may find no occasion.
const LEAST_NODES: u64 = 10_000;

/// A setting: a search preset and the nodes of a move.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The preset as it was named.
    pub preset: String,
    /// The policy in that preset.
    pub whole: Variant,
    /// Games, with the nodes of this setting.
    pub contest: Contest,
}

impl Setting {
    /// The heading of a table's column: `standard 4000`.
    pub fn name(&self) -> String {
        format!("{} {}", self.preset, self.contest.nodes)
    }
}

/// The trial in one setting.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Where it is played.
    pub setting: Setting,
    /// The ideas that can act here, as places in the list of all ideas.
    pub acting: Vec<usize>,
    ideas: Vec<Idea>,
}

impl Cell {
    /// The trial in this setting, of the ideas that can act in it.
    ///
    /// An idea cannot act when it changes nothing that the preset uses: with it and without it, searches of all `positions`, with the nodes
    /// of the setting and at least 10,000, are the same. Both are searched without any other idea and with all others, since an idea may need another one.
    ///
    /// # Errors
    /// When an idea cannot be applied, or two of them change the same thing.
    pub fn new(setting: Setting, ideas: &[Idea], positions: &[LabPosition]) -> Result<Self, IdeaError> {
        for (index, idea) in ideas.iter().enumerate() {
            idea.changes(&setting.whole)?;
            idea.check_together(&ideas[..index])?;
        }
        let acting: Vec<usize> = (0..ideas.len())
            .filter(|&idea| acts(&setting, ideas, idea, positions))
            .collect();
        let acting_ideas = acting.iter().filter_map(|&idea| ideas.get(idea).cloned()).collect();
        Ok(Self {
            setting,
            acting,
            ideas: acting_ideas,
        })
    }

    /// The trial of this cell.
    ///
    /// # Errors
    /// As [`Trial::new`].
    pub fn trial(&self) -> Result<Trial<'_>, IdeaError> {
        Trial::new(&self.setting.whole, &self.ideas, &self.setting.contest)
    }
}

/// What decides the games of several trials, for results that are kept.
pub fn comparison(cells: &[Cell], ideas: &[Idea]) -> Comparison {
    let text = |part: &dyn Fn(&Cell) -> String| cells.iter().map(part).collect::<Vec<String>>().join("\n");
    let names: Vec<&str> = ideas.iter().map(Idea::name).collect();
    Comparison::of_texts([
        ("search", text(&|cell| format!("{:?}", cell.setting.whole))),
        (
            "rows",
            format!("{}\n{}", names.join("\n"), text(&|cell| format!("{:?}", cell.acting))),
        ),
        ("elo", text(&|cell| format!("{:?}", cell.setting.contest))),
    ])
}

fn acts(setting: &Setting, ideas: &[Idea], idea: usize, positions: &[LabPosition]) -> bool {
    let limits = Limits::nodes(setting.contest.nodes.max(LEAST_NODES));
    let trial = Trial {
        whole: &setting.whole,
        ideas,
        contest: &setting.contest,
    };
    [false, true].into_iter().any(|others| {
        let mut on = vec![others; ideas.len()];
        let mut side = |has: bool| {
            if let Some(place) = on.get_mut(idea) {
                *place = has;
            }
            trial.with(&on)
        };
        let (with, without) = (side(true), side(false));
        positions.iter().any(|position| {
            let report = |variant: &Variant| {
                let report = search(variant, &position.position, &limits);
                (report.nodes, report.depth, report.best, report.score)
            };
            report(&with) != report(&without)
        })
    })
}

/// What all settings say about an idea.
#[derive(Debug, Clone, PartialEq)]
pub struct Together {
    /// The mean over the settings, which may differ beyond chance.
    pub mean: RandomEffectsMean,
    /// The settings in which the effect is far from that in the others, as places in the list of settings.
    pub apart: Vec<usize>,
}

impl Together {
    /// Of the effects of an idea in the settings where it acts. `None` with fewer than two that have an error.
    ///
    /// A setting stands apart when it is one of the [`outliers`]. The level is 5% for all `comparisons` together (Bonferroni).
    pub fn of(effects: &[(usize, Paired)], comparisons: usize) -> Option<Self> {
        let with_error = |&(setting, effect): &(usize, Paired)| {
            // Games that all ended alike show no error.
            let deviation = effect.error_95.filter(|error| *error > 0.0)? / DEVIATIONS_95;
            Some((setting, (effect.mean, deviation * deviation)))
        };
        let (settings, results): (Vec<usize>, Vec<(f64, f64)>) = effects.iter().filter_map(with_error).unzip();
        if results.len() < 2 {
            return None;
        }
        let mean = RandomEffectsMean::of(&results)?;
        let level = 0.05 / comparisons.max(1) as f64;
        let apart = outliers(&results, level)
            .into_iter()
            .map(|place| settings[place])
            .collect();
        Some(Self { mean, apart })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::PositionSet;
    use lmrlab_diagnostics::Source;
    use lmrlab_policy::Policy;
    use lmrlab_runner::openings::Openings;

    fn setting(nodes: u64, off: &[&str]) -> Setting {
        let mut whole = Variant::new("none", Policy::none());
        let mut preset = (*whole.preset).clone();
        for change in off {
            preset.parameters.change(change).unwrap();
        }
        whole.preset = std::sync::Arc::new(preset);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        Setting {
            preset: "standard".to_owned(),
            whole,
            contest: Contest {
                openings: Openings::parse(Source::new("openings.epd", start)).unwrap().0,
                pairs: 10,
                nodes,
                seed: 1,
            },
        }
    }

    #[test]
    fn ideas_without_anything_to_change_are_left_out() {
        let positions = PositionSet::bench().unwrap().positions;
        let ideas = ["-killers", "null_move_min_depth=4"].map(|text| Idea::of_search(text).unwrap());
        let acting = |off: &[&str]| Cell::new(setting(300, off), &ideas, &positions).unwrap().acting;
        assert_eq!(acting(&[]), [0, 1]);
        assert_eq!(acting(&["-null_move"]), [0]);
        assert_eq!(acting(&["-null_move", "-killers"]), [0_usize; 0]);
    }

    #[test]
    fn an_idea_that_needs_another_one_acts() {
        let positions = PositionSet::bench().unwrap().positions;
        let ideas = ["+null_move", "null_move_min_depth=4"].map(|text| Idea::of_search(text).unwrap());
        let cell = Cell::new(setting(300, &["-null_move"]), &ideas, &positions).unwrap();
        assert_eq!(cell.acting, [0, 1]);
    }

    fn effects(values: &[f64], error: f64) -> Vec<(usize, Paired)> {
        let effect = |mean: f64| Paired {
            mean,
            error_95: Some(error),
        };
        values.iter().map(|&value| effect(value)).enumerate().collect()
    }

    #[test]
    fn one_setting_that_differs_from_the_others_stands_apart() {
        let together = Together::of(&effects(&[2.0, -1.0, 110.0, 3.0, 0.0], 10.0), 5).unwrap();
        assert_eq!(together.apart, [2]);
        assert!(together.mean.q_probability < 1e-6);
        let alike = Together::of(&effects(&[2.0, -1.0, 5.0, 3.0, 0.0], 10.0), 5).unwrap();
        assert!(alike.apart.is_empty() && alike.mean.tau == 0.0 && alike.mean.q_probability > 0.5);
        assert!((alike.mean.value - 1.8).abs() < 1e-9);
        assert_eq!(Together::of(&effects(&[2.0], 10.0), 1), None);
    }
}
