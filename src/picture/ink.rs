//! What every board in a terminal is drawn with, whatever is played on it: colours of the 256 that terminals share.

use anstyle::{Ansi256Color, Color as Paint, Style};

/// Behind squares, light and dark.
pub const PLAIN: [u8; 2] = [246, 241];
/// Behind those of the last move.
pub const LAST: [u8; 2] = [107, 65];
/// Behind those of an arrow.
pub const ARROW: [u8; 2] = [74, 67];
/// White's pieces.
pub const WHITE: u8 = 231;
/// Black's pieces.
pub const BLACK: u8 = 16;
/// Coordinates.
pub const FAINT: u8 = 244;

/// Letters in a colour.
pub fn fg(color: u8) -> Style {
    Style::new().fg_color(Some(Paint::Ansi256(Ansi256Color(color))))
}

/// The same letters on a ground.
pub fn on(style: Style, ground: u8) -> Style {
    style.bg_color(Some(Paint::Ansi256(Ansi256Color(ground))))
}

/// A text in a style, if there are to be colours.
pub fn styled(text: &str, style: Style, color: bool) -> String {
    if color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
