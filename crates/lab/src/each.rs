//! Lines of files about what was found in each place by each policy.

/// The line of each result, name by name: `results[name][place]`.
pub(crate) fn each<'n, P, T, R>(
    names: impl IntoIterator<Item = &'n String>,
    places: &[P],
    results: &[Vec<T>],
    row: impl Fn(String, &P, &T) -> R,
) -> Vec<R> {
    let mut rows = Vec::new();
    for (name, results) in names.into_iter().zip(results) {
        let results = places.iter().zip(results);
        rows.extend(results.map(|(place, result)| row(name.clone(), place, result)));
    }
    rows
}
