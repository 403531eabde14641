//! Runs side by side: what differs in their descriptions, and the results of the same engines in each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::differences::flatten;
use lmrlab_results::manifest::RunKind;
use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_results::outcome::picture::{Intervals, Line, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section, files};
use lmrlab_results::tables;
use lmrlab_results::tournament_rows::{ComparedKey, ComparedRow, CrosstableRow};

use crate::record::crosstable::crosstable;
use crate::run::Run;
use crate::tournament::settings;

/// What one run says.
struct ComparedRun {
    /// The end of the path of its folder, long enough to distinguish it from the other runs, and its own name when that is another one.
    heading: String,
    /// The keys of its description, with dots, and their values.
    keys: BTreeMap<String, String>,
    /// The lines of crosstable.csv.
    pairings: Vec<CrosstableRow>,
}

/// Elo, and half the width of its 95% interval.
type Difference = (f64, Option<f64>);

/// The result of an engine against its opponent in one run.
#[derive(Clone, Copy)]
struct Measured {
    games: u64,
    elo: f64,
    error_95: Option<f64>,
}

impl Measured {
    /// How much stronger this result is than another one. The runs are taken as independent, so the variance of the
    /// difference is the sum of both.
    fn minus(&self, other: &Self) -> Difference {
        let error = self.error_95.zip(other.error_95).map(|(a, b)| a.hypot(b));
        (self.elo - other.elo, error)
    }
}

/// Two engines that played each other in more than one run.
struct Pairing {
    engine: String,
    opponent: String,
    /// Their result in each run; `None` where they did not play each other.
    measured: Vec<Option<Measured>>,
}

impl Pairing {
    /// The difference between this run and the first one with this pairing.
    fn difference(&self, run: usize) -> Option<Difference> {
        let first = self.measured.iter().position(Option::is_some)?;
        let (one, other) = (self.measured[first]?, self.measured[run]?);
        (run != first).then(|| other.minus(&one))
    }
}

/// An engine that played against the base in one of the runs.
struct Variant {
    engine: String,
    /// The place of its run.
    run: usize,
    measured: Measured,
    /// How much stronger it is than the first variant, by their results against the base. `None` for the first variant
    /// itself.
    difference: Option<Difference>,
}

/// The only engine that all runs have, and its results in them.
struct Base {
    engine: String,
    /// Its opponents that no other run has, in the order of the runs.
    variants: Vec<Variant>,
}

/// Runs side by side.
pub struct RunComparison {
    sides: Vec<ComparedRun>,
    /// The pairings that more than one run has.
    pairings: Vec<Pairing>,
    /// The engines that are compared by their games against the same engine.
    base: Option<Base>,
}

impl RunComparison {
    /// Reads the runs of these folders.
    ///
    /// # Errors
    /// When one of them is no tournament or cannot be read. Also when nothing is in more than one run: neither two
    /// engines that played each other, nor an engine that others played.
    pub fn of(folders: &[PathBuf]) -> Result<Self, Failure> {
        let sides = (folders.iter().zip(labels(folders)))
            .map(|(folder, label)| side(folder, label))
            .collect::<Result<Vec<ComparedRun>, _>>()?;
        let pairings = pairings(&sides);
        let base = base(&sides);
        if pairings.is_empty() && base.is_none() {
            return Err(Failure::input(
                "these runs have no engine in common, or several but no two that played each other in more than one run",
                "a comparison needs runs in which engines of the same names play each other, or in which different engines play \
                 the same one",
            ));
        }
        Ok(Self { sides, pairings, base })
    }

    /// What the comparison found, in tables.
    pub fn tables(&self) -> ComparisonTables {
        let row = |engine: &str, opponent: &str, run: usize, measured: Measured, difference: Option<Difference>| {
            ComparedRow {
                engine: engine.to_owned(),
                opponent: opponent.to_owned(),
                run: self.sides[run].heading.clone(),
                games: measured.games,
                elo: measured.elo.into(),
                elo_error_95: measured.error_95.into(),
                difference: difference.map(|(elo, _)| elo).into(),
                difference_error_95: difference.and_then(|(_, error)| error).into(),
            }
        };
        let pairings = self.pairings.iter().flat_map(|pairing| {
            let runs = pairing.measured.iter().enumerate();
            runs.filter_map(|(run, measured)| {
                let difference = pairing.difference(run);
                Some(row(&pairing.engine, &pairing.opponent, run, (*measured)?, difference))
            })
        });
        let variants = self.base.iter().flat_map(|base| {
            let variants = base.variants.iter();
            variants.map(|one| row(&one.engine, &base.engine, one.run, one.measured, one.difference))
        });
        ComparisonTables {
            pairings: pairings.collect(),
            variants: variants.collect(),
            keys: self.differing(),
        }
    }

