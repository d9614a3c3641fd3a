//! An engine as a child process: lines in, lines out, and nothing it does can block the runner.
//!
//! Its output is read by a thread that keeps a bounded number of bounded lines, each with the moment
//! it came; its input is written by another, so that an engine which does not read holds up nobody;
//! a third keeps the last lines of its standard error. Dropping a process kills it and all that it
//! started; should the runner itself be killed, engines see their input end.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::engine_spec::EngineSpec;

/// A longer line is cut.
const LONGEST_LINE: usize = 64 << 10;
/// What waits to be looked at, in bytes; beyond, the oldest lines go.
const WAITING_BYTES: usize = 4 << 20;
/// What a line takes beside its text.
const LINE_BYTES: usize = std::mem::size_of::<Line>();
/// So many lines are kept to be shown when an engine fails.
const LAST_LINES: usize = 12;
/// How often a wait looks whether the match was stopped.
const TICK: Duration = Duration::from_millis(50);
/// How long a process may take to end on its own when told to quit.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line that an engine wrote.
#[derive(Clone, Debug)]
pub struct Line {
    /// Without its end, and without control characters.
    pub text: String,
    /// When it had come.
    pub at: Instant,
}

/// What waiting for a line brings.
#[derive(Clone, Debug)]
pub enum Wait {
    /// A line.
    Line(Line),
    /// None in that time.
    TimedOut,
    /// None any more: the engine has closed its output.
    Closed,
    /// The match was stopped.
    Interrupted,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<Line>,
    bytes: usize,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    arrived: Condvar,
    last: Mutex<VecDeque<String>>,
}

impl Shared {
    fn remember(&self, line: &str) {
        let mut last = lock(&self.last);
        if last.len() == LAST_LINES {
            last.pop_front();
        }
        last.push_back(line.chars().take(200).collect());
    }
}

/// A line as text, whatever its bytes: blanks are plain ones and other control characters written out,
/// so that nothing an engine says, and nothing made of it, does harm to a terminal or a file.
fn text_of(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for character in String::from_utf8_lossy(line).trim_end().chars() {
        match character {
            blank if blank.is_whitespace() => text.push(' '),
            control if control.is_control() => text.extend(control.escape_default()),
            other => text.push(other),
        }
    }
    text
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running engine.
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    #[cfg(unix)]
    group_killed: bool,
}

