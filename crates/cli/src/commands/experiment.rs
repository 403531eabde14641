//! What `ablate` and `sweep` do: measure a policy and its variants, by searches and by games.
//!
//! Games are a gauntlet of the policy against its variants: a run like any other, with a folder. After the games,
//! searches measure the rest, and the folder gets the tables, too. The manifest has the experiment, so `lmrlab resume`
//! also ends with the tables.

use std::num::NonZeroUsize;
use std::sync::Arc;

use clap::Args;
use cozy_chess::Color;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::lab_options::{SearchOptions, stop_on_ctrl_c};
use super::measure_options::{Measure, MeasureOptions, SubjectOptions};
use super::playing::Playing;
use super::run_keys;
use crate::frame::pages;
use crate::frame::print::print_err;
use crate::frame::{Found, Frame};
use crate::invocation::{invocation, working_folder};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::ablation::{AblationTables, ablated};
use lmrlab_lab::measures::{Measured, Plan};
use lmrlab_lab::sweep::{Axis, GridPoint, SweepTables, grid};
use lmrlab_lab::variant::Variant;
use lmrlab_lab::workers::Workers;
use lmrlab_policy::reference::overridden;
use lmrlab_results::folder::{MANIFEST, ResultsFolder, folder_name};
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::{About, write_to_run};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::defaults::MAX_NAME;
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine};
use lmrlab_runner::{project, tournament};
use lmrlab_stats::PairOutcome;

/// The most variants that play games: each is an engine of the gauntlet.
const MOST_ENGINES: usize = 1_000;
/// The most points of a grid.
const MOST_POINTS: usize = 100_000;

/// What is varied, and what is measured. The manifest of its games has it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Experiment {
    /// The search around the policies, as the user named it.
    preset: String,
    measures: MeasureOptions,
    #[serde(flatten)]
    varied: Varied,
}

/// Which rules are switched.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub(super) struct RuleOptions {
    /// Also switch every two rules together
    #[arg(long)]
    pairs_of_rules: bool,
    /// Also switch on the rules that are off
    #[arg(long)]
    additions: bool,
}

/// What is varied.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Varied {
    /// Rules, as `ablate` does.
    Rules(RuleOptions),
    /// Parameters and switches, as `sweep` does.
    Parameters(Vec<Axis>),
}

/// The variants of a policy.
enum Variants {
    Rules(Vec<(Vec<String>, Variant)>),
    Points(Vec<Axis>, Vec<GridPoint>),
}

/// An engine of the gauntlet: its name, its policy and its preset.
type Named = (String, String, String);

impl Varied {
    /// The command.
    fn kind(&self) -> &'static str {
        match self {
            Self::Rules(_) => "ablate",
            Self::Parameters(_) => "sweep",
        }
    }

    fn variants(&self, whole: &Variant) -> Result<Variants, Failure> {
        match self {
            Self::Rules(rules) => {
                let variants = ablated(whole, rules.pairs_of_rules, rules.additions);
                match variants.is_empty() {
                    false => Ok(Variants::Rules(variants)),
                    true => Err(Failure::input(
                        format!("`{}` has no rules to switch", whole.name),
                        "rules are the [[rule]] tables of a policy; `lmrlab sweep` varies its parameters",
                    )),
                }
            }
            Self::Parameters(axes) => Ok(Variants::Points(axes.clone(), points(whole, axes)?)),
        }
    }
}

impl Variants {
    fn all(&self) -> Vec<&Variant> {
        match self {
            Self::Rules(variants) => variants.iter().map(|(_, variant)| variant).collect(),
            Self::Points(_, points) => points.iter().map(|point| &point.variant).collect(),
        }
    }

