//! Which ideas deserve games? Measures that cost seconds, and a model that predicts Elo from them.
//!
//! A policy chooses a move in each of many [judged positions](JudgedPosition) within few nodes. Deep searches have judged these
//! moves before, each alone; what they say does not depend on the policy that is screened. So their scores are in a file, and
//! screening costs the short searches alone. Moves that are not in the file are [searched](Judge) when they are chosen.
//! Nodes to a depth, the audit's missed rate and solved positions are measured beside it, as [`Conditions`] say.
//!
//! Every measure is relative to a [reference policy](REFERENCE) on the same positions, which removes most of the noise. A
//! [`Model`] predicts Elo against the reference. It is fitted to [settings](Setting) whose Elo is known from games, and
//! [validated](Training::validate) on families of policies that were left out.

mod agreement;
mod choice;
mod conditions;
mod games;
mod judge;
mod judged;
mod make;
mod measures;
mod model;
mod settings;
mod training;
mod verdict;

pub(crate) use self::agreement::JudgedChoice;
pub use self::agreement::{Agreement, Judging};
pub(crate) use self::choice::Choice;
pub use self::conditions::{Conditions, HASH_MIB, JUDGED, REFERENCE};
pub use self::games::games_against;
pub use self::judge::Judge;
pub use self::judged::{JudgedPosition, MOST_CENTIPAWNS, judged};
pub use self::make::{JudgingRecipe, make};
pub use self::measures::{HEADINGS, MEASURES, Measure, Measures};
pub use self::model::{Alone, LEVEL, MODEL, Model};
pub use self::settings::{GAME_COLUMNS, Setting, game_cells, parse_settings, settings, with_games};
pub use self::training::{Training, Validation};
pub use self::verdict::{Screened, Verdict, fit_text, prediction, verdict, worth};
