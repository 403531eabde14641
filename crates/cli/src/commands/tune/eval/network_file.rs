//! Reads the files of networks.

use std::io::Read;
use std::path::Path;

use lmrlab_engine::network::{Network, NetworkFileError};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::text_file::open_file;

/// Reads the file of a network, and the text at its head.
///
/// # Errors
/// When it cannot be read, or is no such file.
pub(super) fn read(path: &Path) -> Result<(Network, String), Failure> {
    let mut bytes = Vec::new();
    let read = open_file(path).and_then(|mut file| file.read_to_end(&mut bytes));
    let bytes = read.map(|_| bytes).map_err(|error| error.to_string());
    let read = |bytes: Vec<u8>| Ok((Network::read(&bytes)?, Network::head(&bytes)?));
    bytes
        .and_then(|bytes| read(bytes).map_err(|error: NetworkFileError| error.to_string()))
        .map_err(|error| {
            Failure::input(
                format!("cannot read the network `{}`: {error}", path.display()),
                "name a file that `lmrlab tune eval train` wrote",
            )
        })
}
