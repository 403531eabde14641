//! The order of the pairs of games. Each pair is computed when it is needed, so millions of pairs need no memory.

use std::ops::Range;
use std::sync::Arc;

use lmrlab_results::rows::games::Overrides;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Which engines play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Two engines.
    #[default]
    Match,
    /// Every engine against every other.
    RoundRobin,
    /// One engine against all others.
    Gauntlet,
    /// Every engine against every other or against a baseline, until all but the best have been dropped; see
    /// [`super::race::RaceCourse`].
    Race,
}

impl Format {
    /// The formats with the names that they have in a tournament file.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("match", Self::Match),
        ("round_robin", Self::RoundRobin),
        ("gauntlet", Self::Gauntlet),
        ("race", Self::Race),
    ];

    /// The pairings of `engines` engines, in the order in which they are played in each round. In a race they depend on
    /// the results; these are those of a round robin.
    pub fn pairings(self, engines: usize, gauntlet_engine: usize) -> Vec<Pairing> {
        match self {
            Self::Match | Self::RoundRobin | Self::Race => (0..engines)
                .flat_map(|first| (first + 1..engines).map(move |second| Pairing { first, second }))
                .collect(),
            Self::Gauntlet => (0..engines)
                .filter(|second| *second != gauntlet_engine)
                .map(|second| Pairing {
                    first: gauntlet_engine,
                    second,
                })
                .collect(),
        }
    }
}

/// In which order the openings of a book are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As in the file.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

impl Order {
    /// The orders with the names that they have in a tournament file.
    pub const NAMES: [(&'static str, Self); 2] = [("random", Self::Random), ("sequential", Self::Sequential)];

    /// The indices of the openings of books with `counts` openings, in this order: one book after the other. A further
    /// book does not change the order of the openings before it.
    ///
    /// A shuffle is that of Fisher and Yates, driven by PCG XSL RR 128/64. The seed is the state of the generator, and
    /// the place of the book, from 0, is its stream. The same seed gives the same order on every machine and in every
    /// version.
    pub fn of(self, counts: &[usize], seed: u64) -> Vec<u32> {
        let mut order: Vec<u32> = Vec::with_capacity(counts.iter().sum());
        for (book, count) in counts.iter().enumerate() {
            let begin = order.len();
            order.extend((begin..begin + count).map(|index| index as u32));
            if let Some(of_book) = order.get_mut(begin..).filter(|_| self == Self::Random) {
                let mut generator = Pcg64::new(u128::from(seed), book as u128);
                for last in (1..of_book.len()).rev() {
                    of_book.swap(last, below(&mut generator, last as u64 + 1) as usize);
                }
            }
        }
        order
    }
}

/// A number from 0 to `bound` - 1, each equally likely. Draws that would favour small numbers are repeated.
fn below(generator: &mut Pcg64, bound: u64) -> u64 {
    let fair = u64::MAX - u64::MAX % bound;
    loop {
        let draw = generator.next_u64();
        if draw < fair {
            return draw % bound;
        }
    }
}

/// Two engines that play each other, by their index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Has White in the first game of each pair; scores are seen from its side.
    pub first: usize,
    /// The other.
    pub second: usize,
}

/// Two games from one opening, with colours swapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Place in the run, from 0.
    pub index: u64,
    /// In each round every pairing plays one pair, all from the same opening; from 0.
    pub round: u64,
    /// Who plays.
    pub pairing: Pairing,
    /// Index of the opening.
    pub opening: usize,
    /// What the first and the second side change in their engines; `None` when no pair of the run changes anything.
    pub overrides: Option<Overrides>,
}

/// Rounds that have the same pairings.
#[derive(Debug, Clone)]
struct Stretch {
    /// Index of its first pair.
    first: u64,
    /// Number of its first round.
    round: u64,
    pairings: Vec<Pairing>,
}

/// All pairs of a tournament in the order in which they count.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// In their order; there is always one.
    stretches: Vec<Stretch>,
    rounds: u64,
    openings: Arc<[u32]>,
    /// Gaps as (pair, count): before pair number `pair` of the remaining ones, `count` pairs in all are left out.
    gaps: Arc<[(u64, u64)]>,
}

