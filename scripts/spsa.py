#!/usr/bin/env python3
"""Tunes the search's numbers by matches of the engine against itself (SPSA: simultaneous perturbation
stochastic approximation, J. C. Spall; the gains are set as Stockfish's testing framework does).

    cargo build --release --features tune
    scripts/spsa.py --pairs 4000 --log spsa.jsonl                 # all numbers of src/search/params.rs
    scripts/spsa.py --pairs 4000 --log spsa.jsonl razor delta     # some

A step turns every number a little up or down at random, plays a short match between the two settings
and moves the numbers towards the one that won more. Each step is a line of the log; run again with the same log, it
goes on from there. What it ends with is an idea: it is worth something once a match of the rounded numbers
against the old ones says so (--engine "cmd=env,arg=USURPER_SEARCH=…,arg=usurper").
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBER = re.compile(r"^    (\w+): (-?\d+) in (-?\d+)\.\.=(-?\d+);$", re.MULTILINE)


def numbers(wanted):
    """Name: (default, lowest, highest), of those wanted, or of all."""
    with open(os.path.join(ROOT, "src", "search", "params.rs"), encoding="utf-8") as file:
        found = {name: tuple(map(int, rest)) for name, *rest in NUMBER.findall(file.read())}
    unknown = [name for name in wanted if name not in found]
    if unknown:
        sys.exit(f"src/search/params.rs has no number {', '.join(unknown)}; it has {', '.join(found)}")
    return {name: found[name] for name in wanted or found}


def setting(values):
    """As the variable USURPER_SEARCH."""
    return ":".join(f"{name}={value}" for name, value in values.items())


def points(arguments, up, down, seed):
    """Plays a match; wins less losses of `up`, in games."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "match.jsonl")
        command = [arguments.usurper, "match", "--variant", arguments.variant, "--each", "option.Hash=8",
                   "--games", str(2 * arguments.batch), "--nodes", str(arguments.nodes),
                   "--seed", str(seed), "--concurrency", str(arguments.concurrency), "--jsonout", results]
        for name, values in ("up", up), ("down", down):
            command += ["--engine", f"name={name},cmd=env,arg=USURPER_SEARCH={setting(values)},"
                                    f"arg={os.path.abspath(arguments.usurper)}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the match failed: {done.stderr.strip() or done.stdout.strip()}")
        total = 0
        with open(results, encoding="utf-8") as file:
            for line in file:
                game = json.loads(line)
                if "white" not in game:
                    continue
                winner = {"1-0": game["white"], "0-1": game["black"]}.get(game["result"])
                total += {0: 1, 1: -1, None: 0}[winner]  # the place in the list of engines
        return total


def rounded(value, lowest, highest, coin):
    """A whole number near `value`, on average `value` itself."""
    return min(highest, max(lowest, math.floor(value + coin.random())))


def show(table, theta):
    for name, (default, lowest, highest) in table.items():
        print(f"    {name:24} {default:6} -> {theta[name]:8.1f}   ({lowest} to {highest})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="numbers to tune [all]")
    parser.add_argument("--usurper", default=os.path.join(ROOT, "target/release/usurper"))
    parser.add_argument("--variant", default="captureorconquer")
    parser.add_argument("--pairs", type=int, default=4000, help="pairs of games in all [4000]")
    parser.add_argument("--batch", type=int, default=8, help="pairs of games a step [8]")
    parser.add_argument("--nodes", type=int, default=3000, help="nodes a move [3000]")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", required=True, help="the steps, one JSON object a line; goes on from what it holds")
    arguments = parser.parse_args()
    if arguments.pairs < 1 or arguments.batch < 1:
        parser.error("--pairs and --batch are at least 1")

    table = numbers(arguments.names)
    theta = {name: float(default) for name, (default, *_) in table.items()}
    step = 0
    if os.path.exists(arguments.log):
        with open(arguments.log, encoding="utf-8") as file:
            # A line cut short by a kill is played again.
            lines = [line for line in file if line.endswith("\n")]
        if lines:
            last = json.loads(lines[-1])
            if set(last["theta"]) != set(theta):
                sys.exit(f"{arguments.log} is about other numbers")
            theta, step = last["theta"], last["step"]
        with open(arguments.log, "w", encoding="utf-8") as file:
            file.writelines(lines)

    steps = math.ceil(arguments.pairs / arguments.batch)
    # At the end a number is turned by a twentieth of its range, and R is 0.002; earlier by more.
    horizon = 0.1 * arguments.pairs
    try:
        while step < steps:
            coin = random.Random(f"{arguments.seed}/{step}")
            played = (step + 1) * arguments.batch
            up, down, turned = {}, {}, {}
            for name, (_, lowest, highest) in table.items():
                end = (highest - lowest) / 20
                size = end * (arguments.pairs / played) ** 0.101
                turned[name] = size * coin.choice((-1, 1))
                up[name] = rounded(theta[name] + turned[name], lowest, highest, coin)
                down[name] = rounded(theta[name] - turned[name], lowest, highest, coin)
            won = points(arguments, up, down, 1_000_000 * arguments.seed + step)
            for name, (_, lowest, highest) in table.items():
                end = (highest - lowest) / 20
                gain = 0.002 * end**2 * ((horizon + arguments.pairs) / (horizon + played)) ** 0.602
                theta[name] += gain / turned[name] * won
                theta[name] = min(highest, max(lowest, theta[name]))
            step += 1
            with open(arguments.log, "a", encoding="utf-8") as file:
                file.write(json.dumps({"step": step, "won": won, "theta": theta}) + "\n")
            if sys.stderr.isatty():
                print(f"\r{played} of {arguments.pairs} pairs, last step {won:+d} ", end="", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"\nStopped after step {step}; the same command goes on.", file=sys.stderr)
    print(f"{step} of {steps} steps:")
    show(table, theta)
    print(f"USURPER_SEARCH={setting({name: round(value) for name, value in theta.items()})}")


if __name__ == "__main__":
    main()
