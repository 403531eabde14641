//! Commands with places for a host, a folder and a name.
//!
//! A template is split into words as a shell does it, before the placeholders are replaced. So a folder with spaces
//! stays one word, and no shell interprets the name of a host. To use a shell, write `sh -c '..'`.

use std::borrow::Cow;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Text, nearest};
use lmrlab_results::sha256::sha256;

/// The placeholders of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// The host.
    Host,
    /// The folder of the part.
    Folder,
    /// The folder, quoted for a shell. ssh passes its words to a shell on the other side.
    QuotedFolder,
    /// A name for the job: at most 63 lower-case letters, digits and `-`. It is different for each folder.
    Name,
}

impl Placeholder {
    /// The placeholders with the names that they have in a template.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("host", Self::Host),
        ("folder", Self::Folder),
        ("quoted_folder", Self::QuotedFolder),
        ("name", Self::Name),
    ];
}

/// A command with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    words: Vec<Vec<Piece>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(Placeholder),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// When it is empty, has a quote that does not end, or names an unknown placeholder.
    pub fn parse(text: &Text) -> Result<Self, Diagnostic> {
        let wrong = |message: &str, label: &str| Diagnostic::error(message).at(text.span.clone(), label);
        let Some(words) = shlex::split(&text.value) else {
            return Err(wrong("this command cannot be split into words", "a quote does not end"));
        };
        if words.first().is_none_or(String::is_empty) {
            return Err(wrong("this command is empty", "a program belongs here"));
        }
        let words: Result<Vec<_>, String> = words.iter().map(|word| pieces(word)).collect();
        let words = words.map_err(|name| unknown(text, &name))?;
        Ok(Self { words })
    }

    /// The command with which `program`, this lmrlab, plays the part in a folder with some threads.
    pub(super) fn playing(program: &str, threads: usize) -> Self {
        let text = |word: &str| vec![Piece::Text(word.to_owned())];
        let folder = vec![Piece::Placeholder(Placeholder::Folder)];
        let options = ["--trust", "--quiet", "--threads"].map(text);
        let words = [text(program), text("resume"), folder].into_iter().chain(options);
        Self {
            words: words.chain([text(&threads.to_string())]).collect(),
        }
    }

    /// Whether it has this placeholder.
    pub fn mentions(&self, placeholder: Placeholder) -> bool {
        let mut pieces = self.words.iter().flatten();
        pieces.any(|piece| *piece == Piece::Placeholder(placeholder))
    }

    /// The words of the command for a host and a folder; the first is the program.
    pub(super) fn words(&self, host: &str, folder: &str) -> Vec<String> {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Placeholder(Placeholder::Host) => host.to_owned(),
            Piece::Placeholder(Placeholder::Folder) => folder.to_owned(),
            Piece::Placeholder(Placeholder::QuotedFolder) => quoted(folder),
            Piece::Placeholder(Placeholder::Name) => job_name(folder),
        };
        (self.words.iter())
            .map(|word| word.iter().map(text).collect())
            .collect()
    }
}