impl Schedule {
    /// `rounds` rounds in which every pairing plays once, from the openings in this order. After the last opening the
    /// first one comes again.
    pub fn new(pairings: Vec<Pairing>, rounds: u64, openings: Vec<u32>) -> Self {
        Self {
            stretches: vec![Stretch {
                first: 0,
                round: 0,
                pairings,
            }],
            rounds,
            openings: openings.into(),
            gaps: Arc::new([]),
        }
    }

    /// Leaves out these ranges of pairs, in their order. The other pairs have the same index, round and opening as
    /// before. Only for a schedule with fixed pairings.
    #[must_use]
    pub fn without(self, left_out: &[Range<u64>]) -> Self {
        let all = self.pairs();
        let mut gaps = Vec::new();
        let (mut end, mut gone) = (0, 0);
        for stretch in left_out {
            let (from, to) = (stretch.start.max(end).min(all), stretch.end.min(all));
            if from < to {
                let remaining_before = from - gone;
                gone += to - from;
                end = to;
                gaps.push((remaining_before, gone));
            }
        }
        Self {
            gaps: gaps.into(),
            ..self
        }
    }

    /// Changes the pairings from this pair on, which must be the first of a round. Without pairings the schedule ends
    /// there. Earlier pairs stay.
    pub fn go_on_with(&mut self, index: u64, pairings: Vec<Pairing>) {
        let Some(last) = self.stretches.last() else {
            return;
        };
        let played = index.saturating_sub(last.first);
        let rounds = played.checked_div(last.pairings.len() as u64).unwrap_or(0);
        self.stretches.push(Stretch {
            first: index,
            round: last.round + rounds,
            pairings,
        });
    }

    /// How many openings there are.
    pub fn openings(&self) -> u64 {
        self.openings.len() as u64
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.all_pairs() - self.gaps.last().map_or(0, |(_, gone)| *gone)
    }

    /// Number of pairs with those that are left out.
    fn all_pairs(&self) -> u64 {
        self.stretches.last().map_or(0, |last| {
            let rounds = self.rounds.saturating_sub(last.round);
            let pairs = rounds.saturating_mul(last.pairings.len() as u64);
            last.first.saturating_add(pairs)
        })
    }

    /// The pair with this number, from 0. Pairs that are left out have no number. `None` after the last one.
    pub fn pair(&self, number: u64) -> Option<Pair> {
        if number >= self.pairs() {
            return None;
        }
        let gaps = self.gaps.partition_point(|(from, _)| *from <= number);
        let index = number + gaps.checked_sub(1).map_or(0, |gap| self.gaps[gap].1);
        let stretch = self.stretches.iter().rfind(|part| part.first <= index)?;
        let pairings = stretch.pairings.len() as u64;
        let place = index - stretch.first;
        let round = stretch.round + place.checked_div(pairings)?;
        let opening = round.checked_rem(self.openings.len() as u64)?;
        Some(Pair {
            index,
            round,
            pairing: stretch.pairings[(place % pairings) as usize],
            opening: self.openings[opening as usize] as usize,
            overrides: None,
        })
    }

