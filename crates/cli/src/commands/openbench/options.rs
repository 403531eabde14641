//! The UCI options that make `lmrlab-engine`, as OpenBench builds it, play like an engine here.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, Files, built_in};
use lmrlab_engine::preset::{PRESET_FOLDER, Preset};
use lmrlab_engine::search_parameters::{DECLARATIONS, ParameterKind, SearchParameters};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference, TABLES};
use lmrlab_results::failure::complaint;
use lmrlab_runner::project::root_above;
use lmrlab_runner::tournament::defaults::DEFAULT_PRESET;
use lmrlab_runner::tournament::entrant::OwnEngine;
use toml::{Table, Value};

use crate::commands::measured_rows::with_changes;

/// The greatest length of a field with options that OpenBench stores, in characters.
const LONGEST: usize = 256;

/// The options of an engine, with notes about them.
pub(super) struct EngineOptions {
    /// The text for the form.
    pub(super) text: String,
    /// What has to be done before the options work, and which of them are written in another way.
    pub(super) notes: Vec<String>,
}

/// The options of an engine with a transposition table of `hash_mib` MiB. `committed` is the name of the file that will
/// have the policy on the branch, when the policy is not built in.
pub(super) fn options(
    own: &OwnEngine,
    hash_mib: u32,
    committed: Option<&str>,
    here: &Path,
) -> Result<EngineOptions, Diagnostics> {
    let mut notes = Vec::new();
    let policy = match committed {
        Some(name) => {
            notes.push(to_commit(name));
            name.to_owned()
        }
        None => policy_words(own, here, &mut notes)?,
    };
    let preset = preset_words(own, &mut notes);
    let mut text = format!("Threads=1 Hash={hash_mib}");
    if preset != DEFAULT_PRESET {
        text.push_str(&format!(" Preset={preset}"));
    }
    text.push_str(&format!(" Policy={policy}"));
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "@=,.+-_".contains(c));
    if !plain(&policy) {
        return Err(complaint(
            format!("OpenBench cannot pass `{policy}` to an engine"),
            "it splits options at spaces and quotes; rename the file: letters, digits, `-`, `_` and `.` are safe",
        ));
    }
    if text.len() > LONGEST {
        return Err(complaint(
            format!(
                "the options of `{}` have {} characters, and OpenBench keeps {LONGEST}",
                own.policy_reference,
                text.len()
            ),
            format!(
                "commit the policy to the branch as a file in {POLICY_FOLDER}, and name it; with --tuned, --out writes that file"
            ),
        ));
    }
    Ok(EngineOptions { text, notes })
}

/// The policy in words that need no file: a built-in policy with changes.
fn policy_words(own: &OwnEngine, here: &Path, notes: &mut Vec<String>) -> Result<String, Diagnostics> {
    let reference: PolicyReference = own.policy_reference.parse()?;
    let changes: Vec<String> = reference.overrides().map(ToString::to_string).collect();
    if !reference.is_path() && is_built_in(&reference, &own.policy) {
        return Ok(with_changes(reference.policy(), &changes));
    }
    if let Some(words) = as_changes(&reference, &own.policy) {
        notes.push(format!(
            "`{reference}` is `{words}`: the same rules with other numbers. An engine that is built elsewhere knows it by these words."
        ));
        return Ok(words);
    }
    let path = reference.locate(&Files::on_disk(), here)?;
    let in_checkout = root_above(here).is_some_and(|root| {
        root.join("crates/engine/Cargo.toml").is_file() && path.parent() == Some(&*root.join(POLICY_FOLDER))
    });
    if in_checkout {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        notes.push(to_commit(&name));
        return Ok(with_changes(&name, &changes));
    }
    Err(complaint(
        format!(
            "an engine that OpenBench builds does not have the policy `{}`",
            reference.policy()
        ),
        format!(
            "it has the policies in {POLICY_FOLDER} of its own branch: commit the file there, and run this command in a checkout of \
             that branch. A policy needs no commit if only its numbers differ from a built-in one, or rules that are on or off"
        ),
    ))
}

