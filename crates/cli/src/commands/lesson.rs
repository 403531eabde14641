//! What `lmrlab learn` needs for each policy that it makes: the start, the curves, and the way to write the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_lab::curves::{CurveFile, Score, read, score};
use lmrlab_lab::learn::{LearnOptions, Learned, learn};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::failure::Failure;
use lmrlab_results::output_file;
use lmrlab_runner::policy_file::extending;

use super::lab_options::named_policies_for_host;
use super::policy_file::base;
use super::score::say_lacking;

/// The policy to start from.
pub(super) struct Start {
    pub(super) name: String,
    pub(super) policy: Arc<Policy>,
    pub(super) reference: PolicyReference,
    /// The folder in which its name is looked up.
    root: PathBuf,
}

impl Start {
    /// The policy that this reference names.
    pub(super) fn read(reference: &PolicyReference) -> Result<Self, Failure> {
        let mut wrong = Vec::new();
        let mut named = named_policies_for_host(std::slice::from_ref(reference), &mut wrong);
        let Some((name, policy)) = named.pop().filter(|_| wrong.is_empty()) else {
            return Err(Failure::Input(wrong));
        };
        if policy.never_reduces() {
            return Err(Failure::input(
                format!("the policy `{name}` reduces no move, so nothing can be learned from it"),
                "name a policy that reduces with --start, such as `logarithm`",
            ));
        }
        let root = base(reference.is_path());
        if extending("", reference, &root, Path::new(".")).is_none() {
            return Err(Failure::input(
                format!("`{name}` has no file, and the learned policy is a file that extends that of its start"),
                "name a policy of configs/policies or a file with --start",
            ));
        }
        Ok(Self {
            name,
            policy,
            reference: reference.clone(),
            root,
        })
    }
}

/// A start, and the curves to learn from.
pub(super) struct Lesson<'a> {
    start: &'a Start,
    curves: &'a Path,
    most_rules: usize,
    seed: u64,
    pub(super) file: CurveFile,
    pub(super) of_start: Score,
}

impl<'a> Lesson<'a> {
    /// Reads the curves. `seed` chooses the held-out positions.
    pub(super) fn read(start: &'a Start, curves: &'a Path, most_rules: usize, seed: u64) -> Result<Self, Failure> {
        let file = read(curves)?;
        let of_start = score(&start.policy, &file);
        say_lacking(&start.name, &of_start);
        Ok(Self {
            start,
            curves,
            most_rules,
            seed,
            file,
            of_start,
        })
    }

    /// The policy that is learned with this factor of the price.
    pub(super) fn learned(&self, price: f64) -> Learned {
        let options = LearnOptions {
            price,
            most_rules: self.most_rules,
            seed: self.seed,
        };
        learn(&self.start.policy, &self.file, options)
    }

    /// What all policies are learned from.
    pub(super) fn moves(&self, learned: &Learned) -> String {
        format!(
            "{} curves of {}, start {}: {} late moves to learn from, {} held out",
            self.file.curves.len(),
            self.curves.display(),
            self.start.name,
            learned.moves.0,
            learned.moves.1,
        )
    }

    /// Writes a learned policy, and reads it as any engine would. Returns it with the warnings of the file.
    pub(super) fn write(&self, learned: &Learned, price: f64, path: &Path) -> Result<(Policy, Diagnostics), Failure> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let evidence = format!(
            "Learned by lmrlab from {} curves, --price {price}.\n{}\n\n{}",
            self.file.curves.len(),
            learned.prices.text(),
            learned.text()
        );
        let text = learned.file(
            &stem(path),
            &self.start.reference,
            &self.start.root,
            folder.unwrap_or(Path::new(".")),
            &evidence,
        );
        let gone = || Failure::run(format!("the file of the policy `{}` is gone", self.start.name));
        let text = text.ok_or_else(gone)?;
        output_file::write(path, text)?;
        let written = Source::read(path).and_then(Policy::compile_for_host);
        written.map_err(Failure::from)
    }
}

/// The name of the policy in a file.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
