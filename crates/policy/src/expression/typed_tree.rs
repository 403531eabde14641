//! Checked expressions with their types.

use lmrlab_host::runtime::Expression;
use lmrlab_host::runtime::expression::Size;

use crate::facts::{FactSet, Kind};

/// An expression with its type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Typed {
    Number(Expression),
    Boolean(Expression),
    /// Numbers and booleans. Lists are gone before anything is computed: each operation on a list becomes operations on its
    /// elements.
    List(Vec<Self>),
}

impl Typed {
    /// An expression of this kind.
    pub(crate) fn of(kind: Kind, expression: Expression) -> Self {
        match kind {
            Kind::Number => Self::Number(expression),
            Kind::Boolean => Self::Boolean(expression),
        }
    }

    /// The word for its type in messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => Kind::Number.name(),
            Self::Boolean(_) => Kind::Boolean.name(),
            Self::List(_) => "a list",
        }
    }

    /// An element of a list as a number: 1 for true, 0 for false.
    pub(crate) fn into_number(self) -> Expression {
        match self {
            Self::Number(number) => number,
            Self::Boolean(boolean) => Expression::choice(boolean, Expression::TRUE, Expression::FALSE),
            Self::List(_) => Expression::FALSE,
        }
    }

    /// The sum of the nodes, and the greatest height.
    pub(crate) fn size(&self) -> Size {
        match self {
            Self::Number(expression) | Self::Boolean(expression) => expression.size(),
            Self::List(elements) => elements.iter().map(Self::size).fold(Size::default(), |all, one| Size {
                nodes: all.nodes + one.nodes,
                height: all.height.max(one.height),
            }),
        }
    }

    /// The facts that it reads.
    pub(crate) fn facts(&self) -> FactSet {
        match self {
            Self::Number(expression) | Self::Boolean(expression) => expression.facts(),
            Self::List(elements) => elements
                .iter()
                .map(Self::facts)
                .fold(FactSet::default(), FactSet::union),
        }
    }
}
