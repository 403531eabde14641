//! What engines searched: nodes and depth, move by move.

use lmrlab_runner::tournament::description::Description;

use super::gathered::{Gathered, Searches};
use crate::chart::axis::Axis;
use crate::chart::svg::SERIES_COLOURS;
use crate::chart::{Chart, Layer, Picture};
use crate::page::Section;

/// A mean of fewer searches is not shown.
const FEWEST_SEARCHES: u64 = 30;

/// Depth and nodes by the number of the move.
pub(super) fn section(gathered: &Gathered, description: &Description) -> Option<Section> {
    let names = gathered.progress.tally.names();
    let played: Vec<usize> = (0..names.len())
        .filter(|engine| gathered.efforts[*engine][0].count > 0)
        .collect();
    if played.is_empty() {
        return None;
    }
    let mut section = Section::new("searches", "Searches");
    if played.len() > SERIES_COLOURS {
        section.say(format!(
            "The first {SERIES_COLOURS} engines are drawn; the standings have the means of all."
        ));
    }
    let drawn: Vec<(usize, &str, &[Searches])> = (played.iter().take(SERIES_COLOURS).enumerate())
        .map(|(series, engine)| (series, names[*engine].as_str(), &*gathered.efforts[*engine]))
        .collect();
    let depth = |sums: &Searches| sums.depths as f64 / sums.count as f64;
    let nodes = |sums: &Searches| sums.nodes as f64 / sums.count as f64;
    section.draw(curves(
        "depth",
        "Mean depth of a search by the number of the move",
        "depth (plies)",
        &drawn,
        depth,
    ));
    let fixed = (0..names.len()).all(|engine| {
        matches!(
            description.terms_of(engine).limit,
            lmrlab_runner::game::limit::Limit::Nodes(_)
        )
    });
    if !fixed {
        section.draw(curves(
            "nodes",
            "Mean nodes of a search by the number of the move",
            "nodes",
            &drawn,
            nodes,
        ));
    }
    Some(section)
}

/// The first moves that have enough searches each.
fn enough(searches: &[Searches]) -> impl Iterator<Item = &Searches> {
    searches.iter().take_while(|sums| sums.count >= FEWEST_SEARCHES)
}

fn curves(
    id: &str,
    title: &str,
    axis: &str,
    engines: &[(usize, &str, &[Searches])],
    value: impl Fn(&Searches) -> f64,
) -> Picture {
    let mut layers = Vec::new();
    let mut values = Vec::new();
    let mut said = Vec::new();
    for (series, name, searches) in engines {
        let means = enough(searches).enumerate();
        let points: Vec<(f64, f64)> = means.map(|(index, sums)| ((index + 1) as f64, value(sums))).collect();
        values.extend(points.iter().map(|(_, value)| *value));
        if let (Some(first), Some(last)) = (points.first(), points.last()) {
            said.push(format!(
                "{name}: {:.1} at move {}, {:.1} at move {}",
                first.1, first.0, last.1, last.0
            ));
        }
        layers.push(Layer::Line(*series, points));
    }
    let moves = engines.iter().map(|(_, _, searches)| enough(searches).count() as f64);
    Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        description: format!("{}.", said.join("; ")),
        x: Axis::from_zero("own moves after the opening", moves),
        y: Axis::from_zero(axis, values),
        height: 210.0,
        legend: engines
            .iter()
            .map(|(series, name, _)| (*series, (*name).to_owned()))
            .collect(),
        note: format!("Means of at least {FEWEST_SEARCHES} searches."),
        layers,
    }
    .draw()
}
