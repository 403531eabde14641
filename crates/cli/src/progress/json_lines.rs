//! Progress of a run as JSON lines.

use serde_json::{Value, json};

use super::figures::Pace;
use crate::print::print_out;
use lmrlab_results::games::GameRow;
use lmrlab_runner::conduct::event::{Event, RunObserver};
use lmrlab_runner::record::fates;
use lmrlab_runner::record::progress::{Ended, TournamentProgress};
use lmrlab_runner::tournament::race::fate_name;
use lmrlab_stats::{Estimate, Verdict};

/// Writes one object with the key `event` for each event.
#[derive(Default)]
pub(super) struct JsonLines {
    pace: Option<Pace>,
}

impl JsonLines {
    fn say(&self, event: &str, progress: &TournamentProgress, more: Value) {
        let mut object = json!({
            "event": event,
            "games": 2 * progress.pairs,
            "scheduled_games": 2 * progress.scheduled_pairs,
        });
        if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
            object.extend(more);
        }
        print_line(&object);
    }

    /// The result after a pair.
    fn figures(&self, progress: &TournamentProgress) -> Value {
        let faults = progress.tally.all_faults();
        let mut figures = json!({
            "pairs_per_second": self.pace.map(|pace| pace.pairs_per_second(progress)),
            "seconds_left": self.pace.and_then(|pace| pace.seconds_left(progress)),
            "time_losses": faults.time_losses,
            "illegal_moves": faults.illegal_moves,
            "crashes": faults.crashes,
            "stalls": faults.stalls,
        });
        if let ([_, _], Value::Object(figures)) = (progress.tally.names(), &mut figures) {
            let pairs = &progress.tally.encounter(0, 1).pairs;
            let estimate = Estimate::of(pairs);
            let error = estimate.and_then(|estimate| estimate.elo_error_95);
            figures.insert("pentanomial".to_owned(), json!(pairs.counts()));
            // Infinity becomes null.
            figures.insert("elo".to_owned(), json!(estimate.map(|estimate| estimate.elo.0)));
            figures.insert("elo_error_95".to_owned(), json!(error.map(|error| error.0)));
        }
        if let (Some(sprt), Value::Object(figures)) = (progress.sprt, &mut figures) {
            figures.insert("llr".to_owned(), json!(progress.llr()));
            figures.insert("llr_lower".to_owned(), json!(sprt.bounds().0));
            figures.insert("llr_upper".to_owned(), json!(sprt.bounds().1));
        }
        figures
    }
}

impl RunObserver<TournamentProgress> for JsonLines {
    fn on_event(&mut self, event: Event<'_>, progress: &mut TournamentProgress) {
        match event {
            Event::Started => {
                self.pace = Some(Pace::new(progress));
                let engines = json!({ "engines": progress.tally.names() });
                self.say("started", progress, engines);
            }
            Event::PairRecorded { games, .. } => {
                for game in games.iter().filter(|game| game.fault_side().is_some()) {
                    self.say("fault", progress, fault(game));
                }
                let mut figures = self.figures(progress);
                if let Value::Object(figures) = &mut figures {
                    figures.insert("pair".to_owned(), json!(games[0].pair));
                    figures.insert("first".to_owned(), json!(games[0].white));
                    figures.insert("second".to_owned(), json!(games[0].black));
                    let results = games.each_ref().map(|game| game.result.pgn());
                    figures.insert("results".to_owned(), json!(results));
                }
                self.say("pair", progress, figures);
                if let Some(race) = &progress.race {
                    for engine in progress.just_decided() {
                        let fate = json!({
                            "engine": progress.tally.names()[engine],
                            "fate": fate_name(race.fate(engine)),
                            "rounds": race.rounds(),
                            "racing": race.racing(),
                        });
                        self.say("fate", progress, fate);
                    }
                }
            }
            Event::Warning { engine, what } => {
                print_line(&json!({ "event": "warning", "engine": engine, "warning": what }));
            }
            Event::Steered { what } => {
                print_line(&json!({ "event": "threads", "what": what }));
            }
            Event::Finished => {}
            Event::Ended { ended } => {
                let ended = match ended {
                    Some(Ended::Complete) => "complete",
                    Some(Ended::Decided(Verdict::AcceptH1)) => "accepted_h1",
                    Some(Ended::Decided(_)) => "accepted_h0",
                    Some(Ended::RaceOver) => "race_over",
                    Some(Ended::RaceStopped) => "race_stopped",
                    Some(Ended::Interrupted) => "interrupted",
                    None => "playing",
                };
                let mut figures = self.figures(progress);
                if let Value::Object(figures) = &mut figures {
                    figures.insert("ended".to_owned(), json!(ended));
                    let faults = progress.no_verdict();
                    if let Some(fair) = fair_estimate(progress) {
                        figures.insert("sprt_estimate".to_owned(), fair);
                    }
                    if let Some(faults) = faults {
                        figures.insert("no_verdict".to_owned(), json!(faults.to_string()));
                    }
                    if let Some(race) = &progress.race {
                        let rows = fates::fates(&progress.tally, race);
                        figures.insert("race".to_owned(), json!(rows));
                    }
                    let rows: Vec<Value> = progress
                        .standings()
                        .iter()
                        .map(|row| {
                            json!({
                                "rank": row.rank,
                                "engine": row.engine,
                                "games": row.games,
                                "wins": row.wins,
                                "draws": row.draws,
                                "losses": row.losses,
                                "elo": row.elo.0,
                                "elo_error_95": row.elo_error_95.0,
                                "elo_against": row.elo_against,
                            })
                        })
                        .collect();
                    figures.insert("standings".to_owned(), json!(rows));
                }
                self.say("ended", progress, figures);
            }
        }
    }
}

/// Prints a line. A script that has stopped reading must not end the run.
fn print_line(object: &Value) {
    print_out(&format!("{object}\n"));
}

/// The estimate that allows for the early stop of the SPRT. `None` when the test did not stop early.
fn fair_estimate(progress: &TournamentProgress) -> Option<Value> {
    let estimate = progress.corrected()?;
    Some(json!({
        "elo": estimate.elo.0,
        "elo_low_95": estimate.low.0,
        "elo_high_95": estimate.high.0,
        "los": estimate.los,
    }))
}

fn fault(game: &GameRow) -> Value {
    json!({
        "game": game.game,
        "engine": game.fault_of(),
        "fault": game.fault,
        "fen": game.fen,
        "moves": game.moves.to_string(),
        "go": game.fault_go,
    })
}
