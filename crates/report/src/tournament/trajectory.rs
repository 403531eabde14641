//! Elo and the log-likelihood ratio, pair by pair.

use lmrlab_results::number_text::{signed, unsigned};
use lmrlab_stats::Verdict;
use lmrlab_stats::race::Fate;

use super::gathered::{Course, Gathered, Known};
use crate::chart::axis::{Axis, Writing};
use crate::chart::svg::SERIES_COLOURS;
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::Section;

/// Elo over pairs, and the test's log-likelihood ratio.
pub(super) fn section(gathered: &Gathered) -> Option<Section> {
    if gathered.progress.pairs < 2 {
        return None;
    }
    let mut section = Section::new("trajectory", "Pair by pair");
    let mut courses: Vec<&Course> = gathered.courses.iter().collect();
    courses.sort_by_key(|course| std::cmp::Reverse(course.known.len()));
    let all = courses.len();
    let pairs = |course: Option<&&Course>| course.map(|course| course.known.len());
    let has_same_pairs = pairs(courses.first()) == pairs(courses.last());
    courses.truncate(SERIES_COLOURS);
    if all > courses.len() {
        section.say(which_are_drawn(courses.len(), all, has_same_pairs));
    }
    section.draw(elo(gathered, &courses));
    if let Some(picture) = gathered.courses.first().and_then(|course| llr(gathered, course)) {
        section.draw(picture);
    }
    Some(section)
}

fn which_are_drawn(drawn: usize, all: usize, has_same_pairs: bool) -> String {
    match has_same_pairs {
        true => format!("{drawn} of the {all} pairings are drawn; the cross table has all."),
        false => format!("Of the {all} pairings the {drawn} with the most pairs are drawn; the cross table has all."),
    }
}

fn name(course: &Course) -> String {
    format!("{} against {}", course.first, course.second)
}

fn elo(gathered: &Gathered, courses: &[&Course]) -> Picture {
    let with_bands = courses.len() <= 2;
    let longest = courses.iter().map(|course| course.known.len()).max().unwrap_or(0);
    // The first estimates are far off. The range of the axis is that of the later ones.
    let settled = |course: &Course| {
        course
            .known
            .iter()
            .skip((longest / 10).clamp(5, 200))
            .copied()
            .collect::<Vec<Known>>()
    };
    let ends = courses.iter().flat_map(|course| {
        settled(course).into_iter().flat_map(|known| {
            let error = known.error_95.filter(|_| with_bands).unwrap_or(0.0);
            known.elo.map_or([f64::NAN; 2], |elo| [elo - error, elo + error])
        })
    });
    let mut layers = vec![];
    let mut said = Vec::new();
    for (series, course) in courses.iter().enumerate() {
        let known = || {
            course
                .known
                .iter()
                .filter_map(|known| Some((known.pairs as f64, known.elo?, known.error_95)))
        };
        if with_bands {
            let band = known().filter_map(|(pairs, elo, error)| Some((pairs, elo - error?, elo + error?)));
            layers.push(Layer::Band(series, band.collect()));
        }
        layers.push(Layer::Line(
            series,
            known().map(|(pairs, elo, _)| (pairs, elo)).collect(),
        ));
        let Some((pairs, elo, error)) = known().next_back() else {
            continue;
        };
        let end = ending(gathered, course);
        let error_text = unsigned(error, 1);
        let last = format!(
            "{}: {} ± {error_text} after {pairs} pairs{end}",
            name(course),
            signed(Some(elo), 1)
        );
        layers.push(Layer::Points(
            series,
            vec![Point {
                at: (pairs, elo),
                along: error
                    .filter(|_| !with_bands && courses.len() <= 3)
                    .map(|error| (elo - error, elo + error)),
                hover: last.clone(),
                ..Point::default()
            }],
        ));
        said.push(last);
    }
    layers.insert(0, Layer::Level(0.0, "even".to_owned()));
    let legend = courses
        .iter()
        .enumerate()
        .map(|(series, course)| (series, format!("{}{}", name(course), ending(gathered, course))));
    let note = match courses.len() {
        0..=2 => "Bands: 95% intervals.",
        3 => "Bars at the last pair: 95% intervals.",
        _ => "Intervals at the end are in the cross table.",
    };
    Chart {
        id: "elo".to_owned(),
        title: match courses {
            [course] => format!("Elo of {} over the pairs played", name(course)),
            _ => "Elo of each pairing over its pairs".to_owned(),
        },
        description: format!("{}.", said.join("; ")),
        x: Axis::from_zero("pairs of the pairing", [longest as f64]),
        y: Axis::linear("Elo of the first engine", ends.chain([0.0])).written(Writing::Signed),
        height: 270.0,
        legend: legend.collect(),
        note: note.to_owned(),
        layers,
    }
    .draw()
}

