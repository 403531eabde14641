//! The postfix words of an expression, checked so that nothing can go wrong when they run.

use crate::arithmetic::{Binary, Unary};
use crate::catalogue::{FACTS, Fact};
use crate::nearest::advice;
use crate::number::number;
use crate::values::Place;

/// The most words of all expressions of a policy.
pub(crate) const MAX_WORDS: usize = 16_384;
/// The most numbers on the stack.
pub(crate) const MAX_STACK: usize = 128;

/// A checked word. Jumps lead to the index of a word, or to the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Word {
    Number(f64),
    /// The parameter with this index.
    Parameter(usize),
    Bit(u8),
    Slot(u8),
    /// The reduction so far.
    SoFar,
    Unary(Unary),
    Binary(Binary),
    Table,
    Duplicate,
    Drop,
    Jump(Jump, usize),
}

/// When a jump is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    Always,
    /// When the top is 0. The top is dropped.
    Unless,
    /// When the top is 0; otherwise the top is dropped.
    And,
    /// When the top is not 0; otherwise the top is dropped.
    Or,
}

/// Where an expression stands: it says which facts are known there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Policy,
    Rule,
    Research,
}

/// The names that an expression may mention besides the catalogue.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    pub(crate) parameters: Vec<String>,
    pub(crate) own: Vec<(String, Place)>,
}

impl Names {
    /// The place of a boolean, for a line `flags`.
    pub(crate) fn boolean(&self, name: &str) -> Result<u8, String> {
        match self.fact(name)? {
            Place::Bit(bit) => Ok(bit),
            Place::Slot(_) => Err(format!("`{name}` is a number, and `flags` takes booleans")),
        }
    }

    fn fact(&self, name: &str) -> Result<Place, String> {
        if let Some(fact) = Fact::named(name) {
            return Ok(Place::of(fact));
        }
        if let Some((_, place)) = self.own.iter().find(|(own, _)| own == name) {
            return Ok(*place);
        }
        let known = FACTS.iter().map(|(_, name)| *name);
        let known = known.chain(self.own.iter().map(|(name, _)| name.as_str()));
        let advice = advice(name, known, "facts");
        Err(format!("no fact and no operation is called `{name}`; {advice}"))
    }
}

/// Whether a name is a word of expressions.
pub(crate) fn is_word_of_the_language(name: &str) -> bool {
    matches!(name, "table" | "dup" | "drop") || Unary::named(name).is_some() || Binary::named(name).is_some()
}

/// Reads and checks the words of one expression.
pub(crate) fn read(words: &[&str], names: &Names, scope: Scope) -> Result<Vec<Word>, String> {
    let mut code = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        code.push(read_word(word, index, names, scope)?);
    }
    check_heights(&code, words)?;
    Ok(code)
}

fn read_word(word: &str, index: usize, names: &Names, scope: Scope) -> Result<Word, String> {
    if let Some(unary) = Unary::named(word) {
        return Ok(Word::Unary(unary));
    }
    if let Some(binary) = Binary::named(word) {
        return Ok(Word::Binary(binary));
    }
    match word {
        "table" => return Ok(Word::Table),
        "dup" => return Ok(Word::Duplicate),
        "drop" => return Ok(Word::Drop),
        _ => {}
    }
    if let Some(name) = word.strip_prefix('@') {
        let place = names.parameters.iter().position(|parameter| parameter == name);
        return place.map(Word::Parameter).ok_or_else(|| {
            let known = names.parameters.iter().map(String::as_str);
            format!("no parameter is called `{name}`; {}", advice(name, known, "parameters"))
        });
    }
    let jumps = [
        ('?', Jump::Unless),
        (':', Jump::Always),
        ('&', Jump::And),
        ('|', Jump::Or),
    ];
    for (sign, jump) in jumps {
        if let Some(count) = word.strip_prefix(sign) {
            let digits = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
            let count: usize = count
                .parse()
                .ok()
                .filter(|count| digits && *count <= MAX_WORDS)
                .ok_or_else(|| {
                    format!("`{word}` is no jump; write the number of words to leave out, as in `{sign}3`")
                })?;
            return Ok(Word::Jump(jump, index + 1 + count));
        }
    }
    if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        return number(word)
            .map(Word::Number)
            .ok_or_else(|| format!("`{word}` is not a finite number"));
    }
    let place = names.fact(word)?;
    let known = match Fact::named(word) {
        Some(Fact::SoFar) => scope == Scope::Rule,
        Some(Fact::Score | Fact::Reduction) => scope == Scope::Research,
        _ => true,
    };
    if !known {
        return Err(format!("`{word}` is not known in this line"));
    }
    Ok(match place {
        _ if word == Fact::SoFar.name() => Word::SoFar,
        Place::Bit(bit) => Word::Bit(bit),
        Place::Slot(slot) => Word::Slot(slot),
    })
}

/// Checks that no word lacks operands, that the stack stays within its limit, and that the stack has the same height on
/// all ways to a word.
fn check_heights(code: &[Word], words: &[&str]) -> Result<(), String> {
    // The height before each word that a jump leads to, and at the end.
    let mut expected: Vec<Option<usize>> = vec![None; code.len() + 1];
    let mut height = Some(0);
    for (index, word) in code.iter().enumerate() {
        let text = words.get(index).copied().unwrap_or_default();
        let place = || format!("`{text}`, word {} of the line's expression", index + 1);
        let Some(here) = agreed(height, expected.get(index).copied().flatten())
            .map_err(|()| format!("the ways to {} leave different numbers of values", place()))?
        else {
            return Err(format!("no way leads to {}", place()));
        };
        let (takes, gives) = match word {
            Word::Number(_) | Word::Parameter(_) | Word::Bit(_) | Word::Slot(_) | Word::SoFar => (0, 1),
            Word::Unary(_) => (1, 1),
            Word::Binary(_) | Word::Table => (2, 1),
            Word::Duplicate => (1, 2),
            Word::Drop | Word::Jump(Jump::Unless | Jump::And | Jump::Or, _) => (1, 0),
            Word::Jump(Jump::Always, _) => (0, 0),
        };
        if here < takes {
            return Err(format!("{} has too few operands", place()));
        }
        let after = here - takes + gives;
        if after > MAX_STACK {
            return Err(format!("{} needs more than {MAX_STACK} stack slots", place()));
        }
        height = Some(after);
        if let Word::Jump(jump, target) = word {
            let there = match jump {
                Jump::Always | Jump::Unless => after,
                Jump::And | Jump::Or => here,
            };
            let Some(slot) = expected.get_mut(*target) else {
                return Err(format!("the jump {} leads out of the expression", place()));
            };
            *slot = agreed(*slot, Some(there))
                .map_err(|()| format!("the jump {} meets another with a different number of values", place()))?;
            if *jump == Jump::Always {
                height = None;
            }
        }
    }
    let end = agreed(height, expected.last().copied().flatten());
    match end {
        Ok(Some(1)) => Ok(()),
        Ok(found) => Err(format!(
            "the expression leaves {} values, and it must leave one",
            found.unwrap_or(0)
        )),
        Err(()) => Err("the ways to the end of the expression leave different numbers of values".to_owned()),
    }
}

fn agreed(one: Option<usize>, two: Option<usize>) -> Result<Option<usize>, ()> {
    match (one, two) {
        (Some(one), Some(two)) if one != two => Err(()),
        (one, two) => Ok(one.or(two)),
    }
}
