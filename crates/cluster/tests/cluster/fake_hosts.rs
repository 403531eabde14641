//! An executor with threads as its hosts.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use lmrlab_cluster::executor::{Executor, Job, JobId, JobState};
use lmrlab_cluster::part::{PartFolder, Program};
use lmrlab_cluster::worker::{check_program, play_part};
use lmrlab_results::failure::Failure;
use lmrlab_results::manifest::Invocation;
use lmrlab_runner::conduct::in_order::Threads;
use lmrlab_runner::conduct::pair_player::PairPlayer;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::fault_log::EngineLogs;
use lmrlab_runner::run::Run;

/// What a host does with a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Plays it.
    Plays,
    /// Ends with an error before the first pair.
    Fails,
    /// Is killed at the end.
    IsKilled,
    /// Plays it, and loses the end of the results.
    Truncates,
    /// Plays it, and leaves a completion.toml that is no TOML.
    Garbles,
    /// Plays it, and leaves the results of the last part that was played instead.
    MixesUp,
    /// Plays it with another search, as a copy of lmrlab that does not check would.
    HasAnotherProgram,
    /// Finds out that it has another search, and plays nothing.
    Refuses,
}

pub(crate) fn invocation() -> Invocation {
    Invocation {
        version: "0.0.0".to_owned(),
        commit: None,
        bench: 1,
        command: vec!["test".to_owned()],
    }
}

pub(crate) fn program(bench: u64) -> Program {
    Program {
        version: "0.0.0".to_owned(),
        commit: None,
        bench,
    }
}

/// Files by their names.
type Files = BTreeMap<&'static str, Vec<u8>>;
/// What a job came to.
type Played = Result<(), String>;
type Script = dyn FnMut(&str, usize) -> Deed + Send;

struct Running {
    host: String,
    thread: Option<JoinHandle<Played>>,
    ended: Option<Played>,
}

/// Hosts that are threads. Each has one slot.
pub(crate) struct FakeHosts {
    names: Vec<String>,
    script: Box<Script>,
    jobs: BTreeMap<JobId, Running>,
    submitted: usize,
    /// How often a question fails before it succeeds.
    pub(crate) silent: usize,
    /// The coordinator is killed when it asks for this time.
    pub(crate) dies_after: Option<usize>,
    asked: usize,
    /// The files of the last part that was played.
    last: Arc<Mutex<Files>>,
}

impl FakeHosts {
    /// `script` says what a host does with the job of this number, from 0.
    pub(crate) fn new(names: &[&str], script: impl FnMut(&str, usize) -> Deed + Send + 'static) -> Self {
        Self {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            script: Box::new(script),
            jobs: BTreeMap::new(),
            submitted: 0,
            silent: 0,
            dies_after: None,
            asked: 0,
            last: Arc::default(),
        }
    }

    fn host_for(&self, avoid: Option<&String>) -> String {
        let busy = |name: &String| {
            let here = |job: &&Running| job.host == *name && job.ended.is_none();
            self.jobs.values().filter(here).count()
        };
        let wanted = self.names.iter().filter(|name| Some(*name) != avoid);
        wanted.min_by_key(|name| busy(name)).unwrap().clone()
    }
}

impl Executor for FakeHosts {
    fn slots(&self) -> usize {
        self.names.len()
    }

    fn submit(&mut self, jobs: &[Job]) -> Result<Vec<JobId>, Failure> {
        let mut ids = Vec::new();
        for job in jobs {
            let host = self.host_for(job.avoid.as_ref());
            let deed = (self.script)(&host, self.submitted);
            let id = JobId(format!("{}-{}", std::process::id(), self.submitted));
            self.submitted += 1;
            let (folder, name, last) = (job.folder.clone(), host.clone(), Arc::clone(&self.last));
            let thread = std::thread::spawn(move || work(&folder, &name, deed, &last));
            let running = Running {
                host,
                thread: Some(thread),
                ended: None,
            };
            self.jobs.insert(id.clone(), running);
            ids.push(id);
        }
        Ok(ids)
    }

    fn ask(&mut self, jobs: &[JobId]) -> Result<Vec<JobState>, Failure> {
        self.asked += 1;
        assert_ne!(self.dies_after, Some(self.asked), "killed on purpose");
        if self.silent > 0 {
            self.silent -= 1;
            return Err(Failure::run("the controller is being restarted".to_owned()));
        }
        let states = jobs.iter().map(|id| {
            let Some(job) = self.jobs.get_mut(id) else {
                return JobState::Failed {
                    host: None,
                    why: "is not known".to_owned(),
                };
            };
            if job.thread.as_ref().is_some_and(JoinHandle::is_finished) {
                job.ended = job.thread.take().map(|thread| thread.join().unwrap());
            }
            let host = Some(job.host.clone());
            match &job.ended {
                None => JobState::Running { host },
                Some(Ok(())) => JobState::Ended { host },
                Some(Err(why)) => JobState::Failed { host, why: why.clone() },
            }
        });
        Ok(states.collect())
    }

    fn cancel(&mut self, jobs: &[JobId]) -> Result<(), Failure> {
        for id in jobs {
            self.jobs.remove(id);
        }
        Ok(())
    }

    fn pause(&self) -> std::time::Duration {
        std::time::Duration::from_millis(5)
    }
}

fn work(folder: &Path, host: &str, deed: Deed, last: &Mutex<Files>) -> Played {
    if deed == Deed::Fails {
        return Err("ended with exit status 1: no such library".to_owned());
    }
    let readable = |failure: Failure| failure.in_a_line();
    let part = PartFolder::open(folder).map_err(readable)?;
    let program = program(if matches!(deed, Deed::HasAnotherProgram | Deed::Refuses) {
        2
    } else {
        1
    });
    if deed == Deed::Refuses {
        check_program(&part, &program).map_err(readable)?;
    }
    let run = Run::open(folder).map_err(readable)?;
    let (tournament, _) = run.tournament(|_| (), &invocation()).map_err(readable)?;
    let interrupt = Interrupt::new();
    let logs = EngineLogs::new(folder, None);
    let pairs = PairPlayer::new(tournament.arena(), &interrupt, &logs);
    let threads = Threads {
        count: NonZeroUsize::MIN,
        pinned: false,
    };
    play_part(&pairs, &part, (threads, host, &program), &interrupt, &mut |_, _| ()).map_err(readable)?;
    match deed {
        Deed::IsKilled => {
            fs::remove_file(folder.join("completion.toml")).unwrap();
            return Err("was killed by signal 9".to_owned());
        }
        Deed::Truncates => {
            let file = folder.join("results.csv");
            let text = fs::read(&file).unwrap();
            fs::write(&file, &text[..text.len() - 7]).unwrap();
        }
        Deed::Garbles => fs::write(folder.join("completion.toml"), "host = ").unwrap(),
        Deed::MixesUp => {
            for (name, bytes) in &*last.lock().unwrap() {
                fs::write(folder.join(name), bytes).unwrap();
            }
        }
        _ => {}
    }
    if deed == Deed::Plays {
        let names = ["manifest.toml", "tasks.csv", "results.csv", "completion.toml"];
        let read = names.map(|name| (name, fs::read(folder.join(name)).unwrap()));
        *last.lock().unwrap() = Files::from(read);
    }
    Ok(())
}
