//! Paths that are written into files: absolute, from folder to folder, and as every system reads them.

use std::path::{Component, Path, PathBuf};

/// An absolute path, without `.` and `..` where the file system allows that.
pub fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // The folder itself may not exist yet, but a folder above it does.
    let there = absolute.ancestors().find_map(|ancestor| {
        let real = dunce::canonicalize(ancestor).ok()?;
        let rest = absolute.strip_prefix(ancestor).ok()?;
        Some(real.join(rest))
    });
    there.unwrap_or(absolute)
}

/// A path as every system understands it.
pub fn portable(path: &Path) -> String {
    path.display().to_string().replace(std::path::MAIN_SEPARATOR, "/")
}

/// The relative path from one folder to another, both absolute. Between two drives there is none, and `to` stays
/// absolute.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from
        .components()
        .zip(to.components())
        .take_while(|(one, other)| one == other)
        .count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    if path.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        path
    }
}

/// A path for messages: relative to the working directory if it is below it.
pub fn from_here(path: &Path) -> PathBuf {
    std::env::current_dir()
        .ok()
        .and_then(|here| path.strip_prefix(here).ok())
        .unwrap_or(path)
        .to_owned()
}

/// The program that a command means. With a `/` it is a path that starts from `root`. Otherwise it is a name that is
/// looked up as a shell does. On Windows `\` is as good as `/`, and an ending of PATHEXT, such as `.exe`, can be left
/// out. `None` when there is no such program.
pub fn find_program(command: &str, root: &Path) -> Option<PathBuf> {
    let program = match command.contains(std::path::is_separator) {
        true => which::which_in(command, None::<&Path>, root),
        false => which::which(command),
    };
    std::path::absolute(program.ok()?).ok()
}

/// The message and the advice when [`find_program`] finds no program.
pub fn no_program(command: &str, root: &Path) -> (String, String) {
    let path = root.join(command);
    let is_path = command.contains(std::path::is_separator);
    if path.is_dir() {
        let message = format!("`{command}` is a directory, not a program");
        return (message, "name a file in it".to_owned());
    }
    if path.is_file() && is_path {
        let message = format!("`{command}` is a file that may not be executed");
        return (message, format!("if it is a program, `chmod +x {command}` allows it"));
    }
    let message = format!("there is no program `{command}`");
    if path.is_file() {
        let advice = format!("a name is looked up in PATH; for the file of this name write `./{command}`");
        return (message, advice);
    }
    let advice =
        "a name is looked up in PATH; a path with a `/` starts from the project root, or on a command line from here";
    (message, advice.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_folder_to_another() {
        let way = |from, to| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(way("/a/b/results/x", "/a/b"), "../..");
        assert_eq!(way("/a/b", "/a/b"), ".");
        assert_eq!(way("/a/b", "/c/d"), "../../c/d");
        assert_eq!(way("/a", "/a/b/c"), "b/c");
    }
}
