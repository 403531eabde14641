//! Options and output that the commands about statistics share.

use std::str::FromStr;

use clap::Args;
use serde::{Serialize, Serializer};

use super::print_out;
use lmrlab_runner::failure::Failure;
use lmrlab_stats::{Elo, Estimate, GameVariance, Pentanomial, Sprt, Trinomial, Verdict};

/// Results of a match, counted one way or the other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counts {
    Pairs(Pentanomial),
    Games(Trinomial),
}

impl Counts {
    pub(super) fn estimate(&self) -> Option<Estimate> {
        match self {
            Counts::Pairs(pairs) => Estimate::of(pairs),
            Counts::Games(games) => Estimate::of(games),
        }
    }

    pub(super) fn llr(&self, sprt: &Sprt) -> f64 {
        match self {
            Counts::Pairs(pairs) => sprt.llr(pairs),
            Counts::Games(games) => sprt.llr(games),
        }
    }

    pub(super) fn verdict(&self, sprt: &Sprt) -> Verdict {
        match self {
            Counts::Pairs(pairs) => sprt.status(pairs),
            Counts::Games(games) => sprt.status(games),
        }
    }

    fn variance(&self) -> Option<GameVariance> {
        match self {
            Counts::Pairs(pairs) => GameVariance::of(pairs),
            Counts::Games(games) => GameVariance::of(games),
        }
    }
}

/// Where counts are given.
#[derive(Debug, Args)]
pub(super) struct CountArgs {
    /// Counts of pairs of games, by what the first engine scored: 0, 1/2, 1, 3/2 and 2 points
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = counts::<5>)]
    pentanomial: Option<[u64; 5]>,
    /// Counts of games that are not paired: wins, draws and losses of the first engine
    #[arg(long, value_name = "W,D,L", value_parser = counts::<3>, conflicts_with = "pentanomial")]
    wdl: Option<[u64; 3]>,
}

impl CountArgs {
    pub(super) fn counts(&self) -> Option<Counts> {
        let pairs = self
            .pentanomial
            .map(|counts| Counts::Pairs(Pentanomial::new(counts)));
        pairs.or_else(|| {
            self.wdl
                .map(|[wins, draws, losses]| Counts::Games(Trinomial::new(losses, draws, wins)))
        })
    }
}

/// How noisy the games of a match are.
#[derive(Debug, Args)]
pub(super) struct NoiseArgs {
    /// Share of the games that are drawn between equal engines, 0 to 1
    #[arg(long, value_name = "RATIO", conflicts_with_all = ["pentanomial", "wdl"])]
    draws: Option<f64>,
    /// Advantage that an opening gives to one side, in Elo (root mean square); each is played with both colours
    #[arg(long, value_name = "ELO", requires = "draws", default_value_t = 0.0)]
    bias: f64,
    #[command(flatten)]
    earlier: CountArgs,
}

impl NoiseArgs {
    pub(super) fn variance(&self) -> Result<GameVariance, Failure> {
        let help = "give the share of draws, as in `--draws 0.5`, or the counts of an earlier match, \
                    as in `--pentanomial 5,60,400,45,3`";
        if let Some(draws) = self.draws {
            return GameVariance::new(draws, Elo(self.bias))
                .map_err(|error| Failure::input(error.to_string(), ""));
        }
        let counts = self
            .earlier
            .counts()
            .ok_or_else(|| Failure::input("how noisy the games are is not known", help))?;
        counts
            .variance()
            .ok_or_else(|| Failure::input("no games, no noise: every count is 0", help))
    }
}

/// Reads `N` counts with commas between them.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let counts: Option<Vec<u64>> = list(text).ok();
    counts
        .and_then(|counts| counts.try_into().ok())
        .ok_or_else(|| {
            let example = ["5", "60", "400", "45", "3"][..N].join(",");
            format!("{N} whole numbers with commas between them are needed, as in `{example}`")
        })
}

/// Reads values with commas between them.
pub(super) fn list<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
    text.split(',')
        .map(|value| {
            let value = value.trim();
            value
                .parse()
                .map_err(|_| format!("`{value}` is not a number of the right kind"))
        })
        .collect()
}

/// A number as JSON has it; infinity, for which JSON has no number, as the text `Infinity` or `-Infinity`, which both
/// Python's `float` and JavaScript's `Number` read.
pub(super) fn json_number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        // Adding zero takes the sign from a negative zero.
        serializer.serialize_f64(*value + 0.0)
    } else if *value > 0.0 {
        serializer.serialize_str("Infinity")
    } else {
        serializer.serialize_str("-Infinity")
    }
}

/// A value as JSON on standard output.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::Run(format!("cannot write JSON: {error}")))?;
    print_out(&text);
    print_out("\n");
    Ok(())
}
