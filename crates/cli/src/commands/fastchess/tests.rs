//! What words of fastchess and cutechess become.

use super::engines::word;
use super::translation::Word;
use lmrlab_runner::tournament::defaults::all_threads;

use super::*;

fn translation(line: &str) -> Translation {
    Translation::of(shlex::split(line).unwrap(), Path::new("/nowhere"))
}

/// The command for a line, or its errors.
fn translated(line: &str) -> Result<String, Vec<String>> {
    let translation = translation(line);
    match translation.errors.is_empty() {
        true => Ok(shell_words(&translation.command())),
        false => Err(translation.errors),
    }
}

/// Two engines with a limit, and these words.
fn with_engines(words: &str) -> String {
    format!("-engine cmd=./a -engine cmd=./b -each tc=10/1+0 option.Hash=8 {words}")
}

/// Two engines of cutechess, and these words.
fn of_cutechess(words: &str) -> String {
    format!("cutechess-cli -engine cmd=./a -engine cmd=./b -each option.Hash=1 proto=uci {words}")
}

/// The command for a line, without the options that every line has.
fn options(line: &str) -> String {
    let usual = [
        "cmd=./a cmd=./b ",
        "--each 'tc=10/1+0 option.Hash=8' ",
        "--openings positions/start.epd ",
        "--threads 1 ",
        "--faults-allowed crashes:1",
    ];
    let whole = translated(line).unwrap_or_else(|errors| panic!("{line}: {errors:?}"));
    let options = usual.iter().fold(whole, |text, usual| text.replace(usual, ""));
    options.replace("  ", " ").trim_end().to_owned()
}

#[track_caller]
fn assert_refused(line: &str, error: &str) {
    let errors = translated(line).unwrap_err();
    assert!(errors.iter().any(|text| text.contains(error)), "{line}: {errors:?}");
}

#[test]
fn lines_of_manuals_and_tests_of_fastchess_are_translated() {
    for (line, command) in [
        (
            "fastchess -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -openings file=book.epd \
             format=epd order=random -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4",
            "'cmd=Engine1.exe name=Engine1' 'cmd=Engine2.exe name=Engine2' --each 'tc=60+0.6 option.Hash=64' --pairs 200 \
             --openings book.epd --order random --threads 4",
        ),
        (
            "./fastchess -engine cmd=./random_mover name=random_move_1 -engine cmd=./random_mover name=random_move_2 -each \
             tc=2+0.02s -rounds 3 -repeat -concurrency 2 -openings file=./app/tests/data/openings.pgn format=pgn \
             order=sequential plies=4 -pgnout file=plies_test.pgn -log file=log.txt level=info",
            "'cmd=./random_mover name=random_move_1' 'cmd=./random_mover name=random_move_2' --each tc=2+0.02 --pairs 3 \
             --openings ./app/tests/data/openings.pgn --plies 4 --order sequential --threads 2",
        ),
        (
            "./fastchess -engine cmd=./scripted_result args=--crash-on-go name=crasher -engine cmd=./scripted_result \
             name=healthy -each nodes=1 -rounds 2 -repeat -concurrency 1 -recover -log file=log.txt level=info",
            "'cmd=./scripted_result name=crasher args=--crash-on-go' 'cmd=./scripted_result name=healthy' --each nodes=1 \
             --pairs 2 --faults-allowed inf",
        ),
        // The original test has engines with two and three limits. Here they have one each.
        (
            "fastchess.exe -engine dir=./ cmd=app/dummy st=5 option.Threads=1 option.Hash=16 name=A -engine dir=./ cmd=app/dummy \
             tc=40/1:9.65+0.1 timemargin=243 option.Threads=1 option.Hash=32 name=B -openings file=./app/test.epd format=epd \
             order=random plies=16 -rounds 50 -games 2 -pgnout file=PGNs/A_vs_B -use-affinity 0-1",
            "'cmd=./app/dummy name=A dir=./ st=5 option.Threads=1 option.Hash=16 timemargin=0' 'cmd=./app/dummy name=B dir=./ \
             tc=40/1:9.65+0.1 timemargin=243 option.Threads=1 option.Hash=32' --pairs 50 --openings ./app/test.epd --order \
             random --pin",
        ),
        (
            "cutechess-cli -recover -repeat -games 2 -rounds 100 -pgnout out.pgn -srand 7 -resign movecount=3 score=600 -draw \
             movenumber=34 movecount=8 score=20 -variant standard -concurrency 4 -openings file=UHO.epd format=epd \
             order=sequential -engine name=sf_1 tc=inf depth=6 cmd=./sf_1 dir=. -engine name=sf_2 tc=inf depth=8 cmd=./sf_2 dir=. \
             -each proto=uci option.Threads=1",
            "'cmd=./sf_1 name=sf_1 depth=6 dir=.' 'cmd=./sf_2 name=sf_2 depth=8 dir=.' --each option.Threads=1 --pairs 100 --draw \
             34,8,20 --resign 3,600 --openings UHO.epd --order sequential --seed 7 --threads 4 --faults-allowed inf",
        ),
        // OpenBench, with fastchess and with cutechess.
        (
            "fastchess -repeat -recover -variant standard -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
             -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=A-dev -engine \
             dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=B-base -openings \
             file=Books/X.epd format=epd order=random start=97 plies=16 -srand 1 -pgnout file=PGNs/1.pgn -concurrency 2 -games 32",
            "'cmd=Engines/A name=A-dev dir=Engines/ tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16' \
             'cmd=Engines/B name=B-base dir=Engines/ tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16' --pairs 32 \
             --draw 40,8,10 --resign 3,400 --openings Books/X.epd --order random --start 97 --seed 1 --threads 2 \
             --faults-allowed inf",
        ),
        (
            "./cutechess-linux -repeat -recover -variant fischerandom -engine cmd=./a name=A -engine cmd=./b name=B -each \
             proto=uci tc=8.0+0.08 timemargin=250 option.Hash=16 -openings file=Books/X.pgn format=pgn order=random start=1 \
             plies=16 -srand 1 -event X -rounds 16 -games 2 -concurrency 2",
            "'cmd=./a name=A' 'cmd=./b name=B' --each 'tc=8.0+0.08 timemargin=250 option.Hash=16' --pairs 16 --openings \
             Books/X.pgn --plies 16 --order random --seed 1 --variant chess960 --threads 2 --faults-allowed inf",
        ),
    ] {
        assert_eq!(options(line), command, "{line}");
    }
}

