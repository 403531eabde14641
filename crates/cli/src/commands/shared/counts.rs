//! Counts of games as an option of `sprt`.

use clap::Args;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_stats::{Elo, GameVariance, Pentanomial, Trinomial};

/// The greatest number of outcomes: all whole numbers up to here are exact in floating point, also doubled.
pub(crate) const MOST_OUTCOMES: u64 = 1 << 52;

/// The options that give counts.
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// Counts of game pairs by the score of the first engine: 0, 1/2, 1, 3/2 and 2 points
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = counts::<5>)]
    pentanomial: Option<[u64; 5]>,
    /// Counts of unpaired games: wins, draws and losses of the first engine
    #[arg(long, value_name = "W,D,L", value_parser = counts::<3>, conflicts_with = "pentanomial")]
    wdl: Option<[u64; 3]>,
}

impl CountArgs {
    pub(crate) fn pairs(&self) -> Option<Pentanomial> {
        self.pentanomial.map(Pentanomial::new)
    }

    pub(crate) fn games(&self) -> Option<Trinomial> {
        let games = |[wins, draws, losses]: [u64; 3]| Trinomial::new([losses, draws, wins]);
        self.wdl.map(games)
    }
}

/// The options that give the variance of a game.
#[derive(Debug, Args)]
pub(crate) struct NoiseArgs {
    /// Draw rate between equal engines, from 0 to 1
    #[arg(long, value_name = "RATIO", value_parser = finite, allow_hyphen_values = true, conflicts_with_all = ["pentanomial", "wdl"])]
    draws: Option<f64>,
    /// Bias of the openings, in Elo (root mean square); each opening is played with both colours
    #[arg(long, value_name = "ELO", requires = "draws", default_value_t = 0.0, value_parser = finite, allow_hyphen_values = true)]
    bias: f64,
    #[command(flatten)]
    earlier: CountArgs,
}

impl NoiseArgs {
    pub(crate) fn variance(&self) -> Result<GameVariance, Failure> {
        let help = "give the draw rate, as in `--draws 0.5`, or the counts of an earlier match, \
                    as in `--pentanomial 5,60,400,45,3`";
        if let Some(draws) = self.draws {
            return GameVariance::new(draws, Elo(self.bias)).map_err(|error| Failure::input(error.to_string(), ""));
        }
        let variance = match (self.earlier.pairs(), self.earlier.games()) {
            (Some(pairs), _) => GameVariance::of(&pairs),
            (None, Some(games)) => GameVariance::of(&games),
            (None, None) => return Err(Failure::input("the draw rate is missing", help)),
        };
        variance.ok_or_else(|| Failure::input("every count is 0", help))
    }
}

/// Reads `N` counts, separated by commas. Brackets may be around them, as other programs print them.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    // A count that no `u64` holds is too great, and not wrong.
    let count = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let counts: Option<Vec<u64>> = text.split(',').map(|text| count(text.trim())).collect();
    let counts: [u64; N] = counts.and_then(|counts| counts.try_into().ok()).ok_or_else(|| {
        let example = ["5", "60", "400", "45", "3"][..N].join(",");
        format!("expected {N} whole numbers separated by commas, as in `{example}`")
    })?;
    match counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)) {
        ..=MOST_OUTCOMES => Ok(counts),
        _ => Err(format!("together the counts must be at most {MOST_OUTCOMES}")),
    }
}

/// Reads a number that is neither infinite nor NaN.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{}` is not a finite number", text.trim()))
}
