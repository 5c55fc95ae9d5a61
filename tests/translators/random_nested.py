"""Random queries whose subqueries use the names outside of them again: those they see, and those
that groups, DISTINCT and renaming have dropped. For proof by engines over `GRAPH`."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

GRAPH = """
P(id!: INTEGER, name: STRING?, city: STRING?, age: INTEGER?)
C(id!: INTEGER, name: STRING?, city: STRING?)
P-[W(since: INTEGER?)]->C
P-[K(w: INTEGER?)]->P

P [1, "Ann", "Rome", 30]
P [2, "Bob", "Rome", 40]
P [3, "Cid", "Oslo", null]
P [4, "Dee", null, 50]
P [5, "Eve", "Oslo", 22]
C [1, "Acme", "Rome"]
C [2, "Bolt", "Oslo"]
C [3, "Core", null]
P-W-C [1, 1, 2001]
P-W-C [1, 2, 2002]
P-W-C [2, 1, 2003]
P-W-C [3, 2, null]
P-W-C [5, 2, 2001]
P-K-P [1, 2, 1]
P-K-P [1, 3, 2]
P-K-P [2, 3, 3]
P-K-P [3, 1, 4]
P-K-P [3, 5, null]
"""

NAMES = ("p", "q", "c", "k", "n")  # few, so that they meet
_NODES = {"P": ("id", "age", "city"), "C": ("id", "city")}
_EDGES = {"W": ("P", "C", "since"), "K": ("P", "P", "w")}

type Scope = dict[str, str]
"""What names stand for: P, C, W, K, `number` or `text`."""


def nested_query(rng: Random) -> str:
    """A query over `GRAPH`; now and then one that binds a name wrongly."""
    return _Writer(rng).query()


@dataclass
class _Writer:
    rng: Random

    def query(self) -> str:
        scope: Scope = {}
        clauses = [self.match(scope)]
        if self.rng.random() < 0.25:
            clauses.append(f"OPTIONAL {self.match(scope)}")
        for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
            text, scope = self.projection(scope, "WITH")
            clauses.append(text)
            if self.rng.random() < 0.4:
                clauses.append(self.match(scope))
        return " ".join((*clauses, self.projection(scope, "RETURN")[0]))

    def match(self, scope: Scope, depth: int = 0) -> str:
        """A MATCH that binds in `scope`, with a condition now and then."""
        pattern = self.pattern(scope)
        if self.rng.random() < (0.4 if depth < 2 else 0.2):
            return f"MATCH {pattern} WHERE {self.condition(scope, depth)}"
        return f"MATCH {pattern}"

    def pattern(self, scope: Scope) -> str:
        if self.rng.random() < 0.25:
            return f"({self.node(scope, self.rng.choice('PC'))})"
        edge = self.rng.choice("WK")
        source, target, _ = _EDGES[edge]
        left = self.node(scope, source)
        name = self.free(scope) if self.rng.random() < 0.3 else ""
        if name:
            scope[name] = edge
        right = self.node(scope, target)
        if self.rng.random() < 0.3:
            return f"({right})<-[{name}:{edge}]-({left})"
        return f"({left})-[{name}:{edge}]->({right})"

    def node(self, scope: Scope, kind: str) -> str:
        met = [name for name, each in scope.items() if each == kind]
        if met and self.rng.random() < 0.6:
            return self.rng.choice(met)
        name = self.free(scope) if self.rng.random() < 0.7 else ""
        if not name:
            return f":{kind}"
        scope[name] = kind
        return f"{name}:{kind}"

    def free(self, scope: Scope) -> str:
        """A name that nothing in scope has, most of all one from outside; or none."""
        names = [name for name in NAMES if name not in scope]
        return self.rng.choice(names) if names else ""

    def value(self, scope: Scope) -> tuple[str, str]:
        """A scalar and its kind."""
        name = self.rng.choice([*scope] or [""])
        kind = scope.get(name, "")
        if kind in ("number", "text"):
            return name, kind
        if kind in _NODES:
            key = self.rng.choice(_NODES[kind])
            return f"{name}.{key}", "text" if key == "city" else "number"
        if kind in _EDGES:
            return f"{name}.{_EDGES[kind][2]}", "number"
        return str(self.rng.randint(0, 3)), "number"

    def condition(self, scope: Scope, depth: int) -> str:
        draw = self.rng.random()
        if depth < 2 and draw < 0.5:
            if draw < 0.25:
                negated = self.rng.choice(("", "NOT "))
                return f"{negated}EXISTS {{ {self.body(scope, depth + 1)} }}"
            return f"{self.number(scope, depth)} {self.rng.choice(('>', '=', '<='))} 1"
        (left, kind), (right, other) = self.value(scope), self.value(scope)
        if kind == other and left != right:
            return f"{left} {self.rng.choice(('=', '<>', '<', '>='))} {right}"
        return f"{left} IS NOT NULL" if kind == "text" else f"{left} > 1"

    def number(self, scope: Scope, depth: int) -> str:
        """A number that asks the graph."""
        if self.rng.random() < 0.75:
            return f"COUNT {{ {self.body(scope, depth + 1)} }}"
        inner = dict(scope)
        match = self.match(inner, depth + 1)
        order = f" ORDER BY {self.value(inner)[0]}" if self.rng.random() < 0.4 else ""
        return f"size(COLLECT {{ {match} RETURN {self.value(inner)[0]} AS v{order} }})"

    def body(self, scope: Scope, depth: int) -> str:
        """What stands in EXISTS and COUNT."""
        inner = dict(scope)
        first = self.match(inner, depth)
        if self.rng.random() < 0.15 and (name := self.free(inner)):
            inner[name] = "number"
            first = f"{first} UNWIND [1, 2, 3] AS {name}"
        if self.rng.random() < 0.6:
            return first
        text, after = self.projection(inner, "WITH", scope, depth)
        seen = {**scope, **after}
        more = f" {self.match(seen, depth + 1)}" if self.rng.random() < 0.5 else ""
        return f"{first} {text}{more} RETURN {self.value(seen)[0]} AS v"

    def projection(
        self, scope: Scope, word: str, outer: Scope | None = None, depth: int = 0
    ) -> tuple[str, Scope]:
        """WITH or RETURN, and what is in scope behind it."""
        outer = outer or {}
        columns: Scope = {}
        items = []
        names = [name for name in NAMES if name not in outer]
        grouped = self.rng.random() < 0.5
        for _ in range(self.rng.randint(1, 2)):
            alias = self.rng.choice(names) if names else ""
            if not alias or alias in columns:
                continue
            own = [name for name in scope if name not in outer]
            if own and word == "WITH" and self.rng.random() < 0.5:
                name = self.rng.choice(own)
                alias = name if self.rng.random() < 0.5 else alias
                if alias in columns:
                    continue
                items.append(name if alias == name else f"{name} AS {alias}")
                columns[alias] = scope[name]
                continue
            text, kind = self.value(scope)
            if self.rng.random() < 0.25 and depth < 1:
                text, kind = self.number(scope, depth), "number"
            items.append(f"{text} AS {alias}")
            columns[alias] = kind
        left = [name for name in names if name not in columns]
        if (grouped or not items) and left:
            alias = self.rng.choice(left)
            items.append(f"{self.rng.choice(('count(*)', 'count(DISTINCT 1)'))} AS {alias}")
            columns[alias] = "number"
            grouped = True
        distinct = not grouped and self.rng.random() < 0.3
        if not items:
            return f"{word} 1 AS v", {"v": "number"}
        text = f"{word} {'DISTINCT ' if distinct else ''}{', '.join(items)}"
        late = {**outer, **columns} if grouped or distinct else {**scope, **columns}
        if self.rng.random() < 0.4:
            key = self.number(late, depth) if self.rng.random() < 0.7 else self.value(late)[0]
            ties = [name for name, kind in columns.items() if kind in ("number", "text")]
            text += f" ORDER BY {', '.join((key, *ties))}"
            if self.rng.random() < 0.4:
                text += f" LIMIT {self.rng.randint(1, 4)}"
        if word == "WITH" and self.rng.random() < 0.4:
            text += f" WHERE {self.condition(late, depth)}"
        return text, columns
