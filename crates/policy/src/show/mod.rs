//! Tables of reductions by depth and by the moves searched before, for people and for plots.

mod given;
mod picture;
mod plain_move;
mod reduction_table;
mod unit_table;

pub use self::given::{Given, NodeKind};
pub use self::picture::{Picture, PictureCell, Tone};
pub use self::plain_move::{OPEN_WINDOW, PlainMove};
pub use self::reduction_table::{DiffCell, ReductionCell, ReductionTable, TableDiff};
pub use self::unit_table::{Unit, UnitCell, UnitTable};
