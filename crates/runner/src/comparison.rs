//! Runs side by side: what differs in their descriptions, and the results of the same engines in each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::differences::flatten;
use lmrlab_results::manifest::RunKind;
use lmrlab_results::number_text::elo_plus_minus;
use lmrlab_results::outcome::picture::{Intervals, Line, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section, files};
use lmrlab_results::paths::portable;
use lmrlab_results::rows::comparison::{ComparedKey, ComparedRow};
use lmrlab_results::rows::standings::CrosstableRow;
use lmrlab_results::tables;

use crate::record::crosstable::crosstable;
use crate::run::Run;
use crate::tournament::keys;

/// What one run says.
struct ComparedRun {
    /// Its folder, and its own name when that is another one.
    heading: String,
    /// The keys of its description, with dots, and their values.
    keys: BTreeMap<String, String>,
    /// The lines of crosstable.csv.
    results: Vec<CrosstableRow>,
}

impl ComparedRun {
    /// The line of a result, with its difference from that of `first`. The runs are taken as independent, so the variance of
    /// the difference is the sum of both.
    fn row(&self, result: &CrosstableRow, first: Option<&CrosstableRow>) -> ComparedRow {
        let difference = first.and_then(|first| Some(result.elo.0? - first.elo.0?));
        let error = first.and_then(|first| Some(result.elo_error_95.0?.hypot(first.elo_error_95.0?)));
        ComparedRow {
            engine: result.engine.clone(),
            opponent: result.opponent.clone(),
            run: self.heading.clone(),
            games: result.games,
            elo: result.elo,
            elo_error_95: result.elo_error_95,
            difference: difference.into(),
            difference_error_95: error.into(),
        }
    }
}

/// Elo, and half the width of its 95% interval.
type Difference = (f64, Option<f64>);

tables! {
    /// The files of a comparison: pairings of several runs, engines by their games against the same one, what differs.
    ComparisonTables {
        pairings: Vec<ComparedRow>,
        variants: Vec<ComparedRow>,
        keys: Vec<ComparedKey>,
    }
}

/// Why the error of a difference between variants is that of both runs.
const INDEPENDENT: &str =
    "The runs are taken as independent games: the error of a difference is that of both runs together.";

impl ComparisonTables {
    /// Reads the runs of these folders.
    ///
    /// # Errors
    /// When one of them is no tournament or cannot be read. Also when nothing is in more than one run: neither two
    /// engines that played each other, nor an engine that others played.
    pub fn of(folders: &[PathBuf]) -> Result<Self, Failure> {
        let runs = folders.iter().map(|folder| compared(folder));
        let runs = runs.collect::<Result<Vec<ComparedRun>, _>>()?;
        let pairings = pairings(&runs);
        let variants = variants(&runs).unwrap_or_default();
        if pairings.is_empty() && variants.is_empty() {
            return Err(Failure::input(
                "these runs have no engine in common, or several but no two that played each other in more than one run",
                "a comparison needs runs in which engines of the same names play each other, or in which different engines play \
                 the same one",
            ));
        }
        Ok(Self {
            pairings,
            variants,
            keys: differing(&runs),
        })
    }

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
        let text = |(elo, error): Difference| format!("{} Elo", elo_plus_minus(Some(elo), error));
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

/// The keys that differ between runs, with the value of each run.
fn differing(runs: &[ComparedRun]) -> Vec<ComparedKey> {
    let keys: BTreeSet<&String> = runs.iter().flat_map(|run| run.keys.keys()).collect();
    let value = |run: &ComparedRun, key: &String| run.keys.get(key).map_or("-", String::as_str).to_owned();
    let differs = |key: &&String| runs.iter().any(|run| value(run, key) != value(&runs[0], key));
    let row = |key: &String, run: &ComparedRun| ComparedKey {
        key: key.clone(),
        run: run.heading.clone(),
        value: value(run, key),
    };
    let differing = keys.into_iter().filter(differs);
    differing
        .flat_map(|key| runs.iter().map(move |run| row(key, run)))
        .collect()
}

/// Whether an engine neither won nor lost everything.
fn has_elo(result: &&CrosstableRow) -> bool {
    result.elo.0.is_some()
}

/// The results of engines that played each other in more than one run, each with its difference from the first.
fn pairings(runs: &[ComparedRun]) -> Vec<ComparedRow> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for result in runs.iter().flat_map(|run| &run.results).filter(has_elo) {
        let (engine, opponent) = (result.engine.as_str(), result.opponent.as_str());
        // The table has each pairing from both sides. The first one counts.
        if !names.contains(&(engine, opponent)) && !names.contains(&(opponent, engine)) {
            names.push((engine, opponent));
        }
    }
    let mut rows = Vec::new();
    for (engine, opponent) in names {
        let of_pairing = |result: &&CrosstableRow| result.engine == engine && result.opponent == opponent;
        let found = runs
            .iter()
            .map(|run| (run, run.results.iter().filter(has_elo).find(of_pairing)));
        let found: Vec<_> = found.filter_map(|(run, result)| Some((run, result?))).collect();
        if let [(run, first), others @ ..] = &found[..]
            && !others.is_empty()
        {
            rows.push(run.row(first, None));
            rows.extend(others.iter().map(|(run, result)| run.row(result, Some(first))));
        }
    }
    rows
}

