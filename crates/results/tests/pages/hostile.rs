//! Text from files neither breaks nor scripts a page.

use lmrlab_results::visible::is_unprintable;

use crate::markup::{Element, elements};
use crate::small_run::{MOVES, SmallRun};

fn texts() -> Vec<String> {
    let long = "x".repeat(10_000);
    let wide = "<b>".repeat(3_000);
    let texts = [
        "</script><script>alert(1)</script>",
        "--><script>alert(1)</script><!--",
        "<img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "' onclick='alert(1)",
        "</title></style></pre></svg><b>",
        "<![CDATA[ ]]> &amp; &lt; &#60;script&#62;",
        "\u{1b}[31mred\u{7}\u{0}",
        "\u{202e}txet desrever\u{2066}\u{200f}",
        "a\u{2028}b\u{2029}c\u{feff}",
        "javascript:alert(1)",
        "\\u003cscript\\u003e \\\" ${alert(1)} `",
        "日本語 ünïcödé 🦀",
        long.as_str(),
        wide.as_str(),
    ];
    texts.map(str::to_owned).to_vec()
}

/// Checks a page; returns the text of its games.
fn check(page: &str, text: &str) -> String {
    let shown: String = text.chars().take(60).collect();
    let found = elements(page).unwrap_or_else(|error| panic!("{shown:?}: {error}"));
    let raw = page.chars().find(|letter| is_unprintable(*letter) && *letter != '\n');
    assert_eq!(raw, None, "{shown:?}");
    let plain = SmallRun::default().page();
    let own = elements(&plain).unwrap();
    let script = |element: &&Element| element.name == "script" && element.attributes.is_empty();
    let scripts = found.iter().filter(script).map(|element| &element.raw);
    assert!(
        scripts.eq(own.iter().filter(script).map(|element| &element.raw)),
        "{shown:?}"
    );
    for element in &found {
        assert!(element.name != "img", "{shown:?}");
        for (attribute, value) in &element.attributes {
            assert!(!attribute.starts_with("on"), "{shown:?}: {element:?}");
            assert!(attribute != "href" || value.starts_with('#'), "{shown:?}: {element:?}");
            assert!(attribute != "src", "{shown:?}: {element:?}");
        }
    }
    let bold = |elements: &[Element]| elements.iter().filter(|element| element.name == "b").count();
    assert_eq!(bold(&found), bold(&own), "{shown:?}");
    let is_data = |element: &&Element| element.name == "script" && !element.attributes.is_empty();
    let data: Vec<_> = found
        .iter()
        .filter(is_data)
        .map(|element| element.raw.clone())
        .collect();
    assert_eq!(data.len(), 1, "{shown:?}");
    data[0].clone()
}

#[test]
fn names_and_texts() {
    for text in texts() {
        let run = SmallRun {
            engine: text.clone(),
            text: text.clone(),
            ..SmallRun::default()
        };
        let games: serde_json::Value = serde_json::from_str(&check(&run.page(), &text)).unwrap();
        // The script gets the PGN to the letter.
        assert_eq!(games[1]["pgn"], run.pgn());
        // Two letters a move; castling goes to the rook's square.
        assert_eq!(games[0]["moves"].as_str().unwrap().len(), 2 * MOVES.split(' ').count());
    }
}

#[test]
fn positions_of_openings() {
    for text in texts() {
        let run = SmallRun {
            fen: format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 {text}"),
            ..SmallRun::default()
        };
        let page = run.page();
        assert!(elements(&page).is_ok(), "{text:?}");
        assert!(
            !page.chars().any(|letter| is_unprintable(letter) && letter != '\n'),
            "{text:?}"
        );
    }
}
