# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards beyond the vectors: what is drawn, pushed, copied, mirrored, and read from text."""

import random
import unittest

import chess
from support import BOARDS, board_of, vectors, whole_state
from usurper_chess import CaptureOrConquerBoard, CaptureOrConquerClassicBoard, Ending, Reason

KNIGHTS_OUT_AND_BACK = "Nf3 Nf6 Ng1 Ng8".split()


class Rules(unittest.TestCase):
    def test_escort_and_decoy_move_both_pieces_and_come_back(self) -> None:
        cases = [
            # Distance two: King and Rook change sides. A supporter at a distance. Along file and diagonal.
            ("7k/8/8/8/8/8/8/4K1R1 w - - 3 9", "e1g1", "ERf1", "7k/8/8/8/8/8/8/5RK1 b - - 4 9"),
            ("r3k3/8/8/8/8/8/8/4K3 b - - 3 9", "e8c8", "ERd8", "2kr4/8/8/8/8/8/8/4K3 w - - 4 10"),
            ("7k/8/8/4Q3/8/8/8/4K3 w - - 0 1", "e1e3", "EQe2", "7k/8/8/8/8/4K3/4Q3/8 b - - 1 1"),
            ("B6k/8/8/8/4K3/8/8/8 w - - 0 1", "e4c6", "EBd5", "7k/8/2K5/3B4/8/8/8/8 b - - 1 1"),
            ("7k/8/8/4P3/4K3/8/8/8 w - - 7 1", "e4e5", "De5", "7k/8/8/4K3/4P3/8/8/8 b - - 8 1"),
            ("8/8/8/3k4/4p3/8/8/K7 b - - 7 1", "d5e4", "De4", "8/8/8/3p4/4k3/8/8/K7 w - - 8 2"),
        ]
        for fen, coordinates, san, after in cases:
            with self.subTest(fen=fen, move=san):
                board = CaptureOrConquerBoard(fen)
                before = whole_state(board)
                move = board.parse_san(san)
                self.assertEqual(move, board.parse_uci(coordinates))
                self.assertEqual((board.uci(move), board.san(move)), (coordinates, san))
                self.assertFalse(board.is_capture(move) or board.is_zeroing(move))
                board.push(move)
                self.assertEqual(board.fen(), after)
                self.assertEqual(board.pop(), move)
                self.assertEqual(whole_state(board), before)

    def test_an_escort_keeps_who_was_promoted(self) -> None:
        board = CaptureOrConquerBoard("7k/P7/8/8/8/8/8/K7 w - - 0 1")
        for text in "a8=Q Kh7 EQa2".split():
            board.push_san(text)
        self.assertEqual(board.fen(promoted=True), "8/7k/8/8/8/K7/Q~7/8 b - - 2 2")

    def test_no_draws(self) -> None:
        for kind in BOARDS.values():
            board = kind("4k3/8/8/8/8/8/8/4K3 w - - 200 200")
            self.assertFalse(board.is_insufficient_material())
            self.assertFalse(board.can_claim_draw() or board.is_seventyfive_moves())
            self.assertFalse(board.is_variant_draw())
            self.assertIsNone(board.outcome(claim_draw=True))

    def test_the_third_occurrence_decides(self) -> None:
        for kind in BOARDS.values():
            board = kind()
            for text in KNIGHTS_OUT_AND_BACK * 2:
                self.assertFalse(board.is_game_over())
                board.push_san(text)
            self.assertEqual((board.repetitions(), board.is_repetition(3)), (3, True))
            self.assertEqual(board.ending(), Ending(chess.WHITE, Reason.REPETITION))
            outcome = board.outcome()
            assert outcome is not None
            self.assertEqual(outcome.termination, chess.Termination.VARIANT_WIN)
            self.assertEqual((outcome.winner, board.result()), (chess.WHITE, "1-0"))
            self.assertTrue(board.is_variant_end() and board.is_variant_win())
            self.assertFalse(board.is_variant_loss() or board.legal_moves)
            # A copy without the moves has not seen the position before.
            self.assertEqual(board.copy(stack=False).repetitions(), 1)
            self.assertEqual(board.copy().ending(), board.ending())
            board.pop()
            self.assertIsNone(board.ending())

    def test_no_moves_loses(self) -> None:
        for kind in BOARDS.values():
            # White's men stand in one another's way.
            board = kind("3k4/8/8/8/p1p5/P1Pp4/RB1P4/KRB5 w - - 1 2")
            self.assertEqual(board.ending(), Ending(chess.BLACK, Reason.NO_MOVES))
            self.assertTrue(board.is_variant_loss() and board.is_game_over() and board.is_stalemate())
            self.assertFalse(board.is_variant_win() or board.is_variant_end() or board.is_checkmate())
            self.assertEqual(board.result(), "0-1")

    def test_a_missing_king(self) -> None:
        board = CaptureOrConquerBoard("7k/8/8/8/8/8/1q6/8 w - - 0 1")
        self.assertEqual(board.ending(), Ending(chess.BLACK, Reason.CAPTURE))
        self.assertFalse(board.is_check() or board.legal_moves)

    def test_castling_needs_no_safety_in_the_earlier_edition(self) -> None:
        board = CaptureOrConquerClassicBoard("4rr1k/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        before = whole_state(board)
        for san, coordinates, after in [
            ("O-O", "e1g1", "4rr1k/8/8/8/8/8/8/R4RK1 b - - 1 1"),
            ("O-O-O", "e1c1", "4rr1k/8/8/8/8/8/8/2KR3R b - - 1 1"),
        ]:
            move = board.parse_san(san)
            self.assertEqual((board.uci(move), board.san(move)), (coordinates, san))
            board.push(move)
            self.assertEqual(board.fen(), after)
            board.pop()
            self.assertEqual(whole_state(board), before)
        with self.assertRaises(chess.IllegalMoveError):
            board.parse_uci("e1h1")

    def test_a_mirrored_board_has_the_mirrored_moves(self) -> None:
        for case in vectors("moves"):
            board = board_of(case)
            mirrored = board.mirror()
            with self.subTest(edition=case["edition"], fen=case["fen"]):
                flipped = {
                    chess.Move(m.from_square ^ 56, m.to_square ^ 56, m.promotion) for m in board.legal_moves
                }
                self.assertEqual(set(mirrored.legal_moves), flipped)
                self.assertEqual(mirrored.mirror(), board)
                ours, theirs = board.ending(), mirrored.ending()
                self.assertEqual(ours and (not ours.winner, ours.reason), theirs)

    def test_is_legal_agrees_with_the_generator(self) -> None:
        rng = random.Random(4)
        for case in vectors("moves"):
            board = board_of(case)
            legal = set(board.legal_moves)
            some = [
                chess.Move(rng.randrange(64), rng.randrange(64), rng.choice([None, None, 2, 4, 5, 6]))
                for _ in range(300)
            ]
            kings = chess.SquareSet(board.kings)
            some += [chess.Move(king, square) for king in kings for square in chess.SQUARES]
            for move in some + list(legal):
                self.assertEqual(board.is_legal(move), move in legal, (case["fen"], move))

    def test_legs(self) -> None:
        board = CaptureOrConquerBoard("7k/8/8/4P3/4K3/8/8/4R3 w - - 0 1")
        e1, e2, e3, e4, e5 = chess.E1, chess.E2, chess.E3, chess.E4, chess.E5
        self.assertEqual(board.legs(board.parse_san("ERe3")), [(e4, e2), (e1, e3)])
        self.assertEqual(board.legs(board.parse_san("De5")), [(e4, e5), (e5, e4)])
        self.assertEqual(board.legs(board.parse_san("Re2")), [(e1, e2)])
        classic = CaptureOrConquerClassicBoard("7k/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        self.assertEqual(classic.legs(classic.parse_san("O-O")), [(e1, chess.G1), (chess.H1, chess.F1)])
        self.assertEqual(classic.legs(classic.parse_san("O-O-O")), [(e1, chess.C1), (chess.A1, chess.D1)])


class Notation(unittest.TestCase):
    def test_what_is_read_but_not_written(self) -> None:
        board = CaptureOrConquerBoard("3nk2r/4P3/8/8/8/8/8/R3K1NR w - - 0 1")
        for text, coordinates in [
            ("O-O-O", "e1c1"),
            ("0-0-0+", "e1c1"),
            ("exd8", "e7d8q"),
            ("exd8=Q!?", "e7d8q"),
            ("e7d8", "e7d8q"),
            ("e7d8Q", "e7d8q"),
            ("Ng1e2#", "g1e2"),
            ("Ng1-e2", "g1e2"),
            ("Rxh8", "h1h8"),
        ]:
            with self.subTest(text=text):
                self.assertEqual(board.parse_san(text).uci(), coordinates)

    def test_what_is_refused(self) -> None:
        board = CaptureOrConquerBoard("3nk2r/4P3/8/8/8/8/8/R3K1NR w - - 0 1")
        for text in ["O-O", "Kc1", "exd8=N", "e7d8n", "xd8", "d8", "Nxe2", "Ke3", "ERf1", "De7", "e8=Q"]:
            with self.subTest(text=text), self.assertRaises(chess.IllegalMoveError):
                board.parse_san(text)
        for text in ["", "hello", "E", "EKf1", "Dd9", "e1g", "Kz9"]:
            with self.subTest(text=text), self.assertRaises(chess.InvalidMoveError):
                board.parse_san(text)
        with self.assertRaises(chess.AmbiguousMoveError):
            CaptureOrConquerBoard("7k/8/8/8/8/4K3/8/R6R w - - 0 1").parse_san("Rd1")
        with self.assertRaises(chess.IllegalMoveError):
            CaptureOrConquerClassicBoard("7k/8/8/4P3/4K3/8/8/8 w - - 0 1").parse_uci("e4e5")

    def test_the_name_of_a_move_is_told_apart_from_its_neighbours(self) -> None:
        board = CaptureOrConquerBoard("7k/8/8/8/8/8/8/4K2R w - - 0 1")
        self.assertEqual(board.parse_san("Rf1").uci(), "h1f1")
        self.assertEqual(board.parse_san("ERf1").uci(), "e1g1")
        self.assertEqual(board.variation_san(map(chess.Move.from_uci, ["e1g1", "h8h7"])), "1. ERf1 Kh7")


class Positions(unittest.TestCase):
    def test_fields_that_may_be_missing(self) -> None:
        whole = "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1"
        for fen in [
            whole,
            "4k3/8/8/2pP4/8/8/8/4K3 w - c6",
            "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0",
            "4k3/8/8/2pP4/8/8/8/4K3 w c6 0 1",
            "4k3/8/8/2pP4/8/8/8/4K3 w c6 0",
            "4k3/8/8/2pP4/8/8/8/4K3 w KQkq c6 0 0",
        ]:
            for kind in BOARDS.values():
                with self.subTest(fen=fen, kind=kind):
                    self.assertEqual(kind(fen).fen(), whole)

    def test_what_the_board_does_not_bear_out_is_dropped(self) -> None:
        rights = "r3k3/8/8/8/8/8/8/4K2R w qKQk - 0 1"
        self.assertEqual(CaptureOrConquerBoard(rights).fen().split()[2], "-")
        self.assertEqual(CaptureOrConquerClassicBoard(rights).fen().split()[2], "Kq")
        for square in ["c3", "e6", "d6", "a1", "c6"]:
            board = CaptureOrConquerBoard(f"4k3/2p5/8/2pP4/8/8/8/4K3 w - {square} 0 1")
            self.assertIsNone(board.ep_square, square)
            self.assertTrue(board.is_valid())

    def test_errors_leave_the_board_as_it_is(self) -> None:
        board = CaptureOrConquerBoard()
        board.push_san("e4")
        before = whole_state(board)
        for fen in [
            "",
            "8/8/8/8/8/8/8/8",
            "4k3/8/8/8/8/8/8/4K3 w -",
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w HA - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w KK - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1",
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
        ]:
            with self.subTest(fen=fen), self.assertRaises(ValueError):
                board.set_fen(fen)
            self.assertEqual(whole_state(board), before)

    def test_status(self) -> None:
        for fen, status in [
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", chess.STATUS_VALID),
            ("qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1", chess.STATUS_VALID),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", chess.STATUS_VALID),
            ("8/8/8/8/8/8/8/R7 w - - 0 1", chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING),
            ("8/8/8/8/8/8/8/K2K4 w - - 0 1", chess.STATUS_TOO_MANY_KINGS),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", chess.STATUS_PAWNS_ON_BACKRANK),
        ]:
            with self.subTest(fen=fen):
                self.assertEqual(CaptureOrConquerBoard(fen).status(), status)

    def test_an_epd_line(self) -> None:
        board, operations = CaptureOrConquerBoard.from_epd(
            '4k3/8/8/4P3/4K3/8/8/8 w - - bm De5; hmvc 4; fmvn 7; id "a decoy";'
        )
        self.assertEqual(board.fen(), "4k3/8/8/4P3/4K3/8/8/8 w - - 4 7")
        self.assertEqual(operations["bm"], [chess.Move.from_uci("e4e5")])
        self.assertEqual(operations["id"], "a decoy")

    def test_start_positions(self) -> None:
        self.assertEqual(CaptureOrConquerBoard().fen(), CaptureOrConquerBoard.starting_fen)
        self.assertEqual(CaptureOrConquerBoard(chess.STARTING_FEN), CaptureOrConquerBoard())
        self.assertEqual(CaptureOrConquerClassicBoard().fen(), chess.STARTING_FEN)
        self.assertNotEqual(CaptureOrConquerClassicBoard(), chess.Board())
        with self.assertRaises(ValueError):
            CaptureOrConquerBoard(chess960=True)


if __name__ == "__main__":
    unittest.main()
