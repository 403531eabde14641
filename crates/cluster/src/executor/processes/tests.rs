//! Real processes: shell scripts that replace lmrlab, ssh and scp.

use std::thread::sleep;

use super::super::child::fake_program;
use super::super::local::local;
use super::super::settings::{Kind, LocalSettings, Settings};
use super::*;
use lmrlab_diagnostics::Source;

/// A folder with fake programs and the folders of parts.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that runs this script.
    fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.path(name);
        fake_program(&path, script);
        path
    }

    fn job(&self, name: &str) -> Job {
        let folder = self.path(name);
        fs::create_dir_all(&folder).unwrap();
        Job { folder, avoid: None }
    }

    /// An executor on this machine. The script replaces lmrlab; `$2` is the folder.
    fn local(&self, slots: usize, script: &str) -> Processes {
        let program = self.program("lmrlab", script);
        local(&here(slots), &program).unwrap()
    }

    /// An executor for commands; `%` in the settings is the folder of the programs.
    fn command(&self, settings: &str) -> Processes {
        let settings = settings.replace('%', self.folder.path().to_str().unwrap());
        let source = Source::new("x", format!("kind = \"command\"\n{settings}"));
        match Settings::read(source).unwrap().kind {
            Kind::Command(settings) => Processes::new(settings, true),
            other => panic!("{other:?}"),
        }
    }
}

fn here(slots: usize) -> LocalSettings {
    LocalSettings {
        slots: Some(slots),
        threads: Some(3),
    }
}

fn ask(executor: &mut impl Executor, job: &JobId) -> JobState {
    let before = Instant::now();
    let state = executor.ask(std::slice::from_ref(job)).unwrap().remove(0);
    assert!(before.elapsed() < Duration::from_millis(900), "asking takes no time");
    state
}

/// Waits for a state of a job with this property.
fn wait_for(executor: &mut impl Executor, job: &JobId, wanted: impl Fn(&JobState) -> bool) -> JobState {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let state = ask(executor, job);
        if wanted(&state) {
            return state;
        }
        assert!(Instant::now() < deadline, "{state:?}");
        sleep(Duration::from_millis(5));
    }
}

fn end(executor: &mut impl Executor, job: &JobId) -> JobState {
    wait_for(executor, job, |state| {
        matches!(state, JobState::Ended { .. } | JobState::Failed { .. })
    })
}

