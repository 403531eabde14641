//! `lmrlab openbench`: the values for the forms of OpenBench, and the policy from the values of its tunes.

mod engine;
mod options;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, value_parser};
use lmrlab_diagnostics::built_in;
use lmrlab_engine::bench;
use lmrlab_engine::preset::{PRESET_FOLDER, Preset};
use lmrlab_policy::Policy;
use lmrlab_policy::reference::POLICY_FOLDER;
use lmrlab_results::failure::Failure;
use lmrlab_results::output_file;
use lmrlab_runner::tournament::defaults::{DEFAULT_HASH_MIB, DEFAULT_PRESET, MAX_HASH_MIB};
use lmrlab_runner::tournament::entrant::OwnEngine;
use lmrlab_tune::fishtest;
use serde::Serialize;

use self::options::{EngineOptions, built_in_named, options};
use super::counts::print_json;
use super::openings::quoted;
use crate::invocation::working_folder;
use crate::output_files::refuse_existing;
use crate::print::{print_out, print_warnings};

/// The policy of an engine without options.
const DEFAULT_POLICY: &str = "house";
/// The usual learning rate at the end of a tune on OpenBench.
const R_END: f64 = 0.002;

/// Print what goes into the forms of OpenBench: options and bench of both sides, or the input of SPSA.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab openbench my-idea
  lmrlab openbench house@divisor=2.5 house --json
  lmrlab openbench house 'policy=house preset=standard@-null_move'
  lmrlab openbench logarithm --spsa
  lmrlab openbench house --spsa=base,divisor,null_move_eval_divisor
  lmrlab openbench logarithm --tuned outputs.txt --out configs/policies/logarithm-tuned.toml

A test plays dev against base. An engine is a policy with overrides if any, or the words `policy=P preset=P`. The engine \
that OpenBench builds with `make` has the policies of its branch built in, and no file of yours. --json has the names of the \
form's fields as keys, so a script can post it. SPSA's names are the options of the engine. --tuned reads what \
/api/spsa/ID/outputs/ of the server shows, its digest, or parameters.txt of `lmrlab tune`.")]
pub(crate) struct Arguments {
    /// Dev: the policy to test, or to tune
    policy: String,
    /// Base: what it plays against [default: house, the engine's own default; with --tuned, POLICY as it was]
    base: Option<String>,
    /// The search around a policy: a name (configs/engines/NAME.toml) or a path
    #[arg(long, value_name = "PRESET", default_value = DEFAULT_PRESET)]
    preset: String,
    /// Transposition table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH_MIB,
          value_parser = value_parser!(u32).range(1..=i64::from(MAX_HASH_MIB)))]
    hash: u32,
    /// Print the form of a tune with the input lines of SPSA, for these parameters of the policy and numbers of the search
    /// [default: all of the policy]
    #[arg(long, value_name = "NAME,..", num_args = 0..=1, require_equals = true, value_delimiter = ',',
          conflicts_with = "base")]
    spsa: Option<Vec<String>>,
    /// SPSA's learning rate at the end of the tune
    #[arg(long, value_name = "R", requires = "spsa", default_value_t = R_END, value_parser = learning_rate)]
    r_end: f64,
    /// Read the values that a tune has ended with: dev is POLICY with them; `-` is standard input
    #[arg(long, value_name = "FILE")]
    tuned: Option<PathBuf>,
    /// Write the tuned policy as a file, which the form then names
    #[arg(long, value_name = "FILE", requires = "tuned", conflicts_with = "spsa")]
    out: Option<PathBuf>,
    /// Overwrite this file
    #[arg(long)]
    force: bool,
    /// Print JSON, with the names of the form's fields
    #[arg(long)]
    json: bool,
}

fn learning_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok();
    rate.filter(|rate: &f64| rate.is_finite() && *rate > 0.0)
        .ok_or_else(|| "a number greater than 0 is needed".to_owned())
}

/// The fields of a form, under their names there, and the notes about them.
#[derive(Debug, Serialize)]
struct Form {
    dev_bench: u64,
    dev_options: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_bench: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_options: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spsa_inputs: Option<String>,
    /// Nodes of the bench with the options; the form has no field for it.
    dev_nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_nodes: Option<u64>,
    notes: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let here = working_folder()?;
    if let Some(out) = &arguments.out {
        refuse_built_in(out)?;
    }
    refuse_existing(&arguments.out, arguments.force)?;
    let (start, warnings) = engine::named(&arguments.policy, &arguments.preset, &here).map_err(Failure::Input)?;
    warnings.iter().for_each(print_warnings);
    let mut dev = start.clone();
    let mut file = None;
    if let Some(tuned) = &arguments.tuned {
        let (subject, values) = engine::tuned(start.clone(), tuned)?;
        dev = engine::at(&subject, &values).unwrap_or(dev);
        if let Some(out) = &arguments.out {
            let folder = here.join(out.parent().unwrap_or(Path::new("")));
            let description = format!("Tuned on OpenBench; the values are from {}.", tuned.display());
            let text = subject.tuned_policy(&values, &here, &folder, &description);
            file = Some((out, text.ok_or_else(nothing_to_write)?));
        }
    }
    let committed = file.as_ref().and_then(|(out, _)| out.file_stem()?.to_str());
    let EngineOptions { text, mut notes } = options(&dev, arguments.hash, committed, &here)?;
    let default = engine_default()?;
    let mut spsa_inputs = None;
    let mut base = None;
    if let Some(names) = &arguments.spsa {
        spsa_inputs = Some(spsa_lines(&dev, names, arguments.r_end)?);
    } else {
        let side = match &arguments.base {
            Some(words) => {
                let (side, warnings) = engine::named(words, &arguments.preset, &here).map_err(Failure::Input)?;
                warnings.iter().for_each(print_warnings);
                side
            }
            None if arguments.tuned.is_some() => start,
            None => {
                let side = engine::named(DEFAULT_POLICY, &arguments.preset, &here);
                let (side, _) = side.map_err(Failure::Input)?;
                // The built-in policy, even if the project has another one of this name.
                OwnEngine {
                    policy: Arc::clone(&default.policy),
                    ..side
                }
            }
        };
        let of_base = options(&side, arguments.hash, None, &here)?;
        notes.extend(of_base.notes);
        if of_base.text == text {
            notes
                .push("Both sides have the same options: only a difference between the branches is tested.".to_owned());
        }
        base = Some((side, of_base.text));
    }
    notes.dedup();
    // The benches take a moment, so they come after everything that can be refused.
    let bench = bench_nodes(&default)?;
    let nodes = |own: &OwnEngine| {
        let same = own.policy.hash() == default.policy.hash() && own.preset.parameters == default.preset.parameters;
        if same { Ok(bench) } else { bench_nodes(own) }
    };
    let base_name = base.as_ref().map_or_else(String::new, |(side, _)| side.policy_name());
    let form = Form {
        dev_bench: bench,
        dev_options: text,
        base_bench: base.is_some().then_some(bench),
        spsa_inputs,
        dev_nodes: nodes(&dev)?,
        base_nodes: base.as_ref().map(|(side, _)| nodes(side)).transpose()?,
        base_options: base.map(|(_, options)| options),
        notes,
    };
    if let Some((out, text)) = file {
        output_file::write(out, text)?;
    }
    if arguments.json {
        return print_json(&form);
    }
    print_out(&form_text(&form, arguments, &dev.policy_name(), &base_name));
    Ok(())
}

