//! What the games of a run have in common.

use std::time::Instant;

use lmrlab_engine::chess_variant::ChessVariant;

use super::adjudication::Adjudication;
use super::tablebases::Tablebases;
use crate::interrupt::Interrupt;
use crate::record::fault_log::EngineLogs;

/// What the games of a run have in common.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'r> {
    /// The variant of chess.
    pub variant: ChessVariant,
    /// When games are ended before the rules of chess end them.
    pub adjudication: &'r Adjudication,
    /// The tables that end games, if any.
    pub tablebases: Option<&'r Tablebases>,
    /// Can abandon the games.
    pub interrupt: &'r Interrupt,
    /// When the run began.
    pub begun: Instant,
    /// The logs of the lines between lmrlab and programs.
    pub logs: &'r EngineLogs,
}
