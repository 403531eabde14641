//! The answers of squeue and sbatch.

use std::collections::BTreeMap;

/// A task of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Task {
    /// The array's job id.
    pub(super) array: u64,
    /// The index in the array.
    pub(super) index: u64,
}

/// The state of a task, as squeue reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The state in capitals, such as `RUNNING`.
    pub(super) state: String,
    /// The node, if it has or had one.
    pub(super) node: Option<String>,
    /// Why it waits, or why it ended.
    pub(super) reason: String,
}

/// The meaning of a task's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Waiting,
    Running,
    Ended,
    Failed,
}

impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}_{}", self.array, self.index)
    }
}

impl Task {
    /// From `ARRAY_INDEX`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (array, index) = text.split_once('_')?;
        Some(Self {
            array: array.parse().ok()?,
            index: index.parse().ok()?,
        })
    }
}

impl Answer {
    /// What that means.
    pub(super) fn fate(&self) -> Fate {
        match &*self.state {
            // Slurm holds a task that no node could begin, until its user releases it.
            "PENDING" | "REQUEUE_HOLD" | "SPECIAL_EXIT" if self.is_held() => Fate::Failed,
            "PENDING" | "CONFIGURING" | "REQUEUED" | "REQUEUE_FED" | "REQUEUE_HOLD" | "SPECIAL_EXIT"
            | "RESV_DEL_HOLD" => Fate::Waiting,
            "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT" | "RESIZING" => {
                Fate::Running
            }
            "COMPLETED" => Fate::Ended,
            // BOOT_FAIL, CANCELLED, DEADLINE, FAILED, NODE_FAIL, OUT_OF_MEMORY, PREEMPTED, REVOKED, TIMEOUT
            _ => Fate::Failed,
        }
    }

    fn is_held(&self) -> bool {
        let reason = self.reason.replace('_', " ").to_lowercase();
        reason.contains("launch failed") || reason.contains("jobholdmaxrequeue")
    }
}

/// The format for squeue.
pub(super) const SQUEUE_FORMAT: &str = "%F|%K|%T|%N|%r";

/// What is known about tasks.
#[derive(Debug, Default)]
pub(super) struct Answers {
    tasks: BTreeMap<Task, Answer>,
    /// Answers for all other tasks of an array: those that were cancelled before they began.
    arrays: BTreeMap<u64, Answer>,
}

impl Answers {
    /// What is known about a task.
    pub(super) fn get(&self, task: &Task) -> Option<&Answer> {
        self.tasks.get(task).or_else(|| self.arrays.get(&task.array))
    }
}

/// The lines of squeue, in [`SQUEUE_FORMAT`].
pub(super) fn squeue(text: &str) -> Answers {
    let mut answers = Answers::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.splitn(5, '|').map(str::trim).collect();
        let [array, index, state, nodes, reason] = fields[..] else {
            continue;
        };
        let Ok(array) = array.parse() else { continue };
        let answer = Answer {
            state: state.to_owned(),
            node: node(nodes),
            reason: reason.to_owned(),
        };
        match index.parse() {
            Ok(index) => answers.tasks.insert(Task { array, index }, answer),
            Err(_) => answers.arrays.insert(array, answer),
        };
    }
    answers
}

fn node(text: &str) -> Option<String> {
    let is_none = matches!(text, "" | "(null)" | "None assigned" | "n/a");
    (!is_none).then(|| text.to_owned())
}

/// The job id that `sbatch --parsable` prints: `ID` or `ID;CLUSTER`.
pub(super) fn sbatch(text: &str) -> Option<u64> {
    text.lines().last()?.split(';').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squeue_is_read_line_by_line() {
        let text = "12|1|RUNNING|n2|None\n12|2|PENDING||(Resources)\n\nnoise\n12|3|FAILED|n1|NonZeroExitCode\n\
                    12|N/A|CANCELLED||Priority\n";
        let answers = squeue(text);
        let shown = |array, index| {
            let answer = answers.get(&Task { array, index })?;
            Some(format!("{:?} {:?}", answer.fate(), answer.node))
        };
        assert_eq!(shown(12, 1).unwrap(), "Running Some(\"n2\")");
        assert_eq!(shown(12, 2).unwrap(), "Waiting None");
        assert_eq!(shown(12, 3).unwrap(), "Failed Some(\"n1\")");
        // Tasks that were cancelled before they began share a line.
        assert_eq!(shown(12, 4).unwrap(), "Failed None");
        assert_eq!(shown(13, 1), None);
    }

    #[test]
    fn a_task_that_no_node_could_begin_has_failed() {
        let fate = |state: &str, reason: &str| {
            let (state, reason) = (state.to_owned(), reason.to_owned());
            Answer {
                state,
                node: None,
                reason,
            }
            .fate()
        };
        assert_eq!(fate("PENDING", "launch_failed_requeued_held"), Fate::Failed);
        assert_eq!(fate("PENDING", "launch failed requeued held"), Fate::Failed);
        assert_eq!(fate("PENDING", "Priority"), Fate::Waiting);
        for state in [
            "CANCELLED",
            "NODE_FAIL",
            "TIMEOUT",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            "FAILED",
        ] {
            assert_eq!(fate(state, "None"), Fate::Failed, "{state}");
        }
        assert_eq!(fate("COMPLETED", "None"), Fate::Ended);
        assert_eq!(fate("COMPLETING", "None"), Fate::Running);
    }

    #[test]
    fn sbatch_is_read() {
        assert_eq!(sbatch("4711\n"), Some(4711));
        assert_eq!(sbatch("4711;big\n"), Some(4711));
        assert_eq!(sbatch(""), None);
    }
}
