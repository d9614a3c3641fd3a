//! How a board looks: as SVG, in a terminal, and as plain letters.
//!
//! Uses `board`, `rules` and `text`. Nothing is decided here; a picture shows what the rules say.

mod pieces;
mod scene;
mod svg;
mod text;

pub use scene::{Picture, legs, line, numbered};
pub use svg::{svg, symbols};
pub use text::{terminal, text};
