//! Hosts that play otherwise than others: found out, excluded, and nothing of theirs is taken.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::Told;
use super::comparisons::Compared;
use super::ledger::{AttemptRow, Fate};
use super::numbers::Numbers;
use super::round::Head;
use lmrlab_runner::conduct::in_order::{Record, Tasks};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::fixed::Spaced;

impl<P, R> Head<'_, P, R>
where
    P: Portable,
    R: Record<Result = P::Result, Remark = P::Remark>,
    R::Tasks: Tasks<Task = P::Task>,
{
    /// Plays a pair here that came out in two ways, and excludes the host that was wrong.
    pub(super) fn decide_between(&mut self, compared: &Compared<P::Task, P::Result>) -> Result<(), Failure> {
        let mut remarks = Vec::new();
        let played = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = self.play.worker();
            self.play.play(&mut worker, &compared.task, &mut remarks)
        }));
        let described = self.play.describe(&compared.task);
        let here = match played {
            Ok(Some(result)) => result,
            // Somebody has asked to stop.
            Ok(None) => return Ok(()),
            Err(panic) => return Err(Failure::mistake(&described, &*panic)),
        };
        let wrong: BTreeSet<Arc<str>> = (compared.both.iter())
            .filter(|sourced| !self.play.agree(&sourced.result, &here))
            .map(|sourced| Arc::clone(&sourced.host))
            .collect();
        if wrong.len() > 1 {
            let hosts: Vec<&str> = wrong.iter().map(|host| &**host).collect();
            let hosts = hosts.join(" and ");
            return Err(Failure::run(format!(
                "{described} comes out differently on {hosts}, and here in a third way: this machine, or its build of lmrlab, \
                 is not as they are"
            )));
        }
        for host in wrong {
            let number = compared.number + 1;
            let why = format!("pair {number} came out differently there than on another host and here");
            self.exclude(&host, &why)?;
        }
        Ok(())
    }

    /// Gives no more parts to a host, and takes nothing from it.
    pub(super) fn exclude(&mut self, host: &str, why: &str) -> Result<(), Failure> {
        self.cluster.executor.exclude(host);
        let attempts = self.dispatcher.exclude(host);
        self.cancel(&attempts, Fate::Excluded, why)?;
        self.comparisons.forget(host);
        let dropped: Vec<u64> = (self.hosts.iter())
            .filter(|(_, from)| &***from == host)
            .map(|(number, _)| *number)
            .collect();
        for number in &dropped {
            self.hosts.remove(number);
            self.waiting.remove(number);
        }
        self.ledger.add(AttemptRow {
            part: 0,
            attempt: 0,
            host: host.to_owned(),
            fate: Fate::Excluded,
            pairs: Spaced(Numbers::ranges(dropped.iter().map(|number| number + 1))),
            checks: 0,
            duration_ms: None,
            why: why.to_owned(),
        })?;
        self.tell(&Told::Excluded {
            host: host.to_owned(),
            why: why.to_owned(),
        });
        let recorded = self.ledger.recorded_of(host, self.record.recorded());
        match recorded {
            None => Ok(()),
            Some(first) => Err(Failure::run(format!(
                "{host} was excluded ({why}), and pairs that it played are recorded, the first of them is pair {first}; they \
                 are taken back when the run goes on"
            ))),
        }
    }
}
