//! The record end to end: files in, estimates and agreement out.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lmrlab_diagnostics::{Files, Source};
use lmrlab_runner::openings::Openings;
use lmrlab_stats::{Elo, Pentanomial};

use super::agreement::{Agreement, ENGINES_OF_RECORD, IdeaAgreement, Share};
use super::cells::{CellName, Cells, RecordCell};
use super::estimates::Estimates;
use super::ideas::{Idea, RECORD_FOLDER, read_ideas};
use super::measurement::{Measurement, RecordSurrounding};
use super::reported::{Reported, TestResult};
use super::reports::{COLUMNS, Outcome, REPORTS_FILE, Report, parse_reports, read_reports};
use crate::measures::Contest;
use crate::workers::Workers;

const URL: &str = "https://example.org/1";

fn parse(lines: &[&str]) -> Result<Vec<Report>, String> {
    let text = format!("{}\n{}\n", COLUMNS.join(","), lines.join("\n"));
    parse_reports(&Source::new("reports.csv", text)).map_err(|report| report.to_string())
}

fn root() -> std::path::PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

#[test]
fn the_shipped_record_is_right() {
    let folder = root().join(RECORD_FOLDER);
    let (ideas, warnings) = read_ideas(&Files::on_disk(), &folder.join("ideas"), &root()).unwrap();
    assert!(ideas.len() >= 25, "{}", ideas.len());
    assert!(warnings.is_empty(), "{warnings:?}");
    let file = folder.join(REPORTS_FILE);
    let reports = read_reports(&Files::on_disk(), &file, "reports.csv").unwrap_or_else(|wrong| panic!("{wrong}"));
    for idea in &ideas {
        assert!(
            reports.iter().any(|report| report.idea == idea.id),
            "nobody reported {}",
            idea.id
        );
        assert!(!idea.comparisons.is_empty() && !idea.sentence.is_empty());
    }
}

#[test]
fn wrong_reports_are_named_with_their_lines() {
    let wrong = [
        format!("a,add,x,2020,STC,8+0.08,3.x,1.0,100,,\"[0,5]\",passed,{URL}"),
        "a,add,x,2020,STC,8+0.08,3.0,1.0,100,,\"[0,5]\",passed,".to_owned(),
        format!("a,ad,x,20,STC,8+0.08,3.0,-1.0,0,,\"[5,0]\",passed,{URL}"),
        format!("a,add,x,2020,STC,,3.0,1.0,100,\"[1, 2, 3, 4]\",,,{URL}"),
        format!("a,add,x,2020,STC,,30.0,1.0,100,\"[1, 10, 20, 10, 1]\",,,{URL}"),
        format!("a,add,,2020,STC,,,,,,,,{URL}"),
        format!("a,add,x,2020,STC,,,,,,,,{URL}"),
        format!("a,add,x,{URL}"),
    ];
    let lines: Vec<&str> = wrong.iter().map(String::as_str).collect();
    insta::assert_snapshot!(parse(&lines).unwrap_err());
    let source = Source::new("reports.csv", "idea,kind,engine,yaer\n");
    insta::assert_snapshot!(parse_reports(&source).unwrap_err().to_string());
    assert!(
        parse_reports(&Source::new("reports.csv", ""))
            .unwrap_err()
            .to_string()
            .contains("the file is empty")
    );
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
    let found = Reported::of(&reports, "a").unwrap();
    let engines: Vec<(&str, f64)> = found
        .engines
        .iter()
        .map(|engine| (engine.engine.as_str(), engine.elo))
        .collect();
    assert_eq!(engines, [("x", 2.0), ("y", -4.0)]);
    assert_eq!((found.tests.len(), found.positive()), (3, 2));
    // Two tests with an error of 2 have one of the square root of 2.
    assert!((found.engines[0].error * 1.959_964 - 2.0_f64.sqrt()).abs() < 1e-5);
    assert_eq!(found.common_sign(0.8), None);
    assert_eq!(found.common_sign(0.5), Some(1.0));
    assert_eq!(Reported::of(&reports, "c"), None);
    assert_eq!(
        Reported::of(&reports, "b").unwrap().common_sign(0.8),
        None,
        "one engine agrees with nobody"
    );
}

