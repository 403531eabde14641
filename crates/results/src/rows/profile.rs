//! The lines of the files of `profile`.

use crate::row::rows;

rows! {
    /// What a profile counts of late moves.
    ReductionCounts {
        moves: u64 = "Late moves", "moves", "that the policy was asked about";
        reduced: u64 = "Reduced moves", "moves", "with a reduction above 0", InFile;
        reduced_rate: Option<f64> = "Reduced", "share", "share of the late moves that were reduced";
        extended: u64 = "Extended", "moves", "with a reduction below 0", InFile;
        plies: u64 = "Plies", "plies", "sum of the reductions", InFile;
        mean_reduction: Option<f64> = "By plies", "plies", "mean reduction of the reduced moves";
        failed_high: u64 = "Failed high moves", "moves", "with a reduced search above alpha", InFile;
        failed_high_rate: Option<f64> = "Failed high", "share", "share of the reduced searches above alpha";
        researched: u64 = "Again", "moves", "searched again";
        confirmed: u64 = "Confirmed moves", "moves", "of these, still above alpha at full depth", InFile;
        confirmed_rate: Option<f64> = "Confirmed", "share", "share of the moves searched again that were confirmed";
        reduced_nodes: u64 = "Reduced nodes", "nodes", "of the reduced searches";
        research_nodes: u64 = "Again nodes", "nodes", "of the searches after them";
        saved_nodes: i64 = "Saved nodes", "nodes", "what the reductions saved: an estimate";
        saved_rate: Option<f64> = "Saved", "share", "saved nodes divided by the nodes of a search without reductions: an estimate";
    }

    /// A line of totals.csv of a profile.
    ProfileTotal {
        policy: String = "Policy", "", "its name, with its overrides";
        ..counts: ReductionCounts;
        nodes: Option<u64> = "Nodes", "nodes", "of the whole search";
        quiescence_nodes: Option<u64> = "Quiescence", "nodes", "of the quiescence search", InFile;
        cutoffs: Option<u64> = "Cutoffs", "", "beta cutoffs", InFile;
        first_move_cutoffs: Option<u64> = "First move cuts", "", "cutoffs by the first move", InFile;
    }

    /// A line of moves.csv of a profile.
    ProfiledMove {
        policy: String = "Policy", "", "its name, with its overrides";
        depth: u32 = "Depth", "plies", "remaining depth of the node";
        move_number: u32 = "Move number", "", "among the moves of the node, from 1";
        ..counts: ReductionCounts;
    }

    /// A line of kinds.csv of a profile.
    ProfiledKind {
        policy: String = "Policy", "", "its name, with its overrides";
        node_kind: String = "Node", "", "what the node was expected to be";
        ..counts: ReductionCounts;
    }

    /// A line of rules.csv of a profile.
    ProfiledRule {
        policy: String = "Policy", "", "its name, with its overrides";
        rule: String = "Rule", "", "empty: no rule";
        ..counts: ReductionCounts;
        sampled: u64 = "Sampled", "moves", "moves of the sample behind this line";
    }

    /// A line of facts.csv of a profile.
    ProfiledFact {
        policy: String = "Policy", "", "its name, with its overrides";
        fact: String = "Fact", "", "a fact of the policy language";
        from: i64 = "From", "", "least value of the fact";
        to: i64 = "To", "", "greatest value of the fact";
        ..counts: ReductionCounts;
        sampled: u64 = "Sampled", "moves", "moves of the sample behind this line";
    }
}
