//! Results of the same pair from two hosts are compared: a difference tells a broken machine or another program.

use std::collections::BTreeMap;
use std::sync::Arc;

use lmrlab_runner::conduct::portable::Portable;

/// So many of the latest results are kept to compare repeated pairs with.
const KEPT: usize = 256;

/// A result, and where it comes from.
pub(super) struct Sourced<R> {
    pub(super) result: R,
    pub(super) host: Arc<str>,
}

/// Two results of one pair from different hosts.
pub(super) struct Compared<T, R> {
    pub(super) number: u64,
    pub(super) task: T,
    pub(super) both: [Sourced<R>; 2],
}

/// A pair that comes out in two ways, or in one.
pub(super) enum Comparison<T, R> {
    Agree([Arc<str>; 2]),
    Differ(Compared<T, R>),
}

/// The results that repeated pairs are compared with.
pub(super) struct Comparisons<P: Portable> {
    /// The latest results.
    known: BTreeMap<u64, (P::Task, Sourced<P::Result>)>,
    /// Repeated pairs whose own result is not there yet.
    early: BTreeMap<u64, Vec<Sourced<P::Result>>>,
    /// Counts the choices, so that each is another one.
    choices: u64,
}

impl<P: Portable> Comparisons<P> {
    pub(super) fn new() -> Self {
        Self {
            known: BTreeMap::new(),
            early: BTreeMap::new(),
            choices: 0,
        }
    }

    /// Takes the result of a pair from the part that it belongs to.
    pub(super) fn own(
        &mut self,
        play: &P,
        number: u64,
        (task, result, host): (&P::Task, &P::Result, &Arc<str>),
    ) -> Vec<Comparison<P::Task, P::Result>> {
        let sourced = || Sourced {
            result: result.clone(),
            host: Arc::clone(host),
        };
        let early = self.early.remove(&number).unwrap_or_default();
        let compared = early
            .into_iter()
            .filter_map(|other| compare(play, number, task, [sourced(), other]));
        let compared = compared.collect();
        self.known.insert(number, (task.clone(), sourced()));
        while self.known.len() > KEPT {
            self.known.pop_first();
        }
        compared
    }

    /// Takes the result of a pair that was repeated. Nothing when it cannot be compared, or not yet.
    pub(super) fn repeated(
        &mut self,
        play: &P,
        number: u64,
        (result, host): (P::Result, &Arc<str>),
        may_come: bool,
    ) -> Option<Comparison<P::Task, P::Result>> {
        let sourced = Sourced {
            result,
            host: Arc::clone(host),
        };
        match self.known.get(&number) {
            Some((task, known)) => {
                let known = Sourced {
                    result: known.result.clone(),
                    host: Arc::clone(&known.host),
                };
                compare(play, number, task, [known, sourced])
            }
            None => {
                if may_come {
                    self.early.entry(number).or_default().push(sourced);
                }
                None
            }
        }
    }

    /// Pairs to repeat: of the latest results, those of different hosts in turns.
    pub(super) fn choose(&mut self, count: usize) -> Vec<(u64, P::Task)> {
        let mut hosts: Vec<&Arc<str>> = self.known.values().map(|(_, known)| &known.host).collect();
        hosts.sort_unstable();
        hosts.dedup();
        let mut chosen = Vec::new();
        for _ in 0..count.min(self.known.len()) {
            let host = hosts[(self.choices % hosts.len() as u64) as usize];
            self.choices += 1;
            let of_host = self.known.iter().filter(|(number, (_, known))| {
                known.host == *host && !chosen.iter().any(|(chosen, _)| chosen == *number)
            });
            chosen.extend(of_host.last().map(|(number, (task, _))| (*number, task.clone())));
        }
        chosen
    }

    /// Forgets what comes from a host.
    pub(super) fn forget(&mut self, host: &str) {
        self.known.retain(|_, (_, known)| &*known.host != host);
        for early in self.early.values_mut() {
            early.retain(|early| &*early.host != host);
        }
    }
}

fn compare<P: Portable>(
    play: &P,
    number: u64,
    task: &P::Task,
    both: [Sourced<P::Result>; 2],
) -> Option<Comparison<P::Task, P::Result>> {
    // It may be a pair that changed meanwhile, as in a race.
    if !both.iter().all(|sourced| play.fits(task, &sourced.result)) {
        return None;
    }
    Some(if play.agree(&both[0].result, &both[1].result) {
        Comparison::Agree(both.map(|sourced| sourced.host))
    } else {
        Comparison::Differ(Compared {
            number,
            task: task.clone(),
            both,
        })
    })
}
