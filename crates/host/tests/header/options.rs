//! Options and their answers.

use std::path::{Path, PathBuf};

use crate::common::{policy, shipped};
use crate::driver::{run, sanitized};
use lmrlab_host::trace::TraceReader;
use lmrlab_host::{Fact, Host, LateMove, MoveResult, Random};
use lmrlab_policy::Policy;
use lmrlab_policy::host_file::{self, Units};

/// Writes a compiled policy into a folder.
fn written(folder: &Path, policy: &Policy, units: Units) -> PathBuf {
    let path = folder.join(format!("{}.lmr", policy.name()));
    std::fs::write(&path, host_file::write(policy, units).unwrap()).unwrap();
    path
}

/// What the driver prints after the options, without `info string lmrlab-host`.
fn answers(driver: &Path, environment: &[(&str, &str)], options: &[String]) -> Vec<String> {
    let input: String = options.iter().map(|option| format!("{option}\n")).collect();
    let output = run(driver, &["options"], environment, &input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("option name "));
    let lines = lines.filter(|line| !line.contains("-host 1 facts "));
    lines
        .map(|line| line.strip_prefix("info string lmrlab-host ").unwrap_or(line).to_owned())
        .collect()
}

/// The answer to each option, each time after a policy has been set.
fn answers_after(driver: &Path, path: &Path, options: &[&str]) -> Vec<String> {
    let policy = format!("LmrPolicy {}", path.display());
    let each = |option: &&str| ["LmrParams".to_owned(), policy.clone(), (*option).to_owned()];
    let lines = answers(driver, &[], &options.iter().flat_map(each).collect::<Vec<_>>());
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.starts_with("ladder")).collect();
    assert_eq!(lines.len(), 3 * options.len());
    lines.into_iter().skip(2).step_by(3).collect()
}

#[test]
fn the_options_are_printed_with_the_facts() {
    let Some(driver) = sanitized() else { return };
    let output = run(driver, &["options"], &[], "");
    let text = String::from_utf8(output.stdout).unwrap();
    let (options, facts) = text.split_once("info string lmrlab-host 1 facts ").unwrap();
    assert_eq!(
        options,
        "option name LmrPolicy type string default <empty>\noption name LmrParams type string default <empty>\noption name \
         LmrTrace type string default <empty>\noption name LmrTraceRate type string default 0.01\noption name LmrShadow type \
         combo default none var none var policy var unreduced\n"
    );
    assert!(facts.starts_with("root pv cut "));
    assert!(facts.ends_with(" passed_delta king_safety_delta flag:blue number:mood\n"));
}

#[test]
fn a_policy_is_answered_with_its_hash_and_can_be_cleared() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let house = shipped("house");
    let path = written(folder.path(), &house, Units::Lmrlab);
    let options = [
        "LmrParams base=0.9,-history".to_owned(),
        format!("lmrpolicy {}", path.display()),
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
    let environment = [("LmrPolicy", path.to_str().unwrap()), ("LmrParams", "+history")];
    let found = answers(driver, &environment, &[]);
    assert_eq!(found, ["policy -", &format!("policy house {hash} +history")]);
}

#[test]
fn what_a_policy_says_of_second_searches_is_known() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"steps\"\nreduce = \"2\"\n[research]\nladder = \"intermediate\"\nabove = 3\nreduction = 2\ntrigger = \
                \"above_best_score\"\nthreat_feedback = 5\n";
    let path = written(folder.path(), &policy(text), Units::Host);
    let found = answers(driver, &[], &[format!("LmrPolicy {}", path.display())]);
    assert_eq!(
        found[1],
        "ladder 5 trigger 3 above 3 reduction 2 history 0 feedback 5 wants see 0 mood 0 blue 0"
    );
}

