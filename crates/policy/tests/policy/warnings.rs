//! Warnings about conditions that no move meets.

use crate::common::complaints;

/// The warnings' first lines and labels for a policy with this `when` and a rule with this condition.
fn verdicts(when: &str, rule: &str) -> Vec<String> {
    let rule = format!("[[rule]]\nname = \"a\"\nwhen = \"{rule}\"\nadd = \"1\"\n");
    complaints(&format!("name = \"idea\"\nwhen = \"{when}\"\nreduce = \"1\"\n{rule}"))
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
        "depth == 2.5",
        "moves_searched < 0",
        "capture and quiet",
        "not capture and not quiet and not promotion",
        "quiet and queen_promotion",
        "castling and pawn_move",
        "advanced_pawn and castling",
        "passed_pawn and not pawn_move",
        "root and not pv",
        "cut and all",
        "pv and (cut or all)",
        "not pv and not cut and not all",
        "(capture or promotion) and quiet",
        "(depth < 2 or depth > 9) and (depth > 4 and depth < 7)",
        "not (capture or promotion or quiet)",
        "2 > 3",
        "phase > 24",
    ] {
        let found = verdicts("true", never);
        assert_eq!(
            found,
            ["warning: rule `a` never applies", "holds for no move"],
            "{never}"
        );
        let found = verdicts(never, "pv");
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
        "depth == 3 and depth != 3",
        "(capture or quiet) and (pv or cut) and (depth < 3 or depth > 5)",
        "see > 0 and see < 1 or depth >= 1",
        "not (capture and quiet)",
        "depth * 2 == 5",
        "eval_delta < 0 and improving",
        "pawn_rank == 6 and advanced_pawn and passed_pawn",
        "extended and not in_check",
        "all and null_mate",
    ] {
        assert_eq!(verdicts("true", possible), [""; 0], "{possible}");
    }
}

/// A sweep can give a parameter another value. What no value changes is named.
#[test]
fn a_switch_is_no_mistake() {
    let warnings = |condition: &str| {
        let rule = format!("[[rule]]\nname = \"a\"\nwhen = \"{condition}\"\nadd = \"1\"\n");
        complaints(&format!(
            "name = \"p\"\nreduce = \"1\"\n[param]\non = {{ value = 0, min = 0, max = 1 }}\n{rule}"
        ))
    };
    assert_eq!(warnings("quiet and on == 1"), "");
    let said = warnings("pv and cut and on == 1");
    assert!(said.contains("rule `a` never applies"), "{said}");
}

#[test]
fn looks_at_the_rule_below_the_condition_of_the_policy() {
    assert_eq!(
        verdicts("depth >= 3 and not capture", "capture and see < 0"),
        [
            "warning: rule `a` never applies",
            "holds for no move for which the policy's `when` holds"
        ]
    );
}

#[test]
fn many_alternatives_are_given_up_on() {
    let alternatives =
        (1..60).map(|number| format!(" and (depth < {number} or see > {number} or eval_delta < -{number})"));
    let alternatives: String = alternatives.collect();
    let start = std::time::Instant::now();
    let found = verdicts("true", &format!("capture and quiet{alternatives}"));
    assert_eq!(found.len(), 2, "{found:?}");
    let _ = verdicts("true", &format!("king_zone{alternatives}"));
    assert!(start.elapsed().as_secs() < 5);
}
