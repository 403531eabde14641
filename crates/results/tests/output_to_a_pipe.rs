//! An output that is a named pipe is written to, not replaced. The test starts a process, and a process that is being started
//! holds the locks of its parent for a moment. So it is a program of its own, apart from the tests of journals.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::FileTypeExt;

use lmrlab_results::output_file;

#[test]
fn a_pipe_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    output_file::write(&pipe, "through").unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
