//! `[history]`: declares the history table of a policy. The engine owns the table.

use std::ops::RangeInclusive;

use lmrlab_diagnostics::TomlTable;
use lmrlab_host::named;

use crate::complaint::Complain;

/// The range of `ply_limit`, in plies; the default is 8.
const PLY_LIMITS: RangeInclusive<i64> = 1..=128;
/// The range of `bound`; the default depends on the model.
const BOUNDS: RangeInclusive<i64> = 2..=1_000_000;
/// The range of `age_percent`, in percent; the default is 95.
const AGE_PERCENTS: RangeInclusive<i64> = 0..=100;
/// The range of `scale`.
const SCALES: RangeInclusive<i64> = 1..=1_000_000;
/// The range of a single update: `max`, or `bonus` and `malus` of Pro Deo.
const AMOUNTS: RangeInclusive<i64> = 0..=1_000_000;
/// The range of `start`; the default is 100.
const STARTS: RangeInclusive<i64> = -1_000_000..=1_000_000;
/// The range of the `limit` of Fruit's model; the default is 16384.
const LIMITS: RangeInclusive<i64> = 4..=1_000_000;
/// Words have none.
const NO_RANGE: RangeInclusive<i64> = 0..=0;

/// A policy's `[history]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct History {
    /// How the table is indexed, updated, bounded and aged.
    pub model: HistoryModel,
    /// Whether quiet moves are also ordered by this table, in place of the preset's own history.
    pub orders_moves: bool,
}

named! {
    /// How a table is indexed, besides by colour.
    Index {
        PieceTo "piece_to" "Piece and destination square: 12 x 64 entries.";
        FromTo "from_to" "Origin and destination square: 2 x 64 x 64 entries.";
    }
}

named! {
    /// The size of an update, from the depth of its node in plies.
    Increment {
        One "one" "Always 1.";
        Depth "depth" "The depth.";
        DepthSquared "depth_squared" "The depth squared.";
        TwoToDepth "two_to_depth" "Two to the power of the depth; depths above 20 count as 20.";
    }
}

impl Increment {
    /// The increment at a node of this depth; 0 or more, and at most 2^20.
    #[inline]
    pub fn at(self, depth: i32) -> i32 {
        let depth = depth.clamp(0, 1024);
        match self {
            Self::One => 1,
            Self::Depth => depth,
            Self::DepthSquared => depth * depth,
            Self::TwoToDepth => 1 << depth.min(20),
        }
    }
}

/// A value of a key.
trait KeyValue: Sized {
    /// Reads it; `default` where it is missing or wrong, which is then reported.
    fn read(table: &TomlTable<'_>, key: &str, default: Self, range: RangeInclusive<i64>) -> Self;
    /// Its text in an override.
    fn text(self) -> String;
}

macro_rules! numbers {
    ($($type:ty)*) => {
        $(impl KeyValue for $type {
            fn read(table: &TomlTable<'_>, key: &str, default: Self, range: RangeInclusive<i64>) -> Self {
                table.integer(key, range).map_or(default, |value| value as Self)
            }

            fn text(self) -> String {
                self.to_string()
            }
        })*
    };
}

macro_rules! words {
    ($($type:ty: $words:expr;)*) => {
        $(impl KeyValue for $type {
            fn read(table: &TomlTable<'_>, key: &str, default: Self, _: RangeInclusive<i64>) -> Self {
                table.choice(key, $words).unwrap_or(default)
            }

            fn text(self) -> String {
                let words = $words;
                let named = words.iter().find(|(_, value)| *value == self);
                named.map_or("", |(name, _)| name).to_owned()
            }
        })*
    };
}

numbers! { i32 u32 }
words! { Index: Index::NAMES; Increment: Increment::NAMES; Option<Increment>: &optional_increments(); }

/// The documentation of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelInfo {
    /// The model with its defaults.
    pub(crate) model: HistoryModel,
    /// Its name in a file.
    pub(crate) name: &'static str,
    /// How its table is updated, bounded and cleared.
    pub(crate) meaning: &'static str,
    /// Who published it.
    pub(crate) source: &'static str,
}

