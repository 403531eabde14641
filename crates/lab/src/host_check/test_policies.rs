//! The policies that an engine is asked to play for its check.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Source;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Kind};
use lmrlab_policy::host_file::{self, Units};
use lmrlab_results::output_file;

/// A policy, and the file that the engine reads.
pub(super) struct TestPolicy {
    pub(super) policy: Policy,
    compiled: String,
}

impl TestPolicy {
    /// Compiles a policy for hosts.
    ///
    /// # Errors
    /// When it is too large for a host.
    pub(super) fn new(policy: Policy) -> Result<Self, Failure> {
        let compiled = host_file::write(&policy, Units::Lmrlab);
        let compiled = compiled.map_err(|refusal| {
            Failure::input(
                format!("`{}` is too large for a host: {refusal}", policy.name()),
                "use fewer rules or shorter expressions",
            )
        })?;
        Ok(Self { policy, compiled })
    }

    fn of_text(text: String) -> Result<Self, Failure> {
        match Policy::compile(Source::new("a policy of the check", text)) {
            Ok((policy, _)) => Self::new(policy),
            Err(mistakes) => Err(Failure::run(format!(
                "lmrlab wrote a wrong policy; please report it: {}",
                mistakes.render(false)
            ))),
        }
    }

    /// The answer of a host that plays it.
    pub(super) fn answer(&self, params: &str) -> String {
        format!("policy {} {} {params}", self.policy.name(), self.policy.hash())
    }

    pub(super) fn write(&self, folder: &Path) -> Result<PathBuf, Failure> {
        self.write_cut(folder, self.compiled.len())
    }

    /// Writes the first half of the file, which is not a policy.
    pub(super) fn write_half(&self, folder: &Path) -> Result<PathBuf, Failure> {
        self.write_cut(folder, self.compiled.len() / 2)
    }

    fn write_cut(&self, folder: &Path, bytes: usize) -> Result<PathBuf, Failure> {
        let path = folder.join(format!("{}-{bytes}.lmr", self.policy.name()));
        let text = self.compiled.get(..bytes).unwrap_or(&self.compiled);
        output_file::write(&path, text)?;
        Ok(path)
    }
}

/// The condition under which a move is late, made of facts that the engine fills.
fn late(filled: &[Fact]) -> &'static str {
    if filled.contains(&Fact::MovesSearched) {
        "depth >= 3 and moves_searched >= 2"
    } else if filled.contains(&Fact::MoveNumber) {
        "depth >= 3 and move_number >= 3"
    } else {
        "depth >= 3"
    }
}

fn reduce(filled: &[Fact]) -> &'static str {
    if filled.contains(&Fact::MovesSearched) {
        "base + ln(depth) * ln(moves_searched + 1) / 2.5"
    } else if filled.contains(&Fact::MoveNumber) {
        "base + ln(depth) * ln(move_number) / 2.5"
    } else {
        "base + depth / 6"
    }
}

/// A common policy: it reads depth and number alone. It has the parameter `base`, from 0 to 2, and the rule `deep`.
pub(super) fn plain(filled: &[Fact]) -> Result<TestPolicy, Failure> {
    let (late, reduce) = (late(filled), reduce(filled));
    TestPolicy::of_text(format!(
        "name = \"check-plain\"\nwhen = \"{late}\"\nreduce = \"{reduce}\"\n[param]\nbase = {{ value = 0.5, min = 0.0, max = 2.0 }}\n\
         [[rule]]\nname = \"deep\"\nwhen = \"depth > 8\"\nadd = \"0.25\"\n"
    ))
}

/// A policy that reduces many moves, so that many are searched again, with these lines of `[research]`.
pub(super) fn searching_again(research: &str) -> Result<TestPolicy, Failure> {
    TestPolicy::of_text(format!(
        "name = \"check-research\"\nwhen = \"depth >= 3\"\nreduce = \"1 + depth / 4\"\n[research]\n{research}\n"
    ))
}

/// A policy that reads one fact beside the common ones.
pub(super) fn reading(fact: Fact, filled: &[Fact]) -> Result<TestPolicy, Failure> {
    let name = fact.info().name;
    let condition = match fact.info().kind {
        Kind::Boolean => name.to_owned(),
        Kind::Number => format!("{name} > 0"),
    };
    TestPolicy::of_text(format!(
        "name = \"check-{}\"\nwhen = \"{}\"\nreduce = \"if({condition}, 2, 1)\"\n{}",
        name.replace('_', "-"),
        late(filled),
        history(fact == Fact::History),
    ))
}

