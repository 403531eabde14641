//! How large the trees of a variant are.

use lmrlab_stats::Paired;

/// The trees of a variant against those of a reference, over the same positions to the same depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeSize {
    /// Nodes over all positions.
    pub nodes: u64,
    /// Mean of the logarithm of the ratio of nodes, position by position: every position counts alike, however large its
    /// tree.
    pub log_ratio: Paired,
}

impl TreeSize {
    /// From nodes by position.
    pub fn of(nodes: &[u64], reference: &[u64]) -> Self {
        let ratios: Vec<f64> = nodes
            .iter()
            .zip(reference)
            .map(|(here, there)| log_ratio(*here, *there))
            .collect();
        Self {
            nodes: nodes.iter().sum(),
            log_ratio: Paired::of(&ratios),
        }
    }
}

fn log_ratio(here: u64, there: u64) -> f64 {
    libm::log(here.max(1) as f64) - libm::log(there.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_counts_alike() {
        let tree = TreeSize::of(&[10, 4_000], &[20, 2_000]);
        assert_eq!(tree.nodes, 4_010);
        assert!(tree.log_ratio.mean.abs() < 1e-12, "a half and a double");
        let same = TreeSize::of(&[7, 8], &[7, 8]);
        assert_eq!(same.log_ratio.error_95, Some(0.0));
    }
}
