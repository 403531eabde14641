//! Learns a policy from curves: the parameters of a start, and rules that lower the loss on the moves of the file.
//!
//! The loss of a move is its nodes as a share of those at full depth. A missed move costs a price, too: that of
//! [`Prices`]. The curves say exactly what a policy does on the moves of a file, so the loss is optimised directly.
//! Positions that are held out decide how many rules there are.

mod cost;
mod fit;
mod losses;
mod prices;
mod terms;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::Path;

use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::number_text::signed;
use lmrlab_runner::policy_file::{changes, comments, extending, quoted};
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::{CONFIDENCE, ERROR_HEADING, Resamples};

use self::fit::{Fit, LearnedRule, MOST_PLIES};
pub use self::prices::Prices;
use crate::curves::CurveFile;
use crate::curves::curve_facts::FactColumns;

/// How a policy is learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearnOptions {
    /// The price of a missed move, as a multiple of what the start pays for one at nodes of the same kind.
    pub price: f64,
    /// The most rules that are added.
    pub most_rules: usize,
    /// The seed: it decides which positions are held out, and the resampling for errors.
    pub seed: u64,
}

/// About one in this number of positions is held out.
const HELD_OUT: u64 = 3;

/// After this number of rules without a gain on the held-out positions, learning stops.
const PATIENCE: usize = 3;

/// The most characters of the name of a rule or a parameter.
const LONGEST_NAME: usize = 64;

/// How often held-out positions are resampled for errors.
const RESAMPLES: usize = 1_000;

/// A step of learning.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What it did: a rule, or `parameters of the start`.
    pub what: String,
    /// The plies of the rule in the learned policy; `None` when the rule is not part of it, and for parameters.
    pub plies: Option<f64>,
    /// The mean loss on the positions that are learned from, after the step.
    pub loss: f64,
    /// The mean loss on the held-out positions.
    pub held_out: f64,
    /// By how much the loss on the held-out positions fell with the step.
    pub earned: f64,
    /// Half the width of the 95% interval of this gain.
    pub error: Option<f64>,
    /// Whether the step is part of the learned policy.
    pub taken: bool,
}

/// A learned policy.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The start, with the learned parameters.
    pub policy: Policy,
    rules: Vec<LearnedRule>,
    /// The mean losses of the start: on the positions that are learned from, and on the held-out ones.
    pub start: (f64, f64),
    /// What a missed move costs.
    pub prices: Prices,
    /// The steps, in their order.
    pub steps: Vec<Step>,
    /// By how much the loss on the held-out positions fell in all, and half the width of its 95% interval.
    gain: (f64, Option<f64>),
    /// Late moves: learned from, and held out.
    pub moves: (usize, usize),
}

/// Learns from curves.
pub fn learn(start: &Policy, file: &CurveFile, options: LearnOptions) -> Learned {
    let columns = FactColumns::of(file, start);
    let is_held_out = |position: u32| mixed(u64::from(position), options.seed).is_multiple_of(HELD_OUT);
    let prices = Prices::of_start(start, file, options.price);
    let new = |wanted: &dyn Fn(u32) -> bool| Fit::new(start.clone(), file, &columns, &prices, wanted);
    let mut fit = new(&|position| !is_held_out(position));
    let mut held = new(&is_held_out);
    let moves = (fit.losses.len(), held.losses.len());
    let first = Held::of(&held);
    let resamples = Resamples::new(first.by_position.len(), RESAMPLES, options.seed);
    let terms = fit.terms();
    let (mut steps, mut states): (Vec<Step>, Vec<State>) = (Vec::new(), Vec::new());
    // How many steps are taken.
    let mut taken = 0;
    let start_losses = (fit.loss, held.loss);
    while steps.len() <= options.most_rules && steps.len() < taken + PATIENCE {
        let what = if steps.is_empty() {
            fit.improve(2);
            "parameters of the start".to_owned()
        } else if fit.add_rule(&terms) {
            fit.improve(1);
            fit.rules.last().map_or_else(String::new, |rule| rule.term.to_string())
        } else {
            break;
        };
        held.take(&fit.policy, &fit.rules);
        let now = Held::of(&held);
        let before = states.last().map_or(&first, |state| &state.held);
        let (earned, error) = now.gain_over(before, &resamples);
        steps.push(Step {
            what,
            plies: None,
            loss: fit.loss,
            held_out: held.loss,
            earned,
            error,
            taken: false,
        });
        let best = taken.checked_sub(1).map_or(first.loss, |best| steps[best].held_out);
        if held.loss < best {
            taken = steps.len();
        }
        states.push(State {
            policy: fit.policy.clone(),
            rules: fit.rules.clone(),
            held: now,
        });
    }
    let state = taken.checked_sub(1).and_then(|last| states.into_iter().nth(last));
    let state = state.unwrap_or_else(|| State {
        policy: start.clone(),
        rules: Vec::new(),
        held: first.clone(),
    });
    let gain = state.held.gain_over(&first, &resamples);
    // The values are learned again from all positions.
    let mut all = new(&|_| true);
    all.take(&state.policy, &state.rules);
    if taken > 0 {
        all.improve(1);
    }
    for (index, step) in steps.iter_mut().enumerate().take(taken) {
        step.taken = true;
        step.plies = index
            .checked_sub(1)
            .and_then(|index| all.rules.get(index))
            .map(|rule| rule.plies);
    }
    Learned {
        policy: all.policy,
        rules: all.rules,
        start: start_losses,
        prices,
        steps,
        gain,
        moves,
    }
}

