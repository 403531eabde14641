//! The reduction of a plain quiet move by depth and by the moves searched before it: for people, and for plots.

use std::fmt;
use std::str::FromStr;

use crate::diagnostic::{Diagnostic, Diagnostics, Source, nearest};
use crate::facts::{CATALOGUE, Fact, FactSet, Facts, Flags, Kind};
use crate::policy::Policy;

/// The kinds of nodes that policies can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The root of the search, which is a PV node.
    Root,
    /// A principal variation node.
    Pv,
    /// A null-window node that is expected to fail high.
    Cut,
    /// A null-window node that is expected to fail low.
    All,
}

impl NodeKind {
    /// The facts that say so.
    pub fn flags(self) -> Flags {
        match self {
            Self::Root => Flags::NONE.with(Fact::Root, true).with(Fact::Pv, true),
            Self::Pv => Flags::NONE.with(Fact::Pv, true),
            Self::Cut => Flags::NONE.with(Fact::Cut, true),
            Self::All => Flags::NONE.with(Fact::All, true),
        }
    }
}

/// What is said of a move beyond its being plain and quiet.
///
/// Read from a text such as `history=-600,improving=1,in_check`: numbers with their values, booleans with `0`, `1`,
/// `false`, `true` or nothing, which means true. `capture` and `promotion` make the move no quiet one, `queen_promotion`
/// makes it a promotion, and `root` a PV node, unless the text says otherwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    truths: Vec<(Fact, bool)>,
    numbers: Vec<(Fact, f64)>,
}

impl Given {
    /// What is true in a node of this kind.
    pub fn of_node(node: NodeKind) -> Self {
        Self::of_flags(node.flags())
    }

    /// The flags that are set.
    pub fn of_flags(flags: Flags) -> Self {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        Self {
            truths: facts
                .filter(|fact| fact.is_flag() && flags.has(*fact))
                .map(|fact| (fact, true))
                .collect(),
            numbers: Vec::new(),
        }
    }

    /// Says that a boolean fact is so, whatever was said before.
    pub fn set_truth(&mut self, fact: Fact, value: bool) {
        self.truths.retain(|(other, _)| *other != fact);
        self.truths.push((fact, value));
    }

    /// Says what a number is, whatever was said before.
    pub fn set_number(&mut self, fact: Fact, value: f64) {
        self.numbers.retain(|(other, _)| *other != fact);
        self.numbers.push((fact, value));
    }

    /// Adds what `other` says; where both say something, `other` is right.
    pub fn merge(&mut self, other: &Self) {
        for (fact, value) in &other.truths {
            self.set_truth(*fact, *value);
        }
        for (fact, value) in &other.numbers {
            self.set_number(*fact, *value);
        }
    }

    /// All that is given, in the form that is read.
    fn items(&self) -> impl Iterator<Item = String> {
        let truths = self.truths.iter();
        let numbers = self.numbers.iter();
        let name = |fact: &Fact| fact.info().name;
        truths
            .map(move |(fact, value)| format!("{}={}", name(fact), u8::from(*value)))
            .chain(numbers.map(move |(fact, value)| format!("{}={value}", name(fact))))
    }

    fn truth(&self, fact: Fact) -> Option<bool> {
        let found = self.truths.iter().find(|(other, _)| *other == fact);
        found.map(|(_, value)| *value)
    }

    fn number(&self, fact: Fact) -> Option<f64> {
        let found = self.numbers.iter().find(|(other, _)| *other == fact);
        found.map(|(_, value)| *value)
    }

    /// The booleans, with what follows from them.
    fn truths(&self) -> (Flags, FactSet) {
        let given = |fact| self.truth(fact).unwrap_or(false);
        let promotion = self
            .truth(Fact::Promotion)
            .unwrap_or(given(Fact::QueenPromotion));
        let quiet = self
            .truth(Fact::Quiet)
            .unwrap_or(!given(Fact::Capture) && !promotion);
        let pv = self.truth(Fact::Pv).unwrap_or(given(Fact::Root));
        let mut flags = Flags::NONE
            .with(Fact::Promotion, promotion)
            .with(Fact::Quiet, quiet)
            .with(Fact::Pv, pv);
        let mut booleans = FactSet::default();
        for (fact, value) in &self.truths {
            if fact.is_flag() {
                flags = flags.with(*fact, *value);
            } else if *value {
                booleans.insert(*fact);
            }
        }
        (flags, booleans)
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.items().collect::<Vec<_>>().join(","))
    }
}

