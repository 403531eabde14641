//! The page of a screen: what a model predicts for each policy, or what their games say, and the measures behind it.

use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::signed;
use maud::html;

use super::dots::{Dot, Dots, Line, MOST_LINES};
use super::file::LabFile;
use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Picture, Point};
use crate::page::{Page, Section};
use crate::rows::Shown;
use crate::table::printable;

/// The columns that only this file has together.
pub(super) const SIGN: [&str; 3] = ["policy", "loss_difference", "depth_difference"];

/// The prediction and the ends of its interval.
const PREDICTED: [&str; 3] = ["predicted_elo", "predicted_elo_low_80", "predicted_elo_high_80"];

/// What games say.
const PLAYED: [&str; 2] = ["elo", "elo_error_95"];

/// The measures that are drawn against the Elo of games: column, what it is, unit, picture.
const MEASURES: [(&str, &str, &str, &str); 2] = [
    ("depth_difference", "depth at equal nodes", "plies", "elo-by-depth"),
    (
        "loss_difference",
        "loss of the chosen moves",
        "percent of a game",
        "elo-by-loss",
    ),
];

/// The page.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.needs("screen", &SIGN)?;
    file.numbers(&MEASURES.map(|(column, ..)| column))?;
    let mut sections = Vec::new();
    let mut verdict = Vec::new();
    if file.has(&PREDICTED) {
        file.numbers(&PREDICTED)?;
        let dots = predicted(file);
        verdict.push(said(&dots));
        let mut section = Section::new("predicted", "Predicted Elo");
        section.draw(picture(&dots));
        sections.push(section);
    }
    if file.has(&PLAYED) {
        file.numbers(&PLAYED)?;
        verdict.push(format!(
            "{} policies have played games; the pictures have what a cheap measure says of them.",
            file.rows.rows.len()
        ));
        let mut section = Section::new("played", "Elo of games, by cheap measures");
        for measure in MEASURES {
            section.draw(against(file, measure));
        }
        sections.push(section);
    }
    let mut section = Section::new("table", "All numbers");
    section.add(file.table(&[
        Shown::new("policy", "Policy", ""),
        Shown::new(
            "family",
            "Family",
            "policies that were left out together when the model was tried",
        ),
        Shown::new("predicted_elo", "Predicted Elo", ""),
        Shown::new(
            "predicted_elo_low_80",
            "from",
            "low end of the 80% interval of the prediction",
        ),
        Shown::new(
            "predicted_elo_high_80",
            "to",
            "high end of the 80% interval of the prediction",
        ),
        Shown::new("elo", "Elo", "of games against logarithm"),
        Shown::new("elo_error_95", "±95%", "half the width of the 95% interval of Elo"),
    ]));
    sections.push(section);
    Ok(Page {
        title: "Screened policies".to_owned(),
        subtitle: format!("{}: {} policies", file.name, file.rows.rows.len()),
        verdict: html! { @for sentence in &verdict { p { (sentence) } } },
        sections,
        reload_seconds: None,
    })
}

/// The predictions, the best first.
fn predicted(file: &LabFile) -> Vec<Dot> {
    let dot = |row: &Vec<String>| {
        let [value, low, high] = PREDICTED.map(|column| file.rows.number(row, column));
        let (value, low, high) = (value?, low?, high?);
        let name = printable(file.rows.cell(row, "policy"));
        let elo = |value: f64| signed(Some(value), 1);
        Some(Dot {
            hover: format!("{name}: {} Elo, 80% interval {} to {}", elo(value), elo(low), elo(high)),
            name,
            value,
            interval: Some((low, high)),
            series: 0,
        })
    };
    let mut dots: Vec<Dot> = file.rows.rows.iter().filter_map(dot).collect();
    dots.sort_by(|one, other| other.value.total_cmp(&one.value));
    dots
}

/// Which policies an interval clears, in a sentence.
fn said(dots: &[Dot]) -> String {
    let names = |is_one: &dyn Fn(f64, f64) -> bool| -> Vec<&str> {
        let of = |dot: &Dot| dot.interval.is_some_and(|(low, high)| is_one(low, high));
        dots.iter().filter(|dot| of(dot)).map(|dot| dot.name.as_str()).collect()
    };
    let (worse, better) = (names(&|_, high| high < 0.0), names(&|low, _| low > 0.0));
    let open = dots.len() - worse.len() - better.len();
    format!(
        "{} predicted to be better, {} worse; the intervals of {open} include 0.",
        better.len(),
        worse.len()
    )
}

