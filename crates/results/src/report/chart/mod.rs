//! Pictures: a chart is two axes and layers of lines, bands, points, bars and cells. It is drawn as SVG.
//!
//! Every mark shows its values when the mouse is over it, and colours are classes of a [style sheet](style), for light and
//! dark pages.

pub mod axis;
mod frame;
mod heading;
mod layer;
mod picture;
pub mod style;
pub mod svg;
mod thinning;

use crate::outcome::picture::Mark;
use axis::Axis;
use frame::Frame;
use heading::heading;
pub use layer::{Bar, Dot, Layer};
pub use picture::Picture;
use style::{LETTERS, LONGEST_TICK, WIDTH};
use svg::{Anchor, Dash, Elements, Ink, Words, text_width};
use thinning::thinned;

/// The greatest number of points of a line that are drawn, and of places on it that react to the mouse.
const MOST_POINTS: usize = 400;
const MOST_HOVERS: usize = 60;

/// Two axes and the layers between them.
#[derive(Debug, Clone)]
pub struct Chart {
    /// The name of the picture in links and as a file: letters, digits and dashes.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The same in words, with the numbers that matter.
    pub description: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// Height of the space between the axes.
    pub height: f64,
    /// The names of series.
    pub legend: Vec<(usize, String)>,
    /// What has to be said beside the series: `bars: 95% intervals`.
    pub note: String,
    /// What is drawn, in this order.
    pub layers: Vec<Layer>,
}

impl Chart {
    /// The chart as a picture.
    pub fn draw(mut self) -> Picture {
        // The name of the upright axis runs along it.
        self.height = self.height.max(text_width(&self.y.name, LETTERS) + 6.0);
        let mut out = Elements::default();
        let top = heading(&mut out, &self.title, &self.legend, &self.note);
        let size = (WIDTH, top + self.height + 58.0);
        let ticks = self.y.ticks(6).into_iter();
        let widths = ticks.map(|tick| text_width(&self.y.text(tick), LETTERS));
        let frame = Frame {
            x: &self.x,
            y: &self.y,
            left: widths.fold(0.0, f64::max).min(LONGEST_TICK) + 42.0,
            right: WIDTH - 18.0,
            top,
            bottom: size.1 - 50.0,
        };
        frame.draw(
            &mut out,
            !self.layers.iter().any(|layer| matches!(layer, Layer::Cells(_))),
        );
        for layer in &self.layers {
            self.draw_layer(&frame, layer, &mut out);
        }
        self.draw_labels(&frame, &mut out);
        let shows_values = self.layers.iter().any(Layer::has_values);
        let mut picture = Picture::new(self.id, self.title, self.description, size, out);
        picture.shows_values = shows_values;
        picture
    }

    /// Writes the names of points, in turns above and below them. A name runs towards the middle of the chart.
    fn draw_labels(&self, frame: &Frame<'_>, out: &mut Elements) {
        let points = self.layers.iter().flat_map(|layer| match layer {
            Layer::Points(_, points) => points.as_slice(),
            _ => &[],
        });
        let named = points.filter_map(|point| Some((frame.place(point.at), point.label.as_deref()?)));
        for (index, ((x, y), text)) in named.enumerate() {
            let anchor = match x > f64::midpoint(frame.left, frame.right) {
                true => Anchor::End,
                false => Anchor::Start,
            };
            let words = Words {
                halo: true,
                anchor,
                ..Words::new(text, LETTERS)
            };
            let away = if index % 2 == 0 { -8.0 } else { 8.0 + 0.7 * LETTERS };
            out.words((x, y + away), words);
        }
    }

