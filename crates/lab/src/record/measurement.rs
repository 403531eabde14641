//! Plays the ideas of the record. Which cell of an idea gets the next pairs depends on the pairs that all its cells have, and on nothing
//! else: not on results, threads, interruptions, or other ideas.

use std::path::Path;

use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_engine::preset::Preset;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::sha256::sha256;
use lmrlab_stats::meta::{Allocation, MetaError, PlannedCell, Spread};
use lmrlab_stats::{PairOutcome, Pentanomial};

use super::cells::{CellName, Cells, RecordCell};
use super::ideas::{Comparison, Idea, canonical};
use crate::measures::Contest;
use crate::transfer::meeting::{Batch, Meeting, play};
use crate::transfer::{Surrounding, families};
use crate::workers::Workers;

/// Pairs that a cell gets at a time.
const BATCH: u64 = 4;

/// Pairs of a round.
const ROUND: u64 = 32;

/// The variance of the effect of a single pair, in Elo²: that of pairs of which a third is drawn or shared evenly. The design needs it
/// before there are games.
const PAIR_VARIANCE: f64 = 190.0 * 190.0;

/// Digits of a digest in the file.
const DIGITS: usize = 16;

/// A surrounding of the record.
#[derive(Debug, Clone)]
pub struct RecordSurrounding {
    /// Its name, preset and table.
    pub surrounding: Surrounding,
    /// The texts that the preset consists of, without descriptions and comments.
    text: String,
}

impl RecordSurrounding {
    /// A surrounding of this name, with the preset that its name without `hash` gives.
    ///
    /// # Errors
    /// When there is no such preset, or it is wrong.
    pub fn resolve(name: &str, preset: &str, hash_mib: u32, root: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        let files = Files::on_disk();
        let (resolved, warnings) = Preset::resolve_from(&files, preset, root)?;
        let overrides = preset.split_once('@').map_or("", |(_, overrides)| overrides);
        let found = Self {
            text: format!("{}\n@{overrides}\n{hash_mib}", canonical(&files)),
            surrounding: Surrounding {
                name: name.to_owned(),
                preset: resolved.into(),
                hash_mib,
            },
        };
        Ok((found, warnings))
    }
}

/// What is measured, and how far.
#[derive(Debug)]
pub struct Measurement {
    /// The ideas, each with a name of its own.
    pub ideas: Vec<Idea>,
    /// Where they are played.
    pub surroundings: Vec<RecordSurrounding>,
    /// The budgets, in nodes a move.
    pub budgets: Vec<u64>,
    /// The openings, and what the seeds of the cells come from.
    pub contest: Contest,
    /// Nodes a move for which the design is best.
    pub predicted_nodes: u64,
    /// Pairs of each idea, with those that it has already.
    pub pairs: u64,
}

/// A cell that can be played.
struct Place {
    cell: RecordCell,
    meeting: Meeting,
    /// The number of the surrounding, for the design.
    group: usize,
}

/// Cells of which the file has games that were played under other conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale(pub Vec<CellName>);

impl Measurement {
    /// The cells of the file whose games are of another policy, preset or table, of other openings or another seed.
    pub fn stale(&self, cells: &Cells) -> Stale {
        let places = self.ideas.iter().flat_map(|idea| self.places(idea));
        let stale = places.filter(|place| {
            let known = cells.get(&place.cell.name);
            known.is_some_and(|known| known.digest != place.cell.digest && known.pairs.pairs() > 0)
        });
        Stale(stale.map(|place| place.cell.name).collect())
    }

    /// Plays what is missing, the idea with the fewest pairs first, until every idea has its pairs or the workers are asked to stop.
    /// `each` gets the cells after every round.
    ///
    /// # Errors
    /// When the design is impossible, and those of `each`.
    pub fn play(
        &self,
        cells: &mut Cells,
        workers: &Workers,
        each: &mut dyn FnMut(&Cells) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let rounds = self
            .ideas
            .iter()
            .map(|idea| self.missing(cells, idea).div_ceil(ROUND))
            .sum::<u64>() as usize;
        for round in 1..=rounds {
            let Some(idea) = self
                .ideas
                .iter()
                .max_by_key(|idea| (self.missing(cells, idea), std::cmp::Reverse(&idea.id)))
            else {
                break;
            };
            let places = self.with_pairs(idea, cells);
            let pairs = self.missing(cells, idea).min(ROUND);
            if places.is_empty() || pairs == 0 {
                break;
            }
            let given = self
                .give(&places, pairs)
                .map_err(|error| Failure::Run(format!("no design: {error}")))?;
            workers.begin_row(round, rounds);
            match play_round(&places, &given, &self.contest, workers) {
                Some(more) => cells.put(more),
                // What is left of an interrupted round is played again: the next one then is what it would have been.
                None => break,
            }
            each(cells)?;
        }
        Ok(())
    }

