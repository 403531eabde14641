//! The files of a tuning run that has ended.

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::csv_file::replace_rows;
use lmrlab_results::folder::{
    INTERACTIONS, ResultFile, ResultsFolder, TRIAL, TUNED_PARAMETERS, TUNED_POLICY, TUNED_PRESET, TUNING_RESULT,
    replace,
};
use lmrlab_results::outcome::text;

use crate::methods::spsa::usual_r_end;
use crate::outcome::trial::TrialTables;
use crate::plan::{MethodName, Plan};
use crate::run::result::RunResult;
use crate::subject::fishtest;
use crate::subject::parameter::Parameter;

impl RunResult {
    /// The comments at the top of a tuned policy.
    pub fn evidence(&self, plan: &Plan) -> String {
        let method = MethodName::NAMES
            .iter()
            .find(|(_, method)| *method == plan.method)
            .map_or("", |(name, _)| name);
        format!(
            "Tuned by lmrlab {} from `{}` in {} pairs at {} (method {method}, seed {}).\n{}",
            env!("CARGO_PKG_VERSION"),
            plan.subject.start.reference(),
            self.pairs,
            plan.conditions.terms.limit,
            plan.conditions.seed,
            text::text(&self.outcome(plan, true))
        )
    }

    /// Writes result.toml and parameters.txt. When the recommended values differ from the start, also writes the
    /// changed policy as tuned.toml and the changed preset as tuned-preset.toml. For a trial, writes result.toml and
    /// trial.csv instead.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn write(&self, plan: &Plan, folder: &ResultsFolder) -> Result<(), Failure> {
        let write = |file: ResultFile, text: &str| replace(folder, file, text.as_bytes());
        let parameters = &plan.subject.parameters;
        let result = toml::to_string(&self.result(&plan.subject))
            .map_err(|error| Failure::run(format!("cannot write the result as TOML: {error}")))?;
        if !plan.subject.ideas.is_empty() {
            let tables = TrialTables::of([(plan, self)]);
            replace_rows(folder, TRIAL, &tables.trial)?;
            if plan.interactions {
                replace_rows(folder, INTERACTIONS, &tables.interactions)?;
            }
            return write(TUNING_RESULT, &result);
        }
        write(TUNING_RESULT, &result)?;
        write(TUNED_PARAMETERS, &self.lines(parameters))?;
        if self.found_something(&plan.subject) {
            let evidence = self.evidence(plan);
            let subject = &plan.subject;
            let places = (&*plan.root, folder.path());
            let policy = subject.tuned_policy(&self.values, places, &evidence)?;
            let preset = subject.tuned_preset(&self.values, &evidence)?;
            let files = [(TUNED_POLICY, policy), (TUNED_PRESET, preset)];
            for (file, text) in files {
                if let Some(text) = text {
                    write(file, &text)?;
                }
            }
        }
        Ok(())
    }

    /// The tuned values as lines of OpenBench.
    fn lines(&self, parameters: &[Parameter]) -> String {
        let mut text = format!("# {}\n", fishtest::COLUMNS);
        for (parameter, value) in parameters.iter().zip(&self.values) {
            let r_end = parameter.r_end.unwrap_or_else(|| usual_r_end(self.pairs));
            text.push_str(&fishtest::line(parameter, *value, r_end));
            text.push('\n');
        }
        text
    }
}
