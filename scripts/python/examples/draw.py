#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw a position as SVG: goal ranks gold, an arrow for each leg of an Escort and of a Decoy."""

import sys

import chess
import chess.svg
from usurper_chess import ConquestBoard

import common

GOLD = "#e8b923a0"
ARROW, SECOND_ARROW = "#15781bc0", "#003088a0"


def svg(board: ConquestBoard, moves: list[chess.Move], *, orientation: chess.Color, size: int) -> str:
    """The board with *moves* as arrows: the King's leg green, its supporter's, pawn's or Rook's blue."""
    arrows = []
    for move in moves:
        legs = list(zip(board.legs(move), (ARROW, SECOND_ARROW)))
        for (tail, head), color in reversed(legs):  # the King's on top: both lie on one line
            arrows.append(chess.svg.Arrow(tail, head, color=color))
    return chess.svg.board(
        board,
        orientation=orientation,
        lastmove=board.peek() if board.move_stack else None,
        check=board.king(board.turn) if board.is_check() else None,
        arrows=arrows,
        fill=dict.fromkeys(chess.SquareSet(chess.BB_BACKRANKS), GOLD),
        size=size,
    )


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--moves", nargs="*", default=[], metavar="MOVE", help="played from there")
    parser.add_argument("--arrow", nargs="*", default=[], metavar="MOVE", help="legal moves to draw")
    parser.add_argument("--flip", action="store_true", help="Black's side below")
    parser.add_argument("--size", type=int, default=400, help="width in pixels")
    parser.add_argument("--out", help="the file to write, if not standard output")
    arguments = parser.parse_args()
    board = common.board(parser, arguments)
    try:
        for text in arguments.moves:
            board.push_san(text)
        moves = [board.parse_san(text) for text in arguments.arrow]
    except ValueError as error:
        parser.error(str(error))

    picture = svg(board, moves, orientation=not arguments.flip, size=arguments.size)
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(picture)
    else:
        sys.stdout.write(picture)


if __name__ == "__main__":
    main()
