//! The lines of the files of `host check`.

use crate::row::rows;

rows! {
    /// A line of findings.csv of `host check`.
    HostFindingRow {
        verdict: String = "Verdict", "", "`ok`, `note`, `warning` or `wrong`";
        check: String = "Check", "", "a fact, or a part of the engine";
        found: String = "Found", "", "what was found";
        seen: String = "Seen", "", "an example of a mistake", InFile;
        right: String = "Right", "", "what would be right", InFile;
    }
}
