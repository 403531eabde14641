//! The file of the cells: the pairs of every idea in every surrounding at every budget, so far. The pairs of a cell are always the first
//! of its order, so the file is all that a measurement needs to go on.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::text_file::read_utf8;
use lmrlab_stats::Pentanomial;

use crate::transfer::{Matrix, MatrixCell};

/// The columns of the file.
pub const COLUMNS: [&str; 11] = [
    "idea",
    "on",
    "surrounding",
    "match_nodes",
    "seed",
    "digest",
    "n_ll",
    "n_ld",
    "n_dd_wl",
    "n_wd",
    "n_ww",
];

/// A longer file has other content.
const MAX_BYTES: u64 = 1 << 26;

/// Which cell it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellName {
    /// The name of the idea.
    pub idea: String,
    /// The baseline on which it is.
    pub on: String,
    /// The surrounding: a preset with overrides.
    pub surrounding: String,
    /// Nodes a move.
    pub nodes: u64,
}

impl CellName {
    /// The baseline and the surrounding, which are a surrounding of the idea's matrix.
    pub(crate) fn on_and_surrounding(&self) -> String {
        format!("{} {}", self.on, self.surrounding)
    }
}

/// The pairs of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordCell {
    /// Which it is.
    pub name: CellName,
    /// The seed of the order of its openings.
    pub seed: u64,
    /// What its games depend on, but for the search itself: the first digits of a SHA-256.
    pub digest: String,
    /// Its pairs, from the side of the idea.
    pub pairs: Pentanomial,
}

/// All cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cells {
    /// In the order of their names, after [`Self::put`].
    pub list: Vec<RecordCell>,
}

