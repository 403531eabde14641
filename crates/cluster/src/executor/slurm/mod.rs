//! Parts played by Slurm.
//!
//! Jobs that are submitted together become one array, or several when they are more than an array can have. Slurm may
//! start a task again, when its node failed or another user's job took its place. Then the task resumes its part in the
//! same folder.

mod answers;
mod script;
mod tool;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use lmrlab_results::failure::Failure;

use self::answers::{Answer, Answers, Fate, SQUEUE_FORMAT, Task};
use self::tool::{ToolError, Tools};
use super::child::last_lines;
use super::settings::SlurmSettings;
use super::{Executor, Job, JobId, JobState, OUTPUT, is_complete};

/// Messages of Slurm's commands after which the same command may succeed later.
const PASSING: [&str; 11] = [
    "nable to contact slurm controller",
    "Connection refused",
    "connect failure",
    "timed out",
    "Zero Bytes were transmitted",
    "Transport endpoint is not connected",
    "temporarily",
    "in standby",
    "MaxSubmitJob",
    "no answer within",
    "Communication connection failure",
];

/// Messages of scancel and squeue about jobs that ended or that Slurm has forgotten.
const GONE: [&str; 2] = ["already completing or completed", "nvalid job id"];

/// The number of arrays that one scancel cancels.
const CANCELLED_AT_ONCE: usize = 50;

/// How long a network file system may hide files of another machine.
const SETTLING: Duration = Duration::from_secs(60);

/// Has parts played by Slurm.
pub(super) struct Slurm {
    settings: SlurmSettings,
    program: String,
    tools: Tools,
    states: BTreeMap<JobId, JobState>,
    /// When squeue last answered.
    asked: Option<Instant>,
    /// Tasks that ended without visible results, with the time of the first such answer.
    settling: BTreeMap<JobId, Instant>,
}

impl Slurm {
    /// The executor. `program` is the path of lmrlab, unless the settings have another.
    pub(super) fn new(settings: SlurmSettings, program: &Path) -> Result<Self, Failure> {
        let tools = Tools::new(settings.commands.clone());
        Self::with_tools(settings, program, tools)
    }

    fn with_tools(settings: SlurmSettings, program: &Path, tools: Tools) -> Result<Self, Failure> {
        tools.run("sbatch", &["--version".to_owned()], "").map_err(|error| {
            let help =
                "run lmrlab where jobs are submitted, or write `commands = \"/opt/slurm/bin\"` into the settings";
            Failure::input(format!("Slurm cannot be used: {error}"), help)
        })?;
        let program = match (&settings.program, program.to_str()) {
            (Some(program), _) => program.clone(),
            (None, Some(program)) => program.to_owned(),
            (None, None) => {
                let message = format!("the path of lmrlab, `{}`, is not UTF-8", program.display());
                return Err(Failure::input(
                    message,
                    "write `program = ..` into the settings of Slurm",
                ));
            }
        };
        Ok(Self {
            settings,
            program,
            tools,
            states: BTreeMap::new(),
            asked: None,
            settling: BTreeMap::new(),
        })
    }

