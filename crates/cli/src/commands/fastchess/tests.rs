//! What words of fastchess and cutechess become.

use super::translation::Word;

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

/// Lines and what becomes of them: the snapshot. `F` and `C` stand for two engines, for fastchess and for cutechess.
const LINES: &str = r#"
fastchess -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -openings file=book.epd format=epd order=random -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4
./fastchess -engine cmd=./random_mover name=random_move_1 -engine cmd=./random_mover name=random_move_2 -each tc=2+0.02s -rounds 3 -repeat -concurrency 2 -openings file=./app/tests/data/openings.pgn format=pgn order=sequential plies=4 -pgnout file=plies_test.pgn -log file=log.txt level=info
./fastchess -engine cmd=./scripted_result args=--crash-on-go name=crasher -engine cmd=./scripted_result name=healthy -each nodes=1 -rounds 2 -repeat -concurrency 1 -recover -log file=log.txt level=info
fastchess.exe -engine dir=./ cmd=app/dummy st=5 option.Threads=1 option.Hash=16 name=A -engine dir=./ cmd=app/dummy tc=40/1:9.65+0.1 timemargin=243 option.Threads=1 option.Hash=32 name=B -openings file=./app/test.epd format=epd order=random plies=16 -rounds 50 -games 2 -pgnout file=PGNs/A_vs_B -use-affinity 0-1
cutechess-cli -recover -repeat -games 2 -rounds 100 -pgnout out.pgn -srand 7 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -variant standard -concurrency 4 -openings file=UHO.epd format=epd order=sequential -engine name=sf_1 tc=inf depth=6 cmd=./sf_1 dir=. -engine name=sf_2 tc=inf depth=8 cmd=./sf_2 dir=. -each proto=uci option.Threads=1
fastchess -repeat -recover -variant standard -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=A-dev -engine dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=B-base -openings file=Books/X.epd format=epd order=random start=97 plies=16 -srand 1 -pgnout file=PGNs/1.pgn -concurrency 2 -games 32
./cutechess-linux -repeat -recover -variant fischerandom -engine cmd=./a name=A -engine cmd=./b name=B -each proto=uci tc=8.0+0.08 timemargin=250 option.Hash=16 -openings file=Books/X.pgn format=pgn order=random start=1 plies=16 -srand 1 -event X -rounds 16 -games 2 -concurrency 2
F -rounds 7 -repeat
F -games 400 -rounds 2
F -games 4 -repeat -rounds 9
F -draw score=5
F -tb /tb -tbpieces 0
F -tbpieces 5 -tbignore50
F -sprt elo1=2 alpha=0.05 beta=0.1
F -srand 1234 -srand 18446744073709551615
F -tournament gauntlet -seeds 1
F -tournament gauntlet -seeds 2
F -pgnout
F -pgnout file=x.pgn min=true notation=uci
F -openings file=b.pgn plies=8 start=4
F -log file=all.log engine=true level=trace -use-affinity
F -tb /tb -tbadjudicate DRAW
F -games 1
F -games 3 -rounds 5
F -rounds 0
F -sprt elo0=0 elo1=5
F -variant crazyhouse
F -each whitepov=on
F -resultformat wide2
F -recover yes
F -variant fischerandom
F -openings file=book
F -each colour=red
F -rounds 10 20
F -rounds many
F -draw count=5
F -draw
F -resign twosided=yes
F -ronds 5
F -seeds 2
F -sprt elo0=nan elo1=5 alpha=0.05 beta=0.05
F -sprt elo0=5 elo1=0 alpha=0.05 beta=0.05
F -sprt elo0=0 elo1=5 alpha=0.9 beta=0.9
F -sprt alpha=0.05 beta=0.05 model=bayesian
F -maxmoves 0
F -concurrency 0
F -srand -1
F -tb /tb -tbpieces six
F -openings file=x.epd order=backwards
F -each proto=xboard
F -each restart=true
F -each st=5
F -each tc=hg10
F -engine cmd=./c -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05
C tc=0/20+2 -rounds 2 -repeat
C tc=inf nodes=5 -rounds 2 -repeat
C tc=1 nodes=5 depth=3 -rounds 2 -repeat
C tc=1 -rounds 2 -repeat -maxmoves 0
C tc=1 -games 4 -rounds 3 -repeat 2
C tc=1 option.SyzygyPath= -rounds 2 -repeat
C tc=1 debug trust -rounds 2 -repeat
C tc=1 ponder -rounds 2 -repeat
C tc=1 -rounds 6 -repeat -variant fischerandom
C tc=1 -games 2
C tc=1 -games 4 -repeat 4
C tc=1 -rounds 3 -repeat
C tc=1 -rounds 6 -repeat -openings file=x policy=encounter
C tc=1 -rounds 2 -repeat -resign movecount=3
C tc=1 -rounds 2 -repeat -sprt elo1=5 alpha=0.05 beta=0.05
C tc=1 whitepov -rounds 2 -repeat
C tc=1 -rounds 2 -repeat -tbadjudicate BOTH
-each option.Hash=64 nodes=5000 restart=on 'option.Clear Hash=true' -engine cmd=a option.Hash=1 args='-x -y' restart=off -engine cmd=b name='my b' nodes=7
-each option.Hash=64 nodes=5000 -engine cmd=a option.Hash=1 args='-x -y' -engine cmd=b name='my b' plies=3 tc=1+0.1
-engine cmd=a -engine cmd=b st=0.25 -each st=0.25 -rounds 1
-engine cmd=a name='a"b c' -engine cmd=b name="it's" -each nodes=5
-engine cmd=a -engine cmd=a -each nodes=5
-engine cmd=a nodes=x -engine cmd=b -each tc=5
-engine cmd=a -engine cmd=b -each tc=fast
-engine cmd=a name==x -engine cmd=b -each nodes=5
-engine cmd=a name=-x -engine cmd=b -each nodes=5
-engine cmd=a nodes=1
-engine cmd=a nodes=1 -engine name=b nodes=1
-engine cmd=a -engine cmd=b tc=inf
fastchess stray -engine cmd=a
fastchess -engine cmd=./python3 dir=e -engine cmd=python3 dir=e -each nodes=5
/cutechess/fastchess -engine cmd=python3 dir=e -engine cmd=./b -each nodes=5
cutechess-cli -engine cmd=a arg=-q 'arg=b c' -engine cmd=b -each tc=1 arg=-x -games 2 -repeat
cutechess-cli -engine cmd=./python3 dir=e -engine cmd=./b -each nodes=5 -games 2 -repeat
"#;

