//! The outcome of a trial, in one setting or in several: a table for people, and the rows of trial.csv.

use std::path::Path;

use lmrlab_results::csv_file::header;
use lmrlab_results::fixed::Fixed;
use lmrlab_results::lab_rows::{InteractionRow, TrialRow};
use lmrlab_stats::meta::{RandomEffectsMean, outliers};
use lmrlab_stats::{CONFIDENCE, DEVIATIONS_95, ERROR_HEADING, EloEffect, deviations_among};

use crate::Interaction;
use crate::idea::Idea;
use crate::plan::Plan;
use crate::subject::Subject;
use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_runner::text_table::TextTable;
use lmrlab_runner::tournament::entrant::EntrantEngine;

/// From this size on, in Elo, a trial warns that an idea can change what the others gain. Beside an idea of 360 Elo the gain of another was
/// measured to differ (docs/guide.md). The limit is a choice: half of such an idea.
const OVERWHELMING_ELO: f64 = 150.0;

/// The results of a trial.
#[derive(Debug, Clone, Copy)]
pub struct PlayedTrial<'p> {
    /// The number of its pairs.
    pub pairs: u64,
    /// The effects of its ideas in their order; `None` when too few pairs were played.
    pub effects: Option<&'p [EloEffect]>,
    /// How every two ideas act together; empty when the trial does not look for it.
    pub interactions: &'p [Interaction],
}

