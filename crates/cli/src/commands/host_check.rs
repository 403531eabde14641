//! `lmrlab host check`: tells the author of an engine what is wrong with how it hosts policies.

use std::path::Path;

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_lab::host_check::outcome::HostCheckTables;
use lmrlab_lab::host_check::{HostCheck, WARNING, WRONG, check};
use lmrlab_policy::reference::PolicyReference;
use lmrlab_runner::player::uci::external::ExternalEngine;
use lmrlab_runner::tournament::description::{EngineDescription, EngineKind};
use lmrlab_runner::tournament::entrant::Entrant;

use super::shared::engine_words::{Entries, engines, searching};
use super::shared::policy_file::load_for_host;
use super::shared::typed_line::TypedLine;
use super::shared::whole_number::count;
use crate::frame::output_files::temporary_folder;
use crate::frame::{Found, Frame, Work, listen, print_err};
use crate::invocation::working_folder;

/// Check an engine that includes lmrlab.h or uses lmrlab-host: what is wrong, and what would be right.
///
/// Examples:
///   lmrlab host check 'cmd=./engine option.Hash=16'
///   lmrlab host check cmd=./engine --own my-scheme.toml --nodes 100000
///
/// Each check has a line: `ok`, `note`, `warning` or `wrong`. Below the table stands for a wrong one what was seen, and
/// what would be right, with the functions of lmrlab.h. docs/host-tutorial.md has those of lmrlab-host beside them.
///
/// The check loads policies that read each fact, and traces the late moves of searches of eight positions. It compares
/// the facts with lmrlab's own board and with each other, and the reductions with its own evaluation of the policy.
/// Searches have to repeat: in a new process, after `ucinewgame`, with a trace, with a policy that is loaded again. The
/// engine needs one thread for this; its option Threads is set to 1, and Hash to 16 unless the words of the engine set
/// it.
///
/// Not checked, because no trace shows it: pst_delta of the other side, tt_has_move where the table holds a move at every
/// hit, improving two plies after a check, lmr_trigger, lmr_threat_feedback, and the engine's own facts.
///
/// An engine that prints no line for 20 s of a search hangs, and the check ends; `answer=MS` in its words gives it
/// another time.
///
/// --own POLICY is the engine's own scheme, written as a policy: with it the engine has to search the nodes that it
/// searches alone.
///
/// The exit status is 0 when nothing is wrong, 1 when a check is wrong, and 2 for wrong input.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The engine, in words as those of `lmrlab match`: cmd, args, dir, answer, option.NAME, env.NAME
    engine: String,
    /// Nodes of a search: more nodes test more moves
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = count(1_000..=100_000_000))]
    nodes: u64,
    /// The engine's own scheme as a policy: a name or a file, with overrides after `@`
    #[arg(long, value_name = "POLICY")]
    own: Option<PolicyReference>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    frame.outcome("host-check", || checked(arguments))
}

fn checked(arguments: &Arguments) -> Result<Found, Failure> {
    let here = working_folder()?;
    let engine = engine_of(&arguments.engine, &here)?;
    let own = arguments.own.as_ref().map(load_for_host).transpose();
    let own = own?;
    let interrupt = listen(Work::Whole)?;
    let folder = temporary_folder()?;
    let mut findings = Vec::new();
    let host = HostCheck {
        engine: &engine,
        nodes: arguments.nodes,
        folder: folder.path(),
        stop: interrupt.stop_flag(),
    };
    let checked = check(&host, own, &mut |finding| {
        if [WRONG, WARNING].contains(&&*finding.verdict) {
            print_err(&format!("{}: {}: {}", finding.verdict, finding.check, finding.found));
        }
        findings.push(finding.clone());
    });
    drop(folder);
    let tables = HostCheckTables { findings };
    let end = checked.and_then(|()| match tables.wrong() {
        0 => Ok(()),
        1 => Err(Failure::run("1 check is wrong")),
        wrong => Err(Failure::run(format!("{wrong} checks are wrong"))),
    });
    let conditions = format!("{}, {} nodes a search", arguments.engine, arguments.nodes);
    Ok(Found {
        outcome: (!tables.findings.is_empty()).then(|| tables.outcome(&conditions)),
        end,
    })
}

/// The program that these words describe.
fn engine_of(words: &str, here: &Path) -> Result<ExternalEngine, Failure> {
    let mut line = TypedLine::new("lmrlab host check");
    let described = engines(&[words], &mut line, &Entries::new(), &Entries::new())?;
    let usage = "name a program, as in `lmrlab host check 'cmd=./engine option.Hash=16'`";
    let [
        EngineDescription {
            limit: None,
            margin: None,
            kind: EngineKind::External { policy: None, .. },
            ..
        },
    ] = &described[..]
    else {
        return Err(Failure::input(
            format!("`{words}` is not a program alone"),
            format!("{usage}; it needs no policy and no limit"),
        ));
    };
    let engines = searching(&line, &described, here)?;
    let engine = engines.first().and_then(Entrant::external_engine).cloned();
    engine.ok_or_else(|| Failure::input(format!("`{words}` is no program"), usage))
}
