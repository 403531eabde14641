//! Manifests of version 2 of the files: the same facts under other keys.

use toml::{Table, Value};

/// The version.
pub(super) const VERSION: u32 = 2;

/// The text of a manifest of version 2 with the keys of the present version. Its version stays, because its journal is
/// not continued.
pub(super) fn converted(text: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut manifest: Table = text.parse()?;
    let threads = manifest.remove("threads");
    let mut files = Vec::new();
    let kind = manifest.remove("kind");
    if kind.as_ref().and_then(Value::as_str) == Some("tuning") {
        manifest.insert("tuning".to_owned(), Table::new().into());
        manifest
            .entry("command")
            .or_insert_with(|| "lmrlab tune".into());
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
            for (old, new) in [
                ("file", "path"),
                ("sha256", "sha256"),
                ("count", "positions"),
            ] {
                if let Some(value) = openings.get(old) {
                    file.insert(new.to_owned(), value.clone());
                }
            }
            openings.remove("sha256");
            openings.remove("count");
            files.push(Value::Table(file));
        }
        let engines = tournament.get_mut("engine").and_then(Value::as_array_mut);
        for engine in engines
            .into_iter()
            .flatten()
            .filter_map(Value::as_table_mut)
        {
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
