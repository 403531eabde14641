//! The arithmetic of policies: every operation on finite numbers gives a finite number, the same on every machine.
//!
//! A result that is too large is the largest float; `x / 0` and `x % 0` are 0; logarithms of 0 and below are 0.
//! Comparisons give 0 or 1.

/// An operation on one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    Not,
    Absolute,
    Floor,
    Ceil,
    Round,
    Truncate,
    SquareRoot,
    Ln,
    Log2,
    Exponential,
}

impl Unary {
    /// The operation that a file calls by this word.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "neg" => Self::Negate,
            "not" => Self::Not,
            "abs" => Self::Absolute,
            "floor" => Self::Floor,
            "ceil" => Self::Ceil,
            "round" => Self::Round,
            "trunc" => Self::Truncate,
            "sqrt" => Self::SquareRoot,
            "ln" => Self::Ln,
            "log2" => Self::Log2,
            "exp" => Self::Exponential,
            _ => return None,
        })
    }

    #[inline]
    pub(crate) fn apply(self, x: f64, tables: &Tables) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Not => truth(x == 0.0),
            Self::Absolute => x.abs(),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Round => x.round(),
            Self::Truncate => x.trunc(),
            Self::SquareRoot => x.max(0.0).sqrt(),
            Self::Ln => logarithm(x, &tables.ln, libm::log),
            Self::Log2 => logarithm(x, &tables.log2, libm::log2),
            Self::Exponential => saturate(libm::exp(x)),
        }
    }
}

/// The tables that a policy's file holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Tables {
    /// Natural logarithms, and logarithms to base 2, of whole numbers from 0 on; empty when the policy has none.
    pub(crate) ln: Vec<f64>,
    pub(crate) log2: Vec<f64>,
    /// The cells of the policy's own table, row by row; empty when it has none.
    pub(crate) cells: Vec<f64>,
    pub(crate) columns: usize,
}

impl Tables {
    /// The cell at `row` and `column`, both cut towards zero; the nearest cell when outside.
    pub(crate) fn cell(&self, row: f64, column: f64) -> f64 {
        let columns = self.columns.max(1);
        let last_row = (self.cells.len() / columns).saturating_sub(1);
        // A cast saturates: what is negative becomes 0.
        let (row, column) = ((row as usize).min(last_row), (column as usize).min(columns - 1));
        self.cells.get(row * columns + column).copied().unwrap_or(0.0)
    }
}

fn logarithm(x: f64, known: &[f64], otherwise: fn(f64) -> f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let whole = x as usize;
    match known.get(whole) {
        Some(value) if whole as f64 == x => *value,
        _ => otherwise(x),
    }
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Minimum,
    Maximum,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Binary {
    /// The operation that a file calls by this word.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "%" => Self::Remainder,
            "min" => Self::Minimum,
            "max" => Self::Maximum,
            "pow" => Self::Power,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            _ => return None,
        })
    }

    /// Always inlined: a call would cost as much as most operations.
    #[inline(always)]
    pub(crate) fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => saturate(x + y),
            Self::Subtract => saturate(x - y),
            Self::Multiply => saturate(x * y),
            Self::Divide | Self::Remainder if y == 0.0 => 0.0,
            Self::Divide => saturate(x / y),
            Self::Remainder => x % y,
            Self::Minimum => x.min(y),
            Self::Maximum => x.max(y),
            Self::Power => power(x, y),
            Self::Less => truth(x < y),
            Self::LessOrEqual => truth(x <= y),
            Self::Greater => truth(x > y),
            Self::GreaterOrEqual => truth(x >= y),
            Self::Equal => truth(x == y),
            Self::NotEqual => truth(x != y),
        }
    }
}

#[inline]
fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn power(x: f64, y: f64) -> f64 {
    let value = libm::pow(x, y);
    if value.is_nan() || (x == 0.0 && y < 0.0) {
        0.0
    } else {
        saturate(value)
    }
}

#[inline]
fn saturate(x: f64) -> f64 {
    x.clamp(f64::MIN, f64::MAX)
}
