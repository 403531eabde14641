//! Keys of a table. A description names each of its keys once; the same line reads the key and writes it.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostic, Text, TomlTable};
use toml::{Table, Value};

use crate::game::limit::MAX_TIME_MS;

/// The keys of a table that is read, or of one that is written.
pub(super) enum Keys<'t> {
    /// A key that is there replaces the value; a wrong one is reported.
    Read(&'t TomlTable<'t>),
    /// Each value becomes a key.
    Write(Table),
}

/// The place of a value: the value itself, or one that may be absent. An absent value is not written.
pub(super) trait Slot<T> {
    /// The value.
    fn get(&self) -> Option<&T>;
    /// Replaces it.
    fn put(&mut self, value: T);
}

impl<T> Slot<T> for T {
    fn get(&self) -> Option<&T> {
        Some(self)
    }

    fn put(&mut self, value: T) {
        *self = value;
    }
}

impl<T> Slot<T> for Option<T> {
    fn get(&self) -> Option<&T> {
        self.as_ref()
    }

    fn put(&mut self, value: T) {
        *self = Some(value);
    }
}

/// A value, and the usual one. The usual one is not written.
pub(super) struct Unusual<'v, T>(pub(super) &'v mut T, pub(super) T);

impl<T: PartialEq> Slot<T> for Unusual<'_, T> {
    fn get(&self) -> Option<&T> {
        Some(&*self.0).filter(|value| **value != self.1)
    }

    fn put(&mut self, value: T) {
        *self.0 = value;
    }
}

/// The value with the keys of the table; `None` when one of them is wrong, which is reported.
pub(super) fn read<T>(table: &TomlTable<'_>, mut value: T, keys: impl FnOnce(&mut Keys<'_>, &mut T)) -> Option<T> {
    table.right(|| {
        keys(&mut Keys::Read(table), &mut value);
        value
    })
}

