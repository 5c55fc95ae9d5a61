"""Write the report, the card and the card's pictures of a corpus, from its files alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from graphmill.files import write_text
from pipelines.configuration.store import Finished, Gathered
from pipelines.release.card import FIGURES, PICTURES, card
from pipelines.release.description import Description
from pipelines.release.figures import figures
from pipelines.release.held import CARD, REPORT, replaced
from pipelines.release.lock import load_lock, write_lock
from pipelines.release.report import glances, report
from pipelines.release.report_plots import all_plots

type Tell = Callable[[str], None]  # who is told of what does not end the work


def rewrite_pages(folder: Path, tell: Tell = lambda _: None) -> tuple[Path, Path]:
    """Write the pages of a finished corpus again, and give report and card; see `write_pages`.

    Raises:
        GraphmillError: it is no finished corpus, a file of it is damaged, or one cannot be written.
    """
    lock = load_lock(folder)
    write_pages(folder, Description.of(folder, lock), tell=tell)
    drawn = {f"{FIGURES}/{path.name}" for path in (folder / FIGURES).glob("*.svg")}
    before = {name for name in lock["files"] if name.startswith(f"{FIGURES}/")}
    write_lock(folder, replaced(folder, lock, {CARD, REPORT, *drawn, *before}))
    return folder / REPORT, folder / CARD


def write_pages(
    folder: Path,
    about: Description,
    finished: Finished | None = None,
    tell: Tell = lambda _: None,
) -> None:
    """`report.html`, `README.md` and `figures` of the corpus in `folder`; graphs and plots that are
    as they were are taken from `finished`. Plots that cannot be drawn here are left out, which
    `tell` is told and the report says.

    Raises:
        GraphmillError: a file of it is missing or damaged, or one cannot be written.
    """
    corpus_figures = figures(folder)
    known = finished or Gathered()
    graphs = glances(folder, about, known)
    plots, undrawn = all_plots(about, corpus_figures, known)
    if undrawn:
        again = f"`graphmill report {folder}` draws them where it can"
        tell(f"warning: the report has no plots. {undrawn} {again}.")
    pictures = {
        plot.name: plot.svg for group in plots.values() for plot in group if plot.name in PICTURES
    }
    for number, graph in enumerate(graphs, 1):
        pictures[f"schema-{number}"] = graph.picture
    place = folder / FIGURES
    for path in sorted(place.glob("*.svg")) if place.is_dir() else ():
        if path.stem not in pictures and path.is_file():
            path.unlink()
    for name, picture in pictures.items():
        write_text(place / f"{name}.svg", f"{picture}\n")
    write_text(folder / CARD, card(folder, about, corpus_figures, graphs, pictures))
    write_text(folder / REPORT, report(folder, about, corpus_figures, graphs, plots, undrawn))
