//! Reads the lines of a compiled policy and checks everything in them.

use std::fmt;
use std::str::Lines;

use crate::arithmetic::{Tables, Unary};
use crate::code::{self, MAX_WORDS, Names, Scope, Word};
use crate::finish::{Finish, MAX_PLIES, Rounding};
use crate::number::number;
use crate::research::{Ladder, Research, Trigger};
use crate::values::{MAX_OWN, Place};
use crate::vocabulary::{MAX_NAME, Vocabulary, is_own_name, is_parameter_name};

/// The version of the format.
const VERSION: &str = "1";
const MAX_PARAMETERS: usize = 256;
const MAX_RULES: usize = 256;
const MAX_CELLS: usize = 65_536;
const MAX_LINE_BYTES: usize = 1 << 20;
/// The numbers in a line of logarithms.
const LOGARITHMS: usize = 256;
/// The ranges of `above` and `reduction`, and of `threat_feedback`, in plies.
const STEPS: std::ops::RangeInclusive<i32> = 1..=64;
const THREAT_FEEDBACKS: std::ops::RangeInclusive<i32> = 1..=128;
const PV_BONUSES: std::ops::RangeInclusive<i32> = 0..=16;

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

/// A number with a name and bounds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value, from `min` to `max`.
    pub value: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// The units of the facts that a policy reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Units {
    /// lmrlab's: the factors of the engine apply.
    Lmrlab,
    /// The engine's.
    Host,
}

impl Units {
    /// The word for it in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lmrlab => "lmrlab",
            Self::Host => "host",
        }
    }
}

/// A condition: bits that must have values, and code that must not give 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Condition {
    pub(crate) mask: u64,
    pub(crate) wanted: u64,
    pub(crate) code: Option<Vec<Word>>,
}

/// What a rule does with the reduction so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Add,
    Multiply,
    Set,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) enabled: bool,
    pub(crate) when: Condition,
    pub(crate) effect: Option<(Effect, Vec<Word>)>,
    pub(crate) otherwise: Option<(Effect, Vec<Word>)>,
    pub(crate) cap: Option<Vec<Word>>,
    pub(crate) stop: bool,
}

/// A file, checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PolicyFile {
    pub(crate) name: String,
    pub(crate) hash: String,
    pub(crate) units: Units,
    pub(crate) own: Vec<(String, Place)>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) tables: Tables,
    pub(crate) when: Condition,
    pub(crate) reduce: Vec<Word>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) finish: Finish,
    pub(crate) research: Research,
    pub(crate) deeper: Option<Vec<Word>>,
    pub(crate) shallower: Option<Vec<Word>>,
}

/// Reads a file. Facts of an engine's own get their indices from `vocabulary`. A fact that is not there, or any fact
/// without a vocabulary, gets its index in the order of the file.
pub(crate) fn read(bytes: &[u8], vocabulary: Option<&Vocabulary>) -> Result<PolicyFile, PolicyError> {
    let at_start = |message: &str| PolicyError {
        line: 1,
        message: message.to_owned(),
    };
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii());
    let text = text.ok_or_else(|| at_start("this is no compiled policy: it is no ASCII text"))?;
    let mut reader = Reader {
        lines: text.lines(),
        line: "",
        number: 0,
        words_left: MAX_WORDS,
        names: Names::default(),
    };
    reader.advance();
    reader.file(vocabulary).map_err(|message| PolicyError {
        line: reader.number,
        message,
    })
}

struct Reader<'t> {
    lines: Lines<'t>,
    /// The current line, and its number from 1; empty after the last.
    line: &'t str,
    number: usize,
    /// The words of code that the file may still have.
    words_left: usize,
    names: Names,
}

/// What is wrong in the current line.
type Refusal = String;

impl<'t> Reader<'t> {
    fn advance(&mut self) {
        self.line = self.lines.next().unwrap_or_default();
        self.number += 1;
    }

