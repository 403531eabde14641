//! Search presets: which features surround the policy, and with which numbers.
//!
//! Every parameter is declared once, in [`DECLARATIONS`]'s table below: the field, the key in a preset file, the UCI option
//! and the documentation come from the same line.

use std::fmt;
use std::path::Path;

use lmrlab_policy::diagnostic::{Diagnostic, Diagnostics, Source, nearest};
use lmrlab_policy::document::Document;

/// Where named presets are, below the root of a project.
pub const PRESET_FOLDER: &str = "configs/engines";

/// Which terms the evaluation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationTerms {
    /// Material and piece-square tables.
    PieceSquare,
    /// All of them.
    Full,
}

/// What a declared parameter can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// On or off.
    Switch,
    /// An integer within bounds.
    Integer {
        /// The least value.
        min: i32,
        /// The greatest value.
        max: i32,
    },
}

/// One line of the table of search parameters.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// Its name, as in preset files and UCI options.
    pub name: &'static str,
    /// Switch or integer.
    pub kind: ParameterKind,
    /// The value when a preset does not mention it; a switch is 0 or 1.
    pub default: i32,
    /// What it does, with unit and source.
    pub meaning: &'static str,
}

/// A value that a parameter cannot have, or a name that none has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterError(String);

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParameterError {}

macro_rules! search_parameters {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:tt = $default:literal $(in $min:literal..=$max:literal)?;)*) => {
        /// The parameters of a search. The defaults are those of the `standard` preset.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct SearchParameters {
            $($(#[doc = $doc])+ pub $name: $type,)*
        }

        impl Default for SearchParameters {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        /// All parameters of a search, in the order in which they are documented.
        pub const DECLARATIONS: &[Declaration] = &[
            $(Declaration {
                name: stringify!($name),
                kind: search_parameters!(@kind $type $($min $max)?),
                default: $default as i32,
                meaning: concat!($($doc),+),
            },)*
        ];

        impl SearchParameters {
            /// The value of a parameter (a switch is 0 or 1); `None` when there is none of that name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(i32::from(self.$name)),)*
                    _ => None,
                }
            }

            fn store(&mut self, name: &str, value: i32) {
                match name {
                    $(stringify!($name) => self.$name = search_parameters!(@from $type value),)*
                    _ => {}
                }
            }
        }
    };
    (@kind bool) => { ParameterKind::Switch };
    (@kind i32 $min:literal $max:literal) => { ParameterKind::Integer { min: $min, max: $max } };
    (@from bool $value:ident) => { $value != 0 };
    (@from i32 $value:ident) => { $value };
}

search_parameters! {
    /// Evaluate pawn structure, passed pawns, mobility and king safety; without it material and squares alone.
    full_evaluation: bool = true;
    /// Keep a transposition table.
    transposition_table: bool = true;
    /// Half the first width of the window around the last score, in centipawns; 0 opens the window at once.
    aspiration_window: i32 = 20 in 0..=1000;
    /// Least depth with an aspiration window, in plies.
    aspiration_min_depth: i32 = 4 in 1..=64;
    /// Search moves after the first with a null window first (principal variation search; Marsland, Campbell 1982).
    principal_variation_search: bool = true;
    /// Extend moves that give check by one ply.
    check_extension: bool = true;
    /// Let the opponent move twice and cut when that does not help it (null move pruning; Donninger 1993).
    null_move: bool = true;
    /// Least depth of null move pruning, in plies.
    null_move_min_depth: i32 = 2 in 1..=64;
    /// Plies by which the search after a null move is shallower, beside the move itself.
    null_move_reduction: i32 = 3 in 1..=8;
    /// One ply more for each so many plies of depth; 0 for none.
    null_move_depth_divisor: i32 = 4 in 0..=64;
    /// Only make null moves when the static evaluation is at least beta.
    null_move_needs_eval: bool = true;
    /// Try two moves that caused cutoffs at the same ply early (killer moves; Akl, Newborn 1977).
    killers: bool = true;
    /// Order quiet moves by how often they caused cutoffs (history heuristic; Schaeffer 1983).
    history: bool = true;
    /// Greatest history value; updates shrink as it is approached.
    history_bound: i32 = 16384 in 64..=1000000;
    /// Try captures that lose material, by static exchange evaluation, after all quiet moves.
    losing_captures_last: bool = true;
    /// Leave captures that lose material out of quiescence.
    quiescence_exchange_pruning: bool = true;
    /// Search all evasions when in check in quiescence; without it captures alone.
    quiescence_evasions: bool = true;
}

impl SearchParameters {
    /// Which terms the evaluation has.
    #[inline]
    pub fn evaluation_terms(&self) -> EvaluationTerms {
        if self.full_evaluation {
            EvaluationTerms::Full
        } else {
            EvaluationTerms::PieceSquare
        }
    }