    /// The pairs that an idea lacks.
    pub fn missing(&self, cells: &Cells, idea: &Idea) -> u64 {
        self.pairs.saturating_sub(cells.pairs(&idea.id))
    }

    /// Every cell of an idea, without pairs.
    fn places(&self, idea: &Idea) -> Vec<Place> {
        let mut places = Vec::new();
        for comparison in &idea.comparisons {
            for surrounding in &self.surroundings {
                let group = places.len() / self.budgets.len().max(1);
                for &nodes in &self.budgets {
                    places.push(self.place(idea, comparison, surrounding, nodes, group));
                }
            }
        }
        places
    }

    fn place(
        &self,
        idea: &Idea,
        comparison: &Comparison,
        surrounding: &RecordSurrounding,
        nodes: u64,
        group: usize,
    ) -> Place {
        let RecordSurrounding { surrounding, text } = surrounding;
        // Each surrounding has an order of openings of its own: two that play alike would repeat their games, and count them twice.
        let own = sha256(&format!(
            "{}\n{}\n{}\n{}",
            self.contest.seed, idea.id, comparison.on, surrounding.name
        ));
        let seed = u64::from_str_radix(own.get(..8).unwrap_or_default(), 16).unwrap_or_default();
        let depends_on = format!(
            "{}\n{text}\n{}\n{seed}",
            comparison.text,
            self.contest.openings.sha256()
        );
        let digest = sha256(&depends_on).chars().take(DIGITS).collect();
        Place {
            cell: RecordCell {
                name: CellName {
                    idea: idea.id.clone(),
                    on: comparison.on.clone(),
                    surrounding: surrounding.name.clone(),
                    nodes,
                },
                seed,
                digest,
                pairs: Pentanomial::default(),
            },
            meeting: Meeting {
                idea: surrounding.variant(&comparison.with),
                baseline: surrounding.variant(&comparison.against),
                seed,
            },
            group,
        }
    }

    /// Every cell of an idea, with the pairs that it has.
    fn with_pairs(&self, idea: &Idea, cells: &Cells) -> Vec<Place> {
        let mut places = self.places(idea);
        for place in &mut places {
            if let Some(known) = cells.get(&place.cell.name) {
                place.cell.pairs = known.pairs;
            }
        }
        places
    }

    /// How many pairs each cell gets: all first a batch, then those where it narrows the prediction most for its nodes.
    fn give(&self, places: &[Place], pairs: u64) -> Result<Vec<u64>, MetaError> {
        let mut given = vec![0; places.len()];
        let mut left = pairs;
        for (place, given) in places.iter().zip(&mut given) {
            *given = BATCH.saturating_sub(place.cell.pairs.pairs()).min(left);
            left -= *given;
        }
        if left == 0 {
            return Ok(given);
        }
        let names: Vec<String> = places
            .iter()
            .map(|place| place.cell.name.on_and_surrounding())
            .collect();
        let families = families(&names);
        let planned = places
            .iter()
            .zip(&given)
            .zip(families)
            .map(|((place, given), family)| PlannedCell {
                group: place.group,
                family,
                covariate: libm::log(place.cell.name.nodes as f64),
                games: (place.cell.pairs.pairs() + given) as f64,
                unit_variance: PAIR_VARIANCE,
                unit_cost: place.cell.name.nodes as f64,
            });
        let covariate = libm::log(self.predicted_nodes as f64);
        let mut allocation = Allocation::of_spread(planned.collect(), &Spread::PRIOR, covariate)?;
        while left > 0 {
            let pairs = left.min(BATCH);
            given[allocation.give(pairs as f64)] += pairs;
            left -= pairs;
        }
        Ok(given)
    }
}

/// Plays a round. The cells of which it played pairs, with those that they had; `None` when it was interrupted.
fn play_round(places: &[Place], given: &[u64], contest: &Contest, workers: &Workers) -> Option<Vec<RecordCell>> {
    let batches = places
        .iter()
        .zip(given)
        .enumerate()
        .filter(|(_, (_, pairs))| **pairs > 0);
    let batches: Vec<Batch<'_>> = batches
        .map(|(number, (place, &pairs))| {
            let first = place.cell.pairs.pairs();
            Batch {
                row: number + 1,
                meeting: &place.meeting,
                nodes: place.cell.name.nodes,
                pairs: first..first + pairs,
            }
        })
        .collect();
    let of_batch = |(batch, outcomes): (&Batch<'_>, Vec<Option<PairOutcome>>)| {
        let mut cell = places.get(batch.row - 1)?.cell.clone();
        for outcome in outcomes {
            cell.pairs.record(outcome?);
        }
        Some(cell)
    };
    batches
        .iter()
        .zip(play(&batches, contest, workers))
        .map(of_batch)
        .collect()
}

impl Stale {
    /// Takes the stale cells out of the file.
    pub fn remove_from(&self, cells: &mut Cells) {
        cells.list.retain(|cell| !self.0.contains(&cell.name));
    }
}
