//! Statistics of paired games.
