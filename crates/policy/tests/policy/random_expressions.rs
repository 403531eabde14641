//! Random expressions: the policy computes the same value as a plain walk over the tree, also when it is compiled to a file
//! and read again. The value is always finite.
//!
//! The walk shares only the grammar with the machine. It follows the documentation of the language.

use std::cell::Cell;

use proptest::prelude::*;

use crate::common::policy;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Facts, Flags};
use lmrlab_policy::host_file::{Units, write};
use lmrlab_runtime::Program;

/// A few facts of every sort, with parameters beside them.
#[derive(Debug, Clone)]
struct World {
    numbers: [f64; 3],
    flags: [bool; 2],
    dear: bool,
    parameters: [f64; 2],
}

const NUMBERS: [Fact; 3] = [Fact::Depth, Fact::History, Fact::See];
const FLAGS: [Fact; 2] = [Fact::Capture, Fact::Pv];
const DEAR: Fact = Fact::AdvancedPawn;
const PARAMETERS: [&str; 2] = ["base", "slope"];

impl Facts for World {
    fn flags(&self) -> Flags {
        FLAGS
            .iter()
            .zip(self.flags)
            .fold(Flags::NONE, |flags, (fact, value)| flags.with(*fact, value))
    }

    fn boolean(&self, _: Fact) -> bool {
        self.dear
    }

    fn number(&self, fact: Fact) -> f64 {
        NUMBERS
            .iter()
            .position(|known| *known == fact)
            .map_or(0.0, |index| self.numbers[index])
    }
}

