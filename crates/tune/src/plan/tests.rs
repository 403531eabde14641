//! Files of tuning runs: what is wrong with them.

use std::path::Path;

use lmrlab_diagnostics::Source;

use super::Plan;
use crate::run::TuningRun;

/// The plan of a short run with these further lines, or the messages about its file.
pub(crate) fn planned(more: &str) -> Result<Plan, String> {
    planned_of("policy = \"logarithm\"", more)
}

/// The same with this engine.
pub(crate) fn planned_of(engine: &str, more: &str) -> Result<Plan, String> {
    let text = format!(
        "name = \"t\"\nopenings = {{ file = \"positions/openings.epd\" }}\nlimit = {{ nodes = 9 }}\nadjudication = {{ max_moves = 30 }}\n\
         engine = {{ {engine} }}\n{more}"
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = std::env::temp_dir().join("lmrlab-no-such-run");
    let run = TuningRun::new(Source::new("t.toml", text), &root, Some(&out), |_| (), false);
    run.map(|run| run.plan).map_err(|failure| failure.to_string())
}

#[test]
fn wrong_input_is_named() {
    for (more, wanted) in [
        ("[[parameter]]\nname = \"bse\"", "did you mean `base`?"),
        (
            "[[parameter]]\nname = \"base\"\nmin = 1.0\nmax = 0.5",
            "has the bounds 1 and 0.5",
        ),
        (
            "[[parameter]]\nname = \"base\"\nmax = 7",
            "`base` can only be from 0 to 4",
        ),
        (
            "[[parameter]]\nname = \"base\"\nstep = 1e308",
            "`parameter.step` is 1e308, out of range",
        ),
        (
            "[[parameter]]\nname = \"futility_margin\"\nstart = 10.5",
            "is an integer, but 10.5 is not",
        ),
        (
            "[[parameter]]\nname = \"base\"\n[[parameter]]\nname = \"base\"",
            "`base` is there twice",
        ),
        ("method = \"spas\"", "did you mean"),
        ("minutes = 3", "unknown key `minutes`"),
        ("spsa = { alpha = 0.7 }", "`[spsa]` is for SPSA"),
        ("method = \"spsa\"\nspsa = { pairs_per = 0 }", "pairs_per"),
        ("lines = [\"base, 1, 0, 2\"]", "there are 4 columns"),
        (
            "lines = [\"divisor, int, 2, 3, 4, 1, 0.002\"]",
            "starts at 2, outside its bounds 3 and 4",
        ),
        (
            "lines = [\"divsor, float, 2, 1, 4, 1, 0.002\"]",
            "did you mean `divisor`?",
        ),
        ("pears = 5", "unknown key `pears`"),
        ("[[idea]]\npolicy = \"base=1.1\"", "goes with `[[idea]]` tables"),
        (
            "method = \"trial\"\n[[idea]]\npolicy = \"nothing=1\"",
            "the idea `nothing=1`: the policy has no parameter",
        ),
        (
            "method = \"trial\"\n[[idea]]\npolicy = \"research.ladder=full\"",
            "cannot be drawn for each pair",
        ),
        (
            "method = \"trial\"\n[[idea]]\npolicy = \"base=0.6\"\n[[idea]]\npolicy = \"divisor=2,base=0.7\"",
            "both change `base`",
        ),
        (
            "method = \"trial\"\n[[idea]]\nlibrary = \"deeper-only\"\n[[idea]]\nlibrary = \"shallower-only\"",
            "both change `research.ladder`",
        ),
    ] {
        let said = planned(&format!("pairs = 9\n{more}")).unwrap_err();
        assert!(said.contains(wanted), "{wanted}: {said}");
        assert!(
            wanted.contains("unknown key") || !said.contains("unknown key"),
            "{said}"
        );
    }
}
