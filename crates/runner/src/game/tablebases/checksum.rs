//! The checksum at the end of a Syzygy file: 16 bytes, of all bytes before them.
//!
//! Each piece of 16 MiB has a hash of 32 bytes, and the checksum is a hash of these hashes. The hashes are CityHash
//! 1.0.3 (Copyright 2011 Google, MIT licence). Pieces use CityHashCrc256. The list of hashes uses CityHash128 or, when
//! it is long, the second half of CityHashCrc256.

use std::io::{self, Read};
use std::num::Wrapping;

/// The bytes of a piece.
const PIECE: usize = 1 << 24;
/// The longest list of hashes that CityHash128 takes.
const SHORT_LIST: usize = 900;

/// Arithmetic modulo 2^64.
type Word = Wrapping<u64>;

const K0: Word = Wrapping(0xc3a5_c85c_97cb_3127);
const K1: Word = Wrapping(0xb492_b66f_be98_f273);
const K3: Word = Wrapping(0xc949_d7c7_509e_6557);

/// The checksum of everything that can be read.
///
/// # Errors
/// When something cannot be read.
pub fn checksum(mut content: impl Read) -> io::Result<[u8; 16]> {
    let mut hashes = Vec::new();
    let mut piece = Vec::new();
    loop {
        piece.clear();
        content.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        if piece.is_empty() {
            break;
        }
        hashes.extend(crc256(&piece).into_iter().flat_map(|word| word.0.to_le_bytes()));
    }
    let [low, high] = match hashes.len() <= SHORT_LIST {
        true => city128(&hashes),
        false => {
            let [_, _, low, high] = crc256(&hashes);
            [low, high]
        }
    };
    Ok(((u128::from(high.0) << 64) | u128::from(low.0)).to_le_bytes())
}

/// The little-endian word that begins here.
fn word(bytes: &[u8], at: usize) -> Word {
    let eight = bytes.get(at..).and_then(|rest| rest.first_chunk());
    Wrapping(eight.map_or(0, |eight| u64::from_le_bytes(*eight)))
}

fn size(bytes: &[u8]) -> Word {
    Wrapping(bytes.len() as u64)
}

fn turned(word: Word, bits: u32) -> Word {
    Wrapping(word.0.rotate_right(bits))
}

fn shifted(word: Word) -> Word {
    word ^ (word >> 47)
}

/// Hashes two words to one.
fn mixed(one: Word, other: Word) -> Word {
    const FACTOR: Word = Wrapping(0x9ddf_ea08_eb38_2d69);
    let first = shifted((one ^ other) * FACTOR);
    shifted((other ^ first) * FACTOR) * FACTOR
}

/// CityHashCrc256.
fn crc256(bytes: &[u8]) -> [Word; 4] {
    const LEAST: usize = 240;
    if bytes.len() >= LEAST {
        return long_crc256(bytes, Wrapping(0));
    }
    let mut filled = [0; LEAST];
    for (to, from) in filled.iter_mut().zip(bytes) {
        *to = *from;
    }
    long_crc256(&filled, Wrapping(u64::from(!(bytes.len() as u32))))
}

