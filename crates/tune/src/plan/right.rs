//! Reads a part of a file that counts only when nothing in it is wrong.

use lmrlab_diagnostics::TomlTable;

/// A value with what it reads of the table; `None` when a key is wrong, which is reported.
pub(super) fn right<T>(table: &TomlTable<'_>, read: impl FnOnce() -> T) -> Option<T> {
    let before = table.document().reported();
    let value = read();
    (table.document().reported() == before).then_some(value)
}
