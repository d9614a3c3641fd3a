//! Which protocol the client speaks: UCI until it says otherwise.
//!
//! Both drive a session of their own, of which there is only one at a time. The words `xboard` and
//! `protover` choose XBoard's protocol, `uci` chooses UCI; the choice is final.

use std::sync::Arc;
use std::time::Duration;

use super::uci::{Flow, Uci};
use super::writer::Writer;
use super::xboard::XBoard;

/// The client at the other end.
pub struct Client {
    protocol: Protocol,
    /// No word has chosen the protocol yet.
    undecided: bool,
    writer: Arc<Writer>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

#[allow(clippy::large_enum_variant)] // one value a process
enum Protocol {
    Uci(Uci),
    XBoard(XBoard),
}

impl Client {
    /// A client that has said nothing. `wake` must lead to a call of [`Client::poll`].
    pub fn new(writer: Arc<Writer>, wake: Arc<dyn Fn() + Send + Sync>) -> Client {
        let protocol = Protocol::Uci(Uci::new(Arc::clone(&writer)));
        Client { protocol, undecided: true, writer, wake }
    }

    /// Does what one line asks for.
    pub fn line(&mut self, line: &str) -> Flow {
        if self.undecided {
            self.choose(line.split_whitespace().next().unwrap_or_default());
        }
        match &mut self.protocol {
            Protocol::Uci(uci) => uci.line(line),
            Protocol::XBoard(xboard) => {
                xboard.poll();
                let flow = xboard.line(line);
                xboard.poll();
                flow
            }
        }
    }

    /// Does what is to be done after a search.
    pub fn poll(&mut self) {
        if let Protocol::XBoard(xboard) = &mut self.protocol {
            xboard.poll();
        }
    }

    /// Ends the running search, but waits no longer than `patience`. Whether it has ended.
    pub fn finish_within(&self, patience: Duration) -> bool {
        match &self.protocol {
            Protocol::Uci(uci) => uci.session().finish_within(patience),
            Protocol::XBoard(xboard) => xboard.session().finish_within(patience),
        }
    }

    fn choose(&mut self, word: &str) {
        match word {
            "xboard" | "protover" => {
                // A search that still runs says its best move in the old words.
                if let Protocol::Uci(uci) = &self.protocol {
                    uci.session().finish();
                }
                let xboard = XBoard::new(Arc::clone(&self.writer), Arc::clone(&self.wake));
                self.protocol = Protocol::XBoard(xboard);
                self.undecided = false;
            }
            word if word.eq_ignore_ascii_case("uci") => self.undecided = false,
            _ => {}
        }
    }
}
