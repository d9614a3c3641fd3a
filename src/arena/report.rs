//! A match in words: a line while it runs, and the table at its end.

use std::fmt::Write as _;

use super::results::{Encounter, EngineSum, Standings};
use super::stats::{Estimate, Sprt, Tally};

/// Where the sequential test stands after the pairs of an encounter, for a line.
fn sprt_text(sprt: &Sprt, pairs: &Tally) -> String {
    let (low, high) = sprt.bounds();
    let llr = sprt.llr(pairs);
    let verdict = if llr >= high {
        ", accepted: elo1"
    } else if llr <= low {
        ", accepted: elo0"
    } else {
        ""
    };
    format!(
        "LLR {llr:.2} ({low:.2}, {high:.2}) for [{}, {}] {}{verdict}",
        sprt.elo0, sprt.elo1, sprt.model
    )
}

/// The tally that statistics are made from: pairs, as soon as there are any.
fn tally(encounter: &Encounter) -> Tally {
    let pairs = encounter.pair_tally();
    if pairs.count() > 0.0 { pairs } else { encounter.game_tally() }
}

fn estimate(estimate: Estimate) -> String {
    let value = match estimate.value {
        value if value.is_finite() => format!("{value:+.1}"),
        value if value > 0.0 => "+∞".into(),
        _ => "-∞".into(),
    };
    let error =
        if estimate.error.is_finite() { format!("{:.1}", estimate.error) } else { "∞".into() };
    format!("{value} ± {error}")
}

/// One line for a match that runs.
pub fn progress(standings: &Standings, names: &[String], sprt: Option<&Sprt>) -> String {
    let [encounter] = standings.encounters.as_slice() else {
        let leaders = points(standings);
        let scores: Vec<String> = leaders
            .into_iter()
            .map(|(engine, points, games)| {
                format!("{} {points}/{games}", names.get(engine).map_or("?", String::as_str))
            })
            .collect();
        return scores.join(", ");
    };
    let mut line = format!("+{} -{} ={}", encounter.wins, encounter.losses, encounter.draws);
    if encounter.games() > 0 {
        let _ = write!(line, ", Elo {}", estimate(tally(encounter).elo()));
    }
    if let Some(sprt) = sprt {
        let _ = write!(line, ", LLR {:.2}", sprt.llr(&encounter.pair_tally()));
    }
    line
}

/// Engines by their points, best first: number, points, games.
fn points(standings: &Standings) -> Vec<(usize, f64, u64)> {
    let mut sums: Vec<(usize, f64, u64)> =
        (0..standings.engines.len()).map(|engine| (engine, 0.0, 0)).collect();
    for encounter in &standings.encounters {
        let (a, b) = encounter.engines;
        let halves = encounter.draws as f64 / 2.0;
        for (engine, wins) in [(a, encounter.wins), (b, encounter.losses)] {
            sums[engine].1 += wins as f64 + halves;
            sums[engine].2 += encounter.games();
        }
    }
    let share = |&(_, points, games): &(usize, f64, u64)| points / (games as f64).max(1.0);
    sums.sort_by(|a, b| share(b).total_cmp(&share(a)));
    sums
}

/// The table at the end.
pub fn table(standings: &Standings, names: &[String], sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    let name = |engine: usize| names.get(engine).map_or("?", String::as_str);
    if standings.encounters.len() > 1 {
        for (rank, (engine, points, games)) in (1..).zip(points(standings)) {
            let share = 100.0 * points / (games as f64).max(1.0);
            let _ = writeln!(
                text,
                "{rank}. {}: {points} points of {games} games, {share:.1} %",
                name(engine)
            );
        }
        text.push('\n');
    }
    for encounter in &standings.encounters {
        let _ = writeln!(
            text,
            "{} against {}: {} games, {} won, {} lost, {} drawn{}",
            name(encounter.engines.0),
            name(encounter.engines.1),
            encounter.games(),
            encounter.wins,
            encounter.losses,
            encounter.draws,
            match encounter.unfinished {
                0 => String::new(),
                n => format!("; {n} unfinished and not counted"),
            }
        );
        push_statistics(&mut text, encounter, sprt);
    }
    let endings: Vec<String> =
        standings.endings.iter().map(|(ending, n)| format!("{ending} {n}")).collect();
    if !endings.is_empty() {
        let _ = writeln!(text, "Games ended by: {}", endings.join(", "));
        let plies = standings.plies as f64 / standings.games as f64;
        let _ = writeln!(text, "Plies a game: {plies:.1}");
    }
    text.push('\n');
    push_engines(&mut text, standings, names);
    text
}

fn push_statistics(text: &mut String, encounter: &Encounter, sprt: Option<&Sprt>) {
    let [zero, half, one, more, two] = encounter.pairs;
    let draws =
        if encounter.draws > 0 { format!(", 1½-½ {more}, ½-1½ {half}") } else { String::new() };
    let _ = writeln!(text, "  pairs: 2-0 {two}, 1-1 {one}, 0-2 {zero}{draws}");
    if encounter.games() == 0 {
        return;
    }
    let score = encounter.game_tally().score() * 100.0;
    let tally = tally(encounter);
    let _ = writeln!(
        text,
        "  score {score:.1} %, Elo {}, nElo {}, LOS {:.1} %",
        estimate(tally.elo()),
        estimate(tally.normalized_elo()),
        tally.superiority() * 100.0
    );
    if let Some(sprt) = sprt {
        let _ = writeln!(text, "  {}", sprt_text(sprt, &encounter.pair_tally()));
    }
}

/// A row for each engine: time a move, positions a second, depth, faults, services.
fn push_engines(text: &mut String, standings: &Standings, names: &[String]) {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(
        text,
        "{:width$}  {:>9}  {:>10}  {:>10}  {:>6}  lost by fault",
        "engine", "moves", "ms a move", "nodes/s", "depth"
    );
    for (name, sum) in names.iter().zip(&standings.engines) {
        let EngineSum { effort, services, faults } = sum;
        let mean = |sum: f64, n: f64| if n > 0.0 { sum / n } else { 0.0 };
        let faults: Vec<String> =
            faults.iter().map(|(ending, n)| format!("{ending} {n}")).collect();
        let faults = if faults.is_empty() { "-".into() } else { faults.join(", ") };
        let _ = write!(
            text,
            "{name:width$}  {:>9}  {:>10.1}  {:>10.0}  {:>6.1}  {faults}",
            effort.moves,
            mean(effort.time_ms, effort.moves as f64),
            mean(effort.nodes as f64 * 1e3, effort.nodes_ms),
            mean(effort.depth as f64, effort.depths as f64),
        );
        if services.any() {
            let _ = write!(
                text,
                "; referee: {} King captures, {} positions, {} moves",
                services.captures, services.positions, services.moves
            );
        }
        text.push('\n');
    }
}
