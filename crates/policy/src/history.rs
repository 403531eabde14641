//! `[history]`: declares the history table of a policy. The engine owns the table.

use std::ops::RangeInclusive;

use lmrlab_diagnostics::{Diagnostic, Table};

/// The range of `ply_limit`, in plies; the default is 8.
const PLY_LIMITS: RangeInclusive<u32> = 1..=128;
/// The range of `bound`; the default depends on the model.
const BOUNDS: RangeInclusive<u32> = 2..=1_000_000;
/// The range of `age_percent`, in percent; the default is 95.
const AGE_PERCENTS: RangeInclusive<u32> = 0..=100;
/// The range of `scale`.
const SCALES: RangeInclusive<u32> = 1..=1_000_000;
/// The range of a single update: `max`, or `bonus` and `malus` of Pro Deo.
const AMOUNTS: RangeInclusive<u32> = 0..=1_000_000;
/// The range of the `limit` of Fruit's model; the default is 16384.
const LIMITS: RangeInclusive<u32> = 4..=1_000_000;

/// A policy's `[history]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct History {
    /// How the table is indexed, updated, bounded and aged.
    pub model: HistoryModel,
    /// Whether quiet moves are also ordered by this table, in place of the preset's own history.
    pub orders_moves: bool,
}

/// How a table is indexed, besides by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// Piece and destination square: 12 x 64 entries.
    PieceTo,
    /// Origin and destination square: 2 x 64 x 64 entries.
    FromTo,
}

/// The size of an update, from the depth of its node in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Increment {
    /// Always 1.
    One,
    /// The depth.
    Depth,
    /// The depth squared.
    DepthSquared,
    /// Two to the power of the depth; depths above 20 count as 20.
    TwoToDepth,
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

/// The published models. Unless its `index` says otherwise, a table is indexed by piece (of a colour) and destination
/// square. "Earlier quiet moves" are the quiet moves that the node had searched before the one that caused the cutoff.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HistoryModel {
    /// The history heuristic (Schaeffer 1983; Fruit 1, Glaurung): a quiet move that causes a beta cutoff gets `+bonus`,
    /// the earlier quiet moves `-malus`. When an entry reaches `bound` in absolute value, all entries are halved. Cleared at
    /// each search.
    Butterfly {
        /// How the table is indexed.
        index: Index,
        /// What the cutoff move gains.
        bonus: Increment,
        /// What the earlier quiet moves lose; nothing when `None`.
        malus: Option<Increment>,
        /// Absolute value at which all entries are halved.
        bound: i32,
    },
    /// History with gravity (Stockfish 7 and most engines since): at a quiet beta cutoff the move gets b = `min(scale *
    /// depth², max)`, and the earlier quiet moves get -b. The update is `entry += b - entry * |b| / bound`, so every
    /// entry stays within `bound`. Cleared for each game.
    Gravity {
        /// How the table is indexed.
        index: Index,
        /// Factor of the depth squared.
        scale: i32,
        /// Greatest single update.
        max: i32,
        /// The greatest absolute value of an entry.
        bound: i32,
    },
    /// Rebel (Schröder 2017): every searched non-capture within `ply_limit` of the root gets `+depth²` when it improved
    /// alpha and `-depth` otherwise; an entry that reaches `bound` in absolute value is halved. Cleared at each search.
    Rebel {
        /// Greatest distance from the root at which entries are updated, in plies.
        ply_limit: u32,
        /// Absolute value at which an entry is halved.
        bound: i32,
    },
    /// MadChess 2.0 (Madsen 2015): a quiet move that causes a beta cutoff gets `+depth²`; after each iteration the
    /// entries of the side to move at the root keep `age_percent` of their value. Cleared for each game.
    MadChess {
        /// What an entry keeps at each iteration, in percent.
        age_percent: u32,
    },
    /// Pro Deo 1.1, "History Reductions" (Schröder): every entry starts each search at `start`; every searched
    /// non-capture gets `+bonus` when its score was above alpha and `-malus` otherwise.
    ProDeo {
        /// The value of every entry at the start of a search.
        start: i32,
        /// The gain of a move with a score above alpha.
        bonus: i32,
        /// The loss of any other move.
        malus: i32,
    },
    /// Fruit 2.1 (Letouzey 2005), "history pruning": per entry a count of hits and one of tries, both 1 at the start of
    /// a search. At a quiet beta cutoff the move gets a hit and a try, the earlier quiet moves a try; at `limit` tries both
    /// counts of the entry are halved. The value is `16384 * hits / tries`.
    Fruit {
        /// Tries at which an entry is halved.
        limit: u32,
    },
    /// The relative history heuristic (Winands, van der Werf, van den Herik, Uiterwijk 2004), by origin and destination
    /// like the butterfly boards that it divides by: `hh += increment` for the
    /// quiet move that causes a beta cutoff, `bf += increment` for every quiet move searched. The value is
    /// `scale * hh / bf`, 0 for a move never tried. Cleared at each search.
    Relative {
        /// How the table is indexed.
        index: Index,
        /// How much a hit or a try counts.
        increment: Increment,
        /// The value of a move that always causes a cutoff.
        scale: i32,
    },
    /// Continuation history (Stockfish 7): indexed by the previous move's piece and destination, then by piece and
    /// destination; updated as [`HistoryModel::Gravity`]. Cleared for each game.
    Continuation {
        /// Factor of the depth squared.
        scale: i32,
        /// Greatest single update.
        max: i32,
        /// The greatest absolute value of an entry.
        bound: i32,
    },
    /// Capture history (Stockfish 10): indexed by piece, destination and captured kind of piece; at a beta cutoff by a
    /// capture, this capture gains and the captures searched before it lose, as in [`HistoryModel::Gravity`]. 0 for a
    /// move that does not capture. Cleared for each game.
    Capture {
        /// Factor of the depth squared.
        scale: i32,
        /// Greatest single update.
        max: i32,
        /// The greatest absolute value of an entry.
        bound: i32,
    },
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