#[test]
fn each_option_means_what_it_means_there() {
    for (words, expected) in [
        ("-rounds 7 -repeat", "--pairs 7"),
        ("", "--pairs 2"),
        ("-games 400 -rounds 2", "--pairs 400"),
        ("-games 4 -repeat -rounds 9", "--pairs 9"),
        ("-draw score=5", "--pairs 2 --draw 0,1,5"),
        ("-tb /tb -tbpieces 0", "--pairs 2 --tb /tb"),
        ("-tbpieces 5 -tbignore50", "--pairs 2"),
        (
            "-sprt elo1=2 alpha=0.05 beta=0.1",
            "--pairs 2 --sprt=0,2 --alpha 0.05 --beta 0.1 --model normalized",
        ),
        ("-srand 1234 -srand 5", "--pairs 2 --seed 5"),
        ("-tournament gauntlet -seeds 1", "--pairs 2"),
        ("-pgnout file=x.pgn min=true notation=uci", "--pairs 2 --pgn compact"),
        (
            "-openings file=b.pgn plies=8 start=4",
            "--pairs 2 --openings b.pgn --plies 8 --order sequential --start 4",
        ),
        (
            "-log file=all.log engine=true level=trace -use-affinity",
            "--pairs 2 --pin --log all.log",
        ),
    ] {
        assert_eq!(options(&with_engines(words)), expected, "{words}");
    }
    let folders = if cfg!(windows) { "/a;/b" } else { "/a:/b" };
    let tables = options(&with_engines(&format!("-tb '{folders}'")));
    assert_eq!(tables, "--pairs 2 --tb /a --tb /b");
    let command = translated(&with_engines("-concurrency 0")).unwrap();
    assert!(command.contains(&format!("--threads {} ", all_threads())), "{command}");
}

