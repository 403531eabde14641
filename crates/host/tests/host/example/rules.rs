//! The rules of chess: leaves of game trees, against numbers that engines agree on.

use super::engine::example;

/// Positions of the Chess Programming Wiki ("Perft Results") and a few that ask for one rule each.
const TREES: &[(&str, u32, &str)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, "197281"),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        3,
        "97862",
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, "674624"),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        4,
        "422333",
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, "62379"),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        3,
        "89890",
    ),
    // An en passant capture that would open a rank to the own king.
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, "1134888"),
    // Castling gives check.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, "661072"),
    // Promotions to every piece.
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, "182838"),
];

#[test]
fn the_example_generates_all_legal_moves_and_no_others() {
    let Some(engine) = example() else { return };
    let mut session = engine.start();
    for (fen, depth, leaves) in TREES {
        session.tell(&format!("position fen {fen}"));
        assert_eq!(session.ask(&format!("perft {depth}"), ""), [*leaves], "{fen}");
    }
    session.quit();
}

#[test]
fn the_example_knows_mate_stalemate_repetition_and_fifty_moves() {
    let Some(engine) = example() else { return };
    let mut session = engine.start();
    let mut score = |position: &str| {
        session.tell("ucinewgame");
        session.tell(position);
        let answers = session.ask("go depth 6", "bestmove");
        let line = answers.iter().rev().find(|line| line.contains(" score ")).cloned();
        line.map(|line| {
            let words: Vec<_> = line
                .split(' ')
                .skip_while(|word| *word != "score")
                .skip(1)
                .take(2)
                .collect();
            words.join(" ")
        })
    };
    let mate_in_two = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_eq!(score(mate_in_two).as_deref(), Some("mate 2"));
    // The side to move is mated, or has no move: no score, and no move.
    assert_eq!(score("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), None);
    assert_eq!(score("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), None);
    // A queen ahead, but every move is the hundredth ply without a capture.
    assert_eq!(
        score("position fen 7k/8/8/8/8/1Q6/8/K7 w - - 99 80").as_deref(),
        Some("cp 0")
    );
    // Two rooks against a queen that can only give check for ever.
    assert_eq!(
        score("position fen 6k1/6p1/8/7Q/8/8/rr6/7K w - - 0 1").as_deref(),
        Some("cp 0")
    );
    session.quit();
}

#[test]
fn what_is_no_position_or_move_is_refused_with_a_message() {
    let Some(engine) = example() else { return };
    let mut session = engine.start();
    let answer = session.ask("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "info string");
    assert_eq!(answer, ["info string not a legal position: 8/8/8/8/8/8/8/8 w - - 0 1"]);
    let answer = session.ask("position startpos moves e2e4 e2e4", "info string");
    assert_eq!(answer, ["info string not a legal move: e2e4"]);
    let answer = session.ask("setoption name Hash value 0", "info string");
    assert_eq!(answer, ["info string Hash is 1 to 4096"]);
    let answer = session.ask("setoption name Ponder value true", "info string");
    assert_eq!(answer, ["info string no such option: Ponder"]);
    session.quit();
}
