//! How games ended, and which engines ended them by faults.

use maud::html;

use lmrlab_results::number_text::percent;

use super::gathered::{Gathered, Results};
use crate::chart::axis::Axis;
use crate::chart::{Bar, Chart, Layer};
use crate::page::Section;
use crate::table::{Column, Table, printable};

/// Most lines of the table of faults.
const MOST_LINES: usize = 200;

/// How games ended.
pub(super) fn section(gathered: &Gathered) -> Option<Section> {
    let games = gathered.games();
    if games == 0 {
        return None;
    }
    let mut endings: Vec<(String, Results)> = gathered
        .endings
        .iter()
        .map(|(name, results)| (name.replace('_', " "), *results))
        .collect();
    endings.sort_by_key(|(_, results)| std::cmp::Reverse(results.games()));
    let mut section = Section::new("endings", "How games ended");
    let share = |count: u64| percent(Some(count as f64 / games as f64));
    let said = |(name, results): &(String, Results)| format!("{name} {}", share(results.games()));
    let parts = |results: &Results| [(0, results.white), (6, results.draws), (1, results.black)];
    let words = ["won by White", "drawn", "won by Black"];
    let layers = [0, 1, 2].map(|part| {
        let bars = endings.iter().enumerate().map(|(index, (name, results))| {
            let before: u64 = parts(results)[..part].iter().map(|(_, count)| count).sum();
            let (_, count) = parts(results)[part];
            Bar {
                x: (before as f64, (before + count) as f64),
                y: (index as f64 - 0.36, index as f64 + 0.36),
                hover: format!(
                    "{name}: {count} {} of {} ({})",
                    words[part],
                    results.games(),
                    share(results.games())
                ),
                text: if part == 2 {
                    format!("{} ({})", results.games(), share(results.games()))
                } else {
                    String::new()
                },
            }
        });
        Layer::Bars(parts(&Results::default())[part].0, bars.collect())
    });
    let most = endings.first().map_or(0, |(_, results)| results.games());
    section.draw(
        Chart {
            id: "endings".to_owned(),
            title: format!("Why {games} games ended"),
            description: format!("{}.", endings.iter().map(said).collect::<Vec<_>>().join(", ")),
            x: Axis::exact("games", (0.0, most.max(1) as f64 * 1.22)),
            y: Axis::names("", endings.iter().map(|(name, _)| name.clone()).collect()).reversed(),
            height: 26.0 * endings.len() as f64 + 16.0,
            legend: parts(&Results::default())
                .iter()
                .zip(words)
                .map(|((series, _), word)| (*series, word.to_owned()))
                .collect(),
            note: String::new(),
            layers: layers.to_vec(),
        }
        .draw(),
    );
    Some(section)
}

/// Games that faults of engines ended.
pub(super) fn faults(gathered: &Gathered) -> Option<Section> {
    if gathered.faults.is_empty() {
        return None;
    }
    let mut section = Section::new("faults", "Faults");
    let columns = [
        Column::numbers("Game"),
        Column::words("Engine"),
        Column::words("Fault"),
        Column::numbers("Moves"),
        Column::words("What it did"),
    ];
    let mut table = Table::new(columns);
    for fault in gathered.faults.iter().take(MOST_LINES) {
        table.push_markup([
            html! { a href={ "#game=" (fault.game) "&ply=" (fault.plies) } { (fault.game) } },
            html! { (printable(&fault.engine)) },
            html! { (fault.termination.name().replace('_', " ")) },
            html! { (fault.plies.div_ceil(2)) },
            html! { (printable(&fault.what)) },
        ]);
    }
    let all = gathered.faults.len();
    section.say(format!(
        "{all} of {} games were ended by faults of engines.",
        gathered.games()
    ));
    section.add(table.markup());
    if all > MOST_LINES {
        section.say(format!(
            "The first {MOST_LINES} are listed; games.csv has all, with the reason in `fault`."
        ));
    }
    Some(section)
}