    /// The keys that differ between runs, with the value of each run.
    fn differing(&self) -> Vec<ComparedKey> {
        let keys: BTreeSet<&String> = self.sides.iter().flat_map(|side| side.keys.keys()).collect();
        let value = |side: &ComparedRun, key: &String| side.keys.get(key).map_or("-", String::as_str).to_owned();
        let differing = keys.into_iter().filter(|key| {
            let mut values = self.sides.iter().map(|side| value(side, key));
            let first = values.next();
            values.any(|value| Some(value) != first)
        });
        differing
            .flat_map(|key| {
                self.sides.iter().map(move |side| ComparedKey {
                    key: key.clone(),
                    run: side.heading.clone(),
                    value: value(side, key),
                })
            })
            .collect()
    }
}

tables! {
    /// The files of a comparison: pairings of several runs, engines by their games against the same one, what differs.
    ComparisonTables {
        pairings: ComparedRow,
        variants: ComparedRow,
        keys: ComparedKey,
    }
}

/// Why the error of a difference between variants is that of both runs.
const INDEPENDENT: &str =
    "The runs are taken as independent games: the error of a difference is that of both runs together.";

impl ComparisonTables {
    /// What the tables say. `conditions` are the number of runs.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let keys = Table::of("keys", &self.keys);
        let mut sections = Vec::new();
        if !self.pairings.is_empty() {
            let section = Section::new("The same engines in each run").draw([self.picture()]);
            sections.push(section.table(Table::of("pairings", &self.pairings)));
        }
        if !self.variants.is_empty() {
            let section = Section::new("Against the same engine").table(Table::of("variants", &self.variants));
            sections.push(section.say(INDEPENDENT));
        }
        let differs = Section::new("What differs");
        sections.push(match keys.rows.is_empty() {
            true => differs.say("Nothing in their descriptions."),
            false => differs.table(keys.spread("key", &["run"], "value").without(&["run"])),
        });
        Outcome {
            title: "Runs side by side".to_owned(),
            conditions: conditions.to_owned(),
            verdict: self.sentences(),
            sections,
            notes: Vec::new(),
            tables: self.tables(),
        }
    }

    /// The Elo of each pairing in each run.
    fn picture(&self) -> Intervals {
        let mut lines = Vec::new();
        let mut above = None;
        for row in &self.pairings {
            let pairing = format!("{} against {}:", row.engine, row.opponent);
            if above.as_ref() != Some(&pairing) {
                lines.push(Line::Heading(pairing.clone()));
                above = Some(pairing);
            }
            let known = row.elo.0.map(|elo| Known::with_error(elo, row.elo_error_95.0));
            lines.extend(known.map(|known| Line::Value(row.run.clone(), known, false)));
        }
        Intervals {
            title: "Elo of the same engines in each run".to_owned(),
            quantity: Quantity {
                sides: ["", ""],
                ..Quantity::elo("Elo of the engine over its opponent", "even")
            },
            lines,
            note: String::new(),
        }
    }

    /// Where runs differ by more than their errors, and how variants compare with the first one.
    fn sentences(&self) -> Vec<String> {
        let difference = |row: &ComparedRow| Some((row.difference.0?, row.difference_error_95.0));
        let clear = |difference: Difference| difference.1.is_some_and(|error| difference.0.abs() > error);
        let text = |(elo, error): Difference| format!("{} ± {} Elo", signed(Some(elo), 1), unsigned(error, 1));
        let same = self.pairings.iter().filter_map(|row| {
            let difference = difference(row).filter(|difference| clear(*difference))?;
            let ComparedRow {
                engine, opponent, run, ..
            } = row;
            Some(format!("{engine} against {opponent}: {} in {run}.", text(difference)))
        });
        let mut sentences: Vec<String> = same.collect();
        if sentences.is_empty() && !self.pairings.is_empty() {
            sentences.push("No pairing differs between the runs by more than its error.".to_owned());
        }
        let first = self.variants.first().map_or("", |row| row.engine.as_str());
        sentences.extend(self.variants.iter().filter_map(|row| {
            let difference = difference(row)?;
            let doubt = if clear(difference) {
                ""
            } else {
                ". The games do not separate them"
            };
            let (engine, base) = (&row.engine, &row.opponent);
            Some(format!(
                "{engine} against {first}, by their games with {base}: {}{doubt}.",
                text(difference)
            ))
        }));
        sentences
    }
}

/// The only engine that all runs have, with the opponents that only one run has. `None` when there is no such engine,
/// or when fewer than two runs have such opponents.
fn base(sides: &[ComparedRun]) -> Option<Base> {
    let engines =
        |side: &ComparedRun| -> BTreeSet<String> { side.pairings.iter().map(|row| row.engine.clone()).collect() };
    let all: Vec<BTreeSet<String>> = sides.iter().map(engines).collect();
    let common = all.iter().cloned().reduce(|one, other| &one & &other)?;
    let engine = Some(common.into_iter().collect::<Vec<_>>())
        .filter(|names| names.len() == 1)?
        .pop()?;
    let is_alone = |name: &str| all.iter().filter(|names| names.contains(name)).count() == 1;
    let mut variants: Vec<Variant> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for row in &side.pairings {
            let name = &row.engine;
            if row.opponent == engine && is_alone(name) {
                let Some(measured) = measured(row) else {
                    continue;
                };
                variants.push(Variant {
                    engine: name.clone(),
                    run,
                    measured,
                    difference: variants.first().map(|first| measured.minus(&first.measured)),
                });
            }
        }
    }
    let runs: BTreeSet<usize> = variants.iter().map(|variant| variant.run).collect();
    (runs.len() > 1).then_some(Base { engine, variants })
}

