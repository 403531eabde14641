//! The files that a description names: policies, presets, openings and programs.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Document, Files, Text, built_in};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::preset::{Preset, QuietOrdering};
use lmrlab_policy::reference::{POLICY_FOLDER, PolicyReference};

use super::description::{Conditions, Description, EngineDescription, EngineKind, OWN_SCHEME};
use super::entrant::{Entrant, EntrantEngine, OwnEngine};
use super::keys::check_name;
use crate::game::limit::Terms;
use crate::game::tablebases::Tablebases;
use crate::openings::Openings;
use crate::player::uci::external::ExternalEngine;
use crate::player::uci::{DeclaredOption, HostedPolicy, Session, SessionError};
use lmrlab_diagnostics::failure::{Failure, RunFailure, complaint, warning};
use lmrlab_results::paths::{find_program, from_here, no_program};
use lmrlab_results::visible::visible;

/// Files that cannot be used: the key that names each, and what is wrong with it.
pub type UnusableFiles = Vec<(&'static str, Diagnostics)>;

/// Reads the files that a description names. A name that cannot be used is reported in the document that has it. Errors
/// inside a file are collected in [`Self::errors`].
pub struct Resolver<'r> {
    /// The folder that names and relative paths start from.
    pub root: &'r Path,
    /// Where policies and presets are read from.
    pub files: Files,
    /// The openings, when they need not be read from their file.
    pub openings: Option<Openings>,
    /// The document that the description was read from.
    pub document: &'r Document,
    /// What is wrong with the files.
    pub errors: Vec<Diagnostics>,
    /// The warnings about the files.
    pub warnings: Vec<Diagnostics>,
    /// Why the machine could not start a program to ask it. Then the input may still be right.
    pub failed: OnceCell<RunFailure>,
}

impl<'r> Resolver<'r> {
    /// Starts a program and returns the options that it declares.
    ///
    /// # Errors
    /// When it cannot be started or sends no `uciok`. When the machine is the reason, it is in [`Self::failed`], too.
    pub fn declared_options(&self, name: &str, engine: &ExternalEngine) -> Result<Vec<DeclaredOption>, SessionError> {
        let started = Session::start(engine, &AtomicBool::new(false));
        let declared = started.map(|session| session.declared().to_vec());
        declared.inspect_err(|error| {
            if error.is_of_machine() {
                let (engine, what) = (format!("the engine `{name}`"), error.what.clone());
                let _ = self.failed.set(RunFailure::Machine { engine, what });
            }
        })
    }

    /// Nothing has been read.
    pub fn new(document: &'r Document, root: &'r Path, files: Files) -> Self {
        Self {
            root,
            files,
            openings: None,
            document,
            errors: Vec::new(),
            warnings: Vec::new(),
            failed: OnceCell::new(),
        }
    }

    /// What was read from the document with all that it names, and the warnings of all files.
    ///
    /// # Errors
    /// Everything that is wrong with any of the files; and when the machine could not start a program to ask it.
    pub fn finish<T>(self, found: Option<T>) -> Result<(T, Vec<Diagnostics>), Failure> {
        if let Some(failed) = self.failed.into_inner() {
            return Err(failed.into());
        }
        let (mut errors, mut warnings) = (self.errors, self.warnings);
        let found = match self.document.finish(found) {
            Ok((found, own)) => {
                warnings.insert(0, own);
                Some(found)
            }
            Err(own) => {
                errors.insert(0, own);
                None
            }
        };
        for reports in [&mut errors, &mut warnings] {
            reports.retain(|report| !report.list.is_empty());
        }
        match found {
            Some(found) if errors.is_empty() => Ok((found, warnings)),
            _ => Err(Failure::Input(errors)),
        }
    }

