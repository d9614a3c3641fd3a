//! `usurper play`: a game between a person and the engine, in a terminal or by plain lines.
//!
//! The game is written to its file after every move, so that ending at any moment loses nothing;
//! that is also all that a signal needs to wait for.

mod file;
mod input;

use std::fmt::Display;
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anstream::AutoStream;
use clap::{Args, ValueEnum};

use crate::arena::pgn::{GameResult, PgnGame};
use crate::arena::results::today;
use crate::board::Color;
use crate::games::{self, AnyGame, AnyMove, Playable};
use crate::picture::{self, Picture};
use crate::protocol::options::{MAX_ELO, MIN_ELO};
use crate::rules::notation::Letters;
use crate::search::{Engine, Event, Info, Limits, Score, Settings, Task};
use crate::text::{Language, Texts, fill};

use super::CommandResult;
use super::color::ColorArguments;
use super::game_args::GameArguments;
use file::{FileError, GameFile, Kept};
use input::Input;

const EXAMPLES: &str = "\
Examples:
  usurper play
  usurper play --side b --elo 1200
  usurper play --pgn game.pgn               go on with the unfinished game in that file
  usurper play --variant chess --movetime 200
  usurper play --variant fanorona --side b
  printf 'e4\\nmoves\\nquit\\n' | usurper play --pgn game.pgn

Moves are read in any notation: e2e4, Nf3, e1g1 or ERf1, e4e5 or De5, of board games as `moves` writes them; the tabulator completes. \
`help` shows the commands. The game is saved after every move, without --pgn as \
usurper-DATE-NUMBER.pgn in the current folder. Ctrl-C and the end of the input end the program.";

/// The commands: their English words, which are always understood, and those of the language.
const fn commands(texts: &Texts) -> [(&'static str, &'static str); 8] {
    [
        ("undo", texts.command_undo),
        ("hint", texts.command_hint),
        ("moves", texts.command_moves),
        ("flip", texts.command_flip),
        ("save", texts.command_save),
        ("resign", texts.command_resign),
        ("help", texts.command_help),
        ("quit", texts.command_quit),
    ]
}

/// The engine's name in a game's file begins so.
const ENGINE: &str = "usurper";

/// How long the engine thinks about a move when nothing else is asked for, and about a hint.
const THINKING: Duration = Duration::from_secs(1);

/// Play against the engine
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The side you play [default: white, or as before in a game that goes on]
    #[arg(long, value_enum)]
    side: Option<SideArgument>,

    /// Let the engine play like a player of about this rating, 800 to 2800; not together with
    /// --movetime, since the rating says how much it thinks [default: full strength]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(MIN_ELO..=MAX_ELO))]
    elo: Option<u32>,

    /// How long the engine thinks about a move, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", conflicts_with = "elo", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Option<u64>,

    /// Keep the game in this file; if its last game is unfinished, go on with that
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Seen from the side you do not play
    #[arg(long)]
    flip: bool,

    #[command(flatten)]
    color: ColorArguments,
}

/// `--side`.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum SideArgument {
    /// White
    #[value(name = "w", alias = "white")]
    White,
    /// Black
    #[value(name = "b", alias = "black")]
    Black,
}

/// Plays.
///
/// # Errors
/// When the arguments describe no game, the file cannot be read or written, or input or output fail.
pub fn run(arguments: &Arguments) -> CommandResult {
    let (file, game, resumed) = open(arguments)?;
    if game.record.chess().is_none() && arguments.elo.is_some() {
        return Err(format!("--elo has no meaning in {}", game.record.variant()).into());
    }
    let mut play = Play::new(arguments, file, game);
    let terminal = Terminal::remember();
    let texts = play.language.texts();
    let file = Arc::clone(&play.file);
    ctrlc::set_handler(move || {
        // No save is half done as long as this is held, and the last move has been saved.
        let file = lock(&file);
        terminal.restore();
        if let Some(path) = file.path() {
            let text = fill(texts.game_is_in, &[("file", &path.display())]);
            let _ = writeln!(io::stderr(), "\n{text}");
        }
        std::process::exit(0);
    })?;
    if resumed {
        let plies = play.language.plies(play.game.record.plies());
        play.note(fill(texts.going_on_after, &[("plies", &plies)]));
    } else {
        let text = match play.record() {
            AnyGame::Chess(_) => texts.your_move.to_owned(),
            AnyGame::Board(_) => fill(texts.your_board_move, &[("move", &play.example())]),
        };
        play.note(text);
    }
    play.run()
}

