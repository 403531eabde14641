//! A policy that a host plays: the options that say so, and what the host has to answer.

use std::io;
use std::sync::Arc;

use lmrlab_diagnostics::Diagnostic;
use lmrlab_policy::facts::{CATALOGUE, Fact};
use lmrlab_policy::host_file::{self, TooLarge, Units, VERSION};
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_policy::research::{LADDERS, Ladder};
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

/// Facts that a host gives with the question, or that are computed by the policy itself.
const GIVEN: [Fact; 3] = [Fact::SoFar, Fact::Score, Fact::Reduction];

/// A policy that an engine of someone else plays.
#[derive(Debug, Clone)]
pub struct HostedPolicy {
    reference: String,
    policy: Arc<Policy>,
    file: Arc<TemporaryFile>,
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
    /// Compiles a policy, which was asked for with these words.
    ///
    /// # Errors
    /// When it is too large for a host.
    pub fn new(reference: &str, policy: Policy) -> Result<Self, TooLarge> {
        let text = host_file::write(&policy, Units::Lmrlab)?;
        Ok(Self {
            reference: reference.to_owned(),
            policy: Arc::new(policy),
            file: Arc::new(TemporaryFile::new(text)),
        })
    }

    /// The words that it was asked for with: a name or a path, with overrides.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// The policy, with its overrides in force.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The policy's name with its overrides; see [`PolicyReference::name_of`].
    pub fn name(&self) -> String {
        let reference = self.reference.parse::<PolicyReference>();
        reference.map_or_else(
            |_| self.policy.name().to_owned(),
            |reference| reference.name_of(&self.policy),
        )
    }

    /// The SHA-256 of the file that the host reads.
    pub fn sha256(&self) -> String {
        sha256(self.file.text())
    }

    /// The commands that make a host play it. Its file is there after that.
    ///
    /// # Errors
    /// When the file cannot be written, or its path cannot be sent.
    pub(super) fn commands(&self) -> io::Result<String> {
        let path = self.file.path()?;
        let path = path.to_str().filter(|path| !path.contains(char::is_control));
        let path = path.ok_or_else(|| io::Error::other("the path of the temporary folder is not plain text"))?;
        Ok(format!("setoption name {POLICY_OPTION} value {path}\n"))
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
        let missing: Vec<String> = self
            .reads()
            .filter(|fact| !filled.iter().any(|filled| filled == fact))
            .map(|fact| format!("`{fact}`"))
            .collect();
        let said = match &lines.answer {
            Some(Answer::Error(text)) => Some(text),
            _ => None,
        };
        if !missing.is_empty() {
            let said = said.map_or_else(String::new, |text| format!("; it says `{text}`"));
            return Err(self.refusal(
                &format!(
                    "the policy reads facts that the engine does not fill: {}{said}",
                    missing.join(", ")
                ),
                "fill them and name them in `lmr_init`, or play a policy that does not read them",
            ));
        }
        if let Some(text) = said {
            return Err(self.refusal(
                &format!("it refuses it: `{text}`"),
                "a policy for another host, or a header of another version of lmrlab, may be the reason",
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

    /// The names of the facts that a host has to fill for it.
    fn reads(&self) -> impl Iterator<Item = &'static str> {
        let needs = self.policy.needs();
        let facts = CATALOGUE.iter().map(|info| info.fact);
        facts
            .filter(move |fact| needs.contains(*fact) && !GIVEN.contains(fact))
            .map(|fact| fact.info().name)
    }

    /// What the host `engine` plays in its own way, although the policy says another.
    pub(super) fn warnings(&self, engine: &str) -> Vec<Diagnostic> {
        let research = self.policy.research();
        let ladder = match research.ladder {
            Ladder::NullThenFull | Ladder::ByScore => None,
            other => LADDERS.iter().find(|(_, ladder, _)| same_kind(*ladder, other)),
        };
        let ladder = ladder.map(|(name, ..)| {
            format!("re-searches (`research.ladder` is \"{name}\"; hosts have \"null_then_full\" and \"by_score\")")
        });
        let feedback = (research.threat_feedback).map(|_| "threat feedback (`research.threat_feedback`)".to_owned());
        let history = (self.policy.history()).map(|_| "history tables (`[history]`)".to_owned());
        let own: Vec<String> = [ladder, feedback, history].into_iter().flatten().collect();
        if own.is_empty() {
            return Vec::new();
        }
        vec![Diagnostic::warning(format!(
            "the engine `{engine}` plays the policy `{}` with its own {}",
            self.name(),
            own.join(", and its own ")
        ))]
    }
}

fn same_kind(one: Ladder, other: Ladder) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}
