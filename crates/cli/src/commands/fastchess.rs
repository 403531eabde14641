//! `lmrlab fastchess`: a command line of fastchess or cutechess, as one of `lmrlab match`.
//!
//! What the options mean is from fastchess's manual and source (July 2026), and from the manual of cutechess-cli.

use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source, nearest};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::paths::find_program;
use lmrlab_runner::shell_words::shell_words;
use lmrlab_runner::tournament::defaults::{DEFAULT_HASH_MIB, all_threads};

use super::match_;
use crate::invocation::working_folder;
use crate::print::{print_err, print_out};

/// The openings that a match without `-openings` has.
const START_POSITION: &str = "positions/start.epd";

/// The command line to translate.
#[derive(Debug, Args)]
#[command(
    about = "Translate a command line of fastchess or cutechess",
    after_help = "\
Examples:
  lmrlab fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 option.Hash=16 -rounds 500 -repeat
  lmrlab fastchess --run --out results/first fastchess -engine cmd=./new -engine cmd=./old -each nodes=10000 -rounds 50
  lmrlab fastchess cutechess-cli -engine cmd=./new -engine cmd=./old -each proto=uci tc=10+0.1 -games 2 -rounds 500 -repeat

Prints the command `lmrlab match ..` that plays the same games. Notes say what is different or missing without changing the games. \
An option that would change the games, and that lmrlab does not have, is an error. Words that begin with cutechess-cli mean what \
they mean to cutechess, all others what they mean to fastchess."
)]
pub(crate) struct Arguments {
    /// Run the command, too
    #[arg(long)]
    run: bool,
    /// Where the results go, as `--out` of `lmrlab match`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the results of an earlier run, as `--force` of `lmrlab match`
    #[arg(long)]
    force: bool,
    /// The command line, with or without the name of the program. Options of `lmrlab` itself stand before it
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    words: Vec<String>,
}

/// What becomes of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// [`Translation`] reads it.
    Translated,
    /// The games are the same without it: what there is instead.
    Note(&'static str),
    /// The games are other ones without it: what there is instead.
    Error(&'static str),
}

use Fate::{Error, Note, Translated};

const NO_TABLEBASES: &str =
    "lmrlab has no tablebases, so games would end later; leave the option out and let `-resign` and `-draw` end games";
const PROGRESS: &str = "lmrlab shows progress as a bar, or with `--every N` as a line every N pairs";
const PLAYS_NO_GAMES: &str = "plays no games, so there is nothing to translate";

/// The options of fastchess, and those that only cutechess has.
const OPTIONS: [(&str, Fate); 59] = [
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
    ("tb", Error(NO_TABLEBASES)),
    ("tbpieces", Error(NO_TABLEBASES)),
    ("tbignore50", Error(NO_TABLEBASES)),
    ("tbadjudicate", Error(NO_TABLEBASES)),
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

/// Words `KEY=VALUE`, in their order.
type Pairs = Vec<(String, String)>;

/// A command line that is being translated.
#[derive(Debug, Default)]
struct Translation {
    is_cutechess: bool,
    /// The options without their hyphen, with their words.
    given: Vec<(String, Vec<String>)>,
    /// The command of lmrlab.
    command: Vec<String>,
    notes: Vec<String>,
    errors: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When an option is wrong or cannot be translated, and when the match fails.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let translation = Translation::of(arguments.words.clone(), &working_folder()?);
    for note in &translation.notes {
        print_err(&format!("note: {note}"));
    }
    if !translation.errors.is_empty() {
        let errors = translation.errors.into_iter().map(Diagnostic::error).collect();
        return Err(Failure::Input(vec![Diagnostics::new(Source::new("", ""), errors)]));
    }
    let mut command = translation.command;
    if let Some(out) = &arguments.out {
        command.extend(["--out".to_owned(), out.display().to_string()]);
    }
    if arguments.force {
        command.push("--force".to_owned());
    }
    print_out(&format!("lmrlab match {}\n", shell_words(&command)));
    let name = std::iter::once("lmrlab match".to_owned());
    let MatchLine { arguments: parsed } = MatchLine::try_parse_from(name.chain(command)).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Failure::input(
            format!("the command is wrong: {}", first.trim_start_matches("error: ")),
            "",
        )
    })?;
    if arguments.run {
        print_out("\n");
        match_::run(&parsed)?;
    }
    Ok(())
}

/// What `lmrlab match` would read.
#[derive(Debug, Parser)]
struct MatchLine {
    #[command(flatten)]
    arguments: match_::Arguments,
}

impl Translation {
    /// Translates these words, which are typed in the folder `here`.
    fn of(words: Vec<String>, here: &Path) -> Self {
        let mut translation = Self::default();
        translation.split(words);
        if translation.errors.is_empty() {
            translation.comment();
            translation.engines(here);
            translation.pairs();
            translation.adjudication();
            translation.sprt();
            translation.openings();
            translation.conditions();
        }
        translation
    }

    /// Puts the words behind their options.
    fn split(&mut self, words: Vec<String>) {
        // A log quotes the whole line, which is one word then.
        let words = match &words[..] {
            [line] => shlex::split(line).unwrap_or(words),
            _ => words,
        };
        let mut words = words.into_iter().peekable();
        if let Some(program) = words.next_if(|word| !word.starts_with('-')) {
            self.is_cutechess = program.contains("cutechess");
        }
        for word in words {
            let is_number = word
                .strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            match (word.strip_prefix('-'), self.given.last_mut()) {
                (Some(option), _) if !is_number => {
                    if !OPTIONS.iter().any(|(known, _)| *known == option) {
                        let near = nearest(option, OPTIONS.iter().map(|(known, _)| *known));
                        let near = near.map_or_else(String::new, |near| format!("; did you mean `-{near}`?"));
                        let program = if self.is_cutechess { "cutechess" } else { "fastchess" };
                        self.errors.push(format!("{program} has no option `-{option}`{near}"));
                    }
                    self.given.push((option.to_owned(), Vec::new()));
                }
                (_, Some((_, params))) => params.push(word),
                (_, None) => self.errors.push(format!("`{word}` belongs to no option")),
            }
        }
    }

