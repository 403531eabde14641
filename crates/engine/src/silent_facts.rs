//! Facts that are the same for every move in a preset, because it switches off the feature behind them.

use lmrlab_policy::facts::Fact;

use crate::search_parameters::SearchParameters;

impl SearchParameters {
    /// The feature behind a fact, if this preset switches it off: the fact is then the same for every move. `None` when
    /// the fact can vary.
    pub fn lacks_for(&self, fact: Fact) -> Option<&'static str> {
        let extends = self.check_extension
            || self.single_reply_extension
            || self.pawn_to_seventh_extension
            || self.singular_extension;
        let orders = self.history || self.continuation_history || self.capture_history;
        let (there, what) = match fact {
            Fact::Killer => (self.killers, "killers"),
            Fact::Extended | Fact::Extension => (extends, "extensions"),
            Fact::Correction => (self.correction_history, "correction history"),
            Fact::NullThreat | Fact::NullMate | Fact::NullMover => (self.null_move, "null move"),
            Fact::TtHit | Fact::TtPv | Fact::TtExact | Fact::TtDepth | Fact::TtScore => {
                (self.transposition_table, "transposition table")
            }
            Fact::OrderingHistory => (orders, "histories"),
            _ => return None,
        };
        (!there).then_some(what)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use lmrlab_policy::facts::CATALOGUE;

    use crate::preset::Preset;

    fn lacking(preset: &str) -> Vec<(&'static str, &'static str)> {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let (preset, _) = Preset::resolve(preset, root).unwrap();
        let lacks = |fact| preset.parameters.lacks_for(fact);
        let all = CATALOGUE.iter();
        all.filter_map(|info| Some((info.name, lacks(info.fact)?))).collect()
    }

    #[test]
    fn what_is_switched_off_silences_its_facts() {
        assert_eq!(lacking("standard"), []);
        assert_eq!(
            lacking("madchess-2015"),
            [
                ("extended", "extensions"),
                ("extension", "extensions"),
                ("correction", "correction history"),
            ]
        );
        assert_eq!(
            lacking("minimal"),
            [
                ("killer", "killers"),
                ("correction", "correction history"),
                ("ordering_history", "histories"),
            ]
        );
        assert_eq!(
            lacking("standard@-null_move,-transposition_table")
                .iter()
                .map(|(_, what)| *what)
                .collect::<Vec<_>>(),
            [
                "transposition table",
                "transposition table",
                "transposition table",
                "null move",
                "null move",
                "null move",
                "transposition table",
                "transposition table",
            ]
        );
    }
}
