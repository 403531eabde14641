//! Fake commands of Slurm: shell scripts that answer with the content of files.

use std::fs;
use std::path::PathBuf;

use super::super::child::fake_program;
use super::*;

struct Cluster {
    folder: tempfile::TempDir,
}

impl Cluster {
    /// Nodes n1, n2 and n3. Arrays are numbered from 100.
    fn new() -> Self {
        let cluster = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let note = "printf '%s ' \"$@\" >> \"$0.log\"; echo >> \"$0.log\"\n";
        cluster.command(
            "sbatch",
            &format!(
                "{note}[ \"$1\" = --version ] && exit\ncat > \"$0.script\"\n\
                 n=$(cat \"$0.count\" 2>/dev/null || echo 100); echo $((n+1)) > \"$0.count\"; echo $n"
            ),
        );
        for name in ["squeue", "scancel"] {
            cluster.command(name, &format!("{note}cat \"$0.answer\" 2>/dev/null; true"));
        }
        cluster
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, script: &str) {
        fake_program(&self.path(name), script);
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// The arguments of a command's calls so far.
    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    fn settings(&self) -> SlurmSettings {
        SlurmSettings {
            commands: Some(self.folder.path().to_owned()),
            poll: Duration::ZERO,
            ..SlurmSettings::default()
        }
    }

    fn executor(&self) -> Slurm {
        self.executor_with(|_| {})
    }

    fn executor_with(&self, change: impl FnOnce(&mut SlurmSettings)) -> Slurm {
        let mut settings = self.settings();
        change(&mut settings);
        Slurm::new(settings, Path::new("/opt/lmrlab")).unwrap()
    }

    fn job(&self, name: &str) -> Job {
        let folder = self.path(name);
        fs::create_dir_all(&folder).unwrap();
        Job { folder, avoid: None }
    }

    fn jobs(&self, count: usize) -> Vec<Job> {
        (1..=count).map(|number| self.job(&number.to_string())).collect()
    }

    fn avoiding(&self, name: &str, host: &str) -> Job {
        Job {
            avoid: on(host),
            ..self.job(name)
        }
    }
}

fn tasks(ids: &[JobId]) -> Vec<&str> {
    ids.iter().map(|id| id.0.split_once(' ').unwrap().0).collect()
}

fn on(host: &str) -> Option<String> {
    Some(host.to_owned())
}

#[test]
fn a_batch_is_one_array() {
    let cluster = Cluster::new();
    let mut settings = cluster.settings();
    settings.partition = on("long");
    settings.time = on("2:00:00");
    settings.memory = on("2G");
    settings.account = on("chess");
    settings.constraint = on("avx2");
    settings.cpus_per_task = 2;
    settings.extra = vec!["--qos=low".to_owned()];
    let mut executor = Slurm::new(settings, Path::new("/opt/lmrlab")).unwrap();
    assert_eq!(executor.slots(), 64);
    let ids = executor.submit(&cluster.jobs(3)).unwrap();
    assert_eq!(tasks(&ids), ["100_1", "100_2", "100_3"]);
    let folder = cluster.folder.path().to_str().unwrap();
    let script = fs::read_to_string(cluster.path("sbatch.script")).unwrap();
    insta::assert_snapshot!(format!("{}\n{}", cluster.log("sbatch"), script.replace(folder, "DIR")));
}

#[test]
fn large_batches_are_several_arrays() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor_with(|settings| settings.array = 2);
    let ids = executor.submit(&cluster.jobs(5)).unwrap();
    assert_eq!(tasks(&ids), ["100_1", "100_2", "101_1", "101_2", "102_1"]);
}

#[test]
fn all_states_are_understood() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    let ids = executor.submit(&cluster.jobs(7)).unwrap();
    cluster.write(
        "squeue.answer",
        "100|1|PENDING||Resources\n100|2|RUNNING|n2|None\n100|3|COMPLETED|n1|None\n100|4|FAILED|n3|NonZeroExitCode\n\
         100|5|NODE_FAIL|n1|None\n100|6|CANCELLED|n1|None\n100|7|TIMEOUT|n2|TimeLimit\n",
    );
    cluster.write("3/completion.toml", "");
    cluster.write("4/output.txt", "error: the disk is full\n");
    // It was complete before its node failed.
    cluster.write("5/completion.toml", "");
    let states = executor.ask(&ids).unwrap();
    assert_eq!(states[0], JobState::Waiting);
    assert_eq!(states[1], JobState::Running { host: on("n2") });
    assert_eq!(states[2], JobState::Ended { host: on("n1") });
    let why = "ended with the state FAILED (NonZeroExitCode) in Slurm: error: the disk is full".to_owned();
    assert_eq!(states[3], JobState::Failed { host: on("n3"), why });
    assert_eq!(states[4], JobState::Ended { host: on("n1") });
    let why = "was cancelled".to_owned();
    assert_eq!(states[5], JobState::Failed { host: on("n1"), why });
    let JobState::Failed { why, .. } = &states[6] else {
        panic!("it failed")
    };
    assert_eq!(
        why,
        "ended with the state TIMEOUT (TimeLimit) in Slurm; it left no `output.txt`, so either it never began or its node cannot \
         write to its folder"
    );
    // Finished tasks are not asked about again. One call asks about all others.
    cluster.write("squeue.answer", "100|1|RUNNING|n1|None\n100|2|RUNNING|n2|None\n");
    let states = executor.ask(&ids).unwrap();
    assert_eq!(states[0], JobState::Running { host: on("n1") });
    assert_eq!(states[2], JobState::Ended { host: on("n1") });
    assert_eq!(cluster.log("squeue").lines().count(), 2);
}

