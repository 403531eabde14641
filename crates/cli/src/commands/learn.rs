//! `lmrlab learn`: one policy from curves, or several between which games decide.

use std::path::PathBuf;

use clap::Args;
use lmrlab_policy::reference::PolicyReference;

use super::learn_play::PlayOptions;
use super::lesson::{Lesson, Start, stem};
use super::whole_number::count;
use crate::output_files::refuse_existing;
use crate::print::{print_err, print_out, print_warnings};
use lmrlab_lab::curves::{score, score_table};
use lmrlab_lab::learn::Learned;
use lmrlab_policy::Policy;
use lmrlab_results::failure::Failure;
use lmrlab_results::number_text::percent;
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::ERROR_HEADING;

/// The factors of the price with which policies play when the user gives none.
const PLAYED_PRICES: [f64; 5] = [0.25, 0.4, 0.6, 0.8, 1.0];
/// The longest name of a policy, in characters.
const LONGEST_NAME: usize = 64;
/// The longest factor in the name of a policy, in characters.
const LONGEST_FACTOR: usize = 20;

/// Learn a policy from a file of curves.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab audit house --nodes 20000 --curves curves.csv
  lmrlab learn --curves curves.csv --start house --out learned.toml
  lmrlab match learned.toml house --nodes 20000
  lmrlab learn --curves curves.csv --start house --play --out results/learned

The curves say what each reduction of each sampled move costs in nodes, and whether the move is missed. The policy of the start has a \
certain loss on these moves: nodes, as a share of those at full depth, and a price for each missed move. The price is what the start \
pays: at nodes of each kind, half a ply more saves nodes and misses moves, and the price is the ratio of both. With --price 2 a missed \
move costs twice as much, so that the learned policy reduces less.

learn moves the parameters of the start to better values. Then it adds the rule that lowers the loss most, one after the other: a flag, \
two flags, a number above a threshold, or a number times a factor. A rule has at most a ply, and no move gains from a reduction \
that is more than a ply away from that of the start: the curves are of the tree of the start, and say little of a policy that differs much. \
Learn again from curves of the learned policy to go further.

A third of the positions is held out. The loss on these positions decides how many rules there are; at last the values are learned \
again from all positions. What a rule does to the rest of the tree is not seen: play the policy before you believe in it.

The price is the only number that the curves do not decide. With --play games decide it: learn makes a policy for each factor of \
--price, and the start and these policies play a race. An engine that is clearly behind the best one is dropped. The race is a run like \
any other, in the folder race below the folder of the policies: after Ctrl-C `lmrlab resume DIR/race` continues it, `lmrlab show` and \
`lmrlab report` describe it.

With curves of another engine (audit --host), name a policy of this engine with --start. The engine's own facts become rules when the \
[host] of this policy declares them.")]
pub(crate) struct Arguments {
    /// The curves, from `lmrlab audit --curves`
    #[arg(long, value_name = "FILE")]
    curves: PathBuf,
    /// The policy to start from: a name in configs/policies or a file, with overrides after `@`
    #[arg(long, value_name = "POLICY", default_value = "house")]
    start: PolicyReference,
    /// Write the learned policy into this file; with --play, the policies and the race into this folder
    #[arg(long, value_name = "FILE|DIR")]
    out: PathBuf,
    /// Overwrite the file or the results of --out
    #[arg(long)]
    force: bool,
    /// What a missed move costs, as a multiple of what the start pays for one; with --play several [default: 1; with --play
    /// 0.25,0.4,0.6,0.8,1]
    #[arg(long, value_name = "FACTOR[,FACTOR..]", value_delimiter = ',', value_parser = price)]
    price: Vec<f64>,
    /// The most rules that are added
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = count(0..=64))]
    max_rules: u64,
    /// Seed of the choice of the held-out positions; with --play, of the order of the openings, too
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    play: PlayOptions,
}

fn price(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(price) if (0.0..=1000.0).contains(&price) => Ok(price),
        _ => Err("expected a number from 0 to 1000".to_owned()),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (arguments.play.play, &arguments.price[..]) {
        (true, []) => learn_and_play(arguments, &PLAYED_PRICES),
        (true, prices) => learn_and_play(arguments, prices),
        (false, []) => learn_one(arguments, 1.0),
        (false, [price]) => learn_one(arguments, *price),
        (false, prices) => Err(Failure::input(
            format!("--price has {} factors, and one policy is learned", prices.len()),
            "name one, or add --play: then each factor gives a policy, and games choose among them",
        )),
    }
}

