//! Options and their answers.

use lmrlab_host::trace::TraceReader;
use lmrlab_host::{Fact, Host, LateMove, MoveResult, Random, Units};

use super::driver::sanitized;
use crate::hosting::all_facts;
use crate::mistakes::answers;
use crate::policies::{file_of, policy, shipped};

#[test]
fn the_options_are_those_of_the_crate() {
    let Some(driver) = sanitized() else { return };
    let facts = all_facts() + " flag:blue number:mood*2";
    let options = Host::new("Engine", &facts).unwrap().options();
    assert_eq!(
        options[4],
        "option name LmrShadow type combo default none var none var policy var unreduced"
    );
    assert!(
        options[5].starts_with("info string lmrlab-host 1 facts root pv cut ")
            && options[5].ends_with(" flag:blue number:mood")
    );
    assert!(driver.printed(&["options"], &[], "").lines().eq(options));
}

#[test]
fn a_policy_is_answered_with_its_hash_and_can_be_cleared() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = shipped("house");
    let path = file_of(&house, Units::Lmrlab, &folder);
    let options = [
        "LmrParams base=0.9,-history".to_owned(),
        format!("lmrpolicy {path}"),
        "LmrParams <empty>".to_owned(),
        "LmrPolicy <empty>".to_owned(),
        "Hash 16".to_owned(),
    ];
    let hash = house.hash();
    let state = "ladder 6 trigger 0 above 2 reduction 1 history 1 feedback -1 wants see 1 mood 0 blue 0";
    assert_eq!(
        answers(driver, &[], &options),
        [
            "policy -",
            &format!("policy house {hash} base=0.9,-history"),
            state,
            &format!("policy house {hash} -"),
            state,
            "policy -",
            "unknown Hash",
        ]
    );
    let environment = [("LmrPolicy", path.as_str()), ("LmrParams", "+history")];
    let found = answers(driver, &environment, &[]);
    assert_eq!(found, ["policy -", &format!("policy house {hash} +history")]);
}

#[test]
fn what_a_policy_says_of_second_searches_is_known() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"steps\"\nreduce = \"2\"\n[research]\nladder = \"intermediate\"\nabove = 3\nreduction = 2\ntrigger = \
                \"above_best_score\"\nthreat_feedback = 5\n";
    let path = file_of(&policy(text), Units::Host, &folder);
    let found = answers(driver, &[], &[format!("LmrPolicy {path}")]);
    assert_eq!(
        found[1],
        "ladder 5 trigger 3 above 3 reduction 2 history 0 feedback 5 wants see 0 mood 0 blue 0"
    );
}

/// The value of `see` in a trace of the crate, with the factor of these facts.
fn scaled_by_the_crate(facts: &str, see: f64) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let mut host = Host::new("Engine", facts).unwrap();
    for (name, value) in [("LmrTraceRate", "1"), ("LmrTrace", path.to_str().unwrap())] {
        let answers = host.set_option(name, value).unwrap();
        assert!(!answers[0].to_string().contains(" error "), "{answers:?}");
    }
    let mut late_move = LateMove::default();
    assert!(host.open(&mut late_move, Some(&mut Random::new(1))));
    late_move.number(Fact::See, see);
    host.close(&late_move, 1, MoveResult::FailedLow, 1).unwrap();
    let records = TraceReader::new(std::fs::File::open(path).unwrap()).unwrap();
    records.last().unwrap().unwrap().numbers[0]
}

#[test]
fn a_fraction_is_the_same_factor_in_the_header_and_in_the_crate() {
    let Some(driver) = sanitized() else { return };
    let mut below = 0;
    for (above, bound) in [
        ("16384", "29952"),
        ("16384", "7183"),
        ("-65536", "29952"),
        ("1", "49"),
        ("16384", "9999"),
        ("100", "208"),
        ("0.1", "0.3"),
        ("16384", "-8191"),
        ("1", "3"),
    ] {
        let facts = format!("see*{above}/{bound}");
        let [limit, most]: [f64; 2] = [above, bound].map(|text| text.parse().unwrap());
        for see in [most, most / 3.0, -most] {
            let text = driver.printed(&["scaled", &facts, &format!("{see:?}")], &[], "");
            let in_c = f64::from_bits(u64::from_str_radix(&text, 16).unwrap());
            assert_eq!(in_c, scaled_by_the_crate(&facts, see), "{facts} {see}");
            assert!(in_c.abs() <= limit.abs(), "{facts} {see}: {in_c}");
        }
        let at_the_bound = scaled_by_the_crate(&facts, most);
        assert!((limit - at_the_bound).abs() <= limit.abs() * f64::EPSILON, "{facts}");
        below += u32::from(at_the_bound != limit);
    }
    assert_eq!(below, 1, "only 1/49 misses its bound, by the last bit");
}
