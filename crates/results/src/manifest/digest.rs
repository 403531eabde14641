//! The last line of a manifest: the SHA-256 of what is above it. It shows whether the text was edited.

use crate::sha256::sha256;

/// The beginning of the last line. The SHA-256 of all lines above it follows. Manifests of earlier versions have no
/// such line.
pub(super) const DIGEST: &str = "# SHA-256 of the lines above: ";

/// A text with its digest as the last line.
pub(super) fn with_digest(text: &str) -> String {
    format!("{text}\n{DIGEST}{}\n", sha256(&format!("{text}\n")))
}

/// Whether a text has a digest that is not its own.
pub(super) fn is_edited(text: &str) -> bool {
    let Some(line) = text.rfind(DIGEST) else {
        return false;
    };
    let (above, line) = text.split_at(line);
    line.strip_prefix(DIGEST) != Some(&format!("{}\n", sha256(above)))
}
