#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Play a match over UCI or XBoard: two engines with both colours of each opening, or one with itself.

The openings are random moves by a seed. A result that the judge of the engine gives otherwise, a protocol
error, an overstepped clock and a move that is none end the program with exit code 1.
"""

import argparse
import collections
import contextlib
import json
import logging
import random
import subprocess
import time

import chess
import chess.engine
import chess.pgn
from usurper_chess import ConquestBoard

import common


# Said over XBoard's protocol for XBoard's window, and of no use to python-chess: the game's pieces, and that no
# signal is wanted.
FOR_A_WINDOW = ("output: 'setup ", "output: 'piece ", "Rejecting feature sigterm")


class Complaints(logging.Handler):
    """Counts what python-chess finds wrong with an engine's output."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not any(text in message for text in FOR_A_WINDOW):
            self.count += 1
            print(f"protocol: {message}")


def opening(start: ConquestBoard, plies: int, rng: random.Random) -> ConquestBoard:
    """A copy of *start* after random moves that neither end the game nor leave a King attacked."""
    board = start.copy()
    for _ in range(plies):
        moves = list(board.legal_moves)
        for move in rng.sample(moves, len(moves)):
            board.push(move)
            if not board.is_game_over() and not board.was_into_check():
                break
            board.pop()
        else:
            break
    return board


def play(
    board: ConquestBoard,
    engines: dict[chess.Color, chess.engine.SimpleEngine],
    limit: chess.engine.Limit,
    clock: tuple[float, float] | None,
    margin: float,
    game: object,
) -> None:
    """Plays *board* to its end, by *limit* or on clocks that start with *clock*: seconds, and seconds a move.

    A clock may be overstepped by *margin* seconds: what this program and a busy machine take beside the engine.
    """
    base, increment = clock or (0.0, 0.0)
    left = {chess.WHITE: base, chess.BLACK: base}
    while not board.is_game_over():
        if clock:
            limit = chess.engine.Limit(
                white_clock=left[chess.WHITE], black_clock=left[chess.BLACK],
                white_inc=increment, black_inc=increment, clock_id=game,
            )  # fmt: skip
        began = time.monotonic()
        result = engines[board.turn].play(board, limit, game=game, info=chess.engine.INFO_ALL)
        left[board.turn] -= time.monotonic() - began
        if clock and left[board.turn] < -margin:
            raise chess.engine.EngineError(f"out of time by {-left[board.turn]:.2f} s in {board.fen()}")
        left[board.turn] += increment
        if result.move is None:
            raise chess.engine.EngineError(f"no move in {board.fen()}")
        board.push(result.move)


def time_control(text: str) -> tuple[float, float]:
    """Reads ``BASE+INCREMENT``, both in seconds."""
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0)


def disagreements(judge: str, boards: list[ConquestBoard]) -> list[str]:
    """The games whose end the engine's ``judge`` sees otherwise."""
    games = [
        {
            "edition": board.uci_variant,
            "fen": board.root().fen(),
            "moves": [move.uci() for move in board.move_stack],
        }
        for board in boards
    ]
    lines = "".join(json.dumps(game) + "\n" for game in games)
    run = subprocess.run(
        [judge, "judge", "--jsonl", "-"], input=lines, capture_output=True, text=True, check=True
    )
    found = []
    for board, line in zip(boards, run.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        ending = board.ending()
        ours = (chess.COLOR_NAMES[ending.winner], str(ending.reason)) if ending else (None, None)
        if ours != (answer.get("winner"), answer.get("reason")) or board.fen() != answer.get("fen"):
            found.append(f"{board.fen()}: {ours}, judged {line}")
    return found


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument(
        "--engine", action="append", metavar="PROGRAM", help="twice for two programs; else it plays itself"
    )
    parser.add_argument("--protocol", choices=["uci", "xboard"], default="uci", help="how they are spoken to")
    parser.add_argument("--games", type=int, default=10, help="how many")
    parser.add_argument("--opening-plies", type=int, default=6, help="random moves at the start of a game")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves")
    parser.add_argument("--judge", metavar="PROGRAM", help="have this usurper judge every result")
    parser.add_argument("--pgn", help="append the games to this file")
    parser.add_argument("--clock", type=time_control, metavar="S+S", help="seconds a game and a move, by a clock")
    parser.add_argument("--margin", type=float, default=0.1, metavar="S", help="seconds that it may be overstepped")
    common.add_limits(parser, movetime=0.1)
    arguments = parser.parse_args()
    start = common.board(parser, arguments)
    programs: list[str] = arguments.engine or [common.default_engine()]
    if len(programs) > 2:
        parser.error("--engine: two at most")
    if arguments.protocol == "xboard" and arguments.nodes is not None:
        parser.error("--nodes: XBoard's protocol limits time or depth")

    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    popen = {
        "uci": chess.engine.SimpleEngine.popen_uci,
        "xboard": chess.engine.SimpleEngine.popen_xboard,
    }[arguments.protocol]
    rng = random.Random(arguments.seed)
    points = [0, 0]
    reasons: collections.Counter[str] = collections.Counter()
    boards: list[ConquestBoard] = []
    with contextlib.ExitStack() as stack:
        players = [stack.enter_context(popen(programs[0])), stack.enter_context(popen(programs[-1]))]
        for number in range(arguments.games):
            if number % 2 == 0 or len(programs) == 1:
                opened = opening(start, arguments.opening_plies, rng)
            board = opened.copy()
            white = number % 2
            engines = {chess.WHITE: players[white], chess.BLACK: players[1 - white]}
            play(board, engines, common.limit(arguments), arguments.clock, arguments.margin, number)
            ending = board.ending()
            assert ending is not None, "played to its end"
            points[white if ending.winner == chess.WHITE else 1 - white] += 1
            reasons[ending.reason] += 1
            boards.append(board)
            print(f"game {number + 1}: {board.result()} by {ending.reason}, {len(board.move_stack)} plies")
            if arguments.pgn:
                write(arguments, board, number, [programs[0], programs[-1]], white)

    print(f"{points[0]} : {points[1]}; " + ", ".join(f"{n} by {reason}" for reason, n in reasons.items()))
    wrong = disagreements(arguments.judge, boards) if arguments.judge else []
    for line in wrong:
        print(f"judge: {line}")
    if arguments.judge:
        print(f"{len(boards)} results judged, {len(wrong)} otherwise; {complaints.count} protocol errors")
    if wrong or complaints.count:
        raise SystemExit(1)


def write(
    arguments: argparse.Namespace, board: ConquestBoard, number: int, names: list[str], white: int
) -> None:
    """Appends a game to the PGN file."""
    game = chess.pgn.Game.from_board(board)
    game.headers["Round"] = str(number + 1)
    game.headers["White"], game.headers["Black"] = names[white], names[1 - white]
    with open(arguments.pgn, "a", encoding="utf-8") as file:
        print(game, end="\n\n", file=file)


if __name__ == "__main__":
    main()
