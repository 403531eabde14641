//! Options that end games early, for all commands that play games.

use std::path::PathBuf;

use clap::{Args, value_parser};
use lmrlab_diagnostics::Diagnostics;
use lmrlab_diagnostics::failure::warning;
use lmrlab_runner::game::adjudication::{Adjudication, DrawRule, MAX_SCORE_CP, ResignRule};
use lmrlab_runner::game::limit::MAX_MOVES;
use lmrlab_runner::game::tablebases::{MEN, TablebaseRules};

/// When games are ended early.
#[derive(Debug, Args)]
pub(crate) struct AdjudicationOptions {
    /// Draw a game when the scores of both sides stay within CP centipawns for COUNT moves, after N moves of each side
    #[arg(long, value_name = "N,COUNT,CP", value_parser = whole_numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// End a game when a side reports that it is CP centipawns behind for COUNT moves
    #[arg(long, value_name = "COUNT,CP", value_parser = whole_numbers::<2>)]
    resign: Option<[u32; 2]>,
    /// With --resign: both sides must report that score
    #[arg(long, requires = "resign")]
    resign_two_sided: bool,
    /// Draw a game in which each side has made N moves
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=i64::from(MAX_MOVES)))]
    maxmoves: Option<u32>,
    /// End a game with the result that Syzygy tablebases in DIR know (files NAME.rtbw; not on Linux for aarch64); repeated,
    /// tables in several folders
    #[arg(long, value_name = "DIR")]
    tb: Vec<PathBuf>,
    /// With --tb: positions of at most N men, kings included [default: as many as the largest table has]
    #[arg(long, value_name = "N", requires = "tb", value_parser = value_parser!(u32).range(i64::from(MEN[0])..=i64::from(MEN[1])))]
    tb_pieces: Option<u32>,
    /// With --tb: count a win as a win although the fifty-move rule makes it a draw
    #[arg(long, requires = "tb")]
    tb_ignore50: bool,
}

impl AdjudicationOptions {
    /// The warning when the numbers of `--resign` seem to be in the other order.
    pub(crate) fn doubt(&self) -> Option<Diagnostics> {
        /// Rules ask for fewer moves than this.
        const MANY_MOVES: u32 = 20;
        let [move_count, score_cp] = self.resign?;
        (move_count > score_cp && move_count >= MANY_MOVES).then(|| {
            warning(format!(
                "`--resign {move_count},{score_cp}` ends a game when a side is {score_cp} centipawns behind for {move_count} moves; \
                 for {move_count} centipawns and {score_cp} moves write `--resign {score_cp},{move_count}`"
            ))
        })
    }

    pub(crate) fn rules(&self) -> Adjudication {
        Adjudication {
            draw: self.draw.map(|[move_number, move_count, score_cp]| DrawRule {
                move_number,
                move_count: move_count.max(1),
                score_cp: score_cp as i32,
                two_sided: true,
            }),
            resign: self.resign.map(|[move_count, score_cp]| ResignRule {
                move_count: move_count.max(1),
                score_cp: score_cp as i32,
                two_sided: self.resign_two_sided,
            }),
            max_moves: self.maxmoves,
        }
    }

    pub(crate) fn tablebases(&self) -> Option<TablebaseRules> {
        (!self.tb.is_empty()).then(|| TablebaseRules {
            folders: self.tb.clone(),
            pieces: self.tb_pieces,
            ignore_50: self.tb_ignore50,
        })
    }

    /// Whether one is given.
    pub(crate) fn is_given(&self) -> bool {
        self.rules() != Adjudication::default() || self.tablebases().is_some()
    }
}

/// Reads COUNT whole numbers with commas between them: numbers of moves, then a score.
fn whole_numbers<const COUNT: usize>(text: &str) -> Result<[u32; COUNT], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[u32; COUNT]>::try_from(numbers).ok());
    let in_range = |numbers: &[u32; COUNT]| match numbers.split_last() {
        Some((score, moves)) => *score <= MAX_SCORE_CP && moves.iter().all(|moves| *moves <= MAX_MOVES),
        None => true,
    };
    numbers.filter(in_range).ok_or_else(|| {
        format!(
            "{COUNT} whole numbers are needed, with commas between them: moves up to {MAX_MOVES}, then centipawns up to {MAX_SCORE_CP}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: AdjudicationOptions,
    }

    fn options(line: &str) -> AdjudicationOptions {
        Line::try_parse_from(format!("lmrlab {line}").split_whitespace())
            .unwrap()
            .options
    }

    #[test]
    fn options_become_rules() {
        let all =
            "--resign 3,400 --resign-two-sided --draw 40,8,10 --maxmoves 200 --tb a --tb b --tb-pieces 5 --tb-ignore50";
        let rules = ["", "--resign 3,400", all].map(|line| {
            let options = options(line);
            format!(
                "{} {:?} {:?}",
                options.is_given(),
                options.rules(),
                options.tablebases()
            )
        });
        insta::assert_snapshot!(rules.join("\n"));
    }
}
