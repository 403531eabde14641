//! What a tuning run is to do: TOML in, a [`Plan`] out, or everything that is wrong with the file at once.
//!
//! The keys are explained in `configs/tuning/logarithm.toml`.

mod ideas;
mod parameters;
#[cfg(test)]
pub(crate) mod tests;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use lmrlab_diagnostics::{Diagnostic, Files, TomlTable};
use lmrlab_engine::chess_variant::ChessVariant;

use crate::Method;
use crate::methods::spsa::{Spsa, SpsaSettings};
use crate::methods::surface::Surface;
use crate::methods::trial::Trial;
use crate::subject::Subject;
use lmrlab_runner::conduct::pair_player::Arena;
use lmrlab_runner::conduct::threads::Threads;
use lmrlab_runner::game::tablebases::Tablebases;
use lmrlab_runner::openings::Openings;
use lmrlab_runner::sprt_text;
use lmrlab_runner::tournament::defaults::{MAX_PAIRS, usual_threads};
use lmrlab_runner::tournament::description::Conditions;
use lmrlab_runner::tournament::description::EngineDescription;
use lmrlab_runner::tournament::keys;
use lmrlab_runner::tournament::pgn_style::PgnStyle;
use lmrlab_runner::tournament::resolve::Resolver;
use lmrlab_runner::tournament::warnings::few_nodes_note;
use lmrlab_stats::Sprt;
use parameters::Catalogue;

/// The method by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodName {
    /// A model of the surface.
    Surface,
    /// SPSA, as fishtest runs it.
    Spsa,
    /// Ideas on and off at random, as `lmrlab trial` plays them.
    Trial,
}

impl MethodName {
    /// The methods with the names that they have in a file.
    pub const NAMES: [(&'static str, Self); 3] =
        [("surface", Self::Surface), ("spsa", Self::Spsa), ("trial", Self::Trial)];
}

/// The matches at the end.
#[derive(Debug, Clone, Copy)]
pub struct FinalMatches {
    /// The test of each match.
    pub sprt: Sprt,
    /// The greatest number of pairs of each match; there are openings for them.
    pub pairs: u64,
}

/// What a tuning run is to do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What the run is called.
    pub name: String,
    /// Where names and relative paths start from.
    pub root: PathBuf,
    /// The configuration files that it was read from.
    pub files: Files,
    /// How games are played. Its seed also decides the points and the rounding.
    pub conditions: Conditions,
    /// Games at the same time.
    pub threads: NonZeroUsize,
    /// The positions that games begin with.
    pub openings: Openings,
    /// The tablebases that end games, if any.
    pub tablebases: Option<Tablebases>,
    /// How much games.pgn contains.
    pub pgn: PgnStyle,
    /// The engine, and the parts of it that are tuned.
    pub subject: Subject,
    /// The tuning method.
    pub method: MethodName,
    /// The settings of SPSA; unused by other methods.
    pub spsa: SpsaSettings,
    /// Whether a trial measures how every two ideas act together.
    pub interactions: bool,
    /// The budget: pairs of games, without those of the final matches.
    pub pairs: u64,
    /// The matches at the end; `None` when there are none.
    pub final_matches: Option<FinalMatches>,
}

impl Plan {
    /// The method before its first pair.
    pub fn method(&self) -> Box<dyn Method> {
        if let Some(trial) = self.trial() {
            return Box::new(trial);
        }
        let (parameters, seed) = (self.subject.parameters.clone(), self.conditions.seed);
        match self.method {
            MethodName::Spsa => Box::new(Spsa::new(parameters, self.pairs, self.spsa, seed)),
            MethodName::Surface | MethodName::Trial => Box::new(Surface::new(parameters, seed)),
        }
    }

    /// The method of a trial, without results; `None` for a tuning run.
    pub fn trial(&self) -> Option<Trial> {
        (self.method == MethodName::Trial).then(|| {
            let ideas = self.subject.ideas.len();
            Trial::new(ideas, self.pairs, self.conditions.seed, self.interactions)
        })
    }

