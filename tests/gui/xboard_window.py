#!/usr/bin/env python3
"""Plays this game in the real window of XBoard, with the mouse, and compares the board that XBoard itself holds.

    cargo build && tests/gui/xboard_window.py
    tests/gui/xboard_window.py --screenshot docs/xboard.png

Needs xboard, Xvfb, xdotool and xclip (Debian: xboard xvfb xdotool xclip), for a screenshot ImageMagick. XBoard runs on a screen
of its own with settings of its own. Its board is read by its own "Copy Position"; what the rules say of the same game is asked of `usurper
judge`. Every wait ends when what is waited for is there, or fails after PATIENCE seconds. USURPER names the engine's binary.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
USURPER = os.path.abspath(os.environ.get("USURPER", os.path.join(ROOT, "target", "debug", "usurper")))
XBOARD = shutil.which("xboard") or "/usr/games/xboard"
PATIENCE = float(os.environ.get("PATIENCE", "60"))
VARIANT = "captureorconquer"
SIZE = 65  # pixels of a square with -size 64, its line included

# The ways to show the King that protocol.md describes.
MODES = {
    "man": [],
    "king": ["-testLegality", "false", "-firstOptions", "Show King As=king",
             "-secondOptions", "Show King As=king"],
}


def wait_for(what, look):
    """The first true value of `look()`."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within {PATIENCE} s: {what() if callable(what) else what}")


def judge(fen, moves):
    """What the rules say of a game."""
    command = [USURPER, "judge", "--json", "--variant", VARIANT, "--fen", fen]
    if moves:
        command += ["--moves", *moves]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def placement(fen):
    return fen.split()[0]


class Screen:
    """An X server without a monitor."""

    def __init__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1100x700x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb has not started"
        self.environment = dict(os.environ, DISPLAY=f":{number}")

    def run(self, *command, check=True):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True,
                              timeout=PATIENCE, check=check)
        return done.stdout

    def close(self):
        self.process.terminate()
        self.process.wait()


