//! How large a sample has to be: passes over the positions, each with a further share of the late moves.

use std::time::{Duration, Instant};

use lmrlab_diagnostics::failure::Failure;

use super::{Audit, AuditOptions, audit};
use crate::positions::LabPosition;
use crate::search::SearchLimit;
use crate::variant::Variant;
use crate::workers::Workers;

/// About how many late moves of each variant the first pass samples.
const FIRST_PASS: u64 = 2_000;

/// An audit ends when the error of each missed rate is at most this share of the rate. The error is half the width of
/// its 95% interval.
const PRECISE: f64 = 0.2;

/// Why an audit without a rate ended, in words.
pub type AuditEnd = &'static str;

const ENOUGH: AuditEnd = "every missed rate has an error of at most 20% of itself";
const TIME_IS_OVER: AuditEnd = "the time is over; not every missed rate has an error of at most 20% of itself";
const EXHAUSTED: AuditEnd = "every late move was sampled";
const STOPPED: AuditEnd = "the command was interrupted";

/// Audits each variant on all positions with larger and larger samples, until the missed rate of each is precise or
/// `time` has passed. `options.shares` is set to the shares that were sampled: an audit with these shares gives the
/// same samples.
///
/// # Errors
/// As [`audit`].
pub fn audit_until_precise(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &mut AuditOptions,
    time: Duration,
    workers: &Workers,
) -> Result<(Vec<Audit>, AuditEnd), Failure> {
    let started = Instant::now();
    options.shares = 0.0..0.0;
    let empty = audit(variants, positions, limit, options, workers)?;
    let moves: u64 = empty.iter().map(|audit| audit.population).sum();
    let mut rate = typed_rate((FIRST_PASS * variants.len() as u64) as f64 / moves.max(1) as f64);
    options.shares = 0.0..rate;
    let mut audits = audit(variants, positions, limit, options, workers)?;
    let end = loop {
        let next = match moves {
            _ if workers.is_stopped() => Err(STOPPED),
            0 => Err(EXHAUSTED),
            _ => next_rate(rate, &audits, options, started.elapsed(), time),
        };
        let next = match next {
            Ok(next) => next,
            Err(end) => break end,
        };
        options.shares = rate..next;
        let further = audit(variants, positions, limit, options, workers)?;
        if further.iter().any(|audit| audit.positions < positions.len()) {
            // A part of a pass would give some positions more weight.
            break STOPPED;
        }
        for (audit, more) in audits.iter_mut().zip(further) {
            audit.samples.extend(more.samples);
            audit.samples.sort_by_key(|sample| (sample.position, sample.late_move));
        }
        rate = next;
    };
    options.shares = 0.0..rate;
    Ok((audits, end))
}

/// The rate of the next pass. The audits so far sampled at `rate` and took the time `passed`. All passes together may
/// take `time`.
///
/// # Errors
/// The reason when no further pass should be made.
pub fn next_rate(
    rate: f64,
    audits: &[Audit],
    options: &AuditOptions,
    passed: Duration,
    time: Duration,
) -> Result<f64, AuditEnd> {
    if rate >= 1.0 {
        return Err(EXHAUSTED);
    }
    let errors = audits.iter().map(|audit| relative_error(audit, options));
    let error = errors.fold(0.0, f64::max);
    if error <= PRECISE {
        return Err(ENOUGH);
    }
    // A pass costs a search of every position, plus a part in proportion to its share of the moves.
    let affordable = rate * time.as_secs_f64() / passed.as_secs_f64().max(1e-3);
    let wanted = (1.1 * rate * (error / PRECISE) * (error / PRECISE)).min(4.0 * rate);
    let next = typed_rate(wanted.max(1.25 * rate).min(affordable));
    if next < 1.1 * rate { Err(TIME_IS_OVER) } else { Ok(next) }
}

/// The rate rounded up to three digits, so that it can be typed again; at most 1.
fn typed_rate(rate: f64) -> f64 {
    let digits = libm::pow(10.0, 2.0 - libm::floor(libm::log10(rate)));
    (libm::ceil(rate * digits) / digits).min(1.0)
}

/// Half the width of the missed rate's 95% interval, divided by the rate; infinite when no miss was found.
fn relative_error(audit: &Audit, options: &AuditOptions) -> f64 {
    let resamples = audit.resamples(options.resamples.max(200), options.seed);
    let counts = audit.judged(&resamples, |_| true);
    match (counts.missed_rate, counts.missed_lower_95.zip(counts.missed_upper_95)) {
        // A policy that reduces nothing has no missed rate, and no sample gives it one.
        (None, _) => 0.0,
        (Some(rate), Some((low, high))) if rate > 0.0 => (high - low) / 2.0 / rate,
        _ => f64::INFINITY,
    }
}
