//! An engine with options, facts and policies.

use std::path::Path;
use std::process::Command;

use lmrlab_host::{Fact, Host, Ladder, LateMove, Random, Units};
use lmrlab_policy::facts::{CATALOGUE, Facts};
use tempfile::TempDir;

use crate::policies::{file_of, policy, shipped};
use crate::random_moves::RandomMoves;

/// The lines of an answer.
pub(crate) fn set(host: &mut Host, name: &str, value: &str) -> Vec<String> {
    let answers = host.set_option(name, value).unwrap();
    answers.iter().map(ToString::to_string).collect()
}

/// A move that may be late; `None` when nothing wants its facts.
pub(crate) fn opened(host: &Host, random: Option<&mut Random>) -> Option<LateMove> {
    let mut late_move = LateMove::default();
    host.open(&mut late_move, random).then_some(late_move)
}

/// All facts that engines fill.
pub(crate) fn all_facts() -> String {
    let given = [Fact::SoFar, Fact::Score, Fact::Reduction];
    let names: Vec<&str> = CATALOGUE
        .iter()
        .filter(|info| !given.contains(&info.fact))
        .map(|info| info.name)
        .collect();
    names.join(" ")
}

#[test]
fn a_policy_is_in_force_after_its_options() {
    let folder = TempDir::new().unwrap();
    let house = shipped("house");
    let path = file_of(&house, Units::Lmrlab, &folder);
    let mut host = Host::new("Engine", &all_facts()).unwrap();
    assert_eq!(host.set_option("Hash", "16"), None);
    assert!(!host.is_active());
    assert_eq!(host.research(), None);
    let hash = house.hash();
    assert_eq!(
        set(&mut host, "LmrParams", "base=1.5"),
        ["info string lmrlab-host policy -"]
    );
    assert_eq!(
        set(&mut host, "lmrpolicy", &path),
        [format!("info string lmrlab-host policy house {hash} base=1.5")]
    );
    assert_eq!(
        set(&mut host, "LmrParams", "<empty>"),
        [format!("info string lmrlab-host policy house {hash} -")]
    );
    assert_eq!(host.research().unwrap().ladder, Ladder::ByScore);
    // One move after the other, in the same place.
    let mut late_move = LateMove::default();
    for facts in RandomMoves::of(&house).take(500) {
        assert!(host.open(&mut late_move, None));
        for fact in CATALOGUE.iter().map(|info| info.fact) {
            late_move
                .flag(fact, facts.boolean(fact))
                .number(fact, facts.number(fact));
        }
        assert_eq!(host.reduction(&mut late_move), house.reduction(&facts));
        assert_eq!(late_move.reduction, house.reduction(&facts));
        assert_eq!(late_move.late, house.explain(&facts).is_some());
    }
    assert_eq!(set(&mut host, "LmrPolicy", ""), ["info string lmrlab-host policy -"]);
    assert!(!host.is_active() && host.policy().is_none());
    assert!(!host.open(&mut late_move, None) && !late_move.late && late_move.reduction == 0);
}

/// A late move with these numbers.
fn numbers(host: &Host, list: &[(Fact, f64)]) -> LateMove {
    let mut late_move = opened(host, None).unwrap();
    for (fact, value) in list {
        late_move.number(*fact, *value);
    }
    late_move
}

#[test]
fn factors_turn_the_engines_units_into_lmrlabs() {
    let folder = TempDir::new().unwrap();
    let text = "name = \"scaled\"\nreduce = \"see / 10 + 2 * depth + static_eval\"\n[finish]\nscale = 1\n[research]\nladder = \
                \"by_score\"\ndeeper = \"score > best_score + 50\"\nshallower = \"score < best_score\"\n";
    let policy = policy(text);
    let in_lmrlabs = file_of(&policy, Units::Lmrlab, &folder);
    let mut host = Host::new("Engine", "see*0.5 depth*0.25 static_eval score*0.5").unwrap();
    set(&mut host, "LmrPolicy", &in_lmrlabs);
    let facts = [(Fact::See, 40.0), (Fact::Depth, 80.0)];
    let mut late_move = numbers(&host, &facts);
    // See is 20, and the depth 20 plies: 2 + 40, and at most 19.
    assert_eq!(host.reduction(&mut late_move), 19);
    let mut late_move = numbers(
        &host,
        &[(Fact::See, 40.0), (Fact::Depth, 80.0), (Fact::StaticEval, -30.0)],
    );
    assert_eq!(host.reduction(&mut late_move), 12);
    // 102 and 100 of the engine are 51 and 50.
    assert_eq!(host.depth_change(&late_move, 102, 0), 1);
    assert_eq!(host.depth_change(&late_move, 100, 0), 0);
    assert_eq!(host.depth_change(&late_move, 100, 102), -1);
    let in_the_hosts = file_of(&policy, Units::Host, &folder);
    set(&mut host, "LmrPolicy", &in_the_hosts);
    let mut late_move = numbers(
        &host,
        &[(Fact::See, 40.0), (Fact::Depth, 80.0), (Fact::StaticEval, -130.0)],
    );
    assert_eq!(host.reduction(&mut late_move), 34);
    assert_eq!(host.depth_change(&late_move, 51, 0), 1);
}

