//! Options that the commands of the lab share: policies, preset, positions, limit, threads.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lmrlab_diagnostics::Diagnostics;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use super::host_options::{HostOption, HostOptions, Hosted, Traced};
use super::playing::interrupted_if;
use super::policy_file::base;
use super::whole_number::count;
use crate::frame::common::Options;
use crate::frame::print::{print_err, print_warnings};
use crate::frame::stop_signal::{Work, listen};
use crate::progress::SearchBar;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::positions::{LabPosition, PositionSet};
use lmrlab_lab::search::SearchLimit;
use lmrlab_lab::variant::Variant;
use lmrlab_lab::workers::Workers;
use lmrlab_runner::memory::Tables;
use lmrlab_runner::project;
use lmrlab_runner::tournament::defaults::all_threads;

/// The search around the policies, and what searches may use.
#[derive(Debug)]
pub(super) struct SearchOptions {
    /// The preset: its name or its file, with overrides.
    pub(super) preset: String,
    /// Transposition table of each search, in MiB.
    pub(super) hash_mib: u32,
    /// Positions searched at the same time; 0 for one per processor.
    pub(super) threads: u32,
    /// Whether there is no progress bar.
    pub(super) quiet: bool,
}

/// Which policies are observed, on which positions, in which engine.
#[derive(Debug, Args)]
pub(super) struct WatchOptions {
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required_unless_present = "trace", value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    #[command(flatten)]
    host: HostOptions,
    #[command(flatten)]
    observed: ObservedOptions,
}

/// What is searched, how far, and in which preset.
#[derive(Debug, Args)]
pub(super) struct ObservedOptions {
    /// Positions, one EPD or FEN a line [default: the 24 of the engine's bench]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitOptions,
}

/// What is observed.
pub(super) enum Observed {
    /// Searches of the project's own engine.
    Own(Watched),
    /// Searches of a host.
    Host(WatchedHost),
    /// What a host wrote.
    Traces(Vec<Traced>),
}

/// The policies and positions that are searched.
pub(super) struct Watched {
    pub(super) variants: Vec<Variant>,
    pub(super) positions: Vec<LabPosition>,
    pub(super) limit: SearchLimit,
    /// Threads, which Ctrl-C stops.
    pub(super) workers: Workers,
    /// Limit and preset, for the first line of the output.
    pub(super) conditions: String,
}

/// A host with the policies that it has to play, and the positions that it has to search.
pub(super) struct WatchedHost {
    pub(super) hosted: Hosted,
    pub(super) positions: Vec<LabPosition>,
    pub(super) limit: SearchLimit,
}

impl WatchOptions {
    /// Reads everything that the options name. `command` is the beginning of the line that messages show.
    pub(super) fn observed(&self, command: &str, options: &Options) -> Result<Observed, Failure> {
        match self.host.traces()? {
            Some(traces) => Ok(Observed::Traces(traces)),
            None => self
                .observed
                .observed(command, &self.host.host, &self.policies, options),
        }
    }
}

impl ObservedOptions {
    /// The same for these policies.
    pub(super) fn observed(
        &self,
        command: &str,
        host: &HostOption,
        policies: &[PolicyReference],
        options: &Options,
    ) -> Result<Observed, Failure> {
        let limit = self.limit.limit();
        let positions = positions(self.positions.as_ref())?.positions;
        let search = SearchOptions::of(options);
        if let Some(hosted) = host.hosted(command, policies, search.hash_mib)? {
            return Ok(Observed::Host(WatchedHost {
                hosted,
                positions,
                limit,
            }));
        }
        Ok(Observed::Own(Watched {
            variants: search.variants(policies)?,
            positions,
            limit,
            workers: stop_on_ctrl_c(search.workers()?)?,
            conditions: format!("{limit}, preset {}", search.preset),
        }))
    }
}

/// How far each position is searched.
#[derive(Debug, Args)]
struct LimitOptions {
    /// Depth of the searches, in plies [default: 10, unless --nodes is given]
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Nodes of each search
    #[arg(long, value_parser = count(1..=1_000_000_000_000))]
    nodes: Option<u64>,
}

impl LimitOptions {
    fn limit(&self) -> SearchLimit {
        match (self.depth, self.nodes) {
            (None, Some(nodes)) => SearchLimit::Nodes(nodes),
            (depth, _) => SearchLimit::Depth(depth.unwrap_or(10)),
        }
    }
}

impl SearchOptions {
    pub(super) fn of(options: &Options) -> Self {
        Self {
            preset: options.preset().to_owned(),
            hash_mib: options.hash_mib(),
            threads: options.threads.map_or(0, |threads| threads.get() as u32),
            quiet: options.quiet,
        }
    }

    /// Threads that search; refused when their tables do not fit into memory.
    pub(super) fn workers(&self) -> Result<Workers, Failure> {
        let threads = match self.threads {
            0 => all_threads().get() as u64,
            threads => u64::from(threads),
        };
        let tables = Tables {
            threads,
            own: 1,
            programs: 0,
            hash_mib: self.hash_mib,
        };
        tables.check()?;
        let workers = Workers::new(self.threads)?;
        Ok(if self.quiet {
            workers
        } else {
            workers.with_progress(SearchBar::new("searches or games"))
        })
    }

