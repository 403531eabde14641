//! The model of the surface: strength as a polynomial of the parameters, and the prior of its coefficients.
//!
//! Parameters are measured in steps from the start. Each has a linear, a quadratic and a cubic term. Each pair of
//! parameters has a product, unless there are very many parameters. The cubic term lets the two sides of the best point
//! differ. It is the cube of the distance from a centre, continued as a straight line far away.

/// With more parameters than this the model has no products.
pub(super) const MOST_WITH_PRODUCTS: usize = 16;

/// The distance from the centre, in scales, at which the cube becomes a straight line.
const BEND: f64 = 1.5;

/// The terms of the model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Terms {
    /// How many parameters there are.
    pub(super) dimensions: usize,
    products: bool,
    centre: Vec<f64>,
    scale: Vec<f64>,
}

/// The cubic term at `t` scales from the centre, its first derivative, and half its second derivative.
fn bent(t: f64) -> [f64; 3] {
    if t.abs() <= BEND {
        [t * t * t, 3.0 * t * t, 3.0 * t]
    } else {
        let line = BEND * BEND * (3.0 * t.abs() - 2.0 * BEND);
        [line.copysign(t), 3.0 * BEND * BEND, 0.0]
    }
}

/// The prior distribution of the coefficients: independent normal distributions, in Elo at one step from the start. Their
/// means and standard deviations follow from the usual curvature of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prior {
    /// Elo lost one step away from the best point. The quadratic terms have minus this value as their mean, and this
    /// value as their standard deviation.
    pub(super) curvature: f64,
    /// The standard deviation of products, in curvatures.
    pub(super) product: f64,
    /// The standard deviation of cubic terms at one scale from the centre, as a share of the Elo lost there.
    pub(super) cubic: f64,
}

/// The standard deviation of linear terms, in curvatures: twice the steps from the start to the best point.
const LINEAR: f64 = 8.0;

/// The standard deviation of the logarithm of a surface's curvature.
const SPREAD: f64 = 0.8;

impl Prior {
    /// The candidates; the likelihood of the games chooses one.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let curvatures = [0.03, 0.1, 0.3, 0.6, 1.2, 2.5, 5.0, 10.0];
        curvatures.into_iter().flat_map(|curvature| {
            [0.1, 0.5, 1.5].into_iter().flat_map(move |product| {
                [0.02, 0.2, 0.7].into_iter().map(move |cubic| Self {
                    curvature,
                    product,
                    cubic,
                })
            })
        })
    }

    /// Twice the logarithm of its own prior density, up to a constant: curvatures are log-normal around the default.
    pub(super) fn evidence(&self) -> f64 {
        let away = libm::log(self.curvature / Self::default().curvature) / SPREAD;
        -away * away
    }

    /// The mean and the precision (one over the variance) of each coefficient.
    pub(super) fn of(&self, terms: &Terms) -> (Vec<f64>, Vec<f64>) {
        let mut means = vec![0.0; terms.count()];
        let mut deviations = vec![self.product; terms.count()];
        for index in 0..terms.dimensions {
            means[terms.quadratic(index)] = -self.curvature;
            deviations[terms.linear(index)] = LINEAR;
            deviations[terms.quadratic(index)] = 1.0;
            deviations[terms.cubic(index)] = self.cubic * terms.scale[index] * terms.scale[index];
        }
        let precision = |deviation: f64| {
            let deviation = deviation * self.curvature;
            1.0 / (deviation * deviation)
        };
        (means, deviations.into_iter().map(precision).collect())
    }
}

impl Default for Prior {
    /// The prior before the first game.
    fn default() -> Self {
        Self {
            curvature: 0.6,
            product: 0.5,
            cubic: 0.3,
        }
    }
}

impl Terms {
    /// Terms for this many parameters, around the start.
    pub(super) fn new(dimensions: usize) -> Self {
        Self::around(vec![0.0; dimensions], vec![3.0; dimensions])
    }

    /// Terms with this centre of the cubic terms, and with a scale above 0 for each parameter.
    pub(super) fn around(centre: Vec<f64>, scale: Vec<f64>) -> Self {
        Self {
            dimensions: centre.len(),
            products: centre.len() <= MOST_WITH_PRODUCTS,
            centre,
            scale,
        }
    }

    fn bent(&self, index: usize, x: f64) -> [f64; 3] {
        let scale = self.scale[index];
        let [value, slope, curvature] = bent((x - self.centre[index]) / scale);
        [value, slope / scale, curvature / (scale * scale)]
    }

    /// The number of coefficients.
    pub(super) fn count(&self) -> usize {
        let d = self.dimensions;
        3 * d + if self.products { d * (d - 1) / 2 } else { 0 }
    }

    /// The index of the linear term of a parameter.
    pub(super) fn linear(&self, index: usize) -> usize {
        index
    }

    /// The index of the quadratic term of a parameter.
    pub(super) fn quadratic(&self, index: usize) -> usize {
        self.dimensions + index
    }

    /// The index of the cubic term of a parameter.
    pub(super) fn cubic(&self, index: usize) -> usize {
        2 * self.dimensions + index
    }