    /// Submits an array and returns its id. The array does not run on the node `avoid`.
    fn submit_array(&self, folders: &[&str], avoid: Option<&str>) -> Result<u64, Failure> {
        let settings = &self.settings;
        let script = script::script(&self.program, settings.cpus_per_task, folders);
        let mut arguments = [
            "--parsable",
            "--requeue",
            "--job-name=lmrlab",
            "--nodes=1",
            "--ntasks=1",
            "--output=/dev/null",
            "--error=/dev/null",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--array=1-{}", folders.len()));
        arguments.push(format!("--cpus-per-task={}", settings.cpus_per_task));
        arguments.extend(option("partition", settings.partition.as_ref()));
        arguments.extend(option("time", settings.time.as_ref()));
        arguments.extend(option("mem", settings.memory.as_ref()));
        arguments.extend(option("account", settings.account.as_ref()));
        arguments.extend(option("constraint", settings.constraint.as_ref()));
        let exclude: Vec<&str> = settings.exclude.iter().map(String::as_str).chain(avoid).collect();
        if !exclude.is_empty() {
            arguments.push(format!("--exclude={}", exclude.join(",")));
        }
        arguments.extend(settings.extra.iter().cloned());
        let text = self.tools.run("sbatch", &arguments, &script).map_err(failure)?;
        answers::sbatch(&text).ok_or_else(|| Failure::run(format!("`sbatch` printed no job id, but `{}`", text.trim())))
    }

    /// Asks Slurm about jobs that have not ended yet.
    fn look(&mut self, jobs: &BTreeSet<JobId>) -> Result<(), Failure> {
        let tasks: Vec<Option<Task>> = jobs.iter().map(task).collect();
        let arrays: BTreeSet<u64> = tasks.iter().flatten().map(|task| task.array).collect();
        let listed = listed(arrays.iter());
        let options = ["--noheader", "--array", "--states=all"].map(str::to_owned);
        let mut arguments = options.to_vec();
        arguments.push(format!("--format={SQUEUE_FORMAT}"));
        arguments.push(format!("--jobs={listed}"));
        let answers = match self.tools.run("squeue", &arguments, "") {
            Ok(text) => answers::squeue(&text),
            Err(error) if error.says(&GONE) => Answers::default(),
            Err(error) => return Err(failure(error)),
        };
        for (id, task) in jobs.iter().zip(tasks) {
            let answer = task.and_then(|task| answers.get(&task));
            let state = self.state(id, answer);
            self.states.insert(id.clone(), state);
        }
        self.asked = Some(Instant::now());
        Ok(())
    }

    /// The state of a job, from Slurm's answer and the files in its folder.
    fn state(&mut self, id: &JobId, answer: Option<&Answer>) -> JobState {
        let Some(answer) = answer else {
            return match is_complete(folder(id)) {
                true => JobState::Ended { host: None },
                false => JobState::Failed {
                    host: None,
                    why: explained("is no longer known to Slurm, and its part is not complete", id),
                },
            };
        };
        let host = answer.node.clone();
        match answer.fate() {
            Fate::Waiting => JobState::Waiting,
            Fate::Running => JobState::Running { host },
            Fate::Ended | Fate::Failed if is_complete(folder(id)) => JobState::Ended { host },
            Fate::Ended => {
                let since = *self.settling.entry(id.clone()).or_insert_with(Instant::now);
                match since.elapsed() < SETTLING {
                    true => JobState::Running { host },
                    false => JobState::Ended { host },
                }
            }
            Fate::Failed => {
                let reason = match &*answer.reason {
                    "" | "None" => String::new(),
                    reason => format!(" ({reason})"),
                };
                let why = match &*answer.state {
                    "CANCELLED" => "was cancelled".to_owned(),
                    state => explained(&format!("ended with the state {state}{reason} in Slurm"), id),
                };
                JobState::Failed { host, why }
            }
        }
    }
}

impl Executor for Slurm {
    fn slots(&self) -> usize {
        self.settings.slots
    }

    fn submit(&mut self, jobs: &[Job]) -> Result<Vec<JobId>, Failure> {
        let folders: Vec<&str> = jobs.iter().map(Job::folder_text).collect::<Result<_, _>>()?;
        let mut groups: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
        for (index, job) in jobs.iter().enumerate() {
            groups.entry(job.avoid.as_deref()).or_default().push(index);
        }
        let mut tasks: Vec<Option<Task>> = vec![None; jobs.len()];
        for (avoid, indices) in &groups {
            for piece in indices.chunks(self.settings.array) {
                let folders: Vec<&str> = piece.iter().map(|index| folders[*index]).collect();
                let submitted = match (self.submit_array(&folders, *avoid), avoid) {
                    // Slurm may have another name for the node, or no other node.
                    (Err(Failure::Input(_)), Some(_)) => self.submit_array(&folders, None),
                    (submitted, _) => submitted,
                };
                let array = match submitted {
                    Ok(array) => array,
                    Err(failure) => {
                        // The caller submits all of them again. If cancelling fails, too, the tasks play pairs that are
                        // not needed.
                        let _ = self.cancel_tasks(tasks.iter().flatten());
                        return Err(failure);
                    }
                };
                for (index, position) in (1..).zip(piece) {
                    tasks[*position] = Some(Task { array, index });
                }
            }
        }
        let ids = tasks.iter().flatten().zip(&folders);
        let ids: Vec<JobId> = ids.map(|(task, folder)| JobId(format!("{task} {folder}"))).collect();
        for id in &ids {
            self.states.insert(id.clone(), JobState::Waiting);
        }
        Ok(ids)
    }

