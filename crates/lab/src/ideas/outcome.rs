//! Ideas as tables: the list of all, and all about one.

use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::number_text::{counted, elo_plus_minus, signed, unsigned};
use lmrlab_results::outcome::picture::{Intervals, Quantity};
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::ideas::{IdeaGamesRow, IdeaPolicyRow, IdeaReportRow, IdeaRow};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_stats::{DEVIATIONS_95, Estimate};

use super::games::GAMES_BENCH;
use super::library::KnownIdea;
use super::policies::policies;
use super::reported::{FORECAST_LEVEL, TestResult};

tables! {
    /// The tables of ideas. Those of policies, reports and games are of one idea.
    IdeaTables {
        ideas: Vec<IdeaRow>,
        policies: Vec<IdeaPolicyRow>,
        reports: Vec<IdeaReportRow>,
        games: Vec<IdeaGamesRow>,
    }
}

impl IdeaTables {
    /// The list of these ideas.
    pub fn list(ideas: &[KnownIdea]) -> Self {
        Self {
            ideas: ideas.iter().map(|known| known.row.clone()).collect(),
            ..Self::default()
        }
    }

    /// An idea of the project with this root, with its policies.
    ///
    /// # Errors
    /// When one of its policies cannot be played.
    pub fn one(known: &KnownIdea, root: &Path) -> Result<Self, Failure> {
        let reports = known.reports.iter().map(|report| {
            let test = TestResult::of(report);
            IdeaReportRow {
                engine: report.engine.clone(),
                year: report.year.map_or_else(String::new, |year| year.to_string()),
                patch: report.kind.clone(),
                time_control: report.time_control(),
                as_reported: test.map(|test| test.as_reported),
                elo: test.map(|test| test.elo),
                elo_error_95: test.map(|test| DEVIATIONS_95 * test.error),
                url: report.url.clone(),
            }
        });
        let games = known.games.iter().map(|games| {
            let estimate = Estimate::of(&games.pairs);
            IdeaGamesRow {
                on: games.on.clone(),
                match_nodes: games.nodes,
                pairs: games.pairs.pairs(),
                elo: estimate.map(|estimate| estimate.elo.0),
                elo_error_95: estimate.and_then(|estimate| Some(estimate.elo_error_95?.0)),
                bench: GAMES_BENCH,
            }
        });
        Ok(Self {
            ideas: vec![known.row.clone()],
            policies: policies(known, root)?,
            reports: reports.collect(),
            games: games.collect(),
        })
    }

    /// What the tables say.
    pub fn outcome(self) -> Outcome {
        let tables = self.tables();
        match &self.ideas[..] {
            [idea] if !self.policies.is_empty() => Outcome {
                tables,
                ..self.shown(idea)
            },
            ideas => Outcome {
                title: "Ideas for late move reductions".to_owned(),
                conditions: counted(ideas.len() as u64, "idea"),
                sections: vec![Section::new("Ideas").table(Table::of("ideas", ideas).without(&[
                    "tests",
                    "tau",
                    "q_probability",
                ]))],
                notes: vec!["Elo is the mean over the engines of those who reported about the idea.".to_owned()],
                tables,
                ..Outcome::default()
            },
        }
    }

    fn shown(&self, idea: &IdeaRow) -> Outcome {
        let mut sections: Vec<Section> = (self.policies.iter())
            .map(|row| {
                let words = match row.side.as_str() {
                    "with" => "With the idea",
                    _ => "Without it",
                };
                let section = Section::new(format!("{words} ({})", row.name));
                let section = match row.text.is_empty() {
                    true => section.say(&*row.policy),
                    false => section.lines(&*row.text),
                };
                match row.note.is_empty() {
                    true => section,
                    false => section.say(format!("The {}.", row.note)),
                }
            })
            .collect();
        sections.push(self.reports_section(idea));
        if let Some(first) = self.games.first() {
            let games = Table::of("games", &self.games);
            let heading = format!(
                "Our own games, in the search of bench {}, with all presets together",
                first.bench
            );
            sections.push(Section::new(heading).table(games));
        }
        let found = (!idea.found.is_empty()).then(|| idea.found.clone());
        Outcome {
            title: idea.idea.clone(),
            conditions: format!("{} ({})", idea.idea, idea.category),
            verdict: [idea.sentence.clone()].into_iter().chain(found).collect(),
            sections,
            notes: vec![format!(
                "`lmrlab match idea:{name}` plays the policies against each other. `lmrlab trial POLICY --idea {name}` tries it on a policy.",
                name = idea.idea
            )],
            tables: Vec::new(),
        }
    }

    /// What others reported.
    fn reports_section(&self, idea: &IdeaRow) -> Section {
        let section = Section::new("Reports, Elo as the worth of the idea");
        if self.reports.is_empty() {
            return section.say("There are no reports.");
        }
        let table = Table::of("reports", &self.reports);
        let quantity = Quantity::elo("Elo, corrected for early stops", "no effect");
        let picture = Intervals::of("Reported tests", &table, "engine", "elo", quantity);
        let section = section.table(table).draw([picture]);
        let Some(elo) = idea.elo else {
            return section.say("None of them is a test of the idea itself.");
        };
        let mut section = section.say(format!(
            "Mean of {}, corrected for early stops: {} ({}).",
            counted(idea.tests, "test"),
            elo_plus_minus(Some(elo), idea.elo_error_95),
            counted(idea.engines, "engine"),
        ));
        if idea.engines > 1 {
            section = section.say(format!(
                "Between engines: tau {} Elo; Cochran's Q {}, degrees of freedom {}, p {}.",
                unsigned(idea.tau, 1),
                unsigned(idea.q, 1),
                idea.engines - 1,
                Seen::Probability.number(idea.q_probability.unwrap_or_default()),
            ));
        }
        section.say(match idea.forecast_low.zip(idea.forecast_high) {
            Some((low, high)) => format!(
                "Expect in another engine {} Elo, {:.0}% interval {} to {}. No better forecast is known to us.",
                signed(Some(elo), 1),
                100.0 * FORECAST_LEVEL,
                signed(Some(low), 1),
                signed(Some(high), 1)
            ),
            None => "A forecast for another engine needs reports of three engines.".to_owned(),
        })
    }
}