fn picture(dots: &[Dot]) -> Picture {
    let shown = &dots[..dots.len().min(MOST_LINES)];
    let ends = shown.iter().filter_map(|dot| dot.interval);
    let described: Vec<&str> = shown.iter().map(|dot| dot.hover.as_str()).collect();
    let lines: Vec<Line> = shown.iter().cloned().map(Line::Value).collect();
    let left_out = match dots.len() - shown.len() {
        0 => String::new(),
        more => format!(" The {more} policies with the lowest predictions are in the table."),
    };
    Dots {
        id: "predicted-elo".to_owned(),
        title: "Predicted Elo, without a game".to_owned(),
        description: described.join("; "),
        note: format!("Bars: 80% intervals.{left_out}"),
        x: Axis::linear("predicted Elo", ends.flat_map(|(low, high)| [low, high, 0.0])).written(Writing::Signed),
        names: "policy".to_owned(),
        legend: Vec::new(),
        upright: Some((0.0, "no difference".to_owned())),
    }
    .draw(&lines)
}

/// The Elo of games against a measure.
fn against(file: &LabFile, (column, what, unit, id): (&str, &str, &str, &str)) -> Picture {
    let numbers = |row: &Vec<String>| {
        let name = printable(file.rows.cell(row, "policy"));
        let (measure, elo) = (file.rows.number(row, column)?, file.rows.number(row, "elo")?);
        Some((name, measure, elo, file.rows.number(row, "elo_error_95")))
    };
    let known: Vec<_> = file.rows.rows.iter().filter_map(numbers).collect();
    let elo_of = |value: f64| signed(Some(value), 1);
    let point = |(name, measure, elo, error): &(String, f64, f64, Option<f64>)| Point {
        at: (*measure, *elo),
        along: error.map(|error| (elo - error, elo + error)),
        hover: format!("{name}: {measure}, {} Elo", elo_of(*elo)),
        // Of a variant the name is long.
        label: (!name.contains('@')).then(|| name.clone()),
        ..Point::default()
    };
    let y = known.iter().flat_map(|(_, _, elo, error)| {
        let error = error.unwrap_or(0.0);
        [elo - error, elo + error, 0.0]
    });
    Chart {
        id: id.to_owned(),
        title: format!("Elo of games by {what}"),
        description: format!("{} policies", known.len()),
        x: Axis::linear(
            format!("{what}, more than logarithm ({unit})"),
            known.iter().map(|(_, measure, ..)| *measure),
        ),
        y: Axis::linear("Elo against logarithm", y).written(Writing::Signed),
        height: 420.0,
        legend: Vec::new(),
        note: "Bars: 95% intervals. A name without room shows when its point is pointed at.".to_owned(),
        layers: vec![
            Layer::Level(0.0, String::new()),
            Layer::Upright(0.0, String::new()),
            Layer::Points {
                series: 0,
                points: known.iter().map(point).collect(),
            },
        ],
    }
    .draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_of(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("screen.csv");
        std::fs::write(&path, text).unwrap();
        Page::joined(vec![page(&LabFile::read(&path).unwrap()).unwrap()]).html()
    }

    #[test]
    fn predictions_are_sorted_and_counted() {
        let html = page_of(
            "family,policy,loss_difference,depth_difference,predicted_elo,predicted_elo_low_80,predicted_elo_high_80\n\
             ,worse,0.5,-0.2,-30,-50,-10\n,open,0.1,0.1,3,-18,24\n,better,-0.5,0.6,40,20,60\n",
        );
        assert!(
            html.contains("1 predicted to be better, 1 worse; the intervals of 1 include 0."),
            "{html}"
        );
        let places = ["better: +40.0 Elo", "open: +3.0 Elo", "worse: -30.0 Elo"].map(|text| html.find(text).unwrap());
        assert!(places.is_sorted(), "{places:?}");
        assert!(!html.contains("Elo of games"));
    }

    #[test]
    fn settings_that_have_played_show_their_games() {
        let html = page_of(
            "family,policy,n_ll,n_ld,n_dd_wl,n_wd,n_ww,elo,elo_error_95,loss_difference,depth_difference\n\
             f,one,1,2,3,4,5,20.5,60,0.5,-0.2\nf,two,1,1,1,1,1,0,,0.1,0.1\n",
        );
        assert!(html.contains("2 policies have played games"), "{html}");
        assert!(html.contains("one: -0.2, +20.5 Elo") && html.contains("two: 0.1, +0.0 Elo"));
        assert!(!html.contains("Predicted Elo, without a game"));
    }
}
