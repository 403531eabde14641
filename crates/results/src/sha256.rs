//! SHA-256 digests. They show whether two files are the same.

use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::text_file::open_file;

/// The SHA-256 of a text, in hexadecimal.
pub fn sha256(text: &str) -> String {
    sha256_of_bytes(text.as_bytes())
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256_of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// When the file cannot be read.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut file = open_file(path)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            count => digest.update(&piece[..count]),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| DIGITS[usize::from(digit)]).collect()
}
