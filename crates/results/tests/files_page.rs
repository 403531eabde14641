//! The tables of docs/files.md are those that the rows write.

#[test]
fn the_committed_page_is_up_to_date() {
    let page = include_str!("../../../docs/files.md");
    assert!(page.matches("<!-- columns of ").count() > 10);
    assert!(
        page == lmrlab_results::files_page::written_again(page),
        "run `cargo run -p lmrlab-results --example files_page > docs/files.md`"
    );
}
