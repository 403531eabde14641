//! The options that an engine declares after `uci`.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::external::ExternalEngine;
use super::process::{Process, WaitError};
use super::uci_line::after;
use crate::player::fault::{Fault, FaultKind};

/// More options than any real engine has; further ones are ignored.
const MAX_OPTIONS: usize = 1_000;

/// An option as an engine declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// Its type: `spin`, `check`, `combo`, `button` or `string`.
    pub kind: String,
    /// Default, minimum and maximum of a spin option.
    pub spin: Option<[i64; 3]>,
}

impl DeclaredOption {
    /// Reads an `option` line: `option name Clear Hash type button`.
    fn read(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(after(line, "option")?);
        let (name, rest) = text.strip_prefix("name ")?.split_once(" type ")?;
        let kind = rest.split_ascii_whitespace().next().unwrap_or_default();
        let value = |key: &str| {
            let mut words = rest.split_ascii_whitespace();
            words.find(|word| *word == key)?;
            words.next()?.parse().ok()
        };
        let spin = (kind == "spin")
            .then(|| Some([value("default")?, value("min")?, value("max")?]))
            .flatten();
        Some(Self {
            name: name.trim().to_owned(),
            kind: kind.to_owned(),
            spin,
        })
    }
}

/// Starts an engine, reads the options that it declares, and ends it.
///
/// # Errors
/// When it cannot be started or sends no `uciok`.
pub fn declared_options(engine: &ExternalEngine) -> Result<Vec<DeclaredOption>, Fault> {
    let mut process = Process::start(engine)?;
    let never = AtomicBool::new(false);
    let Ok(declared) = handshake(&mut process, engine, &never) else {
        process.kill();
        return Err(Fault::new(FaultKind::Stall, "sent no `uciok`"));
    };
    process.ask_to_quit();
    Ok(declared)
}

/// Sends `uci`, and reads the options that the engine declares until `uciok`.
pub(super) fn handshake(
    process: &mut Process,
    engine: &ExternalEngine,
    stop: &AtomicBool,
) -> Result<Vec<DeclaredOption>, WaitError> {
    process.send("uci\n");
    let mut declared = Vec::new();
    let deadline = Instant::now() + engine.deadlines.start;
    process.wait(deadline, stop, &mut |line| {
        if let Some(option) = DeclaredOption::read(line)
            && declared.len() < MAX_OPTIONS
        {
            declared.push(option);
        }
        after(line, "uciok").map(drop)
    })?;
    Ok(declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_bounds() {
        let option = DeclaredOption::read(b"option name Lmr Base type spin default 77 min -5 max 200");
        let option = option.expect("an option");
        assert_eq!(option.name, "Lmr Base");
        assert_eq!(option.spin, Some([77, -5, 200]));
        let clear = DeclaredOption::read(b"option name Clear Hash type button").expect("an option");
        assert_eq!(clear.spin, None);
        assert_eq!(DeclaredOption::read(b"id name something"), None);
    }

    #[test]
    fn names_and_types() {
        let option = |line: &str| DeclaredOption::read(line.as_bytes()).map(|option| (option.name, option.kind));
        assert_eq!(
            option("option name Clear Hash type button"),
            Some(("Clear Hash".to_owned(), "button".to_owned()))
        );
        assert_eq!(
            option("option name Hash type spin default 16 min 1 max 33554432"),
            Some(("Hash".to_owned(), "spin".to_owned()))
        );
        assert_eq!(option("options name x type spin"), None);
        assert_eq!(option("option type spin"), None);
    }
}
