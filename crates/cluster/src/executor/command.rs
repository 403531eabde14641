//! Parts played by commands that their user writes, such as ssh.

use super::processes::{Commands, Processes, Step};
use super::settings::CommandSettings;

/// The executor that runs the commands of these settings.
pub(super) fn command(settings: &CommandSettings) -> Processes<CommandSettings> {
    Processes::new(settings.clone(), settings.hosts.clone(), settings.timeout)
}

impl Commands for CommandSettings {
    fn words(&self, step: Step, host: &str, folder: &str) -> Option<Vec<String>> {
        let template = match step {
            Step::Send => self.send.as_ref(),
            Step::Play => Some(&self.play),
            Step::Fetch => self.fetch.as_ref(),
            Step::Cancel => self.cancel.as_ref(),
        };
        template.map(|template| template.words(host, folder))
    }

    fn are_foreign(&self) -> bool {
        true
    }
}
