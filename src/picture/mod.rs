//! How a board looks: as SVG, in a terminal, and as plain letters.
//!
//! Uses `board` and `rules`. Nothing is decided here; a picture shows what the rules say.

mod pieces;
mod scene;
mod svg;
mod text;

pub use scene::{Picture, capitalised, legs, line, numbered, sentence};
pub use svg::{svg, symbols};
pub use text::{terminal, text};
