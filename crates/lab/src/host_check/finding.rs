//! What a check finds.

/// How good or bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// Nothing to be judged.
    Note,
    /// Perhaps a mistake.
    Warning,
    /// A mistake.
    Wrong,
}

impl Verdict {
    /// Its word in a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Wrong => "wrong",
        }
    }
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How good or bad it is.
    pub verdict: Verdict,
    /// What was checked: the name of a fact, or of a part of the engine.
    pub check: String,
    /// What was found.
    pub what: String,
    /// An example of a mistake: the position, the move, what is there and what was expected.
    pub example: Option<String>,
    /// What would be right.
    pub advice: Option<String>,
}

impl Finding {
    /// Something is as it should be.
    pub(super) fn ok(check: &str, what: impl Into<String>) -> Self {
        Self::new(Verdict::Ok, check, what, "")
    }

    /// Something to know.
    pub(super) fn note(check: &str, what: impl Into<String>) -> Self {
        Self::new(Verdict::Note, check, what, "")
    }

    /// Something that may be a mistake.
    pub(super) fn warning(check: &str, what: impl Into<String>, advice: &str) -> Self {
        Self::new(Verdict::Warning, check, what, advice)
    }

    /// A mistake, and what would be right.
    pub(super) fn wrong(check: &str, what: impl Into<String>, advice: &str) -> Self {
        Self::new(Verdict::Wrong, check, what, advice)
    }

    /// Two things that have to be the same: `difference` says where they are not, and `right` and `wrong` what that means.
    pub(super) fn same(check: &str, difference: Option<String>, right: &str, wrong: &str, advice: &str) -> Self {
        match difference {
            Some(seen) => Self::wrong(check, wrong, advice).seen(seen),
            None => Self::ok(check, right),
        }
    }

    fn new(verdict: Verdict, check: &str, what: impl Into<String>, advice: &str) -> Self {
        Self {
            verdict,
            check: check.to_owned(),
            what: what.into(),
            example: None,
            advice: (!advice.is_empty()).then(|| format!("{advice}{}", in_rust(advice))),
        }
    }

    #[must_use]
    pub(super) fn seen(mut self, example: impl Into<String>) -> Self {
        self.example = Some(example.into());
        self
    }
}

/// The functions of lmrlab.h in advice, and what does the same in the crate lmrlab-host.
const IN_RUST: [(&str, &str); 14] = [
    ("lmr_print_options", "Host::options"),
    ("lmr_setoption", "Host::set_option"),
    ("lmr_init", "Host::new"),
    ("lmr_policy", "Host::policy"),
    ("lmr_open", "Host::open"),
    ("LMR_WANTS", "Host::wants"),
    ("lmr_position", "LateMove::position"),
    ("lmr_reduction", "Host::reduction"),
    ("lmr_result", "LateMove::result"),
    ("lmr_close", "Host::close"),
    ("lmr_shadow", "LateMove::is_sampled and Host::shadow"),
    ("lmr_judged", "Host::judged"),
    ("lmr_new_search", "Host::new_search"),
    (
        "lmr_ladder, lmr_depth_change and lmr_updates_history",
        "Host::research and Host::depth_change",
    ),
];

fn in_rust(advice: &str) -> String {
    let used = IN_RUST.iter().filter(|(name, _)| advice.contains(name));
    let names: Vec<String> = used.map(|(name, rust)| format!("{name} is {rust}")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" (in Rust {})", names.join(", ")),
    }
}
