//! A pair of games between two settings of the engine.

use cozy_chess::Color;
use lmrlab_engine::position::Position;

use super::TuningRun;
use super::batch::{PairTask, PlayedPair};
use super::pair_lines::{PlayedLines, TaskLines, opening};
use crate::subject::TunedPlayer;
use crate::tuning_pairs::TuningPair;
use lmrlab_runner::conduct::in_order::Play;
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::game::pair::play_pair;
use lmrlab_runner::game::play::Side;
use lmrlab_runner::game::rules::Rules;
use lmrlab_runner::player::Warning;

/// A warning about the engine.
pub enum PairWarning {
    /// A fault that ended a game.
    Fault(String),
    /// Odd behaviour. Each kind is reported once.
    Odd(Warning),
}

impl Play for TuningRun<'_> {
    type Task = PairTask;
    type Result = PlayedPair;
    type Warning = PairWarning;
    type Worker = [TunedPlayer; 2];

    fn worker(&self) -> [TunedPlayer; 2] {
        [(); 2].map(|()| self.plan.subject.player(self.plan.conditions.hash_mib))
    }

    fn play(
        &self,
        players: &mut [TunedPlayer; 2],
        task: &PairTask,
        warnings: &mut Vec<PairWarning>,
    ) -> Option<PlayedPair> {
        let plan = self.plan;
        let opening = self.opening(task);
        let start = Position::from_fen(plan.openings.fen(opening)?).ok()?;
        let [first, second] = players;
        let first = first.with_values(&plan.subject, &task.probe.first);
        let second = second.with_values(&plan.subject, &task.probe.second);
        let terms = plan.conditions.terms;
        let rules = Rules {
            variant: plan.conditions.played_variant(),
            adjudication: &plan.conditions.adjudication,
            tablebases: plan.tablebases.as_ref(),
            interrupt: self.interrupt,
            begun: self.begun,
            logs: self.logs,
        };
        let name = plan.subject.start.name.as_str();
        let one = Side {
            player: &mut *first,
            terms,
            name,
        };
        let other = Side {
            player: &mut *second,
            terms,
            name,
        };
        let games = play_pair(one, other, &start, task.number, rules)?.map(|timed| timed.game);
        let outcomes = [
            games[0].result.outcome_for(Color::White),
            games[1].result.outcome_for(Color::Black),
        ];
        let mut faults_of = [0; 2];
        for (game, first) in games.iter().zip([Color::White, Color::Black]) {
            if let Some(fault) = &game.fault {
                faults_of[usize::from(fault.side != first)] += 1;
            }
        }
        let counted = plan.conditions.faults_allowed.counted();
        let faults = games.each_ref().map(|game| {
            let class = game.termination.fault().filter(|class| counted.contain(*class));
            class.and(game.fault.as_ref()).map(|fault| fault.what.clone())
        });
        let said = games.into_iter().filter_map(|game| game.fault);
        warnings.extend(
            said.map(|fault| PairWarning::Fault(format!("pair {}: the engine {}", task.number + 1, fault.what))),
        );
        let odd = first.take_warnings().into_iter().chain(second.take_warnings());
        warnings.extend(odd.map(PairWarning::Odd));
        let pair = TuningPair {
            pair: task.number + 1,
            opening: opening + 1,
            games: outcomes,
            faults: faults_of,
            probe: task.probe.clone(),
        };
        Some(PlayedPair {
            pair,
            faults: Some(faults),
        })
    }

    fn describe(&self, task: &PairTask) -> String {
        format!("pair {}", task.number + 1)
    }
}

impl TuningRun<'_> {
    /// The index of the opening of a pair.
    pub(super) fn opening(&self, task: &PairTask) -> usize {
        opening(&self.order, task.number)
    }
}

impl Portable for TuningRun<'_> {
    type TaskFormat = TaskLines;
    type ResultFormat = PlayedLines;

    fn task_format(&self) -> TaskLines {
        TaskLines::new(self.plan, &self.order)
    }

    fn result_format(&self) -> PlayedLines {
        PlayedLines::new(self.plan.subject.names())
    }

    fn fits(&self, task: &PairTask, result: &PlayedPair) -> bool {
        let pair = &result.pair;
        (pair.pair, pair.opening, &pair.probe) == (task.number + 1, self.opening(task) + 1, &task.probe)
    }

    fn warning_text(&self, warning: &PairWarning) -> String {
        match warning {
            PairWarning::Fault(what) => what.clone(),
            PairWarning::Odd(warning) => format!("the engine {}", warning.what),
        }
    }
}
