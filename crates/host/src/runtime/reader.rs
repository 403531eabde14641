//! Reads the lines of a compiled policy and checks everything in them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::Lines;
use std::sync::Arc;

use crate::runtime::arithmetic::Unary;
use crate::runtime::expression::{Expression, Grid};
use crate::runtime::facts::{Fact, Kind, MOST_OWN};
use crate::runtime::finish::{Finish, MAX_PLIES, Rounding};
use crate::runtime::number::number;
use crate::runtime::research::{LADDERS, Ladder, Research, STEPS, THREAT_FEEDBACKS, Trigger};
use crate::runtime::scheme::{Effect, Parameter, Rule, Scheme, Units};
use crate::runtime::words::{self, MAX_WORDS, Scope};

/// The version of the format.
pub const VERSION: u32 = 1;
/// The most characters of a name.
pub const MAX_NAME: usize = 64;
const MAX_PARAMETERS: usize = 256;
const MAX_RULES: usize = 256;
const MAX_CELLS: usize = 65_536;
const MAX_LINE_BYTES: usize = 1 << 20;
/// The numbers in a line of logarithms.
pub(crate) const LOGARITHMS: usize = 256;
/// What `pv_bonus` may be, in plies.
const PV_BONUSES: RangeInclusive<i32> = 0..=16;

/// Why a compiled policy cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong in it, and what would be right.
    pub message: String,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for PolicyError {}

impl Scheme {
    /// Reads a compiled policy. Each own fact gets its index in the order of the file.
    ///
    /// # Errors
    /// When anything in the file is wrong. Everything is checked here, so running the policy cannot fail.
    pub fn read(bytes: &[u8]) -> Result<Self, PolicyError> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii());
        let text = text.ok_or_else(|| PolicyError {
            line: 1,
            message: "this is no compiled policy: it is no ASCII text".to_owned(),
        })?;
        let mut reader = Reader {
            lines: text.lines(),
            line: "",
            number: 0,
            taken: true,
            words_left: MAX_WORDS,
            scheme: Scheme::default(),
            grid: None,
            logarithms: [false; 2],
        };
        match reader.file() {
            Ok(()) => Ok(reader.scheme),
            Err(message) => Err(PolicyError {
                line: reader.number,
                message,
            }),
        }
    }
}

struct Reader<'t> {
    lines: Lines<'t>,
    /// The current line, and its number from 1; empty after the last.
    line: &'t str,
    number: usize,
    /// Whether the current line has been read.
    taken: bool,
    /// The words of code that the file may still have.
    words_left: usize,
    /// What has been read.
    scheme: Scheme,
    grid: Option<Arc<Grid>>,
    /// Whether the file has the line `ln`, and the line `log2`.
    logarithms: [bool; 2],
}

/// What is wrong in the current line.
type Refusal = String;

impl<'t> Reader<'t> {
    fn advance(&mut self) {
        self.line = self.lines.next().unwrap_or_default();
        self.number += 1;
        self.taken = false;
    }

