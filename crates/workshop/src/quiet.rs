//! Quiet positions from games of the engine against itself, or from the games of runs.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use cozy_chess::util::parse_uci_move;
use cozy_chess::{Color, Move};
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::failure::Failure;
use lmrlab_results::games::{GameRow, read_pairs};
use lmrlab_results::outcome::GameResult;
use lmrlab_results::output_file::OutputFile;
use lmrlab_runner::epd::epd;
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;
use rand::seq::IteratorRandom;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::OutOption;
use super::samples::{Line, write};
use super::self_play::{self, SelfPlay, half_points, seen_by_white};

/// The games to play.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Number of games.
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes of each move.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Most random plies after an opening.
    #[arg(long, default_value_t = 6)]
    random_plies: u32,
    #[command(flatten)]
    selection: Selection,
    /// The openings, one FEN or EPD a line.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_OPENINGS)]
    openings: PathBuf,
    /// Search preset.
    #[arg(long, default_value = "standard")]
    preset: String,
    /// Policy.
    #[arg(long, default_value = "house")]
    policy: PolicyReference,
    #[command(flatten)]
    out: OutOption,
}

/// The runs.
#[derive(Debug, Args)]
pub(crate) struct Collect {
    /// Folders of runs.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    out: OutOption,
}

/// Which positions of a game to keep: quiet ones, which the static evaluation should judge as the search does.
#[derive(Debug, Args)]
struct Selection {
    /// Plies after the opening from which no position is kept.
    #[arg(long, default_value_t = 8)]
    skip: usize,
    /// Greatest score of a position for either side, in centipawns.
    #[arg(long, default_value_t = 700, value_name = "CENTIPAWNS")]
    max_score: u32,
    /// Most positions of a game: a random choice of the quiet ones.
    #[arg(long, default_value_t = 12)]
    per_game: usize,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Selection {
    /// The generator of a game.
    fn generator(&self, game: u64) -> Pcg64 {
        Pcg64::new(u128::from(self.seed), u128::from(game))
    }

    /// Whether to keep a position, `played` plies after the opening. `best` is the move that was played.
    fn wants(&self, position: &Position, best: Move, white_score_cp: i32, played: usize) -> bool {
        let has_more_than_a_king = |color: &Color| position.board().colors(*color).len() > 1;
        played >= self.skip
            && white_score_cp.unsigned_abs() <= self.max_score
            && !position.in_check()
            && position.is_quiet(best)
            && Color::ALL.iter().all(has_more_than_a_king)
    }
}

/// Games of one batch: their positions are written at once.
const BATCH: u64 = 256;

/// Plays games in parallel, and writes their positions in the order of the games.
pub(crate) fn generate(arguments: &Generate) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let root = self_play::project_root();
    let (policy, _) = arguments.policy.resolve(&root)?;
    let player = SelfPlay {
        openings: self_play::openings(&arguments.openings, &root)?,
        preset: self_play::preset(&arguments.preset, &root)?,
        policy: Arc::new(policy),
        nodes: arguments.nodes,
        random_plies: arguments.random_plies,
    };
    let selection = &arguments.selection;
    let play = |game: u64| {
        let mut generator = selection.generator(game);
        let (visits, white_half_points) = player.play(&mut generator, &mut player.engine());
        let quiet = visits
            .iter()
            .enumerate()
            .filter(|(played, visit)| selection.wants(&visit.position, visit.played, visit.white_score_cp, *played));
        let quiet = quiet.map(|(_, visit)| Line {
            game,
            epd: epd(&visit.position),
            white_half_points,
            white_score_cp: visit.white_score_cp,
        });
        quiet.sample(&mut generator, selection.per_game)
    };
    let mut file = OutputFile::create(&arguments.out.path)?;
    let mut positions = 0;
    for first in (0..arguments.games).step_by(BATCH as usize) {
        let next = arguments.games.min(first + BATCH);
        let found: Vec<Line> = (first..next).into_par_iter().flat_map_iter(play).collect();
        write(&found, positions == 0, &mut file, &arguments.out.path)?;
        positions += found.len();
        eprintln!("{next} of {} games, {positions} positions", arguments.games);
    }
    file.finish()?;
    println!(
        "{positions} positions of {} games in {}",
        arguments.games,
        arguments.out.path.display()
    );
    Ok(())
}

/// Writes positions of the games of runs. Games that ended by an engine's fault are left out.
pub(crate) fn collect(arguments: &Collect) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let mut file = OutputFile::create(&arguments.out.path)?;
    let (mut games, mut positions) = (0, 0);
    for run in &arguments.runs {
        read_pairs(&run.join("games.csv"), &mut |pair| {
            for row in pair {
                let found = quiet_positions(&row, games, &arguments.selection);
                write(&found, positions == 0, &mut file, &arguments.out.path)?;
                positions += found.len();
                games += 1;
            }
            Ok(())
        })?;
    }
    file.finish()?;
    println!(
        "{positions} positions of {games} games in {}",
        arguments.out.path.display()
    );
    Ok(())
}

/// A random choice of the quiet positions of a game, up to a move that cannot be read. Positions without a score in
/// centipawns are skipped.
fn quiet_positions(row: &GameRow, number: u64, selection: &Selection) -> Vec<Line> {
    let opening = Position::from_fen(&row.fen).ok().filter(|_| row.fault.is_empty());
    let Some(opening) = opening else { return Vec::new() };
    let winner = match row.result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw => None,
    };
    let mut game = Game::new(opening);
    let mut quiet = Vec::new();
    for (played, (text, score)) in row.moves.0.iter().zip(&row.scores.0).enumerate() {
        let position = game.position();
        let Ok(mv) = parse_uci_move(position.board(), text) else {
            break;
        };
        if let Some(score) = score.centipawns() {
            let white_score_cp = seen_by_white(position, score);
            if selection.wants(position, mv, white_score_cp, played) {
                quiet.push(Line {
                    game: number,
                    epd: epd(position),
                    white_half_points: half_points(winner),
                    white_score_cp,
                });
            }
        }
        if game.play(mv).is_err() {
            break;
        }
    }
    quiet
        .into_iter()
        .sample(&mut selection.generator(number), selection.per_game)
}
