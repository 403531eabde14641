//! Hosts: engines of others that play policies.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::scratch::{OPENINGS, Scratch, misbehaving_engine};

/// Words of a host with this habit.
fn host(habit: &str, more: &str) -> String {
    format!("cmd={} args='behave --host {habit} {more}'", misbehaving_engine())
}

/// A project with the temporary folder `tmp`.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("tmp")).unwrap();
    scratch
}

fn lmrlab(scratch: &Scratch, command: &str) -> Command {
    let mut lmrlab = scratch.lmrlab(command);
    lmrlab.env("TMPDIR", scratch.path("tmp"));
    lmrlab
}

/// The standard error of a command that must succeed and leave no temporary file.
#[track_caller]
fn done(scratch: &Scratch, command: &str) -> String {
    let output = lmrlab(scratch, command).assert().success().get_output().clone();
    assert_eq!(fs::read_dir(scratch.path("tmp")).unwrap().count(), 0);
    String::from_utf8(output.stderr).unwrap()
}

/// What a command says that must write nothing.
#[track_caller]
fn refused(scratch: &Scratch, command: &str) -> String {
    scratch.refused(command).replace(misbehaving_engine(), "ENGINE")
}

/// The errors and the advice of what was said, without places, hashes and lists of policies.
fn messages(said: &str) -> String {
    let lines = said
        .lines()
        .filter(|line| !line.contains(" | ") && !line.contains("-->") && line.trim() != "|");
    let without_hash = |word: &str| match word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => "HASH".to_owned(),
        false => word.to_owned(),
    };
    let lines = lines.map(|line| {
        let line = line.split("the policies are: ").next().unwrap();
        line.split(' ').map(without_hash).collect::<Vec<_>>().join(" ") + "\n"
    });
    lines.collect()
}

/// A short match; `more` are options.
fn match_(engines: &[&str], more: &str) -> String {
    let engines: String = engines.iter().map(|engine| format!("\"{engine}\" ")).collect();
    format!("match {engines}--pairs 2 --nodes 50 --maxmoves 8 --openings {OPENINGS} {more}")
}

#[test]
fn policies_play_in_a_host() {
    let scratch = scratch();
    let log = scratch.path("log").display().to_string();
    let one = format!(
        "{} policy=house@base=0.9,-gives-check",
        host("right", &format!("--log {log}"))
    );
    let other = format!("{} policy=none", host("right", ""));
    // The environment of the user says nothing about what is played.
    let command = match_(&[&one, &other], "--out out --threads 1 --report");
    let mut command = lmrlab(&scratch, &command);
    command.env("LmrPolicy", "mine.lmr").assert().success();
    let log = scratch.read("log");
    let paths = log
        .lines()
        .filter_map(|line| line.strip_prefix("name LmrPolicy value "));
    let paths: Vec<&str> = paths.collect();
    assert_eq!(paths.len(), 2, "the first handshake, and one process: {paths:?}");
    assert!(Path::new(paths[0]).is_absolute() && !log.contains("environment"));
    assert_eq!(fs::read_dir(scratch.path("tmp")).unwrap().count(), 0);
    let games = scratch.journal("out/games.csv");
    assert!(games.iter().all(|game| game.fault.is_empty()));
    let name = "misbehaving-engine/house@base=0.9,-gives-check";
    assert_eq!(
        (games[0].white.as_str(), games[0].black.as_str()),
        (name, "misbehaving-engine/none")
    );
    assert!(scratch.read("out/games.pgn").contains(&format!("[White \"{name}\"]")));
    let manifest: toml::Table = scratch.read("out/manifest.toml").parse().unwrap();
    let engine = &manifest["tournament"]["engine"][0];
    assert_eq!(engine["policy"].as_str(), Some("house@base=0.9,-gives-check"));
    let compiled = lmrlab_results::sha256::sha256(&scratch.done("policy compile house@base=0.9,-gives-check"));
    assert_eq!(engine["compiled"].as_str(), Some(compiled.as_str()));
    let files = manifest["file"].as_array().unwrap();
    let recorded = |path: &str| files.iter().any(|file| file["path"].as_str() == Some(path));
    assert!(recorded("configs/policies/house.toml") && recorded("configs/policies/none.toml"));
    let page = scratch.read("out/report.html");
    assert!(page.contains(", policy house@base=0.9,-gives-check"));
    assert!(scratch.done("show out").contains(name));
}

