//! The kinds of nodes and their names.

use lmrlab_engine::search::observer::NodeKind;

/// Every kind of node, in the order of tables.
pub(crate) const KINDS: [NodeKind; 4] = [NodeKind::Root, NodeKind::Pv, NodeKind::Cut, NodeKind::All];

/// The kind's name, as expressions call it.
pub(crate) fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Root => "root",
        NodeKind::Pv => "pv",
        NodeKind::Cut => "cut",
        NodeKind::All => "all",
    }
}