/// The advice about a policy that is not built into this program.
fn to_commit(name: &str) -> String {
    format!(
        "`{name}` is not built into this lmrlab. Commit it to the branch as {POLICY_FOLDER}/{name}.toml: the engine has it built in then."
    )
}

/// Whether a name also means the same policy where only the built-in ones exist.
fn is_built_in(reference: &PolicyReference, policy: &Policy) -> bool {
    let file = built_in::path(format!("{POLICY_FOLDER}/{}.toml", reference.policy()));
    let elsewhere = (reference.to_string()).replacen(reference.policy(), &file.display().to_string(), 1);
    let known = elsewhere.parse::<PolicyReference>().ok();
    let known = known.and_then(|reference| reference.resolve(Path::new("")).ok());
    known.is_some_and(|(known, _)| known.hash() == policy.hash())
}

/// A policy as a built-in one with the fewest changes.
fn as_changes(reference: &PolicyReference, policy: &Policy) -> Option<String> {
    let file = Path::new(reference.policy()).file_stem();
    let mut known = built_in_named(POLICY_FOLDER);
    known.sort_by_key(|(name, _)| file.is_none_or(|file| file != &**name));
    let (name, path, changes) = known
        .into_iter()
        .filter_map(|(name, path)| {
            let (known, _) = Policy::load(&path).ok()?;
            let changes = changes(&known, policy)?;
            Some((name, path, changes))
        })
        .min_by_key(|(_, _, changes)| changes.len())?;
    let meant: PolicyReference = with_changes(&path.display().to_string(), &changes).parse().ok()?;
    let (meant, _) = meant.resolve(Path::new("")).ok()?;
    let same = self::changes(&meant, policy).is_some_and(|further| further.is_empty());
    same.then(|| with_changes(&name, &changes))
}

/// The built-in files of a folder, by name.
pub(super) fn built_in_named(folder: &str) -> Vec<(String, PathBuf)> {
    let files = built_in::files(&built_in::path(folder)).into_iter();
    files
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect()
}

/// The overrides that turn `known` into `policy`; `None` when overrides cannot do that.
fn changes(known: &Policy, policy: &Policy) -> Option<Vec<String>> {
    let [mut before, mut after] = [structure(known)?, structure(policy)?];
    let mut changes = Vec::new();
    for table in TABLES {
        let [before, after] = [&mut before, &mut after].map(|keys| match keys.remove(table) {
            Some(Value::Table(keys)) => keys,
            _ => Table::new(),
        });
        if before.keys().any(|key| !after.contains_key(key)) {
            return None;
        }
        for (key, value) in after {
            if before.get(&key) != Some(&value) {
                let text = match value {
                    Value::String(text) => text,
                    Value::Array(_) | Value::Table(_) | Value::Datetime(_) => return None,
                    plain => plain.to_string(),
                };
                changes.push(format!("{table}.{key}={text}"));
            }
        }
    }
    if before != after {
        return None;
    }
    for (known, rule) in known.rules().iter().zip(policy.rules()) {
        if known.enabled != rule.enabled {
            changes.push(format!("{}{}", if rule.enabled { '+' } else { '-' }, rule.name));
        }
    }
    for (known, parameter) in known.parameters().iter().zip(policy.parameters()) {
        if !(known.min..=known.max).contains(&parameter.value) || known.name != parameter.name {
            return None;
        }
        if known.value != parameter.value {
            changes.push(format!("{}={}", parameter.name, parameter.value));
        }
    }
    Some(changes)
}