#[test]
fn what_cannot_play_a_policy_is_refused_before_the_first_game() {
    let scratch = scratch();
    let mut said = String::new();
    let no_host = format!("cmd={} args=behave name=plain", misbehaving_engine());
    let habits = ["other-version", "no-hello", "wrong-hash", "refuse", "silent"];
    let mut engines: Vec<String> = habits.iter().map(|habit| host(habit, "")).collect();
    engines.extend([
        no_host,
        host("right", "--facts depth,quiet"),
        host("refuse", "--facts depth,quiet"),
    ]);
    for engine in engines {
        let engine = format!("{engine} policy=logarithm");
        said += &refused(&scratch, &match_(&[&engine, "none"], "--out out"));
    }
    insta::assert_snapshot!(messages(&said));
}

/// A policy with facts of one host alone.
const WITH_OWN_FACTS: &str = "name = \"mine\"\nwhen = \"depth >= 3 and hidden_flag\"\nreduce = \"1 + hidden_number\"\n\
                              [host]\nflags = [\"hidden_flag\"]\nnumbers = [\"hidden_number\"]\n";

#[test]
fn a_policy_with_facts_of_a_host_alone_plays_there_and_nowhere_else() {
    let scratch = scratch();
    scratch.write("mine.toml", WITH_OWN_FACTS);
    let log = scratch.path("log").display().to_string();
    let fills = |facts: &str| host("right", &format!("--log {log} --facts depth,{facts}"));
    let right = fills("flag:hidden_flag,number:hidden_number");
    let play = |host: &str| match_(&["mine.toml", "own"], &format!("--host \"{host}\" --out out"));
    done(&scratch, &play(&right));
    let games = scratch.journal("out/games.csv");
    assert_eq!(games[0].white, "misbehaving-engine/mine");
    assert!(games.iter().all(|game| game.fault.is_empty()));
    assert!(scratch.read("log").contains("reads mine "));
    done(&scratch, "resume out");
    for (facts, missing) in [
        ("flag:hidden_flag", "`number:hidden_number`"),
        // A flag is no number.
        ("flag:hidden_flag,flag:hidden_number", "`number:hidden_number`"),
        ("quiet", "`flag:hidden_flag`, `number:hidden_number`"),
    ] {
        let said = refused(&scratch, &play(&fills(facts)).replace("--out out", "--out no"));
        let expected = format!("the policy reads facts that the engine does not fill: {missing}\n");
        assert!(said.contains(&expected), "{said}");
    }
    let said = refused(&scratch, &match_(&["mine.toml", "none"], "--out no"));
    assert!(said.contains("this policy reads facts of another engine"), "{said}");
}

#[test]
fn a_wrong_answer_at_a_later_start_is_a_fault() {
    let scratch = scratch();
    for (habit, fault) in [
        ("wrong-hash", "it says that it plays another one: `policy other 00ff -`"),
        (
            "other-version",
            "its header is of version 7, and this lmrlab speaks version 1",
        ),
    ] {
        let after = format!("--after {}", scratch.path(&format!("{habit}-mark")).display());
        let engine = format!("{} policy=house name=bad restart=game", host(habit, &after));
        done(&scratch, &match_(&[&engine, "none"], &format!("--out {habit}")));
        let games = scratch.journal(&format!("{habit}/games.csv"));
        assert_eq!(games.len(), 4);
        for game in games {
            assert_eq!(game.fault, format!("cannot play the policy `house`: {fault}"));
        }
    }
}

