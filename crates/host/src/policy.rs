//! A compiled policy: read from a file, it computes the reduction of a move.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use crate::arithmetic::{Binary, Tables};
use crate::catalogue::{FACTS, Fact};
use crate::code::Word;
use crate::finish::{Finish, Node};
use crate::nearest::advice;
use crate::number::number;
use crate::program::{Bounds, Compiler, MAX_CELLS, Move, Program};
use crate::reader::{self, Condition, Effect, Parameter, PolicyError, PolicyFile, Units};
use crate::research::Research;
use crate::values::{Place, Places, SLOTS, Values};
use crate::vocabulary::Vocabulary;

/// A compiled policy with the parameters and rules in force.
///
/// ```
/// use lmrlab_host::{Fact, HostPolicy, Values};
///
/// let hash = "0".repeat(64);
/// let file = format!(
///     "lmrlab-policy 1 half {hash}\nunits lmrlab\nparam share 0.5 0 1\nflags +quiet\nwhen depth 3 >=\nreduce depth @share *\n\
///      finish scale=1 round=trunc min=0 max=none max_at_root=none max_in_pv=none max_if_extended=none floor=1 pv_bonus=0\n\
///      research ladder=null_then_full trigger=above_alpha updates_history=0 above=2 reduction=1 threat_feedback=none\nend\n"
/// );
/// let mut policy = HostPolicy::parse(file.as_bytes())?;
/// let mut facts = Values::default();
/// facts.flag(Fact::Quiet, true).number(Fact::Depth, 8.0);
/// assert_eq!(policy.reduction(&facts), Some(4));
/// policy.change("share=0.25")?;
/// assert_eq!(policy.reduction(&facts), Some(2));
/// facts.flag(Fact::Quiet, false);
/// assert_eq!(policy.reduction(&facts), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct HostPolicy {
    file: Arc<PolicyFile>,
    parameters: Vec<Parameter>,
    /// Whether each rule is on.
    enabled: Vec<bool>,
    scales: [f64; SLOTS],
    compiled: Compiled,
}

/// Why changes to a policy are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeError(String);

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ChangeError {}

