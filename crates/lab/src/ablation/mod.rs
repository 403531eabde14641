//! Ablation: a policy without one of its rules, or without two.

mod outcome;

pub use self::outcome::AblationTables;
use crate::variant::Variant;

/// The policy with each of its rules switched alone, in the order of the rules, behind the names of what is switched: off by
/// `-`, on by `+`. With `pairs`, every two rules follow. With `additions`, rules that the policy has off are switched on.
pub fn ablated(whole: &Variant, pairs: bool, additions: bool) -> Vec<(Vec<String>, Variant)> {
    let rules: Vec<(&str, bool)> = whole
        .policy
        .rules()
        .iter()
        .filter(|rule| rule.enabled || additions)
        .map(|rule| (rule.name.as_str(), !rule.enabled))
        .collect();
    let mut sets: Vec<Vec<(&str, bool)>> = rules.iter().map(|rule| vec![*rule]).collect();
    if pairs {
        for (index, first) in rules.iter().enumerate() {
            sets.extend(rules[index + 1..].iter().map(|second| vec![*first, *second]));
        }
    }
    sets.into_iter()
        .filter_map(|set| {
            let mut variant = whole.clone();
            for (rule, enabled) in &set {
                variant = variant.with_rule(rule, *enabled).ok()?;
            }
            let sign = |enabled: bool| if enabled { '+' } else { '-' };
            let switched = set.iter().map(|(rule, enabled)| format!("{}{rule}", sign(*enabled)));
            Some((switched.collect(), variant))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;
    use lmrlab_policy::Policy;

    #[test]
    fn rules_that_are_off_are_switched_on_alone_and_with_others() {
        let text = "name = \"p\"\nwhen = \"quiet\"\nreduce = \"1\"\n\
            [[rule]]\nname = \"a\"\nwhen = \"pv\"\nadd = \"1\"\n\
            [[rule]]\nname = \"b\"\nwhen = \"cut\"\nadd = \"1\"\nenabled = false\n";
        let (policy, _) = Policy::compile(Source::new("p.toml", text)).unwrap();
        let whole = Variant::new("p", policy);
        let names = |additions| {
            ablated(&whole, true, additions)
                .into_iter()
                .map(|(_, variant)| variant.name)
        };
        assert!(names(false).eq(["p@-a"]));
        assert!(names(true).eq(["p@-a", "p@+b", "p@-a,+b"]));
    }
}
