//! Policies of everything that the language has, at its edges.

use lmrlab_policy::Policy;

use crate::policies::{own_policy, policy};

/// The policies.
pub(crate) fn odd_policies() -> Vec<Policy> {
    let finishes = [
        "[finish]\nround = \"floor\"\nmin = -3\nnegative = true\npv_bonus = 2",
        "[finish]\nround = \"ceil\"\nscale = -0.37\nmax = 9\nmax_at_root = 2\nmax_in_pv = 3\nmax_if_extended = 1",
        "[finish]\nround = \"nearest\"\nfloor = -5\nscale = 0.5",
        "[finish]\nround = \"trunc\"\nfloor = 3",
    ];
    let amounts = [
        "pow(10, 300) * see * 1e10 + so_far",
        "see / window * 100 / (see - window)",
        "see / (tt_score - alpha) + see % material",
        "steps(see / 100, 1 => 1, ply_1 => depth, 3 => 2) - steps(so_far, -1 => 0.5)",
        "table(depth / 3, see) * -1",
        "pow(depth, ply_1 / 7) / 3 + sqrt(tt_depth) + exp(-depth) + log2(phase) + ln(pawn_rank + 1)",
        "abs(-see) / 64 + floor(see / 7) / 9 - ceil(see / 5) / 11 + round(see / 3) / 100 - trunc(see / 2) / 50",
        "min(see, history, 3) + max(-2, see, pst_delta) - clamp(see / 10, 0, 2)",
        "if(pv == cut, 1, -(2 - -so_far)) - (3 - (2 - depth)) / 2",
        "1 - pow(see, 0.5) / 40 - ln(depth * move_number) / 10 - exp(see / 10000)",
        "-1.5 * so_far - ln(ply_1) + sqrt(max(see, 0)) / 16",
        "if(if(pv, cut, root), passed_delta / 30, king_safety_delta / 40)",
        "dot(w, relu([see, pv, so_far, 2 - depth])) + dot(triples(flags), w) - at(w, depth / 3) / 7",
        "at(pairs([pv, depth, w[3]]), ply_1) + net % 3 - relu(w_1 - 0.5)",
    ];
    let conditions = [
        "true",
        "not (pv and (cut or root))",
        "see >= 0 or (depth != 3 and king_zone)",
        "(pv == (quiet and not capture)) != castling",
        "if(pv, depth > 5, see < ply_1)",
        "so_far > 1 and so_far < 5",
        "ply_1 > 0",
        "abs(see) == 5 or escapes_threat or pst_delta > 900",
        "not is_odd or net > 20",
    ];
    let researches = [
        "",
        "[research]\nladder = \"by_score\"\ndeeper = \"score / reduction > best_score / 7 + ply_1 or king_zone\"\n\
         shallower = \"steps(score / 100, 0 => 1, 9 => 2) == 1 and ordering_history < 9 * capture_history\"\n",
        "[research]\nladder = \"by_score\"\nshallower = \"pst_delta > see and not pv\"\n",
    ];
    let mut policies = Vec::new();
    for number in 0..2 {
        for (index, amount) in amounts.iter().enumerate() {
            let finish = finishes[(index + 2 * number) % finishes.len()];
            let plain = amount.replace("so_far", "see");
            let condition = |shift: usize| conditions[(number + index + shift) % conditions.len()];
            let outside = condition(0).replace("so_far", "see");
            let other = |shift: usize| amounts[(index + shift) % amounts.len()];
            let text = format!(
                "name = \"7-odd.{number}-{index}\"\ndescription = \"ends with \\\\ and */ and ??/\"\n\
                 when = \"{outside}\"\nreduce = \"{plain}\"\ntable = [[1, -2.5, 3], [4, 5e11, 0.1]]\n\
                 history = {{ model = \"prodeo\" }}\n[param]\nply_1 = {{ value = 2, min = -1, max = 9 }}\n\
                 PLY = {{ value = -0.25, min = -1, max = 1 }}\nplies = {{ value = 0.75, min = -1, max = 1 }}\n\
                 w = {{ value = [0.5, -1.25, 0.1, 3], min = -4, max = 4 }}\nw_1 = {{ value = 1, min = 0, max = 2 }}\n\
                 [let]\nflags = \"[pv, cut, is_odd, king_zone]\"\nis_odd = \"move_number % 2 == 1\"\n\
                 net = \"dot([w[0], -2], relu([dot(w, [pv, depth, is_odd, w_1]) + 1, see / 100]))\"\n\
                 [[rule]]\nname = \"a\"\nwhen = \"{}\"\nmul = \"{}\"\nelse_add = \"PLY + plies\"\n\
                 [[rule]]\nname = \"b\"\nwhen = \"{}\"\nset = \"{}\"\ncap = \"so_far + 1.5 + {}\"\nstop = {}\n\
                 [[rule]]\nname = \"c\"\nadd = \"-({})\"\nstop = {}\n[[rule]]\nname = \"d\"\nadd = \"1\"\nenabled = {}\n{finish}\n\
                 {}",
                condition(1),
                other(1),
                condition(2),
                other(2),
                other(3),
                number % 2 == 0,
                other(4),
                index % 3 == 0,
                index % 2 == 0,
                researches[(number + index) % researches.len()],
            );
            policies.push(policy(&text));
        }
    }
    policies
}

