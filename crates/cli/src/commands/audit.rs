//! `lmrlab audit`: checks whether a policy's reductions were right.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use tempfile::TempDir;

use super::host_options::{Traced, rates, trace_file};
use super::lab_options::{Observed, WatchOptions, Watched, WatchedHost, end_of, share};
use super::one_of::one_of;
use super::playing::interrupted_if;
use super::whole_number::count;
use crate::frame::output_files::temporary_folder;
use crate::frame::{Found, Frame};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::audit::{
    Audit, AuditEnd, AuditOptions, AuditTables, Judge, audit, audit_until_precise, blame, next_rate,
};
use lmrlab_lab::host::{Shadow, TraceOptions};
use lmrlab_lab::variant::Variant;
use lmrlab_results::output_file::OutputFile;
use lmrlab_results::text_file;

/// Check whether reductions were right: search a sample of late moves again at full depth.
///
/// Example:
///   lmrlab audit house mediocre-2007 --depth 9 --rate 0.02 --out results/audit
///
/// A late move is one about which the policy was asked. A shadow search searches a sampled move at full depth before
/// the move's own search: at the same alpha, on a copy of the tables as they are at that moment. It does not change the
/// observed search. The node count is checked against a search without the audit. A move was missed when it was reduced
/// and failed low, and the shadow search raises alpha.
///
/// The moves that were not reduced are the control group: there the shadow search repeats the move's own search, and
/// none may disagree. With --judge unreduced, it also shows what the reductions below the move change.
///
/// Without --rate, the sample grows until the 95% interval of every missed rate is at most 20% of the rate to either
/// side, or a minute has passed. The rate is printed: --rate with this number takes the same sample again.
///
/// AUC: take one move that fails low and one that raises alpha. It is the chance that the number, used as a reason to
/// reduce, picks the first; 0.5 is no better than guessing. `reduction` is the policy itself. Intervals come from
/// resampling whole positions; more positions make them narrower.
///
/// The blame list names the positions where the same search without reductions, at the same depth, finds a better move,
/// and the moves of its principal variation that the policy reduced.
///
/// --out DIR gets totals.csv, samples.csv, predictors.csv, roc.csv, nodes.csv, depths.csv, reductions.csv, rules.csv,
/// blame.csv.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(flatten)]
    watch: WatchOptions,
    /// Share of the late moves that is sampled [default: as many as the missed rate needs, for at most a minute]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    rate: Option<f64>,
    /// Seed of the sample
    #[arg(long, default_value_t = AuditOptions::default().seed, conflicts_with = "host")]
    seed: u64,
    /// Judge of the moves at full depth: the same search below the move, or one without any reduction
    #[arg(long, value_parser = one_of(&JUDGES), default_value = "policy")]
    judge: Judge,
    /// Most nodes of a shadow search
    #[arg(long, value_name = "N", default_value_t = AuditOptions::default().shadow_nodes, conflicts_with_all = ["host", "trace"], value_parser = count(1..=u64::MAX))]
    shadow_nodes: u64,
    /// How often positions are resampled for the intervals
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,
    /// By how many centipawns a missed move must be better to be listed
    #[arg(long, value_name = "CP", default_value_t = 50, conflicts_with_all = ["host", "trace"], value_parser = clap::value_parser!(i32).range(0..=100_000))]
    margin: i32,
    /// Without the blame list. The list needs a search of each position without reductions
    #[arg(long)]
    no_blame: bool,
}

/// The values of `--judge`.
const JUDGES: [(&str, Judge); 2] = [("policy", Judge::Policy), ("unreduced", Judge::Unreduced)];

impl Arguments {
    fn options(&self) -> AuditOptions {
        AuditOptions {
            shares: 0.0..self.rate.unwrap_or_default(),
            seed: self.seed,
            judge: self.judge,
            shadow_nodes: self.shadow_nodes,
            resamples: self.resamples as usize,
        }
    }
}

/// The share of the late moves that a host traces first, when the user gives none.
const FIRST_HOST_RATE: f64 = 0.01;

/// The time limit of an audit without a rate.
const MOST_TIME: Duration = Duration::from_secs(60);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("audit", || {
        match arguments.watch.observed("lmrlab audit", &frame.options)? {
            Observed::Own(watched) => searched(arguments, &watched),
            Observed::Host(host) => {
                let (traces, ended) = trace_until_precise(arguments, &host, frame.folder()?)?;
                let mut searched: Vec<String> = traces.iter().map(|traced| traced.positions.to_string()).collect();
                searched.dedup();
                let (searched, all) = (searched.join(" and "), host.positions.len().to_string());
                let of = if searched == all {
                    String::new()
                } else {
                    format!(" of {all}")
                };
                traced(
                    arguments,
                    &traces,
                    &format!("{searched}{of} positions, {}", host.limit),
                    ended,
                )
            }
            Observed::Traces(traces) => traced(arguments, &traces, "traces", None),
        }
    })
}