#[test]
fn own_facts_are_found_by_name() {
    let folder = TempDir::new().unwrap();
    let text = "name = \"own\"\nwhen = \"threatened and not capture and share < 0.5\"\nreduce = \"share * 8 + if(exposed, 0, \
                2)\"\n[host]\nflags = [\"exposed\", \"threatened\", \"pinned\"]\nnumbers = [\"share\"]\n[[rule]]\nname = \
                \"pinned\"\nwhen = \"pinned\"\nadd = \"1\"\nenabled = false\n";
    let path = file_of(&policy(text), Units::Host, &folder);
    let facts = "depth capture flag:other flag:exposed flag:threatened number:first number:share";
    let mut host = Host::new("Engine", facts).unwrap();
    let answer = set(&mut host, "LmrPolicy", &path);
    assert!(answer[0].contains("lmrlab-host policy own "), "{answer:?}");
    let reduced = |share: f64, threatened: bool, exposed: bool| {
        let mut late_move = opened(&host, None).unwrap();
        late_move
            .number(Fact::Depth, 20.0)
            .flag(Fact::OWN_FLAGS[2], threatened)
            .flag(Fact::OWN_FLAGS[1], exposed)
            .number(Fact::OWN_NUMBERS[1], share)
            .number(Fact::OWN_NUMBERS[0], 99.0)
            .flag(Fact::OWN_FLAGS[15], true)
            .number(Fact::OWN_NUMBERS[15], 1.0);
        host.reduction(&mut late_move);
        late_move.late.then_some(late_move.reduction)
    };
    let mut late_move = opened(&host, None).unwrap();
    late_move.result(true, 7);
    assert_eq!(late_move.first_result(), (true, 7));
    assert_eq!(
        host.open(&mut late_move, None).then(|| late_move.first_result()),
        Some((false, 0))
    );
    assert_eq!(
        [0, 1, 2, 15].map(|flag| host.wants(&late_move, Fact::OWN_FLAGS[flag])),
        [false, true, true, false]
    );
    assert_eq!(
        [0, 1, 15].map(|number| host.wants(&late_move, Fact::OWN_NUMBERS[number])),
        [false, true, false]
    );
    assert_eq!(reduced(0.25, true, true), Some(2));
    assert_eq!(reduced(0.25, true, false), Some(4));
    assert_eq!(reduced(0.25, false, false), None);
    assert_eq!(reduced(0.75, true, false), None);
    // The rule that is switched on reads a fact more.
    let missing = |host: &mut Host, option: &str, value: &str| {
        let answer = set(host, option, value);
        answer[0]
            .split("does not fill: ")
            .nth(1)
            .unwrap_or_else(|| panic!("{answer:?}"))
            .to_owned()
    };
    assert_eq!(missing(&mut host, "LmrParams", "+pinned"), "flag:pinned");
    let mut host = Host::new("Engine", "depth number:threatened number:share").unwrap();
    assert_eq!(
        missing(&mut host, "LmrPolicy", &path),
        "capture flag:exposed flag:threatened"
    );
}

#[test]
fn only_facts_that_are_read_are_wanted() {
    let folder = TempDir::new().unwrap();
    let path = file_of(
        &policy("name = \"one\"\nreduce = \"see / 100\"\n[finish]\npv_bonus = 1\n"),
        Units::Lmrlab,
        &folder,
    );
    let mut host = Host::new("Engine", &all_facts()).unwrap();
    set(&mut host, "LmrPolicy", &path);
    let late_move = opened(&host, None).unwrap();
    let wanted: Vec<&str> = CATALOGUE
        .iter()
        .filter(|info| host.wants(&late_move, info.fact))
        .map(|info| info.name)
        .collect();
    assert_eq!(wanted, ["pv", "extended", "depth", "extension", "see"]);
}

/// A test of its own process, because the environment belongs to the process.
#[test]
#[ignore = "a part of the_environment_sets_the_options"]
fn print_the_answers_to_the_environment() {
    let mut host = Host::new("Engine", &all_facts()).unwrap();
    for answer in host.read_environment() {
        println!("{answer}");
    }
}

fn answers_to(variables: &[(&str, &Path)]) -> Vec<String> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "hosting::print_the_answers_to_the_environment",
            "--ignored",
            "--nocapture",
        ])
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .filter(|line| line.starts_with("info string"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_environment_sets_the_options() {
    let folder = TempDir::new().unwrap();
    let house = shipped("house");
    let path = file_of(&house, Units::Lmrlab, &folder);
    let trace = folder.path().join("trace");
    let answers = answers_to(&[
        ("LmrPolicy", path.as_ref()),
        ("LmrParams", "base=1".as_ref()),
        ("LmrTrace", &trace),
        ("LmrPosition", "1".as_ref()),
    ]);
    assert_eq!(
        answers,
        [
            "info string lmrlab-host policy -".to_owned(),
            format!("info string lmrlab-host policy house {} base=1", house.hash()),
            format!("info string lmrlab-host trace {}", trace.display()),
        ]
    );
    let header = std::fs::read_to_string(trace).unwrap();
    assert!(
        header.contains("\nposition 1\n") && header.contains(" base=1\n"),
        "{header}"
    );
    assert!(answers_to(&[]).is_empty());
}
