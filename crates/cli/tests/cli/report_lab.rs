//! `lmrlab report` of what the commands of the lab wrote.

use std::path::Path;

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

/// Makes the page of a result, and checks what every page has to have.
fn page(scratch: &Scratch, results: &str) -> String {
    let said = scratch.done(&format!("report {results} --out page.html --svg pictures"));
    assert_eq!(said, "The page is page.html\n");
    let page = scratch.read("page.html");
    assert!(page.len() < 1_500_000, "{results}: {} bytes", page.len());
    // The script has elements of its own.
    let markup = page.split("<script").next().unwrap();
    assert!(!markup.contains("NaN"), "{results}");
    // Words between backticks are code.
    assert!(!markup.contains('`'), "{results}");
    for picture in markup.split("<svg viewBox").skip(1) {
        let picture = picture.split("</svg>").next().unwrap();
        assert!(picture.contains("aria-label="), "{results}");
        assert!(!picture.contains("NaN") && !picture.contains("inf\""), "{results}");
    }
    page
}

#[test]
fn an_audit_has_rates_and_boards() {
    let scratch = scratch();
    scratch.write("audited.epd", SPOILT);
    scratch.done("audit house --positions audited.epd --depth 9 --rate 0.1 --out a");
    let page = page(&scratch, "a");
    for title in [
        "Missed moves of house by depth",
        "Missed moves of house by plies of reduction",
        "Missed moves of house by rule",
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
fn what_is_measured_has_its_pictures() {
    let scratch = scratch();
    scratch.done("profile house mediocre-2007 --positions set.epd --depth 6 --out p");
    let profile = page(&scratch, "p");
    for title in [
        "Where house reduces",
        "house: share of the reduced searches that failed high",
    ] {
        assert!(profile.contains(title), "{title}");
    }
    scratch.done("suite suite.epd none house --depth 3 --out s --quiet");
    let suite = page(&scratch, "s");
    assert!(suite.contains("&lt;avoid&gt; &amp; more") && !suite.contains("<avoid>"));
    let run = |command: &str| {
        let search = "--positions set.epd --depth 5 --pairs 3 --match-nodes 60 --hash 1 --quiet --force";
        scratch.done(&format!("{command} {search}"))
    };
    run("ablate rebel-advanced --measures nodes,elo --out a");
    let ablation = page(&scratch, "a");
    for title in [
        "Nodes to depth: rebel-advanced with rules",
        "Elo: rebel-advanced with rules",
        // The page of the games follows.
        "rebel-advanced-ablate",
    ] {
        assert!(ablation.contains(title), "{title}");
    }

    run("sweep wiki-common --measures nodes,elo --over full_depth_moves=2:4:1 --out one");
    let one = page(&scratch, "one");
    assert!(one.contains("Nodes to depth of wiki-common by full_depth_moves"));
    assert!(
        one.contains(">start</text>") || one.contains(">start, best</text>"),
        "the start is marked"
    );

    run("sweep house --measures nodes --over divisor=2:3:1 --over base=0:1:0.5 --out two");
    let two = page(&scratch, "two");
    assert!(two.contains("Nodes to depth of house by divisor and base"));
    let shown = scratch.done("show two");
    assert!(shown.contains("The best of the 6 measured points is"), "{shown}");
}

#[test]
fn published_results_have_pages() {
    let scratch = scratch();
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/published/lab");
    for (folder, title) in [
        ("branching-minimal", "Effective branching factor of each iteration"),
        ("branching-standard", "Effective branching factor of each iteration"),
        ("node-types", "Missed moves: node-types with rules"),
    ] {
        for entry in std::fs::read_dir(published.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            scratch.write(&format!("{folder}/{name}"), &std::fs::read_to_string(&path).unwrap());
        }
        let page = page(&scratch, folder);
        assert!(page.contains(title), "{folder}");
    }
}

#[test]
fn huge_numbers_have_a_page_of_usual_size() {
    let scratch = Scratch::new();
    scratch.done(&format!("{RULES} --out a"));
    let text = scratch.read("a/ablation.csv");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut cells: Vec<&str> = lines[1].split(',').collect();
    cells[5] = "1e308";
    lines[1] = cells.join(",");
    scratch.write("a/ablation.csv", &(lines.join("\n") + "\n"));
    page(&scratch, "a");
}

#[test]
fn what_cannot_be_shown_is_named() {
    let scratch = Scratch::new();
    scratch.done(&format!("{RULES} --out wrong"));
    let said = scratch.refused("report wrong --out positions");
    assert!(said.contains("which is a folder"), "{said}");
    scratch.write("wrong/ablation.csv", "switched,policy\n");
    scratch.write("other.csv", "a,b\n1,2\n");
    std::fs::create_dir(scratch.path("nothing")).unwrap();
    for (result, words) in [
        ("wrong", "ablation.csv` has no column `nodes`"),
        ("other.csv", "`other.csv` is not a folder"),
        ("nothing", "`nothing` holds no result of lmrlab"),
        ("missing", "`missing` does not exist"),
    ] {
        let said = scratch.refused(&format!("report {result}"));
        assert!(said.contains(words), "{result}: {said}");
    }
}

/// A short ablation.
const RULES: &str = "ablate rebel-starter --measures nodes --depth 3 --quiet";

#[test]
fn commands_of_the_lab_write_their_page_themselves() {
    let scratch = Scratch::new();
    let said = scratch.refused(&format!("{RULES} --report"));
    assert!(said.contains("`--report` is about the folder of `--out`"), "{said}");
    scratch.write("rules/report.html", "a page of somebody else");
    let with_page = format!("{RULES} --report --out rules --force");
    let said = scratch.refused(&with_page);
    assert!(said.contains("exists already, and is no page of lmrlab"), "{said}");
    std::fs::remove_file(scratch.path("rules/report.html")).unwrap();
    for _ in 0..2 {
        scratch.done(&with_page);
        assert!(scratch.read("rules/report.html").contains("rebel-starter"));
    }
}
