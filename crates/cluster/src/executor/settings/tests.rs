use std::fs;

use super::*;
use lmrlab_diagnostics::Text;

fn read(text: &str) -> Result<Settings, Diagnostics> {
    Settings::read(Source::new("cluster.toml", text))
}

fn complaints(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

fn argument(text: &str) -> Kind {
    Settings::argument(text).unwrap().kind
}

fn refusal(text: &str) -> String {
    let failure = Settings::argument(text).unwrap_err();
    assert_eq!(failure.exit_status(), 2);
    failure.to_string()
}

fn template(text: &str) -> Template {
    Template::parse(&Text::detached(text)).unwrap()
}

#[test]
fn the_command_line_says_what_is_usual() {
    assert_eq!(argument("local"), Kind::Local(LocalSettings::default()));
    let four = LocalSettings {
        slots: Some(4),
        threads: None,
    };
    assert_eq!(argument("local:4"), Kind::Local(four));
    assert_eq!(argument("slurm"), Kind::Slurm(SlurmSettings::default()));
    let Kind::Slurm(SlurmSettings { slots: 9, .. }) = argument("slurm:9") else {
        panic!("nine slots")
    };
    let Kind::Command(settings) = argument("hosts=red,me@blue:4 command=ssh {host} lmrlab resume {folder}") else {
        panic!("a command")
    };
    let host = |name: &str, slots| Host {
        name: name.to_owned(),
        slots,
    };
    assert_eq!(settings.hosts, [host("red", 1), host("me@blue", 4)]);
    assert_eq!(settings.play, template("ssh {host} lmrlab resume {folder}"));
}

#[test]
fn the_command_line_names_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my cluster.toml");
    fs::write(&file, "kind = \"slurm\"\npartition = \"long\"\n").unwrap();
    let path = file.display().to_string();
    let wanted = Kind::Slurm(SlurmSettings {
        partition: Some("long".to_owned()),
        ..SlurmSettings::default()
    });
    assert_eq!(argument(&path), wanted);
    // The text is saved unchanged.
    assert_eq!(
        Settings::argument(&path).unwrap().text(),
        fs::read_to_string(&file).unwrap()
    );
}

#[test]
fn other_words_on_the_command_line_are_refused() {
    let texts = [
        "loca",
        "kubernetes",
        "",
        "local:",
        "local:0",
        "slurm:x",
        "nowhere.toml",
        "command=ssh {host} lmrlab resume {folder}",
        "hosts=red",
        "hosts= command=x {folder}",
        "hosts=red,red command=ssh {host} x {folder}",
        "hosts=-oProxyCommand=x command=ssh {host} x {folder}",
        "hosts=red,blue:x command=ssh {host} x {folder}",
        "hosts=red,blue command=x {folder}",
        "hosts=red command=ssh {host} x",
        "hosts=red command=ssh {hots} x {folder}",
    ];
    insta::assert_snapshot!(texts.map(refusal).join("\n\n"));
}

#[test]
fn a_file_has_all_settings() {
    let local = LocalSettings {
        slots: Some(3),
        threads: Some(2),
    };
    assert_eq!(
        read("kind = \"local\"\nslots = 3\nthreads = 2\n").unwrap().kind,
        Kind::Local(local)
    );
    let pairs = |text: &str| read(text).unwrap().pairs;
    assert_eq!(pairs("kind = \"local\"\n"), PAIRS);
    assert_eq!(pairs("kind = \"local\"\npairs = 3\n"), 3);
    let slurm = r#"
        kind = "slurm"
        slots = 500
        array = 100
        cpus_per_task = 4
        partition = "short,long"
        time = "1-12:30"
        memory = "2G"
        account = "chess"
        constraint = "avx2"
        exclude = ["n7"]
        extra = ["--qos=low", "--no-requeue"]
        program = "/opt/lmrlab"
        commands = "/opt/slurm/bin"
        poll = 30
    "#;
    let text = |text: &str| Some(text.to_owned());
    let wanted = SlurmSettings {
        slots: 500,
        array: 100,
        cpus_per_task: 4,
        partition: text("short,long"),
        time: text("1-12:30"),
        memory: text("2G"),
        account: text("chess"),
        constraint: text("avx2"),
        exclude: vec!["n7".to_owned()],
        extra: vec!["--qos=low".to_owned(), "--no-requeue".to_owned()],
        program: text("/opt/lmrlab"),
        commands: Some(PathBuf::from("/opt/slurm/bin")),
        poll: Duration::from_secs(30),
    };
    assert_eq!(read(slurm).unwrap().kind, Kind::Slurm(wanted));
    let command = r#"
        kind = "command"
        hosts = [{ name = "red", slots = 8 }, { name = "blue" }]
        slots = 2
        send = "rsync -a {folder}/ {host}:{folder}/"
        play = "ssh {host} lmrlab resume {quoted_folder}"
        fetch = "rsync -a {host}:{folder}/ {folder}/"
        cancel = "ssh {host} pkill -f {name}"
        timeout = 3600
    "#;
    let host = |name: &str, slots| Host {
        name: name.to_owned(),
        slots,
    };
    let wanted = CommandSettings {
        hosts: vec![host("red", 8), host("blue", 2)],
        play: template("ssh {host} lmrlab resume {quoted_folder}"),
        send: Some(template("rsync -a {folder}/ {host}:{folder}/")),
        fetch: Some(template("rsync -a {host}:{folder}/ {folder}/")),
        cancel: Some(template("ssh {host} pkill -f {name}")),
        timeout: Some(Duration::from_secs(3600)),
    };
    assert_eq!(read(command).unwrap().kind, Kind::Command(wanted.clone()));
    let tables = command.replace(
        "hosts = [{ name = \"red\", slots = 8 }, { name = \"blue\" }]",
        "hosts = [\"red\", \"blue\"]",
    );
    let Kind::Command(read) = read(&tables).unwrap().kind else {
        panic!("a command")
    };
    assert_eq!(read.hosts, [host("red", 2), host("blue", 2)]);
}

