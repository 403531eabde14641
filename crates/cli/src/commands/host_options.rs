//! Other engines in `audit`, `bench` and `profile`: searches of a host, or existing traces.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use super::engine_words::{Entries, engines, host, searching};
use super::typed_line::TypedLine;
use crate::frame::output_files::temporary_folder;
use crate::frame::print::{print_err, print_warnings};
use crate::frame::stop_signal::{Work, listen};
use crate::invocation::working_folder;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::host::{HostTrace, HostedEngine, Searched, Shadow, TraceOptions, search_hosted};
use lmrlab_lab::positions::LabPosition;
use lmrlab_lab::search::SearchLimit;
use lmrlab_lab::variant::Variant;
use lmrlab_results::folder::folder_name;
use lmrlab_runner::conduct::first_handshake;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::project;
use lmrlab_runner::tournament::entrant::Entrant;

/// An engine that includes lmrlab.h.
#[derive(Debug, Args)]
pub(super) struct HostOption {
    /// Engine in which the policies reduce, instead of lmrlab's own: words as those of `lmrlab match`, such as
    /// 'cmd=./engine option.Hash=16'. It includes lmrlab.h. The policy `own` is the engine's own scheme
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["preset", "threads"])]
    host: Option<String>,
}

/// An engine that includes lmrlab.h, or what such engines wrote.
#[derive(Debug, Args)]
pub(super) struct HostOptions {
    #[command(flatten)]
    pub(super) host: HostOption,
    /// Read this trace of such an engine instead; several are shown one after the other
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["policies", "host", "positions", "depth", "nodes", "preset", "hash", "threads", "seed", "rate"]
    )]
    trace: Vec<PathBuf>,
}

/// Late moves of a host.
pub(super) struct Traced {
    /// Its name in tables, and the policy that names the rules that applied.
    pub(super) variant: Variant,
    /// The policy, when it is known.
    pub(super) policy: Option<Arc<Policy>>,
    pub(super) trace: HostTrace,
    /// How many positions were searched.
    pub(super) positions: usize,
    /// Nodes of the searches, when they are known.
    pub(super) nodes: Option<u64>,
}

impl Traced {
    fn new(name: String, policy: Option<Policy>, trace: HostTrace, searched: Option<&[Searched]>) -> Self {
        let policy = policy.map(Arc::new);
        Self {
            variant: Variant {
                name,
                policy: policy.clone().unwrap_or_else(|| Arc::new(Policy::none())),
                ..Variant::new("", Policy::none())
            },
            policy,
            positions: searched.map_or(trace.searches.len(), <[Searched]>::len),
            nodes: searched.map(|searched| searched.iter().map(|searched| searched.nodes).sum()),
            trace,
        }
    }

    /// The policy that names the rules that applied, when it is known.
    pub(super) fn policy(&self) -> Option<&Policy> {
        self.policy.as_deref()
    }
}

pub(super) fn trace_file(name: &str) -> String {
    format!("{}.trace", folder_name(name))
}

/// The rates of traces, each once.
pub(super) fn rates(traced: &[Traced]) -> String {
    let mut rates: Vec<String> = traced
        .iter()
        .map(|traced| traced.trace.header.rate.to_string())
        .collect();
    rates.dedup();
    rates.join(", ")
}

impl HostOptions {
    /// The traces that the user names; `None` without any.
    pub(super) fn traces(&self) -> Result<Option<Vec<Traced>>, Failure> {
        if self.trace.is_empty() {
            return Ok(None);
        }
        let here = working_folder()?;
        let root = project::root(&here, None);
        let read = self.trace.iter().map(|file| {
            let trace = HostTrace::read(&project::typed_file(&here, file))?;
            if trace.cut_bytes > 0 {
                print_err(&format!(
                    "note: the last record of `{}` was written in part, and is left out",
                    file.display()
                ));
            }
            let policy = trace.policy(&root);
            if let (Some(traced), None) = (&trace.header.policy, &policy) {
                print_err(&format!(
                    "note: the policy `{}` of `{}` is not in configs/policies as the engine read it, so there is no table by rule",
                    traced.name,
                    file.display()
                ));
            }
            Ok(Traced::new(trace.name(), policy, trace, None))
        });
        read.collect::<Result<_, _>>().map(Some)
    }
}