impl Process {
    /// Starts an engine. Waiting for it ends when `stop` is set.
    ///
    /// # Errors
    /// When the program cannot be started, or the file for its standard error not be opened.
    pub fn start(spec: &EngineSpec, stop: Arc<AtomicBool>) -> io::Result<Process> {
        let log = match &spec.stderr {
            Some(path) => Some(OpenOptions::new().create(true).append(true).open(path)?),
            None => None,
        };
        let mut command = Command::new(spec.program());
        command.args(spec.command.get(1..).unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        // A group of its own: the terminal's Ctrl-C is the runner's, and the whole group can be killed.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let shared = Arc::new(Shared::default());
        let (input, to_write) = channel::<String>();
        if let Some(mut stdin) = child.stdin.take() {
            spawn("engine input", move || {
                for line in to_write {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            })?;
        }
        if let Some(stdout) = child.stdout.take() {
            let shared = Arc::clone(&shared);
            spawn("engine output", move || read_output(stdout, &shared))?;
        }
        if let Some(stderr) = child.stderr.take() {
            let shared = Arc::clone(&shared);
            spawn("engine errors", move || read_errors(stderr, &shared, log))?;
        }
        Ok(Process {
            child,
            input: Some(input),
            shared,
            stop,
            #[cfg(unix)]
            group_killed: false,
        })
    }

    /// Sends a line, which must hold no line break. Nothing happens when the engine has gone: that is
    /// seen where its answer is awaited.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            log::trace!("{} < {line}", self.child.id());
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, waiting for it until `deadline`.
    pub fn receive(&self, deadline: Instant) -> Wait {
        let mut queue = lock(&self.shared.queue);
        loop {
            if let Some(line) = queue.lines.pop_front() {
                queue.bytes -= line.text.len() + LINE_BYTES;
                log::trace!("{} > {}", self.child.id(), line.text);
                return Wait::Line(line);
            }
            if queue.closed {
                return Wait::Closed;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Wait::Interrupted;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Wait::TimedOut;
            }
            let wait = self.shared.arrived.wait_timeout(queue, left.min(TICK));
            queue = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The last lines that it wrote, oldest first; those of standard error are marked.
    pub fn last_lines(&self) -> Vec<String> {
        lock(&self.shared.last).iter().cloned().collect()
    }

    /// How it ended, when its output is closed; waits a moment for the system to know.
    pub fn exit(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.kill_group();
                    return Some(status);
                }
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    /// Ends it in friendship: the line, the end of its input, a moment to go; then as a drop does.
    pub fn quit(mut self, line: &str) {
        self.send(line);
        self.input = None;
        self.exit();
    }
}

impl Process {
    /// Kills what the engine started, once: later its number may be another's.
    fn kill_group(&mut self) {
        #[cfg(unix)]
        if !std::mem::replace(&mut self.group_killed, true)
            && let Ok(pid) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(pid)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        self.kill_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(run).map(drop)
}

fn read_output(output: impl Read, shared: &Shared) {
    read_lines(output, |text| {
        let at = Instant::now();
        shared.remember(&text);
        let mut queue = lock(&shared.queue);
        queue.bytes += text.len() + LINE_BYTES;
        queue.lines.push_back(Line { text, at });
        while queue.bytes > WAITING_BYTES {
            let Some(old) = queue.lines.pop_front() else { break };
            queue.bytes -= old.text.len() + LINE_BYTES;
        }
        drop(queue);
        shared.arrived.notify_all();
    });
    lock(&shared.queue).closed = true;
    shared.arrived.notify_all();
}

fn read_errors(errors: impl Read, shared: &Shared, mut log: Option<std::fs::File>) {
    read_lines(errors, |text| {
        shared.remember(&format!("stderr: {text}"));
        if let Some(file) = &mut log {
            let _ = writeln!(file, "{text}");
        }
    });
}

/// Hands over line by line, whatever bytes come: each cut to a bounded length and made text.
fn read_lines(input: impl Read, mut take: impl FnMut(String)) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        let used = match input.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
                let room = LONGEST_LINE.saturating_sub(line.len());
                line.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
                let used = part.len() + usize::from(end.is_some());
                if end.is_some() {
                    take(text_of(&line));
                    line.clear();
                }
                used
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(_) => break,
        };
        input.consume(used);
    }
    if !line.is_empty() {
        take(text_of(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_bytes_are_cut_and_handed_over() {
        let mut lines = Vec::new();
        let long = vec![b'x'; LONGEST_LINE * 3];
        let bytes = [b"uciok\r\n\n\xff\x00a\x1b[2J\tb\n".as_slice(), &long, b"\nlast"].concat();
        read_lines(bytes.as_slice(), |line| lines.push(line));
        assert_eq!(lines.len(), 5);
        assert_eq!(
            (lines[0].as_str(), lines[1].as_str(), lines[4].as_str()),
            ("uciok", "", "last")
        );
        assert_eq!(lines[2], "\u{fffd}\\u{0}a\\u{1b}[2J b");
        assert_eq!(lines[3].len(), LONGEST_LINE);
    }

    #[test]
    fn what_is_not_looked_at_is_bounded() {
        let shared = Shared::default();
        let flood = "info string 0123456789\n\n".repeat(200_000);
        read_output(flood.as_bytes(), &shared);
        let queue = lock(&shared.queue);
        assert!(queue.closed && queue.bytes <= WAITING_BYTES);
        let held: usize = queue.lines.iter().map(|line| line.text.len() + LINE_BYTES).sum();
        assert_eq!(queue.bytes, held);
        assert!(held > WAITING_BYTES / 2, "the newest lines stay");
        assert_eq!(lock(&shared.last).len(), LAST_LINES);
    }
}
