//! Tables of reductions by depth and by the moves searched before, for people and for plots.

mod given;
mod plain_move;
mod reduction_table;

pub use self::given::{Given, NodeKind};
pub use self::plain_move::{OPEN_WINDOW, PlainMove};
pub use self::reduction_table::ReductionTable;
