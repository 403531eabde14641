//! What a comparison compares: how engines differ in what they reduce, how they search again, and how they order moves.
//!
//! A match between two policies is a verdict on their reductions only when nothing else differs. What else differs is a
//! confounder, and is said.

use std::fmt;

use lmrlab_engine::preset::QuietOrdering;
use lmrlab_engine::search_parameters::SearchParameters;
use lmrlab_policy::history::HistoryModel;

use super::entrant::{Entrant, OwnEngine};

/// An engine of the project's own with its name.
pub type Side<'e> = (&'e str, &'e OwnEngine);

/// The most names that a sentence lists.
const MOST_NAMES: usize = 6;

/// The search parameters that decide in which order moves are searched.
const ORDERING_PARAMETERS: [&str; 6] = [
    "killers",
    "counter_move",
    "history",
    "continuation_history",
    "capture_history",
    "losing_captures_last",
];

/// What differs between two engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contrast {
    /// Which moves are reduced, and by how much.
    pub reductions: bool,
    /// How a reduced move is searched again. An engine that never reduces has no way to differ.
    pub research: bool,
    /// In which order moves are searched.
    pub ordering: bool,
    /// The search around them, its ordering aside.
    pub search: bool,
}

impl Contrast {
    /// What differs between these two.
    pub fn of(one: &OwnEngine, other: &OwnEngine) -> Self {
        let reduces = !one.policy.never_reduces() && !other.policy.never_reduces();
        Self {
            reductions: !one.policy.reduces_like(&other.policy),
            research: reduces && !one.policy.searches_again_like(&other.policy),
            ordering: orders(one) != orders(other) || updates_ordering(one) != updates_ordering(other),
            search: without_ordering(one.preset.parameters) != without_ordering(other.preset.parameters),
        }
    }
}

impl fmt::Display for Contrast {
    /// The differences as a list: `reductions, re-search`; `nothing` when there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.reductions, "reductions"),
            (self.research, "re-search"),
            (self.ordering, "ordering"),
            (self.search, "search around them"),
        ];
        let differing: Vec<&str> = all
            .into_iter()
            .filter_map(|(differs, what)| differs.then_some(what))
            .collect();
        f.write_str(if differing.is_empty() { "nothing" } else { "" })?;
        f.write_str(&differing.join(", "))
    }
}

/// The engines of the project's own among these, with their names.
pub fn sides(engines: &[Entrant]) -> Vec<Side<'_>> {
    let sides = engines
        .iter()
        .filter_map(|engine| Some((engine.name.as_str(), engine.own()?)));
    sides.collect()
}

/// What a tournament compares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What differs between the two sides of a match; nothing in a larger field, or when a program takes part.
    pub contrast: Option<Contrast>,
    /// What differs between engines beside their reductions and has a part in their results, as sentences without a full
    /// stop. Empty when their results tell of the reductions alone.
    pub confounders: Vec<String>,
}

impl Comparison {
    /// What a tournament of so many engines compares, of which these are the project's own.
    pub fn of(sides: &[Side<'_>], engines: usize) -> Self {
        let fields = [ordering(sides), updates(sides)].into_iter().flatten();
        Self {
            contrast: match sides {
                [(_, one), (_, other)] if engines == 2 => Some(Contrast::of(one, other)),
                _ => None,
            },
            confounders: fields.chain(sides.iter().filter_map(silent_facts)).collect(),
        }
    }
}

impl fmt::Display for Comparison {
    /// Lines of a summary; empty when there is nothing to say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(contrast) = &self.contrast {
            writeln!(f, "Sides differ in: {contrast}")?;
        }
        self.confounders
            .iter()
            .try_for_each(|sentence| writeln!(f, "Note: {sentence}"))
    }
}

/// How an engine orders its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordering {
    /// The policy's history, when that orders quiet moves.
    own: Option<HistoryModel>,
    /// The values of [`ORDERING_PARAMETERS`].
    preset: [Option<i32>; ORDERING_PARAMETERS.len()],
}