/// The keys of the value.
pub(super) fn written<T: Clone>(value: &T, keys: impl FnOnce(&mut Keys<'_>, &mut T)) -> Table {
    let mut written = Keys::Write(Table::new());
    keys(&mut written, &mut value.clone());
    match written {
        Keys::Write(table) => table,
        Keys::Read(_) => Table::new(),
    }
}

impl<'t> Keys<'t> {
    /// A key of any kind. `read` reports what is wrong with it.
    pub(super) fn key<T>(
        &mut self,
        key: &str,
        slot: &mut impl Slot<T>,
        read: impl FnOnce(&TomlTable<'t>, &str) -> Option<T>,
        write: impl FnOnce(&T) -> Value,
    ) {
        match self {
            Self::Read(table) if table.has(key) => {
                if let Some(value) = read(table, key) {
                    slot.put(value);
                }
            }
            Self::Read(_) => {}
            Self::Write(table) => {
                if let Some(value) = Slot::<T>::get(&*slot) {
                    table.insert(key.to_owned(), write(value));
                }
            }
        }
    }

    /// A table within this one. It is written when `is_there`.
    pub(super) fn inside(&mut self, key: &str, is_there: bool, keys: impl FnOnce(&mut Keys<'_>)) {
        match self {
            Self::Read(table) => {
                if let Some(inner) = table.table(key) {
                    keys(&mut Keys::Read(&inner));
                    inner.close();
                }
            }
            Self::Write(table) if is_there => {
                table.insert(key.to_owned(), written(&(), |inner, ()| keys(inner)).into());
            }
            Self::Write(_) => {}
        }
    }

    /// The table, when it is read.
    pub(super) fn table(&self) -> Option<&'t TomlTable<'t>> {
        match self {
            Self::Read(table) => Some(table),
            Self::Write(_) => None,
        }
    }

    /// The value of a key that has no usual one: `None` as long as the key is not read.
    pub(super) fn known<T>(&self, value: T) -> Option<T> {
        matches!(self, Self::Write(_)).then_some(value)
    }

    /// Reports which of these keys are missing. All other keys of the table come before.
    pub(super) fn need(&self, keys: &[&str]) {
        for key in keys {
            self.table().and_then(|table| table.require::<()>(key, None));
        }
    }

    pub(super) fn integer<T>(&mut self, key: &str, range: RangeInclusive<T>, slot: &mut impl Slot<T>)
    where
        T: Copy + TryFrom<i64> + TryInto<i64>,
    {
        // No bound and no value within bounds is greater than an integer of TOML.
        let whole = |number: T| number.try_into().unwrap_or(i64::MAX);
        let range = whole(*range.start())..=whole(*range.end());
        let read = |table: &TomlTable<'_>, key: &str| table.integer(key, range)?.try_into().ok();
        self.key(key, slot, read, |number| whole(*number).into());
    }

    pub(super) fn number(&mut self, key: &str, slot: &mut impl Slot<f64>) {
        let read = |table: &TomlTable<'_>, key: &str| table.number(key, f64::MIN..=f64::MAX);
        self.key(key, slot, read, |number| (*number).into());
    }

    pub(super) fn boolean(&mut self, key: &str, slot: &mut impl Slot<bool>) {
        self.key(key, slot, TomlTable::boolean, |value| (*value).into());
    }

    /// A time of at least this many milliseconds.
    pub(super) fn milliseconds(&mut self, key: &str, least: i64, slot: &mut impl Slot<Duration>) {
        let read = |table: &TomlTable<'_>, key: &str| {
            let time = table.integer(key, least..=MAX_TIME_MS as i64)?;
            Some(Duration::from_millis(time as u64))
        };
        let write = |time: &Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX).into();
        self.key(key, slot, read, write);
    }

    /// One of these values, by its name.
    pub(super) fn choice<T: Copy + PartialEq>(
        &mut self,
        key: &str,
        names: &[(&'static str, T)],
        slot: &mut impl Slot<T>,
    ) {
        let read = |table: &TomlTable<'_>, key: &str| table.choice(key, names);
        let write = |wanted: &T| {
            let named = names.iter().find(|(_, value)| value == wanted);
            named.map_or("", |(name, _)| name).into()
        };
        self.key(key, slot, read, write);
    }

    pub(super) fn text(&mut self, key: &str, slot: &mut impl Slot<Text>) {
        self.key(key, slot, TomlTable::text, |text| (*text.value).into());
    }

    pub(super) fn string(&mut self, key: &str, slot: &mut impl Slot<String>) {
        let read = |table: &TomlTable<'_>, key: &str| Some(table.text(key)?.value);
        self.key(key, slot, read, |text| text.as_str().into());
    }

    pub(super) fn strings(&mut self, key: &str, slot: &mut impl Slot<Vec<String>>) {
        let read = |table: &TomlTable<'_>, key: &str| {
            let texts = table.texts(key).into_iter().map(|text| text.value);
            Some(texts.collect())
        };
        self.key(key, slot, read, |texts: &Vec<String>| texts.clone().into());
    }

    /// A value with a form of its own. `what` names such values, and the error of `parse` says what belongs here.
    pub(super) fn parsed<T>(
        &mut self,
        key: &str,
        what: &str,
        slot: &mut impl Slot<T>,
        parse: impl FnOnce(&str) -> Result<T, String>,
        write: impl FnOnce(&T) -> Value,
    ) {
        let read = |table: &TomlTable<'_>, key: &str| {
            let text = table.scalar(key)?;
            let wrong = |why: String| {
                let error = Diagnostic::error(format!("`{text}` is not {what}"));
                table.report(error.at(table.place_of_value(key), why));
            };
            parse(&text).map_err(wrong).ok()
        };
        self.key(key, slot, read, write);
    }

    /// The paths of some things, such as books: one, or a list.
    pub(super) fn paths(&mut self, key: &str, thing: &str, slot: &mut impl Slot<Vec<PathBuf>>) {
        let read = |table: &TomlTable<'_>, key: &str| {
            if !table.is_list(key) {
                return Some(vec![PathBuf::from(table.text(key)?.value)]);
            }
            let files = table.texts(key);
            if files.is_empty() {
                table.report(
                    Diagnostic::error(format!("`{key}` names no {thing}"))
                        .at(table.place_of_value(key), "a list of at least one path belongs here"),
                );
                return None;
            }
            Some(files.into_iter().map(|file| PathBuf::from(file.value)).collect())
        };
        self.key(key, slot, read, |files: &Vec<PathBuf>| files_value(files));
    }
}

/// The paths of some files as a value: one alone, or a list.
fn files_value(files: &[PathBuf]) -> Value {
    let mut paths: Vec<Value> = files.iter().map(|file| file.display().to_string().into()).collect();
    match paths.len() {
        1 => paths.remove(0),
        _ => paths.into(),
    }
}