/// The engine of the pairing that left the race first: this is why the pairing has fewer pairs than others.
fn ending(gathered: &Gathered, course: &Course) -> String {
    let progress = &gathered.progress;
    let Some(race) = &progress.race else {
        return String::new();
    };
    let names = progress.tally.names().iter().enumerate();
    let left = names
        .filter(|(_, name)| [&course.first, &course.second].contains(name))
        .filter_map(|(engine, name)| match race.fate(engine) {
            Fate::Dropped { rounds } => Some((rounds, format!(", until {name} was dropped"))),
            Fate::Accepted { rounds } if race.baseline.is_some() => {
                Some((rounds, format!(", until {name} was accepted")))
            }
            _ => None,
        });
    left.min_by_key(|(rounds, _)| *rounds)
        .map_or_else(String::new, |(_, text)| text)
}

/// The test's log-likelihood ratio between its bounds.
fn llr(gathered: &Gathered, course: &Course) -> Option<Picture> {
    let progress = &gathered.progress;
    let sprt = progress.sprt?;
    let (lower, upper) = sprt.bounds();
    let points: Vec<(f64, f64)> = (course.known.iter())
        .filter_map(|known| Some((known.pairs as f64, known.llr?)))
        .collect();
    let last = *points.last()?;
    let verdict = match progress.verdict() {
        Some(Verdict::AcceptH1) => "accepted",
        Some(Verdict::AcceptH0) => "rejected",
        _ => "no verdict yet",
    };
    let values = points
        .iter()
        .map(|(_, llr)| *llr)
        .chain([lower, upper])
        .collect::<Vec<f64>>();
    let at_end = format!("{verdict} after {} pairs at {:.2}", last.0, last.1);
    Some(
        Chart {
            id: "llr".to_owned(),
            title: format!("The test of {} against {}: {verdict}", sprt.elo0(), sprt.elo1()),
            description: format!("The log-likelihood ratio runs between {lower:.2} and {upper:.2}: {at_end}."),
            x: Axis::from_zero("pairs", [last.0]),
            y: Axis::linear("log-likelihood ratio", values),
            height: 230.0,
            legend: Vec::new(),
            note: "The test ends where the line meets a bound.".to_owned(),
            layers: vec![
                Layer::Level(upper, format!("accepted at {upper:.2}: stronger than {}", sprt.elo0())),
                Layer::Level(
                    lower,
                    format!("rejected at {lower:.2}: not stronger by {}", sprt.elo1()),
                ),
                Layer::Line(0, points),
                Layer::Points(
                    0,
                    vec![Point {
                        at: last,
                        hover: at_end,
                        label: Some(verdict.to_owned()),
                        ..Point::default()
                    }],
                ),
            ],
        }
        .draw(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_are_said_to_have_the_most_pairs_only_when_others_have_fewer() {
        assert_eq!(
            which_are_drawn(7, 10, true),
            "7 of the 10 pairings are drawn; the cross table has all."
        );
        assert!(which_are_drawn(7, 10, false).starts_with("Of the 10 pairings the 7 with the most pairs"));
    }
}