    /// Says what becomes of the options that are not translated, each once.
    fn comment(&mut self) {
        for (option, fate) in OPTIONS {
            if !self.has(option) {
                continue;
            }
            match fate {
                Translated => {}
                Note(text) => self.notes.push(format!("`-{option}`: {text}")),
                Error(text) => self.errors.push(format!("`-{option}`: {text}")),
            }
        }
    }

    fn has(&self, option: &str) -> bool {
        self.given.iter().any(|(given, _)| given == option)
    }

    /// The value of an option that has one; the last counts.
    fn value(&mut self, option: &str) -> Option<String> {
        let (_, params) = self.given.iter().rfind(|(given, _)| given == option)?;
        match &params[..] {
            [value] => Some(value.clone()),
            _ => {
                let error = format!("`-{option}` has one value, and here it has {}", params.len());
                self.errors.push(error);
                None
            }
        }
    }

    /// The whole number of an option.
    fn number<T: std::str::FromStr>(&mut self, option: &str) -> Option<T> {
        let value = self.value(option)?;
        let number = value.parse().ok();
        if number.is_none() {
            self.errors
                .push(format!("`-{option} {value}`: a whole number belongs here"));
        }
        number
    }

    /// The words `KEY=VALUE` of each time that an option is given.
    fn tables(&mut self, option: &str) -> Vec<Pairs> {
        let is_cutechess = self.is_cutechess;
        let errors = &mut self.errors;
        let given = self.given.iter().filter(|(given, _)| given == option);
        given
            .map(|(_, params)| {
                let pairs = params.iter().filter_map(|word| match word.split_once('=') {
                    Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                        Some((key.to_owned(), value.to_owned()))
                    }
                    // Alone among the words of cutechess.
                    None if is_cutechess && word == "ponder" => Some(("ponder".to_owned(), "on".to_owned())),
                    _ => {
                        errors.push(format!("`-{option}`: `{word}` is not KEY=VALUE"));
                        None
                    }
                });
                pairs.collect()
            })
            .collect()
    }

    /// The values of an option for these keys; the last of a key counts. Other keys are errors.
    fn values<const N: usize>(&mut self, option: &str, keys: [&str; N]) -> [Option<String>; N] {
        let mut values = [const { None }; N];
        for (key, value) in self.tables(option).into_iter().flatten() {
            let place = keys
                .iter()
                .position(|known| *known == key)
                .and_then(|at| values.get_mut(at));
            match place {
                Some(place) => *place = Some(value),
                None => self.errors.push(format!(
                    "`-{option}` has no `{key}=`; it has {}",
                    keys.join("=, ") + "="
                )),
            }
        }
        values
    }

    /// Adds an option of lmrlab.
    fn put(&mut self, option: &str, value: impl ToString) {
        self.command.extend([option.to_owned(), value.to_string()]);
    }

    /// The two engines with what each of them and all of them have.
    fn engines(&mut self, here: &Path) {
        let mut engines = self.tables("engine");
        for table in self.tables("quick") {
            let programs = table.into_iter().filter(|(key, _)| key == "cmd");
            engines.extend(programs.map(|program| vec![program, ("tc".to_owned(), "10+0.1".to_owned())]));
        }
        if engines.len() > 2 {
            self.errors.push(format!(
                "`lmrlab match` plays two engines, and here are {}; describe them in the file of a tournament for `lmrlab run`, as \
                 `lmrlab init` writes one",
                engines.len()
            ));
            return;
        }
        let Ok([first, second]) = <[Pairs; 2]>::try_from(engines) else {
            self.errors
                .push("a match has two engines: `-engine cmd=A -engine cmd=B`".to_owned());
            return;
        };
        let [mut first, mut second] = [first, second].map(in_words_of_fastchess);
        // As there, what all engines have takes the place of what one has.
        let each = in_words_of_fastchess(self.tables("each").into_iter().flatten().collect());
        for engine in [&mut first, &mut second] {
            for (key, value) in &each {
                engine.retain(|(own, _)| own != key);
                engine.push((key.clone(), value.clone()));
            }
        }
        if name(&first) == name(&second) {
            let other = format!("{}_2", name(&first));
            second.retain(|(key, _)| key != "name");
            second.push(("name".to_owned(), other));
        }
        if [&first, &second]
            .iter()
            .any(|engine| of_key(engine, "option.Hash").is_none())
        {
            self.notes.push(format!(
                "an engine without `option.Hash`: lmrlab sets Hash to {DEFAULT_HASH_MIB} MiB and Threads to 1 where nothing else is \
                 said; other programs leave them as they are"
            ));
        }
        let limits = [self.limit(&first), self.limit(&second)];
        let common = match &limits {
            [Some(first), Some(second)] if first == second => Some(first.clone()),
            _ => None,
        };
        let shared: Pairs = each
            .into_iter()
            .filter(|(key, _)| !APART.contains(&key.as_str()))
            .collect();
        for (engine, limit) in [first, second].iter().zip(&limits) {
            let mut words = vec![self.program(engine, here)];
            words.extend(of_key(engine, "name").map(|name| word("name", name)));
            let own = engine
                .iter()
                .filter(|own| !shared.contains(own) && !APART.contains(&own.0.as_str()));
            words.extend(own.filter_map(|(key, value)| self.word(key, value)));
            if let (Some(limit), None) = (limit, &common) {
                words.push(word(limit.word, &limit.value));
                words.extend(limit.margin.as_ref().map(|margin| word("timemargin", margin)));
            }
            self.command.push(words.join(" "));
        }
        let shared: Vec<String> = shared.iter().filter_map(|(key, value)| self.word(key, value)).collect();
        if !shared.is_empty() {
            self.put("--each", shared.join(" "));
        }
        if let Some(common) = common {
            let milliseconds = (common.word == "st").then(|| milliseconds(&common.value)).flatten();
            self.put(common.option, milliseconds.unwrap_or(common.value));
            if let Some(margin) = common.margin {
                self.put("--timemargin", margin);
            }
        }
        let with_increment = |limit: &Limit| limit.word == "tc" && limit.value.contains('+');
        if limits.iter().flatten().any(with_increment) && !self.is_cutechess {
            self.notes.push(
                "`tc`: fastchess adds the increment before the first move, too; lmrlab begins with the base alone, as cutechess does"
                    .to_owned(),
            );
        }
    }

    /// The program of an engine: there a path starts from the engine's folder.
    fn program(&mut self, engine: &Pairs, here: &Path) -> String {
        let Some(cmd) = of_key(engine, "cmd") else {
            self.errors
                .push("`-engine` without `cmd=`: name the program".to_owned());
            return String::new();
        };
        let is_path = cmd.contains(std::path::is_separator);
        let path = match of_key(engine, "dir") {
            Some(dir) => {
                let inside = cmd.strip_prefix("./").unwrap_or(cmd);
                Path::new(dir).join(inside).display().to_string()
            }
            None => cmd.to_owned(),
        };
        // A name is looked up in PATH, and then it is a file here.
        let is_file_here = !is_path && find_program(cmd, here).is_none() && here.join(&path).is_file();
        let is_bare = !path.contains(std::path::is_separator);
        let is_named_here = is_bare && (is_file_here || of_key(engine, "dir").is_some());
        word("cmd", &if is_named_here { format!("./{path}") } else { path })
    }

    /// A word of an engine; nothing when it says what is so anyway.
    fn word(&mut self, key: &str, value: &str) -> Option<String> {
        match key {
            "dir" | "args" => Some(word(key, value)),
            _ if key.starts_with("option.") => Some(word(key, value)),
            "restart" => match value {
                "on" => Some(word(key, value)),
                // cutechess then restarts an engine that asks for it, which no UCI engine can.
                "off" | "auto" => None,
                _ => {
                    self.errors.push(format!("`restart={value}`: it is `on` or `off`"));
                    None
                }
            },
            "proto" if value == "uci" => None,
            "proto" => {
                self.errors
                    .push(format!("`proto={value}`: lmrlab plays engines that speak UCI"));
                None
            }
            "ponder" if !matches!(value, "off" | "false") => Some("ponder=true".to_owned()),
            "ponder" => None,
            "whitepov" | "book" | "bookdepth" | "initstr" | "rcfile" => {
                self.errors
                    .push(format!("`{key}={value}`: lmrlab has nothing like it; leave it out"));
                None
            }
            "stderr" => {
                (self.notes).push("`stderr=`: lmrlab prints what a faulty engine wrote there".to_owned());
                None
            }
            _ => {
                self.errors
                    .push(format!("`{key}={value}` does not describe an engine of fastchess"));
                None
            }
        }
    }

    /// What an engine may spend.
    fn limit(&mut self, engine: &Pairs) -> Option<Limit> {
        const KINDS: [(&str, &str, &str); 4] = [
            ("tc", "--tc", "tc"),
            ("st", "--movetime", "st"),
            ("nodes", "--nodes", "nodes"),
            ("depth", "--depth", "depth"),
        ];
        let limits = KINDS.into_iter().filter_map(|(key, option, word)| {
            let value = clock(of_key(engine, key)?)?;
            let margin = of_key(engine, "timemargin").map(str::to_owned);
            // There it is 0 unless it is given, and here it is not with a time for each move.
            let margin = margin.or_else(|| (word == "st").then(|| "0".to_owned()));
            Some(Limit {
                option,
                word,
                value,
                margin,
            })
        });
        let mut limits: Vec<Limit> = limits.collect();
        if limits.len() > 1 {
            let words: Vec<String> = limits
                .iter()
                .map(|limit| format!("{}={}", limit.word, limit.value))
                .collect();
            self.errors.push(format!(
                "the engine {} has {}: lmrlab limits a move by one of them; keep one",
                name(engine),
                words.join(" and ")
            ));
        }
        if limits.is_empty() {
            self.errors.push(format!(
                "the engine {} has no limit: tc=, st=, nodes= or depth=",
                name(engine)
            ));
        }
        limits.pop()
    }

    /// Rounds of games as pairs.
    fn pairs(&mut self) {
        let usual: u64 = if self.is_cutechess { 1 } else { 2 };
        let is_quick = self.has("quick");
        let rounds = if self.has("rounds") {
            self.number("rounds")
        } else {
            Some(if is_quick { 25_000 } else { usual })
        };
        let mut games = Some(usual);
        // The later of the two counts.
        let order: Vec<(String, Vec<String>)> = self.given.clone();
        for (option, params) in order {
            match (option.as_str(), &params[..]) {
                ("games", _) => games = self.number("games"),
                ("repeat", [number]) if !self.is_cutechess => games = number.parse().ok(),
                ("repeat", _) if !self.is_cutechess => games = Some(2),
                _ => {}
            }
        }
        let (Some(mut rounds), Some(mut games)) = (rounds, games) else {
            return;
        };
        if rounds == 0 || games == 0 {
            self.errors.push("`-rounds` and `-games`: at least 1".to_owned());
            return;
        }
        let both_colours = "lmrlab plays each opening twice, with both colours";
        if self.is_cutechess {
            let all: u64 = rounds.saturating_mul(games);
            if !self.has("repeat") {
                self.errors.push(format!(
                    "without `-repeat` cutechess plays each opening once; {both_colours}: add `-repeat`"
                ));
            } else if all % 2 == 1 {
                self.errors
                    .push(format!("{all} games: {both_colours}; write an even number"));
            }
            rounds = all / 2;
        } else {
            if games > 2 {
                std::mem::swap(&mut rounds, &mut games);
                if games <= 2 {
                    self.notes.push(format!(
                        "`-games {rounds}`: fastchess plays at most 2 games of a round, and takes this as {rounds} rounds of {games}"
                    ));
                }
            }
            match games {
                2 => {}
                1 => self
                    .errors
                    .push(format!("one game of each opening: {both_colours}; write `-games 2`")),
                _ => self
                    .errors
                    .push("fastchess plays at most 2 games of a round: write `-rounds N -games 2`".to_owned()),
            }
        }
        self.put("--pairs", rounds);
    }

    /// When games are ended.
    fn adjudication(&mut self) {
        if self.has("draw") || self.has("quick") {
            let is_quick = self.has("quick");
            let usual = if is_quick { ["30", "8", "8"] } else { ["0", "1", "0"] };
            let [number, count, score] = self.values("draw", ["movenumber", "movecount", "score"]);
            let [number, count, score] = [number, count, score].map(Option::unwrap_or_default);
            let of = |given: String, usual: &str| if given.is_empty() { usual.to_owned() } else { given };
            let value = [of(number, usual[0]), of(count, usual[1]), of(score, usual[2])].join(",");
            self.put("--draw", value);
            self.notes.push(
                "`-draw`: the other program counts the moves of the opening as well, and starts `movecount` again at each capture and pawn \
                 move; lmrlab counts the moves after the opening, and goes on counting"
                    .to_owned(),
            );
        }
        if self.has("resign") {
            let [count, score, two_sided] = self.values("resign", ["movecount", "score", "twosided"]);
            let value = format!(
                "{},{}",
                count.unwrap_or("1".to_owned()),
                score.unwrap_or("0".to_owned())
            );
            self.put("--resign", value);
            match two_sided.as_deref() {
                Some("true") => self.command.push("--resign-two-sided".to_owned()),
                Some("false") | None => {}
                Some(other) => self.errors.push(format!("`twosided={other}`: it is `true` or `false`")),
            }
        }
        if self.has("maxmoves") {
            let moves = self.value("maxmoves").unwrap_or_default();
            self.put("--maxmoves", moves);
        }
    }

    /// The test.
    fn sprt(&mut self) {
        if !self.has("sprt") {
            return;
        }
        let [elo0, elo1, alpha, beta, model] = self.values("sprt", ["elo0", "elo1", "alpha", "beta", "model"]);
        let usual = if self.is_cutechess { "logistic" } else { "normalized" };
        let model = model.unwrap_or(usual.to_owned());
        if model == "bayesian" {
            self.errors.push(
                "`model=bayesian`: lmrlab has no BayesElo; write `model=normalized` or `model=logistic`, with bounds of that scale"
                    .to_owned(),
            );
        }
        let (Some(alpha), Some(beta)) = (alpha, beta) else {
            self.errors
                .push("`-sprt` needs `alpha=` and `beta=`, as in `alpha=0.05 beta=0.05`".to_owned());
            return;
        };
        let bound = |bound: Option<String>| bound.unwrap_or("0".to_owned());
        self.command.push(format!("--sprt={},{}", bound(elo0), bound(elo1)));
        self.put("--alpha", alpha);
        self.put("--beta", beta);
        self.put("--model", model);
        let [penta] = self.values("report", ["penta"]);
        let [format] = self.values("output", ["format"]);
        if self.is_cutechess || penta.as_deref() == Some("false") || format.as_deref() == Some("cutechess") {
            self.notes.push(
                "`-sprt`: the other program counts single games here; lmrlab counts pairs of games, so the test may end earlier or later"
                    .to_owned(),
            );
        }
    }

    /// The openings and their order.
    fn openings(&mut self) {
        let [mut file, format, mut order, plies, start, _policy] =
            self.values("openings", ["file", "format", "order", "plies", "start", "policy"]);
        for (_, book) in self
            .tables("quick")
            .into_iter()
            .flatten()
            .filter(|(key, _)| key == "book")
        {
            file = Some(book);
            order = Some("random".to_owned());
        }
        let Some(file) = file else {
            self.put("--openings", START_POSITION);
            self.notes.push(
                "without `-openings file=..` every game begins with the initial position; lmrlab has openings of its own: leave \
                 `--openings` out to play them"
                    .to_owned(),
            );
            return;
        };
        let is_pgn = format
            .as_deref()
            .map_or(self.is_cutechess || file.ends_with(".pgn"), |format| format == "pgn");
        self.put("--openings", file);
        if let (true, Some(plies)) = (is_pgn, plies) {
            self.put("--plies", plies);
        }
        let order = order.unwrap_or("sequential".to_owned());
        let is_random = order == "random";
        self.put("--order", order);
        if let Some(start) = start.filter(|start| start != "1") {
            self.put("--start", start);
        }
        match (is_random, self.has("srand")) {
            (true, true) => self.notes.push(
                "`-srand`: lmrlab shuffles the openings in another way, so the same seed gives another order".to_owned(),
            ),
            (true, false) => self.notes.push(
                "without `-srand` the other program draws a new seed for each match; lmrlab has `--seed 0` until you write another"
                    .to_owned(),
            ),
            (false, _) => {}
        }
    }

    /// Everything else.
    fn conditions(&mut self) {
        if let Some(seed) = self.has("srand").then(|| self.value("srand")).flatten() {
            self.put("--seed", seed);
        }
        match self.has("variant").then(|| self.value("variant")).flatten().as_deref() {
            None | Some("standard") => {}
            Some("fischerandom") => self.put("--variant", "chess960"),
            Some(other) => self.errors.push(format!(
                "`-variant {other}`: lmrlab plays `standard` and `fischerandom`"
            )),
        }
        match self
            .has("tournament")
            .then(|| self.value("tournament"))
            .flatten()
            .as_deref()
        {
            // With two engines they are the same.
            None | Some("roundrobin" | "gauntlet" | "round-robin") => {}
            Some(other) => self.errors.push(format!(
                "`-tournament {other}`: lmrlab has no such tournament; leave it out"
            )),
        }
        let processors = i64::try_from(all_threads().get()).unwrap_or(i64::MAX);
        let usual = if self.has("quick") { (processors - 2).max(1) } else { 1 };
        let threads = if self.has("concurrency") {
            self.number("concurrency")
        } else {
            Some(usual)
        };
        if let Some(threads) = threads {
            // Zero and less: that many fewer than there are processors.
            self.put(
                "--threads",
                if threads > 0 {
                    threads
                } else {
                    (processors + threads).max(1)
                },
            );
        }
        if let Some((_, processors)) = self.given.iter().rfind(|(given, _)| given == "use-affinity") {
            match processors.join(",") {
                list if list.is_empty() => self.command.push("--pin".to_owned()),
                list => self.put("--cpus", list),
            }
        }
        let [log, engine, ..] = self.values("log", ["file", "engine", "level", "compress", "append", "realtime"]);
        match log {
            Some(log) if engine.as_deref() == Some("true") => self.put("--log", log),
            Some(_) => self.notes.push(
                "`-log`: `--log FILE` of lmrlab writes what engines are sent and print, as with `engine=true`"
                    .to_owned(),
            ),
            None => {}
        }
        let recovers = self.has("recover") || self.has("quick");
        self.put("--faults-allowed", if recovers { "inf" } else { "1" });
        if self.has("pgnout") {
            self.pgn();
        }
        let [config, _, discard, _] = self.values("config", ["file", "outname", "discard", "stats"]);
        if config.is_some() && discard.as_deref() != Some("true") {
            self.errors.push(
                "`-config file=`: lmrlab does not read the settings of another program; write them as options"
                    .to_owned(),
            );
        } else if self.has("config") {
            self.notes.push(
                "`-config`: lmrlab saves each pair in the folder of the results; `lmrlab resume` continues a match"
                    .to_owned(),
            );
        }
    }

    /// The games as PGN.
    fn pgn(&mut self) {
        let words = self
            .given
            .iter()
            .filter(|(given, _)| given == "pgnout")
            .flat_map(|(_, words)| words);
        let words: Vec<&str> = words.map(String::as_str).collect();
        let has = |wanted: &str| words.contains(&wanted);
        let is_short = has("min=true") || self.is_cutechess && has("min");
        let unlike = ["notation=lan", "notation=uci"]
            .into_iter()
            .find(|notation| has(notation));
        let notation = unlike.map_or_else(String::new, |notation| format!(" (`{notation}`: they are in SAN)"));
        self.notes.push(format!(
            "`-pgnout`: the games go to games.pgn in the folder of the results{notation}"
        ));
        if is_short {
            self.put("--pgn", "compact");
        }
    }
}

