#!/usr/bin/env python3
"""Opens pages that `lmrlab report` wrote in headless Chromium and checks them.

    python3 scripts/check_pages.py PAGE.html [PAGE.html ..] [--out FOLDER]

For each page: no error on the console; no request leaves the page; every picture has a box; a click sorts a table; a game is
replayed by keys, by a click and to its end, where the position is that of its PGN (with python-chess); no table is cut at 1200
pixels, and at 400 a chart or a table that goes on shows it. FOLDER gets screenshots: light, dark, 400 pixels wide. Needs Chromium
(`apt-get install chromium`). Exit status: 1 when a check fails, 3 when there is no browser that runs.
"""

import argparse
import base64
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import chess.pgn
except ImportError:
    chess = None

# For each picture without a box: what it shows.
PICTURES = """[...document.querySelectorAll("figure svg")].filter((picture) => {
  const box = picture.getBoundingClientRect();
  return box.width < 100 || box.height < 30 || picture.childElementCount === 0;
}).map((picture) => picture.getAttribute("aria-label"))"""

# For each column that a click does not sort: its heading.
SORTING = """[...document.querySelectorAll("table")].filter((table) => table.tBodies[0].rows.length > 1).flatMap((table) =>
  [...table.querySelectorAll("thead th")].filter((heading, index) => {
    const numbers = heading.classList.contains("number");
    const ordered = () => {
      const cells = [...table.tBodies[0].rows].map((row) => row.children[index].textContent.trim()).filter((text) => text);
      const value = (text) => numbers ? parseFloat(text.replace(/,/g, "").replace("−", "-")) : text;
      const order = (a, b) => numbers ? a - b : a.localeCompare(b, "en", { numeric: true });
      const up = heading.getAttribute("aria-sort") === "ascending";
      return cells.map(value).every((cell, at, all) => at === 0 || (up ? 1 : -1) * order(all[at - 1], cell) <= 0);
    };
    heading.click();
    const up = ordered();
    heading.click();
    return !up || !ordered();
  }).map((heading) => heading.textContent))"""

# The width at which a table has to fit.
DESK = 1200
# For each table that is cut: its section, and its columns.
CUT = """[...document.querySelectorAll(".scroll")].filter((box) => box.querySelector("table") && box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.closest("section")?.id}: ${box.scrollWidth} of ${box.clientWidth} pixels, `
    + [...box.querySelectorAll("th")].map((heading) => heading.textContent).join("|"))"""

# For each chart or table that is wider than its box without a sign: what it shows.
UNSIGNED = """[...document.querySelectorAll("figure svg, table")].filter((wide) => {
  const box = wide.closest(".scroll");
  const goes_on = wide.getBoundingClientRect().width > (box ?? document.documentElement).clientWidth + 1;
  return goes_on && !(box && getComputedStyle(box).backgroundImage.includes("gradient"));
}).map((wide) => wide.getAttribute("aria-label") ?? wide.textContent.trim().slice(0, 40))"""

# A dozen games from the first to the last one, each at its end: position and PGN.
REPLAY = """[...document.querySelectorAll(".replay")].flatMap((viewer) => {
  const [choice, last] = [viewer.querySelector("select.game"), viewer.querySelector(".last")];
  const all = choice.options.length;
  return [...new Set([...Array(12).keys()].map((at) => Math.round((at * (all - 1)) / 11)))].map((index) => {
    choice.selectedIndex = index;
    choice.dispatchEvent(new Event("change"));
    last.click();
    return { position: viewer.dataset.position, pgn: viewer.querySelector(".pgn").textContent, game: choice.value };
  });
})"""


def no_browser(why):
    print(why, file=sys.stderr)
    sys.exit(3)


