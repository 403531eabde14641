//! A host: an engine that asks policies for its reductions and traces its late moves.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::runtime::facts::{Fact, FactSet, Facts, Kind};
use crate::runtime::number::number;
use crate::runtime::research::Research;
use crate::runtime::{Factors, Program, Scaled, Scheme, Units, Values};

use crate::late_move::LateMove;
use crate::random::Random;
use crate::trace::{MoveResult, Record, RecordKind, Shadow, TraceHeader, TraceWriter, TracedPolicy, in_line};
use crate::vocabulary::{FactsError, Vocabulary};

/// The most bytes of a policy's file.
const MAX_FILE_BYTES: u64 = 1 << 26;
/// The options, in the order in which the environment is read: a trace begins last.
const OPTIONS: [&str; 5] = ["LmrParams", "LmrPolicy", "LmrTraceRate", "LmrShadow", "LmrTrace"];

/// An engine that asks policies for its reductions.
///
/// ```
/// use lmrlab_host::{Fact, Host, LateMove, MoveResult, Random};
///
/// // At the start of the program.
/// let mut host = Host::new("Engine 1.0", "pv quiet depth moves_searched see*0.5 flag:my_flag")?;
/// for answer in host.read_environment() {
///     println!("{answer}");
/// }
/// // On `uci`, before `uciok`.
/// for line in host.options() {
///     println!("{line}");
/// }
/// // On `setoption`, before the engine's own options.
/// for answer in host.set_option("LmrPolicy", "<empty>").into_iter().flatten() {
///     println!("{answer}");
/// }
/// // On `go`.
/// host.new_search();
///
/// // In the search, for each move that may be late. Threads that are not traced pass `None`.
/// let mut random = Random::new(1);
/// let (quiet, depth, alpha, beta, full_depth) = (true, 8, 10, 11, 7);
/// let mut late_move = LateMove::default(); // once for each node, before its moves
/// if host.open(&mut late_move, Some(&mut random)) {
///     late_move.flag(Fact::Quiet, quiet).number(Fact::Depth, depth);
///     if host.wants(&late_move, Fact::See) {
///         late_move.number(Fact::See, 100);
///     }
/// }
/// if host.policy().is_some() {
///     host.reduction(&mut late_move);
/// } else {
///     (late_move.reduction, late_move.late) = (2, true); // the engine's own scheme
/// }
/// // The first search, at `full_depth - late_move.reduction` when the move is late.
/// let (score, nodes) = (5, 1_000);
/// late_move.result(score > alpha, nodes);
/// // Re-searches, as `host.research()` says. Then:
/// let outcome = if score <= alpha {
///     MoveResult::FailedLow
/// } else if score < beta {
///     MoveResult::Inside
/// } else {
///     MoveResult::FailedHigh
/// };
/// host.close(&late_move, full_depth, outcome, nodes)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Facts describe the position before the move; `docs/policy-language.md` says what each means. Scores are those of the
/// side to move. Threads may share a host. The engine itself does the shadow searches. Unless [`Host::shadow`] is
/// [`Shadow::None`], it copies its search with all tables. The copy searches each sampled move at full depth before the
/// engine does. The copy passes `None` to [`Host::open`], and with [`Shadow::Unreduced`] it reduces nothing. Then
/// [`Host::judged`] writes the result. The copy may be a copy of the process, by `fork`. That process calls `judged`
/// and then ends.
#[derive(Debug)]
pub struct Host {
    engine: String,
    vocabulary: Vocabulary,
    /// The values of `LmrPolicy` (empty without a policy) and of `LmrParams`.
    path: String,
    changes: String,
    policy: Option<Program>,
    /// The factors that apply; `None` when all are 1.
    factors: Option<Box<Factors>>,
    rate: f64,
    shadow: Shadow,
    has_positions: bool,
    trace: Option<TraceWriter>,
    searches: AtomicU32,
}

impl Host {
    /// An engine with its name and the facts that it fills, separated by spaces. `name*factor`: the factor, a number or a
    /// fraction such as 16384/29952, turns the engine's unit into lmrlab's. `flag:NAME` and `number:NAME` are facts of the
    /// engine's own, each numbered from 0 in the order of the list. `score*factor` gives the unit of the scores of
    /// [`Host::depth_change`]; without it they have that of `alpha`.
    ///
    /// # Errors
    /// When the list is wrong.
    pub fn new(engine: &str, facts: &str) -> Result<Self, FactsError> {
        Ok(Self {
            engine: engine.to_owned(),
            vocabulary: Vocabulary::read(facts)?,
            path: String::new(),
            changes: String::new(),
            policy: None,
            factors: None,
            rate: 0.01,
            shadow: Shadow::None,
            has_positions: false,
            trace: None,
            searches: AtomicU32::new(0),
        })
    }

