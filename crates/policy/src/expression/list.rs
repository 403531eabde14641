//! Operations on lists, unrolled into operations on their elements.

use super::arithmetic::Binary;
use super::typed_tree::{Boolean, Element, Number};

/// The sum of the products of two lists of one length, from left to right.
pub(super) fn dot(left: Vec<Element>, right: Vec<Element>) -> Number {
    let products = left.into_iter().zip(right).map(|(x, y)| product(x, y).into_number());
    let sum = products.reduce(|sum, product| Number::Binary(Binary::Add, Box::new(sum), Box::new(product)));
    sum.unwrap_or(Number::Constant(0.0))
}

/// The element of a list with the number `x`.
pub(super) fn at(list: Vec<Element>, x: Number) -> Number {
    let steps = list.into_iter().enumerate().map(|(index, element)| {
        // The first element is also the nearest one of every number below it.
        let from = if index == 0 { f64::MIN } else { index as f64 };
        (Number::Constant(from), element.into_number())
    });
    Number::Steps(Box::new(x), steps.collect())
}

/// A number, or 0 if it is negative.
pub(super) fn relu(x: Number) -> Number {
    Number::Binary(Binary::Maximum, Box::new(x), Box::new(Number::Constant(0.0)))
}

/// As [`relu`], for each element. A boolean is not negative.
pub(super) fn relu_each(list: Vec<Element>) -> Vec<Element> {
    let each = list.into_iter().map(|element| match element {
        Element::Number(number) => Element::Number(relu(number)),
        boolean => boolean,
    });
    each.collect()
}

/// How many products of `count` elements a list of `length` has, and in how many of them an element occurs.
pub(super) fn count_of_products(length: usize, count: usize) -> (usize, usize) {
    let choose =
        |from: usize, count: usize| (0..count).fold(1, |ways, index| ways * from.saturating_sub(index) / (index + 1));
    (choose(length, count), choose(length.saturating_sub(1), count - 1))
}

/// The products of any `count` elements, in the order of their numbers.
pub(super) fn products(list: &[Element], count: usize) -> Vec<Element> {
    if count <= 1 {
        return list.to_vec();
    }
    let mut all = Vec::new();
    for (index, first) in list.iter().enumerate() {
        let rest = list.get(index + 1..).unwrap_or_default();
        all.extend(
            products(rest, count - 1)
                .into_iter()
                .map(|others| product(first.clone(), others)),
        );
    }
    all
}

/// The product of two elements. That of booleans is the boolean that both hold.
fn product(x: Element, y: Element) -> Element {
    match (x, y) {
        (Element::Boolean(x), Element::Boolean(y)) => Element::Boolean(match y {
            Boolean::And(mut terms) => {
                terms.insert(0, x);
                Boolean::And(terms)
            }
            y => Boolean::And(vec![x, y]),
        }),
        (Element::Number(number), Element::Boolean(condition))
        | (Element::Boolean(condition), Element::Number(number)) => Element::Number(Number::If(
            Box::new(condition),
            Box::new(number),
            Box::new(Number::Constant(0.0)),
        )),
        (Element::Number(x), Element::Number(y)) => {
            Element::Number(Number::Binary(Binary::Multiply, Box::new(x), Box::new(y)))
        }
    }
}
