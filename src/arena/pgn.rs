//! Portable Game Notation, of the chess family and of board games: read as leniently as files in the wild
//! need, written in one form, and exact: a written file read back gives the same games.
//!
//! Reading streams, one game in memory at a time. Text that is not UTF-8 is taken as Latin-1, line by
//! line. Comments are kept, variations and glyphs passed over. A game that cannot be read is an error
//! that names the game, the line, the column and the text; the games after it are still read.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::marker::PhantomData;

use thiserror::Error;

use crate::board::Color;
use crate::games::{AnyGame, PlayError, Playable, ReadError, SetupError, Variant};
use crate::rules::notation::Letters;
use crate::rules::{Edition, GameRecord, Outcome};

/// How a game ended, as its record says: a game can end by the clock or by resignation too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// This side won.
    Won(Color),
    /// A draw (not in Capture or Conquer).
    Drawn,
    /// Still going on, or cut off.
    #[default]
    Unfinished,
}

impl GameResult {
    /// Reads `1-0`, `0-1`, `1/2-1/2` (or `1/2`), `*`.
    pub fn parse(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::Won(Color::White),
            "0-1" => GameResult::Won(Color::Black),
            "1/2-1/2" | "1/2" => GameResult::Drawn,
            "*" => GameResult::Unfinished,
            _ => return None,
        })
    }
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> GameResult {
        match outcome {
            None => GameResult::Unfinished,
            Some(outcome) => outcome.winner.map_or(GameResult::Drawn, GameResult::Won),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Won(Color::White) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Unfinished => "*",
        })
    }
}

/// A game with its tags and comments: of the chess family, if nothing else is said.
#[derive(Clone, Debug)]
pub struct PgnGame<G: Playable = GameRecord> {
    /// Name and value, in the file's order. `FEN`, `SetUp`, `Variant` and `Result` are written from the
    /// game itself, whatever stands here.
    pub tags: Vec<(String, String)>,
    /// Start and moves.
    pub record: G,
    /// Comments: before the first move, then after each ply. Never longer than plies + 1; the rest is empty.
    pub comments: Vec<String>,
    /// Numeric annotation glyphs: of each ply, 0 for none; may be shorter than the game. Written, not read.
    pub glyphs: Vec<u8>,
    /// What could have been played in place of each ply: legal move by move, empty for none; may be
    /// shorter than the game. Written, not read.
    pub variations: Vec<Vec<G::Move>>,
    /// How it ended.
    pub result: GameResult,
}

