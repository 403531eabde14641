//! The lexer: characters to tokens.

use std::ops::Range;

use lmrlab_diagnostics::Diagnostic;

use super::function::KEYWORDS;
use crate::complaint::wrong;

/// The longest expression that is read, in bytes.
pub(super) const MAX_EXPRESSION_BYTES: usize = 8192;

/// The largest absolute value of a number in a file.
const MAX_LITERAL: f64 = 1e12;

/// A place in an expression, in bytes.
pub(crate) type Place = Range<usize>;

/// A piece of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token<'t> {
    Number(f64),
    /// A name or a keyword.
    Word(&'t str),
    /// An operator or a bracket.
    Symbol(&'static str),
    End,
}

/// A token and its place in the expression, in bytes.
#[derive(Debug, Clone)]
pub(crate) struct Placed<'t> {
    pub(crate) token: Token<'t>,
    pub(crate) span: Place,
}

/// Symbols of other languages: the symbol, the one meant, and the advice.
const FOREIGN: &[(&str, &str, &str)] = &[
    ("===", "==", "write `==`"),
    ("!==", "!=", "write `!=`"),
    ("&&", "and", "write `and`"),
    ("||", "or", "write `or`"),
    ("<>", "!=", "write `!=`"),
    ("=<", "<=", "write `<=`"),
    ("**", "^", "write `pow(x, y)`"),
    ("->", "=>", "in `steps`, write `threshold => value`"),
    ("!", "not", "write `not`"),
    ("=", "==", "equality is written `==`"),
    ("&", "and", "write `and`"),
    ("|", "or", "write `or`"),
    ("^", "^", "write `pow(x, y)`"),
    ("?", "?", "write `if(condition, a, b)`"),
    ("≥", ">=", "write `>=`"),
    ("≤", "<=", "write `<=`"),
    ("≠", "!=", "write `!=`"),
    ("×", "*", "write `*`"),
    ("·", "*", "write `*`"),
    ("−", "-", "write `-`"),
    ("{", "{", "use parentheses"),
    ("}", "}", "use parentheses"),
];

/// The symbols. A symbol comes before its own prefixes.
const SYMBOLS: &[&str] = &[
    "==", "!=", "<=", ">=", "=>", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",",
];

/// The tokens of `text`, ended by [`Token::End`].
///
/// Symbols of other languages are reported and replaced by the ones meant, so that the rest is still checked. `None` when
/// that is not possible.
pub(crate) fn tokens<'t>(text: &'t str, problems: &mut Vec<Diagnostic>) -> Option<Vec<Placed<'t>>> {
    if text.len() > MAX_EXPRESSION_BYTES {
        let length = text.len();
        let message = format!("this expression has {length} bytes, more than the {MAX_EXPRESSION_BYTES} allowed");
        let help = "split it into rules, or use `table`";
        problems.push(wrong(message, 0..length, "too long", help));
        return None;
    }
    let mut tokens = Vec::new();
    let mut understood = true;
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let (token, length) = if next.is_ascii_digit() || starts_fraction(rest) {
            let length = number_length(rest);
            let span = at..at + length;
            let value = number(&rest[..length], span, problems).unwrap_or(0.0);
            (Token::Number(value), length)
        } else if next.is_alphabetic() || next == '_' {
            let length = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            let word = &rest[..length];
            (Token::Word(keyword(word, at, problems).unwrap_or(word)), length)
        } else if let Some(symbol) = symbol(rest) {
            (Token::Symbol(symbol), symbol.len())
        } else if let Some((foreign, meant, advice)) = FOREIGN.iter().find(|(f, _, _)| rest.starts_with(f)) {
            let message = format!("`{foreign}` is not part of this language");
            problems.push(wrong(message, at..at + foreign.len(), "", advice));
            if foreign == meant || *meant == "^" {
                understood = false;
            }
            let token = match *meant {
                "and" | "or" | "not" => Token::Word(meant),
                symbol => Token::Symbol(symbol),
            };
            (token, foreign.len())
        } else {
            let shown = match next.is_control() {
                true => next.escape_debug().to_string(),
                false => next.to_string(),
            };
            let message = format!("`{shown}` does not belong in an expression");
            let help = "an expression has names, numbers, operators and parentheses";
            problems.push(wrong(message, at..at + next.len_utf8(), "", help));
            understood = false;
            (Token::Symbol("?"), next.len_utf8())
        };
        tokens.push(Placed {
            token,
            span: at..at + length,
        });
        at += length;
    }
    tokens.push(Placed {
        token: Token::End,
        span: text.trim_end().len()..text.trim_end().len(),
    });
    understood.then_some(tokens)
}

/// The keyword that equals `word` in any case; the wrong case is reported.
fn keyword(word: &str, at: usize, problems: &mut Vec<Diagnostic>) -> Option<&'static str> {
    let keyword = KEYWORDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(word))?;
    if *keyword != word {
        let message = format!("`{word}` must be written in small letters");
        problems.push(wrong(message, at..at + word.len(), "", &format!("write `{keyword}`")));
    }
    Some(keyword)
}

/// The symbol at the start of `rest`, unless a longer symbol of another language starts there.
fn symbol(rest: &str) -> Option<&'static str> {
    let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)).copied()?;
    let foreign = FOREIGN
        .iter()
        .any(|(foreign, _, _)| foreign.len() > symbol.len() && rest.starts_with(foreign));
    (!foreign).then_some(symbol)
}

fn starts_fraction(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next() == Some('.') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

/// The length of the number at the start of `rest`: digits, points, underscores, and an exponent with its sign.
fn number_length(rest: &str) -> usize {
    let mut previous = '0';
    for (index, next) in rest.char_indices() {
        let sign_of_exponent = matches!(next, '+' | '-') && matches!(previous, 'e' | 'E');
        if !(next.is_alphanumeric() || matches!(next, '.' | '_') || sign_of_exponent) {
            return index;
        }
        previous = next;
    }
    rest.len()
}

fn number(literal: &str, span: Place, problems: &mut Vec<Diagnostic>) -> Option<f64> {
    problems.push(match literal.replace('_', "").parse::<f64>() {
        Ok(value) if value.abs() <= MAX_LITERAL => return Some(value),
        Ok(_) => {
            let label = format!("at most {MAX_LITERAL:e}");
            wrong(format!("the number `{literal}` is too large"), span, &label, "")
        }
        Err(_) => {
            let digits = literal.find(|c: char| c.is_alphabetic() || c == '_').unwrap_or(0);
            let help = match literal.split_at(digits) {
                ("", _) => String::new(),
                (number, name) => format!("multiplication needs its sign: `{number} * {name}`"),
            };
            wrong(format!("`{literal}` is not a number"), span, "", &help)
        }
    });
    None
}
