//! The conditions that all games of a command line have: pairs, rules, openings, threads, files.

use super::translation::{Given, Translation};

/// The openings of a match without `-openings`.
const START_POSITION: &str = "positions/start.epd";

impl Translation {
    /// Rounds of games become pairs.
    pub(super) fn pairs(&mut self, _: &Given) {
        let usual: u64 = if self.is_cutechess { 1 } else { 2 };
        let (Some(rounds), Some(games)) = (self.number("rounds", usual), self.number("games", usual)) else {
            return;
        };
        // Without a number it is 2.
        let repeat = match self.has("repeat") {
            true => self.number("repeat", 2).unwrap_or(2),
            false => 1,
        };
        let pairs = match self.is_cutechess {
            true => self.pairs_of_cutechess(rounds, games, repeat),
            false => self.pairs_of_fastchess(rounds, games, repeat),
        };
        match pairs {
            Ok(0) => self.error("`-rounds` and `-games`: at least 1"),
            Ok(pairs) => self.put("--pairs", pairs),
            Err(why) => self.error(format!(
                "{why}; lmrlab plays each opening twice, with both colours: write `-games 2 -repeat`"
            )),
        }
    }

    fn pairs_of_fastchess(&self, rounds: u64, games: u64, repeat: u64) -> Result<u64, String> {
        // Of -games and -repeat, the later one counts.
        let mut both = self.line.iter().map(|(option, _)| option.as_str());
        let games = match both.rfind(|option| ["games", "repeat"].contains(option)) {
            Some("repeat") => repeat,
            _ => games,
        };
        // It plays at most 2 games of a round, and takes more as the number of rounds.
        let (rounds, games) = if games > 2 { (games, rounds) } else { (rounds, games) };
        match games {
            0 => Ok(0),
            1 => Err("one game of each opening".to_owned()),
            2 => Ok(rounds),
            _ => Err("fastchess plays at most 2 games of a round".to_owned()),
        }
    }

    fn pairs_of_cutechess(&self, rounds: u64, games: u64, repeat: u64) -> Result<u64, String> {
        let all = rounds.saturating_mul(games);
        match repeat {
            0 | 1 => Err("without `-repeat`, or with `-repeat 1`, cutechess plays each opening once".to_owned()),
            2 if self.is_match() && all % 2 == 1 => Err(format!("{all} games")),
            2 if !self.is_match() && games % 2 == 1 => Err(format!("`-games {games}` with more than two engines")),
            2 => Ok(all / 2),
            _ => Err(format!(
                "`-repeat {repeat}`: cutechess plays each opening {repeat} times"
            )),
        }
    }

    /// The values of the first keys of an option, or those that fastchess takes. cutechess takes none of its own.
    fn values<const N: usize>(&mut self, option: &str, given: &Given, usual: [(&str, &str); N]) -> [String; N] {
        let values = given.values::<N>();
        if self.is_cutechess && values.contains(&None) {
            let keys = usual.map(|(key, _)| format!("{key}="));
            self.error(format!("`-{option}`: cutechess needs {}", keys.join(", ")));
        }
        let mut usual = usual.into_iter();
        values.map(|value| {
            let usual = usual.next().map_or("", |(_, usual)| usual);
            value.unwrap_or_else(|| usual.to_owned())
        })
    }

    pub(super) fn draw(&mut self, given: &Given) {
        let usual = [("movenumber", "0"), ("movecount", "1"), ("score", "0")];
        let values = self.values("draw", given, usual);
        self.put("--draw", values.join(","));
    }

    pub(super) fn resign(&mut self, given: &Given) {
        let values = self.values("resign", given, [("movecount", "1"), ("score", "0")]);
        self.put("--resign", values.join(","));
        match given.values::<3>()[2].as_deref() {
            Some("true") => self.flag("--resign-two-sided"),
            Some("false") | None => {}
            Some(other) => self.error(format!("`twosided={other}`: it is `true` or `false`")),
        }
    }

    pub(super) fn max_moves(&mut self, given: &Given) {
        // For cutechess, 0 is no limit.
        if !(self.is_cutechess && given.value() == "0") {
            self.put("--maxmoves", given.value());
        }
    }

