#!/usr/bin/env python3
"""Opens a page made by `usurper review --html` in a headless Chromium and uses it like a reader.

    cargo build && tests/gui/review_page.py
    tests/gui/review_page.py --screenshot docs/review.png

Needs Chromium and nothing else: it is driven over its debugging pipe (--remote-debugging-pipe). The test
fails on any console message or exception, on any request beyond the file itself, and where a click, a key
or a checkbox does not do to the board what the game says. USURPER names the engine's binary, CHROMIUM the
browser's.
"""

import argparse
import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = os.path.join(ROOT, "tests", "gui", "games.pgn")
PATIENCE = 30


class Browser:
    """Chromium and one page in it."""

    def __init__(self, binary, folder):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def pipes():
            # First out of the way, then to where Chromium reads and writes.
            read, write = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.child = subprocess.Popen(
            [binary, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--window-size=1180,1000", f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            data = os.read(self.input, 1 << 16)
            if not data:
                sys.exit("Chromium has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        self.call("Page.navigate", url=f"file://{path}")
        end = time.time() + PATIENCE
        while self.evaluate("document.readyState + location.protocol") != "completefile:":
            if time.time() > end:
                sys.exit("the page does not load")
            time.sleep(0.05)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def click(self, selector):
        """A click with the mouse in the middle of the element, which must be the one that gets it."""
        x, y, hit = self.evaluate(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            const top = document.elementFromPoint(x, y);
            return [x, y, element === top || element.contains(top)];
        }})()""")
        check(hit, f"{selector} can be clicked on")
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def board(self):
        """What stands on the board that is seen: {square: piece}."""
        return self.evaluate("""Object.fromEntries(
            [...document.querySelectorAll("section:not([hidden]) .board .piece")]
                .map((piece) => [piece.dataset.square, piece.dataset.piece]))""")

    def complaints(self):
        """Everything that a console would show in red or at all, and requests beyond the file."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(json.dumps(parameters))
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append(f"request for {url}")
        return found

    def close(self):
        self.child.terminate()
        self.child.wait()


def check(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def placement(fen):
    """The pieces of a FEN as {square: piece}."""
    pieces = {}
    for row, rank in zip(fen.split()[0].split("/"), "87654321"):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces["abcdefgh"[file] + rank] = letter
                file += 1
    return pieces


def use(browser, data):
    """Clicks through both games."""
    check(len(data) == 2, "there are two games")
    first, second = (game["positions"] for game in data)
    last = len(first) - 1
    here = "section:not([hidden])"
    check(browser.board() == placement(first[0]["fen"]), "the board begins at the start")

    middle = last // 2
    browser.click(f'{here} .move[data-ply="{middle}"]')
    check(browser.board() == placement(first[middle]["fen"]), "a click on a move shows it")
    title = browser.evaluate(f"document.querySelector('{here} .note h2 span').textContent")
    check(title == first[middle]["title"], "the note is about the move")
    browser.key("ArrowRight")
    check(browser.board() == placement(first[middle + 1]["fen"]), "the right arrow goes on")
    browser.key("ArrowLeft")
    browser.key("ArrowLeft")
    check(browser.board() == placement(first[middle - 1]["fen"]), "the left arrow goes back")
    browser.key("End")
    check(browser.board() == placement(first[last]["fen"]), "End shows the last position")
    browser.click(f'{here} [data-go="next"]')
    check(browser.board() == placement(first[last]["fen"]), "there is nothing after it")
    browser.click(f'{here} [data-go="first"]')
    check(browser.board() == placement(first[0]["fen"]), "the button shows the start")

    arrows = f"document.querySelectorAll('{here} .board .arrow').length"
    check(browser.evaluate(arrows) == len(first[0]["best"]) > 0, "the best move is drawn")
    browser.click(f"{here} .show-best")
    check(browser.evaluate(arrows) == 0, "and is not where it is not wanted")
    browser.click(f"{here} .show-best")

    corner = f"document.querySelector('{here} .board [data-square=e1]').getAttribute('y')"
    before = float(browser.evaluate(corner))
    browser.click(f'{here} [data-go="flip"]')
    check(float(browser.evaluate(corner)) < before, "the board turns")
    browser.click(f'{here} [data-go="flip"]')

    browser.click(f'{here} .graph .ply[data-ply="{middle}"]')
    check(browser.board() == placement(first[middle]["fen"]), "a click on the graph shows its move")
    card = browser.evaluate(f"Number(document.querySelector('{here} .card').dataset.ply)")
    browser.click(f'{here} .card[data-ply="{card}"]')
    check(browser.board() == placement(first[card]["fen"]), "a turning point leads to its move")
    check(first[card]["mark"] in ("mistake", "blunder"), "which was a bad one")

    browser.click('.tab[data-game="1"]')
    check(browser.board() == placement(second[0]["fen"]), "the other game")
    browser.click('.tab[data-game="0"]')
    check(browser.board() == placement(first[card]["fen"]), "and back where we were")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture of the page")
    parser.add_argument("--page", metavar="FILE", help="keep the page")
    parser.add_argument("--nodes", default="20000", help="searched at each move")
    arguments = parser.parse_args()
    engine = os.environ.get("USURPER", os.path.join(ROOT, "target", "debug", "usurper"))
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("no chromium: apt-get install chromium, or name one by CHROMIUM")
    signal.alarm(4 * PATIENCE)  # a browser that hangs must not hang its caller
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = os.path.join(folder, "review.html")
        subprocess.run([engine, "review", GAMES, "--nodes", arguments.nodes, "--html", page],
                       check=True, stdout=subprocess.DEVNULL)
        if arguments.page:
            shutil.copy(page, arguments.page)
        browser = Browser(chromium, os.path.join(folder, "profile"))
        try:
            browser.open(page)
            data = json.loads(browser.evaluate("document.getElementById('games').textContent"))
            use(browser, data)
            if arguments.screenshot:
                browser.click("section:not([hidden]) .card:last-child")
                browser.evaluate("window.scrollTo(0, 0)")
                height = browser.evaluate("Math.ceil(document.documentElement.scrollHeight)")
                browser.call("Emulation.setDeviceMetricsOverride", width=1180, height=height,
                             deviceScaleFactor=1, mobile=False)
                time.sleep(0.4)
                shot = browser.call("Page.captureScreenshot", format="png")
                with open(arguments.screenshot, "wb") as file:
                    file.write(base64.b64decode(shot["data"]))
            complaints = browser.complaints()
            check(not complaints, "the console stays empty: " + "; ".join(complaints))
        finally:
            browser.close()
    print("the page works in Chromium")


if __name__ == "__main__":
    main()
