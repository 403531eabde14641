//! The games of settings against the reference, from the pairs.csv of a gauntlet.

use std::collections::HashMap;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_runner::text_file::read_utf8;
use lmrlab_stats::{PairOutcome, Pentanomial};

/// The pairs of each engine against `reference`, from the engine's side.
///
/// # Errors
/// When the file cannot be read, or is no pairs.csv; with the line.
pub fn games_against(reference: &str, path: &Path, name: &str) -> Result<HashMap<String, Pentanomial>, Diagnostics> {
    // Two million pairs of games fit: more than a configuration file may have.
    let text = read_utf8(path, MAX_BYTES).map_err(|error| {
        let unreadable = Diagnostic::error(format!("cannot read `{name}`: {error}"));
        let help = "name the file `pairs.csv` of a gauntlet's folder";
        Diagnostics::new(Source::new(name, ""), vec![unreadable.help(help)])
    })?;
    parse(reference, Source::new(name, text))
}

/// A longer file is no pairs.csv.
const MAX_BYTES: u64 = 1 << 28;

fn parse(reference: &str, source: Source) -> Result<HashMap<String, Pentanomial>, Diagnostics> {
    let text = source.text.clone();
    let wrong = |line: u64, reason: String| {
        let error = Diagnostic::error(format!("this is no pairs.csv of a run: line {line}: {reason}"))
            .help("name the file `pairs.csv` of a gauntlet's folder");
        Diagnostics::new(source.clone(), vec![error])
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| wrong(1, error.to_string()))?;
    let column = |name: &str| {
        let place = headers.iter().position(|header| header == name);
        place.ok_or_else(|| wrong(1, format!("there is no column `{name}`")))
    };
    let columns = [column("first")?, column("second")?, column("score")?];
    let mut found: HashMap<String, Pentanomial> = HashMap::new();
    for (index, record) in reader.records().enumerate() {
        let line = index as u64 + 2;
        let record = record.map_err(|error| wrong(line, error.to_string()))?;
        let [first, second, score] = columns.map(|column| record.get(column).unwrap_or_default());
        let half_points = score.parse().ok().map(|score: f64| score * 2.0);
        let outcome = half_points
            .filter(|points| (0.0..=4.0).contains(points) && points.fract() == 0.0)
            .and_then(|points| PairOutcome::from_half_points(points as u8))
            .ok_or_else(|| wrong(line, format!("`{score}` is no score of a pair")))?;
        let reversed = PairOutcome::from_half_points(4 - outcome.half_points());
        let (engine, outcome) = match (first == reference, second == reference) {
            (true, false) => (second, reversed),
            (false, true) => (first, Some(outcome)),
            _ => continue,
        };
        if let Some(outcome) = outcome {
            found.entry(engine.to_owned()).or_default().record(outcome);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gauntlet of a hundred settings has tens of thousands of pairs.
    #[test]
    fn long_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.csv");
        let mut text = "pair,first,second,score\n".to_owned();
        for pair in 0..80_000 {
            text += &format!("{pair},ref,a policy with a long name,2.0\n");
        }
        assert!(text.len() > 1 << 21);
        std::fs::write(&path, text).unwrap();
        let found = games_against("ref", &path, "pairs.csv").unwrap();
        assert_eq!(found["a policy with a long name"].pairs(), 80_000);
        assert!(games_against("ref", folder.path(), "there").is_err());
    }

    #[test]
    fn pairs_are_counted_from_the_engines_side() {
        let text = "pair,first,second,score\n1,ref,a,2.0\n2,ref,a,0.5\n3,b,ref,1.5\n4,a,b,2.0\n";
        let found = parse("ref", Source::new("pairs.csv", text)).unwrap();
        assert_eq!(found["a"].counts(), [1, 0, 0, 1, 0]);
        assert_eq!(found["b"].counts(), [0, 0, 0, 1, 0]);
        assert_eq!(found.len(), 2);
        for (text, complaint) in [
            ("pair,first,second\n", "there is no column `score`"),
            ("first,second,score\nref,a,3\n", "line 2: `3` is no score of a pair"),
            ("first,second,score\nref,a,1.2\n", "line 2: `1.2` is no score of a pair"),
        ] {
            let said = parse("ref", Source::new("pairs.csv", text)).unwrap_err().to_string();
            assert!(said.contains(complaint), "{said}");
        }
    }
}
