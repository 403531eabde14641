//! `lmrlab-docs`: writes the documents again from data, and plays the runs that are missing.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_docs::document::{Block, Document, Picture, Test};
use lmrlab_docs::published::{FOLDER, Published, PublishedSource, read};
use lmrlab_docs::records::{self, Drawn, Record, Records, Shown};
use lmrlab_docs::{citations, pages, written_again};
use lmrlab_engine::bench::FINGERPRINT;
use lmrlab_results::folder::MANIFEST;
use lmrlab_results::sha256::sha256_of_file;

/// The folder in which the commands of pages and the published runs work, from the project's root. An interrupted published
/// run is resumed there.
const WORK: &str = "target/docs";

/// Write the documents again from data, and play what is missing. Start it in the project's root; crates/docs/README.md says more.
#[derive(Debug, Parser)]
#[command(name = "lmrlab-docs", version)]
struct Arguments {
    /// Only these pages and their commands, such as docs/guide.md; without one, all pages, and first the published runs that are missing.
    pages: Vec<PathBuf>,
    /// Run every command of the pages again, not only those without a record.
    #[arg(long)]
    again: bool,
    /// Play nothing: write the pages from what is there.
    #[arg(long)]
    no_play: bool,
    /// The folder of `lmrlab` and `lmrlab-engine`, built with `cargo build --release -p lmrlab -p lmrlab-engine`.
    #[arg(long, default_value = "target/release")]
    programs: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprint!("{}", failure.render(""));
            ExitCode::from(failure.exit_status())
        }
    }
}

/// Writes the documents.
fn run(arguments: &Arguments) -> Result<(), Failure> {
    let failed = |error: String| Failure::input(error, "correct the page or the data, and begin again");
    let root = std::env::current_dir().map_err(|error| failed(error.to_string()))?;
    let programs = std::path::absolute(&arguments.programs).map_err(|error| failed(error.to_string()))?;
    let player = Player { root, programs };
    if !arguments.no_play {
        player.check_search().map_err(failed)?;
    }
    let published = Published::open(&player.root).map_err(failed)?;
    if !arguments.no_play && arguments.pages.is_empty() {
        for source in published.sources() {
            player.publish(source, &published).map_err(failed)?;
        }
    }
    let mut reviews = Vec::new();
    for page in pages(&player.root).map_err(failed)? {
        if !arguments.pages.is_empty() && !arguments.pages.contains(&page) {
            continue;
        }
        if !arguments.no_play {
            player.play(&page, arguments.again).map_err(failed)?;
        }
        let path = player.root.join(&page);
        let text = read(&path).map_err(failed)?;
        let records = player.records(&page).map_err(failed)?;
        let written = written_again(&page, &text, &records, &published).map_err(failed)?;
        if written.text != text {
            write(&path, &written.text).map_err(failed)?;
            println!("{}: written again", page.display());
        }
        let cited = citations::of_another_search(&written, &published);
        reviews.extend(cited.iter().map(|line| format!("{}:{line}", page.display())));
    }
    for review in &reviews {
        println!("to review: {review}");
    }
    Ok(())
}

/// Plays the runs and the commands that documents show.
struct Player {
    root: PathBuf,
    programs: PathBuf,
}

impl Player {
    /// The programs must have the search that the project names.
    fn check_search(&self) -> Result<(), String> {
        let words = ["lmrlab-engine", "bench"].map(str::to_owned);
        let printed = self.output(&self.root, &words)?;
        let nodes = printed.split_whitespace().next().unwrap_or_default();
        if nodes == FINGERPRINT.to_string() {
            return Ok(());
        }
        Err(format!(
            "the bench of the programs has {nodes} nodes, and crates/engine/src/bench.rs says {FINGERPRINT}"
        ))
    }