    /// The words after `key`, when the current line begins with it.
    fn words(&self, key: &str) -> Result<Option<Vec<&'t str>>, Refusal> {
        if self.line.len() > MAX_LINE_BYTES {
            return Err(format!("the line has more than {MAX_LINE_BYTES} bytes"));
        }
        let mut words = self.line.split(' ');
        if words.next() != Some(key) {
            return Ok(None);
        }
        let words: Vec<_> = words.collect();
        match words.iter().any(|word| word.is_empty()) {
            true => Err("words are separated by one space".to_owned()),
            false => Ok(Some(words)),
        }
    }

    fn required(&self, key: &str, form: &str) -> Result<Vec<&'t str>, Refusal> {
        let found = if self.line.is_empty() {
            "nothing".to_owned()
        } else {
            format!("`{}`", self.line.chars().take(40).collect::<String>())
        };
        self.words(key)?
            .ok_or_else(|| format!("expected a line `{form}`, found {found}"))
    }

    fn file(&mut self, vocabulary: Option<&Vocabulary>) -> Result<PolicyFile, Refusal> {
        let (name, hash) = self.header()?;
        let units = self.units()?;
        let own = self.own(vocabulary)?;
        self.names.own.clone_from(&own);
        let parameters = self.parameters()?;
        let tables = self.tables()?;
        let when = self.condition(Scope::Policy, &tables)?;
        let words = self.required("reduce", "reduce CODE")?;
        let reduce = self.code(&words, Scope::Policy, &tables)?;
        let rules = self.rules(&tables)?;
        let finish = self.finish()?;
        let research = self.research()?;
        let [deeper, shallower] = ["deeper", "shallower"];
        let deeper = self.optional_code(deeper, Scope::Research, &tables)?;
        let shallower = self.optional_code(shallower, Scope::Research, &tables)?;
        if !self.required("end", "end")?.is_empty() {
            return Err("nothing may follow `end`".to_owned());
        }
        self.advance();
        if !self.line.is_empty() || self.lines.next().is_some() {
            return Err("nothing may follow the line `end`".to_owned());
        }
        Ok(PolicyFile {
            name,
            hash,
            units,
            own,
            parameters,
            tables,
            when,
            reduce,
            rules,
            finish,
            research,
            deeper,
            shallower,
        })
    }

    fn header(&mut self) -> Result<(String, String), Refusal> {
        let Some(words) = self.words("lmrlab-policy")? else {
            return Err("this is no compiled policy: it does not begin with `lmrlab-policy 1`; `lmrlab policy compile` writes one".to_owned());
        };
        let [version, name, hash] = words.as_slice() else {
            return Err("expected `lmrlab-policy 1 NAME HASH`".to_owned());
        };
        if *version != VERSION {
            return Err(format!(
                "the file has version `{version}`, and this engine reads version {VERSION}"
            ));
        }
        let sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        check_name(name, sound)?;
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!("`{hash}` is no hash of 64 hexadecimal digits"));
        }
        self.advance();
        Ok(((*name).to_owned(), (*hash).to_owned()))
    }

    fn units(&mut self) -> Result<Units, Refusal> {
        let units = match self.required("units", "units lmrlab")?.as_slice() {
            ["lmrlab"] => Units::Lmrlab,
            ["host"] => Units::Host,
            _ => return Err("expected `units lmrlab` or `units host`".to_owned()),
        };
        self.advance();
        Ok(units)
    }

    fn own(&mut self, vocabulary: Option<&Vocabulary>) -> Result<Vec<(String, Place)>, Refusal> {
        let mut own: Vec<(String, Place)> = Vec::new();
        let mut counts = [0; 2];
        while let Some(words) = self.words("own")? {
            let (name, kind, known, place): (_, _, _, fn(usize) -> Place) = match words.as_slice() {
                ["flag", name] => (*name, 0, vocabulary.map(|v| &v.own_flags), Place::own_flag),
                ["number", name] => (*name, 1, vocabulary.map(|v| &v.own_numbers), Place::own_number),
                _ => return Err("expected `own flag NAME` or `own number NAME`".to_owned()),
            };
            if !is_own_name(name) {
                return Err(format!("`{name}` cannot be the name of a fact of an engine's own"));
            }
            if own.iter().any(|(other, _)| other == name) {
                return Err(format!("the fact `{name}` is there twice"));
            }
            let Some(count) = counts.get_mut(kind).filter(|count| **count < MAX_OWN) else {
                return Err(format!("more than {MAX_OWN} own facts of one kind"));
            };
            let index = known.and_then(|names| names.iter().position(|known| known == name));
            own.push((name.to_owned(), place(index.unwrap_or(*count))));
            *count += 1;
            self.advance();
        }
        Ok(own)
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Refusal> {
        let mut parameters: Vec<Parameter> = Vec::new();
        while let Some(words) = self.words("param")? {
            let [name, value, min, max] = words.as_slice() else {
                return Err("expected `param NAME VALUE MIN MAX`".to_owned());
            };
            if !is_parameter_name(name) {
                return Err(format!("`{name}` cannot be the name of a parameter"));
            }
            if parameters.iter().any(|parameter| parameter.name == *name) {
                return Err(format!("the parameter `{name}` is there twice"));
            }
            let [value, min, max] = [finite(value)?, finite(min)?, finite(max)?];
            if !(min..=max).contains(&value) {
                return Err(format!("the value of the parameter `{name}` is not between its bounds"));
            }
            if parameters.len() == MAX_PARAMETERS {
                return Err(format!("more than {MAX_PARAMETERS} parameters"));
            }
            self.names.parameters.push((*name).to_owned());
            parameters.push(Parameter {
                name: (*name).to_owned(),
                value,
                min,
                max,
            });
            self.advance();
        }
        Ok(parameters)
    }

    fn tables(&mut self) -> Result<Tables, Refusal> {
        let mut tables = Tables {
            ln: self.logarithms("ln")?,
            log2: self.logarithms("log2")?,
            ..Tables::default()
        };
        let Some(words) = self.words("columns")? else {
            return Ok(tables);
        };
        let columns = match words.as_slice() {
            [columns] => columns.parse().ok().filter(|columns| (1..=MAX_CELLS).contains(columns)),
            _ => None,
        };
        tables.columns = columns.ok_or_else(|| format!("expected `columns N` with N from 1 to {MAX_CELLS}"))?;
        self.advance();
        while let Some(words) = self.words("row")? {
            if words.len() != tables.columns {
                return Err(format!(
                    "the row has {} numbers, and {} columns are declared",
                    words.len(),
                    tables.columns
                ));
            }
            if tables.cells.len() + words.len() > MAX_CELLS {
                return Err(format!("the table has more than {MAX_CELLS} cells"));
            }
            for word in words {
                tables.cells.push(finite(word)?);
            }
            self.advance();
        }
        match tables.cells.is_empty() {
            true => Err("expected a line `row` after `columns`".to_owned()),
            false => Ok(tables),
        }
    }

    fn logarithms(&mut self, key: &str) -> Result<Vec<f64>, Refusal> {
        let Some(words) = self.words(key)? else {
            return Ok(Vec::new());
        };
        if words.len() != LOGARITHMS {
            return Err(format!(
                "`{key}` has {} numbers, and must have {LOGARITHMS}",
                words.len()
            ));
        }
        let values = words.iter().map(|word| finite(word)).collect::<Result<_, _>>()?;
        self.advance();
        Ok(values)
    }

    fn code(&mut self, words: &[&str], scope: Scope, tables: &Tables) -> Result<Vec<Word>, Refusal> {
        self.words_left = self
            .words_left
            .checked_sub(words.len())
            .ok_or_else(|| format!("the policy has more than {MAX_WORDS} words of code"))?;
        let code = code::read(words, &self.names, scope)?;
        for (word, missing, line) in [
            (Word::Unary(Unary::Ln), tables.ln.is_empty(), "ln"),
            (Word::Unary(Unary::Log2), tables.log2.is_empty(), "log2"),
            (Word::Table, tables.cells.is_empty(), "columns"),
        ] {
            if missing && code.contains(&word) {
                return Err(format!(
                    "the code reads a table, and the file has no line `{line}` above"
                ));
            }
        }
        self.advance();
        Ok(code)
    }

    fn optional_code(&mut self, key: &str, scope: Scope, tables: &Tables) -> Result<Option<Vec<Word>>, Refusal> {
        match self.words(key)? {
            Some(words) => self.code(&words, scope, tables).map(Some),
            None => Ok(None),
        }
    }

    fn condition(&mut self, scope: Scope, tables: &Tables) -> Result<Condition, Refusal> {
        let mut condition = Condition::default();
        if let Some(words) = self.words("flags")? {
            if words.is_empty() {
                return Err("expected `flags +NAME -NAME ..`".to_owned());
            }
            for word in words {
                let (name, value) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
                    (Some(name), _) => (name, true),
                    (_, Some(name)) => (name, false),
                    _ => return Err(format!("`{word}` has no sign; write `+{word}` or `-{word}`")),
                };
                let bit = 1 << (self.names.boolean(name)? & 63);
                if condition.mask & bit != 0 {
                    return Err(format!("`{name}` is there twice"));
                }
                condition.mask |= bit;
                condition.wanted |= if value { bit } else { 0 };
            }
            self.advance();
        }
        condition.code = self.optional_code("when", scope, tables)?;
        Ok(condition)
    }

    fn rules(&mut self, tables: &Tables) -> Result<Vec<Rule>, Refusal> {
        let mut rules: Vec<Rule> = Vec::new();
        while let Some(words) = self.words("rule")? {
            let (name, enabled) = match words.as_slice() {
                [name, "on"] => (*name, true),
                [name, "off"] => (*name, false),
                _ => return Err("expected `rule NAME on` or `rule NAME off`".to_owned()),
            };
            check_name(name, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))?;
            if rules.iter().any(|rule| rule.name == name) {
                return Err(format!("two rules are called `{name}`"));
            }
            if rules.len() == MAX_RULES {
                return Err(format!("more than {MAX_RULES} rules"));
            }
            self.advance();
            let when = self.condition(Scope::Rule, tables)?;
            let effect = self.effect(["add", "mul", "set"], tables)?;
            let otherwise = self.effect(["else_add", "else_mul", "else_set"], tables)?;
            let cap = self.optional_code("cap", Scope::Rule, tables)?;
            let stop = match self.words("stop")?.as_deref() {
                None => false,
                Some([]) => {
                    self.advance();
                    true
                }
                Some(_) => return Err("nothing may follow `stop`".to_owned()),
            };
            rules.push(Rule {
                name: name.to_owned(),
                enabled,
                when,
                effect,
                otherwise,
                cap,
                stop,
            });
        }
        Ok(rules)
    }

    /// The effect under one of three keys: add, multiply, set.
    fn effect(&mut self, keys: [&str; 3], tables: &Tables) -> Result<Option<(Effect, Vec<Word>)>, Refusal> {
        for (key, effect) in keys.into_iter().zip([Effect::Add, Effect::Multiply, Effect::Set]) {
            if let Some(code) = self.optional_code(key, Scope::Rule, tables)? {
                return Ok(Some((effect, code)));
            }
        }
        Ok(None)
    }

    fn finish(&mut self) -> Result<Finish, Refusal> {
        let words = self.required("finish", "finish scale=..")?;
        let mut settings = Settings(&words);
        let scale = finite(settings.next("scale")?)?;
        if !(-100.0..=100.0).contains(&scale) {
            return Err("`scale` must be from -100 to 100".to_owned());
        }
        let round = settings.choice(
            "round",
            &[
                ("trunc", Rounding::Truncate),
                ("floor", Rounding::Floor),
                ("ceil", Rounding::Ceil),
                ("nearest", Rounding::Nearest),
            ],
        )?;
        let plies = -MAX_PLIES..=MAX_PLIES;
        let finish = Finish {
            scale,
            round,
            min: settings.integer("min", &plies)?,
            max: settings.limit("max", &plies)?,
            max_at_root: settings.limit("max_at_root", &plies)?,
            max_in_pv: settings.limit("max_in_pv", &plies)?,
            max_if_extended: settings.limit("max_if_extended", &plies)?,
            floor: settings.integer("floor", &plies)?,
            pv_bonus: settings.integer("pv_bonus", &PV_BONUSES)?,
        };
        settings.end()?;
        self.advance();
        Ok(finish)
    }

    fn research(&mut self) -> Result<Research, Refusal> {
        let words = self.required("research", "research ladder=..")?;
        let mut settings = Settings(&words);
        let research = Research {
            ladder: settings.choice("ladder", Ladder::NAMES)?,
            trigger: settings.choice("trigger", Trigger::NAMES)?,
            updates_history: settings.choice("updates_history", &[("0", false), ("1", true)])?,
            above: settings.integer("above", &STEPS)?.unsigned_abs(),
            reduction: settings.integer("reduction", &STEPS)?.unsigned_abs(),
            threat_feedback: settings
                .limit("threat_feedback", &THREAT_FEEDBACKS)?
                .map(i32::unsigned_abs),
        };
        settings.end()?;
        self.advance();
        Ok(research)
    }
}

