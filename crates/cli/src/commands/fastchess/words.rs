//! All words of fastchess and cutechess-cli, and what becomes of each: `lmrlab fastchess --words`, and a section of
//! docs/guide.md.

use super::translation::Becomes::{Also, Always, Note, OfEngine, Refused, Renamed, Usual, Words};
use super::translation::MatchRunner::{Both, Cutechess, Fastchess};
use super::translation::{Becomes, MatchRunner, Translation, Word, word as as_it_is};

const fn word(option: &'static str, example: &'static str, of: MatchRunner, becomes: Becomes) -> Word {
    Word {
        option,
        example,
        of,
        becomes,
    }
}

const PROGRESS: &str = "lmrlab shows progress as a bar, or in a file or a pipe as a line every 5 seconds";
const READY: &str = "lmrlab waits 10 s for `readyok`; `deadlines.ready_ms` of a tournament file says another time";
const NOTHING_LIKE_IT: &str = "lmrlab has nothing like it; leave it out";
const CHECKSUM: &str = "journal.sha256 in the folder of the results has a checksum of the games";
const SAVED: &str = "lmrlab saves each pair in the folder of the results; `lmrlab resume` continues a match";

/// The words, in the order in which the command has what they become.
#[rustfmt::skip]
pub(super) static WORDS: &[Word] = &[
    word("quick", "cmd=./a cmd=./b book=b.epd", Fastchess, Refused("write out what it is short for: `-engine`, `-each tc=10+0.1` and `-openings file=b.epd order=random`")),
    word("engine", "cmd=./a", Both, OfEngine("cmd=./a", |_, _, _| None)),
    word("engine", "name=A", Both, OfEngine("name=A", |_, _, _| None)),
    word("engine", "dir=e", Both, OfEngine("dir=e", |line, key, dir| Some(as_it_is(key, &line.path(dir))))),
    word("engine", "args=-q", Fastchess, OfEngine("args=-q", same)),
    word("engine", "arg=-q", Cutechess, OfEngine("args=-q", |_, _, args| Some(as_it_is("args", args)))),
    word("engine", "option.Hash=16", Both, OfEngine("option.Hash=16", same)),
    word("engine", "tc=40/1:30+0.5", Both, OfEngine("tc=40/1:30+0.5", limit)),
    word("engine", "st=0.1", Both, OfEngine("st=0.1", limit)),
    word("engine", "nodes=20000", Both, OfEngine("nodes=20000", limit)),
    word("engine", "depth=8", Both, OfEngine("depth=8", limit)),
    word("engine", "plies=8", Fastchess, OfEngine("depth=8", |_, _, _| None)),
    word("engine", "timemargin=20", Both, OfEngine("timemargin=20", same)),
    word("engine", "restart=on", Both, OfEngine("restart=on", |_, key, value| (!["off", "auto"].contains(&value)).then(|| as_it_is(key, value)))),
    word("engine", "ponder", Cutechess, OfEngine("ponder=true", |_, _, _| Some("ponder=true".to_owned()))),
    word("engine", "proto=uci", Both, OfEngine("", |_, key, value| (value != "uci").then(|| as_it_is(key, value)))),
    word("engine", "stderr=e.log", Cutechess, Note("lmrlab prints what a faulty engine wrote there")),
    word("engine", "trust", Cutechess, Note("lmrlab never asks an engine for the result")),
    word("engine", "debug", Cutechess, Note("`--log FILE` of lmrlab writes what engines are sent and print")),
    word("engine", "conf=A", Cutechess, Refused("lmrlab does not read engines.json; write `cmd=`, `option.NAME=` and the others")),
    word("engine", "whitepov", Cutechess, Refused("lmrlab takes scores from the side of the engine; leave it out, or play without -resign and -draw")),
    word("engine", "book=b.bin bookdepth=8", Cutechess, Refused("lmrlab plays no moves from an engine's book; give openings with `-openings`")),
    word("engine", "initstr=x", Cutechess, Refused(NOTHING_LIKE_IT)),
    word("engine", "tscale=2", Cutechess, Refused("`deadlines` of a tournament file says how long lmrlab waits; leave it out")),
    word("rounds", "500", Both, Always("--pairs 500", Translation::pairs)),
    word("games", "2", Both, Words("", |_, _| ())),
    word("repeat", "", Both, Words("", |_, _| ())),
    word("draw", "movenumber=40 movecount=8 score=10", Both, Words("--draw 40,8,10", Translation::draw)),
    word("draw", "", Both, Also("the other program counts the moves of the opening as well, and starts `movecount` again at each capture and pawn move; lmrlab counts the moves after the opening, and continues to count")),
    word("resign", "movecount=3 score=600 twosided=true", Both, Words("--resign 3,600 --resign-two-sided", Translation::resign)),
    word("maxmoves", "200", Both, Words("--maxmoves 200", Translation::max_moves)),
    word("tb", "/t/345", Both, Words("--tb /t/345", Translation::tablebases)),
    word("tb", "", Both, Also("lmrlab plays only when all tables of up to `-tbpieces` men are there; the other program plays on where one is missing")),
    word("tbpieces", "5", Both, Words("--tb-pieces 5", Translation::tablebase_pieces)),
    word("tbignore50", "", Both, Renamed("--tb-ignore50")),
    word("tbadjudicate", "BOTH", Fastchess, Usual("lmrlab's tablebases end won and drawn games; write `BOTH`, or leave it out")),
    word("sprt", "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic", Both, Words("--sprt=0,5 --alpha 0.05 --beta 0.05 --model logistic", Translation::sprt)),
    word("sprt", "", Cutechess, Also("cutechess counts single games here; lmrlab counts pairs of games, so the test may end earlier or later")),
    word("openings", "file=b.pgn format=pgn plies=8 order=sequential start=5", Both, Always("--openings b.pgn --plies 8 --order sequential --start 5", Translation::openings)),
    word("openings", "policy=round", Fastchess, Usual("fastchess has `policy=round` alone")),
    word("openings", "policy=round", Cutechess, Refused("lmrlab has an opening for each pair of games; leave it out, and write `-games 2 -repeat`")),
    word("srand", "7", Both, Renamed("--seed 7")),
    word("srand", "", Both, Also("lmrlab shuffles openings in another way, so the same seed gives another order")),
    word("variant", "fischerandom", Both, Words("--variant chess960", Translation::variant)),
    word("tournament", "gauntlet", Both, Words("format = \"gauntlet\"", Translation::tournament)),
    word("seeds", "1", Both, Words("", Translation::seeds)),
    word("concurrency", "4", Both, Always("--threads 4", |line, given| line.put("--threads", given.words.first().map_or("1", String::as_str)))),
    word("use-affinity", "0-3", Fastchess, Words("--pin", |line, _| line.flag("--pin"))),
    word("use-affinity", "", Fastchess, Also("lmrlab chooses the processors; `taskset -c LIST` before the command keeps it on some")),
    word("log", "file=all.log engine=true append=true", Fastchess, Words("--log all.log", Translation::log)),
    word("log", "", Fastchess, Also("`--log FILE` of `lmrlab match` and `lmrlab run` writes what engines are sent and print, as with `engine=true`; it never replaces a log")),
    word("recover", "", Both, Always("--faults-allowed inf", Translation::faults)),
    word("pgnout", "min=true", Fastchess, Words("--pgn compact", Translation::short_pgn)),
    word("pgnout", "x.pgn min fi", Cutechess, Words("--pgn compact", Translation::short_pgn)),
    word("pgnout", "", Cutechess, Also("the games go to games.pgn in the folder of the results")),
    word("pgnout", "file=x.pgn append=true", Fastchess, Note("the games go to games.pgn in the folder of the results")),
    word("pgnout", "notation=san nodes=true seldepth=true nps=true hashfull=true tbhits=true pv=true timeleft=true latency=true match_line=x", Fastchess, Note("games.pgn is in SAN, with score, depth, nodes and time of each move")),
    word("log", "level=info compress=true realtime=true", Fastchess, Note("a log of lmrlab has all lines of engines, at once")),
    word("config", "outname=c.json stats=true discard=true", Fastchess, Note(SAVED)),
    word("config", "file=c.json", Fastchess, Refused("lmrlab does not read the settings of another program; write them as options")),
    word("noswap", "", Both, Refused("lmrlab plays each opening with both colours; leave the option out")),
    word("reverse", "", Both, Note("each opening is played with both colours; lmrlab begins with White for the first engine")),
    word("force-concurrency", "", Fastchess, Note("lmrlab plays as many games at a time as `--threads` says")),
    word("wait", "5", Both, Note("lmrlab begins the next game at once")),
    word("bookmode", "disk", Cutechess, Note("it is about books of engines, which lmrlab does not have")),
    word("epdout", "file=x.epd append=true", Fastchess, Note("lmrlab writes no final positions; games.pgn in the folder of the results has the games")),
    word("epdout", "x.epd", Cutechess, Note("lmrlab writes no final positions; games.pgn in the folder of the results has the games")),
    word("event", "X", Both, Note("lmrlab names the match after its engines")),
    word("site", "X", Both, Note("lmrlab writes no site")),
    word("output", "format=cutechess", Fastchess, Note("lmrlab has one format, and a test counts pairs of games")),
    word("report", "penta=false", Fastchess, Note("lmrlab always prints the counts of pairs, and a test counts them")),
    word("ratinginterval", "5", Both, Note(PROGRESS)),
    word("scoreinterval", "5", Fastchess, Note(PROGRESS)),
    word("outcomeinterval", "5", Cutechess, Note(PROGRESS)),
    word("resultformat", "wide2", Cutechess, Note(PROGRESS)),
    word("autosaveinterval", "20", Fastchess, Note(SAVED)),
    word("debug", "all", Cutechess, Note("`--log FILE` of lmrlab writes what engines are sent and print")),
    word("crc32", "pgn=true", Fastchess, Note(CHECKSUM)),
    word("check-mate-pvs", "", Fastchess, Note("lmrlab does not check variations")),
    word("show-latency", "", Fastchess, Note("lmrlab measures time itself and does not print the difference")),
    word("testEnv", "", Fastchess, Note("it only changes what fastchess prints")),
    word("strict", "", Fastchess, Note("lmrlab prints warnings and plays on")),
    word("startup-ms", "5", Fastchess, Note("lmrlab waits 10 s for `uciok`; `deadlines.start_ms` of a tournament file says another time")),
    word("ucinewgame-ms", "5", Fastchess, Note(READY)),
    word("ping-ms", "5", Fastchess, Note(READY)),
];

