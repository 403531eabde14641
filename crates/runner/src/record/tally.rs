//! Everything that is counted over the games of the journal.

use cozy_chess::Color;

use crate::tournament::schedule::Pairing;
use lmrlab_results::game_end::FaultClass;
use lmrlab_results::rows::games::GameRow;
use lmrlab_stats::ratings::{Games, Opening, Ratings};
use lmrlab_stats::{GameOutcome, PairOutcome, Pentanomial, Trinomial};

/// Results of an engine against another one, or against all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Encounter {
    /// Pairs of games.
    pub pairs: Pentanomial,
    /// Single games.
    pub games: Trinomial,
}

impl Encounter {
    /// Points won: a win is 1, a draw 1/2.
    pub fn points(&self) -> f64 {
        self.games.points()
    }

    fn record(&mut self, games: [GameOutcome; 2]) {
        self.pairs.record(PairOutcome::of(games[0], games[1]));
        for game in games {
            self.games.record(game);
        }
    }
}

/// The moves of an engine and what it searched for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Sum of the depths of all searches, in plies.
    pub depths: u64,
}

/// How often an engine lost by a fault, in the order of [`FaultClass`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults([u64; 4]);

impl Faults {
    /// Those of a class.
    pub fn of(&self, class: FaultClass) -> u64 {
        self.0[class as usize]
    }

    /// All of them.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Those that occurred, with their counts: `crashes 2, stalls 1`. Empty without any.
    pub fn text(&self) -> String {
        let named = ["time losses", "illegal moves", "crashes", "stalls"].iter().zip(self.0);
        let named = named.filter(|(_, count)| *count > 0);
        named
            .map(|(what, count)| format!("{what} {count}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The results of all engines against each other.
#[derive(Debug, Clone)]
pub struct Tally {
    names: Vec<String>,
    /// `encounters[engine][opponent]`, each seen from the engine's side.
    encounters: Vec<Vec<Encounter>>,
    /// The same games for ratings, with the colours and the openings.
    games: Games,
    /// The moves of each engine, and what it searched for them.
    pub efforts: Vec<Effort>,
    /// The faults of each engine.
    pub faults: Vec<Faults>,
}

impl Tally {
    /// Nothing has been played.
    pub fn new(names: Vec<String>) -> Self {
        let count = names.len();
        Self {
            names,
            encounters: vec![vec![Encounter::default(); count]; count],
            games: Games::default(),
            efforts: vec![Effort::default(); count],
            faults: vec![Faults::default(); count],
        }
    }

    /// The engines, in the order of the tournament file.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Counts a pair of these engines.
    pub fn record(&mut self, games: &[GameRow; 2], Pairing { first, second }: Pairing) {
        let outcomes = outcomes(games);
        self.encounters[first][second].record(outcomes);
        self.encounters[second][first].record(outcomes.map(GameOutcome::reversed));
        let sides = [[first, second], [second, first]];
        let seen = [outcomes[0], outcomes[1].reversed()];
        for ((game, [white, black]), outcome) in games.iter().zip(sides).zip(seen) {
            let opening = Opening::of(game.fen.as_bytes());
            self.games.record(white, black, outcome, Some(opening));
            for (side, engine, nodes) in [
                (Color::White, white, game.white_nodes),
                (Color::Black, black, game.black_nodes),
            ] {
                if let Some(fault) = game.termination.fault().filter(|_| game.fault_side() == Some(side)) {
                    self.faults[engine].0[fault as usize] += 1;
                }
                let effort = &mut self.efforts[engine];
                effort.nodes = effort.nodes.saturating_add(nodes);
                for depth in game.depths_of(side) {
                    effort.moves += 1;
                    effort.depths += u64::from(depth);
                }
            }
        }
    }

    /// The outcome of a pair, from the side of its first engine.
    pub fn outcome(games: &[GameRow; 2]) -> PairOutcome {
        let [first, second] = outcomes(games);
        PairOutcome::of(first, second)
    }

    /// The results of one engine against another.
    pub fn encounter(&self, engine: usize, opponent: usize) -> &Encounter {
        &self.encounters[engine][opponent]
    }

    /// The results of one engine against all others.
    pub fn total(&self, engine: usize) -> Encounter {
        let mut total = Encounter::default();
        for encounter in &self.encounters[engine] {
            total.pairs += encounter.pairs;
            total.games += encounter.games;
        }
        total
    }

    /// Ratings of all engines from all games. The mean of engines that results connect is 0. Errors are clustered by
    /// opening. The time grows with the third power of the number of engines.
    pub fn ratings(&self) -> Ratings {
        Ratings::of(&self.games, &[])
    }

    /// The faults of all engines.
    pub fn all_faults(&self) -> Faults {
        Faults([0, 1, 2, 3].map(|class| self.faults.iter().map(|faults| faults.0[class]).sum()))
    }
}

/// The results of a pair's games from the side of its first engine.
fn outcomes(games: &[GameRow; 2]) -> [GameOutcome; 2] {
    [
        games[0].result.outcome_for(Color::White),
        games[1].result.outcome_for(Color::Black),
    ]
}
