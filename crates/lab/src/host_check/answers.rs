//! What a host says: its facts, its options, and its answers to options.

use std::time::Duration;

use lmrlab_policy::facts::{CATALOGUE, Fact};
use lmrlab_policy::host_file::VERSION;

use super::finding::Finding;
use super::positions::POSITIONS;
use super::session::{End, Host, Session, difference};
use super::test_policies::{is_given, plain, reading, reading_the_catalogue};

/// Nodes of a search for one fact.
const FEW_NODES: u64 = 2000;
/// How long an answer may be late.
const LATE: Duration = Duration::from_millis(200);
/// When more facts than these differ, the trace itself changes the search.
const MANY_FACTS: usize = 5;

/// What an engine says before `uciok`: the facts of the catalogue that it fills, and findings. Without facts nothing else can be
/// checked.
pub(super) fn hello(session: &Session<'_>) -> (Option<Vec<Fact>>, Vec<Finding>) {
    let advice = "call lmr_print_options() on `uci`, before `uciok`";
    let line = session.hello.iter().find_map(|line| line.split_once(" facts"));
    let Some((version, facts)) = line else {
        let what = format!("there is no line `info string lmrlab-host {VERSION} facts ..` before `uciok`");
        return (None, vec![Finding::wrong("handshake", what, advice)]);
    };
    if version != VERSION.to_string() {
        let what = format!("the version is `{version}`, and this lmrlab speaks version {VERSION}");
        let advice = "build the engine with the header that `lmrlab host header` prints";
        return (None, vec![Finding::wrong("handshake", what, advice)]);
    }
    let mut findings = Vec::new();
    let (mut filled, mut own) = (Vec::new(), 0);
    for name in facts.split_ascii_whitespace() {
        match Fact::named(name) {
            Some(fact) => filled.push(fact),
            None if name.starts_with("flag:") || name.starts_with("number:") => own += 1,
            None => {
                let what = format!("`{name}` is no fact");
                let advice = "`lmrlab policy facts` lists the catalogue; a fact of the engine's own is `flag:NAME` or `number:NAME`";
                findings.push(Finding::wrong("handshake", what, advice));
            }
        }
    }
    if !filled.contains(&Fact::Depth) {
        let what = "the engine does not fill `depth`, which every policy reads";
        findings.push(Finding::wrong(
            "handshake",
            what,
            "add it to the facts of lmr_init, and fill it",
        ));
        return (None, findings);
    }
    if findings.is_empty() {
        let own = if own > 0 {
            format!(" and {own} of its own")
        } else {
            String::new()
        };
        let what = format!("version {VERSION}, {} facts of the catalogue{own}", filled.len());
        findings.push(Finding::ok("handshake", what));
    }
    let lacks = lacking(&filled);
    if !lacks.is_empty() {
        let what = format!(
            "not filled, so policies that read them do not play: {}",
            lacks.join(" ")
        );
        findings.push(Finding::note("facts", what));
    }
    findings.push(options(session, advice));
    (Some(filled), findings)
}

/// The facts of the catalogue that the engine does not fill, by name.
fn lacking(filled: &[Fact]) -> Vec<&'static str> {
    let facts = CATALOGUE.iter();
    facts
        .filter(|info| !is_given(info.fact) && !filled.contains(&info.fact))
        .map(|info| info.name)
        .collect()
}

fn options(session: &Session<'_>, advice: &str) -> Finding {
    let expected = [
        ("LmrPolicy", "string"),
        ("LmrParams", "string"),
        ("LmrTrace", "string"),
        ("LmrTraceRate", "string"),
        ("LmrShadow", "combo"),
    ];
    let is_declared = |(name, kind): &(&str, &str)| {
        let mut options = session.declared().iter();
        options.any(|option| option.name == *name && option.kind == *kind)
    };
    let lacks: Vec<&str> = expected
        .iter()
        .filter(|option| !is_declared(option))
        .map(|(name, _)| *name)
        .collect();
    match lacks.is_empty() {
        true => Finding::ok("options", "the five options are declared"),
        false => Finding::wrong(
            "options",
            format!("not declared as they should be: {}", lacks.join(", ")),
            advice,
        ),
    }
}

/// Whether the engine answers to an option after `readyok`: then no other check can be made.
pub(super) fn late(host: &Host<'_>, filled: &[Fact]) -> Result<Option<Finding>, End> {
    let mut session = Session::start(host)?;
    if !session.load(&plain(filled)?)?.is_empty() {
        return Ok(None);
    }
    // An engine that handles options in another thread may need a moment.
    std::thread::sleep(LATE);
    let late = session.late_answers()?;
    Ok(late.first().map(|answer| {
        let advice = "answer `setoption` in the thread that reads the commands, before `readyok`; the check ends here";
        Finding::wrong("answers", "the engine answers to an option after `readyok`", advice).seen(answer.clone())
    }))
}

/// What an answer has to be.
enum Expected {
    /// These words.
    Exactly(String),
    /// An error that has these words.
    Error(Vec<String>),
}