impl Cells {
    /// Reads a file; without a file there is no cell yet.
    ///
    /// # Errors
    /// When it cannot be read, or a line is wrong; the first mistake, with its line.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = read_utf8(path, MAX_BYTES).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            Failure::input(
                message,
                "name a file of cells, or one that does not exist yet, with --cells",
            )
        })?;
        Self::of_source(&Source::new(path.display().to_string(), text))
    }

    /// The cells of a text that has them.
    ///
    /// # Errors
    /// When a line is wrong.
    pub fn of_source(source: &Source) -> Result<Self, Failure> {
        Self::parse(source).map_err(|error| {
            let error =
                error.help("let `lmrlab record` write this file; to begin again, name another one with --cells");
            Failure::Input(vec![Diagnostics::new(source.clone(), vec![error])])
        })
    }

    fn parse(source: &Source) -> Result<Self, Diagnostic> {
        let mut cells = Self::default();
        let mut known = HashSet::new();
        let mut start = 0;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(source.text.as_bytes());
        for (number, record) in reader.records().enumerate() {
            let record = record.map_err(|error| Diagnostic::error(format!("this is no CSV file: {error}")))?;
            let end = reader_end(&source.text, start);
            let place = start..end;
            start = (end + 1).min(source.text.len());
            match number {
                0 if record.iter().eq(COLUMNS) => {}
                0 => {
                    let error = Diagnostic::error("these are not the columns of a file of cells");
                    return Err(error.at(place, format!("they are {}", COLUMNS.join(","))));
                }
                _ => {
                    let cell = cell(&record).ok_or_else(|| {
                        Diagnostic::error("this line is no cell").at(place.clone(), "a number is wrong or missing")
                    })?;
                    if !known.insert(cell.name.clone()) {
                        return Err(Diagnostic::error("this cell is there twice").at(place, "the second time"));
                    }
                    cells.list.push(cell);
                }
            }
        }
        Ok(cells)
    }

    /// The cell of this name.
    pub fn get(&self, name: &CellName) -> Option<&RecordCell> {
        self.list.iter().find(|cell| cell.name == *name)
    }

    /// Puts cells in, in the place of those of the same name.
    pub fn put(&mut self, cells: Vec<RecordCell>) {
        for cell in cells {
            match self.list.iter_mut().find(|known| known.name == cell.name) {
                Some(known) => *known = cell,
                None => self.list.push(cell),
            }
        }
        self.list.sort_by(|one, other| one.name.cmp(&other.name));
    }

    /// The names of the ideas that have pairs, in their order.
    pub fn ideas(&self) -> Vec<&str> {
        let mut ideas: Vec<&str> = Vec::new();
        for cell in self.list.iter().filter(|cell| cell.pairs.pairs() > 0) {
            if !ideas.contains(&cell.name.idea.as_str()) {
                ideas.push(&cell.name.idea);
            }
        }
        ideas
    }

    /// The pairs of an idea.
    pub fn pairs(&self, idea: &str) -> u64 {
        let of_idea = self.list.iter().filter(|cell| cell.name.idea == idea);
        of_idea.map(|cell| cell.pairs.pairs()).sum()
    }

    /// The cells of an idea that have games; each baseline in each surrounding is a surrounding of the matrix.
    pub fn matrix(&self, idea: &str) -> Matrix {
        let of_idea = self
            .list
            .iter()
            .filter(|cell| cell.name.idea == idea && cell.pairs.pairs() > 0);
        let mut matrix = Matrix::new(Vec::new(), Vec::new());
        for cell in of_idea {
            let (name, nodes) = (cell.name.on_and_surrounding(), &cell.name.nodes);
            let known = matrix.surroundings.iter().position(|other| *other == name);
            let surrounding = known.unwrap_or_else(|| {
                matrix.surroundings.push(name);
                matrix.surroundings.len() - 1
            });
            if !matrix.budgets.contains(nodes) {
                matrix.budgets.push(*nodes);
            }
            matrix.cells.push(MatrixCell {
                surrounding,
                nodes: *nodes,
                pairs: cell.pairs,
            });
        }
        matrix.budgets.sort_unstable();
        matrix
    }

    /// Writes the file at once: whoever reads it sees the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written; then the old one is still there.
    #[expect(
        clippy::disallowed_methods,
        reason = "the table is what it goes on from, not an output"
    )]
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        let beside = Path::new(&beside);
        let text = self
            .text()
            .map_err(|error| Failure::Run(format!("cannot write `{}`: {error}", path.display())))?;
        let write = || {
            let mut file = File::create(beside)?;
            file.write_all(&text)?;
            file.sync_data()?;
            fs::rename(beside, path)
        };
        write().map_err(|error| Failure::write(path, &error))
    }

    fn text(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS)?;
        for cell in &self.list {
            let RecordCell {
                name,
                seed,
                digest,
                pairs,
            } = cell;
            let numbers = [name.nodes, *seed].map(|number| number.to_string());
            let [nodes, seed] = &numbers;
            let counts = pairs.counts().map(|count| count.to_string());
            let first = [&name.idea, &name.on, &name.surrounding, nodes, seed, digest];
            writer.write_record(first.into_iter().chain(&counts))?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }
}

/// Where the line ends that begins at a byte. No cell that is written has a line break.
fn reader_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |length| start + length)
}

fn cell(record: &csv::StringRecord) -> Option<RecordCell> {
    if record.len() != COLUMNS.len() {
        return None;
    }
    let text = |place| record.get(place).map(str::to_owned);
    let number = |place| record.get(place)?.parse::<u64>().ok();
    let mut counts = [0; 5];
    for (place, count) in (6..).zip(&mut counts) {
        *count = number(place).filter(|count| *count < 1 << 40)?;
    }
    Some(RecordCell {
        name: CellName {
            idea: text(0)?,
            on: text(1)?,
            surrounding: text(2)?,
            nodes: number(3).filter(|nodes| *nodes > 0)?,
        },
        seed: number(4)?,
        digest: text(5)?,
        pairs: Pentanomial::new(counts),
    })
}