impl<G: Playable> PgnGame<G> {
    /// A game without tags and comments, its result what the rules say.
    pub fn new(record: G) -> PgnGame<G> {
        let result = record.outcome().into();
        PgnGame {
            tags: Vec::new(),
            record,
            comments: Vec::new(),
            glyphs: Vec::new(),
            variations: Vec::new(),
            result,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// Sets a tag, in its old place if it was there.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The comment after so many plies; empty if there is none.
    pub fn comment(&self, plies: usize) -> &str {
        self.comments.get(plies).map_or("", String::as_str)
    }

    /// Replaces the comment after so many plies.
    pub fn set_comment(&mut self, plies: usize, text: impl Into<String>) {
        if self.comments.len() <= plies {
            self.comments.resize(plies + 1, String::new());
        }
        if let Some(comment) = self.comments.get_mut(plies) {
            *comment = text.into();
        }
    }

    /// Adds to the comment after so many plies.
    pub fn add_comment(&mut self, plies: usize, text: &str) {
        let comment = self.comment(plies);
        let blank = if comment.is_empty() || text.is_empty() { "" } else { " " };
        let comment = format!("{comment}{blank}{text}");
        self.set_comment(plies, comment);
    }
}

fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

/// What is wrong with a game, and where.
#[derive(Debug, Error)]
#[error("game {game}, line {line}, column {column}: {cause}")]
pub struct PgnError {
    /// The game's number in the file, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub cause: PgnCause,
}

/// What can be wrong with a game.
#[derive(Debug, Error)]
pub enum PgnCause {
    /// The file cannot be read on.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A tag without its closing quotation mark or bracket, or without a name.
    #[error("{0:?} is not a tag")]
    Tag(String),
    /// The `FEN` tag, or a game of another family than is wanted.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// The `Variant` tag names no game.
    #[error("unknown variant {0:?}")]
    Variant(String),
    /// Not a move of the position.
    #[error("move {number}: {error}")]
    Move {
        /// The move's number and side as in `12.` or `12...`.
        number: String,
        /// Why not.
        error: ReadError,
    },
    /// A move that cannot be played.
    #[error("move {number}: {error}")]
    Play {
        /// The move's number and side as in `12.` or `12...`.
        number: String,
        /// Why not.
        error: PlayError,
    },
    /// A `)` too many, or a variation that never ends.
    #[error("unbalanced parentheses")]
    Parentheses,
    /// A comment that never ends.
    #[error("a comment without its closing brace")]
    Comment,
}

/// Reads games one by one: of the chess family, if nothing else is said.
pub struct Reader<R, G = GameRecord> {
    input: R,
    /// Of games that do not say it.
    variant: Variant,
    kind: PhantomData<G>,
    games: usize,
    line: usize,
    tokens: VecDeque<Token>,
    /// Inside `{…}`: the comment so far.
    comment: Option<String>,
    bytes: Vec<u8>,
    at_end: bool,
}

#[derive(Debug)]
struct Token {
    line: usize,
    column: usize,
    kind: TokenKind,
}

#[derive(Debug)]
enum TokenKind {
    Tag(String, String),
    BadTag(String),
    BlankLine,
    Comment(String),
    OpenComment,
    Open,
    Close,
    Word(String),
    Unreadable(io::Error),
}

impl<R: BufRead> Reader<R> {
    /// A reader of `input`; games without a `Variant` tag are of this edition. A board game is an error.
    pub fn new(input: R, edition: Edition) -> Reader<R> {
        Reader::of(input, Variant::Chess(edition))
    }
}

impl<R: BufRead> Reader<R, AnyGame> {
    /// A reader of games of both families; those without a `Variant` tag are of this variant.
    pub fn of_any(input: R, variant: Variant) -> Reader<R, AnyGame> {
        Reader::of(input, variant)
    }
}

impl<R: BufRead, G: Playable> Reader<R, G> {
    fn of(input: R, variant: Variant) -> Reader<R, G> {
        Reader {
            input,
            variant,
            kind: PhantomData,
            games: 0,
            line: 0,
            tokens: VecDeque::new(),
            comment: None,
            bytes: Vec::new(),
            at_end: false,
        }
    }

    /// The next token, reading on by lines; `None` at the end.
    fn next_token(&mut self) -> Option<Token> {
        while self.tokens.is_empty() && !self.at_end {
            self.read_line();
        }
        self.tokens.pop_front()
    }

    fn push(&mut self, column: usize, kind: TokenKind) {
        self.tokens.push_back(Token { line: self.line, column: column + 1, kind });
    }

    fn read_line(&mut self) {
        self.bytes.clear();
        self.line += 1;
        match self.input.read_until(b'\n', &mut self.bytes) {
            Ok(0) => {
                self.at_end = true;
                if let Some(text) = self.comment.take() {
                    self.push(0, TokenKind::Comment(text));
                    self.push(0, TokenKind::OpenComment);
                }
                return;
            }
            Ok(_) => {}
            Err(error) => {
                self.at_end = true;
                self.push(0, TokenKind::Unreadable(error));
                return;
            }
        }
        let mut text = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => self.bytes.iter().map(|&byte| byte as char).collect(),
        };
        if self.line == 1 {
            for mark in ["\u{feff}", "\u{ef}\u{bb}\u{bf}"] {
                if let Some(rest) = text.strip_prefix(mark) {
                    text = rest.to_owned();
                }
            }
        }
        self.scan_line(text.trim_end());
    }

    fn scan_line(&mut self, text: &str) {
        if self.comment.is_none() {
            if text.starts_with('%') {
                return;
            }
            if text.trim_start().is_empty() {
                self.push(0, TokenKind::BlankLine);
                return;
            }
        }
        let mut rest = text;
        loop {
            let column = text.len() - rest.len();
            if let Some(comment) = &mut self.comment {
                let (inside, after) = match rest.split_once('}') {
                    Some((inside, after)) => (inside, Some(after)),
                    None => (rest, None),
                };
                push_words(comment, inside);
                match after {
                    None => return,
                    Some(after) => {
                        rest = after;
                        let comment = self.comment.take().unwrap_or_default();
                        self.push(column, TokenKind::Comment(comment));
                    }
                }
                continue;
            }
            let trimmed = rest.trim_start();
            let column = text[..text.len() - trimmed.len()].chars().count();
            rest = trimmed;
            match rest.chars().next() {
                None => return,
                Some('{') => {
                    self.comment = Some(String::new());
                    rest = &rest[1..];
                }
                Some(';') => {
                    let mut comment = String::new();
                    push_words(&mut comment, &rest[1..]);
                    self.push(column, TokenKind::Comment(comment));
                    return;
                }
                Some('[') => {
                    let (kind, after) = scan_tag(rest);
                    self.push(column, kind);
                    rest = after;
                }
                Some('(') => {
                    self.push(column, TokenKind::Open);
                    rest = &rest[1..];
                }
                Some(')') => {
                    self.push(column, TokenKind::Close);
                    rest = &rest[1..];
                }
                Some(_) => {
                    let ends = |c: char| c.is_whitespace() || "{}();[]".contains(c);
                    // At least one character, so that a stray `}` or `]` is a word of its own.
                    let first = rest.chars().next().map_or(1, char::len_utf8);
                    let end = rest[first..].find(ends).map_or(rest.len(), |at| at + first);
                    self.push(column, TokenKind::Word(rest[..end].to_owned()));
                    rest = &rest[end..];
                }
            }
        }
    }

    /// Reads a whole game, or passes over the rest of one that has an error.
    fn read_game(&mut self) -> Option<Result<PgnGame<G>, PgnError>> {
        let mut draft = Draft::new(self.variant);
        let mut failure: Option<(usize, usize, PgnCause)> = None;
        let mut last_place = (self.line, 1);
        while let Some(token) = self.next_token() {
            if draft.is_before(&token) {
                self.tokens.push_front(token);
                break;
            }
            last_place = (token.line, token.column);
            if failure.is_some() {
                // Still look where this game ends.
                if draft.ends_at(&token) {
                    break;
                }
                continue;
            }
            match draft.take(token.kind) {
                Ok(false) => {}
                Ok(true) => break,
                Err(cause) => {
                    failure = Some((token.line, token.column, cause));
                    draft.started_moves = true;
                }
            }
        }
        if !draft.has_content {
            return None;
        }
        self.games += 1;
        let game = self.games;
        let error = |(line, column, cause)| PgnError { game, line, column, cause };
        if let Some(failure) = failure {
            return Some(Err(error(failure)));
        }
        Some(draft.finish().map_err(|cause| error((last_place.0, last_place.1, cause))))
    }
}

impl<R: BufRead, G: Playable> Iterator for Reader<R, G> {
    type Item = Result<PgnGame<G>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_game()
    }
}

