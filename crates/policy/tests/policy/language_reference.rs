//! The reference in `docs` is the one that the code writes.

/// With INSTA_UPDATE=always it writes the page, as other tests write their snapshots.
#[test]
fn the_committed_reference_is_up_to_date() {
    let path = crate::common::root().join("docs/policy-language.md");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let written = lmrlab_policy::language_reference::markdown();
    if committed != written && std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, written).unwrap();
        return;
    }
    assert!(
        committed == written,
        "INSTA_UPDATE=always writes docs/policy-language.md"
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
