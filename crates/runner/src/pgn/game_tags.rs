//! The tags of the games of a PGN stream.
//!
//! Moves are passed over at the speed of memory. The scanner looks at the first byte of each line. Where a line of moves
//! might be a tag, it looks for the last brace before it.

use std::io::{self, Read};

use memchr::{memchr, memrchr, memrchr2};

use super::tokenizer::tag;

/// Bytes read at once.
const BLOCK: usize = 1 << 18;
/// Longer lines are no tags.
const LONGEST_TAG: usize = 1 << 14;

/// The tags of a game that matter for ratings; empty when the game does not have them. Values are as they stand in the
/// file, with escapes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameTags {
    /// Who had White.
    pub white: Vec<u8>,
    /// Who had Black.
    pub black: Vec<u8>,
    /// How it ended.
    pub result: Vec<u8>,
    /// What the game began with.
    pub fen: Vec<u8>,
    /// Whether the game broke off within a comment.
    pub cut_off: bool,
}

impl GameTags {
    fn clear(&mut self) {
        for tag in [&mut self.white, &mut self.black, &mut self.result, &mut self.fen] {
            tag.clear();
        }
        self.cut_off = false;
    }
}

/// Where a game is in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Before the first tag.
    Nothing,
    Tags,
    Moves,
}

/// What a place in the moves is within.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comment {
    None,
    /// From `{` to `}`.
    Braces,
    /// From `;` to the end of the line.
    Line,
}

/// Reads games one after the other.
struct Scanner<F> {
    game: GameTags,
    part: Part,
    /// What the moves so far end within.
    comment: Comment,
    /// Whether the last line of the last block was too long to be kept: what follows is no start of a line.
    within_line: bool,
    /// The end of the moves so far, for the result where its tag is missing.
    tail: Vec<u8>,
    found: F,
}

/// Calls `found` with each game of a stream, in order. Returns the number of bytes.
///
/// # Errors
/// When reading fails.
pub fn scan(mut source: impl Read, found: impl FnMut(&GameTags)) -> io::Result<u64> {
    let mut scanner = Scanner {
        game: GameTags::default(),
        part: Part::Nothing,
        comment: Comment::None,
        within_line: false,
        tail: Vec::new(),
        found,
    };
    let mut buffer = vec![0; BLOCK];
    let (mut kept, mut total) = (0, 0);
    loop {
        if kept == buffer.len() {
            buffer.resize(2 * buffer.len(), 0);
        }
        let read = match source.read(&mut buffer[kept..]) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let first = total == 0;
        total += read as u64;
        let end = kept + read;
        let start = if first && buffer[..end].starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        let used = start + scanner.block(&buffer[start..end], read == 0);
        if read == 0 {
            break;
        }
        buffer.copy_within(used..end, 0);
        kept = end - used;
    }
    scanner.finish();
    Ok(total)
}

impl<F: FnMut(&GameTags)> Scanner<F> {
    /// Scans the lines of a block and returns how many bytes were done with. Unless it is the last, what may become a
    /// tag when more is read is left.
    fn block(&mut self, block: &[u8], last: bool) -> usize {
        let mut at = 0;
        // Where the moves of the current game begin in this block.
        let mut moves = 0;
        if self.within_line {
            match memchr(b'\n', block) {
                Some(end) => {
                    self.within_line = false;
                    at = end + 1;
                }
                None => at = block.len(),
            }
        }
        while at < block.len() {
            let rest = &block[at..];
            let first = rest[0];
            if first == b'[' && (self.part != Part::Moves || may_be_tag(rest, last)) {
                let end = match memchr(b'\n', rest) {
                    Some(end) => end + 1,
                    None if !last && rest.len() < LONGEST_TAG => break,
                    None => {
                        self.within_line = !last;
                        rest.len()
                    }
                };
                if self.tag_line(&rest[..end], &block[moves..at]) {
                    moves = at;
                }
                at += end;
                if self.part != Part::Moves {
                    moves = at;
                }
                continue;
            }
            let length = if self.part == Part::Tags && is_blank(rest) {
                let end = memchr(b'\n', rest);
                if end.is_none() && !last && rest.len() < LONGEST_TAG {
                    break;
                }
                end.map(|end| end + 1)
            } else {
                if self.part == Part::Tags {
                    self.part = Part::Moves;
                    moves = at;
                }
                next_line(rest)
            };
            if let Some(length) = length {
                at += length;
            } else {
                self.within_line = !last;
                at = block.len();
            }
        }
        if self.part == Part::Moves {
            self.passed(&block[moves.min(at)..at]);
        }
        at
    }

