//! Facts that follow from the position: compared with lmrlab's own board.

use lmrlab_engine::position::Position;
use lmrlab_engine::position_facts::position_fact;
use lmrlab_policy::facts::Fact;

use super::finding::Finding;
use super::tally::{Rule, Tallies};
use super::trace::{Seen, Trace, TracedMove};

/// A loss or gain that no difference between piece values explains, in centipawns.
const CLEAR_EXCHANGE: f64 = 150.0;
/// The same for a material balance.
const CLEAR_MATERIAL: f64 = 250.0;
/// The same for an evaluation.
const CLEAR_EVALUATION: f64 = 300.0;

/// The facts that are the same in every engine.
const EXACT: [Fact; 17] = [
    Fact::InCheck,
    Fact::GivesCheck,
    Fact::Capture,
    Fact::Quiet,
    Fact::Promotion,
    Fact::QueenPromotion,
    Fact::Castling,
    Fact::PawnMove,
    Fact::AdvancedPawn,
    Fact::PassedPawn,
    Fact::KingZone,
    Fact::CreatesThreat,
    Fact::EscapesThreat,
    Fact::LegalMoves,
    Fact::OpponentPieces,
    Fact::PawnRank,
    Fact::Phase,
];

/// Tests the facts of a trace against the board. `roots` are the positions of its searches, in their order.
pub(super) fn test(trace: &Trace, roots: &[&str], tallies: &mut Tallies) {
    for of in &trace.moves {
        let Some(seen) = &of.seen else { continue };
        for fact in EXACT {
            exact(trace, of, seen, fact, tallies);
        }
        for (fact, clear, allowed) in [
            (Fact::See, CLEAR_EXCHANGE, 0.03),
            (Fact::Material, CLEAR_MATERIAL, 0.03),
            (Fact::StaticEval, CLEAR_EVALUATION, 0.15),
        ] {
            sign(trace, of, seen, fact, clear, allowed, tallies);
        }
        captured(trace, of, seen, tallies);
        root(trace, of, seen, roots, tallies);
    }
}

/// The value of a fact by lmrlab's own board.
fn expected(seen: &Seen, fact: Fact) -> Option<f64> {
    position_fact(&seen.position, &seen.after, seen.mv, fact)
}

fn exact(trace: &Trace, of: &TracedMove, seen: &Seen, fact: Fact, tallies: &mut Tallies) {
    if let (Some(given), Some(expected)) = (trace.value(of, fact), expected(seen, fact)) {
        let rule = Rule::strict(fact.info().name, "it is what lmrlab's board says");
        tallies.test(rule, given == expected, || {
            format!(
                "{}: {} is {given}, and {expected} was expected",
                of.name(),
                fact.info().name
            )
        });
    }
}

/// Tests the sign of a number. Engines have other values of pieces, but when the number is clear its sign is the same.
fn sign(trace: &Trace, of: &TracedMove, seen: &Seen, fact: Fact, clear: f64, allowed: f64, tallies: &mut Tallies) {
    let (Some(given), Some(expected)) = (trace.value(of, fact), expected(seen, fact)) else {
        return;
    };
    // In check, an engine may give the last evaluation. Engines differ in what a promotion is worth in an exchange.
    let is_comparable = match fact {
        Fact::StaticEval => !seen.position.in_check(),
        Fact::See => seen.mv.promotion.is_none(),
        _ => true,
    };
    if is_comparable && expected.abs() >= clear {
        let rule = Rule::mostly(
            fact.info().name,
            "its sign is that of lmrlab's own number where that is clear",
            allowed,
        );
        tallies.test(rule, given * expected > 0.0, || {
            format!(
                "{}: {} is {given}, and lmrlab's own is {expected}",
                of.name(),
                fact.info().name
            )
        });
    }
}