/// Tests the answers to the options.
pub(super) fn answers(host: &Host<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut session = Session::start(host)?;
    let mut asked = Asked {
        session: &mut session,
        check: "",
        findings: Vec::new(),
        count: 0,
    };
    let plain = plain(filled)?;
    let path = plain.write(host.folder)?.display().to_string();
    let broken = plain.write_half(host.folder)?.display().to_string();
    let error = |words: &[&str]| Expected::Error(words.iter().map(|word| (*word).to_owned()).collect());
    let own = || Expected::Exactly("policy -".to_owned());

    asked.check = "policy";
    asked.ask("LmrPolicy", &path, Expected::Exactly(plain.answer("-")))?;
    asked.ask("LmrPolicy", &broken, error(&[]))?;
    asked.ask("LmrPolicy", &format!("{path}.missing"), error(&["missing"]))?;
    asked.ask("LmrPolicy", "<empty>", own())?;
    let lacks = lacking(filled);
    if !lacks.is_empty() {
        let all = reading_the_catalogue()?.write(host.folder)?.display().to_string();
        asked.ask("LmrPolicy", &all, error(&lacks))?;
        asked.ask("LmrPolicy", "<empty>", own())?;
    }

    asked.check = "parameters";
    asked.ask("LmrPolicy", &path, Expected::Exactly(plain.answer("-")))?;
    for (changes, expected) in [
        ("base=0.75", Expected::Exactly(plain.answer("base=0.75"))),
        ("base=0.75,-deep", Expected::Exactly(plain.answer("base=0.75,-deep"))),
        ("base=3", error(&["base"])),
        ("bass=0.75", error(&["bass", "base"])),
        ("-dep", error(&["dep", "deep"])),
        ("<empty>", Expected::Exactly(plain.answer("-"))),
    ] {
        asked.ask("LmrParams", changes, expected)?;
    }
    asked.ask("LmrPolicy", "<empty>", own())?;

    asked.check = "trace";
    asked.ask("LmrTraceRate", "2", error(&["LmrTraceRate"]))?;
    asked.ask("LmrTraceRate", "0.5", Expected::Exactly("trace -".to_owned()))?;
    asked.ask("LmrShadow", "some", error(&["LmrShadow"]))?;
    let (mut findings, count) = (asked.findings, asked.count);
    if findings.is_empty() {
        findings.push(Finding::ok(
            "answers",
            format!("{count} options were answered as they should be"),
        ));
    }
    Ok(findings)
}

struct Asked<'a, 'c> {
    session: &'a mut Session<'c>,
    check: &'static str,
    findings: Vec<Finding>,
    count: u32,
}

impl Asked<'_, '_> {
    fn ask(&mut self, option: &str, value: &str, expected: Expected) -> Result<(), End> {
        let answers = self.session.set(option, value)?;
        self.count += 1;
        // A change of an option ends a trace, and the engine reports that, too. Its first line is the answer.
        let answer = answers.first().map_or("nothing", String::as_str);
        let (holds, right) = match expected {
            Expected::Exactly(words) => (answer == words, format!("`info string lmrlab-host {words}`")),
            Expected::Error(words) => (
                answer.starts_with("error ") && words.iter().all(|word| answer.contains(word.as_str())),
                match words.is_empty() {
                    true => "`info string lmrlab-host error ..`".to_owned(),
                    false => format!("`info string lmrlab-host error ..` that names {}", words.join(" ")),
                },
            ),
        };
        if !holds {
            let what = format!("the answer to {option} is not right");
            let advice = format!("{right}; lmr_setoption answers so, when it gets name and value as UCI sends them");
            let seen = format!("setoption name {option} value {value}: {answer}");
            self.findings.push(Finding::wrong(self.check, what, advice).seen(seen));
        }
        Ok(())
    }
}

/// Lets the engine play a policy for each fact that it fills, without a trace and with one. A trace wants every fact. So the
/// searches differ when a number is not filled where the policy alone wants it.
pub(super) fn each_fact(host: &Host<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut session = Session::start_with_positions(host)?;
    let mut traced = Session::start_with_positions(host)?;
    let trace = host.folder.join("each.trace").display().to_string();
    traced.set("LmrTraceRate", "1")?;
    let mut findings = Vec::new();
    let mut unfilled = Vec::new();
    let facts = filled.iter().copied().filter(|fact| !is_given(*fact));
    let count = facts.clone().count();
    for (number, fact) in facts.enumerate() {
        let what = "a policy that reads the fact is refused";
        let (policy, name) = (reading(fact, filled)?, fact.info().name);
        findings.extend(session.refuses(&policy, name, what)?);
        traced.load(&policy)?;
        traced.set("LmrTrace", &trace)?;
        let nodes = host.nodes.min(FEW_NODES);
        let fens = [0, 1].map(|next| {
            POSITIONS
                .get((number + next) % POSITIONS.len())
                .copied()
                .unwrap_or_default()
        });
        let alone = session.searches(&fens, nodes)?;
        let with_trace = traced.searches(&fens, nodes)?;
        traced.set("LmrTrace", "<empty>")?;
        if let Some(seen) = difference(&fens, &alone, &with_trace) {
            let what = "a policy that reads it gives other nodes with a trace than without one";
            let advice = format!(
                "fill it wherever lmr_open is true, or where LMR_WANTS(&lmr, {name}) is: without a trace only the facts of the \
                 policy are wanted"
            );
            unfilled.push(Finding::wrong(name, what, advice).seen(seen));
        }
    }
    match unfilled.first() {
        Some(first) if unfilled.len() > MANY_FACTS => {
            let what = format!(
                "with policies for {} facts the engine searches other nodes when it is traced",
                unfilled.len()
            );
            let advice = "a trace must change nothing but the file";
            findings.push(Finding::wrong("trace", what, advice).seen(first.example.clone().unwrap_or_default()));
        }
        _ => findings.extend(unfilled),
    }
    if findings.is_empty() {
        let what = format!(
            "{count} policies that read one fact each are accepted, and give the same nodes with a trace and without"
        );
        findings.push(Finding::ok("each fact", what));
    }
    Ok(findings)
}