/// A passed test is worth less than it says, a failed one more, and the scale is the one on which the test has ended.
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
    assert!(!passed.is_unselected && plain.is_unselected);
    let failed = of(format!(
        "a,add,x,2024,STC,8+0.08,-4.0,4.0,12000,,\"[0,5]\",failed,{URL}"
    ));
    assert!(failed.elo > -4.0 && failed.is_unselected, "{failed:?}");
    // Numbers alone give about what counts give.
    let estimate = lmrlab_stats::Estimate::of(&Pentanomial::new([244, 1582, 2716, 1638, 313])).unwrap();
    let Elo(error) = estimate.elo_error_95.unwrap();
    let told = of(format!(
        "a,add,x,2024,STC,8+0.08,{},{error},12986,,\"[0,5]\",passed,{URL}",
        estimate.elo.0
    ));
    assert!(
        (told.elo - passed.elo).abs() < 0.02 && (told.error - passed.error).abs() < 0.02,
        "{told:?} {passed:?}"
    );
    let outcomes = parse(&[&format!("a,add,x,2024,STC,,3,1,10,,,inconclusive,{URL}")]).unwrap();
    assert_eq!(outcomes[0].outcome, Outcome::Other);
}

/// A made-up idea in four surroundings at two budgets, each cell with this share of pairs that are won by half a point more.
fn made_up(idea: &str, won: u64) -> Vec<RecordCell> {
    let mut list = Vec::new();
    for surrounding in ["a", "b", "c", "d"] {
        for nodes in [1_000, 4_000] {
            list.push(RecordCell {
                name: CellName {
                    idea: idea.to_owned(),
                    on: "plain".to_owned(),
                    surrounding: surrounding.to_owned(),
                    nodes,
                },
                seed: 1,
                digest: "0".to_owned(),
                pairs: Pentanomial::new([5, 45, 100, 45 + won, 5]),
            });
        }
    }
    list
}

fn idea(id: &str) -> Idea {
    Idea {
        id: id.to_owned(),
        sentence: "An idea.".to_owned(),
        category: "test".to_owned(),
        comparisons: Vec::new(),
    }
}

#[test]
fn ideas_borrow_strength_and_large_ones_stay_large() {
    let mut cells = Cells::default();
    for (number, won) in (0..).zip([0, 2, 4, 1, 3, 5, 2, 200]) {
        cells.put(made_up(&format!("idea-{number}"), won));
    }
    let estimates = Estimates::of(&cells, 200_000).unwrap().unwrap();
    let of = |id: &str| estimates.get(id).unwrap();
    let (small, large) = (of("idea-5"), of("idea-7"));
    assert_eq!(small.pairs, 8 * 205);
    let raw = small.raw.unwrap().value;
    assert!(
        raw > 0.0 && small.worth.mean() > 0.0 && small.worth.mean() < raw,
        "{small:?}"
    );
    assert!(large.worth.mean() > 0.8 * large.raw.unwrap().value, "{large:?}");
    assert!(large.between() > 2.0 * small.between());
    assert!(large.worth.positive_probability() > 0.999);
    assert_eq!(Estimates::of(&Cells::default(), 1_000), Ok(None));

    let reports = parse(&[
        &format!("idea-5,add,x,2020,STC,8+0.08,2.0,2.0,10000,,,,{URL}"),
        &format!("idea-5,add,y,2020,STC,8+0.08,500.0,2.0,10000,,,,{URL}"),
        &format!("idea-7,add,x,2020,STC,8+0.08,-50.0,9.0,10000,,,,{URL}"),
        &format!("idea-7,add,y,2020,STC,8+0.08,-60.0,9.0,10000,,,,{URL}"),
    ])
    .unwrap();
    let ideas = ["idea-5", "idea-7", "none"].map(idea);
    let agreement = Agreement::of(&ideas, Some(&estimates), &reports, 0.8);
    assert_eq!(agreement.coverage(), Share { of: 1, all: 4 });
    assert_eq!(agreement.signs(IdeaAgreement::our_sign), Share { of: 1, all: 2 });
    assert_eq!(agreement.compared(), 2);
    assert!((agreement.spearman().unwrap() + 1.0).abs() < 1e-9);
    insta::assert_snapshot!(format!(
        "{}\n{}",
        agreement.text(),
        agreement.sentences(Some(&estimates), 200_000).join("\n")
    ));
}

#[test]
fn cells_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cells.csv");
    assert_eq!(Cells::read(&file).unwrap(), Cells::default());
    let mut cells = Cells::default();
    cells.put(made_up("b", 3));
    cells.put(made_up("a", 1));
    cells.write(&file).unwrap();
    assert_eq!(Cells::read(&file).unwrap(), cells);
    assert_eq!((cells.ideas(), cells.pairs("a")), (vec!["a", "b"], 8 * 201));
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, complaint) in [
        ("a,plain,b,1000", "a,plain,b,x", "cells.csv:4:1"),
        ("a,plain,b,1000", "a,plain,a,1000", "this cell is there twice"),
        ("match_nodes", "nodes", "these are not the columns"),
        (",46,5\n", ",46\n", "this line is no cell"),
    ] {
        std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
        let said = Cells::read(&file).unwrap_err().to_string();
        assert!(said.contains(complaint), "{said}");
    }
}

