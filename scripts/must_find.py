#!/usr/bin/env python3
"""Puts the must-find suites to the engine, one second a position on one thread.

    cargo build --release && scripts/must_find.py
    scripts/must_find.py --time 100                # milliseconds a position
    scripts/must_find.py --share 98 tests/suites/shortest-wins.jsonl

Found means: when the time is over the engine names a best move of the suite with the exact distance.
The time to find is that of the first line with that distance from which on the answer stays. In every position
the side to move wins: the winner is right if the last score says so. The exit code is 1 if a smaller
share than asked for is found, or the winner is wrong anywhere.
"""

import argparse
import collections
import glob
import json
import os
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Engine:
    """A child process that speaks UCI."""

    def __init__(self, binary):
        self.child = subprocess.Popen(
            [binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci")
        self.until("uciok")
        self.send("setoption name Threads value 1")

    def send(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def until(self, word):
        """The lines up to the first that starts with `word`, each with the time it came."""
        lines = []
        while True:
            line = self.child.stdout.readline()
            if not line:
                sys.exit("the engine ended")
            lines.append((time.perf_counter(), line.split()))
            if lines[-1][1][:1] == [word]:
                return lines


def distance(words):
    """The N of `score mate N` of an exact info line, 0 of another info line with a score, else None."""
    if "score" not in words or "lowerbound" in words or "upperbound" in words:
        return None
    at = words.index("score")
    return int(words[at + 2]) if words[at + 1] == "mate" else 0


def wins(words):
    """Whether an info line has a score that favours the side to move; None without a score."""
    if "score" not in words:
        return None
    return int(words[words.index("score") + 2]) > 0


def ask(engine, case, milliseconds):
    """(found, seconds until the answer stood, whether the winner is right, answer)"""
    engine.send(f"setoption name UCI_Variant value {case['edition']}")
    engine.send("ucinewgame")
    moves = " moves " + " ".join(case["moves"]) if case["moves"] else ""
    engine.send(f"position fen {case['fen']}{moves}")
    engine.send("isready")
    engine.until("readyok")
    began = time.perf_counter()
    engine.send(f"go movetime {milliseconds}")
    since, last, winner = None, None, False
    lines = engine.until("bestmove")
    for when, words in lines:
        winner = winner if wins(words) is None else wins(words)
        found = distance(words)
        if found is None:
            continue
        if found != case["mate"]:
            since = None
        elif since is None:
            since = when - began
        last = found
    best = lines[-1][1][1]
    found = since is not None and best in case["best"]
    return found, since, winner, f"{best} mate {last or 'none'}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "usurper"))
    parser.add_argument("--time", type=int, default=1000, help="milliseconds a position")
    parser.add_argument("--share", type=float, default=100, help="percent that must be found")
    parser.add_argument("suites", nargs="*", help="files [default: the must-find suites]")
    arguments = parser.parse_args()
    cases = []
    pattern = os.path.join(ROOT, "tests", "suites", "must-find-*.jsonl")
    for path in arguments.suites or sorted(glob.glob(pattern)):
        with open(path, encoding="utf-8") as file:
            cases += [json.loads(line) for line in file]

    engine = Engine(arguments.binary)
    table = collections.defaultdict(list)
    missed = wrong = 0
    for case in cases:
        found, seconds, winner, answer = ask(engine, case, arguments.time)
        table[case["edition"], case["mate"]].append(seconds if found else None)
        wrong += not winner
        if not found:
            missed += 1
            print(f"missed: {case['edition']} {case['fen']} {' '.join(case['moves'])}: "
                  f"{answer} instead of {' '.join(case['best'])} mate {case['mate']} ({case['kind']})")
    engine.send("quit")
    for (edition, moves), times in sorted(table.items()):
        found = [1000 * t for t in times if t is not None]
        spread = (f"median {statistics.median(found):.0f} ms, longest {max(found):.0f} ms"
                  if found else "")
        print(f"{edition}, won in {moves}: {len(found)} of {len(times)} found, {spread}")
    found, right = len(cases) - missed, len(cases) - wrong
    print(f"{found} of {len(cases)} found within {arguments.time} ms, the winner is right in {right}")
    sys.exit(1 if wrong or 100 * found < arguments.share * len(cases) else 0)


if __name__ == "__main__":
    main()
