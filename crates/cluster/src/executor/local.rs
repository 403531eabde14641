//! Parts played by lmrlab itself on this machine.

use std::path::Path;

use lmrlab_results::failure::Failure;

use super::processes::Processes;
use super::settings::{CommandSettings, Host, LocalSettings};
use super::template::Template;
use crate::host::this_host;

/// The executor that runs `program` on this machine.
pub(super) fn local(settings: &LocalSettings, program: &Path) -> Result<Processes, Failure> {
    let Some(path) = program.to_str() else {
        let message = format!("the path of lmrlab, `{}`, is not UTF-8", program.display());
        return Err(Failure::input(message, "move it to another folder"));
    };
    let threads = settings.threads.unwrap_or(1);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let host = Host {
        name: this_host(),
        slots: settings.slots.unwrap_or((processors / threads).max(1)),
    };
    let commands = CommandSettings {
        send: None,
        play: Template::playing(path, threads),
        fetch: None,
        cancel: None,
        hosts: vec![host],
        timeout: None,
    };
    Ok(Processes::new(commands, false))
}