    /// The notes before the first game.
    pub fn notes(&self) -> Vec<String> {
        let prospects = |matches: &FinalMatches| sprt_text::prospects(&matches.sprt, matches.pairs);
        let matches = self.final_matches.as_ref().map(prospects);
        let few_nodes = few_nodes_note([(&self.subject.start, self.conditions.terms.limit)]);
        let matches = matches.map(|note| format!("the final matches: {note}"));
        matches.into_iter().chain(few_nodes).collect()
    }

    /// What its pairs have in common.
    pub fn arena(&self) -> Arena<'_> {
        let engine = &self.subject.start;
        let threads = Threads {
            count: self.threads,
            pinned: false,
        };
        Arena {
            engines: std::slice::from_ref(engine),
            names: std::slice::from_ref(&engine.name),
            terms: vec![self.conditions.terms],
            changes: Some(&self.subject),
            conditions: &self.conditions,
            openings: &self.openings,
            tablebases: self.tablebases.as_ref(),
            threads: threads.for_pairs(self.pairs),
        }
    }

    /// How many openings are reserved for the final matches: the last ones in the order.
    fn reserved(&self) -> usize {
        let pairs = self.final_matches.map_or(0, |matches| matches.pairs);
        usize::try_from(pairs).unwrap_or(usize::MAX).min(self.openings.count())
    }

    /// The openings for tuning, by index and in their order.
    pub fn opening_order(&self) -> Vec<u32> {
        let conditions = &self.conditions;
        let mut order = (conditions.openings).order_of(&self.openings.counts(), conditions.seed);
        order.truncate(order.len() - self.reserved());
        order
    }

    /// The place in the order of the book of the first opening that is reserved for the final matches, from 1.
    pub(crate) fn first_reserved(&self) -> u64 {
        let count = self.openings.count();
        let used = (count - self.reserved()) as u64 + self.conditions.openings.start - 1;
        used % count.max(1) as u64 + 1
    }
}

/// Reads a tuning run and every file that it names. The document and the resolver collect the errors.
pub fn read(resolver: &mut Resolver<'_>, table: TomlTable<'_>, change: impl FnOnce(&mut Conditions)) -> Option<Plan> {
    let name = table.require("name", keys::name(&table));
    let method = table.right(|| {
        let method = table.choice("method", &MethodName::NAMES);
        method.unwrap_or(MethodName::Surface)
    });
    let spsa = spsa(&table, method);
    let interactions = table.boolean("interactions").unwrap_or(false);
    if interactions && method != Some(MethodName::Trial) {
        table.report(
            Diagnostic::error("`interactions` goes with `method = \"trial\"`")
                .at(table.place_of("interactions"), "")
                .help("remove it"),
        );
    }
    let pairs = table.require("pairs", table.integer("pairs", 1..=MAX_PAIRS as i64));
    let pairs = pairs.map(|pairs| pairs as u64);
    let mut conditions = keys::conditions(&table);
    let pgn = keys::pgn(&table);
    let deadlines = keys::deadlines(&table);
    let openings = (conditions.as_mut()).and_then(|conditions| resolver.openings(conditions));
    let tablebases = (conditions.as_mut()).and_then(|conditions| resolver.tablebases(conditions));
    let engine = table.require("engine", table.table("engine"));
    let engine = (engine.zip(deadlines)).and_then(|(engine, deadlines)| keys::engine(engine, deadlines));
    let ponders = engine.as_ref().is_some_and(EngineDescription::ponders);
    let start = engine.and_then(|engine| {
        let terms = conditions
            .as_ref()
            .map_or(Conditions::default().terms, |found| found.terms);
        let mut start = resolver.engine(&engine, terms)?;
        start.set_variant((conditions.as_ref()).map_or_else(ChessVariant::default, Conditions::played_variant));
        Some(start)
    });
    let subject = start.and_then(|start| {
        let catalogue = Catalogue::of(&table, &start, resolver)?;
        let mut subject = Subject::new(start.clone());
        subject.parameters = parameters::parameters(&table, &catalogue)?;
        if (method? == MethodName::Trial) != table.has("idea") {
            table.report(
                Diagnostic::error("`method = \"trial\"` goes with `[[idea]]` tables, and with nothing else")
                    .at(table.span(), "")
                    .help("`lmrlab trial` writes both"),
            );
            return None;
        }
        ideas::ideas(&table, &mut subject, resolver)?;
        let asked = subject.ask_for_facts();
        let wrong = asked.map_err(|wrong| table.report(wrong.at(table.place_of("engine"), "")));
        wrong.ok()?;
        Some(subject)
    });
    let count = openings.as_ref().map_or(0, |openings| openings.count() as u64);
    let final_matches = final_matches(&table, count / 2);
    // These keys are only read when the engine can be used. They are known keys in any case.
    for key in ["parameter", "lines", "idea"] {
        table.has(key);
    }
    table.close();
    let mut conditions = conditions?;
    change(&mut conditions);
    let timed = conditions.terms.limit.is_timed();
    Some(Plan {
        name: name?,
        root: resolver.root.to_owned(),
        files: resolver.files.clone(),
        threads: conditions.threads.unwrap_or_else(|| usual_threads(timed, ponders)),
        openings: openings?,
        tablebases: tablebases?,
        pgn: pgn?,
        conditions,
        subject: subject?,
        method: method?,
        spsa: spsa?,
        interactions,
        pairs: pairs?,
        // A trial changes nothing, so matches could prove nothing.
        final_matches: final_matches?.filter(|_| method != Some(MethodName::Trial)),
    })
}

