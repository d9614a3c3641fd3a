# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the tests find the vectors and the engine, and how they ask its judge."""

import json
import os
import subprocess
import unittest
from pathlib import Path
from typing import Any

import chess
from usurper_chess import CaptureOrConquerBoard, CaptureOrConquerClassicBoard, ConquestBoard

MODULE = Path(__file__).resolve().parents[1]
ROOT = MODULE.parents[1]

BOARDS: dict[str, type[ConquestBoard]] = {
    "captureorconquer": CaptureOrConquerBoard,
    "captureorconquer-classic": CaptureOrConquerClassicBoard,
}


def engine() -> str:
    """The engine: ``$USURPER``, else the release or the debug build. Without one, the test is skipped.

    :raises: :exc:`FileNotFoundError` if ``$USURPER`` names no file.
    """
    if named := os.environ.get("USURPER"):
        return str(Path(named).resolve(strict=True))
    for profile in ("release", "debug"):
        path = ROOT / "target" / profile / "usurper"
        if path.exists():
            return str(path)
    raise unittest.SkipTest("no engine: build it with `cargo build --release`, or name one in USURPER")


def vectors(name: str) -> list[dict[str, Any]]:
    """The cases of ``tests/vectors/NAME.jsonl`` that belong to the two editions."""
    lines = (ROOT / "tests" / "vectors" / f"{name}.jsonl").read_text().splitlines()
    return [case for case in map(json.loads, lines) if case["edition"] in BOARDS]


def board_of(case: dict[str, Any]) -> ConquestBoard:
    """The board of a case's position."""
    return BOARDS[case["edition"]](case["fen"])


def result(board: ConquestBoard) -> tuple[str | None, str | None]:
    """Winner and reason as the vectors and the judge write them."""
    ending = board.ending()
    if ending is None:
        return None, None
    return chess.COLOR_NAMES[ending.winner], str(ending.reason)


def move_list(board: ConquestBoard) -> list[list[str]]:
    """The legal moves as the vectors and the judge write them: [coordinates, SAN], sorted."""
    return sorted([board.uci(move), board.san(move)] for move in board.legal_moves)


def judge(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The engine's verdict on each game, all in one process."""
    lines = "".join(json.dumps(game) + "\n" for game in games)
    command = [engine(), "judge", "--jsonl", "-"]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def whole_state(board: ConquestBoard) -> tuple[Any, ...]:
    """Everything that a move can change."""
    return (
        [board.pieces_mask(piece_type, color) for piece_type in chess.PIECE_TYPES for color in chess.COLORS],
        (board.occupied, board.promoted, board.turn, board.castling_rights, board.ep_square),
        (board.halfmove_clock, board.fullmove_number, board.repetitions(), board.ending()),
        (list(board.move_stack), len(board._stack)),
    )