/// What an engine may spend.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Limit {
    /// The option of lmrlab.
    option: &'static str,
    /// The word of an engine.
    word: &'static str,
    value: String,
    margin: Option<String>,
}

/// Words of an engine that are translated apart from the others.
const APART: [&str; 7] = ["cmd", "name", "tc", "st", "nodes", "depth", "timemargin"];

/// Words that only cutechess has, or that have another name, as fastchess has them. cutechess has a word for each argument.
fn in_words_of_fastchess(words: Pairs) -> Pairs {
    let arguments: Vec<String> = (words.iter().filter(|(key, _)| key == "arg"))
        .map(|(_, argument)| super::openings::quoted(argument))
        .collect();
    let mut settled: Pairs = words.into_iter().filter(|(key, _)| key != "arg").collect();
    for (key, _) in &mut settled {
        if key == "plies" {
            "depth".clone_into(key);
        }
    }
    if !arguments.is_empty() {
        settled.push(("args".to_owned(), arguments.join(" ")));
    }
    settled
}

/// What an engine is called.
fn name(engine: &Pairs) -> String {
    let stem = || {
        Some(
            Path::new(of_key(engine, "cmd")?)
                .file_stem()?
                .to_string_lossy()
                .into_owned(),
        )
    };
    let name = of_key(engine, "name").map(str::to_owned);
    name.or_else(stem).unwrap_or_default()
}

