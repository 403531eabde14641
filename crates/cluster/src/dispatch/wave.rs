//! How many pairs are played ahead of the recorded ones, and how they are cut into parts.
//!
//! Parts get shorter as less is left, so that all slots end at about the same time. This is guided self-scheduling:
//! C. D. Polychronopoulos and D. J. Kuck, *Guided self-scheduling: a practical scheduling scheme for parallel
//! supercomputers*, 1987.

use super::pace::Lengths;

/// A part has one share of what is left and nobody has begun, out of so many for each slot.
const SHARES: u64 = 2;
/// Even where fewer pairs are expected to be needed, so many of the shortest parts for each slot may be ahead of the recorded
/// pairs: the guess is rough, and the machines would be idle.
const AHEAD: u64 = 2;
/// That is limited to one pair for each slot or, where that is more, to this share of the recorded pairs: what is thrown
/// away with a verdict stays small beside what it needed.
const RECORDED_SHARE: u64 = 8;
/// Parts that are cut at once: news that come in while these are submitted may change how long the next ones should be.
const AT_ONCE: usize = 1000;

/// The figures that decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave {
    /// Attempts that can be in play.
    pub(super) slots: usize,
    /// Those for which there is neither an attempt nor a part that waits for one.
    pub(super) free_slots: usize,
    /// Pairs that are recorded.
    pub(super) recorded: u64,
    /// Pairs after the recorded ones that are expected to be needed.
    pub(super) expected_left: u64,
    /// Pairs that are played and not recorded.
    pub(super) waiting: u64,
    /// Pairs in parts.
    pub(super) in_parts: u64,
    /// How long parts may be.
    pub(super) lengths: Lengths,
}

impl Wave {
    /// Pairs that are ahead of the recorded ones.
    pub(super) fn ahead(&self) -> u64 {
        self.waiting + self.in_parts
    }

    /// The lengths of the next parts.
    pub(super) fn lengths(self) -> impl Iterator<Item = u64> {
        let Lengths { shortest, longest } = self.lengths;
        let slots = (self.slots as u64).max(1);
        let busy = AHEAD.saturating_mul(slots).saturating_mul(shortest);
        let most = busy
            .min(slots.max(self.recorded / RECORDED_SHARE))
            .max(self.expected_left);
        let mut ahead = self.ahead();
        let length = move |ahead| {
            let left = self.expected_left.saturating_sub(ahead);
            left.div_ceil(SHARES.saturating_mul(slots)).clamp(shortest, longest)
        };
        std::iter::from_fn(move || {
            (ahead < most).then(|| {
                let length = length(ahead);
                ahead += length;
                length
            })
        })
        .take(self.free_slots.min(AT_ONCE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WAVE: Wave = Wave {
        slots: 4,
        free_slots: 4,
        recorded: 100,
        expected_left: 1000,
        waiting: 0,
        in_parts: 0,
        lengths: Lengths {
            shortest: 2,
            longest: 60,
        },
    };

    fn lengths(wave: Wave) -> Vec<u64> {
        wave.lengths().collect()
    }

    #[test]
    fn parts_get_shorter_as_less_is_left() {
        assert_eq!(lengths(WAVE), [60; 4]);
        let later = Wave {
            waiting: 20,
            in_parts: 900,
            ..WAVE
        };
        assert_eq!(lengths(later), [10, 9, 8, 7]);
    }

    #[test]
    fn little_more_is_begun_than_is_expected_to_be_needed() {
        let near_the_end = Wave {
            expected_left: 3,
            in_parts: 9,
            ..WAVE
        };
        assert_eq!(lengths(near_the_end), [2; 2], "an eighth of those that are recorded");
        let longer = Wave {
            recorded: 1000,
            ..near_the_end
        };
        assert_eq!(lengths(longer), [2; 4], "two short parts for each slot");
        let shorter = Wave {
            recorded: 0,
            in_parts: 0,
            ..near_the_end
        };
        assert_eq!(lengths(shorter), [2; 2], "a pair for each slot");
        let held_up = Wave {
            expected_left: 3,
            waiting: 16,
            ..WAVE
        };
        assert_eq!(lengths(held_up), [0; 0]);
    }

    #[test]
    fn a_large_cluster_is_filled_step_by_step() {
        let wave = Wave {
            slots: 10_000,
            free_slots: 10_000,
            expected_left: 1_000_000,
            ..WAVE
        };
        assert_eq!(lengths(wave).len(), AT_ONCE);
    }

    proptest! {
        #[test]
        fn a_slot_is_not_idle_while_pairs_are_expected_to_be_needed(
            slots in 1_usize..50, busy in 0_usize..50, expected_left in 0_u64..10_000, shortest in 1_u64..9, more in 0_u64..9,
        ) {
            let busy = busy.min(slots);
            let wave = Wave {
                slots,
                free_slots: slots - busy,
                recorded: 0,
                expected_left,
                waiting: 0,
                in_parts: busy as u64 * shortest,
                lengths: Lengths { shortest, longest: shortest + more },
            };
            let cut: Vec<u64> = wave.lengths().collect();
            let ahead = wave.in_parts + cut.iter().sum::<u64>();
            prop_assert!(cut.len() == wave.free_slots || ahead >= expected_left.max(slots as u64));
            prop_assert!(ahead <= wave.in_parts.max(expected_left.max(slots as u64) + shortest + more));
            prop_assert!(cut.iter().all(|length| (shortest..=shortest + more).contains(length)));
            prop_assert!(cut.is_sorted_by(|one, next| one >= next));
        }
    }
}
