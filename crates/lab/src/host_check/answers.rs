//! What a host says: its facts, its options, and its answers to options.

use std::time::Duration;

use lmrlab_policy::facts::{CATALOGUE, Fact};
use lmrlab_policy::host_file::VERSION;

use super::finding::{self, Finding};
use super::positions::POSITIONS;
use super::process::{End, HostCheck, HostProcess, difference};
use super::test_policies::{plain, reading, reading_the_catalogue};

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

/// What an engine says before `uciok`: the facts of the catalogue that it fills, and findings. Without facts nothing else can be
/// checked.
pub(super) fn hello(session: &HostProcess<'_>) -> (Option<Vec<Fact>>, Vec<Finding>) {
    let advice = "call lmr_print_options() on `uci`, before `uciok`";
    let line = session.hello.iter().find_map(|line| line.split_once(" facts"));
    let Some((version, facts)) = line else {
        let what = format!("there is no line `info string lmrlab-host {VERSION} facts ..` before `uciok`");
        return (None, vec![finding::wrong("handshake", what, advice, "")]);
    };
    if version != VERSION.to_string() {
        let what = format!("the version is `{version}`, and this lmrlab speaks version {VERSION}");
        let advice = "build the engine with the header that `lmrlab host header` prints";
        return (None, vec![finding::wrong("handshake", what, advice, "")]);
    }
    let is_own = |name: &&str| name.starts_with("flag:") || name.starts_with("number:");
    let (own, known): (Vec<&str>, Vec<&str>) = facts.split_ascii_whitespace().partition(is_own);
    let filled: Vec<Fact> = known.iter().filter_map(|name| Fact::named(name)).collect();
    if !filled.contains(&Fact::Depth) {
        let what = "the engine does not fill `depth`, which every policy reads";
        let advice = "add it to the facts of lmr_init, and fill it";
        return (None, vec![finding::wrong("handshake", what, advice, "")]);
    }
    let wrong = known.iter().find(|name| Fact::named(name).is_none());
    let mut findings = vec![finding::same(
        "handshake",
        wrong.map(|name| (*name).to_owned()),
        &format!(
            "version {VERSION}, {} facts of the catalogue and {} of its own",
            filled.len(),
            own.len()
        ),
        "this is no fact",
        "`lmrlab policy facts` lists the catalogue; a fact of the engine's own is `flag:NAME` or `number:NAME`",
    )];
    let lacks = lacking(&filled).join(" ");
    if !lacks.is_empty() {
        let what = format!("not filled, so policies that read them do not play: {lacks}");
        findings.push(finding::note("facts", what));
    }
    let missing = OPTIONS.iter().filter(|(name, kind)| {
        let mut options = session.declared().iter();
        !options.any(|option| option.name == *name && option.kind == *kind)
    });
    let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    findings.push(finding::same(
        "options",
        (!missing.is_empty()).then(|| missing.join(", ")),
        "the five options are declared",
        "not declared as they should be",
        advice,
    ));
    (Some(filled), findings)
}

/// The facts of the catalogue that the engine does not fill, by name.
fn lacking(filled: &[Fact]) -> Vec<&'static str> {
    let facts = CATALOGUE.iter();
    facts
        .filter(|info| !info.fact.is_given() && !filled.contains(&info.fact))
        .map(|info| info.name)
        .collect()
}

/// Whether the engine answers to an option after `readyok`: then no other check can be made.
pub(super) fn late(host: &HostCheck<'_>, filled: &[Fact]) -> Result<Option<Finding>, End> {
    let mut session = HostProcess::start(host)?;
    if !session.load(&plain(filled)?)?.is_empty() {
        return Ok(None);
    }
    // An engine that handles options in another thread may need a moment.
    std::thread::sleep(LATE);
    let late = session.ready()?;
    Ok(late.first().map(|answer| {
        let advice = "answer `setoption` in the thread that reads the commands, before `readyok`; the check ends here";
        finding::wrong(
            "answers",
            "the engine answers to an option after `readyok`",
            advice,
            answer,
        )
    }))
}

