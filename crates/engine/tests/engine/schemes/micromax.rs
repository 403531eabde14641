//! micro-Max 4.

use lmrlab_policy::facts::Fact;

use super::scheme::{BEST, CAPTURES, CHECKS, PAWNS, PV, Scheme, hold};

#[test]
fn micromax() {
    hold(&Scheme {
        policy: "micromax-4",
        written: |s| {
            i32::from(
                s.depth() >= 4
                    && s.before() > 0
                    && !(s.is(Fact::PawnMove) || s.is(Fact::Capture) || s.is(Fact::TtMove)),
            )
        },
        spared: &[CAPTURES, PAWNS, BEST],
        reduced: &[CHECKS, PV, ("castling", |s| s.is(Fact::Castling))],
        cells: &[(4, 2, 1), (3, 9, 0), (5, 3, 1), (4, 1, 0)],
    });
}