    /// The openings of some games; `None` when they cannot be used. Writes into the conditions which variant is played,
    /// and replaces the paths of built-in openings.
    pub fn openings(&mut self, conditions: &mut Conditions) -> Option<Openings> {
        if let Some(openings) = &self.openings {
            return Some(openings.clone());
        }
        let asked = conditions.variant;
        let books = &mut conditions.openings;
        let mut all: Option<(Openings, ChessVariant)> = None;
        let mut right = true;
        for file in books.files.iter_mut().chain(&mut books.added) {
            let path = Files::on_disk().locate(self.root, file);
            if built_in::is_built_in(&path) {
                file.clone_from(&path);
            }
            let path = from_here(&path);
            let read = Openings::load(&path, books.max_plies, asked).and_then(|(more, variant, warnings)| {
                self.warnings.push(warnings);
                let Some((openings, before)) = &all else {
                    return Ok((more, variant));
                };
                let (openings, repeated) = join(openings, (*before, asked.is_none()), (&path, more, variant))?;
                self.warnings.extend(repeated);
                Ok((openings, *before))
            });
            match read {
                Ok(joined) => all = Some(joined),
                Err(report) => {
                    right = false;
                    self.errors.push(report);
                }
            }
        }
        let (openings, variant) = all.filter(|_| right)?;
        conditions.variant = Some(variant);
        let begun_with = books.without_added(&openings.counts()) as u64;
        if books.start > begun_with {
            let message = format!("`start` is {}, and there are {begun_with} openings", books.start);
            self.errors.push(complaint(
                message,
                format!("the order has the places 1 to {begun_with}; `start = 1` is the first"),
            ));
            return None;
        }
        Some(openings)
    }

    /// The tablebases of some games, if they have any; `None` when they cannot be used. Writes into the conditions how
    /// many men the tables have.
    pub fn tablebases(&mut self, conditions: &mut Conditions) -> Option<Option<Tablebases>> {
        let Some(rules) = &mut conditions.tablebases else {
            return Some(None);
        };
        match Tablebases::open(rules, self.root) {
            Ok(tables) => {
                rules.pieces = Some(tables.pieces());
                Some(Some(tables))
            }
            Err(report) => {
                self.errors.push(report);
                None
            }
        }
    }

    /// All engines of a description; `None` when one of them cannot play. Engines without a `name` that play the same
    /// policy in different presets have the preset in their names.
    pub fn engines(&mut self, description: &Description) -> Option<Vec<Entrant>> {
        let terms = description.conditions.terms;
        let engines: Vec<_> = (description.engines.iter())
            .map(|engine| self.engine(engine, terms))
            .collect();
        let mut engines: Vec<Entrant> = engines.into_iter().collect::<Option<_>>()?;
        let before = engines.clone();
        for (engine, description) in engines.iter_mut().zip(&description.engines) {
            let EntrantEngine::Own(own) = &engine.engine else {
                continue;
            };
            let differs = |other: &Entrant| match &other.engine {
                EntrantEngine::Own(other) => other.preset_reference != own.preset_reference,
                EntrantEngine::External { .. } => false,
            };
            let shared = before.iter().any(|other| other.name == engine.name && differs(other));
            if description.name.is_none() && shared {
                engine.name = format!("{} in {}", engine.name, own.preset_reference);
            }
        }
        Some(engines)
    }

    /// An engine that can play under these terms, unless it has its own.
    pub fn engine(&mut self, description: &EngineDescription, common: Terms) -> Option<Entrant> {
        if description.ponders() && description.terms(common).limit.clock().is_none() {
            self.document.report(
                Diagnostic::error("an engine that ponders needs a clock")
                    .at(description.place.clone(), "this one has none")
                    .help("give it a time for the game, as in `tc = \"10+0.1\"`, or leave out `ponder`"),
            );
            return None;
        }
        let (name, engine) = match &description.kind {
            EngineKind::Own {
                preset,
                policy,
                ordering,
            } => self.own(preset, policy, *ordering)?,
            EngineKind::External {
                command,
                policy,
                compiled,
                dir,
                engine,
            } => {
                let policy = match policy {
                    Some(policy) => Some(self.hosted(policy, compiled.as_deref())?),
                    None => None,
                };
                self.external(command, dir.as_ref(), engine, policy)?
            }
        };
        if description.name.is_none()
            && let Err(reason) = check_name(&name)
        {
            self.document.report(
                Diagnostic::error(format!("`{}` cannot be the name of an engine", visible(&name)))
                    .at(description.place.clone(), reason)
                    .help("give it another one with `name`"),
            );
        }
        Some(Entrant {
            name: description.name.clone().unwrap_or(name),
            engine,
        })
    }

