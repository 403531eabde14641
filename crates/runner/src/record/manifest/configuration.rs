//! The part of a manifest that has the keys of a tournament file: everything that decides the games.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::game::limit::Limit;
use crate::player::uci::external::{Deadlines, ExternalEngine};
use crate::sha256::{sha256, sha256_of_file};
use crate::tournament::Tournament;
use crate::tournament::config::MODELS;
use crate::tournament::entrant::{Entrant, EntrantEngine};
use crate::tournament::race::{GOALS, RaceRules};
use crate::tournament::schedule::Format;
use lmrlab_stats::Sprt;

/// The tournament with the keys of a tournament file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gauntlet_engine: Option<String>,
    pub(super) pairs: u64,
    pub(super) seed: u64,
    pub(super) hash_mib: u32,
    pub(super) time_margin_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pin: Option<bool>,
    pub(super) pgn: String,
    pub(super) openings: OpeningsText,
    pub(super) limit: LimitText,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) adjudication: Option<AdjudicationText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sprt: Option<SprtText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) race: Option<RaceText>,
    pub(super) engine: Vec<EngineText>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningsText {
    pub(super) file: String,
    /// Of a PGN, so many plies of each game; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_plies: Option<u32>,
    pub(super) order: String,
    pub(super) count: usize,
    pub(super) sha256: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitText {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) move_time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tc: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SprtText {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) model: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RaceText {
    pub(super) goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<String>,
    pub(super) elo: f64,
    pub(super) alpha: f64,
    pub(super) model: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdjudicationText {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_moves: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) draw: Option<DrawText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resign: Option<ResignText>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawText {
    pub(super) move_number: u32,
    pub(super) move_count: u32,
    pub(super) score_cp: i32,
    pub(super) two_sided: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResignText {
    pub(super) move_count: u32,
    pub(super) score_cp: i32,
    pub(super) two_sided: bool,
}

/// An engine: the project's own has a preset and a policy, any other a command.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineText {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time_margin_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) preset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) policy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) preset_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) policy_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) preset_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) policy_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) program_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) restart: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) move_list: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<LimitText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deadlines: Option<DeadlinesText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) env: Option<BTreeMap<String, String>>,
    /// `[name, value]`, in the order in which they are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) options: Option<Vec<[String; 2]>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeadlinesText {
    pub(super) start_ms: u64,
    pub(super) ready_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer_ms: Option<u64>,
    pub(super) late_ms: u64,
    pub(super) quit_ms: u64,
}

impl Configuration {
    pub(super) fn new(tournament: &Tournament) -> Self {
        Self {
            name: tournament.name.clone(),
            description: tournament.description.clone(),
            format: tournament.format.name().to_owned(),
            gauntlet_engine: (tournament.format == Format::Gauntlet)
                .then(|| tournament.engines[tournament.gauntlet_engine].name.clone()),
            pairs: tournament.pairs,
            seed: tournament.seed,
            hash_mib: tournament.hash_mib,
            time_margin_ms: milliseconds(tournament.terms.margin),
            pin: tournament.pin,
            pgn: tournament.pgn.name().to_owned(),
            openings: OpeningsText {
                file: tournament.openings_file.display().to_string(),
                max_plies: tournament.max_plies,
                order: tournament.order.name().to_owned(),
                count: tournament.openings.count(),
                sha256: tournament.openings.sha256().to_owned(),
            },
            limit: LimitText::from(tournament.terms.limit),
            adjudication: AdjudicationText::new(&tournament.adjudication),
            sprt: tournament.sprt.as_ref().map(SprtText::new),
            race: (tournament.race.as_ref()).map(|rules| RaceText::new(rules, tournament)),
            engine: tournament.engines.iter().map(EngineText::new).collect(),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

impl From<Limit> for LimitText {
    fn from(limit: Limit) -> Self {
        let mut text = Self::default();
        match limit {
            Limit::Nodes(nodes) => text.nodes = Some(nodes),
            Limit::Depth(depth) => text.depth = Some(depth),
            Limit::MoveTime(time) => text.move_time_ms = Some(milliseconds(time)),
            Limit::Clock(control) => text.tc = Some(control.to_string()),
        }
        text
    }
}

impl SprtText {
    fn new(sprt: &Sprt) -> Self {
        Self {
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            model: name_of(&MODELS, sprt.model()),
        }
    }
}

impl RaceText {
    fn new(rules: &RaceRules, tournament: &Tournament) -> Self {
        let baseline = rules.baseline();
        Self {
            goal: name_of(&GOALS, rules.goal()),
            baseline: baseline.map(|engine| tournament.engines[engine].name.clone()),
            elo: rules.elo(),
            alpha: rules.alpha(),
            model: name_of(&MODELS, rules.model()),
        }
    }
}

/// The name of one of a few things that all have one.
fn name_of<T: Copy + PartialEq>(names: &[(&str, T)], wanted: T) -> String {
    let name = names.iter().find(|(_, thing)| *thing == wanted);
    name.map_or("", |(name, _)| name).to_owned()
}

impl AdjudicationText {
    /// Nothing when nothing is adjudicated.
    fn new(adjudication: &Adjudication) -> Option<Self> {
        let text = Self {
            max_moves: adjudication.max_moves,
            draw: adjudication.draw.map(|rule: DrawRule| DrawText {
                move_number: rule.move_number,
                move_count: rule.move_count,
                score_cp: rule.score_cp,
                two_sided: rule.two_sided,
            }),
            resign: adjudication.resign.map(|rule: ResignRule| ResignText {
                move_count: rule.move_count,
                score_cp: rule.score_cp,
                two_sided: rule.two_sided,
            }),
        };
        (*adjudication != Adjudication::default()).then_some(text)
    }
}

impl EngineText {
    fn new(entrant: &Entrant) -> Self {
        let text = Self {
            name: entrant.name.clone(),
            time_margin_ms: entrant.margin.map(milliseconds),
            limit: entrant.limit.map(LimitText::from),
            ..Self::default()
        };
        match &entrant.engine {
            EntrantEngine::Own(own) => Self {
                preset: Some(own.preset_reference.clone()),
                policy: Some(own.policy_reference.clone()),
                preset_hash: Some(sha256(own.preset.text())),
                policy_hash: Some(own.policy.hash()),
                preset_text: Some(own.preset.text().to_owned()),
                policy_text: Some(own.policy.text().to_owned()),
                ..text
            },
            EntrantEngine::External { command, engine } => text.external(command, engine),
        }
    }

    fn external(self, command: &str, engine: &ExternalEngine) -> Self {
        Self {
            command: Some(command.to_owned()),
            program_sha256: sha256_of_file(&engine.program).ok(),
            args: Some(engine.args.clone()),
            dir: engine.dir.as_ref().map(|dir| dir.display().to_string()),
            restart: Some(engine.restart.name().to_owned()),
            move_list: Some(engine.move_list.name().to_owned()),
            deadlines: Some(DeadlinesText::new(&engine.deadlines)),
            env: Some(engine.env.iter().cloned().collect()),
            options: Some(
                engine
                    .options
                    .iter()
                    .cloned()
                    .map(<[String; 2]>::from)
                    .collect(),
            ),
            ..self
        }
    }
}

impl DeadlinesText {
    fn new(deadlines: &Deadlines) -> Self {
        Self {
            start_ms: milliseconds(deadlines.start),
            ready_ms: milliseconds(deadlines.ready),
            answer_ms: deadlines.answer.map(milliseconds),
            late_ms: milliseconds(deadlines.late),
            quit_ms: milliseconds(deadlines.quit),
        }
    }
}
