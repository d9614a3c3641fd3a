//! `--lang pt`: what is printed for people is Portuguese, with its piece letters and the game's own words.

use assert_cmd::Command;

/// The standard output of a call that succeeds.
fn output(arguments: &[&str], input: &str) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_usurper"));
    let folder = tempfile::tempdir().expect("a folder");
    let run = run.current_dir(folder.path()).args(arguments).write_stdin(input).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn judge() {
    let text = output(&["judge", "--lang", "pt", "--moves", "e4", "e5", "Cf3"], "");
    holds(
        &text,
        &[
            "Jogados   3 meios-lances",
            "Vez       Pretas",
            "pela primeira vez",
            "nenhum ainda",
            "lances legais:",
        ],
    );
    // C is Cavalo, the Knight.
    holds(&text, &["b8c6 Cc6"]);
    let over = output(&["judge", "--lang", "pt", "--fen", "8/8/4K3/8/8/8/8/8 b - - 3 9"], "");
    assert!(over.ends_with("Resultado Brancas vencem por Captura\n"), "{over}");
    // What programs read is in no language.
    let json =
        output(&["judge", "--lang", "pt", "--json", "--fen", "8/8/4K3/8/8/8/8/8 b - - 3 9"], "");
    holds(&json, &["\"winner\":\"white\"", "\"reason\":\"capture\""]);
}

#[test]
fn board() {
    let fen = "r7/4K3/8/8/7k/8/8/8 w - - 0 1";
    let arguments = ["board", "--lang", "pt", "--fen", fen, "--moves", "Re8", "--arrow", "Txe8"];
    let text = output(&arguments, "");
    let parts = [
        "Captura ou Conquista",
        "Pretas jogam",
        "Ultimato: Pretas precisam capturar o Rei em e8 agora",
    ];
    holds(&text, &parts);
    holds(&text, &["último lance 1. Re8 (e7e8)", "seta  1... Txe8"]);
    let svg = output(&[&arguments[..], &["--svg", "-"]].concat(), "");
    holds(&svg, &["<desc>Pretas jogam; Ultimato: "]);
}

#[test]
fn solve() {
    let text = output(&["solve", "--lang", "pt", "--fen", "8/8/1K6/8/6k1/8/8/8 w - - 0 1"], "");
    holds(&text, &["Brancas vencem em 2 lances (3 meios-lances): R", "vence por Conquista"]);
    let none = output(&["solve", "--lang", "pt", "--max", "1"], "");
    holds(&none, &["nenhuma vitória em até 1 lance: Brancas não conseguem"]);
}

#[test]
fn play() {
    let text = output(&["play", "--lang", "pt", "--movetime", "1"], "help\nhint\nresign\nquit\n");
    holds(&text, &["seu lance em qualquer notação", "todos os lances legais", "dica: 1. "]);
    holds(&text, &["Brancas desistem, Pretas vencem", "a partida está em "]);
    // The same by Portuguese words.
    let words = "ajuda\ndica\nlances\ngirar\nCf3\ndesfazer\ndesistir\nsair\n";
    let text = output(&["play", "--lang", "pt", "--movetime", "1"], words);
    holds(&text, &["todos os lances legais", "dica: 1. ", "Cf3 (g1f3)", "usurper joga 1... "]);
    holds(&text, &["Brancas desistem, Pretas vencem", "a partida está em "]);
}
