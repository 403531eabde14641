//! `match --ordering both`: three matches that measure the reductions, the ordering, and both together.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Text;
use lmrlab_engine::preset::QuietOrdering;

use super::super::shared::playing::Playing;
use super::{Arguments, TypedEngines};
use crate::advice::refuse_another;
use crate::frame::Frame;
use crate::invocation::invocation;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::MANIFEST;
use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_results::text_table::{TextColumn, TextTable};
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::record::recorded;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::Tournament;
use lmrlab_runner::tournament::description::EngineKind;
use lmrlab_runner::tournament::entrant::Entrant;
use lmrlab_stats::{ERROR_HEADING, Estimate};

/// The folders of the three matches, and what each compares.
const PARTS: [(&str, &str); 3] = [
    ("reductions", "reductions, ordered by the preset"),
    ("ordering", "ordering alone, nothing reduced"),
    ("together", "both together"),
];

/// Plays the remaining pairs of the three matches, and prints what each part is worth. A second call resumes.
pub(super) fn play(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let common = &frame.options;
    if let Some(option) = arguments.against_both(common) {
        return Err(Failure::input(
            format!("`--ordering both` plays three matches, and `{option}` is for one"),
            "leave it out, or play matches with `--ordering preset` and `--ordering own`",
        ));
    }
    let engines = arguments.engines(common)?;
    check(&engines)?;
    let together = arguments.tournament(engines.clone(), Some(QuietOrdering::Own), common)?;
    let own: Vec<_> = together.0.engines.iter().filter_map(Entrant::own).collect();
    if own.iter().all(|own| own.ordering.is_none()) {
        let names = together.0.names();
        return Err(Failure::input(
            format!(
                "neither `{}` has a history that orders moves, so there is one part",
                names.join("` nor `")
            ),
            "leave `--ordering both` out",
        ));
    }
    let mut alone = engines.clone();
    for ((engine, own), name) in alone.engines.iter_mut().zip(&own).zip(together.0.names()) {
        let name = if own.policy.never_reduces() {
            name
        } else {
            format!("{name} without reductions")
        };
        engine.name = Some(name);
        if let EngineKind::Own { policy, .. } = &mut engine.kind {
            *policy = Text::detached(own.ordering_alone());
        }
    }
    let mut usual = arguments.usual_folder(&together.0)?.into_os_string();
    usual.push("-parts-of-ordering");
    let out = common.out.clone().unwrap_or_else(|| usual.into());
    let reductions = arguments.tournament(engines, Some(QuietOrdering::Preset), common)?;
    let alone = arguments.tournament(alone, Some(QuietOrdering::Own), common)?;
    let title = together.0.description.name.clone();
    let mut parts = Vec::new();
    for (found, (folder, _)) in [reductions, alone, together].into_iter().zip(PARTS) {
        let out = out.join(folder);
        let begun = begun(&found.0, &out, common.force)?;
        parts.push((found, out, begun));
    }
    let folders: Vec<PathBuf> = parts.iter().map(|(_, out, _)| out.clone()).collect();
    for ((found, out, begun), (_, what)) in parts.into_iter().zip(PARTS) {
        if let Some(run) = &begun
            && run.progress()?.ended().is_some()
        {
            continue;
        }
        frame.print(&format!("\n{title}: {what}\n"));
        let playing = Playing {
            takes_apart: true,
            out: out.clone(),
            ..arguments.options.playing(found, &out, frame)?
        };
        let ended = match begun {
            Some(run) => {
                let (tournament, warnings) = run.tournament(|_| (), &invocation())?;
                Playing {
                    tournament,
                    warnings,
                    ..playing
                }
                .resume(run.manifest(), frame)
            }
            None => playing.play(frame),
        };
        if matches!(ended, Err(Failure::Interrupted)) {
            frame.print("Or repeat this command: it resumes all parts.\n");
        }
        ended?;
    }
    let played = folders.iter().map(|folder| Run::open(folder)?.progress());
    let table = table(&played.collect::<Result<Vec<TournamentProgress>, Failure>>()?);
    frame.print(&format!("\nParts of {title}, Elo of the first\n\n{table}"));
    Ok(())
}

/// Refuses engines with which reductions and ordering cannot be separated.
fn check(engines: &TypedEngines) -> Result<(), Failure> {
    for engine in &engines.engines {
        match engine.kind {
            EngineKind::External { .. } => {
                return Err(Failure::input(
                    "`--ordering both` is for policies, and this engine is a program",
                    "name two policies",
                ));
            }
            EngineKind::Own { ordering: Some(_), .. } => {
                return Err(Failure::input(
                    "`--ordering both` plays with either ordering, and an engine says its own",
                    "leave `ordering=` out",
                ));
            }
            EngineKind::Own { ordering: None, .. } => {}
        }
    }
    Ok(())
}

/// The match that its folder has; `None` when there is none, or it will be replaced.
fn begun(tournament: &Tournament, out: &Path, force: bool) -> Result<Option<Run>, Failure> {
    if force || !out.join(MANIFEST.name()).exists() {
        return Ok(None);
    }
    let run = Run::open(out)?;
    let asked = recorded::manifest(tournament, &invocation(), out)?;
    refuse_another(out, "another match", run.manifest(), &asked)?;
    Ok(Some(run))
}

/// What each part is worth, and by how much both together differ from the sum.
fn table(played: &[TournamentProgress]) -> TextTable {
    let columns = ["Pairs", "Elo", ERROR_HEADING].map(TextColumn::numbers);
    let mut table = TextTable::of(std::iter::once(TextColumn::words("Part")).chain(columns));
    let mut figures = Vec::new();
    for (progress, (_, what)) in played.iter().zip(PARTS) {
        let estimate = Estimate::of(&progress.tally.encounter(0, 1).pairs);
        let elo = estimate.as_ref().map(|estimate| estimate.elo.0);
        let error = estimate.and_then(|estimate| estimate.elo_error_95).map(|error| error.0);
        table.push([
            what.to_owned(),
            progress.pairs.to_string(),
            signed(elo, 1),
            unsigned(error, 1),
        ]);
        figures.extend(elo.zip(error));
    }
    if let [reductions, ordering, together] = figures[..] {
        let beyond = together.0 - reductions.0 - ordering.0;
        let error = (reductions.1.powi(2) + ordering.1.powi(2) + together.1.powi(2)).sqrt();
        let what = "together, beyond the sum of the parts".to_owned();
        table.push([what, String::new(), signed(Some(beyond), 1), unsigned(Some(error), 1)]);
    }
    table
}