fn learn_one(arguments: &Arguments, price: f64) -> Result<(), Failure> {
    refuse_existing([&arguments.out], arguments.force)?;
    let start = Start::read(&arguments.start)?;
    let lesson = Lesson::read(&start, &arguments.curves, arguments.max_rules as usize, arguments.seed)?;
    let learned = lesson.learned(price);
    print_out(&format!(
        "{}\n{}\n\n{}",
        lesson.moves(&learned),
        learned.prices.text(),
        learned.text(),
    ));
    let (policy, warnings) = lesson.write(&learned, price, &arguments.out)?;
    print_warnings(&warnings);
    let of_learned = score(&policy, &lesson.file);
    let name = stem(&arguments.out);
    let scores = [(start.name.as_str(), lesson.of_start), (name.as_str(), of_learned)];
    print_out(&format!("\n{}", score_table(&scores, 200, arguments.seed)));
    print_err(&format!("The policy is in {}", arguments.out.display()));
    Ok(())
}

fn learn_and_play(arguments: &Arguments, prices: &[f64]) -> Result<(), Failure> {
    check_factors(prices)?;
    let folder = &arguments.out;
    let start = Start::read(&arguments.start)?;
    let race = arguments.play.race(
        (&start.name, &start.reference),
        (folder, arguments.force),
        arguments.seed,
    )?;
    let names: Vec<String> = prices
        .iter()
        .map(|price| policy_name(start.policy.name(), *price))
        .collect();
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(format!("{name}.toml"))).collect();
    let mut paths = Vec::new();
    for (name, file) in names.iter().zip(&files) {
        let path = file.to_str().ok_or_else(|| {
            Failure::input(
                format!("the name of the folder `{}` is not Unicode", folder.display()),
                "name another folder: the manifest of the race has the paths of the policies",
            )
        })?;
        paths.push([name.clone(), path.to_owned()]);
    }
    if folder.is_dir() {
        refuse_existing(&files, arguments.force)?;
    }
    race.check(&names)?;
    let lesson = Lesson::read(&start, &arguments.curves, arguments.max_rules as usize, arguments.seed)?;
    let mut learned = Vec::new();
    for (name, price) in names.iter().zip(prices) {
        learned.push(lesson.learned(*price));
        if !arguments.play.quiet {
            print_err(&format!("{name} is learned, {} of {}", learned.len(), prices.len()));
        }
    }
    // The results of an earlier race stay until all policies are learned.
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let mut table = TextTable::new(1, ["policy", "price", "nodes", "missed", "gain", ERROR_HEADING]);
    table.push([
        start.name.clone(),
        String::new(),
        "1.000".to_owned(),
        percent(lesson.of_start.total(None).missed_share()),
    ]);
    for (((name, price), learned), file) in names.iter().zip(prices).zip(&learned).zip(&files) {
        // The race prints the warnings.
        let (policy, _) = lesson.write(learned, *price, file)?;
        table.push(row(name, *price, learned, &policy, &lesson));
    }
    if let Some(first) = learned.first() {
        print_out(&format!(
            "{}\n\n{table}nodes: of all searches of the moves, as a ratio to those of the start\n\
             missed: of the moves that raise alpha at full depth, those that do not raise it with the reduction\n\
             gain: of the loss on the held-out positions, at the price of the policy\n",
            lesson.moves(first)
        ));
    }
    let played = race.play(&paths);
    let shown: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    print_err(&format!("The policies are in {}", shown.join(", ")));
    played
}

/// Refuses a factor that is given twice, and one that makes the name of its policy too long.
fn check_factors(prices: &[f64]) -> Result<(), Failure> {
    for (index, price) in prices.iter().enumerate() {
        if prices[..index].contains(price) {
            return Err(Failure::input(
                format!("--price has the factor {price} twice"),
                "name each factor once",
            ));
        }
        if price.to_string().len() > LONGEST_FACTOR {
            return Err(Failure::input(
                format!("the factor {price:e} of --price is too long for the name of its policy"),
                format!("use at most {LONGEST_FACTOR} characters, as in 0.7"),
            ));
        }
    }
    Ok(())
}

/// The name of a policy that is learned from the start `start`.
fn policy_name(start: &str, price: f64) -> String {
    // Without the sign of -0.
    let end = format!("-price-{}", price.abs());
    let start: String = start.chars().take(LONGEST_NAME.saturating_sub(end.len())).collect();
    start + &end
}

fn row(name: &str, price: f64, learned: &Learned, policy: &Policy, lesson: &Lesson<'_>) -> [String; 6] {
    let (own, first) = (score(policy, &lesson.file).total(None), lesson.of_start.total(None));
    let ratio = (first.nodes > 0.0).then(|| own.nodes / first.nodes);
    let (gain, error) = learned.gain_share();
    [
        name.to_owned(),
        price.to_string(),
        ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}")),
        percent(own.missed_share()),
        format!("{:.1}%", 100.0 * gain),
        error.map_or_else(|| "-".to_owned(), |error| format!("{:.1}%", 100.0 * error)),
    ]
}
