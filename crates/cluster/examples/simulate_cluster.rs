//! Simulates tests on clusters of several sizes; prints a table and, if asked, writes a CSV file with a line for each seed.
//!
//! `cargo run --release -p lmrlab-cluster --example simulate_cluster -- --workers 10,1000 --pair-time 0.16,16`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lmrlab_cluster::dispatch::Rules;
use lmrlab_cluster::simulation::{Outcome, Scenario, simulate};
use lmrlab_stats::{EloModel, Sprt};

/// Times are in seconds, strengths in normalized Elo.
#[derive(Parser)]
struct Options {
    /// Workers in all
    #[arg(long, value_delimiter = ',', default_value = "10,100,1000,10000")]
    workers: Vec<usize>,
    /// Workers of a host
    #[arg(long, default_value_t = 32)]
    workers_of_host: usize,
    /// Time of a pair on a mean worker: 1,000, 5,000 and 100,000 nodes a move
    #[arg(long, value_delimiter = ',', default_value = "0.16,0.8,16")]
    pair_time: Vec<f64>,
    /// Share by which the fastest workers are faster than the mean
    #[arg(long, default_value_t = 0.3)]
    speed_spread: f64,
    /// Time of an attempt before its first pair
    #[arg(long, default_value_t = 0.5)]
    start_time: f64,
    /// Mean time between a submission and the beginning
    #[arg(long, default_value_t = 2.0)]
    scheduling_delay: f64,
    /// Failures of a worker in an hour
    #[arg(long, default_value_t = 0.0)]
    failures_per_hour: f64,
    /// Share of the attempts that take longer
    #[arg(long, default_value_t = 0.0)]
    straggler_share: f64,
    /// How many times as long they take
    #[arg(long, default_value_t = 10.0)]
    straggler_factor: f64,
    /// Share of the first host's pairs that come out wrong
    #[arg(long, default_value_t = 0.0)]
    wrong_share: f64,
    /// The head asks how its jobs go at this interval
    #[arg(long, default_value_t = 1.0)]
    poll_time: f64,
    /// The head's processor time for a pair
    #[arg(long, default_value_t = 0.0002)]
    head_pair_time: f64,
    /// The head's processor time for an attempt
    #[arg(long, default_value_t = 0.002)]
    head_attempt_time: f64,
    /// How long a part should take
    #[arg(long, default_value_t = 60.0)]
    part_time: f64,
    /// Failed attempts before the run gives up
    #[arg(long, default_value_t = 3)]
    attempts: u32,
    /// The strength of the test's first hypothesis
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// That of the second
    #[arg(long, default_value_t = 4.0, allow_negative_numbers = true)]
    elo1: f64,
    /// The true strength
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo: f64,
    /// Pairs of the schedule
    #[arg(long, default_value_t = 1_000_000)]
    pairs: u64,
    /// Seeds from 1; the table has the means
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Where a line for each seed is written
    #[arg(long)]
    csv: Option<PathBuf>,
}

impl Options {
    fn scenario(&self, workers: usize, pair_time: f64, seed: u64) -> Result<Scenario, Box<dyn std::error::Error>> {
        if workers == 0 || self.workers_of_host == 0 {
            return Err("--workers and --workers-of-host must be at least 1, not 0".into());
        }
        if pair_time <= 0.0 || !(0.0..1.0).contains(&self.speed_spread) {
            return Err("--pair-time must be more than 0, and --speed-spread at least 0 and less than 1".into());
        }
        let seconds = Duration::try_from_secs_f64;
        Ok(Scenario {
            workers,
            workers_of_host: self.workers_of_host,
            pair_time: seconds(pair_time)?,
            speed_spread: self.speed_spread,
            start_time: seconds(self.start_time)?,
            scheduling_delay: seconds(self.scheduling_delay)?,
            failures_per_hour: self.failures_per_hour,
            straggler_share: self.straggler_share,
            straggler_factor: self.straggler_factor,
            wrong_share: self.wrong_share,
            poll_time: seconds(self.poll_time)?,
            head_pair_time: seconds(self.head_pair_time)?,
            head_attempt_time: seconds(self.head_attempt_time)?,
            rules: Rules {
                attempts: self.attempts,
                part_time: seconds(self.part_time)?,
                repeatable: true,
            },
            sprt: Sprt::new(EloModel::Normalized, self.elo0, self.elo1, 0.05, 0.05)?,
            elo: self.elo,
            pairs: self.pairs,
            seed,
        })
    }
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let mut csv = options.csv.as_ref().map(csv::Writer::from_path).transpose()?;
    if let Some(csv) = &mut csv {
        csv.write_record([
            "pair_seconds",
            "workers",
            "seed",
            "verdict",
            "needed",
            "seconds",
            "one_machine_seconds",
            "beyond",
            "repeated",
            "lost",
            "wrong",
            "idle",
            "head",
            "attempts",
        ])?;
    }
    println!(
        "| s a pair | workers | pairs needed | one worker | time | speed-up | beyond | repeated | lost | idle | head | attempts |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut unlike_one_machine = 0;
    for &pair_time in &options.pair_time {
        for &workers in &options.workers {
            let mut outcomes = Vec::new();
            for seed in 1..=options.seeds {
                let outcome = simulate(&options.scenario(workers, pair_time, seed)?)?;
                if let Some(csv) = &mut csv {
                    csv.serialize((
                        pair_time,
                        workers,
                        seed,
                        format!("{:?}", outcome.verdict),
                        outcome.needed,
                        outcome.time.as_secs_f64(),
                        outcome.one_machine.as_secs_f64(),
                        outcome.beyond,
                        outcome.repeated,
                        outcome.lost,
                        outcome.wrong,
                        outcome.idle,
                        outcome.head,
                        outcome.attempts,
                    ))?;
                }
                unlike_one_machine += u64::from(!outcome.as_one_machine);
                outcomes.push(outcome);
            }
            println!("{}", row(pair_time, workers, &outcomes));
        }
    }
    if let Some(mut csv) = csv {
        csv.flush()?;
    }
    println!("\nRuns that ended otherwise than on one machine: {unlike_one_machine}");
    Ok(())
}

/// A line of the table: means over the seeds, shares of the pairs that were needed.
fn row(pair_time: f64, workers: usize, outcomes: &[Outcome]) -> String {
    let mean = |value: &dyn Fn(&Outcome) -> f64| outcomes.iter().map(value).sum::<f64>() / outcomes.len() as f64;
    let needed = mean(&|outcome| outcome.needed as f64);
    let share = |value: &dyn Fn(&Outcome) -> f64| format!("{:.1}%", 100.0 * mean(value) / needed);
    let one = mean(&|outcome| outcome.one_machine.as_secs_f64());
    let time = mean(&|outcome| outcome.time.as_secs_f64());
    format!(
        "| {pair_time} | {workers} | {needed:.0} | {} | {} | {:.1} | {} | {} | {} | {:.0}% | {:.1}% | {:.0} |",
        readable(one),
        readable(time),
        one / time,
        share(&|outcome| outcome.beyond),
        share(&|outcome| outcome.repeated),
        share(&|outcome| outcome.lost),
        100.0 * mean(&|outcome| outcome.idle),
        100.0 * mean(&|outcome| outcome.head),
        mean(&|outcome| outcome.attempts as f64),
    )
}

/// Seconds in the unit that fits.
fn readable(seconds: f64) -> String {
    if seconds < 600.0 {
        format!("{seconds:.0} s")
    } else if seconds < 36_000.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}