    fn ask(&mut self, jobs: &[JobId]) -> Result<Vec<JobState>, Failure> {
        let is_new = jobs.iter().any(|id| !self.states.contains_key(id));
        let is_due = self.asked.is_none_or(|asked| asked.elapsed() >= self.settings.poll);
        let known = self.states.iter().filter(|(_, state)| !has_ended(state));
        let mut open: BTreeSet<JobId> = known.map(|(id, _)| id.clone()).collect();
        open.extend(jobs.iter().filter(|id| !self.states.contains_key(id)).cloned());
        if is_new || (is_due && !open.is_empty()) {
            self.look(&open)?;
        }
        let state = |id: &JobId| self.states.get(id).cloned().unwrap_or(JobState::Waiting);
        Ok(jobs.iter().map(state).collect())
    }

    fn cancel(&mut self, jobs: &[JobId]) -> Result<(), Failure> {
        let open = jobs.iter().filter(|id| !self.states.get(id).is_some_and(has_ended));
        let tasks: Vec<Task> = open.filter_map(task).collect();
        self.cancel_tasks(tasks.iter())?;
        self.asked = None;
        Ok(())
    }
}

impl Slurm {
    fn cancel_tasks<'t>(&self, tasks: impl Iterator<Item = &'t Task>) -> Result<(), Failure> {
        let mut arrays: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for task in tasks {
            arrays.entry(task.array).or_default().push(task.index);
        }
        let names = arrays
            .iter()
            .map(|(array, indices)| format!("{array}_[{}]", listed(indices.iter())));
        let names: Vec<String> = names.collect();
        for piece in names.chunks(CANCELLED_AT_ONCE) {
            match self.tools.run("scancel", piece, "") {
                Ok(_) => {}
                Err(error) if error.says(&GONE) => {}
                Err(error) => return Err(failure(error)),
            }
        }
        Ok(())
    }
}

/// The failure for an error of a command: an input error when asking again would not help.
fn failure(error: ToolError) -> Failure {
    let message = format!("Slurm: {error}");
    match &error {
        ToolError::Missing(_) => Failure::input(message, "it should be where `sbatch` is"),
        ToolError::Failed(name, _) if name == "sbatch" && !error.says(&PASSING) => Failure::input(
            message,
            "correct the settings of the executor; `sbatch --help` explains the options",
        ),
        _ => Failure::run(message),
    }
}

/// The task of a job id: `TASK FOLDER`.
fn task(id: &JobId) -> Option<Task> {
    Task::parse(id.0.split_once(' ')?.0)
}

fn folder(id: &JobId) -> &Path {
    Path::new(id.0.split_once(' ').map_or("", |(_, folder)| folder))
}

fn has_ended(state: &JobState) -> bool {
    matches!(state, JobState::Ended { .. } | JobState::Failed { .. })
}

/// The reason, and the last output of the job.
fn explained(why: &str, id: &JobId) -> String {
    let output = folder(id).join(OUTPUT);
    match last_lines(&output) {
        Some(lines) => format!("{why}: {lines}"),
        None if output.exists() => why.to_owned(),
        None => {
            format!("{why}; it left no `{OUTPUT}`, so either it never began or its node cannot write to its folder")
        }
    }
}

fn option(name: &str, value: Option<&String>) -> Option<String> {
    value.map(|value| format!("--{name}={value}"))
}

/// Numbers with commas between them.
fn listed<'n>(numbers: impl Iterator<Item = &'n u64>) -> String {
    numbers.map(u64::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