/// CityHashCrc256 of at least 240 bytes.
fn long_crc256(bytes: &[u8], seed: Word) -> [Word; 4] {
    const BLOCK: usize = 40;
    const ROUND: usize = 6;
    let first = mixed(word(bytes, 96) + K0, size(bytes));
    let second = word(bytes, 120) * K0 + size(bytes);
    let mut state = Mill {
        lanes: [
            word(bytes, 56) + K0,
            word(bytes, 96) + K0,
            first,
            second,
            word(bytes, 184) + seed,
        ],
        last: first + second,
        sums: [seed.0 as u32, 0, 0, 0, 0],
    };
    let in_rounds = bytes.len() / (BLOCK * ROUND) * ROUND;
    let blocks = bytes.chunks_exact(BLOCK);
    let has_rest = !blocks.remainder().is_empty();
    for (index, block) in blocks.enumerate() {
        match index < in_rounds && index % 2 == 0 {
            true => state.grind(block, Wrapping(1), 1),
            false => state.grind(block, K0, 0),
        }
    }
    if let Some(block) = bytes.last_chunk::<BLOCK>().filter(|_| has_rest) {
        state.grind(block, K0, 0);
    }
    let [a, b, c, d, e] = state.lanes;
    let [f, g, h, i, j] = state.sums.map(|sum| Wrapping(u64::from(sum)));
    let j = j + (i << 32);
    let a = mixed(a, j);
    let h = h + (g << 32);
    let b = b + h;
    let c = mixed(c, f) + i;
    let d = mixed(d, e + first);
    let j = j + e;
    let i = i + mixed(h, state.last);
    let e = mixed(a, d) + j;
    let f = mixed(b, c) + a;
    let g = mixed(j, i) + c;
    let one = e + f + g + h;
    let a = shifted((a + g) * K0) * K0 + b;
    let two = second + a + one;
    let a = shifted(a * K0) * K0 + c;
    let three = a + two;
    let a = shifted((a + e) * K0) * K0;
    [one, two, three, a + three]
}

/// The state of CityHashCrc256 after some blocks.
struct Mill {
    lanes: [Word; 5],
    last: Word,
    sums: [u32; 5],
}

impl Mill {
    fn grind(&mut self, block: &[u8], factor: Word, turn: u32) {
        let [a, b, c, d, e] = self.lanes;
        let next = |lane, bits: u32, at| turned(lane, bits ^ turn) * factor + word(block, at);
        self.lanes = [
            next(b, 41, 0),
            next(c, 27, 8),
            next(d, 41, 16),
            next(e, 33, 24),
            next(self.last, 25, 32),
        ];
        self.last = a;
        for (sum, lane) in self.sums.iter_mut().zip(self.lanes) {
            *sum = crc32c(*sum, lane.0);
        }
    }
}

/// Tables for CRC-32C with the reflected polynomial, one for each byte of a word.
static CRC32C: [[u32; 256]; 8] = {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = (sum >> 1) ^ (if sum & 1 == 1 { POLYNOMIAL } else { 0 });
            bit += 1;
        }
        tables[7][byte] = sum;
        byte += 1;
    }
    let mut place = 7;
    while place > 0 {
        let mut byte = 0;
        while byte < 256 {
            let sum = tables[place][byte];
            tables[place - 1][byte] = (sum >> 8) ^ tables[7][(sum & 255) as usize];
            byte += 1;
        }
        place -= 1;
    }
    tables
};

/// The sum after eight more bytes.
fn crc32c(sum: u32, more: u64) -> u32 {
    let bytes = (more ^ u64::from(sum)).to_le_bytes();
    let parts = CRC32C.iter().zip(bytes);
    parts.fold(0, |sum, (table, byte)| sum ^ table[usize::from(byte)])
}

/// CityHash128 of at least 32 bytes.
fn city128(bytes: &[u8]) -> [Word; 2] {
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let rest = bytes.get(16..).unwrap_or_default();
    match rest.len() < 128 {
        true => few(rest, seed),
        false => many(rest, seed),
    }
}

/// The hash of 16 to 127 bytes.
fn few(bytes: &[u8], [mut a, mut b]: [Word; 2]) -> [Word; 2] {
    let length = bytes.len();
    let end = word(bytes, length.saturating_sub(8));
    let (mut c, mut d);
    if length <= 16 {
        a = shifted(a * K1) * K1;
        let of_all = mixed(word(bytes, 0), turned(end + size(bytes), length as u32)) ^ end;
        c = b * K1 + of_all;
        d = shifted(a + word(bytes, 0));
    } else {
        c = mixed(end + K1, a);
        d = mixed(b + size(bytes), c + word(bytes, length - 16));
        a += d;
        for at in (0..length - 16).step_by(16) {
            a = (a ^ (shifted(word(bytes, at) * K1) * K1)) * K1;
            b ^= a;
            c = (c ^ (shifted(word(bytes, at + 8) * K1) * K1)) * K1;
            d ^= c;
        }
    }
    let (a, b) = (mixed(a, c), mixed(d, b));
    [a ^ b, mixed(b, a)]
}

