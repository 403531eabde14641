//! `lmrlab idea`: lists and shows the ideas of the library.

use std::fmt::Write as _;
use std::path::Path;

use clap::Subcommand;
use lmrlab_diagnostics::Files;
use lmrlab_lab::ideas::games::GAMES_BENCH;
use lmrlab_lab::ideas::library::{KnownIdea, known_ideas, named};
use lmrlab_lab::ideas::reported::{FORECAST_LEVEL, Reported, TestResult};
use lmrlab_policy::idea::{IdeaComparison, Side};
use lmrlab_policy::reference::{IDEA_MARK, POLICY_FOLDER, WITHOUT};
use lmrlab_results::failure::Failure;
use lmrlab_results::number_text::{counted, signed, unsigned};
use lmrlab_results::visible::visible;
use lmrlab_runner::project;
use lmrlab_runner::text_table::{Column, TextTable};
use lmrlab_stats::Estimate;

use crate::invocation::working_folder;
use crate::print::{print_note, print_out, print_warnings};

/// List and show ideas for late move reductions, with what others reported about them.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// List the ideas of the project and the built-in ones.
    List,
    /// Show an idea: its policies, the reports with their links, what to expect in another engine, and our own games.
    #[command(
        after_help = "Example:\n  lmrlab idea show cut-node-more\n  lmrlab match idea:cut-node-more\n  lmrlab trial my-idea.toml --idea cut-node-more"
    )]
    Show {
        /// A name in configs/ideas.
        idea: String,
    },
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let root = project::root(&working_folder()?, None);
    let (ideas, warnings) = known_ideas(&Files::on_disk(), &root).map_err(Failure::Input)?;
    warnings.iter().for_each(print_warnings);
    match arguments {
        Arguments::List => print_out(&list(&ideas)),
        Arguments::Show { idea } => {
            let known = named(&ideas, idea)?;
            print_out(&show(known, &root)?);
        }
    }
    Ok(())
}

fn list(ideas: &[KnownIdea]) -> String {
    let mut table = TextTable::new(4, ["idea", "category", "reports", "what it does"]);
    for known in ideas {
        let reports = known.reported.as_ref().map_or("-".to_owned(), Reported::mean_text);
        let idea = &known.idea;
        table.push([&known.name, &idea.category, &reports, &idea.sentence].map(String::as_str));
    }
    table.to_string()
}

fn show(known: &KnownIdea, root: &Path) -> Result<String, Failure> {
    let KnownIdea { name, idea, .. } = known;
    let mut text = format!("{name} ({}): {}\n", visible(&idea.category), visible(&idea.sentence));
    if let Some(found) = &idea.found {
        let _ = writeln!(text, "{}", visible(found));
    }
    let folder = known.path.parent().unwrap_or(root);
    for comparison in &idea.comparisons {
        let on = &comparison.on;
        for (words, end, side) in [
            ("With the idea", "", &comparison.with),
            ("Without it", WITHOUT, &comparison.without),
        ] {
            // A side that cannot be played is an error.
            side.resolve(&Files::on_disk(), folder, root)?;
            let colon = if end.is_empty() { "" } else { ":" };
            let _ = write!(text, "\n{words} ({IDEA_MARK}{name}:{on}{colon}{end}):");
            match side {
                Side::Reference(reference) => {
                    let _ = writeln!(text, " {reference}");
                }
                Side::Text(_) => {
                    text.push('\n');
                    for line in side.text().lines() {
                        let _ = writeln!(text, "{}", format!("    {}", visible(line)).trim_end());
                    }
                }
            }
        }
    }
    for comparison in &idea.comparisons {
        if let Some(note) = baseline_note(comparison, root) {
            let _ = writeln!(text, "\nThe {note}.");
        }
    }
    text.push_str(&reports(known));
    text.push_str(&games(known));
    let _ = writeln!(
        text,
        "\nlmrlab match {IDEA_MARK}{name} plays the policies against each other. lmrlab trial POLICY --idea {name} tries it on a policy."
    );
    Ok(text)
}