class Window:
    """XBoard with one engine, or two."""

    def __init__(self, screen, mode, *arguments, fen=None):
        self.screen = screen
        self.folder = tempfile.mkdtemp(prefix="xboard-")
        self.log_path = os.path.join(self.folder, "debug.log")
        command = [XBOARD, "-fcp", USURPER, "-variant", VARIANT, "-size", "64",
                   "-debug", "-nameOfDebugFile", self.log_path, "-saveSettingsOnExit", "false",
                   "-autoSaveGames", "false", *MODES[mode], *arguments]
        environment = dict(screen.environment, HOME=self.folder)
        self.process = subprocess.Popen(
            command, env=environment, cwd=self.folder, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # The name of the window is the engine's once it has been heard.
        self.id = wait_for("a window", lambda: self.screen.run(
            "xdotool", "search", "--onlyvisible", "--name", "^xboard", check=False).split())[0]
        self.wait_log(r"<first : setup ")
        self.wait_log(r"<first : pong 1\b")
        if fen:
            self.paste(fen)

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what XBoard has said and heard ----

    def log(self):
        try:
            with open(self.log_path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def wait_log(self, pattern, since=0):
        """The first match in the log at or after a place in it."""
        return wait_for(lambda: f"{pattern} in {self.log()[since:][-3000:]}",
                        lambda: re.compile(pattern).search(self.log(), since))

    # ---- the mouse and the keys ----

    def geometry(self):
        shell = self.screen.run("xdotool", "getwindowgeometry", "--shell", self.id)
        return {key: int(value) for key, value in re.findall(r"^(\w+)=(-?\d+)$", shell, re.M)}

    def point(self, square):
        """The middle of a square, White below; the board is the lower part of the window."""
        place = self.geometry()
        file, rank = ord(square[0]) - ord("a"), int(square[1])
        bottom = place["Y"] + place["HEIGHT"] - 2
        return [str(place["X"] + 2 + file * SIZE + SIZE // 2), str(bottom - (rank - 1) * SIZE - SIZE // 2)]

    def mouse(self, *words):
        self.screen.run("xdotool", *words)

    def drag(self, start, end):
        """A move by the mouse; gives the targets that were marked while the piece was in the air."""
        since = len(self.log())
        self.mouse("mousemove", *self.point(start))
        self.mouse("mousedown", "1")
        self.wait_log(rf">first : lift {start}\b", since)
        marks = self.wait_log(r"<first : highlight (\S+)", since)[1]
        self.mouse("mousemove", *self.point(end))
        self.mouse("mouseup", "1")
        return marked(marks)

    def key(self, keys):
        # Without a window manager the keys go where the pointer is.
        place = self.geometry()
        self.mouse("mousemove", str(place["X"] + 250), str(place["Y"] + place["HEIGHT"] - 4))
        self.screen.run("xdotool", "key", "--window", "0", keys, check=False)

    def paste(self, fen):
        """Sets up a position by XBoard's own "Paste Position"."""
        with subprocess.Popen(["xclip", "-i", "-selection", "clipboard"], stdin=subprocess.PIPE,
                              env=self.screen.environment) as xclip:
            xclip.communicate(fen.encode())
        self.key("ctrl+shift+v")
        self.wait_board(fen)

    def board(self):
        """The position that XBoard holds, as it copies it to the clipboard."""
        self.key("ctrl+shift+c")
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(["xclip", "-o", "-selection", "clipboard"], timeout=3,
                                  env=self.screen.environment, capture_output=True, text=True)
            return done.stdout.strip()
        return ""

    def wait_board(self, fen):
        """Waits until XBoard's board has the pieces of a FEN, and is theirs to move whose turn it is."""
        wanted = fen.split()[:2]
        held = ""

        def look():
            nonlocal held
            held = self.board()
            return held.split()[:2] == wanted

        try:
            wait_for("", look)
        except AssertionError:
            raise AssertionError(f"XBoard holds {held}, the game {fen}\n{self.log()[-3000:]}") from None


def marked(field):
    """The squares with a Y in a `highlight` line."""
    squares = set()
    for rank, row in zip(range(8, 0, -1), field.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                squares.add("abcdefgh"[file] + str(rank))
                file += 1
    return squares


@contextlib.contextmanager
def window(screen, mode, *arguments, fen=None):
    shown = Window(screen, mode, *arguments, fen=fen)
    try:
        yield shown
    finally:
        shown.close()


class Game:
    """A game between a person with the mouse and the engine; after each move both boards must agree."""

    def __init__(self, shown, fen):
        self.shown, self.fen, self.moves, self.heard = shown, fen, [], 0

    def state(self):
        return judge(self.fen, self.moves)

    def person(self, move):
        """A move by the mouse, for which exactly the legal targets are marked."""
        legal = [m for m, _ in self.state()["moves"]]
        assert move in legal, f"the test wants {move} of {legal}"
        self.heard = len(self.shown.log())
        marks = self.shown.drag(move[:2], move[2:])
        assert marks == {m[2:4] for m in legal if m.startswith(move[:2])}, f"marked {marks}"
        self.shown.wait_log(rf"usermove [^\n]*{move}\b", self.heard)
        self.moves.append(move)

    def engine(self):
        """The engine's move; what it says of the board beside that is no move of the game."""
        legal = {m for m, _ in self.state()["moves"]}

        def look():
            said = re.findall(r"<first : move ([a-h]\S+)", self.shown.log()[self.heard:])
            return [m for m in said if m in legal]

        move = wait_for(lambda: f"a move of {legal} in {self.shown.log()[self.heard:]}", look)[-1]
        self.moves.append(move)
        self.shown.wait_board(self.state()["fen"])
        return move

    def take_back(self):
        """Retract Move, until the person's last move is gone with all that belongs to it."""
        del self.moves[-2:]
        wanted = self.state()["fen"].split()[:2]
        for _ in range(3):
            if self.shown.board().split()[:2] == wanted:
                break
            since = len(self.shown.log())
            self.shown.key("ctrl+x")
            self.shown.wait_log(r">first : remove", since)
        self.shown.wait_board(self.state()["fen"])


# Black, the engine, moves his King about; then White's King has an Escort on e3 or a Decoy on e4.
PERSONS_ESCORT = ("k7/p7/8/8/4R3/8/PPP3PP/4K3 b - - 0 1", "e1e3")
PERSONS_DECOY = ("k7/p7/8/8/4P3/4K3/PPP3PP/8 b - - 0 1", "e3e4")
LONG_ESCORT = ("k7/p7/8/8/8/8/PPP3PP/R3K3 b - - 0 1", "e1c1")
# The supporter stands where the King lands.
NEAR_ESCORT = ("r1bqkb1r/ppp2ppp/2n2n2/3p4/8/4R3/PPPP1PPP/RNB1KBN1 b - - 0 1", "e1e3")
# White, the engine, moves; all else is much worse.
ENGINES_ESCORT = ("8/5q2/P2pK3/k7/2Q1P1p1/2P1p3/5r2/B3R3 w - - 0 1", "e6c4")
ENGINES_DECOY = ("n7/2B5/k5P1/2ppPP2/3K1p2/1r5Q/8/7b w - - 0 1", "d4e5")


def test_person(screen, mode, picture=None):
    """Escort and Decoy by mouse, answered, taken back and made again."""
    for fen, move in (PERSONS_ESCORT, PERSONS_DECOY, LONG_ESCORT, NEAR_ESCORT):
        with window(screen, mode, "-depth", "4", fen=fen) as shown:
            game = Game(shown, fen)
            shown.key("ctrl+b")  # Machine Black
            game.engine()
            game.person(move)
            game.engine()
            game.take_back()
            game.person(move)
            game.engine()
            if picture and fen == NEAR_ESCORT[0]:
                screenshot(shown, picture)


def test_engine(screen, mode):
    """Escort and Decoy by the engine."""
    for fen, move in (ENGINES_ESCORT, ENGINES_DECOY):
        with window(screen, mode, "-depth", "8", fen=fen) as shown:
            game = Game(shown, fen)
            shown.key("ctrl+w")  # Machine White
            played = game.engine()
            assert played == move, f"{played} in place of {move}"


def screenshot(shown, path):
    """The window; turned round and back, which takes away the tip that XBoard lays over the board."""
    shown.key("F2")
    shown.key("F2")
    shown.wait_board(shown.board())
    shown.screen.run("import", "-window", shown.id, "-strip", path)


def test_two_engines(screen, mode):
    """A game between two engines to its end, which begins with an Escort."""
    fen, move = ENGINES_ESCORT
    with window(screen, mode, "-scp", USURPER, "-depth", "8", "-searchTime", "1", fen=fen) as shown:
        since = len(shown.log())
        shown.key("ctrl+t")  # Two Machines
        result = shown.wait_log(r"GameEnds\(\d+, ([^\n]*by [^\n]*), \d+\)", since)[1]
        played = []
        for said in re.findall(r"^\d+ <(?:first|second) *: move (\S+)", shown.log()[since:], re.M):
            # Beside the moves of the game there are those that put the supporter right.
            if said in {m for m, _ in judge(fen, played)["moves"]}:
                played.append(said)
        state = judge(fen, played)
        assert played[0] == move, played
        assert state["winner"] and state["winner"] in result.lower(), (result, state)
        assert state["reason"] in result, (result, state)
        shown.wait_board(state["fen"])


ANALYSED = "3qk3/pppp1ppp/8/8/4R3/8/PPPP1PPP/4K3 w - - 0 1"


def test_analysis(screen, mode):
    """The engine analyses what stands on the board, and follows a move by mouse."""
    with window(screen, mode, fen=ANALYSED) as shown:
        since = len(shown.log())
        shown.key("ctrl+a")
        shown.wait_log(r">first : analyze", since)
        shown.wait_log(r"<first : [4-9] -?\d+ \d+ \d+[^\n]*\t[a-h]\d", since)
        since = len(shown.log())
        shown.drag("d2", "d4")
        shown.wait_log(r"<first : [4-9] -?\d+ \d+ \d+[^\n]*\t[a-h][5-8]", since)
        shown.wait_board(judge(ANALYSED, ["d2d4"])["fen"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture of the window after an Escort")
    parser.add_argument("--only", metavar="TEST", help="one of person, engine, two_engines, analysis")
    parser.add_argument("--mode", choices=MODES, action="append")
    arguments = parser.parse_args()
    for program in ("Xvfb", "xdotool", "xclip"):
        if not shutil.which(program):
            sys.exit(f"no {program}: install Debian's xboard xvfb xdotool xclip")
    if not os.path.exists(XBOARD) or not os.path.exists(USURPER):
        sys.exit(f"no {XBOARD} or no {USURPER}")
    tests = [test_person, test_engine, test_two_engines, test_analysis]
    screen = Screen()
    try:
        for mode in arguments.mode or MODES:
            for test in tests:
                name = test.__name__.removeprefix("test_")
                if arguments.only not in (None, name):
                    continue
                begun = time.monotonic()
                if test is test_person and mode == "king" and arguments.screenshot:
                    test(screen, mode, os.path.abspath(arguments.screenshot))
                else:
                    test(screen, mode)
                print(f"ok: {name}, the King as {mode}, {time.monotonic() - begun:.1f} s", flush=True)
    finally:
        screen.close()


if __name__ == "__main__":
    main()
