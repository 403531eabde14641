//! Progress of a run as JSON lines.

use serde_json::{Map, Value, json};

use super::figures::seconds_left;
use super::pairs::Pace;
use crate::frame::print::print_out;
use lmrlab_results::game_end::FaultClass;
use lmrlab_results::rows::games::GameRow;
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

/// Prints a line. A script that has stopped reading must not end the run.
fn print_line(object: &Value) {
    print_out(&format!("{object}\n"));
}

impl JsonLines {
    /// Prints an event, with the keys of these objects.
    fn say(&self, event: &str, progress: &TournamentProgress, more: &[Value]) {
        let head = json!({
            "event": event,
            "games": 2 * progress.pairs,
            "scheduled_games": 2 * progress.scheduled_pairs,
        });
        let objects = std::iter::once(&head).chain(more).filter_map(Value::as_object);
        let keys = objects.flatten().map(|(key, value)| (key.clone(), value.clone()));
        print_line(&keys.collect::<Map<String, Value>>().into());
    }

    /// The result so far.
    fn figures(&self, progress: &TournamentProgress) -> Vec<Value> {
        let faults = progress.tally.all_faults();
        let mut figures = vec![json!({
            "pairs_per_second": self.pace.map(|pace| pace.pairs_per_second(progress.pairs)),
            "seconds_left": self.pace.and_then(|pace| seconds_left(&pace, progress)),
            "time_losses": faults.of(FaultClass::TimeLoss),
            "illegal_moves": faults.of(FaultClass::IllegalMove),
            "crashes": faults.of(FaultClass::Crash),
            "stalls": faults.of(FaultClass::Stall),
        })];
        if let [_, _] = progress.tally.names() {
            let pairs = &progress.tally.encounter(0, 1).pairs;
            let estimate = Estimate::of(pairs);
            let error = estimate.and_then(|estimate| estimate.elo_error_95);
            // Infinity becomes null.
            figures.push(json!({
                "pentanomial": pairs.counts(),
                "elo": estimate.map(|estimate| estimate.elo.0),
                "elo_error_95": error.map(|error| error.0),
            }));
        }
        if let Some(sprt) = progress.sprt {
            let (lower, upper) = sprt.bounds();
            figures.push(json!({ "llr": progress.llr(), "llr_lower": lower, "llr_upper": upper }));
        }
        figures
    }

    fn ended(&self, ended: Option<Ended>, progress: &TournamentProgress) {
        let mut figures = self.figures(progress);
        let ended = match ended {
            Some(Ended::Complete) => "complete",
            Some(Ended::Decided(Verdict::AcceptH1)) => "accepted_h1",
            Some(Ended::Decided(_)) => "accepted_h0",
            Some(Ended::RaceOver) => "race_over",
            Some(Ended::RaceStopped) => "race_stopped",
            Some(Ended::Interrupted) => "interrupted",
            None => "playing",
        };
        let standings = progress.standings();
        let standings = standings.iter().map(|row| {
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
        });
        figures.push(json!({ "ended": ended, "standings": standings.collect::<Vec<_>>() }));
        // The estimate that allows for the early stop of the test.
        figures.extend(progress.corrected().map(|estimate| {
            json!({ "sprt_estimate": {
                "elo": estimate.elo.0,
                "elo_low_95": estimate.low.0,
                "elo_high_95": estimate.high.0,
                "los": estimate.los,
            } })
        }));
        let no_verdict = progress.no_verdict();
        figures.extend(no_verdict.map(|faults| json!({ "no_verdict": faults.to_string() })));
        let race = progress.race.as_ref();
        figures.extend(race.map(|race| json!({ "race": fates::fates(&progress.tally, race) })));
        self.say("ended", progress, &figures);
    }
}

impl RunObserver<TournamentProgress> for JsonLines {
    fn on_event(&mut self, event: Event<'_>, progress: &mut TournamentProgress) {
        match event {
            Event::Started => {
                self.pace = Some(Pace::new(progress.pairs));
                self.say("started", progress, &[json!({ "engines": progress.tally.names() })]);
            }
            Event::PairRecorded { games, .. } => {
                for game in games.iter().filter(|game| game.fault_side().is_some()) {
                    self.say("fault", progress, &[fault(game)]);
                }
                let mut figures = self.figures(progress);
                figures.push(json!({
                    "pair": games[0].pair,
                    "first": games[0].white,
                    "second": games[0].black,
                    "results": games.each_ref().map(|game| game.result.pgn()),
                }));
                self.say("pair", progress, &figures);
                if let Some(race) = &progress.race {
                    for engine in progress.just_decided() {
                        let fate = json!({
                            "engine": progress.tally.names()[engine],
                            "fate": fate_name(race.fate(engine)),
                            "rounds": race.rounds(),
                            "racing": race.racing(),
                        });
                        self.say("fate", progress, &[fate]);
                    }
                }
            }
            Event::Warning { engine, what } => {
                print_line(&json!({ "event": "warning", "engine": engine, "warning": what }));
            }
            Event::Steered { what } => print_line(&json!({ "event": "threads", "what": what })),
            Event::Finished => {}
            Event::Ended { ended } => self.ended(ended, progress),
        }
    }
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