    /// The project's own engine with this preset, this policy and this ordering, and the warnings of their files.
    ///
    /// # Errors
    /// What is wrong with the preset, the policy, or both, each with its key.
    pub fn own_engine(
        &self,
        preset: &str,
        policy: &str,
        ordering: Option<QuietOrdering>,
    ) -> Result<(OwnEngine, [Diagnostics; 2]), UnusableFiles> {
        let resolved_preset = Preset::resolve_from(&self.files, preset, self.root);
        let resolved_policy =
            (policy.parse::<PolicyReference>()).and_then(|reference| reference.resolve_from(&self.files, self.root));
        match (resolved_preset, resolved_policy) {
            (Ok((resolved_preset, of_preset)), Ok((resolved_policy, of_policy))) => {
                let ordering = ordering.unwrap_or(resolved_preset.ordering);
                let engine = OwnEngine::new((preset, resolved_preset), (policy, resolved_policy), ordering);
                Ok((engine, [of_preset, of_policy]))
            }
            (preset, policy) => {
                let reports = [("preset", preset.err()), ("policy", policy.err())].into_iter();
                Err(reports.filter_map(|(key, report)| Some((key, report?))).collect())
            }
        }
    }

    /// The project's own engine, and the name of its policy with its overrides.
    fn own(
        &mut self,
        preset: &Text,
        policy: &Text,
        ordering: Option<QuietOrdering>,
    ) -> Option<(String, EntrantEngine)> {
        match self.own_engine(&preset.value, &policy.value, ordering) {
            Ok((engine, warnings)) => {
                self.warnings.extend(warnings);
                Some((engine.policy_name(), EntrantEngine::Own(engine)))
            }
            Err(reports) => {
                for (key, report) in reports {
                    self.refuse(key, if key == "preset" { preset } else { policy }, report);
                }
                None
            }
        }
    }

    /// Reports that a file cannot be used. The key `key` names the file.
    fn refuse(&mut self, key: &str, name: &Text, report: Diagnostics) {
        // For a command line, the report alone is clear.
        if self.document.source().path().is_some() {
            self.document.report(
                Diagnostic::error(format!("the {key} `{}` cannot be used", name.value))
                    .at(name.span.clone(), "the reason is below"),
            );
        }
        // The same policy may be named more than once.
        if !self.errors.contains(&report) {
            self.errors.push(report);
        }
    }

    /// The policy of a host; `None` inside for its own scheme. `compiled` is the SHA-256 of the policy file that the
    /// host read when the run began.
    fn hosted(&mut self, name: &Text, compiled: Option<&str>) -> Option<Option<HostedPolicy>> {
        if name.value == OWN_SCHEME {
            if let Some(path) = self.files.named(POLICY_FOLDER, self.root).get(OWN_SCHEME) {
                self.document.report(
                    Diagnostic::error(format!(
                        "`{OWN_SCHEME}` is the host's own scheme, and there is a policy of that name"
                    ))
                    .at(name.span.clone(), "which of the two?")
                    .help(format!(
                        "rename `{}`; a policy can also be named by its path",
                        path.display()
                    )),
                );
                return None;
            }
            return Some(None);
        }
        let hosted = self.hosted_policy(&name.value);
        let (hosted, warnings) = hosted.map_err(|report| self.refuse("policy", name, report)).ok()?;
        self.warnings.push(warnings);
        if compiled.is_some_and(|compiled| compiled != hosted.sha256()) {
            self.document.report(
                Diagnostic::error("hosts would now read another file for this policy than when the run began")
                    .at(name.span.clone(), "this policy")
                    .help("use the version of lmrlab that began it"),
            );
            return None;
        }
        Some(Some(hosted))
    }