    fn draw_layer(&self, frame: &Frame<'_>, layer: &Layer, out: &mut Elements) {
        let place = |at: (f64, f64)| frame.place(at);
        let (x_ends, y_ends) = (self.x.range(), self.y.range());
        match layer {
            Layer::Line(series, points) => {
                let thinned = thinned(points, MOST_POINTS);
                let path: Vec<_> = thinned.iter().map(|point| place(*point)).collect();
                out.path(&path, Ink::Series(*series), 2.0, Dash::of_series(*series));
                let every = thinned.len().div_ceil(MOST_HOVERS).max(1);
                let name = self.name_of(*series);
                for (point, at) in thinned.iter().zip(&path).rev().step_by(every) {
                    out.hover(*at, 6.0, &format!("{name}{}", self.values(*point)));
                }
            }
            Layer::Band(series, points) => {
                let every = points.len().div_ceil(MOST_POINTS).max(1);
                let drawn: Vec<_> = points.iter().rev().step_by(every).rev().collect();
                let low = drawn.iter().map(|(x, low, _)| place((*x, *low)));
                let high = drawn.iter().rev().map(|(x, _, high)| place((*x, *high)));
                out.polygon(&low.chain(high).collect::<Vec<_>>(), Ink::Series(*series), 0.16);
            }
            Layer::Points(series, points) => {
                for point in points {
                    let ink = Ink::Series(*series);
                    // A cross is two lines. They are thin, so that the points can be seen.
                    let is_cross = point.across.is_some() && point.along.is_some();
                    let width = if is_cross { 0.7 } else { 1.6 };
                    if let Some((low, high)) = point.across {
                        let (from, to) = (place((low, point.at.1)), place((high, point.at.1)));
                        whisker(out, from, to, (0.0, 4.0), ink, width);
                    }
                    if let Some((low, high)) = point.along {
                        let (from, to) = (place((point.at.0, low)), place((point.at.0, high)));
                        whisker(out, from, to, (4.0, 0.0), ink, width);
                    }
                }
                for point in points {
                    out.mark(place(point.at), *series, 4.5, Some(&point.hover));
                }
            }
            Layer::Bars(series, bars) => {
                for bar in bars {
                    let (from, to) = (place((bar.x.0, bar.y.0)), place((bar.x.1, bar.y.1)));
                    out.rectangle(from, to, Ink::Series(*series), 0.85, Some(&bar.hover));
                }
                for bar in bars {
                    let (from, to) = (place((bar.x.0, bar.y.0)), place((bar.x.1, bar.y.1)));
                    if self.y.is_of_names() {
                        let at = (from.0.max(to.0) + 5.0, (from.1 + to.1) / 2.0 + 0.35 * LETTERS);
                        out.words(at, Words::new(&bar.text, LETTERS));
                    } else if text_width(&bar.text, LETTERS) < (to.0 - from.0).abs() + 12.0 {
                        let at = ((from.0 + to.0) / 2.0, from.1.min(to.1) - 4.0);
                        out.words(at, Words::centred(&bar.text, LETTERS));
                    }
                }
            }
            Layer::Cells(cells) => {
                for cell in cells {
                    let (x, y) = (cell.column as f64, cell.row as f64);
                    let (from, to) = (place((x - 0.48, y - 0.46)), place((x + 0.48, y + 0.46)));
                    let ink = if cell.level < 0.0 { Ink::Below } else { Ink::Above };
                    let strength = match cell.mark {
                        Mark::Few => 0.0,
                        _ => 0.06 + 0.9 * cell.level.abs().min(1.0),
                    };
                    out.rectangle(from, to, ink, strength, Some(&cell.detail));
                    let frame = match cell.mark {
                        Mark::None => None,
                        Mark::Few => Some((Ink::Axis, 1.0, Dash::Dotted)),
                        Mark::Best => Some((Ink::Text, 2.6, Dash::Solid)),
                        Mark::Start => Some((Ink::Text, 2.2, Dash::Dashed)),
                    };
                    if let Some((ink, width, dash)) = frame {
                        out.frame(from, to, ink, width, dash);
                    }
                    if text_width(&cell.text, LETTERS) <= (to.0 - from.0).abs() + 2.0 {
                        let at = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0 + 0.35 * LETTERS);
                        out.words(at, Words::centred(&cell.text, LETTERS));
                    }
                }
            }
            Layer::Level(value, text) => {
                let (from, to) = (place((x_ends.0, *value)), place((x_ends.1, *value)));
                out.line(from, to, Ink::Axis, 1.3, Dash::Dashed);
                out.words((from.0.min(to.0) + 5.0, to.1 - 4.0), Words::note(text, LETTERS));
            }
            Layer::Upright(value, text) => {
                let (from, to) = (place((*value, y_ends.0)), place((*value, y_ends.1)));
                out.line(from, to, Ink::Axis, 1.3, Dash::Dashed);
                let top = from.1.min(to.1);
                out.words((to.0 + 4.0, top + LETTERS), Words::note(text, LETTERS));
            }
        }
    }

    fn name_of(&self, series: usize) -> String {
        let named = self.legend.iter().find(|(of, _)| *of == series);
        named.map(|(_, name)| format!("{name}: ")).unwrap_or_default()
    }

    /// A point in words: `pairs 120, Elo +12.3`.
    fn values(&self, (x, y): (f64, f64)) -> String {
        format!("{} {}, {} {}", self.x.name, self.x.text(x), self.y.name, self.y.text(y))
    }
}

