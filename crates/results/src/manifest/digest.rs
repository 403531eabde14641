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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_text_is_not_the_one_that_was_written() {
        let text = "format_version = 3\nlimit = 5\n";
        let written = with_digest(text);
        assert!(!is_edited(&written));
        assert!(!is_edited(text), "a manifest of an earlier version has no digest");
        assert!(is_edited(&written.replace("limit = 5", "limit = 6")));
        assert!(is_edited(&format!("{written}more = 1\n")));
        assert!(is_edited(written.trim_end()));
        let quoting = with_digest(&format!("text = '''\n{DIGEST}0\n'''\n"));
        assert!(!is_edited(&quoting));
    }
}
