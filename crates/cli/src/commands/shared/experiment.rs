//! What `ablate` and `sweep` do: measure a policy and its variants, by searches and by games.
//!
//! Games are a gauntlet of the policy against its variants: a run like any other, with a folder. After the games,
//! searches measure the rest, and the folder gets the tables, too. The manifest has the experiment, so `lmrlab resume`
//! also ends with the tables.

use std::sync::Arc;

use clap::Args;
use cozy_chess::Color;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::conditions::conditions;
use super::engine_words::hosted;
use super::lab_options::{preset_of, variant, workers};
use super::measure_options::{Measure, MeasureOptions, SubjectOptions};
use super::playing::Playing;
use super::typed_line::TypedLine;
use crate::frame::{Found, Frame, Options, pages, print_err};
use crate::invocation::{invocation, working_folder};
use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::experiment::{AblationTables, Axis, Plan, Point, SweepTables, ablated, grid};
use lmrlab_lab::variant::Variant;
use lmrlab_lab::workers::Workers;
use lmrlab_results::folder::{ResultsFolder, folder_name};
use lmrlab_results::outcome::Outcome;
use lmrlab_results::outcome::files::{About, write_to_run};
use lmrlab_results::project;
use lmrlab_results::rows::experiments::Measures;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::defaults::MAX_NAME;
use lmrlab_runner::tournament::description::{Description, EngineDescription};
use lmrlab_runner::tournament::entrant::{Entrant, EntrantEngine};
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use lmrlab_runner::tournament::schedule::Format;
use lmrlab_stats::PairOutcome;

/// The most variants that play games: each is an engine of the gauntlet.
const MOST_ENGINES: usize = 1_000;

/// What is varied, and what is measured. The manifest of its games has it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Experiment {
    /// The search around the policies, as the user named it.
    preset: String,
    measures: MeasureOptions,
    #[serde(flatten)]
    varied: Varied,
}

/// Which rules are switched.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub(crate) struct RuleOptions {
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
pub(crate) enum Varied {
    /// Rules, as `ablate` does.
    Rules(RuleOptions),
    /// Parameters and switches, as `sweep` does.
    Parameters(Vec<Axis>),
}

impl Varied {
    /// The command.
    fn kind(&self) -> &'static str {
        match self {
            Self::Rules(_) => "ablate",
            Self::Parameters(_) => "sweep",
        }
    }

    fn points(&self, whole: &Variant) -> Result<Vec<Point>, Failure> {
        match self {
            Self::Rules(rules) => ablated(whole, rules.pairs_of_rules, rules.additions),
            Self::Parameters(axes) => grid(whole, axes),
        }
    }

    fn outcome(&self, whole: &Variant, points: &[Point], measured: &[Measures], conditions: &str) -> Outcome {
        match self {
            Self::Rules(_) => AblationTables::of(whole, points, measured).outcome(conditions),
            Self::Parameters(axes) => SweepTables::of(&whole.name, axes, points, measured).outcome(conditions),
        }
    }
}

/// Runs the command: first the games, if there are any, then the searches.
pub(crate) fn run(subject: &SubjectOptions, varied: Varied, frame: &Frame) -> Result<(), Failure> {
    let options = &frame.options;
    let experiment = Experiment {
        preset: options.preset().to_owned(),
        measures: subject.measures.clone(),
        varied,
    };
    let kind = experiment.varied.kind();
    subject.check_host()?;
    let prepared = || -> Result<(Variant, Vec<Point>, Plan), Failure> {
        let whole = variant(options, &subject.policy)?;
        let points = experiment.varied.points(&whole)?;
        Ok((whole, points, experiment.measures.plan(&working_folder()?)?))
    };
    if !experiment.measures.has(Measure::Elo) {
        return frame.outcome(kind, || {
            let (whole, points, plan) = prepared()?;
            experiment.measured(&whole, &points, &plan, None, &workers(options)?)
        });
    }
    // Mistakes in files are reported before the games.
    let (whole, points, _) = prepared()?;
    let playing = experiment.gauntlet(subject, &whole, &points, frame)?;
    let folder = playing.out.clone();
    playing.play(frame)?;
    frame.show(experiment.finish(&Run::open(&folder)?, options)?)
}

impl Experiment {
    /// The experiment that the games of a run belong to; `None` when they belong to none.
    ///
    /// # Errors
    /// When the manifest has one that this program does not know.
    pub(crate) fn of(run: &Run) -> Result<Option<Self>, Failure> {
        let experiment = run.manifest().experiment.clone().map(Table::try_into);
        experiment.transpose().map_err(|error: toml::de::Error| {
            let (folder, why) = (run.folder().display(), error.message());
            Failure::input(
                format!("the manifest of `{folder}` has an unknown `[experiment]`: {why}"),
                "use the version of lmrlab that began the run",
            )
        })
    }

