//! The single way out: every line to the client goes through one [`Writer`].
//!
//! Invariants: a line is one write, ended by `\n` alone and flushed; the lines of a block stand
//! together, whoever else writes; after a failed write (the client has gone) nothing more is written
//! and [`Writer::is_closed`] says so. With a log file set, all that is read and written is copied to it.

use std::fs::{File, metadata};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes whole lines; shared between the thread that reads commands and the search.
pub struct Writer {
    state: Mutex<State>,
    closed: AtomicBool,
    on_close: Box<dyn Fn() + Send + Sync>,
}

struct State {
    output: Box<dyn Write + Send>,
    log: Option<File>,
}

impl Writer {
    /// A writer to `output`. `on_close` is called once, when a write has failed.
    pub fn new(
        output: impl Write + Send + 'static,
        on_close: impl Fn() + Send + Sync + 'static,
    ) -> Writer {
        Writer {
            state: Mutex::new(State { output: Box::new(output), log: None }),
            closed: AtomicBool::new(false),
            on_close: Box::new(on_close),
        }
    }

    /// Writes one line. Line ends within it become blanks.
    pub fn line(&self, line: &str) {
        self.block([line]);
    }

    /// Writes lines that no other line may come between.
    pub fn block<S: AsRef<str>>(&self, lines: impl IntoIterator<Item = S>) {
        let mut state = self.lock();
        for line in lines {
            if self.is_closed() {
                return;
            }
            if state.write(line.as_ref()).is_err() && !self.closed.swap(true, Ordering::SeqCst) {
                log::debug!("the output is closed");
                (self.on_close)();
            }
        }
    }

    /// Notes a line that was read, in the log only.
    pub fn received(&self, line: &str) {
        log::trace!(">> {line}");
        self.lock().copy(">>", line);
    }

    /// Whether a write has failed: the client has gone.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Appends a copy of the session to the file at `path` from here on; an empty path ends it.
    ///
    /// # Errors
    /// When the file cannot be opened; the log stays what it was.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let log = match path {
            "" => None,
            path => {
                // Opening a pipe would wait for its reader.
                if metadata(path).is_ok_and(|what| !what.is_file()) {
                    return Err(io::Error::other("not a regular file"));
                }
                Some(File::options().append(true).create(true).open(path)?)
            }
        };
        self.lock().log = log;
        Ok(())
    }

    /// A panic of another thread while it wrote leaves at worst a cut line behind.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self, line: &str) -> io::Result<()> {
        let mut text = String::with_capacity(line.len() + 1);
        text.extend(
            line.trim_end().chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }),
        );
        log::trace!("<< {text}");
        self.copy("<<", &text);
        text.push('\n');
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// A log that can no longer be written to is given up: the game is worth more.
    fn copy(&mut self, mark: &str, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.write_all(format!("{mark} {line}\n").as_bytes())
        {
            log::warn!("the debug log file is given up: {error}");
            self.log = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Keeps each write apart.
    #[derive(Clone, Default)]
    struct Writes(Arc<Mutex<Vec<String>>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn one_line_is_one_write() {
        let writes = Writes::default();
        let writer = Writer::new(writes.clone(), || {});
        writer.line("readyok");
        writer.block(["a  ", "b\r\nc"]);
        assert_eq!(*writes.0.lock().unwrap(), ["readyok\n", "a\n", "b  c\n"]);
    }

    #[test]
    fn a_broken_pipe_closes_once() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        let writer = Writer::new(Broken, move || {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        assert!(!writer.is_closed());
        writer.block(["x", "y"]);
        writer.line("z");
        assert!(writer.is_closed());
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_block_stays_together() {
        let writes = Writes::default();
        let writer = Arc::new(Writer::new(writes.clone(), || {}));
        std::thread::scope(|scope| {
            for name in ["a", "b", "c", "d"] {
                let writer = &writer;
                scope.spawn(move || {
                    for _ in 0..50 {
                        writer.block([format!("{name}1"), format!("{name}2")]);
                    }
                });
            }
        });
        let writes = writes.0.lock().unwrap();
        assert_eq!(writes.len(), 400);
        for pair in writes.chunks(2) {
            assert_eq!(pair[0].trim_end().replace('1', "2"), pair[1].trim_end());
        }
    }

    #[test]
    fn the_log_file_holds_both_directions() {
        let path = std::env::temp_dir().join(format!("usurper-log-{}.txt", std::process::id()));
        let name = path.to_str().expect("a temporary path in Unicode");
        let writer = Writer::new(io::sink(), || {});
        writer.log_to(name).expect("the log file opens");
        writer.received("isready");
        writer.line("readyok");
        writer.log_to("").expect("no file is needed");
        writer.line("unseen");
        let text = std::fs::read_to_string(&path).expect("the log file is there");
        std::fs::remove_file(&path).expect("the log file can go");
        assert_eq!(text, ">> isready\n<< readyok\n");
        assert!(writer.log_to("/no/such/folder/log.txt").is_err());
    }
}