macro_rules! models {
    ($($(#[$doc:meta])* $model:ident $name:literal $meaning:literal $source:literal {
        $($(#[$key_doc:meta])* $key:ident: $type:ty = $default:expr, $range:expr;)*
    })*) => {
        /// The published models. Unless its `index` says otherwise, a table is indexed by piece (of a colour) and destination
        /// square. "Earlier quiet moves" are the quiet moves that the node had searched before the one that caused the cutoff.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum HistoryModel {
            $($(#[$doc])* $model { $($(#[$key_doc])* $key: $type,)* },)*
        }

        /// Every model.
        pub(crate) const MODELS: [ModelInfo; 9] = [$(ModelInfo {
            model: HistoryModel::$model { $($key: $default),* },
            name: $name,
            meaning: $meaning,
            source: $source,
        }),*];

        impl HistoryModel {
            /// The same model with the keys of a table.
            fn read(self, table: &TomlTable<'_>) -> Self {
                match self {
                    $(Self::$model { $($key),* } => Self::$model {
                        $($key: KeyValue::read(table, stringify!($key), $key, $range)),*
                    },)*
                }
            }

            /// Its name in a file.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$model { .. } => $name,)*
                }
            }

            /// Its keys with their values.
            pub(crate) fn keys(self) -> Vec<(&'static str, String)> {
                match self {
                    $(Self::$model { $($key),* } => vec![$((stringify!($key), $key.text())),*],)*
                }
            }
        }
    };
}

models! {
    /// The history heuristic (Schaeffer 1983; Fruit 1, Glaurung): a quiet move that causes a beta cutoff gets `+bonus`,
    /// the earlier quiet moves `-malus`. When an entry reaches `bound` in absolute value, all entries are halved. Cleared at
    /// each search.
    Butterfly "butterfly"
        "At a quiet beta cutoff the move gains `bonus`, the earlier quiet moves lose `malus`; all entries are halved when one reaches `bound`. Cleared at each search."
        "Schaeffer 1983; Fruit; Glaurung (`index` = \"piece_to\", `bound` = 50000)" {
            /// How the table is indexed.
            index: Index = Index::FromTo, NO_RANGE;
            /// What the cutoff move gains.
            bonus: Increment = Increment::DepthSquared, NO_RANGE;
            /// What the earlier quiet moves lose; nothing when `None`.
            malus: Option<Increment> = None, NO_RANGE;
            /// Absolute value at which all entries are halved.
            bound: i32 = 16384, BOUNDS;
        }
    /// History with gravity (Stockfish 7 and most engines since): at a quiet beta cutoff the move gets b = `min(scale *
    /// depth², max)`, and the earlier quiet moves get -b. The update is `entry += b - entry * |b| / bound`, so every
    /// entry stays within `bound`. Cleared for each game.
    Gravity "gravity"
        "At a quiet beta cutoff the move gets b = min(scale * depth * depth, max), the earlier quiet moves -b, each by entry += b - entry * |b| / bound. Cleared for each game."
        "Stockfish 7 and most engines since; the default numbers are this project's" {
            /// How the table is indexed.
            index: Index = Index::FromTo, NO_RANGE;
            /// Factor of the depth squared.
            scale: i32 = 16, SCALES;
            /// Greatest single update.
            max: i32 = 1600, AMOUNTS;
            /// The greatest absolute value of an entry.
            bound: i32 = 16384, BOUNDS;
        }
    /// Rebel (Schröder 2017): every searched non-capture within `ply_limit` of the root gets `+depth²` when it improved
    /// alpha and `-depth` otherwise; an entry that reaches `bound` in absolute value is halved. Cleared at each search.
    Rebel "rebel"
        "Every searched non-capture within `ply_limit` of the root gets +depth * depth when it improved alpha and -depth otherwise; an entry that reaches `bound` is halved. Cleared at each search."
        "Rebel (Schröder 2017)" {
            /// Greatest distance from the root at which entries are updated, in plies.
            ply_limit: u32 = 8, PLY_LIMITS;
            /// Absolute value at which an entry is halved.
            bound: i32 = 2000, BOUNDS;
        }
    /// MadChess 2.0 (Madsen 2015): a quiet move that causes a beta cutoff gets `+depth²`; after each iteration the
    /// entries of the side to move at the root keep `age_percent` of their value. Cleared for each game.
    MadChess "madchess"
        "At a quiet beta cutoff the move gains depth * depth; after each iteration the entries of the side to move at the root keep `age_percent`. Cleared for each game."
        "MadChess 2.0 (Madsen 2015)" {
            /// What an entry keeps at each iteration, in percent.
            age_percent: u32 = 95, AGE_PERCENTS;
        }
    /// Pro Deo 1.1, "History Reductions" (Schröder): every entry starts each search at `start`; every searched
    /// non-capture gets `+bonus` when its score was above alpha and `-malus` otherwise.
    ProDeo "prodeo"
        "Every entry is `start` at the start of a search; every searched non-capture gains `bonus` when its score is above alpha and loses `malus` otherwise."
        "Pro Deo 1.1 (Schröder)" {
            /// The value of every entry at the start of a search.
            start: i32 = 100, STARTS;
            /// The gain of a move with a score above alpha.
            bonus: i32 = 5, AMOUNTS;
            /// The loss of any other move.
            malus: i32 = 1, AMOUNTS;
        }
    /// Fruit 2.1 (Letouzey 2005), "history pruning": per entry a count of hits and one of tries, both 1 at the start of
    /// a search. At a quiet beta cutoff the move gets a hit and a try, the earlier quiet moves a try; at `limit` tries both
    /// counts of the entry are halved. The value is `16384 * hits / tries`.
    Fruit "fruit"
        "Hits and tries, both 1 at the start of a search: at a quiet beta cutoff the move gets a hit and a try, the earlier quiet moves a try; both are halved at `limit` tries. The value is 16384 * hits / tries."
        "Fruit 2.1 (Letouzey 2005)" {
            /// Tries at which an entry is halved.
            limit: u32 = 16384, LIMITS;
        }
    /// The relative history heuristic (Winands, van der Werf, van den Herik, Uiterwijk 2004), by origin and destination
    /// like the butterfly boards that it divides by: `hh += increment` for the
    /// quiet move that causes a beta cutoff, `bf += increment` for every quiet move searched. The value is
    /// `scale * hh / bf`, 0 for a move never tried. Cleared at each search.
    Relative "relative"
        "hh += increment for the quiet move that causes a beta cutoff, bf += increment for every quiet move searched. The value is scale * hh / bf, 0 when never tried. Cleared at each search."
        "Winands et al. 2004" {
            /// How the table is indexed.
            index: Index = Index::FromTo, NO_RANGE;
            /// How much a hit or a try counts.
            increment: Increment = Increment::One, NO_RANGE;
            /// The value of a move that always causes a cutoff.
            scale: i32 = 16384, SCALES;
        }
    /// Continuation history (Stockfish 7): indexed by the previous move's piece and destination, then by piece and
    /// destination; updated as [`HistoryModel::Gravity`]. Cleared for each game.
    Continuation "continuation"
        "As gravity, indexed by the previous move's piece and destination and by this move's."
        "Stockfish 7; the default numbers are this project's" {
            /// Factor of the depth squared.
            scale: i32 = 16, SCALES;
            /// Greatest single update.
            max: i32 = 1600, AMOUNTS;
            /// The greatest absolute value of an entry.
            bound: i32 = 16384, BOUNDS;
        }
    /// Capture history (Stockfish 10): indexed by piece, destination and captured kind of piece; at a beta cutoff by a
    /// capture, this capture gains and the captures searched before it lose, as in [`HistoryModel::Gravity`]. 0 for a
    /// move that does not capture. Cleared for each game.
    Capture "capture"
        "As gravity, for captures, indexed by piece, destination and captured kind of piece; 0 for other moves."
        "Stockfish 10; the default numbers are this project's" {
            /// Factor of the depth squared.
            scale: i32 = 16, SCALES;
            /// Greatest single update.
            max: i32 = 1600, AMOUNTS;
            /// The greatest absolute value of an entry.
            bound: i32 = 16384, BOUNDS;
        }
}

impl HistoryModel {
    /// The values that an entry can have.
    pub fn range(&self) -> RangeInclusive<i32> {
        /// The limit of entries that no bound halves.
        const UNBOUNDED: i32 = 1 << 30;
        // An entry is halved after the update with which it reaches its bound.
        let halved = |bound: i32, update: Increment| bound.max((bound + update.at(255)) / 2);
        match *self {
            Self::Butterfly { malus, bound, .. } => malus.map_or(0, |_| -bound)..=bound,
            Self::Gravity { bound, .. } | Self::Continuation { bound, .. } | Self::Capture { bound, .. } => {
                -bound..=bound
            }
            Self::Rebel { bound, .. } => -halved(bound, Increment::Depth)..=halved(bound, Increment::DepthSquared),
            Self::MadChess { .. } => 0..=UNBOUNDED,
            Self::ProDeo { .. } => -UNBOUNDED..=UNBOUNDED,
            Self::Fruit { .. } => 0..=16_384,
            Self::Relative { scale, .. } => 0..=scale,
        }
    }
}

/// The increments, where there may be none.
fn optional_increments() -> Vec<(&'static str, Option<Increment>)> {
    let increments = Increment::NAMES
        .iter()
        .map(|(name, increment)| (*name, Some(*increment)));
    std::iter::once(("none", None)).chain(increments).collect()
}

impl History {
    /// Reads `[history]`; `None` when something in it is wrong, which is then reported.
    pub(crate) fn read(table: TomlTable<'_>) -> Option<Self> {
        let named = table.choice("model", &MODELS.map(|info| (info.name, info.model)));
        let model = table.require("model", named);
        let orders_moves = table.boolean("orders_moves").unwrap_or(false);
        let model = model?.read(&table);
        if let HistoryModel::Gravity { max, bound, .. }
        | HistoryModel::Continuation { max, bound, .. }
        | HistoryModel::Capture { max, bound, .. } = model
            && max > bound
        {
            let place = if table.has("max") { "max" } else { "bound" };
            let message = format!("`history.max` is {max}, greater than `history.bound`, which is {bound}");
            let label = "one update would exceed the bound";
            table.wrong(
                message,
                table.place_of_value(place),
                label,
                "lower `max` or raise `bound`",
            );
        }
        table.close();
        Some(Self { model, orders_moves })
    }
}
