//! Workers that are made up: their hosts, their speeds, and which of them are free.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::Scenario;

/// A worker by its number.
pub(super) type Worker = usize;

/// So many free workers are looked at for one that is not to be avoided.
const LOOKS: usize = 32;

/// How an attempt goes on a worker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    /// Between the submission and the beginning.
    pub(super) delay: Duration,
    /// Between the beginning and the end.
    pub(super) length: Duration,
    /// Whether it ends by a failure.
    pub(super) fails: bool,
}

/// All workers.
pub(super) struct Machines<'s> {
    scenario: &'s Scenario,
    random: Pcg64Mcg,
    /// Time that each takes for a mean pair, in that of a mean worker.
    slowness: Vec<f64>,
    free: Vec<Worker>,
    hosts: Vec<String>,
    excluded: Vec<bool>,
}

impl<'s> Machines<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(scenario.seed ^ 0x006d_6163_6869_6e65);
        let spread = scenario.speed_spread;
        let slowness = (0..scenario.workers).map(|_| 1.0 / (1.0 - spread + 2.0 * spread * random.random::<f64>()));
        let slowness = slowness.collect();
        let hosts = scenario.workers.div_ceil(scenario.workers_of_host.max(1));
        Self {
            scenario,
            random,
            slowness,
            free: (0..scenario.workers).collect(),
            hosts: (0..hosts).map(|host| format!("host{host}")).collect(),
            excluded: vec![false; hosts],
        }
    }

    /// Workers of hosts that are not excluded.
    pub(super) fn slots(&self) -> usize {
        (0..self.scenario.workers)
            .filter(|&worker| !self.excluded[self.host_number(worker)])
            .count()
    }

    pub(super) fn host(&self, worker: Worker) -> &str {
        &self.hosts[self.host_number(worker)]
    }

    /// A free worker, chosen at random, on none of these hosts.
    pub(super) fn take(&mut self, avoid: &[String]) -> Option<Worker> {
        for _ in 0..LOOKS {
            if self.free.is_empty() {
                return None;
            }
            let index = self.random.random_range(0..self.free.len());
            let host = self.host_number(self.free[index]);
            if !avoid.contains(&self.hosts[host]) {
                return Some(self.free.swap_remove(index));
            }
        }
        None
    }

    /// A worker has nothing to do any more.
    pub(super) fn release(&mut self, worker: Worker) {
        if !self.excluded[self.host_number(worker)] {
            self.free.push(worker);
        }
    }

    /// Returns whether the host was not excluded before.
    pub(super) fn exclude(&mut self, name: &str) -> bool {
        let Some(host) = self.hosts.iter().position(|host| host == name) else {
            return false;
        };
        let of_host = self.scenario.workers_of_host.max(1);
        self.free.retain(|worker| worker / of_host != host);
        !std::mem::replace(&mut self.excluded[host], true)
    }

    /// Whether a pair that is played on this worker comes out wrong.
    pub(super) fn is_wrong(&mut self, worker: Worker) -> bool {
        let share = self.scenario.wrong_share;
        share > 0.0 && self.host_number(worker) == 0 && self.random.random::<f64>() < share
    }

    /// How an attempt goes, of which the pairs take so long, in mean pairs.
    pub(super) fn course(&mut self, worker: Worker, pairs: f64) -> Course {
        let Scenario {
            scheduling_delay,
            start_time,
            pair_time,
            failures_per_hour,
            straggler_share,
            straggler_factor,
            ..
        } = *self.scenario;
        let delay = scheduling_delay.mul_f64(self.exponential());
        let straggles = self.random.random::<f64>() < straggler_share;
        let factor = self.slowness[worker] * if straggles { straggler_factor } else { 1.0 };
        let whole = (start_time + pair_time.mul_f64(pairs)).mul_f64(factor);
        let hours = self.exponential() / failures_per_hour;
        // Infinite without failures.
        let until_failure = Duration::try_from_secs_f64(hours * 3600.0).unwrap_or(Duration::MAX);
        Course {
            delay,
            length: whole.min(until_failure),
            fails: until_failure < whole,
        }
    }

    fn host_number(&self, worker: Worker) -> usize {
        worker / self.scenario.workers_of_host.max(1)
    }

    /// Exponentially distributed, with mean 1.
    fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.random.random::<f64>())
    }
}
