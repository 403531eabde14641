//! Options that the commands of the lab share: policies, preset, positions, limit, threads.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::reference::PolicyReference;

use super::engine_words::searching;
use super::hosted::{Hosted, traces};
use super::playing::interrupted_if;
use super::typed_line::TypedLine;
use super::whole_number::count;
use crate::frame::{Options, Work, listen, print_err, print_warnings};
use crate::invocation::working_folder;
use crate::progress::SearchBar;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::host::HostTrace;
use lmrlab_lab::positions::{LabPosition, PositionSet};
use lmrlab_lab::search::SearchLimit;
use lmrlab_lab::variant::Variant;
use lmrlab_lab::workers::Workers;
use lmrlab_results::project;
use lmrlab_runner::memory::Tables;
use lmrlab_runner::tournament::defaults::all_threads;
use lmrlab_runner::tournament::description::EngineDescription;
use lmrlab_runner::tournament::entrant::Entrant;

/// Which policies are observed, on which positions, in which engine, or what an engine wrote.
#[derive(Debug, Args)]
pub(crate) struct WatchOptions {
    /// Policies: names in configs/policies or files, with overrides after `@`
    #[arg(required_unless_present = "trace", value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    /// Read this trace of a host instead; several are shown one after the other
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["policies", "host", "positions", "depth", "nodes", "preset", "hash", "threads", "seed", "rate"]
    )]
    trace: Vec<PathBuf>,
    #[command(flatten)]
    observed: ObservedOptions,
}

/// What is searched, how far, and in which engine.
#[derive(Debug, Args)]
pub(crate) struct ObservedOptions {
    /// Engine in which the policies reduce, instead of lmrlab's own: words as those of `lmrlab match`, such as
    /// 'cmd=./engine option.Hash=16'. It includes lmrlab.h. The policy `own` is the engine's own scheme
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["preset", "threads"])]
    host: Option<String>,
    /// Positions, one EPD or FEN a line [default: the 24 of the engine's bench]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Depth of the searches, in plies [default: 10, unless --nodes is given]
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Nodes of each search
    #[arg(long, value_parser = count(1..=1_000_000_000_000))]
    nodes: Option<u64>,
}

/// What is observed.
pub(crate) enum Observed {
    /// Searches of the project's own engine.
    Own(Watched),
    /// Searches of a host.
    Host(Hosted),
    /// What a host wrote.
    Traces(Vec<HostTrace>),
}

/// The policies and positions that are searched.
pub(crate) struct Watched {
    pub(crate) variants: Vec<Variant>,
    pub(crate) positions: Vec<LabPosition>,
    pub(crate) limit: SearchLimit,
    /// Threads, which Ctrl-C stops.
    pub(crate) workers: Workers,
    /// Limit and preset, for the first line of the output.
    pub(crate) conditions: String,
}

impl WatchOptions {
    /// Reads everything that the options name. `command` is the beginning of the line that messages show.
    pub(crate) fn observed(&self, command: &str, options: &Options) -> Result<Observed, Failure> {
        match self.trace.is_empty() {
            true => self.observed.observed(command, &self.policies, options),
            false => traces(&self.trace).map(Observed::Traces),
        }
    }
}

impl ObservedOptions {
    /// The same for these policies.
    pub(crate) fn observed(
        &self,
        command: &str,
        policies: &[PolicyReference],
        options: &Options,
    ) -> Result<Observed, Failure> {
        let limit = match (self.depth, self.nodes) {
            (None, Some(nodes)) => SearchLimit::Nodes(nodes),
            (depth, _) => SearchLimit::Depth(depth.unwrap_or(10)),
        };
        let positions = positions(self.positions.as_ref())?.positions;
        if let Some(words) = &self.host {
            let hosted = Hosted::of((words, command), policies, (positions, limit), options.hash_mib())?;
            return Ok(Observed::Host(hosted));
        }
        Ok(Observed::Own(Watched {
            variants: variants(options, policies)?,
            positions,
            limit,
            workers: workers(options)?,
            conditions: format!("{limit}, preset {}", options.preset()),
        }))
    }
}

/// Threads that search, and stop after the running searches on the first Ctrl-C. Refused when their tables do not fit into
/// memory.
pub(crate) fn workers(options: &Options) -> Result<Workers, Failure> {
    let tables = Tables {
        threads: options.threads.unwrap_or_else(all_threads).get() as u64,
        own: 1,
        programs: 0,
        hash_mib: options.hash_mib(),
    };
    tables.check()?;
    let workers = Workers::new(options.threads.map_or(0, |threads| threads.get() as u32))?;
    let interrupt = listen(Work::Searches)?;
    let workers = workers.until(move || interrupt.is_requested());
    Ok(match options.quiet {
        true => workers,
        false => workers.with_progress(SearchBar::new("searches or games")),
    })
}

/// The search around the policies. Warnings go to standard error.
pub(crate) fn preset_of(options: &Options) -> Result<Arc<Preset>, Failure> {
    let (preset, warnings) = Preset::resolve(options.preset(), &working_folder()?)?;
    print_warnings(&warnings);
    Ok(Arc::new(preset))
}

/// A policy in the preset.
pub(crate) fn variant(options: &Options, policy: &PolicyReference) -> Result<Variant, Failure> {
    let mut variants = variants(options, std::slice::from_ref(policy))?;
    variants.pop().ok_or_else(|| Failure::input("no policy is named", ""))
}

/// The policies in the preset. Names are looked up in the project, paths start from the working directory. Warnings go
/// to standard error.
pub(crate) fn variants(options: &Options, policies: &[PolicyReference]) -> Result<Vec<Variant>, Failure> {
    let described = policies.iter();
    let described = described.map(|policy| EngineDescription::own(&policy.to_string(), options.preset()));
    let line = TypedLine::new("lmrlab");
    let entrants = searching(&line, &described.collect::<Vec<_>>(), &working_folder()?)?;
    // Different files may contain the same name.
    let is_shared = |entrant: &Entrant, policy: &PolicyReference| {
        let mut others = entrants.iter().zip(policies);
        others.any(|(other, of)| other.name == entrant.name && of.policy() != policy.policy())
    };
    let variants = entrants.iter().zip(policies).filter_map(|(entrant, policy)| {
        let own = entrant.own()?;
        Some(Variant {
            name: match is_shared(entrant, policy) {
                true => policy.to_string(),
                false => entrant.name.clone(),
            },
            policy: Arc::clone(&own.policy),
            preset: Arc::clone(&own.preset),
            hash_mib: options.hash_mib(),
        })
    });
    Ok(variants.collect())
}

/// Prints a note when the test positions were found by the search that has to solve them.
pub(crate) fn tell_mined(set: &PositionSet) {
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
pub(crate) fn end_of(done: usize, all: usize) -> Result<(), Failure> {
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

pub(crate) fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| "name a share above 0 and at most 1, such as `0.01`".to_owned())
}

/// The positions of a file; without one, those of the engine's bench. Warnings go to standard error.
pub(crate) fn positions(file: Option<&PathBuf>) -> Result<PositionSet, Failure> {
    let Some(file) = file else {
        return PositionSet::bench().map_err(Failure::from);
    };
    let (set, warnings) = PositionSet::load(&project::typed_file(&working_folder()?, file))?;
    print_warnings(&warnings);
    Ok(set)
}
