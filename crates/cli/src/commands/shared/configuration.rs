//! Lists and prints configuration files, of the project or built in: `policy list`, `policy cat` and their like.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::{Diagnostics, Source, built_in};
use lmrlab_results::paths::from_here;
use lmrlab_results::visible::visible;

use crate::frame::{Frame, print_err};

/// Lists files by name with the description that `describe` gives of each: those of the project first, then the
/// built-in ones.
///
/// # Errors
/// The mistakes in the files, after the list of the others.
pub(crate) fn list(
    frame: &Frame,
    named: BTreeMap<String, PathBuf>,
    describe: impl Fn(&Path) -> Result<Vec<String>, Diagnostics>,
) -> Result<(), Failure> {
    let width = named.keys().map(String::len).max().unwrap_or(0);
    let (built_in, own): (Vec<_>, Vec<_>) = (named.iter()).partition(|(_, path)| built_in::is_built_in(path));
    let mut text = String::new();
    let mut wrong = Vec::new();
    for files in [own, built_in] {
        let Some(folder) = files.first().and_then(|(_, path)| path.parent()) else {
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", from_here(folder).display());
        for (name, path) in files {
            match describe(path) {
                Ok(lines) => {
                    for (index, line) in lines.iter().flat_map(|text| text.lines()).enumerate() {
                        let name = if index == 0 { name.as_str() } else { "" };
                        let _ = writeln!(text, "  {name:width$}  {}", visible(line));
                    }
                }
                Err(report) => wrong.push(report),
            }
        }
    }
    frame.print(&text);
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Input(wrong))
    }
}

/// A file as it is. Standard error says which one it is.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let path = from_here(path);
    let source = Source::read(&path)?;
    print_err(&format!("# {}", path.display()));
    Ok(source.text.to_string())
}
