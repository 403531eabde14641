//! `lmrlab report` of what the commands of the lab wrote.

use std::path::Path;

use predicates::prelude::*;

use crate::scratch::Scratch;

const POSITIONS: &str = "\
r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - id \"slow\";
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"many captures\";
8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - id \"endgame\";
";

/// The search of `house` to depth 9 overlooks a better move here.
const SPOILT: &str = "8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - id \"spoilt\";\n";

const SUITE: &str = "\
6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - bm Re8; id \"back rank\";
r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - bm O-O; id \"castle\";
8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - am Rd1; id \"<avoid> & more\";
";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("set.epd", POSITIONS);
    scratch.write("suite.epd", SUITE);
    scratch
}

/// The tables of a page: rows of cells as text.
fn tables(page: &str) -> Vec<Vec<Vec<String>>> {
    let between = |text: &str, open: &str, close: &str| -> Vec<String> {
        let parts = text.split(open).skip(1);
        parts
            .map(|part| part.split(close).next().unwrap_or_default().to_owned())
            .collect()
    };
    let text = |cell: &str| {
        let bare = cell.split_once('>').map_or("", |(_, text)| text);
        bare.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
    };
    between(page, "<tbody>", "</tbody>")
        .iter()
        .map(|body| {
            let rows = between(body, "<tr>", "</tr>");
            rows.iter()
                .map(|row| between(row, "<td", "</td>").iter().map(|cell| text(cell)).collect())
                .collect()
        })
        .collect()
}

/// Makes the page of a result, and checks what every page has to have.
fn page(scratch: &Scratch, results: &[&str]) -> String {
    let arguments = [&["report"][..], results, &["--out", "page.html", "--svg", "pictures"]].concat();
    let said = scratch.done(&arguments);
    assert_eq!(said, "The page is page.html\n");
    let page = scratch.read("page.html");
    assert!(page.len() < 1_500_000, "{results:?}: {} bytes", page.len());
    // The script has elements of its own.
    let markup = page.split("<script").next().unwrap();
    assert!(!markup.contains("NaN"), "{results:?}");
    // Words between backticks are code.
    assert!(!markup.contains('`'), "{results:?}");
    for picture in markup.split("<svg viewBox").skip(1) {
        let picture = picture.split("</svg>").next().unwrap();
        assert!(picture.contains("aria-label="), "{results:?}");
        assert!(!picture.contains("NaN") && !picture.contains("inf\""), "{results:?}");
    }
    page
}

/// Whether a page shows a cell of a file: the same text, or the same number with fewer digits. An unknown number is a dash, and a
/// probability of superiority is never certain.
fn shows(shown: &str, cell: &str) -> bool {
    let is_named = shown == "-" || ["(no rule)", "(as named)"].contains(&shown);
    if shown == cell || (cell.is_empty() && is_named) {
        return true;
    }
    if let ("&gt;99.9%" | "&lt;0.1%", Ok(number)) = (shown, cell.parse::<f64>()) {
        return !(0.0005..0.9995).contains(&number);
    }
    let (text, percent) = match shown.strip_suffix('%') {
        Some(text) => (text, 100.0),
        None => (shown, 1.0),
    };
    let decimals = text.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    match (text.parse::<f64>(), cell.parse::<f64>()) {
        (Ok(shown), Ok(number)) if decimals > 0 => (shown - number * percent).abs() <= 0.5001 * 10_f64.powi(-decimals),
        _ => false,
    }
}

/// Whether a row of a page shows these cells, in their order; a cell that may be absent need not be there.
pub(crate) fn fits(shown: &[String], cells: &[(&str, bool)]) -> bool {
    let Some(((cell, may_be_absent), others)) = cells.split_first() else {
        return shown.is_empty();
    };
    let is_first = shown.first().is_some_and(|first| shows(first, cell));
    (is_first && fits(&shown[1..], others)) || (*may_be_absent && fits(shown, others))
}