#[test]
fn wrong_values_are_errors_that_say_what_is_right() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), &shipped("house"), Units::Lmrlab);
    let cases = [
        (
            "LmrParams bas=0.9",
            "LmrParams: the policy house has no parameter `bas`; do you mean `base`?",
        ),
        (
            "LmrParams zzzzzz=0.9",
            "LmrParams: the policy house has no parameter `zzzzzz`",
        ),
        (
            "LmrParams -histor",
            "LmrParams: the policy house has no rule `histor`; do you mean `history`?",
        ),
        (
            "LmrParams base=9",
            "LmrParams: `base=9` is out of bounds: `base` may be from -0.5 to 2",
        ),
        (
            "LmrParams base=nine",
            "LmrParams: `base=nine` is no decimal number of up to 15 digits",
        ),
        (
            "LmrParams base=0x7ff8000000000000",
            "LmrParams: `base=0x7ff8000000000000` is no decimal number of up to 15 digits",
        ),
        (
            "LmrParams base",
            "LmrParams: `base` is broken; write `parameter=value`, `-rule` or `+rule`, with commas between them",
        ),
        (
            "LmrParams base=1,",
            "LmrParams: `base=1` is broken; write `parameter=value`, `-rule` or `+rule`, with commas between them",
        ),
        ("LmrPolicy /nowhere/x.lmr", "/nowhere/x.lmr cannot be opened"),
        (
            "LmrTraceRate 2",
            "LmrTraceRate must be a number from 0 to 1, as in 0.01",
        ),
        (
            "LmrTraceRate nan",
            "LmrTraceRate must be a number from 0 to 1, as in 0.01",
        ),
        ("LmrShadow both", "LmrShadow is none, policy or unreduced"),
        ("LmrTrace /nowhere/x.trace", "/nowhere/x.trace cannot be written"),
    ];
    let found = answers_after(driver, &path, &cases.map(|(option, _)| option));
    for ((option, message), found) in cases.iter().zip(found) {
        assert_eq!(found, format!("error {message}"), "{option}");
    }
    let long = format!("LmrParams {}", "x".repeat(40_000));
    let found = answers_after(driver, &path, &[&long]);
    assert!(found[0].starts_with("error the value of LmrParams is too long"));
    let none = folder.path().join("none.lmr");
    std::fs::write(&none, "name = \"house\"\n").unwrap();
    let found = answers_after(driver, &path, &[&format!("LmrPolicy {}", none.display())]);
    assert_eq!(
        found[0],
        format!(
            "error {} is no compiled policy; write one with `lmrlab policy compile`",
            none.display()
        )
    );
}

/// After an error the engine reduces by its own scheme until the options are right.
#[test]
fn after_an_error_no_policy_is_in_force() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), &shipped("house"), Units::Lmrlab);
    let options = [
        format!("LmrPolicy {}", path.display()),
        "LmrParams base=9".to_owned(),
        format!("LmrPolicy {}", path.display()),
        "LmrParams base=1".to_owned(),
    ];
    let found = answers(driver, &[], &options);
    let kinds: Vec<_> = found.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["policy", "ladder", "error", "error", "policy", "ladder"]);
}

#[test]
fn a_mistake_in_a_file_is_reported_with_its_line() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let good = host_file::write(
        &policy("name = \"one\"\nwhen = \"depth > 2\"\nreduce = \"see / slope\"\n[param]\nslope = { value = 0.5, min = 0.1, max = 1 }\n[[rule]]\nname = \"a\"\nadd = \"1\"\n"),
        Units::Lmrlab,
    )
    .unwrap();
    let cases = [
        ("", "", "policy one "),
        ("\n", "\r\n", "policy one "),
        ("see", "sea", "line 5: this header knows no fact and no function `sea`"),
        ("@slope", "@s", "line 5: no line `param` declares `s`"),
        ("see @slope /", "see /", "line 5: `/` finds too little on the stack"),
        (
            "see @slope /",
            "see @slope",
            "line 5: an expression must leave one value",
        ),
        (
            "see @slope /",
            "see ?1 1",
            "line 5: two ways lead to the end of the line with different stacks",
        ),
        ("see @slope /", "1 :1 2", "line 5: no way leads to `2`"),
        ("see @slope /", "see :5", "line 5: a jump leads out of its line"),
        ("see @slope /", "see ln", "line 5: the line `ln` is missing"),
        (
            "see @slope /",
            "see 1 table",
            "line 5: the lines `columns` and `row` are missing",
        ),
        (
            "see @slope /",
            "0.12345678901234567890",
            "line 5: `0.12345678901234567890` is no number",
        ),
        (
            "see @slope /",
            "0x7ff0000000000000",
            "line 5: `0x7ff0000000000000` is no number",
        ),
        ("see @slope /", "so_far", "line 5: only rules may read `so_far`"),
        (
            "see @slope /",
            "score",
            "line 5: only `deeper` and `shallower` may read `score`",
        ),
        (
            "reduce see",
            "reduce  see",
            "line 5: exactly one space must stand between words",
        ),
        ("when", "wenn", "line 4: `wenn` is no line that can stand here"),
        (
            "param slope",
            "own flag pv\nparam slope",
            "line 3: `pv` cannot be a fact of the engine's own",
        ),
        (
            "param slope 0.5",
            "param slope 5",
            "line 3: the value of `slope` is out of its bounds",
        ),
        (
            "min=0",
            "min=none",
            "line 8: `min` must be a whole number from -256 to 256",
        ),
        ("floor=", "flor=", "line 8: `floor=` is missing here"),
        (
            "null_then_full",
            "later",
            "line 9: this header knows no `later`: it is too old for the policy",
        ),
        ("end\n", "", "line 10: the file ends before the line `end`"),
        (
            "end\n",
            "end\nend\n",
            "line 10: the file should end after the line `end`",
        ),
        ("end\n", "en", "line 10: `en` is no line that can stand here"),
        (
            "-policy 1 ",
            "-policy 2 ",
            "line 1: the policy has version 2 of the format, and this header reads version 1",
        ),
        (
            "rule a on",
            "rule a maybe",
            "line 6: a rule is `on` or `off`, not `maybe`",
        ),
    ];
    let path = |index: usize| folder.path().join(format!("{index}.lmr"));
    let mut options = Vec::new();
    for (index, (from, to, _)) in cases.iter().enumerate() {
        std::fs::write(path(index), good.replacen(from, to, if *from == "\n" { 99 } else { 1 })).unwrap();
        options.push(format!("LmrPolicy {}", path(index).display()));
    }
    let found = answers(driver, &[], &options);
    let found: Vec<_> = found.iter().filter(|line| !line.starts_with("ladder")).collect();
    assert_eq!(found.len(), cases.len());
    for ((index, (from, to, message)), found) in cases.iter().enumerate().zip(found) {
        let expected = match message.starts_with("policy") {
            true => (*message).to_owned(),
            false => format!("error {}, {message}", path(index).display()),
        };
        assert!(found.starts_with(&expected), "{from} -> {to}: {found}");
    }
}

