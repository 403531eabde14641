//! Traces: the header, the records, and the copies of the process that search a move at full depth.

use std::path::Path;

use lmrlab_host::trace::{Record, RecordKind, TraceHeader, TraceReader};
use lmrlab_host::{MoveResult, Shadow, Units};
use lmrlab_policy::facts::{CATALOGUE, Kind};

use super::driver::sanitized;
use crate::policies::{file_of, shipped};

/// A trace that the driver has written.
struct Trace {
    header: TraceHeader,
    records: Vec<Record>,
}

impl Trace {
    fn read(path: &Path) -> Self {
        let reader = TraceReader::new(std::fs::File::open(path).unwrap()).unwrap();
        let header = reader.header().clone();
        assert_eq!(header.engine, "Driver 1.0");
        let records = reader.map(Result::unwrap).collect();
        Self { header, records }
    }

    fn number(&self, record: &Record, name: &str) -> f64 {
        record.numbers[self.header.numbers.iter().position(|known| known == name).unwrap()]
    }
}

/// Plays the driver's search, and reads the trace.
fn search(moves: u32, environment: &[(&str, &str)]) -> Option<Trace> {
    let driver = sanitized()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves.trace");
    let mut environment = environment.to_vec();
    environment.push(("LmrTrace", path.to_str().unwrap()));
    let house = file_of(&shipped("house"), Units::Lmrlab, &folder);
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == "LmrPolicy") {
        *value = &house;
    }
    let text = driver.printed(&["search", &moves.to_string()], &environment, "");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("info ")).collect();
    assert_eq!(lines, ["before", "after"]);
    Some(Trace::read(&path))
}

#[test]
fn a_trace_has_every_move_with_its_facts() {
    let Some(trace) = search(300, &[("LmrTraceRate", "1")]) else {
        return;
    };
    let names = |kind, own: &str| -> Vec<String> {
        let facts = CATALOGUE.iter().filter(move |info| info.kind == kind);
        let facts = facts.filter(|info| !info.fact.is_of_rules() && !info.fact.is_of_research());
        facts.map(|info| info.name.to_owned()).chain([own.to_owned()]).collect()
    };
    let header = &trace.header;
    assert_eq!(
        (header.flags.clone(), header.numbers.clone()),
        (names(Kind::Boolean, "own:blue"), names(Kind::Number, "own:mood"))
    );
    assert_eq!((&header.policy, header.units, header.rate), (&None, Units::Lmrlab, 1.0));
    assert_eq!((header.shadow, header.has_positions), (Shadow::None, false));
    assert_eq!(trace.records.len(), 300);
    for (record, i) in trace.records.iter().zip(0_u32..) {
        let signed = i as i16;
        let outcome = [MoveResult::FailedLow, MoveResult::Inside, MoveResult::FailedHigh][i as usize % 3];
        assert_eq!(record.kind, RecordKind::Move(outcome));
        assert_eq!((record.late, record.failed_high), (i % 5 != 0, i % 7 == 0));
        assert_eq!(
            (record.reduction, record.full_depth),
            (signed % 5 - 1, 3 + signed % 20 - 1)
        );
        assert_eq!((record.search, record.nodes), (1 + i / 100, 2 * i));
        assert_eq!(record.first_nodes, if i % 11 == 0 { u32::MAX } else { i });
        assert_eq!(record.flags & 0xffff_ffff, u64::from(i));
        assert_eq!(record.flags >> (header.flags.len() - 1), u64::from(i % 3 == 0));
        assert_eq!(trace.number(record, "depth"), f64::from(3 + i % 20));
        assert_eq!(trace.number(record, "see"), -f64::from(i));
        // The factor of lmr_init is 2.
        assert_eq!(trace.number(record, "own:mood"), f64::from(i));
    }
    let mut ids: Vec<_> = trace.records.iter().map(|record| record.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 300);
    // The second number of splitmix64 with the seed 1 is the first one with the state 1 + its constant.
    assert_eq!(trace.records[0].id, 0x910a_2dec_8902_5cc1);
}

