//! Finds the policy that a reference names: in a file, or in an idea.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, Files, Source, nearest};

use crate::complaint::{self, refusal};
use crate::definition::Engine;
use crate::idea::{IDEA_FOLDER, Idea, IdeaPolicy};
use crate::policy::Policy;
use crate::reference::{IdeaPart, Override, POLICY_FOLDER, PolicyReference, source, toml_string};

/// A policy with its warnings, or what is wrong.
type Compiled = Result<(Policy, Diagnostics), Diagnostics>;

impl PolicyReference {
    /// Loads the policy and applies the overrides. Warnings come with the policy.
    ///
    /// A path that is not absolute starts from `root`; a name is looked up in the [`POLICY_FOLDER`] of `root` or of its
    /// nearest ancestor that has one, and then among the built-in policies.
    ///
    /// # Errors
    /// When there is no such policy, it has errors, or an override does not fit it.
    pub fn resolve(&self, root: &Path) -> Compiled {
        self.resolve_from(&Files::on_disk(), root)
    }

    /// As [`PolicyReference::resolve`], from these files.
    ///
    /// # Errors
    /// As [`PolicyReference::resolve`].
    pub fn resolve_from(&self, files: &Files, root: &Path) -> Compiled {
        self.resolve_for(Engine::Lmrlab, files, root)
    }

    /// As [`PolicyReference::resolve_from`], for any engine: see [`Policy::compile_for_host`].
    ///
    /// # Errors
    /// As [`PolicyReference::resolve`].
    pub fn resolve_for_host(&self, files: &Files, root: &Path) -> Compiled {
        self.resolve_for(Engine::Host, files, root)
    }

    fn resolve_for(&self, engine: Engine, files: &Files, root: &Path) -> Compiled {
        let path = self.locate(files, root)?;
        let (policy, warnings) = match self.idea() {
            Some(idea) => self.policy_of(&idea, files, &path, root)?,
            None => {
                let policy = self.policy_in(engine, files, &path);
                policy.map_err(|wrong| self.not_a_policy(&path).unwrap_or(wrong))?
            }
        };
        Ok((self.applied_to(policy)?, warnings))
    }

    /// A policy with the overrides of parameters and rules.
    ///
    /// # Errors
    /// When an override does not fit it.
    pub fn applied_to(&self, mut policy: Policy) -> Result<Policy, Diagnostics> {
        let mut wrong = Vec::new();
        for (change, span) in &self.overrides {
            let result = match change {
                Override::Parameter { name, value } => policy.set_parameter(name, *value),
                Override::Rule { name, enabled } => policy.enable_rule(name, *enabled),
                Override::Setting { .. } => Ok(()),
            };
            if let Err(error) = result {
                wrong.push(complaint::wrong(error.message(), span.clone(), "", &error.advice()));
            }
        }
        match wrong.is_empty() {
            true => Ok(policy),
            false => Err(Diagnostics::new(source(&self.text), wrong)),
        }
    }

    /// The error for a file that is a program or a directory. It replaces the errors of reading the file.
    fn not_a_policy(&self, path: &Path) -> Option<Diagnostics> {
        let what = match std::fs::metadata(path).ok()? {
            metadata if metadata.is_dir() => "directory",
            metadata if may_be_executed(path, &metadata) && !self.policy().ends_with(".toml") => "program",
            _ => return None,
        };
        let name = self.policy();
        let help = match what {
            "program" => format!("where an engine belongs, write `cmd={name}`"),
            _ => "name a file in it".to_owned(),
        };
        Some(self.refuse(format!("`{name}` is a {what}, and no policy"), &help))
    }

    /// A mistake in the name of the policy.
    fn refuse(&self, message: String, help: &str) -> Diagnostics {
        let error = complaint::wrong(message, self.policy.clone(), "", help);
        refusal(source(&self.text), error)
    }

    /// The policy of a file, with the overrides that set keys.
    fn policy_in(&self, engine: Engine, files: &Files, path: &Path) -> Compiled {
        let shown = if self.is_path() {
            self.policy().to_owned()
        } else {
            format!("{POLICY_FOLDER}/{}.toml", self.policy())
        };
        let mut file = Source::read_from(files, path, &shown)?;
        if let Some(settings) = self.settings() {
            let (plain, _) = Policy::compile_for(file, engine)?;
            file = extending(path, &plain, &settings).with_files(files.clone());
        }
        Policy::compile_for(file, engine)
    }

