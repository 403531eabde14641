//! `lmrlab audit`: checks whether a policy's reductions were right.

use std::path::Path;
use std::time::Duration;

use clap::Args;

use super::shared::hosted::{Hosted, rates};
use super::shared::lab_options::{Observed, WatchOptions, Watched, end_of, share};
use super::shared::one_of::one_of;
use super::shared::playing::interrupted_if;
use super::shared::whole_number::count;
use crate::frame::{Found, Frame};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::audit::{Audit, AuditEnd, AuditOptions, AuditTables, audit, blame, until_precise};
use lmrlab_lab::host::{HostTrace, Shadow, TraceOptions};

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
/// Without --rate, the first pass samples 1% of the late moves, however long it takes. Further passes take larger
/// samples, until the 95% interval of every missed rate is at most 20% of the rate to either side. No pass begins that
/// would probably end more than a minute after the first began. The rate is printed: --rate with this number takes the same
/// sample again.
///
/// AUC: take one move that fails low and one that raises alpha. It is the chance that the number, used as a reason to
/// reduce, picks the first; 0.5 is no better than guessing. `reduction` is the policy itself. Intervals come from
/// resampling whole positions; more positions make them narrower.
///
/// The blame list names the positions where the same search without reductions, at the same depth, finds a better move,
/// and the moves of its principal variation that the policy reduced.
///
/// --out DIR gets totals.csv, samples.csv, predictors.csv, nodes.csv, depths.csv, reductions.csv, rules.csv, blame.csv.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(flatten)]
    watch: WatchOptions,
    /// Share of the late moves that is sampled [default: 0.01, then more in further passes]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    rate: Option<f64>,
    /// Seed of the sample
    #[arg(long, default_value_t = AuditOptions::default().seed, conflicts_with = "host")]
    seed: u64,
    /// Judge of the moves at full depth: the same search below the move, or one without any reduction
    #[arg(long, value_parser = one_of(&JUDGES), default_value = "policy")]
    judge: Shadow,
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
const JUDGES: [(&str, Shadow); 2] = [("policy", Shadow::Policy), ("unreduced", Shadow::Unreduced)];

impl Arguments {
    fn options(&self) -> AuditOptions {
        AuditOptions {
            rate: self.rate.unwrap_or_default(),
            seed: self.seed,
            judge: self.judge,
            shadow_nodes: self.shadow_nodes,
            resamples: self.resamples as usize,
        }
    }
}

/// The time in which the passes of an audit without a rate have to end, but the first.
const MOST_TIME: Duration = Duration::from_secs(60);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("audit", || {
        match arguments.watch.observed("lmrlab audit", &frame.options)? {
            Observed::Own(watched) => searched(arguments, &watched),
            Observed::Host(host) => {
                let (traces, ended) = trace_until_precise(arguments, &host, frame.folder()?)?;
                let conditions = format!("{} positions, {}", host.positions.len(), host.limit);
                traced(arguments, &traces, &conditions, ended)
            }
            Observed::Traces(traces) => traced(arguments, &traces, "traces", None),
        }
    })
}

/// Audits searches of the project's own engine.
fn searched(arguments: &Arguments, watched: &Watched) -> Result<Found, Failure> {
    let (variants, positions, workers) = (&watched.variants, &watched.positions, &watched.workers);
    let mut options = arguments.options();
    let audited = |options: &AuditOptions| audit(variants, positions, watched.limit, options, workers);
    let (audits, ended) = match arguments.rate {
        Some(_) => (audited(&options)?, None),
        None => {
            let (audits, end) = until_precise(&mut options, MOST_TIME, || workers.is_stopped(), audited)?;
            (audits, Some(end))
        }
    };
    let searched = audits.first().map_or(0, |audit| audit.positions.len());
    let end = end_of(searched, positions.len());
    if searched == 0 {
        return Ok(Found { outcome: None, end });
    }
    // The searches for the blame list come after the audit.
    let end = end.and(interrupted_if(workers.is_stopped() && !arguments.no_blame));
    let is_wanted = !arguments.no_blame && !workers.is_stopped();
    let blames = is_wanted.then(|| blame(variants, positions, watched.limit, arguments.margin, workers));
    let tables = AuditTables::of(&options, &audits, blames.as_deref());
    let margin = blames.map_or_else(String::new, |_| format!(", margin {}", arguments.margin));
    let conditions = format!(
        "{searched} positions, {}, sampling rate {}, seed {}{margin}{}",
        watched.conditions,
        options.rate,
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
    traces: &[HostTrace],
    conditions: &str,
    ended: Option<AuditEnd>,
) -> Result<Found, Failure> {
    let mut options = arguments.options();
    options.judge = match traces.first().map(|trace| trace.header.shadow) {
        Some(Shadow::Unreduced) => Shadow::Unreduced,
        _ => Shadow::Policy,
    };
    let has_no_shadow = |trace: &&HostTrace| trace.moves.iter().all(|traced| traced.shadow.is_none());
    if let Some(trace) = traces.iter().find(has_no_shadow) {
        return Err(Failure::input(
            format!(
                "the trace of {} has no shadow searches, so nothing can be judged",
                trace.variant.name
            ),
            "trace with `setoption name LmrShadow value policy`; `lmrlab profile --trace` needs none",
        ));
    }
    let conditions = format!(
        "{conditions}, sampling rate {}{}",
        rates(traces),
        ending(&options, ended)
    );
    let audits: Vec<Audit> = traces.iter().map(HostTrace::audit).collect();
    Ok(AuditTables::of(&options, &audits, None).outcome(&conditions).into())
}

/// How moves were judged, and why no more were sampled.
fn ending(options: &AuditOptions, ended: Option<AuditEnd>) -> String {
    let judge = match options.judge {
        Shadow::Unreduced => ", judged without reductions",
        _ => "",
    };
    let ended = ended.map_or_else(String::new, |ended| format!("; sampling ended because {ended}"));
    format!("{judge}{ended}")
}

/// The traces of a host at the given rate. Without a rate, the rate grows until the missed rates are precise or the
/// time has passed; then the reason of the end is returned, too.
fn trace_until_precise(
    arguments: &Arguments,
    host: &Hosted,
    folder: Option<&Path>,
) -> Result<(Vec<HostTrace>, Option<AuditEnd>), Failure> {
    let trace = |rate| {
        let shadow = arguments.judge;
        host.traces(TraceOptions { rate, shadow }, folder)
    };
    if let Some(rate) = arguments.rate {
        return Ok((trace(rate)?, None));
    }
    let mut traces = Vec::new();
    let audited = |options: &AuditOptions| {
        traces = trace(options.rate)?;
        Ok(traces.iter().map(HostTrace::audit).collect())
    };
    let (_, end) = until_precise(&mut arguments.options(), MOST_TIME, || false, audited)?;
    Ok((traces, Some(end)))
}
