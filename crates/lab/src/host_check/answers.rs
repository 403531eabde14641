//! What a host says: its facts, its options, and its answers to options.

use std::time::Duration;

use lmrlab_policy::facts::{CATALOGUE, Fact};
use lmrlab_policy::host_file::VERSION;
use lmrlab_results::output_file;
use lmrlab_runner::player::uci::Hello;

use super::check::Check;
use super::positions::POSITIONS;
use super::process::{End, HostProcess, difference, path_of};
use super::test_policies::{answer, plain, reading, reading_the_catalogue};

/// Nodes of a search for one fact.
const FEW_NODES: u64 = 2000;
/// How long an answer may be late.
const LATE: Duration = Duration::from_millis(200);
/// When more facts than these differ, the trace itself changes the search.
const MANY_FACTS: usize = 5;

/// The options of a host, and their types.
const OPTIONS: [(&str, &str); 5] = [
    ("LmrPolicy", "string"),
    ("LmrParams", "string"),
    ("LmrTrace", "string"),
    ("LmrTraceRate", "string"),
    ("LmrShadow", "combo"),
];

impl Check<'_> {
    /// What the engine says before `uciok`: the facts of the catalogue that it fills. Without facts nothing else can be checked.
    pub(super) fn hello(&mut self) -> Result<(), End> {
        let HostProcess { session, .. } = HostProcess::start(self.host)?;
        let advice = "call lmr_print_options() on `uci`, before `uciok`";
        let Some(Hello { version, facts }) = session.hello() else {
            let what = format!("there is no line `info string lmrlab-host {VERSION} facts ..` before `uciok`");
            return Err(End::wrong("handshake", what, advice, ""));
        };
        if *version != VERSION.to_string() {
            let what = format!("the version is `{version}`, and this lmrlab speaks version {VERSION}");
            let advice = "build the engine with the header that `lmrlab host header` prints";
            return Err(End::wrong("handshake", what, advice, ""));
        }
        let is_own = |name: &&str| name.starts_with("flag:") || name.starts_with("number:");
        let (own, known): (Vec<&str>, Vec<&str>) = facts.iter().map(String::as_str).partition(is_own);
        self.filled = known.iter().filter_map(|name| Fact::named(name)).collect();
        if !self.filled.contains(&Fact::Depth) {
            let what = "the engine does not fill `depth`, which every policy reads";
            return Err(End::wrong(
                "handshake",
                what,
                "add it to the facts of lmr_init, and fill it",
                "",
            ));
        }
        let wrong = known.iter().find(|name| Fact::named(name).is_none());
        self.same(
            "handshake",
            wrong.map(|name| (*name).to_owned()),
            &format!(
                "version {VERSION}, {} facts of the catalogue and {} of its own",
                self.filled.len(),
                own.len()
            ),
            "this is no fact",
            "`lmrlab policy facts` lists the catalogue; a fact of the engine's own is `flag:NAME` or `number:NAME`",
        );
        let lacks = self.lacking();
        if !lacks.is_empty() {
            let what = format!("not filled, so policies that read them do not play: {lacks}");
            self.note("facts", what);
        }
        let missing = OPTIONS.iter().filter(|(name, kind)| {
            let mut options = session.declared().iter();
            !options.any(|option| option.name == *name && option.kind == *kind)
        });
        let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
        self.same(
            "options",
            (!missing.is_empty()).then(|| missing.join(", ")),
            "the five options are declared",
            "not declared as they should be",
            advice,
        );
        Ok(())
    }

    /// The facts of the catalogue that the engine does not fill, by name.
    fn lacking(&self) -> String {
        let facts = CATALOGUE.iter();
        let lacks = facts.filter(|info| !info.fact.is_given() && !self.filled.contains(&info.fact));
        lacks.map(|info| info.name).collect::<Vec<_>>().join(" ")
    }

    /// Tests the answers to the options. When the engine answers after `readyok`, no other check can be made.
    pub(super) fn answers(&mut self) -> Result<(), End> {
        let mut session = HostProcess::start(self.host)?;
        let plain = plain(&self.filled)?;
        let (path, all) = (path_of(&plain)?, reading_the_catalogue()?);
        let all = path_of(&all)?;
        let broken = self.host.folder.join("broken.lmr");
        output_file::write(&broken, "lmrlab-policy 1 broken")?;
        let broken = broken.display().to_string();
        let missing = format!("{path}.missing");
        let lacks = self.lacking();
        let with = |changes: &str| answer(plain.policy(), changes);
        // What has to be answered to each value. An error has to name the words behind `error`.
        let mut asked = vec![
            ("policy", "LmrPolicy", path.as_str(), with("-")),
            ("policy", "LmrPolicy", &broken, "error".to_owned()),
            ("policy", "LmrPolicy", &missing, "error missing".to_owned()),
            ("policy", "LmrPolicy", "<empty>", "policy -".to_owned()),
            ("policy", "LmrPolicy", &all, format!("error {lacks}")),
            ("parameters", "LmrPolicy", &path, with("-")),
            ("parameters", "LmrParams", "base=0.75", with("base=0.75")),
            ("parameters", "LmrParams", "base=0.75,-deep", with("base=0.75,-deep")),
            ("parameters", "LmrParams", "base=3", "error base".to_owned()),
            ("parameters", "LmrParams", "bass=0.75", "error bass base".to_owned()),
            ("parameters", "LmrParams", "-dep", "error dep deep".to_owned()),
            ("parameters", "LmrParams", "<empty>", with("-")),
            ("parameters", "LmrPolicy", "<empty>", "policy -".to_owned()),
            ("trace", "LmrTraceRate", "2", "error LmrTraceRate".to_owned()),
            ("trace", "LmrTraceRate", "0.5", "trace -".to_owned()),
            ("trace", "LmrShadow", "some", "error LmrShadow".to_owned()),
        ];
        asked.retain(|(_, _, value, _)| *value != all || !lacks.is_empty());
        let found = self.findings.len();
        for (check, option, value, right) in &asked {
            let answers = session.set(option, value)?;
            if answers.is_empty() && self.findings.len() == found {
                // An engine that handles options in another thread may need a moment.
                std::thread::sleep(LATE);
                if let Some(answer) = session.ready()?.first() {
                    let what = "the engine answers to an option after `readyok`";
                    let advice = "answer `setoption` in the thread that reads the commands, before `readyok`; the check ends here";
                    return Err(End::wrong("answers", what, advice, answer));
                }
            }
            // A change of an option ends a trace, and the engine reports that, too. Its first line is the answer.
            let answer = answers.first().map_or("nothing", String::as_str);
            let names = right.strip_prefix("error").map(str::split_ascii_whitespace);
            let holds = match names {
                Some(mut names) => answer.starts_with("error ") && names.all(|name| answer.contains(name)),
                None => answer == right,
            };
            if !holds {
                let right = format!(
                    "`info string lmrlab-host {right}`, where an error has more words; lmr_setoption answers so, when it gets name and \
                     value as UCI sends them"
                );
                let seen = format!("setoption name {option} value {value}: {answer}");
                self.wrong(check, format!("the answer to {option} is not right"), &right, &seen);
            }
        }
        if self.findings.len() == found {
            self.ok(
                "answers",
                format!("{} options were answered as they should be", asked.len()),
            );
        }
        Ok(())
    }

    /// Lets the engine play a policy for each fact that it fills, without a trace and with one. A trace wants every fact. So the
    /// searches differ when a number is not filled where the policy alone wants it.
    pub(super) fn each_fact(&mut self) -> Result<(), End> {
        let mut session = HostProcess::start(self.host)?;
        let mut traced = HostProcess::start(self.host)?;
        let trace = self.host.folder.join("each.trace").display().to_string();
        traced.set("LmrTraceRate", "1")?;
        let (found, mut differ) = (self.findings.len(), Vec::new());
        let facts = self.filled.iter().copied().filter(|fact| !fact.is_given());
        let facts: Vec<Fact> = facts.collect();
        for (number, fact) in facts.iter().enumerate() {
            let (policy, name) = (reading(*fact, &self.filled)?, fact.info().name);
            if let Some([right, seen]) = session.refuses(&policy)? {
                self.wrong(name, "a policy that reads the fact is refused", &right, &seen);
            }
            traced.load(&policy)?;
            traced.set("LmrTrace", &trace)?;
            let nodes = self.host.nodes.min(FEW_NODES);
            let fens: Vec<&str> = POSITIONS.iter().cycle().skip(number).take(2).copied().collect();
            let alone = session.searches_of(&fens, nodes)?;
            let with_trace = traced.searches_of(&fens, nodes)?;
            traced.set("LmrTrace", "<empty>")?;
            differ.extend(difference(&alone, &with_trace).map(|seen| (name, seen)));
        }
        if differ.len() > MANY_FACTS {
            let what = "with policies for many facts the engine searches other nodes when it is traced";
            self.wrong("trace", what, "a trace must change nothing but the file", &differ[0].1);
            return Ok(());
        }
        for (name, seen) in &differ {
            let what = "a policy that reads it gives other nodes with a trace than without one";
            let advice = format!(
                "fill it wherever lmr_open is true, or where LMR_WANTS(&lmr, {name}) is: without a trace only the facts of the policy \
                 are wanted"
            );
            self.wrong(name, what, &advice, seen);
        }
        if self.findings.len() == found {
            let count = facts.len();
            let what = format!(
                "{count} policies that read one fact each are accepted, and give the same nodes with a trace and without"
            );
            self.ok("each fact", what);
        }
        Ok(())
    }
}
