//! A tournament from its manifest, as it was.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::configuration::{
    AdjudicationText, Configuration, DeadlinesText, EngineText, LimitText, RaceText, SprtText,
};
use crate::failure::{Failure, complaint};
use crate::game::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::game::limit::{Limit, Terms};
use crate::hash::{sha256, sha256_of_file};
use crate::openings::Openings;
use crate::player::uci::external::{Deadlines, ExternalEngine, MoveList, Restart};
use crate::tournament::Tournament;
use crate::tournament::config::MODELS;
use crate::tournament::entrant::{Entrant, EntrantEngine, find_program};
use crate::tournament::pgn_style::PgnStyle;
use crate::tournament::race::{GOALS, RaceRules};
use crate::tournament::schedule::{Format, Order};
use lmrlab_stats::Sprt;

/// Why a manifest cannot be used, in the words of a message.
type Wrong = String;

impl Configuration {
    /// The tournament, its files found from `root`.
    ///
    /// # Errors
    /// Every file that has changed or is gone; or what this program cannot have written.
    pub(super) fn restore(
        &self,
        root: &Path,
        threads: NonZeroUsize,
    ) -> Result<Tournament, Failure> {
        let mut changed = Vec::new();
        let openings_file = PathBuf::from(&self.openings.file);
        let openings = match Openings::load(&root.join(&openings_file), self.openings.max_plies) {
            Ok((openings, _)) if openings.sha256() == self.openings.sha256 => Some(openings),
            Ok(_) => {
                changed.push(format!(
                    "the openings `{}` have changed",
                    self.openings.file
                ));
                None
            }
            Err(_) => {
                changed.push(format!(
                    "the openings `{}` cannot be read any more",
                    self.openings.file
                ));
                None
            }
        };
        let mut engines = Vec::new();
        for engine in &self.engine {
            match engine.restore(root) {
                Ok(entrant) => engines.push(entrant),
                Err(wrong) => changed.push(format!("{wrong} (of the engine `{}`)", engine.name)),
            }
        }
        let Some(openings) = openings.filter(|_| changed.is_empty()) else {
            let reports = changed
                .into_iter()
                .map(|what| {
                    complaint(
                        format!("the run cannot be continued: {what}"),
                        "bring back what the run began with, or begin another run",
                    )
                })
                .collect();
            return Err(Failure::Input(reports));
        };
        self.rest(root, threads, openings_file, openings, engines)
            .map_err(|wrong| Failure::input(format!("the manifest is damaged: {wrong}"), ""))
    }

    fn rest(
        &self,
        root: &Path,
        threads: NonZeroUsize,
        openings_file: PathBuf,
        openings: Openings,
        engines: Vec<Entrant>,
    ) -> Result<Tournament, Wrong> {
        let gauntlet_engine = engine_called(&engines, self.gauntlet_engine.as_deref())?;
        let race = match &self.race {
            None => None,
            Some(race) => Some(race.restore(&engines)?),
        };
        if engines.len() < 2 {
            return Err("there are fewer than two engines".to_owned());
        }
        Ok(Tournament {
            name: self.name.clone(),
            description: self.description.clone(),
            root: root.to_owned(),
            format: named(&Format::NAMES, &self.format)?,
            gauntlet_engine,
            pairs: self.pairs,
            seed: self.seed,
            threads,
            openings_file,
            openings,
            max_plies: self.openings.max_plies,
            order: named(&Order::NAMES, &self.openings.order)?,
            terms: Terms {
                limit: self.limit.restore()?,
                margin: Duration::from_millis(self.time_margin_ms),
            },
            adjudication: self
                .adjudication
                .as_ref()
                .map(AdjudicationText::restore)
                .unwrap_or_default(),
            pin: self.pin,
            pgn: named(&PgnStyle::NAMES, &self.pgn)?,
            hash_mib: self.hash_mib,
            engines,
            sprt: match &self.sprt {
                None => None,
                Some(sprt) => Some(sprt.restore()?),
            },
            race,
        })
    }
}

/// The index of the engine with this name; that of the first when there is no name.
fn engine_called(engines: &[Entrant], name: Option<&str>) -> Result<usize, Wrong> {
    let Some(name) = name else { return Ok(0) };
    engines
        .iter()
        .position(|engine| engine.name == name)
        .ok_or_else(|| format!("no engine is called `{name}`"))
}

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Result<T, Wrong> {
    let known = names.iter().find(|(name, _)| *name == text);
    known
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("`{text}` means nothing"))
}

