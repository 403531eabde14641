//! A matrix as a table of text and as a CSV file.

use super::{Matrix, Question};
use crate::measures::Strength;
use crate::sheet::Sheet;
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::text_table::TextTable;

impl Matrix {
    /// A line for each surrounding, with Elo, its 95% error and the pairs at each budget.
    pub fn text(&self) -> String {
        let budgets = self.budgets.iter().map(|nodes| format!("{nodes} nodes"));
        let mut table = TextTable::new(1, std::iter::once("surrounding".to_owned()).chain(budgets));
        for (name, cells) in self
            .surroundings
            .iter()
            .zip(self.cells.chunks(self.budgets.len().max(1)))
        {
            let cells = cells.iter().map(|cell| match cell.pairs.pairs() {
                0 => "-".to_owned(),
                pairs => {
                    let estimate = cell.estimate();
                    let error = unsigned(estimate.elo_error_95.map(|error| error.0), 1);
                    format!("{} ±{error} ({pairs})", signed(Some(estimate.elo.0), 1))
                }
            });
            table.push(std::iter::once(name.clone()).chain(cells));
        }
        table.to_string()
    }

    /// A line for each cell. Each has the question, too, so that a page can answer it.
    pub fn sheet(&self, [idea, baseline]: [&str; 2], question: &Question) -> Sheet {
        let mut sheet = Sheet::new(
            [
                &["idea", "baseline", "surrounding", "match_nodes"][..],
                &Strength::COLUMNS,
                &["at_nodes", "level", "slope_prior"],
            ]
            .concat(),
        );
        for cell in &self.cells {
            let name = self.surroundings.get(cell.surrounding).map_or("", String::as_str);
            let place = [idea, baseline, name, &cell.nodes.to_string()].map(str::to_owned);
            let strength = Strength {
                pairs: cell.pairs,
                estimate: cell.estimate(),
            };
            let asked = [
                question.nodes.to_string(),
                question.level.to_string(),
                question.slope_prior.to_string(),
            ];
            sheet.push([&place[..], &strength.cells(), &asked].concat());
        }
        sheet
    }
}