#[derive(Debug, Clone)]
enum N {
    Literal(f64),
    Fact(usize),
    Parameter(usize),
    Negate(Box<N>),
    Call1(&'static str, Box<N>),
    Infix(&'static str, Box<N>, Box<N>),
    Call2(&'static str, Box<N>, Box<N>),
    Clamp(Box<N>, Box<N>, Box<N>),
    If(Box<B>, Box<N>, Box<N>),
    Steps(Box<N>, Vec<N>),
}

#[derive(Debug, Clone)]
enum B {
    Literal(bool),
    Flag(usize),
    Dear,
    Not(Box<B>),
    And(Vec<B>),
    Or(Vec<B>),
    Compare(&'static str, Box<N>, Box<N>),
    Same(&'static str, Box<B>, Box<B>),
}

impl N {
    fn text(&self) -> String {
        match self {
            Self::Literal(value) if *value < 0.0 => format!("({value})"),
            Self::Literal(value) => format!("{value}"),
            Self::Fact(index) => NUMBERS[*index].info().name.to_owned(),
            Self::Parameter(index) => PARAMETERS[*index].to_owned(),
            Self::Negate(x) => format!("-({})", x.text()),
            Self::Call1(name, x) => format!("{name}({})", x.text()),
            Self::Infix(sign, x, y) => format!("({}) {sign} ({})", x.text(), y.text()),
            Self::Call2(name, x, y) => format!("{name}({}, {})", x.text(), y.text()),
            Self::Clamp(x, y, z) => format!("clamp({}, {}, {})", x.text(), y.text(), z.text()),
            Self::If(c, x, y) => format!("if({}, {}, {})", c.text(), x.text(), y.text()),
            Self::Steps(x, values) => {
                let steps: Vec<_> = values
                    .iter()
                    .enumerate()
                    .map(|(index, value)| format!("{} => {}", index * 3, value.text()))
                    .collect();
                format!("steps({}, {})", x.text(), steps.join(", "))
            }
        }
    }

    fn value(&self, world: &World) -> f64 {
        match self {
            Self::Literal(value) => *value,
            Self::Fact(index) => world.numbers[*index],
            Self::Parameter(index) => world.parameters[*index],
            Self::Negate(x) => -x.value(world),
            Self::Call1(name, x) => {
                let x = x.value(world);
                finite(match *name {
                    "abs" => x.abs(),
                    "floor" => x.floor(),
                    "ceil" => x.ceil(),
                    "round" => x.round(),
                    "trunc" => x.trunc(),
                    "sqrt" => libm::sqrt(x),
                    "exp" => libm::exp(x),
                    _ if x <= 0.0 => 0.0,
                    "ln" => libm::log(x),
                    _ => libm::log2(x),
                })
            }
            Self::Infix(sign, x, y) => {
                let (x, y) = (x.value(world), y.value(world));
                finite(match *sign {
                    "+" => x + y,
                    "-" => x - y,
                    "*" => x * y,
                    _ if y == 0.0 => 0.0,
                    "/" => x / y,
                    _ => x % y,
                })
            }
            Self::Call2(name, x, y) => {
                let (x, y) = (x.value(world), y.value(world));
                match *name {
                    "min" if x < y => x,
                    "min" => y,
                    "max" if x > y => x,
                    "max" => y,
                    _ if x == 0.0 && y < 0.0 => 0.0,
                    _ => finite(libm::pow(x, y)),
                }
            }
            Self::Clamp(x, low, high) => {
                let (low, high) = (low.value(world), high.value(world));
                x.value(world).max(low).min(high)
            }
            Self::If(c, x, _) if c.value(world) => x.value(world),
            Self::If(_, _, y) => y.value(world),
            Self::Steps(x, values) => {
                let x = x.value(world);
                let mut result = 0.0;
                for (index, value) in values.iter().enumerate() {
                    if x >= (index * 3) as f64 {
                        result = value.value(world);
                    }
                }
                result
            }
        }
    }
}

impl B {
    fn text(&self) -> String {
        let join = |terms: &[Self], word: &str| {
            let terms: Vec<_> = terms.iter().map(|t| format!("({})", t.text())).collect();
            terms.join(word)
        };
        match self {
            Self::Literal(value) => value.to_string(),
            Self::Flag(index) => FLAGS[*index].info().name.to_owned(),
            Self::Dear => DEAR.info().name.to_owned(),
            Self::Not(x) => format!("not ({})", x.text()),
            Self::And(terms) => join(terms, " and "),
            Self::Or(terms) => join(terms, " or "),
            Self::Compare(sign, x, y) => format!("({}) {sign} ({})", x.text(), y.text()),
            Self::Same(sign, x, y) => format!("({}) {sign} ({})", x.text(), y.text()),
        }
    }

    fn value(&self, world: &World) -> bool {
        match self {
            Self::Literal(value) => *value,
            Self::Flag(index) => world.flags[*index],
            Self::Dear => world.dear,
            Self::Not(x) => !x.value(world),
            Self::And(terms) => terms.iter().all(|term| term.value(world)),
            Self::Or(terms) => terms.iter().any(|term| term.value(world)),
            Self::Compare(sign, x, y) => {
                let (x, y) = (x.value(world), y.value(world));
                match *sign {
                    "==" => x == y,
                    "!=" => x != y,
                    "<" => x < y,
                    "<=" => x <= y,
                    ">" => x > y,
                    _ => x >= y,
                }
            }
            Self::Same("==", x, y) => x.value(world) == y.value(world),
            Self::Same(_, x, y) => x.value(world) != y.value(world),
        }
    }
}

/// NaN becomes 0, an infinity the largest number of its sign.
fn finite(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(f64::MIN, f64::MAX) }
}

/// Numbers that lie on edges, and others.
fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(1.0),
        Just(-1.0),
        Just(0.5),
        Just(1e12),
        Just(-1e12),
        (-20..20).prop_map(f64::from),
        -2000.0..2000.0,
    ]
}

fn any_number() -> BoxedStrategy<N> {
    let leaf = prop_oneof![
        any_value().prop_map(N::Literal),
        (0..NUMBERS.len()).prop_map(N::Fact),
        (0..PARAMETERS.len()).prop_map(N::Parameter),
    ];
    leaf.prop_recursive(5, 48, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let unary = prop::sample::select(vec![
            "abs", "floor", "ceil", "round", "trunc", "sqrt", "exp", "ln", "log2",
        ]);
        let infix = prop::sample::select(vec!["+", "-", "*", "/", "%"]);
        let binary = prop::sample::select(vec!["min", "max", "pow"]);
        prop_oneof![
            boxed.clone().prop_map(N::Negate),
            (unary, boxed.clone()).prop_map(|(name, x)| N::Call1(name, x)),
            (infix, boxed.clone(), boxed.clone()).prop_map(|(s, x, y)| N::Infix(s, x, y)),
            (binary, boxed.clone(), boxed.clone()).prop_map(|(s, x, y)| N::Call2(s, x, y)),
            (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(x, y, z)| N::Clamp(x, y, z)),
            (
                any_boolean_over(inner.clone()).prop_map(Box::new),
                boxed.clone(),
                boxed.clone()
            )
                .prop_map(|(c, x, y)| N::If(c, x, y)),
            (boxed, prop::collection::vec(inner, 1..4)).prop_map(|(x, values)| N::Steps(x, values)),
        ]
    })
    .boxed()
}

fn any_boolean_over(numbers: impl Strategy<Value = N> + Clone + 'static) -> BoxedStrategy<B> {
    let sign = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let number = numbers.prop_map(Box::new);
    let leaf = prop_oneof![
        any::<bool>().prop_map(B::Literal),
        (0..FLAGS.len()).prop_map(B::Flag),
        Just(B::Dear),
        (sign, number.clone(), number).prop_map(|(s, x, y)| B::Compare(s, x, y)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let sign = prop::sample::select(vec!["==", "!="]);
        prop_oneof![
            boxed.clone().prop_map(B::Not),
            prop::collection::vec(inner.clone(), 2..4).prop_map(B::And),
            prop::collection::vec(inner, 2..4).prop_map(B::Or),
            (sign, boxed.clone(), boxed).prop_map(|(s, x, y)| B::Same(s, x, y)),
        ]
    })
    .boxed()
}

fn any_world() -> impl Strategy<Value = World> {
    (
        [any_value(), any_value(), any_value()],
        any::<[bool; 2]>(),
        any::<bool>(),
        [any_value(), any_value()].prop_map(|values| values.map(|value| value.clamp(-1e9, 1e9))),
    )
        .prop_map(|(numbers, flags, dear, parameters)| World {
            numbers,
            flags,
            dear,
            parameters,
        })
}

/// A policy with some keys and the parameters of a world.
fn with(keys: &str, parameters: [f64; 2]) -> Policy {
    let [base, slope] = parameters.map(|value| format!("{{ value = {value:?}, min = -1e9, max = 1e9 }}"));
    policy(&format!(
        "name = \"random\"\nhistory = {{ model = \"rebel\" }}\n{keys}\n[param]\nbase = {base}\nslope = {slope}\n"
    ))
}

/// The same policy from its file.
fn read_again(policy: &Policy) -> Option<Program> {
    // An expression may be too large for a file.
    let text = write(policy, Units::Lmrlab).ok()?;
    Some(Program::read(text.as_bytes()).unwrap_or_else(|wrong| panic!("{wrong}\n{text}")))
}

fn run_number(text: &str, world: &World) -> f64 {
    let policy = with(&format!("reduce = \"{text}\""), world.parameters);
    let found = policy.explain(world).unwrap().base;
    if let Some(program) = read_again(&policy) {
        assert_eq!(program.explain(world).unwrap().base, found, "{text}");
    }
    found
}

fn run_boolean(text: &str, world: &World) -> bool {
    let policy = with(
        &format!("reduce = \"if({text}, 1, 0)\"\nwhen = \"{text}\""),
        world.parameters,
    );
    let holds = policy.explain(world).is_some();
    assert!(
        policy.explain(world).is_none_or(|explanation| explanation.base == 1.0),
        "{text}"
    );
    if let Some(program) = read_again(&policy) {
        assert_eq!(program.reduction(world).is_some(), holds, "{text}");
    }
    assert_eq!(run_number(&format!("if({text}, 1, 0)"), world) != 0.0, holds, "{text}");
    holds
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_what_a_walk_over_the_tree_finds(number in any_number(), world in any_world()) {
        let text = number.text();
        prop_assume!(text.len() <= 8_000);
        let found = run_number(&text, &world);
        prop_assert!(found.is_finite(), "{text}: {found}");
        // Equal as numbers: the sign of a zero is not part of the language.
        prop_assert_eq!(found, number.value(&world), "{}", text);
    }

    #[test]
    fn booleans_are_what_a_walk_over_the_tree_finds(
        boolean in any_boolean_over(any_number()),
        world in any_world(),
    ) {
        let text = boolean.text();
        prop_assume!(text.len() <= 8_000);
        prop_assert_eq!(run_boolean(&text, &world), boolean.value(&world), "{}", text);
    }
}

/// A world that counts how often the expensive fact is read.
#[derive(Debug, Default)]
struct Counting(Cell<u32>, Flags);

impl Facts for Counting {
    fn flags(&self) -> Flags {
        self.1
    }