/// Two engines with a limit, and these words.
fn with_engines(words: &str) -> String {
    format!("-engine cmd=./a -engine cmd=./b -each tc=10/1+0 option.Hash=8 {words}")
}

/// The tournament file of a line.
fn file_of(translation: &Translation) -> Result<String, Failure> {
    assert_eq!(translation.errors, Vec::<String>::new());
    let (parsed, of_match) = parsed(&translation.command())?;
    file(&translation.description(&parsed, &of_match)?)
}

#[test]
fn lines_become_commands_or_are_refused() {
    let mut becomes = String::new();
    for shown in LINES.trim().lines() {
        let line = match shown.split_at(2) {
            ("F ", words) => with_engines(words),
            ("C ", words) => {
                format!("cutechess-cli -engine cmd=./a -engine cmd=./b -each option.Hash=1 proto=uci {words}")
            }
            _ => shown.to_owned(),
        };
        let result = match translated(&line) {
            Err(errors) => format!("error: {}", errors.join("\nerror: ")),
            Ok(command) => match file_of(&translation(&line)) {
                Ok(_) => command,
                Err(wrong) => format!("wrong: {wrong}"),
            },
        };
        becomes += &format!("{shown}\n{result}\n\n");
    }
    insta::assert_snapshot!(becomes);
    let folders = if cfg!(windows) { "/a;/b" } else { "/a:/b" };
    let tables = translated(&with_engines(&format!("-tb '{folders}'"))).unwrap();
    assert!(tables.contains("--tb /a --tb /b"), "{tables}");
    if cfg!(not(windows)) {
        let line = "cutechess-cli -engine cmd=python3 dir=e -engine cmd=./b -each nodes=5 -games 2 -repeat";
        assert_eq!(translation(line).engines[0], "cmd=python3 dir=e");
    }
}

