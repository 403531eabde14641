//! The runs that a page cites, and whether the page says so when another search played them.

use lmrlab_engine::bench::FINGERPRINT;

use super::marks;
use super::published::{FOLDER, Published};
use super::table;

/// The runs of another search that a page cites without a note about it, with the line of each. The note is the words
/// `bench NUMBER` in the same section.
///
/// # Errors
/// When a mark cannot be read.
pub fn of_another_search(text: &str, published: &Published) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    for (line, path) in cited(text)? {
        match published.bench(&path) {
            Ok(FINGERPRINT) => {}
            Ok(bench) if section(text, line).contains(&format!("bench {bench}")) => {}
            Ok(bench) => problems.push(format!(
                "{line}: `{path}` was played by another search; the section does not say `bench {bench}`"
            )),
            Err(error) => problems.push(format!("{line}: {error}")),
        }
    }
    Ok(problems)
}

/// The published files and folders that a page cites, by marks and by paths in its text.
fn cited(text: &str) -> Result<Vec<(usize, String)>, String> {
    let mut cited = Vec::new();
    for (line, words) in marks::words(text)? {
        cited.extend(table::files(&words).map(|file| (line, file.to_owned())));
    }
    for (index, line) in text.lines().enumerate() {
        for rest in line.split(&format!("{FOLDER}/")).skip(1) {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
            let path: String = rest.chars().take_while(|c| is_part(*c)).collect();
            let path = path.trim_end_matches(['.', '/']);
            if !path.is_empty() && path != "README.md" && path != "sources.toml" && !path.starts_with("commands") {
                cited.push((index + 1, path.to_owned()));
            }
        }
    }
    Ok(cited)
}

/// The text between the headings around a line.
fn section(text: &str, line: usize) -> String {
    let is_heading = |text: &&str| text.starts_with('#');
    let lines: Vec<&str> = text.lines().collect();
    let (before, after) = lines.split_at(line.min(lines.len()));
    let from = before.iter().rposition(is_heading).unwrap_or(0);
    let to = after.iter().position(is_heading).unwrap_or(after.len());
    [&before[from..], &after[..to]].concat().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_citations() {
        let text = "# A\nsee results/published/x/trial.csv.\n## B\nbench 7 in [y](../results/published/y).\n## C\n";
        let found = cited(text).unwrap();
        assert_eq!(found, [(2, "x/trial.csv".to_owned()), (4, "y".to_owned())]);
        assert_eq!(section(text, 2), "# A\nsee results/published/x/trial.csv.");
        assert!(section(text, 4).contains("bench 7"));
    }
}
