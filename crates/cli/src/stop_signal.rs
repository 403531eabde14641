//! Ctrl-C and the other signals that end programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use lmrlab_results::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;

use crate::progress::live;

/// The signal that came first; 0 while none came.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether the program may end at once, see [`may_end`].
static MAY_END: AtomicBool = AtomicBool::new(false);

/// The number of SIGINT, the signal of Ctrl-C.
const SIGINT: i32 = 2;

/// From now on nothing is lost when the program ends: it only searches, and has nothing to remove. It ends at the second
/// Ctrl-C, and at the first of the other signals: no one waits at a terminal for the work that is done.
pub(crate) fn may_end() {
    MAY_END.store(true, Ordering::SeqCst);
}

/// The interrupt of a command without results of a part of its work: the first signal ends it.
pub(crate) fn listen_once() -> Result<Arc<Interrupt>, Failure> {
    let interrupt = Arc::new(Interrupt::new());
    let asked = Arc::clone(&interrupt);
    on_stop(move || {
        // The second request abandons what runs.
        asked.request();
        asked.request();
    })?;
    Ok(interrupt)
}

/// A signal has come.
fn received(signal: i32) {
    let first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
    if MAY_END.load(Ordering::SeqCst) && (first.is_err() || signal != SIGINT) {
        live::clear();
        std::process::exit(i32::from(exit_status()));
    }
}

/// Calls `handler` at each signal that asks the program to end: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
pub(crate) fn on_stop(handler: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    listen(handler).map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))
}

#[cfg(unix)]
fn listen(mut handler: impl FnMut() + Send + 'static) -> Result<(), std::io::Error> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                received(signal);
                handler();
            }
        })
        .map(drop)
}

#[cfg(not(unix))]
fn listen(mut handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || {
        received(SIGINT);
        handler();
    })
}

/// The exit status of a program that a signal has ended, as shells have it: 130 after Ctrl-C, 143 after SIGTERM.
pub(crate) fn exit_status() -> u8 {
    let signal = match SIGNAL.load(Ordering::SeqCst) {
        0 => SIGINT,
        signal => signal,
    };
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
