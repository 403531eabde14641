//! Options with one of some names for a value.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let parser = PossibleValuesParser::new(names.iter().map(|(name, _)| *name));
    parser.try_map(|text| {
        let named = names.iter().find(|(name, _)| *name == text);
        named.map(|(_, value)| *value).ok_or("another name is needed")
    })
}
