# SPDX-License-Identifier: GPL-3.0-or-later
"""Games in PGN through chess.pgn."""

import io
import unittest

import chess
import chess.pgn
import chess.variant
import usurper_chess
from support import BOARDS, board_of, vectors

COMMENTED = """\
[Event "A game"]
[Variant "captureorconquer"]
[FEN "4k3/8/8/4P3/4K3/8/8/4R3 w - - 0 1"]
[SetUp "1"]
[Result "*"]

{ Both moves that chess does not have } 1. ERe3! $10 (1. De5 Kd7 {back} 2. De4 (2. Re2 Kc7) 2... Ke8) 1... Kd7
2. Dd5 ; no: the King stands on e2
*
"""


class Pgn(unittest.TestCase):
    def test_the_editions_are_found(self) -> None:
        for name, kind in BOARDS.items():
            self.assertIs(chess.variant.find_variant(name), kind)
        self.assertIs(chess.variant.find_variant("Capture or Conquer"), BOARDS["captureorconquer"])
        grammar, variants = chess.pgn.MOVETEXT_REGEX, list(chess.variant.VARIANTS)
        usurper_chess.register()
        self.assertEqual((chess.pgn.MOVETEXT_REGEX, chess.variant.VARIANTS), (grammar, variants))

    def test_every_game_of_the_vectors_comes_back(self) -> None:
        cases = vectors("games")
        boards = []
        for case in cases:
            board = board_of(case)
            for text in case["moves"]:
                board.push_san(text)
            boards.append(board)
        file = io.StringIO("\n\n".join(str(chess.pgn.Game.from_board(board)) for board in boards))
        for board in boards:
            game = chess.pgn.read_game(file)
            assert game is not None, "as many games are read as were written"
            self.assertEqual(game.errors, [])
            end = game.end().board()
            self.assertIs(type(end), type(board))
            self.assertEqual(end.move_stack, board.move_stack)
            self.assertEqual(end.root().fen(), board.root().fen())
            self.assertEqual((end.fen(), game.headers["Result"]), (board.fen(), board.result()))
        self.assertIsNone(chess.pgn.read_game(file))

    def test_variations_comments_and_a_wrong_move(self) -> None:
        with self.assertLogs("chess.pgn", "ERROR"):
            game = chess.pgn.read_game(io.StringIO(COMMENTED))
        assert game is not None
        self.assertEqual(len(game.errors), 1)
        self.assertIn("Dd5", str(game.errors[0]))
        self.assertEqual([node.san() for node in game.variations], ["ERe3", "De5"])
        self.assertEqual(game[0].nags, {chess.pgn.NAG_GOOD_MOVE, 10})
        self.assertEqual([move.uci() for move in game.mainline_moves()], ["e4e2", "e8d7"])
        decoys = game[1]
        self.assertEqual([node.san() for node in decoys.mainline()], ["Kd7", "De4", "Ke8"])
        self.assertEqual(decoys[0][0].board().board_fen(), "8/3k4/8/4P3/4K3/8/8/4R3")
        self.assertEqual([node.san() for node in decoys[0].variations], ["De4", "Re2"])

    def test_chess_is_read_as_before(self) -> None:
        game = chess.pgn.read_game(io.StringIO("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *"))
        assert game is not None
        self.assertEqual((game.errors, len(list(game.mainline_moves()))), ([], 7))


if __name__ == "__main__":
    unittest.main()
