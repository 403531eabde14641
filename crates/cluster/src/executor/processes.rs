//! Parts played by processes of this machine: lmrlab itself, or commands such as ssh that run lmrlab on another host.
//!
//! A job has up to three steps, each of them a process: send, play, fetch. Nothing here waits for a process. Steps
//! advance at each call of `ask`. The job's folder records which process runs where, for a later coordinator.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lmrlab_diagnostics::cut;
use lmrlab_results::failure::Failure;
use lmrlab_results::text_file;
use lmrlab_results::visible::visible;
use serde::{Deserialize, Serialize};

use super::child::{Process, ProcessState, end_all, ending, last_lines};
use super::process_id::ProcessId;
use super::settings::{CommandSettings, Host};
use super::{Executor, Job, JobId, JobState, OUTPUT, is_complete};

/// The file in the job's folder that records which process runs where.
const RECORD: &str = "process.toml";

/// Characters of a command that messages show.
const SHOWN_CHARACTERS: usize = 200;

/// One process of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Step {
    /// Brings the part to its host.
    Send,
    /// Plays it.
    Play,
    /// Brings the results back.
    Fetch,
    /// Ends it on its host.
    Cancel,
}

impl Step {
    /// The file with its output. Each step has its own, so a fetch that copies the whole folder back overwrites no file
    /// in use.
    fn output(self, folder: &str) -> PathBuf {
        Path::new(folder).join(match self {
            Self::Send => "send.txt",
            Self::Play => OUTPUT,
            Self::Fetch => "fetch.txt",
            Self::Cancel => "cancel.txt",
        })
    }

    fn next(self) -> Option<Self> {
        match self {
            Self::Send => Some(Self::Play),
            Self::Play => Some(Self::Fetch),
            Self::Fetch | Self::Cancel => None,
        }
    }
}

/// The commands of an executor.
struct Commands {
    settings: CommandSettings,
    /// Whether they are the user's, so that messages have to name the host and the command.
    are_foreign: bool,
}

impl Commands {
    /// The words of the command for a step, a host and a folder; `None` when there is no such step.
    fn words(&self, step: Step, host: &str, folder: &str) -> Option<Vec<String>> {
        let template = match step {
            Step::Send => self.settings.send.as_ref(),
            Step::Play => Some(&self.settings.play),
            Step::Fetch => self.settings.fetch.as_ref(),
            Step::Cancel => self.settings.cancel.as_ref(),
        };
        template.map(|template| template.words(host, folder))
    }
}

/// Plays parts by processes.
pub(super) struct Processes {
    commands: Commands,
    jobs: BTreeMap<JobId, Placed>,
    /// Jobs that wait for a host, in their order.
    queue: VecDeque<JobId>,
    /// Commands that end parts on their hosts, and when they began.
    cancelling: Vec<(Process, Instant)>,
}

struct Placed {
    avoid: Option<String>,
    stage: Stage,
}

enum Stage {
    Queued,
    Running(Running),
    Done(JobState),
}

struct Running {
    host: String,
    step: Step,
    process: Process,
    since: Instant,
}

impl Processes {
    /// `are_foreign` says whether the commands are the user's.
    pub(super) fn new(settings: CommandSettings, are_foreign: bool) -> Self {
        Self {
            commands: Commands { settings, are_foreign },
            jobs: BTreeMap::new(),
            queue: VecDeque::new(),
            cancelling: Vec::new(),
        }
    }

    /// Starts the next step of every job that does not have to wait.
    fn advance(&mut self) {
        let timeout = self.commands.settings.timeout.unwrap_or(Duration::MAX);
        self.cancelling.retain_mut(|(process, since)| {
            if since.elapsed() > timeout {
                process.kill();
            }
            matches!(process.poll(), ProcessState::Running)
        });
        let ids: Vec<JobId> = self.jobs.keys().cloned().collect();
        for id in ids {
            let Some(Placed {
                stage: Stage::Running(running),
                ..
            }) = self.jobs.get_mut(&id)
            else {
                continue;
            };
            if let Some(stage) = Self::poll(&self.commands, &id, running, timeout) {
                self.set(&id, stage);
            }
        }
        self.place();
    }

    fn set(&mut self, id: &JobId, stage: Stage) {
        if let Some(placed) = self.jobs.get_mut(id) {
            placed.stage = stage;
        }
    }

