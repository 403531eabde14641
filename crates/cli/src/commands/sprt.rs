//! `lmrlab sprt`: runs a sequential probability ratio test on counts, or plans one.

use clap::{Args, Subcommand, value_parser};

use super::match_::hypotheses;
use super::shared::counts::{CountArgs, MOST_OUTCOMES, NoiseArgs, finite};
use super::shared::one_of::one_of;
use crate::frame::{Found, Frame};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::sprt_outcome::{JudgedTables, MatchErrorTables, PlannedTables};
use lmrlab_runner::tournament::defaults::{DEFAULT_ERROR, MODELS};
use lmrlab_stats::{Elo, EloModel, Sprt};

/// Run a sequential probability ratio test (SPRT) on counts, or plan one.
///
/// Examples:
///   lmrlab sprt --pentanomial 365,16618,36229,16974,390 --bounds 0,2
///   lmrlab sprt --wdl 1450,4000,1500 --bounds 0,5 --model logistic --json
///   lmrlab sprt plan --elo0 0 --elo1 5 --draws 0.6 --true-elo 0,2.5,5
///
/// Numbers are from the side of the first engine. Errors are half-widths of 95% intervals. With fewer than 30 pairs
/// they are those of Student's t, and a note says why a number is missing. With --json, such a number is null. A test
/// that stopped at one of its bounds also gets an estimate that corrects for the early stop.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    verbatim_doc_comment
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    counts: CountArgs,
    /// The hypotheses: H0, at most ELO0 stronger; H1, at least ELO1 stronger
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true, required = true)]
    bounds: Option<(f64, f64)>,
    #[command(flatten)]
    test: TestArgs,
}

#[derive(Debug, Subcommand)]
enum Task {
    Plan(Plan),
}

/// Predict the pass probability and the length of a test, or the error of a match.
///
/// Examples:
///   lmrlab sprt plan --elo0 0 --elo1 5 --draws 0.6
///   lmrlab sprt plan --elo0 0 --elo1 20 --pairs 1500 --draws 0.6
///   lmrlab sprt plan --elo0 -1.75 --elo1 0.25 --draws 0.49 --bias 191 --true-elo 0 --model logistic --json
///   lmrlab sprt plan --elo0 0 --elo1 2 --pentanomial 365,16618,36229,16974,390
///   lmrlab sprt plan --pairs 500,2000 --draws 0.6
///   lmrlab sprt plan --error 2 --draws 0.6
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct Plan {
    /// H0: the first engine is at most this much stronger
    #[arg(long, value_name = "ELO", value_parser = finite, allow_hyphen_values = true, requires = "elo1",
          required_unless_present_any = ["pairs", "error"])]
    elo0: Option<f64>,
    /// H1: the first engine is at least this much stronger
    #[arg(long, value_name = "ELO", value_parser = finite, allow_hyphen_values = true, requires = "elo0")]
    elo1: Option<f64>,
    /// With --elo0: a test that ends after this many pairs. Without: a match of this many pairs, and the half-width of its
    /// 95% interval
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = value_parser!(u64).range(1..=MOST_OUTCOMES), conflicts_with = "error")]
    pairs: Vec<u64>,
    /// No test, but a match with this error, in Elo: the pairs that it needs
    #[arg(long, value_name = "ELO", value_parser = finite, allow_hyphen_values = true, conflicts_with = "elo0")]
    error: Option<f64>,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    noise: NoiseArgs,
    /// True differences, separated by commas, on the scale of --model [default: elo0, the midpoint, elo1]
    #[arg(long, requires = "elo0", value_name = "ELO,...", value_delimiter = ',', value_parser = finite, allow_hyphen_values = true)]
    true_elo: Vec<f64>,
}

