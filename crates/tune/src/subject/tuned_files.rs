//! The files of the tuned engine: a policy that extends that of the start, and a preset.

use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Files, built_in};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{IDEA_MARK, PolicyReference};
use lmrlab_results::paths::{absolute, portable, relative};

use crate::subject::idea_switch::policy_table::{changed_numbers, table_of};
use crate::subject::{Subject, policy_of};

impl Subject {
    /// The text of a policy file in `folder` that extends the policy of the start; `None` when the policy has not changed. Names
    /// are looked up in the project at `root`. `evidence` becomes comments.
    ///
    /// # Errors
    /// When the engine cannot play at this point, or the policy of the start is in no file.
    pub fn tuned_policy(
        &self,
        values: &[f64],
        (root, folder): (&Path, &Path),
        evidence: &str,
    ) -> Result<Option<String>, Failure> {
        let (before, tuned) = (self.before()?, self.at(values)?);
        let both = policy_of(&before.engine).zip(policy_of(&tuned.engine));
        let Some(((start, start_reference), (tuned, reference))) = both else {
            return Ok(None);
        };
        if tuned.hash() == start.hash() {
            return Ok(None);
        }
        let name = format!("{}-tuned", start.name());
        let start_reference: PolicyReference = start_reference.parse()?;
        if start_reference.policy().starts_with(IDEA_MARK) {
            // No file has this policy, so that it is written as a whole.
            let mut table = table_of(tuned);
            table.insert("name".to_owned(), name.into());
            let text = toml::to_string(&table).map_err(|error| Failure::encode("the tuned policy", &error))?;
            return Ok(Some(format!("{}\n{text}", comments(evidence))));
        }
        let reference: PolicyReference = reference.parse()?;
        let origin = start_reference.locate(&Files::on_disk(), root)?;
        let origin = match built_in::is_built_in(&origin) {
            true => origin,
            false => relative(&absolute(folder), &absolute(&origin)),
        };
        let mut text = comments(evidence);
        text += &format!("\nname = {}\nextends = {}\n", quoted(&name), quoted(&portable(&origin)));
        text += &reference.settings().unwrap_or_default();
        text += &changes(tuned);
        Ok(Some(text))
    }

    /// The text of the preset file of a point; `None` when the preset has not changed. `evidence` becomes comments.
    ///
    /// # Errors
    /// When the engine cannot play at this point.
    pub fn tuned_preset(&self, values: &[f64], evidence: &str) -> Result<Option<String>, Failure> {
        let (before, tuned) = (self.before()?, self.at(values)?);
        let Some((start, own)) = before.own().zip(tuned.own()) else {
            return Ok(None);
        };
        if own.preset.parameters == start.preset.parameters {
            return Ok(None);
        }
        let (base, _) = (start.preset_reference.split_once('@')).unwrap_or((start.preset_reference.as_str(), ""));
        let name = Path::new(base).file_stem().unwrap_or_default().to_string_lossy();
        let text = own.preset.written(&format!("{name}-tuned"));
        Ok(Some(format!("{}\n{text}", comments(evidence))))
    }
}

/// A text as comments.
fn comments(text: &str) -> String {
    text.lines()
        .map(|line| format!("{}\n", format!("# {line}").trim_end()))
        .collect()
}

/// The changes of a policy against its file, as keys of a file that extends it. The table `[param]`, if any, is the last.
fn changes(policy: &Policy) -> String {
    let mut text = String::new();
    for change in policy.overrides() {
        if let Some(name) = change.strip_prefix(['-', '+']) {
            let (name, enabled) = (quoted(name), change.starts_with('+'));
            text += &format!("\n[[rule]]\nname = {name}\nenabled = {enabled}\n");
        }
    }
    for (index, (key, now, before)) in changed_numbers(policy).enumerate() {
        let heading = if index == 0 { "\n[param]\n" } else { "" };
        text += &format!("{heading}{key} = {{ value = {now} }}  # was {before}\n");
    }
    text
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use lmrlab_diagnostics::Source;

    use super::*;

    #[test]
    fn the_changes_of_a_policy_are_keys_of_a_file_that_extends_it() {
        let file = "name = \"a\"\nreduce = \"dot(w, [pv, x]) + y + at(v, depth)\"\n[param]\nv = { value = [7], min = 0, max = 9 }\n\
                    w = { value = [1, 2.5], min = 0, max = 9 }\nx = { value = 1, min = 0, max = 9 }\n\
                    y = { value = 3, min = 0, max = 9 }\n";
        let (mut policy, _) = Policy::compile(Source::new("a.toml", file)).unwrap();
        assert_eq!(changes(&policy), "");
        for (name, value) in [("w[1]", 4.0), ("x", 0.5)] {
            policy.set_parameter(name, value).unwrap();
        }
        let text = changes(&policy);
        assert_eq!(
            text,
            "\n[param]\nw = { value = [1.0, 4.0] }  # was [1.0, 2.5]\nx = { value = 0.5 }  # was 1.0\n"
        );
        policy.set_parameter("v[0]", 8.0).unwrap();
        assert!(changes(&policy).contains("\nv = { value = [8.0] }  # was [7.0]\n"));
    }
}
