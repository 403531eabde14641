//! The findings as an outcome.

use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::tables;

use super::finding::{Finding, WARNING, WRONG};

tables! {
    /// The tables of a check.
    HostCheckTables {
        findings: Vec<Finding>,
    }
}

impl HostCheckTables {
    /// The number of mistakes.
    pub fn wrong(&self) -> usize {
        self.with(WRONG).count()
    }

    fn with(&self, verdict: &str) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |row| row.verdict == verdict)
    }

    /// What the tables say. `conditions` are the engine and the searches.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let warnings = counted(self.with(WARNING).count() as u64, "warning");
        let verdict = match self.wrong() {
            0 => format!("Nothing is wrong; {warnings}."),
            1 => format!("1 check is wrong; {warnings}."),
            wrong => format!("{wrong} checks are wrong; {warnings}."),
        };
        let mut sections = vec![Section::new("Checks").table(Table::of("findings", &self.findings))];
        for (verdict, word) in [(WRONG, "wrong"), (WARNING, "perhaps wrong")] {
            sections.extend(self.with(verdict).map(|row| {
                let section = Section::new(format!("{} is {word}", row.check)).say(format!("{}.", row.found));
                let more = [("Seen", &row.seen), ("Right", &row.right)].into_iter();
                let more = more.filter(|(_, text)| !text.is_empty());
                more.fold(section, |section, (name, text)| section.say(format!("{name}: {text}.")))
            }));
        }
        Outcome {
            title: "Check of a host".to_owned(),
            conditions: conditions.to_owned(),
            verdict: vec![verdict],
            sections,
            notes: Vec::new(),
            tables: self.tables(),
        }
    }
}
