//! A policy that a host plays: the options for it, and the answers that the host must give.

use std::io;
use std::sync::Arc;

use lmrlab_diagnostics::Diagnostic;
use lmrlab_policy::host_file::{self, TooLarge, Units, VERSION};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_policy::research::Ladder;
use lmrlab_results::sha256::sha256;

use super::declared_options::DeclaredOption;
use super::host_lines::{Answer, HostLines};
use super::temporary_file::TemporaryFile;

/// The option that has the path of a policy.
pub const POLICY_OPTION: &str = "LmrPolicy";
/// The option that changes parameters and rules of the policy.
pub const PARAMS_OPTION: &str = "LmrParams";

/// The options of a host. Environment variables of the same names mean the same to it.
pub(super) const HOST_OPTIONS: [&str; 5] = [POLICY_OPTION, PARAMS_OPTION, "LmrTrace", "LmrTraceRate", "LmrShadow"];

/// A policy that an external engine plays.
#[derive(Debug, Clone)]
pub struct HostedPolicy {
    reference: String,
    policy: Arc<Policy>,
    file: Arc<TemporaryFile>,
    /// The facts that its host has to fill, with the names that hosts use.
    facts: Vec<String>,
}

/// Why an engine cannot play its policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The rest of a sentence that begins with the engine's name.
    pub(super) what: String,
    /// What would be right.
    pub(super) advice: String,
}

impl HostedPolicy {
    /// Compiles a policy. `reference` is how the user named it.
    ///
    /// # Errors
    /// When it is too large for a host.
    pub fn new(reference: &str, policy: Policy) -> Result<Self, TooLarge> {
        let text = host_file::write(&policy, Units::Lmrlab)?;
        // A policy that reduces nothing reads nothing.
        let facts = (!policy.never_reduces()).then(|| policy.program().to_fill());
        Ok(Self {
            reference: reference.to_owned(),
            facts: facts.unwrap_or_default(),
            policy: Arc::new(policy),
            file: Arc::new(TemporaryFile::new(text)),
        })
    }

    /// How the user named it: a name or a path, with overrides.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// Also asks the host for the facts of another policy, which it will play later.
    pub fn ask_for(&mut self, other: &Self) {
        let new = other.facts.iter().filter(|fact| !self.facts.contains(fact));
        self.facts.extend(new.cloned().collect::<Vec<_>>());
    }

    /// The facts that it reads and that are not among `filled`, with the names that hosts use.
    pub fn missing<'p>(&'p self, filled: &'p [String]) -> impl Iterator<Item = &'p str> {
        let missing = self.facts.iter().filter(|fact| !filled.contains(fact));
        missing.map(String::as_str)
    }

    /// The policy, with its overrides in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The policy's name with its overrides; see [`PolicyReference::name_of`].
    pub fn name(&self) -> String {
        PolicyReference::shown(&self.reference, &self.policy)
    }

    /// The SHA-256 of the file that the host reads.
    pub fn sha256(&self) -> String {
        sha256(self.file.text())
    }

    /// Writes the file that the host reads, and returns its path.
    ///
    /// # Errors
    /// When the file cannot be written, or its path cannot be sent.
    pub fn path(&self) -> io::Result<String> {
        let path = self.file.path()?.into_os_string().into_string().ok();
        let path = path.filter(|path| !path.contains(char::is_control));
        path.ok_or_else(|| io::Error::other("the path of the temporary folder is not plain text"))
    }

    /// The commands that make a host play it.
    ///
    /// # Errors
    /// As [`path`](Self::path).
    pub(super) fn commands(&self) -> io::Result<String> {
        Ok(format!("setoption name {POLICY_OPTION} value {}\n", self.path()?))
    }

    /// Checks what an engine said after `uci`: whether it is a host that this program can talk to.
    pub(super) fn check_hello(&self, declared: &[DeclaredOption], lines: &HostLines) -> Result<(), Refusal> {
        let has_option = declared
            .iter()
            .any(|option| option.name.eq_ignore_ascii_case(POLICY_OPTION));
        if !has_option {
            return Err(self.refusal(
                &format!("it has no option `{POLICY_OPTION}`, so it reads no policies"),
                "an engine reads policies when it includes lmrlab.h, which `lmrlab host header` prints; without `policy` an engine \
                 plays its own scheme",
            ));
        }
        match &lines.hello {
            Some(hello) if hello.version == VERSION.to_string() => Ok(()),
            Some(hello) => Err(self.refusal(
                &format!(
                    "its header is of version {}, and this lmrlab speaks version {VERSION}",
                    hello.version
                ),
                "build it with the header that `lmrlab host header` prints now",
            )),
            None => Err(self.refusal(
                &format!("it did not say which facts it fills: no `info string lmrlab-host {VERSION} facts ..` before `uciok`"),
                "call `lmr_print_options()` when the engine gets `uci`",
            )),
        }
    }