    /// The records of a page; empty when they are from another search.
    fn records(&self, page: &Path) -> Result<Records, String> {
        let path = self.root.join(records::path(page));
        if !path.exists() {
            return Ok(Records::default());
        }
        let records = Records::read(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(if records.bench == FINGERPRINT {
            records
        } else {
            Records::default()
        })
    }

    /// Runs the commands of a page and draws its pictures, when one of them has no record. All of them run in a new folder,
    /// because later ones read what earlier ones wrote.
    fn play(&self, page: &Path, again: bool) -> Result<(), String> {
        let text = read(&self.root.join(page))?;
        let document = Document::read(&text).map_err(|error| format!("{}:{error}", page.display()))?;
        let shown = records::shown(&document);
        let earlier = self.records(page)?;
        let is_shown = |shown: &&Shown| !shown.step.output.is_empty();
        let has_outputs = (shown.iter().filter(is_shown)).all(|shown| earlier.output(shown).is_some());
        let is_drawn = |picture: &Picture| earlier.has_drawn(picture, &self.beside(page, &picture.file));
        if !again && has_outputs && document.pictures.iter().all(is_drawn) {
            return Ok(());
        }
        let folder = self.root.join(WORK).join(page.file_stem().unwrap_or_default());
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        self.furnish(&folder)?;
        let mut records = Records {
            bench: FINGERPRINT,
            ..Records::default()
        };
        let mut steps = shown.iter();
        for block in &document.blocks {
            match block {
                Block::File { name, text } => write(&folder.join(name), text)?,
                Block::Console { test: Test::NotRun, .. } => {}
                Block::Console { steps: all, .. } => {
                    for shown in steps.by_ref().take(all.len()) {
                        println!("{}: $ {}", page.display(), shown.step.command);
                        let output = self.output(&folder, &shown.step.words(&Test::ToTheLetter))?;
                        if is_shown(&shown) {
                            records.steps.push(Record {
                                command: shown.step.command.clone(),
                                files: shown.files.clone(),
                                output,
                            });
                        }
                    }
                }
            }
        }
        for picture in &document.pictures {
            records.pictures.push(Drawn {
                sha256: self.draw(page, &folder, picture)?,
                picture: picture.clone(),
            });
        }
        let toml = toml::to_string_pretty(&records).map_err(|error| error.to_string())?;
        write(&self.root.join(records::path(page)), &toml)
    }

    /// The path of a file that a page names.
    fn beside(&self, page: &Path, file: &str) -> PathBuf {
        self.root.join(page.parent().unwrap_or(Path::new(""))).join(file)
    }

    /// Draws a picture, and gives the SHA-256 of its file.
    fn draw(&self, page: &Path, folder: &Path, picture: &Picture) -> Result<String, String> {
        let drawn = folder.join("pictures");
        for (index, command) in picture.commands.iter().enumerate() {
            println!("{}: {}", page.display(), command);
            let mut words = shlex::split(command).unwrap_or_default();
            if index + 1 == picture.commands.len() {
                words.extend(["--svg", "pictures"].map(str::to_owned));
            }
            self.output(folder, &words)?;
        }
        let from = drawn.join(&picture.name);
        let to = self.beside(page, &picture.file);
        std::fs::copy(&from, &to).map_err(|error| format!("cannot copy `{}`: {error}", from.display()))?;
        sha256_of_file(&to).map_err(|error| format!("cannot read `{}`: {error}", to.display()))
    }

    /// Plays a run that is not published yet. An interrupted run is resumed.
    fn publish(&self, source: &PublishedSource, published: &Published) -> Result<(), String> {
        let target = published.path(&source.path);
        if target.exists() || !source.by_hand.is_empty() {
            return Ok(());
        }
        let work = self.root.join(WORK).join("published");
        self.furnish(&work)?;
        let folder = work.join("results").join(&source.path);
        println!("{FOLDER}/{}: {}", source.path, source.command);
        let words = if folder.join(MANIFEST.name()).is_file() {
            vec![
                "lmrlab".to_owned(),
                "resume".to_owned(),
                folder.display().to_string(),
                "--quiet".to_owned(),
            ]
        } else {
            let mut words = shlex::split(&source.command).ok_or_else(|| format!("{}: not a command", source.path))?;
            words.extend([
                "--quiet".to_owned(),
                "--out".to_owned(),
                format!("results/{}", source.path),
            ]);
            words
        };
        self.output(&work, &words)?;
        std::fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
        let manifest = folder.join(MANIFEST.name()).is_file().then_some(MANIFEST.name());
        for name in manifest.into_iter().chain(source.files.iter().map(String::as_str)) {
            let from = folder.join(name);
            std::fs::copy(&from, target.join(name))
                .map_err(|error| format!("cannot copy `{}`: {error}", from.display()))?;
        }
        Ok(())
    }

    /// A folder with the configs and positions of the project.
    fn furnish(&self, folder: &Path) -> Result<(), String> {
        for part in ["configs", "positions"] {
            copy(&self.root.join(part), &folder.join(part))
                .map_err(|error| format!("cannot copy {part} to `{}`: {error}", folder.display()))?;
        }
        Ok(())
    }

    /// The output of a command.
    fn output(&self, folder: &Path, words: &[String]) -> Result<String, String> {
        let (program, arguments) = words.split_first().ok_or("an empty command")?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([self.programs.clone()].into_iter().chain(std::env::split_paths(&path)));
        let output = Command::new(self.programs.join(program))
            .current_dir(folder)
            .args(arguments)
            .env("XDG_STATE_HOME", folder.join(".state"))
            .env("PATH", path.map_err(|error| error.to_string())?)
            .output()
            .map_err(|error| format!("cannot start `{}`: {error}", self.programs.join(program).display()))?;
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if !output.status.success() {
            return Err(format!(
                "`{}` ends with {}:\n{out}{err}",
                words.join(" "),
                output.status
            ));
        }
        Ok(out)
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in from.read_dir()? {
        let entry = entry?;
        let [from, to] = [entry.path(), to.join(entry.file_name())];
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            std::fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// An output file must not be an input of the same command, but pages are both.
#[allow(clippy::disallowed_methods, reason = "a page takes the place of itself")]
fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, text));
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
