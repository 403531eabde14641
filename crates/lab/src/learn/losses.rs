//! What each reduction of each late move of a file of curves costs: nodes, and a price for a missed move.

use lmrlab_policy::Policy;
use rayon::prelude::*;

use super::cost::{Cost, weight};
use super::prices::Prices;
use crate::curves::curve_facts::FactColumns;
use crate::curves::{Curve, CurveFile};

/// The least and the greatest reduction that a table of losses has, in plies before the limits that depend on the move.
const LEAST: i32 = -4;
const GREATEST: i32 = 24;
const WIDTH: usize = (GREATEST - LEAST + 1) as usize;

/// How many moves one thread adds up at a time.
const PART: usize = 4_096;

/// How far from the reduction of the start a move can gain, in plies. The curves are of the search tree of the start.
/// They say little about a policy that differs much from it. Conservative policy iteration limits the change for the
/// same reason (Kakade and Langford 2002).
const TRUSTED: i32 = 1;

/// The late moves of some positions, with their losses.
#[derive(Debug, Clone)]
pub(super) struct Losses {
    /// The indices of the curves in the file.
    pub(super) curves: Vec<usize>,
    /// The position of each, as a number; those of a position follow each other.
    pub(super) positions: Vec<u32>,
    /// [`WIDTH`] losses for each.
    table: Vec<f32>,
    /// The losses of the moves that are not late.
    pub(super) rest: f64,
    /// The sum of the weights of all moves.
    pub(super) weights: f64,
}

impl Losses {
    /// The moves of `file` at `wanted` positions that are late for the policy.
    pub(super) fn of(
        policy: &Policy,
        file: &CurveFile,
        columns: &FactColumns,
        prices: &Prices,
        wanted: impl Fn(u32) -> bool,
    ) -> Self {
        let mut losses = Self {
            curves: Vec::new(),
            positions: Vec::new(),
            table: Vec::new(),
            rest: 0.0,
            weights: 0.0,
        };
        for (position, index, curve) in numbered(file) {
            if !wanted(position) {
                continue;
            }
            let facts = columns.facts(curve);
            let (weight, price) = (weight(curve), prices.at(curve.kind));
            losses.weights += weight;
            let Some(raw) = policy.raw(&facts) else {
                losses.rest += weight * Cost::of(curve, 0).loss(price);
                continue;
            };
            let start = policy.whole(raw);
            losses.curves.push(index);
            losses.positions.push(position);
            losses.table.extend((LEAST..=GREATEST).map(|whole| {
                let cost = |whole: i32| Cost::of(curve, policy.limited(whole, &facts));
                let near = whole.clamp(start - TRUSTED, start + TRUSTED);
                (weight * cost(whole).worst(cost(near)).loss(price)) as f32
            }));
        }
        losses
    }

    /// How many late moves there are.
    pub(super) fn len(&self) -> usize {
        self.curves.len()
    }

    /// The weighted loss of a late move with a reduction before the limits that depend on the move.
    #[inline]
    pub(super) fn at(&self, row: usize, whole: i32) -> f32 {
        let place = (whole.clamp(LEAST, GREATEST) - LEAST) as usize;
        self.table[row * WIDTH + place]
    }

    /// The mean loss of all moves, the late ones with these reductions before `[finish]`.
    pub(super) fn mean(&self, policy: &Policy, raw: &[f64]) -> f64 {
        // Parts of a fixed size: the sum is the same on any number of threads.
        let sums = raw.par_chunks(PART).enumerate().map(|(part, raw)| {
            let rows = (part * PART..).zip(raw);
            rows.map(|(row, raw)| f64::from(self.at(row, policy.whole(*raw)))).sum()
        });
        let sums: Vec<f64> = sums.collect();
        (self.rest + sums.iter().sum::<f64>()) / self.weights
    }

    /// The reductions before `[finish]` that a policy gives to the late moves.
    pub(super) fn raw(&self, policy: &Policy, file: &CurveFile, columns: &FactColumns) -> Vec<f64> {
        let rows = self.curves.par_iter();
        rows.map(|index| policy.raw(&columns.facts(&file.curves[*index])).unwrap_or(0.0))
            .collect()
    }
}

/// The curves of a file, each with the number of its position and its own.
fn numbered(file: &CurveFile) -> impl Iterator<Item = (u32, usize, &Curve)> {
    let mut position = 0;
    let mut last: Option<&str> = None;
    file.curves.iter().enumerate().map(move |(index, curve)| {
        if last.is_some_and(|last| last != curve.position) {
            position += 1;
        }
        last = Some(&curve.position);
        (position, index, curve)
    })
}
