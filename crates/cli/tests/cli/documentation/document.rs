//! A document: its commands with what they print, and its files.

/// How a command's output is compared with the one that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    /// To the letter.
    ToTheLetter,
    /// By the words of each line.
    Shape,
    /// With these options replaced or added, by the words of each line.
    Smaller(Vec<String>),
    /// It must fail, with this message.
    Fails,
    /// Not at all.
    NotRun,
}

impl Test {
    /// What a comment asks for.
    fn read(text: &str) -> Self {
        match text {
            "shape" => Self::Shape,
            "fails" => Self::Fails,
            _ => match text.strip_prefix("not run, ") {
                Some(reason) => {
                    assert!(reason.len() > 10, "`{text}` gives no reason");
                    Self::NotRun
                }
                None => {
                    assert!(text.starts_with("--"), "`test: {text}` is not known");
                    Self::Smaller(shlex::split(text).unwrap())
                }
            },
        }
    }
}

/// A command.
#[derive(Debug)]
pub(super) struct Step {
    /// The line of the document, from 1.
    pub(super) line: usize,
    /// As it is shown.
    pub(super) command: String,
    /// What it prints, as it is shown.
    pub(super) output: String,
}

impl Step {
    /// The program and its arguments, as the test runs them.
    pub(super) fn words(&self, test: &Test) -> Vec<String> {
        let command = self.command.replace("cargo run --release -- ", "lmrlab ");
        let mut words = shlex::split(&command).unwrap_or_else(|| panic!("not a command: {command}"));
        if let Test::Smaller(options) = test {
            for option in options.chunks(2) {
                match words.iter().position(|word| *word == option[0]) {
                    Some(place) => words[place + 1].clone_from(&option[1]),
                    None => words.extend_from_slice(option),
                }
            }
        }
        words
    }

    /// Whether this is about the programs of this project.
    fn is_ours(command: &str) -> bool {
        ["lmrlab ", "lmrlab-engine ", "cargo run --release -- "]
            .iter()
            .any(|start| command.starts_with(start))
    }
}

/// A fenced block that a test has something to do with.
#[derive(Debug)]
pub(super) enum Block {
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
        /// What it holds.
        text: String,
    },
}

/// The blocks of a document, in their order.
#[derive(Debug)]
pub(super) struct Document {
    /// The blocks.
    pub(super) blocks: Vec<Block>,
}

impl Document {
    /// Reads Markdown.
    pub(super) fn read(text: &str) -> Self {
        let mut blocks = Vec::new();
        let mut test = Test::ToTheLetter;
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            if let Some(comment) = line.strip_prefix("<!-- test: ") {
                test = Test::read(comment.strip_suffix(" -->").unwrap());
            } else if let Some(language) = line.strip_prefix("```") {
                let inside = lines.by_ref().take_while(|(_, line)| *line != "```");
                let inside: Vec<(usize, &str)> = inside.collect();
                let test = std::mem::replace(&mut test, Test::ToTheLetter);
                match language {
                    "console" => blocks.push(Block::Console {
                        test,
                        steps: steps(&inside),
                    }),
                    "toml" => blocks.extend(file(&inside)),
                    _ => {
                        let command = inside
                            .iter()
                            .find(|(_, line)| Step::is_ours(line.trim_start_matches("$ ")));
                        assert!(command.is_none(), "not a block of the language console: {command:?}");
                    }
                }
            } else if !line.is_empty() {
                assert!(test == Test::ToTheLetter, "line {index}: no block after the comment");
                let command = line.strip_prefix("    ").is_some_and(Step::is_ours);
                assert!(
                    !command,
                    "line {}: not a block of the language console: {line}",
                    index + 1
                );
            }
        }
        Self { blocks }
    }
}

/// The commands of a block that are this project's.
fn steps(lines: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in lines {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step {
                line: index + 1,
                command: command.to_owned(),
                output: String::new(),
            }),
            None => {
                let step = steps
                    .last_mut()
                    .unwrap_or_else(|| panic!("line {}: no command", index + 1));
                step.output += line;
                step.output += "\n";
            }
        }
    }
    steps.retain(|step| Step::is_ours(&step.command));
    steps
}

/// The file that a block shows, if its first line names one.
fn file(lines: &[(usize, &str)]) -> Option<Block> {
    let name = lines.first()?.1.strip_prefix("# ")?;
    (name.ends_with(".toml") && !name.contains(' ')).then(|| Block::File {
        name: name.to_owned(),
        text: lines.iter().map(|(_, line)| format!("{line}\n")).collect(),
    })
}

/// The anchors of a document's headings, as GitHub makes them.
pub(super) fn headings(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[test]
fn a_document_is_read() {
    let text = "# A title: two\n```toml\n# my.toml\nx = 1\n```\n<!-- test: --pairs 2 --out o -->\n\n```console\n$ lmrlab match a b --pairs 100\nout\n$ make\n```\n";
    let document = Document::read(text);
    let [Block::File { name, text: file }, Block::Console { test, steps }] = &document.blocks[..] else {
        panic!("{document:?}");
    };
    assert_eq!((name.as_str(), file.as_str()), ("my.toml", "# my.toml\nx = 1\n"));
    assert_eq!(steps.len(), 1);
    assert_eq!((steps[0].line, steps[0].output.as_str()), (9, "out\n"));
    assert_eq!(steps[0].words(test).join(" "), "lmrlab match a b --pairs 2 --out o");
    assert_eq!(headings(text).next().unwrap(), "a-title-two");
}

#[test]
#[should_panic(expected = "not a block of the language console")]
fn a_command_that_no_test_would_run() {
    Document::read("text\n\n    lmrlab bench house\n");
}
