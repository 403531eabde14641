//! Facts of another engine count as those of the catalogue do, when the move says what they are.

use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Facts, Flags, OwnFact};

use crate::random_moves::{RandomMove, Vectors};

/// An engine of which `threat` is [`Fact::Killer`], `depth_left` [`Fact::Depth`], and `share` [`Fact::See`].
struct OtherEngine<'m>(&'m RandomMove);

impl Facts for OtherEngine<'_> {
    fn flags(&self) -> Flags {
        self.0.flags()
    }

    fn boolean(&self, fact: Fact) -> bool {
        assert!(!fact.is_own() || fact == Fact::OwnFlag1);
        self.0.boolean(if fact.is_own() { Fact::Killer } else { fact })
    }

    fn number(&self, fact: Fact) -> f64 {
        self.0.number(match fact {
            Fact::OwnNumber0 => Fact::Depth,
            Fact::OwnNumber1 => Fact::See,
            fact => fact,
        })
    }
}

pub(crate) const HOST: &str = "[host]\nflags = [\"unread\", \"threat\"]\nnumbers = [\"depth_left\", \"share\"]\n";

/// Each with a form that the compiler treats in its own way: tables, truth tables, conditions, rules, stacks, caches.
pub(crate) const POLICIES: [&str; 6] = [
    "when = \"depth_left >= 3 and move_number > 2 and not threat\"\nreduce = \"ln(depth_left) * ln(move_number) / 2\"\n",
    "reduce = \"sqrt(depth_left) * sqrt(ply) + if(share > 0, 1, 0) + if(threat, 2, 0)\"\n[finish]\nnegative = true\nmin = -3\n",
    "reduce = \"dot([1, 2, 3, 0.5], [pv, threat, share > 0, pv and threat]) * if(threat or share > 0, 2, 1) + if(pv, 1, 0)\"\n",
    "reduce = \"2\"\n[[rule]]\nname = \"a\"\nwhen = \"threat\"\nadd = \"1\"\n[[rule]]\nname = \"b\"\nwhen = \"share < -50\"\nadd = \"-1\"\n\
     [[rule]]\nname = \"c\"\nwhen = \"not threat\"\nadd = \"clamp(share / 100, -1, 1)\"\nelse_add = \"depth_left / 8\"\n",
    "reduce = \"steps(share, -100 => 1, 0 => 2, 50 => 3) + history / 1000 + depth_left % 3\"\n[history]\nmodel = \"butterfly\"\n\
     [[rule]]\nname = \"twice\"\nwhen = \"history > 0 and so_far > 1\"\nmul = \"if(threat == pv, 2, 0.5)\"\ncap = \"depth_left\"\n",
    "reduce = \"3\"\n[research]\nladder = \"by_score\"\ndeeper = \"score > share and threat\"\nshallower = \"score < share - depth_left\"\n",
];

pub(crate) fn compile(text: &str) -> Policy {
    match Policy::compile_for_host(Source::new("policy.toml", text)) {
        Ok((policy, _)) => policy,
        Err(wrong) => panic!("{wrong}"),
    }
}

/// The reduction, and the change of depth.
fn results(policy: &Policy, facts: &impl Facts) -> (i32, i32) {
    (policy.reduction(facts), policy.depth_change(facts))
}

#[test]
fn reductions_by_facts_of_another_engine_are_those_by_the_same_facts_of_the_catalogue() {
    for text in POLICIES {
        let own = compile(&format!("name = \"p\"\n{text}{HOST}"));
        let words = [("depth_left", "depth"), ("share", "see"), ("threat", "killer")];
        let known = words
            .iter()
            .fold(text.to_owned(), |text, (own, known)| text.replace(own, known));
        let known = compile(&format!("name = \"p\"\n{known}"));
        let facts = known.needs().iter().filter(|fact| !fact.is_of_rules());
        let mut moves = Vectors::new(facts, &known);
        let mut different = 0;
        for _ in 0..2_000 {
            let one = moves.next();
            let ours = results(&own, &OtherEngine(one));
            assert_eq!(ours, results(&known, one), "{text}\n{one:?}");
            // Without the facts, it is another reduction.
            different += u32::from(ours != results(&own, one));
        }
        assert!(different > 100, "{different} moves\n{text}");
    }
}

#[test]
fn a_policy_says_which_facts_of_another_engine_it_declares() {
    let policy = compile(&format!("name = \"p\"\nreduce = \"1\"\n{HOST}"));
    let last = OwnFact {
        name: "share",
        fact: Fact::OwnNumber1,
    };
    assert_eq!((policy.own_facts().count(), policy.own_facts().last()), (4, Some(last)));
}