    pub(super) fn tablebase_pieces(&mut self, given: &Given) {
        // 0 means the men of the largest table.
        if given.value() != "0" {
            self.put("--tb-pieces", given.value());
        }
    }

    pub(super) fn tablebases(&mut self, given: &Given) {
        const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };
        for folder in given.value().split(SEPARATOR).filter(|folder| !folder.is_empty()) {
            self.put("--tb", self.path(folder));
        }
    }

    pub(super) fn sprt(&mut self, given: &Given) {
        let usual = [("elo0", "0"), ("elo1", "0"), ("alpha", ""), ("beta", "")];
        let [elo0, elo1, alpha, beta] = self.values("sprt", given, usual);
        if alpha.is_empty() || beta.is_empty() {
            self.error("`-sprt` needs `alpha=` and `beta=`, as in `alpha=0.05 beta=0.05`");
        }
        let usual = ["normalized", "logistic"][usize::from(self.is_cutechess)];
        let [.., model] = given.values::<5>();
        self.flag(&format!("--sprt={elo0},{elo1}"));
        self.put("--alpha", alpha);
        self.put("--beta", beta);
        self.put("--model", model.as_deref().unwrap_or(usual));
    }

    /// The openings and their order.
    pub(super) fn openings(&mut self, given: &Given) {
        let [file, format, plies, order, start] = given.values();
        let Some(file) = file else {
            return self.without_openings();
        };
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        let usual = if self.is_cutechess { "pgn" } else { ending };
        let is_pgn = match format.as_deref().unwrap_or(usual) {
            "pgn" => true,
            "epd" => false,
            _ => {
                return self.error(format!(
                    "`-openings file={file}`: without a format that it knows, the other program does not play these openings; write \
                     `format=epd` or `format=pgn`"
                ));
            }
        };
        self.put("--openings", self.path(&file));
        if let (true, Some(plies)) = (is_pgn, plies) {
            self.put("--plies", plies);
        }
        let order = order.unwrap_or("sequential".to_owned());
        let is_random = order == "random";
        self.put("--order", order);
        // cutechess reads it in a sequence only.
        if let Some(start) = start.filter(|start| start != "1" && !(is_random && self.is_cutechess)) {
            self.put("--start", start);
        }
        if is_random && !self.has("srand") {
            self.note(
                "without `-srand` the other program draws a new seed for each match; lmrlab has `--seed 0` until you write another",
            );
        }
    }

    /// What is played without a book.
    fn without_openings(&mut self) {
        let is_chess960 = self.last("variant").is_some_and(|words| words == ["fischerandom"]);
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
    }

    pub(super) fn variant(&mut self, given: &Given) {
        match given.value() {
            "standard" => {}
            "fischerandom" => self.put("--variant", "chess960"),
            other => self.error(format!(
                "`-variant {other}`: lmrlab plays `standard` and `fischerandom`"
            )),
        }
    }

    /// With two engines, the formats are the same.
    pub(super) fn tournament(&mut self, given: &Given) {
        match given.value() {
            "gauntlet" => self.is_gauntlet = true,
            "roundrobin" | "round-robin" => {}
            other => self.error(format!(
                "`-tournament {other}`: lmrlab has no such tournament; write `gauntlet`, or leave it out for a round robin"
            )),
        }
    }

    /// `-tournament` comes before it in the table.
    pub(super) fn seeds(&mut self, given: &Given) {
        if self.is_gauntlet && !self.is_match() && given.value() != "1" {
            self.error(format!(
                "`-seeds {}`: in a gauntlet of lmrlab, one engine plays all others; write a line for each of them",
                given.value()
            ));
        }
    }

    pub(super) fn log(&mut self, given: &Given) {
        if let [Some(log), Some(engine)] = given.values()
            && engine == "true"
        {
            self.put("--log", log);
        }
    }

    /// Without `-recover`, the other programs stop when an engine crashes or stalls.
    pub(super) fn faults(&mut self, _: &Given) {
        let recovers = self.has("recover");
        self.put("--faults-allowed", if recovers { "inf" } else { "crashes:1" });
    }

    pub(super) fn short_pgn(&mut self, given: &Given) {
        if given.words.iter().any(|word| word == "min" || word == "min=true") {
            self.put("--pgn", "compact");
        }
    }
}