impl HostOption {
    /// The host with each of the policies; `None` when the user asks for no host.
    pub(super) fn hosted(
        &self,
        command: &str,
        policies: &[PolicyReference],
        hash_mib: u32,
    ) -> Result<Option<Hosted>, Failure> {
        let Some(words) = &self.host else {
            return Ok(None);
        };
        let mut line = TypedLine::new(command);
        let host = host(words, &mut line)?;
        let names: Vec<String> = policies.iter().map(ToString::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let descriptions = engines(&names, &mut line, &host, &Entries::new())?;
        let (entrants, warnings) = searching(&line, &descriptions, &working_folder()?)?;
        warnings.iter().for_each(print_warnings);
        let interrupt = listen(Work::Whole)?;
        let warnings = match first_handshake(&entrants, hash_mib, &interrupt) {
            Err(_) if interrupt.is_requested() => return Err(Failure::Interrupted),
            shaken => shaken?,
        };
        warnings.iter().for_each(print_warnings);
        Ok(Some(Hosted {
            entrants,
            hash_mib,
            interrupt,
        }))
    }
}

/// A host, and the policies that it has to play.
pub(super) struct Hosted {
    entrants: Vec<Entrant>,
    hash_mib: u32,
    interrupt: Arc<Interrupt>,
}

impl Hosted {
    /// Searches the positions with each policy. Returns the names in tables, and what the host reported about each
    /// position.
    pub(super) fn searches(
        &self,
        positions: &[LabPosition],
        limit: SearchLimit,
    ) -> Result<Vec<(&str, Vec<Searched>)>, Failure> {
        let searches = self.entrants.iter();
        searches
            .map(|entrant| {
                Ok((
                    entrant.name.as_str(),
                    self.search(entrant, positions, limit, None, None)?,
                ))
            })
            .collect()
    }

    fn search(
        &self,
        entrant: &Entrant,
        positions: &[LabPosition],
        limit: SearchLimit,
        trace: Option<(TraceOptions, &Path)>,
        until: Option<Instant>,
    ) -> Result<Vec<Searched>, Failure> {
        let engine = entrant.external_engine();
        let host = HostedEngine {
            name: &entrant.name,
            engine: engine.ok_or_else(|| Failure::input("a host is a program", ""))?,
            policy: entrant.hosted_policy(),
            hash_mib: self.hash_mib,
        };
        let searched = search_hosted(host, positions, limit, trace, until, self.interrupt.stop_flag());
        if matches!(searched, Err(Failure::Interrupted)) {
            print_err(&format!(
                "Interrupted: not all positions were searched with `{}`, and nothing is shown.",
                entrant.name
            ));
        }
        searched
    }

    /// Searches the positions with each policy, and reads the traces. The traces stay in `folder`, if one is given.
    /// With `time`, each policy gets an equal part of it: after that no further position is begun.
    pub(super) fn traces(
        &self,
        positions: &[LabPosition],
        limit: SearchLimit,
        options: TraceOptions,
        time: Option<Duration>,
        folder: Option<&Path>,
    ) -> Result<Vec<Traced>, Failure> {
        let started = Instant::now();
        let part = |number: u32| {
            let share = f64::from(number) / self.entrants.len().max(1) as f64;
            Some(started + time?.mul_f64(share))
        };
        let temporary = temporary_folder()?;
        let folder = folder.unwrap_or_else(|| temporary.path());
        let folder = std::path::absolute(folder).map_err(|error| Failure::write(folder, &error))?;
        let traced = self.entrants.iter().zip(1..).map(|(entrant, number)| {
            let path = folder.join(trace_file(&entrant.name));
            let searched = self.search(entrant, positions, limit, Some((options, &path)), part(number))?;
            let trace = HostTrace::read(&path)?;
            check(&entrant.name, &trace, options)?;
            Ok(Traced::new(
                entrant.name.clone(),
                entrant.hosted_policy().map(|policy| policy.policy().clone()),
                trace,
                Some(&searched),
            ))
        });
        traced.collect()
    }
}

/// Refuses a trace that lacks what the options ask for.
fn check(name: &str, trace: &HostTrace, options: TraceOptions) -> Result<(), Failure> {
    let advice = "`lmrlab host check` says what an engine does not do";
    if trace.moves.is_empty() {
        return Err(Failure::input(
            format!("the engine `{name}` traced no late move, at a rate of {}", options.rate),
            advice,
        ));
    }
    if options.shadow != Shadow::None && trace.moves.iter().all(|traced| traced.shadow.is_none()) {
        return Err(Failure::input(
            format!("the engine `{name}` traced late moves, and no shadow search of one"),
            "call `lmr_shadow` and `lmr_judged` for sampled moves; Windows has no shadow searches",
        ));
    }
    Ok(())
}
