//! How a board looks: as SVG, in a terminal, and as plain letters.
//!
//! Uses `board`, `rules` and `text`. Nothing is decided here; a picture shows what the rules say. What pictures of other games
//! share with those of the chess family is in `sheet` (SVG) and `ink` (a terminal).

pub(crate) mod ink;
mod pieces;
mod scene;
pub(crate) mod sheet;
mod svg;
mod text;

pub(crate) use scene::times_stood;
pub use scene::{Picture, legs, line, numbered};
pub use svg::{svg, symbols};
pub use text::{terminal, text};
