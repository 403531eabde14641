//! Files with mistakes: a message, and never a panic.

use crate::common::{policy, shipped};
use lmrlab_host::{Program, Values};
use lmrlab_policy::host_file::{Units, write};
use proptest::prelude::*;

/// A file with every kind of line.
fn whole_file() -> String {
    let text = "name = \"whole\"\nwhen = \"quiet and depth >= 3\"\nreduce = \"table(depth, ln(ply)) + if(pv, slope, 2)\"\ntable = [[1, 2], [3, \
                4]]\n[param]\nslope = { value = 0.5, min = 0, max = 1 }\n[[rule]]\nname = \"a\"\nwhen = \"pv and see > \
                1\"\nadd = \"so_far\"\nelse_mul = \"log2(depth)\"\ncap = \"3\"\nstop = true\n[finish]\nmax = \
                9\n[research]\nladder = \"by_score\"\ndeeper = \"score > 3\"\nshallower = \"score < 3\"\n";
    write(&policy(text), Units::Lmrlab).unwrap()
}

fn refused(text: &str) -> String {
    Program::read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_mistake_is_reported_with_its_line() {
    let good = whole_file();
    Program::read(good.as_bytes()).unwrap();
    Program::read(good.replace('\n', "\r\n").as_bytes()).unwrap();
    let line = |start: &str| 1 + good.lines().position(|line| line.starts_with(start)).unwrap();
    for (from, to, at, message) in [
        (
            "lmrlab-policy 1",
            "lmrlab-policy 2",
            1,
            "the file has version `2`, and this engine reads version 1",
        ),
        (
            "units lmrlab",
            "units pawns",
            2,
            "expected `units lmrlab` or `units host`",
        ),
        (
            "param slope 0.5 0 1",
            "param slope 1.5 0 1",
            3,
            "the value of the parameter `slope` is not between its bounds",
        ),
        ("param slope 0.5", "param slope nan", 3, "`nan` is not a finite number"),
        (
            "param slope 0.5 0 1",
            "param  slope 0.5 0 1",
            3,
            "words are separated by one space",
        ),
        (
            "flags +quiet",
            "flags quiet",
            line("flags"),
            "`quiet` has no sign; write `+quiet` or `-quiet`",
        ),
        (
            "flags +quiet",
            "flags +quite",
            line("flags"),
            "no fact and no operation is called `quite`; did you mean `quiet`?",
        ),
        (
            "flags +quiet",
            "flags +depth",
            line("flags"),
            "`depth` is a number, and `flags` takes booleans",
        ),
        (
            "@slope",
            "@sloep",
            line("reduce"),
            "no parameter is called `sloep`; did you mean `slope`?",
        ),
        (
            "depth 3 >=",
            "depth >=",
            line("when"),
            "`>=`, word 2 of the line's expression has too few operands",
        ),
        (
            "depth 3 >=",
            "depth 3",
            line("when"),
            "the words up to `3`, word 2 of the line's expression leave 2 values, and they must leave one",
        ),
        (
            "depth 3 >=",
            "so_far 3 >=",
            line("when"),
            "`so_far` is not known in this line",
        ),
        (
            "depth 3 >=",
            "score 3 >=",
            line("when"),
            "`score` is not known in this line",
        ),
        (
            "depth 3 >=",
            "depth 3 >= :1 1",
            line("when"),
            "`:1`, word 4 of the line's expression ends no choice",
        ),
        (
            "depth 3 >=",
            "depth ?1 3 4",
            line("when"),
            "`?1`, word 2 of the line's expression has a number where a boolean belongs",
        ),
        (
            "depth 3 >=",
            "quiet ?2 3 4",
            line("when"),
            "`4`, word 4 of the line's expression stands where `:` belongs",
        ),
        (
            "depth 3 >=",
            "depth",
            line("when"),
            "the expression is a number, and it must be a boolean",
        ),
        (
            "depth 3 >=",
            "depth dup 3 >= ?3 drop 1 :1 drop 0 0 >",
            line("when"),
            "`0`, word 10 of the line's expression does not end the steps",
        ),
        (
            "depth 3 >=",
            "depth &2 1",
            line("when"),
            "the jump `&2`, word 2 of the line's expression leads out of the expression",
        ),
        (
            "depth 3 >=",
            "depth &x",
            line("when"),
            "`&x` is no jump; write the number of words to leave out, as in `&3`",
        ),
        (
            "depth 3 >=",
            "0x7ff0000000000000",
            line("when"),
            "`0x7ff0000000000000` is not a finite number",
        ),
        (
            "columns 2",
            "columns 0",
            line("columns"),
            "expected `columns N` with N from 1 to 65536",
        ),
        (
            "row 1 2",
            "row 1",
            line("row"),
            "the row has 1 numbers, and 2 columns are declared",
        ),
        (
            "rule a on",
            "rule a maybe",
            line("rule"),
            "expected `rule NAME on` or `rule NAME off`",
        ),
        (
            "finish scale=1 ",
            "finish scale=1000 ",
            line("finish"),
            "`scale` must be from -100 to 100",
        ),
        (
            "round=trunc",
            "round=up",
            line("finish"),
            "`round` must be one of: trunc floor ceil nearest",
        ),
        (
            " max=9 ",
            " max=999 ",
            line("finish"),
            "`max` must be a whole number from -256 to 256",
        ),
        (
            " min=0 max=9",
            " max=9 min=0",
            line("finish"),
            "expected `min=`, found `max=9`",
        ),
        (
            "pv_bonus=0",
            "pv_bonus=0 more=1",
            line("finish"),
            "`more=1` does not belong in this line",
        ),
        (
            "ladder=by_score",
            "ladder=up",
            line("research"),
            "`ladder` must be one of: null_then_full none full full_reduced_first step_up intermediate by_score",
        ),
        (
            "\nend\n",
            "\nend\nend\n",
            line("end") + 1,
            "nothing may follow the line `end`",
        ),
        ("\nend\n", "\n", line("end"), "expected a line `end`, found nothing"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        assert_eq!(refused(&text), format!("line {at}: {message}"));
    }
    let without_logarithms: String = good
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("ln "))
        .collect();
    assert!(refused(&without_logarithms).ends_with("no line `ln` above"));
    assert!(refused("name = \"house\"\n").contains("`lmrlab policy compile` writes one"));
    assert!(Program::read(&[0xff, 0xfe]).is_err());
}

#[test]
fn limits_are_checked() {
    let good = whole_file();
    let rules: String = (0..300).map(|index| format!("rule r{index} on\n")).collect();
    let parameters: String = (0..300).map(|index| format!("param p{index} 0 0 1\n")).collect();
    let own: String = (0..17).map(|index| format!("own flag f{index}\n")).collect();
    for (before, lines, message) in [
        ("finish ", rules.as_str(), "more than 256 rules"),
        ("param ", &parameters, "more than 256 parameters"),
        ("param ", &own, "more than 16 own facts of one kind"),
        (
            "finish ",
            &format!("rule r on\nadd{} 1\n", " 1 +".repeat(9000).replacen(" 1 +", " 1", 1)),
            "the policy has more than 16384 words of code",
        ),
        (
            "finish ",
            &format!("rule r on\nadd{}\n", " 1".repeat(200)),
            "needs more than 128 stack slots",
        ),
        (
            "columns ",
            &format!("columns 65537\n{}", ""),
            "expected `columns N` with N from 1 to 65536",
        ),
    ] {
        let message_found = refused(&good.replacen(before, &format!("{lines}{before}"), 1));
        assert!(message_found.contains(message), "{message_found}");
    }
}

/// Neither reading nor running needs more stack than a thread has.
#[test]
fn deep_expressions_run_or_are_refused() {
    let good = whole_file();
    let reduce = good.lines().find(|line| line.starts_with("reduce ")).unwrap();
    let with = |words: String| good.replacen(reduce, &format!("reduce {words}"), 1);
    // A choice in the other outcome of a choice, and so on.
    let choices = |count: usize| {
        let choice = |index: usize| format!("pv ?2 {} :{} ", index % 7, 4 * (count - index - 1) + 1);
        (0..count).map(choice).collect::<String>() + "1"
    };
    for words in [choices(128), format!("depth{}", " neg".repeat(800))] {
        Program::read(with(words.clone()).as_bytes()).unwrap();
        exercise(with(words).as_bytes());
    }
    for (words, end) in [
        (choices(300), "is inside more than 128 choices"),
        (
            format!("depth{}", " neg".repeat(9_000)),
            "is nested more than 832 levels deep",
        ),
    ] {
        let message = refused(&with(words));
        assert!(message.ends_with(end), "{message}");
    }
}

#[test]
fn a_file_that_is_cut_is_refused() {
    let good = whole_file();
    for end in 0..good.len() - 1 {
        assert!(Program::read(&good.as_bytes()[..end]).is_err(), "{}", &good[..end]);
    }
}

/// Files that are nearly right, so that the reader gets far.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let files = [
        whole_file(),
        write(&shipped("house"), Units::Lmrlab).unwrap(),
        write(&shipped("stockfish-11"), Units::Host).unwrap(),
    ];
    let words = [
        "+",
        "dup",
        "drop",
        "?1",
        ":3",
        "&2",
        "|9",
        "@slope",
        "so_far",
        "1e308",
        "-1",
        "\n",
        "end",
        "rule",
        "0x0010000000000000",
        "pow",
        "table",
        "exp",
        "",
        "999999999999",
        "%",
        "finish",
        "min=-256",
    ];
    let change = (
        any::<prop::sample::Index>(),
        prop::sample::select(words.to_vec()),
        0..3_u8,
    );
    (
        prop::sample::select(files.to_vec()),
        prop::collection::vec(change, 1..5),
    )
        .prop_map(|(file, changes)| {
            let mut words: Vec<&str> = file.split(' ').collect();
            for (place, word, kind) in changes {
                let place = place.index(words.len());
                match kind {
                    0 => words[place] = word,
                    1 => words.insert(place, word),
                    _ => {
                        words.remove(place);
                    }
                }
            }
            words.join(" ").into_bytes()
        })
}

/// Runs what could be read.
fn exercise(bytes: &[u8]) {
    match Program::read(bytes) {
        Ok(policy) => {
            let mut values = Values::default();
            for round in 0..4 {
                for (index, info) in lmrlab_host::CATALOGUE.iter().enumerate() {
                    values.set_flag(info.fact, (index + round) % 3 == 0);
                    let number = [0.0, 1e300, -7.5, 63.0][(index + round) % 4];
                    values.set_number(info.fact, number);
                }
                if let Some(plies) = policy.reduction(&values) {
                    assert!((-256 - 16..=256).contains(&plies), "{plies}");
                }
                assert!((-1..=1).contains(&policy.depth_change(&values)));
            }
        }
        Err(wrong) => assert!(wrong.line > 0 && !wrong.message.is_empty()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
    }

    #[test]
    fn no_file_makes_the_reader_or_the_policy_panic(bytes in mutated()) {
        exercise(&bytes);
    }
}