    /// Checks which facts an engine fills, and what it answered to [`commands`](Self::commands).
    pub(super) fn check_answer(&self, lines: &HostLines) -> Result<(), Refusal> {
        let filled = lines.hello.as_ref().map_or(&[][..], |hello| &hello.facts);
        let missing = self.missing(filled).map(|fact| format!("`{fact}`"));
        let missing: Vec<String> = missing.collect();
        if !missing.is_empty() {
            return Err(self.refusal(
                &format!(
                    "the policy reads facts that the engine does not fill: {}",
                    missing.join(", ")
                ),
                "fill them and name them in `lmr_init`, or play a policy that does not read them",
            ));
        }
        if let Some(Answer::Error(text)) = &lines.answer {
            return Err(self.refusal(
                &format!("it refuses it: `{text}`"),
                "lmrlab writes the policy to the temporary folder of the system, and the engine has to be able to read it there",
            ));
        }
        let expected = [self.policy.name().to_owned(), self.policy.hash(), "-".to_owned()];
        let advice = format!(
            "`info string lmrlab-host policy {}` is the right answer to `setoption name {POLICY_OPTION}`; the header gives it in \
             `lmr_setoption`",
            expected.join(" ")
        );
        match &lines.answer {
            Some(Answer::Policy(words)) if *words == expected => Ok(()),
            Some(Answer::Policy(words)) => {
                let words = words.join(" ");
                Err(self.refusal(&format!("it says that it plays another one: `policy {words}`"), &advice))
            }
            _ => Err(self.refusal(
                &format!("it did not answer to the option `{POLICY_OPTION}` before `readyok`"),
                &advice,
            )),
        }
    }

    fn refusal(&self, why: &str, advice: &str) -> Refusal {
        Refusal {
            what: format!("cannot play the policy `{}`: {why}", self.name()),
            advice: advice.to_owned(),
        }
    }

    /// What a host plays in its own way, because it cannot play this part of the policy.
    fn parts_of_host(&self) -> Vec<String> {
        let research = self.policy.research();
        let ladder = match research.ladder {
            Ladder::NullThenFull | Ladder::ByScore => None,
            other => Some(other.name()),
        };
        let ladder = ladder.map(|name| {
            format!("re-searches (`research.ladder` is \"{name}\"; hosts have \"null_then_full\" and \"by_score\")")
        });
        let feedback = (research.threat_feedback).map(|_| "threat feedback (`research.threat_feedback`)".to_owned());
        let history = (self.policy.history()).map(|_| "history tables (`[history]`)".to_owned());
        [ladder, feedback, history].into_iter().flatten().collect()
    }

    /// The warning about these parts, for the host `engine`.
    pub(super) fn warning(&self, engine: &str) -> Option<Diagnostic> {
        let parts = self.parts_of_host();
        (!parts.is_empty()).then(|| {
            Diagnostic::warning(format!(
                "the engine `{engine}` plays the policy `{}` with its own {}",
                self.name(),
                parts.join(", and its own ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use lmrlab_diagnostics::Source;

    use super::*;

    fn hosted(text: &str) -> HostedPolicy {
        let text = format!("name = \"p\"\n{text}");
        let (policy, _) = Policy::compile(Source::new("p.toml", text.as_str())).unwrap();
        HostedPolicy::new("p", policy).unwrap()
    }

    fn asks_for(text: &str) -> Vec<String> {
        hosted(text).facts
    }

    #[test]
    fn a_host_fills_what_the_policy_reads() {
        let simple = "when = \"depth >= 3 and quiet\"\nreduce = \"1\"\n";
        assert_eq!(asks_for(simple), ["quiet", "depth"]);
        assert_eq!(asks_for("when = \"ply > 3\"\nreduce = \"0\"\n"), [""; 0]);
        let limited = format!("{simple}[finish]\nmax_in_pv = 1\nmax_if_extended = 1\n");
        assert_eq!(asks_for(&limited), ["pv", "quiet", "extended", "depth"]);
        // Only facts of rules that are on, and none that a host passes with each query.
        let rules = format!(
            "{simple}[[rule]]\nname = \"pv\"\nwhen = \"killer\"\nadd = \"so_far\"\n\
             [[rule]]\nname = \"off\"\nwhen = \"castling\"\nadd = \"1\"\nenabled = false\n\
             [research]\nladder = \"by_score\"\ndeeper = \"score > best_score + 50 and iteration > 2\"\n"
        );
        assert_eq!(asks_for(&rules), ["quiet", "killer", "depth", "iteration"]);
        let mut policy = hosted(simple);
        policy.ask_for(&hosted(&rules));
        assert_eq!(policy.facts, ["quiet", "depth", "killer", "iteration"]);
    }
}