/// Engines have other values of pieces, but not twice those of lmrlab.
fn captured(trace: &Trace, of: &TracedMove, seen: &Seen, tallies: &mut Tallies) {
    let fact = Fact::CapturedValue;
    let expected = expected(seen, fact).filter(|expected| *expected > 0.0);
    if let (Some(given), Some(expected)) = (trace.value(of, fact), expected) {
        let rule = Rule::mostly(fact.info().name, "it is about lmrlab's value of the piece", 0.05);
        tallies.test(rule, (0.6..=1.7).contains(&(given / expected)), || {
            format!(
                "{}: {} is {given}, and lmrlab's own is {expected}",
                of.name(),
                fact.info().name
            )
        });
    }
}

/// The root is the position of the search; the distance from it says which side is to move.
fn root(trace: &Trace, of: &TracedMove, seen: &Seen, roots: &[&str], tallies: &mut Tallies) {
    let search = of.record.search as usize;
    let root = search.checked_sub(1).and_then(|index| roots.get(index));
    let rule = Rule::strict("search", "its number is that of its `go`, from 1 on");
    tallies.test(rule, root.is_some(), || {
        format!("{}: a search with number {search}", of.name())
    });
    let Some(root) = root.and_then(|fen| Position::from_fen(fen).ok()) else {
        return;
    };
    let has_its_key = root.key() == seen.position.key();
    // The position of the root may occur again, after four plies or more.
    let is_deeper = has_its_key && trace.value(of, Fact::Ply).is_some_and(|ply| ply >= 4.0);
    let clocks = |position: &Position| (position.board().halfmove_clock(), position.board().fullmove_number());
    let is_root = has_its_key && !is_deeper && clocks(&root) == clocks(&seen.position);
    if let Some(given) = trace.is(of, Fact::Root) {
        let rule = Rule::strict("root", "it is set at the root of the search, and nowhere else");
        let holds = if given { has_its_key && !is_deeper } else { !is_root };
        tallies.test(rule, holds, || {
            format!(
                "{}: root is {}, and {} was expected",
                of.name(),
                u8::from(given),
                u8::from(!given)
            )
        });
    }
    if let Some(ply) = trace.value(of, Fact::Ply) {
        let rule = Rule::strict("ply", "it is 0 at the root alone");
        let holds = if ply == 0.0 { has_its_key } else { !is_root };
        tallies.test(rule, holds, || format!("{}: ply is {ply}", of.name()));
        let rule = Rule::strict(
            "ply",
            "it is even when the side of the root is to move, and odd otherwise",
        );
        let is_even = root.side_to_move() == seen.position.side_to_move();
        tallies.test(rule, (ply % 2.0 == 0.0) == is_even, || {
            format!("{}: ply is {ply}", of.name())
        });
    }
}

/// How far the engine's exchanges, or its material balances, are from lmrlab's: their values of pieces, or their unit.
pub(super) fn unit(trace: &Trace, fact: Fact) -> Option<Finding> {
    let name = fact.info().name;
    let mut ratios: Vec<f64> = Vec::new();
    let (mut same, mut all) = (0_u32, 0_u32);
    for of in &trace.moves {
        let seen = of.seen.as_ref().filter(|seen| seen.mv.promotion.is_none());
        let expected = seen.and_then(|seen| expected(seen, fact));
        if let (Some(given), Some(expected)) = (trace.value(of, fact), expected) {
            all += 1;
            same += u32::from(given == expected);
            if given != 0.0 && expected != 0.0 {
                ratios.push((given / expected).abs());
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let middle = *ratios.get(ratios.len() / 2)?;
    if same == all {
        return None;
    }
    let what = format!("{same} of {all} values are lmrlab's; the middle ratio to lmrlab's is {middle:.2}");
    Some(match (0.5..=2.0).contains(&middle) {
        true => Finding::note(name, format!("{what}; values of pieces differ between engines")),
        false => Finding::warning(
            name,
            what,
            format!(
                "centipawns are expected: the factor in lmr_init may be `{name}*{:.3}`",
                1.0 / middle
            ),
        ),
    })
}