    /// The index of the product of two parameters, the first before the second. `None` when there is none.
    pub(super) fn product(&self, first: usize, second: usize) -> Option<usize> {
        (self.products && first < second).then(|| {
            let before = first * (2 * self.dimensions - first - 1) / 2;
            3 * self.dimensions + before + second - first - 1
        })
    }

    /// Adds `factor` times the terms at `point` to `sum`.
    pub(super) fn add(&self, point: &[f64], factor: f64, sum: &mut [f64]) {
        let d = self.dimensions;
        for (index, &x) in point.iter().enumerate() {
            sum[index] += factor * x;
            sum[d + index] += factor * x * x;
            sum[2 * d + index] += factor * self.bent(index, x)[0];
        }
        if self.products {
            let mut place = 3 * d;
            for (first, &x) in point.iter().enumerate() {
                for &y in &point[first + 1..] {
                    sum[place] += factor * x * y;
                    place += 1;
                }
            }
        }
    }

    /// The terms at `first` minus those at `second`.
    pub(super) fn difference(&self, first: &[f64], second: &[f64]) -> Vec<f64> {
        let mut difference = vec![0.0; self.count()];
        self.add(first, 1.0, &mut difference);
        self.add(second, -1.0, &mut difference);
        difference
    }

    /// The derivative of every term along one parameter, added to `row`.
    pub(super) fn derivative(&self, point: &[f64], along: usize, row: &mut [f64]) {
        let x = point[along];
        row[self.linear(along)] += 1.0;
        row[self.quadratic(along)] += 2.0 * x;
        row[self.cubic(along)] += self.bent(along, x)[1];
        for (other, &y) in point.iter().enumerate() {
            if let Some(place) = self.product(other.min(along), other.max(along)) {
                row[place] += y;
            }
        }
    }

    /// Half the second derivative of each term along `direction` at `point`. It is half the sum of two gains: of a step
    /// of length one in this direction, and of the opposite step.
    pub(super) fn curvature(&self, point: &[f64], direction: &[f64]) -> Vec<f64> {
        let mut terms = vec![0.0; self.count()];
        for (index, (&x, &v)) in point.iter().zip(direction).enumerate() {
            terms[self.quadratic(index)] = v * v;
            terms[self.cubic(index)] = self.bent(index, x)[2] * v * v;
            for (other, &w) in direction.iter().enumerate().skip(index + 1) {
                if let Some(place) = self.product(index, other) {
                    terms[place] = v * w;
                }
            }
        }
        terms
    }

    /// The loss around `point`, in Elo: minus half the matrix of second derivatives.
    pub(super) fn loss_matrix(&self, coefficients: &[f64], point: &[f64]) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.dimensions]; self.dimensions];
        for (first, row) in matrix.iter_mut().enumerate() {
            for (second, cell) in row.iter_mut().enumerate() {
                let product = self.product(first.min(second), first.max(second));
                *cell = match product {
                    _ if first == second => {
                        -coefficients[self.quadratic(first)]
                            - coefficients[self.cubic(first)] * self.bent(first, point[first])[2]
                    }
                    Some(place) => -0.5 * coefficients[place],
                    None => 0.0,
                };
            }
        }
        matrix
    }

    /// The best point of a box, by coordinate ascent from `start`: each step moves one parameter to where the
    /// polynomial is greatest. It ends when no parameter moves.
    pub(super) fn best(&self, coefficients: &[f64], start: &[f64], bounds: &[(f64, f64)]) -> Vec<f64> {
        const MOST_ROUNDS: usize = 400;
        let d = self.dimensions;
        let mut point: Vec<f64> = (start.iter().zip(bounds))
            .map(|(value, (low, high))| value.clamp(*low, *high))
            .collect();
        for _ in 0..MOST_ROUNDS {
            let mut moved: f64 = 0.0;
            for index in 0..d {
                let mut linear = coefficients[self.linear(index)];
                for (other, &y) in point.iter().enumerate() {
                    if let Some(place) = self.product(other.min(index), other.max(index)) {
                        linear += coefficients[place] * y;
                    }
                }
                let value = self.best_along(coefficients, index, linear, bounds[index]);
                moved = moved.max((value - point[index]).abs());
                point[index] = value;
            }
            if moved < 1e-6 {
                break;
            }
        }
        point
    }

    /// The best value of one parameter; `linear` is the sum of its linear term and its products.
    fn best_along(&self, coefficients: &[f64], index: usize, linear: f64, (low, high): (f64, f64)) -> f64 {
        let quadratic = coefficients[self.quadratic(index)];
        let cubic = coefficients[self.cubic(index)];
        let (centre, scale) = (self.centre[index], self.scale[index]);
        let value = |x: f64| x * (linear + x * quadratic) + cubic * self.bent(index, x)[0];
        let slope = cubic * 3.0 * BEND * BEND / scale;
        let (left, right) = (centre - BEND * scale, centre + BEND * scale);
        // From the centre, the polynomial between the bends is a t + b t^2 + c t^3.
        let inner = [
            linear + 2.0 * quadratic * centre,
            quadratic,
            cubic / (scale * scale * scale),
        ];
        let line = [linear + slope, quadratic, 0.0];
        let mut best = low;
        let mut try_one = |x: f64| {
            if value(x) > value(best) {
                best = x;
            }
        };
        try_one(high);
        if left > low {
            try_one(best_of_cubic(line, (low, left.min(high))));
        }
        if right < high {
            try_one(best_of_cubic(line, (right.max(low), high)));
        }
        let (from, to) = (left.max(low), right.min(high));
        if from < to {
            try_one(centre + best_of_cubic(inner, (from - centre, to - centre)));
        }
        best
    }
}

