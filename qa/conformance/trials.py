"""Trials: one statement that shows what a construct makes of many values in one position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.functions import signatures
from graph_ir.walk import substitute
from qa.conformance.clauses import AGGREGATES, ANY_POOL, statements
from qa.conformance.constructs import ELEMENTS, PLACES, Construct, constructs
from qa.conformance.values import NULL, Pool, Value, expression, graph, pools

CORE = 1  # values of another slot that a stored value meets

CONSTANTS = 12  # tuples of values, of a tuple of pools
GROUPS = 11  # of the stored values under an aggregate, fewer than there are values in most pools

type Values = tuple[Value, ...]


@dataclass(frozen=True)
class Trial:
    """Cells that one statement can show together; `values` says what each is about.

    `ordered` statements, those of clauses, are compared as whole answers.
    """

    construct: str
    position: str
    values: tuple[str, ...]

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        """The statement for some of the cells."""
        raise NotImplementedError

    def keys(self, cells: Sequence[int]) -> list[tuple[int, ...]] | None:
        """What the first columns of each cell's row hold; None: the rows come in order."""
        return None

    @property
    def alike(self) -> bool:
        """Whether a dialect says or refuses all cells alike."""
        return False


@dataclass(frozen=True)
class Constants(Trial):
    """Every cell is one column of one row."""

    exprs: tuple[ir.Expr, ...]

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        items = tuple(ir.Item(self.exprs[cell], f"r{n}") for n, cell in enumerate(cells))
        return ir.Query((ir.Project(items, final=True),))


@dataclass(frozen=True)
class Variables(Trial):
    """Every cell is one row of an UNWIND; with several slots, of a list of lists."""

    template: ir.Expr
    given: tuple[Values, ...]

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        rows = [self.given[cell] for cell in cells]
        if len(rows[0]) == 1:
            listed = ir.ListOf(tuple(row[0].expr for row in rows))
            unwind = ir.Unwind(listed, "a")
        else:
            entries = (
                ir.MapOf(tuple(ir.Entry(p, v.expr) for p, v in zip(PLACES, row, strict=False)))
                for row in rows
            )
            unwind = ir.Unwind(ir.ListOf(tuple(entries)), "row")
        expr = self.template
        if len(rows[0]) > 1:
            expr = placed(expr, {p: ir.Prop(ir.Var("row"), p) for p in PLACES})
        return ir.Query((unwind, ir.Project((ir.Item(expr, "r"),), final=True)))


@dataclass(frozen=True)
class Withs(Trial):
    """Every cell is one column, its values pass through WITH."""

    template: ir.Expr
    given: tuple[Values, ...]

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        items, results = [], []
        for n, cell in enumerate(cells):
            names = {p: f"{p}{n}" for p in PLACES}
            row = self.given[cell]
            items += [ir.Item(v.expr, names[p]) for p, v in zip(PLACES, row, strict=False)]
            expr = placed(self.template, {p: ir.Var(name) for p, name in names.items()})
            results.append(ir.Item(expr, f"r{n}"))
        return ir.Query((ir.Project(tuple(items)), ir.Project(tuple(results), final=True)))


@dataclass(frozen=True)
class Stored(Trial):
    """Every cell is a row of a MATCH: of one node, or of two."""

    template: ir.Expr
    labels: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...]

    @property
    def alike(self) -> bool:
        return True

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        paths = tuple(
            ir.Path(ir.NodePattern(p, ir.LabelName(label)))
            for p, label in zip(PLACES, self.labels, strict=False)
        )
        names = PLACES[: len(paths)]
        chosen = [self.ids[cell] for cell in cells]
        where = _among(names, chosen, len(cells) == len(self.ids))
        expr = placed(self.template, {p: ir.Prop(ir.Var(p), "v") for p in names})
        items = [ir.Item(ir.Prop(ir.Var(p), "id"), f"{p}_id") for p in names]
        project = ir.Project((*items, ir.Item(expr, "r")), final=True)
        return ir.Query((ir.Match(paths, where), project))

    def keys(self, cells: Sequence[int]) -> list[tuple[int, ...]] | None:
        return [self.ids[cell] for cell in cells]


@dataclass(frozen=True)
class Elements(Trial):
    """Every cell is a row of a MATCH of one edge `e` from `n` to `m`, whose path is `p`."""

    template: ir.Expr
    ids: tuple[tuple[int, ...], ...]

    @property
    def alike(self) -> bool:
        return True

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        ends = (ir.NodePattern("n", ir.LabelName("Whole")), ir.NodePattern("m"))
        step = ir.Step(ir.EdgePattern("e", ir.LabelName("NEXT")), ends[1])
        whole = len(cells) == len(self.ids)
        where = None if whole else _is_one_of("n", [self.ids[cell][0] for cell in cells])
        match = ir.Match((ir.Path(ends[0], (step,), "p"),), where)
        key = ir.Item(ir.Prop(ir.Var("n"), "id"), "n_id")
        return ir.Query((match, ir.Project((key, ir.Item(self.template, "r")), final=True)))

    def keys(self, cells: Sequence[int]) -> list[tuple[int, ...]] | None:
        return [self.ids[cell] for cell in cells]


