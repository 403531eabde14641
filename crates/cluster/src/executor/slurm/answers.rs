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

/// What is known about tasks.
#[derive(Debug, Default)]
pub(super) struct Answers {
    tasks: BTreeMap<Task, Answer>,
    /// What holds for all tasks of an array that have no answer of their own: those that were cancelled before they began.
    arrays: BTreeMap<u64, Answer>,
}

impl Answers {
    /// What is known about a task.
    pub(super) fn get(&self, task: &Task) -> Option<&Answer> {
        self.tasks.get(task).or_else(|| self.arrays.get(&task.array))
    }

    /// Adds what is not known yet.
    pub(super) fn add(&mut self, more: BTreeMap<Task, Answer>) {
        for (task, answer) in more {
            self.tasks.entry(task).or_insert(answer);
        }
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

/// The format in which sinfo is asked.
pub(super) const SINFO_FORMAT: &str = "%N|%P|%T";

/// The lines of sinfo, in [`SINFO_FORMAT`]: the nodes, and whether each can play now. With `only_default` those of the
/// partition that jobs get which name none, where there is one.
pub(super) fn sinfo(text: &str, only_default: bool) -> BTreeMap<String, bool> {
    let line = |line| {
        let mut fields = str::splitn(line, 3, '|').map(str::trim);
        Some((fields.next()?, fields.next()?, fields.next()?))
    };
    let lines: Vec<(&str, &str, &str)> = text.lines().filter_map(line).collect();
    // A star marks the default.
    let has_default = lines.iter().any(|(_, partition, _)| partition.ends_with('*'));
    let wanted = |partition: &str| !only_default || !has_default || partition.ends_with('*');
    // Others are drained, down, reserved or powered off; a star after the state marks a node that does not respond.
    let can_play = |state: &str| ["idle", "mixed", "allocated", "completing", "planned"].contains(&state);
    (lines.into_iter())
        .filter(|(_, partition, _)| wanted(partition))
        .map(|(node, _, state)| (node.to_owned(), can_play(state)))
        .collect()
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
    fn nodes_that_can_play_are_told_from_others() {
        let text = "n1|main*|idle\nn2|main*|drained\nn3|main*|down*\nn3|long|mixed\nn4|long|mixed\n";
        let nodes = |only_default| format!("{:?}", sinfo(text, only_default));
        assert_eq!(nodes(true), r#"{"n1": true, "n2": false, "n3": false}"#);
        let text = "n4|long|mixed\n";
        assert_eq!(format!("{:?}", sinfo(text, true)), r#"{"n4": true}"#);
        assert_eq!(nodes(false), r#"{"n1": true, "n2": false, "n3": true, "n4": true}"#);
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