    /// The engines that play a policy in a preset, which have these names. The name of each engine is its difference from
    /// the policy. No two have the same.
    fn engines(&self, policy: &str, preset: &str) -> Vec<Named> {
        match self {
            Self::Rules(variants) => variants
                .iter()
                .map(|(switched, _)| {
                    let names: Vec<String> = switched.iter().map(|rule| rule_name(rule)).collect();
                    (names.join(" "), with_changes(policy, switched), preset.to_owned())
                })
                .collect(),
            Self::Points(axes, points) => points
                .iter()
                .map(|point| {
                    let values = axes.iter().zip(&point.values);
                    let names = values.map(|(axis, value)| format!("{}={}", axis.parameter, axis.value_text(*value)));
                    let policy = match point.reduces_nothing(axes) {
                        true => "none".to_owned(),
                        false => with_changes(policy, &point.policy),
                    };
                    (
                        names.collect::<Vec<_>>().join(" "),
                        policy,
                        with_changes(preset, &point.preset),
                    )
                })
                .collect(),
        }
    }

    fn outcome(&self, whole: &Variant, measured: &[Measured], conditions: &str) -> Outcome {
        match self {
            Self::Rules(variants) => AblationTables::of(whole, variants, measured).outcome(conditions),
            Self::Points(axes, points) => SweepTables::of(&whole.name, axes, points, measured).outcome(conditions),
        }
    }
}

/// A switched rule in the name of an engine, which must not begin with a sign.
fn rule_name(switched: &str) -> String {
    match switched.strip_prefix('-') {
        Some(rule) => format!("{rule}=off"),
        None => format!("{}=on", switched.trim_start_matches('+')),
    }
}

/// A reference with these further changes.
fn with_changes(reference: &str, changes: &[String]) -> String {
    let changes = changes.iter();
    changes.fold(reference.to_owned(), |text, change| overridden(&text, change))
}

fn points(base: &Variant, axes: &[Axis]) -> Result<Vec<GridPoint>, Failure> {
    let size = axes
        .iter()
        .fold(1_usize, |size, axis| size.saturating_mul(axis.values.len()));
    if size > MOST_POINTS {
        return Err(Failure::input(
            format!("the grid has {size} points, more than {MOST_POINTS}"),
            "use larger steps",
        ));
    }
    for (index, axis) in axes.iter().enumerate() {
        let earlier = || axes[..index].iter().flat_map(|other| other.parameter.split('+'));
        let mut names = axis.parameter.split('+');
        if let Some(twice) = names.find(|name| earlier().any(|other| other == *name)) {
            return Err(Failure::input(
                format!("`{twice}` is swept twice"),
                "name each parameter once",
            ));
        }
    }
    grid(base, axes).map_err(|(message, advice)| Failure::input(message, advice))
}

/// Runs the command: first the games, if there are any, then the searches.
pub(super) fn run(subject: &SubjectOptions, varied: Varied, frame: &Frame) -> Result<(), Failure> {
    let search = SearchOptions::of(&frame.options);
    let experiment = Experiment {
        preset: search.preset.clone(),
        measures: subject.measures.clone(),
        varied,
    };
    let kind = experiment.varied.kind();
    let host = subject.host(kind)?;
    let prepared = || -> Result<(Variant, Variants, Plan), Failure> {
        let whole = search.variant(&subject.policy)?;
        let variants = experiment.varied.variants(&whole)?;
        Ok((whole, variants, experiment.measures.plan(&working_folder()?)?))
    };
    if !experiment.measures.has(Measure::Elo) {
        return frame.outcome(kind, || {
            let (whole, variants, plan) = prepared()?;
            let workers = stop_on_ctrl_c(search.workers()?)?;
            experiment.measured(&whole, &variants, &plan, None, &workers)
        });
    }
    // Mistakes in files are reported before the games.
    let (whole, variants, _) = prepared()?;
    let playing = experiment.gauntlet((subject, &search), &whole, &variants, host.as_ref(), frame)?;
    let folder = playing.out.clone();
    playing.play(frame)?;
    frame.show(experiment.finish(&Run::open(&folder)?, &search)?)
}

