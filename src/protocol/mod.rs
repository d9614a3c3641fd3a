//! The protocols: lines of text in, lines of text out.
//!
//! Uses the rooms to its left. Outside text is never trusted here: nothing is indexed by it, nothing
//! unwrapped, and every line that cannot be used becomes one typed error and one line to the client,
//! with the state left as it was.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod error;
pub mod grammar;
pub mod input;
pub mod options;
pub mod session;
pub mod uci;
mod vampirc;
pub mod writer;

use std::io::{BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use input::Lines;
use uci::{Flow, Uci};
use writer::Writer;

/// How many lines may wait; a client that sends faster has to wait itself.
const WAITING_LINES: usize = 64;

/// How long a search may take to end when the client has gone.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// Speaks with a client until it quits, its input ends or its output is closed. A search that runs
/// then is ended first.
///
/// # Errors
/// When the thread that reads the input cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<()> {
    // `None` is the end. Reading has a thread of its own so that a closed output is noticed while
    // no input comes.
    let (sender, lines) = sync_channel::<Option<String>>(WAITING_LINES);
    let wake = sender.clone();
    let writer = Arc::new(Writer::new(output, move || {
        // With lines still waiting there is no need to be woken.
        let _ = wake.try_send(None);
    }));
    thread::Builder::new().name("input".into()).spawn(move || {
        for line in Lines::new(BufReader::new(input)) {
            if sender.send(Some(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(None);
    })?;

    let mut uci = Uci::new(Arc::clone(&writer));
    while let Ok(Some(line)) = lines.recv() {
        writer.received(&line);
        if uci.line(&line) == Flow::Quit || writer.is_closed() {
            break;
        }
    }
    if !uci.session().finish_within(LAST_WORDS) {
        log::error!("the search does not end; leaving without it");
        std::mem::forget(uci);
    }
    Ok(())
}
