//! `lmrlab openbench`: the forms, what the real engine makes of them, and the way back from a tune.

use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;

use crate::scratch::Scratch;

/// The form as JSON.
fn form(scratch: &Scratch, arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["openbench", "--json"].iter().chain(arguments).copied().collect();
    serde_json::from_str(&scratch.done(&all)).unwrap()
}

/// What `lmrlab-engine` answers in a folder.
fn engine_says(folder: &Path, input: &str) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_lmrlab")).parent().unwrap();
    let engine = programs.join(format!("lmrlab-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(engine.is_file(), "build it first: cargo build -p lmrlab-engine");
    let mut command = assert_cmd::Command::from_std(Command::new(engine));
    let output = command.current_dir(folder).write_stdin(input).output().unwrap();
    output.clone().assert().success();
    String::from_utf8(output.stdout).unwrap()
}

/// The nodes of the engine's bench after these options of a form, each of which it must take.
fn bench(folder: &Path, options: &str) -> u64 {
    let mut input = String::new();
    for option in options.split(' ') {
        let (name, value) = option.split_once('=').unwrap();
        input.push_str(&format!("setoption name {name} value {value}\n"));
    }
    let said = engine_says(folder, &format!("{input}bench\nquit\n"));
    assert!(!said.contains("error"), "{said}");
    let line = said
        .lines()
        .find(|line| line.contains(" nps"))
        .unwrap_or_else(|| panic!("{said}"));
    let nodes = line.split(' ').skip_while(|word| word.parse::<u64>().is_err());
    nodes.map(str::parse).next().unwrap().unwrap()
}

/// The setting options that fastchess would send: those that the engine names.
fn names(scratch: &Scratch) -> Vec<String> {
    let said = engine_says(&scratch.path(""), "uci\nquit\n");
    let options = said.lines().filter_map(|line| line.strip_prefix("option name "));
    options
        .map(|line| line.split(" type ").next().unwrap().to_owned())
        .collect()
}

#[test]
fn forms_are_printed() {
    let scratch = Scratch::new();
    insta::assert_snapshot!("openbench_test", scratch.done(&["openbench", "weiss"]));
    insta::assert_snapshot!(
        "openbench_preset",
        scratch.done(&[
            "openbench",
            "house@divisor=2.5",
            "policy=house preset=standard@-null_move",
            "--hash",
            "8"
        ])
    );
    insta::assert_snapshot!("openbench_same", scratch.done(&["openbench", "house"]));
    insta::assert_snapshot!("openbench_tune", scratch.done(&["openbench", "ethereal", "--spsa"]));
    let some = [
        "openbench",
        "house",
        "--spsa=divisor,null_move_eval_divisor",
        "--r-end",
        "0.01",
        "--json",
    ];
    insta::assert_snapshot!("openbench_tune_json", scratch.done(&some));
}

/// In a folder without files, as at a worker of OpenBench.
#[test]
fn the_engine_plays_what_the_form_says() {
    let scratch = Scratch::new();
    let worker = Scratch::empty();
    let text = scratch.read("configs/policies/house.toml").replace("house\"", "mine\"");
    scratch.write("mine.toml", &text.replacen("value = 2.3", "value = 2.9", 1));
    let preset = scratch.read("configs/engines/standard.toml");
    let preset = preset.replace("\"standard\"", "\"other\"");
    let switch = "see_pruning                              = ";
    scratch.write(
        "other.toml",
        &preset.replacen(&format!("\n{switch}true"), &format!("\n{switch}false"), 1),
    );
    let known = bench(&worker.path(""), "Threads=1");
    for (words, wanted) in [
        (
            "house@research.ladder=full,divisor=2.5,-refutation",
            "Policy=house@research.ladder=full,divisor=2.5,-refutation",
        ),
        (
            "policy=ethereal preset=standard@-see_pruning,reverse_futility_margin=110",
            "Preset=standard@reverse_futility_margin=110,-see_pruning Policy=ethereal",
        ),
        (
            "policy=./mine.toml@+history,base=0.5 preset=other.toml",
            "Preset=standard@-see_pruning Policy=house@base=0.5,divisor=2.9",
        ),
    ] {
        let form = form(&scratch, &[words]);
        assert_eq!(form["dev_options"], format!("Threads=1 Hash=16 {wanted}"), "{words}");
        let options = form["dev_options"].as_str().unwrap();
        assert_eq!(bench(&worker.path(""), options), form["dev_nodes"], "{words}");
        assert_ne!(form["dev_nodes"], form["dev_bench"], "{words}");
        assert_eq!(form["dev_bench"], known);
        assert_eq!(form["base_bench"], known);
        assert_eq!(form["base_options"], "Threads=1 Hash=16 Policy=house");
        assert_eq!(form["base_nodes"], known);
    }
}

#[test]
fn spsa_tunes_options_that_the_engine_names() {
    let scratch = Scratch::new();
    let names = names(&scratch);
    for (policy, spsa, count) in [
        ("ethereal", "--spsa", 2),
        ("rebel-starter", "--spsa=bad,null_move_eval_divisor", 2),
    ] {
        let form = form(&scratch, &[policy, spsa]);
        let lines = form["spsa_inputs"].as_str().unwrap();
        assert_eq!(lines.lines().count(), count, "{lines}");
        // OpenBench adds an option for each line.
        let mut options = form["dev_options"].as_str().unwrap().to_owned();
        for line in lines.lines() {
            let columns: Vec<&str> = line.split(", ").collect();
            assert_eq!(columns.len(), 7, "{line}");
            assert!(names.contains(&columns[0].to_owned()), "{line}");
            options.push_str(&format!(" {}={}", columns[0], columns[2]));
        }
        assert_eq!(bench(&scratch.path(""), &options), form["dev_nodes"], "{options}");
    }
}

/// Options that a tune of OpenBench would send, and the policy that comes back from its values.
#[test]
fn values_come_back_from_a_tune() {
    let scratch = Scratch::new();
    let worker = Scratch::empty();
    let outputs = "Policy.base, 0.91234567891\nPolicy.divisor, 1.7000001\nSearch.null_move_eval_divisor, 240\n";
    scratch.write("outputs.txt", outputs);
    let tuned = form(&scratch, &["ethereal", "--tuned", "outputs.txt"]);
    let options =
        "Threads=1 Hash=16 Preset=standard@null_move_eval_divisor=240 Policy=ethereal@base=0.9123,divisor=1.7";
    assert_eq!(tuned["dev_options"], options);
    assert_eq!(tuned["base_options"], "Threads=1 Hash=16 Policy=ethereal");
    let sent = "Policy=ethereal Policy.base=0.9123 Policy.divisor=1.7 Search.null_move_eval_divisor=240";
    assert_eq!(bench(&worker.path(""), sent), tuned["dev_nodes"]);
    assert_eq!(bench(&worker.path(""), options), tuned["dev_nodes"]);

    // The next tune starts from them; what it is given comes back unchanged.
    let next = form(&scratch, &["ethereal", "--tuned", "outputs.txt", "--spsa"]);
    let inputs = next["spsa_inputs"].as_str().unwrap();
    assert!(inputs.starts_with("Policy.base, float, 0.9123, "), "{inputs}");
    let mut piped = scratch.lmrlab(&["openbench", "ethereal", "--tuned", "-", "--json"]);
    let back = piped.write_stdin(inputs).assert().success().get_output().clone();
    let back: Value = serde_json::from_slice(&back.stdout).unwrap();
    assert_eq!(
        back["dev_options"],
        "Threads=1 Hash=16 Policy=ethereal@base=0.9123,divisor=1.7"
    );

    // The same values as a file, which the branch needs.
    let written = scratch.done(&[
        "openbench",
        "ethereal",
        "--tuned",
        "outputs.txt",
        "--out",
        "configs/policies/ethereal-tuned.toml",
    ]);
    assert!(written.contains(" Policy=ethereal-tuned\n"), "{written}");
    assert!(
        written.contains("Commit it to the branch as configs/policies/ethereal-tuned.toml"),
        "{written}"
    );
    let options = "Preset=standard@null_move_eval_divisor=240 Policy=ethereal-tuned";
    assert_eq!(bench(&scratch.path(""), options), tuned["dev_nodes"]);
    insta::assert_snapshot!(
        "openbench_written",
        scratch.read("configs/policies/ethereal-tuned.toml")
    );
}

/// The lines of a form are also those of a tuning run, and its parameters.txt is a tune's outcome.
#[test]
fn lmrlab_tunes_from_the_same_lines() {
    let scratch = Scratch::new();
    let form = form(&scratch, &["ethereal", "--spsa=base,divisor,null_move_eval_divisor"]);
    let lines: Vec<&str> = form["spsa_inputs"].as_str().unwrap().lines().collect();
    scratch.write(
        "run.toml",
        &format!(
            "name = \"run\"\npairs = 6\nhash_mib = 1\nlines = {lines:?}\n[openings]\nfile = \"positions/openings.epd\"\n[limit]\nnodes = 100\n[adjudication]\nmax_moves = 30\n\
             [engine]\npolicy = \"ethereal\"\n"
        ),
    );
    scratch.done(&["tune", "run.toml", "--out", "out", "--no-gate"]);
    let parameters = scratch.read("out/parameters.txt");
    assert!(parameters.contains("\nbase, float, "), "{parameters}");
    assert!(parameters.contains("\nnull_move_eval_divisor, int, "), "{parameters}");
    scratch.done(&["openbench", "ethereal", "--tuned", "out/parameters.txt"]);
}

/// The engine's default is what it has built in, also where a project has another policy of that name.
#[test]
fn the_default_opponent_is_that_of_the_engine() {
    let scratch = Scratch::new();
    let house = scratch.read("configs/policies/house.toml");
    scratch.write(
        "configs/policies/house.toml",
        &house.replacen("value = 2.3", "value = 2.9", 1),
    );
    let form = form(&scratch, &["house", "--preset", "standard@-see_pruning"]);
    let sides = ["dev_options", "base_options"].map(|side| form[side].as_str().unwrap());
    let options = "Threads=1 Hash=16 Preset=standard@-see_pruning Policy=house";
    assert_eq!(sides, [&format!("{options}@divisor=2.9"), options]);
    assert_ne!(form["dev_nodes"], form["base_nodes"]);
    let tune = scratch.done(&["openbench", "house", "--preset", "standard@-see_pruning", "--spsa"]);
    assert!(
        tune.contains("lmrlab openbench house --preset standard@-see_pruning --tuned outputs.txt"),
        "{tune}"
    );
}

/// In a checkout, a policy can be committed.
#[test]
fn a_policy_that_is_not_built_in_has_to_be_committed() {
    let scratch = Scratch::new();
    let text = scratch
        .read("configs/policies/house.toml")
        .replace("child_cutoffs > 2", "child_cutoffs > 3");
    scratch.write("mine.toml", &text);
    insta::assert_snapshot!("openbench_not_built_in", scratch.refused(&["openbench", "mine.toml"]));
    scratch.write("configs/policies/mine.toml", &text);
    scratch.refused(&["openbench", "house", "mine"]);
    scratch.write("crates/engine/Cargo.toml", "");
    insta::assert_snapshot!("openbench_to_commit", scratch.done(&["openbench", "mine@base=0.5"]));
    scratch.write("configs/policies/my idea.toml", &text);
    insta::assert_snapshot!("openbench_space", scratch.refused(&["openbench", "my idea"]));
}

#[test]
fn wrong_input_is_refused() {
    let scratch = Scratch::new();
    let refused = |arguments: &[&str]| {
        let all: Vec<&str> = ["openbench"].iter().chain(arguments).copied().collect();
        scratch.refused(&all)
    };
    let mut said = Vec::new();
    for arguments in [
        &["cmd=stockfish"][..],
        &["policy=house tc=1+0.01"],
        &["housee"],
        &["house", "policy=house preset=standrad"],
        &["none", "--spsa"],
        &["house", "--spsa=bas,base,Policy.base,Search.base"],
    ] {
        said.push(refused(arguments));
    }
    for (name, text) in [
        ("number.txt", "Policy.base, 0.5\nPolicy.divisor, many\n"),
        (
            "unknown.txt",
            "# of another policy\nPolicy.bse, 0.5\nPolicy.w_king, 1\n",
        ),
        ("outside.txt", "Policy.base, 99\n"),
        ("empty.txt", "# nothing\n"),
    ] {
        scratch.write(name, text);
        said.push(refused(&["house", "--tuned", name]));
    }
    scratch.write("preset.txt", "Search.null_move_eval_divisor, 240\n");
    said.push(refused(&["house", "--tuned", "preset.txt", "--out", "mine.toml"]));
    scratch.write("mine.toml", "");
    scratch.write("good.txt", "Policy.base, 0.5\n");
    said.push(refused(&["house", "--tuned", "good.txt", "--out", "mine.toml"]));
    said.push(refused(&["house", "--tuned", "good.txt", "--out", "none.toml"]));
    insta::assert_snapshot!("openbench_refusals", said.join("\n"));
    for arguments in [
        &["house", "none", "--spsa"][..],
        &["house", "--spsa", "--r-end", "0"],
        &["house", "--r-end", "0.01"],
        &["house", "--out", "x.toml"],
        &["house", "--hash", "0"],
        &["house", "--tuned", "missing.txt"],
    ] {
        refused(arguments);
    }
}

/// Every parameter of `house` moved is more than OpenBench keeps; a file is not.
#[test]
fn options_that_are_too_long_become_a_file() {
    let scratch = Scratch::new();
    let inputs = form(&scratch, &["house", "--spsa"]);
    let moved: Vec<String> = inputs["spsa_inputs"]
        .as_str()
        .unwrap()
        .lines()
        .map(|line| {
            let columns: Vec<&str> = line.split(", ").collect();
            let [value, step] = [2, 5].map(|column: usize| columns[column].parse::<f64>().unwrap());
            format!("{}, {}", columns[0], value + 0.0123 * step)
        })
        .collect();
    scratch.write("outputs.txt", &moved.join("\n"));
    insta::assert_snapshot!(
        "openbench_too_long",
        scratch.refused(&["openbench", "house", "--tuned", "outputs.txt"])
    );
    let form = form(&scratch, &["house", "--tuned", "outputs.txt", "--out", "long.toml"]);
    assert_eq!(form["dev_options"], "Threads=1 Hash=16 Policy=long");
    scratch.done(&["policy", "check", "long.toml"]);
}
