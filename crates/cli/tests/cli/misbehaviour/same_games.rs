//! External and in-process engines play the same games on any number of threads.

use super::trouble::{engine, gauntlet, play};
use crate::scratch::Scratch;

#[test]
fn engines_of_both_kinds_on_any_number_of_threads_play_the_same_games() {
    let scratch = Scratch::new();
    let text = gauntlet("nodes = 300", &[engine("hub", "behave")]).replace("pairs = 1", "pairs = 4")
        + "[[engine]]\npolicy = \"none\"\n[[engine]]\nname = \"second\"\npolicy = \"micromax-4\"\nlimit = { nodes = 150 }\n";
    let mut journals = Vec::new();
    for threads in ["1", "2", "8"] {
        play(&scratch, &text.replace("threads = 8", &format!("threads = {threads}")));
        journals.push(scratch.read("out/games.csv"));
    }
    assert_eq!(journals[0], journals[1]);
    assert_eq!(journals[0], journals[2]);
    // And the move list that is sent makes no difference to an engine that looks at the position alone.
    let rebased = text.replace(
        "[[engine]]\nname = \"hub\"\n",
        "[[engine]]\nname = \"hub\"\nmove_list = \"rebased\"\nrestart = \"game\"\n",
    );
    assert_ne!(rebased, text);
    play(&scratch, &rebased);
    assert_eq!(scratch.read("out/games.csv"), journals[0]);
}