/// A line of error with its ends. `end` is half the size of the end strokes.
fn whisker(out: &mut Elements, from: (f64, f64), to: (f64, f64), end: (f64, f64), ink: Ink, width: f64) {
    out.line(from, to, ink, width, Dash::Solid);
    for (x, y) in [from, to] {
        out.line((x - end.0, y - end.1), (x + end.0, y + end.1), ink, width, Dash::Solid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::picture::MapCell;

    fn chart(layers: Vec<Layer>) -> Chart {
        Chart {
            id: "elo".to_owned(),
            title: "Elo of <b> & \"c\" over the pairs played".to_owned(),
            description: "Ends at +12.".to_owned(),
            x: Axis::from_zero("pairs", [1_000.0]),
            y: Axis::linear("Elo", [-50.0, 50.0]),
            height: 240.0,
            legend: vec![(0, "a".to_owned()), (1, "b".to_owned())],
            note: "Bands: 95% intervals.".to_owned(),
            layers,
        }
    }

    #[test]
    fn a_picture_is_xml_that_holds_its_words() {
        let sine: Vec<(f64, f64)> = (0..5_000)
            .map(|i| (f64::from(i) / 5.0, 40.0 * (f64::from(i) / 300.0).sin()))
            .collect();
        let picture = chart(vec![
            Layer::Band(0, sine.iter().map(|(x, y)| (*x, y - 5.0, y + 5.0)).collect()),
            Layer::Line(0, sine),
            Layer::Points(
                1,
                vec![Dot {
                    at: (500.0, 10.0),
                    along: Some((0.0, 20.0)),
                    hover: "b: +10".to_owned(),
                    label: Some("b".to_owned()),
                    ..Dot::default()
                }],
            ),
            Layer::Level(0.0, "even".to_owned()),
        ])
        .draw();
        let file = picture.file();
        let tree = roxmltree::Document::parse(&file);
        assert!(tree.is_ok(), "{tree:?}");
        assert!(file.contains("Elo of &lt;b&gt; &amp; &quot;c&quot;"));
        assert!(file.contains("<title>b: +10</title>"));
        assert!(!file.contains("NaN") && !file.contains("inf"));
        assert!(picture.element().len() < 60_000, "{}", picture.element().len());
    }

    #[test]
    fn names_of_points_of_all_series_make_room_for_each_other() {
        let named = |name: &str| Dot {
            at: (500.0, 10.0),
            label: Some(name.to_owned()),
            ..Dot::default()
        };
        let of = |series: usize, name: &str| Layer::Points(series, vec![named(name)]);
        let picture = chart(vec![of(0, "first"), of(1, "second")]).draw();
        let place = |name: &str| {
            let element = picture.element();
            let end = element.find(&format!(">{name}</text>")).unwrap();
            let begin = element[..end].rfind("<text ").unwrap();
            element[begin..end].split(" class").next().unwrap().to_owned()
        };
        assert_ne!(place("first"), place("second"));
    }

    #[test]
    fn cells_without_colour_have_a_frame() {
        let cell = |mark: Mark| MapCell {
            column: 0,
            row: 0,
            level: 1.0,
            text: String::new(),
            detail: String::new(),
            mark,
        };
        let draw = |mark: Mark| {
            let mut map = chart(vec![Layer::Cells(vec![cell(mark)])]);
            map.x = Axis::names("x", vec!["a".to_owned()]);
            map.y = Axis::names("y", vec!["b".to_owned()]);
            map.draw().element()
        };
        let frames = |mark: Mark| draw(mark).matches("<polyline").count();
        let plain = frames(Mark::None);
        assert_eq!([Mark::Few, Mark::Best, Mark::Start].map(frames), [plain + 1; 3]);
        assert!(
            draw(Mark::None).contains("fill-opacity=\"0.96\"") && draw(Mark::Few).contains("fill-opacity=\"0.00\"")
        );
    }
}
