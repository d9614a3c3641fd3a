//! The loss over the epochs as an SVG picture.

use std::fmt::Write;

use super::run::Epoch;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 64.0;
const FOOT: f64 = 36.0;
const TOP: f64 = 28.0;

/// Draws both losses, the one while learning and the one on games kept apart.
pub fn svg(title: &str, epochs: &[Epoch]) -> String {
    let losses = epochs.iter().flat_map(|e| [e.training, e.validation]);
    let low = losses.clone().fold(f64::INFINITY, f64::min);
    let high = losses.fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let last = epochs.len().saturating_sub(1).max(1) as f64;
    let x = |i: usize| LEFT + (WIDTH - LEFT - 16.0) * i as f64 / last;
    let y = |loss: f64| TOP + (HEIGHT - TOP - FOOT) * (high - loss) / (high - low);
    let line = |of: fn(&Epoch) -> f64| {
        let points = epochs.iter().enumerate();
        points.fold(String::new(), |mut line, (i, epoch)| {
            let _ = write!(line, "{:.1},{:.1} ", x(i), y(of(epoch))); // into a String, which cannot fail
            line
        })
    };
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#3a322e">
<title>{escaped}</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf8"/>
<text x="{LEFT}" y="18">{escaped}</text>
"##
    );
    for step in 0..=4 {
        let loss = low + (high - low) * f64::from(step) / 4.0;
        let _ = writeln!(
            out,
            r##"<path d="M{LEFT} {y:.1}H{right}" stroke="#e4dccb"/><text x="{text}" y="{ty:.1}" text-anchor="end">{loss:.5}</text>"##,
            y = y(loss),
            right = WIDTH - 16.0,
            text = LEFT - 6.0,
            ty = y(loss) + 4.0,
        );
    }
    let foot = HEIGHT - 12.0;
    let _ = writeln!(
        out,
        r##"<polyline class="training" points="{}" fill="none" stroke="#b58a62" stroke-width="2"/>
<polyline class="validation" points="{}" fill="none" stroke="#2a6f97" stroke-width="2"/>
<text x="{LEFT}" y="{foot}">1</text><text x="{right}" y="{foot}" text-anchor="end">epoch {count}</text>
<text x="220" y="{foot}" fill="#b58a62">while learning</text><text x="340" y="{foot}" fill="#2a6f97">on games kept apart</text>
</svg>"##,
        line(|epoch| epoch.training),
        line(|epoch| epoch.validation),
        right = WIDTH - 16.0,
        count = epochs.len(),
    );
    out
}
