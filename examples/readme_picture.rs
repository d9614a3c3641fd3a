//! Draws the picture in README: a position with an Escort and a Decoy.
//!
//! `cargo run --release --example readme_picture > docs/escort-and-decoy.svg`

use usurper::picture::{Picture, svg};
use usurper::rules::notation::{Letters, parse_move};
use usurper::rules::{Edition, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The Queen on b1 attacks the King. Two ways out: the Bishop escorts it to d7, or the pawn on g6
    // takes its place as a Decoy and shields it.
    let fen = "2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1";
    let position = Position::from_fen(Edition::CaptureOrConquer, fen)?;
    let escort = parse_move(&position, "EBe6", Letters::English)?;
    let decoy = parse_move(&position, "Dg6", Letters::English)?;
    let arrows = [escort, decoy];
    print!("{}", svg(&position, &Picture { arrows: &arrows, ..Picture::default() }));
    Ok(())
}
