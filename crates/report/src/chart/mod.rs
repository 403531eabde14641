//! Pictures: a chart is two axes and layers of lines, bands, points, bars and cells; drawn, it is SVG.
//!
//! plotters lays out the axes, their ticks and the grid. What is drawn between them is written here, because every mark says
//! its values when it is pointed at, and because colours are classes of a [style sheet](style), for light and dark pages.

pub mod axis;
mod backend;
mod labels;
pub mod style;
pub mod svg;

use std::cell::RefCell;
use std::rc::Rc;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::IntoDrawingArea;
use plotters::style::{Color, IntoFont, TextStyle};

use axis::Axis;
use backend::{Backend, FINENESS, colour};
use svg::{Anchor, Dash, Elements, Ink, Words, escaped, shortened, text_width};

/// Width of every picture, in its own units.
pub const WIDTH: f64 = 760.0;
/// Height of ordinary letters.
const LETTERS: f64 = 12.5;
/// Height of the title's letters.
const TITLE: f64 = 15.0;
/// Greatest width of what stands at a tick.
const LONGEST_TICK: f64 = 270.0;
/// Most points of a line that are drawn, and most places on it that can be pointed at.
const MOST_POINTS: usize = 400;
const MOST_HOVERS: usize = 60;

/// A drawn picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What it is called in links and as a file: letters, digits and dashes.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The same in words, for who cannot see it.
    pub description: String,
    size: (f64, f64),
    elements: String,
    /// What its elements use by name; a page that has several such pictures has it once.
    symbols: &'static str,
}

impl Picture {
    /// A picture of these elements.
    pub fn new(id: String, title: String, description: String, size: (f64, f64), elements: Elements) -> Self {
        Self {
            id,
            title,
            description,
            size,
            elements: elements.into_text(),
            symbols: "",
        }
    }

    /// With the symbols that its elements use. A file of the picture has them; a page has to have them, too.
    pub fn with_symbols(self, symbols: &'static str) -> Self {
        Self { symbols, ..self }
    }

    /// As an element of a page, whose style sheet has the colours.
    pub fn element(&self) -> String {
        format!(
            "<svg viewBox=\"0 0 {} {}\"{} role=\"img\" aria-label=\"{}. {}\">{}</svg>",
            self.size.0,
            self.size.1,
            if self.size.0 < WIDTH { " class=\"small\"" } else { "" },
            escaped(&self.title),
            escaped(&self.description),
            self.elements
        )
    }

    /// As a file of its own. On light ground only, or as the reader's system is set.
    pub fn file(&self, light_only: bool) -> String {
        let dark = match light_only {
            true => String::new(),
            false => format!("@media(prefers-color-scheme:dark){{{}}}", style::dark()),
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
             font-family=\"{fonts}\"><title>{title}</title><desc>{description}</desc><style>{light}{dark}</style>{symbols}\
             <rect width=\"{w}\" height=\"{h}\" class=\"fo\"/>{elements}</svg>\n",
            w = self.size.0,
            h = self.size.1,
            fonts = style::FONTS,
            title = escaped(&self.title),
            description = escaped(&self.description),
            light = style::light(),
            symbols = self.symbols,
            elements = self.elements,
        )
    }
}

/// A point with its errors.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// Where it is.
    pub at: (f64, f64),
    /// From where to where it may be, along x.
    pub across: Option<(f64, f64)>,
    /// From where to where it may be, along y.
    pub along: Option<(f64, f64)>,
    /// What it says when it is pointed at.
    pub hover: String,
    /// What stands beside it.
    pub label: Option<String>,
}

/// A rectangle in the chart.
#[derive(Debug, Clone)]
pub struct Bar {
    /// From where to where along x.
    pub x: (f64, f64),
    /// From where to where along y.
    pub y: (f64, f64),
    /// What it says when it is pointed at.
    pub hover: String,
    /// What stands above it, or behind a bar that lies.
    pub text: String,
}

