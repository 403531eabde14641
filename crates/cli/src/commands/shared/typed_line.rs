//! The command line as a document, so errors point at the words that the user typed.

use std::collections::BTreeMap;
use std::ops::Range;

use lmrlab_diagnostics::{Document, Entry, Node, Source, Value};

/// A command line, word by word.
#[derive(Debug, Clone)]
pub(crate) struct TypedLine {
    text: String,
}

impl TypedLine {
    /// A line that begins with these words, such as `lmrlab match`.
    pub(crate) fn new(command: &str) -> Self {
        Self {
            text: command.to_owned(),
        }
    }

    /// Adds an argument, in quotes when a shell needs them. Returns its place without the quotes.
    pub(crate) fn argument(&mut self, argument: &str) -> Range<usize> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
        self.text.push(' ');
        if argument.is_empty() || !argument.chars().all(plain) {
            let quote = if argument.contains('\'') { '"' } else { '\'' };
            let start = self.text.len() + 1;
            self.text
                .extend([quote.to_string().as_str(), argument, quote.to_string().as_str()]);
            start..start + argument.len()
        } else {
            let start = self.text.len();
            self.text.push_str(argument);
            start..self.text.len()
        }
    }

    /// Adds an option with its value. Returns the place of the value.
    pub(crate) fn option(&mut self, name: &str, value: &str) -> Range<usize> {
        self.argument(name);
        self.argument(value)
    }

    /// The first place of `part` within `place`, from `from` on. All of `place` when the text does not contain it.
    pub(crate) fn find(&self, part: &str, place: &Range<usize>, from: usize) -> Range<usize> {
        let from = from.clamp(place.start, place.end);
        match self.text.get(from..place.end).and_then(|text| text.find(part)) {
            Some(at) if !part.is_empty() => from + at..from + at + part.len(),
            _ => place.clone(),
        }
    }

    /// The line as the source of messages.
    pub(crate) fn source(&self) -> Source {
        Source::new("the command line", self.text.as_str())
    }

    /// The document of a tournament file with these engines.
    pub(crate) fn document(&self, engines: Vec<Node>) -> Document {
        let span = 0..self.text.len();
        let engines = Node {
            value: Value::List(engines),
            span: span.clone(),
        };
        let entry = Entry {
            key_span: 0..0,
            node: engines,
        };
        let root = Value::Table(BTreeMap::from([("engine".to_owned(), entry)]));
        Document::from_parts(self.source(), Node { value: root, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_words() {
        let mut line = TypedLine::new("lmrlab match");
        let engine = line.argument("cmd=./a name='A B'");
        let plain = line.argument("house");
        let value = line.option("--sprt", "5,0");
        let source = line.source();
        assert_eq!(&*source.text, "lmrlab match \"cmd=./a name='A B'\" house --sprt 5,0");
        assert_eq!(source.piece(engine.clone()), Some("cmd=./a name='A B'"));
        assert_eq!(source.piece(plain), Some("house"));
        assert_eq!(source.piece(value), Some("5,0"));
        let name = line.find("A B", &engine, 0);
        assert_eq!(source.piece(name), Some("A B"));
        assert_eq!(line.find("nowhere", &engine, 0), engine);
        assert_eq!(line.find("house", &engine, 0), engine, "outside of the place");
    }
}
