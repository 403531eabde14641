//! The page of `audit --curves`: what each reduction would have missed and cost.

use std::collections::BTreeMap;

use lmrlab_results::failure::Failure;
use lmrlab_results::lab_rows::CurveRow;
use lmrlab_results::number_text::percent;
use maud::html;

use super::dots::{Dot, Dots, Line};
use super::file::LabFile;
use super::measures::{Known, ratio_axis};
use crate::chart::axis::{Axis, Writing, grouped};
use crate::chart::{Chart, Layer, Picture};
use crate::page::{Page, Section};
use crate::table::in_plies;

/// The kinds of nodes, and what they are called.
const KINDS: [(&str, &str); 4] = [
    ("root", "root"),
    ("pv", "principal variation"),
    ("cut", "expected to fail high"),
    ("all", "expected to fail low"),
];
/// The greatest reduction of a picture, in plies.
const MOST_PLIES: usize = 8;
/// The least number of moves that raise alpha behind a point.
const LEAST_RAISING: u64 = 30;
/// The reduction at which flags are compared, in plies.
const COMPARED: usize = 2;
/// The most flags that are drawn.
const MOST_FLAGS: usize = 14;

/// Moves with one reduction.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    raising: u64,
    raising_weight: f64,
    missed_weight: f64,
    nodes: f64,
    full_nodes: f64,
}

impl Sums {
    /// Of the moves that raise alpha at full depth, the share that does not with the reduction.
    fn missed(&self) -> Option<f64> {
        (self.raising >= LEAST_RAISING).then(|| self.missed_weight / self.raising_weight)
    }

    fn nodes(&self) -> Option<f64> {
        (self.raising >= LEAST_RAISING && self.full_nodes > 0.0).then(|| self.nodes / self.full_nodes)
    }

    fn add(&mut self, curve: &Curve<'_>, plies: usize) {
        let (Some(raises), Some(nodes)) = (curve.raises(plies), curve.nodes(plies)) else {
            return;
        };
        self.nodes += curve.weight * nodes;
        self.full_nodes += curve.weight * curve.nodes(0).unwrap_or(0.0);
        if curve.raises(0) == Some(true) {
            self.raising += 1;
            self.raising_weight += curve.weight;
            self.missed_weight += if raises { 0.0 } else { curve.weight };
        }
    }
}

/// A line of the file.
struct Curve<'f> {
    weight: f64,
    least: i64,
    full_depth: i64,
    raises: Vec<&'f str>,
    nodes: Vec<&'f str>,
}

impl<'f> Curve<'f> {
    fn of(file: &'f LabFile, row: &'f [String]) -> Option<Self> {
        let list = |column| file.rows.cell(row, column).split_ascii_whitespace().collect();
        Some(Self {
            weight: file.rows.number(row, "weight")?,
            least: file.rows.cell(row, "least").parse().ok()?,
            full_depth: file.rows.cell(row, "full_depth").parse().ok()?,
            raises: list("raises"),
            nodes: list("nodes"),
        })
    }

    /// The place of the reduction in the lists. When the last reduction searched leads to quiescence, it stands for all
    /// greater ones. Otherwise the points of greater reductions would have only moves of greater depth, and a line
    /// would compare different moves.
    fn place(&self, plies: usize) -> Option<usize> {
        let place = usize::try_from(plies as i64 - self.least).ok()?;
        let last = self.raises.len().checked_sub(1)?;
        let ends_in_quiescence = self.least + last as i64 >= self.full_depth;
        Some(if ends_in_quiescence { place.min(last) } else { place })
    }

    fn raises(&self, plies: usize) -> Option<bool> {
        Some(*self.raises.get(self.place(plies)?)? == "1")
    }

    fn nodes(&self, plies: usize) -> Option<f64> {
        self.nodes.get(self.place(plies)?)?.parse().ok()
    }
}

/// What the file says.
struct Found {
    /// By kind and plies.
    kinds: Vec<[Sums; MOST_PLIES + 1]>,
    all: [Sums; MOST_PLIES + 1],
    /// By flag: without it, with it.
    flags: BTreeMap<String, [Sums; 2]>,
}