/// A cell of a map.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its column, from 0.
    pub column: usize,
    /// Its row, from 0.
    pub row: usize,
    /// How strongly it is coloured: -1 to 1.
    pub level: f64,
    /// What stands in it.
    pub text: String,
    /// What it says when it is pointed at.
    pub hover: String,
    /// What makes it unlike the others.
    pub mark: Mark,
}

/// What makes a cell unlike the others. The note of the picture says what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// A dotted frame in the place of a colour.
    Bare,
    /// A frame.
    Framed,
    /// A frame of dashes.
    Dashed,
}

/// Something that is drawn between the axes. A series is a number from 0: it decides colour, dash and mark.
#[derive(Debug, Clone)]
pub enum Layer {
    /// A line through points, from left to right.
    Line {
        /// Its series.
        series: usize,
        /// The points.
        points: Vec<(f64, f64)>,
    },
    /// What lies between two lines: x, low and high.
    Band {
        /// Its series.
        series: usize,
        /// The points.
        points: Vec<(f64, f64, f64)>,
    },
    /// Points with errors.
    Points {
        /// Their series.
        series: usize,
        /// The points.
        points: Vec<Point>,
    },
    /// Bars.
    Bars {
        /// Their series.
        series: usize,
        /// The bars.
        bars: Vec<Bar>,
    },
    /// Cells of a map of named columns and rows.
    Cells(Vec<Cell>),
    /// A line across the chart at a value of y, with its meaning.
    Level(f64, String),
    /// A line from top to bottom at a value of x, with its meaning.
    Upright(f64, String),
}

/// Two axes and what is between them.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What the picture is called in links and as a file: letters, digits and dashes.
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
    /// What is not a series, but has to be said: `bars: 95% intervals`.
    pub note: String,
    /// What is drawn, in this order.
    pub layers: Vec<Layer>,
}

type Context = ChartContext<'static, Backend, Cartesian2d<Axis, Axis>>;

impl Chart {
    /// Draws it.
    pub fn draw(mut self) -> Picture {
        // The name of the upright axis runs along it.
        self.height = self.height.max(text_width(&self.y.name, LETTERS) + 6.0);
        let elements = Rc::new(RefCell::new(Elements::default()));
        let top = heading(&mut elements.borrow_mut(), &self.title, &self.legend, &self.note);
        let size = (WIDTH, top + self.height + 58.0);
        let widest = |axis: &Axis| {
            let widths = axis
                .ticks(6)
                .into_iter()
                .map(|tick| text_width(&axis.text(tick), LETTERS));
            widths.fold(0.0, f64::max)
        };
        let left = widest(&self.y).min(LONGEST_TICK) + 34.0;
        let backend = Backend {
            elements: Rc::clone(&elements),
            size,
        };
        // Drawing with this backend cannot fail.
        let _ = self.draw_between(backend, top, left, &elements);
        let elements = std::mem::take(&mut *elements.borrow_mut());
        Picture::new(self.id, self.title, self.description, size, elements)
    }

    fn draw_between(
        &self,
        backend: Backend,
        top: f64,
        left: f64,
        elements: &Rc<RefCell<Elements>>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let units = |value: f64| (value * FINENESS) as i32;
        let (note, words) = (colour(Ink::Note), colour(Ink::Text));
        let font = || TextStyle::from(("sans-serif", LETTERS * FINENESS).into_font());
        let area = backend.into_drawing_area();
        let mut chart: Context = ChartBuilder::on(&area)
            .margin_top(units(top))
            .margin_left(units(8.0))
            .margin_right(units(18.0))
            .margin_bottom(units(6.0))
            .x_label_area_size(units(44.0))
            .y_label_area_size(units(left))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let is_map = self.layers.iter().any(|layer| matches!(layer, Layer::Cells(_)));
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(colour(Ink::Grid).mix(0.0))
            .bold_line_style(colour(Ink::Grid).mix(if is_map { 0.0 } else { 1.0 }))
            .axis_style(colour(Ink::Axis))
            .label_style(font().color(&note))
            .axis_desc_style(font().color(&words))
            .x_desc(self.x.name.clone())
            .y_desc(self.y.name.clone())
            .x_labels(self.x.ticks(9).len().max(2))
            .y_labels(self.y.ticks(6).len().max(2))
            .set_all_tick_mark_size(units(3.0));
        let long = |axis: &Axis, value: &f64| shortened(&axis.text(*value), LETTERS, LONGEST_TICK);
        let (x_text, y_text) = (|value: &f64| long(&self.x, value), |value: &f64| long(&self.y, value));
        mesh.x_label_formatter(&x_text).y_label_formatter(&y_text);
        mesh.draw()?;
        let mut elements = elements.borrow_mut();
        for layer in &self.layers {
            self.draw_layer(&chart, layer, &mut elements);
        }
        self.draw_labels(&chart, &mut elements);
        Ok(())
    }

