"""What the stubs share: modes by arguments, notes, and a real engine (the program named by STUB_ENGINE, which speaks
UCI) that thinks for them, started as soon as this is imported. Python's standard library only."""

import os
import subprocess
import sys

modes = dict((word.split("=", 1) + [""])[:2] for word in sys.argv[1:])


def say(text):
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except OSError:
        sys.exit(0)


def note(text):
    if "log" in modes:
        with open(modes["log"], "a") as file:
            file.write(f"{os.getpid()} {text}\n")


note("start")
engine = subprocess.Popen(
    [os.environ["STUB_ENGINE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)


def tell(line):
    engine.stdin.write(line + "\n")
    engine.stdin.flush()


def answers(last):
    for line in engine.stdout:
        line = line.rstrip("\n")
        yield line
        if line.split()[:1] == [last]:
            return