/// What a table varies, or what is not known before a search.
fn refused(fact: Fact) -> Option<&'static str> {
    match fact {
        Fact::Depth | Fact::MovesSearched | Fact::MoveNumber => Some("the table varies it"),
        fact if fact.is_of_rules() => Some("the rules make it"),
        fact if fact.is_of_research() => Some("known after the reduced search only"),
        _ => None,
    }
}

impl FromStr for Given {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Self, Diagnostics> {
        let mut given = Self::default();
        let mut wrong = Vec::new();
        let mut start = 0;
        for item in text.split(',') {
            let span = start..start + item.len();
            start = span.end + 1;
            if item.trim().is_empty() && text.trim().is_empty() {
                continue;
            }
            if let Err(diagnostic) = read_item(item, &mut given) {
                wrong.push(diagnostic.at(span, ""));
            }
        }
        if wrong.is_empty() {
            Ok(given)
        } else {
            Err(Diagnostics::new(Source::new("facts", text), wrong))
        }
    }
}

fn read_item(item: &str, given: &mut Given) -> Result<(), Diagnostic> {
    let (name, value) = match item.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (item.trim(), None),
    };
    if name.is_empty() {
        return Err(Diagnostic::error("a fact is missing here")
            .help("write, for example, `history=-600,improving=1`"));
    }
    let Some(fact) = Fact::named(name) else {
        let near = nearest(name, CATALOGUE.iter().map(|info| info.name));
        return Err(
            Diagnostic::error(format!("no fact is called `{name}`")).help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write, for example, `history=-600,improving=1`".to_owned(),
            }),
        );
    };
    if let Some(reason) = refused(fact) {
        return Err(Diagnostic::error(format!(
            "`{name}` cannot be given: {reason}"
        )));
    }
    match (fact.info().kind, value) {
        (Kind::Boolean, None | Some("1" | "true")) => given.set_truth(fact, true),
        (Kind::Boolean, Some("0" | "false")) => given.set_truth(fact, false),
        (Kind::Boolean, Some(_)) => {
            return Err(Diagnostic::error(format!("`{name}` is true or false"))
                .help(format!("write `{name}=1` or `{name}=0`")));
        }
        (Kind::Number, value) => match value.map(str::parse::<f64>) {
            Some(Ok(value)) if value.is_finite() => given.set_number(fact, value),
            _ => {
                return Err(Diagnostic::error(format!("`{name}` is a number"))
                    .help(format!("write, for example, `{name}=100`")));
            }
        },
    }
    Ok(())
}

/// A quiet move about which nothing else is known: no check, no pawn, no killer; every fact that measures something is
/// 0, but for these: all moves before it were quiet too, so its number among the quiet moves is its number among all;
/// the node has 40 legal moves or as many as it takes; it stands one ply below the root, and its parent's first move led
/// to it; all pieces are on the board; the table knows nothing of it (`tt_depth` is -1); a null window is 1 wide, an
/// open one [`OPEN_WINDOW`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlainMove<'g> {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    flags: Flags,
    booleans: FactSet,
    given: &'g Given,
}

/// How many moves the node of a [`PlainMove`] has: about as many as a middle game position.
const LEGAL_MOVES: u32 = 40;

/// The width of an open window around a [`PlainMove`], in centipawns.
pub const OPEN_WINDOW: u32 = 50;

impl<'g> PlainMove<'g> {
    /// The move after so many others, in a node of this depth.
    pub fn new(depth: u32, moves_searched: u32, given: &'g Given) -> Self {
        let (flags, booleans) = given.truths();
        Self {
            depth,
            moves_searched,
            flags,
            booleans,
            given,
        }
    }
}