impl HostPolicy {
    /// Reads a file that `lmrlab policy compile` wrote. Facts of an engine's own are numbered in the order of the file.
    ///
    /// # Errors
    /// When anything in the file is wrong. Everything is checked here, so running the policy cannot fail.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        Ok(Self::new(reader::read(bytes, None)?, &Vocabulary::default()))
    }

    /// Applies changes to the policy, and fits it to an engine. `bytes` are those of its file.
    pub(crate) fn for_engine(mut self, bytes: &[u8], changes: &str, vocabulary: &Vocabulary) -> Result<Self, String> {
        self.change(changes).map_err(|wrong| wrong.to_string())?;
        let missing = self.missing(vocabulary);
        if !missing.is_empty() {
            return Err(format!(
                "the policy {} reads facts that this engine does not fill: {}",
                self.name(),
                missing.join(" ")
            ));
        }
        // Reads the file again: now its own facts get the indices that they have in the engine.
        let file = reader::read(bytes, Some(vocabulary)).map_err(|wrong| wrong.to_string())?;
        let mut policy = Self::new(file, vocabulary);
        policy.change(changes).map_err(|wrong| wrong.to_string())?;
        Ok(policy)
    }

    fn new(file: PolicyFile, vocabulary: &Vocabulary) -> Self {
        let scales = match file.units {
            Units::Lmrlab => vocabulary.scales,
            Units::Host => [1.0; SLOTS],
        };
        let parameters = file.parameters.clone();
        let enabled: Vec<bool> = file.rules.iter().map(|rule| rule.enabled).collect();
        let compiled = Compiled::new(&file, &parameters, &enabled, &scales);
        Self {
            file: Arc::new(file),
            parameters,
            enabled,
            scales,
            compiled,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The hash of its source and of the overrides with which it was compiled: 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.file.hash
    }

    /// The units of the facts that it reads.
    pub fn units(&self) -> Units {
        self.file.units
    }

    /// How a move is searched again.
    pub fn research(&self) -> Research {
        self.file.research
    }

    /// The parameters with their values in force.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The rules, and whether each is on.
    pub fn rules(&self) -> impl Iterator<Item = (&str, bool)> {
        let names = self.file.rules.iter().map(|rule| rule.name.as_str());
        names.zip(self.enabled.iter().copied())
    }

    /// Whether the policy reads a fact, in a condition, an expression or a limit that is in force.
    pub fn reads(&self, fact: Fact) -> bool {
        self.reads_place(Place::of(fact))
    }

    #[inline]
    pub(crate) fn reads_place(&self, place: Place) -> bool {
        self.compiled.reads.contains(place)
    }

    /// The facts that the policy reads and the engine lacks. A policy for which no move is late reads none. The indices
    /// of its own facts must still be those of the file.
    fn missing(&self, vocabulary: &Vocabulary) -> Vec<String> {
        let Compiled { when, required, .. } = &self.compiled;
        if when.is_none() {
            return Vec::new();
        }
        let catalogue = FACTS.iter().filter(|(fact, _)| {
            let place = Place::of(*fact);
            required.contains(place) && !vocabulary.filled.contains(place) && !fact.is_given()
        });
        let catalogue = catalogue.map(|(_, name)| (*name).to_owned());
        let own = self.file.own.iter().filter(|(_, place)| required.contains(*place));
        let own = own.filter_map(|(name, place)| {
            let (kind, filled) = match place {
                Place::Bit(_) => ("flag", &vocabulary.own_flags),
                Place::Slot(_) => ("number", &vocabulary.own_numbers),
            };
            (!filled.contains(name)).then(|| format!("{kind}:{name}"))
        });
        catalogue.chain(own).collect()
    }

    /// Changes parameters and rules, as in `base=0.9,-rule,+rule`. An empty text changes nothing.
    ///
    /// # Errors
    /// When a name is unknown, a value is outside its bounds, or a word is none of the three forms. The policy stays
    /// unchanged.
    pub fn change(&mut self, changes: &str) -> Result<(), ChangeError> {
        let (mut parameters, mut enabled) = (self.parameters.clone(), self.enabled.clone());
        for word in changes.split(',').filter(|_| !changes.is_empty()) {
            let word = word.trim();
            if let Some((name, value)) = word.split_once('=') {
                set_parameter(&mut parameters, name.trim(), value.trim())?;
            } else if let Some((name, on)) = (word.strip_prefix('-').map(|name| (name, false)))
                .or_else(|| word.strip_prefix('+').map(|name| (name, true)))
            {
                let names = self.file.rules.iter().map(|rule| rule.name.as_str());
                let place = names.clone().position(|known| known == name);
                let rule = place.and_then(|place| enabled.get_mut(place)).ok_or_else(|| {
                    ChangeError(format!(
                        "the policy has no rule `{name}`; {}",
                        advice(name, names, "rules")
                    ))
                })?;
                *rule = on;
            } else {
                return Err(ChangeError(format!(
                    "`{word}` is no change; write `parameter=value`, `-rule` or `+rule`, with commas between them"
                )));
            }
        }
        self.compiled = Compiled::new(&self.file, &parameters, &enabled, &self.scales);
        (self.parameters, self.enabled) = (parameters, enabled);
        Ok(())
    }

    /// The reduction of a move in whole plies, below 0 for an extension. `None` when `when` does not hold: the move is
    /// not late.
    #[inline]
    pub fn reduction(&self, values: &Values) -> Option<i32> {
        self.compiled
            .reduction(values, &self.file.tables, &self.file.finish, &self.scales)
    }

    /// The change of the full depth by the ladder [`ByScore`](crate::Ladder::ByScore), in plies: deeper (1), unchanged
    /// (0) or shallower (-1). 0 with any other ladder. `values` must have [`Fact::Score`], [`Fact::BestScore`] and
    /// [`Fact::Reduction`].
    #[inline]
    pub fn depth_change(&self, values: &Values) -> i32 {
        let of = Move { values, so_far: 0.0 };
        let holds = |program: &Option<Program>| {
            let tables = &self.file.tables;
            i32::from(program.as_ref().is_some_and(|program| program.value(of, tables) != 0.0))
        };
        holds(&self.compiled.deeper) - holds(&self.compiled.shallower)
    }
}