impl Experiment {
    /// The experiment that the games of a run belong to; `None` when they belong to none.
    ///
    /// # Errors
    /// When the manifest has one that this program does not know.
    pub(super) fn of(run: &Run) -> Result<Option<Self>, Failure> {
        let experiment = run.manifest().experiment().map(Table::try_into);
        experiment.transpose().map_err(|error: toml::de::Error| {
            let manifest = run.folder().join(MANIFEST.name());
            Failure::input(
                format!(
                    "`{}` has an unknown `[experiment]`: {}",
                    manifest.display(),
                    error.message()
                ),
                "use the version of lmrlab that began the run",
            )
        })
    }

    /// After the games of a run: measures the rest, and writes the tables and the page.
    ///
    /// # Errors
    /// When the searches cannot be done here, or a file cannot be written.
    pub(super) fn finish(&self, run: &Run, search: &SearchOptions) -> Result<Found, Failure> {
        // The policy as it was when the run began: its file may have changed since.
        let (tournament, _) = run.tournament(|_| (), &invocation())?;
        let (whole, opponents) = self.whole(&tournament, search)?;
        let variants = self.varied.variants(&whole)?;
        let mut plan = self.measures.plan(&run.manifest().root(run.folder()))?;
        plan.games = Some(outcomes(run, opponents)?);
        let workers = stop_on_ctrl_c(search.workers()?)?;
        let mut found = self.measured(&whole, &variants, &plan, Some((run, &tournament)), &workers)?;
        if let (Some(outcome), Ok(())) = (&mut found.outcome, &found.end) {
            let folder = run.folder();
            let mut about = About::of(self.varied.kind(), outcome, &invocation());
            run.manifest().command().clone_into(&mut about.command);
            write_to_run(&ResultsFolder::to_read(folder)?, outcome, &about)?;
            outcome.notes.push(format!("Results are in {}", folder.display()));
            if pages::belongs_to(folder) {
                pages::write_into(folder, "")?;
            }
        }
        Ok(found)
    }

    /// Searches the variants. `games` are the games that they played.
    fn measured(
        &self,
        whole: &Variant,
        variants: &Variants,
        plan: &Plan,
        games: Option<(&Run, &Tournament)>,
        workers: &Workers,
    ) -> Result<Found, Failure> {
        let all: Vec<Variant> = std::iter::once(whole).chain(variants.all()).cloned().collect();
        let measured = plan.measure(&all, workers)?;
        let mut conditions = vec![format!("preset {}", self.preset)];
        conditions.extend(plan.conditions());
        conditions.extend(games.map(|(_, tournament)| {
            let limit = tournament.description.conditions.terms.limit;
            let pairs = tournament.description.pairs.unwrap_or(tournament.pairs);
            format!("{pairs} pairs of games against each variant, {limit}")
        }));
        let (done, all) = (measured.len(), all.len());
        let end = match done == all {
            true => Ok(()),
            false => {
                let next = match games {
                    Some((run, _)) => format!("`lmrlab resume {}` measures all rows again", run.folder().display()),
                    None => "the figures are of these rows".to_owned(),
                };
                print_err(&format!("Interrupted after {done} of {all} rows; {next}."));
                Err(Failure::Interrupted)
            }
        };
        // Without a row of a variant there is nothing to show.
        let outcome = (done > 1).then(|| variants.outcome(whole, &measured, &conditions.join("; ")));
        Ok(Found { outcome, end })
    }