/// The value of a key; the last counts.
fn of_key<'p>(pairs: &'p Pairs, key: &str) -> Option<&'p str> {
    pairs
        .iter()
        .rfind(|(known, _)| known == key)
        .map(|(_, value)| value.as_str())
}

/// A word of an engine, in quotes within its argument when it needs them.
fn word(key: &str, value: &str) -> String {
    let word = format!("{key}={value}");
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if word.chars().all(plain) {
        word
    } else if word.contains(['"', '\\', '$', '`']) {
        super::openings::quoted(&word)
    } else if key.contains(' ') {
        format!("\"{word}\"")
    } else {
        format!("{key}=\"{value}\"")
    }
}

/// A limit as lmrlab writes it: a clock without the unit `s` and without `inf/`; nothing for one that never ends.
fn clock(value: &str) -> Option<String> {
    let value = value.split_once('/').map_or(value, |(moves, rest)| match moves {
        "inf" | "infinite" => rest,
        _ => value,
    });
    let parts: Vec<&str> = value
        .split('+')
        .map(|part| part.strip_suffix('s').unwrap_or(part))
        .collect();
    (!matches!(value, "inf" | "infinite")).then(|| parts.join("+"))
}

/// Seconds as milliseconds.
fn milliseconds(seconds: &str) -> Option<String> {
    let seconds: f64 = seconds.parse().ok()?;
    Some((seconds * 1_000.0).round().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translation(line: &str) -> Translation {
        Translation::of(shlex::split(line).unwrap(), Path::new("/nowhere"))
    }

    /// The command for a line, or its errors.
    fn translated(line: &str) -> Result<String, Vec<String>> {
        let translation = translation(line);
        match translation.errors.is_empty() {
            true => Ok(shell_words(&translation.command)),
            false => Err(translation.errors),
        }
    }

    /// Two engines with a limit, and these words.
    fn with_engines(words: &str) -> String {
        format!("-engine cmd=./a -engine cmd=./b -each tc=10/1+0 option.Hash=8 {words}")
    }

    /// The options that these words become, without those that every line has.
    fn options(words: &str) -> String {
        let whole = translated(&with_engines(words)).unwrap();
        let engines = "cmd=./a cmd=./b --each option.Hash=8 --tc 10/1+0 ";
        let options = whole.strip_prefix(engines).unwrap();
        let usual = ["--openings positions/start.epd", "--threads 1", "--faults-allowed 1"];
        let words = usual
            .iter()
            .fold(options.to_owned(), |text, usual| text.replace(usual, ""));
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_of_manuals_and_tests_of_fastchess_are_translated() {
        for (line, command) in [
            (
                "fastchess.exe -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -each tc=10+0.1 -rounds 200 \
                 -repeat -concurrency 4",
                "'cmd=Engine1.exe name=Engine1' 'cmd=Engine2.exe name=Engine2' --tc 10+0.1 --pairs 200 --openings \
                 positions/start.epd --threads 4 --faults-allowed 1",
            ),
            (
                "fastchess -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -openings file=book.epd \
                 format=epd order=random -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4",
                "'cmd=Engine1.exe name=Engine1' 'cmd=Engine2.exe name=Engine2' --each option.Hash=64 --tc 60+0.6 --pairs 200 \
                 --openings book.epd --order random --threads 4 --faults-allowed 1",
            ),
            (
                "./fastchess -engine cmd=./random_mover name=random_move_1 -engine cmd=./random_mover name=random_move_2 -each \
                 tc=2+0.02s -rounds 3 -repeat -concurrency 2 -openings file=./app/tests/data/openings.pgn format=pgn \
                 order=sequential plies=4 -pgnout file=plies_test.pgn -log file=log.txt level=info",
                "'cmd=./random_mover name=random_move_1' 'cmd=./random_mover name=random_move_2' --tc 2+0.02 --pairs 3 --openings \
                 ./app/tests/data/openings.pgn --plies 4 --order sequential --threads 2 --faults-allowed 1",
            ),
            (
                "./fastchess -engine cmd=./scripted_result args=--crash-on-go name=crasher -engine cmd=./scripted_result \
                 name=healthy -each nodes=1 -rounds 2 -repeat -concurrency 1 -recover -log file=log.txt level=info",
                "'cmd=./scripted_result name=crasher args=--crash-on-go' 'cmd=./scripted_result name=healthy' --nodes 1 --pairs 2 \
                 --openings positions/start.epd --threads 1 --faults-allowed inf",
            ),
            // The engines of this test have three limits and two, and have one each here.
            (
                "fastchess.exe -engine dir=./ cmd=app/dummy st=5 option.Threads=1 option.Hash=16 name=A -engine dir=./ cmd=app/dummy \
                 tc=40/1:9.65+0.1 timemargin=243 option.Threads=1 option.Hash=32 name=B -openings file=./app/test.epd format=epd \
                 order=random plies=16 -rounds 50 -games 2 -pgnout file=PGNs/A_vs_B -use-affinity 0-1",
                "'cmd=./app/dummy name=A dir=./ option.Threads=1 option.Hash=16 st=5 timemargin=0' 'cmd=./app/dummy name=B dir=./ \
                 option.Threads=1 option.Hash=32 tc=40/1:9.65+0.1 timemargin=243' --pairs 50 --openings ./app/test.epd --order \
                 random --threads 1 --cpus 0-1 --faults-allowed 1",
            ),
            (
                "cutechess-cli -recover -repeat -games 2 -rounds 100 -pgnout out.pgn -srand 7 -resign movecount=3 score=600 -draw \
                 movenumber=34 movecount=8 score=20 -variant standard -concurrency 4 -openings file=UHO.epd format=epd \
                 order=sequential -engine name=sf_1 tc=inf depth=6 cmd=./sf_1 dir=. -engine name=sf_2 tc=inf depth=8 cmd=./sf_2 dir=. \
                 -each proto=uci option.Threads=1",
                "'cmd=./sf_1 name=sf_1 dir=. depth=6' 'cmd=./sf_2 name=sf_2 dir=. depth=8' --each option.Threads=1 --pairs 100 --draw \
                 34,8,20 --resign 3,600 --openings UHO.epd --order sequential --seed 7 --threads 4 --faults-allowed inf",
            ),
            // OpenBench, with fastchess and with cutechess.
            (
                "fastchess -repeat -recover -variant standard -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
                 -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=A-dev -engine \
                 dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=B-base -openings \
                 file=Books/X.epd format=epd order=random start=97 plies=16 -srand 1 -pgnout file=PGNs/1.pgn -concurrency 2 -games 32",
                "'cmd=Engines/A name=A-dev dir=Engines/ option.Threads=1 option.Hash=16' 'cmd=Engines/B name=B-base dir=Engines/ \
                 option.Threads=1 option.Hash=16' --tc 8.0+0.08 --timemargin 250 --pairs 32 --draw 40,8,10 --resign 3,400 --openings \
                 Books/X.epd --order random --start 97 --seed 1 --threads 2 --faults-allowed inf",
            ),
            (
                "./cutechess-linux -repeat -recover -variant fischerandom -resign movecount=3 score=400 -draw movenumber=40 \
                 movecount=8 score=10 -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Hash=16 name=A -engine \
                 dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 timemargin=250 option.Hash=16 name=B -openings file=Books/X.pgn \
                 format=pgn order=random start=1 plies=16 -srand 1 -event X -rounds 16 -games 2 -concurrency 2",
                "'cmd=Engines/A name=A dir=Engines/ option.Hash=16' 'cmd=Engines/B name=B dir=Engines/ option.Hash=16' --tc 8.0+0.08 \
                 --timemargin 250 --pairs 16 --draw 40,8,10 --resign 3,400 --openings Books/X.pgn --plies 16 --order random --seed 1 \
                 --variant chess960 --threads 2 --faults-allowed inf",
            ),
            (
                "-quick cmd=./new cmd=./new book=b.epd -concurrency 1",
                "cmd=./new 'cmd=./new name=new_2' --tc 10+0.1 --pairs 25000 --draw 30,8,8 --openings b.epd --order random --threads 1 \
                 --faults-allowed inf",
            ),
        ] {
            assert_eq!(translated(line).as_deref(), Ok(command), "{line}");
        }
    }

    #[test]
    fn each_option_means_what_it_means_there() {
        for (words, expected) in [
            ("-rounds 7 -repeat", "--pairs 7"),
            ("", "--pairs 2"),
            ("-games 400 -rounds 2", "--pairs 400"),
            ("-games 400", "--pairs 400"),
            ("-games 4 -repeat -rounds 9", "--pairs 9"),
            (
                "-resign movecount=3 score=600 twosided=true",
                "--pairs 2 --resign 3,600 --resign-two-sided",
            ),
            ("-draw score=5", "--pairs 2 --draw 0,1,5"),
            ("-maxmoves 150", "--pairs 2 --maxmoves 150"),
            (
                "-sprt elo0=-1.5 elo1=5 alpha=0.05 beta=0.1 -rounds 256",
                "--pairs 256 --sprt=-1.5,5 --alpha 0.05 --beta 0.1 --model normalized",
            ),
            (
                "-sprt elo1=2 alpha=0.05 beta=0.05 model=logistic",
                "--pairs 2 --sprt=0,2 --alpha 0.05 --beta 0.05 --model logistic",
            ),
            ("-srand 1234 -srand 5", "--pairs 2 --seed 5"),
            ("-tournament gauntlet -seeds 1", "--pairs 2"),
            ("-pgnout file=x.pgn min=true notation=uci", "--pairs 2 --pgn compact"),
            (
                "-openings file=b.pgn plies=8 start=4",
                "--pairs 2 --openings b.pgn --plies 8 --order sequential --start 4",
            ),
        ] {
            assert_eq!(options(words), expected, "{words}");
        }
        let all = all_threads().get();
        let command = translated(&with_engines("-concurrency 0")).unwrap();
        assert!(command.contains(&format!("--threads {all} ")), "{command}");
    }

    #[test]
    fn an_engine_has_what_all_engines_have() {
        let words = "-each option.Hash=64 nodes=5000 restart=on 'option.Clear Hash=true' -engine cmd=a option.Hash=1 args='-x -y' \
                     restart=off -engine cmd=b name='my b'";
        assert_eq!(
            translated(&format!("{words} nodes=7")).as_deref(),
            Ok(
                "'cmd=a args=\"-x -y\"' 'cmd=b name=\"my b\"' --each 'option.Hash=64 restart=on \"option.Clear Hash=true\"' --nodes 5000 \
                 --pairs 2 --openings positions/start.epd --threads 1 --faults-allowed 1"
            )
        );
        assert_eq!(
            translated(&format!("{words} plies=3")).unwrap_err(),
            ["the engine my b has nodes=5000 and depth=3: lmrlab limits a move by one of them; keep one"]
        );
        assert_eq!(
            translated("-engine cmd=a st=0.25 -engine cmd=b st=0.25 -rounds 1").as_deref(),
            Ok(
                "cmd=a cmd=b --movetime 250 --timemargin 0 --pairs 1 --openings positions/start.epd --threads 1 --faults-allowed 1"
            )
        );
        assert_eq!(
            translated("cutechess-cli -engine cmd=a arg=-q 'arg=b c' -engine cmd=b -each tc=1 -games 2 -repeat -openings file=x").as_deref(),
            Ok(
                "'cmd=a args=\"-q '\\''b c'\\''\"' cmd=b --tc 1 --pairs 1 --openings x --order sequential --threads 1 --faults-allowed 1"
            )
        );
        for (value, expected) in [("a\"b c", "'args=a\"b c'"), ("it's", "args=\"it's\"")] {
            assert_eq!(word("args", value), expected);
        }
    }

    #[test]
    fn logs_and_pondering_are_translated() {
        let line = "-engine cmd=a -engine cmd=b ponder=on -each tc=1 -rounds 1 -log file=all.log engine=true level=trace -use-affinity";
        assert_eq!(
            translated(line).as_deref(),
            Ok(
                "cmd=a 'cmd=b ponder=true' --tc 1 --pairs 1 --openings positions/start.epd --threads 1 --pin --log all.log \
                 --faults-allowed 1"
            )
        );
        let line = "cutechess-cli -engine cmd=a -engine cmd=b ponder -each tc=1 -games 2 -repeat -openings file=x";
        assert!(
            translated(line)
                .unwrap()
                .starts_with("cmd=a 'cmd=b ponder=true' --tc 1 ")
        );
    }

    #[test]
    fn what_would_change_the_games_is_an_error() {
        for (words, error) in [
            ("-tb /tb -tbpieces 6", "`-tb`: lmrlab has no tablebases"),
            ("-noswap", "`-noswap`: lmrlab plays each opening with both colours"),
            ("-games 1", "one game of each opening"),
            ("-games 3 -rounds 5", "at most 2 games of a round"),
            ("-rounds 0", "at least 1"),
            ("-sprt elo0=0 elo1=5", "`-sprt` needs `alpha=` and `beta=`"),
            (
                "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=bayesian",
                "lmrlab has no BayesElo",
            ),
            ("-variant crazyhouse", "`-variant crazyhouse`"),
            (
                "-config file=config.json",
                "does not read the settings of another program",
            ),
            ("-engine cmd=c", "plays two engines, and here are 3"),
            ("-each whitepov=on", "has nothing like it"),
            ("-each proto=xboard", "engines that speak UCI"),
            ("-each restart=true", "it is `on` or `off`"),
            ("-each colour=red", "does not describe an engine"),
            ("-each nodes=5", "tc=10/1+0 and nodes=5"),
            ("-rounds 10 20", "`-rounds` has one value, and here it has 2"),
            ("-rounds many", "a whole number belongs here"),
            (
                "-draw count=5",
                "`-draw` has no `count=`; it has movenumber=, movecount=, score=",
            ),
            ("-draw 5", "`5` is not KEY=VALUE"),
            ("-resign twosided=yes", "it is `true` or `false`"),
            ("-ronds 5", "fastchess has no option `-ronds`; did you mean `-rounds`?"),
            ("--run", "write it before the words of fastchess"),
            ("-version", "plays no games"),
        ] {
            let errors = translated(&with_engines(words)).unwrap_err();
            assert!(errors.iter().any(|text| text.contains(error)), "{words}: {errors:?}");
        }
        for (line, error) in [
            ("-engine cmd=a nodes=1", "a match has two engines"),
            (
                "-engine cmd=a nodes=1 -engine name=b nodes=1",
                "`-engine` without `cmd=`",
            ),
            ("-engine cmd=a -engine cmd=b tc=inf", "the engine a has no limit"),
            ("fastchess stray -engine cmd=a", "`stray` belongs to no option"),
            (
                "cutechess-cli -engine cmd=a -engine cmd=b -each tc=1 -games 2",
                "without `-repeat` cutechess plays each opening once",
            ),
            (
                "cutechess-cli -engine cmd=a -engine cmd=b -each tc=1 -rounds 3 -repeat",
                "3 games: lmrlab plays each opening twice",
            ),
        ] {
            let errors = translated(line).unwrap_err();
            assert!(errors.iter().any(|text| text.contains(error)), "{line}: {errors:?}");
        }
    }

    #[test]
    fn what_does_not_change_the_games_is_a_note() {
        let words = "-wait 5 -event My Event -site X -ratinginterval 2 -scoreinterval 3 -autosaveinterval 4 -report penta=false \
                     -output format=cutechess -log file=x level=trace -crc32 pgn=true -show-latency -testEnv -strict \
                     -check-mate-pvs -epdout file=x -force-concurrency -reverse -seeds 2 -startup-ms 5 -ucinewgame-ms 5 -ping-ms 5 \
                     -pgnout file=x notation=lan -recover -use-affinity 1,2 -config outname=x.json -resign movecount=3 score=400 \
                     -draw movenumber=40 movecount=8 score=10 -srand 1 -openings file=b.epd order=random -games 50 -sprt elo0=0 \
                     elo1=5 alpha=0.05 beta=0.05";
        let line = with_engines(words).replace("option.Hash=8", "").replace("+0 ", "+0.1 ");
        let translation = translation(&line);
        assert_eq!(translation.errors, Vec::<String>::new());
        insta::assert_snapshot!(translation.notes.join("\n"));
        let plain = self::translation(&with_engines("-repeat -rounds 5 -openings file=b.epd"));
        assert!(
            plain.notes.iter().all(|note| note.starts_with("`tc`")),
            "{:?}",
            plain.notes
        );
    }

    #[test]
    fn a_line_may_be_one_word() {
        let words = vec!["-engine cmd=a -engine 'cmd=b c' -each nodes=5".to_owned()];
        let translation = Translation::of(words, Path::new("/nowhere"));
        assert_eq!(translation.errors, Vec::<String>::new());
        assert_eq!(translation.command.get(1).map(String::as_str), Some("cmd=\"b c\""));
    }
}