    /// Takes the next line when it begins with `key`: the words after that.
    fn words(&mut self, key: &str) -> Result<Option<Vec<&'t str>>, Refusal> {
        if self.taken {
            self.advance();
        }
        ensure! { self.line.len() <= MAX_LINE_BYTES, "the line has more than {MAX_LINE_BYTES} bytes" }
        let mut words = self.line.split(' ');
        if words.next() != Some(key) {
            return Ok(None);
        }
        let words: Vec<_> = words.collect();
        ensure! { !words.contains(&""), "words are separated by one space" }
        self.taken = true;
        Ok(Some(words))
    }

    fn required(&mut self, key: &str, form: &str) -> Result<Vec<&'t str>, Refusal> {
        self.words(key)?.ok_or_else(|| match self.line {
            "" => format!("expected a line `{form}`, found nothing"),
            line => {
                let found: String = line.chars().take(40).collect();
                format!("expected a line `{form}`, found `{found}`")
            }
        })
    }

    fn file(&mut self) -> Result<(), Refusal> {
        (self.scheme.name, self.scheme.hash) = self.header()?;
        let units = self.required("units", "units lmrlab")?;
        let units = Units::named(&units.join(" ")).ok_or("expected `units lmrlab` or `units host`")?;
        self.scheme.units = units;
        self.own()?;
        self.parameters()?;
        self.logarithms = [self.logarithms("ln")?, self.logarithms("log2")?];
        self.table()?;
        self.scheme.when = self.condition(Scope::Policy)?;
        let words = self.required("reduce", "reduce CODE")?;
        self.scheme.reduce = self.code(&words, Kind::Number, Scope::Policy)?;
        self.rules()?;
        self.scheme.finish = self.finish()?;
        self.scheme.research = self.research()?;
        self.scheme.deeper = self.optional_code("deeper", Kind::Boolean, Scope::Research)?;
        self.scheme.shallower = self.optional_code("shallower", Kind::Boolean, Scope::Research)?;
        let rest = self.required("end", "end")?;
        ensure! { rest.is_empty(), "nothing may follow `end`" }
        self.advance();
        let is_last = self.line.is_empty() && self.lines.next().is_none();
        ensure! { is_last, "nothing may follow the line `end`" }
        Ok(())
    }

    fn header(&mut self) -> Result<(String, String), Refusal> {
        let Some(words) = self.words("lmrlab-policy")? else {
            return Err("this is no compiled policy: it does not begin with `lmrlab-policy 1`; `lmrlab policy compile` writes one".to_owned());
        };
        let [version, name, hash] = words.as_slice() else {
            return Err("expected `lmrlab-policy 1 NAME HASH`".to_owned());
        };
        let is_known = *version == VERSION.to_string();
        ensure! { is_known, "the file has version `{version}`, and this engine reads version {VERSION}" }
        let sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        check_name(name, sound)?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        ensure! { is_hash, "`{hash}` is no hash of 64 hexadecimal digits" }
        Ok(((*name).to_owned(), (*hash).to_owned()))
    }

    fn own(&mut self) -> Result<(), Refusal> {
        while let Some(words) = self.words("own")? {
            let (kind, name) = match words.as_slice() {
                ["flag", name] => (Kind::Boolean, *name),
                ["number", name] => (Kind::Number, *name),
                _ => return Err("expected `own flag NAME` or `own number NAME`".to_owned()),
            };
            let own = &mut self.scheme.own;
            ensure! { is_own_name(name), "`{name}` cannot be the name of a fact of an engine's own" }
            ensure! { own.named(name).is_none(), "the fact `{name}` is there twice" }
            ensure! { own.of(kind).len() < MOST_OWN, "more than {MOST_OWN} own facts of one kind" }
            own.of_mut(kind).push(name.to_owned());
        }
        Ok(())
    }

    fn parameters(&mut self) -> Result<(), Refusal> {
        while let Some(words) = self.words("param")? {
            let [name, value, min, max] = words.as_slice() else {
                return Err("expected `param NAME VALUE MIN MAX`".to_owned());
            };
            ensure! { is_parameter_name(name), "`{name}` cannot be the name of a parameter" }
            let parameters = &mut self.scheme.parameters;
            let is_new = parameters.iter().all(|parameter| parameter.name != *name);
            ensure! { is_new, "the parameter `{name}` is there twice" }
            let [value, min, max] = [finite(value)?, finite(min)?, finite(max)?];
            let fits = (min..=max).contains(&value);
            ensure! { fits, "the value of the parameter `{name}` is not between its bounds" }
            ensure! { parameters.len() < MAX_PARAMETERS, "more than {MAX_PARAMETERS} parameters" }
            parameters.push(Parameter {
                name: (*name).to_owned(),
                value,
                default: value,
                min,
                max,
                step: (max - min) / 20.0,
            });
        }
        Ok(())
    }

    fn table(&mut self) -> Result<(), Refusal> {
        let Some(words) = self.words("columns")? else {
            return Ok(());
        };
        let columns = words
            .join(" ")
            .parse()
            .ok()
            .filter(|columns| (1..=MAX_CELLS).contains(columns));
        let columns = columns.ok_or_else(|| format!("expected `columns N` with N from 1 to {MAX_CELLS}"))?;
        let mut cells = Vec::new();
        while let Some(words) = self.words("row")? {
            let found = words.len();
            ensure! { found == columns, "the row has {found} numbers, and {columns} columns are declared" }
            ensure! { cells.len() + found <= MAX_CELLS, "the table has more than {MAX_CELLS} cells" }
            for word in words {
                cells.push(finite(word)?);
            }
        }
        let grid = Grid::new(cells, columns).ok_or("expected a line `row` after `columns`")?;
        self.grid = Some(Arc::new(grid));
        Ok(())
    }

    /// Whether the line is there. Its numbers are for systems that compute other last digits.
    fn logarithms(&mut self, key: &str) -> Result<bool, Refusal> {
        let Some(words) = self.words(key)? else {
            return Ok(false);
        };
        let found = words.len();
        ensure! { found == LOGARITHMS, "`{key}` has {found} numbers, and must have {LOGARITHMS}" }
        words.iter().try_for_each(|word| finite(word).map(|_| ()))?;
        Ok(true)
    }

    fn code(&mut self, words: &[&str], kind: Kind, scope: Scope) -> Result<Expression, Refusal> {
        let left = self.words_left.checked_sub(words.len());
        self.words_left = left.ok_or_else(|| format!("the policy has more than {MAX_WORDS} words of code"))?;
        let reader = words::Reader {
            words,
            scheme: &self.scheme,
            grid: self.grid.as_ref(),
            scope,
            next: 0,
        };
        let code = reader.read(kind)?;
        for (line, is_known) in ["ln", "log2"].into_iter().zip(self.logarithms) {
            let is_read = words.contains(&line);
            ensure! { is_known || !is_read, "the code reads a table, and the file has no line `{line}` above" }
        }
        Ok(code)
    }

    fn optional_code(&mut self, key: &str, kind: Kind, scope: Scope) -> Result<Option<Expression>, Refusal> {
        let words = self.words(key)?;
        words.map(|words| self.code(&words, kind, scope)).transpose()
    }

    fn condition(&mut self, scope: Scope) -> Result<Expression, Refusal> {
        let mut terms: Vec<Expression> = Vec::new();
        if let Some(words) = self.words("flags")? {
            ensure! { !words.is_empty(), "expected `flags +NAME -NAME ..`" }
            for word in words {
                let (name, value) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
                    (Some(name), _) => (name, true),
                    (_, Some(name)) => (name, false),
                    _ => return Err(format!("`{word}` has no sign; write `+{word}` or `-{word}`")),
                };
                let fact = self.scheme.fact(name)?;
                ensure! { fact.is_boolean(), "`{name}` is a number, and `flags` takes booleans" }
                let mut known = terms.iter().filter_map(Expression::literal);
                ensure! { known.all(|(known, _)| known != fact), "`{name}` is there twice" }
                let fact = Expression::Fact(fact);
                terms.push(match value {
                    true => fact,
                    false => Expression::unary(Unary::Not, fact),
                });
            }
        }
        terms.extend(self.optional_code("when", Kind::Boolean, scope)?);
        Ok(match terms.len() {
            0 => Expression::TRUE,
            1 => terms.remove(0),
            _ => Expression::And(terms),
        })
    }

    fn rules(&mut self) -> Result<(), Refusal> {
        while let Some(words) = self.words("rule")? {
            let (name, enabled) = match words.as_slice() {
                [name, "on"] => (*name, true),
                [name, "off"] => (*name, false),
                _ => return Err("expected `rule NAME on` or `rule NAME off`".to_owned()),
            };
            check_name(name, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))?;
            let rules = &self.scheme.rules;
            ensure! { rules.iter().all(|rule| rule.name != name), "two rules are called `{name}`" }
            ensure! { rules.len() < MAX_RULES, "more than {MAX_RULES} rules" }
            let rule = Rule {
                name: name.to_owned(),
                enabled,
                default: enabled,
                when: self.condition(Scope::Rule)?,
                effect: self.effect("")?,
                otherwise: self.effect("else_")?,
                cap: self.optional_code("cap", Kind::Number, Scope::Rule)?,
                stop: match self.words("stop")? {
                    Some(rest) if !rest.is_empty() => return Err("nothing may follow `stop`".to_owned()),
                    words => words.is_some(),
                },
            };
            self.scheme.rules.push(rule);
        }
        Ok(())
    }

    /// The effect under one of three keys.
    fn effect(&mut self, prefix: &str) -> Result<Option<(Effect, Expression)>, Refusal> {
        for (key, effect) in Effect::NAMES {
            let amount = self.optional_code(&format!("{prefix}{key}"), Kind::Number, Scope::Rule)?;
            if let Some(amount) = amount {
                return Ok(Some((*effect, amount)));
            }
        }
        Ok(None)
    }

    fn finish(&mut self) -> Result<Finish, Refusal> {
        let mut settings = Settings(self.required("finish", "finish scale=..")?.into_iter());
        let scale = finite(settings.next("scale")?)?;
        ensure! { (-100.0..=100.0).contains(&scale), "`scale` must be from -100 to 100" }
        let plies = -MAX_PLIES..=MAX_PLIES;
        let finish = Finish {
            scale,
            round: settings.choice("round", Rounding::NAMES)?,
            min: settings.integer("min", &plies)?,
            max: settings.limit("max", &plies)?,
            max_at_root: settings.limit("max_at_root", &plies)?,
            max_in_pv: settings.limit("max_in_pv", &plies)?,
            max_if_extended: settings.limit("max_if_extended", &plies)?,
            floor: settings.integer("floor", &plies)?,
            pv_bonus: settings.integer("pv_bonus", &PV_BONUSES)?,
        };
        settings.end().map(|()| finish)
    }

    fn research(&mut self) -> Result<Research, Refusal> {
        let mut settings = Settings(self.required("research", "research ladder=..")?.into_iter());
        let mut research = Research {
            ladder: settings.choice("ladder", &LADDERS.map(|(name, ladder, _)| (name, ladder)))?,
            trigger: settings.choice("trigger", Trigger::NAMES)?,
            updates_history: settings.choice("updates_history", &[("0", false), ("1", true)])?,
            threat_feedback: None,
        };
        let steps = (
            settings.integer("above", &STEPS)?,
            settings.integer("reduction", &STEPS)?,
        );
        if let Ladder::Intermediate { above, reduction } = &mut research.ladder {
            (*above, *reduction) = (steps.0.unsigned_abs(), steps.1.unsigned_abs());
        }
        let threat_feedback = settings.limit("threat_feedback", &THREAT_FEEDBACKS)?;
        research.threat_feedback = threat_feedback.map(i32::unsigned_abs);
        settings.end().map(|()| research)
    }
}

