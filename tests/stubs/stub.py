#!/usr/bin/env python3
"""An engine that misbehaves: stub.py MODE[=VALUE] [MODE[=VALUE] …]

It lets a real engine (the program named by STUB_ENGINE) think, and spoils what that one says. Python's
standard library only. Modes:

  silent          answers nothing at all
  mute            answers everything but `go`
  slow=SECONDS    waits before each best move
  crash=N         ends with status 3 in place of its N-th best move; crash=0: at ucinewgame
  killed=N        ends by a signal in place of its N-th best move
  move=TEXT       every best move is TEXT (garbage, 0000, (none), a1a1, …); empty: `bestmove` alone
  binary          writes bytes that are no text before each best move, and a line of 200 kB
  flood           writes without end once it is asked to move; flood=line: one line without end
  quick           thinks briefly, whatever it is asked
  many-options    announces 2000 options
  name=TEXT       calls itself TEXT
  uppercase       writes promotions as a7a8Q
  score=TEXT      every score is TEXT, as in `cp 2000`; no search is asked for the move
  badpv           its lines end with a1a1
  ignore-eof      stays when its input ends, and when it is told to quit
  log=FILE        notes its process and what it was sent
"""

import os
import signal
import sys
import time

# The interpreter runs isolated and does not look here by itself.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from backed import answers, modes, note, say, tell  # noqa: E402

if "ignore-eof" in modes:
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def best_move(line):
    words = line.split()
    if "move" in modes:
        return ("bestmove " + modes["move"]).strip()
    if "uppercase" in modes and len(words[1]) == 5:
        words[1] = words[1][:4] + words[1][4:].upper()
        return " ".join(words[:2])
    return line


def info(line):
    words = line.split()
    if "score" in modes and "score" in words:
        at = words.index("score")
        words[at + 1 : at + 3] = modes["score"].split()
    if "badpv" in modes and "pv" in words:
        words.append("a1a1")
    return " ".join(words)


asked = 0
for line in sys.stdin:
    line = line.strip()
    word = line.split()[:1]
    note(line)
    if "silent" in modes:
        continue
    if word == ["uci"]:
        tell(line)
        for answer in answers("uciok"):
            if answer == "uciok" and "many-options" in modes:
                for number in range(2000):
                    say(f"option name Extra {number} type spin default 1 min 0 max 9")
            if answer.startswith("id name") and "name" in modes:
                answer = "id name " + modes["name"]
            say(answer)
    elif word == ["isready"]:
        tell(line)
        for answer in answers("readyok"):
            say(answer)
    elif word == ["ucinewgame"] and modes.get("crash") == "0":
        sys.exit(3)
    elif word == ["go"]:
        if "mute" in modes:
            continue
        asked += 1
        if modes.get("crash") == str(asked):
            sys.stderr.write("assertion failed: king != NULL\n")
            sys.exit(3)
        if modes.get("killed") == str(asked):
            os.kill(os.getpid(), signal.SIGKILL)
        while "flood" in modes:
            if modes["flood"] == "line":
                os.write(1, b"info string water " * 3000)
            else:
                say("\n".join(["info string water " * 50] * 60))
            time.sleep(0.002)  # leaves the others some of the processor
        if "binary" in modes:
            sys.stdout.flush()
            sys.stdout.buffer.write(b"\xff\x00\x1b[2J\xfe\n" + b"x" * 200_000 + b"\n")
        tell("go nodes 50" if "quick" in modes else line)
        for answer in answers("bestmove"):
            if answer.startswith("bestmove"):
                if "slow" in modes:
                    time.sleep(float(modes["slow"]))
                say(best_move(answer))
            else:
                say(info(answer))
    elif word == ["quit"]:
        if "ignore-eof" not in modes:
            break
    else:
        tell(line)
if "ignore-eof" in modes:
    time.sleep(60)
