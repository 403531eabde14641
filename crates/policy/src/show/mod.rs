//! Tables of reductions by depth and by the moves searched before, for people and for plots.

mod given;
mod plain_move;
mod reduction_table;

pub use self::given::{Given, NodeKind};
pub use self::plain_move::{OPEN_WINDOW, plain_move};
pub use self::reduction_table::reduction_table;
