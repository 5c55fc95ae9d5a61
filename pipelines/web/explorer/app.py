"""The pages of `graphmill serve`: find, look at, run again, compare."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from graphmill.errors import GraphmillError
from graphmill.record_rows import json_in
from pipelines.pictures.answers import drawn_answer
from pipelines.pictures.differences import changed
from pipelines.pictures.patterns import drawn, types_of
from pipelines.release.figures import asked
from pipelines.verification.integrity import intact_lock
from pipelines.web.explorer.catalogue import PAGE, Catalogue, Wish
from pipelines.web.explorer.index import FACETS, indexed
from pipelines.web.explorer.runs import Bench, Ran, engines_here
from pipelines.web.site import Door, Pages, form, site
from schemagraph.drawing import as_svg
from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import load_mapping, load_schema
from translators.language import readable

_FACET_TITLES = {
    "kind": "What",
    "db": "Database",
    "tier": "Tier",
    "split": "Split",
    "level": "Level",
    "language": "Language",
    "maker": "Maker",
    "construct": "Construct",
    "code": "Reject code",
}
_OFTEN = ("explorer_list.html", "explorer_record.html")
_MOST_VALUES = 14  # of a facet that are shown before the rest is folded
_LAST_PAGE = 400  # further on, one narrows the search
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)  # the report is a file of the corpus: no script of it runs, and it has no origin


@dataclass(frozen=True, slots=True)
class Shelf:
    """One corpus that is shown: its name, its place, its index, its engines."""

    number: int
    name: str
    folder: Path
    index: Path
    catalogue: Catalogue
    bench: Bench

    @property
    def path(self) -> str:
        """Where its pages begin."""
        return f"/c/{self.number}/"


def shelves(corpora: Sequence[Path], indexes: Path, note: Any) -> list[Shelf]:
    """The corpora with their indexes, which are made where they are not there.

    Raises:
        GraphmillError: one of them is no finished corpus, or damaged.
    """
    opened = []
    for number, folder in enumerate(corpora):
        lock = intact_lock(folder)
        index = indexed(folder, indexes, note)
        name = str(lock.get("config", {}).get("corpus", {}).get("name", folder.name))
        databases = [db for db in sorted(lock["graphs"]) if _is_inside(folder, db)]
        bench = Bench(folder, databases)
        opened.append(Shelf(number, name, folder, index, Catalogue(index), bench))
    return opened


def _is_inside(folder: Path, db: str) -> bool:
    """Whether a database's graph lies in the corpus, and is no link to elsewhere."""
    return (folder / "graphs" / db).resolve().parent == (folder / "graphs").resolve()


