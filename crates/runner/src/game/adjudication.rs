//! Games that are ended before the rules end them.

use cozy_chess::Color;

use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::written_score::WrittenScore;

/// The greatest score that a rule may ask for, in centipawns.
pub const MAX_SCORE_CP: u32 = 100_000;

/// When a game is ended before the rules end it. By default never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// When a game is drawn.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// A game with this many moves of each side is drawn.
    pub max_moves: Option<u32>,
}

/// A game is drawn when the scores have stayed near zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// Moves that each side must have made since the opening.
    pub move_number: u32,
    /// The number of moves in a row with a score near zero, for each side that is counted; at least 1.
    pub move_count: u32,
    /// The greatest distance of a score from zero, in centipawns.
    pub score_cp: i32,
    /// Whether both sides need such scores. Otherwise those of one side are enough.
    pub two_sided: bool,
}

/// A side loses the game when its scores have stayed low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves of the side in a row for which its scores stay low; at least 1.
    pub move_count: u32,
    /// A score is low at minus this many centipawns or less.
    pub score_cp: i32,
    /// Whether the opponent must also report scores of at least `score_cp`, for as many moves.
    pub two_sided: bool,
}

/// For each side, the number of moves in a row with a score near zero, with a low one, and with a high one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scores {
    level: [u32; 2],
    losing: [u32; 2],
    winning: [u32; 2],
}

impl Scores {
    /// Counts a move of a side and its score. A move without a score ends all counts of the side.
    pub fn note(&mut self, rules: &Adjudication, side: Color, score: WrittenScore) {
        let score = score.centipawns();
        let count = |counts: &mut [u32; 2], holds: bool| {
            let count = &mut counts[side as usize];
            *count = if holds { *count + 1 } else { 0 };
        };
        if let Some(rule) = rules.draw {
            let level = score.is_some_and(|score| score.abs() <= rule.score_cp);
            count(&mut self.level, level);
        }
        if let Some(rule) = rules.resign {
            count(&mut self.losing, score.is_some_and(|score| score <= -rule.score_cp));
            count(&mut self.winning, score.is_some_and(|score| score >= rule.score_cp));
        }
    }

    /// Whether the game ends here, after `plies` plies.
    pub fn decision(&self, rules: &Adjudication, plies: usize) -> Option<(GameResult, Termination)> {
        let moves = plies as u64 / 2;
        if let Some(rule) = rules.resign {
            for side in [Color::White, Color::Black] {
                let lost = self.losing[side as usize] >= rule.move_count
                    && (!rule.two_sided || self.winning[!side as usize] >= rule.move_count);
                if lost {
                    let result = GameResult::won_by(Some(!side));
                    return Some((result, Termination::WinAdjudication));
                }
            }
        }
        if let Some(rule) = rules.draw {
            let agreed = self.level.map(|count| count >= rule.move_count);
            let level = if rule.two_sided {
                agreed == [true; 2]
            } else {
                agreed != [false; 2]
            };
            if level && moves >= u64::from(rule.move_number) {
                return Some((GameResult::Draw, Termination::DrawAdjudication));
            }
        }
        if rules.max_moves.is_some_and(|most| moves >= u64::from(most)) {
            return Some((GameResult::Draw, Termination::MoveLimit));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use WrittenScore::{Centipawns, Mate, Unknown};

    /// After how many plies the scores end the game, White's first, and how.
    fn end(rules: Adjudication, scores: &[WrittenScore]) -> Option<(usize, GameResult, Termination)> {
        let mut seen = Scores::default();
        for (ply, score) in scores.iter().enumerate() {
            let side = if ply % 2 == 0 { Color::White } else { Color::Black };
            seen.note(&rules, side, *score);
            if let Some((result, termination)) = seen.decision(&rules, ply + 1) {
                return Some((ply + 1, result, termination));
            }
        }
        None
    }

    fn draw(move_number: u32, move_count: u32, two_sided: bool) -> Adjudication {
        Adjudication {
            draw: Some(DrawRule {
                move_number,
                move_count,
                score_cp: 10,
                two_sided,
            }),
            ..Adjudication::default()
        }
    }

    fn resign(move_count: u32, two_sided: bool) -> Adjudication {
        Adjudication {
            resign: Some(ResignRule {
                move_count,
                score_cp: 400,
                two_sided,
            }),
            ..Adjudication::default()
        }
    }

    #[test]
    fn level_scores_are_a_draw() {
        let scores = [10, -10, 0, 3, 0, 0, 0, 0].map(Centipawns);
        let found = Some((4, GameResult::Draw, Termination::DrawAdjudication));
        assert_eq!(end(draw(0, 2, true), &scores), found);
        assert_eq!(end(draw(3, 2, true), &scores).unwrap().0, 6);
        assert_eq!(end(draw(0, 2, false), &scores).unwrap().0, 3);
        assert_eq!(end(draw(5, 2, true), &scores), None);
        let broken = [0, 0, 11, 0, 0, 0].map(Centipawns);
        assert_eq!(end(draw(0, 2, true), &broken), None);
        assert_eq!(end(draw(0, 1, true), &[Unknown, Centipawns(0), Unknown]), None);
    }

    #[test]
    fn low_scores_are_a_loss() {
        let scores = [-400, 500, -900, 100, -401, 400, -400, 700].map(Centipawns);
        let found = |ply| Some((ply, GameResult::BlackWins, Termination::WinAdjudication));
        assert_eq!(end(resign(2, false), &scores), found(3));
        assert_eq!(end(resign(2, true), &scores), found(8));
        let mates = [Centipawns(50), Mate(-3), Mate(4), Mate(0)];
        assert_eq!(
            end(resign(2, false), &mates).map(|(_, result, _)| result),
            Some(GameResult::WhiteWins)
        );
    }

    #[test]
    fn no_game_goes_on_for_ever() {
        let rules = Adjudication {
            max_moves: Some(2),
            ..Adjudication::default()
        };
        assert_eq!(
            end(rules, &[Unknown; 9]),
            Some((4, GameResult::Draw, Termination::MoveLimit))
        );
        assert_eq!(end(Adjudication::default(), &[Centipawns(0); 300]), None);
    }
}
