# SPDX-License-Identifier: GPL-3.0-or-later
"""What the examples share: which game, which position, which engine."""

import argparse
import shutil
from pathlib import Path

import chess.engine
from usurper_chess import CaptureOrConquerBoard, CaptureOrConquerClassicBoard, ConquestBoard

BOARDS: dict[str, type[ConquestBoard]] = {
    "captureorconquer": CaptureOrConquerBoard,
    "captureorconquer-classic": CaptureOrConquerClassicBoard,
}


def default_engine() -> str:
    """The release build of this repository if there is one, else ``usurper`` on the path."""
    built = Path(__file__).resolve().parents[3] / "target" / "release" / "usurper"
    return str(built) if built.exists() else shutil.which("usurper") or str(built)


def parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the options that say which game is played from which position."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--variant", choices=BOARDS, default="captureorconquer", help="the edition")
    parser.add_argument("--fen", help="the position to start from, if not the start position")
    return parser


def add_limits(parser: argparse.ArgumentParser, *, movetime: float | None) -> None:
    """Adds the options that say how long the engine may think about a move."""
    parser.add_argument("--movetime", type=float, default=movetime, metavar="S", help="seconds a move")
    parser.add_argument("--nodes", type=int, help="nodes a move")
    parser.add_argument("--depth", type=int, help="depth in plies")


def limit(arguments: argparse.Namespace) -> chess.engine.Limit:
    """The limit that the options of :func:`add_limits` describe; nodes or depth replace the time."""
    timed = arguments.nodes is None and arguments.depth is None
    return chess.engine.Limit(
        time=arguments.movetime if timed else None, nodes=arguments.nodes, depth=arguments.depth
    )


def board(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> ConquestBoard:
    """The board that the options of :func:`parser` describe; ends the program if there is none."""
    kind = BOARDS[arguments.variant]
    if arguments.fen is None:
        return kind()
    try:
        board = kind(arguments.fen)
    except ValueError as error:
        parser.error(f"--fen: {error}")
    if not board.is_valid():
        parser.error(f"--fen: {board.status()!r}")
    return board


def verdict(board: ConquestBoard) -> str:
    """How the game stands, as a sentence."""
    ending = board.ending()
    if ending is None:
        return "The game goes on."
    return f"{chess.COLOR_NAMES[ending.winner].capitalize()} wins by {ending.reason}."
