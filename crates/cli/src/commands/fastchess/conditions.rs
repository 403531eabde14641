//! The conditions that all games of a command line have: pairs, rules, openings, threads, files.

use lmrlab_runner::tournament::defaults::all_threads;

use super::translation::{Given, Translation};

/// The openings of a match without `-openings`.
pub(super) const START_POSITION: &str = "positions/start.epd";
const BOTH_COLOURS: &str = "lmrlab plays each opening twice, with both colours";

impl Translation {
    /// Rounds of games become pairs.
    pub(super) fn pairs(&mut self, _: &Given) {
        let usual: u64 = if self.is_cutechess { 1 } else { 2 };
        let number = |this: &mut Self, option: &str| {
            let is_given = this.last(option).is_some_and(|words| !words.is_empty());
            if is_given { this.number(option) } else { Some(usual) }
        };
        let (Some(rounds), Some(games)) = (number(self, "rounds"), number(self, "games")) else {
            return;
        };
        let pairs = if self.is_cutechess {
            self.pairs_of_cutechess(rounds, games)
        } else {
            self.pairs_of_fastchess(rounds, games)
        };
        match pairs {
            Some(0) => self.error("`-rounds` and `-games`: at least 1"),
            Some(pairs) => self.put("--pairs", pairs),
            None => {}
        }
    }

    fn pairs_of_fastchess(&mut self, mut rounds: u64, mut games: u64) -> Option<u64> {
        // Of -games and -repeat, the later one counts.
        let mut later = self.line.iter().rev();
        let later = later.find(|(option, _)| option == "games" || option == "repeat");
        if let Some(("repeat", words)) = later.map(|(option, words)| (option.as_str(), words)) {
            games = words.first().and_then(|word| word.parse().ok()).unwrap_or(2);
        }
        if games > 2 {
            std::mem::swap(&mut rounds, &mut games);
            if games <= 2 {
                self.note(format!(
                    "`-games {rounds}`: fastchess plays at most 2 games of a round, and takes this as {rounds} rounds of {games}"
                ));
            }
        }
        match games {
            0 => Some(0),
            2 => Some(rounds),
            1 => {
                self.error(format!("one game of each opening: {BOTH_COLOURS}; write `-games 2`"));
                None
            }
            _ => {
                self.error("fastchess plays at most 2 games of a round: write `-rounds N -games 2`");
                None
            }
        }
    }

    fn pairs_of_cutechess(&mut self, rounds: u64, games: u64) -> Option<u64> {
        let is_match = self.engines.len() == 2;
        let policy = self.line.iter().filter(|(option, _)| option == "openings");
        let mut policy = policy
            .flat_map(|(_, words)| words)
            .filter_map(|word| word.strip_prefix("policy="));
        let policy = policy.next_back().unwrap_or("default").to_owned();
        let repeat = match self.last("repeat") {
            None => 1,
            Some([]) => 2,
            Some(_) => self.number("repeat")?,
        };
        let all = rounds.saturating_mul(games).min(u64::MAX - 1);
        let error = match &*policy {
            "round" if games != 2 => format!("`policy=round` with {games} games of a round"),
            "encounter" if games != 2 || is_match => format!("`policy=encounter` with {games} games of an encounter"),
            "default" if repeat == 1 => {
                self.error(format!(
                    "without `-repeat`, or with `-repeat 1`, cutechess plays each opening once; {BOTH_COLOURS}: write `-repeat`"
                ));
                return None;
            }
            "default" if repeat != 2 => format!("`-repeat {repeat}`: cutechess plays each opening {repeat} times"),
            "default" if all % 2 == 1 => format!("{all} games"),
            "default" if !is_match && games % 2 == 1 => format!("`-games {games}` with more than two engines"),
            "round" | "encounter" | "default" => return Some(all / 2),
            other => format!("`policy={other}`: it is `default`, `encounter` or `round`"),
        };
        self.error(format!("{error}; {BOTH_COLOURS}: write `-games 2 -repeat`"));
        None
    }

    pub(super) fn draw(&mut self, given: &Given) {
        let values = given.values::<3>();
        self.all_for_cutechess("-draw", "movenumber=, movecount= and score=", &values);
        let [number, count, score] = values;
        let or = |given: Option<String>, usual: &str| given.unwrap_or(usual.to_owned());
        self.put("--draw", [or(number, "0"), or(count, "1"), or(score, "0")].join(","));
        self.note(
            "`-draw`: the other program counts the moves of the opening as well, and starts `movecount` again at each capture and pawn move; \
             lmrlab counts the moves after the opening, and continues to count",
        );
    }