impl LimitText {
    fn restore(&self) -> Result<Limit, Wrong> {
        match self {
            Self {
                nodes: Some(nodes), ..
            } => Ok(Limit::Nodes(*nodes)),
            Self {
                depth: Some(depth), ..
            } => Ok(Limit::Depth(*depth)),
            Self {
                move_time_ms: Some(time),
                ..
            } => Ok(Limit::MoveTime(Duration::from_millis(*time))),
            Self {
                tc: Some(control), ..
            } => control
                .parse()
                .map(Limit::Clock)
                .map_err(|error| format!("`{control}`: {error}")),
            Self {
                nodes: None,
                depth: None,
                move_time_ms: None,
                tc: None,
            } => Err("a limit is empty".to_owned()),
        }
    }
}

impl SprtText {
    fn restore(&self) -> Result<Sprt, Wrong> {
        let model = named(&MODELS, &self.model)?;
        Sprt::new(model, self.elo0, self.elo1, self.alpha, self.beta)
            .map_err(|error| error.to_string())
    }
}

impl RaceText {
    fn restore(&self, engines: &[Entrant]) -> Result<RaceRules, Wrong> {
        let goal = named(&GOALS, &self.goal)?;
        let baseline = engine_called(engines, self.baseline.as_deref())?;
        let model = named(&MODELS, &self.model)?;
        RaceRules::new(goal, engines.len(), baseline, model, self.elo, self.alpha)
            .map_err(|error| error.to_string())
    }
}

impl AdjudicationText {
    fn restore(&self) -> Adjudication {
        Adjudication {
            draw: self.draw.as_ref().map(|rule| DrawRule {
                move_number: rule.move_number,
                move_count: rule.move_count,
                score_cp: rule.score_cp,
                two_sided: rule.two_sided,
            }),
            resign: self.resign.as_ref().map(|rule| ResignRule {
                move_count: rule.move_count,
                score_cp: rule.score_cp,
                two_sided: rule.two_sided,
            }),
            max_moves: self.max_moves,
        }
    }
}

impl DeadlinesText {
    fn restore(&self) -> Deadlines {
        Deadlines {
            start: Duration::from_millis(self.start_ms),
            ready: Duration::from_millis(self.ready_ms),
            answer: self.answer_ms.map(Duration::from_millis),
            late: Duration::from_millis(self.late_ms),
            quit: Duration::from_millis(self.quit_ms),
        }
    }
}

impl EngineText {
    fn restore(&self, root: &Path) -> Result<Entrant, Wrong> {
        let entrant = match (&self.command, &self.policy) {
            (Some(command), None) => self.restore_external(command, root)?,
            (None, Some(policy)) => self.restore_own(policy, root)?,
            _ => return Err("it has neither a command nor a policy".to_owned()),
        };
        Ok(Entrant {
            limit: match &self.limit {
                None => None,
                Some(limit) => Some(limit.restore()?),
            },
            margin: self.time_margin_ms.map(Duration::from_millis),
            ..entrant
        })
    }

    fn restore_own(&self, policy: &str, root: &Path) -> Result<Entrant, Wrong> {
        let preset = self.preset.as_deref().unwrap_or_default();
        let resolved = Entrant::resolve(Some(&self.name), preset, policy, root);
        let (entrant, _) = resolved.map_err(|unusable| {
            let gone = |what: &str| format!("{what} cannot be read any more");
            match (unusable.preset, unusable.policy) {
                (Some(_), None) => gone(&format!("the preset `{preset}`")),
                _ => gone(&format!("the policy `{policy}`")),
            }
        })?;
        if let EntrantEngine::Own(own) = &entrant.engine {
            if Some(sha256(own.preset.text())) != self.preset_hash {
                return Err(format!("the preset `{preset}` has changed"));
            }
            if Some(own.policy.hash()) != self.policy_hash {
                return Err(format!("the policy `{policy}` has changed"));
            }
        }
        Ok(entrant)
    }

    fn restore_external(&self, command: &str, root: &Path) -> Result<Entrant, Wrong> {
        let program = find_program(command, root)
            .ok_or_else(|| format!("the program `{command}` is not there any more"))?;
        if sha256_of_file(&program).ok() != self.program_sha256 {
            return Err(format!("the program `{command}` has changed"));
        }
        let engine = ExternalEngine {
            program,
            args: self.args.clone().unwrap_or_default(),
            dir: self.dir.as_ref().map(|dir| root.join(dir)),
            env: self.env.clone().unwrap_or_default().into_iter().collect(),
            options: self
                .options
                .iter()
                .flatten()
                .map(|[name, value]| (name.clone(), value.clone()))
                .collect(),
            restart: named(&Restart::NAMES, self.restart.as_deref().unwrap_or_default())?,
            move_list: named(
                &MoveList::NAMES,
                self.move_list.as_deref().unwrap_or_default(),
            )?,
            deadlines: self
                .deadlines
                .as_ref()
                .map(DeadlinesText::restore)
                .unwrap_or_default(),
        };
        Ok(Entrant {
            name: self.name.clone(),
            engine: EntrantEngine::External {
                command: command.to_owned(),
                engine: Arc::new(engine),
            },
            limit: None,
            margin: None,
        })
    }
}