/// The documentation of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelInfo {
    model: Model,
    /// Its name in a file.
    pub(crate) name: &'static str,
    /// Its keys, with defaults.
    pub(crate) keys: &'static str,
    /// How its table is updated, bounded and cleared.
    pub(crate) meaning: &'static str,
    /// Who published it.
    pub(crate) source: &'static str,
}

macro_rules! models {
    ($($model:ident $name:literal $keys:literal $meaning:literal $source:literal;)*) => {
        /// The name of a model, before its keys are read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Model {
            $($model,)*
        }

        /// Every model.
        pub(crate) const MODELS: [ModelInfo; 9] = [$(ModelInfo {
            model: Model::$model,
            name: $name,
            keys: $keys,
            meaning: $meaning,
            source: $source,
        }),*];
    };
}

models! {
    Butterfly "butterfly" "`index` = \"from_to\", `bonus` = \"depth_squared\", `malus` = \"none\", `bound` = 16384"
        "At a quiet beta cutoff the move gains `bonus`, the earlier quiet moves lose `malus`; all entries are halved when one reaches `bound`. Cleared at each search."
        "Schaeffer 1983; Fruit; Glaurung (`index` = \"piece_to\", `bound` = 50000)";
    Gravity "gravity" "`index` = \"from_to\", `scale` = 16, `max` = 1600, `bound` = 16384"
        "At a quiet beta cutoff the move gets b = min(scale * depth * depth, max), the earlier quiet moves -b, each by entry += b - entry * |b| / bound. Cleared for each game."
        "Stockfish 7 and most engines since; the default numbers are this project's";
    Rebel "rebel" "`ply_limit` = 8, `bound` = 2000"
        "Every searched non-capture within `ply_limit` of the root gets +depth * depth when it improved alpha and -depth otherwise; an entry that reaches `bound` is halved. Cleared at each search."
        "Rebel (Schröder 2017)";
    MadChess "madchess" "`age_percent` = 95"
        "At a quiet beta cutoff the move gains depth * depth; after each iteration the entries of the side to move at the root keep `age_percent`. Cleared for each game."
        "MadChess 2.0 (Madsen 2015)";
    ProDeo "prodeo" "`start` = 100, `bonus` = 5, `malus` = 1"
        "Every entry is `start` at the start of a search; every searched non-capture gains `bonus` when its score is above alpha and loses `malus` otherwise."
        "Pro Deo 1.1 (Schröder)";
    Fruit "fruit" "`limit` = 16384"
        "Hits and tries, both 1 at the start of a search: at a quiet beta cutoff the move gets a hit and a try, the earlier quiet moves a try; both are halved at `limit` tries. The value is 16384 * hits / tries."
        "Fruit 2.1 (Letouzey 2005)";
    Relative "relative" "`index` = \"from_to\", `increment` = \"one\", `scale` = 16384"
        "hh += increment for the quiet move that causes a beta cutoff, bf += increment for every quiet move searched. The value is scale * hh / bf, 0 when never tried. Cleared at each search."
        "Winands et al. 2004";
    Continuation "continuation" "`scale` = 16, `max` = 1600, `bound` = 16384"
        "As gravity, indexed by the previous move's piece and destination and by this move's."
        "Stockfish 7; the default numbers are this project's";
    Capture "capture" "`scale` = 16, `max` = 1600, `bound` = 16384"
        "As gravity, for captures, indexed by piece, destination and captured kind of piece; 0 for other moves."
        "Stockfish 10; the default numbers are this project's";
}

