//! A move that may be late: its facts and its outcome.

use crate::runtime::Values;
use crate::runtime::facts::Fact;

use crate::trace::TracedPosition;

/// A move that may be late. It has about 500 bytes, so avoid copies: each node makes one and uses it for all its moves.
/// A move begins with [`Host::open`](crate::Host::open). Then the engine fills its facts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LateMove {
    /// The reduction in plies; below 0 an extension. [`Host::reduction`](crate::Host::reduction) sets it, or the engine's
    /// own scheme.
    pub reduction: i32,
    /// Whether the condition of the scheme holds. A late move may have a reduction of 0. Set as `reduction` is.
    pub late: bool,
    pub(crate) values: Values,
    pub(crate) sampled: bool,
    pub(crate) id: u64,
    pub(crate) failed_high: bool,
    pub(crate) first_nodes: u64,
    pub(crate) position: Option<Box<TracedPosition>>,
}

impl LateMove {
    /// Clears the previous move, except its numbers: the engine fills again each number that is wanted.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.reduction = 0;
        self.late = false;
        self.sampled = false;
        (self.failed_high, self.first_nodes) = (false, 0);
        self.values.clear_flags();
    }

    /// The move goes into the trace, with this number.
    pub(crate) fn sample(&mut self, id: u64) {
        self.sampled = true;
        self.id = id;
        self.position = None;
    }

    /// Fills a boolean; see [`Values::set_flag`]. A flag of the engine's own is one of [`Fact::OWN_FLAGS`].
    #[inline]
    pub fn flag(&mut self, fact: Fact, value: bool) -> &mut Self {
        self.values.set_flag(fact, value);
        self
    }

    /// Fills a number, in the engine's unit; see [`Values::set_number`].
    #[inline]
    pub fn number(&mut self, fact: Fact, value: impl Into<f64>) -> &mut Self {
        self.values.set_number(fact, value.into());
        self
    }

    /// Whether the move goes into the trace.
    #[inline]
    pub fn is_sampled(&self) -> bool {
        self.sampled
    }

    /// Gives the position before the move, as FEN, and the move as UCI writes it; see
    /// [`Host::wants_position`](crate::Host::wants_position).
    pub fn position(&mut self, fen: &str, uci_move: &str) {
        self.position = Some(Box::new(TracedPosition {
            fen: fen.to_owned(),
            uci_move: uci_move.to_owned(),
        }));
    }

    /// After the move's first search: whether its score was above alpha, and its nodes.
    #[inline]
    pub fn result(&mut self, failed_high: bool, nodes: u64) {
        self.failed_high = failed_high;
        self.first_nodes = nodes;
    }

    /// What [`LateMove::result`] was given: whether the score was above alpha, and the nodes. False and 0 before that.
    #[inline]
    pub fn first_result(&self) -> (bool, u64) {
        (self.failed_high, self.first_nodes)
    }
}
