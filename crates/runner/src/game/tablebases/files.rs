//! The files of tables: which ones there are, and whether they are intact.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lmrlab_diagnostics::Diagnostics;
use lmrlab_results::text_file::open_file;

use super::checksum::checksum;
use super::material::{self, Material};
use super::{MEN, Unreadable, shown};
use lmrlab_diagnostics::failure::complaint;

/// The file extension of win-draw-loss tables.
const ENDING: &str = "rtbw";
/// The file extensions of all tables that the reader opens. It prints a line for every truncated one, even if no game
/// needs it.
const ENDINGS: [&str; 3] = [ENDING, "rtbz", "rtbm"];
/// What a win-draw-loss table begins with.
const MAGIC: [u8; 4] = 0x5d23_e871_u32.to_le_bytes();
/// A table is a number of blocks of this many bytes, and a checksum.
const BLOCK: u64 = 64;
const CHECKSUM: usize = 16;
const MOST_NAMES: usize = 8;

/// The win-draw-loss tables in some folders.
#[derive(Debug, Default)]
pub(super) struct TableFiles {
    tables: BTreeMap<Material, TableFile>,
}

#[derive(Debug)]
struct TableFile {
    path: PathBuf,
    /// What is wrong with its content; `None` inside when it is intact.
    wrong: OnceLock<Option<Unreadable>>,
}

impl TableFiles {
    /// The tables in these folders. Of two tables with the same name, the one in the earlier folder is used.
    ///
    /// # Errors
    /// When a folder cannot be read, has no tables, or has a file that is no table.
    pub(super) fn find(folders: &[PathBuf]) -> Result<Self, Diagnostics> {
        let names: Vec<Material> = (MEN[0]..=MEN[1]).flat_map(material::all).collect();
        let mut found = Self::default();
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
                let (Some(name), Some(ending)) = (path.file_stem(), path.extension()) else {
                    continue;
                };
                let Some(name) = names.iter().find(|known| name == known.as_str()) else {
                    continue;
                };
                if !ENDINGS.iter().any(|known| ending == *known) {
                    continue;
                }
                let is_wdl = ending == ENDING;
                has_tables |= is_wdl;
                wrong.extend(look_at(&path, is_wdl).err().map(|what| (path.clone(), what)));
                if is_wdl {
                    let wrong = OnceLock::new();
                    found.tables.entry(name.clone()).or_insert(TableFile { path, wrong });
                }
            }
            if !has_tables {
                return Err(unusable(format!("it has no win-draw-loss table (NAME.{ENDING})")));
            }
        }
        match &wrong[..] {
            [] => Ok(found),
            [(path, what), more @ ..] => Err(complaint(
                format!("the tablebase `{}` {what}{}", path.display(), and_more(more.len())),
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
        let men = |name: &Material| name.len() as u32 - 1;
        let largest = self.tables.keys().map(men).max().unwrap_or(MEN[0]);
        let pieces = wanted.unwrap_or(largest);
        let all: Vec<Material> = (MEN[0]..=pieces).flat_map(material::all).collect();
        let missing: Vec<&Material> = all.iter().filter(|name| !self.tables.contains_key(*name)).collect();
        let Some(fewest) = missing.iter().map(|name| men(name)).min() else {
            return Ok(pieces);
        };
        let listed: Vec<String> = missing
            .iter()
            .take(MOST_NAMES)
            .map(|name| format!("{name}.{ENDING}"))
            .collect();
        let message = format!(
            "{} of the {} tables of up to {pieces} men are not in {}: {}{}",
            missing.len(),
            all.len(),
            shown(folders),
            listed.join(", "),
            and_more(missing.len() - listed.len()),
        );
        let advice = match fewest - 1 {
            complete if complete >= MEN[0] => format!(
                "add them, or set the limit of pieces (`tb_pieces`) to {complete}: all tables of up to {complete} men are there"
            ),
            _ => "add them: a position needs the tables of all that captures lead to".to_owned(),
        };
        Err(complaint(message, advice))
    }

    /// Checks that a table is there and fits its checksum. The file is read only at the first call.
    ///
    /// # Errors
    /// When it is missing, damaged or unreadable.
    pub(super) fn check(&self, material: &Material) -> Result<(), Unreadable> {
        let unreadable = |what: String| Unreadable { what };
        let Some(file) = self.tables.get(material) else {
            return Err(unreadable(format!("{material}.{ENDING} is not there")));
        };
        let wrong = file.wrong.get_or_init(|| {
            let shown = file.path.display();
            match is_whole(&file.path) {
                Ok(true) => None,
                Ok(false) => Some(unreadable(format!(
                    "`{shown}` is damaged: its content is not that of its checksum; download it again"
                ))),
                Err(error) => Some(unreadable(format!("`{shown}` cannot be read: {error}"))),
            }
        });
        wrong.clone().map_or(Ok(()), Err)
    }
}

fn and_more(count: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!(", and {count} more"),
    }
}

/// What is wrong with a file at first sight: the rest of a sentence.
fn look_at(path: &Path, is_wdl: bool) -> Result<(), String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let length = fs::metadata(path).map_err(unreadable)?.len();
    let is_long_enough = length >= BLOCK + CHECKSUM as u64;
    if !is_long_enough || length % BLOCK != CHECKSUM as u64 {
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

/// Whether the checksum at the end of a file is that of its content.
fn is_whole(path: &Path) -> io::Result<bool> {
    let mut file = open_file(path)?;
    let length = file.metadata()?.len();
    let content = length.saturating_sub(CHECKSUM as u64);
    let sum = checksum(file.by_ref().take(content))?;
    let mut written = [0; CHECKSUM];
    file.read_exact(&mut written)?;
    Ok(sum == written)
}