impl Facts for PlainMove<'_> {
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.booleans.contains(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        if let Some(value) = self.given.number(fact) {
            return value;
        }
        let root = self.flags.has(Fact::Root);
        let number = match fact {
            Fact::Depth => self.depth,
            Fact::MovesSearched => self.moves_searched,
            Fact::MoveNumber | Fact::QuietNumber => self.moves_searched + 1,
            Fact::LegalMoves => LEGAL_MOVES.max(self.moves_searched + 1),
            Fact::Ply | Fact::ParentMoveNumber => u32::from(!root),
            Fact::Iteration => self.depth + u32::from(!root),
            Fact::Phase => 24,
            Fact::RootWindow => OPEN_WINDOW,
            Fact::Window if self.flags.has(Fact::Pv) => OPEN_WINDOW,
            Fact::Window => 1,
            Fact::TtDepth => return -1.0,
            _ => 0,
        };
        f64::from(number)
    }
}

/// The reductions of plain quiet moves: a row for each depth, a column for each number of moves searched before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReductionTable {
    rows: Vec<Vec<i32>>,
}

impl ReductionTable {
    /// Evaluates `policy` for depths from 1 to `depths` and for up to `moves` moves searched before. Besides `quiet`, the
    /// facts in `flags` are true.
    pub fn new(policy: &Policy, depths: u32, moves: u32, flags: Flags) -> Self {
        Self::with_facts(policy, depths, moves, &Given::of_flags(flags))
    }

    /// As [`ReductionTable::new`], for moves of which more is known.
    pub fn with_facts(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        Self::of(depths, moves, |depth, searched| {
            policy.reduction(&PlainMove::new(depth, searched, given))
        })
    }

    /// As [`ReductionTable::with_facts`], but before the limits that depend on the move: what the scheme asks for, even
    /// where so much depth is not left. Published tables are such ones.
    pub fn before_limits(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        Self::of(depths, moves, |depth, searched| {
            let explanation = policy.explain(&PlainMove::new(depth, searched, given));
            explanation.map_or(0, |explanation| explanation.whole)
        })
    }

    fn of(depths: u32, moves: u32, cell: impl Fn(u32, u32) -> i32) -> Self {
        Self {
            rows: (1..=depths)
                .map(|depth| (0..=moves).map(|moves| cell(depth, moves)).collect())
                .collect(),
        }
    }

    /// The cells, row by row, as they go to a CSV.
    pub fn cells(&self) -> impl Iterator<Item = ReductionCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter()
                .zip(0..)
                .map(move |(&plies, moves_searched)| ReductionCell {
                    depth,
                    moves_searched,
                    plies,
                })
        })
    }

    /// The table for a person: equal neighbours together, no reduction as a dot.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.rows, |&plies| PictureCell {
            text: match plies {
                0 => ".".to_owned(),
                plies => plies.to_string(),
            },
            tone: Tone::of(plies),
        })
    }
}

/// One cell of a [`ReductionTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReductionCell {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    /// The reduction, in plies.
    pub plies: i32,
}

impl fmt::Display for ReductionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture().fmt(f)
    }
}

/// Two tables of one size, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDiff {
    rows: Vec<Vec<(i32, i32)>>,
}

impl TableDiff {
    /// Compares two tables; what only one of them has is left out.
    pub fn new(old: &ReductionTable, new: &ReductionTable) -> Self {
        let pairs = |(old, new): (&Vec<i32>, &Vec<i32>)| -> Vec<_> {
            old.iter().copied().zip(new.iter().copied()).collect()
        };
        Self {
            rows: old.rows.iter().zip(&new.rows).map(pairs).collect(),
        }
    }