    pub(super) fn resign(&mut self, given: &Given) {
        let [count, score, two_sided] = given.values();
        let values = [count, score];
        self.all_for_cutechess("-resign", "movecount= and score=", &values);
        let [count, score] = values;
        let (count, score) = (count.unwrap_or("1".to_owned()), score.unwrap_or("0".to_owned()));
        self.put("--resign", format!("{count},{score}"));
        match two_sided.as_deref() {
            Some("true") => self.flag("--resign-two-sided"),
            Some("false") | None => {}
            Some(other) => self.error(format!("`twosided={other}`: it is `true` or `false`")),
        }
    }

    /// cutechess has no defaults.
    fn all_for_cutechess(&mut self, option: &str, keys: &str, values: &[Option<String>]) {
        if self.is_cutechess && values.contains(&None) {
            self.error(format!("`{option}`: cutechess needs {keys}"));
        }
    }

    pub(super) fn max_moves(&mut self, given: &Given) {
        // For cutechess, 0 is no limit.
        if !(self.is_cutechess && given.value() == "0") {
            self.put("--maxmoves", given.value());
        }
    }

    pub(super) fn tablebases(&mut self, given: &Given) {
        const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };
        for folder in given.value().split(SEPARATOR).filter(|folder| !folder.is_empty()) {
            self.put("--tb", folder);
        }
        self.note(
            "`-tb`: lmrlab plays only when all tables of up to `-tbpieces` men are there; the other program plays on where one is missing",
        );
    }

    /// Whether there are tablebases; adds a note about an option of theirs if not.
    fn has_tablebases(&mut self, option: &str) -> bool {
        let has = self.has("tb");
        if !has {
            self.note(format!("`-{option}`: without `-tb` it changes nothing"));
        }
        has
    }

    pub(super) fn tablebase_pieces(&mut self, _: &Given) {
        // 0 means the men of the largest table.
        if self.has_tablebases("tbpieces")
            && let Some(pieces) = self.number::<u32>("tbpieces").filter(|pieces| *pieces > 0)
        {
            self.put("--tb-pieces", pieces);
        }
    }

    pub(super) fn tablebase_ignore_50(&mut self, _: &Given) {
        if self.has_tablebases("tbignore50") {
            self.flag("--tb-ignore50");
        }
    }

    pub(super) fn tablebase_results(&mut self, given: &Given) {
        if self.has_tablebases("tbadjudicate") && given.value() != "BOTH" {
            self.error(format!(
                "`-tbadjudicate {}`: lmrlab's tablebases end won and drawn games; write `BOTH`, or leave it out",
                given.value()
            ));
        }
    }

    pub(super) fn sprt(&mut self, given: &Given) {
        self.all_for_cutechess("-sprt", "elo0=, elo1=, alpha= and beta=", &given.values::<4>());
        let [elo0, elo1, alpha, beta, model] = given.values();
        let usual = if self.is_cutechess { "logistic" } else { "normalized" };
        let model = model.unwrap_or(usual.to_owned());
        if model == "bayesian" {
            self.error(
                "`model=bayesian`: lmrlab has no BayesElo; write `model=normalized` or `model=logistic`, with bounds of that scale",
            );
        }
        let (Some(alpha), Some(beta)) = (alpha, beta) else {
            self.error("`-sprt` needs `alpha=` and `beta=`, as in `alpha=0.05 beta=0.05`");
            return;
        };
        let bound = |bound: Option<String>| bound.unwrap_or("0".to_owned());
        self.flag(&format!("--sprt={},{}", bound(elo0), bound(elo1)));
        self.put("--alpha", alpha);
        self.put("--beta", beta);
        self.put("--model", model);
        let mut words = self.line.iter().flat_map(|(_, words)| words);
        if self.is_cutechess || words.any(|word| word == "penta=false" || word == "format=cutechess") {
            self.note(
                "`-sprt`: the other program counts single games here; lmrlab counts pairs of games, so the test may end earlier or later",
            );
        }
    }

    /// The openings and their order.
    pub(super) fn openings(&mut self, given: &Given) {
        let [file, format, plies, order, start, policy] = given.values();
        if let (false, Some(other)) = (self.is_cutechess, policy.filter(|policy| policy != "round")) {
            self.error(format!("`policy={other}`: in fastchess it is `round`"));
        }
        let is_chess960 = self.last("variant").is_some_and(|words| words == ["fischerandom"]);
        let Some(file) = file else {
            match (is_chess960, self.is_cutechess) {
                (false, _) => {
                    self.put("--openings", START_POSITION);
                    self.note(
                        "without `-openings file=..` every game begins with the initial position; lmrlab has openings of its own: leave \
                         `--openings` out to play them",
                    );
                }
                (true, true) => self.note(
                    "without `-openings file=..` cutechess draws a position of Chess960 for each opening; lmrlab plays all 960 in the order \
                     of its seed",
                ),
                (true, false) => self.error("`-variant fischerandom`: fastchess needs a book: write `-openings file=..`"),
            }
            return;
        };
        let format = format.or_else(|| match file.rsplit_once('.') {
            _ if self.is_cutechess => Some("pgn".to_owned()),
            Some((_, ending @ ("pgn" | "epd"))) => Some(ending.to_owned()),
            _ => None,
        });
        match format.as_deref() {
            Some("pgn" | "epd") => {}
            Some(other) => self.error(format!("`format={other}`: it is `epd` or `pgn`")),
            None => self.error(format!(
                "`-openings file={file}`: fastchess plays the initial position when it does not know the format; write `format=epd` or \
                 `format=pgn`"
            )),
        }
        self.put("--openings", file);
        if let (Some("pgn"), Some(plies)) = (format.as_deref(), plies) {
            self.put("--plies", plies);
        }
        let order = order.unwrap_or("sequential".to_owned());
        let is_random = order == "random";
        self.put("--order", order);
        // cutechess reads it in a sequence only.
        if let Some(start) = start.filter(|start| start != "1" && !(is_random && self.is_cutechess)) {
            self.put("--start", start);
        }
        match (is_random, self.has("srand")) {
            (true, true) => {
                self.note("`-srand`: lmrlab shuffles the openings in another way, so the same seed gives another order");
            }
            (true, false) => self.note(
                "without `-srand` the other program draws a new seed for each match; lmrlab has `--seed 0` until you write another",
            ),
            (false, _) => {}
        }
    }

    pub(super) fn seed(&mut self, given: &Given) {
        self.put("--seed", given.value());
    }

    pub(super) fn variant(&mut self, given: &Given) {
        match &*given.value() {
            "standard" => {}
            "fischerandom" => self.put("--variant", "chess960"),
            other => self.error(format!(
                "`-variant {other}`: lmrlab plays `standard` and `fischerandom`"
            )),
        }
    }

    /// With two engines, the formats are the same.
    pub(super) fn tournament(&mut self, given: &Given) {
        match (&*given.value(), self.is_cutechess) {
            ("gauntlet", _) => self.is_gauntlet = true,
            ("roundrobin", false) | ("round-robin", true) => {}
            (other, _) => self.error(format!(
                "`-tournament {other}`: lmrlab has no such tournament; write `gauntlet` or `{}`",
                if self.is_cutechess { "round-robin" } else { "roundrobin" }
            )),
        }
        let seeds = self.number::<u64>("seeds").unwrap_or(1);
        if self.is_gauntlet && seeds > 1 && self.engines.len() > 2 {
            self.error(format!(
                "`-seeds {seeds}`: in a gauntlet of lmrlab, one engine plays all others; write a line for each of them"
            ));
        }
    }

    pub(super) fn threads(&mut self, given: &Given) {
        let threads: Option<i64> = match given.words() {
            [] => Some(1),
            _ => self.number("concurrency"),
        };
        match threads {
            Some(threads) if threads > 0 => self.put("--threads", threads),
            Some(_) if self.is_cutechess => self.error("`-concurrency`: cutechess needs a number of at least 1"),
            // Relative to the number of processors.
            Some(threads) => {
                let all = i64::try_from(all_threads().get()).unwrap_or(i64::MAX);
                self.put("--threads", all.saturating_add(threads).max(1));
            }
            None => {}
        }
    }

    pub(super) fn affinity(&mut self, given: &Given) {
        self.flag("--pin");
        if !given.words().is_empty() {
            self.note(format!(
                "`-use-affinity`: `taskset -c {}` before the command keeps it on these processors",
                given.words().join(",")
            ));
        }
    }

    pub(super) fn log(&mut self, given: &Given) {
        let [file, engine, append] = given.values();
        match file {
            Some(log) if engine.as_deref() == Some("true") && self.engines.len() > 2 => {
                self.note(format!(
                    "`-log`: write `lmrlab run FILE --log {log}`; a tournament file names no log"
                ));
            }
            Some(log) if engine.as_deref() == Some("true") => {
                self.put("--log", log);
                if append.as_deref() == Some("false") {
                    self.note("`append=false`: lmrlab does not replace a log; remove the file before the run to begin a new one");
                }
            }
            _ => self
                .note("`-log`: `--log FILE` of lmrlab writes what engines are sent and print, as with `engine=true`"),
        }
    }

    /// Without `-recover`, the other programs stop when an engine crashes or stalls.
    pub(super) fn faults(&mut self, _: &Given) {
        let recovers = self.has("recover");
        self.put("--faults-allowed", if recovers { "inf" } else { "crashes:1" });
    }

    pub(super) fn short_pgn(&mut self, given: &Given) {
        if given.values() == [Some("true".to_owned())] {
            self.put("--pgn", "compact");
        }
    }

    pub(super) fn pgn_of_cutechess(&mut self, given: &Given) {
        self.note("`-pgnout`: the games go to games.pgn in the folder of the results");
        if given.words().iter().skip(1).any(|word| word == "min") {
            self.put("--pgn", "compact");
        }
    }
}