/// Appends the words of a text, blanks and line breaks made single.
fn push_words(target: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if !target.is_empty() {
            target.push(' ');
        }
        target.push_str(word);
    }
}

/// A tag at the start of `text`, and what follows it.
fn scan_tag(text: &str) -> (TokenKind, &str) {
    let bad = || (TokenKind::BadTag(text.chars().take(60).collect()), "");
    let inside = &text[1..];
    let Some(quote) = inside.find('"') else { return bad() };
    let name = inside[..quote].trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return bad();
    }
    let mut value = String::new();
    let mut characters = inside[quote + 1..].char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => return bad(),
            },
            '"' => {
                let after = inside[quote + 1 + at + 1..].trim_start();
                let Some(after) = after.strip_prefix(']') else { return bad() };
                return (TokenKind::Tag(name.to_owned(), value), after);
            }
            other => value.push(other),
        }
    }
    bad()
}

/// A game while it is read.
struct Draft<G: Playable> {
    default: Variant,
    tags: Vec<(String, String)>,
    game: Option<PgnGame<G>>,
    comment_before: String,
    depth: usize,
    has_content: bool,
    blank_after_tags: bool,
    started_moves: bool,
}

impl<G: Playable> Draft<G> {
    fn new(default: Variant) -> Draft<G> {
        Draft {
            default,
            tags: Vec::new(),
            game: None,
            comment_before: String::new(),
            depth: 0,
            has_content: false,
            blank_after_tags: false,
            started_moves: false,
        }
    }

