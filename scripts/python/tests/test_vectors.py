# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of an independent reference program, which decide any doubt about the rules."""

import unittest

from support import board_of, move_list, result, vectors
from usurper_chess import ConquestBoard

# The greatest count of leaves that is walked; the deeper ones take too long in Python.
LARGEST_PERFT = 100_000


def perft(board: ConquestBoard, depth: int) -> int:
    """The number of move paths of this length."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


class Vectors(unittest.TestCase):
    def test_perft_counts(self) -> None:
        cases = vectors("perft")
        self.assertEqual(len(cases), 49)
        for case in cases:
            board = board_of(case)
            for depth, nodes in enumerate(case["nodes"], start=1):
                if nodes <= LARGEST_PERFT:
                    with self.subTest(edition=case["edition"], fen=case["fen"], depth=depth):
                        self.assertEqual(perft(board, depth), nodes)

    def test_move_lists(self) -> None:
        cases = vectors("moves")
        self.assertEqual(len(cases), 120)
        for case in cases:
            with self.subTest(edition=case["edition"], fen=case["fen"]):
                board = board_of(case)
                self.assertTrue(board.is_valid())
                self.assertEqual(board.is_check(), case["in_check"])
                self.assertEqual(result(board), tuple(case["result"] or (None, None)))
                self.assertEqual(move_list(board), case["moves"])
                for coordinates, san in case["moves"]:
                    self.assertEqual(board.parse_uci(coordinates), board.parse_san(san))
                    self.assertEqual(board.parse_uci(coordinates), board.parse_san(coordinates))

    def test_games(self) -> None:
        cases = vectors("games")
        self.assertEqual(len(cases), 154)
        for case in cases:
            with self.subTest(edition=case["edition"], fen=case["fen"], why=case["why"]):
                board = board_of(case)
                for text in case["moves"]:
                    self.assertIsNone(board.ending(), f"over before {text}")
                    board.push_san(text)
                self.assertEqual(result(board), (case["winner"], case["reason"]))
                self.assertEqual(len(board.move_stack), case["plies"])
                self.assertEqual(board.fen(), case["final_fen"])
                expected = {"white": "1-0", "black": "0-1", None: "*"}[case["winner"]]
                self.assertEqual(board.result(), expected)
                self.assertEqual(board.is_game_over(), case["winner"] is not None)


if __name__ == "__main__":
    unittest.main()
