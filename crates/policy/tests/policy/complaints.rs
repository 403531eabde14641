//! Messages about policies. The files of complaints/ have policies, each below `=== ` and a name; a snapshot has what is
//! said of each.

use std::fmt::Write as _;
use std::path::Path;

use crate::common::complaints;
use insta::assert_snapshot;

#[test]
fn each_mistake_has_its_message() {
    for theme in ["files", "meaning", "syntax", "warnings"] {
        let path = format!("tests/policy/complaints/{theme}.txt");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let cases = std::fs::read_to_string(path).unwrap();
        let mut said = String::new();
        for case in cases.split("=== ").skip(1) {
            let (name, file) = case.split_once('\n').unwrap();
            let _ = writeln!(said, "=== {name}\n{}", complaints(file).trim_end());
        }
        assert_snapshot!(format!("complaints_{theme}"), said);
    }
}

#[test]
fn a_misspelt_table_of_parameters_is_one_mistake() {
    let file = "name = \"idea\"\nwhen = \"depth > least\"\nreduce = \"base + ln(depth) / divisor\"\n\
        [params]\nbase = 0.3\ndivisor = 2.0\nleast = 2\n";
    let said = complaints(file);
    assert_eq!(said.matches("error").count(), 1, "{said}");
    assert!(
        said.contains("unknown key `params`") && said.contains("did you mean `param`?"),
        "{said}"
    );
}
