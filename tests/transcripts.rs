//! Replays the transcripts of `protocol.md`: what that page shows is what the engine says.

mod common;

use std::time::Duration;

use common::{Engine, PATIENCE};

/// One line of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    Send(String),
    Expect(String),
    /// Any number of lines.
    Skip,
}

/// The blocks marked `transcript`, each with the number of its first line.
fn transcripts(text: &str) -> Vec<(usize, Vec<Step>)> {
    let mut found = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if line != "```transcript" {
            continue;
        }
        let mut steps = Vec::new();
        for (line, number) in lines.by_ref().take_while(|(line, _)| *line != "```") {
            steps.push(match (line, line.split_at_checked(2)) {
                ("< ...", _) => Step::Skip,
                (_, Some(("> ", sent))) => Step::Send(sent.to_owned()),
                (_, Some(("< ", expected))) => Step::Expect(expected.to_owned()),
                _ => panic!("protocol.md:{number}: neither sent nor expected: {line}"),
            });
        }
        found.push((number, steps));
    }
    found
}

/// Whether `line` is `pattern`, each `*` in which stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line,
        Some((head, tail)) => line.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| matches(tail, rest)))
        }),
    }
}

fn replay(at: usize, steps: &[Step]) {
    let mut engine = Engine::start();
    let mut skipping = false;
    for step in steps {
        match step {
            Step::Send(line) => engine.send(line),
            Step::Skip => skipping = true,
            Step::Expect(pattern) => {
                let mut seen = Vec::new();
                loop {
                    let line = engine.next_within(PATIENCE).unwrap_or_else(|| {
                        panic!("protocol.md:{at}: no line {pattern} after {seen:#?}")
                    });
                    if matches(pattern, &line) {
                        break;
                    }
                    assert!(skipping, "protocol.md:{at}: {line} instead of {pattern}");
                    seen.push(line);
                }
                skipping = false;
            }
        }
    }
    // Both protocols have a word that is answered when all before it is done.
    let is_xboard = steps.first() == Some(&Step::Send("xboard".to_owned()));
    let (ask, answer) = if is_xboard { ("ping 99", "pong") } else { ("isready", "readyok") };
    engine.send(ask);
    let left = engine.until(answer);
    assert!(skipping || left.len() == 1, "protocol.md:{at}: more than expected: {left:#?}");
    let rest = engine.lines_for(Duration::from_millis(20));
    assert!(skipping || rest.is_empty(), "protocol.md:{at}: more than expected: {rest:#?}");
    engine.quit();
}

#[test]
fn the_transcripts_of_the_page_are_true() {
    let transcripts = transcripts(include_str!("../protocol.md"));
    assert!(transcripts.len() >= 10, "{}", transcripts.len());
    for (at, steps) in transcripts {
        replay(at, &steps);
    }
}

#[test]
fn patterns() {
    assert!(matches("a*c", "abbc") && matches("*", "") && matches("x * y", "x 1 2 y"));
    assert!(!matches("a*c", "abcd") && !matches("ab", "abc") && !matches("", "a"));
}
