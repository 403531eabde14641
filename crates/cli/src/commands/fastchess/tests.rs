use super::engines::word;
use lmrlab_runner::tournament::defaults::all_threads;

use super::*;

fn translation(line: &str) -> Translation {
    Translation::of(shlex::split(line).unwrap(), Path::new("/nowhere"))
}

/// The command for a line, or its errors.
fn translated(line: &str) -> Result<String, Vec<String>> {
    let translation = translation(line);
    match translation.errors.is_empty() {
        true => Ok(shell_words(&translation.command)),
        false => Err(translation.errors),
    }
}

/// Two engines with a limit, and these words.
fn with_engines(words: &str) -> String {
    format!("-engine cmd=./a -engine cmd=./b -each tc=10/1+0 option.Hash=8 {words}")
}

/// The options that these words become, without those that every line has.
fn options(words: &str) -> String {
    let whole = translated(&with_engines(words)).unwrap();
    let engines = "cmd=./a cmd=./b --each option.Hash=8 --tc 10/1+0 ";
    let options = whole.strip_prefix(engines).unwrap();
    let usual = ["--openings positions/start.epd", "--threads 1", "--faults-allowed 1"];
    let words = usual
        .iter()
        .fold(options.to_owned(), |text, usual| text.replace(usual, ""));
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn lines_of_manuals_and_tests_of_fastchess_are_translated() {
    for (line, command) in [
        (
            "fastchess.exe -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -each tc=10+0.1 -rounds 200 \
             -repeat -concurrency 4",
            "'cmd=Engine1.exe name=Engine1' 'cmd=Engine2.exe name=Engine2' --tc 10+0.1 --pairs 200 --openings \
             positions/start.epd --threads 4 --faults-allowed 1",
        ),
        (
            "fastchess -engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 -openings file=book.epd \
             format=epd order=random -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4",
            "'cmd=Engine1.exe name=Engine1' 'cmd=Engine2.exe name=Engine2' --each option.Hash=64 --tc 60+0.6 --pairs 200 \
             --openings book.epd --order random --threads 4 --faults-allowed 1",
        ),
        (
            "./fastchess -engine cmd=./random_mover name=random_move_1 -engine cmd=./random_mover name=random_move_2 -each \
             tc=2+0.02s -rounds 3 -repeat -concurrency 2 -openings file=./app/tests/data/openings.pgn format=pgn \
             order=sequential plies=4 -pgnout file=plies_test.pgn -log file=log.txt level=info",
            "'cmd=./random_mover name=random_move_1' 'cmd=./random_mover name=random_move_2' --tc 2+0.02 --pairs 3 --openings \
             ./app/tests/data/openings.pgn --plies 4 --order sequential --threads 2 --faults-allowed 1",
        ),
        (
            "./fastchess -engine cmd=./scripted_result args=--crash-on-go name=crasher -engine cmd=./scripted_result \
             name=healthy -each nodes=1 -rounds 2 -repeat -concurrency 1 -recover -log file=log.txt level=info",
            "'cmd=./scripted_result name=crasher args=--crash-on-go' 'cmd=./scripted_result name=healthy' --nodes 1 --pairs 2 \
             --openings positions/start.epd --threads 1 --faults-allowed inf",
        ),
        // The original test has engines with two and three limits. Here they have one each.
        (
            "fastchess.exe -engine dir=./ cmd=app/dummy st=5 option.Threads=1 option.Hash=16 name=A -engine dir=./ cmd=app/dummy \
             tc=40/1:9.65+0.1 timemargin=243 option.Threads=1 option.Hash=32 name=B -openings file=./app/test.epd format=epd \
             order=random plies=16 -rounds 50 -games 2 -pgnout file=PGNs/A_vs_B -use-affinity 0-1",
            "'cmd=./app/dummy name=A dir=./ option.Threads=1 option.Hash=16 st=5 timemargin=0' 'cmd=./app/dummy name=B dir=./ \
             option.Threads=1 option.Hash=32 tc=40/1:9.65+0.1 timemargin=243' --pairs 50 --openings ./app/test.epd --order \
             random --threads 1 --pin --faults-allowed 1",
        ),
        (
            "cutechess-cli -recover -repeat -games 2 -rounds 100 -pgnout out.pgn -srand 7 -resign movecount=3 score=600 -draw \
             movenumber=34 movecount=8 score=20 -variant standard -concurrency 4 -openings file=UHO.epd format=epd \
             order=sequential -engine name=sf_1 tc=inf depth=6 cmd=./sf_1 dir=. -engine name=sf_2 tc=inf depth=8 cmd=./sf_2 dir=. \
             -each proto=uci option.Threads=1",
            "'cmd=./sf_1 name=sf_1 dir=. depth=6' 'cmd=./sf_2 name=sf_2 dir=. depth=8' --each option.Threads=1 --pairs 100 --draw \
             34,8,20 --resign 3,600 --openings UHO.epd --order sequential --seed 7 --threads 4 --faults-allowed inf",
        ),
        // OpenBench, with fastchess and with cutechess.
        (
            "fastchess -repeat -recover -variant standard -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
             -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=A-dev -engine \
             dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 timemargin=250 option.Threads=1 option.Hash=16 name=B-base -openings \
             file=Books/X.epd format=epd order=random start=97 plies=16 -srand 1 -pgnout file=PGNs/1.pgn -concurrency 2 -games 32",
            "'cmd=Engines/A name=A-dev dir=Engines/ option.Threads=1 option.Hash=16' 'cmd=Engines/B name=B-base dir=Engines/ \
             option.Threads=1 option.Hash=16' --tc 8.0+0.08 --timemargin 250 --pairs 32 --draw 40,8,10 --resign 3,400 --openings \
             Books/X.epd --order random --start 97 --seed 1 --threads 2 --faults-allowed inf",
        ),
        (
            "./cutechess-linux -repeat -recover -variant fischerandom -resign movecount=3 score=400 -draw movenumber=40 \
             movecount=8 score=10 -engine dir=Engines/ cmd=./A proto=uci tc=8.0+0.08 timemargin=250 option.Hash=16 name=A -engine \
             dir=Engines/ cmd=./B proto=uci tc=8.0+0.08 timemargin=250 option.Hash=16 name=B -openings file=Books/X.pgn \
             format=pgn order=random start=1 plies=16 -srand 1 -event X -rounds 16 -games 2 -concurrency 2",
            "'cmd=Engines/A name=A dir=Engines/ option.Hash=16' 'cmd=Engines/B name=B dir=Engines/ option.Hash=16' --tc 8.0+0.08 \
             --timemargin 250 --pairs 16 --draw 40,8,10 --resign 3,400 --openings Books/X.pgn --plies 16 --order random --seed 1 \
             --variant chess960 --threads 2 --faults-allowed inf",
        ),
        (
            "-quick cmd=./new cmd=./new book=b.epd -concurrency 1",
            "cmd=./new 'cmd=./new name=new_2' --tc 10+0.1 --pairs 25000 --draw 30,8,8 --openings b.epd --order random --threads 1 \
             --faults-allowed inf",
        ),
    ] {
        assert_eq!(translated(line).as_deref(), Ok(command), "{line}");
    }
}

#[test]
fn each_option_means_what_it_means_there() {
    for (words, expected) in [
        ("-rounds 7 -repeat", "--pairs 7"),
        ("", "--pairs 2"),
        ("-games 400 -rounds 2", "--pairs 400"),
        ("-games 400", "--pairs 400"),
        ("-games 4 -repeat -rounds 9", "--pairs 9"),
        (
            "-resign movecount=3 score=600 twosided=true",
            "--pairs 2 --resign 3,600 --resign-two-sided",
        ),
        ("-draw score=5", "--pairs 2 --draw 0,1,5"),
        ("-maxmoves 150", "--pairs 2 --maxmoves 150"),
        (
            "-tb /tb -tbpieces 5 -tbignore50 -tbadjudicate BOTH",
            "--pairs 2 --tb /tb --tb-pieces 5 --tb-ignore50",
        ),
        ("-tb /tb -tbpieces 0", "--pairs 2 --tb /tb"),
        ("-tbpieces 5 -tbignore50", "--pairs 2"),
        (
            "-sprt elo0=-1.5 elo1=5 alpha=0.05 beta=0.1 -rounds 256",
            "--pairs 256 --sprt=-1.5,5 --alpha 0.05 --beta 0.1 --model normalized",
        ),
        (
            "-sprt elo1=2 alpha=0.05 beta=0.05 model=logistic",
            "--pairs 2 --sprt=0,2 --alpha 0.05 --beta 0.05 --model logistic",
        ),
        ("-srand 1234 -srand 5", "--pairs 2 --seed 5"),
        ("-tournament gauntlet -seeds 1", "--pairs 2"),
        ("-pgnout file=x.pgn min=true notation=uci", "--pairs 2 --pgn compact"),
        (
            "-openings file=b.pgn plies=8 start=4",
            "--pairs 2 --openings b.pgn --plies 8 --order sequential --start 4",
        ),
    ] {
        assert_eq!(options(words), expected, "{words}");
    }
    let folders = if cfg!(windows) { "/a;/b" } else { "/a:/b" };
    assert_eq!(options(&format!("-tb '{folders}'")), "--pairs 2 --tb /a --tb /b");
    let all = all_threads().get();
    let command = translated(&with_engines("-concurrency 0")).unwrap();
    assert!(command.contains(&format!("--threads {all} ")), "{command}");
}

#[test]
fn an_engine_has_what_all_engines_have() {
    let words = "-each option.Hash=64 nodes=5000 restart=on 'option.Clear Hash=true' -engine cmd=a option.Hash=1 args='-x -y' \
                 restart=off -engine cmd=b name='my b'";
    assert_eq!(
        translated(&format!("{words} nodes=7")).as_deref(),
        Ok(
            "'cmd=a args=\"-x -y\"' 'cmd=b name=\"my b\"' --each 'option.Hash=64 restart=on \"option.Clear Hash=true\"' --nodes 5000 \
             --pairs 2 --openings positions/start.epd --threads 1 --faults-allowed 1"
        )
    );
    assert_eq!(
        translated(&format!("{words} plies=3")).unwrap_err(),
        ["the engine my b has nodes=5000 and depth=3: lmrlab limits a move by one of them; keep one"]
    );
    assert_eq!(
        translated("-engine cmd=a st=0.25 -engine cmd=b st=0.25 -rounds 1").as_deref(),
        Ok(
            "cmd=a cmd=b --movetime 250 --timemargin 0 --pairs 1 --openings positions/start.epd --threads 1 --faults-allowed 1"
        )
    );
    assert_eq!(
        translated(
            "cutechess-cli -engine cmd=a arg=-q 'arg=b c' -engine cmd=b -each tc=1 -games 2 -repeat -openings file=x"
        )
        .as_deref(),
        Ok(
            "'cmd=a args=\"-q '\\''b c'\\''\"' cmd=b --tc 1 --pairs 1 --openings x --order sequential --threads 1 --faults-allowed 1"
        )
    );
    for (value, expected) in [("a\"b c", "'args=a\"b c'"), ("it's", "args=\"it's\"")] {
        assert_eq!(word("args", value), expected);
    }
}

#[test]
fn logs_and_pondering_are_translated() {
    let line = "-engine cmd=a -engine cmd=b ponder=on -each tc=1 -rounds 1 -log file=all.log engine=true level=trace -use-affinity";
    assert_eq!(
        translated(line).as_deref(),
        Ok(
            "cmd=a 'cmd=b ponder=true' --tc 1 --pairs 1 --openings positions/start.epd --threads 1 --pin --log all.log \
             --faults-allowed 1"
        )
    );
    let line = "cutechess-cli -engine cmd=a -engine cmd=b ponder -each tc=1 -games 2 -repeat -openings file=x";
    assert!(
        translated(line)
            .unwrap()
            .starts_with("cmd=a 'cmd=b ponder=true' --tc 1 ")
    );
}

#[test]
fn what_would_change_the_games_is_an_error() {
    for (words, error) in [
        (
            "-tb /tb -tbadjudicate DRAW",
            "`-tbadjudicate DRAW`: lmrlab's tablebases end won and drawn games",
        ),
        ("-tb /tb -tbpieces six", "`-tbpieces six`: a whole number"),
        ("-noswap", "`-noswap`: lmrlab plays each opening with both colours"),
        ("-games 1", "one game of each opening"),
        ("-games 3 -rounds 5", "at most 2 games of a round"),
        ("-rounds 0", "at least 1"),
        ("-sprt elo0=0 elo1=5", "`-sprt` needs `alpha=` and `beta=`"),
        (
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=bayesian",
            "lmrlab has no BayesElo",
        ),
        ("-variant crazyhouse", "`-variant crazyhouse`"),
        (
            "-config file=config.json",
            "does not read the settings of another program",
        ),
        ("-engine cmd=c", "plays two engines, and here are 3"),
        ("-each whitepov=on", "has nothing like it"),
        ("-each proto=xboard", "engines that speak UCI"),
        ("-each restart=true", "it is `on` or `off`"),
        ("-each colour=red", "does not describe an engine"),
        ("-each nodes=5", "tc=10/1+0 and nodes=5"),
        ("-rounds 10 20", "`-rounds` has one value, and here it has 2"),
        ("-rounds many", "a whole number belongs here"),
        (
            "-draw count=5",
            "`-draw` has no `count=`; it has movenumber=, movecount=, score=",
        ),
        ("-draw 5", "`5` is not KEY=VALUE"),
        ("-resign twosided=yes", "it is `true` or `false`"),
        ("-ronds 5", "fastchess has no option `-ronds`; did you mean `-rounds`?"),
        ("--run", "write it before the words of fastchess"),
        ("-version", "plays no games"),
    ] {
        let errors = translated(&with_engines(words)).unwrap_err();
        assert!(errors.iter().any(|text| text.contains(error)), "{words}: {errors:?}");
    }
    for (line, error) in [
        ("-engine cmd=a nodes=1", "a match has two engines"),
        (
            "-engine cmd=a nodes=1 -engine name=b nodes=1",
            "`-engine` without `cmd=`",
        ),
        ("-engine cmd=a -engine cmd=b tc=inf", "the engine a has no limit"),
        ("fastchess stray -engine cmd=a", "`stray` belongs to no option"),
        (
            "cutechess-cli -engine cmd=a -engine cmd=b -each tc=1 -games 2",
            "without `-repeat` cutechess plays each opening once",
        ),
        (
            "cutechess-cli -engine cmd=a -engine cmd=b -each tc=1 -rounds 3 -repeat",
            "3 games: lmrlab plays each opening twice",
        ),
    ] {
        let errors = translated(line).unwrap_err();
        assert!(errors.iter().any(|text| text.contains(error)), "{line}: {errors:?}");
    }
}

#[test]
fn what_does_not_change_the_games_is_a_note() {
    let words = "-wait 5 -event My Event -site X -ratinginterval 2 -scoreinterval 3 -autosaveinterval 4 -report penta=false \
                 -output format=cutechess -log file=x level=trace -crc32 pgn=true -show-latency -testEnv -strict \
                 -check-mate-pvs -epdout file=x -force-concurrency -reverse -seeds 2 -startup-ms 5 -ucinewgame-ms 5 -ping-ms 5 \
                 -pgnout file=x notation=lan -recover -use-affinity 1,2 -config outname=x.json -resign movecount=3 score=400 \
                 -draw movenumber=40 movecount=8 score=10 -srand 1 -openings file=b.epd order=random -games 50 -sprt elo0=0 \
                 elo1=5 alpha=0.05 beta=0.05";
    let line = with_engines(words).replace("option.Hash=8", "").replace("+0 ", "+0.1 ");
    let translation = translation(&line);
    assert_eq!(translation.errors, Vec::<String>::new());
    insta::assert_snapshot!(translation.notes.join("\n"));
    let plain = self::translation(&with_engines("-repeat -rounds 5 -openings file=b.epd"));
    assert!(
        plain.notes.iter().all(|note| note.starts_with("`tc`")),
        "{:?}",
        plain.notes
    );
}

#[test]
fn a_line_may_be_one_word() {
    let words = vec!["-engine cmd=a -engine 'cmd=b c' -each nodes=5".to_owned()];
    let translation = Translation::of(words, Path::new("/nowhere"));
    assert_eq!(translation.errors, Vec::<String>::new());
    assert_eq!(translation.command.get(1).map(String::as_str), Some("cmd=\"b c\""));
}
