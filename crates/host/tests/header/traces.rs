//! Traces: the header, the records, and the copies of the process that search a move at full depth.

use std::path::Path;

use crate::common::shipped;
use crate::driver::{run, sanitized};
use lmrlab_host::trace::TraceReader;
use lmrlab_policy::facts::{CATALOGUE, Kind};
use lmrlab_policy::host_file::{self, Units};

/// A record, with its numbers by name.
#[derive(Debug, Clone)]
struct Record {
    kind: u8,
    late: bool,
    failed_high: bool,
    outcome: i8,
    reduction: i16,
    full_depth: i16,
    search: u32,
    first_nodes: u32,
    nodes: u32,
    id: u64,
    flags: u64,
    numbers: Vec<f64>,
    rest: Vec<u8>,
}

struct Trace {
    header: Vec<String>,
    records: Vec<Record>,
}

impl Trace {
    fn value(&self, key: &str) -> &str {
        let mut lines = self.header.iter();
        lines
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
            .unwrap_or("")
    }

    fn number(&self, record: &Record, name: &str) -> f64 {
        record.numbers[self
            .value("numbers")
            .split(' ')
            .position(|known| known == name)
            .unwrap()]
    }

    fn flag(&self, record: &Record, name: &str) -> bool {
        let bit = self.value("flags").split(' ').position(|known| known == name).unwrap();
        record.flags >> bit & 1 != 0
    }

    fn of_kind(&self, kind: u8) -> Vec<&Record> {
        self.records.iter().filter(|record| record.kind == kind).collect()
    }
}

