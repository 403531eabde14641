//! Traces: what is written is read, half a record is cut, and foreign files are refused.

use crate::hosting::{opened, set};
use crate::policies::{file_of, shipped};
use lmrlab_host::trace::{Record, RecordKind, TraceHeader, TraceReader, TracedPolicy, TracedPosition};
use lmrlab_host::{Fact, Host, LateMove, MoveResult, Random, Shadow, Units};
use proptest::prelude::*;
use tempfile::TempDir;

const FACTS: &str = "quiet pv in_check flag:threatened number:share see*0.5 depth moves_searched move_number";

/// An engine that traces each of its late moves; the path of its trace.
fn tracing(folder: &TempDir, rate: &str) -> (Host, String) {
    let mut host = Host::new("Engine\n1.0", FACTS).unwrap();
    let path = folder.path().join("trace").to_str().unwrap().to_owned();
    set(&mut host, "LmrTraceRate", rate);
    set(&mut host, "LmrTrace", &path);
    (host, path)
}

/// The reduction of the engine's own scheme.
fn own_scheme(host: &Host, random: &mut Random, depth: i32) -> Option<LateMove> {
    let mut late_move = opened(host, Some(random))?;
    late_move
        .flag(Fact::Pv, true)
        .flag(Fact::OWN_FLAGS[0], true)
        .number(Fact::OWN_NUMBERS[0], 0.25)
        .number(Fact::See, -40.0)
        .number(Fact::Depth, f64::from(depth));
    (late_move.reduction, late_move.late) = (-2, true);
    Some(late_move)
}

fn read(path: &str) -> (TraceHeader, Vec<Record>, usize) {
    let mut reader = TraceReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let header = reader.header().clone();
    let records = reader.by_ref().collect::<Result<_, _>>().unwrap();
    (header, records, reader.cut_bytes())
}

#[test]
fn a_trace_holds_what_the_engine_did() {
    let folder = TempDir::new().unwrap();
    let (host, path) = tracing(&folder, "1");
    let mut random = Random::new(7);
    host.new_search();
    host.new_search();
    let mut late_move = own_scheme(&host, &mut random, 9).unwrap();
    assert!(late_move.is_sampled() && host.wants(&late_move, Fact::See) && !host.wants_position(&late_move));
    host.judged(&late_move, Some(true), 77).unwrap();
    late_move.result(true, 1_000);
    host.close(&late_move, 8, MoveResult::Inside, u64::MAX).unwrap();
    let (header, records, cut) = read(&path);
    assert_eq!(
        (header.engine.as_str(), &header.policy, header.units, header.rate),
        ("Engine 1.0", &None, Units::Lmrlab, 1.0)
    );
    assert_eq!((header.shadow, header.has_positions), (Shadow::None, false));
    assert_eq!(header.flags.join(" "), "pv in_check quiet own:threatened");
    assert_eq!(
        header.numbers.join(" "),
        "depth moves_searched move_number see own:share"
    );
    assert_eq!(cut, 0);
    let [shadow, the_move] = records.as_slice() else {
        panic!("{records:?}");
    };
    assert_eq!((shadow.kind, shadow.nodes), (RecordKind::Shadow(Some(true)), 77));
    assert_eq!(shadow.id, the_move.id);
    assert_eq!(the_move.kind, RecordKind::Move(MoveResult::Inside));
    assert_eq!((the_move.late, the_move.failed_high), (true, true));
    assert_eq!((the_move.reduction, the_move.full_depth), (-2, 8));
    assert_eq!(
        (the_move.search, the_move.first_nodes, the_move.nodes),
        (2, 1_000, u32::MAX)
    );
    assert_eq!((the_move.flags, &the_move.position), (0b1001, &None));
    // See is in lmrlab's unit.
    assert_eq!(the_move.numbers, [9.0, 0.0, 0.0, -20.0, 0.25]);
}

/// The layout of the header and of a record, byte by byte: other programs write it, too.
#[test]
fn the_bytes_are_those_of_the_format() {
    let folder = TempDir::new().unwrap();
    let mut host = Host::new("E", "pv depth").unwrap();
    let path = folder.path().join("trace");
    set(&mut host, "LmrTraceRate", "1");
    set(&mut host, "LmrTrace", path.to_str().unwrap());
    let mut late_move = opened(&host, Some(&mut Random::new(0))).unwrap();
    late_move.flag(Fact::Pv, true).number(Fact::Depth, 2.0);
    (late_move.reduction, late_move.late) = (1, true);
    late_move.result(false, 0x0102);
    host.new_search();
    host.close(&late_move, 0x0304, MoveResult::FailedHigh, 0x0506_0708)
        .unwrap();
    let mut expected = b"lmrlab-trace 1\nengine E\npolicy -\nunits lmrlab\nrate 1\nshadow none\nflags pv\nnumbers depth\nposition 0\nrecord 48\nend\n".to_vec();
    expected.extend([
        b'D', 1, 0, 2, 1, 0, 4, 3, 1, 0, 0, 0, 2, 1, 0, 0, 8, 7, 6, 5, 0, 0, 0, 0,
    ]);
    // The first number of splitmix64 from 0.
    expected.extend(0xe220_a839_7b1d_cdaf_u64.to_le_bytes());
    expected.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend(2.0_f64.to_le_bytes());
    assert_eq!(std::fs::read(&path).unwrap(), expected);
}