#[test]
fn results_may_come_later_than_the_end_of_their_task() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    let ids = executor.submit(&cluster.jobs(1)).unwrap();
    cluster.write("squeue.answer", "100|1|COMPLETED|n1|None\n");
    assert_eq!(executor.ask(&ids).unwrap()[0], JobState::Running { host: on("n1") });
    cluster.write("1/completion.toml", "");
    assert_eq!(executor.ask(&ids).unwrap()[0], JobState::Ended { host: on("n1") });
    // A task that never has results has ended, too. The caller finds out what is missing.
    let ids = executor.submit(&[cluster.job("2")]).unwrap();
    cluster.write("squeue.answer", "101|1|COMPLETED|n1|None\n");
    executor.ask(&ids).unwrap();
    let long_ago = Instant::now().checked_sub(2 * SETTLING).unwrap();
    executor.settling.insert(ids[0].clone(), long_ago);
    assert_eq!(executor.ask(&ids).unwrap()[0], JobState::Ended { host: on("n1") });
}

#[test]
fn the_folder_says_how_jobs_ended_that_squeue_has_forgotten() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    let ids = executor.submit(&cluster.jobs(2)).unwrap();
    cluster.command(
        "squeue",
        "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1",
    );
    cluster.write("2/completion.toml", "");
    let states = executor.ask(&ids).unwrap();
    let JobState::Failed { host: None, why } = &states[0] else {
        panic!("it failed")
    };
    assert!(
        why.starts_with("is no longer known to Slurm, and its part is not complete; it left no"),
        "{why}"
    );
    assert_eq!(states[1], JobState::Ended { host: None });
}

#[test]
fn a_later_coordinator_asks_about_jobs_of_an_earlier_one() {
    let cluster = Cluster::new();
    let ids = cluster.executor().submit(&cluster.jobs(2)).unwrap();
    cluster.write("squeue.answer", "100|1|RUNNING|n1|None\n100|2|PENDING||Priority\n");
    let mut later = cluster.executor();
    let states = later.ask(&ids).unwrap();
    assert_eq!(states, [JobState::Running { host: on("n1") }, JobState::Waiting]);
    let states = later.ask(&[JobId("nonsense".to_owned())]).unwrap();
    assert!(matches!(&states[0], JobState::Failed { host: None, .. }));
}

#[test]
fn a_controller_that_is_down_is_asked_again_later() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    let ids = executor.submit(&cluster.jobs(1)).unwrap();
    let down = "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1";
    cluster.command("squeue", down);
    let failure = executor.ask(&ids).unwrap_err();
    assert_eq!(failure.exit_status(), 1);
    insta::assert_snapshot!(failure.to_string());
    cluster.command("squeue", "echo '100|1|RUNNING|n1|None'");
    assert_eq!(executor.ask(&ids).unwrap()[0], JobState::Running { host: on("n1") });

    cluster.command("sbatch", &down.replace("slurm_load_jobs", "sbatch:"));
    assert_eq!(executor.submit(&[cluster.job("2")]).unwrap_err().exit_status(), 1);
    cluster.command("scancel", &down.replace("slurm_load_jobs", "scancel:"));
    assert_eq!(executor.cancel(&ids).unwrap_err().exit_status(), 1);
}

#[test]
fn a_mistake_in_the_settings_does_not_go_away_by_waiting() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    cluster.command(
        "sbatch",
        "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1",
    );
    let failure = executor.submit(&cluster.jobs(1)).unwrap_err();
    assert_eq!(failure.exit_status(), 2);
    insta::assert_snapshot!(failure.to_string());
    cluster.command(
        "sbatch",
        "echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1",
    );
    assert_eq!(executor.submit(&cluster.jobs(1)).unwrap_err().exit_status(), 1);
}

