//! Whatever happens in whatever order, a dispatcher loses no pair and plays none in two parts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

const HOSTS: [&str; 4] = ["a", "b", "c", "d"];

fn rules() -> Rules {
    Rules {
        attempts: 3,
        part_time: Duration::from_secs(20),
        repeatable: true,
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn situation(slots: usize, free: &[u64]) -> Situation<'_> {
    Situation {
        now: Duration::ZERO,
        slots,
        recorded: 0,
        waiting: 0,
        expected_left: free.len() as u64,
        free,
    }
}

/// Two slots, and four pairs in two parts; both are submitted.
fn two_parts() -> Dispatcher {
    let mut dispatcher = Dispatcher::new(rules());
    let parts = dispatcher.new_parts(&situation(2, &[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(
        parts.iter().map(|part| part.pairs.clone()).collect::<Vec<_>>(),
        [[0, 1], [2, 3]]
    );
    assert_eq!(dispatcher.to_submit(Duration::ZERO, 2).len(), 2);
    dispatcher
}

#[test]
fn a_part_that_fails_is_tried_elsewhere_until_the_run_gives_up() {
    let mut dispatcher = two_parts();
    assert!(dispatcher.began(1, 1, Some("b"), seconds(1)));
    for (number, host) in [(1, "a"), (2, "b")] {
        assert!(dispatcher.began(0, number, Some(host), seconds(1)));
        assert_eq!(dispatcher.failed(0, number, Some(host), "was killed"), Ok(()));
        let again = dispatcher.to_submit(seconds(2), 2);
        assert_eq!(again.len(), 1);
        assert_eq!((again[0].part, again[0].number), (0, number + 1));
        // After both hosts there is no other.
        assert_eq!(again[0].avoid, if number == 1 { vec!["a"] } else { vec![] });
    }
    let gave_up = dispatcher
        .failed(0, 3, Some("a"), "wrote half a line")
        .expect_err("three attempts");
    assert_eq!(
        gave_up.to_string(),
        "part 1 failed 3 times: on a it was killed; on b it was killed; on a it wrote half a line"
    );
    assert_eq!(dispatcher.parts().map(|(part, _)| part).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_slow_part_is_started_twice() {
    let mut dispatcher = two_parts();
    assert!(dispatcher.began(0, 1, Some("a"), seconds(0)));
    assert!(dispatcher.began(1, 1, Some("b"), seconds(0)));
    assert_eq!(
        dispatcher.done(1, 1, "b", seconds(3)),
        Arrival::Counts { cancel: vec![] }
    );
    // Before anything was done, nobody knew better than the time that a part should take.
    assert_eq!(dispatcher.to_submit(seconds(39), 2), []);
    let more = Situation {
        expected_left: 100,
        ..situation(2, &[4, 5])
    };
    assert_eq!(dispatcher.new_parts(&more).len(), 1);
    // It goes before a new part: what comes after it cannot be recorded without it.
    let second = dispatcher.to_submit(seconds(40), 2);
    assert_eq!(
        second,
        [Attempt {
            part: 0,
            number: 2,
            avoid: vec!["a".to_owned()]
        }]
    );
    assert_eq!(dispatcher.to_submit(seconds(40), 3)[0].part, 2);
    assert_eq!(dispatcher.to_submit(seconds(400), 9), [], "never a third");
    assert_eq!(
        dispatcher.done(0, 2, "b", seconds(41)),
        Arrival::Counts { cancel: vec![(0, 1)] }
    );
    assert_eq!(dispatcher.done(0, 1, "a", seconds(42)), Arrival::Unneeded);
    assert_eq!(dispatcher.failed(0, 1, Some("a"), "was cancelled"), Ok(()));
}

#[test]
fn what_an_excluded_host_has_is_played_elsewhere() {
    let mut dispatcher = two_parts();
    assert!(dispatcher.began(0, 1, Some("a"), seconds(0)));
    assert_eq!(dispatcher.exclude("a"), [(0, 1)]);
    assert_eq!(dispatcher.exclude("a"), []);
    let again = dispatcher.to_submit(seconds(1), 2);
    assert_eq!(
        again,
        [Attempt {
            part: 0,
            number: 2,
            avoid: vec!["a".to_owned()]
        }]
    );
    assert!(!dispatcher.began(0, 2, Some("a"), seconds(2)), "it is to be cancelled");
    assert_eq!(dispatcher.to_submit(seconds(3), 2)[0].number, 3);
    assert_eq!(dispatcher.done(0, 3, "a", seconds(4)), Arrival::Unneeded);
    assert_eq!(dispatcher.to_submit(seconds(5), 2)[0].number, 4);
    // None of these counts as a failure.
    for number in 4..6 {
        assert_eq!(dispatcher.failed(0, number, None, "vanished"), Ok(()));
        assert_eq!(dispatcher.to_submit(seconds(6), 2)[0].number, number + 1);
    }
    assert!(dispatcher.failed(0, 6, None, "vanished").is_err());
}

#[test]
fn a_killed_head_goes_on() {
    let mut dispatcher = Dispatcher::new(rules());
    let part = |part, pairs: &[u64]| NewPart {
        part,
        pairs: pairs.to_vec(),
        checks: 0,
    };
    let restored = |part, attempts| RestoredPart {
        part,
        attempts,
        failures: Vec::new(),
        last_attempt: 4,
    };
    dispatcher.restore(
        vec![
            restored(part(3, &[10, 11]), vec![(2, Some("a".to_owned()))]),
            restored(part(5, &[12]), vec![]),
        ],
        9,
    );
    assert_eq!(dispatcher.attempts_in_play(), 1);
    let submitted = dispatcher.to_submit(Duration::ZERO, 3);
    assert_eq!((submitted[0].part, submitted[0].number), (5, 5));
    let more = Situation {
        expected_left: 5,
        ..situation(3, &[13, 14])
    };
    assert_eq!(dispatcher.new_parts(&more)[0].part, 9);
    // How long it took is not known, so that nothing is learnt from it.
    assert!(dispatcher.began(3, 2, Some("a"), seconds(1)));
    assert_eq!(
        dispatcher.done(3, 2, "a", seconds(2)),
        Arrival::Counts { cancel: vec![] }
    );
    assert_eq!(dispatcher.pace.patience(1), None);
    assert_eq!(dispatcher.withdraw(5), [(5, 5)]);
    assert_eq!(dispatcher.withdraw(5), []);
}

#[test]
fn a_host_knows_best_how_long_it_played() {
    let mut dispatcher = two_parts();
    dispatcher.took(1, 1, seconds(4));
    assert_eq!(
        dispatcher.done(1, 1, "b", seconds(90)),
        Arrival::Counts { cancel: vec![] }
    );
    // The second part has a check: three pairs in four seconds, and twice as much is slow.
    assert_eq!(dispatcher.pace.patience(3), Some(seconds(8)));
}

#[test]
fn nothing_is_repeated_where_pairs_differ_each_time() {
    let free: Vec<u64> = (0..100).collect();
    let checks = |repeatable| {
        let mut dispatcher = Dispatcher::new(Rules { repeatable, ..rules() });
        let parts = dispatcher.new_parts(&situation(10, &free));
        parts.iter().map(|part| part.checks).sum::<usize>()
    };
    assert_eq!((checks(true), checks(false)), (5, 0));
}

/// Something that happens; the numbers choose among what is there.
#[derive(Debug, Clone)]
enum Event {
    Cut { slots: usize, expected: u64 },
    Submit { slots: usize },
    NotSubmitted(usize),
    Began(usize, usize),
    Done(usize, usize),
    Failed(usize, Option<usize>),
    Withdraw(usize),
    Exclude(usize),
    Checked(usize),
    HeadDies,
}

fn event() -> impl Strategy<Value = Event> {
    let any = 0_usize..1000;
    let host = 0..HOSTS.len();
    prop_oneof![
        6 => (0_usize..12, 0_u64..200).prop_map(|(slots, expected)| Event::Cut { slots, expected }),
        6 => (0_usize..12).prop_map(|slots| Event::Submit { slots }),
        1 => any.clone().prop_map(Event::NotSubmitted),
        6 => (any.clone(), host.clone()).prop_map(|(any, host)| Event::Began(any, host)),
        6 => (any.clone(), host.clone()).prop_map(|(any, host)| Event::Done(any, host)),
        3 => (any.clone(), prop::option::of(host.clone())).prop_map(|(any, host)| Event::Failed(any, host)),
        1 => any.prop_map(Event::Withdraw),
        1 => (0..HOSTS.len() - 1).prop_map(Event::Exclude),
        2 => host.prop_map(Event::Checked),
        1 => Just(Event::HeadDies),
    ]
}

/// What a head knows, kept in the simplest way.
struct Model {
    dispatcher: Dispatcher,
    now: Duration,
    /// Pairs in no part.
    free: BTreeSet<u64>,
    parts: BTreeMap<PartNumber, NewPart>,
    attempts: BTreeMap<AttemptName, Option<&'static str>>,
    /// Every attempt that ever was.
    ever: BTreeSet<AttemptName>,
    failures: BTreeMap<PartNumber, Vec<PartFailure>>,
    excluded: BTreeSet<&'static str>,
    played: BTreeSet<u64>,
    next_part: PartNumber,
}

impl Model {
    fn new() -> Self {
        Self {
            dispatcher: Dispatcher::new(rules()),
            now: Duration::ZERO,
            free: (0..150).collect(),
            parts: BTreeMap::new(),
            attempts: BTreeMap::new(),
            ever: BTreeSet::new(),
            failures: BTreeMap::new(),
            excluded: BTreeSet::new(),
            played: BTreeSet::new(),
            next_part: 0,
        }
    }

    fn attempt(&self, any: usize) -> Option<AttemptName> {
        self.attempts.keys().nth(any % self.attempts.len().max(1)).copied()
    }

    fn end(&mut self, part: PartNumber, cancel: Vec<AttemptName>) -> Vec<u64> {
        let here: Vec<AttemptName> = self.attempts.keys().filter(|(of, _)| *of == part).copied().collect();
        assert_eq!(cancel, here);
        self.attempts.retain(|(of, _), _| *of != part);
        self.parts.remove(&part).expect("it was there").pairs
    }

    fn submit(&mut self, slots: usize) {
        let waiting: BTreeSet<PartNumber> = self.without_attempts().collect();
        let submitted = self.dispatcher.to_submit(self.now, slots);
        if !submitted.is_empty() {
            assert!(self.attempts.len() + submitted.len() <= slots);
        }
        for attempt in submitted {
            let name = (attempt.part, attempt.number);
            assert!(self.ever.insert(name), "{name:?} is submitted again");
            if !waiting.contains(&attempt.part) {
                let others = self.attempts.keys().filter(|(part, _)| *part == attempt.part).count();
                assert_eq!(others, 1, "part {} is started a third time", attempt.part);
            }
            assert!(
                self.excluded
                    .iter()
                    .all(|host| attempt.avoid.iter().any(|avoid| avoid == host))
            );
            assert!(attempt.avoid.len() < HOSTS.len());
            self.attempts.insert(name, None);
        }
        if self.attempts.len() < slots {
            assert_eq!(self.without_attempts().count(), 0, "a part waits beside a free slot");
        }
    }

    fn without_attempts(&self) -> impl Iterator<Item = PartNumber> {
        let none = |part: &&PartNumber| !self.attempts.keys().any(|(of, _)| of == *part);
        self.parts.keys().filter(none).copied()
    }

    fn cut(&mut self, slots: usize, expected_left: u64) {
        let free: Vec<u64> = self.free.iter().copied().collect();
        let mut situation = Situation {
            now: self.now,
            slots,
            recorded: self.played.len() as u64,
            waiting: 0,
            expected_left,
            free: &[],
        };
        let in_parts: u64 = self.parts.values().map(|part| part.pairs.len() as u64).sum();
        let wanted = self.dispatcher.wanted(&situation);
        let room = usize::try_from(wanted.checked_sub(in_parts).expect("parts are ahead")).expect("few");
        situation.free = &free[..room.min(free.len())];
        let parts = self.dispatcher.new_parts(&situation);
        let cut: Vec<u64> = parts.iter().flat_map(|part| part.pairs.clone()).collect();
        assert_eq!(cut, situation.free, "in their order, and as many as are wanted");
        assert!(parts.len() <= slots);
        for part in parts {
            assert_eq!(part.part, self.next_part);
            assert!(!part.pairs.is_empty());
            self.next_part += 1;
            for pair in &part.pairs {
                assert!(self.free.remove(pair), "pair {pair} is in two parts");
            }
            self.parts.insert(part.part, part);
        }
    }

    fn failed(&mut self, name: AttemptName, host: Option<usize>) {
        let known = self.attempts.remove(&name).flatten();
        let host = host.map(|host| HOSTS[host]);
        if !host.is_some_and(|host| self.excluded.contains(host)) {
            self.failures.entry(name.0).or_default().push(PartFailure {
                attempt: name.1,
                host: host.or(known).map(str::to_owned),
                why: "failed".to_owned(),
            });
        }
        let failures = self.failures.get(&name.0).cloned().unwrap_or_default();
        let another = self.attempts.keys().any(|(part, _)| *part == name.0);
        match self.dispatcher.failed(name.0, name.1, host, "failed") {
            Ok(()) => assert!(another || failures.len() < 3),
            Err(gave_up) => {
                assert!(!another && failures.len() >= 3);
                assert_eq!(gave_up.failures, failures);
                assert_eq!(gave_up.part, name.0);
                let pairs = self.end(name.0, vec![]);
                self.free.extend(pairs);
            }
        }
    }

    fn happen(&mut self, event: Event) {
        self.now += seconds(7);
        match event {
            Event::Cut { slots, expected } => self.cut(slots, expected),
            Event::Submit { slots } => self.submit(slots),
            Event::NotSubmitted(any) => {
                if let Some(name) = self.attempt(any) {
                    self.attempts.remove(&name);
                    self.dispatcher.not_submitted(name.0, name.1);
                }
            }
            Event::Began(any, host) => {
                if let Some(name) = self.attempt(any) {
                    let goes_on = self.dispatcher.began(name.0, name.1, Some(HOSTS[host]), self.now);
                    assert_eq!(goes_on, !self.excluded.contains(HOSTS[host]));
                    if goes_on {
                        self.attempts.insert(name, Some(HOSTS[host]));
                    } else {
                        self.attempts.remove(&name);
                    }
                }
            }
            Event::Done(any, host) => {
                if let Some(name) = self.attempt(any) {
                    self.attempts.remove(&name);
                    match self.dispatcher.done(name.0, name.1, HOSTS[host], self.now) {
                        Arrival::Counts { cancel } => {
                            assert!(!self.excluded.contains(HOSTS[host]));
                            let pairs = self.end(name.0, cancel);
                            self.played.extend(pairs);
                        }
                        Arrival::Unneeded => assert!(self.excluded.contains(HOSTS[host])),
                    }
                }
            }
            Event::Failed(any, host) => {
                if let Some(name) = self.attempt(any) {
                    self.failed(name, host);
                }
            }
            Event::Withdraw(any) => {
                if let Some(&part) = self.parts.keys().nth(any % self.parts.len().max(1)) {
                    let cancel = self.dispatcher.withdraw(part);
                    let pairs = self.end(part, cancel);
                    self.free.extend(pairs);
                }
            }
            Event::Exclude(host) => {
                let cancelled = self.dispatcher.exclude(HOSTS[host]);
                let on_it: Vec<AttemptName> = self
                    .attempts
                    .iter()
                    .filter(|(_, on)| **on == Some(HOSTS[host]))
                    .map(|(name, _)| *name)
                    .collect();
                assert_eq!(cancelled, on_it);
                self.attempts.retain(|name, _| !on_it.contains(name));
                self.excluded.insert(HOSTS[host]);
            }
            Event::Checked(host) => self.dispatcher.checked(HOSTS[host]),
            Event::HeadDies => self.head_dies(),
        }
        self.compare();
    }

    fn head_dies(&mut self) {
        self.dispatcher = Dispatcher::new(rules());
        for host in &self.excluded {
            assert_eq!(self.dispatcher.exclude(host), []);
        }
        let parts = self.parts.iter().map(|(number, part)| RestoredPart {
            part: part.clone(),
            attempts: self
                .attempts
                .iter()
                .filter(|((of, _), _)| of == number)
                .map(|((_, attempt), host)| (*attempt, host.map(str::to_owned)))
                .collect(),
            failures: self.failures.get(number).cloned().unwrap_or_default(),
            last_attempt: self
                .ever
                .iter()
                .filter(|(of, _)| of == number)
                .map(|(_, attempt)| *attempt)
                .max()
                .unwrap_or(0),
        });
        self.dispatcher.restore(parts.collect(), self.next_part);
    }

    fn compare(&self) {
        assert_eq!(self.dispatcher.attempts_in_play(), self.attempts.len());
        let parts: BTreeMap<PartNumber, Vec<u64>> = self
            .dispatcher
            .parts()
            .map(|(part, pairs)| (part, pairs.to_vec()))
            .collect();
        let expected = self.parts.iter().map(|(number, part)| (*number, part.pairs.clone()));
        assert_eq!(parts, expected.collect());
        let in_parts: usize = parts.values().map(Vec::len).sum();
        assert_eq!(self.free.len() + in_parts + self.played.len(), 150, "a pair is lost");
    }

    /// Nothing goes wrong any more: all is played.
    fn finish(&mut self) {
        let good = HOSTS.len() - 1;
        for _ in 0..1000 {
            if self.played.len() == 150 {
                return;
            }
            self.happen(Event::Cut {
                slots: 5,
                expected: 1000,
            });
            self.happen(Event::Submit { slots: 5 });
            self.happen(Event::Done(0, good));
        }
        panic!("only {} pairs were played", self.played.len());
    }
}

proptest! {
    #[test]
    fn no_pair_is_lost_or_played_in_two_parts(events in prop::collection::vec(event(), 0..120)) {
        let mut model = Model::new();
        for event in events {
            model.happen(event);
        }
        model.finish();
    }
}