#[test]
fn words_of_cutechess_mean_what_they_mean_there() {
    for (words, expected) in [
        ("tc=0/20+2 -rounds 2 -repeat", "tc=20+2' --pairs 1"),
        ("tc=inf nodes=5 -rounds 2 -repeat", "nodes=5' --pairs 1"),
        (
            "tc=1 nodes=5 depth=3 -rounds 2 -repeat",
            "tc=1 nodes=5 depth=3' --pairs 1",
        ),
        ("tc=1 -rounds 2 -repeat -maxmoves 0", "tc=1' --pairs 1"),
        ("tc=1 -games 4 -rounds 3 -repeat 2", "tc=1' --pairs 6"),
        (
            "tc=1 option.SyzygyPath= -rounds 2 -repeat",
            "tc=1 option.SyzygyPath=' --pairs 1",
        ),
        ("tc=1 debug trust -rounds 2 -repeat", "tc=1' --pairs 1"),
        ("tc=1 ponder -rounds 2 -repeat", "tc=1 ponder=true' --pairs 1"),
    ] {
        let expected = format!("--each 'option.Hash=1 {expected}");
        assert_eq!(options(&of_cutechess(words)), expected, "{words}");
    }
    let chess960 = translation(&of_cutechess("tc=1 -rounds 6 -repeat -variant fischerandom"));
    let command = chess960.command.join(" ");
    assert!(
        !command.contains("--openings") && command.contains("chess960"),
        "{command}"
    );
    let has_note = chess960.notes.iter().any(|note| note.contains("plays all 960"));
    assert!(has_note, "{:?}", chess960.notes);
}

#[test]
fn an_engine_has_what_all_engines_have() {
    let words = "-each option.Hash=64 nodes=5000 restart=on 'option.Clear Hash=true' -engine cmd=a option.Hash=1 args='-x -y' \
                 restart=off -engine cmd=b name='my b'";
    let each = "--each 'option.Hash=64 nodes=5000 restart=on \"option.Clear Hash=true\"' --pairs 2";
    for (line, command) in [
        (
            format!("{words} nodes=7"),
            format!("'cmd=a args=\"-x -y\"' 'cmd=b name=\"my b\"' {each}"),
        ),
        // An engine with a limit of its own gets those of all, too.
        (
            format!("{words} plies=3 tc=1+0.1"),
            format!("'cmd=a args=\"-x -y\"' 'cmd=b name=\"my b\" depth=3 tc=1+0.1 nodes=5000' {each}"),
        ),
        (
            "-engine cmd=a -engine cmd=b st=0.25 -each st=0.25 -rounds 1".to_owned(),
            "cmd=a cmd=b --each 'st=0.25 timemargin=0' --pairs 1".to_owned(),
        ),
        (
            "cutechess-cli -engine cmd=a arg=-q 'arg=b c' -engine cmd=b -each tc=1 arg=-x -games 2 -repeat".to_owned(),
            "'cmd=a args=\"-q '\\''b c'\\'' -x\"' cmd=b --each 'tc=1 args=-x' --pairs 1".to_owned(),
        ),
    ] {
        assert_eq!(options(&line), command, "{line}");
    }
    assert_refused(
        &format!("{words} tc=1 st=1"),
        "the engine my b has tc=1 and st=1: a move is limited by one of them; keep one",
    );
    for (value, expected) in [("a\"b c", "args='a\"b c'"), ("it's", "args=\"it's\"")] {
        assert_eq!(word("args", value), expected);
    }
}