/// Hashes 32 bytes and two words to two words.
fn weak(bytes: &[u8], at: usize, a: Word, b: Word) -> [Word; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|more| word(bytes, at + more));
    let a = a + w;
    let b = turned(b + a + z, 21);
    let sum = a + x + y;
    [sum + z, b + turned(sum, 44) + a]
}

/// The hash of at least 128 bytes.
fn many(bytes: &[u8], [mut x, mut y]: [Word; 2]) -> [Word; 2] {
    const STEP: usize = 64;
    let mut z = size(bytes) * K1;
    let start = turned(y ^ K1, 49) * K1 + word(bytes, 0);
    let mut v = [start, turned(start, 42) * K1 + word(bytes, 8)];
    let mut w = [turned(y + z, 35) * K1 + x, turned(x + word(bytes, 88), 53) * K1];
    let whole = bytes.len() / (2 * STEP) * (2 * STEP);
    for at in (0..whole).step_by(STEP) {
        x = turned(x + y + v[0] + word(bytes, at + 8), 37) * K1;
        y = turned(y + v[1] + word(bytes, at + 48), 42) * K1;
        x ^= w[1];
        y += v[0] + word(bytes, at + 40);
        z = turned(z + w[0], 33) * K1;
        v = weak(bytes, at, v[1] * K1, x + w[0]);
        w = weak(bytes, at + 32, z + w[1], y + word(bytes, at + 16));
        (x, z) = (z, x);
    }
    x += turned(v[0] + z, 49) * K0;
    z += turned(w[0], 37) * K0;
    let rest = bytes.len() - whole;
    for back in (1..=rest.div_ceil(32)).map(|count| 32 * count) {
        let at = bytes.len() - back;
        y = turned(x + y, 42) * K0 + v[1];
        w[0] += word(bytes, at + 16);
        x = x * K0 + w[0];
        z += w[1] + word(bytes, at);
        w[1] += v[0];
        v = weak(bytes, at, v[0] + z, v[1]);
    }
    let x = mixed(x, v[0]);
    let y = mixed(y + z, w[0]);
    [mixed(x + v[1], w[1]) + y, mixed(x + w[1], y + v[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes without a pattern that a hash could miss.
    fn bytes(count: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    fn digest(words: impl IntoIterator<Item = Word>) -> u64 {
        words.into_iter().fold(0, |digest, word| digest.rotate_left(1) ^ word.0)
    }

    // The values of the three functions are those of Google's program.
    #[test]
    fn hashes_are_those_of_city_hash() {
        let bytes = bytes(5_000);
        let lists = (32..=896).step_by(32);
        assert_eq!(digest(lists.flat_map(|length| city128(&bytes[..length]))), CITY128);
        let pieces = (64..5_000).step_by(7);
        assert_eq!(digest(pieces.flat_map(|length| crc256(&bytes[..length]))), CRC256);
    }
    const CITY128: u64 = 0x9d56_44f5_d287_01cc;
    const CRC256: u64 = 0xe7ca_20c2_ba8b_26ab;

    #[test]
    fn the_checksum_of_a_published_table() {
        // KBvK.rtbw: every position is drawn.
        let mut table = [0; 64];
        let start = [
            0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0xee, 0x66, 0x33, 0x00, 0x80, 0x02, 0x80, 0x02,
        ];
        table[..start.len()].copy_from_slice(&start);
        let sum = u128::from_be_bytes(checksum(&table[..]).unwrap());
        assert_eq!(sum, 0x4b37_ef62_3e69_eadb_6756_777c_1603_4e6f);
    }
}
