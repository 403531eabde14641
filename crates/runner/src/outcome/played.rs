//! What was played, for a page: the command and the machine, the conditions, the engines, the texts of their policies.

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::QuietOrdering;
use lmrlab_results::manifest::{Manifest, RunKind};
use lmrlab_results::outcome::{Part, Section};

use crate::run::Run;
use crate::sprt_text;
use crate::tournament::description::{Description, EngineDescription, EngineKind, OWN_SCHEME};
use crate::tournament::keys;
use lmrlab_diagnostics::failure::Failure;

/// The sections of a run.
///
/// # Errors
/// When this program cannot have written the manifest.
pub(super) fn sections(run: &Run) -> Result<Vec<Section>, Failure> {
    let manifest = run.manifest();
    let mut played = Section::for_page("What was played");
    let mut facts = provenance(manifest);
    if manifest.kind == RunKind::Tuning {
        played.parts.push(Part::Facts(facts));
        played
            .parts
            .push(folded("The file of the run", &manifest.description()));
        return Ok(vec![played]);
    }
    let (description, _) = run.description()?;
    if !description.description.is_empty() {
        played = played.say(description.description.clone());
    }
    facts.extend(conditions(&description, manifest));
    played.parts.push(Part::Facts(facts));
    let mut keys = keys::of_tournament(&description);
    keys.remove("engine");
    played.parts.push(folded("Limits, adjudication and the rest", &keys));
    let mut engines = Section::for_page("Engines");
    let named = description.engines.iter().map(|engine| (name(engine), what(engine)));
    engines.parts.push(Part::Facts(named.collect()));
    let mut policies = Section::for_page("Policies");
    policies.parts.extend(texts(&description, manifest));
    Ok(vec![played, engines, policies])
}

fn folded(name: &str, keys: &toml::Table) -> Part {
    let text = toml::to_string_pretty(keys).unwrap_or_default();
    Part::Texts(vec![(name.to_owned(), text)])
}

/// The command, the program and the machine with which the run began.
fn provenance(manifest: &Manifest) -> Vec<(String, String)> {
    let commit = (manifest.commit.as_ref()).map_or_else(String::new, |commit| format!(", commit `{commit}`"));
    let facts = [
        ("Command", Some(format!("`{}`", manifest.command))),
        ("Begun", Some(manifest.started.to_string())),
        (
            "lmrlab",
            Some(format!("{}{commit}, bench {}", manifest.lmrlab, manifest.bench)),
        ),
        ("Processor", manifest.cpu.clone()),
    ];
    let facts = facts.into_iter();
    facts
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

fn conditions(description: &Description, manifest: &Manifest) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    if description.conditions.played_variant() == ChessVariant::Chess960 {
        facts.push(("Variant".to_owned(), "Chess960".to_owned()));
    }
    if let (Some(sprt), Some(pairs)) = (&description.sprt, description.pairs) {
        facts.push(("Test".to_owned(), sprt_text::prospects(sprt, pairs)));
    }
    let books = (manifest.file.iter()).filter_map(|file| Some((&file.path, file.positions?)));
    facts.extend(books.map(|(path, count)| ("Openings".to_owned(), format!("{path}, {count} positions"))));
    facts
}

fn name(engine: &EngineDescription) -> String {
    engine.name.clone().unwrap_or_default()
}

/// What an engine is.
fn what(engine: &EngineDescription) -> String {
    match &engine.kind {
        EngineKind::Own {
            preset,
            policy,
            ordering,
        } => {
            let ordering = match ordering {
                None => "",
                Some(QuietOrdering::Preset) => ", quiet moves ordered by the preset",
                Some(QuietOrdering::Own) => ", quiet moves ordered by the policy's own history",
            };
            format!("policy {}, preset {}{ordering}", policy.value, preset.value)
        }
        EngineKind::External { command, policy, .. } => {
            let policy = policy.as_ref().map(|policy| match policy.value.as_str() {
                OWN_SCHEME => ", its own scheme".to_owned(),
                policy => format!(", policy {policy}"),
            });
            format!("program {}{}", command.value, policy.unwrap_or_default())
        }
    }
}

/// The texts of the policies that were played, as the run recorded them.
fn texts(description: &Description, manifest: &Manifest) -> Option<Part> {
    let policies = description.engines.iter().filter_map(|engine| match &engine.kind {
        EngineKind::Own { policy, .. } => Some(&policy.value),
        EngineKind::External { policy, .. } => policy.as_ref().map(|policy| &policy.value),
    });
    let mut texts: Vec<(String, String)> = Vec::new();
    for policy in policies {
        let name = policy.split('@').next().unwrap_or(policy);
        let by_name = format!("configs/policies/{name}.toml");
        let is_it = |path: &str| path == name || path.ends_with(&by_name);
        for file in manifest.file.iter().filter(|file| is_it(&file.path)) {
            let path = format!("`{}`", file.path);
            if let Some(text) = &file.text
                && !texts.iter().any(|(known, _)| *known == path)
            {
                texts.push((path, text.to_string()));
            }
        }
    }
    (!texts.is_empty()).then_some(Part::Texts(texts))
}
