//! The playing of many pairs on several threads, recorded in schedule order.

pub mod workers;
