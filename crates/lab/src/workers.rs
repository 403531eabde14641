//! Jobs on several threads. Results come in the order of the jobs.

use rayon::prelude::*;

use lmrlab_runner::failure::Failure;

/// Hears how far a batch of jobs has come, from the threads that do them.
pub trait Progress: Send + Sync {
    /// A batch of so many jobs begins.
    fn begin(&self, jobs: usize);
    /// One more job of the batch is done.
    fn advance(&self);
    /// The batch is done.
    fn end(&self);
}

/// Threads that do jobs.
pub struct Workers {
    pool: rayon::ThreadPool,
    progress: Option<Box<dyn Progress>>,
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
            .map_err(|error| Failure::Run(format!("cannot start {threads} threads: {error}")))?;
        Ok(Self { pool, progress: None })
    }

    /// The same threads, which report every job that they have done.
    #[must_use]
    pub fn with_progress(self, progress: impl Progress + 'static) -> Self {
        Self {
            progress: Some(Box::new(progress)),
            ..self
        }
    }

    /// Does every job; the results are in the order of the jobs.
    pub fn map<J: Sync, T: Send>(&self, jobs: &[J], work: impl Fn(&J) -> T + Sync) -> Vec<T> {
        let progress = self.progress.as_deref();
        if let Some(progress) = progress {
            progress.begin(jobs.len());
        }
        let results = self.pool.install(|| {
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
        });
        if let Some(progress) = progress {
            progress.end();
        }
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
        let mut results = self.map(&jobs, |(row, column)| work(row, column)).into_iter();
        rows.iter()
            .map(|_| results.by_ref().take(columns.len()).collect())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts batches, jobs and ends.
    #[derive(Default)]
    struct Counted([AtomicUsize; 3]);

    impl Progress for Arc<Counted> {
        fn begin(&self, jobs: usize) {
            self.0[0].fetch_add(jobs, Ordering::Relaxed);
        }

        fn advance(&self) {
            self.0[1].fetch_add(1, Ordering::Relaxed);
        }

        fn end(&self) {
            self.0[2].fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn progress_hears_of_every_job() {
        let counted = Arc::new(Counted::default());
        let workers = Workers::new(2).unwrap().with_progress(Arc::clone(&counted));
        workers.map(&[1, 2, 3], |n| n + 1);
        workers.table(&[1, 2], &[3, 4], |row, column| row * column);
        let counts = counted.0.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert_eq!(counts, [7, 7, 2]);
    }

    #[test]
    fn results_stand_in_the_order_of_the_jobs() {
        for threads in [1, 3] {
            let workers = Workers::new(threads).unwrap();
            let squares = workers.map(&[1, 2, 3, 4, 5], |n| n * n);
            assert_eq!(squares, [1, 4, 9, 16, 25]);
            let table = workers.table(&[10, 20], &[1, 2, 3], |row, column| row + column);
            assert_eq!(table, [[11, 12, 13], [21, 22, 23]]);
        }
    }
}
