//! SVG elements with classes instead of colours, so one picture serves light and dark pages.

use std::fmt::Write as _;

use crate::visible::is_unprintable;

/// What something is drawn with. The [style sheet](super::style) gives each ink its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Words.
    Text,
    /// Less important words: ticks, notes.
    Note,
    /// Axes and frames.
    Axis,
    /// The lines of a grid.
    Grid,
    /// A series, from 0. Series beyond the last colour begin again with the first one.
    Series(usize),
    /// A value above zero on a map.
    Above,
    /// A value below zero on a map.
    Below,
    /// A light square of a board.
    LightSquare,
    /// A dark square of a board.
    DarkSquare,
}

/// Colours that series have before they repeat.
pub const SERIES_COLOURS: usize = 7;

impl Ink {
    fn name(self) -> String {
        match self {
            Self::Text => "t".to_owned(),
            Self::Note => "n".to_owned(),
            Self::Axis => "a".to_owned(),
            Self::Grid => "g".to_owned(),
            Self::Series(index) => (index % SERIES_COLOURS).to_string(),
            Self::Above => "u".to_owned(),
            Self::Below => "d".to_owned(),
            Self::LightSquare => "l".to_owned(),
            Self::DarkSquare => "s".to_owned(),
        }
    }

    /// The class of what is filled with it.
    pub fn fill(self) -> String {
        format!("f{}", self.name())
    }

    /// The class of a line drawn with it.
    pub fn line(self) -> String {
        format!("k{}", self.name())
    }
}

/// The dashes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// None.
    Solid,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dash, dot.
    DashDotted,
}

impl Dash {
    /// The dash of a series: series differ by more than colour.
    pub fn of_series(series: usize) -> Self {
        match series % 4 {
            0 => Self::Solid,
            1 => Self::Dashed,
            2 => Self::Dotted,
            _ => Self::DashDotted,
        }
    }

    fn attribute(self) -> &'static str {
        match self {
            Self::Solid => "",
            Self::Dashed => " stroke-dasharray=\"8 4\"",
            Self::Dotted => " stroke-dasharray=\"2 3\"",
            Self::DashDotted => " stroke-dasharray=\"9 3 2 3\"",
        }
    }
}

/// Which point of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A text and how it is set.
#[derive(Debug, Clone, Copy)]
pub struct Words<'w> {
    /// What it says.
    pub text: &'w str,
    /// Height of the font.
    pub size: f64,
    /// Which point of it is at its place.
    pub anchor: Anchor,
    /// Its ink.
    pub ink: Ink,
    /// Whether it is set in bold type.
    pub bold: bool,
    /// Whether it runs from bottom to top.
    pub upwards: bool,
    /// Whether its letters have an outline of the background colour, so lines behind it do not cross them.
    pub halo: bool,
}

impl<'w> Words<'w> {
    /// Words that begin at their place.
    pub fn new(text: &'w str, size: f64) -> Self {
        Self {
            text,
            size,
            anchor: Anchor::Start,
            ink: Ink::Text,
            bold: false,
            upwards: false,
            halo: false,
        }
    }

    /// Words with their middle at their place.
    pub fn centred(text: &'w str, size: f64) -> Self {
        Self {
            anchor: Anchor::Middle,
            ..Self::new(text, size)
        }
    }

    /// Less important words.
    pub fn note(text: &'w str, size: f64) -> Self {
        Self {
            ink: Ink::Note,
            ..Self::new(text, size)
        }
    }
}

/// The approximate width of a text in a font of this height. The letters have the widths of the usual sans-serif fonts.
pub fn text_width(text: &str, size: f64) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.30,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '-' | '/' => 0.37,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.88,
        letter if letter.is_ascii_uppercase() => 0.68,
        letter if letter.is_ascii() => 0.57,
        _ => 0.75,
    };
    text.chars().map(width).sum::<f64>() * size
}

/// A text, shortened at its end to fit this width.
pub fn shortened(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        short.push(letter);
        if text_width(&short, size) > width - size {
            short.pop();
            break;
        }
    }
    format!("{}…", short.trim_end())
}

/// A text that can be put into XML, between tags or in an attribute. XML cannot hold control characters: they become
/// `�`.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if is_unprintable(letter) => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// SVG elements, one behind the other. Coordinates and widths are those of the picture.
#[derive(Debug, Default)]
pub struct Elements(String);

/// A coordinate with one decimal at most.
struct Place(f64);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        match rest {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{rest}"),
        }
    }
}

impl Elements {
    /// The elements as text.
    pub fn into_text(self) -> String {
        self.0
    }

