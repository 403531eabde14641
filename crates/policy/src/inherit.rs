//! `extends`: a file inherits the keys that it does not have.
//!
//! Tables are merged key by key, parameters included. Rules are merged by name: a rule with the name of an inherited one
//! changes only the keys that it gives, and keeps the inherited place. New rules come after the inherited ones. A
//! `[history]` with another model inherits nothing. A `[research]` with another ladder inherits no key of the old ladder.
//! `name` and `description` are never inherited.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::{Diagnostics, Document, Entry, Node, Source, Text, Value, built_in, nearest};

use crate::complaint::{self, refusal};

/// The folder of named policies, below the root of a project.
pub const POLICY_FOLDER: &str = "configs/policies";

/// The longest chain of files that extend each other.
pub(crate) const MAX_GENERATIONS: usize = 8;

/// Keys of a rule that exclude each other: a new one replaces the inherited one.
const EXCLUSIVE: [[&str; 3]; 2] = [["add", "mul", "set"], ["else_add", "else_mul", "else_set"]];

/// Keys that belong to one ladder.
const LADDER_KEYS: [&str; 5] = ["ladder", "above", "reduction", "deeper", "shallower"];

/// Parses a file and all that it extends; the boolean says whether it extends any.
pub(crate) fn read(source: Source) -> Result<(Document, bool), Diagnostics> {
    let document = Document::parse(source)?;
    let Some(mut next) = extends(&document)? else {
        return Ok((document, false));
    };
    let (mut source, mut root) = document.into_parts();
    let mut line: Vec<PathBuf> = source.path().map(canonical).into_iter().collect();
    let mut child = source.clone();
    loop {
        let parent = open(&child, &next, &mut line)?;
        let base = source.end();
        let moved = |place: Range<usize>| place.start - base..place.end - base;
        let document = Document::parse_at(parent.clone(), base)?;
        // Mistakes of the parent are shown in the parent alone.
        let further = extends(&document).map_err(|mut wrong| {
            wrong.source = parent.clone();
            for diagnostic in &mut wrong.list {
                diagnostic.span = diagnostic.span.take().map(moved);
            }
            wrong
        })?;
        let (parent, parent_root) = document.into_parts();
        source.add_parent(parent.clone());
        inherit_file(&mut root, parent_root);
        let Some(further) = further else { break };
        next = further.clone().at(moved(further.span));
        child = parent;
    }
    Ok((Document::from_parts(source, root), true))
}

/// The value of `extends`.
fn extends(document: &Document) -> Result<Option<Text>, Diagnostics> {
    let root = document.root();
    let text = root.text("extends");
    let diagnostics = document.diagnostics();
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(text)
}

/// Reads the file that `child` extends.
fn open(child: &Source, next: &Text, line: &mut Vec<PathBuf>) -> Result<Source, Diagnostics> {
    let (file, place) = (&next.value, &next.span);
    let refuse = |message: String, label: &str, help: &str| {
        let error = complaint::wrong(message, place.clone(), label, help);
        Err(refusal(child.clone(), error))
    };
    let Some(path) = child.path() else {
        let message = "a policy that is not in a file cannot extend one".to_owned();
        let label = "this path starts from the policy's own folder";
        return refuse(message, label, "save the policy as a file");
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = child.files();
    let beside = built_in::join(folder, file);
    let mut path = beside.clone();
    if !files.has_file(&beside) {
        // A named policy is found as if it were in the same folder.
        let mut named = files.named(POLICY_FOLDER, folder);
        let name = file.strip_suffix(".toml").unwrap_or(file);
        path = named.remove(name).unwrap_or(path);
    }
    if !files.has_file(&path) {
        let named = files.named(POLICY_FOLDER, folder).into_keys();
        let known: BTreeSet<_> = (files.toml_names(folder).into_iter().chain(named))
            .map(|name| format!("{name}.toml"))
            .collect();
        let help = match nearest(file, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "the path starts from this file's folder".to_owned(),
        };
        return refuse(format!("there is no file `{file}` to extend"), "not there", &help);
    }
    let real = canonical(&path);
    if line.contains(&real) {
        let message = format!("`{file}` extends itself, through this file");
        return refuse(message, "a cycle", "remove `extends` from one of the files");
    }
    if line.len() >= MAX_GENERATIONS {
        let message = format!("a chain of more than {MAX_GENERATIONS} files that extend each other");
        let help = "extend a file nearer to the start of the chain";
        return refuse(message, "one too many", help);
    }
    line.push(real);
    let shown = if path == beside {
        built_in::join(&Path::new(&*child.name).with_file_name(""), file)
    } else {
        path.clone()
    };
    Source::read_from(child.files(), &path, &shown.display().to_string())
}

/// The absolute path of a file, without links.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn table(node: &mut Node) -> Option<&mut BTreeMap<String, Entry>> {
    match &mut node.value {
        Value::Table(entries) => Some(entries),
        _ => None,
    }
}

