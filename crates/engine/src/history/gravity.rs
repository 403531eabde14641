//! The gravity update of history entries.

/// The entry after a bonus. The update shrinks as the entry nears `bound`, so that it stays within it ("gravity",
/// Stockfish 2016).
#[inline]
pub(crate) fn with_gravity(entry: i32, bonus: i32, bound: i32) -> i32 {
    let bonus = bonus.clamp(-bound, bound);
    entry + bonus - (i64::from(entry) * i64::from(bonus.abs()) / i64::from(bound)) as i32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_entry_stays_within_its_bound_and_never_moves_away(
            bound in 1_i32..1 << 24,
            share in -1.0_f64..=1.0,
            bonus in -(1_i32 << 26)..1 << 26,
        ) {
            let entry = (share * f64::from(bound)) as i32;
            let moved = with_gravity(entry, bonus, bound);
            prop_assert!(moved.abs() <= bound);
            prop_assert!((moved - entry).signum() * bonus.signum() >= 0);
            // A bonus as great as the bound moves the entry to the bound.
            prop_assert_eq!(with_gravity(entry, bound, bound), bound);
            prop_assert_eq!(with_gravity(entry, -bound, bound), -bound);
        }
    }
}