#[test]
fn the_rate_is_the_share_of_moves_that_are_traced() {
    let folder = TempDir::new().unwrap();
    for (rate, expected) in [("0", 0..1), ("0.1", 900..1_100), ("1", 10_000..10_001)] {
        let (host, path) = tracing(&folder, rate);
        let mut random = Random::new(3);
        for _ in 0..10_000 {
            if let Some(late_move) = own_scheme(&host, &mut random, 5) {
                host.close(&late_move, 4, MoveResult::FailedLow, 1).unwrap();
            }
            assert!(opened(&host, None).is_none());
        }
        let (_, records, _) = read(&path);
        assert!(expected.contains(&records.len()), "{rate}: {}", records.len());
    }
}

#[test]
fn the_policy_and_the_options_are_in_the_head() {
    let folder = TempDir::new().unwrap();
    let (mut host, path) = tracing(&folder, "0.5");
    let policy = shipped("logarithm");
    let file = file_of(&policy, Units::Host, &folder);
    // The header is written again, as there are no records yet.
    let answer = set(&mut host, "LmrPolicy", &file);
    assert!(
        answer.len() == 1 && answer[0].contains("lmrlab-host policy logarithm "),
        "{answer:?}"
    );
    let changes = format!("{}={}", policy.parameters()[0].name, policy.parameters()[0].max);
    set(&mut host, "LmrParams", &changes);
    assert_eq!(
        set(&mut host, "LmrShadow", "unreduced"),
        [format!("info string lmrlab-host trace {path}")]
    );
    let (header, records, _) = read(&path);
    assert!(records.is_empty());
    assert_eq!(
        (header.rate, header.shadow, header.units),
        (0.5, Shadow::Unreduced, Units::Host)
    );
    assert_eq!(
        header.policy,
        Some(TracedPolicy {
            name: "logarithm".to_owned(),
            hash: policy.hash(),
            changes,
        })
    );
    let mut random = Random::new(1);
    let written = (0..20).filter(|_| {
        let mut late_move = opened(&host, Some(&mut random)).unwrap();
        host.reduction(&mut late_move);
        host.close(&late_move, 4, MoveResult::FailedLow, 1).unwrap();
        late_move.is_sampled()
    });
    let written = written.count();
    // Now there are records, and another policy ends the trace.
    assert_eq!(
        set(&mut host, "LmrPolicy", ""),
        [
            "info string lmrlab-host policy -".to_owned(),
            format!(
                "info string lmrlab-host error the trace {path} ends, because LmrPolicy has changed; set LmrTrace again"
            ),
        ]
    );
    assert!(opened(&host, Some(&mut random)).is_none());
    assert_eq!(read(&path).1.len(), written);
    assert_eq!(set(&mut host, "LmrTrace", ""), ["info string lmrlab-host trace -"]);
    let nowhere = folder.path().join("no/such/folder");
    let answer = set(&mut host, "LmrTrace", nowhere.to_str().unwrap());
    assert!(
        answer[0].contains(" error ") && answer[0].contains("cannot be written"),
        "{answer:?}"
    );
}

/// A header and records as a host writes them.
fn trace_of_moves(folder: &TempDir, count: i32) -> Vec<u8> {
    let (host, path) = tracing(folder, "1");
    let mut random = Random::new(5);
    for depth in 0..count {
        let late_move = own_scheme(&host, &mut random, depth).unwrap();
        host.close(&late_move, depth, MoveResult::FailedLow, 3).unwrap();
    }
    std::fs::read(path).unwrap()
}

#[test]
fn half_a_record_at_the_end_is_cut() {
    let folder = TempDir::new().unwrap();
    let whole = trace_of_moves(&folder, 3);
    let bytes = 40 + 5 * 8;
    for cut in 0..=2 * bytes {
        let mut reader = TraceReader::new(&whole[..whole.len() - cut]).unwrap();
        let depths: Vec<f64> = reader.by_ref().map(|record| record.unwrap().numbers[0]).collect();
        assert_eq!(depths.len(), 3 - cut.div_ceil(bytes));
        assert!(
            depths
                .iter()
                .zip(0..)
                .all(|(depth, expected)| *depth == f64::from(expected))
        );
        assert_eq!(reader.cut_bytes(), (bytes - cut % bytes) % bytes);
    }
}

