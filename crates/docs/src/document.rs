//! A document: its commands with their outputs, its files and its pictures.
//!
//! A command is a line `$ lmrlab ...` (or `$ lmrlab-engine ...`) in a block of the language `console`. Its output
//! follows, up to the next `$`. `$ cargo run --release -- ...` is such a command, too. A line `...` stands for any
//! lines. A block without a comment before it is compared to the letter. A comment before a block says how tests run
//! it:
//!
//! - `<!-- test: --pairs 2 --nodes 100 -->` replaces or adds these options, and compares shapes;
//! - `<!-- test: shape -->` compares shapes: the words of each line without its numbers, in any order of the lines;
//! - `<!-- test: not run, REASON -->` is for commands that need something that tests do not have.
//!
//! A block of the language `toml` that begins with `# NAME.toml` is a file of the reader's. A comment `<!-- picture:
//! NAME.svg from COMMAND && COMMAND -->` before a picture says that the last command draws it, with `--svg`.

use serde::{Deserialize, Serialize};

/// How a command's output is compared with the one that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// To the letter.
    ToTheLetter,
    /// By the words of each line.
    Shape,
    /// With these options replaced or added, by the words of each line.
    Smaller(Vec<String>),
    /// Not at all.
    NotRun,
}

impl Test {
    /// The test that a comment describes.
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "shape" => Ok(Self::Shape),
            _ => match text.strip_prefix("not run, ") {
                Some(reason) if reason.len() > 10 => Ok(Self::NotRun),
                Some(_) => Err(format!("`{text}` gives no reason")),
                None if text.starts_with("--") => {
                    let options = shlex::split(text).ok_or_else(|| format!("`{text}` has a quote without its end"))?;
                    Ok(Self::Smaller(options))
                }
                None => Err(format!("`test: {text}` is not known")),
            },
        }
    }
}

/// A command.
#[derive(Debug)]
pub struct Step {
    /// The line of the document, from 1.
    pub line: usize,
    /// The command, as the page shows it.
    pub command: String,
    /// Its output, as the page shows it.
    pub output: String,
}

impl Step {
    /// The program and its arguments, as the test runs them.
    pub fn words(&self, test: &Test) -> Vec<String> {
        let command = self.command.replace("cargo run --release -- ", "lmrlab ");
        let mut words = shlex::split(&command).unwrap_or_default();
        if let Test::Smaller(options) = test {
            for option in options.chunks(2) {
                let place = words.iter().position(|word| Some(word) == option.first());
                match (place.and_then(|place| words.get_mut(place + 1)), option.get(1)) {
                    (Some(value), Some(other)) => value.clone_from(other),
                    _ => words.extend_from_slice(option),
                }
            }
        }
        words
    }

    /// Whether a command runs a program of this project.
    fn is_ours(command: &str) -> bool {
        ["lmrlab ", "lmrlab-engine ", "cargo run --release -- "]
            .iter()
            .any(|start| command.starts_with(start))
    }
}

/// A fenced block that tests read.
#[derive(Debug)]
pub enum Block {
    /// Commands.
    Console {
        /// What the test does with them.
        test: Test,
        /// The commands.
        steps: Vec<Step>,
    },
    /// A file of the reader's.
    File {
        /// Its name.
        name: String,
        /// Its content.
        text: String,
    },
}

/// A picture, and the commands that draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its path, relative to the page.
    pub file: String,
    /// The name that `--svg` gives it.
    pub name: String,
    /// The commands. The last one is given `--svg FOLDER`.
    pub commands: Vec<String>,
}

/// The blocks of a document, in their order, and its pictures.
#[derive(Debug)]
pub struct Document {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The pictures with a comment.
    pub pictures: Vec<Picture>,
    /// Commands of this project in blocks of another language, which no test runs.
    pub untested: Vec<String>,
}

