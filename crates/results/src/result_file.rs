//! The names of the files that runs write.

use lmrlab_diagnostics::failure::Failure;

/// The name of a file that a run writes. Only this module makes them, so every file of a run that is replaced is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultFile(&'static str);

impl ResultFile {
    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// The file of this name.
    ///
    /// # Errors
    /// When no run writes such a file. This does not happen.
    pub fn named(name: &str) -> Result<Self, Failure> {
        let file = Self::ALL.iter().find(|file| file.0 == name).copied();
        file.ok_or_else(|| Failure::encode("a file", &"no run writes such a file"))
    }
}

macro_rules! result_files {
    ($($(#[$doc:meta])+ $file:ident = $name:literal;)+) => {
        $($(#[$doc])+ pub const $file: ResultFile = ResultFile($name);)+

        impl ResultFile {
            /// Every file that a run writes. Replacing a run removes these and nothing else.
            pub(crate) const ALL: &[Self] = &[$($file),+];
        }
    };
}

result_files! {
    /// The manifest of a run.
    MANIFEST = "manifest.toml";
    /// The journal: one line a game.
    GAMES = "games.csv";
    /// The SHA-256 of each line of the journal.
    JOURNAL_DIGESTS = "journal.sha256";
    /// The games as PGN.
    PGN = "games.pgn";
    /// One line a pair.
    PAIRS = "pairs.csv";
    /// One line an engine.
    STANDINGS = "standings.csv";
    /// One line an engine and opponent.
    CROSSTABLE = "crosstable.csv";
    /// The likelihood of superiority of each engine over each other, when there are more than two.
    LOS = "los.csv";
    /// What became of each engine in a race.
    RACE = "race.csv";
    /// How many threads play from now on; the user writes it.
    THREADS = "threads";
    /// The lines between lmrlab and programs before the faults of the programs.
    FAULTS = "faults.log";
    /// What depends on the clock.
    TIMINGS = "timings.csv";
    /// Lines of the journal that were finished before an earlier one. The file exists only while a run plays, or after
    /// a kill.
    WAITING = "waiting.csv";
    /// The pairs of a tuning run, one line each, computed from the journal. Version 1 had it in place of a journal.
    TUNING_PAIRS = "tuning.csv";
    /// The outcome of a tuning run.
    TUNING_RESULT = "result.toml";
    /// The tuned values as lines of OpenBench.
    TUNED_PARAMETERS = "parameters.txt";
    /// The tuned policy.
    TUNED_POLICY = "tuned.toml";
    /// The tuned search preset.
    TUNED_PRESET = "tuned-preset.toml";
    /// The page of the run.
    REPORT = "report.html";
    /// The rows of `ablate`.
    ABLATION = "ablation.csv";
    /// The rows of `sweep`.
    SWEEP = "sweep.csv";
    /// The manifest of an outcome beside the games of a run.
    OUTCOME = "outcome.toml";
    /// The effect of each idea of a trial.
    TRIAL = "trial.csv";
    /// How every two ideas of a trial act together.
    INTERACTIONS = "interactions.csv";
    /// What a part of a run is to play.
    TASKS = "tasks.csv";
    /// Says that a part of a run was played to its end, where and by which program.
    COMPLETION = "completion.toml";
    /// How the parts of a run on other machines ended.
    PARTS = "parts.csv";
    /// Where the parts of a run are played.
    EXECUTOR = "executor.toml";
}

/// The folder, inside that of the run, with the parts that are being played.
pub const PARTS_FOLDER: &str = "parts";
