//! The engine that is tuned: where its parameters are, and how it plays with values of them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};

use super::parameter::Parameter;
use crate::player::uci::UciPlayer;
use crate::player::{EnginePlayer, Player};
use crate::record::manifest::{absolute, relative};
use crate::tournament::entrant::{Entrant, EntrantEngine, OwnEngine};

/// Where a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the policy.
    Policy,
    /// In the search preset.
    Preset,
    /// An option of a program that speaks UCI.
    Option,
}

/// The engine with what is tuned of it.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The engine as it is before.
    pub start: Entrant,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// Where each of them is.
    pub places: Vec<Place>,
}

impl Subject {
    fn of(&self, place: Place) -> impl Iterator<Item = (usize, &Parameter)> {
        let parameters = self.parameters.iter().enumerate();
        parameters.filter(move |(index, _)| self.places[*index] == place)
    }

    /// The engine with these values.
    pub fn at(&self, values: &[f64]) -> Entrant {
        let mut entrant = self.start.clone();
        entrant.name = format!("{}-tuned", self.start.name);
        match &mut entrant.engine {
            EntrantEngine::Own(own) => {
                own.policy_reference =
                    overridden(&own.policy_reference, self.of(Place::Policy), values);
                own.preset_reference =
                    overridden(&own.preset_reference, self.of(Place::Preset), values);
                self.set(own, values);
            }
            EntrantEngine::External { engine, .. } => {
                let engine = Arc::make_mut(engine);
                for (name, value) in self.options(values) {
                    engine
                        .options
                        .retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                    engine.options.push((name, value));
                }
            }
        }
        entrant
    }

    /// The engine with the values that tuning starts from.
    pub fn before(&self) -> Entrant {
        let start: Vec<f64> = self.parameters.iter().map(|p| p.start).collect();
        Entrant {
            name: self.start.name.clone(),
            ..self.at(&start)
        }
    }

    fn set(&self, own: &mut OwnEngine, values: &[f64]) {
        let policy = Arc::make_mut(&mut own.policy);
        for (index, parameter) in self.of(Place::Policy) {
            // The values are within the bounds of parameters that are there.
            let _ = policy.set_parameter(&parameter.name, values[index]);
        }
        let preset = Arc::make_mut(&mut own.preset);
        for (index, parameter) in self.of(Place::Preset) {
            let _ = preset
                .parameters
                .set(&parameter.name, libm::round(values[index]) as i32);
        }
    }

    fn options(&self, values: &[f64]) -> Vec<(String, String)> {
        self.of(Place::Option)
            .map(|(index, parameter)| (parameter.name.clone(), values[index].to_string()))
            .collect()
    }

    /// A seat for the engine; a worker has two.
    pub fn seat(&self, hash_mib: u32) -> Seat {
        match &self.start.engine {
            EntrantEngine::Own(_) => Seat::Own { hash_mib },
            EntrantEngine::External { engine, .. } => {
                Seat::External(Box::new(UciPlayer::new(Arc::clone(engine), hash_mib)))
            }
        }
    }

    /// The text of a policy file that extends the policy of the start; `None` when no parameter of a policy is tuned.
    /// `evidence` becomes comments.
    pub fn tuned_policy(
        &self,
        values: &[f64],
        root: &Path,
        folder: &Path,
        evidence: &str,
    ) -> Option<String> {
        self.of(Place::Policy).next()?;
        let tuned = self.at(values);
        let EntrantEngine::Own(own) = &tuned.engine else {
            return None;
        };
        let EntrantEngine::Own(start) = &self.start.engine else {
            return None;
        };
        let origin = relative(
            &absolute(folder),
            &absolute(&file_of(&start.policy_reference, root)?),
        );
        let mut text = String::new();
        for line in evidence.lines() {
            let _ = writeln!(text, "{}", format!("# {line}").trim_end());
        }
        let _ = write!(
            text,
            "\nname = {}\nextends = {}\n",
            quoted(&format!("{}-tuned", start.policy.name())),
            quoted(&origin.display().to_string())
        );
        text.push_str(&changes(&own.policy));
        Some(text)
    }
}

/// What differs from the file of a policy, as keys of one that extends it.
fn changes(policy: &Policy) -> String {
    let mut text = String::new();
    for change in policy.overrides() {
        if let Some(name) = change.strip_prefix(['-', '+']) {
            let enabled = change.starts_with('+');
            let _ = write!(
                text,
                "\n[[rule]]\nname = {}\nenabled = {enabled}\n",
                quoted(name)
            );
        }
    }
    let changed = policy.parameters().iter().filter(|p| p.value != p.default);
    for (index, parameter) in changed.enumerate() {
        if index == 0 {
            text.push_str("\n[param]\n");
        }
        let _ = writeln!(
            text,
            "{} = {{ value = {:?} }}  # was {:?}",
            parameter.name, parameter.value, parameter.default
        );
    }
    text
}

/// The file that a reference to a policy means.
fn file_of(reference: &str, root: &Path) -> Option<PathBuf> {
    let reference: PolicyReference = reference.parse().ok()?;
    if reference.is_path() {
        return Some(root.join(reference.policy()));
    }
    let file = format!("{}.toml", reference.policy());
    absolute(root)
        .ancestors()
        .map(|folder| folder.join(POLICY_FOLDER).join(&file))
        .find(|path| path.is_file())
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A reference with values for some parameters.
fn overridden<'p>(
    reference: &str,
    parameters: impl Iterator<Item = (usize, &'p Parameter)>,
    values: &[f64],
) -> String {
    let mut text = reference.to_owned();
    for (index, parameter) in parameters {
        let file = text.rfind('/').map_or(0, |slash| slash + 1);
        let mark = if text[file..].contains('@') { ',' } else { '@' };
        let _ = write!(text, "{mark}{}={}", parameter.name, values[index]);
    }
    text
}

/// Where the engine sits when it plays with one set of values after the other.
pub enum Seat {
    /// In this process: made anew for each pair, which costs little.
    Own {
        /// Its transposition table.
        hash_mib: u32,
    },
    /// A program, which is told the values before each pair.
    External(Box<UciPlayer>),
}

impl Seat {
    /// Lets the engine take the seat with these values.
    pub fn take<'s>(
        &'s mut self,
        subject: &Subject,
        values: &[f64],
        place: &'s mut Option<Box<dyn Player>>,
    ) -> &'s mut dyn Player {
        match self {
            Self::External(player) => {
                player.set_options(subject.options(values));
                &mut **player
            }
            Self::Own { hash_mib } => {
                let player = match subject.at(values).engine {
                    EntrantEngine::Own(own) => {
                        Box::new(EnginePlayer::new(own.preset, own.policy, *hash_mib))
                            as Box<dyn Player>
                    }
                    EntrantEngine::External { engine, .. } => {
                        Box::new(UciPlayer::new(engine, *hash_mib)) as Box<dyn Player>
                    }
                };
                &mut **place.insert(player)
            }
        }
    }
}
