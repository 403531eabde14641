//! Search presets: files that set the search parameters.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Files, Source, nearest};
use lmrlab_policy::reference::overridden_twice;

use crate::search_parameters::{DECLARATIONS, ParameterKind, SearchParameters};

/// The folder of named presets, below the root of a project.
pub const PRESET_FOLDER: &str = "configs/engines";

/// The history that orders quiet moves. It matters only for a policy that has a history with `orders_moves`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuietOrdering {
    /// The histories of the preset. The policy's history only feeds its facts.
    #[default]
    Preset,
    /// The policy's own history.
    Own,
}

impl QuietOrdering {
    /// The names in files and on command lines.
    pub const NAMES: [(&str, Self); 2] = [("preset", Self::Preset), ("own", Self::Own)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::Own => "own",
        }
    }
}

/// A search preset, as read from configs/engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    name: String,
    description: String,
    text: String,
    /// The history that orders quiet moves.
    pub ordering: QuietOrdering,
    /// The parameters.
    pub parameters: SearchParameters,
}

impl Default for Preset {
    /// All parameters at their defaults, under the name `default`.
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            description: String::new(),
            text: String::new(),
            ordering: QuietOrdering::default(),
            parameters: SearchParameters::default(),
        }
    }
}

impl Preset {
    /// Reads a preset file.
    ///
    /// # Errors
    /// The file cannot be read, or has errors; the list has all of them.
    pub fn load(path: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        Self::compile(Source::read(path)?)
    }

    /// Reads the preset with this name or path and applies the overrides after an `@`, as in
    /// `standard@-null_move,futility_margin=300` (a switch takes `+` or `-`). A text with a `/` or ending in `.toml` is
    /// a path. Any other text is the name of a file in `configs/engines` or of a built-in preset. `configs/engines`
    /// lies below `root`, or below the nearest folder above `root` that has one.
    ///
    /// # Errors
    /// As [`Preset::load`]. An unknown name or parameter is an error that names the nearest one.
    pub fn resolve(reference: &str, root: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        Self::resolve_from(&Files::on_disk(), reference, root)
    }

    /// As [`Preset::resolve`], from these files.
    ///
    /// # Errors
    /// As [`Preset::resolve`].
    pub fn resolve_from(files: &Files, reference: &str, root: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        let Some((base, overrides)) = reference.split_once('@') else {
            return Self::named(files, reference, root);
        };
        let (mut preset, warnings) = Self::named(files, base, root)?;
        let mistakes: Vec<_> = overrides
            .split(',')
            .filter_map(|change| preset.parameters.change(change.trim()).err())
            .map(|error| error.to_string())
            .chain(overridden_twice(overrides).map(|name| format!("`{name}` is overridden twice")))
            .map(|error| Diagnostic::error(format!("preset `{reference}`: {error}")))
            .collect();
        if !mistakes.is_empty() {
            return Err(Diagnostics::new(Source::new(reference, ""), mistakes));
        }
        preset.name = reference.to_owned();
        preset.text = preset.written(reference);
        Ok((preset, warnings))
    }

    /// The text of a preset file of this name with the ordering and the value of every parameter.
    pub fn written(&self, name: &str) -> String {
        let mut text = format!(
            "name = \"{name}\"\nordering = \"{}\"\n\n[search]\n",
            self.ordering.name()
        );
        for declaration in DECLARATIONS {
            let value = self.parameters.get(declaration.name).unwrap_or_default();
            let value = match declaration.kind {
                ParameterKind::Switch => (value != 0).to_string(),
                ParameterKind::Integer { .. } => value.to_string(),
                ParameterKind::Choice(words) => {
                    let word = usize::try_from(value).ok().and_then(|index| words.get(index));
                    format!("\"{}\"", word.unwrap_or(&""))
                }
            };
            text.push_str(&format!("{} = {value}\n", declaration.name));
        }
        text
    }

    fn named(files: &Files, reference: &str, root: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        let path = Self::locate(files, reference, root)?;
        let shown = if is_path(reference) {
            reference.to_owned()
        } else {
            format!("{PRESET_FOLDER}/{reference}.toml")
        };
        Self::compile(Source::read_from(files, &path, &shown)?)
    }

    /// The file of the preset with this name or path, without overrides; see [`Preset::resolve`].
    ///
    /// # Errors
    /// When no preset has this name. A path need not lead to a file.
    pub fn locate(files: &Files, reference: &str, root: &Path) -> Result<PathBuf, Diagnostics> {
        if is_path(reference) {
            return Ok(files.locate(root, Path::new(reference)));
        }
        let mut presets = files.named(PRESET_FOLDER, root);
        if let Some(path) = presets.remove(reference) {
            return Ok(path);
        }
        let names: Vec<&str> = presets.keys().map(String::as_str).collect();
        let mut diagnostic = Diagnostic::error(format!("no search preset is called `{reference}`"));
        diagnostic = match nearest(reference, names.iter().copied()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if names.is_empty() => diagnostic.help(format!(
                "there is no preset in `{PRESET_FOLDER}`, here or above; name a file, as in `./{reference}.toml`"
            )),
            None => diagnostic.help(format!("there are: {}", names.join(", "))),
        };
        Err(Diagnostics::new(Source::new(reference, ""), vec![diagnostic]))
    }