    /// The policy of a host by its name or path with overrides, and the warnings of its file.
    ///
    /// # Errors
    /// What is wrong with it.
    fn hosted_policy(&self, reference: &str) -> Result<(HostedPolicy, Diagnostics), Diagnostics> {
        let parsed: PolicyReference = reference.parse()?;
        let (policy, warnings) = parsed.resolve_for_host(&self.files, self.root)?;
        let hosted = HostedPolicy::new(reference, policy).map_err(|refusal| {
            complaint(
                format!("the policy `{reference}` is too large for a host: {refusal}"),
                "use fewer rules or shorter expressions",
            )
        })?;
        Ok((hosted, warnings))
    }

    /// A program, and its name. The name of a host ends with the name of its policy. `policy` is `None` inside for the
    /// host's own scheme.
    fn external(
        &self,
        command: &Text,
        dir: Option<&Text>,
        engine: &ExternalEngine,
        policy: Option<Option<HostedPolicy>>,
    ) -> Option<(String, EntrantEngine)> {
        let program = find_program(&command.value, self.root);
        if program.is_none() {
            let (message, advice) = no_program(&command.value, self.root);
            self.document.report(
                Diagnostic::error(message)
                    .at(command.span.clone(), "not a program")
                    .help(advice),
            );
        }
        let dir = match dir {
            None => None,
            Some(dir) => Some(self.directory(dir)?),
        };
        let program = program?;
        let name = program
            .file_stem()
            .map_or_else(|| command.value.as_str().into(), |stem| stem.to_string_lossy())
            .into_owned();
        let name = match &policy {
            None => name,
            Some(None) => format!("{name}/{OWN_SCHEME}"),
            Some(Some(policy)) => format!("{name}/{}", policy.name()),
        };
        let engine = EntrantEngine::External {
            command: command.value.clone(),
            policy: policy.flatten(),
            engine: Arc::new(ExternalEngine {
                program,
                dir,
                ..ExternalEngine::clone(engine)
            }),
        };
        Some((name, engine))
    }

    fn directory(&self, dir: &Text) -> Option<PathBuf> {
        let path = std::path::absolute(self.root.join(&dir.value)).ok();
        let path = path.filter(|path| path.is_dir());
        if path.is_none() {
            self.document.report(
                Diagnostic::error(format!("`{}` is not a directory", dir.value))
                    .at(dir.span.clone(), "the working directory of the engine"),
            );
        }
        path
    }
}

/// The openings of a run, followed by the new ones of one more book. Also returns a warning when some are left out.
/// `check_variant` says whether the book must have the variant of the books before it.
///
/// # Errors
/// When it is of another variant, or none of its openings is new.
fn join(
    openings: &Openings,
    (variant, check_variant): (ChessVariant, bool),
    (path, more, of_more): (&Path, Openings, ChessVariant),
) -> Result<(Openings, Option<Diagnostics>), Diagnostics> {
    let shown = path.display();
    if check_variant && variant != of_more {
        return Err(complaint(
            format!(
                "`{shown}` has openings of {}, and the openings before it are of {}",
                of_more.title(),
                variant.title()
            ),
            "name books of one variant",
        ));
    }
    let Some((joined, repeated)) = openings.and(&more) else {
        return Err(complaint(
            format!("`{shown}` adds no opening: each of its positions is in a book before it"),
            "name a book with other positions; `lmrlab openings make --seed N` makes others for each N",
        ));
    };
    let warning = (repeated > 0).then(|| {
        warning(format!(
            "{repeated} of the {} openings in `{shown}` are in a book before it, and are left out",
            more.count()
        ))
    });
    Ok((joined, warning))
}