/// Every line of a CSV file stands in a table of the page: its cells in their order, except those that say the same in every line or
/// are named here, with the numbers rounded.
#[track_caller]
fn has_all_of(scratch: &Scratch, page: &str, file: &str) {
    let tables = tables(page);
    let text = scratch.read(file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let lines: Vec<Vec<String>> = reader
        .records()
        .map(|record| record.unwrap().iter().map(str::to_owned).collect())
        .collect();
    let differs = |column: usize| lines.iter().any(|line| line[column] != lines[0][column]);
    let may_be_absent = |column: usize| !differs(column) || names[column] == "policy";
    for line in &lines {
        let cells: Vec<(&str, bool)> = (line.iter().enumerate())
            .map(|(column, cell)| (cell.as_str(), may_be_absent(column)))
            .collect();
        let is_shown = |row: &Vec<String>| fits(row, &cells);
        assert!(tables.iter().flatten().any(is_shown), "{file}: {line:?}");
    }
    assert!(!lines.is_empty(), "{file} has lines to compare");
}

#[test]
fn a_profile_has_its_maps_and_all_its_numbers() {
    let scratch = scratch();
    scratch.done(&[
        "profile",
        "house",
        "mediocre-2007",
        "--positions",
        "set.epd",
        "--depth",
        "6",
        "--out",
        "p",
    ]);
    let page = page(&scratch, &["p"]);
    for title in [
        "Where house reduces",
        "Where mediocre-2007 reduces",
        "house: share of the reduced searches that failed high",
    ] {
        assert!(page.contains(title), "{title}");
    }
    assert!(
        scratch
            .path("pictures/house-share-of-the-late-moves-that-were-reduced.svg")
            .exists()
    );
}

#[test]
fn an_audit_has_rates_curves_and_boards() {
    let scratch = scratch();
    scratch.write("audited.epd", SPOILT);
    scratch.done(&[
        "audit",
        "house",
        "--positions",
        "audited.epd",
        "--depth",
        "9",
        "--rate",
        "0.1",
        "--out",
        "a",
    ]);
    let page = page(&scratch, &["a"]);
    for title in [
        "Missed moves of house by depth",
        "Missed moves of house by plies of reduction",
        "Missed moves of house by rule",
        "house: ROC of the policy itself",
        "house: AUC of its reductions and of numbers",
    ] {
        assert!(page.contains(title), "{title}");
    }
    let blamed = scratch.line_count("a/blame.csv") - 1;
    assert!(blamed > 0, "the test needs a position that a reduction spoils");
    for meaning in [": hidden by reductions (", ": played instead ("] {
        let ends = page.split(meaning).skip(1).filter_map(|rest| rest.split_once(')'));
        let arrows = ends.filter(|(_, after)| after.starts_with("</text>")).count();
        assert_eq!(arrows, blamed, "{meaning}");
    }
}

#[test]
fn what_is_measured_of_variants_has_its_pictures() {
    let scratch = scratch();
    let common = [
        "--positions",
        "set.epd",
        "--depth",
        "5",
        "--pairs",
        "3",
        "--match-nodes",
        "60",
        "--hash",
        "1",
        "--quiet",
        "--force",
    ];
    let run = |arguments: &[&str]| scratch.done(&[arguments, &common[..]].concat());
    run(&[
        "ablate",
        "rebel-advanced",
        "--measures",
        "nodes,elo",
        "--csv",
        "ablation.csv",
    ]);
    let ablation = page(&scratch, &["ablation.csv"]);
    for title in [
        "Nodes to depth: rebel-advanced with rules",
        "Elo: rebel-advanced with rules",
    ] {
        assert!(ablation.contains(title), "{title}");
    }
    has_all_of(&scratch, &ablation, "ablation.csv");

    run(&[
        "sweep",
        "wiki-common",
        "--over",
        "full_depth_moves=2:4:1",
        "--measures",
        "nodes,elo",
        "--csv",
        "one.csv",
    ]);
    let one = page(&scratch, &["one.csv"]);
    assert!(one.contains("Nodes to depth of wiki-common by full_depth_moves"));
    assert!(
        one.contains(">start</text>") || one.contains(">start, best</text>"),
        "the start is marked"
    );
    has_all_of(&scratch, &one, "one.csv");

    run(&[
        "sweep",
        "house",
        "--over",
        "divisor=2:3:1",
        "--over",
        "base=0:1:0.5",
        "--measures",
        "nodes",
        "--csv",
        "two.csv",
    ]);
    let two = page(&scratch, &["two.csv"]);
    assert!(two.contains("Nodes to depth of house by divisor and base"));
    has_all_of(&scratch, &two, "two.csv");
}

#[test]
fn a_suite_has_a_page() {
    let scratch = scratch();
    scratch.done(&[
        "suite",
        "suite.epd",
        "none",
        "house",
        "--depth",
        "3",
        "--out",
        "s",
        "--quiet",
    ]);
    let suite = page(&scratch, &["s"]);
    assert!(suite.contains("Positions solved of 3"));
    assert!(
        suite.contains("&lt;avoid&gt; &amp; more") && !suite.contains("<avoid>"),
        "names are text"
    );
}

#[test]
fn published_results_have_pages() {
    let scratch = scratch();
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/published/lab");
    for folder in ["branching-minimal", "branching-standard"] {
        for entry in std::fs::read_dir(published.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            scratch.write(&format!("{folder}/{name}"), &std::fs::read_to_string(&path).unwrap());
        }
        let page = page(&scratch, &[folder]);
        assert!(
            page.contains("Effective branching factor of each iteration"),
            "{folder}"
        );
    }
}

#[test]
fn huge_numbers_have_a_page_of_usual_size() {
    let scratch = Scratch::new();
    scratch.write(
        "a.csv",
        "switched,policy,nodes,nodes_ratio,nodes_ratio_low_95,nodes_ratio_high_95,solved,positions,solved_gain,solved_gain_error_95\n\
         ,house,3608,1.0,1.0,1.0,16,120,0,0.0\n-x,house@-x,3608,1.0,1.0,1.0,16,120,0,1e308\n",
    );
    page(&scratch, &["a.csv"]);
}

#[test]
fn files_that_cannot_be_shown_are_named() {
    let scratch = scratch();
    let iterations = "policy,depth,positions,nodes,effective_branching_factor\nnone,1,3,100,\n";
    scratch.write("empty.csv", "");
    scratch.write("half.csv", &format!("{iterations}none,2,3"));
    scratch.write("line.csv", iterations.trim_end());
    scratch.write("other.csv", "a,b\n1,2\n");
    scratch.write("measures.csv", "switched,policy,nodes_ratio\n,p,1.0\n-a,p@-a,1.5\n");
    std::fs::create_dir(scratch.path("nothing")).unwrap();
    for (result, words) in [
        ("empty.csv", "`empty.csv` is empty"),
        ("half.csv", "`half.csv` is cut short: line 3 has 3 of 5 cells"),
        ("line.csv", "`line.csv` is cut short: line 2 does not end"),
        (
            "other.csv",
            "there is no page of a file with the columns of `other.csv`",
        ),
        (
            "measures.csv",
            "has no column `nodes_ratio_low_95`, `nodes_ratio_high_95`",
        ),
        ("nothing", "`nothing` holds no result of lmrlab"),
        ("missing.csv", "`missing.csv` does not exist"),
    ] {
        let said = scratch.refused(&["report", result]);
        assert!(said.contains(words), "{result}: {said}");
        assert!(said.contains(result), "{said}");
    }
}

#[test]
fn commands_of_the_lab_write_their_page_themselves() {
    let scratch = Scratch::new();
    let ablate = [
        "ablate",
        "rebel-starter",
        "--measures",
        "nodes",
        "--depth",
        "3",
        "--quiet",
        "--report",
    ];
    scratch
        .lmrlab(&ablate)
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "--report makes its page from what --csv writes",
        ));
    scratch.write("rules.html", "a page of somebody else");
    let with_file = [&ablate[..], &["--csv", "rules.csv"]].concat();
    scratch
        .lmrlab(&with_file)
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "`rules.html` exists already, and is no page of lmrlab",
        ));
    assert!(!scratch.path("rules.csv").exists(), "nothing is done before");
    std::fs::remove_file(scratch.path("rules.html")).unwrap();
    for arguments in [with_file.clone(), [&with_file[..], &["--force"]].concat()] {
        scratch
            .lmrlab(&arguments)
            .assert()
            .success()
            .stderr(predicate::str::contains("The page is rules.html"));
        assert!(scratch.read("rules.html").contains("rebel-starter"));
    }
    let profile = [
        "profile",
        "rebel-starter",
        "--depth",
        "6",
        "--quiet",
        "--out",
        "p",
        "--report",
    ];
    scratch.lmrlab(&profile).assert().success();
    assert!(scratch.read("p/report.html").contains("Profile of rebel-starter"));
    let bench = ["bench", "none", "--depth", "2", "--quiet", "--out", "b", "--report"];
    scratch.lmrlab(&bench).assert().success();
    assert!(scratch.read("b/report.html").contains("Bench of none"));
}
