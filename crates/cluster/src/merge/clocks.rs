//! Hosts whose clocks are wrong: the results do not depend on them, the dates in the files do.

use lmrlab_runner::utc::Utc;

use super::survey::Found;

/// In seconds.
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// So many parts are named.
const MOST: usize = 5;

/// When something was done, by the clock of a host.
#[derive(Debug, Clone)]
struct Times {
    part: String,
    /// When the part was made.
    made: Utc,
    /// When it was played last, and when it ended.
    played: Option<(Utc, Utc)>,
}

/// What is odd.
pub(super) fn warnings(parts: &[Found]) -> Vec<String> {
    let times: Vec<Times> = parts
        .iter()
        .map(|found| Times {
            part: found.name(),
            made: found.folder.manifest().began(),
            played: found
                .completion
                .as_ref()
                .and_then(|completion| Some((completion.started.parse().ok()?, completion.ended.parse().ok()?))),
        })
        .collect();
    odd(&times, Utc::now())
}

fn odd(times: &[Times], now: Utc) -> Vec<String> {
    let mut made: Vec<Utc> = times.iter().map(|times| times.made).collect();
    made.sort_unstable();
    let Some(middle) = made.get(made.len() / 2) else {
        return Vec::new();
    };
    let mut warnings: Vec<String> = times
        .iter()
        .filter_map(|times| {
            let what = oddity(times, *middle, now)?;
            Some(format!(
                "{} {what}: is the clock right? The results do not depend on it",
                times.part
            ))
        })
        .collect();
    let more = warnings.len().saturating_sub(MOST);
    if more > 0 {
        warnings.truncate(MOST);
        warnings.push(format!("{more} more parts have times that are odd"));
    }
    warnings
}

fn oddity(times: &Times, middle: Utc, now: Utc) -> Option<String> {
    let future = |moment: Utc| moment.seconds() > now.seconds() + DAY;
    let (made, played) = (times.made, times.played);
    if future(made) {
        return Some(format!("began in the future, at {made}"));
    }
    if let Some((started, ended)) = played {
        if ended < started {
            return Some(format!("ended at {ended}, before it was begun at {started}"));
        }
        if future(ended) {
            return Some(format!("ended in the future, at {ended}"));
        }
        // The part may have been made by a host whose clock is a little ahead.
        if ended.seconds() < made.seconds() - HOUR {
            return Some(format!("ended at {ended}, before it was made at {made}"));
        }
    }
    let apart = (made.seconds() - middle.seconds()) / DAY;
    (apart != 0).then(|| {
        let (days, when) = (apart.abs(), if apart < 0 { "before" } else { "after" });
        let days = if days == 1 {
            "a day".to_owned()
        } else {
            format!("{days} days")
        };
        format!("began at {made}, more than {days} {when} most others")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(part: &str, made: &str, played: Option<(&str, &str)>) -> Times {
        let moment = |text: &str| text.parse().unwrap();
        Times {
            part: part.to_owned(),
            made: moment(made),
            played: played.map(|(started, ended)| (moment(started), moment(ended))),
        }
    }

    #[test]
    fn clocks_that_differ_by_days_are_named() {
        let now = "2026-11-23T12:00:00Z".parse().unwrap();
        let usual = times(
            "part 1",
            "2026-11-23T08:00:00Z",
            Some(("2026-11-23T08:00:00Z", "2026-11-23T09:00:00Z")),
        );
        let parts = [
            usual.clone(),
            usual.clone(),
            usual,
            times("part 4", "2026-11-23T07:00:00Z", None),
            times("part 5", "2031-01-01T00:00:00Z", None),
            times(
                "part 6",
                "2026-11-23T08:00:00Z",
                Some(("2026-11-23T08:00:00Z", "2026-11-20T08:00:00Z")),
            ),
            times("part 7", "2026-11-19T08:00:00Z", None),
        ];
        insta::assert_snapshot!(odd(&parts, now).join("\n"));
        let many = vec![times("a part", "2031-01-01T00:00:00Z", None); 9];
        assert_eq!(odd(&many, now).len(), MOST + 1);
        assert!(odd(&parts[..4], now).is_empty());
        assert!(odd(&[], now).is_empty());
    }
}
