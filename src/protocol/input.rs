//! The way in: bytes to lines of text.
//!
//! Invariants: only the true end of the input ends it (bytes that are not UTF-8 become `U+FFFD`);
//! a line may be of any length; `\r\n` and a last line without a line end are lines too.

use std::io::{self, BufRead};
use std::thread::sleep;
use std::time::Duration;

/// Lines of text from a stream of bytes.
pub struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Lines { input, buffer: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = String;

    /// The next line without its end; `None` at the end of the input or when it cannot be read on.
    fn next(&mut self) -> Option<String> {
        self.buffer.clear();
        match read_line(&mut self.input, &mut self.buffer) {
            Ok(0) => None,
            Ok(_) => {
                let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                // A byte order mark is what some systems put before redirected text.
                let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
                Some(String::from_utf8_lossy(line).into_owned())
            }
            Err(error) => {
                // `read_until` has already repeated an interrupted read.
                log_failure(&error);
                None
            }
        }
    }
}

/// Reads a line; waits where somebody has made the input non-blocking.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<usize> {
    const PATIENCE: Duration = Duration::from_millis(5);
    loop {
        match input.read_until(b'\n', buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => sleep(PATIENCE),
            // What came before a wait is in the buffer already.
            Ok(0) if !buffer.is_empty() => return Ok(buffer.len()),
            result => return result,
        }
    }
}

fn log_failure(error: &io::Error) {
    log::error!("the input cannot be read: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        Lines::new(bytes).collect()
    }

    #[test]
    fn all_line_ends() {
        assert_eq!(lines(b"uci\nisready\r\n\nquit"), ["uci", "isready", "", "quit"]);
        assert_eq!(lines(b""), Vec::<String>::new());
        assert_eq!(lines(b"\xef\xbb\xbfuci\n"), ["uci"]);
    }

    #[test]
    fn an_input_that_would_block_is_waited_for() {
        /// Gives its bytes one by one and has none ready before each.
        struct Hesitant(Vec<u8>, bool);
        impl io::Read for Hesitant {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.1 = !self.1;
                if self.1 {
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                if self.0.is_empty() {
                    return Ok(0);
                }
                buffer[0] = self.0.remove(0);
                Ok(1)
            }
        }
        let input = io::BufReader::new(Hesitant(b"uci\nquit".to_vec(), false));
        assert_eq!(Lines::new(input).collect::<Vec<_>>(), ["uci", "quit"]);
    }

    #[test]
    fn wrong_bytes_are_not_the_end() {
        assert_eq!(
            lines(b"\xff\xfe\n\xffA\nisready\n"),
            ["\u{fffd}\u{fffd}", "\u{fffd}A", "isready"]
        );
        assert_eq!(lines(b"a\0b\nquit\n"), ["a\0b", "quit"]);
    }

    #[test]
    fn a_line_of_any_length() {
        let long = "x".repeat(3_000_000);
        let text = format!("{long}\nquit\n");
        assert_eq!(lines(text.as_bytes()), [long.as_str(), "quit"]);
    }
}
