//! The files of tables: which ones there are, and whether they were downloaded to their end.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Diagnostics;
use lmrlab_results::text_file::open_file;

use lmrlab_diagnostics::failure::complaint;

/// The fewest and the most men that a table can have, with the kings.
pub const MEN: [u32; 2] = [3, 7];
/// How many tables are published for each number of men in [`MEN`].
const PUBLISHED: [usize; 5] = [5, 30, 110, 365, 1001];
/// The file extension of win-draw-loss tables.
const ENDING: &str = "rtbw";
/// The file extensions of all tables that the reader opens. It prints a line for every truncated one, even if no game
/// needs it.
const ENDINGS: [&str; 3] = [ENDING, "rtbz", "rtbm"];
/// What a win-draw-loss table begins with.
const MAGIC: [u8; 4] = 0x5d23_e871_u32.to_le_bytes();
/// A table is a number of blocks of this many bytes, and a checksum. The checksum is not compared: `md5sum` finds a damaged
/// download.
const BLOCK: u64 = 64;
const CHECKSUM: u64 = 16;

/// The names of the win-draw-loss tables in some folders, such as `KRPvKR`.
#[derive(Debug)]
pub(super) struct TableFiles(BTreeSet<String>);

/// The men in a table of this name; `None` for the name of another file.
fn men(name: &str) -> Option<u32> {
    let (one, other) = name.split_once('v')?;
    let is_side = |side: &str| {
        side.strip_prefix('K')
            .is_some_and(|men| men.chars().all(|man| "QRBNP".contains(man)))
    };
    let men = name.len() as u32 - 1;
    (is_side(one) && is_side(other) && (MEN[0]..=MEN[1]).contains(&men)).then_some(men)
}

impl TableFiles {
    /// The tables in these folders.
    ///
    /// # Errors
    /// When a folder cannot be read, has no tables, or has a file that is no table.
    pub(super) fn find(folders: &[PathBuf]) -> Result<Self, Diagnostics> {
        let mut found = BTreeSet::new();
        let mut wrong = Vec::new();
        for folder in folders {
            let unusable = |what: String| {
                complaint(
                    format!("no tablebases can be read from `{}`: {what}", folder.display()),
                    "name a folder with Syzygy tables, files such as KQvK.rtbw",
                )
            };
            let entries = fs::read_dir(folder).map_err(|error| unusable(error.to_string()))?;
            let mut has_tables = false;
            for entry in entries {
                let path = entry.map_err(|error| unusable(error.to_string()))?.path();
                let Some((name, ending)) = path.file_name().and_then(|file| file.to_str()?.split_once('.')) else {
                    continue;
                };
                if men(name).is_none() || !ENDINGS.contains(&ending) {
                    continue;
                }
                let is_wdl = ending == ENDING;
                has_tables |= is_wdl;
                wrong.extend(look_at(&path, is_wdl).err().map(|what| (path.clone(), what)));
                if is_wdl {
                    found.insert(name.to_owned());
                }
            }
            if !has_tables {
                return Err(unusable(format!("it has no win-draw-loss table (NAME.{ENDING})")));
            }
        }
        match &wrong[..] {
            [] => Ok(Self(found)),
            [(path, what), ..] => Err(complaint(
                format!("the tablebase `{}` {what}", path.display()),
                "download it again; `md5sum` compares it with the published sums",
            )),
        }
    }

    /// The greatest number of men in a position that the tables can decide: `wanted`, or that of the largest table. All
    /// tables with as many or fewer men have to be there.
    ///
    /// # Errors
    /// When some of them are not there.
    pub(super) fn complete_to(&self, wanted: Option<u32>, folders: &[PathBuf]) -> Result<u32, Diagnostics> {
        let count = |wanted| self.0.iter().filter(|name| men(name) == Some(wanted)).count();
        let largest = self.0.iter().filter_map(|name| men(name)).max().unwrap_or(MEN[0]);
        let pieces = wanted.unwrap_or(largest);
        let missing: Vec<(u32, usize)> = (MEN[0]..=pieces)
            .zip(PUBLISHED)
            .map(|(men, all)| (men, all.saturating_sub(count(men))))
            .collect();
        let Some((fewest, _)) = missing.iter().find(|(_, missing)| *missing > 0) else {
            return Ok(pieces);
        };
        let message = format!(
            "{} of the {} tables of up to {pieces} men are not in {}",
            missing.iter().map(|(_, missing)| missing).sum::<usize>(),
            PUBLISHED.iter().take(missing.len()).sum::<usize>(),
            shown(folders),
        );
        let advice = match fewest - 1 {
            complete if complete >= MEN[0] => format!(
                "add them, or set the limit of pieces (`tb_pieces`) to {complete}: all tables of up to {complete} men are there"
            ),
            _ => "add them: a position needs the tables of all that captures lead to".to_owned(),
        };
        Err(complaint(message, advice))
    }
}

/// Folders in a message.
pub(super) fn shown(folders: &[PathBuf]) -> String {
    let folders: Vec<String> = folders.iter().map(|folder| format!("`{}`", folder.display())).collect();
    folders.join(" and ")
}

/// What is wrong with a file at first sight: the rest of a sentence.
fn look_at(path: &Path, is_wdl: bool) -> Result<(), String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let length = fs::metadata(path).map_err(unreadable)?.len();
    let is_long_enough = length >= BLOCK + CHECKSUM;
    if !is_long_enough || length % BLOCK != CHECKSUM {
        return Err(format!("was cut short: no table has {length} bytes"));
    }
    if !is_wdl {
        return Ok(());
    }
    let mut magic = [0; MAGIC.len()];
    let mut file = open_file(path).map_err(unreadable)?;
    file.read_exact(&mut magic).map_err(unreadable)?;
    match magic == MAGIC {
        true => Ok(()),
        false => Err("is no win-draw-loss table: it begins with other bytes".to_owned()),
    }
}
