//! Invalid positions and commands.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use proptest::prelude::*;

const FENS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 100",
    "QQQQQQQQ/QQQQQQQ1/8/8/8/8/1k6/7K w - - 0 1",
];

/// A FEN with a few characters changed, left out or put in.
fn mutated_fen() -> impl Strategy<Value = String> {
    let letters = prop::sample::select(
        "pnbrqkPNBRQK12345678/ wb-KQkqAHah0369x\u{e9}"
            .chars()
            .collect::<Vec<_>>(),
    );
    let edit = (any::<prop::sample::Index>(), 0..3u8, letters);
    (prop::sample::select(&FENS[..]), prop::collection::vec(edit, 0..6)).prop_map(|(fen, edits)| {
        let mut text: Vec<char> = fen.chars().collect();
        for (place, kind, letter) in edits {
            let place = place.index(text.len().max(1)).min(text.len());
            match kind {
                0 if place < text.len() => text[place] = letter,
                1 if place < text.len() => {
                    text.remove(place);
                }
                _ => text.insert(place, letter),
            }
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_text_is_refused_or_searched(fen in mutated_fen()) {
        if let Ok(position) = Position::from_fen(&fen) {
            let mut engine = Engine::new(Arc::new(Preset::default()), Arc::new(Policy::none()), 1);
            let game = Game::new(position);
            let report = engine.search(&game, &Limits::nodes(300), &AtomicBool::new(false));
            if let Some(mv) = report.best {
                prop_assert!(game.position().board().is_legal(mv));
            }
        }
    }
}

/// A line that an interface in disorder might send.
fn line() -> impl Strategy<Value = String> {
    let words = "uci isready ucinewgame position startpos fen moves e2e4 e7e5 e1g1 0000 a7a8q go depth nodes movetime wtime btime winc \
                 movestogo mate searchmoves infinite ponder 1 3 -7 99999999999999999999 stop setoption name value Hash Policy \
                 Search.null_move none true \u{0} \u{fffd} bench debug on register \
                 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0";
    let word = prop::sample::select(words.split(' ').collect::<Vec<_>>());
    prop::collection::vec(word, 0..9).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn after_any_lines_the_engine_is_still_there(lines in prop::collection::vec(line(), 0..60)) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lmrlab-engine"))
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut text = String::new();
        for line in &lines {
            // A bench, or a long search, would only cost time: each is stopped by the next line.
            if !line.split(" ").any(|word| word == "bench") {
                text.push_str(line);
                text.push_str("\nstop\n");
            }
        }
        text.push_str("isready\nquit\n");
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        prop_assert!(output.status.success(), "{:?}", output.status);
        prop_assert_eq!(said.lines().last(), Some("readyok"));
        prop_assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        for line in said.lines() {
            let known = ["id ", "option ", "uciok", "readyok", "info ", "bestmove "];
            prop_assert!(known.iter().any(|start| line.starts_with(start)), "{}", line);
        }
    }
}