#[test]
fn what_would_change_the_games_is_an_error() {
    for (words, error) in [
        (
            "-tb /tb -tbadjudicate DRAW",
            "lmrlab's tablebases end won and drawn games",
        ),
        ("-tb /tb -tbpieces six", "`-tbpieces six`: a whole number"),
        ("-games 1", "one game of each opening"),
        ("-games 3 -rounds 5", "at most 2 games of a round"),
        ("-rounds 0", "at least 1"),
        ("-sprt elo0=0 elo1=5", "`-sprt` needs `alpha=` and `beta=`"),
        ("-sprt alpha=0.05 beta=0.05 model=bayesian", "lmrlab has no BayesElo"),
        ("-variant crazyhouse", "`-variant crazyhouse`"),
        ("-each whitepov=on", "begin the line with `cutechess-cli`"),
        ("-resultformat wide2", "begin the line with `cutechess-cli`"),
        ("-recover yes", "`-recover` has no value, and here it has 1"),
        ("-variant fischerandom", "fastchess needs a book"),
        ("-openings file=book", "write `format=epd` or `format=pgn`"),
        ("-each option.SyzygyPath=", "is not KEY=VALUE"),
        ("-each proto=xboard", "engines that speak UCI"),
        ("-each restart=true", "it is `on` or `off`"),
        ("-each colour=red", "`-each` has no `colour=`; it has cmd=, name=, dir="),
        ("-each st=5", "tc=10/1+0 and st=5"),
        ("-each tc=hg10", "lmrlab has no hourglass"),
        ("-rounds 10 20", "`-rounds` has one value, and here it has 2"),
        ("-rounds many", "a whole number belongs here"),
        (
            "-draw count=5",
            "`-draw` has no `count=`; it has movenumber=, movecount=, score=",
        ),
        ("-draw", "`-draw` needs words, as in `-draw movenumber=40"),
        ("-resign twosided=yes", "it is `true` or `false`"),
        ("-ronds 5", "fastchess has no option `-ronds`; did you mean `-rounds`?"),
        ("--run", "write it before the words of fastchess"),
    ] {
        assert_refused(&with_engines(words), error);
    }
    for (words, error) in [
        (
            "tc=1 -games 2",
            "without `-repeat`, or with `-repeat 1`, cutechess plays each opening once",
        ),
        (
            "tc=1 -games 4 -repeat 4",
            "`-repeat 4`: cutechess plays each opening 4 times",
        ),
        ("tc=1 -rounds 3 -repeat", "3 games; lmrlab plays each opening twice"),
        (
            "tc=1 -rounds 6 -repeat -openings file=x policy=encounter",
            "`policy=encounter`",
        ),
        (
            "tc=1 -rounds 6 -repeat -openings file=x policy=round",
            "`policy=round` with 1 games",
        ),
        (
            "tc=1 -rounds 2 -repeat -resign movecount=3",
            "`-resign`: cutechess needs movecount= and score=",
        ),
        (
            "tc=1 -rounds 2 -repeat -sprt elo1=5 alpha=0.05 beta=0.05",
            "`-sprt`: cutechess needs elo0=",
        ),
        ("tc=1 whitepov -rounds 2 -repeat", "`-engine whitepov`"),
        (
            "tc=1 -rounds 2 -repeat -tbadjudicate BOTH",
            "begin the line with `fastchess`",
        ),
    ] {
        assert_refused(&of_cutechess(words), error);
    }
    for (line, error) in [
        ("-engine cmd=a nodes=1", "a match has two engines"),
        (
            "-engine cmd=a nodes=1 -engine name=b nodes=1",
            "`-engine` without `cmd=`",
        ),
        ("-engine cmd=a -engine cmd=b tc=inf", "the engine a has no limit"),
        ("fastchess stray -engine cmd=a", "`stray` belongs to no option"),
    ] {
        assert_refused(line, error);
    }
}

#[test]
fn what_does_not_change_the_games_is_a_note() {
    let words = "-wait 5 -event My Event -report penta=false -log file=x level=trace -reverse -seeds 2 -ping-ms 5 \
                 -pgnout file=x notation=lan -recover -use-affinity 1,2 -config outname=x.json -resign movecount=3 score=400 \
                 -draw movenumber=40 movecount=8 score=10 -srand 1 -openings file=b.epd order=random -games 50 -sprt elo0=0 \
                 elo1=5 alpha=0.05 beta=0.05";
    let line = with_engines(words).replace("option.Hash=8", "").replace("+0 ", "+0.1 ");
    let noted = translation(&line);
    assert_eq!(noted.errors, Vec::<String>::new());
    insta::assert_snapshot!(noted.notes.join("\n"));
    let plain = translation(&with_engines("-repeat -rounds 5 -openings file=b.epd")).notes;
    assert!(plain.iter().all(|note| note.starts_with("`tc`")), "{plain:?}");
    let alone = translation(&with_engines("-pgnout")).notes;
    assert!(
        alone.iter().any(|note| note.starts_with("`-pgnout`: the games go")),
        "{alone:?}"
    );
}

