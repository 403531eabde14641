//! What other engines did with their late moves: their traces as profiles and audits.
//!
//! A host is an engine that includes lmrlab.h. It writes a trace: the facts and the results of a sample of its late moves, and
//! a shadow search of each.
//!
//! - `search.rs` lets a host search positions, and write a trace;
//! - `trace.rs` reads a trace, `facts.rs` the facts of a move in it;
//! - `findings.rs` makes a profile or an audit of it.

pub(crate) mod facts;
mod findings;
mod search;
mod trace;

pub use lmrlab_host::trace::Shadow;

pub use self::search::{Searched, TraceOptions, search_hosted};
pub use self::trace::{HostTrace, TracedMove};
pub(crate) use self::trace::{Seen, seen};
