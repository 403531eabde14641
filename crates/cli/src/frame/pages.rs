//! Pages of results: their places, and how they are written and updated while a run plays.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::print::print_err;
use crate::advice::advice;
use crate::open_outcome;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::REPORT;
use lmrlab_results::output_file;
use lmrlab_results::report::page::{GENERATOR, Page};
use lmrlab_runner::run::Run;

pub(crate) fn of_run(folder: &Path) -> PathBuf {
    folder.join(REPORT.name())
}

/// The page of a result, whatever command wrote it.
pub(crate) fn page(result: &Path) -> Result<Page, Failure> {
    pages(&[result.to_owned()], &[])
}

/// The page of several results. The games with these numbers can be replayed on it.
pub(crate) fn pages(results: &[PathBuf], games: &[u64]) -> Result<Page, Failure> {
    let pages = results.iter().map(|result| open_outcome::page(result, games));
    Ok(Page::joined(pages.collect::<Result<_, _>>()?))
}

/// Whether a run has a page. Then the page is updated by every process that resumes the run.
pub(crate) fn belongs_to(folder: &Path) -> bool {
    of_run(folder).is_file() || Run::open(folder).is_ok_and(|run| run.manifest().report)
}

/// The first bytes of a file; none when it cannot be read.
#[expect(clippy::disallowed_methods, reason = "a look at what may be replaced")]
fn beginning(file: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(PAGE_START).read_to_end(&mut start));
    read.map_or_else(|_| Vec::new(), |_| start)
}

/// Refuses to replace a file that is not a page of lmrlab.
pub(crate) fn refuse_foreign(file: &Path) -> Result<(), Failure> {
    if !file.is_file() {
        return Ok(());
    }
    let start = beginning(file);
    if start.is_empty() {
        return Ok(());
    }
    match String::from_utf8_lossy(&start).contains(GENERATOR) {
        true => Ok(()),
        false => Err(Failure::input(
            format!("`{}` exists already, and is no page of lmrlab", file.display()),
            "move it away, or name another place for the page",
        )),
    }
}

/// The first bytes of a page: they name the program that wrote it.
const PAGE_START: u64 = 1 << 10;

/// Writes a page. A reader of the file sees either the old page or the new one.
pub(crate) fn write(page: &Page, file: &Path) -> Result<(), Failure> {
    if file.is_dir() {
        return Err(Failure::input(
            format!("the page cannot go to `{}`, which is a folder", file.display()),
            "name a file with --out",
        ));
    }
    refuse_foreign(file)?;
    output_file::write(file, page.html())
}

/// Writes the page of a folder into it, and says so. `what` follows its name in the message.
pub(crate) fn write_into(folder: &Path, what: &str) -> Result<(), Failure> {
    let file = of_run(folder);
    write(&page(folder)?, &file)?;
    print_err(&format!("The page{what} is {}", file.display()));
    Ok(())
}

/// Writes each picture of a page as an SVG file. The folder is created when it is not there.
pub(crate) fn write_pictures(page: &Page, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    for picture in page.pictures() {
        output_file::write(&folder.join(format!("{}.svg", picture.id)), picture.file())?;
    }
    Ok(())
}

/// The shortest time between two versions of the page of a running run.
const LEAST_PAUSE: Duration = Duration::from_secs(10);
/// The pause is this number of times the duration of making the last page, so pages take little time from the games.
const PAUSE_FACTOR: u32 = 20;

/// The pause before the page of a running run is made again. `making` is the time that the last page took.
pub(crate) fn pause(making: Duration) -> Duration {
    LEAST_PAUSE.max(making * PAUSE_FACTOR)
}

/// The page of a run, written again and again while the run plays.
pub(crate) struct Fresh {
    folder: PathBuf,
    ended: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Fresh {
    /// Begins to write the page of the run in this folder.
    pub(crate) fn begin(folder: &Path) -> Self {
        let (ended, wait) = mpsc::channel();
        let of = folder.to_owned();
        let thread = std::thread::spawn(move || {
            let mut pause = LEAST_PAUSE;
            while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let begun = Instant::now();
                // Errors may be gone when the run has ended. The last version reports them.
                let _ = page(&of).and_then(|page| write(&page, &of_run(&of)));
                pause = self::pause(begun.elapsed());
            }
        });
        Self {
            folder: folder.to_owned(),
            ended: Some(ended),
            thread: Some(thread),
        }
    }

    /// Writes the last version, when the run has ended and its files are closed. Prints where the page is, unless
    /// `more_comes`. A page that cannot be written is no failure of the run.
    pub(crate) fn end(mut self, more_comes: bool) {
        self.stop();
        match page(&self.folder).and_then(|page| write(&page, &of_run(&self.folder))) {
            Ok(()) if more_comes => {}
            Ok(()) => print_err(&format!("The page is {}", of_run(&self.folder).display())),
            Err(failure) => print_err(&failure.render(&advice(&failure))),
        }
    }

    fn stop(&mut self) {
        drop(self.ended.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        self.stop();
    }
}
