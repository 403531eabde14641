//! `lmrlab learn`: a policy from curves.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_policy::reference::PolicyReference;

use super::lab_options::named_policies_for_host;
use super::score::say_lacking;
use super::whole_number::count;
use crate::output_files::refuse_existing;
use crate::print::{print_err, print_out};
use lmrlab_diagnostics::Source;
use lmrlab_lab::curves::{read, score, score_table};
use lmrlab_lab::learn::{LearnOptions, learn};
use lmrlab_policy::Policy;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file::OutputFile;
use lmrlab_runner::project;

/// From what a policy is learned, and how.
#[derive(Debug, Args)]
#[command(
    about = "Learn a policy from a file of curves",
    after_help = "\
Example:
  lmrlab audit house --nodes 20000 --curves curves.csv
  lmrlab learn --curves curves.csv --start house --out learned.toml
  lmrlab match learned.toml house --nodes 20000

The curves say what each reduction of each sampled move costs in nodes, and whether the move is missed. The policy of the start has a \
certain loss on these moves: nodes, as a share of those at full depth, and a price for each missed move. The price is what the start \
pays: at nodes of each kind, half a ply more saves nodes and misses moves, and the price is the ratio of both. With --price 2 a missed \
move costs twice as much, so that the learned policy reduces less.

learn moves the parameters of the start to better values. Then it adds the rule that lowers the loss most, one after the other: a flag, \
two flags, a number from some value on, or a number by its size. A rule has at most a ply, because the curves are of the tree of the \
start: of a policy that differs much they say little. Learn again from curves of the learned policy to go further.

A third of the positions is held out. The loss on these positions decides how many rules there are; at last the values are learned \
again from all positions. What a rule does to the rest of the tree is not seen: play the policy before you believe in it.

With curves of another engine (audit --host), name a policy of this engine with --start. The engine's own facts become rules when the \
[host] of this policy declares them."
)]
pub(crate) struct Arguments {
    /// The curves, from `lmrlab audit --curves`
    #[arg(long, value_name = "FILE")]
    curves: PathBuf,
    /// The policy to start from: a name in configs/policies or a file, with overrides after `@`
    #[arg(long, value_name = "POLICY", default_value = "house")]
    start: PolicyReference,
    /// Write the learned policy into this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the file of --out
    #[arg(long)]
    force: bool,
    /// What a missed move costs, as a multiple of what the start pays for one
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = price)]
    price: f64,
    /// The most rules that are added
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = count(0..=64))]
    max_rules: u64,
    /// Seed of the choice of the held-out positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn price(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(price) if (0.0..=1000.0).contains(&price) => Ok(price),
        _ => Err("expected a number from 0 to 1000".to_owned()),
    }
}

/// Runs the command.
///
/// # Errors
/// When the start or the file of curves is wrong, or the policy cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    refuse_existing([&arguments.out], arguments.force)?;
    let mut wrong = Vec::new();
    let named = named_policies_for_host(std::slice::from_ref(&arguments.start), &mut wrong);
    let Some((start_name, start)) = named.first().filter(|_| wrong.is_empty()) else {
        return Err(Failure::Input(wrong));
    };
    if start.never_reduces() {
        return Err(Failure::input(
            format!("the policy `{start_name}` reduces no move, so that there is nothing to move to better values"),
            "name a policy that reduces with --start, such as `logarithm`",
        ));
    }
    let file = read(&arguments.curves)?;
    let of_start = score(start, &file);
    say_lacking(start_name, &of_start);
    let options = LearnOptions {
        price: arguments.price,
        most_rules: arguments.max_rules as usize,
        seed: arguments.seed,
    };
    let learned = learn(start, &file, options);
    print_out(&format!(
        "{} curves of {}, start {start_name}: {} late moves to learn from, {} held out\n{}\n\n{}",
        file.curves.len(),
        arguments.curves.display(),
        learned.moves.0,
        learned.moves.1,
        learned.prices.text(),
        learned.text(),
    ));
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let root = match arguments.start.is_path() {
        true => here.clone(),
        false => project::root(&here, None),
    };
    let folder = arguments
        .out
        .parent()
        .filter(|folder| *folder != Path::new(""))
        .unwrap_or(Path::new("."));
    let name = arguments
        .out
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let evidence = format!(
        "Learned by lmrlab from {} curves, --price {}.\n{}\n\n{}",
        file.curves.len(),
        arguments.price,
        learned.prices.text(),
        learned.text()
    );
    let text = learned.file(&name, &arguments.start, &root, folder, &evidence);
    let text = text.ok_or_else(|| Failure::run(format!("the file of the policy `{start_name}` is gone")))?;
    let mut out = OutputFile::create(&arguments.out)?;
    std::io::Write::write_all(&mut out, text.as_bytes()).map_err(|error| Failure::write(&arguments.out, &error))?;
    out.finish()?;
    let source = Source::read(&arguments.out);
    let written = source.and_then(Policy::compile_for_host);
    let (policy, warnings) = written.map_err(|report| Failure::Input(vec![report]))?;
    crate::print::print_warnings(&warnings);
    let scores = [(start_name.as_str(), of_start), (name.as_str(), score(&policy, &file))];
    print_out(&format!("\n{}", score_table(&scores, 200, arguments.seed)));
    print_err(&format!("The policy is in {}", arguments.out.display()));
    Ok(())
}
