//! What a comparison compares: how engines differ in what they reduce, how they search again, and how they order moves.
//!
//! A match between two policies is a verdict on their reductions only when nothing else differs. Anything else that
//! differs is a confounder, and the summary names it.

use lmrlab_engine::preset::QuietOrdering;
use lmrlab_engine::search_parameters::SearchParameters;
use lmrlab_policy::history::{History, HistoryModel};

use super::entrant::{Entrant, OwnEngine};

/// An engine of the project's own with its name.
pub type NamedEngine<'e> = (&'e str, &'e OwnEngine);

/// The most names that a sentence lists.
const MOST_NAMES: usize = 6;

/// The search parameters that decide the order of moves.
const ORDERING_PARAMETERS: [&str; 5] = [
    "killers",
    "history",
    "continuation_history",
    "capture_history",
    "losing_captures_last",
];

/// What differs between two engines, as a list. An engine that never reduces has no way to search a reduced move again.
fn contrast(one: &OwnEngine, other: &OwnEngine) -> String {
    let reduces = !one.policy.never_reduces() && !other.policy.never_reduces();
    let orders_differently =
        orders(one) != orders(other) || (reduces && updates_ordering(one) != updates_ordering(other));
    let searches_like = without_ordering(one.preset.parameters) == without_ordering(other.preset.parameters);
    let all = [
        (!one.policy.reduces_like(&other.policy), "reductions"),
        (reduces && !one.policy.searches_again_like(&other.policy), "re-search"),
        (orders_differently, "ordering"),
        (!searches_like, "search around them"),
    ];
    let differing: Vec<&str> = all
        .into_iter()
        .filter_map(|(differs, what)| differs.then_some(what))
        .collect();
    match differing.is_empty() {
        true => "nothing".to_owned(),
        false => differing.join(", "),
    }
}

/// The engines of the project's own among these, with their names.
pub fn sides(engines: &[Entrant]) -> Vec<NamedEngine<'_>> {
    let sides = engines
        .iter()
        .filter_map(|engine| Some((engine.name.as_str(), engine.own()?)));
    sides.collect()
}

