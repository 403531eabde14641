use proptest::prelude::*;

use super::*;
use lmrlab_diagnostics::Text;

fn read(text: &str) -> Result<Settings, Diagnostics> {
    Settings::read(Source::new("cluster.toml", text))
}

fn complaints(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

fn argument(text: &str) -> Settings {
    Settings::argument(text).unwrap()
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
    assert_eq!(argument("local"), Settings::Local(LocalSettings::default()));
    let four = LocalSettings {
        slots: Some(4),
        threads: None,
    };
    assert_eq!(argument("local:4"), Settings::Local(four));
    assert_eq!(argument("slurm"), Settings::Slurm(SlurmSettings::default()));
    let Settings::Slurm(SlurmSettings { slots: 9, .. }) = argument("slurm:9") else {
        panic!("nine slots")
    };
    let Settings::Command(settings) = argument("hosts=red,me@blue:4 command=ssh {host} lmrlab part {folder}") else {
        panic!("a command")
    };
    let host = |name: &str, slots| Host {
        name: name.to_owned(),
        slots,
    };
    assert_eq!(settings.hosts, [host("red", 1), host("me@blue", 4)]);
    assert_eq!(settings.play, template("ssh {host} lmrlab part {folder}"));
}

#[test]
fn the_command_line_names_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my cluster.toml");
    std::fs::write(&file, "kind = \"slurm\"\npartition = \"long\"\n").unwrap();
    let path = file.display().to_string();
    let wanted = Settings::Slurm(SlurmSettings {
        partition: Some("long".to_owned()),
        ..SlurmSettings::default()
    });
    assert_eq!(argument(&path), wanted);
    assert_eq!(argument(&format!("slurm={path}")), wanted);
    let other = refusal(&format!("local={path}")).replace(&path, "FILE");
    insta::assert_snapshot!(other);
    // The kind may be left to the command line.
    std::fs::write(&file, "partition = \"long\"\n").unwrap();
    assert_eq!(argument(&format!("slurm={path}")), wanted);
    assert!(refusal(&path).contains("`kind` is missing"), "{}", refusal(&path));
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
        "slurm=here",
        "nowhere.toml",
        "command=ssh {host} lmrlab part {folder}",
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
        read("kind = \"local\"\nslots = 3\nthreads = 2\n").unwrap(),
        Settings::Local(local)
    );
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
    assert_eq!(read(slurm).unwrap(), Settings::Slurm(wanted));
    let command = r#"
        kind = "command"
        hosts = [{ name = "red", slots = 8 }, { name = "blue" }]
        slots = 2
        send = "rsync -a {folder}/ {host}:{folder}/"
        play = "ssh {host} lmrlab part {quoted_folder}"
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
        play: template("ssh {host} lmrlab part {quoted_folder}"),
        send: Some(template("rsync -a {folder}/ {host}:{folder}/")),
        fetch: Some(template("rsync -a {host}:{folder}/ {folder}/")),
        cancel: Some(template("ssh {host} pkill -f {name}")),
        timeout: Some(Duration::from_secs(3600)),
    };
    assert_eq!(read(command).unwrap(), Settings::Command(wanted.clone()));
    let tables = command.replace(
        "hosts = [{ name = \"red\", slots = 8 }, { name = \"blue\" }]",
        "hosts = [\"red\", \"blue\"]",
    );
    let Settings::Command(read) = read(&tables).unwrap() else {
        panic!("a command")
    };
    assert_eq!(read.hosts, [host("red", 2), host("blue", 2)]);
}

#[test]
fn mistakes_in_files_have_their_places() {
    let files = [
        "kind = \"slrum\"\n",
        "kind = \"local\"\nslots = 0\nthreads = \"2\"\npartition = \"x\"\n",
        "kind = \"slurm\"\nslot = 3\ntime = \"tomorrow\"\nmemory = \"2 GB\"\naccount = \"\"\nprogram = \"bin/lmrlab\"\n",
        "kind = \"slurm\"\nextra = [\"-q\", \"--partition=x\", \"--array=1-3\", 3]\nexclude = [\"n 1\"]\ncommands = \"bin\"\n",
        "kind = \"command\"\n",
        "kind = \"command\"\nhosts = []\nplay = \"lmrlab part\"\n",
        "kind = \"command\"\nhosts = [\"a\", \"b\", \"a\"]\nplay = \"ssh {hots} lmrlab part {folder}\"\nsend = \"scp 'x\"\n",
        "kind = \"command\"\nhosts = [\"a\", \"b\"]\nplay = \"lmrlab part {folder}\"\ncancel = \"\"\ntimeout = 0\n",
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

fn some_settings() -> impl Strategy<Value = Settings> {
    let name = "[a-z][a-z0-9.@_-]{0,8}";
    let maybe = |text: &'static str| prop::option::of(text);
    let local = (prop::option::of(1usize..100), prop::option::of(1usize..100))
        .prop_map(|(slots, threads)| Settings::Local(LocalSettings { slots, threads }));
    let numbers = (1usize..5000, 1usize..5000, 1usize..64, 0u64..3600);
    let texts = (
        maybe("[ -~]{1,9}"),
        maybe("[0-9]{1,5}:[0-9]{2}"),
        maybe("[0-9]{1,5}G"),
        maybe("[ -~]{1,9}"),
    );
    let lists = (
        prop::collection::vec(name, 0..3),
        prop::collection::vec("--x[ -~]{0,9}", 0..3),
    );
    let paths = (maybe("/[ -~]{1,9}"), maybe("/[ -~]{1,9}"), maybe("[ -~]{1,9}"));
    let slurm = (numbers, texts, lists, paths).prop_map(|(numbers, texts, lists, paths)| {
        Settings::Slurm(SlurmSettings {
            slots: numbers.0,
            array: numbers.1,
            cpus_per_task: numbers.2,
            poll: Duration::from_secs(numbers.3),
            partition: texts.0,
            time: texts.1,
            memory: texts.2,
            account: texts.3,
            exclude: lists.0,
            extra: lists.1,
            program: paths.0,
            commands: paths.1.map(PathBuf::from),
            constraint: paths.2,
        })
    });
    let hosts = prop::collection::btree_map(name, 1usize..100, 1..4);
    let command = "[a-z]{1,9} [a-z\"\\\\]{0,9}";
    let command = (
        hosts,
        command,
        maybe("[a-z]{1,9} \\{folder\\}"),
        prop::option::of(1u64..9999),
    )
        .prop_filter_map("a command", |(hosts, play, more, timeout)| {
            let play = Text::detached(format!("{play} {{host}} {{folder}}"));
            let more = more.map(|more| template(&more));
            Some(Settings::Command(CommandSettings {
                hosts: hosts.into_iter().map(|(name, slots)| Host { name, slots }).collect(),
                play: Template::parse(&play).ok()?,
                send: more.clone(),
                fetch: more.clone(),
                cancel: more,
                timeout: timeout.map(Duration::from_secs),
            }))
        });
    prop_oneof![local, slurm, command]
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(settings in some_settings()) {
        let text = settings.to_toml();
        prop_assert_eq!(read(&text).map_err(|error| TestCaseError::fail(error.to_string()))?, settings, "{}", text);
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
