//! Jobs on several threads, whose results come in the order of the jobs.

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use lmrlab_runner::failure::Failure;

/// Threads, and the bar that shows how far they have come.
#[derive(Debug)]
pub struct Workers {
    pool: rayon::ThreadPool,
    quiet: bool,
}

impl Workers {
    /// So many threads; 0 stands for one a core. A bar on a terminal's standard error shows the progress, unless `quiet`.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(threads: u32, quiet: bool) -> Result<Self, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .build()
            .map_err(|error| Failure::Run(format!("cannot start {threads} threads: {error}")))?;
        Ok(Self { pool, quiet })
    }

    /// Does every job; the results stand in the order of the jobs.
    pub fn map<J: Sync, T: Send>(&self, jobs: &[J], work: impl Fn(&J) -> T + Sync) -> Vec<T> {
        let bar = self.bar(jobs.len());
        let results = self.pool.install(|| {
            jobs.par_iter()
                .with_max_len(1)
                .map(|job| {
                    let result = work(job);
                    bar.inc(1);
                    result
                })
                .collect()
        });
        bar.finish_and_clear();
        results
    }

    /// Does a job for every row and column: `results[row][column]`.
    pub fn table<R: Sync, C: Sync, T: Send>(
        &self,
        rows: &[R],
        columns: &[C],
        work: impl Fn(&R, &C) -> T + Sync,
    ) -> Vec<Vec<T>> {
        let jobs: Vec<(&R, &C)> = rows
            .iter()
            .flat_map(|row| columns.iter().map(move |column| (row, column)))
            .collect();
        let mut results = self
            .map(&jobs, |(row, column)| work(row, column))
            .into_iter();
        rows.iter()
            .map(|_| results.by_ref().take(columns.len()).collect())
            .collect()
    }

    fn bar(&self, length: usize) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(length as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} searches, {eta} left")
        {
            bar.set_style(style);
        }
        bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_jobs() {
        for threads in [1, 3] {
            let workers = Workers::new(threads, true).unwrap();
            let squares = workers.map(&[1, 2, 3, 4, 5], |n| n * n);
            assert_eq!(squares, [1, 4, 9, 16, 25]);
            let table = workers.table(&[10, 20], &[1, 2, 3], |row, column| row + column);
            assert_eq!(table, [[11, 12, 13], [21, 22, 23]]);
        }
    }
}
