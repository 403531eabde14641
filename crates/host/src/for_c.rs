//! The files for engines in C and C++: `lmrlab host init` writes them.

/// The header that an engine in C99 or C++11 includes. Its first comment says how.
pub const HEADER: &str = include_str!("../include/lmrlab.h");

/// The own reductions of the example engine, as a policy in TOML.
pub const POLICY: &str = include_str!("../example-c/own.toml");

/// The sources of the example engine: the path, the text, and what the file is about. The last is empty for the header of the source before it.
pub const EXAMPLE: &[(&str, &str, &str)] = &rows! {
    "example/chess.c", include_str!("../example-c/chess.c"), "the rules of chess";
    "example/chess.h", include_str!("../example-c/chess.h"), "";
    "example/eval.c", include_str!("../example-c/eval.c"), "the evaluation";
    "example/eval.h", include_str!("../example-c/eval.h"), "";
    "example/search.c", include_str!("../example-c/search.c"), "the search: it fills the facts and asks for reductions";
    "example/search.h", include_str!("../example-c/search.h"), "";
    "example/uci.c", include_str!("../example-c/uci.c"), "UCI, with lmrlab's options";
    "example/host.c", include_str!("../example-c/host.c"), "the implementation of lmrlab.h";
};