/// A policy's file without descriptions, and without what overrides can change. Its rules and formulas remain, and the
/// names of its parameters.
fn structure(policy: &Policy) -> Option<Table> {
    let mut keys: Table = policy.text().parse().ok()?;
    for key in ["name", "description", "source", "extends"] {
        keys.remove(key);
    }
    if let Some(Value::Array(rules)) = keys.get_mut("rule") {
        for rule in rules.iter_mut().filter_map(Value::as_table_mut) {
            rule.remove("enabled");
        }
    }
    let names = policy
        .parameters()
        .iter()
        .map(|parameter| Value::from(parameter.name.as_str()));
    keys.insert("param".to_owned(), Value::Array(names.collect()));
    Some(keys)
}

/// The preset as a built-in one with the fewest changes. Any preset can be written like this.
fn preset_words(own: &OwnEngine, notes: &mut Vec<String>) -> String {
    let (base, _) = own
        .preset_reference
        .split_once('@')
        .unwrap_or((&own.preset_reference, ""));
    let mut known = built_in_named(PRESET_FOLDER);
    known.sort_by_key(|(name, _)| name != base);
    let words = known
        .into_iter()
        .filter_map(|(name, path)| {
            let (known, _) = Preset::load(&path).ok()?;
            Some((name, preset_changes(&known.parameters, &own.preset.parameters)))
        })
        .min_by_key(|(_, changes)| changes.len())
        .map_or_else(String::new, |(name, changes)| with_changes(&name, &changes));
    if base.contains(std::path::is_separator) || base.ends_with(".toml") {
        notes.push(format!("The preset `{}` is `{words}`.", own.preset_reference));
    }
    words
}

fn preset_changes(known: &SearchParameters, wanted: &SearchParameters) -> Vec<String> {
    DECLARATIONS
        .iter()
        .filter_map(|declared| {
            let value = wanted.get(declared.name)?;
            (known.get(declared.name) != Some(value)).then(|| match declared.kind {
                ParameterKind::Switch => format!("{}{}", if value == 0 { '-' } else { '+' }, declared.name),
                ParameterKind::Integer { .. } => format!("{}={value}", declared.name),
                ParameterKind::Choice(words) => {
                    let word = usize::try_from(value).ok().and_then(|index| words.get(index));
                    format!("{}={}", declared.name, word.unwrap_or(&""))
                }
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use lmrlab_diagnostics::Source;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// A copy of a policy with other numbers and other rules on is that policy with these changes.
        #[test]
        fn a_copy_with_other_numbers_needs_no_file(
            shares in prop::collection::vec(prop::option::of(0.0..=1.0f64), 14),
            off in prop::collection::vec(any::<bool>(), 9),
        ) {
            crate::built_in::provide();
            let house: PolicyReference = "built-in:configs/policies/house.toml".parse().unwrap();
            let (house, _) = house.resolve(Path::new("")).unwrap();
            let mut keys: Table = house.text().parse().unwrap();
            keys.insert("name".to_owned(), "copy".into());
            for (parameter, share) in house.parameters().iter().zip(&shares) {
                if let Some(share) = share {
                    let value = parameter.min + share * (parameter.max - parameter.min);
                    let value = value.clamp(parameter.min, parameter.max);
                    keys["param"][&parameter.name]["value"] = value.into();
                }
            }
            for (rule, off) in keys["rule"].as_array_mut().unwrap().iter_mut().zip(off) {
                rule.as_table_mut().unwrap().insert("enabled".to_owned(), (!off).into());
            }
            let (copy, _) = Policy::compile(Source::new("copy.toml", keys.to_string())).unwrap();
            let words = as_changes(&"copy.toml".parse().unwrap(), &copy).unwrap();
            let meant: PolicyReference = words.replacen("house", "built-in:configs/policies/house.toml", 1).parse().unwrap();
            let (meant, _) = meant.resolve(Path::new("")).unwrap();
            let values = |policy: &Policy| policy.parameters().iter().map(|p| p.value).collect::<Vec<_>>();
            prop_assert_eq!(values(&meant), values(&copy));
            prop_assert_eq!(meant.rules(), copy.rules());
        }
    }
}