    /// Sets the options from environment variables with their names, so that a command such as `engine bench` can use them;
    /// `LmrPosition=1` writes positions into the trace. Print the answers.
    #[must_use]
    pub fn read_environment(&mut self) -> Vec<String> {
        self.has_positions = std::env::var("LmrPosition").is_ok_and(|value| value == "1");
        let set = |option| Some((option, std::env::var(option).ok().filter(|value| !value.is_empty())?));
        let values: Vec<_> = OPTIONS.into_iter().filter_map(set).collect();
        let answers = values
            .iter()
            .filter_map(|(option, value)| self.set_option(option, value));
        answers.flatten().collect()
    }

    /// The lines to print on `uci`, before `uciok`.
    #[must_use]
    pub fn options(&self) -> Vec<String> {
        let mut lines = [
            "option name LmrPolicy type string default <empty>",
            "option name LmrParams type string default <empty>",
            "option name LmrTrace type string default <empty>",
            "option name LmrTraceRate type string default 0.01",
            "option name LmrShadow type combo default none var none var policy var unreduced",
        ]
        .map(str::to_owned)
        .to_vec();
        lines.push(format!(
            "info string lmrlab-host 1 facts {}",
            self.vocabulary.words().join(" ")
        ));
        lines
    }

    /// Sets an option. `None` when it is none of lmrlab's; otherwise the lines to print: they begin with `info string
    /// lmrlab-host` and name the policy or the trace in force, or what is wrong. Options must not change during a search.
    #[must_use]
    pub fn set_option(&mut self, name: &str, value: &str) -> Option<Vec<String>> {
        let option = OPTIONS.into_iter().find(|option| option.eq_ignore_ascii_case(name))?;
        let value = if value == "<empty>" { "" } else { value };
        let answers = match option {
            "LmrPolicy" | "LmrParams" => {
                let text = match option {
                    "LmrPolicy" => &mut self.path,
                    _ => &mut self.changes,
                };
                value.clone_into(text);
                let policy = self.read_policy();
                let trace = self.options_changed(option).err().map(Err);
                std::iter::once(policy).chain(trace).collect()
            }
            _ => {
                let set = match option {
                    "LmrTraceRate" => self.set_rate(value).and_then(|()| self.options_changed(option)),
                    "LmrShadow" => self.set_shadow(value).and_then(|()| self.options_changed(option)),
                    _ => {
                        self.trace = None;
                        self.begin_trace(value)
                    }
                };
                let path = self.trace.as_ref().map_or("-", TraceWriter::path);
                vec![set.map(|()| format!("trace {path}"))]
            }
        };
        let line = |answer: Result<String, String>| {
            let text = answer.unwrap_or_else(|message| format!("error {message}"));
            format!("info string lmrlab-host {}", in_line(&text))
        };
        Some(answers.into_iter().map(line).collect())
    }

