//! Compiled policies that are too large, cut or mutated: each runs or is refused, and nothing panics.

use crate::policies::{policy, shipped};
use lmrlab_host::{Program, Values};
use lmrlab_policy::host_file::{Units, write};
use proptest::prelude::*;

/// A file with every kind of line.
pub(crate) fn whole_file() -> String {
    let text = "name = \"whole\"\nwhen = \"quiet and depth >= 3\"\nreduce = \"table(depth, ln(ply)) + if(pv, slope, 2)\"\ntable = [[1, 2], [3, \
                4]]\n[param]\nslope = { value = 0.5, min = 0, max = 1 }\n[[rule]]\nname = \"a\"\nwhen = \"pv and see > \
                1\"\nadd = \"so_far\"\nelse_mul = \"log2(depth)\"\ncap = \"3\"\nstop = true\n[finish]\nmax = \
                9\n[research]\nladder = \"by_score\"\ndeeper = \"score > 3\"\nshallower = \"score < 3\"\n";
    write(&policy(text), Units::Lmrlab).unwrap()
}

pub(crate) fn refused(text: &str) -> String {
    Program::read(text.as_bytes()).unwrap_err().to_string()
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
    let words = "+ dup drop ?1 :3 &2 |9 @slope so_far 1e308 -1 end rule 0x0010000000000000 pow table exp 999999999999 % finish min=-256";
    let words = words.split(' ').chain(["\n", ""]).collect::<Vec<_>>();
    let change = (any::<prop::sample::Index>(), prop::sample::select(words), 0..3_u8);
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