/// Refuses a file with the name of a built-in policy: an engine would find that policy instead.
fn refuse_built_in(out: &Path) -> Result<(), Failure> {
    let known = built_in_named(POLICY_FOLDER);
    let taken = (known.iter()).find(|(name, _)| out.file_stem().is_some_and(|file| file == &**name));
    match taken {
        Some((name, _)) => Err(Failure::input(
            format!("the engine has another policy `{name}`"),
            "--out needs a new name, which the form can use",
        )),
        None => Ok(()),
    }
}

fn nothing_to_write() -> Failure {
    Failure::input(
        "--out writes a policy, and none of the values changes it",
        "leave --out out: the options have all changes",
    )
}

/// The built-in engine without options.
fn engine_default() -> Result<OwnEngine, Failure> {
    let file = |folder: &str, name: &str| built_in::path(format!("{folder}/{name}.toml"));
    let (policy, _) = Policy::load(&file(POLICY_FOLDER, DEFAULT_POLICY))?;
    let (preset, _) = Preset::load(&file(PRESET_FOLDER, DEFAULT_PRESET))?;
    let ordering = preset.ordering;
    Ok(OwnEngine::new(
        (DEFAULT_PRESET, preset),
        (DEFAULT_POLICY, policy),
        ordering,
    ))
}

fn bench_nodes(own: &OwnEngine) -> Result<u64, Failure> {
    bench::run(&own.preset, &own.policy, bench::DEFAULT_DEPTH)
        .map(|outcome| outcome.nodes)
        .map_err(|error| Failure::run(error.to_string()))
}

/// The input of SPSA. The names are options of the engine.
fn spsa_lines(own: &OwnEngine, names: &[String], r_end: f64) -> Result<String, Failure> {
    let lines = engine::parameters(own, names)?
        .into_iter()
        .map(|(mut parameter, place)| {
            parameter.name = place.option_name(&parameter.name);
            fishtest::line(&parameter, parameter.start, r_end)
        });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The form for people.
fn form_text(form: &Form, arguments: &Arguments, dev: &str, base: &str) -> String {
    let mut text = String::new();
    let Form {
        dev_bench: bench,
        dev_options,
        dev_nodes,
        ..
    } = form;
    if let Some(lines) = &form.spsa_inputs {
        let preset = if arguments.preset == DEFAULT_PRESET {
            String::new()
        } else {
            format!(" --preset {}", quoted(&arguments.preset))
        };
        let _ = write!(
            text,
            "A tune of {dev}: create it at /tune/new/ of the server.\n\n  Bench    {bench}\n  Options  {dev_options}\n\n\
             SPSA Input\n{lines}\n\n\
             With its options, the engine searches {dev_nodes} nodes in the bench.\n\
             The way back: save /api/spsa/ID/outputs/ of the server as outputs.txt, then\n  \
             lmrlab openbench {}{preset} --tuned outputs.txt\n",
            quoted(&arguments.policy),
        );
    }
    if let (Some(base_options), Some(base_nodes)) = (&form.base_options, form.base_nodes) {
        let _ = write!(
            text,
            "A test of {dev} (dev) against {base} (base): create it at /test/new/ of the server.\n\n  \
             Dev Bench     {bench}\n  Dev Options   {dev_options}\n  \
             Base Bench    {bench}\n  Base Options  {base_options}\n\n\
             With their options, dev searches {dev_nodes} nodes in the bench, and base {base_nodes}.\n"
        );
    }
    text.push_str(
        "Branch is what to build: a branch, tag or commit of lmrlab, often the same for dev and base. OpenBench builds it with `make`\n\
         and compares the bench without options, which is that of this lmrlab: another search or default policy has another.\n",
    );
    for note in &form.notes {
        let _ = writeln!(text, "{note}");
    }
    if let Some(out) = &arguments.out {
        let _ = writeln!(text, "The policy is in {}", out.display());
    }
    text
}
