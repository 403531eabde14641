//! Engines in processes of their own that speak UCI.
//!
//! Source of the protocol: Stefan Meyer-Kahlen, *Description of the universal chess interface*, 2006.
//!
//! A player starts its process when it first needs it, keeps it from game to game, and restarts it after a crash or a
//! stall. Every wait has an absolute deadline. After a missed deadline the player sends `stop` and waits a little longer:
//! it drops a late answer, and kills a process that still does not answer. So a late answer is never taken for the answer
//! to a later `go`.
//!
//! The time of a move runs from just before `go` is written until the answer can be read. On a busy machine the reading
//! thread may get a processor many milliseconds later. The system reports that delay (`/proc/thread-self/schedstat` on
//! Linux), and it does not count.
//!
//! A process is killed with its own children when its player is dropped. When lmrlab itself is killed, engines end because
//! their input ends, as with other match runners; Windows kills them.

pub mod deadlines;
mod declared_options;
pub mod external;
mod host_lines;
mod hosted_policy;
mod node_excess;
mod pondering;
mod position_command;
mod process;
mod search_info;
mod sent_options;
mod session;
mod temporary_file;
mod traffic;
mod uci_line;
mod uci_player;

pub use declared_options::DeclaredOption;
pub use host_lines::Hello;
pub use hosted_policy::{HostedPolicy, PARAMS_OPTION, POLICY_OPTION};
pub use search_info::SearchInfo;
pub use session::{Session, SessionError, try_handshake};
pub use uci_player::UciPlayer;