#[test]
fn mistakes_in_files_have_their_places() {
    let files = [
        "kind = \"slrum\"\n",
        "kind = \"local\"\npairs = 0\nslots = 0\nthreads = \"2\"\npartition = \"x\"\n",
        "kind = \"slurm\"\nslot = 3\ntime = \"tomorrow\"\nmemory = \"2 GB\"\naccount = \"\"\nprogram = \"bin/lmrlab\"\n",
        "kind = \"slurm\"\nextra = [\"-q\", \"--partition=x\", \"--array=1-3\", 3]\nexclude = [\"n 1\"]\ncommands = \"bin\"\n",
        "kind = \"command\"\n",
        "kind = \"command\"\nhosts = []\nplay = \"lmrlab resume\"\n",
        "kind = \"command\"\nhosts = [\"a\", \"b\", \"a\"]\nplay = \"ssh {hots} lmrlab resume {folder}\"\nsend = \"scp 'x\"\n",
        "kind = \"command\"\nhosts = [\"a\", \"b\"]\nplay = \"lmrlab resume {folder}\"\ncancel = \"\"\ntimeout = 0\n",
        "kind = \"command\"\nhosts = [\"a\"]\nplay = \"lmrlab resume {folder}\"\ncancel = \"ssh {host} pkill lmrlab\"\n",
        "kind = \"command\"\nhosts = [{ name = \"a\", slot = 2 }, { slots = 2 }, \"b\"]\nplay = \"x {folder}\"\n",
        "kind = \"command\"\nhosts = [\"-oProxyCommand=x\", \"a b\", \"\"]\nplay = \"ssh {host} {folder}\"\n",
        "kind = \"command\"\nhosts = \"a\"\nplay = \"x {folder}\"\n",
    ];
    insta::assert_snapshot!(files.map(complaints).join("\n\n----\n\n"));
}

#[test]
fn times_and_memory_are_those_of_sbatch() {
    let accepts = |key: &str, value: &str| read(&format!("kind = \"slurm\"\n{key} = \"{value}\"\n")).is_ok();
    for time in ["90", "90:30", "1:30:00", "2-12", "2-12:30", "2-12:30:30"] {
        assert!(accepts("time", time), "{time}");
    }
    for time in ["", "1h", "1:2:3:4", "-1", "1-", "1-2:3:4:5", "x-1", "1:", "4294967296"] {
        assert!(!accepts("time", time), "{time}");
    }
    for memory in ["500", "500M", "2G", "4g", "1T", "0"] {
        assert!(accepts("memory", memory), "{memory}");
    }
    for memory in ["", "G", "2GB", "1.5G", "-1"] {
        assert!(!accepts("memory", memory), "{memory}");
    }
}

#[test]
fn what_is_saved_is_read_again() {
    let texts = [
        "local",
        "slurm:9",
        "hosts=red,blue:4 command=sh -c 'ssh {host} \"x\" {folder}'",
    ];
    for text in texts {
        let settings = Settings::argument(text).unwrap();
        assert_eq!(read(settings.text()).unwrap(), settings, "{text}");
    }
}

#[test]
fn the_first_error_is_the_mistake() {
    for count in ["0", "1000001", "\"x\""] {
        let said = complaints(&format!(
            "kind = \"command\"\nhosts = [\"a\"]\nslots = {count}\nplay = \"x {{host}} {{folder}}\"\n"
        ));
        assert!(said.contains("slots") && !said.contains("hosts"), "{said}");
    }
    for (kind, key) in [("local", "threads"), ("slurm", "cpus_per_task")] {
        let text = |count: u64| format!("kind = \"{kind}\"\n{key} = {count}\n");
        assert!(read(&text(1024)).is_ok());
        assert!(complaints(&text(1025)).contains("must be from 1 to 1024"));
    }
}
