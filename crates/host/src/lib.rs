//! Runs lmrlab's late move reduction policies in any chess engine, and traces its late moves.
//!
//! An engine that does so is a *host*. It fills the facts about each late move and asks for the reduction. A policy in TOML,
//! compiled by `lmrlab policy compile`, then plays in that engine without a rebuild.

mod arithmetic;
mod catalogue;
mod code;
mod finish;
mod nearest;
mod number;
mod policy;
mod program;
mod reader;
mod research;
mod values;
mod vocabulary;

pub use catalogue::{FACTS, Fact};
pub use policy::{ChangeError, HostPolicy};
pub use reader::{Parameter, PolicyError, Units};
pub use research::{Ladder, Research, Trigger};
pub use values::{MAX_OWN, Values};
pub use vocabulary::FactsError;