fn set_parameter(parameters: &mut [Parameter], name: &str, value: &str) -> Result<(), ChangeError> {
    let names: Vec<String> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == name) else {
        let advice = advice(name, names.iter().map(String::as_str), "parameters");
        return Err(ChangeError(format!("the policy has no parameter `{name}`; {advice}")));
    };
    let (min, max) = (parameter.min, parameter.max);
    match number(value) {
        Some(value) if (min..=max).contains(&value) => {
            parameter.value = value;
            Ok(())
        }
        Some(_) => Err(ChangeError(format!(
            "`{value}` is out of bounds for the parameter `{name}`, which may be from {min} to {max}"
        ))),
        None => Err(ChangeError(format!(
            "`{value}` is no number for the parameter `{name}`"
        ))),
    }
}

#[inline]
fn scaled(values: &Values, slot: u8, scales: &[f64; SLOTS]) -> f64 {
    let scale = scales.get(usize::from(slot)).copied().unwrap_or(1.0);
    let value = values.slot(slot);
    if scale == 1.0 {
        value
    } else {
        Binary::Multiply.apply(value, scale)
    }
}

/// A condition, ready to be tested.
#[derive(Debug, Clone)]
struct Test {
    mask: u64,
    wanted: u64,
    bounds: Box<[Bounds]>,
    program: Option<Program>,
}

impl Test {
    /// `None` when it never holds.
    fn new(condition: &Condition, compiler: &Compiler<'_>) -> Option<Self> {
        let program = match condition.code.as_ref().map(|code| compiler.compile(code)) {
            Some(Program::Constant(0.0)) => return None,
            Some(Program::Constant(_)) => None,
            program => program,
        };
        let (bounds, program) = program.map_or_else(|| (Vec::new(), None), Program::split);
        Some(Self {
            mask: condition.mask,
            wanted: condition.wanted,
            bounds: bounds.into(),
            program,
        })
    }

    #[inline]
    fn holds(&self, of: Move<'_>, tables: &Tables) -> bool {
        of.values.bits() & self.mask == self.wanted
            && self.bounds.iter().all(|bounds| bounds.hold(of.values))
            && self
                .program
                .as_ref()
                .is_none_or(|program| program.value(of, tables) != 0.0)
    }
}

#[derive(Debug, Clone)]
struct CompiledRule {
    /// `None` when it never holds.
    when: Option<Test>,
    effect: Option<(Effect, Program)>,
    otherwise: Option<(Effect, Program)>,
    cap: Option<Program>,
    stop: bool,
}

/// The compiled form of the policy.
#[derive(Debug, Clone)]
struct Compiled {
    /// `None` when no move is late.
    when: Option<Test>,
    reduce: Program,
    rules: Box<[CompiledRule]>,
    /// The plies before the limits of the move for each cell of `reduce`, when `reduce` is a table and there are no rules.
    whole: Option<Box<[i16]>>,
    deeper: Option<Program>,
    shallower: Option<Program>,
    /// The facts that are read.
    reads: Places,
    /// Those of them that an engine must fill.
    required: Places,
}

impl Compiled {
    fn new(file: &PolicyFile, parameters: &[Parameter], enabled: &[bool], scales: &[f64; SLOTS]) -> Self {
        let parameters: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
        let compiler = Compiler {
            parameters: &parameters,
            tables: &file.tables,
            scales,
            cells_left: Cell::new(MAX_CELLS),
        };
        let mut required = Places::default();
        read_condition(&mut required, &file.when);
        read_code(&mut required, Some(&file.reduce));
        let rules = file.rules.iter().zip(enabled).filter(|(_, enabled)| **enabled);
        let rules: Box<[CompiledRule]> = rules
            .map(|(rule, _)| {
                read_condition(&mut required, &rule.when);
                let effects = [&rule.effect, &rule.otherwise];
                for (_, code) in effects.into_iter().flatten() {
                    read_code(&mut required, Some(code));
                }
                read_code(&mut required, rule.cap.as_ref());
                let effect = |effect: &Option<(Effect, Vec<Word>)>| {
                    let (effect, code) = effect.as_ref()?;
                    Some((*effect, compiler.compile(code)))
                };
                CompiledRule {
                    when: Test::new(&rule.when, &compiler),
                    effect: effect(&rule.effect),
                    otherwise: effect(&rule.otherwise),
                    cap: rule.cap.as_ref().map(|code| compiler.compile(code)),
                    stop: rule.stop,
                }
            })
            .collect();
        let finish = &file.finish;
        required.insert(Place::of(Fact::Depth));
        for (read, fact) in [
            (finish.max_at_root.is_some(), Fact::Root),
            (finish.max_in_pv.is_some() || finish.pv_bonus > 0, Fact::Pv),
            (finish.max_if_extended.is_some(), Fact::Extended),
        ] {
            if read {
                required.insert(Place::of(fact));
            }
        }
        let mut reads = required;
        // These two are not required: an engine that does not fill them extends no late move.
        reads.insert(Place::of(Fact::Extended));
        reads.insert(Place::of(Fact::Extension));
        let mut research = Places::default();
        read_code(&mut research, file.deeper.as_ref());
        read_code(&mut research, file.shallower.as_ref());
        reads = reads.union(research);
        // The call of `depth_change` passes it.
        research.remove(Place::of(Fact::BestScore));
        required = required.union(research);
        let reduce = compiler.compile(&file.reduce);
        let whole = reduce.lookup().filter(|_| rules.is_empty()).map(|lookup| {
            let cells = lookup.cells().iter();
            // At most 256 plies.
            cells.map(|raw| finish.whole(*raw) as i16).collect()
        });
        let compile = |code: &Option<Vec<Word>>| code.as_ref().map(|code| compiler.compile(code));
        Self {
            when: Test::new(&file.when, &compiler),
            reduce,
            rules,
            whole,
            deeper: compile(&file.deeper),
            shallower: compile(&file.shallower),
            reads,
            required,
        }
    }

