# SPDX-License-Identifier: GPL-3.0-or-later
"""Random games, held against the engine's own judge after every move."""

import collections
import random
import unittest
from typing import Any

import chess
from support import BOARDS, board_of, judge, move_list, result, vectors, whole_state
from usurper_chess import ConquestBoard

GAMES = 300
LONGEST = 60


def likely_move(board: ConquestBoard, rng: random.Random) -> chess.Move:
    """A random move, by which a King is seldom lost and positions often come again."""
    moves = list(board.legal_moves)
    if len(board.move_stack) > 1 and rng.random() < 0.4:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    for move in rng.sample(moves, min(4, len(moves))):
        board.push(move)
        exposed = board.was_into_check()
        board.pop()
        if not exposed:
            return move
    return rng.choice(moves)


def verdict_of(board: ConquestBoard) -> dict[str, Any]:
    """What the judge says of a game, as the board has it."""
    winner, reason = result(board)
    return {
        "edition": board.uci_variant,
        "fen": board.fen(),
        "winner": winner,
        "reason": reason,
        "plies": len(board.move_stack),
        "in_check": board.is_check(),
        "repetitions": board.repetitions(),
        "moves": move_list(board),
    }


class Judge(unittest.TestCase):
    def test_random_games(self) -> None:
        rng = random.Random(20260)
        starts: dict[str, list[ConquestBoard]] = collections.defaultdict(list)
        for case in vectors("moves") + vectors("games"):
            board = board_of(case)
            if board.ending() is None:
                starts[case["edition"]].append(board)
        boards = list(BOARDS.items())
        asked, expected = [], []
        endings: collections.Counter[tuple[str, str | None]] = collections.Counter()
        pardons = 0
        for number in range(GAMES):
            edition, start = boards[number % 2]
            board = start() if number % 3 == 0 else rng.choice(starts[edition]).copy()
            game: dict[str, Any] = {"edition": edition, "fen": board.fen(), "moves": []}
            asked.append({**game, "moves": []})
            expected.append(verdict_of(board))
            while board.ending() is None and len(board.move_stack) < LONGEST:
                move = likely_move(board, rng)
                before = whole_state(board)
                text = rng.choice([board.uci(move), board.san(move)])
                board.push(move)
                board.pop()
                self.assertEqual(whole_state(board), before)
                board.push(move)
                game["moves"].append(text)
                asked.append({**game, "moves": list(game["moves"])})
                expected.append(verdict_of(board))
            winner, reason = result(board)
            endings[edition, reason] += 1
            mover = chess.COLOR_NAMES[not board.turn]
            pardons += reason == "repetition" and winner == mover
        for game, verdict, answer in zip(asked, expected, judge(asked), strict=True):
            self.assertEqual(verdict, answer, game)
        # The sample must show each way in which a game ends.
        for edition in BOARDS:
            for reason in ("capture", "conquest", "repetition"):
                self.assertGreater(endings[edition, reason], 0, (edition, reason, endings))
        self.assertGreater(pardons, 0)


if __name__ == "__main__":
    unittest.main()
