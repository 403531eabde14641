//! The colours of pictures, on light and on dark ground.
//!
//! Series have the colours of Masataka Okabe and Kei Ito (*Color Universal Design*, 2008). People with the usual kinds
//! of colour blindness can distinguish them. The dark colours are lightened for dark ground.

/// Fonts of pictures and pages: those of the reader's system.
pub const FONTS: &str = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// Width of every picture, in its own units.
pub const WIDTH: f64 = 760.0;
/// Height of ordinary letters.
pub(super) const LETTERS: f64 = 12.5;
/// Height of the title's letters.
pub(super) const TITLE: f64 = 15.0;
/// Greatest width of the text at a tick.
pub(super) const LONGEST_TICK: f64 = 270.0;

/// The names of the classes without their first letter, `f` or `k`, with their colours on light and on dark ground.
/// (`m` is the class of the squares that replay.js marks.)
const COLOURS: [(&str, &str, &str); 17] = [
    ("t", "#1b1f24", "#e8eaed"),
    ("n", "#57606a", "#a5adb6"),
    ("a", "#8c959f", "#6e7781"),
    ("g", "#e2e6ea", "#30363d"),
    ("o", "#ffffff", "#15181c"),
    ("0", "#0072b2", "#56b4e9"),
    ("1", "#d55e00", "#ff9e5e"),
    ("2", "#007a5a", "#3fcf9f"),
    ("3", "#a6437f", "#e59ac6"),
    ("4", "#9a6c00", "#f0c14b"),
    ("5", "#5b4bb5", "#b3a7f5"),
    ("6", "#6b7178", "#b4bac1"),
    ("u", "#56a4d8", "#2f7fb5"),
    ("d", "#ea8a47", "#b8612a"),
    ("l", "#f1f3f5", "#a3aebb"),
    ("s", "#a9bccd", "#66788a"),
    ("m", "#f3d46c", "#c9a63a"),
];

/// White and black pieces: fill, outline, and the lines inside.
const PIECES: &str = ".pw{fill:#fff;stroke:#15181c;color:#15181c}.pb{fill:#22272d;stroke:#0b0d0f;color:#e8eaed}\
                      .pw,.pb{stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}";

/// The rules for pictures on light ground.
pub fn light() -> String {
    rules(|(_, light, _)| light) + PIECES
}

/// The rules that dark ground needs in addition to those for light ground.
pub fn dark() -> String {
    rules(|(_, _, dark)| dark)
}

fn rules(colour: impl Fn((&'static str, &'static str, &'static str)) -> &'static str) -> String {
    let rule = |entry: (&'static str, _, _)| {
        let (name, colour) = (entry.0, colour(entry));
        format!(".f{name}{{fill:{colour}}}.k{name}{{stroke:{colour}}}")
    };
    COLOURS.into_iter().map(rule).collect::<String>()
}