    /// The next stage of a running job; `None` while its step runs.
    fn poll(commands: &Commands, id: &JobId, running: &mut Running, timeout: Duration) -> Option<Stage> {
        let folder = &id.0;
        match running.process.poll() {
            ProcessState::Running if running.since.elapsed() <= timeout => None,
            ProcessState::Running => {
                running.process.end_now();
                let why = format!("took longer than {} s, and was killed", timeout.as_secs());
                Some(failed(commands, folder, running, &why))
            }
            ProcessState::Ended(Some(status)) if status.success() => {
                Some(start(commands, folder, &running.host, running.step.next()))
            }
            ProcessState::Ended(Some(status)) => Some(failed(commands, folder, running, &ending(status))),
            // Another process started it, so its exit status is unknown. An incomplete transfer is repeated.
            ProcessState::Ended(None) => Some(match running.step {
                Step::Play => match commands.words(Step::Fetch, &running.host, folder) {
                    Some(_) => start(commands, folder, &running.host, Some(Step::Fetch)),
                    None => failed(commands, folder, running, "ended before its part was complete"),
                },
                _ if is_complete(Path::new(folder)) => done(&running.host),
                step => start(commands, folder, &running.host, Some(step)),
            }),
        }
    }

    /// Starts queued jobs on hosts with free slots.
    fn place(&mut self) {
        let queue = std::mem::take(&mut self.queue);
        for id in queue {
            let Some(placed) = self.jobs.get(&id) else { continue };
            if !matches!(placed.stage, Stage::Queued) {
                continue;
            }
            let avoid = placed.avoid.as_ref().filter(|_| self.commands.settings.hosts.len() > 1);
            let hosts = self
                .commands
                .settings
                .hosts
                .iter()
                .filter(|host| Some(&host.name) != avoid);
            // The first of the hosts with the most free slots.
            let room = |host: &&Host| host.slots.saturating_sub(self.busy(&host.name));
            let best = hosts.rev().max_by_key(room).filter(|host| room(host) > 0);
            match best.map(|host| host.name.clone()) {
                Some(host) => {
                    let stage = start(&self.commands, &id.0, &host, Some(Step::Send));
                    self.set(&id, stage);
                }
                None => self.queue.push_back(id),
            }
        }
    }

    fn busy(&self, host: &str) -> usize {
        let is_here = |placed: &&Placed| matches!(&placed.stage, Stage::Running(running) if running.host == host);
        self.jobs.values().filter(is_here).count()
    }

    /// Takes over a job of another process, as its folder records it.
    fn adopt(&mut self, id: &JobId) {
        if self.jobs.contains_key(id) {
            return;
        }
        let record = ProcessRecord::read(&id.0);
        let host = record.as_ref().map(|record| record.host.clone());
        let stage = match record {
            _ if is_complete(Path::new(&id.0)) => Stage::Done(JobState::Ended { host }),
            None => Stage::Done(JobState::Failed {
                host,
                why: "was never started".to_owned(),
            }),
            Some(ProcessRecord { process: None, .. }) => Stage::Done(JobState::Failed {
                host,
                why: "is lost: the process that started it has ended".to_owned(),
            }),
            Some(ProcessRecord {
                host,
                step,
                process: Some(process),
            }) => Stage::Running(Running {
                host,
                step,
                process: Process::Adopted(process),
                since: Instant::now(),
            }),
        };
        self.jobs.insert(id.clone(), Placed { avoid: None, stage });
    }
}

impl Executor for Processes {
    fn slots(&self) -> usize {
        self.commands.settings.hosts.iter().map(|host| host.slots).sum()
    }

    fn submit(&mut self, jobs: &[Job]) -> Result<Vec<JobId>, Failure> {
        let ids: Vec<JobId> = (jobs.iter())
            .map(|job| job.folder_text().map(|folder| JobId(folder.to_owned())))
            .collect::<Result<_, _>>()?;
        for (job, id) in jobs.iter().zip(&ids) {
            let avoid = job.avoid.clone();
            let stage = Stage::Queued;
            self.jobs.insert(id.clone(), Placed { avoid, stage });
            self.queue.push_back(id.clone());
        }
        self.advance();
        Ok(ids)
    }

    fn ask(&mut self, jobs: &[JobId]) -> Result<Vec<JobState>, Failure> {
        for id in jobs {
            self.adopt(id);
        }
        self.advance();
        let state = |id: &JobId| match self.jobs.get(id).map(|placed| &placed.stage) {
            Some(Stage::Running(running)) => JobState::Running {
                host: Some(running.host.clone()),
            },
            Some(Stage::Done(state)) => state.clone(),
            Some(Stage::Queued) | None => JobState::Waiting,
        };
        Ok(jobs.iter().map(state).collect())
    }