    /// The policy of an idea. `path` is the file of the idea.
    fn policy_of(&self, part: &IdeaPart<'_>, files: &Files, path: &Path, root: &Path) -> Compiled {
        let mut overrides = self.overrides.iter();
        if let Some((_, span)) = overrides.find(|(change, _)| matches!(change, Override::Setting { .. })) {
            let message = "no override sets a key of the policy of an idea";
            let name = part.name;
            let help = format!("copy the policy to a file and override that: `lmrlab idea show {name}` prints it");
            let error = complaint::wrong(message, span.clone(), "", &help);
            return Err(refusal(source(&self.text), error));
        }
        let (idea, _) = Idea::read(files, path, &format!("{IDEA_FOLDER}/{}.toml", part.name))?;
        let Some(comparison) = idea.on(part.on) else {
            let names: Vec<&str> = idea.comparisons.iter().map(|other| other.on.as_str()).collect();
            let (name, on) = (part.name, part.on.unwrap_or_default());
            let help = format!("its baselines are: {}", names.join(", "));
            return Err(self.refuse(format!("the idea `{name}` has no baseline `{on}`"), &help));
        };
        let side = if part.without {
            &comparison.without
        } else {
            &comparison.with
        };
        side.resolve(files, path.parent().unwrap_or(root), root)
    }

    /// The file of the policy, without the overrides; see [`PolicyReference::resolve`].
    ///
    /// # Errors
    /// When no policy has this name. A path need not lead to a file.
    pub fn locate(&self, files: &Files, root: &Path) -> Result<PathBuf, Diagnostics> {
        if self.is_path() {
            return Ok(files.locate(root, Path::new(self.policy())));
        }
        let (word, words, folder, name) = match self.idea() {
            Some(idea) => ("idea", "ideas", IDEA_FOLDER, idea.name),
            None => ("policy", "policies", POLICY_FOLDER, self.policy()),
        };
        let mut policies = files.named(folder, root);
        if let Some(path) = policies.remove(name) {
            return Ok(path);
        }
        if policies.is_empty() {
            let help = format!("there is no {word} in `{folder}`, here or above; name a file, as in `./{name}.toml`");
            return Err(self.refuse(format!("cannot look up the {word} `{name}`"), &help));
        }
        let known: Vec<&str> = policies.keys().map(String::as_str).collect();
        let file = format!("{name}.toml");
        let near = if files.has_file(&root.join(&file)) || files.has_file(Path::new(&file)) {
            format!("did you mean the file `{file}`? ")
        } else {
            let near = nearest(name, known.iter().copied());
            near.map_or_else(String::new, |near| format!("did you mean `{near}`? "))
        };
        let help = format!("{near}the {words} are: {}", known.join(", "));
        Err(self.refuse(format!("there is no {word} `{name}`"), &help))
    }
}

#[cfg(unix)]
fn may_be_executed(_path: &Path, metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn may_be_executed(path: &Path, _metadata: &std::fs::Metadata) -> bool {
    path.extension().is_some_and(|extension| extension == "exe")
}

impl IdeaPolicy {
    /// Compiles the policy. Returns the warnings, too. `folder` is the folder of the idea's file; names are looked up
    /// from `root`.
    ///
    /// # Errors
    /// When there is no such policy, or it has errors.
    pub fn resolve(&self, files: &Files, folder: &Path, root: &Path) -> Compiled {
        match self {
            Self::Text(source) => Policy::compile(source.clone()),
            Self::Reference(reference) if reference.is_path() => reference.resolve_from(files, folder),
            Self::Reference(reference) => reference.resolve_from(files, root),
        }
    }
}

/// The source of a policy that extends the one in a file by these settings.
fn extending(path: &Path, plain: &Policy, settings: &str) -> Source {
    let mut text = String::new();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    for (key, value) in [
        ("name", plain.name()),
        ("description", plain.description()),
        ("extends", &file),
    ] {
        text.push_str(&format!("{key} = {}\n", toml_string(value)));
    }
    text.push_str(settings);
    Source::new(format!("{file} with its overrides"), text).located(&path.with_file_name(format!("{file}@")))
}
