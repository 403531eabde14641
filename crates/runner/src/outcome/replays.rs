//! Games of a run that can be replayed on its page.

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::outcome::{Part, Replays, Section};
use lmrlab_results::rows::games::GameRow;

use crate::run::Run;

/// Bytes of games on a page. With everything else the page stays under 1.5 MB.
const BUDGET: usize = 1_050_000;
/// Bytes of a game on a page, without its PGN, and for each of its moves.
const OF_GAME: usize = 350;
const OF_MOVE: usize = 8;

/// A game with its PGN.
type Replay = (GameRow, String);

fn bytes((row, pgn): &Replay) -> usize {
    OF_GAME + pgn.len() + row.moves.0.len() * OF_MOVE
}

/// The games that were taken: those that were asked for, those that faults ended, the others. Of each kind no more than a page
/// has room for, but all that were asked for.
#[derive(Default)]
struct Shelves {
    games: [Vec<Replay>; 3],
    bytes: [usize; 3],
}

impl Shelves {
    fn takes(&self, shelf: usize) -> bool {
        shelf == 0 || self.bytes[shelf] < BUDGET
    }

    fn push(&mut self, shelf: usize, game: Replay) {
        self.bytes[shelf] += bytes(&game);
        self.games[shelf].push(game);
    }

    /// The games of the page, in their order.
    fn chosen(self) -> Vec<Replay> {
        let [asked, faulty, first] = self.games;
        let mut room = BUDGET.saturating_sub(self.bytes[0]);
        let fits = |game: &Replay| {
            room = room.saturating_sub(bytes(game));
            room > 0
        };
        let others = faulty.into_iter().chain(first).take_while(fits);
        asked.into_iter().chain(others).collect()
    }
}

/// The section with games: those of the `wanted` numbers, then those that faults ended, then the first ones. `None` when no
/// game was played.
///
/// # Errors
/// When the games cannot be read, or there is no game of such a number.
pub(super) fn section(run: &Run, wanted: &[u64]) -> Result<Option<Section>, Failure> {
    let writer = run.pgn_writer()?;
    let mut shelves = Shelves::default();
    let (mut all, mut unreadable) = (0_u64, 0_u64);
    run.pairs(&mut |pair| {
        for row in pair {
            all += 1;
            let shelf = match (wanted.contains(&row.game), row.fault_of()) {
                (true, _) => 0,
                (false, Some(_)) => 1,
                (false, None) => 2,
            };
            if shelves.takes(shelf) {
                match writer.game(&row) {
                    Ok(pgn) => shelves.push(shelf, (row, pgn)),
                    Err(_) => unreadable += 1,
                }
            }
        }
        Ok(())
    })?;
    let folder = run.folder().display().to_string();
    let is_there = |wanted: &&u64| shelves.games[0].iter().any(|(row, _)| row.game == **wanted);
    if let Some(number) = wanted.iter().find(|wanted| !is_there(wanted)) {
        return Err(Failure::input(
            format!("`{folder}` has no game {number} that could be replayed"),
            format!("its games have the numbers 1 to {all}"),
        ));
    }
    let which = match (wanted.is_empty(), shelves.games[1].len()) {
        (true, 0) => "the first ones",
        (true, _) => "those that faults ended, then the first ones",
        (false, 0) => "those that were asked for, then the first ones",
        (false, _) => "those that were asked for, those that faults ended, then the first ones",
    };
    let games = shelves.chosen();
    if games.is_empty() {
        return Ok(None);
    }
    let mut section = Section::for_page("Games");
    section = match games.len() as u64 {
        shown if shown == all => section.say(format!("Each of the {all} games can be replayed.")),
        shown => section
            .say(format!(
                "{shown} of {all} games can be replayed on this page: {which}. Others come onto it, or are printed as PGN, by their \
                 number in games.csv:"
            ))
            .lines(format!("lmrlab report {folder} --game {all}\nlmrlab show {folder} --game {all}")),
    };
    if unreadable > 0 {
        section = section.say(format!(
            "{unreadable} games cannot be played through again: their moves are not legal."
        ));
    }
    section.parts.push(Part::Games(Replays { folder, games }));
    Ok(Some(section))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::game_rows::tests::game;
    use lmrlab_results::game_end::{GameResult, Termination};

    #[test]
    fn a_page_has_what_was_asked_for_then_faults_then_what_there_is_room_for() {
        let replay = |number| {
            let row = game(GameResult::Draw, Termination::Repetition);
            (GameRow { game: number, ..row }, "x".repeat(10_000))
        };
        let chosen = |asked: u64| {
            let mut shelves = Shelves::default();
            (1..=asked).for_each(|number| shelves.push(0, replay(number)));
            shelves.push(1, replay(500));
            (501..1_000).for_each(|number| shelves.push(2, replay(number)));
            assert!(shelves.takes(0) && shelves.takes(1) && !shelves.takes(2));
            let games = shelves.chosen();
            games.iter().map(|(row, _)| row.game).collect::<Vec<_>>()
        };
        let games = chosen(2);
        assert_eq!(games[..4], [1, 2, 500, 501]);
        assert_eq!(games.len(), 101);
        assert_eq!(chosen(300).len(), 300);
    }
}
