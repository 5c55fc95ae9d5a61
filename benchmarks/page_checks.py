"""Every page of every kind in Chromium: nothing runs, nobody is barred, nothing sticks out.

    python -m benchmarks.page_checks CORPUS… [--run DIR] [--screens DIR]

Report, card (rendered as GitHub's Markdown), pages of the explorer, difference of two corpora, a
review, and the reports of runs of `graphmill evaluate` (`--run`) are opened at 400 and 1,400
pixels, light and dark. Of each: what axe-core says against it, whether it can be scrolled sideways,
what the console says, what was asked of other places, and whether a text of the corpus was run
(`window.hit`). Prints one JSON object; status 1 where anything is wrong. `--screens`
keeps pictures.

Needs a Chromium on PATH and axe-core in node_modules (`npm ci --ignore-scripts`).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from playwright.sync_api import Page, sync_playwright

SHAPES: list[tuple[int, Literal["light", "dark"]]] = [
    (400, "light"),
    (400, "dark"),
    (1400, "light"),
    (1400, "dark"),
]
AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
_TABLE = (
    "<style>body{font:15px sans-serif} .scroll{overflow-x:auto} pre{white-space:pre-wrap} "
    "img{max-width:100%}</style>"
)
_ITEMS = 6  # records and rejects of each corpus that are opened
# Elements that stick out of what holds them, where that does not scroll and hides nothing.
_STICKS_OUT = """() => [...document.querySelectorAll('main *')].filter(each => {
  const box = each.getBoundingClientRect(), hold = each.parentElement.getBoundingClientRect();
  if (!box.width || each.closest('svg, .scroll, .wide, .skip, nav')) return false;
  return box.right > Math.max(hold.right, 0) + 2 && box.right > innerWidth;
}).slice(0, 3).map(each => each.tagName + '.' + each.className)"""


def main() -> int:
    """Open the pages and print what is wrong with them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    options.add_argument("--run", type=Path, action="append", default=[], metavar="DIR")
    options.add_argument("--screens", type=Path)
    chosen = options.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        driver = stack.enter_context(sync_playwright())
        path = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        explorer = stack.enter_context(
            _served(["serve", *map(str, chosen.corpora), "--index", str(folder / "index")])
        )
        pages = {
            f"review {corpus.name}": stack.enter_context(
                _served(["review", str(corpus), "--ratings", str(folder / f"{corpus.name}.sqlite")])
            )
            for corpus in chosen.corpora
        }
        pages |= files(chosen.corpora, chosen.run, folder)
        wrong: Counter[str] = Counter()
        opened = 0
        for width, scheme in SHAPES:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme
            )
            page = context.new_page()
            faults: list[str] = []
            _listen(page, faults)
            page.goto(explorer)
            page.wait_for_url(lambda url: "token" not in url)
            for name, address in (pages | explored(page, len(chosen.corpora))).items():
                page.goto(address)
                page.wait_for_url(lambda url: "token" not in url)
                page.wait_for_load_state()
                faults += _faults(page, width)
                if chosen.screens:
                    chosen.screens.mkdir(parents=True, exist_ok=True)
                    file = re.sub(r"\W+", "-", f"{name} {width} {scheme}")[:150]
                    page.screenshot(path=chosen.screens / f"{file}.png", full_page=True)
                page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
                faults += _faults(page, width)
                faults += _barred(page)
                for fault in dict.fromkeys(faults):
                    if "404" in fault and name.endswith("/nowhere"):
                        continue
                    wrong[f"{name}: {fault}"] += 1
                faults.clear()
                opened += 1
            context.close()
        sys.stdout.write(json.dumps({"pages": opened, "wrong": wrong}, indent=1) + "\n")
    return 1 if wrong else 0


def files(corpora: list[Path], runs: list[Path], folder: Path) -> dict[str, str]:
    """Pages that are files: reports, cards, differences of a corpus and the next, runs."""
    pages = {f"report {corpus.name}": corpus / "report.html" for corpus in corpora}
    pages |= {f"run {run.name}": run / "report.html" for run in runs}
    markdown = MarkdownIt("gfm-like", {"linkify": False})
    cards = {f"card {corpus.name}": corpus / "README.md" for corpus in corpora}
    cards |= {f"tables {run.name}": run / "tables.md" for run in runs}
    for number, (name, source) in enumerate(cards.items()):
        text = source.read_text(encoding="utf-8")
        body = markdown.render(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL))
        body = body.replace('src="', f'src="{source.parent.resolve().as_uri()}/')
        body = body.replace("<table>", "<div class=scroll tabindex=0><table>").replace(
            "</table>", "</table></div>"
        )
        pages[name] = folder / f"card-{number}.html"
        pages[name].write_text(
            f"<!doctype html><html lang=en><head><meta charset=utf-8><title>card</title>{_TABLE}"
            f"</head><body><main>{body}</main></body></html>",
            encoding="utf-8",
        )
    for one, two in zip(corpora, [*corpora[1:], corpora[0]], strict=True):
        out = folder / f"{one.name}-{two.name}.html"
        command = [
            sys.executable,
            "-m",
            "graphmill",
            "diff",
            str(one),
            str(two),
            "--html",
            str(out),
        ]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # 1 where they differ
        pages[f"diff {one.name} {two.name}"] = out
    return {name: path.resolve().as_uri() for name, path in pages.items()}


def explored(page: Page, corpora: int) -> dict[str, str]:
    """A page of each kind of the explorer, and records and rejects of each corpus."""
    base = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    paths = ["/", "/nowhere"]
    paths += [f"/compare?a={n}&b={n + 1}" for n in range(corpora - 1)]
    for number in range(corpora):
        shelf = f"/c/{number}/"
        paths += [shelf, f"{shelf}?q=%3Cscript%3E%22", f"{shelf}?kind=reject", f"{shelf}query"]
        for kind in ("record", "reject"):
            page.goto(f"{base}{shelf}?kind={kind}")
            found = re.findall(rf'href="({shelf}(?:item|schema)/[^"?]+)', page.content())
            paths += dict.fromkeys(found[:_ITEMS])
            if kind == "record" and found:
                page.goto(base + found[0])
                schemas = re.findall(rf'href="({shelf}schema/[^"?]+)', page.content())
                paths += dict.fromkeys(schemas)
    return {f"explorer {path}": base + path for path in dict.fromkeys(paths)}


def _listen(page: Page, faults: list[str]) -> None:
    """Have what a page complains of, asks elsewhere and opens among `faults`."""
    page.on("console", lambda message: faults.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: faults.extend(_outside(request.url)))


def _faults(page: Page, width: int) -> Iterator[str]:
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"{wide} pixels wide of {width}"
    for each in page.evaluate(_STICKS_OUT):
        yield f"sticks out at {width}: {each}"
    if page.evaluate("window.hit") is not None:
        yield "a text was run"


def _barred(page: Page) -> Iterator[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for each in page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]:
        yield f"axe {each['impact']} {each['id']}: {each['nodes'][0]['target']}"


def _outside(url: str) -> Iterator[str]:
    if not url.startswith(("file:", "data:", "http://127.0.0.1:")):
        yield f"asks {url}"


@contextmanager
def _served(command: list[str]) -> Iterator[str]:
    """A server of ours on loopback, and its first address."""
    whole = [sys.executable, "-m", "graphmill", *command, "--port", "0"]
    with subprocess.Popen(whole, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            yield next(found[0] for line in server.stderr if (found := re.search(r"http\S+", line)))
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
