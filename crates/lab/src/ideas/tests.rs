//! Tests of the readers of reports and games, and of the means over engines.

use std::path::Path;

use lmrlab_diagnostics::{Files, Source};
use lmrlab_stats::{Elo, Pentanomial};

use super::games::{IdeaGames, parse_games};
use super::library::{known_ideas, named};
use super::reported::{TestResult, by_engine};
use super::reports::{Report, parse_reports};

const HEADER: &str = "idea,kind,engine,year,stage,tc,elo,elo_error_95,games,counts,bounds,outcome,url";
const URL: &str = "https://example.org/1";

fn parse(lines: &[&str]) -> Result<Vec<Report>, String> {
    let text = format!("{}\n{}\n", HEADER, lines.join("\n"));
    parse_reports(&Source::new("reports.csv", text)).map_err(|report| report.to_string())
}

#[test]
fn wrong_reports_are_named_with_their_lines() {
    let wrong = [
        format!("a,add,x,2020,STC,8+0.08,3.x,1.0,100,,\"[0,5]\",passed,{URL}"),
        "a,add,x,2020,STC,8+0.08,3.0,1.0,100,,\"[0,5]\",passed,".to_owned(),
        format!("a,ad,x,20,STC,8+0.08,3.0,-1.0,0,,,passed,{URL}"),
        format!("a,add,x,20,STC,8+0.08,3.0,1.0,9,,\"[5,0]\",passed,{URL}"),
        format!("a,add,x,2020,STC,,3.0,1.0,100,\"[1, 2, 3, 4]\",,,{URL}"),
        format!("a,add,x,2020,STC,,30.0,1.0,100,\"[1, 10, 20, 10, 1]\",,,{URL}"),
        format!("a,add,x,2020,STC,,,,,,,,{URL}"),
        format!("a,add,x,{URL}"),
    ];
    let lines: Vec<&str> = wrong.iter().map(String::as_str).collect();
    insta::assert_snapshot!(parse(&lines).unwrap_err());
    let source = Source::new("reports.csv", "idea,kind,engine,yaer\na,add,b,2020\nb,add,b,2020\n");
    insta::assert_snapshot!(parse_reports(&source).unwrap_err().to_string());
    assert_eq!(parse(&[]), Ok(Vec::new()));
}

#[test]
fn removals_count_the_other_way_and_forms_not_at_all() {
    let reports = parse(&[
        &format!("a,add,x,2020,STC,8+0.08,3.0,2.0,10000,,,,{URL}"),
        &format!("a,remove,x,2021,LTC,40+0.4,-1.0,2.0,10000,,,,{URL}"),
        &format!("a,opposite,y,2021,LTC,40+0.4,4.0,2.0,10000,,,,{URL}"),
        &format!("a,form,z,2021,LTC,40+0.4,50.0,2.0,10000,,,,{URL}"),
        &format!("b,add,z,2021,LTC,40+0.4,50.0,2.0,10000,,,,{URL}"),
    ])
    .unwrap();
    let of = |idea: &str| -> Vec<Report> { reports.iter().filter(|of| of.idea == idea).cloned().collect() };
    let of_a = of("a");
    let engines = by_engine(&of_a);
    let (one, other) = (engines["x"], engines["y"]);
    assert!(engines.len() == 2 && (one.0, other.0) == (2.0, -4.0), "{engines:?}");
    // Two tests with an error of 2 have one of the square root of 2.
    assert!((one.1.sqrt() * 1.959_964 - 2.0_f64.sqrt()).abs() < 1e-5);
    assert!(by_engine(&of("c")).is_empty());
}