#[test]
fn what_does_not_change_the_games_is_a_note() {
    let words = "-wait 5 -event My Event -report penta=false -log file=x level=trace -reverse -ping-ms 5 \
                 -pgnout file=x notation=lan -recover -use-affinity 1,2 -config outname=x.json -resign movecount=3 score=400 \
                 -draw movenumber=40 movecount=8 score=10 -srand 1 -openings file=b.epd order=random -games 50 -sprt elo0=0 \
                 elo1=5 alpha=0.05 beta=0.05";
    let line = with_engines(words).replace("option.Hash=8", "").replace("+0 ", "+0.1 ");
    let noted = translation(&line);
    assert_eq!(noted.errors, Vec::<String>::new());
    insta::assert_snapshot!(noted.notes.join("\n"));
    let plain = translation(&with_engines("-repeat -rounds 5 -openings file=b.epd")).notes;
    assert!(plain.iter().all(|note| note.starts_with("`tc`")), "{plain:?}");
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
            if let Becomes::Also(_) = word.becomes {
                let mut others = WORDS.iter().filter(|other| other.option == word.option);
                examples = vec![others.find(|other| other.is_of(is_cutechess)).unwrap().example];
            } else if let Becomes::Note(_) | Becomes::Refused(_) = word.becomes {
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
                    Becomes::Words(text, _) if text.contains(" = ") => {
                        let file = file_of(&translation).unwrap();
                        assert!(file.contains(text), "{shown}: {file}");
                    }
                    Becomes::Words(text, _)
                    | Becomes::Always(text, _)
                    | Becomes::OfEngine(text, _)
                    | Becomes::Renamed(text) => {
                        assert!(command.contains(text), "{shown}: {command}");
                        assert!(
                            !text.is_empty() || translation.command == without().command,
                            "{shown}: {command}"
                        );
                    }
                    Becomes::Usual(_) => assert_eq!(translation.command, without().command, "{shown}"),
                    Becomes::Note(text) | Becomes::Also(text) => {
                        let is_named = |note: &String| note.starts_with(&about) && note.ends_with(text);
                        assert!(
                            translation.notes.iter().any(is_named),
                            "{shown}: {:?}",
                            translation.notes
                        );
                        let changes = matches!(word.becomes, Becomes::Also(_));
                        assert!(changes || translation.command == without().command, "{shown}");
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
    assert!(file_of(&whole).unwrap().contains(r"C:\e\new.exe"));
    assert_eq!(
        line("-engine cmd='a -engine cmd=b").errors,
        ["a quote has no other half"]
    );
    if cfg!(not(windows)) {
        let posix = line(r"fastchess -engine cmd=./my\ e name=\$x -engine cmd=./b -each tc=8");
        assert_eq!(shlex::split(&posix.engines[0]).unwrap(), ["cmd=./my e", "name=$x"]);
    }
}

#[test]
fn more_than_two_engines_become_a_tournament_file() {
    let file = |words: &str| file_of(&translation(&with_engines(words))).unwrap();
    let three =
        "-engine cmd=./c dir=e name=third tc=1 -rounds 5 -openings file=b.epd -tb t -srand 18446744073709551615";
    insta::assert_snapshot!("round_robin", file(three).replace('\\', "/"));
    assert!(file(&format!("{three} -tournament gauntlet")).contains("format = \"gauntlet\""));
    let seeds = translation(&with_engines(&format!("{three} -seeds 2 -tournament gauntlet")));
    assert!(seeds.errors.concat().contains("`-seeds 2`"), "{:?}", seeds.errors);
}
