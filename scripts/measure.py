#!/usr/bin/env python3
"""Measures the engine from outside, over UCI: start-up, stop latency, memory, threads, speed beside
Fairy-Stockfish, and what the match runner takes beside its engines. Needs nothing but Python 3 and a release build; every speed is a ratio of two things
measured in one run, interleaved.

    cargo build --release && scripts/measure.py            # all but the comparison
    scripts/measure.py stop memory                         # some
    scripts/measure.py fairy --fairy /usr/games/fairy-stockfish
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The four positions on which the speeds of other engines were taken.
SPEED_POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 12",
    "2r2rk1/1bqnbpp1/pp1ppn1p/8/2PNP3/1PN1BP2/P3BQPP/2RR2K1 w - - 0 17",
]


class Engine:
    """A child process that speaks UCI."""

    def __init__(self, command, **options):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.send("uci")
        self.wait_for("uciok")
        self.start_seconds = time.perf_counter() - self.started
        for name, value in options.items():
            self.send(f"setoption name {name.replace('__', ' ')} value {value}")
        self.ready()

    def send(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def wait_for(self, word):
        """The lines up to and including the one that starts with `word`."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the engine ended while waited for {word}; last: {lines[-3:]}")
            line = line.decode(errors="replace").rstrip("\r\n")
            lines.append(line)
            if line.split(" ")[0] == word:
                return lines

    def ready(self):
        self.send("isready")
        self.wait_for("readyok")

    def go(self, position, limits, fresh=True):
        """Searches and returns (seconds, fields of the last info line with a pv, best move)."""
        if fresh:
            self.send("ucinewgame")
            self.ready()
        self.send(f"position fen {position}")
        self.ready()
        begin = time.perf_counter()
        self.send(f"go {limits}")
        lines = self.wait_for("bestmove")
        seconds = time.perf_counter() - begin
        infos = [l.split() for l in lines if l.startswith("info ") and " pv " in l]
        fields = {}
        if infos:
            words = infos[-1]
            for name in ("depth", "seldepth", "nodes", "nps", "time"):
                if name in words:
                    fields[name] = int(words[words.index(name) + 1])
        return seconds, fields, lines[-1].split()[1]

    def peak_kib(self):
        """The largest resident memory so far, as Linux counts it."""
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmHWM"):
                    return int(line.split()[1])
        raise RuntimeError("no VmHWM in /proc")

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.quit()
        except Exception:
            self.process.kill()


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def measure_start(args):
    """Process start to uciok."""
    times = []
    for _ in range(50):
        with Engine([args.engine]) as engine:
            times.append(1000 * engine.start_seconds)
    print(f"start to uciok, 50 starts: median {statistics.median(times):.1f} ms, "
          f"largest {max(times):.1f} ms (bar: 20 ms)")


def measure_stop(args):
    """stop to bestmove."""
    random.seed(1)
    for threads in (1, 2):
        times = []
        with Engine([args.engine], Threads=threads) as engine:
            for index in range(500):
                engine.send(f"position fen {SPEED_POSITIONS[index % 4]}")
                engine.send("go infinite")
                time.sleep(random.uniform(0.001, 0.06))
                begin = time.perf_counter()
                engine.send("stop")
                engine.wait_for("bestmove")
                times.append(1000 * (time.perf_counter() - begin))
        print(f"stop to bestmove, 500 stops, {threads} thread(s): median "
              f"{statistics.median(times):.2f} ms, 99th percentile {quantile(times, 0.99):.2f} ms, "
              f"largest {max(times):.2f} ms (bar: 10 ms at the 99th percentile)")


def measure_memory(args):
    """Peak resident memory beyond the table."""
    for megabytes, threads in ((16, 1), (64, 2), (256, 2)):
        with Engine([args.engine], Hash=megabytes, Threads=threads) as engine:
            for position in SPEED_POSITIONS:
                engine.go(position, "movetime 2500", fresh=False)
            beyond = engine.peak_kib() / 1024 - megabytes
        print(f"memory, Hash {megabytes} MB, {threads} thread(s): Hash {beyond:+.1f} MB "
              f"(bar: +40 MB)")


def measure_threads(args):
    """Two threads beside one: nodes a second and time to depth."""
    rates = []
    with Engine([args.engine], Hash=64, Threads=1) as one, \
            Engine([args.engine], Hash=64, Threads=2) as two:
        for position in SPEED_POSITIONS * 3:
            rate = {}
            for name, engine in (("one", one), ("two", two)):
                seconds, fields, _ = engine.go(position, "movetime 2000")
                rate[name] = fields["nodes"] / seconds
            rates.append(rate["two"] / rate["one"])
        print(f"two threads / one, nodes a second, {len(rates)} pairs: median "
              f"{statistics.median(rates):.2f}, {min(rates):.2f} to {max(rates):.2f} (bar: 1.85)")

        random.seed(2)
        ratios = []
        for position in depth_positions(args)[:20]:
            depth = args.depth
            first, _, _ = one.go(position, f"depth {depth}")
            second, _, _ = two.go(position, f"depth {depth}")
            again, _, _ = two.go(position, f"depth {depth}")
            last, _, _ = one.go(position, f"depth {depth}")
            ratios.append((first + last) / (second + again))
        print(f"time to depth {args.depth}, one thread / two, {len(ratios)} positions: median "
              f"{statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f} "
              f"(bar: 1.25)")