const HOST: &str = "[host]\nflags = [\"unread\", \"threat\"]\nnumbers = [\"depth_left\", \"share\"]\n";

/// Each with a form that the compiler treats in its own way: tables, truth tables, conditions, rules, stacks, caches.
const POLICIES: [&str; 6] = [
    "when = \"depth_left >= 3 and move_number > 2 and not threat\"\nreduce = \"ln(depth_left) * ln(move_number) / 2\"\n",
    "reduce = \"sqrt(depth_left) * sqrt(ply) + if(share > 0, 1, 0) + if(threat, 2, 0)\"\n[finish]\nnegative = true\nmin = -3\n",
    "reduce = \"dot([1, 2, 3, 0.5], [pv, threat, share > 0, pv and threat]) * if(threat or share > 0, 2, 1) + if(pv, 1, 0)\"\n",
    "reduce = \"2\"\n[[rule]]\nname = \"a\"\nwhen = \"threat\"\nadd = \"1\"\n[[rule]]\nname = \"b\"\nwhen = \"share < -50\"\nadd = \"-1\"\n\
     [[rule]]\nname = \"c\"\nwhen = \"not threat\"\nadd = \"clamp(share / 100, -1, 1)\"\nelse_add = \"depth_left / 8\"\n",
    "reduce = \"steps(share, -100 => 1, 0 => 2, 50 => 3) + history / 1000 + depth_left % 3\"\n[history]\nmodel = \"butterfly\"\n\
     [[rule]]\nname = \"twice\"\nwhen = \"history > 0 and so_far > 1\"\nmul = \"if(threat == pv, 2, 0.5)\"\ncap = \"depth_left\"\n",
    "reduce = \"3\"\n[research]\nladder = \"by_score\"\ndeeper = \"score > share and threat\"\nshallower = \"score < share - depth_left\"\n",
];

/// The policies that read facts of another engine: those above, and the scheme of the example engine with such facts.
pub(crate) fn policies_of_other_engines() -> Vec<Policy> {
    let plain = POLICIES.iter().enumerate();
    let plain = plain.map(|(index, text)| policy(&format!("name = \"p{index}\"\n{text}{HOST}")));
    let hosted = own_policy()
        .replace("\"own\"", "\"hosted\"")
        .replace("and quiet", "and (quiet or takes_last_moved)")
        + "\n[host]\nflags = [\"unread\", \"takes_last_moved\", \"long\"]\nnumbers = [\"Share\", \"step_1\"]\n\
           [[rule]]\nname = \"share\"\nwhen = \"Share * Share * Share > 1e12 or long\"\nadd = \"ln(depth + abs(Share)) / 8\"\n\
           [[rule]]\nname = \"steps\"\nadd = \"steps(step_1 + 1, 0 => 0.25, 9 => 0.5) - step_1 * 1e-9\"\n";
    plain.chain([policy(&own_policy()), policy(&hosted)]).collect()
}
