#!/usr/bin/env python3
"""Plays the engine against itself over UCI and holds every move and every result to `usurper judge`.

    cargo build --release && scripts/selfplay.py                     # 200 games at 1 s + 0.01 s
    scripts/selfplay.py --games 20 --variant chess --time 2 --increment 0.02

A game starts with a few random moves and is played twice, the engines changing sides. It fails by a
loss on time (measured here, from the `go` that is sent to the `bestmove` that is read), by a move that
the judge does not list, by an engine that dies or does not answer, and by an engine that, asked at the
end, names another result than the judge. The exit code is 1 if any game failed.
"""

import argparse
import collections
import json
import os
import queue
import random
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VARIANTS = ["captureorconquer", "captureorconquer-classic", "chess"]

# A game that is not over by then is a failure: nothing in the rules lets it go on for ever.
LONGEST_GAME = 1000

# How long to wait, beyond its clock, for an engine that does not answer.
PATIENCE = 10.0


class Failure(Exception):
    """What was wrong with a game."""


class Process:
    """A child that is spoken to by lines; reading has a deadline."""

    def __init__(self, command):
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put((time.perf_counter(), line.decode(errors="replace").strip()))
        self.lines.put((time.perf_counter(), None))

    def send(self, line):
        try:
            self.child.stdin.write(line.encode() + b"\n")
            self.child.stdin.flush()
        except OSError:
            raise Failure(f"the process ended before {line!r}") from None

    def receive(self, patience=PATIENCE):
        """The next line and when it came."""
        try:
            when, line = self.lines.get(timeout=patience)
        except queue.Empty:
            raise Failure("no answer") from None
        if line is None:
            raise Failure("the process ended")
        return when, line

    def until(self, word, patience=PATIENCE):
        """The lines up to and including the first that starts with `word`, and when that came."""
        lines = []
        while True:
            when, line = self.receive(patience)
            lines.append(line)
            if line.split(" ")[0] == word:
                return when, lines

    def close(self):
        self.child.kill()
        self.child.wait()


class Judge(Process):
    """`usurper judge`, asked line by line."""

    def __init__(self, binary):
        super().__init__([binary, "judge", "--jsonl", "-"])

    def ask(self, edition, moves):
        self.send(json.dumps({"edition": edition, "moves": moves}))
        return json.loads(self.receive()[1])


class Engine(Process):
    """A UCI engine with a clock."""

    def __init__(self, binary, edition):
        super().__init__([binary])
        self.send("uci")
        self.until("uciok")
        for name, value in {"Threads": 1, "Hash": 16, "UCI_Variant": edition}.items():
            self.send(f"setoption name {name} value {value}")
        self.send("ucinewgame")
        self.send("isready")
        self.until("readyok")


def opening(judge, edition, source):
    """Random moves after which the game goes on."""
    while True:
        moves = []
        for _ in range(source.randint(2, 8)):
            verdict = judge.ask(edition, moves)
            if verdict["winner"] is not None:
                break
            moves.append(source.choice(verdict["moves"])[0])
        if judge.ask(edition, moves)["winner"] is None:
            return moves


def play(binary, judge, edition, moves, seconds, increment, report):
    """Plays a game to its end; the last verdict."""
    engines = [Engine(binary, edition), Engine(binary, edition)]
    clocks = [seconds, seconds]
    moves = list(moves)
    try:
        while True:
            verdict = judge.ask(edition, moves)
            if "error" in verdict:
                raise Failure(f"{verdict['error']}; moves {' '.join(moves)}")
            if verdict["winner"] is not None:
                break
            if len(moves) >= LONGEST_GAME:
                raise Failure(f"not over after {LONGEST_GAME} plies; moves {' '.join(moves)}")
            side = len(moves) % 2
            engine = engines[side]
            engine.send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
            white, black = (int(1000 * clock) for clock in clocks)
            began = time.perf_counter()
            milliseconds = int(1000 * increment)
            engine.send(f"go wtime {white} btime {black} winc {milliseconds} binc {milliseconds}")
            ended, lines = engine.until("bestmove", clocks[side] + PATIENCE)
            clocks[side] -= ended - began
            report["least"] = min(report["least"], clocks[side])
            if clocks[side] < 0:
                raise Failure(
                    f"{'black' if side else 'white'} lost on time by {-clocks[side]:.3f} s at ply "
                    f"{len(moves) + 1}; moves {' '.join(moves)}")
            clocks[side] += increment
            best = lines[-1].split(" ")[1]
            if best not in (text for text, _ in verdict["moves"]):
                raise Failure(f"{best} is not legal after {' '.join(moves)}")
            moves.append(best)
        # Each engine names the same result.
        expected = f"info string game over: {verdict['winner']} by {verdict['reason']}"
        for engine in engines:
            engine.send(f"position startpos moves {' '.join(moves)}")
            engine.send("go depth 1")
            _, lines = engine.until("bestmove")
            if expected not in lines or lines[-1] != "bestmove (none)":
                raise Failure(f"{lines} instead of {expected!r} after {' '.join(moves)}")
        return verdict
    finally:
        for engine in engines:
            engine.close()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "usurper"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--variant", choices=VARIANTS, action="append", help="default: all in turn")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds a move")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    variants = arguments.variant or VARIANTS

    report = {"least": arguments.time}
    results = collections.Counter()
    plies = collections.defaultdict(list)
    failures = []
    lock = threading.Lock()
    tasks = queue.SimpleQueue()
    for number in range(arguments.games):
        tasks.put(number)

    def work():
        judge = Judge(arguments.binary)
        while True:
            try:
                number = tasks.get_nowait()
            except queue.Empty:
                break
            # Two games from each opening, in turn over the editions.
            pair = number // 2
            edition = variants[pair % len(variants)]
            try:
                moves = opening(judge, edition, random.Random(f"{arguments.seed} {pair}"))
                verdict = play(arguments.binary, judge, edition, moves, arguments.time,
                               arguments.increment, report)
                with lock:
                    results[edition, verdict["winner"], verdict["reason"]] += 1
                    plies[edition].append(verdict["plies"])
            except Failure as failure:
                with lock:
                    failures.append(f"game {number + 1} ({edition}): {failure}")
                    print(failures[-1], flush=True)
            with lock:
                done = sum(results.values()) + len(failures)
                print(f"\r{done} of {arguments.games} games", end="", file=sys.stderr, flush=True)
        judge.close()

    workers = [threading.Thread(target=work) for _ in range(arguments.concurrency)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(file=sys.stderr)

    for edition in variants:
        lengths = plies[edition]
        if not lengths:
            continue
        print(f"{edition}: {len(lengths)} games, {sum(lengths) / len(lengths):.0f} plies on average")
        for (name, winner, reason), number in sorted(results.items()):
            if name == edition:
                print(f"  {number:4} {winner} by {reason}")
    print(f"least time left on a clock: {1000 * report['least']:.0f} ms")
    print(f"{sum(results.values())} games confirmed by the judge, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
