//! The header of a trace: which engine and which policy, and what its records hold.

use std::fmt;

use crate::runtime::Units;
use crate::runtime::number::number;

use super::record;

const FIRST_LINE: &str = "lmrlab-trace 1";

/// The most bytes of the name of an engine or a policy. lmrlab.h writes no longer ones.
const MAX_NAME: usize = 255;

named! {
    /// The kind of shadow searches. A shadow search searches a traced move at full depth on a copy of the search, so the
    /// engine's own search does not change.
    #[non_exhaustive]
    Shadow {
        None "none" "There are none.";
        Policy "policy" "They reduce as the policy does below the move.";
        Unreduced "unreduced" "They reduce nothing below the move.";
    }
}

/// The policy of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedPolicy {
    /// Its name.
    pub name: String,
    /// Its hash: 64 hexadecimal digits.
    pub hash: String,
    /// Changes to its parameters and rules, as `LmrParams` had them; empty without changes.
    pub changes: String,
}

/// The header of a trace.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TraceHeader {
    /// The engine.
    pub engine: String,
    /// The policy; `None` for the engine's own scheme.
    pub policy: Option<TracedPolicy>,
    /// The units of the numbers.
    pub units: Units,
    /// The share of late moves that were traced, from 0 to 1.
    pub rate: f64,
    /// The kind of shadow searches.
    pub shadow: Shadow,
    /// The names of the flags: that of bit 0 first. A fact of the engine's own is `own:NAME`.
    pub flags: Vec<String>,
    /// The names of the numbers, in the order of the records.
    pub numbers: Vec<String>,
    /// Whether the records hold positions.
    pub has_positions: bool,
}

impl TraceHeader {
    /// The length of a record, in bytes.
    pub(crate) fn record_bytes(&self) -> usize {
        record::bytes(self.numbers.len(), self.has_positions)
    }

    /// Checks the first line of a file.
    pub(crate) fn check_first(line: &str) -> Result<(), String> {
        let is_trace = line.starts_with("lmrlab-trace ");
        ensure! { is_trace, "this is no trace: it does not begin with `{FIRST_LINE}`" }
        ensure! { line == FIRST_LINE, "the trace begins with `{line}`, and this program reads `{FIRST_LINE}`" }
        Ok(())
    }

    /// Reads the lines before `end`.
    pub(crate) fn parse(lines: &[String]) -> Result<Self, String> {
        let mut lines = lines.iter().map(String::as_str);
        Self::check_first(lines.next().unwrap_or_default())?;
        let mut value = |key: &str| {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(key).and_then(|rest| match rest {
                "" => Some(""),
                rest => rest.strip_prefix(' '),
            });
            value.ok_or_else(|| format!("the header of the trace has `{line}` where `{key}` belongs"))
        };
        let wrong =
            |key: &str, value: &str| format!("the header of the trace has the wrong value `{value}` for `{key}`");
        let short = |key: &str, name: &str| {
            let place = format!("the name after `{key}` in the header of the trace");
            let length = name.len();
            ensure! { length <= MAX_NAME, "{place} has {length} bytes; a name has at most {MAX_NAME}" }
            Ok(name.to_owned())
        };
        let engine = short("engine", value("engine")?)?;
        let policy = match value("policy")? {
            "-" => None,
            text => {
                let mut words = text.splitn(3, ' ');
                let (Some(name), Some(hash), Some(changes)) = (words.next(), words.next(), words.next()) else {
                    return Err(wrong("policy", text));
                };
                Some(TracedPolicy {
                    name: short("policy", name)?,
                    hash: hash.to_owned(),
                    changes: if changes == "-" { "" } else { changes }.to_owned(),
                })
            }
        };
        let text = value("units")?;
        let units = Units::named(text).ok_or_else(|| wrong("units", text))?;
        let text = value("rate")?;
        let rate = number(text).filter(|rate| (0.0..=1.0).contains(rate));
        let rate = rate.ok_or_else(|| wrong("rate", text))?;
        let text = value("shadow")?;
        let shadow = Shadow::named(text).ok_or_else(|| wrong("shadow", text) + "; it is none, policy or unreduced")?;
        let names = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let flags = names(value("flags")?);
        let numbers = names(value("numbers")?);
        let fits = flags.len() <= 64 && numbers.len() <= 256;
        ensure! { fits, "the header of the trace has more than 64 flags or 256 numbers" }
        let has_positions = match value("position")? {
            "0" => false,
            "1" => true,
            text => return Err(wrong("position", text)),
        };
        let header = Self {
            engine,
            policy,
            units,
            rate,
            shadow,
            flags,
            numbers,
            has_positions,
        };
        let (text, bytes) = (value("record")?, header.record_bytes());
        let fits = text == bytes.to_string();
        ensure! { fits, "the header of the trace has records of {text} bytes, and its facts need {bytes}" }
        match lines.next() {
            None => Ok(header),
            Some(line) => Err(format!("the header of the trace has `{line}` where `end` belongs")),
        }
    }
}

impl fmt::Display for TraceHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = |changes: &str| match changes {
            "" => "-".to_owned(),
            changes => in_line(changes),
        };
        let policy = self.policy.as_ref();
        let policy = policy.map(|policy| format!("{} {} {}", policy.name, policy.hash, changes(&policy.changes)));
        let names = |names: &[String]| names.iter().map(|name| format!(" {name}")).collect::<String>();
        let lines = [
            FIRST_LINE.to_owned(),
            format!("engine {}", in_line(&self.engine)),
            format!("policy {}", policy.as_deref().unwrap_or("-")),
            format!("units {}", self.units.name()),
            format!("rate {}", self.rate),
            format!("shadow {}", self.shadow.name()),
            format!("flags{}", names(&self.flags)),
            format!("numbers{}", names(&self.numbers)),
            format!("position {}", u8::from(self.has_positions)),
            format!("record {}", self.record_bytes()),
            "end".to_owned(),
        ];
        lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// The text without line breaks and other control characters.
pub(crate) fn in_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