def depth_positions(args):
    """Twenty middlegame positions: the four, and what short fixed-node games from them lead to."""
    positions = list(SPEED_POSITIONS)
    with Engine([args.engine]) as engine:
        for start in SPEED_POSITIONS:
            moves = []
            for ply in range(12):
                line = f"position fen {start}" + (" moves " + " ".join(moves) if moves else "")
                engine.send(line)
                engine.send(f"go nodes {4000 + 500 * ply}")
                best = engine.wait_for("bestmove")[-1].split()[1]
                if best == "(none)":
                    break
                moves.append(best)
                if ply % 3 == 2:
                    engine.send(f"position fen {start} moves {' '.join(moves)}")
                    engine.send("d")
                    positions.append(engine_fen(engine))
    return positions


def engine_fen(engine):
    """The FEN that `d` prints."""
    engine.send("isready")
    for line in engine.wait_for("readyok"):
        if line.lower().startswith("fen"):
            return line.split(":", 1)[1].strip()
    raise RuntimeError("d printed no FEN")


def measure_fairy(args):
    """Nodes a second beside Fairy-Stockfish, and a table of our own searches."""
    ini = os.path.join(ROOT, "scripts", "fairy", "coc.ini")
    ratios = []
    rows = []
    with Engine([args.engine], UCI_Variant="captureorconquer-classic", Hash=64) as ours, \
            Engine([args.engine], UCI_Variant="captureorconquer", Hash=64) as today, \
            Engine([args.fairy], VariantPath=ini, UCI_Variant="captureorconquer-royal",
                   Hash=64) as theirs:
        for position in SPEED_POSITIONS:
            for _ in range(2):
                seconds, mine, _ = ours.go(position, "movetime 3000")
                my_rate = mine["nodes"] / seconds
                seconds, other, _ = theirs.go(position, "movetime 3000")
                their_rate = other["nodes"] / seconds
                ratios.append(my_rate / their_rate)
            seconds, fields, best = today.go(position, "movetime 3000")
            rows.append((position, fields, seconds, best))
            print(f"  ours {my_rate / 1e6:.2f}M nodes/s depth {mine['depth']}, "
                  f"theirs {their_rate / 1e6:.2f}M nodes/s depth {other['depth']}")
    print(f"nodes a second, ours (earlier edition) / Fairy-Stockfish (royal), one thread, "
          f"{len(ratios)} pairs: median {statistics.median(ratios):.2f}, {min(ratios):.2f} to "
          f"{max(ratios):.2f} (bar: 2.5)")
    print("\n| position | depth | nodes | nodes/s | time | best |\n| --- | --- | --- | --- | --- | --- |")
    for position, fields, seconds, best in rows:
        print(f"| `{position}` | {fields['depth']}/{fields['seldepth']} | {fields['nodes']:,} | "
              f"{fields['nodes'] / seconds / 1e6:.2f}M | {seconds:.1f} s | {best} |")


def measure_runner(args):
    """What a match takes beside its engines' thinking.

    The engines' time is from the runner's `go` to its reading of `bestmove`, as its results have it. All
    else is overhead: starting the engines (twice: to see that they play, and to play), drawing
    the opening, judging, writing, the end of the processes.
    """
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "match.jsonl")
        command = [args.engine, "match", "--engine", f"cmd='{args.engine}',name=a",
                   "--engine", f"cmd='{args.engine}',name=b", "--st", "0.1", "--games", "4",
                   "--concurrency", "1", "--seed", "1", "--pgnout", os.path.join(folder, "match.pgn"),
                   "--jsonout", results]
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall = time.perf_counter() - begin
        with open(results) as file:
            games = [json.loads(line) for line in file][1:]
    efforts = [effort for game in games for effort in game["efforts"]]
    thinking = sum(effort["time_ms"] for effort in efforts) / 1000
    moves = sum(effort["moves"] for effort in efforts)
    print(f"match of {len(games)} games, {moves} moves of 0.1 s, one at a time: {wall:.1f} s, of which the "
          f"engines thought {thinking:.1f} s: overhead {100 * (wall - thinking) / wall:.2f} %, "
          f"starting the engines included (bar: 2 %)")


MEASURES = {
    "start": measure_start,
    "stop": measure_stop,
    "memory": measure_memory,
    "threads": measure_threads,
    "fairy": measure_fairy,
    "runner": measure_runner,
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=[[], *MEASURES],
                        help="what to measure; default: all but fairy")
    parser.add_argument("--engine", default=os.path.join(ROOT, "target", "release", "usurper"))
    parser.add_argument("--fairy", default="/usr/games/fairy-stockfish")
    parser.add_argument("--depth", type=int, default=14, help="for the time to depth")
    args = parser.parse_args()
    for path in [args.engine] + ([args.fairy] if "fairy" in args.what else []):
        if not os.access(path, os.X_OK):
            sys.exit(f"{path}: no such program (cargo build --release; apt install fairy-stockfish)")
    for name in args.what or [n for n in MEASURES if n != "fairy"]:
        MEASURES[name](args)


if __name__ == "__main__":
    main()
