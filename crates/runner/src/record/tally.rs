//! Everything that is counted over the games of the journal.

use std::collections::HashMap;

use cozy_chess::Color;

use lmrlab_results::game_end::FaultClass;
use lmrlab_results::games::{GameRow, JournalError};
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
    index: HashMap<String, usize>,
    /// `encounters[engine][opponent]`, each seen from the engine's side.
    encounters: Vec<Vec<Encounter>>,
    /// The same games for ratings, with the colours and the openings.
    games: Games,
    efforts: Vec<Effort>,
    faults: Vec<Faults>,
}

impl Tally {
    /// Nothing has been played.
    pub fn new(names: Vec<String>) -> Self {
        let count = names.len();
        Self {
            index: names.iter().cloned().zip(0..).collect(),
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

    /// Counts a pair; its first engine is the one with White in the first game.
    ///
    /// # Errors
    /// When the journal names an engine that does not take part, or the games are not a pair.
    pub fn record(&mut self, games: &[GameRow; 2]) -> Result<(), JournalError> {
        let engine = |name: &String| {
            self.index
                .get(name)
                .copied()
                .ok_or_else(|| JournalError(format!("game {}: no engine is called `{name}`", games[0].game)))
        };
        let first = engine(&games[0].white)?;
        let second = engine(&games[0].black)?;
        if engine(&games[1].white)? != second || engine(&games[1].black)? != first {
            return Err(JournalError(format!(
                "games {} and {} are not a pair",
                games[0].game, games[1].game
            )));
        }
        let outcomes = outcomes(games);
        self.encounters[first][second].record(outcomes);
        self.encounters[second][first].record(outcomes.map(GameOutcome::reversed));
        let opening = |game: &GameRow| Some(Opening::of(game.fen.as_bytes()));
        self.games.record(first, second, outcomes[0], opening(&games[0]));
        self.games
            .record(second, first, outcomes[1].reversed(), opening(&games[1]));
        for game in games {
            if let (Some(name), Some(fault)) = (game.fault_of(), game.termination.fault()) {
                self.faults[self.index[name]].0[fault as usize] += 1;
            }
            for (side, name, nodes) in [
                (Color::White, &game.white, game.white_nodes),
                (Color::Black, &game.black, game.black_nodes),
            ] {
                let effort = &mut self.efforts[self.index[name]];
                effort.nodes = effort.nodes.saturating_add(nodes);
                for depth in game.depths_of(side) {
                    effort.moves += 1;
                    effort.depths += u64::from(depth);
                }
            }
        }
        Ok(())
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

    /// The faults of one engine.
    pub fn faults(&self, engine: usize) -> Faults {
        self.faults[engine]
    }

    /// The faults of all engines.
    pub fn all_faults(&self) -> Faults {
        Faults([0, 1, 2, 3].map(|class| self.faults.iter().map(|faults| faults.0[class]).sum()))
    }

    /// The moves of one engine and what it searched for them.
    pub fn effort(&self, engine: usize) -> Effort {
        self.efforts[engine]
    }
}

/// The results of a pair's games from the side of its first engine.
fn outcomes(games: &[GameRow; 2]) -> [GameOutcome; 2] {
    [
        games[0].result.outcome_for(Color::White),
        games[1].result.outcome_for(Color::Black),
    ]
}