/// Audits searches of the project's own engine.
fn searched(arguments: &Arguments, watched: &Watched) -> Result<Found, Failure> {
    let Watched {
        variants,
        positions,
        limit,
        workers,
        conditions,
    } = watched;
    let mut options = arguments.options();
    let (audits, ended) = match arguments.rate {
        Some(_) => (audit(variants, positions, *limit, &options, workers)?, None),
        None => {
            let (audits, end) = audit_until_precise(variants, positions, *limit, &mut options, MOST_TIME, workers)?;
            (audits, Some(end))
        }
    };
    let searched = audits.first().map_or(0, |audit| audit.positions);
    let end = end_of(searched, positions.len());
    if searched == 0 {
        return Ok(Found { outcome: None, end });
    }
    // The searches for the blame list come after the audit.
    let end = end.and(interrupted_if(workers.is_stopped() && !arguments.no_blame));
    let is_wanted = !arguments.no_blame && !workers.is_stopped();
    let blames = is_wanted.then(|| blame(variants, positions, *limit, arguments.margin, workers));
    let tables = AuditTables::of(variants, positions, &options, &audits, blames.as_deref());
    let margin = blames.map_or_else(String::new, |_| format!(", margin {}", arguments.margin));
    let conditions = format!(
        "{searched} positions, {conditions}, sampling rate {}, seed {}{margin}{}",
        options.shares.end,
        options.seed,
        ending(&options, ended)
    );
    Ok(Found {
        outcome: Some(tables.outcome(&conditions)),
        end,
    })
}

/// Audits the traces of a host.
fn traced(
    arguments: &Arguments,
    traced: &[Traced],
    conditions: &str,
    ended: Option<AuditEnd>,
) -> Result<Found, Failure> {
    let mut options = arguments.options();
    options.judge = match traced.first().map(|traced| traced.trace.header.shadow) {
        Some(Shadow::Unreduced) => Judge::Unreduced,
        _ => Judge::Policy,
    };
    let has_no_shadow = |traced: &&Traced| traced.trace.moves.iter().all(|traced| traced.shadow.is_none());
    if let Some(traced) = traced.iter().find(has_no_shadow) {
        return Err(Failure::input(
            format!(
                "the trace of {} has no shadow searches, so nothing can be judged",
                traced.variant.name
            ),
            "trace with `setoption name LmrShadow value policy`; `lmrlab profile --trace` needs none",
        ));
    }
    let variants: Vec<Variant> = traced.iter().map(|traced| traced.variant.clone()).collect();
    let conditions = format!(
        "{conditions}, sampling rate {}{}",
        rates(traced),
        ending(&options, ended)
    );
    let tables = AuditTables::of(&variants, &[], &options, &audits(traced), None);
    Ok(tables.outcome(&conditions).into())
}

/// How moves were judged, and why no more were sampled.
fn ending(options: &AuditOptions, ended: Option<AuditEnd>) -> String {
    let judge = match options.judge {
        Judge::Policy => "",
        Judge::Unreduced => ", judged without reductions",
    };
    let ended = ended.map_or_else(String::new, |ended| format!("; sampling ended because {ended}"));
    format!("{judge}{ended}")
}

fn audits(traced: &[Traced]) -> Vec<Audit> {
    let traced = traced.iter();
    traced
        .map(|traced| traced.trace.audit(traced.policy(), traced.nodes))
        .collect()
}

/// The traces of a host at the given rate. Without a rate, the rate grows until the missed rates are precise or the
/// time has passed; then the reason of the end is returned, too. A pass that the time ends early counts when it has
/// more moves than the pass before it.
fn trace_until_precise(
    arguments: &Arguments,
    host: &WatchedHost,
    folder: Option<&Path>,
) -> Result<(Vec<Traced>, Option<AuditEnd>), Failure> {
    let started = Instant::now();
    let mut options = TraceOptions {
        rate: arguments.rate.unwrap_or(FIRST_HOST_RATE),
        shadow: match arguments.judge {
            Judge::Policy => Shadow::Policy,
            Judge::Unreduced => Shadow::Unreduced,
        },
    };
    let pass =
        |options, time, folder: Option<&Path>| host.hosted.traces(&host.positions, host.limit, options, time, folder);
    if arguments.rate.is_some() {
        return Ok((pass(options, None, folder)?, None));
    }
    let moves = |traced: &[Traced]| traced.iter().map(|traced| traced.trace.moves.len()).sum::<usize>();
    let mut best: Option<(Vec<Traced>, TempDir)> = None;
    let end = loop {
        let (began, remaining) = (Instant::now(), MOST_TIME.saturating_sub(started.elapsed()));
        let files = temporary_folder()?;
        let traced = pass(options, Some(remaining), Some(files.path()))?;
        let is_whole = traced.iter().all(|traced| traced.positions == host.positions.len());
        // A further pass begins from nothing, so it must fit into the remaining time.
        let remaining = MOST_TIME.saturating_sub(started.elapsed());
        let audits = audits(&traced);
        let next = next_rate(options.rate, &audits, &arguments.options(), began.elapsed(), remaining);
        let is_larger = best.as_ref().is_none_or(|(best, _)| moves(&traced) > moves(best));
        if is_whole || is_larger {
            best = Some((traced, files));
        }
        match next {
            _ if !is_whole => break AuditEnd::Time,
            Ok(rate) => options.rate = rate,
            Err(end) => break end,
        }
    };
    let Some((traced, files)) = best else {
        return Ok((Vec::new(), Some(end)));
    };
    for traced in traced.iter().filter(|_| folder.is_some()) {
        let name = trace_file(&traced.variant.name);
        let to = folder.unwrap_or_else(|| files.path()).join(&name);
        let mut copy = OutputFile::create(&to)?;
        text_file::open_file(&files.path().join(&name))
            .and_then(|mut trace| std::io::copy(&mut trace, &mut copy))
            .map_err(|error| Failure::write(&to, &error))?;
        copy.finish()?;
    }
    Ok((traced, Some(end)))
}