/// A text, quoted as one word of a shell.
pub(super) fn quoted(text: &str) -> String {
    // Only a NUL cannot be quoted, and no path has one.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// A name for the job of a folder. It differs between runs, and Kubernetes accepts it.
fn job_name(folder: &str) -> String {
    const LETTERS_OF_FOLDER: usize = 40;
    let last = Path::new(folder).file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let last: String = last.chars().map(plain).take(LETTERS_OF_FOLDER).collect();
    let sum = sha256(folder);
    let name = format!("lmrlab-{}-{last}", &sum[..12]);
    name.trim_end_matches('-').to_owned()
}

/// The pieces of a word. The error is the name of an unknown placeholder. Braces around anything but a name are
/// literal. `{{name}}` is a literal `{name}`.
fn pieces(word: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = word;
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        if let Some(name) = rest.strip_prefix('{').and_then(name_in_braces)
            && let Some(after) = rest[name.len() + 3..].strip_prefix('}')
        {
            text.push_str(&rest[1..name.len() + 3]);
            rest = after;
        } else if let Some(name) = name_in_braces(rest) {
            let known = Placeholder::NAMES.iter().find(|(known, _)| *known == name);
            let (_, placeholder) = known.ok_or(name)?;
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Placeholder(*placeholder));
            rest = &rest[name.len() + 2..];
        } else {
            text.push('{');
            rest = &rest[1..];
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

/// The name, when a text begins with `{name}`.
fn name_in_braces(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('{')?.split_once('}')?;
    let letters = |c: char| c.is_ascii_alphabetic() || c == '_';
    (!name.is_empty() && name.chars().all(letters)).then_some(name)
}

fn unknown(text: &Text, name: &str) -> Diagnostic {
    let braces = format!("{{{name}}}");
    let place = match text.value.find(&braces) {
        Some(start) => text.place(start..start + braces.len()),
        None => text.span.clone(),
    };
    let names = Placeholder::NAMES.map(|(name, _)| name);
    let help = match nearest(name, names) {
        Some(near) => format!("did you mean `{{{near}}}`? Write `{{{braces}}}` for the text `{braces}` itself"),
        None => format!(
            "there are {{{}}}; write `{{{braces}}}` for the text `{braces}` itself",
            names.join("}, {")
        ),
    };
    Diagnostic::error(format!("`{braces}` is not a placeholder"))
        .at(place, "no value has this name")
        .help(help)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(template: &str, host: &str, folder: &str) -> Vec<String> {
        let template = Template::parse(&Text::detached(template)).unwrap();
        template.words(host, folder)
    }

    #[test]
    fn words_are_split_before_anything_is_put_in() {
        assert_eq!(
            words(
                "ssh -n {host} 'lmrlab resume' {folder} --out={folder}",
                "a; rm",
                "/x y/$(z)"
            ),
            ["ssh", "-n", "a; rm", "lmrlab resume", "/x y/$(z)", "--out=/x y/$(z)"]
        );
        assert_eq!(
            words("sh -c 'x {quoted_folder}'", "a", "/x y"),
            ["sh", "-c", "x '/x y'"]
        );
    }

    #[test]
    fn other_braces_are_themselves() {
        for text in ["{}", "{", "{{", "}", "{\"a\":{\"b\":1}}", "{ host }", "${1}", "a{"] {
            let quoted = format!("x '{text}' {{folder}}");
            assert_eq!(words(&quoted, "a", "/f"), ["x", text, "/f"], "{text}");
        }
        assert_eq!(words("awk '{{print}} {host}'", "a", "/f"), ["awk", "{print} a"]);
        assert_eq!(words("x {{host}", "a", "/f"), ["x", "{a"]);
    }

    #[test]
    fn mistakes_are_named() {
        let message = |template: &str| {
            let error = Template::parse(&Text::detached(template)).unwrap_err();
            format!("{}; {}; {}", error.message, error.label, error.help.unwrap_or_default())
        };
        insta::assert_snapshot!(
            ["", "''", "ssh 'x", "ssh {hots} x", "ssh {machine} x"]
                .map(message)
                .join("\n")
        );
    }

    #[test]
    fn names_suit_kubernetes_and_differ_between_runs() {
        let name = job_name("/shared/A run/Part 3_1.");
        assert!(name.starts_with("lmrlab-") && name.ends_with("-part-3-1"), "{name}");
        assert_ne!(name, job_name("/shared/another/Part 3_1."));
        assert!(job_name(&format!("/{}", "x".repeat(200))).len() <= 63);
    }

    proptest! {
        #[test]
        fn a_quoted_folder_is_one_word_of_a_shell(folder in "[^\0]{1,20}") {
            let quoted = words("{quoted_folder}", "a", &folder).remove(0);
            prop_assert_eq!(shlex::split(&quoted), Some(vec![folder]));
        }

        #[test]
        fn any_folder_and_host_keep_the_number_of_words(folder in ".{1,20}", host in ".{1,20}") {
            prop_assert_eq!(words("a {host} b{folder}", &host, &folder), ["a".to_owned(), host, format!("b{folder}")]);
        }
    }
}