/// What differs between engines beside their reductions and has a part in their results, as sentences without a full stop.
/// Empty when the results depend on the reductions alone.
pub fn confounders(sides: &[NamedEngine<'_>]) -> Vec<String> {
    let fields = [ordering(sides), updates(sides)].into_iter().flatten();
    fields.chain(sides.iter().filter_map(silent_facts)).collect()
}

/// What a tournament of `engines` engines compares, and what makes the result no verdict on reductions alone. `sides` are the
/// project's own engines among them.
pub fn sentences(sides: &[NamedEngine<'_>], engines: usize) -> Vec<String> {
    let contrast = match sides {
        [(_, one), (_, other)] if engines == 2 => Some(format!("The sides differ in: {}.", contrast(one, other))),
        _ => None,
    };
    let confounders = confounders(sides).into_iter();
    let notes = confounders.map(|sentence| format!("Note: {sentence}."));
    contrast.into_iter().chain(notes).collect()
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
    Ordering {
        own: engine.ordering_history().map(|history| history.model),
        preset: ORDERING_PARAMETERS.map(|name| engine.preset.parameters.get(name)),
    }
}

/// The parameters with the default ordering.
fn without_ordering(mut parameters: SearchParameters) -> SearchParameters {
    for name in ORDERING_PARAMETERS {
        let standard = SearchParameters::default().get(name);
        // A value of the parameters themselves is within their bounds.
        let _ = standard.map(|value| parameters.set(name, value));
    }
    parameters
}

/// Whether the re-searches of an engine update the histories that order its moves.
fn updates_ordering(engine: &OwnEngine) -> bool {
    let parameters = &engine.preset.parameters;
    engine.policy.research().updates_history
        && orders(engine).own.is_none()
        && (parameters.history || parameters.continuation_history)
}

/// The engines that order moves differently.
fn ordering(sides: &[NamedEngine<'_>]) -> Option<String> {
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
    let orderings: Vec<String> = (groups.iter())
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
        ". `ordering = \"preset\"` compares reductions alone; a match with both orderings shows what each part is worth"
    } else {
        ""
    };
    // Engines with the same reductions in different presets are a comparison of presets.
    let reduce_alike = sides
        .windows(2)
        .all(|pair| pair[0].1.policy.reduces_like(&pair[1].1.policy));
    let consequence = if reduce_alike {
        ""
    } else {
        ". The result is no verdict on reductions alone"
    };
    Some(format!(
        "these engines order moves differently: {}{consequence}{advice}",
        orderings.join("; ")
    ))
}

/// Engines with re-searches that update the histories for move ordering, while the re-searches of other engines do not.
/// An engine that never reduces has no re-searches.
fn updates(sides: &[NamedEngine<'_>]) -> Option<String> {
    let with = |wanted: bool| -> Vec<&str> {
        let some =
            (sides.iter()).filter(|(_, engine)| !engine.policy.never_reduces() && updates_ordering(engine) == wanted);
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

/// Facts that an engine's policy reads although they are never true in its preset.
fn silent_facts((name, engine): &NamedEngine<'_>) -> Option<String> {
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
    /// The history of the policy, when that orders quiet moves here.
    fn ordering_history(&self) -> Option<&History> {
        let history = self.policy.history();
        history.filter(|_| self.ordering == Some(QuietOrdering::Own))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use lmrlab_engine::preset::Preset;
    use lmrlab_policy::reference::PolicyReference;

    use super::*;

    fn engine(policy: &str, preset: &str, ordering: Option<QuietOrdering>) -> OwnEngine {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let (found, _) = Preset::resolve(preset, root).unwrap();
        let reference: PolicyReference = policy.parse().unwrap();
        let ordering = ordering.unwrap_or(found.ordering);
        OwnEngine::new((preset, found), (policy, reference.resolve(root).unwrap().0), ordering)
    }

    fn said(one: &OwnEngine, other: &OwnEngine) -> String {
        sentences(&[("one", one), ("other", other)], 2).join("\n")
    }

    const OWN: Option<QuietOrdering> = Some(QuietOrdering::Own);

    #[test]
    fn the_preset_says_who_orders_and_the_user_overrides_it() {
        let ordering = |preset: &str, asked| engine("madchess-2.0", preset, asked).ordering;
        assert_eq!(ordering("standard", None), Some(QuietOrdering::Preset));
        assert_eq!(ordering("standard", OWN), OWN);
        assert_eq!(ordering("madchess-2015", None), OWN);
        assert_eq!(
            ordering("madchess-2015", Some(QuietOrdering::Preset)),
            Some(QuietOrdering::Preset)
        );
        // Its history orders nothing, so there is nothing to say.
        assert_eq!(engine("rebel-starter", "standard", OWN).ordering, None);
        let left = engine("madchess-2.0", "standard", None);
        assert_eq!(orders(&left), orders(&engine("none", "standard", None)));
    }

    #[test]
    fn what_differs_is_said() {
        let none = engine("none", "standard", None);
        let house = engine("house", "standard", None);
        insta::assert_snapshot!(said(&engine("madchess-2.0", "standard", OWN), &none));
        insta::assert_snapshot!(said(&engine("madchess-2.0", "standard", None), &none));
        insta::assert_snapshot!(said(&house, &none));
        insta::assert_snapshot!(said(&house, &engine("house", "standard@-history,-null_move", None)));
        insta::assert_snapshot!(said(&house, &engine("mediocre-2007", "standard", None)));
        insta::assert_snapshot!(said(&none, &none));
        insta::assert_snapshot!(said(
            &engine("house", "minimal", None),
            &engine("none", "minimal", None)
        ));
    }

    #[test]
    fn larger_fields_have_no_two_sides() {
        let engines = ["none", "mediocre-2007", "madchess-2.0", "glaurung-2.2"];
        let engines = engines.map(|policy| (policy, engine(policy, "standard", OWN)));
        let sides: Vec<NamedEngine<'_>> = engines.iter().map(|(name, engine)| (*name, engine)).collect();
        let said = sentences(&sides, 4);
        let [sentence] = &said[..] else { panic!("{said:?}") };
        assert!(
            sentence.contains(": none, mediocre-2007 as the preset `standard` does; madchess-2.0 by"),
            "{sentence}"
        );
        // A program is no side.
        assert!(!sentences(&sides[..2], 3).concat().contains("The sides differ"));
        let many: Vec<String> = (1..=8).map(|number| format!("e{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(listed(&many), "e1, e2, e3, e4, e5, e6 and 2 more");
        assert_eq!(listed(&many[..2]), "e1, e2");
    }
}
