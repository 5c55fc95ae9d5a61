"""Stand-ins for the data that `example:published` is built of, where the originals are not at hand.

    python -m benchmarks.published_standins DIR [--accounts 2000] [--seed 7]

Writes DIR/finbench, a snapshot in the layout of LDBC FinBench's generator (specification 0.1.0,
section 2.3: files, columns, formats; the figures are ours); DIR/bird, two of our relational
examples where and as BIRD has its databases and `dev.json`; and DIR/text2cypher.jsonl, questions
in the form of that data set about the graph that `serve` loads. Prints the variables to set.

    python -m benchmarks.published_standins DIR --serve

also starts a Neo4j with that graph (extra `neo4j-local`) until it is interrupted.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

from graphmill.files import example, write_json_lines, write_text

_FIRST, _DAYS = datetime(2020, 1, 1), 1_000
_NAMES = ("Ada", "Bela", "Chen", "Dara", "Emil", "Femi", "Gita", "Hugo", "Ines", "Jun")
_COUNTRIES = ("Kenya", "Norway", "Peru", "Vietnam")
_ACCOUNTS = ("savings account", "credit card", "debit card", "prepaid account")
_MEDIUMS = ("POS", "IPV4", "PHONE")
_READS: dict[str, Callable[[str], Any]] = {
    "STRING": str,
    "INT64": int,
    "DOUBLE": float,
    "DATE": date.fromisoformat,
}
_BIRD = ("museum_loans", "night_trains")


def main() -> int:
    """Write, and serve where that is asked for."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--accounts", type=int, default=2_000)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--serve", action="store_true")
    options = arguments.parse_args()
    folder = options.folder.resolve()
    write_finbench(folder / "finbench" / "snapshot", options.accounts, Random(options.seed))
    write_bird(folder / "bird", options.seed)
    write_text2cypher(folder / "text2cypher.jsonl")
    print(f"export FINBENCH={folder}/finbench BIRD={folder}/bird")
    print(f"export TEXT2CYPHER={folder}/text2cypher.jsonl", flush=True)
    if options.serve:
        serve()
    return 0