/// The result of a line of crosstable.csv; `None` when an engine won or lost everything.
fn measured(row: &CrosstableRow) -> Option<Measured> {
    Some(Measured {
        games: row.games,
        elo: row.elo.0?,
        error_95: row.elo_error_95.0,
    })
}

fn side(folder: &Path, name: String) -> Result<ComparedRun, Failure> {
    let run = Run::open(folder)?;
    if run.manifest().kind != RunKind::Tournament {
        return Err(Failure::input(
            format!("`{}` is a tuning run", folder.display()),
            "runs of matches and tournaments can be compared; `lmrlab report` takes several folders of any kind",
        ));
    }
    let (description, _) = run.description()?;
    let mut keys = BTreeMap::new();
    flatten(
        "",
        &toml::Value::Table(settings::of_tournament(&description)),
        &mut keys,
    );
    let (version, commit) = run.manifest().program();
    keys.insert(
        "lmrlab".to_owned(),
        format!("{version}, commit {}", commit.unwrap_or("unknown")),
    );
    keys.insert("bench".to_owned(), run.manifest().bench().to_string());
    keys.insert(
        "left out".to_owned(),
        run.note().unwrap_or_else(|| "nothing".to_owned()),
    );
    for file in run.manifest().files() {
        keys.insert(
            format!("{} (SHA-256)", file.path),
            file.sha256.chars().take(12).collect(),
        );
    }
    // The name is in the headings.
    for unimportant in ["name", "description", "threads"] {
        keys.remove(unimportant);
    }
    let pairings = match run.has_games() || run.manifest().part.is_some() {
        true => crosstable(&run.progress()?.tally),
        false => files::read(folder, "crosstable")?,
    };
    let title = description.name;
    let heading = match name == title || name.ends_with(&format!("/{title}")) {
        true => name,
        false => format!("{name} ({title})"),
    };
    Ok(ComparedRun {
        heading,
        keys,
        pairings,
    })
}

/// The shortest ends of these paths that differ from each other.
fn labels(folders: &[PathBuf]) -> Vec<String> {
    // `.` and links have names, too.
    let full: Vec<PathBuf> = (folders.iter())
        .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()))
        .collect();
    let end = |path: &Path, parts: usize| -> String {
        let parts: Vec<_> = path.iter().rev().take(parts).collect();
        let end: PathBuf = parts.into_iter().rev().collect();
        end.display().to_string()
    };
    let longest = full.iter().map(|path| path.iter().count()).max().unwrap_or(1);
    full.iter()
        .map(|path| {
            let differs = |parts: &usize| {
                let same = full.iter().filter(|other| end(other, *parts) == end(path, *parts));
                same.count() == 1
            };
            end(path, (1..=longest).find(differs).unwrap_or(longest))
        })
        .collect()
}

fn pairings(sides: &[ComparedRun]) -> Vec<Pairing> {
    let mut found: Vec<Pairing> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for row in &side.pairings {
            let (engine, opponent) = (row.engine.as_str(), row.opponent.as_str());
            let Some(measured) = measured(row) else {
                continue;
            };
            let of = |pairing: &Pairing, one: &str, other: &str| pairing.engine == one && pairing.opponent == other;
            // The table has each pairing from both sides. The first one counts.
            if found.iter().any(|pairing| of(pairing, opponent, engine)) {
                continue;
            }
            let place = found
                .iter()
                .position(|pairing| of(pairing, engine, opponent))
                .unwrap_or_else(|| {
                    found.push(Pairing {
                        engine: engine.to_owned(),
                        opponent: opponent.to_owned(),
                        measured: vec![None; sides.len()],
                    });
                    found.len() - 1
                });
            found[place].measured[run] = Some(measured);
        }
    }
    found.retain(|pairing| pairing.measured.iter().flatten().count() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_as_short_as_they_can_be() {
        let labels = |folders: &[&str]| labels(&folders.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(labels(&["/r/before", "/r/after"]), ["before", "after"]);
        assert_eq!(labels(&["/r/a/run", "/r/b/run", "/r/c"]), ["a/run", "b/run", "c"]);
        assert_eq!(labels(&["/r/a", "/r/a"]), ["/r/a", "/r/a"]);
        assert_eq!(labels(&["/a", "/r/a"]), ["/a", "r/a"]);
    }
}