    /// A line that begins with a bracket, after these moves. Returns whether the moves before it are done with.
    fn tag_line(&mut self, line: &[u8], moves: &[u8]) -> bool {
        let Some((name, mut value, mut rest)) = tag(line) else {
            return false;
        };
        if self.part == Part::Moves {
            self.passed(moves);
            if self.comment == Comment::Braces {
                // A comment may hold lines that look like tags. But a file that was cut off within a comment and
                // continued with another game must not swallow the rest.
                if name != b"Event" {
                    return true;
                }
                self.game.cut_off = true;
            }
            self.end_of_game();
        }
        self.tag(name, value);
        // Rarely there is more than one in a line.
        while let Some((name, next, after)) = tag(rest.trim_ascii_start()) {
            (value, rest) = (next, after);
            self.tag(name, value);
        }
        true
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        // Where a game has no moves, only its tags tell that the next one has begun.
        if matches!(name, b"Event" | b"White") && !self.game.white.is_empty() {
            self.end_of_game();
        }
        self.part = Part::Tags;
        let field = match name {
            b"White" => &mut self.game.white,
            b"Black" => &mut self.game.black,
            b"Result" => &mut self.game.result,
            b"FEN" => &mut self.game.fen,
            _ => return,
        };
        field.clear();
        field.extend_from_slice(value);
    }

    /// Takes note of moves that have been passed over.
    fn passed(&mut self, moves: &[u8]) {
        self.comment = comment_after(moves, self.comment);
        let end = &moves[moves.len().saturating_sub(32)..];
        self.tail.extend_from_slice(end);
        let excess = self.tail.len().saturating_sub(32);
        self.tail.drain(..excess);
    }

    fn finish(&mut self) {
        if self.part != Part::Nothing {
            self.game.cut_off |= self.comment == Comment::Braces;
            self.end_of_game();
        }
    }

    fn end_of_game(&mut self) {
        if self.game.result.is_empty() {
            let word = self.tail.trim_ascii().rsplit(u8::is_ascii_whitespace).next();
            if let Some(word @ (b"1-0" | b"0-1" | b"1/2-1/2" | b"*")) = word {
                self.game.result.extend_from_slice(word);
            }
        }
        (self.found)(&self.game);
        self.game.clear();
        self.tail.clear();
        self.comment = Comment::None;
        self.part = Part::Nothing;
    }
}

/// Length up to the next line that begins with a bracket, which is not the first line; `None` if there is none.
fn next_line(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(end) = memchr(b'\n', &text[at..]) {
        at += end + 1;
        if text.get(at).is_none_or(|&first| first == b'[') {
            return Some(at);
        }
    }
    None
}

/// Whether a line that begins with a bracket could be a tag; also when too little of it is there to tell.
fn may_be_tag(line: &[u8], last: bool) -> bool {
    line.get(1).map_or(!last, u8::is_ascii_alphabetic)
}

fn is_blank(text: &[u8]) -> bool {
    let line = &text[..memchr(b'\n', text).unwrap_or(text.len())];
    line.first() == Some(&b'%') || line.trim_ascii().is_empty()
}

