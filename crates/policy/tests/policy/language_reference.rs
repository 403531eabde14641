//! The reference in `docs` is the one that the code writes.

#[test]
fn the_committed_reference_is_up_to_date() {
    let path = crate::common::root().join("docs/policy-language.md");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == lmrlab_policy::language_reference::markdown(),
        "run `cargo run -p lmrlab-policy --example language_reference > docs/policy-language.md`"
    );
}

#[test]
fn its_example_is_a_policy() {
    let text = lmrlab_policy::language_reference::markdown();
    let example = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let example = example.unwrap_or_default();
    let alone: Vec<_> = example.lines().filter(|line| !line.starts_with("extends")).collect();
    let complaints = crate::common::complaints(&alone.join("\n"));
    assert_eq!(complaints.matches("error").count(), 0, "{complaints}");
    assert!(!alone.is_empty());
}