class Browser:
    """Chromium, spoken to over two pipes."""

    def __init__(self, program, profile):
        to_it, self.out = os.pipe()
        self.incoming, from_it = os.pipe()
        flags = "--headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe --no-first-run"
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" {flags} "--user-data-dir=$1" 3<&{to_it} 4>&{from_it}', program, profile],
            pass_fds=(to_it, from_it), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )
        for end in (to_it, from_it):
            os.close(end)
        self.number, self.events, self.buffer, self.session = 0, [], b"", None

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.incoming, 1 << 20)
            if not piece:
                no_browser("Chromium ended too early")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        try:
            os.write(self.out, json.dumps(message).encode() + b"\0")
        except BrokenPipeError:
            no_browser("Chromium has ended")
        while True:
            answer = self.read()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                sys.exit(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def run(self, script):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value") if "exceptionDetails" not in answer else sys.exit(f"a check failed to run: {answer}")

    def open(self, address):
        self.session, self.events = None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.ask(f"{domain}.enable")
        self.load("Page.navigate", url=address)

    def load(self, method, **parameters):
        before = len(self.events)
        self.ask(method, **parameters)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events[before:]):
            self.events.append(self.read())

    def look(self, width, scheme, file):
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        wide = self.run("document.documentElement.scrollWidth")
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]))
        return [f"at {width} pixels the page is {wide} wide"] if wide > width else []


def complaints(events, address):
    """What the console and the network say and should not."""
    for event in events:
        what, of = event["method"], event.get("params", {})
        if what == "Runtime.exceptionThrown":
            details = of["exceptionDetails"]
            yield f"an error: {details.get('exception', {}).get('description', details['text'])}"
        elif what == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning"):
            yield f"on the console: {of['args']}"
        elif what == "Log.entryAdded" and of["entry"]["level"] in ("error", "warning"):
            yield f"on the console: {of['entry']['text']}"
        elif what == "Network.requestWillBeSent":
            url = of["request"]["url"].split("#")[0]
            if url != address and not url.startswith(("data:", "blob:", "about:")):
                yield f"a request: {url}"


def replays(browser):
    """What is wrong with games on boards."""
    games = browser.run(REPLAY)
    for game in games if chess else []:
        board = chess.pgn.read_game(io.StringIO(game["pgn"])).end().board()
        if board.board_fen() != game["position"]:
            yield f"game {game['game']} ends with {game['position']}, and its PGN with {board.board_fen()}"
    if not games:
        return
    ply = 'Number(document.querySelector(".replay").dataset.ply)'
    browser.run('document.querySelector(".replay .first").click(); document.activeElement.blur()')
    for key, expected in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)]:
        browser.ask("Input.dispatchKeyEvent", type="keyDown", key=key)
        if browser.run(ply) != expected:
            yield f"{key} leads to move {browser.run(ply)}, not to {expected}"
    browser.run("""document.querySelector('.replay .moves [data-ply="2"]').click()""")
    if browser.run(ply) != 2:
        yield "a click on the second move does not lead to it"
    link = browser.run("""document.querySelector('a[href^="#game="]')?.click() ?? location.hash""")
    browser.ask("Page.getLayoutMetrics")
    if link and browser.run(ply) != int(link.rsplit("=", 1)[1]):
        yield f"{link} leads to move {browser.run(ply)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="folder for the screenshots")
    arguments = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        no_browser("Chromium is not installed")
    out, wrong = arguments.out or pathlib.Path(tempfile.mkdtemp(prefix="pages-")), 0
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for number, page in enumerate(arguments.pages, 1):
            address = page.resolve().as_uri()
            browser.open(address)
            found = [f"a picture without a box: {name}" for name in browser.run(PICTURES)]
            found += [f"a click does not sort `{heading}`" for heading in browser.run(SORTING)] + list(replays(browser))
            browser.load("Page.reload")
            name = f"{number}-{page.resolve().parent.name}-{page.stem}"
            for kind, width, scheme in [("light", DESK, "light"), ("dark", 1000, "dark"), ("narrow", 400, "light")]:
                found += browser.look(width, scheme, out / f"{name}-{kind}.png")
                if width < DESK:
                    found += [f"at {width} pixels nothing shows that it goes on: {name}" for name in browser.run(UNSIGNED)]
                if width == DESK:
                    found += [f"a table is cut: {table}" for table in browser.run(CUT)]
            found += complaints(browser.events, address)
            print(f"{page}: {'; '.join(found) or 'as it should be'}")
            wrong += bool(found)
        browser.process.terminate()
    print(f"Screenshots are in {out}" + ("" if chess else "; the games were not compared: python-chess is not installed"))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