fn orders(engine: &OwnEngine) -> Ordering {
    let own = engine.policy.history().filter(|history| history.orders_moves);
    Ordering {
        own: own.map(|history| history.model),
        preset: ORDERING_PARAMETERS.map(|name| engine.preset.parameters.get(name)),
    }
}

/// The parameters with the ordering of nobody in particular.
fn without_ordering(parameters: SearchParameters) -> SearchParameters {
    let standard = SearchParameters::default();
    SearchParameters {
        killers: standard.killers,
        counter_move: standard.counter_move,
        history: standard.history,
        continuation_history: standard.continuation_history,
        capture_history: standard.capture_history,
        losing_captures_last: standard.losing_captures_last,
        ..parameters
    }
}

/// Whether the re-searches of an engine update the histories that order its moves.
fn updates_ordering(engine: &OwnEngine) -> bool {
    let parameters = &engine.preset.parameters;
    engine.policy.research().updates_history
        && !engine.policy.never_reduces()
        && orders(engine).own.is_none()
        && (parameters.history || parameters.continuation_history)
}

/// Who orders moves differently.
fn ordering(sides: &[Side<'_>]) -> Option<String> {
    let mut groups: Vec<(Ordering, &OwnEngine, Vec<&str>)> = Vec::new();
    for (name, engine) in sides {
        let ordering = orders(engine);
        match groups.iter_mut().find(|(known, ..)| *known == ordering) {
            Some((_, _, names)) => names.push(name),
            None => groups.push((ordering, engine, vec![name])),
        }
    }
    if groups.len() < 2 {
        return None;
    }
    let own = groups.iter().any(|(ordering, ..)| ordering.own.is_some());
    let who: Vec<String> = (groups.iter())
        .map(|(ordering, engine, names)| match ordering.own {
            Some(_) => format!(
                "{} by the policy's own history in `{}`",
                listed(names),
                engine.preset_reference
            ),
            None => format!("{} as the preset `{}` does", listed(names), engine.preset_reference),
        })
        .collect();
    let advice = if own {
        "; `ordering = \"preset\"` compares the reductions alone, and `lmrlab match --ordering both` tells the parts apart"
    } else {
        ""
    };
    Some(format!(
        "these engines order moves differently, so the result is no verdict on reductions alone: {}{advice}",
        who.join("; ")
    ))
}

/// Whose re-searches update the histories that order moves, when those of others do not.
fn updates(sides: &[Side<'_>]) -> Option<String> {
    let with = |wanted: bool| -> Vec<&str> {
        let some = sides.iter().filter(|(_, engine)| updates_ordering(engine) == wanted);
        some.map(|(name, _)| *name).collect()
    };
    let (some, others) = (with(true), with(false));
    (!some.is_empty() && !others.is_empty()).then(|| {
        format!(
            "re-searches update the histories that order moves (`research.updates_history`) in {}, and not in {}",
            listed(&some),
            listed(&others)
        )
    })
}

/// Facts that an engine's policy reads, and that its preset keeps from ever being true.
fn silent_facts((name, engine): &Side<'_>) -> Option<String> {
    let lacking: Vec<String> = (engine.policy.needs().iter())
        .filter_map(|fact| {
            let lacks = engine.preset.parameters.lacks_for(fact)?;
            Some(format!("`{}` (no {lacks})", fact.info().name))
        })
        .collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "{name} reads facts that the preset `{}` keeps at one value: {}",
            engine.preset_reference,
            lacking.join(", ")
        )
    })
}

/// Names with commas between them; of many the first.
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

impl OwnEngine {
    /// A policy that orders quiet moves as this engine does and reduces no move, as a reference.
    pub fn ordering_alone(&self) -> String {
        let history = self.policy.history();
        match history.filter(|_| self.ordering == Some(QuietOrdering::Own)) {
            Some(history) => format!("none@{}", history.overrides().join(",")),
            None => "none".to_owned(),
        }
    }
}
