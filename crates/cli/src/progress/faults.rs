//! Faults of engines, as messages.

use lmrlab_results::games::GameRow;

/// Number of faults to show; further ones are only counted.
const SHOWN_FAULTS: u64 = 20;

/// Reports the first faults of a run, and then once that there are more.
#[derive(Debug, Default)]
pub(super) struct FaultReports(u64);

impl FaultReports {
    pub(super) fn of(&mut self, games: &[GameRow; 2]) -> Vec<String> {
        let mut reports = Vec::new();
        for report in games.iter().filter_map(GameRow::fault_report) {
            self.0 += 1;
            match self.0 {
                1 => reports.push(format!("{report} (position and `go`: games.csv)")),
                ..=SHOWN_FAULTS => reports.push(report),
                more if more == SHOWN_FAULTS + 1 => {
                    reports.push("further faults are only counted here; games.csv lists them all".to_owned());
                }
                _ => {}
            }
        }
        reports
    }
}
