//! Whether `resume` may start the programs that a folder names.
//!
//! The folder may come from another user, and its manifest and executor.toml name programs. Nothing in a folder can
//! show which user began the run. So the commands with which this user has begun runs are recorded outside: a SHA-256
//! for each, in a file of the user's state directory. A folder may be copied or moved. A command that is not recorded
//! needs `--trust`.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::parts::executor::command::ExecutorCommand;
use crate::player::uci::external::ExternalEngine;
use crate::tournament::entrant::Entrant;
use lmrlab_diagnostics::SHOWN_CHARACTERS;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::EXECUTOR;
use lmrlab_results::paths::absolute;
use lmrlab_results::sha256::sha256;
use lmrlab_results::shell_words::shell_words;
use lmrlab_results::text_file;
use lmrlab_results::visible::visible;

/// The longest file of recorded commands that is read, in bytes: about a million commands.
const MAX_RECORDED: u64 = 1 << 26;

/// A command that a run starts.
struct Command {
    /// Its text in messages.
    shown: String,
    /// Digests of everything that decides what the command does: of the command alone, and together with the folder in
    /// which it starts.
    sha256: [String; 2],
    /// Whether a word leads to a file in the folder in which it starts. In another folder, the same word is another
    /// program.
    reads_folder: bool,
}

impl Command {
    fn engine(entrant: &Entrant, engine: &ExternalEngine) -> Self {
        let ExternalEngine {
            program,
            args,
            dir,
            env,
            options,
            ..
        } = engine;
        let mut words = vec![program.display().to_string()];
        words.extend(args.iter().cloned());
        words.extend(dir.iter().map(|dir| format!("dir={}", dir.display())));
        for (name, value) in env {
            words.push(format!("{name}={value}"));
        }
        for (name, value) in options {
            words.push(format!("option.{name}={value}"));
        }
        let shown = format!(
            "the engine `{}`: {}",
            visible(&entrant.name),
            whole(&shell_words(&words))
        );
        let text = format!("{:?}", ("engine", program, args, dir, env, options));
        Self::new(shown, &text, dir.as_deref(), args.iter().map(String::as_str))
    }

    fn new<'w>(shown: String, text: &str, given: Option<&Path>, mut words: impl Iterator<Item = &'w str>) -> Self {
        let folder = absolute(given.unwrap_or(Path::new(".")));
        let is_file = |word: &str| {
            let path = Path::new(word.rsplit('=').next().unwrap_or(word));
            path.is_relative() && !path.as_os_str().is_empty() && folder.join(path).exists()
        };
        let reads_folder = words.any(is_file);
        let place = match given {
            None if reads_folder => format!(" (in {})", visible(&folder.display().to_string())),
            _ => String::new(),
        };
        Self {
            shown: shown + &place,
            sha256: [sha256(text), sha256(&format!("{text} in {folder:?}"))],
            reads_folder,
        }
    }

    /// The digest that has to be recorded.
    fn wanted(&self) -> &str {
        &self.sha256[usize::from(self.reads_folder)]
    }

    /// The executor's command, with its hosts.
    fn executor(executor: &ExecutorCommand) -> Option<Self> {
        // A command that cannot be written cannot be in a folder.
        let text = executor.text().ok()?;
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        let lines: Vec<&str> = text.lines().collect();
        let shown = format!("the executor of {}: {}", EXECUTOR.name(), whole(&lines.join("; ")));
        Some(Self::new(shown, &format!("executor {text}"), None, words))
    }
}

/// A command in lines that a message does not cut: no part of it may be hidden.
fn whole(text: &str) -> String {
    let characters: Vec<char> = visible(text).chars().collect();
    let lines = characters.chunks(SHOWN_CHARACTERS / 2);
    lines.map(String::from_iter).collect::<Vec<_>>().join("\n    ")
}

fn commands<'e>(engines: impl IntoIterator<Item = &'e Entrant>, executor: Option<&ExecutorCommand>) -> Vec<Command> {
    let external = |entrant: &'e Entrant| Some(Command::engine(entrant, entrant.external_engine()?));
    let engines = engines.into_iter().filter_map(external);
    engines.chain(executor.and_then(Command::executor)).collect()
}

/// Records the commands of a run that this user begins. Where there is no state directory, `resume` asks for `--trust`.
pub fn record<'e>(engines: impl IntoIterator<Item = &'e Entrant>, executor: Option<&ExecutorCommand>) {
    // A run also works without a state directory.
    let _ = add(&commands(engines, executor));
}

/// Checks that the commands of a resumed run are recorded, or trusted now.
///
/// # Errors
/// When a command is not recorded, and `trust` is false.
pub fn check<'e>(
    folder: &Path,
    engines: impl IntoIterator<Item = &'e Entrant>,
    executor: Option<&ExecutorCommand>,
    trust: bool,
) -> Result<(), Failure> {
    let commands = commands(engines, executor);
    if trust {
        let _ = add(&commands);
        return Ok(());
    }
    let recorded = recorded();
    let unknown: Vec<String> = (commands.iter())
        .filter(|command| !recorded.contains(command.wanted()))
        .map(|command| format!("\n  {}", command.shown))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Failure::input(
        format!(
            "`{}` starts programs with which you have begun no run on this machine:{}",
            folder.display(),
            unknown.concat()
        ),
        format!(
            "if they are what you want to start: `lmrlab resume {} --trust`",
            folder.display()
        ),
    ))
}

/// The file with the recorded commands.
fn state_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| match cfg!(windows) {
        true => folder("LOCALAPPDATA"),
        false => Some(folder("HOME")?.join(".local/state")),
    })?;
    Some(state.join("lmrlab").join("commands.sha256"))
}

fn recorded() -> BTreeSet<String> {
    let text = state_file().and_then(|path| text_file::read_utf8(&path, MAX_RECORDED).ok());
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}

fn add(commands: &[Command]) -> io::Result<()> {
    let recorded = recorded();
    let new: BTreeSet<&str> = (commands.iter().flat_map(|command| &command.sha256).map(String::as_str))
        .filter(|sha256| !recorded.contains(*sha256))
        .collect();
    let Some(path) = state_file().filter(|_| !new.is_empty()) else {
        return Ok(());
    };
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    text_file::refuse_other_kinds(&path)?;
    let text: String = new.into_iter().map(|sha256| format!("{sha256}\n")).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(text.as_bytes())
}
