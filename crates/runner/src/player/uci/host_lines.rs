//! The lines of a host: an engine that plays policies of lmrlab.
//!
//! After `uci` it prints `info string lmrlab-host VERSION facts NAME ..`, and after each option of lmrlab's
//! `info string lmrlab-host policy NAME HASH PARAMS`, `.. policy -` or `.. error TEXT`.

use super::uci_line::after;

/// The longest error that a message shows, in characters. It may name many facts.
const LONGEST_ERROR: usize = 400;

/// The lines of a host so far.
#[derive(Debug, Default)]
pub(super) struct HostLines {
    /// What it said after `uci`.
    pub(super) hello: Option<Hello>,
    /// Its last answer to an option.
    pub(super) answer: Option<Answer>,
}

/// What a host says of itself.
#[derive(Debug, PartialEq, Eq)]
pub struct Hello {
    /// The version of its header.
    pub version: String,
    /// The facts that it fills.
    pub facts: Vec<String>,
}

/// What a host says of its policy.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The words after `policy`: name, hash and parameters; or `-`.
    Policy(Vec<String>),
    /// Why it has none.
    Error(String),
}

impl HostLines {
    /// Reads a line of the engine. Lines without `info string lmrlab-host` are ignored.
    pub(super) fn see(&mut self, line: &[u8]) {
        let rest = after(line, "info").and_then(|rest| after(rest, "string"));
        let Some(rest) = rest.and_then(|rest| after(rest, "lmrlab-host")) else {
            return;
        };
        let text = String::from_utf8_lossy(rest);
        let mut words = text.split_ascii_whitespace().map(str::to_owned);
        match words.next().as_deref() {
            Some("policy") => self.answer = Some(Answer::Policy(words.collect())),
            Some("error") => {
                let text = text.trim_start_matches("error").trim().chars().take(LONGEST_ERROR);
                let text = text.map(|c| if c.is_control() { '?' } else { c }).collect();
                self.answer = Some(Answer::Error(text));
            }
            Some("trace") | None => {}
            Some(version) => {
                self.hello = Some(Hello {
                    version: version.to_owned(),
                    facts: words.skip_while(|word| word == "facts").collect(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> HostLines {
        let mut read = HostLines::default();
        for line in lines {
            read.see(line.as_bytes());
        }
        read
    }

    #[test]
    fn lines_of_a_host_are_read_and_others_are_not() {
        let lines = read(&[
            "id name engine",
            "info string lmrlab-host 1 facts depth pv  quiet",
            "info string lmrlab-hosts policy other",
            "info depth 3",
            "info string lmrlab-host trace -",
            "info string lmrlab-host",
        ]);
        let hello = lines.hello.unwrap();
        assert_eq!((hello.version.as_str(), hello.facts.len()), ("1", 3));
        assert_eq!(lines.answer, None);
        assert_eq!(read(&["info string lmrlab-host 2"]).hello.unwrap().facts, [""; 0]);
    }

    #[test]
    fn the_last_answer_counts() {
        let words = |words: &[&str]| Answer::Policy(words.iter().map(|word| (*word).to_owned()).collect());
        let ok = "info string lmrlab-host policy house 00ff -";
        let error = "info string lmrlab-host error no file, or no policy";
        assert_eq!(read(&[error, ok]).answer, Some(words(&["house", "00ff", "-"])));
        let refused = read(&[ok, error]).answer;
        assert_eq!(refused, Some(Answer::Error("no file, or no policy".to_owned())));
        assert_eq!(read(&["info string lmrlab-host policy -"]).answer, Some(words(&["-"])));
    }
}
