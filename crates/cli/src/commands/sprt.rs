//! `lmrlab sprt`: runs a sequential probability ratio test on counts, or plans one.

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::counts::{CountArgs, Counts, MOST_OUTCOMES, NoiseArgs, finite, finite_list, json_number, list, print_json};
use super::match_::{Model, hypotheses};
use crate::print::print_out;
use lmrlab_results::failure::Failure;
use lmrlab_results::number_text::{chance, percent, signed, unsigned};
use lmrlab_runner::sprt_text;
use lmrlab_runner::text_table::{Column, TextTable};
use lmrlab_runner::tournament::defaults::DEFAULT_ERROR;
use lmrlab_stats::{CONFIDENCE, Elo, EloModel, Estimate, Sprt, Verdict};

/// Run a sequential probability ratio test (SPRT) on counts, or plan one.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  lmrlab sprt --pentanomial 365,16618,36229,16974,390 --bounds 0,2
  lmrlab sprt --wdl 1450,4000,1500 --bounds 0,5 --model logistic --json
  lmrlab sprt plan --elo0 0 --elo1 5 --draws 0.6 --true-elo 0,2.5,5

Numbers are from the side of the first engine. Errors are half-widths of 95% intervals. With fewer than 30 pairs they are
those of Student's t, and a note says why a number is missing. With --json, such a number is null. A test that stopped at one of its bounds also gets an estimate that corrects for the early stop."
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
    /// Print a JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Task {
    Plan(Plan),
}

/// Predict the pass probability and the length of a test, or the error of a match.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab sprt plan --elo0 0 --elo1 5 --draws 0.6
  lmrlab sprt plan --elo0 0 --elo1 20 --pairs 1500 --draws 0.6
  lmrlab sprt plan --elo0 -1.75 --elo1 0.25 --draws 0.49 --bias 191 --true-elo 0 --model logistic --json
  lmrlab sprt plan --elo0 0 --elo1 2 --pentanomial 365,16618,36229,16974,390
  lmrlab sprt plan --pairs 500,2000 --draws 0.6
  lmrlab sprt plan --error 2 --draws 0.6")]
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
    #[arg(long, value_name = "N,...", value_parser = list::<u64>, conflicts_with = "error")]
    pairs: Option<::std::vec::Vec<u64>>,
    /// No test, but a match with this error, in Elo: the pairs that it needs
    #[arg(long, value_name = "ELO", value_parser = finite, allow_hyphen_values = true, conflicts_with = "elo0")]
    error: Option<f64>,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    noise: NoiseArgs,
    /// True differences, separated by commas, on the scale of --model [default: elo0, the midpoint, elo1]
    #[arg(long, requires = "elo0", value_name = "ELO,...", value_parser = finite_list, allow_hyphen_values = true)]
    true_elo: Option<::std::vec::Vec<f64>>,
    /// Print a JSON array instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct TestArgs {
    /// The scale of the hypotheses
    #[arg(long, value_enum, default_value_t = Model::Normalized)]
    model: Model,
    /// Probability of accepting H1 when the true difference is ELO0
    #[arg(long, value_name = "P", default_value_t = DEFAULT_ERROR, value_parser = finite, allow_hyphen_values = true)]
    alpha: f64,
    /// Probability of accepting H0 when the true difference is ELO1
    #[arg(long, value_name = "P", default_value_t = DEFAULT_ERROR, value_parser = finite, allow_hyphen_values = true)]
    beta: f64,
}

impl TestArgs {
    fn sprt(&self, elo0: f64, elo1: f64) -> Result<Sprt, Failure> {
        Sprt::new(self.model.into(), elo0, elo1, self.alpha, self.beta)
            .map_err(|error| Failure::input(error.to_string(), ""))
    }
}

impl Plan {
    /// The numbers of pairs, if they are given.
    fn pairs(&self) -> Result<Option<Vec<u64>>, Failure> {
        let mut pairs = self.pairs.iter().flatten();
        match pairs.find(|pairs| !(1..=MOST_OUTCOMES).contains(*pairs)) {
            Some(wrong) => Err(Failure::input(
                format!("--pairs must be from 1 to {MOST_OUTCOMES}, not {wrong}"),
                "",
            )),
            None => Ok(self.pairs.clone()),
        }
    }
}

/// The result of a test on counts.
#[derive(Debug, Serialize)]
struct Judgement {
    #[serde(serialize_with = "json_number")]
    score: f64,
    #[serde(serialize_with = "json_number")]
    elo: f64,
    #[serde(serialize_with = "json_number")]
    elo_error_95: f64,
    #[serde(serialize_with = "json_number")]
    nelo: f64,
    /// As fastchess computes it.
    #[serde(serialize_with = "json_number")]
    nelo_error_95: f64,
    /// The exact interval, which is not symmetric.
    #[serde(serialize_with = "json_number")]
    nelo_low_95: f64,
    #[serde(serialize_with = "json_number")]
    nelo_high_95: f64,
    #[serde(serialize_with = "json_number")]
    los: f64,
    #[serde(serialize_with = "json_number")]
    llr: f64,
    #[serde(serialize_with = "json_number")]
    lower: f64,
    #[serde(serialize_with = "json_number")]
    upper: f64,
    verdict: &'static str,
    /// With 1/1000 in empty cells, as fishtest prints it; absent when no cell is empty, and with too few counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    regularized: Option<Regularized>,
    /// The estimate that corrects for the early stop; absent when the test did not stop at a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt_estimate: Option<Sequential>,
}