#[derive(Debug, Args)]
struct TestArgs {
    /// The scale of the hypotheses: in standard deviations, independent of the draw rate, or the usual Elo
    #[arg(long, value_parser = one_of(&MODELS), default_value = "normalized")]
    model: EloModel,
    /// Probability of accepting H1 when the true difference is ELO0
    #[arg(long, value_name = "P", default_value_t = DEFAULT_ERROR, value_parser = finite, allow_hyphen_values = true)]
    alpha: f64,
    /// Probability of accepting H0 when the true difference is ELO1
    #[arg(long, value_name = "P", default_value_t = DEFAULT_ERROR, value_parser = finite, allow_hyphen_values = true)]
    beta: f64,
}

impl TestArgs {
    fn sprt(&self, elo0: f64, elo1: f64) -> Result<Sprt, Failure> {
        Sprt::new(self.model, elo0, elo1, self.alpha, self.beta)
            .map_err(|error| Failure::input(error.to_string(), error.advice()))
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    match (&arguments.task, arguments.bounds) {
        (Some(Task::Plan(plan)), _) => match (plan.elo0, plan.elo1) {
            (Some(elo0), Some(elo1)) => frame.outcome("sprt-plan", || plan_test(plan, elo0, elo1)),
            _ => frame.outcome("sprt-match", || plan_match(plan)),
        },
        (None, Some((elo0, elo1))) => frame.outcome("sprt", || judge(arguments, elo0, elo1)),
        (None, None) => Err(Failure::input("--bounds is missing", "for example `--bounds 0,5`")),
    }
}

/// The hypotheses of a test.
fn hypotheses_text(sprt: &Sprt) -> String {
    let scale = match sprt.model() {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "nElo",
    };
    format!("SPRT [{:.2}, {:.2}] {scale}", sprt.elo0(), sprt.elo1())
}

fn judge(arguments: &Arguments, elo0: f64, elo1: f64) -> Result<Found, Failure> {
    let counts = &arguments.counts;
    let sprt = arguments.test.sprt(elo0, elo1)?;
    let tables = match (counts.pairs(), counts.games()) {
        (Some(pairs), _) => {
            let [ll, ld, even, wd, ww] = pairs.counts();
            let text = format!("[{ll}, {ld}, {even}, {wd}, {ww}]");
            JudgedTables::of(&pairs, text, pairs.pairs_ratio(), &sprt)
        }
        (None, Some(games)) => {
            let text = format!("{} W, {} D, {} L", games.wins(), games.draws(), games.losses());
            JudgedTables::of(&games, text, None, &sprt)
        }
        (None, None) => {
            return Err(Failure::input(
                "the counts are missing",
                "give counts of pairs, as in `--pentanomial 5,60,400,45,3`, or of games, as in `--wdl 76,123,89`",
            ));
        }
    };
    Ok(tables.outcome(&hypotheses_text(&sprt)).into())
}

fn plan_test(plan: &Plan, elo0: f64, elo1: f64) -> Result<Found, Failure> {
    let sprt = plan.test.sprt(elo0, elo1)?;
    let variance = plan.noise.variance()?;
    let differences = match plan.true_elo.is_empty() {
        true => vec![elo0, f64::midpoint(elo0, elo1), elo1],
        false => plan.true_elo.clone(),
    };
    let limits: Vec<Option<u64>> = match plan.pairs.is_empty() {
        true => vec![None],
        false => plan.pairs.iter().copied().map(Some).collect(),
    };
    let tables = PlannedTables::of(&sprt, variance, &limits, &differences);
    Ok(tables.outcome(&hypotheses_text(&sprt)).into())
}

/// The errors of matches of some lengths, or the length that gives the wanted error.
fn plan_match(plan: &Plan) -> Result<Found, Failure> {
    let variance = plan.noise.variance()?;
    let pairs = match plan.error {
        Some(error) => {
            let games = variance.games_for(Elo(error)).ok_or_else(|| {
                Failure::input(
                    format!("no match is long enough for an error of {error} Elo"),
                    "the error must be positive, as in `--error 2`",
                )
            })?;
            vec![games.div_ceil(2)]
        }
        None => plan.pairs.clone(),
    };
    Ok(MatchErrorTables::of(variance, &pairs).outcome("").into())
}
