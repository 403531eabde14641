//! Names that a compiler accepts, each used once.

use lmrlab_host::runtime::OwnFacts;

use super::Language;

/// The name of a policy as an identifier in lower case, with a letter first.
pub(super) fn prefix(policy: &str) -> String {
    let lower = policy.to_ascii_lowercase();
    let lower = lower.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if lower.starts_with(|c: char| c.is_ascii_alphabetic()) {
        lower
    } else {
        format!("policy_{lower}")
    }
}

/// Words that C, C++ or Rust may not accept as the name of a field.
const RESERVED: &str = "abstract alignas alignof as asm async auto await become bitand bitor bool box break case catch char char16_t char32_t char8_t class compl \
    concept const consteval constexpr constinit continue co_await co_return co_yield crate decltype default delete do double dyn else enum errno explicit export extern \
    false final float fn for friend gen goto if impl in inline int let linux long loop macro match mod move mut mutable namespace new \
    noexcept not_eq nullptr operator or_eq override priv private protected pub public ref register reinterpret_cast requires restrict \
    return self short signed sizeof static static_assert static_cast const_cast dynamic_cast struct super switch template this \
    thread_local throw trait true try type typedef typeid typename typeof union unix unsafe unsigned unsized use using virtual void \
    volatile wchar_t where while xor xor_eq yield";

/// The names of the fields for facts of an engine's own: in lower case and no words of a language, or with `own_` before.
pub(super) fn fields(own: &OwnFacts) -> Vec<String> {
    let mut taken: Vec<String> = own.iter().map(|(_, name)| name.to_owned()).collect();
    let field = |name: &str| {
        let is_lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.chars().all(is_lower)
            && !name.starts_with('_')
            && !name.contains("__")
            && !RESERVED.split(' ').any(|word| word == name)
        {
            return name.to_owned();
        }
        let words: Vec<String> = (name.split('_').filter(|word| !word.is_empty()))
            .map(str::to_ascii_lowercase)
            .collect();
        let mut field = format!("own_{}", words.join("_"));
        while taken.contains(&field) {
            field.insert_str(0, "own_");
        }
        taken.push(field.clone());
        field
    };
    own.iter().map(|(_, name)| name).map(field).collect()
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
        let mut name = self.unique(&wanted.replace('[', "_").replace(']', ""));
        // Rust has no identifiers of underscores alone.
        if name.trim_matches('_').is_empty() {
            name.insert(0, 'p');
        }
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