    fn cancel(&mut self, jobs: &[JobId]) -> Result<(), Failure> {
        let mut processes = Vec::new();
        let mut played = Vec::new();
        for id in jobs {
            self.adopt(id);
            let Some(placed) = self.jobs.get_mut(id) else { continue };
            if matches!(placed.stage, Stage::Done(_)) {
                continue;
            }
            let why = "was cancelled".to_owned();
            let cancelled = Stage::Done(JobState::Failed { host: None, why });
            if let Stage::Running(running) = std::mem::replace(&mut placed.stage, cancelled) {
                if running.step == Step::Play {
                    played.push((id.0.clone(), running.host));
                }
                processes.push(running.process);
            }
        }
        end_all(&mut processes);
        let mut wrong = Vec::new();
        for (folder, host) in played {
            let Some(words) = self.commands.words(Step::Cancel, &host, &folder) else {
                continue;
            };
            match Process::start(&words, &Step::Cancel.output(&folder)) {
                Ok(process) => self.cancelling.push((process, Instant::now())),
                Err(error) => wrong.push(format!("`{}`: {error}", shown(&words))),
            }
        }
        match wrong.first() {
            None => Ok(()),
            Some(first) => Err(Failure::run(format!("cannot cancel: {first}"))),
        }
    }
}

/// Starts this step or, where there is no command for it, the next one that has a command.
fn start(commands: &Commands, folder: &str, host: &str, step: Option<Step>) -> Stage {
    let Some(step) = step else { return done(host) };
    let Some(words) = commands.words(step, host, folder) else {
        return start(commands, folder, host, step.next());
    };
    let process = match Process::start(&words, &step.output(folder)) {
        Ok(process) => process,
        Err(error) => {
            let host = Some(host.to_owned());
            let why = format!("could not be started: `{}`: {error}", shown(&words));
            return Stage::Done(JobState::Failed { host, why });
        }
    };
    let record = ProcessRecord {
        host: host.to_owned(),
        step,
        process: process.id(),
    };
    let running = Running {
        host: host.to_owned(),
        step,
        process,
        since: Instant::now(),
    };
    match record.write(folder) {
        Ok(()) => Stage::Running(running),
        // A later coordinator could not find the process.
        Err(error) => {
            let mut running = running;
            running.process.end_now();
            Stage::Done(JobState::Failed {
                host: Some(running.host),
                why: format!("could not be recorded in `{folder}/{RECORD}`: {error}"),
            })
        }
    }
}

fn done(host: &str) -> Stage {
    let host = Some(host.to_owned());
    Stage::Done(JobState::Ended { host })
}

/// The end of a job after a step failed; `ending` says how the step ended.
fn failed(commands: &Commands, folder: &str, running: &Running, ending: &str) -> Stage {
    let Running { host, step, .. } = running;
    // The files decide: a connection may be lost after the last game.
    if is_complete(Path::new(folder)) {
        return done(host);
    }
    let mut why = ending.to_owned();
    if commands.are_foreign {
        let words = commands.words(*step, host, folder).unwrap_or_default();
        let what = match step {
            Step::Send => format!("could not be sent to {host}"),
            Step::Play | Step::Cancel => format!("was not played on {host}"),
            Step::Fetch => format!("could not be brought back from {host}"),
        };
        why = format!("{what}: `{}` {ending}", shown(&words));
    }
    if let Some(lines) = last_lines(&step.output(folder)) {
        why = format!("{why}: {lines}");
    }
    let host = Some(host.clone());
    Stage::Done(JobState::Failed { host, why })
}

/// A command as it would be typed.
fn shown(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| super::template::quoted(word)).collect();
    let text = words.join(" ");
    cut(&visible(&text), SHOWN_CHARACTERS).into_owned()
}

/// The longest record of a process that is read, in bytes.
const MAX_RECORD: u64 = 1 << 20;

/// The recorded process of a job, for a later process.
#[derive(Serialize, Deserialize)]
struct ProcessRecord {
    host: String,
    step: Step,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    process: Option<ProcessId>,
}

impl ProcessRecord {
    fn read(folder: &str) -> Option<Self> {
        let text = text_file::read_utf8(&Path::new(folder).join(RECORD), MAX_RECORD).ok()?;
        toml::from_str(&text).ok()
    }

    /// Writes the file as a whole.
    fn write(&self, folder: &str) -> io::Result<()> {
        let path = Path::new(folder).join(RECORD);
        let new = path.with_extension("toml.new");
        fs::write(&new, toml::to_string(self).map_err(io::Error::other)?)?;
        fs::rename(&new, &path)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