    /// All pairs, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Pair> {
        (0..self.pairs()).map_while(|number| self.pair(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_order_of_a_seed_never_changes() {
        assert_eq!(Order::Sequential.of(&[2, 3], 7), [0, 1, 2, 3, 4]);
        insta::assert_compact_debug_snapshot!(Order::Random.of(&[12], 0));
        insta::assert_compact_debug_snapshot!(Order::Random.of(&[12], 1));
    }

    #[test]
    fn millions_of_pairs_are_only_computed() {
        let pairings = Format::RoundRobin.pairings(10, 0);
        let schedule = Schedule::new(pairings, u64::MAX / 100, vec![0, 1, 2]);
        let last = schedule.pair(schedule.pairs() - 1).unwrap();
        assert_eq!(last.pairing, Pairing { first: 8, second: 9 });
        assert_eq!(schedule.pair(schedule.pairs()), None);
    }

    #[test]
    fn pairings_can_change_between_rounds() {
        let meet = |first, second| Pairing { first, second };
        let mut schedule = Schedule::new(Format::Race.pairings(3, 0), 10, vec![4, 5, 6]);
        let before: Vec<_> = schedule.iter().take(6).collect();
        assert_eq!(schedule.pairs(), 30);
        schedule.go_on_with(6, vec![meet(0, 2)]);
        assert_eq!(schedule.pairs(), 14);
        assert_eq!(schedule.iter().take(6).collect::<Vec<_>>(), before);
        let later: Vec<_> = schedule.iter().skip(6).collect();
        assert!(later.iter().all(|pair| pair.pairing == meet(0, 2)));
        let rounds: Vec<_> = later.iter().map(|pair| pair.round).collect();
        assert_eq!(rounds, [2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!((later[0].opening, later[1].opening), (6, 4));
        schedule.go_on_with(9, Vec::new());
        assert_eq!(schedule.pairs(), 9);
        assert_eq!(schedule.pair(9), None);
        assert_eq!(schedule.iter().count(), 9);
    }

    fn format() -> impl Strategy<Value = Format> {
        prop_oneof![Just(Format::RoundRobin), Just(Format::Gauntlet)]
    }

    proptest! {
        #[test]
        fn an_order_uses_every_opening_of_a_book_once_before_the_next_book(
            counts in proptest::collection::vec(1_usize..200, 1..4), seed: u64,
        ) {
            let order = Order::Random.of(&counts, seed);
            let mut books = &order[..];
            let mut begin = 0;
            for count in counts {
                let (book, later) = books.split_at(count);
                let mut sorted = book.to_vec();
                sorted.sort_unstable();
                prop_assert_eq!(sorted, (begin..begin + count as u32).collect::<Vec<_>>());
                (books, begin) = (later, begin + count as u32);
            }
            prop_assert!(books.is_empty());
        }

        #[test]
        fn a_further_book_changes_nothing_of_what_comes_before(
            counts in proptest::collection::vec(1_usize..200, 1..4), more in 1_usize..200, seed: u64,
        ) {
            for order in [Order::Random, Order::Sequential] {
                let with_more = order.of(&[&counts[..], &[more]].concat(), seed);
                prop_assert!(with_more.starts_with(&order.of(&counts, seed)));
            }
        }

        #[test]
        fn what_is_left_out_changes_nothing_else(
            pairs in 1_u64..60, mut cuts in proptest::collection::vec(0_u64..70, 0..8), engines in 2_usize..4,
        ) {
            cuts.sort_unstable();
            let left_out: Vec<Range<u64>> = cuts.chunks_exact(2).map(|cut| cut[0]..cut[1]).collect();
            let whole = Schedule::new(Format::RoundRobin.pairings(engines, 0), pairs, Order::Random.of(&[7], 1));
            let remaining: Vec<_> = whole
                .iter()
                .filter(|pair| !left_out.iter().any(|stretch| stretch.contains(&pair.index)))
                .collect();
            let schedule = whole.without(&left_out);
            prop_assert_eq!(schedule.pairs(), remaining.len() as u64);
            prop_assert_eq!(schedule.iter().collect::<Vec<_>>(), remaining);
        }

        #[test]
        fn every_pairing_plays_every_round_from_the_same_opening(
            format in format(), engines in 2_usize..8, hub in 0_usize..8, rounds in 1_u64..20, openings in 1_usize..30, seed: u64,
        ) {
            let hub = hub % engines;
            let pairings = format.pairings(engines, hub);
            let expected = if format == Format::Gauntlet { engines - 1 } else { engines * (engines - 1) / 2 };
            prop_assert_eq!(pairings.len(), expected);
            let order = Order::Random.of(&[openings], seed);
            let schedule = Schedule::new(pairings.clone(), rounds, order.clone());
            let mut played = BTreeMap::new();
            for (index, pair) in schedule.iter().enumerate() {
                prop_assert_eq!(pair.index, index as u64);
                prop_assert_ne!(pair.pairing.first, pair.pairing.second);
                prop_assert!(format != Format::Gauntlet || pair.pairing.first == hub);
                prop_assert_eq!(pair.opening, order[pair.round as usize % openings] as usize);
                *played.entry((pair.pairing.first, pair.pairing.second)).or_insert(0) += 1;
            }
            prop_assert_eq!(played.len(), pairings.len());
            prop_assert!(played.values().all(|pairs| *pairs == rounds));
        }
    }
}
