//! Files of a crate import each other in one direction. This reads the `use` lines of all crates and looks for circles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use petgraph::Graph;
use petgraph::algo::tarjan_scc;

/// A module, such as `["executor", "settings"]`; the crate's root is empty.
type Module = Vec<String>;
/// What modules take from which others.
type Arrows = BTreeMap<Module, BTreeSet<Module>>;
/// The path of a `use`, and whether it is a re-export.
type Import = (bool, Vec<String>);
/// The files of a crate by their modules.
type Modules = BTreeMap<Module, PathBuf>;

fn modules(folder: &Path, module: &[String], found: &mut Modules) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let child = [module, std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            modules(&path, &child, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            let is_root = matches!(name.as_str(), "mod" | "lib" | "main");
            found.insert(if is_root { module.to_vec() } else { child }, path);
        }
    }
}

/// The paths of `use` statements outside of tests, with braces expanded; and whether they are re-exports.
fn imports(text: &str) -> Vec<Import> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut statement = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if statement.is_empty() && !line.starts_with("use ") && !(line.starts_with("pub") && line.contains(" use ")) {
            continue;
        }
        statement.push_str(line);
        if line.ends_with(';') {
            let (before, tree) = statement.split_once("use ").unwrap();
            for path in expanded(tree.trim_end_matches(';')) {
                found.push((
                    !before.is_empty(),
                    path.split("::").map(|word| word.trim().to_owned()).collect(),
                ));
            }
            statement.clear();
        }
    }
    found
}

/// `a::{b, c::{d}}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![tree.split(" as ").next().unwrap().to_owned()];
    };
    let inside = &tree[open + 1..tree.rfind('}').unwrap()];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    parts
        .flat_map(|part| {
            expanded(part)
                .into_iter()
                .map(|rest| format!("{}{rest}", &tree[..open]))
        })
        .collect()
}

/// The module of the crate in which a path of `module` ends, and the first word that is no module.
fn target(modules: &Modules, module: &[String], path: &[String]) -> Option<(Vec<String>, Option<String>)> {
    let mut words = path.iter().peekable();
    let mut at = match words.peek()?.as_str() {
        "crate" => {
            words.next();
            Vec::new()
        }
        "self" | "super" => module.to_vec(),
        first => {
            // A path that begins with a module of this one, as in `pub use idea::Idea`.
            let child = [module, &[first.to_owned()]].concat();
            return modules.contains_key(&child).then(|| {
                let at = child;
                (at, path.get(1).cloned())
            });
        }
    };
    while let Some(word) = words.next_if(|word| matches!(word.as_str(), "self" | "super")) {
        if word == "super" {
            at.pop()?;
        }
    }
    while let Some(word) = words.peek() {
        let child = [&at[..], &[(*word).clone()]].concat();
        if !modules.contains_key(&child) {
            return Some((at, Some((*word).clone())));
        }
        at = child;
        words.next();
    }
    Some((at, None))
}

/// What each module takes from which others. A name that a module only passes on belongs to the module that has it.
fn arrows(modules: &Modules) -> Arrows {
    let imports: Vec<(&Module, Vec<Import>)> = modules
        .iter()
        .map(|(module, file)| (module, imports(&fs::read_to_string(file).unwrap())))
        .collect();
    let mut passed_on = BTreeMap::new();
    for (module, paths) in &imports {
        for (_, path) in paths.iter().filter(|(passes_on, _)| *passes_on) {
            if let Some((at, Some(name))) = target(modules, module, path) {
                passed_on.insert(((*module).clone(), name), at);
            }
        }
    }
    let mut arrows: Arrows = BTreeMap::new();
    for (module, paths) in &imports {
        for (_, path) in paths.iter().filter(|(passes_on, _)| !passes_on) {
            let Some((mut at, name)) = target(modules, module, path) else {
                continue;
            };
            if let Some(name) = name {
                while let Some(origin) = passed_on.get(&(at.clone(), name.clone())) {
                    at.clone_from(origin);
                }
            }
            if **module != at {
                arrows.entry((*module).clone()).or_default().insert(at);
            }
        }
    }
    arrows
}

/// Modules that import each other in a circle.
fn circle(arrows: &Arrows) -> Option<String> {
    let mut modules: Vec<&Module> = (arrows.iter())
        .flat_map(|(from, to)| iter::once(from).chain(to))
        .collect();
    modules.sort_unstable();
    modules.dedup();
    let place = |module: &Module| modules.binary_search(&module).unwrap() as u32;
    let edges = (arrows.iter()).flat_map(|(from, to)| to.iter().map(|to| (place(from), place(to))));
    let graph = Graph::<(), ()>::from_edges(edges.collect::<Vec<_>>());
    let circle = tarjan_scc(&graph).into_iter().find(|modules| modules.len() > 1)?;
    let names = circle.iter().map(|module| modules[module.index()].join("::"));
    Some(names.collect::<Vec<_>>().join(", "))
}

#[test]
fn files_of_a_crate_import_each_other_in_one_direction() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut read = 0;
    for folder in fs::read_dir(crates).unwrap() {
        let folder = folder.unwrap().path();
        let mut found = Modules::new();
        modules(&folder.join("src"), &[], &mut found);
        let arrows = arrows(&found);
        read += arrows.len();
        if let Some(circle) = circle(&arrows) {
            panic!("{}: a circle of {circle}", folder.display());
        }
    }
    assert!(read > 200, "{read} files import others");
}