/// The estimate that corrects for the early stop, with the keys of `match --json-lines`.
#[derive(Debug, Serialize)]
struct Sequential {
    #[serde(serialize_with = "json_number")]
    elo: f64,
    #[serde(serialize_with = "json_number")]
    elo_low_95: f64,
    #[serde(serialize_with = "json_number")]
    elo_high_95: f64,
    los: f64,
}

/// The estimate with a small count in each empty cell.
#[derive(Debug, Serialize)]
struct Regularized {
    elo: f64,
    elo_error_95: f64,
    los: f64,
}

/// A line of a plan.
#[derive(Debug, Serialize)]
struct Prospect {
    #[serde(serialize_with = "json_number")]
    true_elo: f64,
    #[serde(serialize_with = "json_number")]
    true_nelo: f64,
    pass_probability: f64,
    expected_games: f64,
    #[serde(flatten)]
    limited: Option<Limited>,
}

/// What a limit of pairs adds to a line of a plan.
#[derive(Debug, Serialize)]
struct Limited {
    pairs: u64,
    fail_probability: f64,
    undecided_probability: f64,
}

/// The error of a match of equal engines.
#[derive(Debug, Serialize)]
struct ErrorBar {
    pairs: u64,
    games: u64,
    #[serde(serialize_with = "json_number")]
    elo_error_95: f64,
    #[serde(serialize_with = "json_number")]
    nelo_error_95: f64,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.task, arguments.bounds) {
        (Some(Task::Plan(plan)), _) => match (plan.elo0, plan.elo1) {
            (Some(elo0), Some(elo1)) => plan_test(plan, elo0, elo1),
            _ => plan_match(plan),
        },
        (None, Some((elo0, elo1))) => judge(arguments, elo0, elo1),
        (None, None) => Err(Failure::input("--bounds is missing", "for example `--bounds 0,5`")),
    }
}

fn judge(arguments: &Arguments, elo0: f64, elo1: f64) -> Result<(), Failure> {
    let counts = arguments.counts.counts().ok_or_else(|| {
        Failure::input(
            "the counts are missing",
            "give counts of pairs, as in `--pentanomial 5,60,400,45,3`, or of games, as in `--wdl 76,123,89`",
        )
    })?;
    let sprt = arguments.test.sprt(elo0, elo1)?;
    let estimate = counts.estimate().unwrap_or(Estimate::NOTHING_KNOWN);
    let interval = estimate.normalized_elo_interval_95;
    let (lower, upper) = sprt.bounds();
    let verdict = counts.verdict(&sprt);
    let judgement = Judgement {
        score: estimate.score,
        elo: estimate.elo.0,
        elo_error_95: estimate.elo_error_95.map_or(f64::INFINITY, |error| error.0),
        nelo: estimate.normalized_elo.0,
        nelo_error_95: estimate.normalized_elo_error_95.map_or(f64::INFINITY, |error| error.0),
        nelo_low_95: interval.map_or(f64::NEG_INFINITY, |[low, _]| low.0),
        nelo_high_95: interval.map_or(f64::INFINITY, |[_, high]| high.0),
        los: estimate.los,
        llr: counts.llr(&sprt),
        lower,
        upper,
        verdict: match verdict {
            Verdict::AcceptH0 => "H0",
            Verdict::AcceptH1 => "H1",
            Verdict::Continue => "continue",
        },
        regularized: counts.regularized().map(|estimate| Regularized {
            elo: estimate.elo.0,
            elo_error_95: estimate.elo_error_95.map_or(f64::INFINITY, |error| error.0),
            los: estimate.los,
        }),
        sprt_estimate: counts.sequential(&sprt).map(|estimate| Sequential {
            elo: estimate.elo.0,
            elo_low_95: estimate.low.0,
            elo_high_95: estimate.high.0,
            los: estimate.los,
        }),
    };
    if arguments.json {
        return print_json(&judgement);
    }
    print_out(&text(&counts, &sprt, &judgement, verdict));
    Ok(())
}

