//! Which players can be compared: pools of players that are connected by games, and groups of players that took points from each
//! other.

use std::collections::{BTreeMap, HashMap};

use petgraph::algo::{bellman_ford, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;

use super::encounters::Games;

/// Pools and groups of players. In the graph of players, an edge leads from each player to every player that took half
/// a point or more from it. Groups are its strongly connected components, pools its connected components.
#[derive(Debug, Clone)]
pub(super) struct Structure {
    /// Group of each player; a group has a lower number than those below it.
    groups: Vec<usize>,
    sizes: Vec<usize>,
    pools: Vec<Vec<usize>>,
    /// For each group, the groups right above it, with the games that they won.
    above: Vec<BTreeMap<usize, u64>>,
}

impl Structure {
    pub(super) fn of(games: &Games) -> Self {
        let players = games.players();
        // For each player: the players that took points from it, and all opponents.
        let mut takers = vec![Vec::new(); players];
        let mut met = vec![Vec::new(); players];
        let mut won = Vec::new();
        for ((first, second), by_color) in games.encounters() {
            let total = by_color[0] + by_color[1];
            if total.games() == 0 {
                continue;
            }
            met[first].push(second);
            met[second].push(first);
            if total.wins() + total.draws() > 0 {
                takers[second].push(first);
            }
            if total.losses() + total.draws() > 0 {
                takers[first].push(second);
            }
            won.extend([(first, second, total.wins()), (second, first, total.losses())]);
        }
        let groups = strong_components(&takers);
        let count = groups.iter().max().map_or(0, |last| last + 1);
        let mut sizes = vec![0; count];
        for &group in &groups {
            sizes[group] += 1;
        }
        let mut above = vec![BTreeMap::new(); count];
        for (winner, loser, games) in won.into_iter().filter(|(.., games)| *games > 0) {
            if groups[winner] != groups[loser] {
                *above[groups[loser]].entry(groups[winner]).or_default() += games;
            }
        }
        Self {
            pools: components(&met),
            groups,
            sizes,
            above,
        }
    }

    /// The players of each pool, in the order of their indices. A player without games is in no pool.
    pub(super) fn pools(&self) -> &[Vec<usize>] {
        &self.pools
    }

    /// One more than the greatest index of a player.
    pub(super) fn players(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn group(&self, player: usize) -> usize {
        self.groups[player]
    }

    pub(super) fn group_size(&self, player: usize) -> usize {
        self.sizes[self.groups[player]]
    }

    /// The largest group of a pool; the first player's among equals.
    pub(super) fn main_group(&self, pool: &[usize]) -> usize {
        let mut main = pool.first().map_or(0, |&player| self.groups[player]);
        for &player in pool {
            if self.sizes[self.groups[player]] > self.sizes[main] {
                main = self.groups[player];
            }
        }
        main
    }

    /// `∞` when `group` stands above `other`, `-∞` when below; `None` when neither does.
    pub(super) fn beyond(&self, group: usize, other: usize) -> Option<f64> {
        if self.wins_up(other, group) > 0 {
            Some(f64::INFINITY)
        } else if self.wins_up(group, other) > 0 {
            Some(f64::NEG_INFINITY)
        } else {
            None
        }
    }

    /// The probability that the players of `group` are stronger than those of `other`. `None` when neither stands above the other.
    ///
    /// One of them won all games; [`Self::wins_up`] is their number. With the same prior probability for every expected score, it
    /// is stronger with the probability 1 - 1 / 2^(games + 1): 3/4 after one game (Laplace's rule of succession, 1774).
    pub(super) fn chance(&self, group: usize, other: usize) -> Option<f64> {
        let doubt = |games: u64| (games > 0).then(|| libm::exp2(-(games as f64) - 1.0));
        let above = doubt(self.wins_up(other, group)).map(|doubt| 1.0 - doubt);
        above.or_else(|| doubt(self.wins_up(group, other)))
    }

    /// Sorts players with the same infinite rating: a group has a lower level than those below it.
    pub(super) fn level(&self, player: usize) -> usize {
        self.groups[player]
    }

    /// The games that put the group `to` above `from`; 0 when it is not above. Of several ways up it is the one with the most games,
    /// and of this way the step with the fewest.
    fn wins_up(&self, from: usize, to: usize) -> u64 {
        let mut most = vec![0; self.sizes.len()];
        most[from] = u64::MAX;
        // A group comes after all groups below it.
        for group in (to + 1..=from).rev() {
            for (&next, &games) in &self.above[group] {
                most[next] = most[next].max(games.min(most[group]));
            }
        }
        most[to]
    }
}

/// Connected components with at least one edge, in order of their first members.
fn components(neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::new(neighbours.len());
    for (node, others) in neighbours.iter().enumerate() {
        others.iter().for_each(|&other| _ = sets.union(node, other));
    }
    let mut places = HashMap::new();
    let mut components: Vec<Vec<usize>> = Vec::new();
    for node in (0..neighbours.len()).filter(|&node| !neighbours[node].is_empty()) {
        let place = *places.entry(sets.find(node)).or_insert(components.len());
        components.resize_with(components.len().max(place + 1), Vec::new);
        components[place].push(node);
    }
    components
}

/// Strongly connected component of each node; an edge leads to a component with a lower number or stays inside.
fn strong_components(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut graph = DiGraph::<(), ()>::default();
    let nodes: Vec<_> = edges.iter().map(|_| graph.add_node(())).collect();
    for (node, targets) in nodes.iter().zip(edges) {
        targets
            .iter()
            .for_each(|&target| _ = graph.add_edge(*node, nodes[target], ()));
    }
    let mut component = vec![0; edges.len()];
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        members
            .into_iter()
            .for_each(|member| component[member.index()] = number);
    }
    component
}

/// Whether the lengths of some cycle of edges, each from a node to a node, have a negative sum.
pub(super) fn has_negative_cycle(nodes: usize, edges: &[(usize, usize, i64)]) -> bool {
    // From one more node every node is reached.
    let from_all = (0..nodes).map(|node| (nodes, node, 0.0));
    let edges = edges.iter().map(|&(from, to, length)| (from, to, length as f64));
    let graph = DiGraph::<(), f64, usize>::from_edges(edges.chain(from_all));
    nodes > 0 && bellman_ford(&graph, NodeIndex::new(nodes)).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the shortest paths between all nodes (Floyd and Warshall).
    fn slow_negative_cycle(nodes: usize, edges: &[(usize, usize, i64)]) -> bool {
        let mut distances = vec![vec![i64::from(i32::MAX); nodes]; nodes];
        for &(from, to, length) in edges {
            distances[from][to] = distances[from][to].min(length);
        }
        for middle in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    let through = distances[from][middle] + distances[middle][to];
                    distances[from][to] = distances[from][to].min(through);
                }
            }
        }
        (0..nodes).any(|node| distances[node][node] < 0)
    }

    proptest! {
        #[test]
        fn cycles_of_a_negative_length_are_found(
            (nodes, edges) in (0_usize..8).prop_flat_map(|nodes| {
                let most = if nodes == 0 { 0 } else { 24 };
                let edge = (0..nodes.max(1), 0..nodes.max(1), -1_i64..=1);
                (Just(nodes), proptest::collection::vec(edge, 0..=most))
            }),
        ) {
            prop_assert_eq!(has_negative_cycle(nodes, &edges), slow_negative_cycle(nodes, &edges));
        }
    }

    #[test]
    fn components_of_a_small_graph() {
        // A cycle 0-1-2, which leads to 3; 4 leads to the cycle; 5 stands alone.
        let edges = vec![vec![1], vec![2], vec![0, 3], vec![], vec![0], vec![]];
        let found = strong_components(&edges);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert!(found[3] < found[0] && found[0] < found[4], "{found:?}");
        assert_ne!(found[5], found[4]);
    }
}