/// A line with what every word of the table needs, and with the option of `word` with `words`, unless `None`. Those of an
/// engine are in each engine.
fn with_all(word: &Word, is_cutechess: bool, words: Option<&str>) -> Translation {
    let of_engine = words.filter(|_| word.option == "engine").unwrap_or_default();
    let program = ["fastchess", "cutechess-cli -games 2 -repeat"][usize::from(is_cutechess)];
    let third = if word.option == "tournament" {
        "-engine cmd=./c nodes=5"
    } else {
        ""
    };
    let of_line = words.filter(|_| word.option != "engine");
    let option = of_line.map_or_else(String::new, |words| format!("-{} {words}", word.option));
    translation(&format!(
        "{program} -engine cmd=./a option.Hash=8 nodes=5 {of_engine} -engine cmd=./b option.Hash=8 nodes=5 {of_engine} {third} \
         -rounds 2 -openings file=x.epd -tb /t {option}"
    ))
}

#[test]
fn every_word_of_the_table_becomes_what_it_says() {
    for word in WORDS {
        for is_cutechess in [false, true].into_iter().filter(|program| word.is_of(*program)) {
            let shown = format!("{word:?}, cutechess {is_cutechess}");
            // Each alone, and all together.
            let mut examples: Vec<&str> = vec![word.example];
            if let Becomes::Note(_) | Becomes::Refused(_) = word.becomes {
                examples.extend(word.example.split(' '));
            }
            for example in examples {
                let translation = with_all(word, is_cutechess, Some(example));
                let command = translation.command().join(" ");
                let without = || with_all(word, is_cutechess, None);
                let about = format!("`-{}", word.option);
                if let Becomes::Refused(text) = word.becomes {
                    let is_named = |error: &String| error.starts_with(&about) && error.contains(text);
                    assert!(
                        translation.errors.iter().any(is_named),
                        "{shown}: {:?}",
                        translation.errors
                    );
                    continue;
                }
                assert_eq!(translation.errors, Vec::<String>::new(), "{shown}");
                match word.becomes {
                    Becomes::Words(text, _) | Becomes::Always(text, _) | Becomes::OfEngine(text, _)
                        if text.contains(" = ") =>
                    {
                        let file = translation.file(&parsed(&translation.command()).unwrap()).unwrap();
                        assert!(file.contains(text), "{shown}: {file}");
                    }
                    Becomes::Words(text, _) | Becomes::Always(text, _) | Becomes::OfEngine(text, _) => {
                        assert!(command.contains(text), "{shown}: {command}");
                        assert!(
                            !text.is_empty() || translation.command == without().command,
                            "{shown}: {command}"
                        );
                    }
                    Becomes::Note(text) => {
                        let is_named = |note: &String| note.starts_with(&about) && note.ends_with(text);
                        assert!(
                            translation.notes.iter().any(is_named),
                            "{shown}: {:?}",
                            translation.notes
                        );
                        assert_eq!(translation.command, without().command, "{shown}");
                    }
                    Becomes::Refused(_) => unreachable!(),
                }
            }
        }
    }
}

#[test]
fn a_word_that_is_not_in_the_table_is_refused() {
    for word in WORDS {
        for is_cutechess in [false, true] {
            let option = if is_cutechess { "cutechess-cli" } else { "fastchess" };
            let is_known = WORDS
                .iter()
                .any(|other| other.option == word.option && other.is_of(is_cutechess));
            let has_keys = word.example.contains('=') && word.is_of(is_cutechess);
            let line = format!("{option} -engine cmd=a -engine cmd=b -{} nonsense=1", word.option);
            if has_keys || !is_known {
                let error = format!("`-{}", word.option);
                let errors = translated(&line).unwrap_err();
                assert!(errors.iter().any(|text| text.contains(&error)), "{line}: {errors:?}");
            }
        }
    }
}

#[test]
fn cutechess_looks_a_bare_name_up_in_path() {
    let line = |program: &str, cmd: &str| {
        let line = format!("{program} -engine cmd={cmd} dir=e -engine cmd=./b -each nodes=5 -games 2 -repeat");
        translation(&line).engines[0].clone()
    };
    if cfg!(not(windows)) {
        assert_eq!(line("cutechess-cli", "python3"), "cmd=python3 dir=e");
    }
    assert_eq!(line("cutechess-cli", "./python3"), "cmd=e/python3 dir=e");
    assert_eq!(line("fastchess", "python3"), "cmd=e/python3 dir=e");
    // The name of the program counts, not that of its folder.
    assert_eq!(line("/cutechess/fastchess", "python3"), "cmd=e/python3 dir=e");
}

