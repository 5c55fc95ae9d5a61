"""The syntactic level: an engineer's words, clause by clause as the query has them."""

from __future__ import annotations

from random import Random

from generators.questions.analysis import words_of
from generators.questions.author import NotExpressible
from generators.questions.describe import Teller
from generators.questions.english import a, listing, sentence
from generators.questions.naming import name_all
from generators.questions.nouns import PropertyWords
from generators.questions.plan import (
    Block,
    Combined,
    Entity,
    EntityRef,
    Link,
    LinkRef,
    Plan,
    refs,
)
from generators.questions.relations import Predicate
from generators.questions.speech import Speech
from generators.questions.vocabulary import Vocabulary
from generators.questions.wording import unfolded
from graph_ir import nodes as ir


class Raw(Vocabulary):
    """Properties under the names they have in the query."""

    def property(self, types: tuple[str, ...], key: str, owner: str = "") -> PropertyWords:  # type: ignore[override] # callers pass tuples
        """The property's name itself."""
        known = super().property(types, key, owner)
        return PropertyWords(key, known.kind, year=known.year, reference=known.reference, raw=True)

    def referred(self, types: tuple[str, ...], key: str) -> str:  # type: ignore[override]
        """Nothing: an engineer speaks of the property."""
        return ""


def syntactic(plan: Plan, words: Vocabulary, rng: Random) -> str:
    """The question.

    Raises:
        NotExpressible: there is no good way to say it.
    """
    raw = Raw(words.schema, words.lexicon)
    if isinstance(plan, Combined):
        return _combined(plan, raw, rng)
    name_all(plan)
    return sentence(Engineer(plan, raw, rng).steps())


def _combined(plan: Combined, words: Raw, rng: Random) -> str:
    parts = []
    for part in plan.parts:
        if isinstance(part, Combined):
            raise NotExpressible("nested set operations")
        name_all(part)
        parts.append(Engineer(part, words, rng).steps())
    if plan.kind in ("union", "union all"):
        kind = "UNION ALL, which keeps duplicates" if plan.kind == "union all" else "UNION"
        said = f"; then {'; then '.join(parts[1:])}; combine the results with {kind}"
        said = f"{parts[0]}{said}"
    else:
        keep = "in both branches" if plan.kind == "intersect" else "in the first branch only"
        one, two = parts
        said = f"in a subquery, run two branches with UNION ALL: first, {one}; second, {two}; "
        said += f"then group by the returned values and keep those that occur {keep}"
    if plan.order:
        keys = [k for k in plan.order if isinstance(k.expr, ir.Var)]
        if len(keys) != len(plan.order):
            raise NotExpressible("an order of expressions")
        shown = listing(
            [
                f"{k.expr.name} {'descending' if k.descending else 'ascending'}"
                for k in keys
                if isinstance(k.expr, ir.Var)
            ],
            "then",
        )
        said += f", ordered by {shown}"
    return sentence(said + _window(plan.skip, plan.limit))


def _window(skip: int | None, limit: int | None) -> str:
    said = f", skip {skip}" if skip else ""
    return said + (f", limit {limit}" if limit is not None else "")


class EngineerSpeech(Speech):
    """Aggregates under their names; conditions as in the query."""

    def bare_measure(self, agg: ir.Agg, *, owner: bool = True) -> str:
        """ "count of rows", "average of the artwork's insured_value"."""
        distinct = "distinct values of " if agg.distinct else ""
        if agg.name == "count" and not agg.args:
            return "count of rows"
        names = {"avg": "average", "min": "minimum", "max": "maximum", "collect": "list"}
        if len(agg.args) != 1:
            raise NotExpressible(f"{agg.name}()")
        return f"{names.get(agg.name, agg.name)} of {distinct}{self.np(agg.args[0])}"

    def scalar(self, block: Block, expr: ir.Expr) -> str:
        """The one value of a subquery."""
        outer, self.block = self.block, block
        try:
            if not isinstance(expr, ir.Agg):
                return super().scalar(block, expr)
            scene = self.subquery(block, "all")
            return f"{self.measure(expr)} over {scene}"
        finally:
            self.block = outer

    def nullness(self, *, known: bool) -> str:
        """IS NULL."""
        return "is not null" if known else "is null"


class EngineerTeller(Teller):
    """Patterns as nodes and edges."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.speech = EngineerSpeech(self.words, self.subquery, self.existence)
        self.speech.block = self.block
        self.speech.flags = False
        self.deferred = False

    def who(self, entity: Entity) -> str:
        """Nodes are things."""
        return "that"

    def head(self, entity: Entity, det: str) -> str:
        """ "Museum nodes", "a Museum node (the lender)"."""
        labels = entity.label or " or ".join(entity.types) or "any"
        named = "" if entity.name == entity.noun else f" (the {entity.name})"
        if det in ("plural", "all"):
            return f"{'all ' if det == 'all' else ''}{labels} nodes{named}"
        node = f"{labels} node"
        return f"{a(node) if det == 'a' else f'{det} {node}'}{named}"

    def predicate(self, link: Link, entity: Entity) -> Predicate:
        """ "has a HAS_OWNER edge to {}"."""
        forward = entity is link.source if link.left is not link.right else True
        return edge_predicate(link, forward=forward)

    def _own(self, entity: Entity, *, many: bool) -> tuple[list[str], list[str]]:
        """Conditions wait for WHERE, except inside subqueries."""
        return ([], []) if self.deferred else super()._own(entity, many=many)


def edge_predicate(link: Link, *, forward: bool) -> Predicate:
    """An edge pattern in an engineer's words."""
    edge = link.edge
    label = f"{_labels(edge.types)} " if edge.types is not None else ""
    way = "to" if forward else "from"
    if edge.hops is not None:
        hops = edge.hops
        many = f"{hops.lo} or more" if hops.hi is None else f"{hops.lo} to {hops.hi}"
        if hops.lo == hops.hi:
            many = f"exactly {hops.lo}"
        towards = "to or from" if edge.direction is ir.Direction.BOTH else way
        said = f"a path of {many} {label}edges {towards} {{}}"
    elif edge.direction is ir.Direction.BOTH:
        said = f"{a(f'{label}edge')} in either direction to {{}}"
    elif forward:
        said = f"{a(f'{label}edge')} to {{}}"
    else:
        said = f"an incoming {label}edge from {{}}"
    return Predicate(f"has {said}", f"have {said}")