/// What is learned after a step.
struct State {
    policy: Policy,
    rules: Vec<LearnedRule>,
    held: Held,
}

/// The losses on the held-out positions.
#[derive(Debug, Clone)]
struct Held {
    loss: f64,
    /// The weighted losses of each position.
    by_position: Vec<f64>,
    weights: f64,
}

impl Held {
    fn of(fit: &Fit<'_>) -> Self {
        Self {
            loss: fit.loss,
            by_position: fit.losses_by_position(),
            weights: fit.losses.weights,
        }
    }

    /// By how much these losses are less than those of `before`, and half the width of the 95% interval.
    fn gain_over(&self, before: &Self, resamples: &Resamples) -> (f64, Option<f64>) {
        let gain = |times: &[u32]| {
            let pairs = before.by_position.iter().zip(&self.by_position).zip(times);
            let sum: f64 = pairs
                .map(|((before, now), times)| (before - now) * f64::from(*times))
                .sum();
            Some(sum / self.weights)
        };
        let interval = resamples.interval(gain);
        (before.loss - self.loss, interval.map(|(low, high)| (high - low) / 2.0))
    }
}

/// A number that depends on a position and a seed, without a pattern (Steele, Lea and Flood 2014, SplitMix64).
fn mixed(position: u64, seed: u64) -> u64 {
    let mut mixed = position.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Learned {
    /// The policy as a file in `folder` that extends its start. Names are looked up in the project at `root`. `evidence` becomes comments.
    /// `None` when there is no file of the start.
    pub fn file(
        &self,
        name: &str,
        start: &PolicyReference,
        root: &Path,
        folder: &Path,
        evidence: &str,
    ) -> Option<String> {
        let mut text = comments(evidence);
        text.push_str(&extending(name, start, root, folder)?);
        text.push_str(&start.settings().unwrap_or_default());
        let names = self.names();
        for (rule, name) in self.rules.iter().zip(&names) {
            let _ = write!(text, "\n[[rule]]\nname = {}\n", quoted(name));
            if let Some(condition) = rule.term.condition() {
                let _ = writeln!(text, "when = {}", quoted(&condition));
            }
            let _ = writeln!(text, "add  = {}", quoted(&rule.term.amount(&parameter(name))));
        }
        let changes = changes(&self.policy);
        text.push_str(&changes);
        if !self.rules.is_empty() && !changes.contains("\n[param]\n") {
            text.push_str("\n[param]\n");
        }
        for (rule, name) in self.rules.iter().zip(&names) {
            let _ = writeln!(
                text,
                "{} = {{ value = {:?}, min = -{MOST_PLIES:?}, max = {MOST_PLIES:?}, step = 0.2 }}",
                parameter(name),
                rule.plies
            );
        }
        Some(text)
    }

    /// A unique name for each rule: no other rule has it, and no rule or parameter of the start.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for rule in &self.rules {
            let name = rule.term.name();
            let is_free = |name: &String| {
                let mut rules = self.policy.rules().iter();
                let mut parameters = self.policy.parameters().iter();
                !names.contains(name)
                    && rules.all(|rule| rule.name != *name)
                    && parameters.all(|known| known.key() != parameter(name))
            };
            let numbered = (1..).map(|number| {
                let end = if number == 1 {
                    String::new()
                } else {
                    format!("-{number}")
                };
                let start: String = name.chars().take(LONGEST_NAME - end.len()).collect();
                start + &end
            });
            names.extend(numbered.into_iter().find(is_free));
        }
        names
    }

    /// By how much the loss on the held-out positions fell, as a share of that of the start, and half the width of its
    /// 95% interval.
    pub fn gain_share(&self) -> (f64, Option<f64>) {
        let (gain, error) = self.gain;
        let share = |loss: f64| if self.start.1 > 0.0 { loss / self.start.1 } else { 0.0 };
        (share(gain), error.map(share))
    }

    /// What was learned, as a table.
    pub fn text(&self) -> String {
        let mut table = TextTable::new(1, ["step", "plies", "loss", "held out", "earned", ERROR_HEADING, ""]);
        table.push([
            "start".to_owned(),
            String::new(),
            format!("{:.5}", self.start.0),
            format!("{:.5}", self.start.1),
        ]);
        for step in &self.steps {
            table.push([
                step.what.clone(),
                step.plies.map_or_else(String::new, |plies| signed(Some(plies), 1)),
                format!("{:.5}", step.loss),
                format!("{:.5}", step.held_out),
                format!("{:.5}", step.earned),
                step.error.map_or_else(|| "-".to_owned(), |error| format!("{error:.5}")),
                if step.taken { "" } else { "not taken" }.to_owned(),
            ]);
        }
        if !self.steps.iter().any(|step| step.taken) {
            return format!(
                "{table}\nNo step lowers the loss on the held-out positions: the policy is that of the start\n"
            );
        }
        let (gain, error) = self.gain_share();
        let warning = match error {
            Some(error) if error < gain => "",
            _ => "This may be chance: take more curves, of more positions\n",
        };
        let error = error.map_or_else(String::new, |error| format!(" ± {:.1}%", 100.0 * error));
        format!(
            "{table}\nThe loss on the held-out positions fell by {:.1}%{error} ({CONFIDENCE})\n{warning}",
            100.0 * gain
        )
    }
}

fn parameter(rule: &str) -> String {
    rule.replace('-', "_")
}
