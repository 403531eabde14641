//! Ablation: a policy without one of its rules, or without two.

use super::variant::Variant;

/// A policy with some rules switched.
#[derive(Debug, Clone)]
pub struct Ablated {
    /// The rules that were switched: off by `-`, on by `+`.
    pub switched: Vec<String>,
    /// The policy with these rules switched.
    pub variant: Variant,
}

/// Which rules are switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RulesToSwitch {
    /// Whether every two rules are switched together, too.
    pub pairs: bool,
    /// Whether rules that the policy has off are switched on, too.
    pub additions: bool,
}

/// The policy with each of its rules switched alone, in the order of the rules. With `pairs`, every two rules follow.
pub fn ablated(whole: &Variant, choice: RulesToSwitch) -> Vec<Ablated> {
    let rules: Vec<(&str, bool)> = whole
        .policy
        .rules()
        .iter()
        .filter(|rule| rule.enabled || choice.additions)
        .map(|rule| (rule.name.as_str(), !rule.enabled))
        .collect();
    let mut sets: Vec<Vec<(&str, bool)>> = rules.iter().map(|rule| vec![*rule]).collect();
    if choice.pairs {
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
            Some(Ablated {
                switched: switched.collect(),
                variant,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_diagnostics::Source;
    use lmrlab_policy::Policy;

    fn names(choice: RulesToSwitch) -> Vec<String> {
        let text = "name = \"p\"\nwhen = \"quiet\"\nreduce = \"1\"\n\
            [[rule]]\nname = \"a\"\nwhen = \"pv\"\nadd = \"1\"\n\
            [[rule]]\nname = \"b\"\nwhen = \"cut\"\nadd = \"1\"\nenabled = false\n\
            [[rule]]\nname = \"c\"\nwhen = \"all\"\nadd = \"1\"\n";
        let (policy, _) = Policy::compile(Source::new("p.toml", text)).unwrap();
        let whole = Variant::new("p", policy);
        ablated(&whole, choice)
            .into_iter()
            .map(|ablated| {
                let off = ablated.switched.join(",");
                assert_eq!(ablated.variant.name, format!("p@{off}"));
                off
            })
            .collect()
    }

    #[test]
    fn each_rule_alone_and_every_two() {
        assert_eq!(names(RulesToSwitch::default()), ["-a", "-c"]);
        let pairs = RulesToSwitch {
            pairs: true,
            additions: true,
        };
        assert_eq!(names(pairs), ["-a", "+b", "-c", "-a,+b", "-a,-c", "+b,-c"]);
    }
}
