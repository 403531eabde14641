//! Warnings about conditions that no move meets, and rules that no move reaches.

use crate::common::complaints;

/// The warnings' first lines and labels for a policy with this `when` and these rules (a condition and whether it stops).
fn verdicts(when: &str, rules: &[(&str, bool)]) -> Vec<String> {
    use std::fmt::Write as _;
    let mut file = format!("name = \"idea\"\nwhen = \"{when}\"\nreduce = \"1\"\n");
    for ((condition, stop), letter) in rules.iter().zip('a'..) {
        let _ = write!(
            file,
            "[[rule]]\nname = \"{letter}\"\nwhen = \"{condition}\"\nadd = \"1\"\nstop = {stop}\n"
        );
    }
    complaints(&file)
        .lines()
        .filter(|line| line.starts_with("warning") || line.contains('^'))
        .map(|line| line.trim_start_matches([' ', '|', '^']).to_owned())
        .collect()
}

#[test]
fn finds_conditions_that_no_move_meets() {
    for never in [
        "depth > 8 and depth < 4",
        "depth > 3 and depth < 4",
        "depth < 1",
        "depth == 2.5",
        "depth == 3 and depth != 3",
        "move_number == 1 and moves_searched >= 1",
        "moves_searched < 0",
        "capture and quiet",
        "not capture and not quiet and not promotion",
        "quiet and queen_promotion",
        "castling and pawn_move",
        "advanced_pawn and pawn_rank < 6",
        "advanced_pawn and castling",
        "passed_pawn and not pawn_move",
        "root and not pv",
        "root and ply > 0",
        "cut and all",
        "pv and (cut or all)",
        "not pv and not cut and not all",
        "extended and extension == 0",
        "(capture or promotion) and quiet",
        "(depth < 2 or depth > 9) and (depth > 4 and depth < 7)",
        "not (capture or promotion or quiet)",
        "pawn_rank >= 7 and not advanced_pawn",
        "2 > 3",
        "phase > 24",
    ] {
        let found = verdicts("true", &[(never, false)]);
        assert_eq!(
            found,
            ["warning: rule `a` never applies", "holds for no move"],
            "{never}"
        );
        let found = verdicts(never, &[]);
        assert_eq!(
            found,
            ["warning: this policy never reduces anything", "holds for no move"],
            "{never}"
        );
    }
}

#[test]
fn does_not_warn_of_what_can_happen() {
    for possible in [
        "depth > 3 and depth < 5",
        "capture and promotion",
        "capture and pawn_move and in_check and gives_check",
        "quiet and advanced_pawn",
        "root and pv and moves_searched == 0",
        "tt_move and not tt_hit",
        "killer and capture",
        "see != 0 and see > -1 and see < 2",
        "(capture or quiet) and (pv or cut) and (depth < 3 or depth > 5)",
        "see > 0 and see < 1 or depth >= 1",
        "not (capture and quiet)",
        "depth * 2 == 5",
        "eval_delta < 0 and improving",
        "pawn_rank == 6 and advanced_pawn and passed_pawn",
        "extended and not in_check",
        "all and null_mate",
    ] {
        assert_eq!(verdicts("true", &[(possible, false)]), [""; 0], "{possible}");
    }
}

/// A rule is tried with a parameter that switches it on: 0 in the file, 1 in a sweep.
#[test]
fn a_switch_is_no_mistake() {
    let warnings = |on: u8, rules: &str| {
        let file = format!(
            "name = \"p\"\nreduce = \"1\"\n[param]\non = {{ value = {on}, min = 0, max = 1 }}\n\
             also = {{ value = 0, min = 0, max = 1 }}\n{rules}"
        );
        complaints(&file)
    };
    let switched = "[[rule]]\nname = \"a\"\nwhen = \"quiet and on == 1 and also > 0\"\nadd = \"1\"\n";
    assert_eq!(warnings(0, switched), "");
    // The rule that stops all moves is a switch, too.
    let stopped = "[[rule]]\nname = \"a\"\nwhen = \"on == 1 or also == 1\"\nadd = \"1\"\nstop = true\n\
                   [[rule]]\nname = \"b\"\nwhen = \"pv\"\nadd = \"1\"\n";
    assert_eq!(warnings(1, stopped), "");
    // No value of the parameters lets these hold.
    let never = "[[rule]]\nname = \"a\"\nwhen = \"on + also > 2\"\nadd = \"1\"\n\
                 [[rule]]\nname = \"b\"\nwhen = \"pv and cut and on == also\"\nadd = \"1\"\n";
    let said = warnings(0, never);
    assert!(
        said.contains("rule `a` never applies") && said.contains("rule `b` never applies"),
        "{said}"
    );
}

#[test]
fn looks_at_the_rule_in_its_place() {
    // Excluded by the policy's own condition.
    let excluded = verdicts("depth >= 3 and not capture", &[("capture and see < 0", false)]);
    assert_eq!(
        excluded,
        [
            "warning: rule `a` never applies",
            "holds for no move for which the policy's `when` holds"
        ]
    );
    // Stopped by an earlier rule of the same condition, of a wider one, of two together.
    for (rules, by) in [
        (&[("capture", true), ("capture", false)][..], "`a` stops"),
        (&[("depth < 5", true), ("depth == 3", false)], "`a` stops"),
        (&[("pv", true), ("cut", true), ("not all", false)], "earlier rules stop"),
    ] {
        let last = ['a', 'b', 'c'][rules.len() - 1];
        assert_eq!(
            verdicts("true", rules),
            [
                format!("warning: rule `{last}` never applies"),
                format!("{by} first, for every such move")
            ]
        );
    }
    // Every kind of node has stopped.
    let all = verdicts("true", &[("pv", true), ("cut", true), ("all", true), ("quiet", false)]);
    assert_eq!(
        all,
        [
            "warning: rule `d` is never reached",
            "earlier rules stop first, for every move"
        ]
    );
    // What does not stop, or stops fewer, lets the next one act.
    assert_eq!(verdicts("true", &[("capture", false), ("capture", false)]), [""; 0]);
    assert_eq!(
        verdicts("true", &[("capture and see < 0", true), ("capture", false)]),
        [""; 0]
    );
}

#[test]
fn many_alternatives_are_given_up_on() {
    use std::fmt::Write as _;
    let mut condition = "capture and quiet".to_owned();
    for number in 1..60 {
        let _ = write!(
            condition,
            " and (depth < {number} or see > {number} or eval_delta < -{number})"
        );
    }
    let start = std::time::Instant::now();
    let found = verdicts("true", &[(&condition, false), ("depth > 3", false)]);
    assert_eq!(found.len(), 2, "{found:?}");
    let hard = condition.replace("capture and quiet", "king_zone");
    let _ = verdicts("true", &[(&hard, true), (&hard, true), ("depth > 3", false)]);
    assert!(start.elapsed().as_secs() < 5);
}