/// A policy that reads all these facts. It extends some moves.
pub(super) fn reading_all(filled: &[Fact]) -> Result<TestPolicy, Failure> {
    let mut text = format!(
        "name = \"check-all\"\nwhen = \"{}\"\nreduce = \"{}\"\n[param]\nbase = {{ value = 0.5, min = 0.0, max = 2.0 }}\n\
         [finish]\nround = \"nearest\"\nmin = -1\nnegative = true\nmax = 8\n{}",
        late(filled),
        reduce(filled),
        history(filled.contains(&Fact::History)),
    );
    let facts = filled
        .iter()
        .filter(|fact| !is_given(**fact))
        .zip([0.37, -0.43, -0.29, 0.31].iter().cycle());
    for (fact, plies) in facts {
        let info = fact.info();
        let (when, add) = match info.kind {
            Kind::Boolean => (info.name.to_owned(), plies.to_string()),
            Kind::Number => {
                // Small counts, and scores or histories.
                let range = fact.range().map_or(0, |range| *range.end());
                let scale = if range <= 300 { 10 } else { 300 };
                let add = format!("{plies} * min(max({} / {scale}, -1), 1)", info.name);
                ("true".to_owned(), add)
            }
        };
        let _ = write!(
            text,
            "[[rule]]\nname = \"{}\"\nwhen = \"{when}\"\nadd = \"{add}\"\n",
            info.name.replace('_', "-")
        );
    }
    // Moves of the root are searched deeper. A rule for other nodes could search deeper without an end.
    if filled.contains(&Fact::Root) {
        text.push_str("[[rule]]\nname = \"deeper\"\nwhen = \"root\"\nadd = \"-9\"\n");
    }
    TestPolicy::of_text(text)
}

/// A policy that changes its reductions when any number that the engine fills changes a little.
pub(super) fn sensitive(filled: &[Fact]) -> Result<TestPolicy, Failure> {
    let mut text = format!(
        "name = \"check-changes\"\nwhen = \"{}\"\nreduce = \"1\"\n[finish]\nround = \"nearest\"\nmax = 4\n{}",
        late(filled),
        history(filled.contains(&Fact::History)),
    );
    let is_number = |fact: &&Fact| fact.info().kind == Kind::Number && !is_given(**fact);
    for fact in filled.iter().filter(is_number) {
        let name = fact.info().name;
        let rule = name.replace('_', "-");
        let _ = write!(
            text,
            "[[rule]]\nname = \"{rule}\"\nadd = \"abs({name}) % 4 / 4 - 0.375\"\n"
        );
    }
    TestPolicy::of_text(text)
}

/// A policy that reads all facts of the catalogue that a host can fill.
pub(super) fn reading_the_catalogue() -> Result<TestPolicy, Failure> {
    reading_all(&CATALOGUE.iter().map(|info| info.fact).collect::<Vec<_>>())
}

/// Whether no engine fills the fact.
pub(super) fn is_given(fact: Fact) -> bool {
    matches!(fact, Fact::SoFar | Fact::Score | Fact::Reduction)
}

/// The policy language wants a model for the fact `history`; a host has its own history.
fn history(is_read: bool) -> &'static str {
    if is_read {
        "[history]\nmodel = \"gravity\"\n"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_policy_for_each_fact_and_for_all() {
        let filled: Vec<Fact> = CATALOGUE.iter().map(|info| info.fact).collect();
        for fact in filled.iter().copied().filter(|fact| !is_given(*fact)) {
            let policy = reading(fact, &[Fact::Depth]).unwrap();
            assert!(policy.policy.needs().contains(fact), "{}", fact.info().name);
            assert!(reading(fact, &filled).is_ok());
        }
        let changes = sensitive(&filled).unwrap();
        let is_number = |fact: &&Fact| fact.info().kind == Kind::Number && !is_given(**fact);
        assert!(
            filled
                .iter()
                .filter(is_number)
                .all(|fact| changes.policy.needs().contains(*fact))
        );
        let all = reading_the_catalogue().unwrap();
        assert!(
            filled
                .iter()
                .all(|fact| is_given(*fact) || all.policy.needs().contains(*fact))
        );
        for filled in [&[Fact::Depth][..], &[Fact::Depth, Fact::MoveNumber], &filled] {
            let plain = plain(filled).unwrap();
            assert!(plain.answer("-").starts_with("policy check-plain "));
            assert!(lmrlab_host::Program::read(plain.compiled.as_bytes()).is_ok());
            assert!(lmrlab_host::Program::read(&plain.compiled.as_bytes()[..plain.compiled.len() / 2]).is_err());
        }
    }
}
