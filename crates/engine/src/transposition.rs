//! The transposition table.

use bytemuck::{Pod, Zeroable};
use cozy_chess::{Move, Piece, Square};
use lmrlab_diagnostics::failure::OutOfMemory;

use crate::depth::{Depth, Ply};
use crate::huge_pages::HugePageTable;
use crate::score::Score;

/// The type of bound of a stored score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// The value is at most the score.
    Upper = 1,
    /// The value is at least the score.
    Lower = 2,
    /// The value is the score.
    Exact = 3,
}

impl Bound {
    /// Whether the score is sufficient for a cutoff in this window.
    #[inline]
    pub(crate) fn decides(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }
}

/// An entry: the result of the last search of a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableEntry {
    pub(crate) mv: Option<Move>,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) depth: Depth,
    /// Whether the position has been searched as part of a principal variation.
    pub(crate) pv: bool,
    /// The static evaluation; `None` for a position in check.
    pub(crate) static_eval: Option<Score>,
}

/// A [`TableEntry`] as it is stored: sixteen bytes. A generation of 0 means empty.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct PackedEntry {
    key_low: u32,
    key_high: u16,
    mv: u16,
    score: i16,
    static_eval: i16,
    generation: u16,
    depth: i8,
    bound: u8,
}

/// The bit of [`TableEntry::pv`] in `bound`.
const PV_BIT: u8 = 4;
const NO_EVAL: i16 = i16::MIN;
const ENTRIES: usize = 4;

#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(64))]
struct Bucket([PackedEntry; ENTRIES]);

/// A table of fixed size, in buckets of four entries.
///
/// Each search is a generation. A new game begins a new epoch: entries of earlier ones count as empty, exactly as if the
/// table had been cleared, without touching its memory.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: HugePageTable<Bucket>,
    /// The number of buckets.
    count: usize,
    generation: u16,
    /// The last generation of the previous game.
    epoch: u16,
    /// Between [`Self::begin_undo`] and [`Self::undo`]: the index and the former contents of each bucket that has
    /// changed.
    overwritten: Option<Vec<(usize, Bucket)>>,
}

impl TranspositionTable {
    /// A table of a size in mebibytes (at least one).
    pub(crate) fn new(mebibytes: u32) -> Result<Self, OutOfMemory> {
        let count = (mebibytes.max(1) as usize).saturating_mul(1 << 20) / size_of::<Bucket>();
        let buckets = HugePageTable::zeroed(count).map_err(|error| OutOfMemory {
            mebibytes,
            reason: error.to_string(),
        })?;
        Ok(Self {
            buckets,
            count,
            generation: 0,
            epoch: 0,
            overwritten: None,
        })
    }

    /// Clears the table.
    pub(crate) fn new_game(&mut self) {
        if self.generation > u16::MAX / 2 {
            self.wipe();
        }
        self.epoch = self.generation;
    }

    fn wipe(&mut self) {
        self.buckets.get_mut().fill(Bucket::default());
        self.generation = 0;
        self.epoch = 0;
    }

    /// Starts a search. Entries of earlier searches are replaced first.
    pub(crate) fn new_search(&mut self) {
        if self.generation == u16::MAX {
            self.wipe();
        }
        self.generation += 1;
    }

    /// From now on, records each bucket before it changes.
    pub(crate) fn begin_undo(&mut self) {
        self.overwritten = Some(Vec::new());
    }

    /// Restores every bucket that has changed since [`Self::begin_undo`], and stops the recording.
    pub(crate) fn undo(&mut self) {
        for (index, bucket) in self.overwritten.take().into_iter().flatten().rev() {
            *self.buckets.entry_mut(index) = bucket;
        }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.count as u128) >> 64) as usize
    }

    /// Prefetches the bucket of a position that is about to be probed.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.index(key));
    }

    /// The entry of the position with this key. Mate scores are relative to a node at `ply`.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: Ply) -> Option<TableEntry> {
        let bucket = self.buckets.entry(self.index(key));
        let entry = bucket
            .0
            .iter()
            .find(|entry| entry.is_for(key) && entry.generation > self.epoch)?;
        Some(TableEntry {
            mv: unpack_move(entry.mv),
            score: Score::from_table(entry.score, ply),
            pv: entry.bound & PV_BIT != 0,
            bound: match entry.bound & !PV_BIT {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: Depth::new(i32::from(entry.depth)),
            static_eval: (entry.static_eval != NO_EVAL).then(|| Score::centipawns(i32::from(entry.static_eval))),
        })
    }

    /// Stores an entry. It does not replace an entry of the same position from this search that is more than three
    /// plies deeper, unless the new one is exact.
    #[inline]
    pub(crate) fn store(&mut self, key: u64, ply: Ply, new: TableEntry) {
        let (generation, epoch) = (self.generation, self.epoch);
        let index = self.index(key);
        let bucket = self.buckets.entry_mut(index);
        if let Some(overwritten) = &mut self.overwritten {
            overwritten.push((index, *bucket));
        }
        let live = |entry: &PackedEntry| entry.generation > epoch;
        let slot = match bucket.0.iter().position(|entry| entry.is_for(key) && live(entry)) {
            Some(same) => same,
            None => {
                // Replace an empty entry, else the oldest and shallowest: one search of age counts as eight plies.
                let worth = |entry: &PackedEntry| {
                    if live(entry) {
                        i32::from(entry.depth) - 8 * i32::from(generation - entry.generation)
                    } else {
                        i32::MIN
                    }
                };
                (0..ENTRIES).min_by_key(|slot| worth(&bucket.0[*slot])).unwrap_or(0)
            }
        };
        let entry = &mut bucket.0[slot];
        let same = entry.is_for(key) && live(entry);
        let mut mv = pack_move(new.mv);
        if same {
            if mv == 0 {
                mv = entry.mv;
            }
            let keep = new.bound != Bound::Exact
                && entry.generation == generation
                && i32::from(entry.depth) > new.depth.get() + 3;
            if keep {
                return;
            }
        }
        *entry = PackedEntry {
            key_low: key as u32,
            key_high: (key >> 32) as u16,
            mv,
            score: new.score.to_table(ply),
            static_eval: new.static_eval.map_or(NO_EVAL, |eval| eval.get() as i16),
            generation,
            depth: new.depth.get().clamp(-1, 127) as i8,
            bound: new.bound as u8 | if new.pv { PV_BIT } else { 0 },
        };
    }

    /// Permille of the table filled by this search, from the first 1000 entries, as UCI's `hashfull`.
    pub(crate) fn permille_full(&self) -> u32 {
        let sample = self.buckets.get().iter().take(250);
        let filled = sample
            .flat_map(|bucket| &bucket.0)
            .filter(|entry| entry.generation == self.generation)
            .count();
        filled as u32
    }
}

