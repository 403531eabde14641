//! What was played: conditions, engines, the texts of their policies.

use maud::{Markup, html};

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::QuietOrdering;
use lmrlab_results::manifest::{Manifest, RecordedFile};
use lmrlab_runner::run::Run;
use lmrlab_runner::sprt_text;
use lmrlab_runner::tournament::description::{Description, EngineKind, OWN_SCHEME, Pairings};
use lmrlab_runner::tournament::settings;

use crate::page::Section;
use crate::table::printable;

/// The command, the program and the machine with which a run began, for a list.
pub(crate) fn provenance(manifest: &Manifest) -> Markup {
    let (version, commit) = manifest.program();
    html! {
        dt { "Command" } dd { code { (printable(manifest.command())) } }
        dt { "Begun" } dd { (manifest.began().to_string()) }
        dt { "lmrlab" } dd { (printable(version)) @if let Some(commit) = commit { ", commit " code { (printable(commit)) } }
            ", bench " (manifest.bench()) }
        @if let Some(cpu) = manifest.cpu() { dt { "Processor" } dd { (printable(cpu)) } }
    }
}

/// What was played.
pub(crate) fn section(run: &Run, description: &Description, pairings: &Pairings) -> Section {
    let mut section = Section::new("conditions", "What was played");
    let manifest = run.manifest();
    let mut keys = settings::of_tournament(description);
    keys.remove("engine");
    let toml = toml::to_string_pretty(&keys).unwrap_or_default();
    section.add(html! {
        @if !description.description.is_empty() { p { (printable(&description.description)) } }
        dl {
            (provenance(manifest))
            @if description.conditions.played_variant() == ChessVariant::Chess960 { dt { "Variant" } dd { "Chess960" } }
            @if let (Some(sprt), Some(pairs)) = (&description.sprt, description.pairs) {
                dt { "Test" } dd { (sprt_text::prospects(sprt, pairs)) }
            }
            @for file in manifest.files().iter().filter(|file| file.positions.is_some()) {
                dt { "Openings" } dd { (printable(&file.path)) ", " (file.positions.unwrap_or(0)) " positions" }
            }
        }
        details { summary { "Limits, adjudication and the rest" } pre { code { (printable(&toml)) } } }
    });
    let mut played: Vec<&str> = Vec::new();
    let mut list = Vec::new();
    for (engine, name) in description.engines.iter().zip(&pairings.names) {
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
                list.push((
                    name,
                    format!("policy {}, preset {}{ordering}", policy.value, preset.value),
                ));
                played.push(&policy.value);
            }
            EngineKind::External { command, policy, .. } => {
                let what = match policy {
                    None => String::new(),
                    Some(policy) if policy.value == OWN_SCHEME => ", its own scheme".to_owned(),
                    Some(policy) => {
                        played.push(&policy.value);
                        format!(", policy {}", policy.value)
                    }
                };
                list.push((name, format!("program {}{what}", command.value)));
            }
        }
    }
    let mut texts: Vec<(String, &str)> = Vec::new();
    for file in (played.iter()).flat_map(|policy| policy_files(manifest.files(), policy)) {
        if let Some(text) = &file.text
            && !texts.iter().any(|(path, _)| *path == file.path)
        {
            texts.push((file.path.clone(), text));
        }
    }
    section.add(html! {
        h3 { "Engines" }
        dl { @for (name, what) in list { dt { (printable(name)) } dd { (printable(&what)) } } }
    });
    if !texts.is_empty() {
        section.add(policies(&texts));
    }
    section
}

/// The files, among those that the run recorded, of the policy that was given by this name or path.
fn policy_files<'f>(files: &'f [RecordedFile], reference: &str) -> impl Iterator<Item = &'f RecordedFile> {
    let name = reference.split('@').next().unwrap_or(reference).to_owned();
    let by_name = format!("configs/policies/{name}.toml");
    files
        .iter()
        .filter(move |file| file.path == name || file.path.ends_with(&by_name))
}

/// The texts of policies. A line that not all of them have is marked.
fn policies(texts: &[(String, &str)]) -> Markup {
    let differs = |line: &str| {
        let line = line.trim();
        texts.len() > 1
            && !line.is_empty()
            && !texts
                .iter()
                .all(|(_, text)| text.lines().any(|other| other.trim() == line))
    };
    html! {
        h3 { "Policies" }
        @if texts.len() > 1 { p { "Marked lines are not in every policy of this run." } }
        @for (path, text) in texts {
            details open[texts.len() <= 2] {
                summary { code { (printable(path)) } }
                pre { code {
                    @for line in text.lines() {
                        @if differs(line) { mark { (printable(line)) } } @else { (printable(line)) }
                        "\n"
                    }
                } }
            }
        }
    }
}
