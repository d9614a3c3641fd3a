# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the two editions known to python-chess."""

import re

import chess.pgn
import chess.variant

from .boards import CaptureOrConquerBoard, CaptureOrConquerClassicBoard

# chess.pgn looks for moves anywhere in a line: without these two it would find "Rf1" in "ERf1" and "e5"
# in "De5", which are other moves. No move of the games that it knows begins like them.
_ESCORT_AND_DECOY = r"(?:E[QRB][a-h][1-8]|D[a-h][1-8])|"


def register() -> None:
    """Enters the boards in ``chess.variant.VARIANTS`` and the two new moves in PGN's grammar.

    Both are global to the process. Importing the package does it; doing it again changes nothing.
    """
    for board in (CaptureOrConquerBoard, CaptureOrConquerClassicBoard):
        if board not in chess.variant.VARIANTS:
            chess.variant.VARIANTS.append(board)
    grammar = chess.pgn.MOVETEXT_REGEX
    if not grammar.pattern.startswith(_ESCORT_AND_DECOY):
        chess.pgn.MOVETEXT_REGEX = re.compile(_ESCORT_AND_DECOY + grammar.pattern, grammar.flags)