    /// The policy of a gauntlet, and the engines of its variants.
    fn whole<'t>(
        &self,
        tournament: &'t Tournament,
        search: &SearchOptions,
    ) -> Result<(Variant, &'t [Entrant]), Failure> {
        let found = tournament.engines.split_first().and_then(|(engine, opponents)| {
            let (policy, preset) = match &engine.engine {
                EntrantEngine::Own(own) => (Arc::clone(&own.policy), Some(Arc::clone(&own.preset))),
                // Only the games are played in the host.
                EntrantEngine::External { .. } => (Arc::new(engine.hosted_policy()?.policy().clone()), None),
            };
            Some((engine.name.clone(), policy, preset, opponents))
        });
        let Some((name, policy, preset, opponents)) = found else {
            return Err(Failure::run("the first engine of this run has no policy to measure"));
        };
        let preset = preset.map_or_else(|| search.around(), Ok)?;
        let hash_mib = tournament.description.conditions.hash_mib;
        let whole = Variant {
            name,
            policy,
            preset,
            hash_mib,
        };
        Ok((whole, opponents))
    }

    /// The search around the policies of a run, with as many threads.
    pub(super) fn search(&self, tournament: &Tournament, quiet: bool) -> SearchOptions {
        let conditions = &tournament.description.conditions;
        let threads = conditions.threads.map_or(0, NonZeroUsize::get);
        SearchOptions {
            preset: self.preset.clone(),
            hash_mib: conditions.hash_mib,
            threads: u32::try_from(threads).unwrap_or(0),
            quiet,
        }
    }

    /// The gauntlet of the policy against its variants.
    fn gauntlet(
        &self,
        (subject, search): (&SubjectOptions, &SearchOptions),
        whole: &Variant,
        variants: &Variants,
        host: Option<&Table>,
        frame: &Frame,
    ) -> Result<Playing, Failure> {
        let (policy, preset) = (subject.policy.to_string(), &self.preset);
        let named = variants.engines(&policy, preset);
        if named.len() >= MOST_ENGINES {
            return Err(Failure::input(
                format!("{} variants are too many for games", named.len()),
                format!("at most {} play; `--measures nodes` needs no games", MOST_ENGINES - 1),
            ));
        }
        let other_preset = named.iter().find(|(_, _, of)| of != preset);
        if let (Some((name, ..)), Some(_)) = (other_preset, host) {
            return Err(Failure::input(
                format!("`{name}` changes the search, and a host has a search of its own"),
                "leave out what belongs to the preset, or `--host`",
            ));
        }
        let title = format!("{}-{}", folder_name(&whole.name), self.varied.kind());
        let first = (whole.name.clone(), policy, preset.clone());
        let named = (1..).zip(named).map(|(number, (name, policy, preset))| {
            let name = match name.chars().count() <= MAX_NAME {
                true => name,
                false => format!("variant {number}"),
            };
            (name, policy, preset)
        });
        let engines: Vec<Table> = std::iter::once(first)
            .chain(named)
            .map(|(name, policy, preset)| {
                let mut table = host.cloned().unwrap_or_else(Table::new);
                if host.is_none() {
                    table.insert("preset".to_owned(), preset.into());
                }
                table.insert("name".to_owned(), name.into());
                table.insert("policy".to_owned(), policy.into());
                table
            })
            .collect();
        let working = working_folder()?;
        let mut table = subject.games(&working, search);
        table.extend(run_keys::table([
            ("name", title.clone().into()),
            ("format", "gauntlet".into()),
            ("pgn", "none".into()),
            ("engine", engines.into()),
        ]));
        let (tournament, mut warnings) = tournament::load(run_keys::source(&table)?, &working, |_| ())?;
        warnings.extend(subject.doubt());
        let experiment = Table::try_from(self).map_err(|error| Failure::encode("the experiment", &error))?;
        Ok(Playing {
            warnings,
            out: (frame.options.out.clone()).unwrap_or_else(|| project::results(&working).join(title)),
            takes_apart: true,
            experiment: Some(experiment),
            ..Playing::of(tournament)
        })
    }
}

/// The results of the games of each variant, from its side.
fn outcomes(run: &Run, variants: &[Entrant]) -> Result<Vec<Vec<PairOutcome>>, Failure> {
    let mut outcomes: Vec<Vec<PairOutcome>> = vec![Vec::new(); variants.len()];
    run.pairs(&mut |[first, second]| {
        let place = variants.iter().position(|variant| variant.name == first.black);
        if let Some(outcomes) = place.and_then(|place| outcomes.get_mut(place)) {
            outcomes.push(PairOutcome::of(
                first.result.outcome_for(Color::Black),
                second.result.outcome_for(Color::White),
            ));
        }
        Ok(())
    })?;
    Ok(outcomes)
}