    /// A line from one point to another.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64, dash: Dash) {
        let _ = write!(
            self.0,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\" stroke-width=\"{width}\"{}/>",
            Place(from.0),
            Place(from.1),
            Place(to.0),
            Place(to.1),
            ink.line(),
            dash.attribute(),
        );
    }

    /// A line through points.
    pub fn path(&mut self, points: &[(f64, f64)], ink: Ink, width: f64, dash: Dash) {
        let _ = write!(
            self.0,
            "<polyline points=\"{}\" fill=\"none\" class=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{}/>",
            places(points),
            ink.line(),
            dash.attribute(),
        );
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], ink: Ink, opacity: f64) {
        let _ = write!(
            self.0,
            "<polygon points=\"{}\" class=\"{}\" fill-opacity=\"{opacity}\"/>",
            places(points),
            ink.fill(),
        );
    }

    /// A filled rectangle between two corners, with what it says when it is pointed at.
    pub fn rectangle(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, opacity: f64, hover: Option<&str>) {
        let _ = write!(
            self.0,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\" fill-opacity=\"{opacity:.2}\"",
            Place(from.0.min(to.0)),
            Place(from.1.min(to.1)),
            Place((to.0 - from.0).abs()),
            Place((to.1 - from.1).abs()),
            ink.fill(),
        );
        self.end("rect", hover);
    }

    /// The outline of a rectangle between two corners.
    pub fn frame(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64, dash: Dash) {
        let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
        self.path(&corners, ink, width, dash);
    }

    /// A symbol of the page or of the file, in a square with this corner. The class gives its colours.
    pub fn symbol(&mut self, name: &str, (x, y): (f64, f64), size: f64, class: &str) {
        let _ = write!(
            self.0,
            "<use href=\"{name}\" x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\" class=\"{class}\"/>",
            Place(x),
            Place(y)
        );
    }

    /// The mark of a series at a point: circles, squares, two triangles and diamonds take turns. The four dashes take
    /// turns, too. So no two of twenty series have the same mark and the same dash.
    pub fn mark(&mut self, (x, y): (f64, f64), series: usize, radius: f64, hover: Option<&str>) {
        let class = Ink::Series(series).fill();
        let r = radius;
        let corners = match series % 5 {
            0 => {
                let _ = write!(
                    self.0,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{r}\" class=\"{class}\"",
                    Place(x),
                    Place(y)
                );
                return self.end("circle", hover);
            }
            1 => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
            2 => vec![(x, y - r * 1.2), (x + r * 1.2, y + r), (x - r * 1.2, y + r)],
            3 => vec![(x, y + r * 1.2), (x + r * 1.2, y - r), (x - r * 1.2, y - r)],
            _ => vec![(x, y - r * 1.4), (x + r * 1.4, y), (x, y + r * 1.4), (x - r * 1.4, y)],
        };
        let _ = write!(self.0, "<polygon points=\"{}\" class=\"{class}\"", places(&corners));
        self.end("polygon", hover);
    }

    /// An invisible place: a text appears when the mouse is over it.
    pub fn hover(&mut self, (x, y): (f64, f64), radius: f64, hover: &str) {
        let _ = write!(
            self.0,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" class=\"h\" fill-opacity=\"0\"",
            Place(x),
            Place(y)
        );
        self.end("circle", Some(hover));
    }

    /// Words at a place: the base line of the text.
    pub fn words(&mut self, (x, y): (f64, f64), words: Words<'_>) {
        let (x, y) = (Place(x), Place(y));
        let anchor = match words.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if words.bold { " font-weight=\"600\"" } else { "" };
        let place = if words.upwards {
            format!("transform=\"translate({x} {y}) rotate(-90)\"")
        } else {
            format!("x=\"{x}\" y=\"{y}\"")
        };
        let _ = write!(
            self.0,
            "<text {place} class=\"{}{}\" font-size=\"{}\"{anchor}{bold}{}>{}</text>",
            words.ink.fill(),
            if words.halo { " ko" } else { "" },
            words.size,
            if words.halo {
                " paint-order=\"stroke\" stroke-width=\"3.5\" stroke-linejoin=\"round\""
            } else {
                ""
            },
            escaped(words.text),
        );
    }

    fn end(&mut self, element: &str, hover: Option<&str>) {
        match hover {
            None => self.0.push_str("/>"),
            Some(hover) => {
                let _ = write!(self.0, "><title>{}</title></{element}>", escaped(hover));
            }
        }
    }
}

fn places(points: &[(f64, f64)]) -> String {
    let mut text = String::with_capacity(points.len() * 10);
    for (index, (x, y)) in points.iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        let _ = write!(text, "{space}{},{}", Place(*x), Place(*y));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let text = |value| Place(value).to_string();
        assert_eq!(
            [text(1.0), text(1.04), text(-0.26), text(12.35)],
            ["1", "1", "-0.3", "12.4"]
        );
    }

    #[test]
    fn text_cannot_leave_its_element() {
        assert_eq!(escaped("<b> & \"x\"'"), "&lt;b&gt; &amp; &quot;x&quot;&#39;");
        assert_eq!(escaped("a\u{1b}[31m\u{202e}"), "a\u{fffd}[31m\u{fffd}");
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shortened("house", 12.0, 100.0), "house");
        let short = shortened(&"x".repeat(1_000), 12.0, 100.0);
        assert!(short.ends_with('…') && text_width(&short, 12.0) <= 112.0, "{short}");
    }
}