@dataclass(frozen=True)
class Groups(Trial):
    """Every cell is a group of values under an aggregate; they come from a list, or are stored."""

    template: ir.Expr
    groups: tuple[tuple[Value, ...], ...]
    label: str = ""

    @property
    def alike(self) -> bool:
        return bool(self.label)

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        if self.label:
            count = ir.Literal(len(self.groups))
            key: ir.Expr = ir.Arith(ir.ArithOp.MOD, ir.Prop(ir.Var("n"), "id"), count)
            value = ir.Prop(ir.Var("n"), "v")
            where = None
            if len(cells) < len(self.groups):
                where = ir.In(key, ir.ListOf(tuple(map(ir.Literal, cells))))
            path = ir.Path(ir.NodePattern("n", ir.LabelName(self.label)))
            source: ir.Clause = ir.Match((path,), where)
        else:
            rows = tuple(
                ir.MapOf((ir.Entry("g", ir.Literal(cell)), ir.Entry("v", value.expr)))
                for cell in cells
                for value in self.groups[cell]
            )
            source = ir.Unwind(ir.ListOf(rows), "row")
            key, value = ir.Prop(ir.Var("row"), "g"), ir.Prop(ir.Var("row"), "v")
        items = (ir.Item(key, "g"), ir.Item(placed(self.template, {"a": value}), "r"))
        return ir.Query((source, ir.Project(items, final=True, group=(key,))))

    def keys(self, cells: Sequence[int]) -> list[tuple[int, ...]] | None:
        return [(cell,) for cell in cells]


@dataclass(frozen=True)
class Whole(Trial):
    """One statement is one cell, whose answer is compared as a whole."""

    query: ir.Statement

    def statement(self, cells: Sequence[int]) -> ir.Statement:
        return self.query


def _among(names: Sequence[str], chosen: Sequence[tuple[int, ...]], every: bool) -> ir.Expr | None:
    """The condition that leaves the chosen ids."""
    if len(names) == 1:
        return None if every else _is_one_of("a", [ids[0] for ids in chosen])
    seconds: dict[tuple[int, ...], list[int]] = {}
    for first in dict.fromkeys(ids[0] for ids in chosen):
        seconds.setdefault(tuple(ids[1] for ids in chosen if ids[0] == first), []).append(first)
    if every and len(seconds) == 1:
        return _is_one_of("b", next(iter(seconds)))
    tests = [
        ir.Bool(ir.BoolOp.AND, (_is_one_of("a", firsts), _is_one_of("b", own)))
        for own, firsts in seconds.items()
    ]
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.OR, tuple(tests))


def _is_one_of(name: str, ids: Sequence[int]) -> ir.Expr:
    return ir.In(ir.Prop(ir.Var(name), "id"), ir.ListOf(tuple(map(ir.Literal, ids))))


def placed(template: ir.Expr, values: dict[str, ir.Expr]) -> ir.Expr:
    """The template with expressions in its places."""

    def change(node: ir.Node) -> ir.Node | None:
        return values.get(node.name) if isinstance(node, ir.Var) else None

    return substitute(template, change)


def trials(wanted: Callable[[str], bool] = lambda name: True, seed: int = 0) -> Iterator[Trial]:
    """The whole matrix, construct by construct, or the part whose names are wanted.

    `seed` is that of the values (`qa.conformance.values.pools`).
    """
    every = pools(seed)
    for construct in constructs():
        if wanted(construct.name):
            yield from of_construct(construct, every)
    for name in filter(wanted, ELEMENTS):
        yield from _of_elements(name)
    for name in filter(wanted, AGGREGATES):
        yield from _of_aggregate(name, every)
    for name, label, template, text in statements():
        if wanted(name):
            yield Whole(name, f"clause {label}", (template,), parse(text))


