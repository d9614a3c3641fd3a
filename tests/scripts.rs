//! The scripts that play games, as somebody runs them who has just come: from another folder, in a folder
//! with blanks in its name, without what they need. None builds anything here.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const USURPER: &str = env!("CARGO_BIN_EXE_usurper");
const SCRIPTS: [&str; 7] = [
    "gauntlet.sh",
    "match.sh",
    "shards-slurm.sh",
    "shards-ssh.sh",
    "vs-fairy.sh",
    "xboard.sh",
    "yardsticks.sh",
];

/// A copy of the scripts in a folder with blanks in its name.
struct Copy {
    root: tempfile::TempDir,
}

impl Copy {
    fn new() -> Copy {
        let root = tempfile::Builder::new().prefix("a copy ").tempdir().expect("a folder");
        let scripts = root.path().join("scripts");
        std::fs::create_dir_all(scripts.join("fairy")).expect("a folder");
        std::fs::create_dir(root.path().join("else where")).expect("a folder");
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        for name in SCRIPTS.iter().chain(&["common.sh"]) {
            std::fs::copy(original.join(name), scripts.join(name)).expect("a copy");
        }
        Copy { root }
    }

    fn cwd(&self) -> PathBuf {
        self.root.path().join("else where")
    }

    /// A script, called from another folder.
    fn script(&self, name: &str) -> Command {
        let mut command = Command::new("bash");
        command.arg(self.root.path().join("scripts").join(name)).current_dir(self.cwd());
        command.env_remove("USURPER").env_remove("RUST_LOG").env_remove("SLURM_ARRAY_TASK_ID");
        command
    }
}

/// Exit code, standard output, standard error.
#[track_caller]
fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("bash");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

fn engine(name: &str) -> String {
    format!("cmd='{USURPER}',name={name}")
}

#[test]
fn all_are_sound_and_explain_themselves() {
    let copy = Copy::new();
    for name in SCRIPTS {
        let path = copy.root.path().join("scripts").join(name);
        let (code, _, errors) = run(Command::new("bash").arg("-n").arg(path));
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{name}");
        let (code, help, errors) = run(copy.script(name).arg("--help"));
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{name}");
        assert!(help.lines().count() > 5 && help.contains(name), "{name}: {help}");
    }
}

/// What is missing or wrong is named in one line, before anything else is done.
#[test]
fn what_is_missing_is_named() {
    let copy = Copy::new();
    // A PATH with the shell's own helpers alone.
    let bin = copy.root.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    for program in ["bash", "cat", "dirname", "mkdir", "sed", "cksum", "cut", "seq"] {
        let found = ["/usr/bin", "/bin"].map(|dir| Path::new(dir).join(program));
        let found = found.iter().find(|path| path.exists()).expect(program);
        std::os::unix::fs::symlink(found, bin.join(program)).expect("a link");
    }
    for (name, arguments, code, told) in [
        ("match.sh", "HEAD", 1, "No git"),
        ("gauntlet.sh", "", 1, "No cargo"),
        ("gauntlet.sh", "--unknown", 2, "Usage"),
        ("match.sh", "", 2, "Usage"),
        ("match.sh", "a b c", 2, "Usage"),
        ("shards-ssh.sh", "2", 2, "Usage"),
        ("shards-ssh.sh", "2 : --games 4", 2, "--seed"),
        ("shards-ssh.sh", "2 : --seed=1", 1, "No parallel"),
        ("shards-slurm.sh", "--seed 1", 2, "sbatch --array"),
        ("vs-fairy.sh", "--wasm", 1, "No node"),
        ("vs-fairy.sh", "--unknown", 2, "Usage"),
        ("xboard.sh", "--unknown", 2, "Usage"),
        ("yardsticks.sh", "", 2, "Usage"),
        ("yardsticks.sh", "network strength", 2, "Usage"),
        ("yardsticks.sh", "network", 1, "No git"),
        // No XBoard, or no screen where there is one.
        ("xboard.sh", "", 1, "No "),
    ] {
        let mut script = copy.script(name);
        let (got, _, errors) = run(script
            .args(arguments.split_whitespace())
            .env("PATH", &bin)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY"));
        assert_eq!(got, Some(code), "{name} {arguments}: {errors}");
        assert!(errors.starts_with(told) || errors.contains(told), "{name}: {errors}");
        assert!(told == "Usage" || errors.lines().count() == 1, "{name}: {errors}");
    }
    let (code, _, errors) = run(copy.script("vs-fairy.sh").env("FAIRY", "/no/such"));
    assert!(code == Some(1) && errors.starts_with("No /no/such"), "{errors}");
}

/// A revision that is none is said before anything is built.
#[test]
fn revisions_are_looked_up_first() {
    let copy = Copy::new();
    let (code, _, errors) = run(copy.script("match.sh").arg("no-such-revision"));
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.ends_with("no-such-revision: no such revision.\n"), "{errors}");
    let mut yardsticks = copy.script("yardsticks.sh");
    let (code, _, errors) = run(yardsticks.arg("threads").env("FIRST", "no-such-revision"));
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.ends_with("no-such-revision: no such revision.\n"), "{errors}");
}