/// The results against the only engine that all runs have, of engines that only one run has. Each has its difference from the
/// first. `None` when there is no such engine, or when fewer than two runs have such opponents.
fn variants(runs: &[ComparedRun]) -> Option<Vec<ComparedRow>> {
    let engines =
        |run: &ComparedRun| -> BTreeSet<String> { run.results.iter().map(|row| row.engine.clone()).collect() };
    let all: Vec<BTreeSet<String>> = runs.iter().map(engines).collect();
    let common = all.iter().cloned().reduce(|one, other| &one & &other)?;
    let base = common.first().filter(|_| common.len() == 1)?;
    let is_alone = |name: &str| all.iter().filter(|names| names.contains(name)).count() == 1;
    let results = runs
        .iter()
        .flat_map(|run| run.results.iter().filter(has_elo).map(move |result| (run, result)));
    let variants: Vec<_> = results
        .filter(|(_, result)| result.opponent == *base && is_alone(&result.engine))
        .collect();
    let [(run, first), others @ ..] = &variants[..] else {
        return None;
    };
    if others.iter().all(|(other, _)| std::ptr::eq(*other, *run)) {
        return None;
    }
    let others = others.iter().map(|(run, result)| run.row(result, Some(first)));
    Some(std::iter::once(run.row(first, None)).chain(others).collect())
}

fn compared(folder: &Path) -> Result<ComparedRun, Failure> {
    let run = Run::open(folder)?;
    if run.manifest().kind != RunKind::Tournament {
        return Err(Failure::input(
            format!("`{}` is a tuning run", folder.display()),
            "runs of matches and tournaments can be compared; `lmrlab report` takes several folders of any kind",
        ));
    }
    let (description, _) = run.description()?;
    let mut keys = BTreeMap::new();
    flatten("", &toml::Value::Table(keys::of_tournament(&description)), &mut keys);
    let manifest = run.manifest();
    let commit = manifest.commit.as_deref().unwrap_or("unknown");
    keys.insert("lmrlab".to_owned(), format!("{}, commit {commit}", manifest.lmrlab));
    keys.insert("bench".to_owned(), manifest.bench.to_string());
    keys.insert(
        "left out".to_owned(),
        run.note().unwrap_or_else(|| "nothing".to_owned()),
    );
    for file in &manifest.file {
        keys.insert(
            format!("{} (SHA-256)", file.path),
            file.sha256.chars().take(12).collect(),
        );
    }
    // The name is in the headings.
    for unimportant in ["name", "description", "threads"] {
        keys.remove(unimportant);
    }
    let results = match run.has_games() || run.manifest().part.is_some() {
        true => crosstable(&run.progress()?.tally),
        false => files::read(folder, "crosstable")?,
    };
    let (name, title) = (portable(folder), description.name);
    let heading = match folder.ends_with(&title) {
        true => name,
        false => format!("{name} ({title})"),
    };
    Ok(ComparedRun { heading, keys, results })
}