impl PackedEntry {
    #[inline]
    fn is_for(&self, key: u64) -> bool {
        self.key_low == key as u32 && self.key_high == (key >> 32) as u16
    }
}

/// Six bits each for the two squares, three for the promotion; 0 is no move (a1a1).
fn pack_move(mv: Option<Move>) -> u16 {
    mv.map_or(0, |mv| {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
    })
}

fn unpack_move(packed: u16) -> Option<Move> {
    if packed == 0 {
        return None;
    }
    let promotion = match packed >> 12 & 7 {
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => None,
    };
    Some(Move {
        from: Square::index(usize::from(packed & 63)),
        to: Square::index(usize::from(packed >> 6 & 63)),
        promotion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, bound: Bound) -> TableEntry {
        TableEntry {
            mv: Some("e2e4".parse().unwrap()),
            score: Score::centipawns(depth),
            bound,
            depth: Depth::new(depth),
            pv: false,
            static_eval: Some(Score::centipawns(7)),
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.new_search();
        let key = 0x1234_5678_9abc_def0;
        assert!(table.probe(key, Ply::ROOT).is_none());
        table.store(key, Ply::ROOT, entry(5, Bound::Exact));
        let found = table.probe(key, Ply::ROOT).unwrap();
        assert_eq!(found.mv, Some("e2e4".parse().unwrap()));
        assert_eq!(found.depth, Depth::new(5));
        assert_eq!(found.bound, Bound::Exact);
        assert_eq!(found.static_eval, Some(Score::centipawns(7)));
        assert!(table.probe(key ^ 1, Ply::ROOT).is_none());
    }

    #[test]
    fn a_new_game_forgets() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.new_search();
        table.store(42, Ply::ROOT, entry(9, Bound::Exact));
        table.new_game();
        assert!(table.probe(42, Ply::ROOT).is_none());
        table.new_search();
        assert!(table.probe(42, Ply::ROOT).is_none());
        // An entry of the previous game does not block a new one.
        table.store(42, Ply::ROOT, entry(1, Bound::Lower));
        assert_eq!(table.probe(42, Ply::ROOT).unwrap().depth, Depth::new(1));
    }

    #[test]
    fn what_is_overwritten_comes_back() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.new_search();
        let store = |table: &mut TranspositionTable, keys: std::ops::Range<u64>, depth: i32| {
            for key in keys {
                table.store(
                    key.wrapping_mul(0x9E37_79B9_7F4A_7C15),
                    Ply::ROOT,
                    entry(depth, Bound::Exact),
                );
            }
        };
        store(&mut table, 0..50_000, 3);
        let before = bytemuck::cast_slice::<Bucket, u8>(table.buckets.get()).to_vec();
        table.begin_undo();
        store(&mut table, 40_000..120_000, 5);
        assert_ne!(bytemuck::cast_slice::<Bucket, u8>(table.buckets.get()), before);
        table.undo();
        assert_eq!(bytemuck::cast_slice::<Bucket, u8>(table.buckets.get()), before);
        // The table records nothing after the undo.
        store(&mut table, 0..1, 9);
        assert!(table.overwritten.is_none());
    }

    #[test]
    fn generations_run_out_without_harm() {
        let mut table = TranspositionTable::new(1).unwrap();
        for search in 0..200_000u64 {
            if search % 50 == 0 {
                table.new_game();
            }
            table.new_search();
            assert!(search % 50 != 0 || table.probe(search - search % 50, Ply::ROOT).is_none());
            table.store(search, Ply::ROOT, entry(3, Bound::Exact));
            assert!(table.probe(search, Ply::ROOT).is_some());
        }
    }

    #[test]
    fn the_shallowest_of_a_full_bucket_goes() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.new_search();
        // Keys with the same high bits share a bucket.
        for low in 1..=4u64 {
            table.store(low, Ply::ROOT, entry(low as i32, Bound::Exact));
        }
        table.store(5, Ply::ROOT, entry(9, Bound::Exact));
        assert!(table.probe(1, Ply::ROOT).is_none());
        for low in 2..=5u64 {
            assert!(table.probe(low, Ply::ROOT).is_some());
        }
    }

    #[test]
    fn moves_survive_packing() {
        for text in ["e2e4", "a7a8q", "h2h1n", "b7c8r", "a1b1", "h8h7"] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(unpack_move(pack_move(Some(mv))), Some(mv));
        }
        assert_eq!(unpack_move(pack_move(None)), None);
    }
}
