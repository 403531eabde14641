//! An executor without a file: a few words that are turned into the text of a file.

use lmrlab_diagnostics::nearest;
use lmrlab_results::failure::Failure;
use toml::{Table, Value};

/// The forms of these words.
const FORMS: &str = "write `local`, `local:4`, `slurm`, `hosts=red,blue:4 command=ssh {host} lmrlab resume {folder} --trust`, \
                     or the path of a TOML file";

/// The text of a file with these settings.
///
/// # Errors
/// When the words have another form. Wrong values are found later, when the settings are read.
pub(super) fn settings(text: &str) -> Result<String, Failure> {
    let mut file = Table::new();
    if let Some(hosts) = text.strip_prefix("hosts=") {
        let (hosts, command) = hosts
            .split_once(" command=")
            .ok_or_else(|| Failure::input(format!("the hosts of `{}` have no command", text.escape_debug()), FORMS))?;
        let hosts: Result<Vec<Value>, Failure> = hosts.split(',').map(host).collect();
        file.insert("kind".to_owned(), "command".into());
        file.insert("play".to_owned(), command.into());
        file.insert("hosts".to_owned(), hosts?.into());
        return Ok(file.to_string());
    }
    let (name, slots) = text
        .split_once(':')
        .map_or((text, None), |(name, slots)| (name, Some(slots)));
    if !["local", "slurm"].contains(&name) {
        let message = format!("`{}` is not an executor", text.escape_debug());
        let help = match nearest(name, ["local", "slurm"]) {
            Some(near) => format!("did you mean `{near}`? Otherwise {FORMS}"),
            None => FORMS.to_owned(),
        };
        return Err(Failure::input(message, help));
    }
    file.insert("kind".to_owned(), name.into());
    if let Some(slots) = slots {
        file.insert("slots".to_owned(), number(slots)?.into());
    }
    Ok(file.to_string())
}

/// `NAME` or `NAME:SLOTS`.
fn host(text: &str) -> Result<Value, Failure> {
    let mut host = Table::new();
    let (name, slots) = text.rsplit_once(':').map_or((text, "1"), |parts| parts);
    host.insert("name".to_owned(), name.into());
    host.insert("slots".to_owned(), number(slots)?.into());
    Ok(host.into())
}

fn number(text: &str) -> Result<i64, Failure> {
    text.parse()
        .map_err(|_| Failure::input(format!("`{}` is not a number of slots", text.escape_debug()), FORMS))
}