/// Reads a file byte by byte, and compares it with what the crate reads.
fn read(path: &Path) -> Trace {
    let bytes = std::fs::read(path).unwrap();
    let end = bytes.windows(5).position(|window| window == b"\nend\n").unwrap() + 5;
    let header: Vec<String> = String::from_utf8(bytes[..end].to_vec())
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    let mut trace = Trace {
        header,
        records: Vec::new(),
    };
    let size: usize = trace.value("record").parse().unwrap();
    let numbers = trace.value("numbers").split(' ').count();
    assert_eq!(
        size,
        40 + 8 * numbers + if trace.value("position") == "1" { 104 } else { 0 }
    );
    let records = bytes[end..].chunks(size);
    trace.records = records
        .map(|bytes| {
            let part = |at: usize, length: usize| &bytes[at..at + length];
            let word = |at: usize| u32::from_le_bytes(part(at, 4).try_into().unwrap());
            let long = |at: usize| u64::from_le_bytes(part(at, 8).try_into().unwrap());
            let half = |at: usize| i16::from_le_bytes(part(at, 2).try_into().unwrap());
            assert_eq!(word(20), 0);
            Record {
                kind: bytes[0],
                late: bytes[1] == 1,
                failed_high: bytes[2] == 1,
                outcome: bytes[3].cast_signed(),
                reduction: half(4),
                full_depth: half(6),
                search: word(8),
                first_nodes: word(12),
                nodes: word(16),
                id: long(24),
                flags: long(32),
                numbers: (0..numbers).map(|index| f64::from_bits(long(40 + 8 * index))).collect(),
                rest: bytes[40 + 8 * numbers..].to_vec(),
            }
        })
        .collect();
    let read_by_crate = TraceReader::new(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(read_by_crate.header().engine, "Driver 1.0");
    let theirs: Vec<_> = read_by_crate.map(Result::unwrap).collect();
    assert_eq!(theirs.len(), trace.records.len());
    for (ours, theirs) in trace.records.iter().zip(theirs) {
        assert_eq!(
            (ours.late, ours.failed_high, ours.reduction),
            (theirs.late, theirs.failed_high, theirs.reduction)
        );
        assert_eq!(
            (ours.full_depth, ours.search, ours.id),
            (theirs.full_depth, theirs.search, theirs.id)
        );
        assert_eq!((ours.first_nodes, ours.nodes), (theirs.first_nodes, theirs.nodes));
        assert_eq!((ours.flags, &ours.numbers), (theirs.flags, &theirs.numbers));
    }
    trace
}

/// Plays the driver's search, and reads the trace.
fn search(moves: u32, environment: &[(&str, &str)]) -> Option<Trace> {
    let driver = sanitized()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moves.trace");
    let mut environment = environment.to_vec();
    environment.push(("LmrTrace", path.to_str().unwrap()));
    let house = folder.path().join("house.lmr");
    std::fs::write(&house, host_file::write(&shipped("house"), Units::Lmrlab).unwrap()).unwrap();
    for (name, value) in &mut environment {
        if *name == "LmrPolicy" {
            assert_eq!(*value, "house");
            *value = house.to_str().unwrap();
        }
    }
    let output = run(driver, &["search", &moves.to_string()], &environment, "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("info ")).collect();
    assert_eq!(lines, ["before", "after"]);
    Some(read(&path))
}

/// The bytes of a record without its numbers, and those of a move and its position.
const RECORD: usize = 40;
const POSITION: usize = 8 + 96;

#[test]
fn a_trace_has_every_move_with_its_facts() {
    let Some(trace) = search(300, &[("LmrTraceRate", "1")]) else {
        return;
    };
    let names = |kind| -> Vec<&str> {
        let facts = CATALOGUE.iter().filter(move |info| info.kind == kind);
        let facts = facts.filter(|info| !info.fact.is_of_rules() && !info.fact.is_of_research());
        facts.map(|info| info.name).collect()
    };
    let record = format!("record {}", RECORD + 8 * (names(Kind::Number).len() + 1));
    let (flags, numbers) = (names(Kind::Boolean).join(" "), names(Kind::Number).join(" "));
    let (flags, numbers) = (format!("flags {flags} own:blue"), format!("numbers {numbers} own:mood"));
    let expected = [
        "lmrlab-trace 1",
        "engine Driver 1.0",
        "policy -",
        "units lmrlab",
        "rate 1",
        "shadow none",
        &flags,
        &numbers,
        "position 0",
        &record,
        "end",
    ];
    assert_eq!(trace.header, expected);
    assert_eq!(trace.records.len(), 300);
    for (record, i) in trace.records.iter().zip(0_u32..) {
        let signed = i as i16;
        assert_eq!(
            (record.kind, record.late, record.failed_high),
            (b'D', i % 5 != 0, i % 7 == 0)
        );
        assert_eq!(
            (record.outcome, record.reduction, record.full_depth),
            ((i % 3) as i8, signed % 5 - 1, 3 + signed % 20 - 1)
        );
        assert_eq!(record.search, 1 + i / 100);
        assert_eq!(record.nodes, 2 * i);
        assert_eq!(record.first_nodes, if i % 11 == 0 { u32::MAX } else { i });
        assert_eq!(record.flags & 0xffff_ffff, u64::from(i));
        assert_eq!(trace.flag(record, "own:blue"), i % 3 == 0);
        assert_eq!(trace.number(record, "depth"), f64::from(3 + i % 20));
        assert_eq!(trace.number(record, "see"), -f64::from(i));
        // The factor of lmr_init is 2.
        assert_eq!(trace.number(record, "own:mood"), f64::from(i));
        assert!(record.rest.is_empty());
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
        assert_eq!(trace.value("rate"), rate);
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
    assert_eq!(
        trace.value("policy"),
        format!("house {} base=1.5", shipped("house").hash())
    );
    let numbers = trace.value("numbers").split(' ').count();
    let record = (RECORD + POSITION + 8 * numbers).to_string();
    assert_eq!((trace.value("position"), trace.value("record")), ("1", record.as_str()));
    let mut house = shipped("house");
    house.set_parameter("base", 1.5).unwrap();
    assert!(trace.records.iter().any(|record| record.reduction > 0));
    for record in &trace.records {
        let (uci, fen) = record.rest.split_at(8);
        assert_eq!(uci, b"e1e2\0\0\0\0");
        assert!(fen.starts_with(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1\0") && fen.len() == 96);
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
        assert_eq!(trace.value("shadow"), shadow);
        let (moves, copies) = (trace.of_kind(b'D'), trace.of_kind(b'S'));
        assert_eq!((moves.len(), copies.len()), (60, 60));
        for (index, (real, copy)) in moves.iter().zip(copies).enumerate() {
            assert_eq!(
                (real.id, real.late, real.reduction),
                (copy.id, copy.late, copy.reduction)
            );
            assert_eq!((real.flags, &real.numbers), (copy.flags, &copy.numbers));
            let undecided = matches!(index % 10, 0..=3 | 5);
            assert_eq!(copy.outcome, if undecided { -1 } else { (index % 2) as i8 });
            // Inside the copy no move is traced, and moves are reduced only with the policy.
            let reduced = policy && shadow == "policy" && !undecided;
            assert_eq!(copy.nodes > 0, reduced, "{shadow} {policy} {index}: {copy:?}");
            assert!(copy.nodes < 1_000_000);
        }
        // The record of a copy comes before that of its move.
        assert_eq!((trace.records[0].kind, trace.records[1].kind), (b'S', b'D'));
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
    let output = run(driver, &["options"], &[], &options);
    let text = String::from_utf8(output.stdout).unwrap();
    let said: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("info string lmrlab-host trace "))
        .collect();
    let name = path.to_str().unwrap();
    assert_eq!(said, [name, name, name, "-"]);
    // Without records the header is written again.
    let trace = read(&path);
    assert_eq!(
        (trace.value("rate"), trace.value("shadow"), trace.records.len()),
        ("0.5", "policy", 0)
    );
    let output = run(driver, &["change"], &[("LmrTrace", name), ("LmrTraceRate", "1")], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.ends_with(&format!(
            "info string lmrlab-host error the trace {name} ends, because LmrShadow has changed; set LmrTrace again\n"
        )),
        "{text}"
    );
    assert_eq!(read(&path).records.len(), 1);
}
