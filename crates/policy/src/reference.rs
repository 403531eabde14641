//! A policy's name with overrides, as on a command line: `NAME_OR_PATH[@OVERRIDE[,OVERRIDE..]]`.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use lmrlab_diagnostics::{Diagnostics, Source, Value, nearest};

use crate::complaint;
use crate::policy::Policy;

pub use crate::inherit::POLICY_FOLDER;

/// What the reference to an idea begins with.
pub const IDEA_MARK: &str = "idea:";

/// The last word of a reference to the policy without the idea.
pub const WITHOUT: &str = "without";

/// A policy by name or path, with changes to it.
///
/// What stands before `@` is a path when it contains `/` or ends in `.toml`, and otherwise a name: `NAME.toml` in
/// [`POLICY_FOLDER`]. `idea:NAME` is the policy of an [idea](crate::idea), on the first of its baselines;
/// `idea:NAME:BASELINE:without` is the policy without the idea on that baseline. Overrides are `parameter=value`, `-rule` (switched off), `+rule` (switched on) and, for a key of
/// `[research]`, `[history]` or `[finish]`, `table.key=value`, as in `research.ladder=full`.
///
/// ```
/// use lmrlab_policy::PolicyReference;
///
/// let reference: PolicyReference = "rebel-starter@-very-bad-history,bad=-400".parse().unwrap();
/// assert_eq!(reference.policy(), "rebel-starter");
/// assert_eq!(reference.to_string(), "rebel-starter@-very-bad-history,bad=-400");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyReference {
    pub(crate) text: String,
    pub(crate) policy: Range<usize>,
    pub(crate) overrides: Vec<(Override, Range<usize>)>,
}

/// One change to a policy.
#[derive(Debug, Clone, PartialEq)]
pub enum Override {
    /// Give a parameter a value.
    Parameter {
        /// The parameter's name.
        name: String,
        /// Its new value.
        value: f64,
    },
    /// Switch a rule on or off.
    Rule {
        /// The rule's name.
        name: String,
        /// On or off.
        enabled: bool,
    },
    /// Set a key of one of [`TABLES`], as a file that extends the policy could.
    Setting {
        /// The table.
        table: String,
        /// The key.
        key: String,
        /// Its value as TOML.
        value: String,
    },
}

/// Overrides can set the keys of these tables.
pub const TABLES: [&str; 3] = ["research", "history", "finish"];

impl PolicyReference {
    /// The name or path before the overrides.
    pub fn policy(&self) -> &str {
        &self.text[self.policy.clone()]
    }

    /// The overrides, in their order.
    pub fn overrides(&self) -> impl Iterator<Item = &Override> {
        self.overrides.iter().map(|(change, _)| change)
    }

    /// Whether [`PolicyReference::policy`] is a path rather than a name.
    pub fn is_path(&self) -> bool {
        self.policy().contains(std::path::is_separator) || self.policy().ends_with(".toml")
    }

    /// The name of the resolved policy in tables and files: its own name with the overrides, as in `log@divisor=2`. The
    /// place of the file and the spelling of numbers do not change this name.
    pub fn name_of(&self, policy: &Policy) -> String {
        let overrides: Vec<String> = self.overrides().map(ToString::to_string).collect();
        let separator = if overrides.is_empty() { "" } else { "@" };
        let name = if self.idea().is_some() {
            self.policy()
        } else {
            policy.name()
        };
        format!("{name}{separator}{}", overrides.join(","))
    }

    /// The name of a policy that the user named so; see [`Self::name_of`].
    pub fn shown(reference: &str, policy: &Policy) -> String {
        let parsed = reference.parse::<Self>();
        parsed.map_or_else(|_| policy.name().to_owned(), |reference| reference.name_of(policy))
    }

    /// The idea that the reference names, if it names one.
    pub(crate) fn idea(&self) -> Option<IdeaPart<'_>> {
        let words = self.policy().strip_prefix(IDEA_MARK)?;
        let (words, without) = match words.strip_suffix(WITHOUT).and_then(|words| words.strip_suffix(':')) {
            Some(words) => (words, true),
            None => (words, false),
        };
        let (name, on) = match words.split_once(':') {
            Some((name, on)) => (name, Some(on)),
            None => (words, None),
        };
        Some(IdeaPart { name, on, without })
    }

    /// The overrides that set keys of [`TABLES`], as TOML; `None` when there are none.
    pub fn settings(&self) -> Option<String> {
        let mut text = String::new();
        for table in TABLES {
            let mut keys = BTreeMap::new();
            for change in self.overrides() {
                if let Override::Setting { table: of, key, value } = change
                    && of == table
                {
                    keys.insert(key, value);
                }
            }
            if !keys.is_empty() {
                text.push_str(&format!("\n[{table}]\n"));
            }
            for (key, value) in keys {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
        (!text.is_empty()).then_some(text)
    }
}

/// What a reference to an idea names.
pub(crate) struct IdeaPart<'r> {
    pub(crate) name: &'r str,
    /// The baseline; `None` for the first one.
    pub(crate) on: Option<&'r str>,
    pub(crate) without: bool,
}

pub(crate) fn toml_string(text: &str) -> String {
    Value::Text(text.to_owned()).to_string()
}

