#!/usr/bin/env python3
"""A CECP engine, version 2, sound or misbehaving: xboard_stub.py [MODE[=VALUE] …]

It lets a real engine (the program named by STUB_ENGINE, which speaks UCI) think. Python's standard
library only. It ends with status 9 when the protocol is broken: a `go` or a move without a position, a move
that has no `usermove` before it, a variant that it has not announced. Modes:

  late=SECONDS   says `feature done=0` and all else so much later
  no-done        never says `done`
  no-ping        has no `ping`
  no-setboard    has no `setboard`
  once           wants to be started anew for each game (reuse=0)
  normal         plays `normal` only
  silent         answers nothing at all
  mute           never moves
  move=TEXT      every move is TEXT
  crash=N        ends with status 3 in place of its N-th move of a game
  resign=N       resigns in place of its N-th move
  refuse=N       calls the N-th move that it is told illegal
  claim          claims a win for White after every move
  name=TEXT      calls itself TEXT
  log=FILE       notes its process and what it was sent
"""

import os
import sys
import time

# The interpreter runs isolated and does not look here by itself.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from backed import answers, modes, note, say, tell  # noqa: E402

VARIANTS = "normal" if "normal" in modes else "normal,captureorconquer,captureorconquer-classic"


def broken(text):
    sys.stderr.write(f"protocol broken: {text}\n")
    sys.exit(9)


def announce():
    if "late" in modes:
        say("feature done=0")
        time.sleep(float(modes["late"]))
    say(f'feature usermove=1 colors=0 san=0 myname="{modes.get("name", "Stub")}"')
    if "no-ping" not in modes:
        say("feature ping=1")
    if "no-setboard" not in modes:
        say("feature setboard=1")
    if "once" in modes:
        say("feature reuse=0")
    say(f'feature memory=1 strange=1 variants="{VARIANTS}" option="Style -combo *calm /// wild"')
    say('feature option="Force -check 0" option="Depth -spin 3 1 9"')
    if "no-done" not in modes:
        say("feature done=1")


def think():
    """Moves: thinking lines, the move, and what is claimed of the result."""
    global asked
    asked += 1
    if "mute" in modes:
        return
    if modes.get("crash") == str(asked):
        sys.stderr.write("assertion failed: king != NULL\n")
        sys.exit(3)
    if modes.get("resign") == str(asked):
        say("resign")
        return
    tell(f"position fen {board} moves {' '.join(moves)}")
    tell("go nodes 100")
    for answer in answers("bestmove"):
        words = answer.split()
        if words[0] == "info" and "score" in words:
            at = words.index("score")
            value = int(words[at + 2])
            if words[at + 1] == "mate":
                value += 100_000 if value > 0 else -100_000
            nodes = words[words.index("nodes") + 1]
            say(f"{words[words.index('depth') + 1]} {value} 1 {nodes} 1. free text (!)")
    moves.append(words[1])
    say("move " + modes.get("move", words[1]))
    if "claim" in modes:
        say("1-0 {White wins}")


asked = told = 0
board, moves, variant, playing = None, [], "normal", False
for line in sys.stdin:
    line = line.strip()
    note(line)
    if "silent" in modes:
        continue
    word, _, rest = line.partition(" ")
    if word == "protover":
        announce()
    elif word == "ping":
        say("pong " + rest)
    elif word == "new":
        board, moves, variant, playing = None, [], "normal", True
        asked = told = 0
    elif word == "variant":
        if rest not in VARIANTS.split(","):
            broken(line)
        variant = rest
    elif word == "setboard":
        tell("setoption name UCI_Variant value " + {"normal": "chess"}.get(variant, variant))
        board, moves = rest, []
    elif word == "force":
        playing = False
    elif word == "usermove":
        told += 1
        if board is None:
            broken(line)
        if modes.get("refuse") == str(told):
            say("Illegal move: " + rest)
            continue
        moves.append(rest)
        if playing:
            think()
    elif word == "go":
        if board is None:
            broken(line)
        playing = True
        think()
    elif word == "result":
        playing = False
    elif word == "quit":
        break
    elif word[1:2].isdigit():
        broken(line)
