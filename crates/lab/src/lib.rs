//! The lab: what the reductions of a policy do to searches, and whether they are right.
//!
//! A [`Variant`](variant::Variant) is a policy in a search preset. The lab searches [positions](positions::PositionSet) with
//! variants, up to a [limit](search::SearchLimit), on any number of [threads](workers::Workers). Each position is searched
//! from empty tables, and results come in the order of the positions: they are the same for any number of threads.
//!
//! | module | question |
//! |---|---|
//! | [`bench`](mod@bench) | How large are the trees, and of what shape? |
//! | [`profile`] | Where does a policy reduce, by how much, and with what result? |
//! | [`audit`] | Were the reductions right? |
//! | [`host`] | The same of engines of others |
//! | [`reductions`] | What does a policy say, and how does it reduce a plain move? |
//! | [`explanation`] | What does a policy do to each move of one position? |
//! | [`suite`] | How many test positions does a policy solve? |
//! | [`experiment`] | What is each rule, parameter or search feature worth? |
//! | [`ideas`] | What did authors of other engines report about an idea? |
//! | [`host_check`] | Does an engine of someone else host policies as it should? |
//!
//! The lab has no terminal. Results are outcomes: sentences, tables, pictures as values, and
//! [`JobProgress`](workers::JobProgress) receives how far the searches have come.
//!
//! ```
//! use lmrlab_diagnostics::Source;
//! use lmrlab_lab::bench::{BenchTables, bench};
//! use lmrlab_lab::positions::PositionSet;
//! use lmrlab_lab::search::SearchLimit;
//! use lmrlab_lab::variant::Variant;
//! use lmrlab_lab::workers::Workers;
//! use lmrlab_policy::Policy;
//!
//! let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
//! let (set, _warnings) = PositionSet::parse(Source::new("positions.epd", fen))?;
//! let text = r#"
//!     name = "log"
//!     when = "depth >= 3 and moves_searched >= 3 and quiet"
//!     reduce = "0.5 + ln(depth) * ln(move_number) / 2.4"
//! "#;
//! let (policy, _warnings) = Policy::compile(Source::new("log.toml", text))?;
//! let variants = [Variant::new("none", Policy::none()), Variant::new("log", policy)];
//!
//! let searches = bench(&variants, &set.positions, SearchLimit::Depth(7), &Workers::new(1)?);
//! let tables = BenchTables::of(&variants, &set.positions, &searches.results);
//! let [none, log] = &tables.policies[..] else {
//!     unreachable!("one line for each variant")
//! };
//! assert!(log.nodes < none.nodes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod audit;
pub mod bench;
pub mod costs;
pub mod experiment;
pub mod explanation;
pub mod host;
pub mod host_check;
pub mod ideas;
pub mod late_moves;
pub mod named_fact;
mod notation;
pub mod positions;
pub mod profile;
mod ratio;
pub mod reductions;
mod sampler;
pub mod search;
pub mod suite;
pub mod variant;
pub mod workers;