impl FromStr for PolicyReference {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        let end = end_of_file(text);
        let mut wrong = Vec::new();
        if end == 0 {
            let help = "write a name such as `mediocre-2007`, or a path such as `my/idea.toml`";
            wrong.push(complaint::wrong("no policy is named", 0..text.len(), "", help));
        }
        let mut overrides = Vec::new();
        let mut start = end + 1;
        let items = text.get(start..).map(|items| items.split(','));
        for item in items.into_iter().flatten() {
            let span = start..start + item.len();
            start = span.end + 1;
            match change(item) {
                Ok(change) => overrides.push((change, span)),
                Err(message) => {
                    let help = "overrides are `parameter=value`, `-rule`, `+rule` and `table.key=value`, with commas between them";
                    wrong.push(complaint::wrong(message, span, "", help));
                }
            }
        }
        for (index, (_, span)) in overrides.iter().enumerate() {
            let target = target(&text[span.clone()]);
            let mut earlier = overrides[..index].iter();
            if earlier.any(|(_, other)| self::target(&text[other.clone()]) == target) {
                let message = format!("`{}` is overridden twice", target.1);
                wrong.push(complaint::wrong(
                    message,
                    span.clone(),
                    "the second time",
                    "keep one of the two",
                ));
            }
        }
        if !wrong.is_empty() {
            return Err(Diagnostics::new(source(text), wrong));
        }
        Ok(Self {
            text: text.to_owned(),
            policy: 0..end,
            overrides,
        })
    }
}

/// What an override changes: whether it is switched on or off, and its name. Two overrides of the same contradict each other.
fn target(change: &str) -> (bool, &str) {
    let change = change.trim();
    match change.split_once('=') {
        Some((name, _)) => (false, name.trim()),
        None => (true, change.trim_start_matches(['-', '+'])),
    }
}

/// The name that a change sets although an earlier change has set it; `None` when there is none.
///
/// ```
/// use lmrlab_policy::reference::overridden_twice;
///
/// assert_eq!(overridden_twice("-lmp,margin=1,-null_move,margin=2"), Some("margin"));
/// ```
pub fn overridden_twice(changes: &str) -> Option<&str> {
    let targets: Vec<_> = changes.split(',').map(target).collect();
    let repeated = (1..targets.len()).find(|&index| targets[..index].contains(&targets[index]));
    repeated.map(|index| targets[index].1)
}

/// Changes as tables show them.
///
/// ```
/// assert_eq!(lmrlab_policy::reference::in_words("-lmp,margin=1"), "lmp off, margin=1");
/// ```
pub fn in_words(changes: &str) -> String {
    let words = changes.split(',').map(|change| {
        let change = change.trim();
        match (change.strip_prefix('-'), change.strip_prefix('+')) {
            (Some(name), _) => format!("{name} off"),
            (_, Some(name)) => format!("{name} on"),
            _ => change.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A reference to a policy or a preset with one more change. It replaces an earlier change of the same target.
///
/// ```
/// use lmrlab_policy::reference::overridden;
///
/// assert_eq!(overridden("house", "margin=3"), "house@margin=3");
/// assert_eq!(overridden("a@b/c.toml@margin=2,-rule", "margin=3"), "a@b/c.toml@-rule,margin=3");
/// ```
pub fn overridden(reference: &str, change: &str) -> String {
    let end = end_of_file(reference);
    let earlier = reference[end..].strip_prefix('@').unwrap_or_default();
    let mut changes: Vec<&str> = earlier
        .split(',')
        .filter(|earlier| !earlier.is_empty() && target(earlier) != target(change))
        .collect();
    changes.push(change);
    format!("{}@{}", &reference[..end], changes.join(","))
}

/// Where the name or path before the overrides ends. An `@` before the last `/` belongs to a folder's name.
fn end_of_file(reference: &str) -> usize {
    let file = reference.rfind('/').map_or(0, |slash| slash + 1);
    reference[file..].find('@').map_or(reference.len(), |at| file + at)
}

fn change(item: &str) -> Result<Override, String> {
    let item = item.trim();
    if let Some((name, value)) = item.split_once('=') {
        let (name, value) = (name.trim().to_owned(), value.trim());
        if let Some((table, key)) = name.split_once('.') {
            return setting(table, key, value);
        }
        return match value.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Override::Parameter { name, value }),
            _ => Err(format!("`{value}` is not a number")),
        };
    }
    let rule = |name: &str, enabled| {
        let name = name.to_owned();
        Ok(Override::Rule { name, enabled })
    };
    match (item.strip_prefix('-'), item.strip_prefix('+')) {
        (Some(name), _) if !name.is_empty() => rule(name, false),
        (_, Some(name)) if !name.is_empty() => rule(name, true),
        _ if item.is_empty() => Err("an override is missing here".to_owned()),
        _ => Err(format!("`{item}` is not an override")),
    }
}

fn setting(table: &str, key: &str, value: &str) -> Result<Override, String> {
    if !TABLES.contains(&table) {
        let near = nearest(table, TABLES).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(format!("no override can set keys of `{table}`{near}"));
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if key.is_empty() || !key.chars().all(word) {
        return Err(format!("`{key}` is not a key"));
    }
    let mut text = value.to_owned();
    if !matches!(value, "true" | "false") && value.parse::<i64>().is_err() {
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() => text = format!("{number:?}"),
            _ => text = toml_string(value),
        }
    }
    Ok(Override::Setting {
        table: table.to_owned(),
        key: key.to_owned(),
        value: text,
    })
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter { name, value } => write!(f, "{name}={value}"),
            Self::Rule { name, enabled } => write!(f, "{}{name}", if *enabled { '+' } else { '-' }),
            Self::Setting { table, key, value } => write!(f, "{table}.{key}={}", value.trim_matches('"')),
        }
    }
}

impl fmt::Display for PolicyReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

pub(crate) fn source(text: &str) -> Source {
    Source::new("policy reference", text)
}
