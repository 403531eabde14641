//! What `--executor` says.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source, Text, nearest};
use lmrlab_runner::failure::Failure;

use super::read::{self, Kind, MAX_SLOTS};
use super::{CommandSettings, Host, LocalSettings, Settings, SlurmSettings, read_kind};

/// What belongs after `--executor`.
const FORMS: &str = "write `local`, `local:4`, `slurm`, `hosts=red,blue:4 command=ssh {host} lmrlab part {folder}`, \
                     or the path of a TOML file";

pub(super) fn settings(text: &str) -> Result<Settings, Failure> {
    let argument = Argument { text };
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let kind = Kind::NAMES.iter().find(|(known, _)| *known == name);
    match (kind, value) {
        _ if name == "hosts" => argument.hosts_and_command(value),
        (Some((_, kind)), file) if is_file(file) => read_file(file, Some(*kind)),
        (Some((_, Kind::Command)), _) => Err(argument.wrong(
            0..text.len(),
            "`command` needs hosts",
            "on which machines?",
            "write `hosts=red,blue:4 command=..`, or name a TOML file that has them",
        )),
        (Some((_, Kind::Local)), "") => Ok(Settings::Local(LocalSettings::default())),
        (Some((_, Kind::Slurm)), "") => Ok(Settings::Slurm(SlurmSettings::default())),
        (Some(_), _) => Err(argument.wrong(
            name.len() + 1..text.len(),
            "there is no such file of settings",
            "the path of a TOML file belongs here",
            FORMS,
        )),
        (None, _) if is_file(text) => read_file(text, None),
        (None, _) => argument.with_slots(),
    }
}

/// Whether this is meant to be a file of settings.
fn is_file(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some_and(|extension| extension == "toml") || path.is_file()
}

fn read_file(path: &str, kind: Option<Kind>) -> Result<Settings, Failure> {
    let settings = Source::read(Path::new(path)).and_then(|source| read_kind(source, kind));
    settings.map_err(|report| Failure::Input(vec![report]))
}

/// The text after `--executor`.
struct Argument<'t> {
    text: &'t str,
}

impl Argument<'_> {
    fn wrong(&self, place: Range<usize>, message: &str, label: &str, help: &str) -> Failure {
        self.failure(Diagnostic::error(message).at(place, label).help(help))
    }

    fn failure(&self, error: Diagnostic) -> Failure {
        let source = Source::new("--executor", self.text);
        Failure::Input(vec![Diagnostics::new(source, vec![error])])
    }

    /// `local:4` and `slurm:4`.
    fn with_slots(&self) -> Result<Settings, Failure> {
        let (name, slots) = self.text.split_once(':').unwrap_or((self.text, ""));
        let settings: fn(usize) -> Settings = match name {
            "local" => |slots| {
                Settings::Local(LocalSettings {
                    slots: Some(slots),
                    threads: None,
                })
            },
            "slurm" => |slots| {
                Settings::Slurm(SlurmSettings {
                    slots,
                    ..SlurmSettings::default()
                })
            },
            _ => {
                let message = format!("`{}` is not an executor", self.text.escape_debug());
                let help = match nearest(name, Kind::NAMES.map(|(name, _)| name)) {
                    Some(near) => format!("did you mean `{near}`? Otherwise {FORMS}"),
                    None => FORMS.to_owned(),
                };
                return Err(Failure::input(message, help));
            }
        };
        let place = name.len() + 1..self.text.len();
        self.slots(slots, place).map(settings)
    }

    fn slots(&self, text: &str, place: Range<usize>) -> Result<usize, Failure> {
        let slots = text.parse().ok().filter(|slots| (1..=MAX_SLOTS).contains(slots));
        slots.ok_or_else(|| {
            let label = format!("a number from 1 to {MAX_SLOTS} belongs here");
            self.wrong(
                place,
                "this is not a number of slots",
                &label,
                "slots are parts at the same time",
            )
        })
    }

    /// `hosts=red,blue:4 command=TEMPLATE`, from behind `hosts=`.
    fn hosts_and_command(&self, value: &str) -> Result<Settings, Failure> {
        let Some((names, template)) = value.split_once(" command=") else {
            let help = "such as `hosts=red,blue:4 command=ssh {host} lmrlab part {folder}`";
            return Err(self.wrong(
                0..self.text.len(),
                "these hosts have nothing to do",
                "no ` command=` here",
                help,
            ));
        };
        let mut hosts = Vec::new();
        let mut seen = BTreeSet::new();
        let mut start = "hosts=".len();
        for entry in names.split(',') {
            let place = start..start + entry.len();
            start = place.end + 1;
            let (name, slots) = match entry.rsplit_once(':') {
                Some((name, slots)) => (name, self.slots(slots, place.start + name.len() + 1..place.end)?),
                None => (entry, 1),
            };
            let help = "write the names of hosts with commas between them, and `:N` behind one that plays N parts";
            if let Err(why) = read::check_host(name) {
                return Err(self.wrong(place, "this cannot be a host", why, help));
            }
            if !seen.insert(name) {
                return Err(self.wrong(place, &format!("`{name}` is named twice"), "again", help));
            }
            let name = name.to_owned();
            hosts.push(Host { name, slots });
        }
        let place = self.text.len() - template.len()..self.text.len();
        // No place inside: a text on the command line has no quotes around it.
        let play =
            read::parse(&Text::detached(template).at(place.clone()), true).map_err(|error| self.failure(error))?;
        match read::lacks_host(&hosts, &play, place) {
            Some(error) => Err(self.failure(error)),
            None => Ok(Settings::Command(CommandSettings {
                hosts,
                play,
                send: None,
                fetch: None,
                cancel: None,
                timeout: None,
            })),
        }
    }
}
