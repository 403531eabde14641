//! A run of short games, as its files.

use std::fs;

use lmrlab_report::results;
use tempfile::TempDir;

/// The moves of each game: a pawn promotes, en passant, castling to both sides.
pub(crate) const MOVES: &str = "e2e4 d7d5 e4d5 c7c5 d5c6 d8d2 c1d2 c8g4 g1f3 b8a6 f1e2 e8c8 e1g1 g4f3 c6b7 c8c7 b7b8q";

/// What may be said in a run.
pub(crate) struct SmallRun {
    pub(crate) pairs: u64,
    pub(crate) engines: [String; 2],
    pub(crate) description: String,
    pub(crate) policy: String,
    pub(crate) fen: String,
    /// The comment of the fault that ended the last game.
    pub(crate) fault: String,
}

impl Default for SmallRun {
    fn default() -> Self {
        Self {
            pairs: 2,
            engines: ["one", "other"].map(str::to_owned),
            description: "A small run".to_owned(),
            policy: "schema = 1\n".to_owned(),
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            fault: "took 12 ms and had 10 ms".to_owned(),
        }
    }
}

impl SmallRun {
    /// Writes its files.
    pub(crate) fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let engines = self.engines.each_ref().map(|name| {
            let name = text(name);
            format!("[[tournament.engine]]\nname = {name}\npreset = \"standard\"\npolicy = \"none\"\n")
        });
        let manifest = format!(
            "format_version = 3\nlmrlab = \"0.1.0\"\nbench = 1\nstarted = \"2026-11-22T18:31:43Z\"\ncommand = {}\nroot = \".\"\n\
             [tournament]\nname = {}\ndescription = {}\nformat = \"round_robin\"\npairs = {}\n\
             [tournament.openings]\nfile = \"openings.epd\"\n[tournament.limit]\nnodes = 1000\n{}{}\
             [[file]]\npath = \"openings.epd\"\nsha256 = \"00\"\npositions = 2\n\
             [[file]]\npath = \"configs/policies/none.toml\"\nsha256 = \"00\"\ntext = {}\n",
            text(&self.description),
            text("small"),
            text(&self.description),
            self.pairs,
            engines[0],
            engines[1],
            text(&self.policy),
        );
        fs::write(folder.path().join("manifest.toml"), manifest).unwrap();
        let mut games = csv::Writer::from_writer(Vec::new());
        let columns = "game,pair,round,opening,fen,white,black,result,termination,plies,white_nodes,black_nodes,white_mean_depth,\
                       black_mean_depth,moves,scores,depths,nodes,times_ms,fault,fault_go";
        games.write_record(columns.split(',')).unwrap();
        let plies = MOVES.split(' ').count();
        let list = |value: &str| vec![value; plies].join(" ");
        for game in 1..=2 * self.pairs {
            let pair = game.div_ceil(2);
            let [first, second] = &self.engines;
            let (white, black) = if game % 2 == 1 {
                (first, second)
            } else {
                (second, first)
            };
            let (termination, fault) = match game {
                4 => ("time_forfeit", self.fault.as_str()),
                _ => ("win_adjudication", ""),
            };
            let numbers = [game, pair, pair, pair].map(|number| number.to_string());
            let rest = [&self.fen, white, black, "1-0", termination];
            let counts = [
                plies.to_string(),
                "1".to_owned(),
                "1".to_owned(),
                "1.00".to_owned(),
                "1.00".to_owned(),
            ];
            let lists = [MOVES.to_owned(), list("31"), list("5"), list("1000"), String::new()];
            let mut record: Vec<&str> = numbers.iter().map(String::as_str).collect();
            record.extend(rest);
            record.extend(counts.iter().chain(&lists).map(String::as_str));
            record.extend([fault, ""]);
            games.write_record(record).unwrap();
        }
        fs::write(folder.path().join("games.csv"), games.into_inner().unwrap()).unwrap();
        folder
    }

    /// Its page.
    pub(crate) fn page(&self) -> String {
        let folder = self.write();
        let paths = [folder.path().to_owned()];
        results::page(&paths, &[], |_| Ok(None)).unwrap().html()
    }
}