    /// After the games of a run: measures the rest, and writes the tables and the page.
    ///
    /// # Errors
    /// When the searches cannot be done here, or a file cannot be written.
    pub(crate) fn finish(&self, run: &Run, options: &Options) -> Result<Found, Failure> {
        // The policy as it was when the run began: its file may have changed since.
        let (tournament, _) = run.tournament(|_| (), &invocation())?;
        let conditions = &tournament.description.conditions;
        let options = Options {
            preset: Some(self.preset.clone()),
            hash: Some(conditions.hash_mib),
            threads: options.threads.or(conditions.threads),
            quiet: options.quiet,
            ..Options::default()
        };
        let (whole, opponents) = whole(&tournament, &options)?;
        let points = self.varied.points(&whole)?;
        let mut plan = self.measures.plan(&run.manifest().root(run.folder()))?;
        plan.games = Some(outcomes(run, opponents)?);
        let mut found = self.measured(&whole, &points, &plan, Some((run, &tournament)), &workers(&options)?)?;
        if let (Some(outcome), Ok(())) = (&mut found.outcome, &found.end) {
            let folder = run.folder();
            let mut about = About::of(self.varied.kind(), outcome, &invocation());
            run.manifest().command.clone_into(&mut about.command);
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
        points: &[Point],
        plan: &Plan,
        games: Option<(&Run, &Tournament)>,
        workers: &Workers,
    ) -> Result<Found, Failure> {
        let variants = points.iter().map(|point| &point.variant);
        let all: Vec<Variant> = std::iter::once(whole).chain(variants).cloned().collect();
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
        let outcome = (done > 1).then(|| self.varied.outcome(whole, points, &measured, &conditions.join("; ")));
        Ok(Found { outcome, end })
    }

    /// The gauntlet of the policy against its variants.
    fn gauntlet(
        &self,
        subject: &SubjectOptions,
        whole: &Variant,
        points: &[Point],
        frame: &Frame,
    ) -> Result<Playing, Failure> {
        let (policy, preset, games) = (subject.policy.to_string(), &self.preset, &subject.games);
        if points.len() >= MOST_ENGINES {
            return Err(Failure::input(
                format!("{} variants are too many for games", points.len()),
                format!("at most {} play; `--measures nodes` needs no games", MOST_ENGINES - 1),
            ));
        }
        let command = format!("lmrlab {}", self.varied.kind());
        let engine = |name: &str, [policy, of_preset]: [String; 2]| {
            let engine = match &games.host {
                None => EngineDescription::own(&policy, &of_preset),
                Some(words) if of_preset == *preset => hosted(words, &policy, &command)?,
                Some(_) => {
                    return Err(Failure::input(
                        format!("`{name}` changes the search, and a host has a search of its own"),
                        "leave out what belongs to the preset, or `--host`",
                    ));
                }
            };
            let name = Some(name.to_owned());
            Ok(EngineDescription { name, ..engine })
        };
        let mut engines = vec![engine(&whole.name, [policy.clone(), preset.clone()])?];
        for (number, point) in (1..).zip(points) {
            let references = point.references(&policy, preset);
            engines.push(match point.name.chars().count() <= MAX_NAME {
                true => engine(&point.name, references)?,
                false => engine(&format!("variant {number}"), references)?,
            });
        }
        let title = format!("{}-{}", folder_name(&whole.name), self.varied.kind());
        let working = working_folder()?;
        let (limit, books) = ((games.match_nodes, games.seed), (games.openings.as_ref(), &*working));
        let description = Description {
            name: title.clone(),
            format: Format::Gauntlet,
            pairs: Some(games.pairs),
            conditions: conditions(limit, books, &games.adjudication, &frame.options),
            pgn: PgnStyle::None,
            engines,
            ..Description::default()
        };
        let document = TypedLine::new(&command).document(Vec::new());
        let (tournament, mut warnings) =
            tournament::resolved(Some(description), |_, _| (), &document, &working, Files::on_disk())?;
        warnings.extend(games.adjudication.doubt());
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

/// The policy of a gauntlet, and the engines of its variants.
fn whole<'t>(tournament: &'t Tournament, options: &Options) -> Result<(Variant, &'t [Entrant]), Failure> {
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
    let whole = Variant {
        name,
        policy,
        preset: preset.map_or_else(|| preset_of(options), Ok)?,
        hash_mib: options.hash_mib(),
    };
    Ok((whole, opponents))
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