    fn boolean(&self, _: Fact) -> bool {
        self.0.set(self.0.get() + 1);
        true
    }

    fn number(&self, fact: Fact) -> f64 {
        if fact == Fact::See {
            self.0.set(self.0.get() + 1);
        }
        0.0
    }
}

fn asked(text: &str) -> u32 {
    let counting = Counting::default();
    with(&format!("reduce = \"{text}\""), [0.0, 0.0]).reduction(&counting);
    counting.0.get()
}

#[test]
fn an_expensive_fact_is_asked_for_only_when_it_is_reached() {
    assert_eq!(asked("see + see"), 2);
    assert_eq!(asked("if(depth > 3, see, 1)"), 0);
    assert_eq!(asked("if(capture and see < 0, 1, 2)"), 0);
    assert_eq!(asked("if(not capture or see < 0, 1, 2)"), 0);
    assert_eq!(asked("if(capture or see < 0, 1, 2)"), 1);
    assert_eq!(asked("steps(depth, 1 => see, 2 => see)"), 0);
    assert_eq!(asked("steps(see, 0 => 1, 2 => depth)"), 1);
    assert_eq!(asked("if(true, 1, see)"), 0);
}

#[test]
fn a_condition_asks_for_the_cheapest_first() {
    let text = "see < 0 and advanced_pawn and depth >= 3 and capture";
    let policy = with(&format!("when = \"{text}\"\nreduce = \"1\""), [0.0, 0.0]);
    let mut counting = Counting::default();
    assert_eq!(policy.reduction(&counting), 0);
    counting.1 = Flags::NONE.with(Fact::Capture, true);
    assert_eq!(policy.reduction(&counting), 0);
    assert_eq!(counting.0.get(), 0);
}

#[test]
fn the_deepest_expression_that_is_accepted_runs() {
    let world = World {
        numbers: [2.0, 0.0, 0.0],
        flags: [false; 2],
        dear: false,
        parameters: [0.0; 2],
    };
    let deep = format!("{}depth{}", "depth + depth * max(depth, ".repeat(60), ")".repeat(60));
    assert!(run_number(&deep, &world).is_finite());
}

#[test]
fn the_edges_are_as_documented() {
    let world = World {
        numbers: [0.0, -4.0, 7.0],
        flags: [true, false],
        dear: false,
        parameters: [0.0; 2],
    };
    let value = |text: &str| run_number(text, &world);
    assert_eq!(value("ln(0)"), 0.0);
    assert_eq!(value("ln(depth)"), 0.0);
    assert_eq!(value("log2(history)"), 0.0);
    assert_eq!(value("see / depth"), 0.0);
    assert_eq!(value("see % 0"), 0.0);
    assert_eq!(value("history % 3"), -1.0);
    assert_eq!(value("sqrt(history)"), 0.0);
    assert_eq!(value("pow(depth, -1)"), 0.0);
    assert_eq!(value("pow(history, 0.5)"), 0.0);
    assert_eq!(value("exp(1000)"), f64::MAX);
    assert_eq!(value("-exp(1000) - exp(1000)"), f64::MIN);
    assert_eq!(value("round(2.5)"), 3.0);
    assert_eq!(value("round(-2.5)"), -3.0);
    assert_eq!(value("trunc(-2.5)"), -2.0);
    assert_eq!(value("clamp(see, 9, 3)"), 3.0);
    assert_eq!(value("2 - 3 - 4"), -5.0);
    assert_eq!(value("2 + 3 * -see"), -19.0);
    assert_eq!(value("if(not 1 > 2 and 2 > 1 or pv, 1, 0)"), 1.0);
    assert_eq!(value("steps(see, 3 => 1, 7 => 2, 8 => 3)"), 2.0);
    assert_eq!(value("steps(history, 3 => 1)"), 0.0);
    assert_eq!(value("1_000 + .5 + 1e-1"), 1000.6);
}
