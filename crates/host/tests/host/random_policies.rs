//! Random policies with every operation of the language.

use std::fmt::Write as _;

use crate::random_moves::next;

/// Writes the text of a random policy, the same for the same seed.
pub(crate) fn random_policy(seed: u64) -> String {
    Writer {
        state: seed,
        rule: false,
        lets: 0,
    }
    .policy()
}

struct Writer {
    state: u64,
    /// Whether the expression stands in a rule.
    rule: bool,
    /// How many of [`LETS`] the expression may mention.
    lets: usize,
}

/// Subexpressions, each of which may mention those before it: numbers, booleans and lists in turn.
const LETS: [&str; 6] = ["number_1", "truth_1", "list_1", "number_2", "truth_2", "list_2"];

const NUMBERS: &str =
    "depth moves_searched move_number depth ply see history static_eval extension low high alpha_raises";
const CONSTANTS: &str = "0 1 2 -1.5 0.1 3 1e6 -0.3333333333333333 7 1e11";
const BOOLEANS: &str = "pv cut quiet improving king_zone escapes_threat extended root";

impl Writer {
    fn below(&mut self, limit: usize) -> usize {
        (next(&mut self.state) % limit as u64) as usize
    }

    fn one_of(&mut self, words: &'static str) -> &'static str {
        let words: Vec<_> = words.split(' ').collect();
        words[self.below(words.len())]
    }

    /// One of the subexpressions of a kind that can be mentioned here.
    fn named(&mut self, kind: usize) -> Option<String> {
        let known: Vec<_> = LETS.iter().take(self.lets).skip(kind).step_by(3).collect();
        (!known.is_empty()).then(|| known[self.below(known.len())].to_string())
    }

    /// A list of three elements.
    fn list(&mut self, height: u32) -> String {
        let left = height.saturating_sub(1);
        match self.below(8) {
            0 => "weights".to_owned(),
            1 => self.named(2).unwrap_or_else(|| "weights".to_owned()),
            2 => format!("relu({})", self.list(left)),
            3 => format!(
                "pairs([{}, {}, {}])",
                self.boolean(left),
                self.number(0),
                self.boolean(0)
            ),
            4 => format!("pairs({})", self.list(left)),
            5 => format!(
                "[{}, dot(weights, {}), {}]",
                self.number(left),
                self.list(left),
                self.boolean(0)
            ),
            _ => format!(
                "[{}, {}, {}]",
                self.boolean(left),
                self.number(left),
                self.boolean(left)
            ),
        }
    }

    fn number(&mut self, height: u32) -> String {
        if height == 0 {
            return match self.below(10) {
                8 => self.named(0).unwrap_or_else(|| "weights[1]".to_owned()),
                9 => "weights[0]".to_owned(),
                0 | 1 => self.one_of(CONSTANTS).to_owned(),
                2 if self.rule => "so_far".to_owned(),
                _ => self.one_of(NUMBERS).to_owned(),
            };
        }
        let left = height - 1;
        match self.below(16) {
            12 => format!("dot({}, {})", self.list(left), self.list(left)),
            13 => format!("at({}, {})", self.list(left), self.number(left)),
            14 => format!("relu({})", self.number(left)),
            15 => format!("dot([{}], triples({}))", self.number(0), self.list(left)),
            0..4 => {
                let operation = self.one_of("+ - * / %");
                format!("({} {operation} {})", self.number(left), self.number(left))
            }
            4 | 5 => {
                let function = self.one_of("abs floor ceil round trunc sqrt ln log2 exp -");
                format!("{function}({})", self.number(left))
            }
            6 => format!("min({}, {}, {})", self.number(left), self.number(0), self.number(0)),
            7 => {
                let function = self.one_of("max pow");
                format!("{function}({}, {})", self.number(left), self.number(0))
            }
            8 => format!(
                "if({}, {}, {})",
                self.boolean(left),
                self.number(left),
                self.number(left)
            ),
            9 => format!(
                "steps({}, low => {}, high => {})",
                self.number(left),
                self.number(0),
                self.number(left)
            ),
            10 => format!(
                "steps({}, -1 => 0.5, 3 => {}, 20 => 4)",
                self.number(left),
                self.one_of("1.5 ply")
            ),
            _ => format!("table({}, {})", self.number(left), self.number(0)),
        }
    }

    fn boolean(&mut self, height: u32) -> String {
        if height == 0 {
            return match self.below(7) {
                6 => self.named(1).unwrap_or_else(|| "pv".to_owned()),
                0 => format!("not {}", self.one_of(BOOLEANS)),
                1 => self.one_of("true false").to_owned(),
                _ => self.one_of(BOOLEANS).to_owned(),
            };
        }
        let left = height - 1;
        match self.below(9) {
            0..3 => {
                let comparison = self.one_of("< <= > >= == !=");
                format!("({} {comparison} {})", self.number(left), self.number(0))
            }
            3 | 4 => format!(
                "({} and {} and {})",
                self.boolean(left),
                self.boolean(0),
                self.boolean(left)
            ),
            5 => format!(
                "({} or {} or {})",
                self.boolean(left),
                self.boolean(0),
                self.boolean(left)
            ),
            6 => format!("not {}", self.boolean(left)),
            7 => format!(
                "if({}, {}, {})",
                self.boolean(left),
                self.boolean(left),
                self.boolean(0)
            ),
            _ => {
                let comparison = self.one_of("== !=");
                format!("(({}) {comparison} ({}))", self.boolean(left), self.boolean(0))
            }
        }
    }

    fn policy(&mut self) -> String {
        let height = 1 + self.below(3) as u32;
        let mut lets = String::from("[let]\n");
        for (index, name) in LETS.iter().enumerate() {
            self.lets = index;
            let expression = match index % 3 {
                0 => self.number(1),
                1 => self.boolean(1),
                _ => self.list(1),
            };
            let _ = writeln!(lets, "{name} = \"{expression}\"");
        }
        self.lets = LETS.len();
        let mut text = format!(
            "name = \"random\"\nhistory = {{ model = \"rebel\" }}\ntable = [[1, -2.5, 0.1], [4, 5e11, 7]]\nreduce = \"{}\"\n",
            self.number(height)
        );
        if self.below(3) > 0 {
            let _ = writeln!(text, "when = \"{}\"", self.boolean(height));
        }
        text.push_str("[param]\nlow = { value = 2, min = -1, max = 9 }\nhigh = { value = 5.1, min = -9, max = 9 }\n");
        text.push_str("weights = { value = [0.5, -1.25, 3], min = -9, max = 9 }\n");
        text.push_str(&lets);
        self.rule = true;
        for index in 0..self.below(4) {
            let effect = self.one_of("add mul set");
            let _ = writeln!(
                text,
                "[[rule]]\nname = \"r{index}\"\n{effect} = \"{}\"",
                self.number(height)
            );
            if self.below(4) > 0 {
                let _ = writeln!(text, "when = \"{}\"", self.boolean(height));
                if self.below(3) == 0 {
                    let otherwise = self.one_of("else_add else_mul else_set");
                    let _ = writeln!(text, "{otherwise} = \"{}\"", self.number(1));
                }
            }
            if self.below(4) == 0 {
                let _ = writeln!(text, "cap = \"{}\"", self.number(1));
            }
            let _ = writeln!(text, "stop = {}\nenabled = {}", self.below(5) == 0, self.below(6) > 0);
        }
        let _ = writeln!(
            text,
            "[finish]\nscale = {}\nround = \"{}\"\nmin = -3\nnegative = true\nfloor = {}\npv_bonus = {}",
            self.one_of("1 0.5 -0.01 0.001"),
            self.one_of("trunc floor ceil nearest"),
            self.below(5) as i32 - 3,
            self.below(3)
        );
        for key in ["max", "max_at_root", "max_in_pv", "max_if_extended"] {
            if self.below(3) == 0 {
                let _ = writeln!(text, "{key} = {}", self.below(12) as i32 - 2);
            }
        }
        text
    }
}