    #[inline]
    fn reduction(&self, values: &Values, tables: &Tables, finish: &Finish, scales: &[f64; SLOTS]) -> Option<i32> {
        let of = Move { values, so_far: 0.0 };
        if !self.when.as_ref()?.holds(of, tables) {
            return None;
        }
        let whole = match self.looked_up(values) {
            Some(plies) => plies,
            None => finish.whole(self.raw(values, tables)),
        };
        Some(finish.limit(whole, &ScaledValues { values, scales }))
    }

    #[inline]
    fn looked_up(&self, values: &Values) -> Option<i32> {
        let (plies, lookup) = (self.whole.as_ref()?, self.reduce.lookup()?);
        plies.get(lookup.place(values)?).copied().map(i32::from)
    }

    /// The reduction after `reduce` and the rules, before `finish`.
    fn raw(&self, values: &Values, tables: &Tables) -> f64 {
        let mut so_far = self.reduce.value(Move { values, so_far: 0.0 }, tables);
        for rule in &self.rules {
            let of = Move { values, so_far };
            let holds = rule.when.as_ref().is_some_and(|when| when.holds(of, tables));
            let effect = if holds { &rule.effect } else { &rule.otherwise };
            if let Some((effect, amount)) = effect {
                let amount = amount.value(of, tables);
                so_far = match effect {
                    Effect::Add => Binary::Add.apply(so_far, amount),
                    Effect::Multiply => Binary::Multiply.apply(so_far, amount),
                    Effect::Set => amount,
                };
            }
            if holds {
                if let Some(cap) = &rule.cap {
                    so_far = so_far.min(cap.value(of, tables));
                }
                if rule.stop {
                    break;
                }
            }
        }
        so_far
    }
}

/// What the limits read, in lmrlab's units.
struct ScaledValues<'v> {
    values: &'v Values,
    scales: &'v [f64; SLOTS],
}

impl Node for ScaledValues<'_> {
    #[inline]
    fn is_set(&self, fact: Fact) -> bool {
        self.values.is_set(fact)
    }

    #[inline]
    fn plies(&self, fact: Fact) -> i32 {
        match Place::of(fact) {
            // A cast saturates.
            Place::Slot(slot) => scaled(self.values, slot, self.scales) as i32,
            Place::Bit(_) => 0,
        }
    }
}

fn read_condition(places: &mut Places, condition: &Condition) {
    for bit in 0..64 {
        if condition.mask >> bit & 1 != 0 {
            places.insert(Place::Bit(bit));
        }
    }
    read_code(places, condition.code.as_ref());
}

fn read_code(places: &mut Places, code: Option<&Vec<Word>>) {
    for word in code.into_iter().flatten() {
        match word {
            Word::Bit(bit) => places.insert(Place::Bit(*bit)),
            Word::Slot(slot) => places.insert(Place::Slot(*slot)),
            _ => {}
        }
    }
}
