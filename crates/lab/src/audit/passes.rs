//! How large a sample has to be: passes over the positions, each with a larger share of the late moves.

use std::time::{Duration, Instant};

use lmrlab_diagnostics::failure::Failure;

use super::{Audit, AuditOptions, DEFAULT_RATE};

/// A sample of this size without a reduced move says that the policy reduces nothing.
const ENOUGH_MOVES: u64 = 2_000;

/// An audit ends when the error of each missed rate is at most this share of the rate. The error is half the width of
/// its 95% interval.
const PRECISE: f64 = 0.2;

/// Why an audit without a rate ended, in words.
pub type AuditEnd = &'static str;

const ENOUGH: AuditEnd = "every missed rate has an error of at most 20% of itself";
const TIME_IS_OVER: AuditEnd = "the time is over; not every missed rate has an error of at most 20% of itself";
const EXHAUSTED: AuditEnd = "every late move was sampled";
const STOPPED: AuditEnd = "the command was interrupted";

/// Audits with larger and larger rates, until the missed rate of each audit is precise, the next pass would not end within `time`, or the
/// user stops the command. The first pass is made in any case. `audited` audits at a rate. Sets the rate of the options; an audit at this rate gives the same samples.
///
/// # Errors
/// As `audited`.
pub fn until_precise(
    options: &mut AuditOptions,
    time: Duration,
    is_stopped: impl Fn() -> bool,
    mut audited: impl FnMut(&AuditOptions) -> Result<Vec<Audit>, Failure>,
) -> Result<(Vec<Audit>, AuditEnd), Failure> {
    let started = Instant::now();
    options.rate = DEFAULT_RATE;
    let mut audits = audited(options)?;
    let mut passed = started.elapsed();
    loop {
        let remaining = time.saturating_sub(started.elapsed());
        let next = match next_rate(&audits, options, passed, remaining) {
            _ if is_stopped() => return Ok((audits, STOPPED)),
            Ok(rate) => AuditOptions {
                rate,
                ..options.clone()
            },
            Err(end) => return Ok((audits, end)),
        };
        let began = Instant::now();
        let further = audited(&next)?;
        if is_stopped() {
            // A part of a pass has fewer positions.
            return Ok((audits, STOPPED));
        }
        (audits, passed, *options) = (further, began.elapsed(), next);
    }
}

/// The rate of the next pass, which has to fit into the remaining time. The last pass took the time `passed`.
///
/// # Errors
/// The reason when no further pass should be made.
fn next_rate(audits: &[Audit], options: &AuditOptions, passed: Duration, remaining: Duration) -> Result<f64, AuditEnd> {
    let rate = options.rate;
    if rate >= 1.0 || audits.iter().all(|audit| audit.population == 0) {
        return Err(EXHAUSTED);
    }
    let errors = audits.iter().map(|audit| relative_error(audit, options));
    let error = errors.fold(0.0, f64::max);
    if error <= PRECISE {
        return Err(ENOUGH);
    }
    // A pass costs a search of every position, plus a part in proportion to its share of the moves.
    let affordable = rate * remaining.as_secs_f64() / passed.as_secs_f64().max(1e-3);
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
        (None, _) if counts.sampled >= ENOUGH_MOVES || audit.population == 0 => 0.0,
        (Some(rate), Some((low, high))) if rate > 0.0 => (high - low) / 2.0 / rate,
        _ => f64::INFINITY,
    }
}
