//! The page of a run of short games, with a part of each kind.

use lmrlab_results::outcome::picture::{Curve, Intervals, Lines, Map, MapCell, Mark, Picture, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Part, Replays, Section};
use lmrlab_results::rows::bench::BenchTime;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::seen::Seen;

/// The moves of each game: a pawn promotes, en passant, castling to both sides.
pub(crate) const MOVES: &str = "e2e4 d7d5 e4d5 c7c5 d5c6 d8d2 c1d2 c8g4 g1f3 b8a6 f1e2 e8c8 e1g1 g4f3 c6b7 c8c7 b7b8q";

/// What may be said in a run.
pub(crate) struct SmallRun {
    /// The name of an engine.
    pub(crate) engine: String,
    pub(crate) fen: String,
    /// All other texts.
    pub(crate) text: String,
}

impl Default for SmallRun {
    fn default() -> Self {
        Self {
            engine: "one".to_owned(),
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            text: "a text".to_owned(),
        }
    }
}

impl SmallRun {
    fn game(&self, number: &str) -> GameRow {
        let plies = MOVES.split(' ').count();
        let list = |value: &str| vec![value; plies].join(" ");
        let mut record = csv::StringRecord::from(vec![number, "1", "1", "1", &self.fen, &self.engine, "other"]);
        for cell in [
            "1-0",
            "time_forfeit",
            &plies.to_string(),
            "1",
            "1",
            "1.00",
            "1.00",
            MOVES,
        ] {
            record.push_field(cell);
        }
        for cell in [&list("31"), &list("5"), &list("1000"), "", &self.text, ""] {
            record.push_field(cell);
        }
        record.deserialize(None).unwrap()
    }

    /// The PGN of each game.
    pub(crate) fn pgn(&self) -> String {
        format!("[White \"{}\"]\n\n1. e4 {{{}}} 1-0\n", self.engine, self.text)
    }

    fn pictures(&self, table: &Table) -> [Picture; 3] {
        let text = || self.text.clone();
        let intervals = Intervals::of(
            text(),
            table,
            "policy",
            "nodes",
            Quantity::elo(&*self.text, &*self.text),
        );
        let lines = Lines {
            title: text(),
            x: Quantity::new(&*self.text, Seen::AsWritten),
            y: Quantity::elo(&*self.text, &*self.text),
            curves: vec![Curve {
                name: text(),
                points: vec![(1.0, Known::exact(2.0)), (2.0, Known::with_error(3.0, Some(1.0)))],
                has_band: false,
            }],
            labels: vec![(1.0, text())],
            note: text(),
            ..Lines::default()
        };
        let map = Map {
            title: text(),
            down: text(),
            right: text(),
            rows: vec![text()],
            columns: vec![text()],
            cells: vec![MapCell {
                row: 0,
                column: 0,
                level: 1.0,
                text: "1".to_owned(),
                detail: text(),
                mark: Mark::Best,
            }],
            note: text(),
        };
        [intervals.into(), lines.into(), map.into()]
    }

    /// Its page.
    pub(crate) fn page(&self) -> String {
        let row = BenchTime {
            policy: self.text.clone(),
            position: self.text.clone(),
            fen: self.text.clone(),
            nodes: 1,
            time_ms: 2.0,
        };
        let rows = [row.clone(), row];
        let table = Table::of("times", &rows).with_columns(0, std::slice::from_ref(&self.text), [&[1.0][..], &[2.0]]);
        let pictures = self.pictures(&table);
        let found = Section::new(&*self.text).say(&*self.text).lines(&*self.text);
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (self.text.clone(), (*text).to_owned()))
                .collect()
        };
        let mut played = Section::for_page("What was played");
        played.parts.push(Part::Facts(texts(&[&self.text])));
        played.parts.push(Part::Texts(texts(&[&self.text, "another"])));
        let mut games = Section::for_page("Games");
        games.parts.push(Part::Games(Replays {
            folder: self.text.clone(),
            games: ["1", "2"].map(|number| (self.game(number), self.pgn())).to_vec(),
        }));
        let outcome = Outcome {
            title: self.text.clone(),
            conditions: self.text.clone(),
            verdict: vec![self.text.clone()],
            sections: vec![
                found.table(table.clone()).reference(table).draw(pictures),
                games,
                played,
            ],
            notes: vec![self.text.clone()],
            ..Outcome::default()
        };
        lmrlab_results::report::outcome::page(&outcome, &self.text).html()
    }
}
