//! Plays tournaments between engines and records them: players, schedule, journal, record, resume.
//!
//! - [`tournament`] describes what is to be played; one reader reads tournament files, command lines and manifests.
//! - [`game`] plays one game, [`conduct`] plays many at the same time and reports what happens as
//!   [events](conduct::event::Event). Nothing here prints.
//! - [`record`] turns games into files. [`run::Run`] reads these folders again, and [`outcome`] says what a run found, [`comparison`]
//!   compares several.
//! - [`parts`] cuts a run into parts for many machines, and merges them. [`trust`] knows which programs this user has started.
//! - [`player`] is an engine in this process, or a program that speaks UCI.
//! - [`openings`] reads positions and games to begin with. [`rating`] rates the players of PGN files.
//!
//! How files are read and written is in `lmrlab_results`.
//!
//! ```
//! use lmrlab_diagnostics::{Document, Source};
//! use lmrlab_runner::tournament::keys;
//!
//! let text = r#"
//!     name = "two"
//!     format = "match"
//!     pairs = 10
//!     openings = { file = "positions/openings.epd" }
//!     limit = { nodes = 1000 }
//!     [[engine]]
//!     policy = "house"
//!     [[engine]]
//!     policy = "none"
//! "#;
//! let document = Document::parse(Source::new("two.toml", text))?;
//! let description = keys::tournament(document.root());
//! let (description, _) = document.finish(description)?;
//! assert_eq!(description.pairs, Some(10));
//! assert!(description.is_deterministic());
//! // What is left out has its default when it is written again.
//! assert_eq!(keys::of_tournament(&description)["hash_mib"].as_integer(), Some(16));
//! # Ok::<(), lmrlab_diagnostics::Diagnostics>(())
//! ```

mod child_group;
pub mod comparison;
pub mod conduct;
pub mod game;
pub mod interrupt;
pub mod memory;
pub mod more_openings;
pub mod opening_maker;
pub mod openings;
pub mod outcome;
pub mod parts;
pub mod player;
pub mod processors;
pub mod rating;
pub mod record;
pub mod run;
pub mod sprt_outcome;
pub mod sprt_text;
pub mod tournament;
pub mod trust;
