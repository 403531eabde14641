//! Whatever hosts do, the run is that of one process, to the byte.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use lmrlab_cluster::coordinator::parts_csv;
use lmrlab_cluster::coordinator::{Cluster, Notice};
use lmrlab_cluster::executor::Executor;
use lmrlab_cluster::executor::settings::Settings;
use lmrlab_diagnostics::Source;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::number_ranges::Numbers;
use lmrlab_results::parts::PartEnd;
use lmrlab_runner::conduct::conduct;
use lmrlab_runner::conduct::event::Silent;
use lmrlab_runner::conduct::worker_pool::{ThisProcess, WorkerPool};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::progress::{Ended, TournamentProgress};
use lmrlab_runner::record::recorded;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::{self, Tournament};
use tempfile::TempDir;

use crate::fake_hosts::{Deed, FakeHosts, invocation, program};

const MATCH: &str = "
    name = \"match\"
    format = \"match\"
    pairs = 24
    openings = { file = \"positions/openings.epd\" }
    limit = { nodes = 40 }
    adjudication = { max_moves = 30 }
    [[engine]]
    policy = \"house\"
    [[engine]]
    policy = \"none\"
";

const SPRT: &str = "
    name = \"sprt\"
    format = \"match\"
    pairs = 400
    openings = { file = \"positions/openings.epd\" }
    limit = { nodes = 40 }
    adjudication = { max_moves = 30 }
    sprt = { elo0 = 0.0, elo1 = 150.0, alpha = 0.2, beta = 0.2 }
    [[engine]]
    policy = \"house\"
    [[engine]]
    policy = \"none\"
";

const RACE: &str = "
    name = \"race\"
    format = \"race\"
    pairs = 60
    race = { goal = \"best\", elo = 150.0, alpha = 0.3 }
    openings = { file = \"positions/openings.epd\" }
    limit = { nodes = 40 }
    adjudication = { max_moves = 30 }
    [[engine]]
    policy = \"house\"
    [[engine]]
    policy = \"none\"
    [[engine]]
    policy = \"logarithm\"
";

fn load(text: &str) -> Tournament {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let loaded = tournament::load(Source::new("test.toml", text), &root, |_| ());
    loaded.unwrap_or_else(|failure| panic!("{failure}")).0
}

fn play(text: &str, out: &Path, worker_pool: &mut impl WorkerPool, interrupt: &Interrupt) -> Result<Ended, Failure> {
    let tournament = load(text);
    let progress = TournamentProgress::of(&tournament);
    let (mut recorder, manifest) = if out.exists() {
        let manifest = Manifest::load(out)?;
        let folder = ResultsFolder::existing(out)?;
        let recorded = Recorded::of(&tournament, &manifest);
        (Recorder::resume(folder, progress, recorded)?, manifest)
    } else {
        let folder = ResultsFolder::check(out, false)?;
        let manifest = recorded::manifest(&tournament, &invocation(), out)?;
        let recorded = Recorded::of(&tournament, &manifest);
        (Recorder::create(folder, progress, recorded, &manifest)?, manifest)
    };
    let ended = conduct(
        tournament.arena(),
        (&mut recorder, &manifest),
        None,
        worker_pool,
        interrupt,
        &mut Silent,
    );
    let progress = recorder.finish()?;
    ended.map(|()| progress.end())
}

/// The run of one process.
fn alone(text: &str) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("alone");
    play(text, &out, &mut ThisProcess, &Interrupt::new()).unwrap();
    (dir, out)
}

type Heard = Arc<Mutex<Vec<String>>>;

/// These hosts, each part of which has three pairs.
fn cluster(hosts: impl Executor + 'static) -> (Cluster, Heard) {
    let heard = Heard::default();
    let hear = Arc::clone(&heard);
    let notify = move |notice: &Notice| {
        let (Notice::Warning(text) | Notice::News(text)) = notice;
        hear.lock().unwrap().push(text.clone());
    };
    let settings = Settings::read(Source::new("settings", "kind = \"local\"\npairs = 3\n")).unwrap();
    let cluster = Cluster::new(Box::new(hosts), settings, program(1), Box::new(notify));
    (cluster, heard)
}

#[track_caller]
fn assert_same(alone: &Path, together: &Path) {
    let mut compared = 0;
    for entry in std::fs::read_dir(alone).unwrap() {
        let name = entry.unwrap().file_name();
        let name = name.to_str().unwrap();
        if matches!(name, "manifest.toml" | "timings.csv") {
            continue;
        }
        let read = |folder: &Path| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(read(alone) == read(together), "{name} differs");
        compared += 1;
    }
    assert!(compared >= 5);
    assert!(!together.join("parts").exists(), "parts are left");
    assert!(!together.join("waiting.csv").exists());
}

/// Plays a tournament on three hosts that do what the script says.
fn together(text: &str, script: impl FnMut(&str, usize) -> Deed + Send + 'static) -> (TempDir, PathBuf, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("together");
    let (mut cluster, heard) = cluster(FakeHosts::new(&["one", "two", "three"], script));
    play(text, &out, &mut cluster, &Interrupt::new()).unwrap();
    let heard = heard.lock().unwrap().clone();
    (dir, out, heard)
}

#[test]
fn every_format_is_that_of_one_process() {
    for text in [MATCH, SPRT, RACE] {
        let (_alone, alone) = alone(text);
        let (_together, together, heard) = together(text, |_, _| Deed::Plays);
        assert_same(&alone, &together);
        assert_eq!(heard, [""; 0]);
    }
}

#[test]
fn pairs_of_a_part_that_fails_or_is_wrong_are_played_elsewhere() {
    let (_alone, alone) = alone(MATCH);
    for (deed, why) in [
        (Deed::Fails, "no such library"),
        (Deed::IsKilled, "killed by signal 9"),
        (Deed::Truncates, "SHA-256 differs"),
        (Deed::Garbles, "is damaged"),
        (Deed::MixesUp, "of another part, or"),
        (
            Deed::HasAnotherProgram,
            "was played by lmrlab 0.0.0 with the bench fingerprint 2, and this is lmrlab 0.0.0 with 1",
        ),
        (Deed::Refuses, "is for a search with the bench fingerprint 1"),
    ] {
        let (_together, together, heard) = together(MATCH, move |_, job| match job {
            4 | 7 => deed,
            _ => Deed::Plays,
        });
        assert_same(&alone, &together);
        assert_eq!(heard.len(), 2, "{heard:?}");
        assert!(heard.iter().all(|line| line.contains(why)), "{deed:?}: {heard:?}");
        let rows = parts_csv::read(&together.join("parts.csv")).unwrap();
        for failed in rows.iter().filter(|row| row.outcome == PartEnd::Failed) {
            let again = rows
                .iter()
                .find(|row| row.pairs == failed.pairs && row.attempt == failed.attempt + 1)
                .unwrap();
            assert_ne!(again.host, failed.host);
        }
    }
}

#[test]
fn a_part_that_fails_everywhere_ends_the_run_which_can_be_resumed() {
    let (_alone, alone) = alone(MATCH);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("together");
    let (mut failing, _) = cluster(FakeHosts::new(&["one", "two"], |_, job| match job {
        0..3 => Deed::Plays,
        _ => Deed::Fails,
    }));
    let failure = play(MATCH, &out, &mut failing, &Interrupt::new())
        .unwrap_err()
        .to_string();
    assert!(failure.contains("failed 3 times: on "), "{failure}");
    let (mut working, _) = cluster(FakeHosts::new(&["one", "two"], |_, _| Deed::Plays));
    play(MATCH, &out, &mut working, &Interrupt::new()).unwrap();
    assert_same(&alone, &out);
}

#[test]
fn an_executor_that_does_not_answer_is_asked_again() {
    let (_alone, alone) = alone(MATCH);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("together");
    let mut hosts = FakeHosts::new(&["one", "two"], |_, _| Deed::Plays);
    hosts.silent = 5;
    let (mut cluster, heard) = cluster(hosts);
    play(MATCH, &out, &mut cluster, &Interrupt::new()).unwrap();
    assert_same(&alone, &out);
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].ends_with("the controller is being restarted"), "{heard:?}");
}

#[test]
fn a_run_whose_coordinator_is_killed_is_resumed() {
    for text in [MATCH, SPRT, RACE] {
        let (_alone, alone) = alone(text);
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("together");
        for life in 1..=4 {
            let mut hosts = FakeHosts::new(&["one", "two", "three"], |_, _| Deed::Plays);
            hosts.dies_after = (life < 4).then_some(4);
            let (mut cluster, _) = cluster(hosts);
            let played =
                std::panic::catch_unwind(AssertUnwindSafe(|| play(text, &out, &mut cluster, &Interrupt::new())));
            assert!(life > 1 || played.is_err(), "{text}");
            if played.is_ok() {
                break;
            }
        }
        assert_same(&alone, &out);
    }
}

#[test]
fn pairs_after_the_decision_are_saved_apart() {
    let (_together, together, _) = together(SPRT, |_, _| Deed::Plays);
    let run = Run::open(&together).unwrap();
    let recorded = run.progress().unwrap().pairs;
    assert!(recorded < 400);
    let rows = parts_csv::read(&together.join("parts.csv")).unwrap();
    let played: u64 = (rows.iter().filter(|row| row.outcome == PartEnd::Done))
        .flat_map(|row| row.pairs.0.iter().map(Numbers::count))
        .sum();
    let unused = std::fs::read_to_string(together.join("unused.csv")).unwrap_or_default();
    assert_eq!(unused.lines().count().saturating_sub(1) as u64, played - recorded);
}

#[test]
fn a_request_to_stop_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("together");
    let interrupt = Interrupt::new();
    interrupt.request();
    let (mut stopped, _) = cluster(FakeHosts::new(&["one"], |_, _| Deed::Plays));
    assert_eq!(play(MATCH, &out, &mut stopped, &interrupt).unwrap(), Ended::Interrupted);
    let (_alone, alone) = alone(MATCH);
    let (mut working, _) = cluster(FakeHosts::new(&["one"], |_, _| Deed::Plays));
    assert_eq!(
        play(MATCH, &out, &mut working, &Interrupt::new()).unwrap(),
        Ended::Complete
    );
    assert_same(&alone, &out);
}