/// Where a x + b x^2 + c x^3 is greatest within bounds.
fn best_of_cubic([a, b, c]: [f64; 3], (low, high): (f64, f64)) -> f64 {
    let value = |x: f64| x * (a + x * (b + x * c));
    let root = libm::sqrt((b * b - 3.0 * a * c).max(0.0));
    // The maximum is where the second derivative is negative: 2b + 6cx = -2 root. This form does not divide by a small
    // c.
    let turning = a / (root - b);
    let mut best = low;
    for candidate in [high, turning] {
        if candidate > low && candidate <= high && value(candidate) > value(best) {
            best = candidate;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_stats::linear_algebra::dot;

    #[test]
    fn every_term_has_a_place_of_its_own() {
        let terms = &Terms::new(4);
        let mut places: Vec<usize> = (0..4)
            .flat_map(|i| [terms.linear(i), terms.quadratic(i), terms.cubic(i)])
            .chain((0..4).flat_map(|i| (i + 1..4).filter_map(move |j| terms.product(i, j))))
            .collect();
        places.sort_unstable();
        assert_eq!(places, (0..terms.count()).collect::<Vec<_>>());
        let point = [2.0, 3.0, 5.0, 7.0];
        let at = terms.difference(&point, &[0.0; 4]);
        assert_eq!(terms.product(1, 3).map(|place| at[place]), Some(21.0));
        assert_eq!(at[terms.cubic(0)], 8.0 / 27.0);
    }

    #[test]
    fn derivatives_are_those_of_the_gain() {
        let terms = Terms::new(3);
        let coefficients: Vec<f64> = (0..terms.count()).map(|i| 0.3 * i as f64 - 1.0).collect();
        let point = [0.4, -1.2, 2.0];
        for along in 0..3 {
            let mut row = vec![0.0; terms.count()];
            terms.derivative(&point, along, &mut row);
            let slope = dot(&row, &coefficients);
            let at = |by: f64| {
                let mut moved = point;
                moved[along] += by;
                dot(&terms.difference(&moved, &[0.0; 3]), &coefficients)
            };
            assert!((slope - (at(1e-5) - at(-1e-5)) / 2e-5).abs() < 1e-5);
        }
        let direction = [0.6, 0.0, 0.8];
        let half = dot(&terms.curvature(&point, &direction), &coefficients);
        let matrix = terms.loss_matrix(&coefficients, &point);
        let loss: f64 = (0..3)
            .flat_map(|i| (0..3).map(move |j| (i, j)))
            .map(|(i, j)| direction[i] * matrix[i][j] * direction[j])
            .sum();
        assert!((half + loss).abs() < 1e-12);
    }

    #[test]
    fn finds_the_best_point_of_a_box() {
        let terms = Terms::new(2);
        // -(x - 1)^2 - (y + 2)^2 + (x - 1)(y + 2)
        let mut coefficients = vec![0.0; terms.count()];
        coefficients[terms.linear(0)] = 4.0;
        coefficients[terms.linear(1)] = -5.0;
        coefficients[terms.quadratic(0)] = -1.0;
        coefficients[terms.quadratic(1)] = -1.0;
        coefficients[terms.product(0, 1).expect("two parameters")] = 1.0;
        let best = terms.best(&coefficients, &[0.0; 2], &[(-9.0, 9.0); 2]);
        assert!((best[0] - 1.0).abs() < 1e-5 && (best[1] + 2.0).abs() < 1e-5, "{best:?}");
        let bounded = terms.best(&coefficients, &[0.0; 2], &[(-9.0, 0.0), (-9.0, 9.0)]);
        assert_eq!(bounded[0], 0.0);
        assert!((bounded[1] + 2.5).abs() < 1e-5);
    }

    #[test]
    fn best_of_a_cubic() {
        assert_eq!(best_of_cubic([1.0, 0.0, 0.0], (-1.0, 2.0)), 2.0);
        assert_eq!(best_of_cubic([0.0, 1.0, 0.0], (-3.0, 2.0)), -3.0);
        assert!((best_of_cubic([2.0, -1.0, 0.0], (-5.0, 5.0)) - 1.0).abs() < 1e-12);
        // x - x^3 / 3 has its maximum at 1.
        assert!((best_of_cubic([1.0, 0.0, -1.0 / 3.0], (-1.5, 5.0)) - 1.0).abs() < 1e-12);
    }
}
