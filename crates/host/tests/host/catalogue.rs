//! The catalogue is that of the policies.

use lmrlab_host::{FACTS, Fact};
use lmrlab_policy::facts::{CATALOGUE, Kind};

#[test]
fn the_catalogue_is_that_of_the_policies() {
    let ours: Vec<_> = FACTS.iter().map(|(fact, name)| (*name, fact.is_boolean())).collect();
    let theirs: Vec<_> = CATALOGUE
        .iter()
        .map(|info| (info.name, info.kind == Kind::Boolean))
        .collect();
    assert_eq!(ours, theirs, "copy the new facts to crates/host/src/catalogue.rs");
    for (index, (fact, name)) in FACTS.iter().enumerate() {
        assert_eq!((*fact as usize, fact.name()), (index, *name));
        assert_eq!(Fact::named(name), Some(*fact));
    }
}
