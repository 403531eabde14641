//! The pages of the results that the commands of the lab wrote.
//!
//! | module | what it is the page of |
//! |---|---|
//! | `profile` | maps of where a policy reduces |
//! | `audit`, `blame` | missed moves, their predictors, positions as boards |
//! | `ablation`, `sweep` | what rules, parameters and features are worth, by the `measures` of a file |
//! | `trial` | Elo of ideas, by setting |
//! | `suite` | positions solved, gained and lost |
//! | `bench` | the size of trees |
//! | `notation` | moves in standard algebraic notation |
//! | `best` | what the numbers say about the best of several points |
//!
//! The columns of a file show which command wrote it. Pictures of values with intervals are `dots`.

mod ablation;
mod audit;
mod bench;
mod best;
mod blame;
mod dots;
mod file;
mod measures;
mod notation;
mod parts;
mod profile;
mod suite;
mod sweep;
mod trial;

use std::path::{Path, PathBuf};

use lmrlab_results::failure::Failure;

use crate::page::Page;
use file::LabFile;
use parts::Parts;

/// Makes the page of a file.
type Make = fn(&LabFile) -> Result<Page, Failure>;

/// Columns that only files of one kind have together, and the page of such a file.
const SIGNS: [(&[&str], Make); 7] = [
    (&["switched"], ablation::page),
    (&["idea", "of", "preset", "match_nodes"], trial::page),
    (&["policy", "position", "right"], suite::page),
    (&["policy", "position", "solution_time_ms"], suite::times),
    (&["policy", "position", "cutoffs"], bench::positions),
    (&["policy", "effective_branching_factor"], bench::iterations),
    (&["policy", "position", "time_ms"], bench::times),
];

/// The page of a CSV file. It fails when files of its kind have no page.
pub(crate) fn file(path: &Path) -> Result<Page, Failure> {
    let file = LabFile::read(path)?;
    match SIGNS.iter().find(|(columns, _)| file.has(columns)) {
        Some((_, make)) => make(&file),
        None if sweep::is_one(&file) => sweep::page(&file),
        None => Err(unknown(&file.place)),
    }
}

/// The page of a folder: of a profile, of an audit, or of CSV files of any kind. `None` when it holds no CSV file.
pub(crate) fn folder(folder: &Path) -> Result<Option<Page>, Failure> {
    let has = |names: &[&str]| names.iter().any(|name| folder.join(name).exists());
    if has(&["predictors.csv", "roc.csv", "blame.csv"]) {
        let parts = Parts::of_folder(folder, "audit", &audit::FILES.map(|file| file.name))?;
        return audit::page(&parts).map(Some);
    }
    if has(&["facts.csv", "kinds.csv"]) {
        let parts = Parts::of_folder(folder, "profile", &profile::FILES.map(|file| file.name))?;
        return profile::page(&parts).map(Some);
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", folder.display()),
                "name a folder that can be read",
            )
        })?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Ok(None);
    }
    let pages: Vec<Page> = files.iter().map(|path| file(path)).collect::<Result<_, _>>()?;
    Ok(Some(Page::joined(pages)))
}

/// The commands with files of which each has a page.
pub(crate) const WRITERS: &str = "ablate, sweep, trial, suite and bench";

/// The error for a file without a page.
fn unknown(place: &str) -> Failure {
    Failure::input(
        format!("there is no page of a file with the columns of `{place}`"),
        format!("pages are made of the folders of runs, profile and audit, and of files of {WRITERS}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(name: &str, text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Page::joined(vec![file(&path).unwrap()]).html()
    }

    #[test]
    fn pages_of_many_policies_stay_small() {
        let mut suite =
            "policy,position,fen,move,right,points,most_points,depth,nodes,solution_depth,solution_nodes,expected,avoided\n"
                .to_owned();
        for policy in 0..20 {
            for position in 0..300 {
                let right = u8::from((policy + position) % 3 == 0);
                suite += &format!(
                    "policy-{policy},position-{position},\
                     r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 1,\
                     f4g5,{right},,,12,1234567,,,e1g1,\n"
                );
            }
        }
        let page = html("suite.csv", &suite);
        assert!(page.len() < 1_500_000, "{} bytes", page.len());
    }

    #[test]
    fn a_trial_has_its_settings_and_means() {
        let columns = "idea,of,preset,match_nodes,elo,elo_error_95,pairs,policy,mean,mean_error_95,tau,q,q_freedom,q_probability\n";
        let page = html(
            "trial.csv",
            &format!(
                "{columns}-killers,search,standard,200,-20.5,9.000,16,house,-15.000,6.000,0.000,1.5,1,0.220000\n\
                 -killers,search,minimal,200,-10.000,8.000,16,house,-15.000,6.000,0.000,1.5,1,0.220000\n\
                 base=0.6,policy,standard,200,1.000,1e308,16,house,,,,,,\n"
            ),
        );
        for words in [
            "Clear of their error: killers off: -15.0 ± 6.0 Elo (95%).",
            "killers off, standard 200: -20.5 ± 9.0 Elo (95%)",
            "killers off, mean: -15.0 ± 6.0 Elo (95%)",
            "base=0.6, standard 200",
        ] {
            assert!(page.contains(words), "{words}");
        }
        assert!(page.len() < 200_000, "{} bytes", page.len());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trial.csv");
        let wrong = "a,search,standard,200,1,2,3,house,,,,,,\na,search,minimal,200,much,2,3,house,,,,,,\n";
        std::fs::write(&path, format!("{columns}{wrong}")).unwrap();
        let error = format!("{:?}", file(&path).err().unwrap());
        assert!(error.contains("line 3: `much` in column `elo` is no number"), "{error}");
    }

    #[test]
    fn names_from_files_stay_text() {
        let long = "x".repeat(10_000);
        for name in [
            "<script>alert(1)</script>",
            "a\u{202e}b\u{1b}[31m",
            "\"quoted\" & 'so'",
            "]]>--></style>",
            &long,
        ] {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            for (file, text) in [
                (
                    "ablation.csv",
                    format!(
                        "switched,policy,nodes_ratio,nodes_ratio_low_95,nodes_ratio_high_95,elo,elo_error_95\n,{quoted},1,1,1,,\n\
                         {quoted},{quoted},1.5,1.2,1.9,-20,5\n-b,{quoted},0.5,0.4,0.6,3,5\n"
                    ),
                ),
                (
                    "sweep.csv",
                    format!(
                        "base,policy,nodes_ratio,nodes_ratio_low_95,nodes_ratio_high_95\n1,{quoted},1,1,1\n2,{quoted},2,1,3\n"
                    ),
                ),
                (
                    "it.csv",
                    format!(
                        "policy,depth,positions,nodes,effective_branching_factor\n{quoted},1,3,100,\n{quoted},2,3,300,3\n"
                    ),
                ),
            ] {
                let page = html(file, &text);
                assert!(
                    !page.contains("<script>alert") && !page.contains('\u{202e}') && !page.contains('\u{1b}'),
                    "{file}: {name}"
                );
                assert!(!page.contains("]]>--></style>"), "{file}: {name}");
                for picture in page.split("<svg ").skip(1) {
                    let picture = picture.split("</svg>").next().unwrap();
                    let file = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {picture}</svg>");
                    let tree = roxmltree::Document::parse(&file);
                    assert!(tree.is_ok(), "{tree:?}");
                }
            }
        }
    }
}