    /// Reads a preset from a text.
    ///
    /// # Errors
    /// The text has errors; the list has all of them.
    pub fn compile(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        let document = Document::parse(source)?;
        let root = document.root();
        let name = root.require("name", root.text("name"));
        let description = root.text("description");
        // For readers of the file only.
        root.text("source");
        let ordering = root.choice("ordering", &QuietOrdering::NAMES).unwrap_or_default();
        let mut parameters = SearchParameters::default();
        if let Some(table) = root.table("search") {
            for declaration in DECLARATIONS {
                let key = declaration.name;
                let value = match declaration.kind {
                    ParameterKind::Switch => table.boolean(key).map(i32::from),
                    ParameterKind::Integer { min, max } => table
                        .integer(key, i64::from(min)..=i64::from(max))
                        .and_then(|value| i32::try_from(value).ok()),
                    ParameterKind::Choice(words) => {
                        let choices: Vec<_> = words.iter().copied().zip(0..).collect();
                        table.choice(key, &choices)
                    }
                };
                if let Some(value) = value {
                    parameters.store(declaration.name, value);
                }
            }
            table.close();
        }
        root.close();
        let preset = name.map(|name| Self {
            name: name.value,
            description: description.map(|text| text.value).unwrap_or_default(),
            text: document.source().text.to_string(),
            ordering,
            parameters,
        });
        document.finish(preset)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its description, one sentence.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Whether a reference without overrides is a path rather than a name.
fn is_path(reference: &str) -> bool {
    reference.contains(std::path::is_separator) || reference.ends_with(".toml")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_parameters::PruningDepth;

    fn mistakes(text: &str) -> String {
        match Preset::compile(Source::new("p.toml", text)) {
            Ok(_) => "no mistake".to_owned(),
            Err(diagnostics) => diagnostics.render(false),
        }
    }

    #[test]
    fn overrides_change_what_they_name_and_are_written_out() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let reference = "standard@-null_move,futility_margin=300,pruning_depth=reduced";
        let (preset, _) = Preset::resolve(reference, root).unwrap();
        assert!(!preset.parameters.null_move && preset.parameters.killers);
        assert_eq!(preset.parameters.futility_margin, 300);
        assert_eq!(preset.parameters.pruning_depth, PruningDepth::Reduced);
        let (again, _) = Preset::compile(Source::new("written", preset.text())).unwrap();
        assert_eq!(again.parameters, preset.parameters);
        for (wrong, reason) in [
            ("standard@null_mov=true", "did you mean `null_move`"),
            ("standard@null_move=maybe", "is not true or false"),
            ("standard@futility_margin=-1", "out of range"),
            (
                "standard@pruning_depth=deep",
                "is not one of nominal, reduced, logarithmic",
            ),
            ("standard@null_move", "none of parameter=value"),
            (
                "standard@-killers,futility_margin=1,-killers",
                "`killers` is overridden twice",
            ),
        ] {
            let said = Preset::resolve(wrong, root).unwrap_err().render(false);
            assert!(said.contains(reason), "{wrong}: {said}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_standard_preset() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let (preset, _) = Preset::resolve("standard", root).unwrap();
        assert_eq!(preset.parameters, SearchParameters::default());
    }

    #[test]
    fn a_preset_says_how_quiet_moves_are_ordered() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for (name, ordering) in [
            ("standard", QuietOrdering::Preset),
            ("standard@-history", QuietOrdering::Preset),
            ("madchess-2015", QuietOrdering::Own),
            ("madchess-2015@-killers", QuietOrdering::Own),
            ("minimal", QuietOrdering::Own),
        ] {
            let (preset, _) = Preset::resolve(name, root).unwrap();
            assert_eq!(preset.ordering, ordering, "{name}");
        }
        let (silent, _) = Preset::compile(Source::new("p.toml", "name = \"x\"\n")).unwrap();
        assert_eq!(silent.ordering, QuietOrdering::Preset);
        let (own, _) = Preset::resolve("madchess-2015@-killers", root).unwrap();
        let (again, _) = Preset::compile(Source::new("written", own.text())).unwrap();
        assert_eq!(again.ordering, QuietOrdering::Own);
        let said = mistakes("name = \"x\"\nordering = \"both\"\n");
        assert!(said.contains("`ordering`") && said.contains("`own`"), "{said}");
    }

    #[test]
    fn mistakes_in_a_preset_name_their_place() {
        insta::assert_snapshot!(mistakes(
            "name = \"x\"\n[search]\nkiller = true\nhistory = 1\nnull_move_reduction = 99\n"
        ));
        insta::assert_snapshot!(mistakes("nam = \"x\"\n"));
    }
}