def write_finbench(folder: Path, accounts: int, random: Random) -> None:
    """The files of a snapshot: `accounts` accounts, and others in proportion.

    Money goes on within days of its arrival in one transfer of three, so that there are chains,
    rounds and accounts that only pass it on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    people, companies = accounts // 3, accounts // 8
    loans, mediums = accounts // 3, accounts // 4

    def moment(after: datetime = _FIRST, within: float = _DAYS) -> datetime:
        latest = _FIRST + timedelta(days=_DAYS)
        days = min(within, (latest - after) / timedelta(days=1))
        return after + timedelta(milliseconds=random.randrange(1, max(2, int(days * 86_400_000))))

    def table(name: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        lines = [columns, *("|".join(map(_written, row)) for row in rows)]
        write_text(folder / f"{name}.csv", "\n".join(lines) + "\n")

    def some(count: int) -> list[int]:
        """Ids of as many things: large, and not in a row."""
        return [4_398_046_511_104 + 37 * number for number in range(count)]

    persons, firms, lent, devices = some(people), some(companies), some(loans), some(mediums)
    held = some(accounts)

    def blocked(share: float) -> str:
        return str(random.random() < share).lower()

    table(
        "Person",
        "personId|personName|isBlocked|createTime|gender|birthday|country|city",
        (
            (
                *(i, f"{random.choice(_NAMES)} {random.choice(_NAMES)}sen", blocked(0.03)),
                *(moment(), random.choice(("male", "female"))),
                *(f"{random.randrange(1950, 2002)}-0{random.randrange(1, 10)}-11",),
                *((land := random.choice(_COUNTRIES)), f"{land} {random.choice('ABC')}"),
            )
            for i in persons
        ),
    )
    table(
        "Company",
        "companyId|companyName|isBlocked|createTime|country|city|business|description|url",
        (
            (
                *(i, f"{random.choice(_NAMES)} {random.choice(('Foods', 'Metals', 'Tools'))} {n}"),
                *(blocked(0.03), moment(), (land := random.choice(_COUNTRIES)), f"{land} A"),
                *(random.choice(("retail", "mining", "transport")), "", f"https://c{n}.example"),
            )
            for n, i in enumerate(firms)
        ),
    )
    table(
        "Account",
        "accountId|createTime|isBlocked|accountType|nickname|phonenum|email|freqLoginType|"
        "lastLoginTime|accountLevel",
        (
            (
                *(i, moment(), blocked(0.08), random.choice(_ACCOUNTS), f"acc{n}"),
                *(f"+{n:09}", f"a{n}@mail.example", random.choice(_MEDIUMS), moment()),
                random.choice(("Basic level", "Silver level", "Gold level")),
            )
            for n, i in enumerate(held)
        ),
    )
    amounts = {i: random.randrange(1_000, 90_000) * 100.0 for i in lent}
    table(
        "Loan",
        "loanId|loanAmount|balance|createTime|loanUsage|interestRate",
        (
            (
                *(i, amounts[i], round(amounts[i] * random.random(), 2), moment()),
                *(random.choice(("housing", "car", "education")), random.randrange(10, 90) / 1000),
            )
            for i in lent
        ),
    )
    table(
        "Medium",
        "mediumId|mediumType|isBlocked|createTime|lastLoginTime|riskLevel",
        (
            (i, random.choice(_MEDIUMS), blocked(0.2), moment(), moment(), f"Risk {i % 3}")
            for i in devices
        ),
    )
    owners = [(random.random() < 0.75, account) for account in held]
    for name, ids, kind in (("Person", persons, True), ("Company", firms, False)):
        key = f"{name.lower()}Id"
        table(
            f"{name}OwnAccount",
            f"{key}|accountId|createTime",
            ((random.choice(ids), account, moment()) for own, account in owners if own is kind),
        )
        table(
            f"{name}ApplyLoan",
            f"{key}|loanId|createTime|org",
            (
                (random.choice(ids), loan, moment(), f"Bank {loan % 7}")
                for n, loan in enumerate(lent)
                if (n % 3 > 0) is kind
            ),
        )
        table(
            f"{name}Guarantee{name}",
            "fromId|toId|createTime|relation",
            (
                (*pair, moment(), random.choice(("friend", "partner")))
                for pair in _pairs(ids, ids, len(ids), random)
            ),
        )
        table(
            f"{name}InvestCompany",
            "investorId|companyId|ratio|createTime",
            (
                (*pair, random.randrange(1, 100) / 100, moment())
                for pair in _pairs(ids, firms, 2 * len(ids), random)
            ),
        )
    hubs = [held[min(int(random.paretovariate(0.9)) - 1, accounts - 1)] for _ in range(accounts)]
    transfers: list[tuple[int, int, float, datetime]] = []
    while len(transfers) < 4 * accounts:
        if transfers and random.random() < 0.35:
            _, source, amount, at = transfers[random.randrange(len(transfers))]
            target = random.choice((random.choice(held), random.choice(transfers)[0]))
            at, amount = moment(at, 9), round(amount * random.uniform(0.8, 1), 2)
        else:
            source, target = random.choice((random.choice(held), random.choice(hubs))), 0
            target, at = random.choice((random.choice(held), random.choice(hubs))), moment()
            amount = round(random.lognormvariate(11, 1.6), 2)
        if source != target:
            transfers.append((source, target, amount, at))
    table(
        "AccountTransferAccount",
        "fromId|toId|amount|createTime|orderNum|comment|payType|goodsType",
        (
            (*each, f"{n:012}", "", random.choice(("card", "wire")), random.choice("ABC"))
            for n, each in enumerate(transfers)
        ),
    )
    cards = held[: max(5, accounts // 20)]
    table(
        "AccountWithdrawAccount",
        "fromId|toId|amount|createTime",
        (
            (target, card, round(amount * random.uniform(0.3, 1), 2), moment(at, 5))
            for _, target, amount, at in random.sample(transfers, accounts)
            if (card := random.choice(cards)) != target
        ),
    )
    deposits = [(loan, random.choice(held), moment(within=600)) for loan in lent for _ in "ab"]
    table(
        "LoanDepositAccount",
        "loanId|accountId|amount|createTime",
        ((loan, to, round(amounts[loan] / 2, 2), at) for loan, to, at in deposits),
    )
    table(
        "AccountRepayLoan",
        "accountId|loanId|amount|createTime",
        (
            (to, loan, round(amounts[loan] * random.uniform(0.05, 0.5), 2), moment(at, 300))
            for loan, to, at in deposits
        ),
    )
    table(
        "MediumSignInAccount",
        "mediumId|accountId|createTime|location",
        (
            (random.choice(devices), random.choice(held), moment(), random.choice(_COUNTRIES))
            for _ in range(2 * accounts)
        ),
    )


def _written(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat(" ", "milliseconds")
    return str(value)


def _pairs(
    ones: Sequence[int], others: Sequence[int], count: int, random: Random
) -> list[tuple[int, int]]:
    """As many different pairs of two different ids, at most."""
    pairs = {(random.choice(ones), random.choice(others)): None for _ in range(count)}
    return [pair for pair in pairs if pair[0] != pair[1] or ones is not others]


def write_bird(folder: Path, seed: int) -> None:
    """`dev.json` and `dev_databases/NAME/NAME.sqlite`."""
    items: list[dict[str, Any]] = []
    for name in _BIRD:
        source = example(name).parent
        place = folder / "dev_databases" / name
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{name}.sqlite").unlink(missing_ok=True)
        run_path(str(source / "fill.py"))["fill"](str(place / f"{name}.sqlite"), seed)
        for line in (source / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            if "sql" in pair:
                item = {"question_id": len(items), "db_id": name, "question": pair["question"]}
                items.append({**item, "evidence": "", "SQL": pair["sql"], "difficulty": "simple"})
    write_text(folder / "dev.json", json.dumps(items, indent=1))


def write_text2cypher(file: Path) -> None:
    """Our questions about films in the form of the data set."""
    path = example("movies").parent / "questions.jsonl"
    pairs = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    write_json_lines(
        file,
        ({"question": p["question"], "cypher": p["cypher"], "database": "movies"} for p in pairs),
    )


def serve() -> None:
    """Load the films into a Neo4j of its own, print its address, and wait."""
    import neo4j

    from engines.jvm.neo4j import Local

    graph = json.loads((example("movies").parent / "graph.json").read_text(encoding="utf-8"))
    url = Local().start()
    with neo4j.GraphDatabase.driver(url) as driver, driver.session() as session:
        for statement, rows in _statements(graph):
            session.run(statement, rows=rows).consume()
    print(f"export NEO4J={url}", flush=True)
    while True:
        time.sleep(3_600)


def _statements(graph: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """CREATE statements with their rows, of a TuGraph import configuration beside its CSV files."""
    labels = {each["label"]: each for each in graph["schema"]}
    for file in graph["files"]:
        label = labels[file["label"]]
        reads = {each["name"]: _READS[each["type"]] for each in label["properties"]}
        with (example("movies").parent / file["path"]).open(encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(lines))[file["header"] :]
        columns = [column.lower() for column in file["columns"]]
        values = [
            {c: reads.get(c, str)(text) for c, text in zip(columns, row, strict=True) if text}
            for row in rows
        ]
        if label["type"] == "VERTEX":
            yield f"UNWIND $rows AS row CREATE (n:{file['label']}) SET n = row", values
            continue
        source, target = (labels[file[key]] for key in ("SRC_ID", "DST_ID"))
        source, target = (
            f"({name}:{end['label']} {{{end['primary']}: row.{key}}})"
            for name, end, key in (("a", source, "src_id"), ("b", target, "dst_id"))
        )
        edge = f"CREATE (a)-[e:{file['label']}]->(b) SET e = row REMOVE e.src_id, e.dst_id"
        yield f"UNWIND $rows AS row MATCH {source}, {target} {edge}", values


if __name__ == "__main__":
    sys.exit(main())