#[test]
fn a_match_has_a_host_for_its_policies() {
    let scratch = scratch();
    let words = host("right", "");
    let in_host = |engines: [&str; 2], out: &str| match_(&engines, &format!("--host \"{words}\" --out {out}"));
    done(&scratch, &in_host(["house", "own"], "out"));
    let game = &scratch.journal("out/games.csv")[0];
    assert_eq!(game.white, "misbehaving-engine/house");
    assert_eq!(game.black, "misbehaving-engine/own");
    let warned = done(&scratch, &in_host(["micromax-4", "madchess-2.0"], "warned"));
    insta::assert_snapshot!(
        "what_hosts_play_in_their_own_way",
        warned.lines().take(2).collect::<Vec<_>>().join("\n")
    );
    let timed =
        format!("match house \"{words} policy=own\" --host \"{words}\" --pairs 1 --tc 1+0.1 --maxmoves 2 --out timed");
    let warned = done(&scratch, &timed);
    let warning = "warning: `misbehaving-engine/house` reads its policy while it plays";
    assert!(warned.contains(warning), "{warned}");
    // A preset of an engine's own is that of the project's own engine.
    done(&scratch, &in_host(["house", "policy=none preset=minimal"], "mixed"));
    assert_eq!(scratch.journal("mixed/games.csv")[0].black, "none");
    let mut said = String::new();
    for (engines, words) in [
        (["house", "none"], format!("{words} name=x tc=1+1")),
        (["house", "none"], "args=x".to_owned()),
        (["house", "none"], "cmd=./nowhere".to_owned()),
        (["policy=house preset=minimal", "cmd=ls"], words.clone()),
        (["hous", "own@base=1"], words.clone()),
        (["policy=house ordering=own", "none"], words.clone()),
        (["house", "none"], format!("{words} option.LmrParams=base=1")),
        (["house", "none"], format!("{words} policy=none")),
    ] {
        said += &refused(&scratch, &match_(&engines, &format!("--host \"{words}\" --out no")));
        said += "\n";
    }
    insta::assert_snapshot!("hosts_that_are_refused", messages(&said));
    let said = refused(&scratch, &in_host(["house", "none"], "no --preset minimal"));
    assert!(said.contains("cannot be used with"), "{said}");
}

/// A tournament of three policies in a host.
fn file(host: &str, engines: &[&str]) -> String {
    let engines: String = engines.iter().map(|keys| format!("[[engine]]\n{keys}\n")).collect();
    format!(
        "name = \"t\"\nformat = \"round_robin\"\npairs = 2\nhash_mib = 1\n[openings]\nfile = \"{OPENINGS}\"\n[limit]\nnodes = 50\n\
         [adjudication]\nmax_moves = 8\n[host]\n{host}\n{engines}"
    )
}

fn program() -> String {
    format!(
        "command = {:?}\nargs = [\"behave\", \"--host\", \"right\"]",
        misbehaving_engine()
    )
}

const POLICIES: [&str; 3] = ["policy = \"house\"", "policy = \"house@base=0.9\"", "policy = \"own\""];

#[test]
fn a_tournament_file_has_a_host() {
    let scratch = scratch();
    scratch.write("t.toml", &file(&program(), &POLICIES));
    done(&scratch, "run t.toml --out out");
    let games = scratch.journal("out/games.csv");
    assert_eq!(games[0].white, "misbehaving-engine/house");
    assert_eq!(games[0].black, "misbehaving-engine/house@base=0.9");
    // Another policy plays other moves.
    assert_ne!(games[0].moves, games[1].moves);
    let mut said = String::new();
    for (host, engines) in [
        ("args = []".to_owned(), &POLICIES[..]),
        (program(), &["policy = \"house\"", "name = \"x\""]),
        (
            program(),
            &["policy = \"house\"\ncommand = \"ls\"\ncompiled = \"00\"", POLICIES[2]],
        ),
    ] {
        scratch.write("t.toml", &file(&host, engines));
        said += &refused(&scratch, "run t.toml --out no");
        said += "\n";
    }
    insta::assert_snapshot!("host_tables_that_are_refused", messages(&said));
    fs::copy(
        scratch.path("configs/policies/none.toml"),
        scratch.path("configs/policies/own.toml"),
    )
    .unwrap();
    scratch.write("t.toml", &file(&program(), &POLICIES));
    let said = refused(&scratch, "run t.toml --out no");
    assert!(
        said.contains("`own` is the host's own scheme, and there is a policy of that name"),
        "{said}"
    );
}

