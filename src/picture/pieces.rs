//! The drawings: pieces on a 45 × 45 field, letters and digits for the edge on a 4 × 6 field.
//!
//! Drawn for this project from circles and straight or curved strokes; no font is needed.

use crate::board::PieceKind;

/// The outline of a piece as SVG shapes, to be filled and stroked by the group around them; `{i}`
/// stands for the colour of inner lines.
pub(super) const fn drawing(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => concat!(
            r#"<path d="M13 38 h19 v-3 q-6 -4 -6.5 -12 h-6 q-.5 8 -6.5 12z"/>"#,
            r#"<circle cx="22.5" cy="16" r="6"/>"#,
            r#"<path d="M16.5 23.5 h12" stroke-width="2.5"/>"#,
        ),
        PieceKind::Knight => concat!(
            r#"<path d="M12 38 h22 q2 -10 -1 -18 q-3 -8 -11 -9 l-2 -4 l-3 5 q-5 4 -8 13 q-1 3 2 4 q3 .5 5 -2 q3 -1 5 -3 q0 7 -5 9 q-4 2 -4 5z"/>"#,
            r#"<circle cx="17.5" cy="17.5" r="1.3" fill="{i}" stroke="none"/>"#,
            r#"<path d="M26 14 q5 4 5.5 20" stroke="{i}" fill="none" stroke-width="1.2"/>"#,
        ),
        PieceKind::Bishop => concat!(
            r#"<path d="M11 38 h23 q-1 -4 -7 -5 h-9 q-6 1 -7 5z"/>"#,
            r#"<path d="M17 33 q-2 -3 .5 -5 q-5 -3 -4 -8 q2 -6 9 -10.5 q7 4.5 9 10.5 q1 5 -4 8 q2.5 2 .5 5z"/>"#,
            r#"<circle cx="22.5" cy="7.5" r="2.3"/>"#,
            r#"<path d="M22.5 15 v8 M18.5 19 h8" stroke="{i}" fill="none"/>"#,
            r#"<path d="M17.5 28 h10" stroke="{i}" fill="none" stroke-width="1.2"/>"#,
        ),
        PieceKind::Rook => concat!(
            r#"<path d="M10 38 h25 v-4 h-3 l-1.5 -15 l3.5 -3 v-7 h-5 v3 h-4 v-3 h-5 v3 h-4 v-3 h-5 v7 l3.5 3 l-1.5 15 h-3z"/>"#,
            r#"<path d="M13 34 h19 M14.5 19 h16" stroke="{i}" fill="none" stroke-width="1.2"/>"#,
        ),
        PieceKind::Queen => concat!(
            r#"<path d="M12 38 h21 l1 -5 q-1 -3 -1 -5 l5 -13 l-7.5 8 l-1.5 -12 l-6.5 11 l-6.5 -11 l-1.5 12 l-7.5 -8 l5 13 q0 2 -1 5z"/>"#,
            r#"<circle cx="7" cy="14" r="2.2"/><circle cx="15.5" cy="10" r="2.2"/>"#,
            r#"<circle cx="29.5" cy="10" r="2.2"/><circle cx="38" cy="14" r="2.2"/>"#,
            r#"<path d="M12.5 28.5 q10 -3 20 0 M12 33 q10.5 -3 21 0" stroke="{i}" fill="none" stroke-width="1.2"/>"#,
        ),
        PieceKind::King => concat!(
            r#"<path d="M22.5 5 v8 M19 8 h7" fill="none" stroke-width="2"/>"#,
            r#"<path d="M22.5 25 q5 -7 0 -12 q-5 5 0 12z"/>"#,
            r#"<path d="M12 38 h21 v-7 q7 -5 5 -10 q-4 -6 -11 -2 q-3 2 -4.5 6 q-1.5 -4 -4.5 -6 q-7 -4 -11 2 q-2 5 5 10z"/>"#,
            r#"<path d="M12 31 q10.5 -4 21 0 M12 34.5 q10.5 -4 21 0" stroke="{i}" fill="none" stroke-width="1.2"/>"#,
        ),
    }
}

/// A letter `a` to `i`, a digit, `×`, `-` or `/` as one stroke path, 4 wide and 6 high; else nothing.
pub(super) const fn glyph(letter: char) -> &'static str {
    match letter {
        'a' => "M0 3 q2 -2 4 0 v3 M4 4 q-4 -.5 -4 1 q1 2 4 0",
        'b' => "M0 0 v6 M0 3.5 q4 -2 4 1 q0 2.5 -4 1",
        'c' => "M4 3 q-4 -1.5 -4 1.2 q0 2.8 4 1.3",
        'd' => "M4 0 v6 M4 3.5 q-4 -2 -4 1 q0 2.5 4 1",
        'e' => "M0 4.3 h4 q0 -2 -2 -2 q-2 0 -2 2 q0 2.5 4 1.2",
        'f' => "M4 .5 q-2.5 -1 -2.5 1.5 v4 M0 2.5 h3.5",
        'g' => "M4 3 q-4 -1.8 -4 .8 q0 2.2 4 .8 M4 2.5 v3.5 q-1 2 -4 1",
        'h' => "M0 0 v6 M0 3.5 q4 -2.5 4 0 v2.5",
        'i' => "M2 2.2 v3.8 M2 .2 v.1",
        '0' => "M2 0 q-2 0 -2 3 q0 3 2 3 q2 0 2 -3 q0 -3 -2 -3z",
        '1' => "M.5 1.5 l1.5 -1.5 v6 M.5 6 h3",
        '2' => "M0 1.5 q0 -1.5 2 -1.5 q2 0 2 1.5 q0 1.5 -4 4.5 h4",
        '3' => "M0 .3 q4 -1 4 1.3 q0 1.3 -2 1.3 q2 0 2 1.6 q0 2.3 -4 1.2",
        '4' => "M3 6 v-6 l-3 4 h4",
        '5' => "M4 0 h-3.5 v2.5 q3.5 -.8 3.5 1.5 q0 2.7 -4 1.7",
        '6' => "M3.5 .2 q-3.5 0 -3.5 3.8 q0 2 2 2 q2 0 2 -1.8 q0 -2 -4 -.6",
        '7' => "M0 0 h4 l-2.5 6",
        '8' => {
            "M2 3 q-2 -.3 -2 -1.6 q0 -1.4 2 -1.4 q2 0 2 1.4 q0 1.3 -2 1.6 q-2 .2 -2 1.6 q0 1.4 2 1.4 q2 0 2 -1.4 q0 -1.4 -2 -1.6"
        }
        '9' => "M.5 5.8 q3.5 0 3.5 -3.8 q0 -2 -2 -2 q-2 0 -2 1.8 q0 2 4 .6",
        '×' => "M.5 2 l3 3 M3.5 2 l-3 3",
        '-' => "M.5 3.2 h3",
        '/' => "M3.7 0 l-3.4 6",
        _ => "",
    }
}