fn text<'n>(entries: &'n BTreeMap<String, Entry>, key: &str) -> Option<&'n str> {
    match &entries.get(key)?.node.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Whether both have a string under a key of a table, and the strings differ.
fn differ(child: &BTreeMap<String, Entry>, parent: &BTreeMap<String, Entry>, of: &str, key: &str) -> bool {
    let text = |entries: &BTreeMap<String, Entry>| match &entries.get(of)?.node.value {
        Value::Table(entries) => text(entries, key).map(str::to_owned),
        _ => None,
    };
    text(child).is_some_and(|own| text(parent) != Some(own))
}

fn inherit_file(child: &mut Node, mut parent: Node) {
    let (Some(own), Some(inherited)) = (table(child), table(&mut parent)) else {
        return;
    };
    for key in ["name", "description", "extends"] {
        inherited.remove(key);
    }
    if let Some(own) = own.get_mut("rule")
        && let Some(rules) = inherited.remove("rule")
    {
        inherit_rules(&mut own.node, rules.node);
    }
    if differ(own, inherited, "history", "model") {
        inherited.remove("history");
    }
    if differ(own, inherited, "research", "ladder")
        && let Some(research) = inherited.get_mut("research").and_then(|entry| table(&mut entry.node))
    {
        research.retain(|key, _| !LADDER_KEYS.contains(&key.as_str()));
    }
    inherit(child, parent);
}

/// Adds the parent's keys that a table lacks, recursively.
fn inherit(child: &mut Node, mut parent: Node) {
    let (Some(child), Some(parent)) = (table(child), table(&mut parent)) else {
        return;
    };
    for (key, entry) in std::mem::take(parent) {
        match child.get_mut(&key) {
            Some(own) => inherit(&mut own.node, entry.node),
            None => {
                child.insert(key, entry);
            }
        }
    }
}

fn inherit_rules(child: &mut Node, parent: Node) {
    let (Value::List(own), Value::List(inherited)) = (&mut child.value, parent.value) else {
        return;
    };
    let name = |node: &Node| match &node.value {
        Value::Table(entries) => text(entries, "name").map(str::to_owned),
        _ => None,
    };
    let mut merged = Vec::with_capacity(own.len() + inherited.len());
    for mut old in inherited {
        let wanted = name(&old);
        let place = own.iter().position(|rule| wanted.is_some() && name(rule) == wanted);
        let Some(place) = place else {
            merged.push(old);
            continue;
        };
        let mut rule = own.remove(place);
        if let (Some(new), Some(old)) = (table(&mut rule), table(&mut old)) {
            for keys in EXCLUSIVE {
                if keys.iter().any(|key| new.contains_key(*key)) {
                    old.retain(|key, _| !keys.contains(&key.as_str()));
                }
            }
        }
        inherit(&mut rule, old);
        merged.push(rule);
    }
    merged.append(own);
    *own = merged;
}

/// The merged document as one text, without `extends`.
pub(crate) fn flat(document: &Document) -> String {
    let mut text = String::from("# This file and what it extends, in one.\n");
    let Value::Table(root) = &document.root_node().value else {
        return text;
    };
    let (rules, others): (Vec<_>, Vec<_>) = root
        .iter()
        .filter(|(key, _)| *key != "extends")
        .partition(|(key, entry)| *key == "rule" && matches!(entry.node.value, Value::List(_)));
    for (key, entry) in others {
        pair(&mut text, key, &entry.node);
    }
    for (_, entry) in rules {
        let Value::List(rules) = &entry.node.value else {
            continue;
        };
        for rule in rules {
            text.push_str("\n[[rule]]\n");
            if let Value::Table(entries) = &rule.value {
                for (key, entry) in entries {
                    pair(&mut text, key, &entry.node);
                }
            }
        }
    }
    text
}

/// Appends a line. The keys of a checked policy need no quotes.
fn pair(text: &mut String, key: &str, node: &Node) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{key} = {}", node.value);
}
