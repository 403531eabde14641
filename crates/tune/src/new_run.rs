//! A tuning run or a trial that options describe, as the file of one.

use lmrlab_diagnostics::Source;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_runner::tournament::description::{Conditions, EngineDescription};
use lmrlab_runner::tournament::keys;
use toml::{Table, Value};

/// A run with the usual method, or a trial.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// What it is called.
    pub name: String,
    /// How many pairs it plays.
    pub pairs: u64,
    /// How games are played.
    pub conditions: Conditions,
    /// Whether a trial measures how every two ideas act together.
    pub interactions: bool,
}

impl NewRun {
    /// The file of the run with this engine; of a trial, when there are ideas. Messages do not quote it: the user typed options.
    ///
    /// # Errors
    /// When it cannot be written as TOML.
    pub fn source(&self, engine: &EngineDescription, ideas: Vec<Table>) -> Result<Source, Failure> {
        let mut keys = keys::of_conditions(&self.conditions);
        let mut put = |key: &str, value: Value| keys.insert(key.to_owned(), value);
        put("name", self.name.as_str().into());
        put("pairs", i64::try_from(self.pairs).unwrap_or(i64::MAX).into());
        put("engine", keys::of_engine(engine).into());
        if !ideas.is_empty() {
            put("method", "trial".into());
            put("interactions", self.interactions.into());
            put("idea", ideas.into());
        }
        let text = toml::to_string(&keys).map_err(|error| Failure::encode("a run", &error))?;
        Ok(Source::new("the command line", text).unquoted())
    }
}
