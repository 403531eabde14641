use std::time::Duration;

use lmrlab_stats::EloModel;

use super::*;

fn scenario() -> Scenario {
    Scenario {
        workers: 20,
        workers_of_host: 4,
        pair_time: Duration::from_secs(2),
        speed_spread: 0.3,
        start_time: Duration::from_secs(1),
        scheduling_delay: Duration::from_secs(2),
        failures_per_hour: 0.0,
        straggler_share: 0.0,
        straggler_factor: 10.0,
        wrong_share: 0.0,
        poll_time: Duration::from_secs(1),
        head_pair_time: Duration::from_micros(200),
        head_attempt_time: Duration::from_millis(5),
        rules: Rules {
            attempts: 3,
            part_time: Duration::from_secs(60),
            repeatable: true,
        },
        sprt: Sprt::new(EloModel::Normalized, 0.0, 20.0, 0.05, 0.05).expect("a test"),
        elo: 0.0,
        pairs: 100_000,
        seed: 1,
    }
}

fn outcome(scenario: &Scenario) -> Outcome {
    simulate(scenario).expect("a verdict")
}

#[test]
fn many_machines_come_to_the_verdict_of_one() {
    for seed in 1..6 {
        for elo in [0.0, 20.0] {
            let sound = Scenario {
                seed,
                elo,
                ..scenario()
            };
            let outcome = outcome(&sound);
            assert!(outcome.as_one_machine, "{outcome}");
            assert!(outcome.speedup() > 5.0 && outcome.speedup() < 20.0, "{outcome}");
        }
    }
    insta::assert_snapshot!(outcome(&scenario()));
}

#[test]
fn failures_and_stragglers_cost_time_and_nothing_else() {
    let troubled = Scenario {
        failures_per_hour: 2.0,
        straggler_share: 0.02,
        ..scenario()
    };
    let (good, bad) = (outcome(&scenario()), outcome(&troubled));
    assert!(bad.as_one_machine, "{bad}");
    assert_eq!((bad.verdict, bad.needed), (good.verdict, good.needed));
    assert!(bad.lost > 0.0 && good.lost < bad.lost, "{good}\n{bad}");
    assert!(bad.time > good.time, "{good}\n{bad}");
    insta::assert_snapshot!(bad);
}

#[test]
fn a_host_that_plays_otherwise_is_excluded() {
    let outcome = outcome(&Scenario {
        wrong_share: 1.0,
        ..scenario()
    });
    assert_eq!(outcome.excluded, 1, "{outcome}");
    insta::assert_snapshot!(outcome);
}

#[test]
fn a_schedule_comes_to_its_end() {
    let outcome = outcome(&Scenario {
        pairs: 70,
        ..scenario()
    });
    assert_eq!((outcome.verdict, outcome.needed), (Verdict::Continue, 70));
    assert!(outcome.as_one_machine && outcome.beyond == 0.0, "{outcome}");
}

#[test]
fn a_part_that_always_fails_ends_the_run() {
    let error = simulate(&Scenario {
        failures_per_hour: 1e9,
        ..scenario()
    });
    let message = error.expect_err("nothing can be played").to_string();
    assert!(message.contains(" failed 3 times: on host"), "{message}");
}