class Explorer:
    """The pages over some corpora; `queries` says whether visitors may run any."""

    def __init__(self, corpora: Sequence[Shelf], *, queries: bool) -> None:
        self._corpora = list(corpora)
        self._queries = queries
        self._pages = Pages(
            corpora=self._corpora, queries=queries, facet_titles=_FACET_TITLES, changed=changed
        )

    def app(self, door: Door) -> ASGIApp:
        """The application behind `door`."""
        routes = [
            Route("/", self.start),
            Route("/compare", self.compare),
            Route("/c/{corpus:int}/", self.listing),
            Route("/c/{corpus:int}/item/{key}", self.item),
            Route("/c/{corpus:int}/report", self.report),
            Route("/c/{corpus:int}/schema/{db}", self.schema),
            Route("/c/{corpus:int}/query", self.query),
            Route("/run/{corpus:int}", self.run, methods=["POST"]),
        ]
        return site(routes, door, self._pages, posts=["/run/"], lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._pages.compile(*_OFTEN)
        for shelf in self._corpora:
            shelf.catalogue.find(Wish())
        try:
            yield
        finally:
            for shelf in self._corpora:
                shelf.bench.close()
                shelf.catalogue.close()

    def _shelf(self, number: int) -> Shelf:
        if not 0 <= number < len(self._corpora):
            raise HTTPException(404, f"There are {len(self._corpora)} corpora here.")
        return self._corpora[number]

    def start(self, request: Request) -> Response:
        """The one corpus, or a list of them."""
        if len(self._corpora) == 1:
            return RedirectResponse(self._corpora[0].path, 303)
        return self._pages.page("explorer_start.html")

    def listing(self, request: Request) -> Response:
        """What fits words and facets, a page at a time."""
        shelf = self._shelf(request.path_params["corpus"])
        wish = Wish.of(request.query_params)
        if wish.page > _LAST_PAGE:
            raise HTTPException(404, f"Only {_LAST_PAGE} pages are shown; narrow the search.")
        hits = shelf.catalogue.find(wish)

        def link(**changes: str | None) -> str:
            return f"{shelf.path}?{urlencode(wish.query(**changes))}".rstrip("?")

        return self._pages.page(
            "explorer_list.html",
            shelf=shelf,
            wish=wish,
            hits=hits,
            facets=[(name, hits.facets.get(name, [])) for name in _FACET_TITLES],
            most=_MOST_VALUES,
            link=link,
            last=min(-(-hits.number // PAGE), _LAST_PAGE),
            chosen=[(name, wish.facets[name]) for name in FACETS if name in wish.facets],
        )

    def item(self, request: Request) -> Response:
        """One record or reject, with all that is known of it."""
        shelf = self._shelf(request.path_params["corpus"])
        key = request.path_params["key"]
        entry = shelf.catalogue.item(key)
        if entry is None:
            raise HTTPException(404, "There is no such record or reject in this corpus.")
        kind, row = entry
        before, after = shelf.catalogue.beside(key)
        shared = {"shelf": shelf, "key": key, "before": before, "after": after}
        if kind == "reject":
            return self._pages.page("explorer_reject.html", row=row, **_reject(row), **shared)
        return self._pages.page(
            "explorer_record.html",
            **_record(row, shelf),
            engines=engines_here(),
            form_key=request.state.form_key,
            **shared,
        )

    def report(self, request: Request) -> Response:
        """The corpus's own report, which runs nothing."""
        shelf = self._shelf(request.path_params["corpus"])
        path = shelf.folder / "report.html"
        if not path.is_file() or path.is_symlink():
            raise HTTPException(404, "This corpus has no report; graphmill report writes one.")
        headers = {"content-security-policy": _REPORT_POLICY}
        return Response(path.read_bytes(), media_type="text/html", headers=headers)

    def schema(self, request: Request) -> Response:
        """The schema of a database as a drawing."""
        shelf = self._shelf(request.path_params["corpus"])
        db = request.path_params["db"]
        if db not in shelf.bench.databases:
            raise HTTPException(404, "There is no such database in this corpus.")
        picture = _schema_picture(shelf.folder / "graphs" / db, None)
        return self._pages.page("explorer_schema.html", shelf=shelf, db=db, svg=picture)

    def query(self, request: Request) -> Response:
        """The form for a query of one's own."""
        shelf = self._shelf(request.path_params["corpus"])
        return self._query_page(shelf, dict(request.query_params), request.state.form_key)

    def _query_page(
        self,
        shelf: Shelf,
        fields: dict[str, str],
        form_key: str,
        status: int = 200,
        **context: Any,
    ) -> Response:
        db = fields.get("db") or (shelf.bench.databases[0] if shelf.bench.databases else "")
        languages = [name for name in readable() if name != "sql"]
        if db in shelf.bench.databases and load_mapping(shelf.folder / "graphs" / db):
            languages.append("sql")
        context = {"ran": None, "problem": "", "record": None, "same": None, "svg": "", **context}
        return self._pages.page(
            "explorer_query.html",
            status,
            shelf=shelf,
            form_key=form_key,
            db=db,
            text=fields.get("text", "")[:20_000],
            language=fields.get("language", "cypher"),
            engine=fields.get("engine", engines_here()[0]),
            languages=languages,
            engines=engines_here(),
            **context,
        )

    async def run(self, request: Request) -> Response:
        """Run a record's query again, or a visitor's own."""
        shelf = self._shelf(request.path_params["corpus"])
        if not self._queries:
            raise HTTPException(403, "Queries are not run here: this site is open beyond loopback.")
        fields = await form(request)
        return await run_in_threadpool(self._run, shelf, fields, request.state.form_key)

    def _run(self, shelf: Shelf, fields: dict[str, str], form_key: str) -> Response:
        record = None
        if fields.get("key"):
            entry = shelf.catalogue.item(fields["key"])
            if entry is None or entry[0] != "record":
                raise HTTPException(404, "There is no such record in this corpus.")
            record = entry[1]
            text = record["queries"].get("cypher") or ""
            fields = {**fields, "db": record["db"], "text": text, "language": "cypher"}
        try:
            ran = shelf.bench.run(
                fields.get("db", ""),
                fields.get("text", ""),
                fields.get("language", "cypher"),
                fields.get("engine", ""),
            )
        except GraphmillError as problem:
            return self._query_page(
                shelf, fields, form_key, 400, problem=str(problem), record=record
            )
        return self._query_page(
            shelf,
            fields,
            form_key,
            ran=ran,
            record=record,
            same=_same(record, ran),
            svg=drawn_answer(ran.rows),
        )

    def compare(self, request: Request) -> Response:
        """Two corpora beside each other."""
        numbers = [request.query_params.get(name, "") for name in ("a", "b")]
        if not all(each.isascii() and each.isdecimal() and len(each) < 6 for each in numbers):
            raise HTTPException(404, "Two corpora are compared: ?a=0&b=1.")
        first, second = (self._shelf(int(each)) for each in numbers)
        return self._pages.page(
            "explorer_compare.html",
            first=first,
            second=second,
            comparison=first.catalogue.compare(second.index),
            rows=_side_by_side(first.catalogue, second.catalogue),
        )


def _same(record: dict[str, Any] | None, ran: Ran) -> str | None:
    """Whether an engine gave a record's answer: same, differs, ties; None without a record."""
    if record is None or not record["answer"]:
        return None
    if ran.hash == record["answer"]["hash"]:
        return "same"
    return "ties" if "limit" in record["constructs"] else "differs"


def _reject(row: dict[str, Any]) -> dict[str, Any]:
    evidence = row.get("evidence") or {}
    text = json.dumps(evidence, indent=1, ensure_ascii=False, sort_keys=True, default=str)
    query = str(row.get("query") or "")
    return {"evidence": text if evidence else "", "svg": drawn(query)}


def _record(row: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    """What the page of a record shows beside its columns."""
    cypher = row["queries"].get("cypher") or ""
    answer = row["answer"] or {"columns": [], "rows": 0, "sample": "[]", "hash": ""}
    sample = json_in(row, "answer", "sample") or []
    trace = row["provenance"]["trace"]
    following = [step["before"] for step in trace[1:]] + [cypher]
    detail = json_in(row, "discrimination", "detail") or {}
    parent = row["provenance"]["parent"]
    return {
        "row": row,
        "questions": list(asked(row).items()),
        "queries_": [(name, text) for name, text in row["queries"].items() if text],
        "missing": [name for name, text in row["queries"].items() if not text],
        "cypher": cypher,
        "svg": drawn(cypher),
        "schema_svg": _schema_of(row["db"], shelf, types_of(cypher)),
        "answer_columns": answer["columns"],
        "answer_rows": answer["rows"],
        "answer_hash": answer["hash"],
        "sample": sample,
        "answer_svg": drawn_answer(sample),
        "steps": [
            (step["operation"], step["before"], after, step["evidence"])
            for step, after in zip(trace, following, strict=False)
        ],
        "parent": parent,
        "parent_cypher": _parent_cypher(parent, shelf),
        "children": shelf.catalogue.children(row["id"]),
        "score": (row["discrimination"] or {}).get("score"),
        "mutants": [
            (name, number, detail.get("told_apart", {}).get(name, 0))
            for name, number in sorted(detail.get("mutants", {}).items())
        ],
        "survivors": detail.get("survivors", []),
        "equivalent": detail.get("equivalent", []),
        "readings": row.get("readings") or [],
    }


def _parent_cypher(parent: str, shelf: Shelf) -> str:
    entry = shelf.catalogue.item(parent) if parent else None
    if entry is None or entry[0] != "record":
        return ""
    return str(entry[1]["queries"].get("cypher") or "")


def _schema_of(db: str, shelf: Shelf, marked: frozenset[str]) -> str:
    """The schema with what a query names; empty where the graph is not there."""
    if db not in shelf.bench.databases:
        return ""
    try:
        return _schema_picture(shelf.folder / "graphs" / db, marked)
    except GraphmillError:
        return ""


def _schema_picture(folder: Path, marked: frozenset[str] | None) -> str:
    schema = load_schema(folder)
    rows = {entry.file: entry.rows for entry in load_manifest(folder).tables}
    counts = {node.name: rows.get(f"nodes/{node_table(node)}.parquet", 0) for node in schema.nodes}
    counts |= {edge.name: rows.get(f"edges/{edge_table(edge)}.parquet", 0) for edge in schema.edges}
    return as_svg(schema, counts, marked)


def _side_by_side(a: Catalogue, b: Catalogue) -> list[tuple[str, str, str, str]]:
    """Records by tier, split and language, and rejects by code, in both corpora."""
    rows = [("", "records", f"{a.records:,}", f"{b.records:,}")]
    rows.append(("", "rejects", f"{a.rejects:,}", f"{b.rejects:,}"))
    for facet in ("tier", "split", "language", "level", "db", "code", "construct"):
        first, second = a.total(facet), b.total(facet)
        for value in sorted({*first, *second}):
            rows.append(
                (
                    _FACET_TITLES[facet].lower(),
                    value,
                    f"{first.get(value, 0):,}",
                    f"{second.get(value, 0):,}",
                )
            )
    return rows