    /// Whether this token belongs to the next game already: a tag after moves, after a blank line that
    /// followed tags, or with a name that this game has.
    fn is_before(&self, token: &Token) -> bool {
        match &token.kind {
            TokenKind::Tag(name, _) => {
                self.started_moves || self.blank_after_tags || find_tag(&self.tags, name).is_some()
            }
            TokenKind::BadTag(_) => self.started_moves || self.blank_after_tags,
            _ => false,
        }
    }

    /// For a game with an error: whether the token ends it.
    fn ends_at(&self, token: &Token) -> bool {
        matches!(&token.kind, TokenKind::Word(word) if result_word(word).is_some())
    }

    /// Takes a token in; `true` when the game has ended with it.
    fn take(&mut self, kind: TokenKind) -> Result<bool, PgnCause> {
        match kind {
            TokenKind::BlankLine => self.blank_after_tags = !self.tags.is_empty(),
            TokenKind::Tag(name, value) => {
                self.has_content = true;
                self.tags.push((name, value));
            }
            TokenKind::BadTag(text) => {
                self.has_content = true;
                return Err(PgnCause::Tag(text));
            }
            TokenKind::Comment(text) => {
                if self.depth == 0 {
                    match &mut self.game {
                        Some(game) => game.add_comment(game.record.plies(), &text),
                        None => push_words(&mut self.comment_before, &text),
                    }
                }
            }
            TokenKind::OpenComment => {
                self.has_content = true;
                return Err(PgnCause::Comment);
            }
            TokenKind::Unreadable(error) => {
                self.has_content = true;
                return Err(error.into());
            }
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => {
                self.has_content = true;
                self.depth = self.depth.checked_sub(1).ok_or(PgnCause::Parentheses)?;
            }
            TokenKind::Word(word) => {
                self.has_content = true;
                self.started_moves = true;
                if self.depth == 0 {
                    return self.word(&word);
                }
            }
        }
        Ok(false)
    }

    fn word(&mut self, word: &str) -> Result<bool, PgnCause> {
        if let Some(result) = result_word(word) {
            self.started()?.result = result;
            return Ok(true);
        }
        let text = without_number(word);
        let text = text.split('$').next().unwrap_or_default(); // a glyph glued to the move
        let is_sign = !text.chars().any(|c| c.is_ascii_alphanumeric()) && text != "--";
        if text.is_empty() || is_sign {
            return Ok(false);
        }
        let game = self.started()?;
        let record = &mut game.record;
        let dots = if record.side() == Color::White { "." } else { "..." };
        let number = format!("{}{dots}", record.number());
        let m = match record.read(text, Letters::English) {
            Ok(m) => m,
            Err(error) => return Err(PgnCause::Move { number, error }),
        };
        record.advance(&m).map_err(|error| PgnCause::Play { number, error })?;
        Ok(false)
    }

    /// The game, begun at the position that the tags give.
    fn started(&mut self) -> Result<&mut PgnGame<G>, PgnCause> {
        if self.game.is_none() {
            let variant = match find_tag(&self.tags, "Variant") {
                None => self.default,
                Some(name) => variant_by_tag(name)?,
            };
            let mut game = PgnGame::new(G::begin(variant, find_tag(&self.tags, "FEN"))?);
            game.result = GameResult::Unfinished;
            game.tags = self.tags.clone();
            if !self.comment_before.is_empty() {
                game.add_comment(0, &self.comment_before);
            }
            self.game = Some(game);
        }
        self.game.as_mut().ok_or(PgnCause::Parentheses)
    }

    fn finish(mut self) -> Result<PgnGame<G>, PgnCause> {
        if self.depth > 0 {
            return Err(PgnCause::Parentheses);
        }
        let ended_without_token =
            self.game.as_ref().is_none_or(|g| g.result == GameResult::Unfinished);
        let tagged = find_tag(&self.tags, "Result").and_then(GameResult::parse);
        let game = self.started()?;
        if ended_without_token && let Some(result) = tagged {
            game.result = result;
        }
        Ok(game.clone())
    }
}

