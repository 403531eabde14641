//! The options of fastchess and cutechess, and how each is translated.

/// How an option is translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Translated,
    /// Without it the games are the same. The text says what lmrlab does instead.
    Note(&'static str),
    /// Without it the games are different. The text says what lmrlab offers instead.
    Error(&'static str),
}

use Fate::{Error, Note, Translated};

const PROGRESS: &str = "lmrlab shows progress as a bar, or in a file or a pipe as a line every 5 seconds";
const PLAYS_NO_GAMES: &str = "plays no games, so there is nothing to translate";

/// The options of fastchess, and those that only cutechess has.
pub(super) const OPTIONS: [(&str, Fate); 59] = [
    ("engine", Translated),
    ("each", Translated),
    ("quick", Translated),
    ("concurrency", Translated),
    (
        "force-concurrency",
        Note("lmrlab plays as many games at a time as `--threads` says"),
    ),
    ("rounds", Translated),
    ("games", Translated),
    ("repeat", Translated),
    ("sprt", Translated),
    ("tournament", Translated),
    ("seeds", Note("with two engines it changes nothing")),
    ("variant", Translated),
    (
        "noswap",
        Error("lmrlab plays each opening with both colours; leave the option out"),
    ),
    (
        "reverse",
        Note("each opening is played with both colours; lmrlab begins with White for the first engine"),
    ),
    ("wait", Note("lmrlab begins the next game at once")),
    ("draw", Translated),
    ("resign", Translated),
    ("maxmoves", Translated),
    ("tb", Translated),
    ("tbpieces", Translated),
    ("tbignore50", Translated),
    ("tbadjudicate", Translated),
    ("openings", Translated),
    ("bookmode", Note("lmrlab reads the whole file of openings")),
    ("srand", Translated),
    ("pgnout", Translated),
    (
        "epdout",
        Note("lmrlab writes no final positions; games.pgn in the folder of the results has the games"),
    ),
    ("event", Note("lmrlab names the match after its engines")),
    ("site", Note("lmrlab writes no site")),
    ("output", Note("lmrlab has one format")),
    ("report", Note("lmrlab always prints the counts of pairs")),
    ("ratinginterval", Note(PROGRESS)),
    ("scoreinterval", Note(PROGRESS)),
    ("outcomeinterval", Note(PROGRESS)),
    ("resultformat", Note(PROGRESS)),
    ("config", Translated),
    (
        "autosaveinterval",
        Note("lmrlab saves each pair at once; `lmrlab resume` continues a match"),
    ),
    ("recover", Translated),
    ("log", Translated),
    (
        "debug",
        Note("`--log FILE` of lmrlab writes what engines print into a file"),
    ),
    (
        "crc32",
        Note("journal.sha256 in the folder of the results has a checksum of the games"),
    ),
    ("check-mate-pvs", Note("lmrlab does not check variations")),
    (
        "show-latency",
        Note("lmrlab measures time itself and does not print the difference"),
    ),
    ("testEnv", Note("it only changes what fastchess prints")),
    ("strict", Note("lmrlab prints warnings and plays on")),
    ("use-affinity", Translated),
    (
        "startup-ms",
        Note("lmrlab waits 10 s for `uciok`; `deadlines.start_ms` of a tournament file says another time"),
    ),
    (
        "ucinewgame-ms",
        Note("lmrlab waits 10 s for `readyok`; `deadlines.ready_ms` of a tournament file says another time"),
    ),
    (
        "ping-ms",
        Note("lmrlab waits 10 s for `readyok`; `deadlines.ready_ms` of a tournament file says another time"),
    ),
    ("compliance", Error(PLAYS_NO_GAMES)),
    ("-compliance", Error(PLAYS_NO_GAMES)),
    ("version", Error(PLAYS_NO_GAMES)),
    ("-version", Error(PLAYS_NO_GAMES)),
    ("v", Error(PLAYS_NO_GAMES)),
    ("-v", Error(PLAYS_NO_GAMES)),
    ("help", Error(PLAYS_NO_GAMES)),
    ("-help", Error(PLAYS_NO_GAMES)),
    (
        "-run",
        Error(
            "it belongs to lmrlab: write it before the words of fastchess, as in `lmrlab fastchess --run -engine ..`",
        ),
    ),
    (
        "-out",
        Error(
            "it belongs to lmrlab: write it before the words of fastchess, as in `lmrlab fastchess --out DIR -engine ..`",
        ),
    ),
];