impl Document {
    /// Reads Markdown.
    ///
    /// # Errors
    /// The mistake and its line: `LINE: MESSAGE`.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut document = Self {
            blocks: Vec::new(),
            pictures: Vec::new(),
            untested: Vec::new(),
        };
        let (mut test, mut picture) = (Test::ToTheLetter, None);
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            let at = |error: String| format!("{}: {error}", index + 1);
            if let Some(comment) = comment(line, "<!-- test: ") {
                test = Test::read(comment).map_err(at)?;
            } else if let Some(comment) = comment(line, "<!-- picture: ") {
                picture = Some(comment);
            } else if let Some(language) = line.strip_prefix("```") {
                let inside = lines.by_ref().take_while(|(_, line)| *line != "```");
                let inside: Vec<(usize, &str)> = inside.collect();
                let test = std::mem::replace(&mut test, Test::ToTheLetter);
                match language {
                    "console" => document.blocks.push(Block::Console {
                        test,
                        steps: steps(&inside)?,
                    }),
                    "toml" => document.blocks.extend(file(&inside)),
                    _ => {
                        let lines = inside.iter().map(|(_, line)| line.trim_start_matches("$ "));
                        let commands = lines.filter(|line| Step::is_ours(line));
                        document.untested.extend(commands.map(str::to_owned));
                    }
                }
            } else if let Some(drawn) = picture.take() {
                document.pictures.push(self::picture(drawn, line).map_err(at)?);
            } else if !line.is_empty() && test != Test::ToTheLetter {
                return Err(at("no block after the comment".to_owned()));
            }
        }
        Ok(document)
    }
}

fn comment<'l>(line: &'l str, start: &str) -> Option<&'l str> {
    line.strip_prefix(start)?.strip_suffix(" -->")
}

/// A picture, from its comment and the line after it.
fn picture(comment: &str, line: &str) -> Result<Picture, String> {
    let file = line
        .strip_prefix("![")
        .and_then(|line| line.split_once("](")?.1.strip_suffix(')'));
    let (name, commands) = comment
        .split_once(" from ")
        .ok_or("after `picture:` comes `NAME.svg from COMMAND`")?;
    Ok(Picture {
        file: file.ok_or("no picture after the comment")?.to_owned(),
        name: name.to_owned(),
        commands: commands.split(" && ").map(str::to_owned).collect(),
    })
}

/// The commands of this project in a block.
fn steps(lines: &[(usize, &str)]) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in lines {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step {
                line: index + 1,
                command: command.to_owned(),
                output: String::new(),
            }),
            None => {
                let step = steps.last_mut().ok_or_else(|| format!("{}: no command", index + 1))?;
                step.output += line;
                step.output += "\n";
            }
        }
    }
    if let Some(step) = steps.iter().find(|step| shlex::split(&step.command).is_none()) {
        return Err(format!("{}: a quote without its end", step.line));
    }
    steps.retain(|step| Step::is_ours(&step.command));
    Ok(steps)
}

/// The file that a block shows, if its first line names one.
fn file(lines: &[(usize, &str)]) -> Option<Block> {
    let name = lines.first()?.1.strip_prefix("# ")?;
    (name.ends_with(".toml") && !name.contains(' ')).then(|| Block::File {
        name: name.to_owned(),
        text: lines.iter().map(|(_, line)| format!("{line}\n")).collect(),
    })
}

/// The anchors of a document's headings, as GitHub forms them.
pub fn headings(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read() {
        let text = "# A title: two\n```toml\n# my.toml\nx = 1\n```\n<!-- test: --pairs 2 --out o -->\n\n```console\n\
                    $ lmrlab match a b --pairs 100\nout\n$ make\n```\n\
                    <!-- picture: pairs.svg from lmrlab match a b --out o && lmrlab report o -->\n![Pairs](pictures/p.svg)\n";
        let document = Document::read(text).unwrap();
        let [Block::File { name, text: file }, Block::Console { test, steps }] = &document.blocks[..] else {
            panic!("{document:?}");
        };
        assert_eq!((name.as_str(), file.as_str()), ("my.toml", "# my.toml\nx = 1\n"));
        assert_eq!(steps.len(), 1);
        assert_eq!((steps[0].line, steps[0].output.as_str()), (9, "out\n"));
        assert_eq!(steps[0].words(test).join(" "), "lmrlab match a b --pairs 2 --out o");
        assert_eq!(headings(text).next().unwrap(), "a-title-two");
        let [picture] = &document.pictures[..] else {
            panic!("{document:?}");
        };
        assert_eq!(
            (picture.file.as_str(), picture.name.as_str()),
            ("pictures/p.svg", "pairs.svg")
        );
        assert_eq!(picture.commands, ["lmrlab match a b --out o", "lmrlab report o"]);
    }

    #[test]
    fn mistakes_have_a_line() {
        for (text, expected) in [
            ("a\n<!-- test: quickly -->\n", "2: `test: quickly` is not known"),
            ("```console\nout\n```\n", "2: no command"),
            ("<!-- picture: a.svg from lmrlab report x -->\ntext\n", "2: no picture"),
        ] {
            let error = Document::read(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
