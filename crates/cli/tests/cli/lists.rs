//! Policies with lists: their elements are shown, set, swept and tuned.

use crate::scratch::Scratch;

const NET: &str = r#"
name   = "net"
when   = "depth >= 2 and moves_searched >= 2 and quiet"
reduce = "dot(out, relu([dot(first, x), dot(second, x) + 0.5]))"
[let]
x = "[depth / 4, improving, moves_searched / 8]"
[param]
out    = { value = [1, -0.5], min = -2, max = 2 }
first  = { value = [0.5, -0.5, 0.25], min = -2, max = 2 }
second = { value = [-0.25, 1, 0.125], min = -2, max = 2, step = 0.25 }
"#;

/// SPSA always moves a little, so that there is something to write.
const RUN: &str = r#"
method = "spsa"
name = "run"
pairs = 12
seed = 5
hash_mib = 1
[openings]
file = "positions/openings.epd"
[limit]
nodes = 100
[engine]
policy = "net.toml"
[[parameter]]
name = "first"
step = 0.5
r_end = 0.5
[[parameter]]
name = "out[1]"
step = 0.5
r_end = 0.5
[adjudication]
max_moves = 40
"#;

#[test]
fn the_elements_of_a_list_are_shown_together_and_set_alone() {
    let scratch = Scratch::new();
    scratch.write("net.toml", NET);
    let shown = scratch.done("policy show net.toml@first[2]=1.5");
    assert!(
        shown.contains("\n    parameter first = [0.5, -0.5, 1.5] (from -2 to 2)\n"),
        "{shown}"
    );
}

#[test]
fn an_element_of_a_list_can_be_swept() {
    let scratch = Scratch::new();
    scratch.write("net.toml", NET);
    scratch.done("sweep net.toml --over out[0]=0:2:1 --measures nodes --depth 4 --out out");
    let csv = scratch.read("out/sweep.csv");
    assert!(
        csv.contains("net@out[0]=2,") || csv.contains("net@out[0]=2\","),
        "{csv}"
    );
}

#[test]
fn the_name_of_a_list_tunes_its_elements() {
    let scratch = Scratch::new();
    scratch.write("net.toml", NET);
    scratch.write("run.toml", RUN);
    scratch.done("tune run.toml --no-gate --quiet --out out");
    let csv = scratch.read("out/tuning.csv");
    let head = csv.lines().next().unwrap_or_default();
    for name in ["first[0]", "first[1]", "first[2]", "out[1]"] {
        assert!(head.contains(name), "{head}");
    }
    assert!(!head.contains(":out[0]") && !head.contains(":second["), "{head}");
    let tuned = scratch.read("out/tuned.toml");
    assert!(
        tuned.contains("\nfirst = { value = [") && tuned.contains("\nout = { value = [1.0, "),
        "{tuned}"
    );
    scratch.done("policy check out/tuned.toml");
    scratch.write("run.toml", &RUN.replace("\"first\"", "\"frist\""));
    let wrong = scratch.refused("tune run.toml --quiet");
    assert!(wrong.contains("has a parameter `frist`"), "{wrong}");
}