fn why(state: JobState) -> String {
    match state {
        JobState::Failed { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

fn submit(executor: &mut impl Executor, job: Job) -> JobId {
    executor.submit(&[job]).unwrap().remove(0)
}

/// The number of the process that a job's script wrote into its folder.
fn pid(job: &JobId) -> i32 {
    let file = Path::new(&job.0).join("pid");
    for _ in 0..2000 {
        if let Ok(pid) = fs::read_to_string(&file).unwrap_or_default().trim().parse() {
            return pid;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("no {}", file.display())
}

fn is_alive(pid: i32) -> bool {
    ProcessId::of(u32::try_from(pid).unwrap()).is_some()
}

/// Plays nothing, but waits until there is a file `go`.
const WAITS: &str = "echo $$ > \"$2/pid.new\"; mv \"$2/pid.new\" \"$2/pid\"\nwhile [ ! -e \"$2/go\" ]; do sleep 0.01; done\ntouch \"$2/completion.toml\"";

#[test]
fn a_part_is_played_by_lmrlab_here() {
    let bench = Bench::new();
    let mut executor = bench.local(1, "echo \"$@\" > \"$2/said\"");
    assert_eq!(executor.slots(), 1);
    let job = submit(&mut executor, bench.job("part 1"));
    let JobState::Ended { host: Some(host) } = end(&mut executor, &job) else {
        panic!("it ended")
    };
    assert_eq!(host, crate::host::this_host());
    let said = fs::read_to_string(bench.path("part 1/said")).unwrap();
    let folder = bench.path("part 1");
    assert_eq!(
        said,
        format!("resume {} --trust --quiet --threads 3\n", folder.display())
    );
}

#[test]
fn what_a_part_printed_last_is_in_the_message() {
    let bench = Bench::new();
    let mut executor = bench.local(1, "echo begins; echo 'error: the disk is full' >&2; exit 3");
    let job = submit(&mut executor, bench.job("1"));
    assert_eq!(
        why(end(&mut executor, &job)),
        "exited with status 3: begins / error: the disk is full"
    );
    let output = fs::read_to_string(bench.path("1/output.txt")).unwrap();
    assert_eq!(output, "begins\nerror: the disk is full\n");
}

#[test]
fn no_more_parts_run_than_there_are_slots() {
    let bench = Bench::new();
    let mut executor = bench.local(2, WAITS);
    let jobs = ["1", "2", "3"].map(|name| bench.job(name));
    let ids = executor.submit(&jobs).unwrap();
    let is_waiting = |state: &JobState| matches!(state, JobState::Waiting);
    assert_eq!(
        executor.ask(&ids).unwrap().iter().map(is_waiting).collect::<Vec<_>>(),
        [false, false, true]
    );
    fs::write(bench.path("2/go"), "").unwrap();
    end(&mut executor, &ids[1]);
    wait_for(&mut executor, &ids[2], |state| {
        matches!(state, JobState::Running { .. })
    });
    executor.cancel(&ids).unwrap();
}

#[test]
fn a_part_that_is_killed_has_failed() {
    let bench = Bench::new();
    let mut executor = bench.local(1, WAITS);
    let job = submit(&mut executor, bench.job("1"));
    assert!(matches!(ask(&mut executor, &job), JobState::Running { .. }));
    kill(pid(&job));
    assert_eq!(why(end(&mut executor, &job)), "was killed by signal 9");
}

fn kill(pid: i32) {
    use rustix::process::{Pid, Signal, kill_process};
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn a_part_that_is_complete_has_ended_however_its_process_did() {
    let bench = Bench::new();
    let mut executor = bench.local(1, "touch \"$2/completion.toml\"; kill -9 $$");
    let job = submit(&mut executor, bench.job("1"));
    assert!(matches!(end(&mut executor, &job), JobState::Ended { host: Some(_) }));
}

#[test]
fn cancelled_parts_are_gone_at_once_and_leave_no_zombies() {
    let bench = Bench::new();
    // One job that ends when asked, one that ignores signals, and one that waits for a slot.
    let mut executor = bench.local(2, &format!("case \"$2\" in *deaf) trap '' TERM;; esac\n{WAITS}"));
    let ids = executor
        .submit(&["1", "deaf", "3"].map(|name| bench.job(name)))
        .unwrap();
    let pids = [pid(&ids[0]), pid(&ids[1])];
    let others = std::process::Command::new("true").status().unwrap();
    assert!(others.success());
    executor.cancel(&ids).unwrap();
    for pid in pids {
        assert!(!is_alive(pid));
        // It is not even a zombie.
        assert!(!Path::new(&format!("/proc/{pid}")).exists());
    }
    for id in &ids {
        assert_eq!(why(ask(&mut executor, id)), "was cancelled");
    }
    // A second call changes nothing.
    executor.cancel(&ids).unwrap();
    assert!(!bench.path("3/pid").exists());
}

#[test]
fn parts_outlive_their_coordinator_and_are_found_by_the_next() {
    let bench = Bench::new();
    let mut executor = bench.local(3, WAITS);
    let names = ["done", "runs", "killed", "waits"];
    let ids = executor.submit(&names.map(|name| bench.job(name))).unwrap();
    let pids: Vec<i32> = ids[..3].iter().map(pid).collect();
    drop(executor);
    assert!(pids.iter().all(|pid| is_alive(*pid)));
    fs::write(bench.path("done/go"), "").unwrap();
    kill(pids[2]);
    while is_alive(pids[0]) || is_alive(pids[2]) {
        sleep(Duration::from_millis(5));
    }

    let mut later = bench.local(3, WAITS);
    let states = later.ask(&ids).unwrap();
    let host = Some(crate::host::this_host());
    assert_eq!(states[0], JobState::Ended { host: host.clone() });
    assert_eq!(states[1], JobState::Running { host });
    assert_eq!(why(states[2].clone()), "ended before its part was complete");
    assert_eq!(why(states[3].clone()), "was never started");
    // The adopted job takes a slot.
    let more = later.submit(&["a", "b", "c"].map(|name| bench.job(name))).unwrap();
    assert_eq!(later.ask(&more).unwrap()[2], JobState::Waiting);
    later.cancel(&more).unwrap();

    later.cancel(&ids[1..2]).unwrap();
    assert!(!is_alive(pids[1]));
    assert_eq!(why(ask(&mut later, &ids[1])), "was cancelled");
}

#[test]
fn programs_and_folders_that_are_not_there_are_named() {
    let bench = Bench::new();
    let mut executor = local(&here(1), &bench.path("nowhere")).unwrap();
    let job = submit(&mut executor, bench.job("1"));
    let why = why(end(&mut executor, &job));
    assert!(
        why.starts_with("could not be started: `") && why.contains("nowhere resume"),
        "{why}"
    );

    let mut jobs = [bench.job("2")];
    jobs[0].folder = "relative".into();
    let failure = executor.submit(&jobs).unwrap_err();
    assert_eq!(failure.exit_status(), 2);
    insta::assert_snapshot!(failure.to_string());
}

/// A fake ssh: hosts are folders. It logs what it plays.
const SSH: &str = "echo \"$*\" >> \"$0.log\"; [ \"$1\" != broken ] || { echo warming up; echo 'ssh: connect to host broken: no route' >&2; exit 255; }";

#[test]
fn jobs_go_to_hosts_with_room() {
    let bench = Bench::new();
    bench.program("ssh", WAITS.replace("$2", "$3").as_str());
    let settings =
        "hosts = [{ name = \"red\", slots = 2 }, { name = \"blue\" }]\nplay = \"%/ssh {host} part {folder}\"\n";
    let mut executor = bench.command(settings);
    assert_eq!(executor.slots(), 3);
    let mut jobs = ["1", "2", "3", "4"].map(|name| bench.job(name));
    jobs[0].avoid = Some("red".to_owned());
    let ids = executor.submit(&jobs).unwrap();
    let hosts = |executor: &mut Processes| -> Vec<String> {
        let host = |state| match state {
            JobState::Running { host: Some(host) } => host,
            other => format!("{other:?}"),
        };
        executor.ask(&ids).unwrap().into_iter().map(host).collect()
    };
    assert_eq!(hosts(&mut executor), ["blue", "red", "red", "Waiting"]);
    fs::write(bench.path("1/go"), "").unwrap();
    end(&mut executor, &ids[0]);
    let JobState::Running { host } = ask(&mut executor, &ids[3]) else {
        panic!("blue has room")
    };
    assert_eq!(host.as_deref(), Some("blue"));
    executor.cancel(&ids).unwrap();
}

#[test]
fn a_job_that_avoids_the_only_host_goes_there() {
    let bench = Bench::new();
    bench.program("ssh", SSH);
    let mut executor = bench.command("hosts = [\"red\"]\nplay = \"%/ssh {host} {folder}\"\n");
    let mut job = bench.job("1");
    job.avoid = Some("red".to_owned());
    let id = submit(&mut executor, job);
    let host = Some("red".to_owned());
    assert_eq!(end(&mut executor, &id), JobState::Ended { host });
}

#[test]
fn a_part_is_sent_played_and_fetched() {
    let bench = Bench::new();
    bench.program("scp", SSH);
    bench.program("ssh", SSH);
    let settings = "hosts = [\"red\"]\nsend = \"%/scp {folder} {host}\"\nplay = \"%/ssh {host} {folder} {quoted_folder}\"\n\
                    fetch = \"%/scp {host} {folder}\"\n";
    let mut executor = bench.command(settings);
    let id = submit(&mut executor, bench.job("part 1"));
    let host = Some("red".to_owned());
    assert_eq!(end(&mut executor, &id), JobState::Ended { host });
    let read = |name: &str| fs::read_to_string(bench.path(name)).unwrap();
    let folder = id.0;
    assert_eq!(read("scp.log"), format!("{folder} red\nred {folder}\n"));
    assert_eq!(read("ssh.log"), format!("red {folder} '{folder}'\n"));
}

#[test]
fn a_step_that_fails_names_host_command_and_last_words() {
    let bench = Bench::new();
    bench.program("ok", "true");
    bench.program("ssh", SSH);
    let steps = [
        "play = \"%/ssh {host} {folder}\"",
        "send = \"%/ssh {host} {folder}\"\nplay = \"%/ok {folder}\"",
        "play = \"%/ok {folder}\"\nfetch = \"%/ssh {host} {folder}\"",
        "play = \"%/gone {folder}\"",
    ];
    let messages = steps.map(|steps| {
        let mut executor = bench.command(&format!("hosts = [\"broken\"]\n{steps}\n"));
        let id = submit(&mut executor, bench.job("1"));
        let JobState::Failed { host, why } = end(&mut executor, &id) else {
            panic!("it failed")
        };
        assert_eq!(host.as_deref(), Some("broken"));
        fs::remove_dir_all(bench.path("1")).unwrap();
        why.replace(bench.folder.path().to_str().unwrap(), "DIR")
    });
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_hanging_command_is_killed_after_its_time() {
    let bench = Bench::new();
    bench.program(
        "ssh",
        "trap '' TERM; echo connecting; echo $$ > \"$3/pid\"; while true; do sleep 1; done",
    );
    let settings = "hosts = [\"red\"]\nplay = \"%/ssh {host} part {folder}\"\ntimeout = 1\n";
    let mut executor = bench.command(settings);
    let id = submit(&mut executor, bench.job("1"));
    let pid = pid(&id);
    let why = why(end(&mut executor, &id));
    assert!(
        why.starts_with("was not played on red: `")
            && why.ends_with("` took longer than 1 s, and was killed: connecting"),
        "{why}"
    );
    assert!(!is_alive(pid));
}

#[test]
fn cancelling_runs_the_command_for_it() {
    let bench = Bench::new();
    bench.program("ssh", WAITS.replace("$2", "$3").as_str());
    bench.program("stop", "echo \"$@\" > \"$2/stopped\"");
    let settings =
        "hosts = [\"red\"]\nplay = \"%/ssh {host} part {folder}\"\ncancel = \"%/stop {host} {folder} {name}\"\n";
    let mut executor = bench.command(settings);
    let ids = executor.submit(&["1", "2"].map(|name| bench.job(name))).unwrap();
    let pid = pid(&ids[0]);
    executor.cancel(&ids).unwrap();
    assert!(!is_alive(pid));
    let stopped = bench.path("1/stopped");
    while fs::read_to_string(&stopped).unwrap_or_default().is_empty() {
        sleep(Duration::from_millis(5));
    }
    let text = fs::read_to_string(stopped).unwrap();
    assert!(text.starts_with(&format!("red {} lmrlab-", ids[0].0)), "{text}");
    assert_eq!(why(ask(&mut executor, &ids[0])), "was cancelled");
    // The second job had not begun.
    assert!(!bench.path("2/stopped").exists());

    let lacking = settings.replace("%/stop", "%/gone");
    let mut executor = bench.command(&lacking);
    let id = submit(&mut executor, bench.job("3"));
    let message = executor.cancel(&[id]).unwrap_err().to_string();
    assert!(
        message.contains("cannot cancel: `") && message.contains("gone"),
        "{message}"
    );
}

#[test]
fn a_later_coordinator_fetches_what_was_played_meanwhile() {
    let bench = Bench::new();
    bench.program(
        "ssh",
        WAITS
            .replace("touch \"$2/completion.toml\"", "true")
            .replace("$2", "$3")
            .as_str(),
    );
    bench.program("scp", "touch \"$2/completion.toml\"");
    let settings = "hosts = [\"red\"]\nplay = \"%/ssh {host} part {folder}\"\nfetch = \"%/scp {host} {folder}\"\n";
    let mut executor = bench.command(settings);
    let id = submit(&mut executor, bench.job("1"));
    let pid = pid(&id);
    drop(executor);
    fs::write(bench.path("1/go"), "").unwrap();
    while is_alive(pid) {
        sleep(Duration::from_millis(5));
    }
    assert!(!bench.path("1/completion.toml").exists());
    let mut later = bench.command(settings);
    let host = Some("red".to_owned());
    assert_eq!(end(&mut later, &id), JobState::Ended { host });
    assert!(bench.path("1/completion.toml").exists());
}

#[test]
fn what_a_dead_coordinator_was_sending_is_sent_again() {
    let bench = Bench::new();
    bench.program("scp", "echo x >> \"$0.log\"; [ -e \"$2/go\" ] || exec sleep 60");
    bench.program("ssh", "touch \"$2/completion.toml\"");
    let settings = "hosts = [\"red\"]\nsend = \"%/scp {host} {folder}\"\nplay = \"%/ssh {host} {folder}\"\n";
    let mut executor = bench.command(settings);
    let id = submit(&mut executor, bench.job("1"));
    let record = ProcessRecord::read(&id.0).unwrap();
    drop(executor);
    kill(i32::try_from(record.process.clone().unwrap().pid).unwrap());
    while record.process.as_ref().unwrap().is_alive() {
        sleep(Duration::from_millis(5));
    }
    fs::write(bench.path("1/go"), "").unwrap();
    let mut later = bench.command(settings);
    let host = Some("red".to_owned());
    assert_eq!(end(&mut later, &id), JobState::Ended { host });
}

#[test]
fn a_record_without_a_process_says_where_it_was() {
    let bench = Bench::new();
    let job = bench.job("1");
    let folder = job.folder_text().unwrap();
    let host = "red".to_owned();
    let record = ProcessRecord {
        host: host.clone(),
        step: Step::Play,
        process: None,
    };
    record.write(folder).unwrap();
    let mut executor = bench.local(1, "true");
    let JobState::Failed { host: known, why } = ask(&mut executor, &JobId(folder.to_owned())) else {
        panic!("it failed")
    };
    assert_eq!(
        (known, &*why),
        (Some(host), "is lost: the process that started it has ended")
    );
}