fn measurement(pairs: u64) -> Measurement {
    let folder = root().join(RECORD_FOLDER);
    let scratch = tempfile::tempdir().unwrap();
    for name in ["pv-less", "lmr-introduction"] {
        let text = std::fs::read_to_string(folder.join(format!("ideas/{name}.toml"))).unwrap();
        let text = text.replace("../policies", folder.join("policies").to_str().unwrap());
        std::fs::write(scratch.path().join(format!("{name}.toml")), text).unwrap();
    }
    let (ideas, _) = read_ideas(&Files::on_disk(), scratch.path(), &root()).unwrap();
    let fens = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
                rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n";
    let surrounding = |name: &str| RecordSurrounding::resolve(name, name, 1, &root()).unwrap().0;
    Measurement {
        ideas,
        surroundings: ["minimal", "rebel", "standard"].map(surrounding).to_vec(),
        budgets: vec![30, 60],
        contest: Contest {
            openings: Openings::parse(Source::new("openings.epd", fens)).unwrap().0,
            pairs: 0,
            nodes: 0,
            seed: 1,
        },
        predicted_nodes: 200_000,
        pairs,
    }
}

#[test]
fn a_measurement_in_parts_is_that_in_one() {
    let whole = |pairs, threads, cells: &mut Cells| {
        let workers = Workers::new(threads).unwrap();
        measurement(pairs).play(cells, &workers, &mut |_| Ok(())).unwrap();
    };
    let (mut once, mut parts) = (Cells::default(), Cells::default());
    whole(68, 2, &mut once);
    whole(36, 1, &mut parts);
    assert_eq!([parts.pairs("pv-less"), parts.pairs("lmr-introduction")], [36; 2]);
    // An interrupted round leaves nothing.
    let stop = Arc::new(AtomicBool::new(false));
    let workers = Workers::new(1).unwrap().until(Arc::clone(&stop));
    let mut rounds = 0;
    measurement(68)
        .play(&mut parts, &workers, &mut |_| {
            rounds += 1;
            stop.store(true, Ordering::Relaxed);
            Ok(())
        })
        .unwrap();
    assert_eq!(
        (rounds, parts.pairs("lmr-introduction") + parts.pairs("pv-less")),
        (1, 36 * 2 + 32)
    );
    whole(68, 1, &mut parts);
    assert_eq!(once, parts);
    assert!(measurement(68).stale(&once).0.is_empty());
    let mut other = measurement(68);
    other.contest.seed = 2;
    let stale = other.stale(&once);
    assert_eq!(stale.0.len(), once.list.len());
    stale.remove_from(&mut once);
    assert_eq!(once, Cells::default());
}

/// Where nobody reports enough, engines are taken to differ as in the public record.
#[test]
fn engines_differ_as_in_the_published_record() {
    let (root, folder) = (root(), root().join(RECORD_FOLDER));
    let (ideas, _) = read_ideas(&Files::on_disk(), &folder.join("ideas"), &root).unwrap();
    let reports = read_reports(&Files::on_disk(), &folder.join(REPORTS_FILE), "reports.csv").unwrap();
    let cells = Cells::read(&root.join("results/published/record/cells.csv")).unwrap();
    let estimates = Estimates::of(&cells, 200_000).unwrap();
    let agreement = Agreement::of(&ideas, estimates.as_ref(), &reports, 0.8);
    let mut found: Vec<f64> = agreement.ideas.iter().map(|idea| idea.engines).collect();
    found.sort_by(f64::total_cmp);
    let middle = found[found.len() / 2];
    assert!((0.8..1.25).contains(&(middle / ENGINES_OF_RECORD)), "{middle}");
    // The reports of an idea play no part in its own interval.
    let other: Vec<Report> = reports
        .iter()
        .filter(|report| report.idea != ideas[0].id)
        .cloned()
        .collect();
    let without = Agreement::of(&ideas, estimates.as_ref(), &other, 0.8);
    assert_eq!(without.ideas[0].engines, agreement.ideas[0].engines);
    assert_eq!(without.ideas[0].covered, None);
}
