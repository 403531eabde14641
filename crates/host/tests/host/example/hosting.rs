//! The example as a host: options, ladders, traces, shadow searches; the same nodes twice.

use lmrlab_host::Units;
use tempfile::TempDir;

use super::engine::{Session, compiled, example};
use crate::policies::{file_of, own_policy, shipped};

#[test]
fn a_policy_changes_the_search_until_it_is_taken_away() {
    let Some(engine) = example() else { return };
    let folder = TempDir::new().unwrap();
    let house = file_of(&shipped("house"), Units::Lmrlab, &folder);
    let mut session = engine.start();
    let nodes = |session: &mut Session, option: &str| {
        if !option.is_empty() {
            let answers = session.ask(option, "info string lmrlab-host");
            assert!(!answers[0].contains("error"), "{answers:?}");
        }
        session.tell("ucinewgame");
        session.tell("position startpos");
        let answers = session.ask("go depth 7", "bestmove");
        let line = answers
            .iter()
            .rev()
            .find(|line| line.starts_with("info depth 7 "))
            .unwrap();
        let words: Vec<_> = line.split(' ').skip_while(|word| *word != "nodes").take(2).collect();
        words[1].parse::<u64>().unwrap()
    };
    let own = nodes(&mut session, "");
    let by_house = nodes(&mut session, &format!("setoption name LmrPolicy value {house}"));
    let changed = nodes(&mut session, "setoption name LmrParams value base=-0.5");
    assert!(by_house < own && by_house < changed, "{by_house} {own} {changed}");
    assert_eq!(nodes(&mut session, "setoption name LmrParams value <empty>"), by_house);
    assert_eq!(nodes(&mut session, "setoption name LmrPolicy value <empty>"), own);
    session.quit();
}

#[test]
fn the_ladder_by_score_searches_deeper() {
    let Some(engine) = example() else { return };
    let folder = TempDir::new().unwrap();
    let policy = |name: &str, research: &str| {
        let text = own_policy().replace("\"own\"", &format!("\"{name}\"")) + "\n[research]\n" + research;
        compiled(&folder, &text)
    };
    let nodes = |path: &str| engine.bench_nodes(Some(5), &[("LmrPolicy", path)]);
    let plain = nodes(&compiled(&folder, &own_policy()));
    let never = policy("never", "ladder = \"by_score\"\ndeeper = \"score > 30000\"\n");
    let deeper = policy(
        "deeper",
        "ladder = \"by_score\"\ndeeper = \"score > best_score + 10\"\n",
    );
    let shallower = policy(
        "shallower",
        "ladder = \"by_score\"\nshallower = \"score < best_score + 1000\"\n",
    );
    let taught = policy("taught", "updates_history = true\n");
    assert_eq!(nodes(&never), plain);
    assert!(nodes(&deeper) != plain && nodes(&shallower) != plain && nodes(&taught) != plain);
    let unknown = policy("unknown", "ladder = \"step_up\"\n");
    let text = engine.bench(Some(1), &[("LmrPolicy", &unknown)]);
    assert!(text.contains("it leaves out the rest of [research]"), "{text}");
}

#[test]
fn the_same_search_twice_has_the_same_nodes() {
    let Some(engine) = example() else { return };
    let mut session = engine.start();
    let mut search = |options: &str| {
        session.tell(options);
        session.tell("position startpos moves d2d4 d7d5 c2c4");
        let answers = session.ask("go nodes 30000", "bestmove");
        let without_times = |line: &String| line.split(" nps ").next().unwrap_or_default().to_owned();
        let moves = |line: &String| line.split(" pv ").nth(1).map(str::to_owned);
        answers
            .iter()
            .map(|line| (without_times(line), moves(line)))
            .collect::<Vec<_>>()
    };
    let first = search("ucinewgame");
    let warm = search("isready");
    let again = search("ucinewgame");
    assert_eq!(first, again);
    assert_ne!(first, warm, "the table is full of the first search");
    session.quit();
}

#[test]
#[cfg(unix)]
fn a_search_ends_when_it_is_told_to() {
    let Some(engine) = example() else { return };
    let mut session = engine.start();
    session.tell("position startpos");
    session.tell("go infinite");
    session.ask("isready", "readyok");
    let answers = session.ask("stop", "bestmove");
    assert!(answers.len() < 200);
    // No engine has to expect a command here, but it must not be deaf afterwards.
    session.tell("go infinite");
    session.ask("setoption name Hash value 1", "bestmove");
    session.tell("go infinite");
    session.quit();
}
