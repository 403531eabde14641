//! What the numbers say about the best of several points. Is it better than the policy as named, and than the other
//! points? How many games would show it?

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
    /// Pairs of games that it played.
    pub(crate) pairs: f64,
    /// Whether it is the policy as named.
    pub(crate) is_start: bool,
}

/// A difference for which the games are worth their time, in Elo.
const WORTH: f64 = 10.0;
/// The most other points that a sentence names.
const MOST_NAMES: usize = 4;

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
    let unclear = others.iter().filter(|other| !is_clear(criterion, best, other, wider));
    let unclear: Vec<&str> = unclear.map(|other| other.name.as_str()).collect();
    sentences.extend(match unclear.len() {
        _ if others.is_empty() => None,
        0 => Some("It is clearly better than every other point.".to_owned()),
        count if count == others.len() => Some("It is not clearly better than any other point.".to_owned()),
        count if count > MOST_NAMES => Some(format!(
            "It is not clearly better than {count} of the {} other points.",
            others.len()
        )),
        _ => Some(format!("It is not clearly better than {}.", either(&unclear))),
    });
    let next = others.iter().find(|other| !is_clear(criterion, best, other, wider));
    if let (Criterion::Elo, Some(next)) = (criterion, next) {
        sentences.extend(what_would_show(best, next, wider));
    }
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
    criterion.quantity(None).unchanged.as_ref()?;
    let judge = |known| criterion.quantity(None).judge(known);
    let sentence = match (judge(known), judge(wide)) {
        (_, Judgement::Better) => "It is clearly better than the policy as named.".to_owned(),
        (Judgement::Better, _) => format!(
            "It is better than the policy as named by more than its error, but the best of {points} points often is, by chance alone."
        ),
        (Judgement::Worse, _) => "It is clearly worse than the policy as named.".to_owned(),
        _ => "It is not clearly better than the policy as named.".to_owned(),
    };
    Some(sentence)
}

/// Whether one point is better than another beyond chance. Games of two points are independent. Searches are of the
/// same positions, so it is enough there that the intervals do not overlap.
fn is_clear(criterion: Criterion, best: &Candidate, other: &Candidate, wider: f64) -> bool {
    let (Some(one), Some(two)) = (best.known.interval, other.known.interval) else {
        return false;
    };
    match criterion {
        Criterion::Elo => difference(best, other).is_some_and(|(elo, error)| elo > wider * error),
        Criterion::Solved => one.0 > two.1,
        Criterion::Nodes | Criterion::Missed => one.1 < two.0,
    }
}

/// The difference of two points in Elo, and half the width of its 95% interval.
fn difference(best: &Candidate, other: &Candidate) -> Option<(f64, f64)> {
    let error = |point: &Candidate| point.known.interval.map(|(low, high)| high / 2.0 - low / 2.0);
    Some((best.known.value - other.known.value, error(best)?.hypot(error(other)?)))
}

/// The games that would show the difference between the best point and the next.
fn what_would_show(best: &Candidate, next: &Candidate, wider: f64) -> Option<String> {
    let (elo, error) = difference(best, next)?;
    let error = wider * error;
    let pairs = best.pairs.min(next.pairs);
    if error <= 0.0 || pairs < 1.0 {
        return None;
    }
    let needed = |elo: f64| format!("{:.0}", rounded_up(pairs * (error / elo) * (error / elo)));
    Some(match elo >= WORTH {
        true => format!(
            "If {} is {elo:.0} Elo weaker, as it seems, about {} pairs of each point would show it. {pairs} were played.",
            next.name,
            needed(elo),
        ),
        false if error > WORTH => format!(
            "With {pairs} pairs of each point only differences above {error:.0} Elo are clear; {WORTH:.0} Elo need about {} pairs.",
            needed(WORTH)
        ),
        false => format!("Differences above {error:.0} Elo would be clear with these pairs."),
    })
}

/// A number with two significant digits, not smaller.
fn rounded_up(number: f64) -> f64 {
    let unit = 10.0_f64.powf((number.max(1.0).log10().floor() - 1.0).max(0.0));
    (number / unit).ceil() * unit
}

/// `a, b or c`.
fn either(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        // A point of several parameters has commas in its name.
        [first @ .., last] => match names.iter().any(|name| name.contains(',')) {
            true => format!("{}; or {last}", first.join("; ")),
            false => format!("{} or {last}", first.join(", ")),
        },
    }
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
                pairs: 200.0,
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

    #[test]
    fn other_points_are_named_apart() {
        assert_eq!(
            either(&["divisor 1.8", "divisor 2", "divisor 2.2"]),
            "divisor 1.8, divisor 2 or divisor 2.2"
        );
        assert_eq!(either(&["a 1, b 2", "a 2, b 2"]), "a 1, b 2; or a 2, b 2");
        assert_eq!((either(&["a"]), either(&[])), ("a".to_owned(), String::new()));
    }
}