/// Words of the form `key=value`, in a fixed order.
struct Settings<'w, 't>(&'w [&'t str]);

impl<'t> Settings<'_, 't> {
    fn next(&mut self, key: &str) -> Result<&'t str, Refusal> {
        let (first, rest) = self.0.split_first().ok_or_else(|| format!("`{key}=` is missing"))?;
        self.0 = rest;
        let value = first.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
        value.ok_or_else(|| format!("expected `{key}=`, found `{first}`"))
    }

    fn integer(&mut self, key: &str, range: &std::ops::RangeInclusive<i32>) -> Result<i32, Refusal> {
        let text = self.next(key)?;
        let value = text
            .parse()
            .ok()
            .filter(|value| range.contains(value) && !text.starts_with('+'));
        value.ok_or_else(|| {
            format!(
                "`{key}` must be a whole number from {} to {}",
                range.start(),
                range.end()
            )
        })
    }

    /// An integer or `none`.
    fn limit(&mut self, key: &str, range: &std::ops::RangeInclusive<i32>) -> Result<Option<i32>, Refusal> {
        let before = self.0;
        if self.next(key)? == "none" {
            return Ok(None);
        }
        self.0 = before;
        self.integer(key, range).map(Some)
    }

    fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Result<T, Refusal> {
        let text = self.next(key)?;
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            format!("`{key}` must be one of: {}", names.join(" "))
        })
    }

    fn end(&self) -> Result<(), Refusal> {
        match self.0.first() {
            None => Ok(()),
            Some(word) => Err(format!("`{word}` does not belong in this line")),
        }
    }
}

fn finite(word: &str) -> Result<f64, Refusal> {
    number(word).ok_or_else(|| format!("`{word}` is not a finite number"))
}

fn check_name(name: &str, good: impl Fn(u8) -> bool) -> Result<(), Refusal> {
    match (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(good) {
        true => Ok(()),
        false => Err(format!("`{name}` is no name")),
    }
}
