//! The differences between two manifests that decide what is played.

use std::collections::BTreeMap;

use super::manifest::{Manifest, RecordedFile};

/// Keys of a tournament that do not decide what is played.
const UNIMPORTANT: [&str; 2] = ["threads", "pin"];

/// Characters of a value that are shown to a reader.
const MOST_CHARACTERS: usize = 60;

impl Manifest {
    /// The differences from `other` that decide what is played: keys of the description with both values, this one's
    /// first; configuration files, openings and programs; the version; the bench fingerprint. The time, the place and
    /// the number of threads do not count.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if self.kind != other.kind {
            return vec![format!("one is a {}, the other a {}", self.kind, other.kind)];
        }
        let (versions, benches) = ([&self.lmrlab, &other.lmrlab], [self.bench, other.bench]);
        if versions[0] != versions[1] {
            differences.push(format!("version of lmrlab: {} against {}", versions[0], versions[1]));
        }
        if benches[0] != benches[1] {
            differences.push(format!("bench fingerprint: {} against {}", benches[0], benches[1]));
        }
        let [one, other_keys] = [self, other].map(keys);
        let mut names: Vec<&String> = one.keys().chain(other_keys.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let [ours, theirs] = [&one, &other_keys].map(|keys| keys.get(name).map_or("nothing", String::as_str));
            if ours != theirs {
                differences.push(format!("{name}: {} against {}", shortened(ours), shortened(theirs)));
            }
        }
        differences.extend(differing_files(&self.file, &other.file));
        differences
    }
}

/// The keys of the description with dots, and their values.
fn keys(manifest: &Manifest) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    let mut description = manifest.description();
    UNIMPORTANT.iter().for_each(|key| drop(description.remove(*key)));
    flatten("", &toml::Value::Table(description), &mut keys);
    keys
}

/// The values of a table under their keys, with dots. An entry with a name is under that name.
pub fn flatten(key: &str, value: &toml::Value, keys: &mut BTreeMap<String, String>) {
    let below = |name: &str| {
        if key.is_empty() {
            name.to_owned()
        } else {
            format!("{key}.{name}")
        }
    };
    match value {
        toml::Value::Table(table) => table
            .iter()
            .for_each(|(name, value)| flatten(&below(name), value, keys)),
        toml::Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                let name = value
                    .get("name")
                    .and_then(toml::Value::as_str)
                    .map_or_else(|| (index + 1).to_string(), str::to_owned);
                flatten(&below(&name), value, keys);
            }
        }
        other => {
            let text = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            keys.insert(key.to_owned(), text);
        }
    }
}

fn differing_files(ours: &[RecordedFile], theirs: &[RecordedFile]) -> Vec<String> {
    let [ours, theirs] = [ours, theirs].map(|files| -> BTreeMap<&str, &RecordedFile> {
        files.iter().map(|file| (file.path.as_str(), file)).collect()
    });
    let mut differences = Vec::new();
    for (path, file) in &ours {
        match theirs.get(path) {
            Some(other) if other.sha256 == file.sha256 => {}
            Some(_) => differences.push(format!("`{path}` has other contents")),
            None => differences.push(format!("`{path}` is only in one of them")),
        }
    }
    let only_theirs = theirs.keys().filter(|path| !ours.contains_key(*path));
    differences.extend(only_theirs.map(|path| format!("`{path}` is only in one of them")));
    differences
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
