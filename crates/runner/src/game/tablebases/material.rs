//! The names of the tables: which men each of them has.

/// The fewest and the most men that a table can have, with the kings.
pub const MEN: [u32; 2] = [3, 7];

/// The men besides the king, in the order in which the name of a table lists them.
const ORDER: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];

/// The name of a table without its extension, such as `KRPvKR`. The side with more men comes first. With equally many
/// men, the side with the better men comes first.
pub(super) type Material = String;

/// The name for two sides, given by the indices of their men in [`ORDER`], each in ascending order.
fn name(sides: [&[usize]; 2]) -> Material {
    let [one, other] = sides;
    let swapped = (other.len(), one) > (one.len(), other);
    let [first, second] = if swapped { [other, one] } else { [one, other] };
    let men = |side: &[usize]| -> String { side.iter().filter_map(|man| ORDER.get(*man)).collect() };
    format!("K{}vK{}", men(first), men(second))
}

/// The tables with this number of men, kings included.
pub(super) fn all(men: u32) -> Vec<Material> {
    let men = (men as usize).saturating_sub(2);
    let mut names = Vec::new();
    for fewer in 0..=men / 2 {
        let smaller = sides(fewer);
        for first in sides(men - fewer) {
            let seconds = smaller.iter().filter(|second| fewer < men - fewer || first <= **second);
            names.extend(seconds.map(|second| name([&first, second])));
        }
    }
    names
}

/// All sides with this number of men beside the king.
fn sides(men: usize) -> Vec<Vec<usize>> {
    (0..men).fold(vec![Vec::new()], |sides, _| {
        let longer = |side: Vec<usize>| {
            let least = side.last().copied().unwrap_or(0);
            (least..ORDER.len()).map(move |man| [&side[..], &[man]].concat())
        };
        sides.into_iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_published_tables() {
        // The numbers of tables that are published for each number of men.
        assert_eq!([3, 4, 5, 6, 7].map(|men| all(men).len()), [5, 30, 110, 365, 1001]);
        let four = all(4);
        for name in ["KQQvK", "KPPvK", "KQvKQ", "KQvKP", "KRvKB", "KPvKP"] {
            assert!(four.iter().any(|other| other == name), "{name}");
        }
        assert!(all(5).contains(&"KBNvKQ".to_owned()));
        assert!(all(6).contains(&"KQPvKRR".to_owned()));
    }
}