#[test]
fn a_run_of_hosts_is_resumed_with_the_policy_that_it_began_with() {
    let scratch = scratch();
    scratch.write("t.toml", &file(&program(), &POLICIES));
    done(&scratch, "run t.toml --out whole");
    // As if it was killed after its third pair.
    let games = scratch.read("whole/games.csv");
    let cut: String = games.lines().take(7).map(|line| format!("{line}\n")).collect();
    scratch.write("whole/games.csv", &cut);
    let house = scratch.read("configs/policies/house.toml");
    scratch.write(
        "configs/policies/house.toml",
        &house.replace("reduce", "# changed\nreduce"),
    );
    done(&scratch, "resume whole");
    assert_eq!(scratch.read("whole/games.csv"), games);
    // A version of lmrlab that writes another file for the host cannot go on with it.
    let manifest = scratch.read("whole/manifest.toml");
    let (text, _) = manifest.rsplit_once('#').unwrap();
    let at = text.find("compiled = \"").unwrap() + "compiled = \"".len();
    scratch.write(
        "whole/manifest.toml",
        &format!("{}{}{}", &text[..at], "0".repeat(64), &text[at + 64..]),
    );
    let said = refused(&scratch, "resume whole");
    assert!(
        said.contains("hosts would now read another file for this policy"),
        "{said}"
    );
}

/// The hash of a policy.
fn hash(scratch: &Scratch, policy: &str) -> String {
    let text = scratch.done(&format!("policy compile {policy}"));
    text.lines().next().unwrap().rsplit(' ').next().unwrap().to_owned()
}

#[test]
fn parameters_of_a_policy_are_tuned_in_a_host() {
    let scratch = scratch();
    let log = scratch.path("log").display().to_string();
    let words = host("right", &format!("--log {log}"));
    let short = "--pairs 4 --nodes 50 --threads 1 --no-gate --quiet --out out";
    done(&scratch, &format!("tune logarithm@base=1.5 {short} --host \"{words}\""));
    let mut rows = csv::Reader::from_path(scratch.path("out/tuning.csv")).unwrap();
    let headers = rows.headers().unwrap().clone();
    let log = scratch.read("log");
    let mut played = 0;
    for row in rows.records().map(Result::unwrap) {
        for side in ["first", "second"] {
            let values = headers.iter().zip(&row).filter_map(|(header, value)| {
                let name = header.strip_prefix(side)?.strip_prefix(':')?;
                Some(format!("{name}={value}"))
            });
            let policy = format!("logarithm@{}", values.collect::<Vec<_>>().join(","));
            let read = format!("reads logarithm {}\n", hash(&scratch, &policy));
            assert!(log.contains(&read), "{policy}: {log}");
            played += 1;
        }
    }
    assert_eq!(played, 8);
    let manifest: toml::Table = scratch.read("out/manifest.toml").parse().unwrap();
    assert_eq!(
        manifest["tuning"]["engine"]["policy"].as_str(),
        Some("logarithm@base=1.5")
    );
    assert!(manifest["tuning"]["engine"]["compiled"].is_str());
    done(&scratch, "resume out");
    let run = format!(
        "name = \"t\"\npairs = 4\n[openings]\nfile = \"{OPENINGS}\"\n[limit]\nnodes = 50\n[engine]\n{}\npolicy = \"house\"\n\
         [[parameter]]\nname = \"bas\"\n",
        program()
    );
    scratch.write("run.toml", &run);
    let said = refused(&scratch, "tune run.toml --out no");
    assert!(said.contains("did you mean `base`?"), "{said}");
}

/// A policy with a rule that is off, and a parameter that hides a fact.
const HIDING: &str = "name = \"hiding\"\nwhen = \"depth >= 3\"\nreduce = \"1 + hidden * ply\"\n[param]\nhidden = { value = 0, min = 0, max = 1 }\n\
                      [[rule]]\nname = \"killers\"\nwhen = \"killer\"\nadd = \"-1\"\nenabled = false\n";