/// Tests the answers to the options.
pub(super) fn answers(host: &HostCheck<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut session = HostProcess::start(host)?;
    let plain = plain(filled)?;
    let path = plain.write(host.folder)?.display().to_string();
    let broken = plain.write_half(host.folder)?.display().to_string();
    let all = reading_the_catalogue()?.write(host.folder)?.display().to_string();
    let missing = format!("{path}.missing");
    let lacks = lacking(filled).join(" ");
    let with = |changes: &str| plain.answer(changes);
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
    let mut findings = Vec::new();
    for (check, option, value, right) in &asked {
        let answers = session.set(option, value)?;
        // A change of an option ends a trace, and the engine reports that, too. Its first line is the answer.
        let answer = answers.first().map_or("nothing", String::as_str);
        let names = right.strip_prefix("error").map(str::split_ascii_whitespace);
        let holds = match names {
            Some(mut names) => answer.starts_with("error ") && names.all(|name| answer.contains(name)),
            None => answer == right,
        };
        if !holds {
            let what = format!("the answer to {option} is not right");
            let right = format!(
                "`info string lmrlab-host {right}`, where an error has more words; lmr_setoption answers so, when it gets name and \
                 value as UCI sends them"
            );
            let seen = format!("setoption name {option} value {value}: {answer}");
            findings.push(finding::wrong(check, what, &right, &seen));
        }
    }
    if findings.is_empty() {
        let what = format!("{} options were answered as they should be", asked.len());
        findings.push(finding::ok("answers", what));
    }
    Ok(findings)
}

/// Lets the engine play a policy for each fact that it fills, without a trace and with one. A trace wants every fact. So the
/// searches differ when a number is not filled where the policy alone wants it.
pub(super) fn each_fact(host: &HostCheck<'_>, filled: &[Fact]) -> Result<Vec<Finding>, End> {
    let mut session = HostProcess::start_with_positions(host)?;
    let mut traced = HostProcess::start_with_positions(host)?;
    let trace = host.folder.join("each.trace").display().to_string();
    traced.set("LmrTraceRate", "1")?;
    let (mut findings, mut differ) = (Vec::new(), Vec::new());
    let facts = filled.iter().copied().filter(|fact| !fact.is_given());
    let count = facts.clone().count();
    for (number, fact) in facts.enumerate() {
        let (policy, name) = (reading(fact, filled)?, fact.info().name);
        findings.extend(session.refuses(&policy, name, "a policy that reads the fact is refused")?);
        traced.load(&policy)?;
        traced.set("LmrTrace", &trace)?;
        let nodes = host.nodes.min(FEW_NODES);
        let fens: Vec<&str> = POSITIONS.iter().cycle().skip(number).take(2).copied().collect();
        let alone = session.searches(&fens, nodes)?;
        let with_trace = traced.searches(&fens, nodes)?;
        traced.set("LmrTrace", "<empty>")?;
        differ.extend(difference(&fens, &alone, &with_trace).map(|seen| (name, seen)));
    }
    match differ.first() {
        Some((_, seen)) if differ.len() > MANY_FACTS => {
            let what = "with policies for many facts the engine searches other nodes when it is traced";
            let advice = "a trace must change nothing but the file";
            findings.push(finding::wrong("trace", what, advice, seen));
        }
        _ => findings.extend(differ.iter().map(|(name, seen)| {
            let what = "a policy that reads it gives other nodes with a trace than without one";
            let advice = format!(
                "fill it wherever lmr_open is true, or where LMR_WANTS(&lmr, {name}) is: without a trace only the facts of the policy \
                 are wanted"
            );
            finding::wrong(name, what, &advice, seen)
        })),
    }
    if findings.is_empty() {
        let what = format!(
            "{count} policies that read one fact each are accepted, and give the same nodes with a trace and without"
        );
        findings.push(finding::ok("each fact", what));
    }
    Ok(findings)
}
