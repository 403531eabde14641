//! Operations on lists, unrolled into operations on their elements.

use lmrlab_host::runtime::Expression;
use lmrlab_host::runtime::arithmetic::Binary;

use super::typed_tree::Typed;

/// How many elements a list may have.
pub(crate) const MAX_ELEMENTS: usize = 128;

/// The sum of the products of two lists of one length, from left to right.
pub(super) fn dot(left: Vec<Typed>, right: Vec<Typed>) -> Expression {
    let products = left.into_iter().zip(right).map(|(x, y)| product(x, y).into_number());
    let sum = products.reduce(|sum, product| Expression::binary(Binary::Add, sum, product));
    sum.unwrap_or(Expression::Constant(0.0))
}

/// The element of a list with the number `x`.
pub(super) fn at(list: Vec<Typed>, x: Expression) -> Expression {
    let steps = list.into_iter().enumerate().map(|(index, element)| {
        // The first element is also the nearest one of every number below it.
        let from = if index == 0 { f64::MIN } else { index as f64 };
        (Expression::Constant(from), element.into_number())
    });
    Expression::Steps(Box::new(x), steps.collect())
}

/// A number, or 0 if it is negative; of a list: each element so. A boolean is not negative.
pub(super) fn relu(x: Typed) -> Typed {
    match x {
        Typed::Number(x) => Typed::Number(Expression::binary(Binary::Maximum, x, Expression::Constant(0.0))),
        Typed::List(elements) => Typed::List(elements.into_iter().map(relu).collect()),
        boolean => boolean,
    }
}

/// How many products of `count` elements a list of `length` has, and in how many of them an element occurs.
pub(super) fn count_of_products(length: usize, count: usize) -> (usize, usize) {
    let choose =
        |from: usize, count: usize| (0..count).fold(1, |ways, index| ways * from.saturating_sub(index) / (index + 1));
    (choose(length, count), choose(length.saturating_sub(1), count - 1))
}

/// The products of any `count` elements, in the order of their numbers.
pub(super) fn products(list: &[Typed], count: usize) -> Vec<Typed> {
    if count <= 1 {
        return list.to_vec();
    }
    let mut all = Vec::new();
    for (index, first) in list.iter().enumerate() {
        let rest = list.get(index + 1..).unwrap_or_default();
        let others = products(rest, count - 1).into_iter();
        all.extend(others.map(|others| product(first.clone(), others)));
    }
    all
}

/// The product of two elements. That of booleans is the boolean that both hold.
fn product(x: Typed, y: Typed) -> Typed {
    match (x, y) {
        (Typed::Boolean(x), Typed::Boolean(y)) => {
            let terms = match y {
                Expression::And(terms) => terms,
                y => vec![y],
            };
            Typed::Boolean(Expression::And([vec![x], terms].concat()))
        }
        (number, Typed::Boolean(condition)) | (Typed::Boolean(condition), number) => Typed::Number(Expression::choice(
            condition,
            number.into_number(),
            Expression::Constant(0.0),
        )),
        (x, y) => Typed::Number(Expression::binary(Binary::Multiply, x.into_number(), y.into_number())),
    }
}