    /// Sets a parameter by name; a switch takes 0 or 1.
    ///
    /// # Errors
    /// When there is no parameter of that name, or the value is out of its range.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let Some(declaration) = DECLARATIONS.iter().find(|d| d.name == name) else {
            let near = nearest(name, DECLARATIONS.iter().map(|d| d.name));
            return Err(ParameterError(match near {
                Some(near) => format!("no search parameter `{name}`; did you mean `{near}`?"),
                None => format!("no search parameter `{name}`"),
            }));
        };
        let (min, max) = match declaration.kind {
            ParameterKind::Switch => (0, 1),
            ParameterKind::Integer { min, max } => (min, max),
        };
        if !(min..=max).contains(&value) {
            return Err(ParameterError(format!(
                "`{name}` is {value}, out of range: must be from {min} to {max}"
            )));
        }
        self.store(name, value);
        Ok(())
    }
}

/// A search preset, as read from configs/engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    name: String,
    description: String,
    text: String,
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
            parameters: SearchParameters::default(),
        }
    }
}

impl Preset {
    /// Reads a preset file.
    ///
    /// # Errors
    /// When the file cannot be read, or anything in it is wrong; all of it is in the list.
    pub fn load(path: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        Self::compile(Source::read(path)?)
    }

    /// Reads the preset with this name or path. A text with a `/` or ending in `.toml` is a path; any other is the name of
    /// a file in `configs/engines` below `root` or the nearest folder above it that has such a file.
    ///
    /// # Errors
    /// As [`Preset::load`]; an unknown name lists those that exist.
    pub fn resolve(reference: &str, root: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        if reference.contains('/') || reference.ends_with(".toml") {
            return Self::compile(Source::read_as(&root.join(reference), reference)?);
        }
        let folders = root.ancestors().map(|folder| folder.join(PRESET_FOLDER));
        let mut known = Vec::new();
        for folder in folders {
            let path = folder.join(format!("{reference}.toml"));
            if path.is_file() {
                let shown = format!("{PRESET_FOLDER}/{reference}.toml");
                return Self::compile(Source::read_as(&path, &shown)?);
            }
            if let Ok(entries) = std::fs::read_dir(&folder) {
                known.extend(entries.flatten().filter_map(|entry| {
                    let name = entry.file_name().into_string().ok()?;
                    Some(name.strip_suffix(".toml")?.to_owned())
                }));
            }
        }
        known.sort_unstable();
        let mut diagnostic = Diagnostic::error(format!("no search preset is called `{reference}`"));
        diagnostic = match nearest(reference, known.iter().map(String::as_str)) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => {
                diagnostic.help("there is no folder configs/engines here or above; run from the project's root or name a file")
            }
            None => diagnostic.help(format!("there are: {}", known.join(", "))),
        };
        Err(Diagnostics::new(
            Source::new(reference, ""),
            vec![diagnostic],
        ))
    }

    /// Reads a preset from a text.
    ///
    /// # Errors
    /// When anything in it is wrong; all of it is in the list.
    pub fn compile(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        let document = Document::parse(source)?;
        let root = document.root();
        let name = root.require("name", root.text("name"));
        let description = root.text("description");
        // For people; nothing computes with it.
        root.text("source");
        let mut parameters = SearchParameters::default();
        if let Some(table) = root.table("search") {
            for declaration in DECLARATIONS {
                let value = match declaration.kind {
                    ParameterKind::Switch => table.boolean(declaration.name).map(i32::from),
                    ParameterKind::Integer { min, max } => table
                        .integer(declaration.name, i64::from(min)..=i64::from(max))
                        .and_then(|value| i32::try_from(value).ok()),
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
            parameters,
        });
        document.finish(preset)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it stands for, in a sentence.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> String {
        match Preset::compile(Source::new("p.toml", text)) {
            Ok(_) => "no mistake".to_owned(),
            Err(diagnostics) => diagnostics.render(false),
        }
    }

    #[test]
    fn every_parameter_can_be_set_and_read() {
        let mut parameters = SearchParameters::default();
        for declaration in DECLARATIONS {
            assert_eq!(parameters.get(declaration.name), Some(declaration.default));
            let other = match declaration.kind {
                ParameterKind::Switch => 1 - declaration.default,
                ParameterKind::Integer { min, max } if declaration.default == max => min,
                ParameterKind::Integer { max, .. } => max,
            };
            parameters.set(declaration.name, other).unwrap();
            assert_eq!(parameters.get(declaration.name), Some(other));
            assert!(!declaration.meaning.is_empty());
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let mut parameters = SearchParameters::default();
        assert!(parameters.set("null_move", 2).is_err());
        assert!(parameters.set("null_move_reduction", 0).is_err());
        let error = parameters.set("nul_move", 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no search parameter `nul_move`; did you mean `null_move`?"
        );
    }

    #[test]
    fn mistakes_in_a_preset_name_their_place() {
        insta::assert_snapshot!(mistakes(
            "name = \"x\"\n[search]\nkiller = true\nhistory = 1\nnull_move_reduction = 99\n"
        ));
        insta::assert_snapshot!(mistakes("nam = \"x\"\n"));
    }
}
