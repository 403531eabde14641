//! Names that a compiler accepts, each used once.

use super::Language;

/// The name of a policy as an identifier in lower case, with a letter first.
pub(super) fn prefix(policy: &str) -> String {
    let lower: String = policy
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if lower.starts_with(|c: char| c.is_ascii_alphabetic()) {
        lower
    } else {
        format!("policy_{lower}")
    }
}

/// The names of a file.
#[derive(Debug)]
pub(super) struct Names {
    language: Language,
    prefix: String,
    /// In lower case, without the prefix.
    taken: Vec<String>,
}

impl Names {
    pub(super) fn new(language: Language, policy: &str) -> Self {
        Self {
            language,
            prefix: prefix(policy),
            taken: vec!["facts".to_owned(), "reduction".to_owned()],
        }
    }

    /// A name for a function or a type: with the prefix where a file has no name space of its own.
    pub(super) fn with_prefix(&self, name: &str) -> String {
        match self.language {
            Language::C => format!("{}_{name}", self.prefix),
            Language::Rust => name.to_owned(),
        }
    }

    /// A name for a function that nothing else in the file has.
    pub(super) fn function(&mut self, wanted: &str) -> String {
        let name = self.unique(wanted);
        self.with_prefix(&name)
    }

    /// A name for a constant that nothing else in the file has. The element `w[2]` of a list is `W_2`.
    pub(super) fn constant(&mut self, wanted: &str) -> String {
        let name = self.unique(&wanted.replace('[', "_").replace(']', ""));
        // Rust has no identifiers of underscores alone.
        let name = if name.trim_matches('_').is_empty() {
            format!("p{name}")
        } else {
            name
        };
        self.with_prefix(&name).to_ascii_uppercase()
    }

    fn unique(&mut self, wanted: &str) -> String {
        let wanted = wanted.to_ascii_lowercase();
        let mut name = wanted.clone();
        let mut count = 1;
        while self.taken.contains(&name) {
            count += 1;
            name = format!("{wanted}_{count}");
        }
        self.taken.push(name.clone());
        name
    }
}
