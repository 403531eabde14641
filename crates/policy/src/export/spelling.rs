//! How C and Rust spell the same statements.

use super::{Language, comment};

/// The widest line of code.
const WIDTH: usize = 116;

impl Language {
    /// The spelling of this language.
    pub(super) fn pick<T>(self, c: T, rust: T) -> T {
        match self {
            Self::C => c,
            Self::Rust => rust,
        }
    }

    /// The start of the definition of a constant float in a function.
    pub(super) fn constant(self) -> &'static str {
        self.pick("const double", "let")
    }

    /// Opens a block for a condition.
    pub(super) fn if_line(self, condition: &str) -> String {
        self.pick(format!("if ({condition}) {{"), format!("if {condition} {{"))
    }

    /// The last statement of a function.
    pub(super) fn result(self, value: &str) -> String {
        self.pick(format!("return {value};"), value.to_owned())
    }

    /// A statement for a parameter that nothing reads.
    pub(super) fn unused(self, name: &str) -> String {
        self.pick(format!("(void){name};"), format!("let _ = {name};"))
    }
}

/// Lines of code, indented and wrapped.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) language: Language,
    pub(super) text: String,
    pub(super) depth: usize,
}

impl Code {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            text: String::new(),
            depth: 1,
        }
    }

    /// Appends a line. White space has no meaning in it, so that it can be wrapped.
    pub(super) fn line(&mut self, line: &str) {
        if line.starts_with('}') {
            self.depth = self.depth.saturating_sub(1);
        }
        let indent = "    ".repeat(self.depth);
        let mut current = indent.clone();
        for (index, word) in line.split(' ').enumerate() {
            if current.len() + word.len() > WIDTH && index > 0 {
                self.text.push_str(current.trim_end());
                self.text.push('\n');
                current = format!("{indent}    ");
            }
            current.push_str(word);
            current.push(' ');
        }
        self.text.push_str(current.trim_end());
        self.text.push('\n');
        if line.ends_with('{') {
            self.depth += 1;
        }
    }

    /// A statement for when a condition holds.
    pub(super) fn when(&mut self, condition: &str, statement: &str) {
        self.line(&self.language.if_line(condition));
        self.line(statement);
        self.line("}");
    }

    pub(super) fn comment(&mut self, text: &str) {
        comment::write(&mut self.text, &"    ".repeat(self.depth), text);
    }

    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }
}
