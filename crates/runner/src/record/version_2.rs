//! Manifests of version 2 of the files: the same facts under other keys.

use std::path::Path;

use toml::{Table, Value};

use super::folder::TUNING_FILE;
use super::manifest::MAX_BYTES;
use crate::text_file;

/// The version.
pub(super) const VERSION: u32 = 2;

/// The text of a manifest of version 2 with the keys of the present version. Its version stays, because its journal is
/// not continued.
pub(super) fn converted(text: &str, folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut manifest: Table = text.parse()?;
    let threads = manifest.remove("threads");
    let mut files = Vec::new();
    let kind = manifest.remove("kind");
    if kind.as_ref().and_then(Value::as_str) == Some("tuning") {
        let file = text_file::read_utf8(&folder.join(TUNING_FILE.name()), MAX_BYTES)?;
        let mut tuning: Table = file.parse()?;
        if let Some(Value::Table(mut overrides)) = manifest.remove("overrides") {
            if let Some(seed) = overrides.remove("seed") {
                tuning.insert("seed".to_owned(), seed);
            }
            if overrides.remove("no_gate") == Some(Value::Boolean(true)) {
                let gate = Table::from_iter([("play".to_owned(), false.into())]);
                tuning.insert("gate".to_owned(), gate.into());
            }
        }
        manifest.remove("hashes");
        manifest.insert("tuning".to_owned(), tuning.into());
        manifest.insert("command".to_owned(), "lmrlab tune".into());
    }
    if let Some(tournament) = manifest.get_mut("tournament").and_then(Value::as_table_mut) {
        if let Some(threads) = threads {
            tournament.insert("threads".to_owned(), threads);
        }
        if let Some(openings) = tournament.get_mut("openings").and_then(Value::as_table_mut) {
            if let Some(plies) = openings.remove("max_plies") {
                openings.insert("plies".to_owned(), plies);
            }
            let mut file = Table::new();
            for (old, new) in [("file", "path"), ("sha256", "sha256"), ("count", "positions")] {
                if let Some(value) = openings.get(old) {
                    file.insert(new.to_owned(), value.clone());
                }
            }
            openings.remove("sha256");
            openings.remove("count");
            files.push(Value::Table(file));
        }
        let engines = tournament.get_mut("engine").and_then(Value::as_array_mut);
        for engine in engines.into_iter().flatten().filter_map(Value::as_table_mut) {
            for key in [
                "preset_hash",
                "policy_hash",
                "preset_text",
                "policy_text",
                "program_sha256",
            ] {
                engine.remove(key);
            }
            if let Some(Value::Array(pairs)) = engine.remove("options") {
                let pair = |pair: &Value| {
                    let pair = pair.as_array()?;
                    Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.clone()))
                };
                let options: Table = pairs.iter().filter_map(pair).collect();
                engine.insert("options".to_owned(), options.into());
            }
        }
    }
    manifest.insert("file".to_owned(), files.into());
    Ok(toml::to_string(&manifest)?)
}