#[test]
fn a_gauntlet_is_played_and_resumed() {
    let copy = Copy::new();
    let gauntlet = |more: &[&str]| {
        let mut script = copy.script("gauntlet.sh");
        script.env("USURPER", USURPER).args([engine("one"), engine("two"), "--".into()]);
        script.args(["--games", "2", "--nodes=50", "--max-plies", "12", "--seed", "1"]).args(more);
        run(&mut script)
    };
    for more in [[].as_slice(), &["--resume"], &["--games", "4", "--resume"]] {
        let (code, table, errors) = gauntlet(more);
        assert_eq!(code, Some(0), "{errors}");
        assert!(table.contains("usurper against two: "), "{table}");
    }
    let results = copy.root.path().join("target/gauntlet/results.jsonl");
    let lines = std::fs::read_to_string(results).expect("results");
    assert_eq!(lines.lines().count(), 1 + 8);
}

/// The lines of a table that do not tell times.
fn without_times(table: &str) -> String {
    table.split("\n\n").next().unwrap_or_default().to_owned()
}

/// A job array, task by task, merged: the table of the match played at once.
#[test]
fn a_job_array_is_the_whole_match() {
    let copy = Copy::new();
    let games = ["--games", "6", "--nodes", "100", "--seed", "1", "--sprt", "elo0=0 elo1=300"];
    let engines = ["--engine".into(), engine("a"), "--engine".into(), engine("b")];
    for task in ["1", "2"] {
        let mut script = copy.script("shards-slurm.sh");
        script.env("USURPER", USURPER).env("SLURM_CPUS_PER_TASK", "1");
        script.env("SLURM_ARRAY_TASK_ID", task).env("SLURM_ARRAY_TASK_MAX", "2");
        let (code, _, errors) = run(script.args(&engines).args(games));
        assert_eq!(code, Some(0), "{errors}");
    }
    let usurper = |arguments: &[&str]| {
        let mut command = Command::new(USURPER);
        run(command.current_dir(copy.cwd()).arg("match").args(arguments))
    };
    let (code, merged, notes) = usurper(&["--merge", "part-1.jsonl", "part-2.jsonl"]);
    assert_eq!((code, notes.as_str()), (Some(0), ""));
    let engines = engines.each_ref().map(String::as_str);
    let (code, whole, errors) = usurper(&[engines.as_slice(), &games].concat());
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(without_times(&merged), without_times(&whole));
    assert!(whole.contains(": 6 games") && whole.contains("LLR"), "{whole}");
}

/// GNU parallel on this machine, where it is installed: the same table again, and nothing is played twice.
#[test]
fn parts_by_gnu_parallel() {
    if Command::new("parallel").arg("--version").output().is_err() {
        eprintln!("GNU parallel is not installed: nothing tried");
        return;
    }
    let copy = Copy::new();
    let mut tables = Vec::new();
    for _ in 0..2 {
        let mut script = copy.script("shards-ssh.sh");
        script.env("USURPER", USURPER).env("HOME", copy.root.path());
        script.args(["3", ":", "--", "--engine", &engine("a"), "--engine", &engine("b")]);
        script.args(["--games", "6", "--nodes", "100", "--seed", "1", "--concurrency", "1"]);
        let (code, output, errors) = run(&mut script);
        assert_eq!(code, Some(0), "{errors}");
        let table = output.lines().skip_while(|line| line.starts_with(char::is_numeric));
        tables.push(table.collect::<Vec<_>>().join("\n"));
    }
    assert!(tables[0].contains("a against b: 6 games"), "{tables:?}");
    // To the last digit of the times.
    assert_eq!(tables[0], tables[1]);
}
