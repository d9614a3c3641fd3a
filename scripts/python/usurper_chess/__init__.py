# SPDX-License-Identifier: GPL-3.0-or-later
"""Capture or Conquer for python-chess.

Two subclasses of :class:`chess.Board` play the game by its exact rules, and take the place of a board
wherever python-chess takes one::

    >>> from usurper_chess import CaptureOrConquerBoard
    >>> board = CaptureOrConquerBoard("4k3/8/8/4P3/4K3/8/8/4R3 w - - 0 1")
    >>> board.san(board.parse_uci("e4e5"))
    'De5'
    >>> board.push_san("ERe3")
    Move.from_uci('e4e2')

Importing the package makes both known to :func:`chess.variant.find_variant`, so that the tag ``Variant``
of a PGN file finds them, and teaches :mod:`chess.pgn` to read ``ERf1`` and ``De5``.
"""

from .boards import (
    CaptureOrConquerBoard,
    CaptureOrConquerClassicBoard,
    ConquestBoard,
    Ending,
    Reason,
)
from .registration import register

__all__ = [
    "CaptureOrConquerBoard",
    "CaptureOrConquerClassicBoard",
    "ConquestBoard",
    "Ending",
    "Reason",
    "register",
]

register()