#[test]
fn a_foreign_file_is_refused_with_a_message() {
    let folder = TempDir::new().unwrap();
    let whole = trace_of_moves(&folder, 1);
    let refused = |bytes: &[u8]| TraceReader::new(bytes).unwrap_err().to_string();
    for foreign in [
        &b""[..],
        b"\x00\x01\x02",
        b"[Event \"a game\"]\n",
        b"name = \"house\"\nend\n",
    ] {
        assert!(refused(foreign).starts_with("this is no trace"), "{}", refused(foreign));
    }
    let text = String::from_utf8_lossy(&whole).into_owned();
    let engine = text.lines().find_map(|line| line.strip_prefix("engine ")).unwrap();
    for (from, to, message) in [
        (
            "lmrlab-trace 1",
            "lmrlab-trace 2",
            "the trace begins with `lmrlab-trace 2`, and this program reads `lmrlab-trace 1`",
        ),
        (
            "record 80",
            "record 88",
            "the header of the trace has records of 88 bytes, and its facts need 80",
        ),
        (
            "rate 1",
            "rate 2",
            "the header of the trace has the wrong value `2` for `rate`",
        ),
        (
            "units lmrlab\n",
            "",
            "the header of the trace has `rate 1` where `units` belongs",
        ),
        (
            "\nend\n",
            "\nstart\nend\n",
            "the header of the trace has `start` where `end` belongs",
        ),
        (
            "shadow none",
            "shadow curve",
            "the header of the trace has the wrong value `curve` for `shadow`; it is none, policy or unreduced",
        ),
        (
            "policy -",
            "policy house",
            "the header of the trace has the wrong value `house` for `policy`",
        ),
        (
            "engine ",
            &format!("engine {}", "x".repeat(70_000 - engine.len())),
            "the name after `engine` in the header of the trace has 70000 bytes; a name has at most 255",
        ),
        (
            "policy -",
            &format!("policy {} 0 -", "x".repeat(256)),
            "the name after `policy` in the header of the trace has 256 bytes; a name has at most 255",
        ),
    ] {
        assert_eq!(refused(text.replacen(from, to, 1).as_bytes()), message);
    }
    let header = text.find("\nend\n").unwrap();
    assert_eq!(
        refused(&whole[..header]),
        "the header of the trace does not end with `end`"
    );
    let mut damaged = whole.clone();
    damaged[header + 5] = b'X';
    let mut reader = TraceReader::new(damaged.as_slice()).unwrap();
    assert_eq!(
        reader.next().unwrap().unwrap_err().to_string(),
        "record 1 of the trace is damaged: its kind is neither D nor S"
    );
    assert!(reader.next().is_none());
    (damaged[header + 5], damaged[header + 8]) = (b'D', 3);
    let mut reader = TraceReader::new(damaged.as_slice()).unwrap();
    assert_eq!(
        reader.next().unwrap().unwrap_err().to_string(),
        "record 1 of the trace is damaged: its outcome is none that there is"
    );
}

#[test]
fn positions_are_cut_to_their_fields() {
    let header = "lmrlab-trace 1\nengine E\npolicy -\nunits lmrlab\nrate 1\nshadow policy\nflags\nnumbers\nposition 1\nrecord 144\nend\n";
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend([b'S', 0, 0, 0xff]);
    bytes.extend([0; 36]);
    bytes.extend(b"e7e8q\0\0\0");
    let mut fen = b"8/4P1k1/8/8/8/8/8/K7 w - - 0 1".to_vec();
    fen.resize(96, 0);
    bytes.extend(&fen);
    let mut reader = TraceReader::new(bytes.as_slice()).unwrap();
    assert_eq!(reader.header().to_string(), header);
    let record = reader.next().unwrap().unwrap();
    assert_eq!(record.kind, RecordKind::Shadow(None));
    assert_eq!(
        record.position,
        Some(TracedPosition {
            fen: "8/4P1k1/8/8/8/8/8/K7 w - - 0 1".to_owned(),
            uci_move: "e7e8q".to_owned(),
        })
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_bytes_make_the_reader_panic(
        cut in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        from_nothing in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut bytes = "lmrlab-trace 1\nengine E\npolicy -\nunits lmrlab\nrate 1\nshadow none\nflags pv\nnumbers depth\nposition 1\nrecord 152\nend\n".as_bytes().to_vec();
        bytes.extend((0..400).map(|index: u32| if index.is_multiple_of(152) { b'D' } else { 0 }));
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(bytes.len()));
        for bytes in [bytes, from_nothing] {
            if let Ok(reader) = TraceReader::new(bytes.as_slice()) {
                let records = reader.count();
                prop_assert!(records <= bytes.len());
            }
        }
    }
}
