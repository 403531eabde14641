//! Ctrl-C and the other signals that end programs.

use std::sync::atomic::{AtomicI32, Ordering};

use lmrlab_results::failure::Failure;

/// The signal that came first; 0 while none came.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The number of SIGINT, the signal of Ctrl-C.
const SIGINT: i32 = 2;

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
                let _ = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
                handler();
            }
        })
        .map(drop)
}

#[cfg(not(unix))]
fn listen(mut handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || {
        let _ = SIGNAL.compare_exchange(0, SIGINT, Ordering::SeqCst, Ordering::SeqCst);
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
