//! The places for the names of points: no name covers another.

use super::svg::text_width;

/// A rectangle: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// Finds a place for each text near its point: beside it, above, below, or further away. The place is the middle of the
/// text's base line. `None` for a text without room: its point still shows the name when the mouse is over it.
pub(super) fn places(points: &[((f64, f64), &str)], size: f64, within: Area) -> Vec<Option<(f64, f64)>> {
    let mut taken: Vec<Area> = points
        .iter()
        .map(|((x, y), _)| (x - 5.0, y - 5.0, x + 5.0, y + 5.0))
        .collect();
    points
        .iter()
        .map(|((x, y), text)| {
            let (width, height) = (text_width(text, size), size);
            // Rings are as far apart as lines of text.
            let candidates = (0..5).flat_map(|ring| {
                let far = 8.0 + 1.1 * height * f64::from(ring);
                let beside = width / 2.0 + far;
                [
                    (x + beside, y + 0.35 * height),
                    (*x, y - far),
                    (*x, y + far + 0.7 * height),
                    (x - beside, y + 0.35 * height),
                    (x + beside, y - far),
                    (x + beside, y + far + 0.7 * height),
                    (x - beside, y - far),
                    (x - beside, y + far + 0.7 * height),
                ]
            });
            let area = |(x, y): (f64, f64)| (x - width / 2.0, y - 0.8 * height, x + width / 2.0, y + 0.25 * height);
            let place = candidates.into_iter().find(|place| {
                let area = area(*place);
                is_inside(area, within) && taken.iter().all(|other| !overlap(area, *other))
            })?;
            taken.push(area(place));
            Some(place)
        })
        .collect()
}

fn is_inside(inner: Area, outer: Area) -> bool {
    inner.0 >= outer.0 && inner.1 >= outer.1 && inner.2 <= outer.2 && inner.3 <= outer.3
}

fn overlap(one: Area, other: Area) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points_at_one_place_do_not_cover_each_other() {
        let names: Vec<String> = (0..12).map(|index| format!("policy-{index}")).collect();
        let points: Vec<_> = names.iter().map(|name| ((300.0, 200.0), name.as_str())).collect();
        let places = places(&points, 12.0, (0.0, 0.0, 600.0, 400.0));
        let found: Vec<(f64, f64)> = places.into_iter().flatten().collect();
        assert_eq!(found.len(), 12);
        for (index, one) in found.iter().enumerate() {
            for other in &found[index + 1..] {
                let apart = (one.0 - other.0).abs() > 40.0 || (one.1 - other.1).abs() > 11.0;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }
}
