//! Runs side by side: what differs in their descriptions, and the results of the same engines in each.

mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lmrlab_results::differences::flatten;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::CROSSTABLE;
use lmrlab_results::manifest::RunKind;
use lmrlab_runner::record::crosstable::crosstable;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::write;

use crate::rows::Rows;

/// What one run says.
struct Side {
    /// The end of the path of its folder, long enough to distinguish it from the other runs.
    name: String,
    /// Its heading: its folder, and its own name when that is another one.
    heading: String,
    /// The keys of its description, with dots, and their values.
    keys: BTreeMap<String, String>,
    /// The lines of crosstable.csv.
    pairings: Rows,
}

/// Elo, and half the width of its 95% interval.
type Difference = (f64, Option<f64>);

/// The result of an engine against its opponent in one run.
#[derive(Clone, Copy)]
struct Measured {
    games: f64,
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
    sides: Vec<Side>,
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
            .collect::<Result<Vec<Side>, _>>()?;
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

    /// The keys that differ between runs, with a value for each run.
    fn differing(&self) -> Vec<(String, Vec<String>)> {
        let keys: BTreeSet<&String> = self.sides.iter().flat_map(|side| side.keys.keys()).collect();
        let of = |key: &String| -> Vec<String> {
            self.sides
                .iter()
                .map(|side| side.keys.get(key).cloned().unwrap_or_else(|| "-".to_owned()))
                .collect()
        };
        keys.into_iter()
            .map(|key| (key.clone(), of(key)))
            .filter(|(_, values)| values.iter().any(|value| *value != values[0]))
            .collect()
    }

    /// The lines of a CSV file, the names of its columns first: a line is a pairing in a run.
    pub fn csv(&self) -> Vec<Vec<String>> {
        let columns = "engine,opponent,run,games,elo,elo_error_95,difference,difference_error_95";
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
        let line = |names: [&str; 2], run: usize, measured: Measured, difference: Option<Difference>| {
            vec![
                names[0].to_owned(),
                names[1].to_owned(),
                self.sides[run].name.clone(),
                measured.games.to_string(),
                number(Some(measured.elo)),
                number(measured.error_95),
                number(difference.map(|(elo, _)| elo)),
                number(difference.and_then(|(_, error)| error)),
            ]
        };
        let mut lines: Vec<Vec<String>> = vec![columns.split(',').map(str::to_owned).collect()];
        for pairing in &self.pairings {
            let measured =
                (pairing.measured.iter().enumerate()).filter_map(|(run, measured)| Some((run, (*measured)?)));
            lines.extend(measured.map(|(run, measured)| {
                let names = [pairing.engine.as_str(), &pairing.opponent];
                line(names, run, measured, pairing.difference(run))
            }));
        }
        if let Some(base) = &self.base {
            lines.extend(base.variants.iter().map(|variant| {
                let names = [variant.engine.as_str(), &base.engine];
                line(names, variant.run, variant.measured, variant.difference)
            }));
        }
        lines
    }
}

impl Base {
    /// The name of the first variant.
    fn first(&self) -> &str {
        self.variants.first().map_or("", |variant| &variant.engine)
    }
}

/// The only engine that all runs have, with the opponents that only one run has. `None` when there is no such engine,
/// or when fewer than two runs have such opponents.
fn base(sides: &[Side]) -> Option<Base> {
    let engines = |side: &Side| -> BTreeSet<String> {
        let rows = side.pairings.rows.iter();
        rows.map(|row| side.pairings.cell(row, "engine").to_owned()).collect()
    };
    let all: Vec<BTreeSet<String>> = sides.iter().map(engines).collect();
    let common = all.iter().cloned().reduce(|one, other| &one & &other)?;
    let engine = Some(common.into_iter().collect::<Vec<_>>())
        .filter(|names| names.len() == 1)?
        .pop()?;
    let is_alone = |name: &str| all.iter().filter(|names| names.contains(name)).count() == 1;
    let mut variants: Vec<Variant> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for row in &side.pairings.rows {
            let (name, opponent) = (side.pairings.cell(row, "engine"), side.pairings.cell(row, "opponent"));
            if opponent == engine && is_alone(name) {
                let Some(measured) = measured(&side.pairings, row) else {
                    continue;
                };
                variants.push(Variant {
                    engine: name.to_owned(),
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
fn measured(pairings: &Rows, row: &[String]) -> Option<Measured> {
    Some(Measured {
        games: pairings.number(row, "games").unwrap_or(0.0),
        elo: pairings.number(row, "elo")?,
        error_95: pairings.number(row, "elo_error_95"),
    })
}

fn side(folder: &Path, name: String) -> Result<Side, Failure> {
    let run = Run::open(folder)?;
    if run.manifest().kind != RunKind::Tournament {
        return Err(Failure::input(
            format!("`{}` is a tuning run", folder.display()),
            "runs of matches and tournaments can be compared; `lmrlab report` takes several folders of any kind",
        ));
    }
    let (description, _) = run.description()?;
    let mut keys = BTreeMap::new();
    flatten("", &toml::Value::Table(write::tournament(&description)), &mut keys);
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
        true => Rows::of(&crosstable(&run.progress()?.tally)),
        false => Rows::read(&folder.join(CROSSTABLE.name()))?,
    };
    let title = description.name;
    let heading = match name == title || name.ends_with(&format!("/{title}")) {
        true => name.clone(),
        false => format!("{name} ({title})"),
    };
    Ok(Side {
        name,
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

fn pairings(sides: &[Side]) -> Vec<Pairing> {
    let mut found: Vec<Pairing> = Vec::new();
    for (run, side) in sides.iter().enumerate() {
        for row in &side.pairings.rows {
            let (engine, opponent) = (side.pairings.cell(row, "engine"), side.pairings.cell(row, "opponent"));
            let Some(measured) = measured(&side.pairings, row) else {
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
