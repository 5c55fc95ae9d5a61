"""How long a large synthesised graph takes, and how a program that works row by row compares.

    PYTHONPATH=. python benchmarks/synthesis_speed.py [--nodes 1000000] [--edges 10000000]
        [--folder SCHEMA_FOLDER] [--part 100] [--out DIR]

Draws the graph of a schema folder (default: a payment network with properties on nodes and edges
and power laws at both ends of its payments) with `graphmill synth`: program, sandbox, intake,
verification, all of it. Then a program as people write it, one row at a time with Faker and csv,
draws the same schema with one `--part`-th of the rows (the default schema only). Prints seconds,
rows a second, the ratio of these, and the most memory of the whole process tree (proportional set
size). On a busy machine, the seconds of processor time say more; their ratio is printed too.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.processes import family, proportional
from generators.synthesis.spec import (
    After,
    Categorical,
    Column,
    Conditional,
    Correlated,
    Dates,
    Edges,
    End,
    Faker,
    LogNormal,
    Nodes,
    Pattern,
    PowerLaw,
    Sequence,
    Specification,
    Template,
    Zipf,
    save_specification,
)
from schemagraph.folder.serde import save_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

CATEGORIES = ("groceries", "fuel", "travel", "fashion", "electronics", "rent", "gambling")
CITIES = ("Milan", "Rome", "Turin", "Naples", "Bologna", "Palermo", "Genoa", "Bari")


def payment_network(folder: Path) -> None:
    """A schema folder: accounts, their owners, merchants; payments and transfers."""

    def made(name: str, kind: Kind, nullable: bool = False) -> Property:
        return Property(name, Type(kind), nullable)

    text, number, real = Kind.STRING, Kind.INTEGER, Kind.FLOAT
    nodes = (
        NodeType(
            ("Person",),
            (
                made("person_id", number),
                made("name", text),
                made("city", text),
                made("born", Kind.DATE),
                made("income", real),
                made("email", text, True),
            ),
            ("person_id",),
        ),
        NodeType(
            ("Account",),
            (
                made("iban", text),
                made("opened", Kind.DATE),
                made("status", text),
                made("balance", real),
            ),
            ("iban",),
        ),
        NodeType(
            ("Merchant",),
            (made("merchant_id", number), made("category", text), made("turnover", real)),
            ("merchant_id",),
        ),
    )
    edges = (
        EdgeType("OWNS", "Person", "Account", (made("since", Kind.DATE),)),
        EdgeType(
            "PAID",
            "Account",
            "Merchant",
            (made("at", Kind.DATETIME), made("amount", real), made("channel", text)),
        ),
        EdgeType(
            "TRANSFERRED",
            "Account",
            "Account",
            (made("at", Kind.DATETIME), made("amount", real)),
        ),
    )
    schema = SchemaGraph("payment_network", nodes, edges)
    spec = Specification(
        nodes={
            "Person": Nodes(
                weight=45,
                properties={
                    "person_id": Column(of=Sequence(), unique=True),
                    "name": Column(of=Faker(provider="name", locale="it_IT")),
                    "city": Column(of=Zipf(values=CITIES, exponent=0.8)),
                    "born": Column(of=Dates(start="1940-01-01", end="2006-12-31")),
                    "income": Column(of=LogNormal(median=24_000, sigma=0.6)),
                    "email": Column(
                        of=Template(
                            text="{name:slug}@{host}",
                            lists={"host": ("posta.example", "mail.example")},
                        ),
                        null=0.1,
                    ),
                },
            ),
            "Account": Nodes(
                weight=52,
                properties={
                    "iban": Column(of=Pattern(text="IT##?##########************"), unique=True),
                    "opened": Column(of=Dates(start="2010-01-01", end="2023-12-31", growth=2)),
                    "status": Column(
                        of=Categorical(values=("open", "closed", "blocked"), weights=(90, 9, 1))
                    ),
                    "balance": Column(of=LogNormal(median=1_900, sigma=1.3)),
                },
            ),
            "Merchant": Nodes(
                weight=3,
                properties={
                    "merchant_id": Column(of=Sequence(start=500_000), unique=True),
                    "category": Column(of=Zipf(values=CATEGORIES, exponent=1)),
                    "turnover": Column(of=LogNormal(median=300_000, sigma=1.5)),
                },
            ),
        },
        edges={
            "Person-OWNS-Account": Edges(
                cardinality="1:n",
                source=End(degree=PowerLaw(exponent=3)),
                properties={
                    "since": Column(of=After(columns=("target.opened",), until="2024-12-31"))
                },
            ),
            "Account-PAID-Merchant": Edges(
                weight=70,
                parallel=True,
                source=End(degree=PowerLaw(exponent=2.6)),
                target=End(degree=PowerLaw(exponent=2.1)),
                properties={
                    "at": Column(
                        of=Dates(
                            start="2024-01-01",
                            end="2024-12-31",
                            months=(7, 7, 8, 8, 8, 8, 9, 7, 8, 8, 10, 12),
                            hours=(1, 0, 0, 0, 0, 1, 2, 5, 7, 7, 8, 9, 10, 9, 7, 7, 8, 9, 9, 8, 6, 4, 3, 2),  # noqa: E501
                        )
                    ),
                    "amount": Column(
                        of=Conditional(
                            column="target.category",
                            cases={
                                "rent": LogNormal(median=750, sigma=0.3),
                                "travel": LogNormal(median=140, sigma=0.9),
                            },
                            otherwise=LogNormal(median=22, sigma=0.8),
                        )
                    ),
                    "channel": Column(
                        of=Categorical(values=("card", "online", "app"), weights=(6, 3, 1))
                    ),
                },
            ),
            "Account-TRANSFERRED-Account": Edges(
                weight=30,
                source=End(degree=PowerLaw(exponent=2.5)),
                target=End(degree=PowerLaw(exponent=2.2)),
                properties={
                    "at": Column(of=Dates(start="2024-01-01", end="2024-12-31")),
                    "amount": Column(
                        of=Correlated(
                            column="source.balance",
                            correlation=0.5,
                            of=LogNormal(median=180, sigma=1.1),
                        )
                    ),
                },
            ),
        },
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    save_schema(folder, schema)
    save_specification(folder, spec)


def row_by_row(nodes: int, edges: int, out: Path) -> None:
    """The same schema as people write it: one row at a time, with Faker and csv."""
    import faker

    fake = faker.Faker("it_IT")
    faker.Faker.seed(7)
    draw = random.Random(7)
    persons, merchants = int(nodes * 0.45), max(2, int(nodes * 0.03))
    accounts = nodes - persons - merchants

    def table(name: str, header: list[str], count: int, row: Callable[[int], list[object]]) -> None:
        with (out / f"{name}.csv").open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(header)
            for number in range(count):
                writer.writerow(row(number))

    def person(number: int) -> list[object]:
        name = fake.name()
        born = fake.date_between(datetime(1940, 1, 1), datetime(2006, 12, 31))
        email = "" if draw.random() < 0.1 else fake.email()
        city = draw.choices(CITIES, [1 / (n + 1) ** 0.8 for n in range(len(CITIES))])[0]
        return [number, name, city, born, round(draw.lognormvariate(10.08, 0.6), 2), email]

    ibans: list[str] = []

    def account(number: int) -> list[object]:
        ibans.append(fake.unique.iban())
        opened = fake.date_between(datetime(2010, 1, 1), datetime(2023, 12, 31))
        status = draw.choices(("open", "closed", "blocked"), (90, 9, 1))[0]
        return [ibans[-1], opened, status, round(draw.lognormvariate(7.55, 1.3), 2)]

    def merchant(number: int) -> list[object]:
        category = draw.choices(CATEGORIES, [1 / (n + 1) for n in range(len(CATEGORIES))])[0]
        return [number, category, round(draw.lognormvariate(12.6, 1.5), 2)]

    table("person", ["id", "name", "city", "born", "income", "email"], persons, person)
    table("account", ["iban", "opened", "status", "balance"], accounts, account)
    table("merchant", ["id", "category", "turnover"], merchants, merchant)

    def hub(count: int, exponent: float) -> int:
        return min(count - 1, int(count * draw.random() ** ((exponent - 1) / (exponent - 2))))

    def moment() -> datetime:
        found = fake.date_time_between(datetime(2024, 1, 1), datetime(2024, 12, 31))
        assert isinstance(found, datetime)
        return found

    paid = int((edges - accounts) * 0.7)
    table(
        "owns",
        ["person", "account", "since"],
        accounts,
        lambda n: [hub(persons, 3), ibans[n], fake.date_between(datetime(2010, 1, 1))],
    )  # fmt: skip
    table(
        "paid",
        ["account", "merchant", "at", "amount", "channel"],
        paid,
        lambda n: [
            ibans[hub(accounts, 2.6)],
            hub(merchants, 2.1),
            moment(),
            round(draw.lognormvariate(3.1, 0.8), 2),
            draw.choices(("card", "online", "app"), (6, 3, 1))[0],
        ],
    )
    seen: set[tuple[int, int]] = set()

    def transfer(number: int) -> list[object]:
        while True:
            pair = hub(accounts, 2.5), hub(accounts, 2.2)
            if pair[0] != pair[1] and pair not in seen:
                seen.add(pair)
                break
        ends = [ibans[place] for place in pair]
        return [*ends, moment(), round(draw.lognormvariate(5.2, 1.1), 2)]

    table("transferred", ["from", "to", "at", "amount"], edges - accounts - paid, transfer)


class TreeMemory:
    """The most memory that this process and all below it have had, in megabytes."""

    def __init__(self) -> None:
        self.most = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> TreeMemory:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.2):
            self.most = max(self.most, sum(map(proportional, family(os.getpid()))))


def main() -> None:
    """Measure and print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--nodes", type=int, default=1_000_000)
    ask.add_argument("--edges", type=int, default=10_000_000)
    ask.add_argument("--folder", type=Path)
    ask.add_argument("--part", type=int, default=100)
    ask.add_argument("--out", type=Path)
    given = ask.parse_args()
    with TemporaryDirectory() as place:
        folder = given.folder or Path(place) / "schema"
        if not given.folder:
            payment_network(folder)
        out = given.out or Path(place) / "graph"
        size = ["--nodes", str(given.nodes), "--edges", str(given.edges)]
        command = [sys.executable, "-m", "pipelines.cli", "synth", "--schema", str(folder)]
        start = time.perf_counter()
        with TreeMemory() as memory:
            subprocess.run([*command, *size, "--out", str(out)], check=True)
        took = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = used.ru_utime + used.ru_stime
        rows = given.nodes + given.edges
        result = {
            "rows": rows,
            "seconds": round(took, 1),
            "cpu_seconds": round(cpu, 1),
            "rows_a_second": round(rows / took),
            "memory_mb": round(memory.most),
        }
        if not given.folder:
            part = given.nodes // given.part, given.edges // given.part
            (Path(place) / "naive").mkdir()
            start, before = time.perf_counter(), time.process_time()
            row_by_row(*part, Path(place) / "naive")
            slow, slow_cpu = time.perf_counter() - start, time.process_time() - before
            result["row_by_row_rows_a_second"] = round(sum(part) / slow)
            result["ratio"] = round(slow / sum(part) / (took / rows), 1)
            result["cpu_ratio"] = round(slow_cpu / sum(part) / (cpu / rows), 1)
        print(json.dumps(result))


if __name__ == "__main__":
    main()