/// The table as a page has it.
pub(super) fn page() -> String {
    let mut page = "| there | `lmrlab match` |\n|---|---|\n".to_owned();
    let (mut noted, mut refused) = (Vec::new(), Vec::new());
    for word in WORDS {
        let shown = format!("`{}`", format!("-{} {}", word.option, word.example).trim_end());
        let only = match word.of {
            Both => "",
            Fastchess => " (fastchess only)",
            Cutechess => " (cutechess only)",
        };
        match word.becomes {
            Usual(_) | Words("", _) | OfEngine("", _) => {
                page += &format!("| {shown}{only} | what lmrlab does anyway |\n");
            }
            Words(text, _) | Always(text, _) | OfEngine(text, _) | Renamed(text) => {
                page += &format!("| {shown}{only} | `{text}` |\n");
            }
            Also(_) => {}
            Note(_) => noted.push(shown + only),
            Refused(_) => refused.push(shown + only),
        }
    }
    format!(
        "{page}\nA note is all that becomes of these, because the games are the same without them: {}.\n\nThese are refused: {}.\n",
        noted.join(", "),
        refused.join(", ")
    )
}

/// A limit of an engine.
fn limit(line: &mut Translation, key: &str, value: &str) -> Option<String> {
    Some(as_it_is(key, &line.limit(key, Some(value))?))
}

/// The same word of an engine.
#[expect(clippy::unnecessary_wraps, reason = "other words of an engine become nothing")]
fn same(_: &mut Translation, key: &str, value: &str) -> Option<String> {
    Some(as_it_is(key, value))
}