/// A passed test is worth less than it reports, and a failed one more. The scale is the one on which the test ended.
#[test]
fn results_are_corrected_for_the_stop() {
    let of = |line: String| TestResult::of(&parse(&[&line]).unwrap()[0]).unwrap();
    let passed = of(format!(
        "a,add,x,2024,STC,8+0.08,,,,\"[244, 1582, 2716, 1638, 313]\",\"[0,5]\",passed,{URL}"
    ));
    let plain = of(format!(
        "a,add,x,2024,STC,8+0.08,,,,\"[244, 1582, 2716, 1638, 313]\",,,{URL}"
    ));
    assert!(
        passed.elo < plain.elo && (plain.elo - passed.as_reported).abs() < 1e-12,
        "{passed:?} {plain:?}"
    );
    assert!(passed.error > plain.error, "{passed:?} {plain:?}");
    let failed = of(format!(
        "a,add,x,2024,STC,8+0.08,-4.0,4.0,12000,,\"[0,5]\",failed,{URL}"
    ));
    assert!(failed.elo > -4.0, "{failed:?}");
    // Elo and its error alone give about the same as counts.
    let estimate = lmrlab_stats::Estimate::of(&Pentanomial::new([244, 1582, 2716, 1638, 313])).unwrap();
    let Elo(error) = estimate.elo_error_95.unwrap();
    let counted = of(format!(
        "a,add,x,2024,STC,8+0.08,{},{error},12986,,\"[0,5]\",passed,{URL}",
        estimate.elo.0
    ));
    assert!(
        (counted.elo - passed.elo).abs() < 0.02 && (counted.error - passed.error).abs() < 0.02,
        "{counted:?} {passed:?}"
    );
    let outcomes = parse(&[&format!("a,add,x,2024,STC,,3,1,10,,,inconclusive,{URL}")]).unwrap();
    assert_eq!(outcomes[0].outcome, "inconclusive");
}

/// The project's own ideas: every policy compiles, every idea has reports and games, and every line of those files an idea.
#[test]
fn the_ideas_of_the_project_are_right() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let files = Files::on_disk();
    let (ideas, warnings) = known_ideas(&files, root).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(ideas.len(), 47);
    assert_eq!(ideas.iter().map(|idea| idea.reports.len()).sum::<usize>(), 298);
    for known in &ideas {
        let folder = known.path.parent().unwrap();
        for comparison in &known.idea.comparisons {
            for side in [&comparison.with, &comparison.without] {
                let (_, warnings) = side
                    .resolve(&files, folder, root)
                    .unwrap_or_else(|wrong| panic!("{wrong}"));
                assert!(warnings.list.is_empty(), "{warnings}");
            }
            let pairs: u64 = known
                .games
                .iter()
                .filter(|games| games.on == comparison.on)
                .map(|games| games.pairs.pairs())
                .sum();
            assert!(pairs > 900, "{} on {}: {pairs}", known.name, comparison.on);
        }
    }
    let wrong = named(&ideas, "cut-node-mor").unwrap_err().to_string();
    assert!(wrong.contains("did you mean `cut-node-more`?"), "{wrong}");
}

#[test]
fn games_of_all_presets_are_added() {
    let parse = |text: &str| parse_games(&Source::new("games.csv", text));
    let header = "idea,on,setting,match_nodes,seed,n_ll,n_ld,n_dd_wl,n_wd,n_ww\n";
    let games = parse(&format!(
        "{header}a,b,x,100,7,1,2,3,4,5\na,c,x,100,7,0,0,1,0,0\na,b,y,100,7,1,0,0,0,0\n"
    ))
    .unwrap();
    let of = |on: &str, counts| IdeaGames {
        idea: "a".to_owned(),
        on: on.to_owned(),
        nodes: 100,
        pairs: Pentanomial::new(counts),
    };
    assert_eq!(games, [of("b", [2, 2, 3, 4, 5]), of("c", [0, 0, 1, 0, 0])]);
    for (text, complaint) in [
        ("idea,on\na,b\n", "missing field `match_nodes`"),
        (&format!("{header}a,b,x,100,7,1,2,3,4,-5\n"), "games.csv:2:1"),
        (&format!("{header}a,b,x,0,7,1,2,3,4,5\n"), "games.csv:2:1"),
        (&format!("{header}a,b\n"), "found record with 2 fields"),
    ] {
        let said = parse(text).unwrap_err().to_string();
        assert!(said.contains(complaint), "{said}");
    }
}
