//! Jobs on several threads. Results come in the order of the jobs.

use rayon::prelude::*;

use lmrlab_diagnostics::failure::{Failure, RunFailure};

/// Receives how far a batch of jobs has come, from the threads that do them.
pub trait JobProgress: Send + Sync {
    /// A batch of `jobs` jobs begins.
    fn begin(&self, jobs: usize);
    /// One more job of the batch is done.
    fn advance(&self);
    /// The batches that follow are about row `row`, from 1, of `rows`.
    fn row(&self, row: usize, rows: usize);
}

/// The results of [`Workers::columns`].
#[derive(Debug, PartialEq, Eq)]
pub struct Columns<T> {
    /// `results[row][place]`, for the columns in `done`.
    pub results: Vec<Vec<T>>,
    /// The columns with all jobs done, in their order.
    pub done: Vec<usize>,
}

/// Threads that do jobs.
pub struct Workers {
    pool: rayon::ThreadPool,
    progress: Option<Box<dyn JobProgress>>,
    stop: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Workers {
    /// Starts `threads` threads; 0 stands for one a processor.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(threads: u32) -> Result<Self, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .build()
            .map_err(|error| {
                Failure::Run(RunFailure::Threads {
                    threads: threads as usize,
                    reason: error.to_string(),
                })
            })?;
        Ok(Self {
            pool,
            progress: None,
            stop: None,
        })
    }

    /// The same threads, which report every job that they have done.
    #[must_use]
    pub fn with_progress(self, progress: impl JobProgress + 'static) -> Self {
        Self {
            progress: Some(Box::new(progress)),
            ..self
        }
    }

    /// The same threads, which begin no more jobs of [`Self::columns`] once `stop` says so.
    #[must_use]
    pub fn until(self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            stop: Some(Box::new(stop)),
            ..self
        }
    }

    /// Whether they were asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop())
    }

    /// The next batches are about this row, from 1.
    pub fn begin_row(&self, row: usize, rows: usize) {
        if let Some(progress) = &self.progress {
            progress.row(row, rows);
        }
    }

    /// Does every job; the results are in the order of the jobs.
    pub fn map<J: Sync, T: Send>(&self, jobs: &[J], work: impl Fn(&J) -> T + Sync) -> Vec<T> {
        let progress = self.progress.as_deref();
        if let Some(progress) = progress {
            progress.begin(jobs.len());
        }
        self.pool.install(|| {
            jobs.par_iter()
                .with_max_len(1)
                .map(|job| {
                    let result = work(job);
                    if let Some(progress) = progress {
                        progress.advance();
                    }
                    result
                })
                .collect()
        })
    }

    /// Does a job for every row and column, which comes with its place, column by column. When the workers are asked to stop, the running jobs are
    /// finished, and incomplete columns are left out.
    pub fn columns<R: Sync, C: Sync, T: Send>(
        &self,
        rows: &[R],
        columns: &[C],
        work: impl Fn(&R, (usize, &C)) -> T + Sync,
    ) -> Columns<T> {
        let jobs = columns
            .iter()
            .enumerate()
            .flat_map(|column| rows.iter().map(move |row| (row, column)));
        let jobs: Vec<_> = jobs.collect();
        let found = self.map(&jobs, |(row, column)| (!self.is_stopped()).then(|| work(row, *column)));
        let mut found = found.into_iter();
        let mut results: Vec<Vec<T>> = rows.iter().map(|_| Vec::with_capacity(columns.len())).collect();
        let mut done = Vec::new();
        for column in 0..columns.len() {
            let of_column: Vec<Option<T>> = found.by_ref().take(rows.len()).collect();
            if let Some(of_column) = of_column.into_iter().collect::<Option<Vec<T>>>() {
                done.push(column);
                for (row, result) in results.iter_mut().zip(of_column) {
                    row.push(result);
                }
            }
        }
        Columns { results, done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Counts jobs that are announced and done.
    #[derive(Default)]
    struct Counted([AtomicUsize; 2]);

    impl JobProgress for Arc<Counted> {
        fn begin(&self, jobs: usize) {
            self.0[0].fetch_add(jobs, Ordering::Relaxed);
        }

        fn advance(&self) {
            self.0[1].fetch_add(1, Ordering::Relaxed);
        }

        fn row(&self, _: usize, _: usize) {}
    }

    #[test]
    fn whole_columns_are_kept_when_asked_to_stop() {
        let stop = Arc::new(AtomicBool::new(false));
        let workers = {
            let stop = Arc::clone(&stop);
            Workers::new(1).unwrap().until(move || stop.load(Ordering::Relaxed))
        };
        let all = workers.columns(&[10, 20], &[1, 2, 3], |row, (_, column)| row + column);
        assert_eq!(all.done, [0, 1, 2]);
        assert_eq!(all.results, [[11, 12, 13], [21, 22, 23]]);
        let some = workers.columns(&[10, 20], &[1, 2, 3], |row, (_, column)| {
            // The first job of the second column is still done, the second one is not.
            stop.fetch_or((*row, *column) == (10, 2), Ordering::Relaxed);
            row + column
        });
        assert_eq!(some.done, [0]);
        assert_eq!(some.results, [[11], [21]]);
        assert!(workers.is_stopped());
    }

    #[test]
    fn progress_hears_of_every_job() {
        let counted = Arc::new(Counted::default());
        let workers = Workers::new(2).unwrap().with_progress(Arc::clone(&counted));
        workers.map(&[1, 2, 3], |n| n + 1);
        workers.columns(&[1, 2], &[3, 4], |row, (_, column)| row * column);
        let counts = counted.0.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert_eq!(counts, [7, 7]);
    }
}