#[test]
fn ideas_are_tried_in_hosts_beside_presets() {
    let scratch = scratch();
    scratch.write("hiding.toml", HIDING);
    let words = host("right", "");
    let trial = |words: &str, more: &str| {
        let changes = "--change=+killers --change=hidden=1";
        format!("trial hiding.toml {changes} --pairs 8 --nodes 50 --quiet --host \"{words}\" {more}")
    };
    let said = done(
        &scratch,
        &trial(&words, "--presets standard --search=-killers --out out"),
    );
    let program = "misbehaving-engine";
    assert!(
        said.contains("note: left out at misbehaving-engine 50, which has a search of its own: killers off"),
        "{said}"
    );
    let has = |folder: &str, idea: &str, setting: &str| {
        let csv = scratch.read(&format!("{folder}/trial.csv"));
        csv.lines().any(|line| line.starts_with(idea) && line.contains(setting))
    };
    assert!(has("out", "+killers", program) && has("out", "hidden=1", program));
    assert!(has("out", "-killers", "standard") && !has("out", "-killers", program));
    done(&scratch, &trial(&words, "--out alone"));
    assert!(scratch.read("alone/trial.csv").contains(program));
    // An idea that reads a fact which the host does not fill is left out, and an error in the only setting.
    let few = host("right", "--facts depth,quiet,ply");
    let said = refused(&scratch, &trial(&few, "--out no"));
    let left_out = "note: left out at misbehaving-engine 50, which does not fill killer: killers on\n";
    assert!(said.contains(left_out), "{said}");
    assert!(
        said.contains("error: the idea `killers on` changes nothing in any setting"),
        "{said}"
    );
    let said = done(&scratch, &trial(&few, "--presets standard --out several"));
    assert!(said.contains(left_out), "{said}");
    assert!(has("several", "hidden=1", program) && has("several", "hidden=1", "standard"));
    assert!(!has("several", "+killers", program) && has("several", "+killers", "standard"));
    // The policy itself is another matter.
    let no_depth = host("right", "--facts quiet,ply,killer");
    for (command, complaint) in [
        (
            trial(&no_depth, "--out no"),
            "cannot play the policy `hiding`: the policy reads facts that the engine does not fill: `depth`\n",
        ),
        (
            trial(&words, "--search=-killers --out no"),
            "the policy plays in hosts alone",
        ),
        (
            trial(&words, "--host cmd=ls --host cmd=ls --out no"),
            "two settings are called `ls`",
        ),
    ] {
        let said = refused(&scratch, &command);
        assert!(said.contains(complaint), "{said}");
    }
}

#[test]
fn variants_play_in_a_host() {
    let scratch = scratch();
    scratch.write("hiding.toml", HIDING);
    let in_host = |command: &str| format!("{command} --pairs 2 --match-nodes 50 --host \"{}\"", host("right", ""));
    let sweep = "sweep hiding.toml --over hidden=0:1:0.5";
    done(&scratch, &in_host(&format!("{sweep} --measures elo --out swept")));
    assert_eq!(scratch.read("swept/sweep.csv").lines().count(), 4);
    let manifest = scratch.read("swept/manifest.toml");
    assert_eq!(manifest.matches("compiled = ").count(), 4);
    done(&scratch, "resume swept");
    let ablate = "ablate hiding.toml --additions --measures elo,nodes --depth 3 --out ablated";
    done(&scratch, &in_host(ablate));
    assert_eq!(scratch.read("ablated/ablation.csv").lines().count(), 3);
    for (command, complaint) in [
        (
            "sweep hiding.toml --over null_move=off,on --measures elo --out no",
            "changes the search, and a host has a search of its own",
        ),
        (
            &format!("{sweep} --measures nodes"),
            "`--host` is where games are played",
        ),
    ] {
        let said = refused(&scratch, &in_host(command));
        assert!(said.contains(complaint), "{said}");
    }
}
