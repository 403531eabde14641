//! The runs that a page cites, and whether the page says so when another search played them.

use lmrlab_engine::bench::FINGERPRINT;

use super::Page;
use super::published::{FOLDER, Published};

/// The runs of another search that a page cites without a note about it, with the line of each. The note is the words
/// `bench NUMBER` in the same section.
pub fn of_another_search(page: &Page, published: &Published) -> Vec<String> {
    let mut problems = Vec::new();
    for (line, path) in page.cited.iter().cloned().chain(paths(&page.text)) {
        match published.bench(&path) {
            Ok(FINGERPRINT) => {}
            Ok(bench) if section(&page.text, line).contains(&format!("bench {bench}")) => {}
            Ok(bench) => problems.push(format!(
                "{line}: `{path}` was played by another search; the section does not say `bench {bench}`"
            )),
            Err(error) => problems.push(format!("{line}: {error}")),
        }
    }
    problems
}

/// The published files and folders that the text of a page names.
fn paths(text: &str) -> Vec<(usize, String)> {
    let mut cited = Vec::new();
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
    cited
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
        assert_eq!(paths(text), [(2, "x/trial.csv".to_owned()), (4, "y".to_owned())]);
        assert_eq!(section(text, 2), "# A\nsee results/published/x/trial.csv.");
        assert!(section(text, 4).contains("bench 7"));
    }
}