fn text(counts: &Counts, sprt: &Sprt, judgement: &Judgement, verdict: Verdict) -> String {
    let mut text = String::new();
    let (games, draw_ratio) = match counts {
        Counts::Pairs(pairs) => (pairs.games(), pairs.draw_ratio()),
        Counts::Games(games) => (games.games(), games.draw_ratio()),
    };
    let _ = writeln!(
        text,
        "Games | {games}: score {}, {} {}",
        percent(Some(judgement.score)),
        match counts {
            Counts::Pairs(_) => "pairs 1-1",
            Counts::Games(_) => "draws",
        },
        percent(draw_ratio),
    );
    if let Counts::Pairs(pairs) = counts {
        let [ll, ld, even, wd, ww] = pairs.counts();
        let _ = writeln!(
            text,
            "Pairs | Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}], won to lost {}",
            unsigned(pairs.pairs_ratio(), 2),
        );
    }
    let _ = writeln!(
        text,
        "Elo   | {} ± {} ({CONFIDENCE}), nElo {} ± {}, LOS {}",
        signed(Some(judgement.elo), 2),
        unsigned(Some(judgement.elo_error_95), 2),
        signed(Some(judgement.nelo), 2),
        unsigned(Some(judgement.nelo_error_95), 2),
        chance(Some(judgement.los)),
    );
    if let Some(note) = counts.estimate().and_then(|estimate| sprt_text::unknown(&estimate)) {
        let _ = writeln!(text, "{note}");
    }
    if let Some(estimate) = counts.regularized() {
        let _ = writeln!(text, "{}", sprt_text::regularized(&estimate));
    }
    if let Some(estimate) = counts.sequential(sprt) {
        let _ = writeln!(text, "{}", sprt_text::estimate(&estimate));
    }
    let _ = writeln!(
        text,
        "SPRT  | LLR {:.2} ({:.2}, {:.2}) [{:.2}, {:.2}] {} - {}",
        judgement.llr + 0.0,
        judgement.lower,
        judgement.upper,
        sprt.elo0(),
        sprt.elo1(),
        match sprt.model() {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        },
        sprt_text::verdict(verdict),
    );
    text
}

fn plan_test(plan: &Plan, elo0: f64, elo1: f64) -> Result<(), Failure> {
    let sprt = plan.test.sprt(elo0, elo1)?;
    let variance = plan.noise.variance()?;
    let usual = || vec![elo0, f64::midpoint(elo0, elo1), elo1];
    let differences = plan.true_elo.clone().unwrap_or_else(usual);
    let limits: Vec<Option<u64>> = match plan.pairs()? {
        Some(pairs) => pairs.into_iter().map(Some).collect(),
        None => vec![None],
    };
    let prospect = |pairs: Option<u64>, elo: f64| {
        let normalized = match sprt.model() {
            EloModel::Logistic => variance.normalized(Elo(elo)).0,
            EloModel::Normalized => elo,
        };
        let elo = variance.on_scale(sprt.model(), elo);
        let expected = sprt.plan(variance, elo, pairs.map(|pairs| 2 * pairs));
        Prospect {
            true_elo: elo.0,
            true_nelo: normalized,
            pass_probability: expected.pass_probability,
            expected_games: expected.expected_games,
            limited: pairs.map(|pairs| Limited {
                pairs,
                fail_probability: expected.fail_probability,
                undecided_probability: expected.undecided_probability(),
            }),
        }
    };
    let prospects: Vec<Prospect> = limits
        .iter()
        .flat_map(|&pairs| differences.iter().map(move |&elo| (pairs, elo)))
        .map(|(pairs, elo)| prospect(pairs, elo))
        .collect();
    if plan.json {
        return print_json(&prospects);
    }
    let mut columns = vec![
        Column::numbers("Elo").at_least(6),
        Column::numbers("nElo").at_least(7),
        Column::numbers("passes").at_least(7),
        Column::numbers("expected games").at_least(15),
    ];
    if plan.pairs.is_some() {
        columns.extend(["fails", "undecided", "pairs at most"].map(Column::numbers));
    }
    let mut table = TextTable::of(columns);
    for prospect in &prospects {
        let mut row = vec![
            signed(Some(prospect.true_elo), 2),
            signed(Some(prospect.true_nelo), 2),
            percent(Some(prospect.pass_probability)),
            unsigned(Some(prospect.expected_games), 0),
        ];
        if let Some(limited) = &prospect.limited {
            row.extend([
                percent(Some(limited.fail_probability)),
                percent(Some(limited.undecided_probability)),
                limited.pairs.to_string(),
            ]);
        }
        table.push(row);
    }
    print_out(&table.to_string());
    Ok(())
}

/// Prints the errors of matches of some lengths, or the length that gives the wanted error.
fn plan_match(plan: &Plan) -> Result<(), Failure> {
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
        None => plan.pairs()?.unwrap_or_default(),
    };
    let bar = |pairs: u64| {
        let (logistic, normalized) = variance.error_95(2 * pairs);
        ErrorBar {
            pairs,
            games: 2 * pairs,
            elo_error_95: logistic.0,
            nelo_error_95: normalized.0,
        }
    };
    let bars: Vec<ErrorBar> = pairs.into_iter().map(bar).collect();
    if plan.json {
        return print_json(&bars);
    }
    let mut table = TextTable::of([
        Column::numbers("pairs").at_least(9),
        Column::numbers("games").at_least(9),
        Column::numbers(format!("± Elo ({CONFIDENCE})")),
        Column::numbers(format!("± nElo ({CONFIDENCE})")),
    ]);
    for bar in &bars {
        table.push([
            bar.pairs.to_string(),
            bar.games.to_string(),
            unsigned(Some(bar.elo_error_95), 2),
            unsigned(Some(bar.nelo_error_95), 2),
        ]);
    }
    print_out(&table.to_string());
    Ok(())
}