    /// The cells, row by row, equal ones included.
    pub fn cells(&self) -> impl Iterator<Item = DiffCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter()
                .zip(0..)
                .map(move |(&(old, new), moves_searched)| DiffCell {
                    depth,
                    moves_searched,
                    old,
                    new,
                })
        })
    }

    /// How many cells differ.
    pub fn differing(&self) -> usize {
        self.cells().filter(|cell| cell.old != cell.new).count()
    }

    /// The differences for a person, new minus old: equal neighbours together, no difference as a dot.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.rows, |&(old, new)| PictureCell {
            text: match new - old {
                0 => ".".to_owned(),
                change => format!("{change:+}"),
            },
            tone: Tone::of(new - old),
        })
    }
}

impl fmt::Display for TableDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture().fmt(f)
    }
}

/// One cell of a [`TableDiff`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffCell {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    /// The reduction in the first table, in plies.
    pub old: i32,
    /// The reduction in the second table, in plies.
    pub new: i32,
}

/// How strongly a cell is to be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Nothing: no reduction, or no difference.
    Plain,
    /// Less reduction than nothing: an extension, or a smaller reduction than before. From 1 (faint) to 6.
    Below(u8),
    /// A reduction, or a larger one than before. From 1 (faint) to 6.
    Above(u8),
}

impl Tone {
    fn of(plies: i32) -> Self {
        let strength = plies.unsigned_abs().min(6) as u8;
        match plies {
            0 => Self::Plain,
            plies if plies < 0 => Self::Below(strength),
            _ => Self::Above(strength),
        }
    }
}

/// A table as it is printed, with equal neighbours put together; what is left to choose is the colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What the columns count, for the line above them.
    pub title: &'static str,
    /// What the rows count.
    pub corner: &'static str,
    /// The columns' heads, such as `7` or `8-13`.
    pub heads: Vec<String>,
    /// The rows' heads and cells, a cell for each column.
    pub rows: Vec<(String, Vec<PictureCell>)>,
}

/// One cell of a [`Picture`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureCell {
    /// What it says.
    pub text: String,
    /// How it is coloured.
    pub tone: Tone,
}

impl Picture {
    fn of<T: PartialEq>(rows: &[Vec<T>], draw: impl Fn(&T) -> PictureCell) -> Self {
        let column = |index: usize| rows.iter().map(move |row| row.get(index));
        let width = rows.first().map_or(0, Vec::len);
        let columns = runs(width, |a, b| column(a).eq(column(b)));
        let lines = runs(rows.len(), |a, b| rows.get(a) == rows.get(b));
        let label = |(first, last): (usize, usize), offset: usize| {
            if first == last {
                format!("{}", first + offset)
            } else {
                format!("{}-{}", first + offset, last + offset)
            }
        };
        let line = |run: &(usize, usize)| {
            let cells = columns
                .iter()
                .filter_map(|(column, _)| rows.get(run.0)?.get(*column).map(&draw));
            (label(*run, 1), cells.collect())
        };
        Self {
            title: "moves searched before",
            corner: "depth",
            heads: columns.iter().map(|run| label(*run, 0)).collect(),
            rows: lines.iter().map(line).collect(),
        }
    }

    /// The table as text, each cell's text passed through `paint` after it has been brought to its width.
    pub fn render(&self, paint: impl Fn(&str, Tone) -> String) -> String {
        let sides = self.rows.iter().map(|(side, _)| side.len());
        let side = sides.max().unwrap_or(0).max(self.corner.len());
        let mut text = format!("{:side$}  {}\n{:>side$}", "", self.title, self.corner);
        for head in &self.heads {
            text += &format!("  {head:>2}");
        }
        text.push('\n');
        for (name, cells) in &self.rows {
            text += &format!("{name:>side$}");
            for (cell, head) in cells.iter().zip(&self.heads) {
                let width = head.len().max(2);
                text += "  ";
                text += &paint(&format!("{:>width$}", cell.text), cell.tone);
            }
            text.push('\n');
        }
        text
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(|cell, _| cell.to_owned()))
    }
}

/// Runs of neighbours that are alike, as first and last index.
fn runs(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in 0..count {
        match runs.last_mut() {
            Some((_, last)) if alike(*last, index) => *last = index,
            _ => runs.push((index, index)),
        }
    }
    runs
}