    /// The names of the points of all layers, none over another.
    fn draw_labels(&self, chart: &Context, out: &mut Elements) {
        let (x_ends, y_ends) = (self.x.range(), self.y.range());
        let (left, bottom) = Self::place(chart, (x_ends.0, y_ends.0));
        let (right, top) = Self::place(chart, (x_ends.1, y_ends.1));
        let within = (left.min(right), top.min(bottom), left.max(right), top.max(bottom));
        let points = self.layers.iter().flat_map(|layer| match layer {
            Layer::Points { points, .. } => points.as_slice(),
            _ => &[],
        });
        let place = |at: (f64, f64)| Self::place(chart, (self.x.clamped(at.0), self.y.clamped(at.1)));
        let named: Vec<_> = points
            .filter_map(|point| Some((place(point.at), point.label.as_deref()?)))
            .collect();
        for (at, (_, text)) in labels::places(&named, LETTERS, within).into_iter().zip(&named) {
            let Some(at) = at else { continue };
            let anchor = Anchor::Middle;
            out.words(
                at,
                Words {
                    anchor,
                    halo: true,
                    ..Words::new(text, LETTERS)
                },
            );
        }
    }

    fn place(chart: &Context, at: (f64, f64)) -> (f64, f64) {
        let (x, y) = chart.backend_coord(&at);
        (f64::from(x) / FINENESS, f64::from(y) / FINENESS)
    }