/// The page of the file.
pub(super) fn page(file: &LabFile) -> Result<Page, Failure> {
    file.check::<CurveRow>("audit --curves", false)?;
    let found = found(file);
    let mut section = Section::new("plies", "By reduction");
    section.draw(lines(
        &found,
        "missed",
        "Moves that are missed with each reduction",
        "missed share of the moves that raise alpha",
        Sums::missed,
    ));
    section.draw(lines(
        &found,
        "nodes",
        "Nodes with each reduction",
        "nodes, as a share of those at full depth",
        Sums::nodes,
    ));
    let mut sections = vec![section];
    if let Some(picture) = flags(&found) {
        let mut section = Section::new("flags", "By flag");
        section.draw(picture);
        sections.push(section);
    }
    let compared = found.all[COMPARED];
    Ok(Page {
        title: "Curves".to_owned(),
        subtitle: format!("{}: {} moves", file.name, grouped(file.rows.rows.len() as f64, 0)),
        verdict: html! {
            p {
                "With " (COMPARED) " plies less: " (percent(compared.missed())) " of the moves that raise alpha at full depth are missed, and the \
                 searches have " (percent(compared.nodes())) " of the nodes."
            }
        },
        sections,
        reload_seconds: None,
    })
}

fn found(file: &LabFile) -> Found {
    let columns = file.rows.columns.iter().enumerate();
    let facts: Vec<(usize, &str)> = columns
        .filter_map(|(place, name)| Some((place, name.strip_prefix("fact_")?)))
        .collect();
    // A column is a flag when it has no other value than 0 and 1.
    let is_flag = |place: usize| {
        let cells = || file.rows.rows.iter().filter_map(|row| row.get(place));
        cells().all(|cell| cell == "0" || cell == "1")
    };
    let flags: Vec<(usize, &str)> = facts.into_iter().filter(|(place, _)| is_flag(*place)).collect();
    let mut found = Found {
        kinds: vec![Default::default(); KINDS.len()],
        all: Default::default(),
        flags: BTreeMap::new(),
    };
    for row in &file.rows.rows {
        let Some(curve) = Curve::of(file, row) else {
            continue;
        };
        let expected = file.rows.cell(row, "expected");
        let kind = KINDS.iter().position(|(name, _)| *name == expected);
        for plies in 0..=MOST_PLIES {
            found.all[plies].add(&curve, plies);
            if let Some(kind) = kind {
                found.kinds[kind][plies].add(&curve, plies);
            }
        }
        for (place, name) in &flags {
            let holds = row.get(*place).is_some_and(|cell| cell == "1");
            let sums = found.flags.entry((*name).to_owned()).or_default();
            sums[usize::from(holds)].add(&curve, COMPARED);
        }
    }
    found
}

/// A line for each kind of node.
fn lines(found: &Found, id: &str, title: &str, axis: &str, value: impl Fn(&Sums) -> Option<f64>) -> Picture {
    let (mut layers, mut said, mut legend) = (Vec::new(), Vec::new(), Vec::new());
    let (mut plies, mut values) = (vec![1.0], Vec::new());
    for (series, ((_, name), sums)) in KINDS.iter().zip(&found.kinds).enumerate() {
        let of_plies = sums.iter().enumerate().skip(1);
        let points: Vec<(f64, f64)> = of_plies
            .filter_map(|(plies, sums)| Some((plies as f64, value(sums)?)))
            .collect();
        let Some(last) = points.last() else {
            continue;
        };
        said.push(format!("{name}: {} with {}", percent(Some(last.1)), in_plies(last.0)));
        plies.extend(points.iter().map(|(plies, _)| *plies));
        values.extend(points.iter().map(|(_, value)| *value));
        legend.push((series, (*name).to_owned()));
        layers.extend(Layer::marked(series, points, |(plies, value)| {
            format!("{name}, {}: {}", in_plies(plies), percent(Some(value)))
        }));
    }
    Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        description: format!("{}.", said.join("; ")),
        x: Axis::linear("reduction (plies)", plies),
        y: Axis::from_zero(axis, values).written(Writing::Percent),
        height: 260.0,
        legend,
        note: "By what the node is expected to be. A move counts where its curve knows what the reduction does."
            .to_owned(),
        layers,
    }
    .draw()
}