    /// The preset. Warnings go to standard error.
    pub(super) fn around(&self) -> Result<Arc<Preset>, Failure> {
        let mut wrong = Vec::new();
        preset(&self.preset, &mut wrong).ok_or(Failure::Input(wrong))
    }

    /// A policy in the preset.
    pub(super) fn variant(&self, policy: &PolicyReference) -> Result<Variant, Failure> {
        let mut variants = self.variants(std::slice::from_ref(policy))?;
        variants.pop().ok_or_else(|| Failure::input("no policy is named", ""))
    }

    /// The policies in the preset. Names are looked up in the project, paths start from the working directory. Warnings go
    /// to standard error.
    pub(super) fn variants(&self, policies: &[PolicyReference]) -> Result<Vec<Variant>, Failure> {
        let mut wrong = Vec::new();
        let preset = preset(&self.preset, &mut wrong);
        let named = named_policies(policies, &mut wrong);
        let (Some(preset), true) = (preset, wrong.is_empty()) else {
            return Err(Failure::Input(wrong));
        };
        let variants = named.into_iter().map(|(name, policy)| Variant {
            name,
            policy,
            preset: Arc::clone(&preset),
            hash_mib: self.hash_mib,
        });
        Ok(variants.collect())
    }
}

/// The preset of this name or path. Warnings go to standard error, errors to `wrong`.
fn preset(reference: &str, wrong: &mut Vec<Diagnostics>) -> Option<Arc<Preset>> {
    let file = reference.split('@').next().unwrap_or_default();
    let is_path = file.contains(std::path::is_separator) || file.ends_with(".toml");
    accept(Preset::resolve(reference, &base(is_path)), wrong).map(Arc::new)
}

/// The policies with their names in tables. Warnings go to standard error, errors to `wrong`.
fn named_policies(policies: &[PolicyReference], wrong: &mut Vec<Diagnostics>) -> Vec<(String, Arc<Policy>)> {
    let resolved = policies.iter().filter_map(|reference| {
        let policy = accept(reference.resolve(&base(reference.is_path())), wrong)?;
        Some((reference.name_of(&policy), reference, Arc::new(policy)))
    });
    let resolved: Vec<_> = resolved.collect();
    // Different files may contain the same name.
    let is_shared = |name: &str, reference: &PolicyReference| {
        let mut others = resolved.iter();
        others.any(|(other, of, _)| other == name && of.policy() != reference.policy())
    };
    let named = resolved.iter().map(|(name, reference, policy)| {
        let name = match is_shared(name, reference) {
            true => reference.to_string(),
            false => name.clone(),
        };
        (name, Arc::clone(policy))
    });
    named.collect()
}

/// The same threads, which stop after the running searches and games on the first Ctrl-C.
pub(super) fn stop_on_ctrl_c(workers: Workers) -> Result<Workers, Failure> {
    let interrupt = listen(Work::Searches)?;
    Ok(workers.until(move || interrupt.is_requested()))
}

/// Prints a note when the test positions were found by the search that has to solve them.
pub(super) fn tell_mined(set: &PositionSet) {
    if set.positions.iter().any(LabPosition::is_mined) {
        print_err(
            "note: lmrlab's own search without reductions chose these positions and their solutions. That favours policies that \
             reduce little; confirm a gain with positions from elsewhere, or with games.",
        );
    }
}

/// After Ctrl-C: prints for how many positions the figures are, and returns how the command ends.
///
/// # Errors
/// When the figures are not for all positions.
pub(super) fn end_of(done: usize, all: usize) -> Result<(), Failure> {
    if done < all {
        let what = if done == 0 {
            "there is nothing to show"
        } else {
            "the figures are of these positions"
        };
        print_err(&format!("Interrupted after {done} of {all} positions; {what}."));
    }
    interrupted_if(done < all)
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| "name a share above 0 and at most 1, such as `0.01`".to_owned())
}

/// The positions of a file; without one, those of the engine's bench. Warnings go to standard error.
pub(super) fn positions(file: Option<&PathBuf>) -> Result<PositionSet, Failure> {
    let mut wrong = Vec::new();
    let set = match file {
        Some(file) => accept(PositionSet::load(&project::typed_file(&base(true), file)), &mut wrong),
        None => return PositionSet::bench().map_err(Failure::from),
    };
    set.ok_or(Failure::Input(wrong))
}

/// The content that was read. Its warnings go to standard error, its errors to `wrong`.
fn accept<T>(read: Result<(T, Diagnostics), Diagnostics>, wrong: &mut Vec<Diagnostics>) -> Option<T> {
    match read {
        Ok((value, warnings)) => {
            print_warnings(&warnings);
            Some(value)
        }
        Err(report) => {
            wrong.push(report);
            None
        }
    }
}