    fn draw_layer(&self, chart: &Context, layer: &Layer, out: &mut Elements) {
        let place = |at: (f64, f64)| Self::place(chart, (self.x.clamped(at.0), self.y.clamped(at.1)));
        let (x_ends, y_ends) = (self.x.range(), self.y.range());
        match layer {
            Layer::Line { series, points } => {
                let thinned = thinned(points, MOST_POINTS);
                let path: Vec<_> = thinned.iter().map(|point| place(*point)).collect();
                out.path(&path, Ink::Series(*series), 2.0, Dash::of_series(*series));
                let every = thinned.len().div_ceil(MOST_HOVERS).max(1);
                let name = self.name_of(*series);
                for (point, at) in thinned.iter().zip(&path).rev().step_by(every) {
                    out.hover(*at, 6.0, &format!("{name}{}", self.values(*point)));
                }
            }
            Layer::Band { series, points } => {
                let every = points.len().div_ceil(MOST_POINTS).max(1);
                let kept: Vec<_> = points.iter().rev().step_by(every).rev().collect();
                let low = kept.iter().map(|(x, low, _)| place((*x, *low)));
                let high = kept.iter().rev().map(|(x, _, high)| place((*x, *high)));
                out.polygon(&low.chain(high).collect::<Vec<_>>(), Ink::Series(*series), 0.16);
            }
            Layer::Points { series, points } => {
                for point in points {
                    let ink = Ink::Series(*series);
                    // Crosses are many lines: thin ones let the points be seen.
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
            Layer::Bars { series, bars } => {
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
                        let anchor = Anchor::Middle;
                        out.words(
                            at,
                            Words {
                                anchor,
                                ..Words::new(&bar.text, LETTERS)
                            },
                        );
                    }
                }
            }
            Layer::Cells(cells) => {
                for cell in cells {
                    let (x, y) = (cell.column as f64, cell.row as f64);
                    let (from, to) = (place((x - 0.48, y - 0.46)), place((x + 0.48, y + 0.46)));
                    let ink = if cell.level < 0.0 { Ink::Below } else { Ink::Above };
                    let strength = match cell.mark {
                        Mark::Bare => 0.0,
                        _ => 0.06 + 0.9 * cell.level.abs().min(1.0),
                    };
                    out.rectangle(from, to, ink, strength, Some(&cell.hover));
                    let frame = match cell.mark {
                        Mark::None => None,
                        Mark::Bare => Some((Ink::Axis, 1.0, Dash::Dotted)),
                        Mark::Framed => Some((Ink::Text, 2.6, Dash::Solid)),
                        Mark::Dashed => Some((Ink::Text, 2.2, Dash::Dashed)),
                    };
                    if let Some((ink, width, dash)) = frame {
                        let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
                        out.path(&corners, ink, width, dash);
                    }
                    if text_width(&cell.text, LETTERS) <= (to.0 - from.0).abs() + 2.0 {
                        let at = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0 + 0.35 * LETTERS);
                        let anchor = Anchor::Middle;
                        out.words(
                            at,
                            Words {
                                anchor,
                                ..Words::new(&cell.text, LETTERS)
                            },
                        );
                    }
                }
            }
            Layer::Level(value, text) => {
                let (from, to) = (place((x_ends.0, *value)), place((x_ends.1, *value)));
                out.line(from, to, Ink::Axis, 1.3, Dash::Dashed);
                let words = Words {
                    ink: Ink::Note,
                    ..Words::new(text, LETTERS)
                };
                out.words((from.0.min(to.0) + 5.0, to.1 - 4.0), words);
            }
            Layer::Upright(value, text) => {
                let (from, to) = (place((*value, y_ends.0)), place((*value, y_ends.1)));
                out.line(from, to, Ink::Axis, 1.3, Dash::Dashed);
                let top = from.1.min(to.1);
                let words = Words {
                    ink: Ink::Note,
                    ..Words::new(text, LETTERS)
                };
                out.words((to.0 + 4.0, top + LETTERS), words);
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
    for at in [from, to] {
        out.line(
            (at.0 - end.0, at.1 - end.1),
            (at.0 + end.0, at.1 + end.1),
            ink,
            width,
            Dash::Solid,
        );
    }
}

/// Writes title, legend and note; returns the height that they take.
fn heading(out: &mut Elements, title: &str, legend: &[(usize, String)], note: &str) -> f64 {
    let mut y = 8.0;
    // Bold letters are wider.
    for line in wrapped(title, TITLE, (WIDTH - 20.0) / 1.12) {
        y += TITLE * 1.25;
        out.words(
            (10.0, y - 4.0),
            Words {
                bold: true,
                ..Words::new(&line, TITLE)
            },
        );
    }
    if !note.is_empty() {
        for line in wrapped(note, LETTERS, WIDTH - 20.0) {
            y += LETTERS * 1.35;
            out.words(
                (10.0, y - 3.0),
                Words {
                    ink: Ink::Note,
                    ..Words::new(&line, LETTERS)
                },
            );
        }
    }
    if !legend.is_empty() {
        y += LETTERS * 1.55;
        let mut x = 10.0;
        for (series, name) in legend {
            let name = shortened(name, LETTERS, 380.0);
            let width = 40.0 + text_width(&name, LETTERS) + 16.0;
            if x > 10.0 && x + width > WIDTH {
                x = 10.0;
                y += LETTERS * 1.55;
            }
            let middle = y - 0.35 * LETTERS - 3.0;
            out.line(
                (x, middle),
                (x + 30.0, middle),
                Ink::Series(*series),
                2.0,
                Dash::of_series(*series),
            );
            out.mark((x + 15.0, middle), *series, 4.0, None);
            out.words((x + 37.0, y - 3.0), Words::new(&name, LETTERS));
            x += width;
        }
    }
    y + 10.0
}

/// A text in lines of at most this width; a word that is longer is shortened.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, size, width);
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(&word, size) + size < width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// At most so many points of a line: of each group, its first, lowest, highest and last one.
fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let group = (points.len() * 4).div_ceil(most);
    let mut kept = Vec::with_capacity(most);
    for chunk in points.chunks(group) {
        let by_y = |one: &&(f64, f64), other: &&(f64, f64)| one.1.total_cmp(&other.1);
        let chosen = [
            chunk.first(),
            chunk.iter().min_by(by_y),
            chunk.iter().max_by(by_y),
            chunk.last(),
        ];
        let mut chosen: Vec<(f64, f64)> = chosen.into_iter().flatten().copied().collect();
        chosen.sort_by(|one, other| one.0.total_cmp(&other.0));
        chosen.dedup();
        kept.extend(chosen);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let wave: Vec<(f64, f64)> = (0..5_000)
            .map(|i| (f64::from(i) / 5.0, 40.0 * (f64::from(i) / 300.0).sin()))
            .collect();
        let picture = chart(vec![
            Layer::Band {
                series: 0,
                points: wave.iter().map(|(x, y)| (*x, y - 5.0, y + 5.0)).collect(),
            },
            Layer::Line {
                series: 0,
                points: wave,
            },
            Layer::Points {
                series: 1,
                points: vec![Point {
                    at: (500.0, 10.0),
                    along: Some((0.0, 20.0)),
                    hover: "b: +10".to_owned(),
                    label: Some("b".to_owned()),
                    ..Point::default()
                }],
            },
            Layer::Level(0.0, "even".to_owned()),
        ])
        .draw();
        let file = picture.file(false);
        let tree = resvg::usvg::Tree::from_str(&file, &resvg::usvg::Options::default());
        assert!(tree.is_ok(), "{tree:?}");
        assert!(file.contains("Elo of &lt;b&gt; &amp; &quot;c&quot;"));
        assert!(file.contains("<title>b: +10</title>"));
        assert!(!file.contains("NaN") && !file.contains("inf"));
        assert!(picture.element().len() < 60_000, "{}", picture.element().len());
    }

    #[test]
    fn names_of_points_of_all_series_make_room_for_each_other() {
        let named = |name: &str| Point {
            at: (500.0, 10.0),
            label: Some(name.to_owned()),
            ..Point::default()
        };
        let of = |series: usize, name: &str| Layer::Points {
            series,
            points: vec![named(name)],
        };
        let picture = chart(vec![of(0, "first"), of(1, "second")]).draw();
        let place = |name: &str| {
            let end = picture.elements.find(&format!(">{name}</text>")).unwrap();
            let begin = picture.elements[..end].rfind("<text ").unwrap();
            picture.elements[begin..end].split(" class").next().unwrap().to_owned()
        };
        assert_ne!(place("first"), place("second"));
    }

    #[test]
    fn cells_without_colour_have_a_frame() {
        let cell = |mark: Mark| Cell {
            column: 0,
            row: 0,
            level: 1.0,
            text: String::new(),
            hover: String::new(),
            mark,
        };
        let draw = |mark: Mark| {
            let mut map = chart(vec![Layer::Cells(vec![cell(mark)])]);
            map.x = Axis::names("x", vec!["a".to_owned()]);
            map.y = Axis::names("y", vec!["b".to_owned()]);
            map.draw().elements
        };
        let frames = |mark: Mark| draw(mark).matches("<polyline").count();
        let plain = frames(Mark::None);
        assert_eq!([Mark::Bare, Mark::Framed, Mark::Dashed].map(frames), [plain + 1; 3]);
        assert!(
            draw(Mark::None).contains("fill-opacity=\"0.96\"") && draw(Mark::Bare).contains("fill-opacity=\"0.00\"")
        );
    }

    #[test]
    fn a_thin_line_keeps_its_ends_and_its_peaks() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), 0.0)).collect();
        points[5_555].1 = 9.0;
        let thin = thinned(&points, 400);
        assert!(thin.len() <= 400, "{}", thin.len());
        assert_eq!((thin.first(), thin.last()), (points.first(), points.last()));
        assert!(thin.contains(&(5_555.0, 9.0)));
    }
}