/// The file, the game to play, and whether it was found there.
fn open(arguments: &Arguments) -> Result<(GameFile, Kept, bool), Box<dyn std::error::Error>> {
    let record = arguments.game.game()?;
    let Some(path) = &arguments.pgn else {
        return Ok((GameFile::unnamed(), PgnGame::new(record), false));
    };
    let (file, found) = GameFile::open(path, arguments.game.variant())?;
    let Some(found) = found else { return Ok((file, PgnGame::new(record), false)) };
    let variant = found.record.variant();
    if arguments.game.is_given() || arguments.game.variant.is_some_and(|v| v != variant) {
        return Err(format!(
            "{}: holds an unfinished game of {variant}; give another file for another game",
            path.display()
        )
        .into());
    }
    Ok((file, found, true))
}

/// What the terminal was set to, for the moment when the program ends while a line is edited.
struct Terminal {
    #[cfg(unix)]
    settings: Option<rustix::termios::Termios>,
}

impl Terminal {
    fn remember() -> Terminal {
        Terminal {
            #[cfg(unix)]
            settings: rustix::termios::tcgetattr(io::stdin()).ok(),
        }
    }

    fn restore(&self) {
        #[cfg(unix)]
        if let Some(settings) = &self.settings {
            let now = rustix::termios::OptionalActions::Now;
            let _ = rustix::termios::tcsetattr(io::stdin(), now, settings);
        }
    }
}

fn lock(file: &Mutex<GameFile>) -> MutexGuard<'_, GameFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game that is being played.
struct Play {
    game: Kept,
    file: Arc<Mutex<GameFile>>,
    person: Color,
    engine: Engine,
    limits: Limits<AnyMove>,
    letters: Letters,
    language: Language,
    flip: bool,
    /// A hint, drawn as an arrow until the next move.
    hint: Vec<Vec<AnyMove>>,
    /// Why the last move is not in the file, if it is not.
    unsaved: Option<FileError>,
    /// Texts to be shown below the board when it is drawn next.
    notes: Vec<String>,
    out: AutoStream<Stdout>,
    color: bool,
}

impl Play {
    fn new(arguments: &Arguments, file: GameFile, mut game: Kept) -> Play {
        let is_engine = |name: &str| game.tag(name).is_some_and(|name| name.starts_with(ENGINE));
        let person = match arguments.side {
            Some(SideArgument::White) => Color::White,
            Some(SideArgument::Black) => Color::Black,
            None if is_engine("White") && !is_engine("Black") => Color::Black,
            None => Color::White,
        };
        let [its_name, its_elo, my_name, my_elo] = match person {
            Color::White => ["Black", "BlackElo", "White", "WhiteElo"],
            Color::Black => ["White", "WhiteElo", "Black", "BlackElo"],
        };
        // A game that goes on keeps its strength.
        let chess = game.record.chess().is_some();
        let earlier = || game.tag(its_elo).filter(|_| chess).and_then(|elo| elo.parse().ok());
        let elo = arguments.elo.or_else(|| arguments.movetime.map_or_else(earlier, |_| None));
        if game.tag(my_name).is_none_or(|name| name.starts_with(ENGINE)) {
            game.set_tag(my_name, "Player");
            game.tags.retain(|(name, _)| name != my_elo);
        }
        game.set_tag(its_name, format!("{ENGINE} {}", env!("CARGO_PKG_VERSION")));
        game.tags.retain(|(name, _)| name != its_elo);
        if let Some(elo) = elo {
            game.set_tag(its_elo, elo.to_string());
        }
        for (name, value) in [("Event", "Casual game".to_owned()), ("Date", today())] {
            if game.tag(name).is_none() {
                game.set_tag(name, value);
            }
        }
        let movetime = arguments.movetime.map_or(THINKING, Duration::from_millis);
        let (out, color) = arguments.color.stdout();
        Play {
            game,
            file: Arc::new(Mutex::new(file)),
            person,
            engine: Engine::new(Settings { elo, ..Settings::default() }),
            limits: Limits { movetime: elo.is_none().then_some(movetime), ..Limits::default() },
            letters: arguments.game.letters(),
            language: arguments.game.language(),
            flip: (person == Color::Black) != arguments.flip,
            hint: Vec::new(),
            unsaved: None,
            notes: Vec::new(),
            out,
            color,
        }
    }

