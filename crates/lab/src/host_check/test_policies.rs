//! The policies that an engine is asked to play for its check.

use lmrlab_diagnostics::Source;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Kind};
use lmrlab_runner::player::uci::HostedPolicy;

/// A policy for hosts.
///
/// # Errors
/// When it is too large for a host.
pub(super) fn hosted(policy: Policy) -> Result<HostedPolicy, Failure> {
    let name = policy.name().to_owned();
    HostedPolicy::new(&name, policy).map_err(|refusal| {
        Failure::input(
            format!("`{name}` is too large for a host: {refusal}"),
            "use fewer rules or shorter expressions",
        )
    })
}

/// The policy `check-NAME` with this condition, this reduction, and more lines.
fn of(name: &str, [when, reduce]: [&str; 2], rest: &str) -> Result<HostedPolicy, Failure> {
    let text = format!("name = \"check-{name}\"\nwhen = \"{when}\"\nreduce = \"{reduce}\"\n{rest}");
    match Policy::compile(Source::new("a policy of the check", text)) {
        Ok((policy, _)) => hosted(policy),
        Err(mistakes) => Err(Failure::run(format!(
            "lmrlab wrote a wrong policy; please report it: {}",
            mistakes.render(false)
        ))),
    }
}

/// The answer of a host that plays a policy with these overrides.
pub(super) fn answer(policy: &Policy, params: &str) -> String {
    format!("policy {} {} {params}", policy.name(), policy.hash())
}

/// The condition under which a move is late, and its reduction, made of facts that the engine fills. The policy has the parameter
/// `base`.
fn scheme(filled: &[Fact]) -> [&'static str; 2] {
    if filled.contains(&Fact::MovesSearched) {
        [
            "depth >= 3 and moves_searched >= 2",
            "base + ln(depth) * ln(moves_searched + 1) / 2.5",
        ]
    } else if filled.contains(&Fact::MoveNumber) {
        [
            "depth >= 3 and move_number >= 3",
            "base + ln(depth) * ln(move_number) / 2.5",
        ]
    } else {
        ["depth >= 3", "base + depth / 6"]
    }
}

/// The parameter `base`, from 0 to 2.
const BASE: &str = "[param]\nbase = { value = 0.5, min = 0.0, max = 2.0 }\n";

fn rule(name: &str, when: &str, add: &str) -> String {
    let name = name.replace('_', "-");
    format!("[[rule]]\nname = \"{name}\"\nwhen = \"{when}\"\nadd = \"{add}\"\n")
}

/// A common policy: it reads depth and number alone. It has the parameter `base`, from 0 to 2, and the rule `deep`.
pub(super) fn plain(filled: &[Fact]) -> Result<HostedPolicy, Failure> {
    let rest = BASE.to_owned() + &rule("deep", "depth > 8", "0.25");
    of("plain", scheme(filled), &rest)
}

/// A policy that reduces many moves, so that many are searched again, with these lines of `[research]`.
pub(super) fn searching_again(research: &str) -> Result<HostedPolicy, Failure> {
    let rest = format!("[research]\n{research}\n");
    of("research", ["depth >= 3", "1 + depth / 4"], &rest)
}

/// A policy that reads one fact beside the common ones.
pub(super) fn reading(fact: Fact, filled: &[Fact]) -> Result<HostedPolicy, Failure> {
    let name = fact.info().name;
    let reduce = match fact.info().kind {
        Kind::Boolean => format!("if({name}, 2, 1)"),
        Kind::Number => format!("if({name} > 0, 2, 1)"),
    };
    let [late, _] = scheme(filled);
    of(&name.replace('_', "-"), [late, &reduce], history(fact == Fact::History))
}

/// A policy that reads all these facts. It extends some moves.
pub(super) fn reading_all(filled: &[Fact]) -> Result<HostedPolicy, Failure> {
    let mut rest = format!(
        "{BASE}[finish]\nround = \"nearest\"\nmin = -1\nnegative = true\nmax = 8\n{}",
        history(filled.contains(&Fact::History)),
    );
    let facts = filled.iter().filter(|fact| !fact.is_given());
    for (fact, plies) in facts.zip([0.37, -0.43, -0.29, 0.31].iter().cycle()) {
        let info = fact.info();
        rest += &match info.kind {
            Kind::Boolean => rule(info.name, info.name, &plies.to_string()),
            Kind::Number => {
                // Small counts, and scores or histories.
                let range = fact.range().map_or(0, |range| *range.end());
                let scale = if range <= 300 { 10 } else { 300 };
                let add = format!("{plies} * min(max({} / {scale}, -1), 1)", info.name);
                rule(info.name, "true", &add)
            }
        };
    }
    // Moves of the root are searched deeper. A rule for other nodes could search deeper without an end.
    if filled.contains(&Fact::Root) {
        rest += &rule("deeper", "root", "-9");
    }
    of("all", scheme(filled), &rest)
}

/// A policy that changes its reductions when any number that the engine fills changes a little.
pub(super) fn sensitive(filled: &[Fact]) -> Result<HostedPolicy, Failure> {
    let mut rest = "[finish]\nround = \"nearest\"\nmax = 4\n".to_owned();
    rest += history(filled.contains(&Fact::History));
    let numbers = filled
        .iter()
        .filter(|fact| fact.info().kind == Kind::Number && !fact.is_given());
    for name in numbers.map(|fact| fact.info().name) {
        rest += &rule(name, "true", &format!("abs({name}) % 4 / 4 - 0.375"));
    }
    let [late, _] = scheme(filled);
    of("changes", [late, "1"], &rest)
}

/// A policy that reads all facts of the catalogue that a host can fill.
pub(super) fn reading_the_catalogue() -> Result<HostedPolicy, Failure> {
    reading_all(&CATALOGUE.iter().map(|info| info.fact).collect::<Vec<_>>())
}

/// The policy language wants a model for the fact `history`; a host has its own history.
fn history(is_read: bool) -> &'static str {
    if is_read {
        "[history]\nmodel = \"gravity\"\n"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_policy_for_each_fact_and_for_all() {
        let filled: Vec<Fact> = CATALOGUE.iter().map(|info| info.fact).collect();
        let all = reading_the_catalogue().unwrap();
        let changes = sensitive(&filled).unwrap();
        for fact in filled.iter().copied().filter(|fact| !fact.is_given()) {
            let alone = reading(fact, &[Fact::Depth]).unwrap();
            assert!(reading(fact, &filled).is_ok());
            for policy in [&alone, &all, &changes] {
                let is_read = !std::ptr::eq(policy, &changes) || fact.info().kind == Kind::Number;
                assert!(
                    policy.policy().needs().contains(fact) || !is_read,
                    "{}",
                    fact.info().name
                );
            }
        }
        for filled in [&[Fact::Depth][..], &[Fact::Depth, Fact::MoveNumber], &filled] {
            let plain = plain(filled).unwrap();
            let text = std::fs::read(plain.path().unwrap()).unwrap();
            assert!(lmrlab_host::Program::read(text.as_slice()).is_ok());
        }
    }
}
