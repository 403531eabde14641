//! Start and tuned values of a tuning run, with their intervals.

use lmrlab_results::tuning::{Finding, NOT_MEASURED, TunedParameter};
use lmrlab_stats::DEVIATIONS_95;
use lmrlab_stats::{CONFIDENCE, INTERVAL_HEADING};

use crate::chart::axis::{Axis, Writing};
use crate::chart::{Chart, Layer, Point};
use crate::page::Section;
use crate::table::{Column, Table};

/// Start and tuned values with their intervals, as a table and each within its bounds.
pub(super) fn section(parameters: &[TunedParameter]) -> Section {
    let mut section = Section::new("values", "Values");
    if parameters.is_empty() {
        section.say("No numbers were tuned.");
        return section;
    }
    let share = |parameter: &TunedParameter, value: f64| (value - parameter.min) / (parameter.max - parameter.min);
    let mut starts = Vec::new();
    let mut tuned = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let row = index as f64;
        let value = parameter.tuned;
        let finding = parameter.finding.filter(Finding::is_measured);
        starts.push(Point {
            at: (share(parameter, parameter.start), row - 0.14),
            hover: format!("{}: start {}", parameter.name, parameter.start),
            ..Point::default()
        });
        tuned.push(Point {
            at: (share(parameter, value), row + 0.14),
            across: finding.map(|finding| {
                (
                    share(parameter, finding.interval.0),
                    share(parameter, finding.interval.1),
                )
            }),
            hover: format!("{}: tuned {value}", parameter.name),
            ..Point::default()
        });
    }
    let said = parameters.iter().map(|parameter| {
        let TunedParameter { name, start, tuned, .. } = parameter;
        let (min, max) = (parameter.min, parameter.max);
        format!("{name} from {start} to {tuned} (bounds {min} to {max})")
    });
    section.draw(
        Chart {
            id: "values".to_owned(),
            title: "Start and tuned values, each within its bounds".to_owned(),
            description: format!("{}.", said.collect::<Vec<_>>().join("; ")),
            x: Axis::exact("from the least to the greatest value allowed", (-0.03, 1.03)).written(Writing::Percent),
            y: Axis::names("", parameters.iter().map(|parameter| parameter.name.clone()).collect()).reversed(),
            height: 30.0 + 30.0 * parameters.len() as f64,
            legend: vec![(6, "start".to_owned()), (0, "tuned".to_owned())],
            note: format!("Bars: {CONFIDENCE} intervals of the best value."),
            layers: vec![Layer::Points(6, starts), Layer::Points(0, tuned)],
        }
        .draw(),
    );
    let columns = [
        Column::words("Parameter"),
        Column::numbers("Start"),
        Column::numbers("Tuned"),
        Column::words(format!("{INTERVAL_HEADING} of the best value")),
        Column::words("Does it matter?")
            .meaning("Elo lost when the value is moved away from the tuned one by this much"),
    ];
    let mut table = Table::new(columns);
    for parameter in parameters {
        let finding = parameter.finding.filter(Finding::is_measured);
        let interval = parameter
            .finding
            .map_or_else(String::new, |known| match known.is_measured() {
                true => format!(
                    "{} to {}{}",
                    parameter.short(known.interval.0),
                    parameter.short(known.interval.1),
                    (known.why_outside(parameter.start, parameter.tuned))
                        .map_or_else(String::new, |why| format!("; {why}"))
                ),
                false => NOT_MEASURED.to_owned(),
            });
        let matters = finding.map(|finding| {
            let moved = parameter.short(finding.moved);
            let error = DEVIATIONS_95 * finding.deviation;
            let doubt = if finding.is_measurable() {
                ""
            } else {
                ", not measurable"
            };
            format!(
                "moved by {moved:+}, it loses {:.1} ± {error:.1} Elo{doubt}",
                finding.effect
            )
        });
        table.push([
            parameter.name.clone(),
            parameter.start.to_string(),
            parameter.tuned.to_string(),
            interval,
            matters.unwrap_or_default(),
        ]);
    }
    section.add(table.markup());
    let unknown = parameters
        .iter()
        .filter(|parameter| parameter.finding.is_some_and(|known| !known.is_measured()));
    if unknown.count() > 0 {
        section.say(format!(
            "`{NOT_MEASURED}`: so far the prior says more about this parameter than the games do. More pairs are needed."
        ));
    }
    section
}