/// The indices' names in a file.
const INDICES: [(&str, Index); 2] = [("piece_to", Index::PieceTo), ("from_to", Index::FromTo)];

/// The increments' names in a file.
const INCREMENTS: [(&str, Increment); 4] = [
    ("one", Increment::One),
    ("depth", Increment::Depth),
    ("depth_squared", Increment::DepthSquared),
    ("two_to_depth", Increment::TwoToDepth),
];

impl History {
    /// Reads `[history]`; `None` when something in it is wrong, which is then reported.
    pub(crate) fn read(table: Table<'_>) -> Option<Self> {
        let model = table.require(
            "model",
            table.choice("model", &MODELS.map(|info| (info.name, info.model))),
        );
        let orders_moves = table.boolean("orders_moves").unwrap_or(false);
        let model = model.map(|model| match model {
            Model::Butterfly => HistoryModel::Butterfly {
                index: index(&table),
                bonus: increment(&table, "bonus", Increment::DepthSquared),
                malus: malus(&table),
                bound: integer(&table, "bound", 16384, BOUNDS) as i32,
            },
            Model::Gravity => {
                let index = index(&table);
                let (scale, max, bound) = gravity(&table);
                HistoryModel::Gravity {
                    index,
                    scale,
                    max,
                    bound,
                }
            }
            Model::Rebel => HistoryModel::Rebel {
                ply_limit: integer(&table, "ply_limit", 8, PLY_LIMITS),
                bound: integer(&table, "bound", 2000, BOUNDS) as i32,
            },
            Model::MadChess => HistoryModel::MadChess {
                age_percent: integer(&table, "age_percent", 95, AGE_PERCENTS),
            },
            Model::ProDeo => HistoryModel::ProDeo {
                start: table
                    .integer("start", -1_000_000..=1_000_000)
                    .map_or(100, |value| value as i32),
                bonus: integer(&table, "bonus", 5, AMOUNTS) as i32,
                malus: integer(&table, "malus", 1, AMOUNTS) as i32,
            },
            Model::Fruit => HistoryModel::Fruit {
                limit: integer(&table, "limit", 16384, LIMITS),
            },
            Model::Relative => HistoryModel::Relative {
                index: index(&table),
                increment: increment(&table, "increment", Increment::One),
                scale: integer(&table, "scale", 16384, SCALES) as i32,
            },
            Model::Continuation => {
                let (scale, max, bound) = gravity(&table);
                HistoryModel::Continuation { scale, max, bound }
            }
            Model::Capture => {
                let (scale, max, bound) = gravity(&table);
                HistoryModel::Capture { scale, max, bound }
            }
        });
        if model.is_some() {
            table.close();
        }
        Some(Self {
            model: model?,
            orders_moves,
        })
    }
}