#[test]
fn commands_that_hang_are_killed() {
    let cluster = Cluster::new();
    cluster.command("squeue", "sleep 60");
    let tools = Tools::new(cluster.settings().commands).with_limit(Duration::from_millis(200));
    let mut executor = Slurm::with_tools(cluster.settings(), Path::new("/opt/lmrlab"), tools).unwrap();
    let ids = executor.submit(&cluster.jobs(1)).unwrap();
    let failure = executor.ask(&ids).unwrap_err();
    assert_eq!(failure.exit_status(), 1);
    assert_eq!(
        failure.to_string(),
        "error: Slurm: `squeue` failed: no answer within 0.2 s"
    );
}

#[test]
fn answers_are_used_for_a_while() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor_with(|settings| settings.poll = Duration::from_secs(3600));
    let ids = executor.submit(&cluster.jobs(2)).unwrap();
    cluster.write("squeue.answer", "100|1|RUNNING|n1|None\n100|2|PENDING||Priority\n");
    for _ in 0..5 {
        executor.ask(&ids).unwrap();
    }
    assert_eq!(cluster.log("squeue").lines().count(), 1);
    // A task of another process is not known yet.
    executor
        .ask(&[JobId(format!("99_1 {}", cluster.path("x").display()))])
        .unwrap();
    assert_eq!(cluster.log("squeue").lines().count(), 2);
    // After a cancellation squeue is asked again.
    executor.cancel(&ids[..1]).unwrap();
    executor.ask(&ids).unwrap();
    assert_eq!(cluster.log("squeue").lines().count(), 3);
}

#[test]
fn nodes_are_left_out() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor_with(|settings| settings.exclude = vec!["n2".to_owned()]);
    let jobs = [cluster.job("1"), cluster.avoiding("2", "n1"), cluster.job("3")];
    let ids = executor.submit(&jobs).unwrap();
    assert_eq!(tasks(&ids), ["100_1", "101_1", "100_2"]);
    let log = cluster.log("sbatch");
    let excluded: Vec<&str> = log.split(' ').filter(|word| word.starts_with("--exclude")).collect();
    assert_eq!(excluded, ["--exclude=n2", "--exclude=n2,n1"]);

    // The cluster has no other node, or another name for this one.
    cluster.command(
        "sbatch",
        "case \"$*\" in *n1*) echo 'sbatch: error: Requested node configuration is not available' >&2; exit 1;; esac; echo 7",
    );
    let ids = executor.submit(&jobs[1..2]).unwrap();
    assert_eq!(tasks(&ids), ["7_1"]);
}

#[test]
fn tasks_are_cancelled_together() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    let mut ids = executor.submit(&cluster.jobs(4)).unwrap();
    cluster.write(
        "squeue.answer",
        "100|1|RUNNING|n1|None\n100|2|FAILED|n1|None\n100|3|RUNNING|n1|None\n100|4|RUNNING|n1|None\n",
    );
    executor.ask(&ids).unwrap();
    ids.extend(executor.submit(&[cluster.job("5")]).unwrap());
    executor.cancel(&ids).unwrap();
    assert_eq!(cluster.log("scancel"), "100_[1,3,4] 101_[1] \n");
    // A task that ended in the meantime is no error.
    cluster.command(
        "scancel",
        "echo 'scancel: error: Kill job error on job id 100: Invalid job id specified' >&2; exit 1",
    );
    executor.cancel(&ids).unwrap();
}

#[test]
fn many_arrays_are_cancelled_piece_by_piece() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor_with(|settings| settings.array = 1);
    let ids = executor.submit(&cluster.jobs(60)).unwrap();
    executor.cancel(&ids).unwrap();
    let words = |line: &str| line.split_whitespace().count();
    assert_eq!(cluster.log("scancel").lines().map(words).collect::<Vec<_>>(), [50, 10]);
}

#[test]
fn half_a_batch_is_cancelled() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor_with(|settings| settings.array = 2);
    cluster.command(
        "sbatch",
        "[ -e \"$0.first\" ] && { echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1; }\ntouch \"$0.first\"; echo 7",
    );
    executor.submit(&cluster.jobs(3)).unwrap_err();
    assert_eq!(cluster.log("scancel"), "7_[1,2] \n");
}

#[test]
fn every_command_has_to_be_there() {
    let cluster = Cluster::new();
    let mut executor = cluster.executor();
    let ids = executor.submit(&cluster.jobs(1)).unwrap();
    fs::remove_file(cluster.path("squeue")).unwrap();
    assert_eq!(executor.ask(&ids).unwrap_err().exit_status(), 2);
}

#[test]
fn without_slurm_there_is_advice() {
    let cluster = Cluster::new();
    fs::remove_file(cluster.path("sbatch")).unwrap();
    let failure = Slurm::new(cluster.settings(), Path::new("/opt/lmrlab")).err().unwrap();
    assert_eq!(failure.exit_status(), 2);
    insta::assert_snapshot!(failure.to_string());
}