/// What the end of these moves is within, `before` being the same for their beginning.
fn comment_after(moves: &[u8], before: Comment) -> Comment {
    let last_line = memrchr(b'\n', moves).map_or(0, |end| end + 1);
    let brace = memrchr2(b'{', b'}', moves);
    let brace_line = brace.map_or(0, |at| memrchr(b'\n', &moves[..at]).map_or(0, |end| end + 1));
    let semicolon = memchr(b';', &moves[last_line..]).is_some()
        || brace.is_some_and(|at| memchr(b';', &moves[brace_line..at]).is_some());
    if before == Comment::Line || semicolon {
        // Rare enough to look at every byte.
        return moves.iter().fold(before, |comment, byte| match (comment, byte) {
            (Comment::None, b'{') => Comment::Braces,
            (Comment::None, b';') => Comment::Line,
            (Comment::Braces, b'}') | (Comment::Line, b'\n') => Comment::None,
            _ => comment,
        });
    }
    match brace {
        Some(at) if moves[at] == b'{' => Comment::Braces,
        Some(_) => Comment::None,
        None => before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Hands out a few bytes at a time.
    struct Dripping<'a>(&'a [u8], usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn games(text: &[u8], step: usize) -> Vec<GameTags> {
        let mut games = Vec::new();
        let bytes = scan(Dripping(text, step), |game| games.push(game.clone())).expect("a slice");
        assert_eq!(bytes, text.len() as u64);
        games
    }

    fn summary(text: &str) -> Vec<String> {
        let whole = games(text.as_bytes(), usize::MAX);
        for step in [1, 2, 3, 7, 50] {
            assert_eq!(games(text.as_bytes(), step), whole, "{step} bytes at a time");
        }
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        whole
            .iter()
            .map(|game| {
                let cut_off = if game.cut_off { " cut off" } else { "" };
                format!(
                    "{}-{} {}{cut_off}",
                    text(&game.white),
                    text(&game.black),
                    text(&game.result)
                )
            })
            .collect()
    }

    #[test]
    fn plain_games() {
        let text = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[FEN \"f\"]\n\n1. e4 e5 1-0\n\n\
                    [White \"B\"]\n[Black \"A\"]\n[Result \"*\"]\n\n*\n";
        assert_eq!(summary(text), ["A-B 1-0", "B-A *"]);
        assert_eq!(games(text.as_bytes(), 9)[0].fen, b"f");
        assert_eq!(summary(&text.replace('\n', "\r\n")), ["A-B 1-0", "B-A *"]);
        assert_eq!(summary(&format!("\u{feff}{text}")), ["A-B 1-0", "B-A *"]);
        assert_eq!(summary(&format!("% escaped\n\n{text}")), ["A-B 1-0", "B-A *"]);
    }

    #[test]
    fn comments_that_look_like_tags() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {a comment\n[White \"C\"]\n[%clk 0:01]\n} e5\n\
                    [%eval 3] {[Black \"D\"]} ; and { this\n1/2-1/2\n\n[White \"E\"]\n[Black \"F\"]\n\n0-1";
        assert_eq!(summary(text), ["A-B 1/2-1/2", "E-F 0-1"]);
    }

    #[test]
    fn a_file_that_was_cut_off_does_not_lose_the_next_game() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.3\n[Event \"x\"]\n[White \"C\"]\n\
                    [Black \"D\"]\n[Result \"0-1\"]\n\n1. d4 {-0";
        assert_eq!(summary(text), ["A-B 1-0 cut off", "C-D 0-1 cut off"]);
    }

    #[test]
    fn games_without_moves_and_tags_in_one_line() {
        let text =
            "[Event \"x\"]\n[White \"A\"][Black \"B\"] [Result \"1-0\"]\n[Event \"y\"]\n[White \"C\"]\n[White \"D\"]\n";
        assert_eq!(summary(text), ["A-B 1-0", "C- ", "D- "]);
        assert_eq!(summary(""), Vec::<String>::new());
        assert_eq!(summary("no games\n[at all]\n[x"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_portions_give_the_same(
            text in "([\\[\\]{};\"\\\\%a \r]|\n|\n\\[White \"|\"\\]\n|1-0|\n\\[Event \"){0,60}", step in 1_usize..40,
        ) {
            prop_assert_eq!(games(text.as_bytes(), step), games(text.as_bytes(), usize::MAX));
        }
    }
}