impl History {
    /// The table as overrides, as in `history.model=madchess`. With them, any other policy gets the same table.
    ///
    /// ```
    /// use lmrlab_policy::history::{History, HistoryModel};
    ///
    /// let history = History { model: HistoryModel::MadChess { age_percent: 95 }, orders_moves: true };
    /// assert_eq!(
    ///     history.overrides(),
    ///     ["history.model=madchess", "history.age_percent=95", "history.orders_moves=true"]
    /// );
    /// ```
    pub fn overrides(&self) -> Vec<String> {
        let number = |key: &'static str, value: i64| (key, value.to_string());
        let by = |key: &'static str, value: Increment| {
            let named = INCREMENTS.iter().find(|(_, increment)| *increment == value);
            (key, named.map_or("none", |(name, _)| name).to_owned())
        };
        let indexed = |value: Index| {
            let named = INDICES.iter().find(|(_, index)| *index == value);
            ("index", named.map_or("", |(name, _)| name).to_owned())
        };
        let gravity = |scale: i32, max: i32, bound: i32| {
            [
                number("scale", scale.into()),
                number("max", max.into()),
                number("bound", bound.into()),
            ]
        };
        let (model, keys) = match self.model {
            HistoryModel::Butterfly {
                index,
                bonus,
                malus,
                bound,
            } => {
                let malus = malus.map_or(("malus", "none".to_owned()), |malus| by("malus", malus));
                let keys = vec![indexed(index), by("bonus", bonus), malus, number("bound", bound.into())];
                (Model::Butterfly, keys)
            }
            HistoryModel::Gravity {
                index,
                scale,
                max,
                bound,
            } => {
                let mut keys = vec![indexed(index)];
                keys.extend(gravity(scale, max, bound));
                (Model::Gravity, keys)
            }
            HistoryModel::Rebel { ply_limit, bound } => {
                let keys = vec![number("ply_limit", ply_limit.into()), number("bound", bound.into())];
                (Model::Rebel, keys)
            }
            HistoryModel::MadChess { age_percent } => {
                (Model::MadChess, vec![number("age_percent", age_percent.into())])
            }
            HistoryModel::ProDeo { start, bonus, malus } => {
                let keys = [("start", start), ("bonus", bonus), ("malus", malus)];
                (
                    Model::ProDeo,
                    keys.map(|(key, value)| number(key, value.into())).to_vec(),
                )
            }
            HistoryModel::Fruit { limit } => (Model::Fruit, vec![number("limit", limit.into())]),
            HistoryModel::Relative {
                index,
                increment,
                scale,
            } => {
                let keys = vec![
                    indexed(index),
                    by("increment", increment),
                    number("scale", scale.into()),
                ];
                (Model::Relative, keys)
            }
            HistoryModel::Continuation { scale, max, bound } => {
                (Model::Continuation, gravity(scale, max, bound).to_vec())
            }
            HistoryModel::Capture { scale, max, bound } => (Model::Capture, gravity(scale, max, bound).to_vec()),
        };
        let named = MODELS.iter().find(|info| info.model == model);
        let name = named.map_or("", |info| info.name).to_owned();
        let all = std::iter::once(("model", name))
            .chain(keys)
            .chain([("orders_moves", self.orders_moves.to_string())]);
        all.map(|(key, value)| format!("history.{key}={value}")).collect()
    }
}

fn integer(table: &Table<'_>, key: &str, default: u32, range: RangeInclusive<u32>) -> u32 {
    table
        .integer(key, i64::from(*range.start())..=i64::from(*range.end()))
        .map_or(default, |value| value as u32)
}

fn index(table: &Table<'_>) -> Index {
    table.choice("index", &INDICES).unwrap_or(Index::FromTo)
}

fn increment(table: &Table<'_>, key: &str, default: Increment) -> Increment {
    table.choice(key, &INCREMENTS).unwrap_or(default)
}

fn malus(table: &Table<'_>) -> Option<Increment> {
    let [one, depth, squared, power] = INCREMENTS.map(|(name, increment)| (name, Some(increment)));
    table
        .choice("malus", &[("none", None), one, depth, squared, power])
        .flatten()
}

/// Reads `scale`, `max` and `bound`. One update must not be larger than the bound.
fn gravity(table: &Table<'_>) -> (i32, i32, i32) {
    let scale = integer(table, "scale", 16, SCALES) as i32;
    let max = integer(table, "max", 1600, AMOUNTS) as i32;
    let bound = integer(table, "bound", 16384, BOUNDS) as i32;
    if max > bound {
        let place = if table.has("max") { "max" } else { "bound" };
        table.report(
            Diagnostic::error(format!(
                "`history.max` is {max}, greater than `history.bound`, which is {bound}"
            ))
            .at(table.place_of_value(place), "one update would exceed the bound")
            .help("lower `max` or raise `bound`"),
        );
    }
    (scale, max, bound)
}
