//! The policies that are screened.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use lmrlab_engine::preset::Preset;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_stats::Pentanomial;

use super::super::lab_options::named_policies;
use super::Arguments;
use lmrlab_lab::screen::{HASH_MIB, REFERENCE, games_against, settings};
use lmrlab_lab::variant::Variant;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::project;

/// A policy that is screened, beside its variant.
pub(super) struct Subject {
    /// Empty for a policy of the command line.
    pub(super) family: String,
    /// Its games against the reference.
    pub(super) pairs: Option<Pentanomial>,
}

/// The policies that are screened, behind those that they are compared with.
pub(super) struct Subjects {
    /// The reference; the policy of --against, if there is one; those that are screened.
    pub(super) variants: Vec<Variant>,
    /// Whom predictions are against.
    pub(super) baseline: String,
    subjects: Vec<Subject>,
}

impl Subjects {
    /// Reads everything that the options name.
    pub(super) fn read(arguments: &Arguments) -> Result<Self, Failure> {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let input = |report| Failure::Input(vec![report]);
        let reference: PolicyReference = REFERENCE.parse().map_err(input)?;
        let mut references: Vec<PolicyReference> = std::iter::once(&reference)
            .chain(&arguments.against)
            .chain(&arguments.policies)
            .cloned()
            .collect();
        let before = references.len() - arguments.policies.len();
        let mut families = vec![String::new(); arguments.policies.len()];
        if let Some(file) = &arguments.settings {
            let path = project::typed_file(&here, file);
            for setting in settings(&path, &path.display().to_string()).map_err(input)? {
                families.push(setting.family);
                references.push(setting.policy);
            }
        }
        let mut wrong = Vec::new();
        let policies = named_policies(&references, &mut wrong);
        if !wrong.is_empty() {
            return Err(Failure::Input(wrong));
        }
        let games = match &arguments.games {
            Some(file) => games_against(REFERENCE, file, &file.display().to_string()).map_err(input)?,
            None => HashMap::new(),
        };
        let names = policies.iter().skip(before).map(|(name, _)| name);
        let subjects = families.into_iter().zip(names).map(|(family, name)| Subject {
            family,
            pairs: games.get(name).copied(),
        });
        let subjects: Vec<Subject> = subjects.collect();
        if arguments.games.is_some()
            && let Some(without) = subjects.iter().position(|subject| subject.pairs.is_none())
        {
            return Err(Failure::input(
                format!(
                    "`{}` has no games against {REFERENCE} in --games",
                    policies[before + without].0
                ),
                "leave the policy away, or name the pairs.csv of a gauntlet in which it plays",
            ));
        }
        let preset = Arc::new(Preset::default());
        let variants = policies.into_iter().map(|(name, policy)| Variant {
            name,
            policy,
            preset: Arc::clone(&preset),
            hash_mib: HASH_MIB,
        });
        let variants: Vec<Variant> = variants.collect();
        Ok(Self {
            baseline: variants[before - 1].name.clone(),
            variants,
            subjects,
        })
    }

    /// How many policies are screened.
    pub(super) fn count(&self) -> usize {
        self.subjects.len()
    }

    /// The subject of a variant; `None` for those that others are compared with.
    pub(super) fn subject(&self, variant: usize) -> Option<&Subject> {
        let before = self.variants.len() - self.subjects.len();
        self.subjects.get(variant.checked_sub(before)?)
    }
}
