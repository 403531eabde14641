//! The example in Rust, examples/small-engine: the scheme as a policy, traces, shadow searches, UCI.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lmrlab_host::trace::{RecordKind, TraceReader};
use lmrlab_host::{MoveResult, Shadow};
use tempfile::TempDir;

use super::engine::compiled;
use crate::policies::own_policy;

/// The program. `cargo test` builds it, except where it names the tests.
fn program() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let name = format!("small-engine{}", std::env::consts::EXE_SUFFIX);
    let program = here.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.exists(), "cargo build -p lmrlab-host --example small-engine");
    program
}

/// What the engine prints.
fn printed(words: &[&str], variables: &[(&str, &str)], input: &str) -> String {
    let mut command = Command::new(program());
    let command = command.args(words).envs(variables.iter().copied());
    let mut engine = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    engine.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn bench(variables: &[(&str, &str)]) -> u64 {
    let text = printed(&["bench", "4"], variables, "");
    let last = text.lines().last().and_then(|line| line.strip_suffix(" nodes"));
    last.and_then(|nodes| nodes.parse().ok())
        .unwrap_or_else(|| panic!("{text}"))
}

/// The bench with a trace of `own`: the nodes of each shadow search, and whether it raised alpha, by the number of the move.
/// Checks that it belongs to a move, and that moves without a reduction are searched alike in both searches.
fn shadows(path: &Path, policy: &str, shadow: Shadow) -> BTreeMap<u64, (bool, u32)> {
    let trace = path.to_str().unwrap();
    let variables = [
        ("LmrPolicy", policy),
        ("LmrTrace", trace),
        ("LmrTraceRate", "0.3"),
        ("LmrShadow", shadow.name()),
        ("LmrPosition", "1"),
    ];
    assert_eq!(bench(&variables), bench(&variables[..1]), "a trace changes no search");
    let reader = TraceReader::new(File::open(path).unwrap()).unwrap();
    let header = reader.header().clone();
    assert_eq!((header.engine.as_str(), header.shadow), ("Small engine 1.0", shadow));
    assert_eq!(header.flags.last().unwrap(), "own:recaptures");
    assert_eq!(header.numbers.last().unwrap(), "own:replies");
    let history = header
        .numbers
        .iter()
        .position(|name| name == "ordering_history")
        .unwrap();
    let (mut judged, mut moves, mut control) = (BTreeMap::new(), 0, 0);
    let mut histories = 0;
    for record in reader.map(Result::unwrap) {
        assert!(
            record
                .position
                .as_ref()
                .is_some_and(|position| position.fen.contains(" w ") || position.fen.contains(" b "))
        );
        let numbers = &record.numbers;
        assert!(numbers[history].abs() <= 65_536.0 && (0.0..=218.0).contains(numbers.last().unwrap()));
        histories += u32::from(numbers[history].abs() > 8_000.0);
        match record.kind {
            RecordKind::Shadow(raises) => {
                judged.insert(record.id, (raises.unwrap(), record.nodes));
            }
            RecordKind::Move(outcome) => {
                moves += 1;
                let shadow_search = judged[&record.id];
                let failed_low = outcome == MoveResult::FailedLow && !record.failed_high;
                if shadow == Shadow::Policy && record.reduction == 0 && failed_low {
                    control += 1;
                    assert_eq!(shadow_search, (false, record.nodes));
                }
            }
        }
    }
    assert_eq!(judged.len(), moves);
    assert!(
        histories > 0 && (shadow != Shadow::Policy || control > 200),
        "{histories} {control} of {moves}"
    );
    judged
}

#[test]
fn its_scheme_is_a_policy_and_its_shadow_searches_agree() {
    let folder = TempDir::new().unwrap();
    let own = compiled(&folder, &own_policy());
    assert_eq!(bench(&[]), bench(&[("LmrPolicy", &own)]));
    let by_policy = shadows(&folder.path().join("policy"), &own, Shadow::Policy);
    let unreduced = shadows(&folder.path().join("unreduced"), &own, Shadow::Unreduced);
    let nodes = |judged: &BTreeMap<u64, (bool, u32)>| judged.values().map(|(_, nodes)| u64::from(*nodes)).sum::<u64>();
    assert!(by_policy.keys().eq(unreduced.keys()) && nodes(&unreduced) > nodes(&by_policy));
}

#[test]
fn a_policy_may_read_its_own_facts_and_the_ladder_by_score() {
    let folder = TempDir::new().unwrap();
    let text = own_policy().replace("and quiet", "and (quiet or recaptures) and replies < 40")
        + "\n[host]\nflags = [\"recaptures\"]\nnumbers = [\"replies\"]\n[research]\nladder = \"by_score\"\nupdates_history = true\n\
           deeper = \"score > best_score + 10\"\n";
    let policy = compiled(&folder, &text);
    let text = printed(
        &[],
        &[],
        &format!(
            "uci\nsetoption name LmrPolicy value {policy}\nisready\nposition startpos moves e2e4 e7e5\ngo depth 4\n\
             setoption name LmrPolicy value \nisready\nposition fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\ngo nodes 2000\nquit\n"
        ),
    );
    let lines: Vec<_> = text.lines().collect();
    let place = |start: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("{text}"))
    };
    assert!(
        place("uciok") < place("info string lmrlab-host policy own ") && place("readyok") < place("info depth 4 "),
        "{text}"
    );
    assert!(
        place("info string lmrlab-host policy own ") < place("readyok"),
        "the answer comes first: {text}"
    );
    assert!(place("bestmove ") < place("info string lmrlab-host policy -"), "{text}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
    assert_ne!(bench(&[("LmrPolicy", &policy)]), bench(&[]));
}