/// What a baseline stands for, when it has the name of a policy and is another one.
fn baseline_note(comparison: &IdeaComparison, root: &Path) -> Option<String> {
    let (on, base) = (&comparison.on, comparison.base()?);
    let is_policy = Files::on_disk().named(POLICY_FOLDER, root).contains_key(on);
    (is_policy && on != base).then(|| format!("baseline `{on}` is the policy {}, not `{on}`", visible(base)))
}

/// Notes what the baseline of an engine stands for. `words` describe the engine.
pub(super) fn note_baseline(words: &str) -> Result<(), Failure> {
    let Some(rest) = words.strip_prefix(IDEA_MARK) else {
        return Ok(());
    };
    let mut parts = rest.split('@').next().unwrap_or_default().split(':');
    let (name, on) = (parts.next().unwrap_or_default(), parts.next());
    let root = project::root(&working_folder()?, None);
    let (ideas, _) = known_ideas(&Files::on_disk(), &root).map_err(Failure::Input)?;
    if let Some(note) = (named(&ideas, name)?.idea.on(on)).and_then(|comparison| baseline_note(comparison, &root)) {
        print_note(&format!("the {note}"));
    }
    Ok(())
}

/// What others reported.
fn reports(known: &KnownIdea) -> String {
    if known.reports.is_empty() {
        return "\nThere are no reports.\n".to_owned();
    }
    let mut table = TextTable::of([
        Column::words("engine"),
        Column::words("year"),
        Column::words("patch"),
        Column::words("time control"),
        Column::numbers("Elo"),
        Column::numbers("corrected"),
        Column::words("report"),
    ]);
    for report in &known.reports {
        let test = TestResult::of(report);
        let of = |value: fn(&TestResult) -> f64| signed(test.as_ref().map(value), 1);
        let corrected = match &test {
            Some(test) => format!(
                "{} ± {:.1}",
                of(|test| test.elo),
                lmrlab_stats::DEVIATIONS_95 * test.error
            ),
            None => "-".to_owned(),
        };
        table.push([
            report.engine.clone(),
            report.year.clone(),
            report.kind.word().to_owned(),
            report.time_control.clone(),
            of(|test| test.as_reported),
            corrected,
            report.url.clone(),
        ]);
    }
    let mut text = format!("\nReports, Elo as the worth of the idea:\n{table}");
    let Some(reported) = &known.reported else {
        text.push_str("None of them is a test of the idea itself.\n");
        return text;
    };
    let mean = &reported.mean;
    let _ = writeln!(
        text,
        "Mean of {}, corrected for early stops: {}.",
        counted(reported.tests.len() as u64, "test"),
        reported.mean_text()
    );
    if mean.q_freedom > 0 {
        let p = match mean.q_probability {
            small if small < 0.001 => "< 0.001".to_owned(),
            p => format!("= {p:.3}"),
        };
        let _ = writeln!(
            text,
            "Between engines: tau {} Elo; Cochran's Q {}, degrees of freedom {}, p {p}.",
            unsigned(Some(mean.tau), 1),
            unsigned(Some(mean.q), 1),
            mean.q_freedom
        );
    }
    let _ = match reported.forecast_text() {
        Some(interval) => writeln!(
            text,
            "Expect in another engine {} Elo, {:.0}% interval {interval}. No better forecast is known to us.",
            signed(Some(mean.value), 1),
            100.0 * FORECAST_LEVEL
        ),
        None => writeln!(text, "A forecast for another engine needs reports of three engines."),
    };
    text
}

/// The results of games that were played here.
fn games(known: &KnownIdea) -> String {
    if known.games.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new(1, ["on", "nodes", "pairs", "Elo"]);
    for games in &known.games {
        let estimate = Estimate::of(&games.pairs);
        let error = estimate.and_then(|estimate| estimate.elo_error_95).map(|error| error.0);
        table.push([
            games.on.clone(),
            games.nodes.to_string(),
            games.pairs.pairs().to_string(),
            format!(
                "{} ± {}",
                signed(estimate.map(|estimate| estimate.elo.0), 1),
                unsigned(error, 1)
            ),
        ]);
    }
    format!("\nOur own games, in the search of bench {GAMES_BENCH}, with all presets together:\n{table}")
}
