//! Writes docs/ideas.md from the library.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::games::GAMES_BENCH;
use super::library::KnownIdea;
use super::reported::{FORECAST_LEVEL, forecast_text, mean_text};

/// What stands before the tables.
const OPENING: &str = include_str!("opening.md");

/// The page as Markdown: docs/ideas.md.
pub fn markdown(ideas: &[KnownIdea]) -> String {
    let mut text = OPENING.to_owned();
    let found = ideas.iter().filter_map(|idea| Some((idea, idea.idea.found.as_ref()?)));
    for (number, (idea, found)) in found.enumerate() {
        if number == 0 {
            let _ = write!(
                text,
                "\n## What our games have shown\n\nIn the search of bench {GAMES_BENCH}:\n\n"
            );
        }
        let _ = writeln!(text, "- `{}`: {found}", idea.name);
    }
    let mut by_category: BTreeMap<&str, Vec<&KnownIdea>> = BTreeMap::new();
    for idea in ideas {
        by_category.entry(&idea.idea.category).or_default().push(idea);
    }
    for (category, ideas) in by_category {
        let mut letters = category.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let title: String = first.into_iter().chain(letters).collect();
        let _ = write!(
            text,
            "\n## {title}\n\n| idea | what it does | mean of the reports | in another engine, {:.0}% | reports |\n|---|---|---|---|---|\n",
            100.0 * FORECAST_LEVEL
        );
        for idea in ideas {
            let links: Vec<String> = idea
                .reports
                .iter()
                .map(|report| format!("[{}]({})", report.engine, report.url))
                .collect();
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} |",
                idea.name,
                idea.idea.sentence,
                mean_text(&idea.row).unwrap_or_default(),
                forecast_text(&idea.row).unwrap_or_default(),
                links.join(", ")
            );
        }
    }
    text
}
