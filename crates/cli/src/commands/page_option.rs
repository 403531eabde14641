//! `--report` of the commands of the lab.

use std::path::Path;

use clap::Args;

use crate::pages;
use crate::print::print_err;
use lmrlab_results::failure::Failure;

/// Whether the result gets a page.
#[derive(Debug, Args)]
pub(super) struct PageOption {
    /// Write a page with pictures, too: beside the CSV file, or into the folder
    #[arg(long)]
    report: bool,
}

impl PageOption {
    /// Refuses `--report` when there is no file or folder from which a page could be made.
    pub(super) fn check(&self, result: Option<&Path>, option: &str) -> Result<(), Failure> {
        if !self.report {
            return Ok(());
        }
        let Some(result) = result else {
            return Err(Failure::input(
                format!("--report makes its page from what {option} writes"),
                format!("name a place with {option}"),
            ));
        };
        pages::refuse_foreign(&pages::beside(result))
    }

    /// Writes the page of the result, if the user asks for it.
    pub(super) fn write(&self, result: Option<&Path>) -> Result<(), Failure> {
        let Some(result) = result.filter(|_| self.report) else {
            return Ok(());
        };
        self.write_now(result)
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.report
    }

    /// Writes the page, even if the user does not ask for it.
    pub(super) fn write_now(&self, result: &Path) -> Result<(), Failure> {
        let file = pages::beside(result);
        pages::write(&pages::page(result)?, &file)?;
        print_err(&format!("The page is {}", file.display()));
        Ok(())
    }
}
