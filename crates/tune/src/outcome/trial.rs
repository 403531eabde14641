//! What a trial found, in one setting or in several.

use std::path::Path;

use lmrlab_policy::reference::in_words;
use lmrlab_results::number_text::{counted, elo_with_error, signed};
use lmrlab_results::outcome::picture::{Intervals, Line, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::tuning::{InteractionRow, TrialRow};
use lmrlab_results::tables;
use lmrlab_runner::outcome::sentences::caution;
use lmrlab_runner::tournament::description::{EngineDescription, EngineKind};
use lmrlab_stats::meta::{RandomEffectsMean, outliers};
use lmrlab_stats::{DEVIATIONS_95, EloEffect, deviations_among};

use crate::Interaction;
use crate::plan::Plan;
use crate::run::result::RunResult;

/// From this size on, in Elo, a trial warns that an idea can change what the others gain. Beside an idea of 360 Elo the gain of another was
/// measured to differ (docs/guide.md). The limit is a choice: half of such an idea.
const OVERWHELMING_ELO: f64 = 150.0;

tables! {
    /// The files of a trial.
    TrialTables {
        trial: Vec<TrialRow>,
        interactions: Vec<InteractionRow>,
    }
}

/// The name of an engine in tables: that of the preset, or the file name of the host's program.
pub fn label(engine: &EngineDescription) -> String {
    match &engine.kind {
        EngineKind::Own { preset, .. } => preset.value.clone(),
        EngineKind::External { command, .. } => {
            let stem = Path::new(&command.value).file_stem();
            stem.map_or_else(|| command.value.clone(), |stem| stem.to_string_lossy().into_owned())
        }
    }
}

impl TrialTables {
    /// The tables of some trials, one for each setting: a search preset or a host, and the nodes of a move.
    pub fn of<'o>(trials: impl IntoIterator<Item = (&'o Plan, &'o RunResult)>) -> Self {
        let mut tables = Self::default();
        for (plan, result) in trials {
            tables.add(plan, result);
        }
        // The order must not depend on which ideas can act in which setting.
        let key = |row: &TrialRow| (row.of.clone(), row.idea.clone());
        tables.trial.sort_by_key(key);
        let comparisons = tables.trial.len();
        for rows in tables.trial.chunk_by_mut(is_same_idea) {
            let mean = together(rows, comparisons).map(|together| together.mean);
            for row in rows {
                row.mean = mean.map(|mean| mean.value).into();
                row.mean_error_95 = mean.map(|mean| mean.error_95).into();
                row.tau = mean.map(|mean| mean.tau).into();
                row.q = mean.map(|mean| mean.q).into();
                row.q_freedom = mean.map(|mean| mean.q_freedom as u64);
                row.q_probability = mean.map(|mean| mean.q_probability).into();
            }
        }
        tables
    }

    fn add(&mut self, plan: &Plan, result: &RunResult) {
        let subject = &plan.subject;
        let match_nodes = plan.conditions.terms.limit.nodes().unwrap_or(0);
        let (pairs, policy) = (result.pairs, &subject.start.name);
        let preset = label(&subject.start.description());
        let effects = result.effects.iter().flatten();
        self.trial
            .extend(subject.ideas.iter().zip(effects).map(|(idea, effect)| {
                let (change, reported) = idea.of_others(policy).unwrap_or_default();
                TrialRow {
                    idea: idea.name().to_owned(),
                    of: idea.kind().to_owned(),
                    preset: preset.clone(),
                    match_nodes,
                    elo: effect.elo.into(),
                    elo_error_95: known(*effect).into(),
                    pairs,
                    policy: policy.clone(),
                    reported: reported.to_owned(),
                    change,
                    ..TrialRow::default()
                }
            }));
        let interactions = result.interactions.iter();
        self.interactions
            .extend(interactions.map(|Interaction { ideas, effect }| {
                let [idea, with] = ideas.map(|place| subject.ideas[place].name().to_owned());
                InteractionRow {
                    idea,
                    with,
                    elo: effect.elo.into(),
                    elo_error_95: known(*effect).into(),
                    pairs,
                    preset: preset.clone(),
                    match_nodes,
                }
            }));
    }

    /// What the tables say.
    pub fn outcome(mut self) -> Outcome {
        let tables = self.tables();
        let policy = self.trial.first().map_or("", |row| &row.policy).to_owned();
        let title = format!("Trial of ideas for {policy}");
        let comparisons = self.trial.len();
        if comparisons == 0 {
            return Outcome {
                title: "Trial of ideas".to_owned(),
                verdict: vec!["Too few pairs are played to tell the ideas from each other.".to_owned()],
                tables,
                ..Outcome::default()
            };
        }
        let mut settings: Vec<(String, u64)> = Vec::new();
        for row in &self.trial {
            let setting = (setting(&row.preset, row.match_nodes), row.pairs);
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        let pairs: u64 = settings.iter().map(|(_, pairs)| pairs).sum();
        let is_single = settings.len() == 1;
        let mut sorted: Vec<&[TrialRow]> = self.trial.chunk_by(is_same_idea).collect();
        let elo = |rows: &&[TrialRow]| whole(&rows[0]).map_or(f64::NEG_INFINITY, |known| known.value);
        sorted.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        self.trial = sorted.concat();
        let ideas: Vec<&[TrialRow]> = self.trial.chunk_by(is_same_idea).collect();
        let mut section = Section::new("Elo of each idea").table(self.shown(is_single));
        for sentence in ideas.iter().flat_map(|rows| stand_out(rows, comparisons)) {
            section = section.say(sentence);
        }
        for row in ideas.iter().map(|rows| &rows[0]).filter(|row| !row.change.is_empty()) {
            section = section.say(format!("{}: {}.", in_words(&row.idea), row.change));
        }
        for rows in ideas.iter().filter(|rows| rows.iter().any(is_overwhelming)) {
            section = section.say(format!(
                "`{}` changes more than {OVERWHELMING_ELO} Elo. Beside it, games are between unequal sides, and the other ideas can gain \
                 more or less than they do alone. Play it in a match of its own, and the other ideas without it.",
                in_words(&rows[0].idea)
            ));
        }
        section = section.draw([picture(&ideas, is_single)]);
        let clear = ideas.iter().filter_map(|rows| {
            let known = whole(&rows[0])?;
            let (low, high) = known.spread()?;
            (low > 0.0 || high < 0.0).then(|| {
                format!(
                    "{}: {}",
                    in_words(&rows[0].idea),
                    elo_with_error(known.value, Some(high - known.value))
                )
            })
        });
        let clear: Vec<String> = clear.collect();
        let verdict = match clear.is_empty() {
            true => "No idea is clear of its error.".to_owned(),
            false => format!("Clear of their error: {}.", clear.join("; ")),
        };
        let mut sections = vec![section];
        sections.extend(self.interactions_section(is_single));
        if !is_single {
            sections.push(Section::new("All settings").reference(Table::of("trial", &self.trial)));
        }
        let ideas = counted(ideas.len() as u64, "idea");
        Outcome {
            title,
            conditions: match &settings[..] {
                [(name, _)] => format!("{ideas}, {pairs} pairs at {name} nodes a move"),
                _ => format!("{ideas} in {} settings, {pairs} pairs", settings.len()),
            },
            verdict: vec![verdict],
            sections,
            notes: [caution(comparisons).unwrap_or_default(), note(is_single)]
                .into_iter()
                .filter(|note| !note.is_empty())
                .collect(),
            tables,
        }
    }

    /// The table for a person: a line for each idea, a column for each setting.
    fn shown(&self, is_single: bool) -> Table {
        let rows: Vec<TrialRow> = (self.trial.iter())
            .map(|row| TrialRow {
                idea: in_words(&row.idea),
                ..row.clone()
            })
            .collect();
        let table = Table::of("trial", &rows).without(&["preset", "match_nodes", "pairs", "policy"]);
        let has_reports = rows.iter().any(|row| !row.reported.is_empty());
        let table = table.without(if has_reports { &[] } else { &["reported"] });
        match is_single {
            true => table.without(&["mean", "tau", "q_probability"]),
            false => table.spread("idea", &["preset", "match_nodes"], "elo"),
        }
    }

    /// The interactions that stand out; `None` when the trial does not look for them.
    fn interactions_section(&self, is_single: bool) -> Option<Section> {
        let mut section = Section::new("Interactions");
        let place = |row: &InteractionRow| (row.preset.clone(), row.match_nodes);
        for rows in self.interactions.chunk_by(|one, other| place(one) == place(other)) {
            let at = match is_single {
                true => String::new(),
                false => format!(" at {}", setting(&rows[0].preset, rows[0].match_nodes)),
            };
            let clear = standing_out(rows);
            for row in &clear {
                section = section.say(format!(
                    "`{}` with `{}`{at}: together {} beyond the sum of both.",
                    in_words(&row.idea),
                    in_words(&row.with),
                    elo_with_error(row.elo.0.unwrap_or_default(), row.elo_error_95.0)
                ));
            }
            section = section.say(match clear.is_empty() {
                true => format!("None of {} interactions stands out{at}.", rows.len()),
                false => format!(
                    "The other {} interactions do not stand out{at}.",
                    rows.len() - clear.len()
                ),
            });
        }
        let section = section
            .say("The Elo of an idea is its mean gain over all combinations of the other ideas. A match shows its gain beside one of them.")
            .reference(Table::of("interactions", &self.interactions));
        (!self.interactions.is_empty()).then_some(section)
    }
}

fn note(is_single: bool) -> String {
    match is_single {
        true => {
            "Each pair counts for every idea. Before you keep an idea, play a match of the policy with it against the policy without it."
        }
        false => {
            "Each pair counts for every idea of its setting. Elo is for the nodes that were played. tau is the standard deviation between \
             settings beyond chance, p the probability of such differences by chance."
        }
    }
    .to_owned()
}

fn setting(preset: &str, nodes: u64) -> String {
    format!("{preset} {nodes}")
}

fn is_same_idea(one: &TrialRow, other: &TrialRow) -> bool {
    (&one.of, &one.idea) == (&other.of, &other.idea)
}

/// The Elo over all settings, or in the only one.
fn whole(row: &TrialRow) -> Option<Known> {
    Known::of(row, "mean").or_else(|| Known::of(row, "elo"))
}

fn is_overwhelming(row: &TrialRow) -> bool {
    row.elo.0.unwrap_or_default().abs() - row.elo_error_95.0.unwrap_or_default() > OVERWHELMING_ELO
}

/// A sentence for each setting with an effect far from that in the others.
fn stand_out(rows: &[TrialRow], comparisons: usize) -> Vec<String> {
    let apart = together(rows, comparisons).map_or_else(Vec::new, |together| together.apart);
    let sentence = |place: usize| {
        let row = &rows[place];
        let setting = setting(&row.preset, row.match_nodes);
        format!(
            "`{}` stands out at {setting}: {} Elo.",
            in_words(&row.idea),
            signed(row.elo.0, 1)
        )
    };
    apart.into_iter().map(sentence).collect()
}

fn picture(ideas: &[&[TrialRow]], is_single: bool) -> Intervals {
    let mut lines = Vec::new();
    for rows in ideas {
        let idea = in_words(&rows[0].idea);
        if is_single {
            lines.extend(Known::of(&rows[0], "elo").map(|known| Line::Value(idea, known, false)));
            continue;
        }
        lines.push(Line::Heading(format!("{idea}:")));
        let of_setting = |row: &TrialRow| {
            Some(Line::Value(
                setting(&row.preset, row.match_nodes),
                Known::of(row, "elo")?,
                false,
            ))
        };
        lines.extend(rows.iter().filter_map(of_setting));
        let mean = Known::of(&rows[0], "mean");
        lines.extend(mean.map(|mean| Line::Value("mean".to_owned(), mean, false)));
    }
    Intervals {
        title: "Elo of each idea".to_owned(),
        quantity: Quantity::elo("Elo gained by the idea", "no effect"),
        lines,
        note: match is_single {
            true => String::new(),
            false => "A setting is a preset and the nodes of a move.".to_owned(),
        },
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

/// From the lines of an idea, one for each setting where it acts. `None` when fewer than two of them have an error.
///
/// A setting stands apart when it is one of the [`outliers`]. The level is 5% for all `comparisons` together (Bonferroni).
fn together(rows: &[TrialRow], comparisons: usize) -> Option<Together> {
    let with_error = |(place, row): (usize, &TrialRow)| {
        let deviation = row.elo_error_95.0? / DEVIATIONS_95;
        (deviation > 0.0).then_some((place, (row.elo.0?, deviation * deviation)))
    };
    let (places, results): (Vec<usize>, Vec<(f64, f64)>) = rows.iter().enumerate().filter_map(with_error).unzip();
    if results.len() < 2 {
        return None;
    }
    let mean = RandomEffectsMean::of(&results)?;
    let level = 0.05 / comparisons.max(1) as f64;
    let apart = outliers(&results, level)
        .into_iter()
        .map(|place| places[place])
        .collect();
    Some(Together { mean, apart })
}

/// The interactions that are not 0, with a probability of 5% that one of them is (S. Holm, *A simple sequentially rejective
/// multiple test procedure*, 1979); the clearest first.
fn standing_out(interactions: &[InteractionRow]) -> Vec<&InteractionRow> {
    let deviations = |row: &InteractionRow| Some(row.elo.0?.abs() / row.elo_error_95.0? * DEVIATIONS_95);
    let mut sorted: Vec<(&InteractionRow, f64)> = (interactions.iter())
        .filter_map(|row| Some((row, deviations(row)?)))
        .collect();
    sorted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let clear = sorted.iter().enumerate();
    let clear = clear.take_while(|(place, (_, of))| *of > deviations_among(interactions.len() - place));
    clear.map(|(_, (row, _))| *row).collect()
}

/// The error of an effect; `None` when all games ended alike, because they show no error.
fn known(effect: EloEffect) -> Option<f64> {
    (effect.error_95 > 0.0).then_some(effect.error_95)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(idea: &str, preset: &str, elo: f64, error: f64) -> TrialRow {
        TrialRow {
            idea: idea.to_owned(),
            of: "policy".to_owned(),
            preset: preset.to_owned(),
            match_nodes: 1_000,
            elo: elo.into(),
            elo_error_95: Some(error).filter(|error| *error > 0.0).into(),
            pairs: 100,
            policy: "house".to_owned(),
            ..TrialRow::default()
        }
    }

    #[test]
    fn one_setting_that_differs_from_the_others_stands_apart() {
        let of = |elo: &[f64]| {
            let rows = elo.iter().enumerate();
            let rows = rows.map(|(place, elo)| row("-one", &place.to_string(), *elo, 10.0));
            together(&rows.collect::<Vec<_>>(), 5)
        };
        let differs = of(&[2.0, -1.0, 110.0, 3.0, 0.0]).unwrap();
        assert_eq!(differs.apart, [2]);
        assert!(differs.mean.q_probability < 1e-6);
        let alike = of(&[2.0, -1.0, 5.0, 3.0, 0.0]).unwrap();
        assert!(alike.apart.is_empty() && alike.mean.tau == 0.0 && alike.mean.q_probability > 0.5);
        assert!((alike.mean.value - 1.8).abs() < 1e-9);
        assert_eq!(of(&[2.0]), None);
    }

    #[test]
    fn text_of_a_trial_in_several_settings() {
        let mut tables = TrialTables {
            trial: vec![
                row("-killers", "standard", -20.5, 9.0),
                row("-killers", "minimal", -10.0, 8.0),
                row("base=0.6", "standard", 12.0, 0.0),
                row("base=0.6", "stronger", 1.0, 9.5),
                row("base=0.6", "minimal", -1.0, 9.5),
                // The second is not surely that large.
                row("-one", "standard", -390.0, 22.0),
                row("-two", "standard", 160.0, 20.0),
            ],
            interactions: Vec::new(),
        };
        for row in &mut tables.trial[..2] {
            (row.mean, row.mean_error_95, row.tau) = ((-15.0).into(), 6.0.into(), 2.5.into());
            row.q_probability = 0.000_01.into();
        }
        insta::assert_snapshot!(lmrlab_results::outcome::text::text(&tables.outcome()));
    }
}