/// `[spsa]`, which only the method SPSA has.
fn spsa(table: &TomlTable<'_>, method: Option<MethodName>) -> Option<SpsaSettings> {
    const MAX_PAIRS_PER: i64 = 1_000;
    let usual = SpsaSettings::default();
    if !table.has("spsa") {
        return Some(usual);
    }
    if method == Some(MethodName::Surface) {
        table.report(
            Diagnostic::error("`[spsa]` is for SPSA, and the method is \"surface\"")
                .at(table.place_of("spsa"), "")
                .help("write `method = \"spsa\"`, or remove the table"),
        );
    }
    let keys = table.table("spsa")?;
    let pairs_per = |keys: &TomlTable<'_>| keys.integer("pairs_per", 1..=MAX_PAIRS_PER);
    let found = keys.right(|| SpsaSettings {
        alpha: keys.number("alpha", 0.0..=2.0).unwrap_or(usual.alpha),
        gamma: keys.number("gamma", 0.0..=1.0).unwrap_or(usual.gamma),
        a_ratio: keys.number("a_ratio", 0.0..=10.0).unwrap_or(usual.a_ratio),
        pairs_per: pairs_per(&keys).map_or(usual.pairs_per, |pairs| pairs as u64),
    });
    keys.close();
    found
}

/// `[gate]`: the final matches. Tuning leaves them at most these openings. `None` in the result when they are not played.
fn final_matches(table: &TomlTable<'_>, openings: u64) -> Option<Option<FinalMatches>> {
    let mut found = Some((true, 1_500, None));
    if table.has("gate") {
        let gate = table.table("gate")?;
        found = gate.right(|| {
            let play = gate.boolean("play").unwrap_or(true);
            let pairs = gate.integer("pairs", 1..=MAX_PAIRS as i64).unwrap_or(1_500);
            (play, pairs, gate.table("sprt").and_then(keys::sprt))
        });
        gate.close();
    }
    let (play, pairs, sprt) = found?;
    let pairs = openings.min(pairs as u64);
    let sprt = sprt.or_else(|| Sprt::that_decides(2 * pairs))?;
    Some(play.then_some(FinalMatches { sprt, pairs }))
}