#[test]
fn a_line_of_windows_keeps_its_backslashes() {
    let line = |line: &str| Translation::of(vec![line.to_owned()], Path::new("/nowhere"));
    let whole = line(
        r#"C:\t\fastchess.exe -engine cmd=C:\e\new.exe name=new -engine cmd="C:\my e\old.exe" name=old -each tc=8 -openings file=C:\b\u.epd"#,
    );
    assert_eq!(whole.errors, Vec::<String>::new());
    let read: Vec<Vec<String>> = (whole.engines.iter())
        .map(|engine| shlex::split(engine).unwrap())
        .collect();
    assert_eq!(
        read,
        [[r"cmd=C:\e\new.exe", "name=new"], [r"cmd=C:\my e\old.exe", "name=old"]]
    );
    assert!(whole.command.contains(&r"C:\b\u.epd".to_owned()), "{:?}", whole.command);
    assert_eq!(
        line("-engine cmd='a -engine cmd=b").errors,
        ["a quote has no other half"]
    );
    if cfg!(not(windows)) {
        let posix = line(r"fastchess -engine cmd=./my\ e name=\$x -engine cmd=./b -each tc=8");
        assert_eq!(shlex::split(&posix.engines[0]).unwrap(), ["cmd=./my e", "name=$x"]);
    }
}

/// Why lmrlab would refuse the command of a line.
fn refusal(line: &str) -> String {
    let translation = translation(line);
    assert_eq!(translation.errors, Vec::<String>::new(), "{line}");
    let command = parsed(&translation.command()).and_then(|parsed| translation.file(&parsed).map_err(wrong));
    format!("{:?}", command.unwrap_err())
}

#[test]
fn a_command_that_lmrlab_refuses_is_not_printed() {
    let long = format!("-engine cmd=./a name={} -engine cmd=./b -each nodes=5", "x".repeat(201));
    let named = |first: &str, second: &str| format!("-engine cmd=./{first} -engine cmd=./b {second}");
    for (line, what) in [
        (with_engines("-sprt elo0=nan elo1=5 alpha=0.05 beta=0.05"), ""),
        (with_engines("-sprt elo0=5 elo1=0 alpha=0.05 beta=0.05"), ""),
        (with_engines("-sprt elo0=0 elo1=5 alpha=0.9 beta=0.9"), ""),
        (with_engines("-maxmoves 0"), "invalid value '0' for '--maxmoves <N>'"),
        (with_engines("-srand -1"), ""),
        (with_engines("-openings file=x.epd order=backwards"), ""),
        (named("a name==x", "-each nodes=5"), "this name cannot be used"),
        (named("a name=-x", "-each nodes=5"), "this name cannot be used"),
        (named("=a", "-each nodes=5"), "this name cannot be used"),
        (long, "this name cannot be used"),
        (named("a", "-each tc=fast"), ""),
        (named("a", "nodes=x -each tc=5"), ""),
        (
            with_engines("-engine cmd=./c -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05"),
            "an SPRT compares exactly two engines",
        ),
    ] {
        let refusal = refusal(&line);
        let is_named = refusal.contains("the command is wrong: ") && refusal.contains(what);
        assert!(is_named, "{line}: {refusal}");
    }
    let greatest = translated(&with_engines("-srand 18446744073709551615")).unwrap();
    assert!(greatest.contains("--seed 18446744073709551615"), "{greatest}");
}

#[test]
fn more_than_two_engines_become_a_tournament_file() {
    let file = |words: &str| {
        let translation = translation(&with_engines(words));
        assert_eq!(translation.errors, Vec::<String>::new());
        translation.file(&parsed(&translation.command()).unwrap()).unwrap()
    };
    let three =
        "-engine cmd=./c dir=e name=third tc=1 -rounds 5 -openings file=b.epd -tb t -srand 18446744073709551615";
    insta::assert_snapshot!("round_robin", file(three).replace('\\', "/"));
    assert!(file(&format!("{three} -tournament gauntlet")).contains("format = \"gauntlet\""));
    let errors = translated(&with_engines(&format!("{three} -tournament gauntlet -seeds 2"))).unwrap_err();
    assert!(errors[0].starts_with("`-seeds 2`"), "{errors:?}");
    // Engines with the same name get numbers.
    let same = translation("-engine cmd=a -engine cmd=a -engine cmd=a -each nodes=5").engines;
    assert_eq!(same, ["cmd=a", "cmd=a name=a_2", "cmd=a name=a_3"]);
}
