//! What squeue, sacct and sbatch answer.

use std::collections::BTreeMap;

/// A task of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Task {
    /// The array's job id.
    pub(super) array: u64,
    /// The index in the array.
    pub(super) index: u64,
}

/// How Slurm says that a task goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The state in capitals, such as `RUNNING`.
    pub(super) state: String,
    /// The node, if it has or had one.
    pub(super) node: Option<String>,
    /// Why it waits, or why it ended.
    pub(super) reason: String,
}

/// What becomes of a task in a state.
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
            // Slurm gives up on a task that no node could begin, and holds it until somebody looks at it.
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

/// The format in which squeue is asked.
pub(super) const SQUEUE_FORMAT: &str = "%F|%K|%T|%N|%r";

/// The lines of squeue, in [`SQUEUE_FORMAT`].
pub(super) fn squeue(text: &str) -> BTreeMap<Task, Answer> {
    let line = |line: &str| {
        let mut fields = line.splitn(5, '|').map(str::trim);
        let task = Task {
            array: fields.next()?.parse().ok()?,
            index: fields.next()?.parse().ok()?,
        };
        let state = fields.next()?.to_owned();
        let node = node(fields.next()?);
        let reason = fields.next()?.to_owned();
        Some((task, Answer { state, node, reason }))
    };
    text.lines().filter_map(line).collect()
}

/// The format in which sacct is asked.
pub(super) const SACCT_FORMAT: &str = "JobID,State,NodeList";

/// The lines of sacct, in [`SACCT_FORMAT`].
pub(super) fn sacct(text: &str) -> BTreeMap<Task, Answer> {
    let line = |line: &str| {
        let mut fields = line.splitn(3, '|').map(str::trim);
        let task = Task::parse(fields.next()?)?;
        // As in "CANCELLED by 1000".
        let state = fields.next()?.split(' ').next()?.to_owned();
        let node = node(fields.next()?);
        let reason = String::new();
        Some((task, Answer { state, node, reason }))
    };
    text.lines().filter_map(line).collect()
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
        let text = "12|1|RUNNING|n2|None\n12|2|PENDING||(Resources)\n\nnoise\n12|N/A|RUNNING|n1|None\n12|3|FAILED|n1|NonZeroExitCode\n";
        let answers = squeue(text);
        let shown: Vec<String> = answers
            .iter()
            .map(|(task, answer)| format!("{task} {:?} {:?}", answer.fate(), answer.node))
            .collect();
        assert_eq!(
            shown,
            [
                r#"12_1 Running Some("n2")"#,
                "12_2 Waiting None",
                r#"12_3 Failed Some("n1")"#
            ]
        );
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
    fn sacct_and_sbatch_are_read() {
        let answers = sacct("12_1|COMPLETED|n1\n12_2|CANCELLED by 0|None assigned\n12_[3-4]|PENDING|\n");
        assert_eq!(answers.len(), 2);
        let (task, answer) = answers.last_key_value().unwrap();
        assert_eq!((task.index, &*answer.state, &answer.node), (2, "CANCELLED", &None));
        assert_eq!(sbatch("4711\n"), Some(4711));
        assert_eq!(sbatch("4711;big\n"), Some(4711));
        assert_eq!(sbatch(""), None);
    }
}
