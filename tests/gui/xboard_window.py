#!/usr/bin/env python3
"""Plays in the window of XBoard 4.9 with the mouse, on a virtual display, and looks at XBoard's own board.

    cargo build && tests/gui/xboard_window.py
    tests/gui/xboard_window.py --screenshot docs/xboard.png

Needs Debian's xboard, xvfb, xdotool and xclip. scripts/xboard.sh starts XBoard, in both ways to show the
King: as the Man, with XBoard's own test of legality, and moves by two clicks; as the King, without that test,
and moves by dragging. In each the person and the engine play Escorts and Decoys, moves are taken back, a
position is analysed, and two engines play one another. After every move the position that XBoard copies to
the clipboard must be the one that `usurper judge` knows; the squares that it marks must be the piece's legal
targets; results must be the judge's. USURPER names the engine's binary.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENGINE = os.path.abspath(
    os.environ.get("USURPER", os.path.join(ROOT, "target", "debug", "usurper")))
SCRIPT = os.path.join(ROOT, "scripts", "xboard.sh")
PATIENCE = 60
SCREEN = (800, 760)  # pixels
SQUARE = 64  # pixels; XBoard draws a line of one pixel between squares

TODAY, EARLIER = "captureorconquer", "captureorconquer-classic"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

# The moves of the person and of the engine in turn, as (position, moves). The engine has no choice: every
# other answer loses the King at once, or there is but one that wins.
SPECIAL_MOVES = ("8/7R/1p6/N7/2p1QPkq/6Bp/P4pK1/5b2 w - - 0 1",
                 "g2e4 g4h3 e4f4 h3f1")  # Escort, Decoy; Decoy, Escort home: Black wins
ALONG_RANKS = ("1q3kN1/8/p1P3Q1/4K2R/1P1PP3/4pB2/5P2/8 w - - 0 1", "e5g5 f8d8")  # two Escorts
# The person's Escort home.
HOME = ("1R6/8/1K6/8/8/7k/8/8 w - - 0 1", "b6b8")
ENGINE_BEGINS = ("3r3R/8/8/8/8/1k6/8/3r3K w - - 0 1", "h1h3")  # an Escort
# First moves to which there are many answers.
DECOY_OR_ESCORT = ("8/4k3/8/4P3/4K3/8/p7/4R3 w - - 0 1", "e4e5 e4e2")
PROMOTION = ("8/3P4/7k/8/8/8/8/K7 w - - 0 1", "d7d8q")
# Castling of the earlier edition, through an attacked square.
CASTLING = ("4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1", "e1g1 e1c1")
# A bare King goes home.
BARE_KING = ("7k/K7/8/8/8/8/8/1r6 w - - 0 1", "a7a8")
# After this Escort the King may go back by another, of the Queen, and by a Decoy.
PICTURE = ("r3r1k1/ppq2ppp/2p5/3p2P1/3PPK1R/2P2P2/PP6/R1B1QB2 w - - 0 1", "f4h4")

# A tip of XBoard's own, which would cover the board.
TIP = "Right-clicking menu item or dialog text pops up help on it"

# How scripts/xboard.sh is told to show the King.
MODES = {"man": [], "king": ["--king"]}


class Failure(Exception):
    """Something is not as it must be."""


def check(holds, what):
    if not holds:
        raise Failure(what)


def wait_for(what, look):
    """Looks until there is something to see, and returns it."""
    end = time.monotonic() + PATIENCE
    while True:
        seen = look()
        if seen:
            return seen
        check(time.monotonic() < end, f"{what}: not within {PATIENCE} s")
        time.sleep(0.05)


def judge(fen, moves, variant=TODAY):
    """What the rules say of a game: its FEN, its winner, the legal moves."""
    run = subprocess.run([ENGINE, "judge", "--json", "--variant", variant, "--fen", fen,
                          "--moves", *moves],
                         capture_output=True, text=True, check=False)
    check(run.returncode == 0, f"{fen}, {' '.join(moves)}: {run.stderr}")
    return json.loads(run.stdout)


def placement(fen):
    """The pieces, and who is to move: all that two programs must agree on."""
    return " ".join(fen.split()[:2])


def mirrored(fen, moves):
    """The same game with the colours exchanged."""
    board, side, *rest = fen.split()
    board = "/".join(reversed(board.split("/"))).swapcase()
    flip = str.maketrans("12345678", "87654321")
    return " ".join([board, "wb"[side == "w"], *rest]), moves.translate(flip)


@contextlib.contextmanager
def running(command, **options):
    """A child process in a group of its own, which ends with the block."""
    child = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield child
    finally:
        for ending in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, ending)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(5)
                break


class Screen:
    """The pixels of the virtual display, which Xvfb keeps in a file of the XWD format."""

    def __init__(self, path):
        self.path = path

    def pixels(self):
        """A function from x and y to (red, green, blue)."""
        with open(self.path, "rb") as file:
            data = file.read()
        words = struct.unpack(">25I", data[:100])
        start, order, bits, stride = words[0] + 12 * words[19], words[7], words[11], words[12]
        check(bits == 32, f"{bits} bits a pixel")

        def pixel(x, y):
            at = start + y * stride + 4 * x
            four = data[at:at + 4]
            return tuple(four[1:] if order else four[2::-1])

        return pixel

    def save(self, path, left, top, width, height):
        """Writes a part of the display as a PNG."""
        pixel = self.pixels()
        rows = b"".join(b"\0" + bytes(value for x in range(left, left + width)
                                        for value in pixel(x, y))
                        for y in range(top, top + height))

        def chunk(kind, body):
            checksum = zlib.crc32(kind + body)
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)

        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
            file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
            file.write(chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


class Desktop:
    """A display and a home of their own, so that nobody's settings or windows are touched."""

    def __init__(self, folder, stack):
        self.folder = folder
        read, write = os.pipe()
        stack.enter_context(running(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24",
             "-fbdir", folder, "-nolisten", "tcp", "-noreset"], pass_fds=[write], stderr=subprocess.DEVNULL))
        os.close(write)
        with os.fdopen(read) as number:
            display = number.readline().strip()
        check(display, "Xvfb does not start")
        self.environment = dict(os.environ, DISPLAY=f":{display}", HOME=folder, LC_ALL="C.UTF-8",
                                USURPER=ENGINE)
        self.screen = Screen(os.path.join(folder, "Xvfb_screen0"))

    def tool(self, *command, text=""):
        """Runs a program on this display; what it says."""
        run = subprocess.run(command, env=self.environment, input=text, text=True, timeout=PATIENCE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        return run.stdout

    def copy(self, text):
        """Fills the clipboard. The xclip that holds it leaves when another program takes it over."""
        command = ["xclip", "-selection", "clipboard", "-i"]
        wait_for("the clipboard", lambda: subprocess.run(
            command, env=self.environment, input=text, text=True, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0)
        # It takes hold of it only after it has left for the background.
        wait_for("what was copied", lambda: self.clipboard() == text)

    def clipboard(self):
        return self.tool("xclip", "-selection", "clipboard", "-o")


class XBoard:
    """XBoard's window, with the engine behind it."""

    def __init__(self, desktop, stack, mode, variant, fen, *options):
        self.desktop = desktop
        self.variant = variant
        self.folder = tempfile.mkdtemp(dir=desktop.folder)
        self.log_path = os.path.join(self.folder, "debug")
        position = os.path.join(self.folder, "start.fen")
        with open(position, "w", encoding="ascii") as file:
            file.write(f"{START}\n{fen}\n")
        self.start = fen
        self.moves = []
        self.clicked = False  # whether the person has moved
        self.playing = False  # whether the engine plays a side
        self.taken_back = 0  # plies
        self.drags = mode == "king"  # or two clicks a move
        self.child = stack.enter_context(running(
            [SCRIPT, "--variant", variant, *MODES[mode], "--", "-scp", ENGINE,
             "-loadPositionFile", position, "-debug", "-nameOfDebugFile", self.log_path,
             "-size", str(SQUARE), "-searchDepth", "4",
             "-soundProgram", "", "-autoFlipView", "false", "-animateMoving", "false",
             "-popupExitMessage", "false", "-messageSuppress", TIP, *options],
            env=desktop.environment, cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def log(self):
        try:
            with open(self.log_path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def said(self, who="first"):
        """The lines of an engine so far."""
        return re.findall(rf"^\d+ <{who} *: (.*)$", self.log(), re.MULTILINE)

    def wait_for_line(self, pattern, since=0):
        """The first line of the engine that matches, leaving out those before."""
        return wait_for(f"a line {pattern}", lambda: next(
            filter(None, (re.fullmatch(pattern, line) for line in self.said()[since:])), None))

    def open(self):
        """Waits for the window and for the position to be on its board."""
        def window():
            # By its class: its name is the engine's or the position's, whichever came last.
            found = self.desktop.tool("xdotool", "search", "--onlyvisible", "--class", "xboard")
            return found.split()

        self.window = wait_for("XBoard's window", window)[0]
        self.wait_for_line("setup .*")
        # The first position of the file was loaded before the engine had told of its board; the second
        # is to be played from.
        self.key("shift+Next")
        self.expect([])
        return self

    def size(self):
        """Left, top, width and height of the window."""
        shape = self.desktop.tool("xdotool", "getwindowgeometry", "--shell", self.window)
        numbers = dict(re.findall(r"^(\w+)=(-?\d+)$", shape, re.M))
        return [int(numbers[name]) for name in ["X", "Y", "WIDTH", "HEIGHT"]]

    def middles(self):
        """A function from a square to its middle. The board fills the lower part of the window."""
        left, top, width, height = self.size()
        side = SQUARE + 1
        left += (width - 8 * side) // 2 + side // 2
        bottom = top + height - 2 - side // 2
        return lambda square: (left + "abcdefgh".index(square[0]) * side,
                               bottom - "12345678".index(square[1]) * side)

    def key(self, name):
        self.desktop.tool("xdotool", "windowfocus", self.window, "key", name)

    def mouse(self, square, *action):
        x, y = self.middles()(square)
        self.desktop.tool("xdotool", "mousemove", str(x), str(y), *action)

    def board(self):
        """The position that XBoard holds."""
        self.desktop.copy("nothing")
        self.key("ctrl+shift+c")
        return wait_for("a copied position", lambda: next(
            (text for text in [self.desktop.clipboard()] if "/" in text), None))

    def expect(self, moves):
        """Waits until XBoard's board is that of the game."""
        self.moves = list(moves)
        wanted = judge(self.start, self.moves, self.variant)["fen"]
        seen = set()

        def look():
            shown = placement(self.board())
            seen.add(shown)
            return shown == placement(wanted)

        try:
            wait_for("the position", look)
        except Failure:
            raise Failure(f"after {' '.join(self.moves) or 'the start'} XBoard shows "
                          f"{', '.join(seen)} instead of {wanted}") from None

    def marked(self, squares):
        """Whether XBoard has marked these squares and no others."""
        pixel, middle = self.desktop.screen.pixels(), self.middles()
        every = (file + rank for file in "abcdefgh" for rank in "12345678")
        return {square for square in every if pixel(*middle(square)) == (255, 255, 0)} == squares

    def lift(self, square):
        """Picks a piece up by a click or, to drag it, by pressing; its legal targets are marked."""
        legal = [move for move, _ in judge(self.start, self.moves, self.variant)["moves"]]
        targets = {move[2:4] for move in legal if move[:2] == square}
        since = len(self.said())
        self.mouse(square, "mousedown" if self.drags else "click", "1")
        line = self.wait_for_line("highlight (.*)", since)
        check(targets_of(line[1]) == targets, f"{line[1]} marks {targets}")
        wait_for(f"marks on {targets}", lambda: self.marked(targets))
        return targets

    def move(self, text):
        """The person's move."""
        check(text[2:4] in self.lift(text[:2]), f"{text} is legal")
        self.mouse(text[2:4], "mouseup" if self.drags else "click", "1")
        self.clicked = True

    def engine_plays(self):
        """Has the engine play the side to move, where XBoard does not yet think that it does.

        A position that was loaded is one to edit, until an engine is told to play.
        """
        if self.playing:
            return
        self.playing = True
        if self.clicked:
            wait_for("the move", lambda: re.search(r">first : [a-h][1-8][a-h][1-8]q?$", self.log(), re.M))
        white = (" w " in self.start) != self.clicked
        self.key("ctrl+w" if white else "ctrl+b")

    def take_back(self):
        """Takes back all moves, two plies at a time as XBoard counts them, corrections included."""
        log = self.log()
        plies = len(re.findall(r"^\d+ >first *: usermove", log, re.M)) - self.taken_back
        plies += sum(line.startswith("move ") for line in self.said())
        for _ in range(plies // 2):
            self.key("ctrl+x")
        self.taken_back += plies
        self.expect([])

    def wait_for_thinking(self, moves, since):
        """Waits for a line of thinking whose variation is legal after these moves."""
        legal = [move for move, _ in judge(self.start, moves)["moves"]]

        def look():
            lines = (line.split("\t") for line in self.said()[since:] if "\t" in line)
            return any(line[1].split()[0] in legal for line in lines)

        wait_for(f"a line of thinking after {moves}", look)

    def played(self):
        """The moves of the engines so far, without what puts XBoard's board right."""
        lines = re.findall(r"^\d+ <(?:first|second) *: move (\S+)", self.log(), re.M)
        found = []
        for move in lines:
            if found and found[-1] == "@@@@":
                found.pop()
            else:
                found.append(move)
        return [move for move in found if move != "@@@@"]

    def complaints(self):
        """What must not be in the log."""
        return [line for who in ("first", "second") for line in self.said(who)
                if line.startswith(("Illegal", "Error", "tellusererror"))]


def targets_of(rows):
    """The squares that a `highlight` line marks."""
    found = set()
    for row, rank in zip(rows.split("/"), "87654321"):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found.add("abcdefgh"[file] + rank)
                file += 1
    return found


class Suite:
    """The trials, each with a window of its own."""

    def __init__(self, desktop, mode):
        self.desktop = desktop
        self.mode = mode

    @contextlib.contextmanager
    def window(self, fen, *options, variant=TODAY):
        with contextlib.ExitStack() as stack:
            board = XBoard(self.desktop, stack, self.mode, variant, fen, *options)
            try:
                yield board
                check(not board.complaints(), f"the engine says {board.complaints()}")
            except Failure:
                self.desktop.screen.save(os.path.join(board.folder, "failure.png"), 0, 0, *SCREEN)
                raise

    def game(self, start, result=None):
        """A game whose moves are all known: the person's by mouse, the engine's because it must."""
        fen, moves = start
        with self.window(fen) as board:
            board.open()
            self.play(board, moves.split())
            if result:
                board.wait_for_line(re.escape(result))

    def play(self, board, moves):
        for done in range(0, len(moves), 2):
            board.move(moves[done])
            board.engine_plays()
            board.expect(moves[:done + 2])

    def picture(self, path):
        """The window after an Escort, its King picked up again."""
        fen, move = PICTURE
        with self.window(fen) as board:
            board.open()
            board.move(move)
            board.engine_plays()
            wait_for("the engine's answer", board.played)
            board.expect([move, board.played()[-1]])
            board.lift(move[2:4])
            self.desktop.screen.save(path, *board.size())

    def take_back(self):
        """Escorts of both sides, and an Escort and a Decoy, taken back and made again."""
        for fen, moves in [ALONG_RANKS, SPECIAL_MOVES]:
            moves = moves.split()[:2]
            with self.window(fen) as board:
                board.open()
                self.play(board, moves)
                board.take_back()
                board.move(moves[0])
                board.expect(moves)

    def free(self, start, variant=TODAY):
        """First moves by mouse, each answered by whatever the engine likes, and taken back."""
        fen, moves = start
        with self.window(fen, variant=variant) as board:
            board.open()
            for move in moves.split():
                before = len(board.played())
                board.move(move)
                board.engine_plays()
                wait_for("the engine's answer", lambda: len(board.played()) > before)
                board.expect([move, board.played()[-1]])
                board.take_back()

    def engine_begins(self):
        fen, moves = ENGINE_BEGINS
        with self.window(fen) as board:
            board.open()
            board.engine_plays()
            board.expect(moves.split())

    def analysis(self):
        """Lines of thinking about each position that the mouse leads to."""
        fen, moves = ALONG_RANKS
        first = moves.split()[0]
        with self.window(fen) as board:
            board.open()
            board.key("ctrl+a")
            board.wait_for_thinking([], 0)
            since = len(board.said())
            board.move(first)
            board.wait_for_thinking([first], since)
            since = len(board.said())
            board.key("alt+Left")
            board.wait_for_thinking([], since)
            since = len(board.said())
            board.key("ctrl+e")
            wait_for("the end of the analysis", lambda: "first : exit" in board.log())

    def two_engines(self):
        """A game between two engines, of which one must begin so; XBoard keeps its record."""
        for fen, moves in [ENGINE_BEGINS, after_first(*ALONG_RANKS), BARE_KING]:
            folder = tempfile.mkdtemp(dir=self.desktop.folder)
            record, last = (os.path.join(folder, name) for name in ["game.pgn", "last.fen"])
            with self.window(fen, "-saveGameFile", record, "-savePositionFile", last) as board:
                board.open()
                board.key("ctrl+t")
                wait_for("the record of the game",
                         lambda: all(os.path.exists(name) and os.path.getsize(name)
                                     for name in [record, last]))
                played = board.played()
                check(played[0] == moves.split()[0], f"the game begins with {played[0]}")
                judged = judge(fen, played)
                with open(record, encoding="utf-8") as file:
                    result = re.search(r'\[Result "(.*)"\]', file.read())[1]
                winner = {"1-0": "white", "0-1": "black"}.get(result)
                check(winner and winner == judged["winner"], f"{result}, judged {judged}")
                with open(last, encoding="utf-8") as file:
                    shown = file.read()
                check(placement(judged["fen"]) in shown, f"{shown} instead of {judged['fen']}")


def after_first(fen, moves):
    """The game from its second move on."""
    first, *rest = moves.split()
    return judge(fen, [first])["fen"], " ".join(rest)


TRIALS = [
    ("Escort and Decoy of both sides, the engine wins",
     lambda suite: suite.game(SPECIAL_MOVES, "0-1 {Black wins by conquest}")),
    ("the same with colours exchanged",
     lambda suite: suite.game(mirrored(*SPECIAL_MOVES), "1-0 {White wins by conquest}")),
    ("Escorts along ranks", lambda suite: suite.game(ALONG_RANKS)),
    ("the person's Escort wins", lambda suite: suite.game(HOME, "1-0 {White wins by conquest}")),
    ("the engine begins", Suite.engine_begins),
    ("moves taken back", Suite.take_back),
    ("a Decoy, then an Escort instead", lambda suite: suite.free(DECOY_OR_ESCORT)),
    ("a pawn becomes a Queen", lambda suite: suite.free(PROMOTION)),
    ("castling in the earlier edition", lambda suite: suite.free(CASTLING, EARLIER)),
    ("analysis", Suite.analysis),
    ("two engines", Suite.two_engines),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture of the window, and no more")
    parser.add_argument("--keep", metavar="FOLDER", help="leave XBoard's logs there")
    arguments = parser.parse_args()
    # What Debian calls games is not in everybody's path.
    os.environ["PATH"] += os.pathsep + "/usr/games"
    for program in ["xboard", "Xvfb", "xdotool", "xclip"]:
        if not shutil.which(program):
            sys.exit(f"no {program}: apt-get install xboard xvfb xdotool xclip")
    # Asked to end, it ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    with contextlib.ExitStack() as stack:
        if arguments.keep:
            folder = os.path.abspath(arguments.keep)
            os.makedirs(folder, exist_ok=True)
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        desktop = Desktop(folder, stack)
        if arguments.screenshot:
            Suite(desktop, "man").picture(arguments.screenshot)
            return
        for mode in MODES:
            for name, trial in TRIALS:
                began = time.monotonic()
                try:
                    trial(Suite(desktop, mode))
                except Failure as failure:
                    sys.exit(f"FAILED: {mode}, {name}: {failure}")
                print(f"{mode}: {name}, {time.monotonic() - began:.1f} s", flush=True)
    print("the game can be played in XBoard")


if __name__ == "__main__":
    main()