#[test]
fn facts_that_the_engine_lacks_are_named() {
    let Some(driver) = sanitized() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.lmr");
    let good = host_file::write(&policy("name = \"one\"\nreduce = \"depth\""), Units::Host).unwrap();
    let with = |lines: &str, reduce: &str| {
        let text = good
            .replacen("units host\n", &format!("units host\n{lines}"), 1)
            .replacen("reduce depth\n", &format!("reduce {reduce}\n"), 1);
        std::fs::write(&path, text).unwrap();
        answers(driver, &[], &[format!("LmrPolicy {}", path.display())])
    };
    let own = "own flag blue\nown number mood\nown flag red\nown flag mood2\n";
    let found = with(own, "blue ?2 mood :1 depth");
    assert!(
        found[0].starts_with("policy one ") && found[1].ends_with(" wants see 0 mood 1 blue 1"),
        "{found:?}"
    );
    let found = with("own flag red\nown number blue\n", "red ?2 blue :1 depth");
    assert_eq!(
        found,
        ["error the policy one reads facts that this engine does not fill: flag:red number:blue"]
    );
    // What constants leave out is not needed.
    let found = with("own flag red\n", "0 ?2 red :1 depth");
    assert!(found[0].starts_with("policy one "), "{found:?}");
}

#[test]
fn wrong_facts_stop_the_engine_with_a_message() {
    let Some(driver) = sanitized() else { return };
    let lists = [
        ("detph pv", "lmrlab knows no fact `detph`; do you mean `depth`?"),
        (
            "qqqqqqqqq",
            "lmrlab knows no fact `qqqqqqqqq`; a fact of your own is `flag:NAME` or `number:NAME`",
        ),
        ("depth depth", "`depth` is there twice"),
        ("pv*2", "`pv` is a flag: it has no unit, so take out `*2`"),
        (
            "see*0",
            "the factor of `see` must be a number or a fraction, and not 0, as in `see*0.5` or `see*100/208`",
        ),
        (
            "see*x",
            "the factor of `see` must be a number or a fraction, and not 0, as in `see*0.5` or `see*100/208`",
        ),
        (
            "see*1/0",
            "the factor of `see` must be a number or a fraction, and not 0, as in `see*0.5` or `see*100/208`",
        ),
        ("so_far", "the header itself fills `so_far`: take it out"),
        ("score", "the header itself fills `score`: take it out"),
        ("flag:pv", "`pv` is in lmrlab's catalogue: write it without `flag:`"),
        ("flag:a number:a", "`a` is there twice"),
        (
            "flag:min",
            "`min` cannot be the name of a fact: use letters, digits and `_`, with a letter first",
        ),
    ];
    for (facts, message) in lists {
        let output = run(driver, &["facts", facts], &[], "");
        assert_eq!(output.status.code(), Some(1), "{facts}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!("lmrlab.h: lmr_init: {message}\n")
        );
    }
    let many: String = (0..17).map(|index| format!(" number:n{index}")).collect();
    assert_eq!(run(driver, &["facts", &many], &[], "").status.code(), Some(1));
    let fine = run(
        driver,
        &["facts", "depth  pv see*0.5 score*2 flag:_x\tnumber:y*-1"],
        &[],
        "",
    );
    assert!(fine.status.success(), "{}", String::from_utf8_lossy(&fine.stderr));
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
            let output = run(driver, &["scaled", &facts, &format!("{see:?}")], &[], "");
            let text = String::from_utf8(output.stdout).unwrap();
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