#[test]
fn a_trace_takes_a_share_of_the_moves() {
    for (rate, range) in [("0", 0..1), ("0.25", 180..320), ("5e-2", 25..80)] {
        let Some(trace) = search(1_000, &[("LmrTraceRate", rate)]) else {
            return;
        };
        assert_eq!(trace.header.rate, rate.parse::<f64>().unwrap());
        assert!(range.contains(&trace.records.len()), "{rate}: {}", trace.records.len());
    }
}

#[test]
fn the_policy_and_the_positions_are_in_the_trace() {
    let policy = ("LmrPolicy", "house");
    let environment = [
        policy,
        ("LmrParams", "base=1.5"),
        ("LmrTraceRate", "1"),
        ("LmrPosition", "1"),
    ];
    let Some(trace) = search(100, &environment) else { return };
    let policy = trace
        .header
        .policy
        .as_ref()
        .map(|policy| (policy.name.as_str(), &policy.hash, policy.changes.as_str()));
    assert_eq!(policy, Some(("house", &shipped("house").hash(), "base=1.5")));
    assert!(trace.header.has_positions && trace.records.iter().any(|record| record.reduction > 0));
    for record in &trace.records {
        let position = record.position.as_ref().unwrap();
        assert_eq!(
            (position.uci_move.as_str(), position.fen.as_str()),
            ("e1e2", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        );
        let late = trace.number(record, "depth") >= 3.0 && trace.number(record, "moves_searched") >= 1.0;
        assert_eq!(record.late, late);
    }
}

/// Some copies crash, others leave their move: the parent writes that the move is undecided, and continues.
#[cfg(unix)]
#[test]
fn copies_of_the_process_write_what_a_full_search_says() {
    for (shadow, policy) in [
        ("policy", true),
        ("unreduced", true),
        ("policy", false),
        ("unreduced", false),
    ] {
        let mut environment = vec![("LmrTraceRate", "1"), ("LmrShadow", shadow)];
        if policy {
            environment.push(("LmrPolicy", "house"));
        }
        let Some(trace) = search(60, &environment) else { return };
        assert_eq!(trace.header.shadow.name(), shadow);
        let is_copy = |record: &&Record| matches!(record.kind, RecordKind::Shadow(_));
        let (copies, moves): (Vec<_>, Vec<_>) = trace.records.iter().partition(is_copy);
        assert_eq!((moves.len(), copies.len()), (60, 60));
        for (index, (real, copy)) in moves.iter().zip(copies).enumerate() {
            assert_eq!(
                (real.id, real.late, real.reduction),
                (copy.id, copy.late, copy.reduction)
            );
            assert_eq!((real.flags, &real.numbers), (copy.flags, &copy.numbers));
            let undecided = matches!(index % 10, 0..=3 | 5);
            assert_eq!(copy.kind, RecordKind::Shadow((!undecided).then_some(index % 2 == 1)));
            // Inside the copy no move is traced, and moves are reduced only with the policy.
            let reduced = policy && shadow == "policy" && !undecided;
            assert_eq!(copy.nodes > 0, reduced, "{shadow} {policy} {index}: {copy:?}");
            assert!(copy.nodes < 1_000_000);
        }
        // The record of a copy comes before that of its move.
        assert!(is_copy(&&trace.records[0]) && !is_copy(&&trace.records[1]));
    }
}

#[test]
fn a_trace_ends_when_its_head_is_no_longer_true() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves.trace");
    let options = format!(
        "LmrTrace {}\nLmrTraceRate 0.5\nLmrShadow policy\nLmrTrace\n",
        path.display()
    );
    let text = driver.printed(&["options"], &[], &options);
    let said: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("info string lmrlab-host trace "))
        .collect();
    let name = path.to_str().unwrap();
    assert_eq!(said, [name, name, name, "-"]);
    // Without records the header is written again.
    let Trace { header, records } = Trace::read(&path);
    assert_eq!((header.rate, header.shadow, records.len()), (0.5, Shadow::Policy, 0));
    let text = driver.printed(&["change"], &[("LmrTrace", name), ("LmrTraceRate", "1")], "");
    assert!(
        text.ends_with(&format!(
            "info string lmrlab-host error the trace {name} ends, because LmrShadow has changed; set LmrTrace again\n"
        )),
        "{text}"
    );
    assert_eq!(Trace::read(&path).records.len(), 1);
}
