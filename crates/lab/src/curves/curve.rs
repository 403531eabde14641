//! The curve of one move.

use lmrlab_engine::search::observer::NodeKind;

/// What the search of a move does with one reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Whether the first search raises alpha.
    pub first_raises: bool,
    /// Nodes of the first search.
    pub first_nodes: u64,
    /// Whether the last search of the move raises alpha: the policy's ladder may have searched it again.
    pub raises: bool,
    /// Nodes of all its searches.
    pub nodes: u64,
}

/// A sampled move: what its search does with each reduction.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The position that was searched.
    pub position: String,
    /// Distance of the move's node from the root, in plies.
    pub ply: u32,
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Depth after the move when it is not reduced, in plies.
    pub full_depth: i32,
    /// Its number among the node's moves, from 1.
    pub move_number: u32,
    /// The move as UCI writes it; empty when it is not known.
    pub mv: String,
    /// What the node was expected to be.
    pub kind: NodeKind,
    /// What it turned out to be; `None` when the search ended in it, or when it is not known.
    pub outcome: Option<NodeKind>,
    /// Plies by which the observed search reduced the move; negative for an extension.
    pub reduction: i32,
    /// How many moves of the search it stands for: one divided by its chance to be sampled.
    pub weight: f64,
    /// Nodes searched in the node of the move, as a share of those of the iteration; `None` when it is not known.
    pub share: Option<f64>,
    /// The reduction of the first point, in plies.
    pub least: i32,
    /// What the search does with the reductions `least`, `least + 1` and so on. The point of reduction 0 is among them.
    pub points: Vec<Point>,
    /// Values of the facts of the file, in their order.
    pub values: Vec<f64>,
}

impl Curve {
    /// The greatest reduction that was searched, in plies.
    pub fn greatest(&self) -> i32 {
        self.least + self.points.len() as i32 - 1
    }

    /// Whether the result of this reduction is known. It is for the reductions that were searched. It is also for
    /// greater ones, when the greatest that was searched leads to quiescence: more reduction changes nothing there.
    pub fn knows(&self, reduction: i32) -> bool {
        reduction >= self.least && (reduction <= self.greatest() || self.greatest() >= self.full_depth)
    }

    /// What the search does with a reduction. For a reduction that was not searched, the nearest one that was stands
    /// in.
    pub fn point(&self, reduction: i32) -> Point {
        let last = self.points.len().saturating_sub(1);
        let index = usize::try_from(reduction - self.least).unwrap_or(0).min(last);
        self.points.get(index).copied().unwrap_or(Point {
            first_raises: false,
            first_nodes: 0,
            raises: false,
            nodes: 0,
        })
    }

    /// Whether the move raises alpha at full depth, and not with the reduction. A reduction that the curve does not
    /// know counts as a miss: otherwise a greater reduction would cost nothing.
    pub fn misses(&self, reduction: i32) -> bool {
        self.full().raises && !(self.point(reduction).raises && self.knows(reduction))
    }

    /// What the search at full depth does: the truth about the move.
    pub fn full(&self) -> Point {
        self.point(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(full_depth: i32, points: usize) -> Curve {
        let point = |index: usize| Point {
            first_raises: index == 0,
            first_nodes: 100 >> index,
            raises: false,
            nodes: 200 >> index,
        };
        Curve {
            position: "#1".to_owned(),
            ply: 3,
            depth: 5,
            full_depth,
            move_number: 4,
            mv: "e2e4".to_owned(),
            kind: NodeKind::Cut,
            outcome: Some(NodeKind::All),
            reduction: 1,
            weight: 2.0,
            share: Some(0.25),
            least: -1,
            points: (0..points).map(point).collect(),
            values: Vec::new(),
        }
    }

    #[test]
    fn a_reduction_beyond_quiescence_is_that_of_quiescence() {
        let all = curve(3, 5);
        assert_eq!(all.greatest(), 3);
        assert_eq!(all.point(7), all.points[4]);
        assert!(all.knows(7) && all.knows(-1) && !all.knows(-2));
        assert_eq!(all.point(-2), all.points[0]);
        assert_eq!(all.full(), all.points[1]);
        let some = curve(5, 5);
        assert!(some.knows(3) && !some.knows(4));
        assert_eq!(some.point(4), some.points[4]);
    }
}
