//! The protocols: lines of text in, lines of text out.
//!
//! Uses the rooms to its left. Outside text is never trusted here: nothing is indexed by it, nothing
//! unwrapped, and every line that cannot be used becomes one typed error and one line to the client,
//! with the state left as it was.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod client;
pub mod error;
pub mod grammar;
pub mod input;
pub mod options;
pub mod session;
pub mod uci;
mod vampirc;
pub mod writer;
pub mod xboard;

use std::io::{BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use client::Client;
use input::Lines;
use uci::Flow;
use writer::Writer;

/// How many lines may wait; a client that sends faster has to wait itself.
const WAITING_LINES: usize = 64;

/// How long a search may take to end when the client has gone.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// What the thread that obeys commands waits for.
enum Message {
    /// A line was read.
    Line(String),
    /// A search has ended.
    Searched,
    /// The input has ended or the output is closed.
    End,
}

/// Speaks with a client, UCI or XBoard's protocol, until it quits, its input ends or its output is
/// closed. A search that runs then is ended first.
///
/// # Errors
/// When the thread that reads the input cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<()> {
    // Reading has a thread of its own so that the end of a search, and a closed output, are noticed
    // while no input comes. With messages still waiting there is no need to be woken: after each the
    // state is looked at anyway.
    let (sender, messages) = sync_channel::<Message>(WAITING_LINES);
    let (on_close, on_end) = (sender.clone(), sender.clone());
    let writer = Arc::new(Writer::new(output, move || {
        let _ = on_close.try_send(Message::End);
    }));
    let wake = Arc::new(move || {
        let _ = on_end.try_send(Message::Searched);
    });
    thread::Builder::new().name("input".into()).spawn(move || {
        for line in Lines::new(BufReader::new(input)) {
            if sender.send(Message::Line(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(Message::End);
    })?;

    let mut client = Client::new(Arc::clone(&writer), wake);
    while let Ok(message) = messages.recv() {
        match message {
            Message::Line(line) => {
                writer.received(&line);
                if client.line(&line) == Flow::Quit {
                    break;
                }
            }
            Message::Searched => client.poll(),
            Message::End => break,
        }
        if writer.is_closed() {
            break;
        }
    }
    if !client.finish_within(LAST_WORDS) {
        log::error!("the search does not end; leaving without it");
        std::mem::forget(client);
    }
    Ok(())
}