fn variant_by_tag(name: &str) -> Result<Variant, PgnCause> {
    let orthodox = ["standard", "chess", "normal", "from position"];
    if orthodox.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return Ok(ORTHODOX);
    }
    Variant::parse(name).ok_or_else(|| PgnCause::Variant(name.to_owned()))
}

/// A result, also with a stray sign glued to it.
fn result_word(word: &str) -> Option<GameResult> {
    let end = word.find(|c: char| !c.is_ascii_digit() && !"-/*".contains(c)).unwrap_or(word.len());
    let (result, rest) = word.split_at(end);
    if rest.chars().any(char::is_alphanumeric) { None } else { GameResult::parse(result) }
}

/// A word without the move number in front: `1.e3` is `e3`, `12...` and `7` are empty, `0-0` stays.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_dots = after_digits.trim_start_matches(['.', '…']);
    let is_number = after_digits.is_empty() || after_dots.len() < after_digits.len();
    if is_number { after_dots } else { word }
}

/// The seven tags that every game has, in the standard's order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// Tags that are written from the game itself.
const DERIVED: [&str; 4] = ["Variant", "SetUp", "FEN", "Result"];

/// What the tag `Variant` calls `Standard`.
const ORTHODOX: Variant = Variant::Chess(Edition::Chess);

/// Writes one game and the blank line after it.
///
/// # Errors
/// What `out` answers.
pub fn write<G: Playable>(game: &PgnGame<G>, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    let (variant, start) = (game.record.variant(), game.record.start_fen());
    for name in ROSTER {
        let value = match name {
            "Result" => game.result.to_string(),
            "Date" => game.tag(name).unwrap_or("????.??.??").to_owned(),
            _ => game.tag(name).unwrap_or("?").to_owned(),
        };
        push_tag(&mut text, name, &value);
    }
    push_tag(&mut text, "Variant", if variant == ORTHODOX { "Standard" } else { variant.name() });
    if G::begin(variant, None).map_or(true, |usual| usual.start_fen() != start) {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &start);
    }
    for (name, value) in &game.tags {
        if !ROSTER.contains(&name.as_str()) && !DERIVED.contains(&name.as_str()) {
            push_tag(&mut text, name, value);
        }
    }
    text.push('\n');
    push_moves(&mut text, game);
    text.push_str("\n\n");
    out.write_all(text.as_bytes())
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// A variation in parentheses, with its numbers.
fn push_variation<G: Playable>(words: &mut Vec<String>, mut game: G, variation: &[G::Move]) {
    for (index, m) in variation.iter().enumerate() {
        let white = game.side() == Color::White;
        let opening = if index == 0 { "(" } else { "" };
        if white || index == 0 {
            let dots = if white { "." } else { "..." };
            words.push(format!("{opening}{}{dots}", game.number()));
        }
        words.push(game.name_of(m, Letters::English));
        if game.advance(m).is_err() {
            break; // it is legal move by move
        }
    }
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
}

/// The move text, wrapped before column 80.
fn push_moves<G: Playable>(text: &mut String, game: &PgnGame<G>) {
    let mut words: Vec<String> = Vec::new();
    let comment = |plies: usize, words: &mut Vec<String>| {
        let comment = game.comment(plies).replace('}', ")");
        let mut parts = comment.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        if let Some(first) = parts.first_mut() {
            first.insert(0, '{');
        }
        if let Some(last) = parts.last_mut() {
            last.push('}');
        }
        let any = !parts.is_empty();
        words.extend(parts);
        any
    };
    comment(0, &mut words);
    let mut numbered = false;
    let mut before = game.record.fresh();
    for (plies, m) in (1..).zip(game.record.played()) {
        let white = before.side() == Color::White;
        if white || !numbered {
            words.push(format!("{}{}", before.number(), if white { "." } else { "..." }));
        }
        words.push(before.name_of(&m, Letters::English));
        if let Some(glyph) = game.glyphs.get(plies - 1).filter(|&&glyph| glyph != 0) {
            words.push(format!("${glyph}"));
        }
        numbered = !comment(plies, &mut words);
        if let Some(variation) = game.variations.get(plies - 1).filter(|line| !line.is_empty()) {
            push_variation(&mut words, before.clone(), variation);
            numbered = false;
        }
        if before.advance(&m).is_err() {
            break; // it was played before
        }
    }
    words.push(game.result.to_string());
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 79 {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += length;
    }
}