/// The name of the host with this program in tables: the file name of the program.
pub fn host_label(command: &str) -> String {
    let stem = Path::new(command).file_stem();
    stem.map_or_else(|| command.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// A trial in one setting: a search preset or a host, and the nodes of a move.
#[derive(Debug, Clone)]
struct SettingResult {
    preset: String,
    nodes: u64,
    policy: String,
    pairs: u64,
    ideas: Vec<Idea>,
    /// The effects in the order of the ideas; `None` when too few pairs were played.
    effects: Option<Vec<EloEffect>>,
    interactions: Vec<Interaction>,
}

impl SettingResult {
    fn of(subject: &Subject, nodes: u64, played: PlayedTrial<'_>) -> Self {
        Self {
            preset: match &subject.start.engine {
                EntrantEngine::Own(own) => own.preset_reference.clone(),
                EntrantEngine::External { command, .. } => host_label(command),
            },
            nodes,
            policy: subject.start.name.clone(),
            pairs: played.pairs,
            ideas: subject.ideas.clone(),
            effects: played.effects.map(<[EloEffect]>::to_vec),
            interactions: played.interactions.to_vec(),
        }
    }

    /// The heading of a column: `standard 4000`.
    fn name(&self) -> String {
        format!("{} {}", self.preset, self.nodes)
    }

    /// The effect of an idea, if it can act here and was measured.
    fn effect(&self, idea: &Idea) -> Option<EloEffect> {
        let place = self.ideas.iter().position(|other| other == idea)?;
        self.effects.as_ref()?.get(place).copied()
    }
}

/// The outcome of a trial in all its settings.
#[derive(Debug, Clone)]
pub struct TrialTable {
    ideas: Vec<Idea>,
    settings: Vec<SettingResult>,
}

impl TrialTable {
    /// The table of some trials, one for each setting.
    pub fn of<'o>(trials: impl IntoIterator<Item = (&'o Plan, PlayedTrial<'o>)>) -> Self {
        let settings = trials.into_iter().map(|(plan, played)| {
            let nodes = plan.conditions.terms.limit.nodes().unwrap_or(0);
            SettingResult::of(&plan.subject, nodes, played)
        });
        Self::new(settings.collect())
    }

    /// The table of a single setting.
    pub(crate) fn single(subject: &Subject, played: PlayedTrial<'_>) -> Self {
        Self::new(vec![SettingResult::of(subject, 0, played)])
    }

    fn new(settings: Vec<SettingResult>) -> Self {
        let mut ideas: Vec<Idea> = Vec::new();
        for idea in settings.iter().flat_map(|setting| &setting.ideas) {
            if !ideas.contains(idea) {
                ideas.push(idea.clone());
            }
        }
        // The order must not depend on which ideas can act in which setting.
        ideas.sort_by(|one, other| (one.kind(), one.name()).cmp(&(other.kind(), other.name())));
        Self { ideas, settings }
    }

    /// Whether too few pairs were played to say anything.
    pub fn is_empty(&self) -> bool {
        self.settings.iter().all(|setting| setting.effects.is_none())
    }

    fn effects(&self, idea: usize) -> Vec<(usize, EloEffect)> {
        let settings = self.settings.iter().enumerate();
        let idea = &self.ideas[idea];
        settings
            .filter_map(|(place, setting)| Some((place, setting.effect(idea)?)))
            .collect()
    }

    fn played(&self) -> u64 {
        self.settings.iter().map(|setting| setting.pairs).sum()
    }

    fn comparisons(&self) -> usize {
        (0..self.ideas.len()).map(|idea| self.effects(idea).len()).sum()
    }

    fn together(&self, idea: usize) -> Option<Together> {
        Together::of(&self.effects(idea), self.comparisons())
    }

    /// The text of trial.csv.
    pub fn csv(&self) -> String {
        let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for (place, idea) in self.ideas.iter().enumerate() {
            let mean = self.together(place).map(|together| together.mean);
            for (setting, effect) in self.effects(place) {
                let setting = &self.settings[setting];
                // Writing to memory cannot fail.
                let _ = out.serialize(TrialRow {
                    idea: idea.name().to_owned(),
                    of: idea.kind().to_owned(),
                    preset: setting.preset.clone(),
                    match_nodes: setting.nodes,
                    elo: Fixed(Some(effect.elo)),
                    elo_error_95: Fixed(known(effect.error_95)),
                    pairs: setting.pairs,
                    policy: setting.policy.clone(),
                    mean: Fixed(mean.map(|mean| mean.value)),
                    mean_error_95: Fixed(mean.map(|mean| mean.error_95)),
                    tau: Fixed(mean.map(|mean| mean.tau)),
                    q: Fixed(mean.map(|mean| mean.q)),
                    q_freedom: mean.map(|mean| mean.q_freedom as u64),
                    q_probability: Fixed(mean.map(|mean| mean.q_probability)),
                });
            }
        }
        let lines = out.into_inner().unwrap_or_default();
        header::<TrialRow>() + &String::from_utf8_lossy(&lines)
    }

    /// The text of interactions.csv.
    pub fn interactions_csv(&self) -> String {
        let mut out = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for setting in &self.settings {
            for Interaction { ideas, effect } in &setting.interactions {
                let [idea, with] = ideas.map(|place| setting.ideas[place].name().to_owned());
                // Writing to memory cannot fail.
                let _ = out.serialize(InteractionRow {
                    idea,
                    with,
                    elo: Fixed(Some(effect.elo)),
                    elo_error_95: Fixed(known(effect.error_95)),
                    pairs: setting.pairs,
                });
            }
        }
        let lines = out.into_inner().unwrap_or_default();
        header::<InteractionRow>() + &String::from_utf8_lossy(&lines)
    }

    /// The interactions that stand out, in sentences; empty when the trial does not look for them.
    fn interactions(&self) -> String {
        let mut text = String::new();
        for setting in self.settings.iter().filter(|setting| !setting.interactions.is_empty()) {
            let count = setting.interactions.len();
            let place = match self.settings.len() {
                1 => String::new(),
                _ => format!(" at {}", setting.name()),
            };
            let clear = standing_out(&setting.interactions);
            for Interaction { ideas, effect } in &clear {
                let [idea, with] = ideas.map(|place| setting.ideas[place].shown());
                text.push_str(&format!(
                    "`{idea}` with `{with}`{place}: together {} ± {} Elo beyond the sum of both.\n",
                    signed(Some(effect.elo), 1),
                    unsigned(Some(effect.error_95), 1)
                ));
            }
            text.push_str(&match clear.is_empty() {
                true => format!("None of {count} interactions stands out{place}.\n"),
                false => format!(
                    "The other {} interactions do not stand out{place}.\n",
                    count - clear.len()
                ),
            });
        }
        if !text.is_empty() {
            text.push_str("The Elo of an idea is its mean gain over all combinations of the other ideas. A match shows its gain beside one of them.\n");
        }
        text
    }

    /// A warning for each idea that is so large that it can change what the others gain.
    fn overwhelming(&self) -> String {
        let mut text = String::new();
        for (place, idea) in self.ideas.iter().enumerate() {
            let large = |effect: &EloEffect| effect.elo.abs() - effect.error_95 > OVERWHELMING_ELO;
            if self.effects(place).iter().any(|(_, effect)| large(effect)) {
                text.push_str(&format!(
                    "`{}` changes more than {OVERWHELMING_ELO} Elo. Beside it, games are between unequal sides, and the other ideas can gain \
                     more or less than they do alone. Play it in a match of its own, and the other ideas without it.\n",
                    idea.shown()
                ));
            }
        }
        text
    }

    /// The ideas with their effects, the best first.
    pub fn text(&self) -> String {
        let mut order: Vec<(usize, f64)> = (0..self.ideas.len())
            .filter_map(|idea| {
                let effects = self.effects(idea);
                let mean = self.together(idea).map(|together| together.mean.value);
                Some((idea, mean.or_else(|| Some(effects.first()?.1.elo))?))
            })
            .collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let several = self.settings.len() > 1;
        let policy = self.settings.first().map_or("", |setting| &setting.policy);
        let of_others: Vec<_> = self.ideas.iter().map(|idea| idea.of_others(policy)).collect();
        let is_of_others = of_others.iter().any(Option::is_some);
        let mut headings: Vec<String> = ["idea", "of"].map(str::to_owned).to_vec();
        match several {
            true => {
                headings.extend(self.settings.iter().map(SettingResult::name));
                headings.extend(["mean", "tau", "p"].map(str::to_owned));
            }
            false => headings.extend(["Elo", ERROR_HEADING].map(str::to_owned)),
        }
        headings.extend(is_of_others.then(|| "reported by others".to_owned()));
        let mut table = TextTable::new(2, headings);
        let mut apart = String::new();
        for (idea, _) in order {
            let mut row = vec![self.ideas[idea].shown(), self.ideas[idea].kind().to_owned()];
            let with_error = |elo: f64, error: f64| format!("{} ±{}", signed(Some(elo), 1), unsigned(known(error), 1));
            let effects = self.settings.iter().map(|cell| cell.effect(&self.ideas[idea]));
            if several {
                let dash = || "-".to_owned();
                row.extend(
                    effects.map(|effect| effect.map_or_else(dash, |effect| with_error(effect.elo, effect.error_95))),
                );
                let together = self.together(idea);
                row.extend(
                    together
                        .as_ref()
                        .map_or([dash(), dash(), dash()], |Together { mean, .. }| {
                            let tau = unsigned(Some(mean.tau), 1);
                            [
                                with_error(mean.value, mean.error_95),
                                tau,
                                probability(mean.q_probability),
                            ]
                        }),
                );
                for cell in together.iter().flat_map(|together| &together.apart) {
                    let cell = &self.settings[*cell];
                    let elo = signed(cell.effect(&self.ideas[idea]).map(|effect| effect.elo), 1);
                    let (name, setting) = (self.ideas[idea].shown(), cell.name());
                    apart.push_str(&format!("`{name}` stands out at {setting}: {elo} Elo.\n"));
                }
            } else {
                for effect in effects.flatten() {
                    row.extend([signed(Some(effect.elo), 1), unsigned(known(effect.error_95), 1)]);
                }
            }
            if is_of_others {
                row.push((of_others[idea].as_ref()).map_or_else(String::new, |(_, reported)| (*reported).to_owned()));
            }
            table.push(row);
        }
        let explained = self.ideas.iter().zip(&of_others);
        let explained = explained.filter_map(|(idea, of_others)| Some((idea.name(), of_others.as_ref()?)));
        let explained: String = explained
            .map(|(name, (words, _))| format!("{name}: {words}.\n"))
            .collect();
        let caution = lmrlab_runner::summary::caution(self.comparisons());
        let played = self.played();
        let note = match several {
            true => format!(
                "± is the {CONFIDENCE} error. Each setting has {} pairs, and each pair counts for every idea. Elo is for the nodes that were played. tau is the standard \
                 deviation between settings beyond chance, p the probability of such differences by chance.\n",
                self.settings.iter().map(|cell| cell.pairs).max().unwrap_or(0)
            ),
            false => {
                format!(
                    "Each of {played} pairs counts for every idea. Before you keep an idea, play a match of the policy with it against the \
                     policy without it.\n"
                )
            }
        };
        let interactions = self.interactions();
        let overwhelming = self.overwhelming();
        format!("{table}{apart}{explained}{interactions}{overwhelming}{caution}{note}")
    }
}

/// The results of an idea in all settings together.
#[derive(Debug, Clone, PartialEq)]
struct Together {
    /// The mean over the settings. The settings may differ beyond chance.
    mean: RandomEffectsMean,
    /// The settings with an effect far from that in the others, as indices in the list of settings.
    apart: Vec<usize>,
}

impl Together {
    /// From the effects of an idea in the settings where it acts. `None` when fewer than two of them have an error.
    ///
    /// A setting stands apart when it is one of the [`outliers`]. The level is 5% for all `comparisons` together (Bonferroni).
    fn of(effects: &[(usize, EloEffect)], comparisons: usize) -> Option<Self> {
        let with_error = |&(setting, effect): &(usize, EloEffect)| {
            // When all games ended alike, they show no error.
            let deviation = effect.error_95 / DEVIATIONS_95;
            (deviation > 0.0).then_some((setting, (effect.elo, deviation * deviation)))
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

/// The interactions that are not 0, with a probability of 5% that one of them is (S. Holm, *A simple sequentially rejective
/// multiple test procedure*, 1979); the clearest first.
fn standing_out(interactions: &[Interaction]) -> Vec<Interaction> {
    let deviations = |of: &Interaction| of.effect.elo.abs() / of.effect.error_95 * DEVIATIONS_95;
    let mut sorted: Vec<Interaction> = interactions
        .iter()
        .copied()
        .filter(|of| of.effect.error_95 > 0.0)
        .collect();
    sorted.sort_by(|a, b| deviations(b).total_cmp(&deviations(a)));
    let clear = sorted.iter().enumerate();
    let clear = clear.take_while(|(place, of)| deviations(of) > deviations_among(interactions.len() - place));
    let count = clear.count();
    sorted.truncate(count);
    sorted
}

/// The error of an effect; `None` when all games ended alike, because they show no error.
fn known(error_95: f64) -> Option<f64> {
    (error_95 > 0.0).then_some(error_95)
}

/// A probability with three decimals.
fn probability(p: f64) -> String {
    match p < 0.0005 {
        true => "<0.001".to_owned(),
        false => format!("{p:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(values: &[f64], error: f64) -> Vec<(usize, EloEffect)> {
        let effect = |elo: f64| EloEffect { elo, error_95: error };
        values.iter().map(|&value| effect(value)).enumerate().collect()
    }

    #[test]
    fn an_idea_that_is_surely_huge_is_named() {
        let idea = |text| Idea::of_policy(text).unwrap();
        let effect = |elo, error_95| EloEffect { elo, error_95 };
        let table = TrialTable::new(vec![SettingResult {
            preset: "standard".to_owned(),
            nodes: 1000,
            policy: "house".to_owned(),
            pairs: 100,
            ideas: vec![idea("-one"), idea("-two"), idea("-three")],
            effects: Some(vec![effect(-390.0, 22.0), effect(160.0, 20.0), effect(149.0, 1.0)]),
            interactions: Vec::new(),
        }]);
        let warning = table.overwhelming();
        assert!(warning.starts_with("`one off` changes more than 150 Elo."), "{warning}");
        assert_eq!(warning.lines().count(), 1, "{warning}");
        assert!(table.text().contains(&warning));
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
