//! The text of a policy file that extends another one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Files, built_in};
use lmrlab_policy::parameter::{Parameter, by_key};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};

use lmrlab_results::paths::{absolute, portable, relative};

/// The first keys of a policy in `folder` that extends the file of `reference`. Names are looked up in the project at
/// `root`. `None` when there is no such file.
pub(crate) fn extending(name: &str, reference: &PolicyReference, root: &Path, folder: &Path) -> Option<String> {
    let origin = file_of(reference, root)?;
    let origin = if built_in::is_built_in(&origin) {
        origin
    } else {
        relative(&absolute(folder), &absolute(&origin))
    };
    Some(format!(
        "\nname = {}\nextends = {}\n",
        quoted(name),
        quoted(&portable(&origin))
    ))
}

/// A text as comments.
pub(crate) fn comments(text: &str) -> String {
    text.lines()
        .map(|line| format!("{}\n", format!("# {line}").trim_end()))
        .collect()
}

/// The changes of a policy against its file, as keys of a file that extends it. The table `[param]`, if any, is the last.
pub(crate) fn changes(policy: &Policy) -> String {
    let mut text = String::new();
    for change in policy.overrides() {
        if let Some(name) = change.strip_prefix(['-', '+']) {
            let enabled = change.starts_with('+');
            let _ = write!(text, "\n[[rule]]\nname = {}\nenabled = {enabled}\n", quoted(name));
        }
    }
    let changed = by_key(policy.parameters()).filter(|key| key.iter().any(|p| p.value != p.default));
    for (index, parameters) in changed.enumerate() {
        if index == 0 {
            text.push_str("\n[param]\n");
        }
        if let [parameter] = parameters
            && !parameter.is_element()
        {
            let _ = writeln!(
                text,
                "{} = {{ value = {:?} }}  # was {:?}",
                parameter.name, parameter.value, parameter.default
            );
            continue;
        }
        // A list is inherited as a whole.
        let [now, file]: [Vec<f64>; 2] =
            [|p: &Parameter| p.value, |p: &Parameter| p.default].map(|value| parameters.iter().map(value).collect());
        let key = parameters.first().map_or("", Parameter::key);
        let _ = writeln!(text, "{key} = {{ value = {now:?} }}  # was {file:?}");
    }
    text
}

fn file_of(reference: &PolicyReference, root: &Path) -> Option<PathBuf> {
    let files = Files::on_disk();
    if reference.is_path() {
        return Some(files.locate(root, Path::new(reference.policy())));
    }
    files.named(POLICY_FOLDER, root).remove(reference.policy())
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
