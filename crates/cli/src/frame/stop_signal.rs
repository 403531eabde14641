//! Ctrl-C and the other signals that end programs.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;

use super::print::print_err;
use crate::progress::live;

/// The signal that came first; 0 while none came.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// What the command does now.
static WORK: Mutex<Work> = Mutex::new(Work::Whole);

/// The number of SIGINT, the signal of Ctrl-C.
const SIGINT: i32 = 2;

/// What a command does when a signal comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Something without results of a part of it: the first signal ends it.
    Whole,
    /// Pairs of games. The first signal lets the running ones end, the second drops them.
    Pairs,
    /// Searches of the project's own engine. The first Ctrl-C lets the running ones end. The second ends the program, as does the first of
    /// the other signals: no one waits at a terminal for the work that is done. Nothing is lost then, and there is nothing to remove: no
    /// program of others runs.
    Searches,
}

/// Lets the signals that end programs ask this command to stop.
pub(crate) fn listen(work: Work) -> Result<Arc<Interrupt>, Failure> {
    static INTERRUPT: OnceLock<Arc<Interrupt>> = OnceLock::new();
    *WORK.lock().unwrap_or_else(PoisonError::into_inner) = work;
    if let Some(interrupt) = INTERRUPT.get() {
        return Ok(Arc::clone(interrupt));
    }
    let interrupt = Arc::clone(INTERRUPT.get_or_init(Arc::default));
    let asked = Arc::clone(&interrupt);
    on_stop(move |signal| received(signal, &asked))
        .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(interrupt)
}

/// A signal has come.
fn received(signal: i32, interrupt: &Interrupt) {
    let is_first = SIGNAL
        .compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst)
        .is_ok();
    let work = *WORK.lock().unwrap_or_else(PoisonError::into_inner);
    if work == Work::Searches && (!is_first || signal != SIGINT) {
        live::clear();
        std::process::exit(i32::from(exit_status()));
    }
    let is_first = interrupt.request();
    match work {
        Work::Pairs if is_first => {
            print_err("Finishing the running pairs; Ctrl-C again drops them and stops at once.");
        }
        Work::Searches => print_err("Finishing the running searches and games; Ctrl-C again stops at once."),
        Work::Whole => _ = interrupt.request(),
        Work::Pairs => {}
    }
}

/// Calls `handler` at each signal that asks the program to end: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
#[cfg(unix)]
fn on_stop(handler: impl Fn(i32) + Send + 'static) -> Result<(), std::io::Error> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let listening = std::thread::Builder::new().name("signals".to_owned());
    listening.spawn(move || signals.forever().for_each(handler)).map(drop)
}

#[cfg(not(unix))]
fn on_stop(handler: impl Fn(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || handler(SIGINT))
}

/// The exit status of a program that a signal has ended, as shells have it: 130 after Ctrl-C, 143 after SIGTERM.
pub(crate) fn exit_status() -> u8 {
    let signal = match SIGNAL.load(Ordering::SeqCst) {
        0 => SIGINT,
        signal => signal,
    };
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