/// The flags that differ most in missed moves; `None` when there are none.
fn flags(found: &Found) -> Option<Picture> {
    let mut dots: Vec<Dot> = found
        .flags
        .iter()
        .filter_map(|(name, [without, with])| {
            let (without, with) = (without.missed()?, with.missed()?);
            let value = with / without;
            (value.is_finite() && value > 0.0).then(|| Dot {
                name: name.clone(),
                known: Known::exact(value),
                series: 0,
                hover: format!(
                    "{name}: {} with it, {} without",
                    percent(Some(with)),
                    percent(Some(without))
                ),
            })
        })
        .collect();
    dots.sort_by(|one, two| two.known.value.ln().abs().total_cmp(&one.known.value.ln().abs()));
    dots.truncate(MOST_FLAGS);
    dots.sort_by(|one, two| two.known.value.total_cmp(&one.known.value));
    if dots.is_empty() {
        return None;
    }
    let values: Vec<f64> = dots.iter().map(|dot| dot.known.value).chain([1.0]).collect();
    let said: Vec<&str> = dots.iter().map(|dot| dot.hover.as_str()).collect();
    let picture = Dots {
        id: "flags".to_owned(),
        title: format!("Missed moves with a flag, against those without it, at {COMPARED} plies"),
        description: format!("{}.", said.join("; ")),
        note: format!(
            "Right of 1: of the moves that raise alpha, more are missed where the flag holds. The {MOST_FLAGS} flags that differ most."
        ),
        x: ratio_axis("missed share with the flag, divided by that without it", &values),
        names: "flags".to_owned(),
        legend: Vec::new(),
        upright: Some((1.0, "equal".to_owned())),
    };
    Some(picture.draw(&dots.into_iter().map(Line::Value).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use lmrlab_results::row::Row;

    use super::*;

    /// Captures are missed with two plies; of the other moves every second one is missed with one ply. Each move raises alpha.
    fn curves(moves: usize) -> String {
        let mut text = format!("{},fact_capture,fact_depth\n", CurveRow::names().join(","));
        for number in 0..moves {
            let (capture, kind) = (number % 3 == 0, ["cut", "all"][number % 2]);
            let raises = match (capture, number % 2) {
                (true, _) => "1 1 1 0",
                (false, 0) => "1 1 0 0",
                (false, _) => "1 1 1 1",
            };
            let _ = writeln!(
                text,
                "#{number},1,4,3,2,,{kind},,1,2,,-1,{raises},9 8 4 2,{raises},160 80 40 20,{},4",
                u8::from(capture)
            );
        }
        text
    }

    fn page_of(text: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curves.csv");
        std::fs::write(&path, text).unwrap();
        let page = super::super::file(&path).map_err(|error| format!("{error:?}"))?;
        Ok(Page::joined(vec![page]).html())
    }

    #[test]
    fn the_page_says_what_each_reduction_misses() {
        let page = page_of(&curves(240)).unwrap();
        for words in [
            "240 moves",
            // A third are captures, a third are others with an even number.
            "With 2 plies less: 66.7% of the moves",
            "have 25.0% of the nodes",
            // At cut nodes the numbers are even.
            "expected to fail high: 100.0% with 2 plies; expected to fail low: 33.3% with 2 plies",
            "expected to fail high, 1 ply: 66.7%",
            "capture: 100.0% with it, 50.0% without",
        ] {
            assert!(page.contains(words), "{words}");
        }
        assert!(
            !page.contains("principal variation, 1"),
            "no move is of a principal variation"
        );
        assert!(!page.contains("depth: "), "a number is no flag");
    }

    #[test]
    fn few_moves_have_no_points() {
        let page = page_of(&curves(20)).unwrap();
        assert!(!page.contains("plies: "), "{page}");
    }

    #[test]
    fn a_reduction_beyond_quiescence_is_that_of_quiescence() {
        // The curves end with two plies. With a full depth of 2 that is quiescence.
        let page = page_of(&curves(240).replace(",1,4,3,2,", ",1,4,2,2,")).unwrap();
        let words = "expected to fail high: 100.0% with 8 plies; expected to fail low: 33.3% with 8 plies";
        assert!(page.contains(words), "{page}");
        assert!(page.contains("With 2 plies less: 66.7% of the moves"), "{page}");
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = page_of(&curves(40).replace("#39,1,4", "#39,1,deep")).unwrap_err();
        assert!(
            error.contains("line 41: `deep` in column `depth` is no number"),
            "{error}"
        );
    }
}
