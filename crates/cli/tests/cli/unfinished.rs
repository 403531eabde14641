//! `lmrlab ablate`, `sweep` and `trial` that were interrupted or killed, and are resumed.

use crate::scratch::{Scratch, kill, wait_until};

/// Two rules and a parameter.
pub(crate) const POLICY: &str = r#"
name = "small"
when = "depth >= 3 and moves_searched >= 2 and quiet"
reduce = "base + ln(depth) * ln(move_number) / 2"
[param]
base = { value = 0.5, min = 0.0, max = 2.0 }
[[rule]]
name = "check"
when = "gives_check"
add = "-1"
[[rule]]
name = "late"
when = "moves_searched >= 6"
add = "1"
"#;

const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"mate\";\n\
    r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";\n";

const CONDITIONS: &str = "--positions suite.epd --depth 4 --pairs 8 --match-nodes 100 --hash 1 \
                          --openings positions/openings.epd --seed 3 --quiet";

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("small.toml", POLICY);
    scratch.write("suite.epd", SUITE);
    scratch
}

fn ablate() -> String {
    format!("ablate small.toml --pairs-of-rules --suite suite.epd --suite-nodes 200 {CONDITIONS}")
}

fn sweep() -> String {
    format!("sweep small.toml --over base=0:1:0.5 --measures nodes,elo {CONDITIONS}")
}

const TRIAL: &str = "trial small.toml --change base=0.6 --search=-null_move --idea cut-node-more --pairs 16 --nodes 100 --hash 1 \
                     --openings positions/openings.epd --quiet";

/// Kills a command as soon as its journal has this many lines.
fn killed(scratch: &Scratch, words: &str, journal: &str, lines: usize) {
    let child = scratch.background(words).spawn().unwrap();
    wait_until(|| scratch.line_count(journal) > lines);
    kill(child);
}

#[test]
fn a_killed_comparison_is_resumed_to_the_same_files() {
    for (command, file) in [
        (ablate(), "ablation.csv"),
        (sweep(), "sweep.csv"),
        (TRIAL.to_owned(), "trial.csv"),
    ] {
        let scratch = project();
        let shown = scratch.done(&format!("{command} --out whole"));
        let begun = format!("{command} --out killed --threads 1");
        killed(&scratch, &begun, "killed/games.csv", 9);
        assert!(
            !scratch.path(&format!("killed/{file}")).exists(),
            "killed before it was finished"
        );
        let complaint = scratch.refused(&begun);
        assert!(complaint.contains("`lmrlab resume killed` resumes it"), "{complaint}");
        // What the run began with counts, whatever the file says now.
        scratch.write("small.toml", &POLICY.replace("add = \"-1\"", "add = \"-2\""));
        // From a folder in which none of its files are.
        scratch.write("elsewhere/note.txt", "no suite is here");
        let mut resume = scratch.lmrlab("resume ../killed --threads 2 --quiet");
        let resumed = resume.current_dir(scratch.path("elsewhere")).assert().success();
        let resumed = String::from_utf8(resumed.get_output().stdout.clone()).unwrap();
        assert_eq!(resumed.replace("../killed", "whole"), shown);
        for file in ["games.csv", file] {
            assert_eq!(
                scratch.read(&format!("killed/{file}")),
                scratch.read(&format!("whole/{file}")),
                "{command:?}"
            );
        }
        // The rows are shown as they were printed, and then the games.
        let table = shown.split("\nResults are").next().unwrap().trim_end();
        let again = scratch.done("show killed");
        assert!(again.starts_with(table), "{again}\n{shown}");
        assert!(again.contains("Elo"), "{again}");
        scratch.done("report killed");
    }
}

#[test]
fn the_page_of_a_comparison_is_named_once() {
    let scratch = project();
    let said = scratch.warned(&format!("{} --out rows --report", sweep()));
    assert_eq!(said.matches("The page is ").count(), 1, "{said}");
    assert!(scratch.read("rows/report.html").contains("sweep"));
}

#[test]
fn a_trial_that_is_replaced_leaves_no_setting_behind() {
    let scratch = project();
    let played = |more: &str| scratch.done(&format!("{TRIAL} --out ideas --force {more}"));
    let settings = || -> Vec<String> {
        let table = scratch.read("ideas/trial.csv");
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let mut presets: Vec<String> = rows.records().map(|row| row.unwrap()[2].to_owned()).collect();
        presets.dedup();
        presets.sort();
        presets.dedup();
        presets
    };
    // The run of a single trial does not hide the settings.
    played("");
    assert!(scratch.path("ideas/manifest.toml").exists());
    let shown = played("--presets minimal,standard");
    assert!(!scratch.path("ideas/manifest.toml").exists());
    assert!(shown.starts_with(&scratch.done("show ideas")), "{shown}");
    // Nor do settings that the trial does not have any more count.
    let shown = played("--presets standard");
    assert!(shown.starts_with(&scratch.done("show ideas")), "{shown}");
    assert_eq!(settings(), ["standard"]);
    assert!(scratch.path("ideas/01-standard-100").is_dir());
    assert!(!scratch.path("ideas/01-minimal-100").exists() && !scratch.path("ideas/02-standard-100").exists());
}

#[test]
fn a_trial_in_several_settings_is_resumed_as_a_whole() {
    let scratch = project();
    let command = |folder| format!("{TRIAL} --presets standard,minimal --out {folder}");
    let shown = scratch.done(&command("whole"));
    let begun = format!("{} --threads 1", command("killed"));
    killed(&scratch, &begun, "killed/01-standard-100/tuning.csv", 4);
    assert!(scratch.path("killed/02-minimal-100/manifest.toml").exists());
    assert!(scratch.refused(&command("killed")).contains("holds runs already"));
    let resumed = scratch.done("resume killed --quiet");
    assert_eq!(resumed.replace("killed", "whole"), shown);
    assert_eq!(scratch.read("killed/trial.csv"), scratch.read("whole/trial.csv"));
    assert!(shown.starts_with(&scratch.done("show killed")));
    scratch.done("report killed");
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    use crate::scratch::signal;

    let scratch = project();
    let long = sweep().replace("--pairs 8", "--pairs 800");
    let child = scratch
        .background(&format!("{long} --out rows --threads 1"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| scratch.line_count("rows/games.csv") > 4);
    assert!(signal(&child, "INT"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("`lmrlab resume rows` resumes it."), "{said}");
}
