//! Node kinds as types: the compiler makes a search of its own for each.

use super::observer;

/// What kind of node is searched.
pub(super) trait NodeKind {
    /// The root.
    const ROOT: bool;
    /// A principal variation node: its window is open, and its result is exact.
    const PV: bool;

    /// The kind as observers know it.
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

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}