    /// Reads the policy of `LmrPolicy` with the changes of `LmrParams`.
    fn read_policy(&mut self) -> Result<String, String> {
        self.policy = None;
        if self.path.is_empty() {
            return Ok("policy -".to_owned());
        }
        let path = &self.path;
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| format!("{path} cannot be read: {error}"))?;
        let is_short = bytes.len() as u64 <= MAX_FILE_BYTES;
        ensure! { is_short, "{path} has more than {MAX_FILE_BYTES} bytes" }
        let scheme = Scheme::read(&bytes).map_err(|wrong| format!("{path}: {wrong}"))?;
        let units = scheme.units;
        let policy = self.fitted(scheme)?;
        let factors = &self.vocabulary.factors;
        let apply = units == Units::Lmrlab && *factors != Factors::default();
        self.factors = apply.then(|| Box::new(factors.clone()));
        let changes = if self.changes.is_empty() { "-" } else { &self.changes };
        let answer = format!("policy {} {} {changes}", policy.scheme().name, policy.scheme().hash);
        self.policy = Some(policy);
        Ok(answer)
    }

    /// The policy with the changes of `LmrParams`. Its own facts get the indices that they have in the engine.
    fn fitted(&self, scheme: Scheme) -> Result<Program, String> {
        let mut policy = Program::new(scheme);
        policy.change(&self.changes).map_err(|wrong| wrong.to_string())?;
        let filled = self.vocabulary.words();
        let missing = policy.to_fill().into_iter().filter(|fact| !filled.contains(fact));
        let (name, facts) = (&policy.scheme().name, missing.collect::<Vec<_>>().join(" "));
        ensure! { facts.is_empty(), "the policy {name} reads facts that this engine does not fill: {facts}" }
        Ok(Program::new(policy.scheme().with_own(&self.vocabulary.own)))
    }

    fn set_rate(&mut self, value: &str) -> Result<(), String> {
        let rate = if value.is_empty() { Some(0.01) } else { number(value) };
        let rate = rate.filter(|rate| (0.0..=1.0).contains(rate));
        self.rate = rate.ok_or("LmrTraceRate must be a number from 0 to 1, as in 0.01")?;
        Ok(())
    }

    fn set_shadow(&mut self, value: &str) -> Result<(), String> {
        let value = if value.is_empty() { "none" } else { value };
        self.shadow = Shadow::named(value).ok_or("LmrShadow is none, policy or unreduced")?;
        Ok(())
    }

    /// Called after a change of an option, because the header of the trace is now wrong. A trace without records begins
    /// again; any other trace ends.
    fn options_changed(&mut self, option: &str) -> Result<(), String> {
        let Some(trace) = self.trace.take() else {
            return Ok(());
        };
        let (path, is_empty) = (trace.path(), trace.is_empty());
        ensure! { is_empty, "the trace {path} ends, because {option} has changed; set LmrTrace again" }
        self.begin_trace(path)
    }

    /// Begins a trace with its header. Begins none when the path is empty.
    fn begin_trace(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            return Ok(());
        }
        self.trace = Some(TraceWriter::begin(path, &self.header())?);
        Ok(())
    }

    fn header(&self) -> TraceHeader {
        let vocabulary = &self.vocabulary;
        let names = |kind| {
            let catalogue = vocabulary.of_catalogue(kind).map(|fact| fact.name().to_owned());
            let own = vocabulary.own.of(kind).iter().map(|name| format!("own:{name}"));
            catalogue.chain(own).collect()
        };
        TraceHeader {
            engine: self.engine.clone(),
            policy: self.policy.as_ref().map(|policy| TracedPolicy {
                name: policy.scheme().name.clone(),
                hash: policy.scheme().hash.clone(),
                changes: self.changes.clone(),
            }),
            units: self.units(),
            rate: self.rate,
            shadow: self.shadow,
            flags: names(Kind::Boolean),
            numbers: names(Kind::Number),
            has_positions: self.has_positions,
        }
    }

    /// The units of the policy in force.
    fn units(&self) -> Units {
        let policy = self.policy.as_ref();
        policy.map_or(Units::Lmrlab, |policy| policy.scheme().units)
    }

    /// The policy in force; without one the engine reduces by its own scheme.
    #[inline]
    pub fn policy(&self) -> Option<&Program> {
        self.policy.as_ref()
    }

    /// Whether a policy is in force or a trace is written. Otherwise the engine may skip all work that only facts need.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.policy.is_some() || self.trace.is_some()
    }

    /// How the policy in force searches a move again. `None` without a policy: the engine searches again in its own
    /// way.
    #[inline]
    pub fn research(&self) -> Option<Research> {
        self.policy.as_ref().map(|policy| policy.scheme().research)
    }

    /// The kind of shadow searches that the engine is to do for sampled moves.
    #[inline]
    pub fn shadow(&self) -> Shadow {
        self.shadow
    }

    /// On `go`: numbers the searches in the trace.
    pub fn new_search(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins a move that may be late; false when neither a policy nor the trace wants its facts. `random` is the
    /// generator of the traced thread. Flags are false now, and numbers still have the values of the previous move. So
    /// fill each fact of the list, or ask [`wants`](Self::wants).
    #[inline]
    pub fn open(&self, late_move: &mut LateMove, random: Option<&mut Random>) -> bool {
        late_move.begin();
        if let (Some(trace), Some(random)) = (&self.trace, random) {
            self.sample(trace, random, late_move);
        }
        if self.has_positions && !late_move.sampled {
            late_move.values.forget_numbers();
        }
        late_move.sampled || self.policy.is_some()
    }

    fn sample(&self, trace: &TraceWriter, random: &mut Random, late_move: &mut LateMove) {
        let id = random.next();
        let high = f64::from((id >> 32) as u32);
        if high < self.rate * 4_294_967_296.0 && !trace.has_failed() {
            late_move.sample(id);
        }
    }

    /// Whether a costly fact is worth computing for this move, of the catalogue or of the engine's own.
    #[inline]
    pub fn wants(&self, late_move: &LateMove, fact: Fact) -> bool {
        late_move.sampled || self.reads().contains(fact)
    }

    /// What the policy in force reads.
    #[inline]
    fn reads(&self) -> FactSet {
        self.policy.as_ref().map_or_else(FactSet::default, Program::reads)
    }

    /// Whether the trace wants the position of this move: see [`LateMove::position`].
    #[inline]
    pub fn wants_position(&self, late_move: &LateMove) -> bool {
        late_move.sampled && self.has_positions
    }

    /// The policy's reduction in plies; 0 without a policy. Call it after the facts are filled. Sets
    /// [`LateMove::reduction`] and [`LateMove::late`].
    #[inline]
    pub fn reduction(&self, late_move: &mut LateMove) -> i32 {
        let values = &late_move.values;
        let reduction = self.policy.as_ref().and_then(|policy| match &self.factors {
            None => policy.reduction(values),
            Some(factors) => policy.reduction(&Scaled { values, factors }),
        });
        late_move.late = reduction.is_some();
        late_move.reduction = reduction.unwrap_or(0);
        late_move.reduction
    }

    /// The change of the depth of the second search by the ladder [`Ladder::ByScore`](crate::Ladder::ByScore), in
    /// plies: deeper (1), unchanged (0) or shallower (-1). `score` is the score of the reduced search, `best_score` the
    /// best score of the node so far. 0 without a policy, with any other ladder, or when the move is not late.
    #[must_use]
    pub fn depth_change(&self, late_move: &LateMove, score: i32, best_score: i32) -> i32 {
        let Some(policy) = self.policy.as_ref().filter(|_| late_move.late) else {
            return 0;
        };
        // A copy, because the trace records the facts as they were before the reduced search.
        let mut values = late_move.values.clone();
        let mut best_score = f64::from(best_score);
        if !self.vocabulary.filled.contains(Fact::BestScore) {
            // It has the unit of `score`, and no factor applies to it.
            best_score *= self.factors.as_ref().map_or(1.0, |factors| factors.of(Fact::Score));
        }
        values
            .set_number(Fact::Score, f64::from(score))
            .set_number(Fact::BestScore, best_score)
            .set_number(Fact::Reduction, f64::from(late_move.reduction));
        match &self.factors {
            None => policy.depth_change(&values),
            Some(factors) => policy.depth_change(&Scaled {
                values: &values,
                factors,
            }),
        }
    }

    /// Ends the move: writes it when it is sampled. `full_depth` is its depth without a reduction; `nodes` is the sum
    /// over all its searches.
    ///
    /// # Errors
    /// When the trace cannot be written. The trace then ends.
    #[inline]
    pub fn close(&self, late_move: &LateMove, full_depth: i32, outcome: MoveResult, nodes: u64) -> io::Result<()> {
        match late_move.sampled {
            true => self.write(late_move, RecordKind::Move(outcome), full_depth, nodes),
            false => Ok(()),
        }
    }

    /// Writes the result of the shadow search of a sampled move: whether the move raises alpha at full depth, or `None`
    /// when the search did not end.
    ///
    /// `examples/small-engine` clones its search. A copy of the search or of the process has no limits and no input, gives `None` to
    /// [`Self::open`], writes this result, and ends.
    ///
    /// # Errors
    /// When the trace cannot be written. The trace then ends.
    pub fn judged(&self, late_move: &LateMove, raises: Option<bool>, nodes: u64) -> io::Result<()> {
        match late_move.sampled {
            true => self.write(late_move, RecordKind::Shadow(raises), 0, nodes),
            false => Ok(()),
        }
    }

    fn write(&self, late_move: &LateMove, kind: RecordKind, full_depth: i32, nodes: u64) -> io::Result<()> {
        let Some(trace) = self.trace.as_ref().filter(|trace| !trace.has_failed()) else {
            return Ok(());
        };
        let plies = |plies: i32| plies.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let saturated = |nodes: u64| u32::try_from(nodes).unwrap_or(u32::MAX);
        let (flags, numbers) = self.traced(&late_move.values);
        let record = Record {
            kind,
            late: late_move.late,
            failed_high: late_move.failed_high,
            reduction: plies(late_move.reduction),
            full_depth: plies(full_depth),
            search: self.searches.load(Ordering::Relaxed),
            first_nodes: saturated(late_move.first_nodes),
            nodes: saturated(nodes),
            id: late_move.id,
            flags,
            numbers,
            position: late_move.position.as_deref().cloned(),
        };
        trace.write(&record)
    }

    /// The flags and numbers of a record.
    fn traced(&self, values: &Values) -> (u64, Vec<f64>) {
        let vocabulary = &self.vocabulary;
        // Without a policy the trace has lmrlab's units, too.
        let none = Factors::default();
        let facts = Scaled {
            values,
            factors: if self.units() == Units::Host {
                &none
            } else {
                &vocabulary.factors
            },
        };
        let flags = vocabulary.of(Kind::Boolean).map(|fact| facts.boolean(fact));
        let numbers = vocabulary.of(Kind::Number).map(|fact| facts.number(fact));
        (
            flags
                .zip(0_u32..)
                .fold(0, |all, (flag, bit)| all | u64::from(flag) << bit),
            numbers.collect(),
        )
    }
}

// Threads share a host.
#[cfg(test)]
const _: () = {
    const fn is_thread_safe<T: Send + Sync>() {}
    is_thread_safe::<Host>();
};
