//! How a board looks: as SVG, and as text in a terminal.
//!
//! Uses `board` and `rules`. Nothing is decided here; a picture shows what the rules say.

mod pieces;
mod svg;
mod text;

pub use svg::{Picture, svg};
pub use text::text;