def _labels(types: ir.LabelExpr | None) -> str:
    words_of(types)
    match types:
        case ir.LabelName(name):
            return name
        case ir.LabelOr(args):
            return "|".join(arg.name for arg in args if isinstance(arg, ir.LabelName))
    raise NotExpressible("edge type expression")


class Engineer:
    """Says one block as steps."""

    def __init__(self, block: Block, words: Raw, rng: Random, inner: Engineer | None = None):
        self.block = block
        self.words = words
        self.rng = rng
        self.teller = EngineerTeller(words, block, list(block.outer))
        self.teller.deferred = True
        self.speech = self.teller.speech
        for link in block.every_link():
            link.name = f"{_labels(link.edge.types)} edge" if link.edge.types else "edge"
        if inner is not None:
            self.speech.derived.update(inner.speech.derived)

    def steps(self) -> str:
        """The whole query, without a final mark."""
        block = self.block
        before = self._before()
        if not block.entities and block.previous is not None:
            return f"{before}return {self._items()}{self._order()}"
        late = [e for part in block.optional for e in part.every_entity()]
        after = [c for c in self.teller.open_conditions if any(r in late for r in refs(c))]
        self.teller.open_conditions = [
            c for c in self.teller.open_conditions if not any(c is other for other in after)
        ]
        said = f"{before}match {self._scene()}{self._where(self.teller)}"
        said += "".join(self._optional(part) for part in block.optional)
        if after:
            said += f"; keep rows where {listing([self.teller.condition(c) for c in after])}"
        said += self._result()
        return said + self._order()

    def _before(self) -> str:
        previous = self.block.previous
        if previous is None:
            return ""
        earlier = Engineer(previous, self.words, self.rng)
        said = earlier.steps()
        self.teller.known += previous.every_entity()
        for item in previous.items:
            name = earlier.speech.np(item.expr)
            if not isinstance(item.expr, EntityRef | LinkRef):
                self.speech.derived[id(previous), item.alias] = name
        head, _, tail = said.rpartition("return ")
        return f"{head}carry on with {tail}; then, over these rows, "

    def _scene(self) -> str:
        """All patterns, one for each connected part."""
        said = []
        for entity in self.block.entities:
            if not self.teller.is_known(entity):
                said.append(self.teller.describe(entity, "plural"))
        return listing(said, "and separately")

    def _where(self, teller: Teller) -> str:
        rest = teller.rest()
        return f" where {listing(rest)}" if rest else ""

    def _optional(self, part: Block) -> str:
        teller = EngineerTeller(self.words, part, list(self.teller.known))
        teller.deferred = True
        anchors = [e for link in part.links for e in (link.left, link.right) if teller.is_known(e)]
        if not anchors:
            raise NotExpressible("an optional part of its own")
        teller.known = [e for e in teller.known if e is not anchors[0]]
        head = teller.head(anchors[0], "plural")
        described = teller.describe(anchors[0], "plural").removeprefix(head).strip()
        self.teller.known += part.entities
        pattern = described.removeprefix("that have ")
        who = self.speech.the(anchors[0])
        return f"; optionally match, for {who}, {pattern}{self._where(teller)}"

    def _result(self) -> str:
        block = self.block
        said = ""
        if block.keys:
            keys = [ir.Item(key, "") for key in block.keys]
            said += f"; group by {self._columns(keys)}"
        if block.having:
            kept = listing([self.teller.condition(c) for c in block.having])
            said += f"{' and' if block.keys else ';'} keep groups where {kept}"
        distinct = "distinct " if block.distinct else ""
        start = self.rng.choice(["; return", ", and return", "; then return"])
        if said:
            start = "; return"
        return f"{said}{start} {distinct}{self._items()}"

    def _items(self) -> str:
        return self._columns(self.block.items)

    def _columns(self, items: list[ir.Item]) -> str:
        """Result columns; properties of one node stand together."""
        said: list[str] = []
        last: object = None
        for item in items:
            inner, _ = unfolded(item.expr)
            owner = next(iter(refs(inner)), None) if isinstance(inner, ir.Prop) else None
            text = self.speech.np(item.expr)
            if owner is not None and owner is last and isinstance(inner, ir.Prop):
                said[-1] += f"\0{inner.key}"
            else:
                said.append(text)
            last = owner
        parts = [listing(text.split("\0")) for text in said]
        if len(parts) == 2 and any("\0" in text for text in said):
            return ", and ".join(parts)
        return listing(parts)

    def _order(self) -> str:
        block = self.block
        said = ""
        if block.order:
            keys = [self._key(key) for key in block.order]
            said = f", ordered by {', then by '.join(keys)}"
        return said + _window(block.skip, block.limit)

    def _key(self, key: ir.SortKey) -> str:
        if isinstance(key.expr, ir.IsNull):
            last = key.expr.negated is key.descending
            return f"{self.speech.np(key.expr.arg)} with nulls {'last' if last else 'first'}"
        way = "descending" if key.descending else "ascending"
        return f"{self.speech.np(key.expr)} in {way} order"
