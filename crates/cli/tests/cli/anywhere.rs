//! From an empty folder, with no project near: everything that is needed is built in.

use std::fs;
use std::path::Path;

use crate::scratch::{Scratch, kill, wait_until};

/// An idea that stands on its own.
const IDEA: &str = "name = \"my-idea\"\nwhen = \"depth >= 3 and quiet and not in_check\"\nreduce = \"1 + moves_searched / 8\"\n\
                    [finish]\nround = \"trunc\"\nfloor = 1\n";

fn with_idea() -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("my-idea.toml", IDEA);
    scratch
}

/// The paths of the files in a manifest, sorted.
fn recorded(scratch: &Scratch, folder: &str) -> Vec<String> {
    let manifest: toml::Table = scratch.read(&format!("{folder}/manifest.toml")).parse().unwrap();
    let files = manifest["file"].as_array().unwrap().iter();
    let mut paths: Vec<_> = files.map(|file| file["path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn a_match_of_an_idea_against_a_built_in_policy() {
    let scratch = with_idea();
    let text = scratch.done("match my-idea.toml mediocre-2007 --pairs 2 --nodes 200 --quiet");
    assert!(text.contains("mediocre-2007"), "{text}");
    assert_eq!(
        recorded(&scratch, "results/my-idea-vs-mediocre-2007"),
        [
            "built-in:configs/engines/standard.toml",
            "built-in:configs/policies/mediocre-2007.toml",
            "built-in:positions/book.epd",
            "my-idea.toml",
        ]
    );
}

#[test]
fn policies_and_presets_are_listed_shown_and_printed() {
    let scratch = with_idea();
    let list = scratch.done("policy list");
    assert!(list.starts_with("built-in:configs/policies\n  ethereal "), "{list}");
    assert!(list.contains("\n  house "), "{list}");
    assert!(scratch.done("preset list").contains("\n  standard "));
    let shown = scratch.done("policy show house@divisor=2.5");
    assert!(shown.contains("parameter divisor = 2.5"), "{shown}");
    let shipped =
        |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap();
    for (kind, name, path) in [
        ("policy", "house", "configs/policies/house.toml"),
        ("preset", "rebel", "configs/engines/rebel.toml"),
    ] {
        for reference in [name, path, &format!("built-in:{path}")] {
            let printed = scratch.ends(0, &[kind, "cat", reference]);
            assert_eq!(printed, (shipped(path), format!("# built-in:{path}\n")));
        }
    }
    let own = scratch.ends(0, "policy cat my-idea.toml");
    assert_eq!(own, (IDEA.to_owned(), "# my-idea.toml\n".to_owned()));
}

#[test]
fn the_lab_works_without_a_project() {
    let scratch = with_idea();
    scratch.done("bench my-idea.toml house --depth 3 --hash 1 --quiet");
    scratch.done("explain startpos --policy mediocre-2007 --depth 5");
    scratch.done("profile my-idea.toml --depth 3 --quiet");
    scratch.done("suite positions/tactics.epd none house --nodes 50 --hash 1 --quiet");
    scratch.done("openings check positions/openings.epd");
    scratch.done("openings make --count 2 --nodes 100 --move-nodes 50 --out mine.epd");
    let made = scratch.read("mine.epd");
    assert_eq!(made.lines().filter(|line| !line.starts_with('#')).count(), 2, "{made}");
    let small = "--measures nodes,suite,elo --suite-nodes 20 --pairs 1 --match-nodes 50 --depth 2 --hash 1 --quiet";
    let ablated = scratch.done(&format!("ablate rebel-starter {small}"));
    assert!(ablated.contains("-bad-history"), "{ablated}");
    let swept = scratch.done(&format!("sweep house --over divisor=2.0:2.3:0.3 {small}"));
    assert!(swept.contains("2.3"), "{swept}");
}

/// Kills a command when this file has more lines.
fn until(scratch: &Scratch, arguments: &str, file: &str, lines: usize) {
    let run = scratch.background(arguments).spawn().unwrap();
    wait_until(|| scratch.line_count(file) > lines);
    kill(run);
}

#[test]
fn built_in_runs_are_run_by_name_and_resumed() {
    let scratch = Scratch::empty();
    let games = "results/quickstart/games.csv";
    until(&scratch, "run quickstart --threads 1", games, 2);
    let files = recorded(&scratch, "results/quickstart");
    assert!(
        files.contains(&"built-in:configs/tournaments/quickstart.toml".to_owned()),
        "{files:?}"
    );
    assert!(files.iter().all(|path| path.starts_with("built-in:")), "{files:?}");
    // A file of the project that comes later does not change a run that began without it.
    scratch.write("configs/policies/mediocre-2007.toml", IDEA);
    let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    scratch.write("positions/openings.epd", opening);
    let lines = scratch.line_count(games);
    until(&scratch, "resume results/quickstart --threads 1", games, lines);
    assert_eq!(recorded(&scratch, "results/quickstart"), files);
    let shown = scratch.done("show results/quickstart");
    assert!(shown.contains("mediocre-2007"), "{shown}");

    let scratch = Scratch::empty();
    until(&scratch, "tune regain --threads 1", "results/regain/tuning.csv", 1);
    let files = recorded(&scratch, "results/regain");
    assert!(files.iter().all(|path| path.starts_with("built-in:")), "{files:?}");
    assert!(
        files.contains(&"built-in:configs/tuning/regain.toml".to_owned()),
        "{files:?}"
    );
}

#[test]
fn names_are_suggested_from_the_project_and_the_built_in_files() {
    let scratch = Scratch::empty();
    scratch.write("child.toml", "name = \"child\"\nextends = \"hose.toml\"\n");
    scratch.write("configs/policies/zebra.toml", IDEA);
    for (command, message) in [
        ("policy show hose", "did you mean `house`?"),
        ("bench house --preset standrad", "did you mean `standard`?"),
        ("run quickstar", "did you mean `quickstart`?"),
        ("tune logaritm", "did you mean `logarithm`?"),
        ("run xyzxyz", "there is no tournament `xyzxyz`"),
        ("run xyzxyz", "one of these: against-none, "),
        ("policy check child.toml", "did you mean `house.toml`?"),
        (
            "policy show built-in:configs/policies/none-such.toml",
            "is not built in",
        ),
        ("policy cat house@divisor=2.0", "lmrlab policy cat house"),
        ("policy show zebr", "did you mean `zebra`?"),
        ("policy show zebr", "house"),
    ] {
        let said = scratch.refused(command);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_new_project_works_and_its_files_win() {
    let scratch = Scratch::empty();
    let printed = scratch.done("init mine");
    insta::assert_snapshot!(printed);
    let again = scratch.refused("init mine");
    assert!(again.contains("exists already; nothing was written"), "{again}");
    let within = |arguments: &str| {
        let mut command = scratch.lmrlab(arguments);
        command.current_dir(scratch.path("mine/configs"));
        let output = command.assert().success().get_output().clone();
        (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (checked, warnings) = within("policy check my-idea house");
    assert_eq!(checked, "my-idea: my-idea is fine\nhouse: house is fine\n");
    assert_eq!(warnings, "");
    let (list, _) = within("policy list");
    assert!(list.starts_with("policies\n  my-idea "), "{list}");
    assert!(list.contains("\n\nbuilt-in:configs/policies\n  ethereal "), "{list}");

    // The tournament as written, but shorter.
    let tournament = "mine/configs/tournaments/my-tournament.toml";
    let short = scratch
        .read(tournament)
        .replace("pairs = 50", "pairs = 1")
        .replace("nodes = 5000", "nodes = 100");
    scratch.write(tournament, &short);
    scratch.write(
        "mine/configs/policies/mediocre-2007.toml",
        &IDEA.replace("my-idea", "mediocre-2007"),
    );
    scratch.write(
        "mine/configs/policies/child.toml",
        "name = \"child\"\nextends = \"house.toml\"\n[param]\ndivisor = { value = 2.6 }\n",
    );
    let (shown, _) = within("policy show child");
    assert!(
        shown.contains("parameter divisor = 2.6") && shown.contains("rule history"),
        "{shown}"
    );
    // Not beside it, but the project has a policy of this name.
    scratch.write(
        "mine/elder.toml",
        "name = \"elder\"\nextends = \"mediocre-2007.toml\"\n",
    );
    let reductions = |shown: String| shown.split("\"reductions\"").nth(1).unwrap().to_owned();
    let (elder, _) = within("policy show ../elder.toml --json");
    let own = within("policy show mediocre-2007 --json").0;
    let elder = reductions(elder);
    assert_eq!(elder, reductions(own));
    let built_in = within("policy show built-in:configs/policies/mediocre-2007.toml --json").0;
    assert_ne!(elder, reductions(built_in));
    let (_, origin) = within("policy cat mediocre-2007");
    assert_eq!(origin, "# policies/mediocre-2007.toml\n");
    within("run my-tournament --quiet");
    assert_eq!(
        recorded(&scratch, "mine/results/my-tournament"),
        [
            "built-in:configs/engines/standard.toml",
            "built-in:configs/policies/none.toml",
            "built-in:positions/openings.epd",
            "configs/policies/mediocre-2007.toml",
            "configs/policies/my-idea.toml",
            "configs/tournaments/my-tournament.toml",
        ]
    );
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let scratch = Scratch::empty();
    let help = scratch.done("--help");
    let groups = help.lines().skip_while(|line| *line != "Play:");
    let commands: Vec<&str> = (groups.take_while(|line| *line != "Common options:"))
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"match") && commands.contains(&"man"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = scratch.done(&format!("completions {shell}"));
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    scratch.done("man share/man1");
    for command in &commands {
        let page = scratch.read(&format!("share/man1/lmrlab-{command}.1"));
        assert!(page.starts_with(".ie"), "{page}");
    }
    assert!(scratch.read("share/man1/lmrlab.1").contains("lmrlab\\-match(1)"));
}

#[test]
fn the_version_names_the_commit_where_it_is_known() {
    let text = Scratch::empty().done("--version");
    let version = env!("CARGO_PKG_VERSION");
    let rest = text.trim_end().strip_prefix(&format!("lmrlab {version}")).unwrap();
    if !rest.is_empty() {
        let commit = rest
            .strip_prefix(" (commit ")
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap();
        let digits = commit.strip_suffix("-dirty").unwrap_or(commit);
        assert!(
            digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{text}"
        );
    }
}

#[test]
fn results_go_where_the_next_command_looks() {
    let scratch = with_idea();
    scratch.write(
        "other/configs/policies/plain.toml",
        "name = \"plain\"\nreduce = \"1\"\n",
    );
    scratch.write(
        "other/configs/tournaments/small.toml",
        "name = \"small\"\nformat = \"match\"\npairs = 1\n[limit]\nnodes = 50\n[adjudication]\nmax_moves = 5\n\
         [[engine]]\npolicy = \"plain\"\n[[engine]]\npolicy = \"none\"\n",
    );
    fs::create_dir(scratch.path("here")).unwrap();
    let within = |arguments: &str| {
        let mut command = scratch.lmrlab(arguments);
        let output = command.current_dir(scratch.path("here")).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let said = within("run ../other/configs/tournaments/small.toml --quiet");
    assert!(said.contains("Results are in results/small\n"), "{said}");
    assert!(within("show results/small").contains("plain vs none"));
    assert!(!scratch.path("other/results").exists());
}
