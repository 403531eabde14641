//! The errors of a file that is read line by line.

use std::ops::Range;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};

/// Wrong lines beyond this number are only counted.
pub const SHOWN_ERRORS: usize = 10;

/// The values of a file, which come with their places. `message` heads each error. Those that are only counted are `more`.
///
/// # Errors
/// When one of the values is wrong.
pub fn all<T>(
    source: &Source,
    read: impl IntoIterator<Item = (Range<usize>, Result<T, String>)>,
    message: &str,
    more: &str,
) -> Result<Vec<T>, Diagnostics> {
    let (mut values, mut shown, mut count) = (Vec::new(), Vec::new(), 0);
    for (place, value) in read {
        match value {
            Ok(value) => values.push(value),
            Err(reason) => {
                count += 1;
                if count <= SHOWN_ERRORS {
                    shown.push(Diagnostic::error(message).at(place, reason));
                }
            }
        }
    }
    if let Some(left @ 1..) = count.checked_sub(SHOWN_ERRORS) {
        let text = format!("{left} more {more} in `{}`", source.name);
        shown.push(Diagnostic::error(text));
    }
    match shown.is_empty() {
        true => Ok(values),
        false => Err(Diagnostics::new(source.clone(), shown)),
    }
}
