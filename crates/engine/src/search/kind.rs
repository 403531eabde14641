//! Node kinds as types: the node search is compiled for each of them.

use super::observer;

/// The kind of a node.
pub(super) trait NodeType {
    /// The root.
    const ROOT: bool;
    /// A principal variation node (the root included): its window is open.
    const PV: bool;

    /// The expected kind, for observers.
    fn expected(expected_cut: bool) -> observer::NodeKind {
        match (Self::ROOT, Self::PV, expected_cut) {
            (true, ..) => observer::NodeKind::Root,
            (_, true, _) => observer::NodeKind::Pv,
            (.., true) => observer::NodeKind::Cut,
            _ => observer::NodeKind::All,
        }
    }
}

/// The root of the tree.
pub(super) struct Root;
/// A principal variation node other than the root.
pub(super) struct Pv;
/// Any other node.
pub(super) struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}
