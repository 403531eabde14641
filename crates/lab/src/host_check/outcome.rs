//! The findings as an outcome.

use lmrlab_results::number_text::counted;
use lmrlab_results::outcome::table::Table;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::host_check::HostFindingRow;
use lmrlab_results::tables;

use super::finding::{Finding, Verdict};

tables! {
    /// The tables of a check.
    HostCheckTables {
        findings: HostFindingRow,
    }
}

impl HostCheckTables {
    /// The tables of these findings.
    pub fn of(findings: &[Finding]) -> Self {
        let row = |finding: &Finding| HostFindingRow {
            verdict: finding.verdict.word().to_owned(),
            check: finding.check.clone(),
            found: finding.what.clone(),
            seen: finding.example.clone().unwrap_or_default(),
            right: finding.advice.clone().unwrap_or_default(),
        };
        Self {
            findings: findings.iter().map(row).collect(),
        }
    }

    /// The number of mistakes.
    pub fn wrong(&self) -> usize {
        self.with(Verdict::Wrong).count()
    }

    fn with(&self, verdict: Verdict) -> impl Iterator<Item = &HostFindingRow> {
        self.findings.iter().filter(move |row| row.verdict == verdict.word())
    }

    /// What the tables say. `conditions` are the engine and the searches.
    pub fn outcome(self, conditions: &str) -> Outcome {
        let warnings = counted(self.with(Verdict::Warning).count() as u64, "warning");
        let verdict = match self.wrong() {
            0 => format!("Nothing is wrong; {warnings}."),
            1 => format!("1 check is wrong; {warnings}."),
            wrong => format!("{wrong} checks are wrong; {warnings}."),
        };
        let mut sections = vec![Section::new("Checks").table(Table::of("findings", &self.findings))];
        for (verdict, word) in [(Verdict::Wrong, "wrong"), (Verdict::Warning, "perhaps wrong")] {
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