    fn record(&self) -> &AnyGame {
        &self.game.record
    }

    /// That there is nothing more to play.
    fn over(&self, word: &str) -> Fault {
        Fault(fill(self.language.texts().over_already, &[("word", &word)]))
    }

    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// The game is over by the rules or because somebody gave up.
    fn is_over(&self) -> bool {
        self.game.result != GameResult::Unfinished || self.record().outcome().is_some()
    }

    /// Plays until the input ends.
    fn run(&mut self) -> CommandResult {
        let mut input = Input::open()?;
        self.show(input.is_terminal())?;
        loop {
            if !self.is_over() && self.record().side() != self.person {
                if input.is_terminal() {
                    writeln!(self.out, "{}", self.language.texts().thinking)?;
                    self.out.flush()?;
                }
                self.answer();
                self.show(input.is_terminal())?;
                continue;
            }
            let side = self.language.side(self.record().side());
            let prompt = if self.is_over() { "> ".to_owned() } else { format!("{side}> ") };
            let words = if input.is_terminal() { self.words() } else { Vec::new() };
            let Some(line) = input.line(&prompt, words)? else { break };
            match self.command(&line) {
                Ok(Next::Quit) => break,
                Ok(Next::Draw) => self.show(input.is_terminal())?,
                Ok(Next::Tell) => self.tell(input.is_terminal())?,
                // In a terminal it belongs to the conversation.
                Err(Fault(text)) if input.is_terminal() => {
                    self.note(text);
                    self.show(true)?;
                }
                Err(Fault(text)) => {
                    writeln!(io::stderr(), "error: {}{text}", input.place())?;
                }
            }
        }
        if let Some(error) = self.unsaved.take() {
            return Err(error.into());
        }
        if let Some(path) = lock(&self.file).path().filter(|path| path.exists()) {
            let text = fill(self.language.texts().game_is_in, &[("file", &path.display())]);
            writeln!(self.out, "{text}")?;
        }
        Ok(self.out.flush()?)
    }

    /// Draws the board, over the old one in a terminal, and what there is to say.
    fn show(&mut self, terminal: bool) -> io::Result<()> {
        if terminal && self.color {
            write!(self.out, "\x1b[2J\x1b[H")?;
        }
        let text = self.picture();
        writeln!(self.out, "{text}")?;
        self.tell(terminal)
    }

    /// The board as it is drawn.
    fn picture(&self) -> String {
        let Play { flip, letters, language, color, .. } = *self;
        match self.record() {
            AnyGame::Chess(game) => {
                let line = |line: &Vec<AnyMove>| line.iter().filter_map(AnyMove::chess).collect();
                let lines: Vec<_> = self.hint.iter().map(line).collect();
                let picture = Picture { game, lines: &lines, flip, letters, language };
                picture::terminal(&picture, color)
            }
            AnyGame::Board(record) => {
                let line = |line: &Vec<AnyMove>| line.iter().filter_map(AnyMove::board).collect();
                let lines: Vec<_> = self.hint.iter().map(line).collect();
                let picture = games::picture::Picture { record, lines: &lines, flip, language };
                games::picture::terminal(&picture, color)
            }
        }
    }

    /// Says what there is to say.
    fn tell(&mut self, terminal: bool) -> io::Result<()> {
        let notes = std::mem::take(&mut self.notes);
        for note in &notes {
            writeln!(self.out, "{note}")?;
        }
        if terminal && !notes.is_empty() {
            writeln!(self.out)?;
        }
        self.out.flush()
    }

    /// Everything that a line may begin with: the commands and the legal moves, both ways of writing.
    fn words(&self) -> Vec<String> {
        let commands = commands(self.language.texts());
        let mut words: Vec<String> =
            commands.iter().flat_map(|&(english, own)| [english, own]).map(str::to_owned).collect();
        if !self.is_over() {
            let moves = self.record().named(self.letters);
            words.extend(moves.into_iter().flat_map(|(m, name)| [name, m.to_string()]));
        }
        words.sort();
        words.dedup();
        words
    }

