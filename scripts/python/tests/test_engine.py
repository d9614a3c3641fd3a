# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine through chess.engine, the examples, and the snippets of the documentation."""

import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

import chess.engine
import chess.pgn
from support import BOARDS, MODULE, ROOT, engine, judge, result

EXAMPLES = MODULE / "examples"


def example(name: str, *arguments: str, typed: str | None = None) -> str:
    """Runs an example with the engine under test, and returns what it wrote."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    run = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)
    if run.returncode:
        raise AssertionError(f"{command}: {run.returncode}\n{run.stdout}\n{run.stderr}")
    return run.stdout


class Engine(unittest.TestCase):
    def test_a_game_against_itself(self) -> None:
        with chess.engine.SimpleEngine.popen_uci(engine()) as player:
            for edition, kind in BOARDS.items():
                board = kind()
                with self.assertNoLogs("chess.engine", "WARNING"):
                    while not board.is_game_over():
                        played = player.play(
                            board, chess.engine.Limit(nodes=200), game=edition, info=chess.engine.INFO_ALL
                        )
                        assert played.move is not None
                        self.assertIn(played.move, board.legal_moves)
                        board.push(played.move)
                moves = [move.uci() for move in board.move_stack]
                [verdict] = judge([{"edition": edition, "moves": moves}])
                self.assertEqual(result(board), (verdict["winner"], verdict["reason"]))
                self.assertEqual(board.fen(), verdict["fen"])
                # Asked about the end, the engine has no move.
                self.assertIsNone(player.play(board, chess.engine.Limit(nodes=200)).move)

    def test_an_analysis_of_every_move(self) -> None:
        board = BOARDS["captureorconquer"]("2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1")
        with chess.engine.SimpleEngine.popen_uci(engine()) as player:
            lines = player.analyse(board, chess.engine.Limit(depth=3), multipv=256)
        self.assertEqual(len(lines), board.legal_moves.count())
        firsts = {board.san(line["pv"][0]) for line in lines}
        self.assertEqual(firsts, {board.san(move) for move in board.legal_moves})
        self.assertLessEqual({"EBe6", "Dg6"}, firsts)


class Examples(unittest.TestCase):
    def test_help(self) -> None:
        for name in ("play.py", "analyse.py", "match.py", "draw.py"):
            self.assertIn("--variant", example(name, "--help"))

    def test_a_match_is_judged_and_written(self) -> None:
        for edition, kind in BOARDS.items():
            with tempfile.TemporaryDirectory() as folder:
                pgn = Path(folder, "match.pgn")
                said = example(
                    "match.py", "--engine", engine(), "--judge", engine(), "--variant", edition,
                    "--games", "2", "--nodes", "200", "--pgn", str(pgn),
                )  # fmt: skip
                self.assertIn("2 results judged, 0 otherwise; 0 protocol errors", said)
                file = io.StringIO(pgn.read_text())
                for _ in range(2):
                    game = chess.pgn.read_game(file)
                    assert game is not None
                    end = game.end().board()
                    self.assertEqual((game.errors, type(end)), ([], kind))
                    self.assertEqual(game.headers["Result"], end.result())

    def test_a_match_over_xboards_protocol(self) -> None:
        for edition in BOARDS:
            said = example(
                "match.py", "--protocol", "xboard", "--engine", engine(), "--judge", engine(),
                "--variant", edition, "--games", "2", "--depth", "2",
            )  # fmt: skip
            self.assertIn("2 results judged, 0 otherwise; 0 protocol errors", said)

    def test_a_person_plays(self) -> None:
        said = example(
            "play.py", "--engine", engine(), "--depth", "1", "--fen", "7k/8/4K3/8/8/8/8/8 w - - 0 1",
            typed="Kz9\nmoves\n--\nKe7\nundo\nKd7\nundo\nKd7\nquit\n",
        )  # fmt: skip
        self.assertIn("invalid san: 'Kz9'", said)
        self.assertIn("nobody may pass", said)
        self.assertIn("Kd5 Kd6 Kd7 Ke5 Ke7 Kf5 Kf6 Kf7", said)
        self.assertEqual(said.count("The engine plays K"), 3)

    def test_an_analysis(self) -> None:
        said = example(
            "analyse.py", "--engine", engine(), "--depth", "3", "--multipv", "2",
            "--fen", "7k/2K5/8/8/8/8/8/8 w - - 0 1",
        )  # fmt: skip
        self.assertEqual(len(re.findall(r"#\+1  depth .* 1\. K[bcd]8$", said, re.MULTILINE)), 2, said)

    def test_a_picture(self) -> None:
        fen = "2B2r1k/1p4p1/6P1/2p2K2/8/8/P6P/1q6 w - - 0 1"
        svg = ET.fromstring(example("draw.py", "--fen", fen, "--arrow", "EBe6", "Dg6"))
        lines = [e for e in svg.iter() if e.tag.endswith("line") and e.get("class") == "arrow"]
        self.assertEqual(len(lines), 4, "two legs a move")
        self.assertEqual(sum(e.get("fill", "").startswith("#e8b923") for e in svg.iter()), 16)


class Documentation(unittest.TestCase):
    def test_python_snippets_run(self) -> None:
        for page in (ROOT / "README.md", MODULE / "README.md"):
            snippets = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
            self.assertTrue(snippets, page)
            for snippet in snippets:
                with self.subTest(page=page.name, snippet=snippet), tempfile.TemporaryDirectory() as folder:
                    # They name the release build, from the repository's root.
                    program = snippet.replace("target/release/usurper", engine())
                    environment = {**os.environ, "PYTHONWARNINGS": "error"}
                    run = subprocess.run(
                        [sys.executable, "-c", program], cwd=folder, env=environment,
                        capture_output=True, text=True, timeout=60,
                    )  # fmt: skip
                    self.assertEqual((run.returncode, run.stderr), (0, ""), snippet)
                    self.assertTrue(run.stdout.strip())


if __name__ == "__main__":
    unittest.main()
