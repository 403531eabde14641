//! The steepness of the logistic curve from centipawns to results.

/// The steepness per centipawn whose loss is least: golden section search (Kiefer 1953).
pub(super) fn best_curve(loss: impl Fn(f64) -> f64) -> f64 {
    let ratio = (libm::sqrt(5.0) - 1.0) / 2.0;
    let (mut low, mut high) = (0.0005, 0.03);
    let mut left = high - ratio * (high - low);
    let mut right = low + ratio * (high - low);
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > 1e-5 {
        if at_left < at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - ratio * (high - low);
            at_left = loss(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + ratio * (high - low);
            at_right = loss(right);
        }
    }
    (low + high) / 2.0
}

/// The logistic curve.
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}
