//! `lmrlab host init`: writes the first files for the author of an engine.

use std::path::PathBuf;

use clap::Args;
use lmrlab_diagnostics::Source;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_host::for_c::{EXAMPLE, HEADER, POLICY};
use lmrlab_policy::Policy;
use lmrlab_policy::host_file::{self, Units};

use super::shared::starter_files;
use crate::frame::Frame;

/// Write lmrlab.h, an example engine that uses it, and its policy.
///
/// Example:
///   lmrlab host init my-host
///
/// Files that are there already are never overwritten.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The folder; it is created if needed
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the files and says what to do next.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let compiled = compiled()?;
    let mut files = vec![(
        "include/lmrlab.h",
        HEADER,
        "the header for your engine; its first comment says how",
    )];
    files.extend(EXAMPLE);
    files.push(("own.toml", POLICY, "the example's own reductions, as a policy"));
    files.push(("own.lmr", &compiled, "the same, compiled for hosts"));
    let list = starter_files::write(folder, &files, "lmrlab host init")?;
    frame.print(&format!(
        "Wrote an example engine to `{folder}`:\n{list}\n\
         Next:\n  cd {folder}\n  cc -std=c99 -O2 -o engine example/*.c -lm      # the example\n  \
         lmrlab host check 'cmd=./engine' --own own.toml\n  \
         lmrlab match own house --host 'cmd=./engine'  # its own reductions against those of a policy\n\n\
         For your engine: copy include/lmrlab.h, follow its first comment, and run `lmrlab host check` on it.\n",
        folder = folder.display()
    ));
    Ok(())
}

/// The example's policy as hosts read it.
fn compiled() -> Result<String, Failure> {
    let (policy, _) = Policy::compile(Source::new("own.toml", POLICY))?;
    host_file::write(&policy, Units::Lmrlab).map_err(|refusal| Failure::run(refusal.to_string()))
}
