"""Random statements over the graph of `random_nested` in which numbers that are written meet stored
ones as keys, windows follow windows, and nodes that may be null begin subqueries."""

from __future__ import annotations

from random import Random


def keyed_statement(rng: Random) -> str:
    """A statement over `random_nested.GRAPH`."""
    return rng.choice((_grouped, _united, _unwound, _windowed, _optional, _counted))(rng)


def _value(rng: Random, name: str = "p") -> str:
    """An integer of a node of the label P, which may be null."""
    number = rng.choice((0, 1, 2, 22, 30, 40))
    forms = (
        *(f"{name}.age", f"{name}.id", str(number), f"coalesce({name}.age, {number})"),
        f"CASE WHEN {name}.city = 'Rome' THEN {number} ELSE {name}.age END",
        *(f"{name}.age + {number}", f"size({name}.name)", f"[{number}, 5][{rng.randint(0, 1)}]"),
        f"COUNT {{ ({name})-[:K]->() }}",
    )
    return rng.choice(forms)


def _grouped(rng: Random) -> str:
    value, other = _value(rng), _value(rng)
    return rng.choice(
        (
            f"MATCH (p:P) RETURN {value} AS k, count(*) AS c",
            f"MATCH (p:P) RETURN DISTINCT {value} AS k, {other} AS j",
            f"MATCH (p:P) RETURN count(DISTINCT {value}) AS c",
            f"MATCH (p:P) WITH {value} AS k RETURN k, sum(1) AS s",
            f"MATCH (p:P) WITH {value} AS j WITH j AS k RETURN k, count(DISTINCT k) AS c",
            f"MATCH (p:P) WITH {value} AS k, {other} AS j RETURN k, count(DISTINCT j) AS c",
            f"MATCH (p:P) OPTIONAL MATCH (p)-[e:K]->() WITH p, sum(e.w) AS k "
            f"RETURN coalesce(k, {rng.randint(0, 3)}) AS k, count(*) AS c",
        )
    )


def _united(rng: Random) -> str:
    sides = (
        *(f"MATCH (p:P) RETURN {_value(rng)} AS k", "MATCH (c:C) RETURN c.id AS k"),
        f"UNWIND [{rng.choice(('1, 30', '1, null', '2'))}] AS k RETURN k",
        f"MATCH (p:P) RETURN max({_value(rng)}) AS k",
    )
    left, right = rng.sample(sides, 2)
    union = f"{left} UNION {right}"
    return union if rng.random() < 0.7 else f"CALL () {{ {union} }} RETURN k, count(*) AS c"


def _unwound(rng: Random) -> str:
    items = ", ".join(_value(rng) for _ in range(rng.randint(1, 3)))
    end = rng.choice(("k, count(*) AS c", "DISTINCT k", "count(DISTINCT k) AS c"))
    return f"MATCH (p:P) UNWIND [{items}] AS k RETURN {end}"


def _window(rng: Random) -> str:
    skip = f" SKIP {rng.randint(0, 3)}" if rng.random() < 0.6 else ""
    return skip + (f" LIMIT {rng.randint(0, 5)}" if rng.random() < 0.6 or not skip else "")


def _windowed(rng: Random) -> str:
    """Windows of one order; Neo4j takes a third behind another order from elsewhere."""
    text = f"MATCH (p:P) WITH p ORDER BY p.id{_window(rng)}"
    for _ in range(rng.randint(1, 2)):
        text += f" WITH p{_window(rng)}"
    text += rng.choice(("", " MATCH (p)-[:K]->(q) WITH q AS p", " WITH p WHERE p.age > 25"))
    return f"{text} RETURN {rng.choice(('p.id AS i', 'count(*) AS c', 'max(p.id) AS m'))}"


def _optional(rng: Random) -> str:
    test = rng.choice(("", " WHERE q.age IS NULL", " WHERE q.age > 25", ", (c:C)"))
    begun = "MATCH (p:P) OPTIONAL MATCH (p)-[e:K]->(q:P)"
    return rng.choice(
        (
            f"{begun} RETURN p.id AS i, COUNT {{ MATCH (q){test} }} AS c",
            f"{begun} RETURN p.id AS i, EXISTS {{ MATCH (q){test} }} AS c",
            f"MATCH (q:P) RETURN q.id AS i, COUNT {{ MATCH (q){test} }} AS c",
            f"{begun} WITH p, max(e.w) AS m WHERE m > 1 OR m IS NULL RETURN p.id AS i, m",
            f"{begun} WITH p, q WHERE NOT EXISTS {{ (q)-[:K]->() }} RETURN p.id AS i",
        )
    )


def _counted(rng: Random) -> str:
    test = rng.choice((">", ">=", "<>", "<", "="))
    number = rng.randint(0, 6)
    what = rng.choice(("count(*)", "count(p.age)", "count(DISTINCT p.city)"))
    return rng.choice(
        (
            f"MATCH (p:P) WITH {what} AS c WHERE c {test} {number} RETURN c",
            f"MATCH (p:P) WITH {what} AS c WHERE c {test} {number} RETURN c, c * 2 AS d",
            f"MATCH (p:P)-[:K]->(q) WITH p, count(q) AS c WHERE c {test} {number} "
            "RETURN p.id AS i, c",
        )
    )
