//! What the numbers say about the best of several points. Is it better than the policy as named, and than the other
//! points?

use lmrlab_results::outcome::picture::Judgement;
use lmrlab_results::outcome::table::Known;
use lmrlab_stats::{DEVIATIONS_95, deviations_among};

use super::criterion::Criterion;

/// A point that was measured.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// Its row in the table.
    pub(crate) row: usize,
    /// Its name in a sentence.
    pub(crate) name: String,
    pub(crate) known: Known,
    /// Whether it is the policy as named.
    pub(crate) is_start: bool,
}

/// The points, the best first. Of equal ones the first is the best.
pub(crate) fn ranked(criterion: Criterion, points: &[Candidate]) -> Vec<&Candidate> {
    let is_cost = criterion.quantity(None).is_cost;
    let value = |point: &Candidate| if is_cost { point.known.value } else { -point.known.value };
    let mut points: Vec<&Candidate> = points.iter().collect();
    points.sort_by(|one, other| value(one).total_cmp(&value(other)));
    points
}

/// What the numbers say about the best point, in sentences. The best of several points looks better than it is, so the
/// intervals are widened for this number of comparisons.
pub(crate) fn in_words(criterion: Criterion, points: &[Candidate]) -> String {
    let ranked = ranked(criterion, points);
    let Some((best, others)) = ranked.split_first() else {
        return String::new();
    };
    let mut sentences = vec![match points.len() {
        1 => format!("{}: {}.", best.name, criterion.said(best.known)),
        count => format!(
            "The best of the {count} measured points is {}: {}.",
            best.name,
            criterion.said(best.known)
        ),
    }];
    let wider = deviations_among(points.len()) / DEVIATIONS_95;
    if best.is_start {
        sentences.push("This is the policy as named.".to_owned());
    } else {
        sentences.extend(against_start(criterion, best.known, wider, points.len()));
    }
    let clear = others.iter().filter(|other| is_clear(best, other, wider)).count();
    sentences.extend(match clear {
        _ if others.is_empty() => None,
        0 => Some("It is not clearly better than any other point.".to_owned()),
        all if all == others.len() => Some("It is clearly better than every other point.".to_owned()),
        some => Some(format!(
            "It is clearly better than {some} of the {} other points.",
            others.len()
        )),
    });
    sentences.join(" ")
}

/// What the best point is worth against the policy as named.
fn against_start(criterion: Criterion, known: Known, wider: f64, points: usize) -> Option<String> {
    let (low, high) = known.interval.filter(|(low, high)| low < high)?;
    let wide = Known {
        interval: Some((
            known.value - wider * (known.value - low),
            known.value + wider * (high - known.value),
        )),
        ..known
    };
    let quantity = criterion.quantity(None);
    quantity.unchanged.as_ref()?;
    let sentence = match (quantity.judge(known), quantity.judge(wide)) {
        (_, Judgement::Better) => "It is clearly better than the policy as named.".to_owned(),
        (Judgement::Better, _) => format!(
            "It is better than the policy as named by more than its error, but the best of {points} points often is, by chance alone."
        ),
        (Judgement::Worse, _) => "It is clearly worse than the policy as named.".to_owned(),
        _ => "It is not clearly better than the policy as named.".to_owned(),
    };
    Some(sentence)
}

/// Whether the best point is better than another beyond chance: by the ends of their intervals that face each other.
fn is_clear(best: &Candidate, other: &Candidate, wider: f64) -> bool {
    let (Some(one), Some(two)) = (best.known.interval, other.known.interval) else {
        return false;
    };
    let (one_end, two_end) = match best.known.value < other.known.value {
        true => (one.1, two.0),
        false => (one.0, two.1),
    };
    let error = (one_end - best.known.value).hypot(two_end - other.known.value);
    (best.known.value - other.known.value).abs() > wider * error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(points: &[(&str, f64, f64)]) -> String {
        let points: Vec<Candidate> = points
            .iter()
            .map(|(name, value, error)| Candidate {
                row: 0,
                name: (*name).to_owned(),
                known: Known {
                    value: *value,
                    interval: Some((value - error, value + error)),
                },
                is_start: *error == 0.0,
            })
            .collect();
        in_words(Criterion::Elo, &points)
    }

    #[test]
    fn the_verdict_says_only_what_the_games_show() {
        insta::assert_snapshot!(
            [
                elo(&[
                    ("1.8", 10.0, 30.0),
                    ("2", 31.0, 30.0),
                    ("2.2", 12.0, 30.0),
                    ("2.4", -90.0, 30.0)
                ]),
                elo(&[("1.8", 30.0, 28.0), ("2", 29.0, 28.0)]),
                elo(&[("1.8", 90.0, 20.0), ("2", 29.0, 20.0), ("2.2", -29.0, 20.0)]),
                elo(&[("1.8", -90.0, 20.0), ("2", -29.0, 20.0)]),
                elo(&[("1.8", 0.0, 0.0), ("2", -9.0, 20.0)]),
                elo(&[("1.8", 2.0, 4.0), ("2", 0.0, 4.0)]),
                elo(&[("1.8", 2.0, 4.0)]),
            ]
            .join("\n")
        );
    }
}