def of_construct(construct: Construct, every: Mapping[str, Pool]) -> Iterator[Trial]:
    """Every trial of one construct."""
    if not construct.slots:
        yield Constants(construct.name, "constant", ("",), (construct.template,))
        return
    for names in construct.combinations():
        chosen = [every[name] for name in names]
        given = tuple(_tuples(chosen))
        texts = tuple(", ".join(v.text for v in row) for row in given)
        sort = " ".join(names)
        exprs = tuple(
            placed(construct.template, {p: v.expr for p, v in zip(PLACES, row, strict=False)})
            for row in given
        )
        name = construct.name
        step = 1 if len(names) == 1 else max(1, len(exprs) // CONSTANTS)
        yield Constants(name, f"constant {sort}", texts[::step], exprs[::step])
        own = construct.template, given[::step]
        yield Variables(name, f"unwind {sort}", texts[::step], *own)
        yield from _stored(construct, names, every)


def _tuples(chosen: list[Pool]) -> Iterator[Values]:
    """Every value of each slot, with values of the others in turn."""
    known = set()
    for slot, pool in enumerate(chosen):
        for n in range(len(pool.values)):
            places = tuple(
                n if other == slot else (n * 5 + other * 3 + slot * 2) % len(chosen[other].values)
                for other in range(len(chosen))
            )
            if places not in known:
                known.add(places)
                yield tuple(pool.values[p] for pool, p in zip(chosen, places, strict=True))


def _stored(
    construct: Construct, names: tuple[str, ...], every: Mapping[str, Pool]
) -> Iterator[Trial]:
    chosen = [every[name] for name in names]
    for slot, pool in enumerate(chosen):
        if pool.type is None:
            continue
        others = [p for n, p in enumerate(chosen) if n != slot]
        for turn in range(min(CORE, *(len(p.values) for p in others)) if others else 1):
            given: dict[str, ir.Expr] = {}
            notes = []
            for n, other in enumerate(chosen):
                if n != slot:
                    value = other.values[(turn * 7 + 3 * n + slot) % len(other.values)]
                    given[PLACES[n]] = value.expr
                    notes.append(f"{PLACES[n]} = {value.text}")
            given[PLACES[slot]] = ir.Var("a")
            template = placed(construct.template, given)
            values = tuple(
                "; ".join((f"{PLACES[slot]} = {pool.values[p].text}", *notes)) for p in pool.kept
            )
            ids = tuple((p,) for p in pool.kept)
            position = f"stored {' '.join(names)} {slot}"
            yield Stored(construct.name, position, values, template, (pool.name,), ids)
    if len(chosen) == 2 and all(pool.type is not None for pool in chosen):
        a, b = chosen
        few = b.kept[:: max(1, len(b.kept) // 3)]
        both = [(p, q) for p in a.kept for q in few]
        values = tuple(f"{a.values[p].text}, {b.values[q].text}" for p, q in both)
        position = f"stored {' '.join(names)}"
        yield Stored(construct.name, position, values, construct.template, names, tuple(both))


def _of_elements(name: str) -> Iterator[Trial]:
    edges = graph().rows["Whole-NEXT-Whole"]
    ids = tuple((row[0],) for row in edges)
    for text in ELEMENTS[name]:
        values = tuple(f"{text}, n.id = {row[0]}" for row in edges)
        yield Elements(name, f"elements {text}", values, expression(text), ids)


def _of_aggregate(name: str, every: Mapping[str, Pool]) -> Iterator[Trial]:
    texts, over = AGGREGATES[name]
    for text in texts:
        empty = f"UNWIND [] AS a RETURN {text} AS r"
        yield Whole(name, "clause empty", (empty,), parse(empty))
    for pool in (every[each] for each in (ANY_POOL if over == ("*",) else over)):
        for text in texts:
            template = expression(text)
            many = len(pool.values)
            groups = tuple(
                (pool.values[n], pool.values[(n * 3 + 1) % many], NULL, pool.values[n])[
                    : n % 5 or 4
                ]
                for n in range(many)
            )
            values = tuple(f"{text}: {', '.join(v.text for v in group)}" for group in groups)
            yield Groups(name, f"groups {pool.name}", values, template, groups)
            if pool.type is None:
                continue
            kept = tuple(
                tuple(pool.values[p] for p in pool.kept if p % GROUPS == n) for n in range(GROUPS)
            )
            if all(kept):
                values = tuple(f"{text}: {', '.join(v.text for v in group)}" for group in kept)
                yield Groups(name, f"stored {pool.name}", values, template, kept, pool.name)
                for where in ("", " WHERE n.id < 0"):
                    stored = text.replace("(a", "(n.v").replace("DISTINCT a", "DISTINCT n.v")
                    query = f"MATCH (n:{pool.name}){where} RETURN {stored} AS r"
                    yield Whole(name, f"clause {pool.name}", (query,), parse(query))


def covered() -> set[str]:
    """Names of functions that have cells."""
    names = {construct.name for construct in constructs()} | set(ELEMENTS) | set(AGGREGATES)
    return names & set(signatures())
