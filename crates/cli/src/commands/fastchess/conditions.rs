//! The conditions that all games of a command line have: pairs, rules, openings, threads, files.

use lmrlab_runner::tournament::defaults::all_threads;

use super::translation::Translation;

/// The openings of a match without `-openings`.
const START_POSITION: &str = "positions/start.epd";

impl Translation {
    /// Rounds of games become pairs.
    pub(super) fn pairs(&mut self) {
        let usual: u64 = if self.is_cutechess { 1 } else { 2 };
        let is_quick = self.has("quick");
        let rounds = if self.has("rounds") {
            self.number("rounds")
        } else {
            Some(if is_quick { 25_000 } else { usual })
        };
        let mut games = Some(usual);
        // When both counts are given, the later one counts.
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

    /// The rules that end games early.
    pub(super) fn adjudication(&mut self) {
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
                 move; lmrlab counts the moves after the opening, and continues to count"
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
        self.tablebases();
    }

    /// The tablebases that end games.
    fn tablebases(&mut self) {
        const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };
        if !self.has("tb") {
            for option in ["tbpieces", "tbignore50", "tbadjudicate"] {
                if self.has(option) {
                    self.notes
                        .push(format!("`-{option}`: without `-tb` it changes nothing"));
                }
            }
            return;
        }
        let folders = self.value("tb").unwrap_or_default();
        for folder in folders.split(SEPARATOR).filter(|folder| !folder.is_empty()) {
            self.put("--tb", folder);
        }
        if self.has("tbpieces") {
            // 0 means the men of the largest table.
            if let Some(pieces) = self.number::<u32>("tbpieces").filter(|pieces| *pieces > 0) {
                self.put("--tb-pieces", pieces);
            }
        }
        if self.has("tbignore50") {
            self.command.push("--tb-ignore50".to_owned());
        }
        if self.has("tbadjudicate") {
            match self.value("tbadjudicate").as_deref() {
                Some("BOTH") | None => {}
                Some(other) => self.errors.push(format!(
                    "`-tbadjudicate {other}`: lmrlab's tablebases end won and drawn games; write `BOTH`, or leave it out"
                )),
            }
        }
        self.notes.push(
            "`-tb`: lmrlab plays only when all tables of up to `-tbpieces` men are there; the other program plays on where one is missing"
                .to_owned(),
        );
    }

    pub(super) fn sprt(&mut self) {
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
    pub(super) fn openings(&mut self) {
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
    pub(super) fn conditions(&mut self) {
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
            // With two engines, these formats are the same.
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
            // A number of 0 or less is relative to the number of processors.
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
            self.command.push("--pin".to_owned());
            if !processors.is_empty() {
                self.notes.push(format!(
                    "`-use-affinity`: `taskset -c {}` before the command keeps it on these processors",
                    processors.join(",")
                ));
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

    pub(super) fn pgn(&mut self) {
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
