//! Surroundings of a policy, and their names.

use std::sync::Arc;

use lmrlab_engine::preset::Preset;

use crate::variant::Variant;

/// A search in which policies are compared.
#[derive(Debug, Clone)]
pub struct Surrounding {
    /// Its name, as it was given.
    pub name: String,
    /// The preset.
    pub preset: Arc<Preset>,
    /// The transposition table, in MiB.
    pub hash_mib: u32,
}

impl Surrounding {
    /// A policy in this search.
    pub(crate) fn variant(&self, side: &Variant) -> Variant {
        Variant {
            preset: Arc::clone(&self.preset),
            hash_mib: self.hash_mib,
            ..side.clone()
        }
    }
}

/// The name of a surrounding, taken apart: a preset with overrides, of which `hash=MIB` is the size of the transposition table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurroundingName {
    /// The preset, with the other overrides.
    pub preset: String,
    /// The transposition table, in MiB, as it was written.
    pub hash_mib: Option<String>,
}

impl SurroundingName {
    /// Takes a name apart. Of several sizes the last one counts.
    pub fn of(name: &str) -> Self {
        let (base, overrides) = name.split_once('@').unwrap_or((name, ""));
        let mut hash_mib = None;
        let others: Vec<&str> = overrides
            .split(',')
            .filter(|change| match change.trim().strip_prefix("hash=") {
                Some(size) => {
                    hash_mib = Some(size.to_owned());
                    false
                }
                None => !change.is_empty(),
            })
            .collect();
        Self {
            preset: match others[..] {
                [] => base.to_owned(),
                _ => format!("{base}@{}", others.join(",")),
            },
            hash_mib,
        }
    }
}

/// The numbers of the families of surroundings: those that differ in overrides alone are relatives. A number is that of the
/// family's first surrounding.
pub(crate) fn families(names: &[String]) -> Vec<usize> {
    let base = |name: &String| name.split('@').next().map(str::to_owned);
    let bases: Vec<Option<String>> = names.iter().map(base).collect();
    let first = |base: &Option<String>| bases.iter().position(|other| other == base).unwrap_or(0);
    bases.iter().map(first).collect()
}

/// The names of a list with commas between them. Overrides have commas, too: what begins with a sign, or has `=` and no `@`,
/// belongs to the name before it.
pub fn split_list(list: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in list.split(',') {
        let is_override = part.starts_with(['+', '-']) || (part.contains('=') && !part.contains('@'));
        match names.last_mut() {
            Some(name) if is_override && name.contains('@') => {
                name.push(',');
                name.push_str(part);
            }
            _ => names.push(part.trim().to_owned()),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::SURROUNDINGS;
    use std::path::Path;

    #[test]
    fn every_surrounding_is_a_preset() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut parameters = Vec::new();
        for name in SURROUNDINGS {
            let parts = SurroundingName::of(name);
            let (preset, warnings) = Preset::resolve(&parts.preset, root).unwrap();
            assert!(warnings.list.is_empty(), "{name}");
            let this = (preset.parameters, parts.hash_mib);
            assert!(!parameters.contains(&this), "{name} is there twice");
            parameters.push(this);
        }
    }

    #[test]
    fn overrides_make_relatives() {
        let names = ["rebel", "standard", "standard@-killers", "minimal", "rebel@hash=1"].map(str::to_owned);
        assert_eq!(families(&names), [0, 1, 1, 3, 0]);
    }

    #[test]
    fn lists_are_split_between_names() {
        assert_eq!(split_list(&SURROUNDINGS.join(",")), SURROUNDINGS);
        assert_eq!(split_list("rebel, minimal"), ["rebel", "minimal"]);
        assert_eq!(
            split_list("a@x=1,y=2,b@-z,hash=4,-w,c"),
            ["a@x=1,y=2", "b@-z,hash=4,-w", "c"]
        );
        // An override without a preset is a name that nobody has.
        assert_eq!(split_list("-killers"), ["-killers"]);
    }

    #[test]
    fn the_table_is_no_parameter_of_the_preset() {
        let of = |name| {
            let name = SurroundingName::of(name);
            (name.preset, name.hash_mib)
        };
        assert_eq!(of("rebel"), ("rebel".to_owned(), None));
        assert_eq!(of("rebel@hash=4"), ("rebel".to_owned(), Some("4".to_owned())));
        assert_eq!(
            of("rebel@-killers,hash=x,null_move=true"),
            ("rebel@-killers,null_move=true".to_owned(), Some("x".to_owned()))
        );
    }
}