    fn command(&mut self, line: &str) -> Result<Next, Fault> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let commands = commands(self.language.texts());
        let command = commands.iter().find(|&&(english, own)| word == english || word == own);
        let command = command.map(|&(english, _)| english);
        if !rest.is_empty() && command.is_some_and(|command| command != "save") {
            let values: [(&str, &dyn Display); 2] =
                [("word", &word), ("rest", &format!("{rest:?}"))];
            return Err(Fault(fill(self.language.texts().takes_nothing, &values)));
        }
        match command.unwrap_or(word) {
            "" => return Ok(Next::Tell),
            "quit" => return Ok(Next::Quit),
            "help" => self.note(self.help()),
            "moves" => self.note(self.moves()),
            "save" => self.save_as(rest)?,
            "flip" => {
                self.flip = !self.flip;
                return Ok(Next::Draw);
            }
            "undo" => {
                self.undo()?;
                return Ok(Next::Draw);
            }
            "hint" => {
                self.give_hint()?;
                return Ok(Next::Draw);
            }
            "resign" => {
                self.resign()?;
                return Ok(Next::Draw);
            }
            _ => {
                self.play_text(line)?;
                return Ok(Next::Draw);
            }
        }
        Ok(Next::Tell)
    }

    fn play_text(&mut self, text: &str) -> Result<(), Fault> {
        if self.is_over() {
            return Err(self.over(&format!("{text:?}")));
        }
        let m = self
            .record()
            .read(text, self.letters)
            .map_err(|error| Fault(fill(self.language.texts().see_moves, &[("error", &error)])))?;
        self.play(&m);
        Ok(())
    }

    /// Plays a legal move and saves the game.
    fn play(&mut self, m: &AnyMove) {
        if let Err(error) = self.game.record.advance(m) {
            return self.note(error.to_string());
        }
        self.hint.clear();
        if let Some(outcome) = self.record().outcome() {
            self.game.result = Some(outcome).into();
            self.game.set_tag("Termination", "normal");
            let result = self.language.outcome(outcome);
            self.note(fill(self.language.texts().undo_takes_back, &[("result", &result)]));
        }
        self.save();
    }

    /// Saves the game. If that cannot be, the person can still save it elsewhere.
    fn save(&mut self) {
        let saved = lock(&self.file).save(&self.game);
        if let Err(error) = &saved {
            self.note(fill(self.language.texts().not_saved, &[("error", error)]));
        }
        self.unsaved = saved.err();
    }

    /// Lets the engine think and play.
    fn answer(&mut self) {
        let (best, _) = self.think(self.limits.clone());
        let Some(m) = best else { return };
        let text = m.beside(&self.record().numbered(&m, self.letters));
        let values: [(&str, &dyn Display); 2] = [("engine", &ENGINE), ("move", &text)];
        self.note(fill(self.language.texts().engine_plays, &values));
        self.play(&m);
    }

    /// The best move and the last line told of it.
    fn think(&mut self, limits: Limits<AnyMove>) -> (Option<AnyMove>, Option<Info<AnyMove>>) {
        let (sender, events) = channel();
        let sender = Mutex::new(sender);
        self.engine.start_task(self.game.record.clone(), limits, move |event| {
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = sender.send(event);
        });
        let mut line = None;
        for event in events {
            match event {
                Event::Info(info) if info.multipv == 1 => line = Some(info),
                Event::BestMove { best, .. } => return (best, line),
                _ => {}
            }
        }
        (None, None)
    }

    fn give_hint(&mut self) -> Result<(), Fault> {
        if self.is_over() {
            return Err(self.over("hint"));
        }
        let settings = self.engine.settings().clone();
        self.engine.configure(Settings { elo: None, ..settings.clone() });
        let movetime = self.limits.movetime.unwrap_or(THINKING);
        let (best, line) = self.think(Limits { movetime: Some(movetime), ..Limits::default() });
        self.engine.configure(settings);
        let Some(m) = best else { return Ok(()) };
        let score =
            line.map(|info| format!(", {}", worth(info.score, self.language))).unwrap_or_default();
        let text = m.beside(&self.record().numbered(&m, self.letters));
        let text = format!("{text}{score}");
        self.note(fill(self.language.texts().hint, &[("move", &text)]));
        self.hint = vec![vec![m]];
        Ok(())
    }

    /// A move as an example of how they are written: a legal one, or the last of a game that is over.
    fn example(&self) -> String {
        let record = self.record();
        let legal = record.legal().into_iter().next();
        let last = || record.played().pop();
        legal.or_else(last).map_or_else(String::new, |m| m.to_string())
    }

    /// The commands, how moves are written, where the rules stand.
    fn help(&self) -> String {
        let texts = self.language.texts();
        let (moves, rules) = match self.record() {
            AnyGame::Chess(_) => (texts.help_moves.to_owned(), texts.help_rules),
            AnyGame::Board(_) => {
                let moves = fill(texts.help_board_moves, &[("move", &self.example())]);
                (moves, texts.help_board_rules)
            }
        };
        fill(texts.play_help, &[("moves", &moves), ("rules", &rules)])
    }

    /// The legal moves in columns, and those that end the game.
    fn moves(&self) -> String {
        if self.is_over() {
            return self.language.texts().over_no_moves.to_owned();
        }
        let moves = self.record().named(self.letters);
        let text = |(m, name): &(AnyMove, String)| m.beside(name);
        let mut texts: Vec<String> = moves.iter().map(text).collect();
        texts.sort();
        let width = texts.iter().map(String::len).max().unwrap_or_default() + 2;
        let rows = texts.chunks((78 / width).max(1)).map(|row| {
            let cells: String = row.iter().map(|text| format!("{text:<width$}")).collect();
            format!("  {}", cells.trim_end())
        });
        let ends = moves.iter().filter_map(|choice| {
            let outcome = self.record().end_by(&choice.0)?;
            Some(format!("  {}: {}", text(choice), self.language.outcome(outcome)))
        });
        let mut lines: Vec<String> = rows.collect();
        let mut ends = ends.peekable();
        if ends.peek().is_some() {
            lines.push(format!("{}:", self.language.texts().moves_that_end));
            lines.extend(ends);
        }
        lines.join("\n")
    }

    /// Takes back to where the person was last to move.
    fn undo(&mut self) -> Result<(), Fault> {
        let played = self.record().plies();
        let first = self.record().until(0).side();
        let resigned = self.is_over() && self.record().outcome().is_none();
        let is_mine = |&ply: &usize| (first == self.person) == (ply % 2 == 0);
        let keep = if resigned { Some(played) } else { (0..played).rev().find(is_mine) };
        let keep = keep.ok_or_else(|| Fault(self.language.texts().nothing_to_undo.to_owned()))?;
        self.game.record = self.record().until(keep);
        self.game.result = GameResult::Unfinished;
        self.game.comments.truncate(keep + 1);
        self.game.tags.retain(|(name, _)| name != "Termination" && name != "Ending");
        self.hint.clear();
        self.save();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Fault> {
        if self.is_over() {
            return Err(self.over("resign"));
        }
        self.game.result = GameResult::Won(!self.person);
        self.game.set_tag("Termination", "normal");
        self.game.set_tag("Ending", "resignation");
        let (loser, winner) = (self.language.side(self.person), self.language.side(!self.person));
        let values: [(&str, &dyn Display); 2] = [("loser", &loser), ("winner", &winner)];
        self.note(fill(self.language.texts().resigns, &values));
        self.save();
        Ok(())
    }

    fn save_as(&mut self, name: &str) -> Result<(), Fault> {
        let mut file = lock(&self.file);
        let saved = match name {
            "" => file.save(&self.game),
            name => file.save_as(Path::new(name), &self.game),
        };
        saved.map_err(|error| Fault(format!("save: {error}")))?;
        let saved = file
            .path()
            .map(|path| fill(self.language.texts().saved_as, &[("file", &path.display())]));
        drop(file);
        self.unsaved = None;
        self.notes.extend(saved);
        Ok(())
    }
}

/// What comes after a command.
enum Next {
    /// Draw the board again.
    Draw,
    /// Only say what there is to say.
    Tell,
    Quit,
}

/// What is wrong with a line; the game goes on.
struct Fault(String);

/// A score in words, for the side to move.
fn worth(score: Score, language: Language) -> String {
    let texts = language.texts();
    let moves = |n: i32| language.moves(n.unsigned_abs() as usize);
    match score {
        Score::Cp(cp) => language.pawns(cp),
        Score::Mate(n) if n > 0 => fill(texts.wins_in, &[("moves", &moves(n))]),
        Score::Mate(n) => fill(texts.loses_in, &[("moves", &moves(n))]),
    }
}