/// Words of the form `key=value`, in a fixed order.
struct Settings<'t>(std::vec::IntoIter<&'t str>);

impl<'t> Settings<'t> {
    fn next(&mut self, key: &str) -> Result<&'t str, Refusal> {
        let word = self.0.next().ok_or_else(|| format!("`{key}=` is missing"))?;
        let value = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
        value.ok_or_else(|| format!("expected `{key}=`, found `{word}`"))
    }

    fn integer(&mut self, key: &str, range: &RangeInclusive<i32>) -> Result<i32, Refusal> {
        whole(key, self.next(key)?, range)
    }

    /// An integer or `none`.
    fn limit(&mut self, key: &str, range: &RangeInclusive<i32>) -> Result<Option<i32>, Refusal> {
        match self.next(key)? {
            "none" => Ok(None),
            text => whole(key, text, range).map(Some),
        }
    }

    fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Result<T, Refusal> {
        let text = self.next(key)?;
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            format!("`{key}` must be one of: {}", names.join(" "))
        })
    }

    fn end(mut self) -> Result<(), Refusal> {
        match self.0.next() {
            None => Ok(()),
            Some(word) => Err(format!("`{word}` does not belong in this line")),
        }
    }
}

fn whole(key: &str, text: &str, range: &RangeInclusive<i32>) -> Result<i32, Refusal> {
    let value = text
        .parse()
        .ok()
        .filter(|value| range.contains(value) && !text.starts_with('+'));
    let (low, high) = (range.start(), range.end());
    value.ok_or_else(|| format!("`{key}` must be a whole number from {low} to {high}"))
}

fn finite(word: &str) -> Result<f64, Refusal> {
    number(word).ok_or_else(|| format!("`{word}` is not a finite number"))
}

fn check_name(name: &str, good: impl Fn(u8) -> bool) -> Result<(), Refusal> {
    let is_name = (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(good);
    ensure! { is_name, "`{name}` is no name" }
    Ok(())
}

/// Whether a fact of an engine's own may have this name.
pub fn is_own_name(name: &str) -> bool {
    is_identifier(name) && Fact::named(name).is_none() && !words::is_word(name)
}

/// Whether a word is the name of a parameter: an identifier, or the element of a list, as in `w[2]`.
fn is_parameter_name(name: &str) -> bool {
    let element = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let (list, index) = element.unwrap_or((name, "0"));
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    name.len() <= MAX_NAME && is_identifier(list) && is_number
}

/// Whether a word is a letter or `_`, then letters, digits and `_`.
pub fn is_identifier(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
