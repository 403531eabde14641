//! Other engines in `audit`, `bench` and `profile`: searches of a host, or existing traces.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use super::engine_words::{Entries, engines, host, searching};
use super::typed_line::TypedLine;
use crate::frame::output_files::temporary_folder;
use crate::frame::{Work, listen, print_err, print_warnings};
use crate::invocation::working_folder;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::host::{HostTrace, Searched, Shadow, TraceOptions, search_hosted};
use lmrlab_lab::positions::LabPosition;
use lmrlab_lab::search::SearchLimit;
use lmrlab_lab::variant::Variant;
use lmrlab_results::folder::folder_name;
use lmrlab_results::project;
use lmrlab_runner::conduct::first_handshake;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::tournament::entrant::Entrant;

/// The rates of traces, each once.
pub(crate) fn rates(traces: &[HostTrace]) -> String {
    let mut rates: Vec<String> = traces.iter().map(|trace| trace.header.rate.to_string()).collect();
    rates.dedup();
    rates.join(", ")
}

/// The traces in these files.
pub(crate) fn traces(files: &[PathBuf]) -> Result<Vec<HostTrace>, Failure> {
    let here = working_folder()?;
    let root = project::root(&here, None);
    let read = files.iter().map(|file| {
        let mut trace = HostTrace::read(&project::typed_file(&here, file))?;
        if trace.cut_bytes > 0 {
            print_err(&format!(
                "note: the last record of `{}` was written in part, and is left out",
                file.display()
            ));
        }
        match (&trace.header.policy, trace.policy(&root)) {
            (_, Some(policy)) => trace.variant.policy = Arc::new(policy),
            (Some(traced), None) => print_err(&format!(
                "note: the policy `{}` of `{}` is not in configs/policies as the engine read it, so there is no table by rule",
                traced.name,
                file.display()
            )),
            (None, None) => {}
        }
        Ok(trace)
    });
    read.collect()
}

/// A host with the policies that it has to play, and the positions that it has to search.
pub(crate) struct Hosted {
    pub(crate) positions: Vec<LabPosition>,
    pub(crate) limit: SearchLimit,
    entrants: Vec<Entrant>,
    hash_mib: u32,
    interrupt: Arc<Interrupt>,
}

impl Hosted {
    /// The host that these words describe. Messages about policies show the line `command`.
    pub(crate) fn of(
        (words, command): (&str, &str),
        policies: &[PolicyReference],
        (positions, limit): (Vec<LabPosition>, SearchLimit),
        hash_mib: u32,
    ) -> Result<Self, Failure> {
        let mut line = TypedLine::new(command);
        let host = host(words, &mut line)?;
        let names: Vec<String> = policies.iter().map(ToString::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let descriptions = engines(&names, &mut line, &host, &Entries::new())?;
        let entrants = searching(&line, &descriptions, &working_folder()?)?;
        let interrupt = listen(Work::Whole)?;
        let warnings = match first_handshake(&entrants, hash_mib, &interrupt) {
            Err(_) if interrupt.is_requested() => return Err(Failure::Interrupted),
            shaken => shaken?,
        };
        warnings.iter().for_each(print_warnings);
        Ok(Self {
            positions,
            limit,
            entrants,
            hash_mib,
            interrupt,
        })
    }

    /// Searches the positions with each policy. Returns the names in tables, and what the host reported about each
    /// position.
    pub(crate) fn searches(&self) -> Result<Vec<(&str, Vec<Searched>)>, Failure> {
        let searches = self.entrants.iter();
        searches
            .map(|entrant| Ok((entrant.name.as_str(), self.search(entrant, None)?)))
            .collect()
    }

    fn search(&self, entrant: &Entrant, trace: Option<(TraceOptions, &Path)>) -> Result<Vec<Searched>, Failure> {
        let stop = self.interrupt.stop_flag();
        let searched = search_hosted(entrant, self.hash_mib, &self.positions, self.limit, trace, stop);
        if matches!(searched, Err(Failure::Interrupted)) {
            print_err(&format!(
                "Interrupted: not all positions were searched with `{}`, and nothing is shown.",
                entrant.name
            ));
        }
        searched
    }

    /// Searches the positions with each policy, and reads the traces. The traces stay in `folder`, if one is given.
    pub(crate) fn traces(&self, options: TraceOptions, folder: Option<&Path>) -> Result<Vec<HostTrace>, Failure> {
        let temporary = temporary_folder()?;
        let folder = folder.unwrap_or_else(|| temporary.path());
        let folder = std::path::absolute(folder).map_err(|error| Failure::write(folder, &error))?;
        let traced = self.entrants.iter().map(|entrant| {
            let path = folder.join(format!("{}.trace", folder_name(&entrant.name)));
            let searched = self.search(entrant, Some((options, &path)))?;
            let mut trace = HostTrace::read(&path)?;
            check(&entrant.name, &trace, options)?;
            let policy = entrant.hosted_policy().map(|policy| policy.policy().clone());
            trace.variant = Variant::new(&*entrant.name, policy.unwrap_or_else(Policy::none));
            trace.nodes = Some(searched.iter().map(|searched| searched.nodes).sum());
            Ok(trace)
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
