"""The logical level: a user's question, every entity and relation named, no query words."""

from __future__ import annotations

from random import Random

from generators.questions.author import NotExpressible
from generators.questions.describe import Teller
from generators.questions.english import cardinal, listing, plural, sentence
from generators.questions.naming import name_all
from generators.questions.nouns import PropertyWords, is_person
from generators.questions.plan import (
    Block,
    Combined,
    Derived,
    Entity,
    EntityRef,
    Link,
    Plan,
    refs,
)
from generators.questions.rows import connected, grouped_by, ordered, row_entities
from generators.questions.vocabulary import Vocabulary
from generators.questions.wording import unfolded
from graph_ir import nodes as ir
from schemagraph.model import Kind


def logical(plan: Plan, words: Vocabulary, rng: Random) -> str:
    """The question.

    Raises:
        NotExpressible: there is no good way to say it.
    """
    if isinstance(plan, Combined):
        return combined(plan, words, rng)
    name_all(plan)
    return Logical(plan, words, rng).question()


def combined(plan: Combined, words: Vocabulary, rng: Random) -> str:
    """A set operation: "Which names do … and … have in common?"."""
    said = []
    for part in plan.parts:
        if isinstance(part, Combined):
            raise NotExpressible("nested set operations")
        name_all(part)
        said.append(Logical(part, words, rng).wanted())
    end = _window(plan, said[0].columns)
    whole = [f"the {part.columns} of {part.described}" for part in said]
    if plan.kind == "union":
        return sentence(f"list, each only once, {', together with '.join(whole)}{end}")
    if plan.kind == "union all":
        return sentence(f"list {', together with '.join(whole)}{end}")
    if plan.kind == "intersect":
        if len({part.columns for part in said}) == 1:
            things = " and ".join(part.described for part in said)
            return sentence(f"which {said[0].columns} do {things} have in common{end}", "?")
        return sentence(f"which values are both among {' and among '.join(whole)}{end}", "?")
    first, *rest = whole
    return sentence(f"which of {first} are not among {listing(rest, 'or')}{end}", "?")


def _window(plan: Combined, columns: str) -> str:
    said = ""
    if plan.order:
        ways = {key.descending for key in plan.order}
        if len(ways) > 1 or any(not isinstance(key.expr, ir.Var) for key in plan.order):
            raise NotExpressible("an order of several columns")
        said = f", in {'descending' if ways == {True} else 'ascending'} order"
    return said + window(plan.skip, plan.limit)


def window(skip: int | None, limit: int | None) -> str:
    """SKIP and LIMIT: ", leaving out the first three and keeping the next five"."""
    if skip:
        after = f" and keeping the next {_count(limit)}" if limit is not None else ""
        return f", leaving out the first {_count(skip)}{after}"
    return f", keeping only the first {_count(limit)}" if limit is not None else ""


def _count(number: int | None) -> str:
    return "" if number == 1 else cardinal(number or 0)


class Wanted:
    """Results of one side of a set operation: column nouns, and the things they are of."""

    def __init__(self, columns: str, described: str) -> None:
        self.columns = columns
        self.described = described


class Logical:
    """Says one block."""

    teller_class: type[Teller] = Teller

    def __init__(self, block: Block, words: Vocabulary, rng: Random) -> None:
        self.block = block
        self.words = words
        self.rng = rng
        self.teller = self.teller_class(words, block, list(block.outer))
        self.speech = self.teller.speech

    # --- whole questions -----------------------------------------------------------------

    def question(self) -> str:
        """The whole question."""
        before = "".join(self.stage(earlier) for earlier in _stages(self.block))
        if self.block.keys is None:
            return before + self._plain()
        if not self.block.keys:
            return before + self._total()
        return before + self._grouped()

    def wanted(self) -> Wanted:
        """The results as nouns, for a set operation."""
        block = self.block
        if block.previous or block.keys is not None or block.windowed or block.order:
            raise NotExpressible("a set operation of stages")
        root = self._subject()
        if root is None or not self._listable():
            raise NotExpressible("a set operation of results of several things")
        columns = self._columns()
        return Wanted(columns, f"{self.teller.describe(root, 'plural')}{self.teller.tail()}")

    def stage(self, block: Block) -> str:
        """An earlier stage as a sentence of its own, whose results get names."""
        earlier = Logical(block, self.words, self.rng)
        earlier.speech.derived.update(self.speech.derived)
        keys = grouped_by(block)
        if block.keys and block.previous is None and not block.windowed and len(keys) == 1:
            start = earlier._each_key(keys[0])
            measures = [item for item in block.items if not _is_key(item.expr, block)]
            said = listing([earlier.speech.np(item.expr) for item in measures])
            for item in block.items:
                if item in measures:
                    name = earlier.speech.np(item.expr)
                    self.speech.derived[id(block), item.alias] = f"that {_short(name)}"
            self.teller.known += block.entities
            return sentence(f"{start}, work out {said}") + " "
        raise NotExpressible("several stages")

    # --- without aggregates --------------------------------------------------------------

    def _plain(self) -> str:
        block = self.block
        root = self._subject()
        if root is None or not self._listable() or not connected(block) or block.optional:
            return self._each()
        top = self._superlative(root)
        single = self._named(root)
        if single and top is None:
            described = self.teller.describe(root, "each")
            columns = self._columns(one=True)
            verb = self.rng.choice(["give", "show", "find"])
            end = f"{self.teller.tail()}{self._ordering()}"
            if not columns:
                return sentence(f"{verb} {described}{end}")
            return sentence(f"{verb} the {columns} of {described}{end}")
        one = top is not None and block.limit == 1
        columns = self._columns(one=one)
        described = self.teller.describe(root, "plural")
        if top is not None:
            described = self._top(described, root, top)
        else:
            described = f"{self.rng.choice(['', '', 'all '])}{described}"
        end = f"{self.teller.tail()}{'' if top else self._ordering()}"
        if not columns:
            return sentence(f"{self.rng.choice(['find', 'show', 'list'])} {described}{end}")
        opening = self.rng.choice(["what are", "list", "give", "show", "what are"])
        if opening == "what are":
            be = "is" if one and len(block.items) == 1 else "are"
            return sentence(f"what {be} the {columns} of {described}{end}", "?")
        return sentence(f"{opening} the {columns} of {described}{end}")

    def _each(self) -> str:
        """For each of the rows, its results."""
        block = self.block
        roots = self._roots()
        if not roots:
            raise NotExpressible("a query without a pattern")
        if len(roots) == 1:
            described = self.teller.describe(roots[0], "plural")
            end = f"{self.teller.tail()}{self._optional(roots[0])}"
            start = f"for each of the {described}{end}"
            self._owning(roots[0])
        else:
            start = f"for each combination of {self._scene(roots)}"
        verb = self.rng.choice(["give", "show", "list"])
        results = self._results(block.items)
        different = ", without repeating a result" if block.distinct else ""
        return sentence(f"{start}, {verb} {results}{different}{self._ordering()}")

    def _owning(self, entity: Entity) -> None:
        """From here on, "its" is the entity's."""
        if not is_person(entity.noun):
            self.speech.its = entity

    def _scene(self, roots: list[Entity]) -> str:
        """Several roots: "a museum and another museum where …"."""
        said = [self.teller.describe(root, "a") for root in roots]
        others = [e for e in self.block.entities if not self.teller.is_known(e)]
        said += [self.teller.describe(e, "a") for e in others]
        return f"{listing(said)}{self.teller.tail()}{self._optional()}"

    def _subject(self) -> Entity | None:
        """The one entity that all results are properties of, or are."""
        about = ordered(self.block.items)
        links = [t for i in self.block.items for t in refs(i.expr) if isinstance(t, Link)]
        if len(about) == 1 and not links and about[0] in self.block.entities:
            return about[0]
        return None

    def _listable(self) -> bool:
        """Whether all results are properties, or one thing itself."""
        found = [unfolded(item.expr)[0] for item in self.block.items]
        if len(found) == 1 and isinstance(found[0], EntityRef):
            return True
        said = [self.speech.of(e) for e in found if isinstance(e, ir.Prop)]
        return len(said) == len(found) and all(w and w.kind is not Kind.BOOLEAN for w in said)

    def _named(self, root: Entity) -> bool:
        """Whether a condition names the thing, so that one is meant."""
        for condition in self.block.conditions:
            match condition:
                case ir.Compare(ir.CompareOp.EQ, ir.Prop(EntityRef(entity=entity)), ir.Literal()):
                    words = self.speech.of(condition.left)
                    if entity is root and words is not None and words.identity:
                        return True
        return False

    def _columns(self, *, one: bool = False) -> str:
        """What is asked: "names and fees", "" for the things themselves."""
        found = [unfolded(item.expr)[0] for item in self.block.items]
        if any(isinstance(e, EntityRef) for e in found):
            return ""
        said = [words for e in found if (words := self.speech.of(e)) is not None]
        nouns = [w.full if one else _plural_of(w) for w in said]
        different = "different " if self.block.distinct and not one else ""
        return f"{different}{listing(list(dict.fromkeys(nouns)))}"

    def _superlative(self, root: Entity) -> tuple[PropertyWords, bool] | None:
        """The property and direction that picks the top, where a superlative says it."""
        block = self.block
        keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        if not keys or block.limit is None or block.skip or block.distinct:
            return None
        if any(_owner(key.expr) is not root for key in keys[1:]):
            return None
        words = self.speech.of(keys[0].expr)
        inner, _ = unfolded(keys[0].expr)
        match inner:
            case ir.Prop(EntityRef(entity=entity)) if entity is root and words is not None:
                if words.numeric or words.year or words.temporal:
                    return words, keys[0].descending
        return None

    def _top(self, described: str, root: Entity, top: tuple[PropertyWords, bool]) -> str:
        words, descending = top
        noun = plural(root.noun)
        rest = described.removeprefix(noun).strip()
        best = superlative(words, descending=descending)
        keys = [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]
        if len(keys) > 1:
            self.speech.here = root
            ties = ", then ".join(self._sorted_by(key) for key in keys[1:])
            self.speech.here = None
            best = f"{best} (ties broken by {ties})"
        if self.block.limit == 1:
            return f"the {root.noun} with the {best}{f' among the {noun} {rest}' if rest else ''}"
        among = f" among those {rest}" if rest else ""
        return f"the {cardinal(self.block.limit or 0)} {noun} with the {best}{among}"

    # --- aggregates ----------------------------------------------------------------------

    def _total(self) -> str:
        """One row: "how many …", "what is the average … of …"."""
        block = self.block
        if block.having or block.order or block.windowed:
            raise NotExpressible("a filtered total")
        if not block.entities and block.previous is not None:
            said = listing([self.speech.np(item.expr) for item in block.items])
            return sentence(f"what {'is' if len(block.items) == 1 else 'are'} {said}", "?")
        roots = self._roots()
        if len(roots) != 1:
            over = f"over all combinations of {self._scene(roots)}"
        else:
            (root,) = roots
            if len(block.items) == 1:
                counted = self._counted(block.items[0].expr, root)
                if counted:
                    return counted
            if all(self._of_root(item.expr, root) for item in block.items):
                measures = [
                    self.speech.bare_measure(i.expr, owner=False)
                    for i in block.items
                    if isinstance(i.expr, ir.Agg)
                ]
                described = self.teller.describe(root, self.rng.choice(["all", "plural"]))
                be = "is" if len(measures) == 1 else "are"
                text = f"{listing([f'the {m}' for m in measures])} of {described}"
                return sentence(f"what {be} {text}{self.teller.tail()}", "?")
            over = f"over {self.teller.describe(root, 'all')}{self.teller.tail()}{self._optional()}"
        results = self._results(block.items, owner=False)
        be = "is" if len(block.items) == 1 else "are"
        return sentence(f"{over}, what {be} {results}", "?")

    def _of_root(self, expr: ir.Expr, root: Entity) -> bool:
        if not isinstance(expr, ir.Agg) or expr.name in ("count", "collect") or not expr.args:
            return False
        match unfolded(expr.args[0])[0]:
            case ir.Prop(EntityRef(entity=entity)):
                return entity is root
        return False

    def _counted(self, expr: ir.Expr, root: Entity) -> str:
        """A lone count as a question."""
        if not isinstance(expr, ir.Agg) or expr.name != "count":
            return ""
        argument = unfolded(expr.args[0])[0] if expr.args else None
        known = isinstance(argument, EntityRef) and argument.entity is root
        if argument is None or known:
            head = self.teller.head(root, "plural")
            different = "different " if expr.distinct and argument is not None else ""
            described = self.teller.describe(root, "plural").removeprefix(head).strip()
            end = f"{described}{self.teller.tail()}"
            if self.rng.random() < 0.7:
                return sentence(f"how many {different}{head} are there {end}", "?")
            return sentence(f"what is the number of {different}{head} {end}", "?")
        if expr.distinct and isinstance(argument, ir.Prop) and argument.base is not None:
            measure = self.speech.bare_measure(expr).removeprefix("number of ")
            described = self.teller.describe(root, "all")
            return sentence(
                f"how many {measure} are there among {described}{self.teller.tail()}", "?"
            )
        return ""

    def _grouped(self) -> str:
        """One result for each group."""
        block = self.block
        keys = grouped_by(block)
        simple = (
            len(keys) == 1
            and keys[0] in block.entities
            and connected(block)
            and all(self._plain_key(key) for key in block.keys or ())
        )
        if not simple:
            return self._considered()
        (key,) = keys
        _other_way_round(key, block)
        if self._identified(keys):
            ranked = self._ranked(key)
            if ranked:
                return ranked
            start = self._each_key(key)
            having = self._having(", if ")
            self._owning(key)
            verb = self.rng.choice(["give", "show"])
            end = self._ordering()
            return sentence(f"{start}{having}, {verb} {self._results(block.items)}{end}")
        return self._values(key)

    def _each_key(self, key: Entity) -> str:
        described = self.teller.describe(key, "plural")
        end = f"{self.teller.tail()}{self._optional(key)}"
        if self._identified([key]):
            return f"for each of the {described}{end}"
        return f"for each {self._key_nouns()} of {described}{end}"

    def _values(self, key: Entity) -> str:
        """Groups by values: "list every genre of artworks, together with …"."""
        block = self.block
        measures = [i for i in block.items if not _is_key(i.expr, block)]
        shown = [i for i in block.items if i not in measures]
        ranked = self._ranked_values(key) if not measures else ""
        if ranked:
            return ranked
        described = self.teller.describe(key, "plural")
        where = f"{described}{self.teller.tail()}{self._optional(key)}"
        having = self._having(" for which ")
        nouns = self._key_nouns()
        if len(shown) != len(block.keys or ()):
            results = self._results(block.items)
            verb = self.rng.choice(["give", "show"])
            start = f"for each {nouns} of {where}{having}"
            return sentence(f"{start}, {verb} {results}{self._ordering()}")
        results = self._results(measures)
        together = f" together with {results}" if results else ""
        end = self._ordering()
        if "," in where or where.count(" ") > 6 or self.rng.random() < 0.4:
            verb = self.rng.choice(["show", "give", "list"])
            comma = "," if having and together else ""
            return sentence(f"for {where}, {verb} each {nouns}{having}{comma}{together}{end}")
        verb = self.rng.choice(["list every", "show each", "give each", "list each"])
        comma = "," if together else ""
        return sentence(f"{verb} {nouns} of {where}{having}{comma}{together}{end}")

    def _ranked_values(self, key: Entity) -> str:
        """The value with the most: "which genre of artworks has the highest number of …"."""
        measure = self._ranking()
        if not measure or self.block.having:
            return ""
        described = self.teller.describe(key, "plural")
        limit = self.block.limit or 1
        nouns = self._key_nouns()
        if limit == 1:
            return sentence(f"which {nouns} of {described}{self.teller.tail()} has {measure}", "?")
        many = f"{cardinal(limit)} {plural(nouns)}"
        return sentence(f"which {many} of {described}{self.teller.tail()} have {measure}", "?")

    def _ranking(self) -> str:
        """ "the highest number of artworks", where one measure and a limit pick the best."""
        block = self.block
        keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        if len(keys) != 1 or block.limit is None or block.skip:
            return ""
        expr = keys[0].expr
        if not isinstance(expr, ir.Agg) or expr.name not in ("count", "sum", "avg"):
            return ""
        words = self.speech.of(expr)
        if expr.name != "count" and (words is None or words.year):
            return ""
        best = "highest" if keys[0].descending else "lowest"
        return f"the {best} {self.speech.bare_measure(expr)}"

    def _ranked(self, key: Entity) -> str:
        """Things with the highest measure: "of the museums …, give the name of the one with …"."""
        measure = self._ranking()
        if not measure or self.block.having:
            return ""
        own, others = [], []
        for item in self.block.items:
            match unfolded(item.expr)[0]:
                case ir.Prop(EntityRef(entity=entity)) if entity is key:
                    words = self.speech.of(item.expr)
                    assert words is not None  # noqa: S101 - a property has words
                    own.append(words)
                case _:
                    others.append(item)
        if not own:
            return ""
        described = self.teller.describe(key, "plural")
        limit = self.block.limit or 1
        one = "one" if limit == 1 else cardinal(limit)
        columns = listing([w.full if limit == 1 else _plural_of(w) for w in own])
        asked = f"the {columns} of the {one} with {measure}"
        together = f", together with {self._results(others)}" if others else ""
        return sentence(f"of the {described}{self.teller.tail()}, give {asked}{together}")

    def _considered(self) -> str:
        """Groups over several things: "Consider all … For each …"."""
        block = self.block
        roots = self._roots()
        if len(roots) == 1:
            scene = f"all {self.teller.describe(roots[0], 'plural')}{self.teller.tail()}"
            scene += self._optional(roots[0])
        else:
            scene = f"every combination of {self._scene(roots)}"
        keys = grouped_by(block)
        identified = self._identified(keys)
        items = block.items
        if identified:
            names = [e.name for e in keys]
            things = f"combination of {listing(names)}" if len(names) > 1 else names[0]
            start = f"For each {things}"
        else:
            values = [self.speech.np(key) for key in block.keys or ()]
            flags = [value for value in values if value.startswith("whether ")]
            if flags and len(flags) == len(values):
                start = f"Depending on {listing(values)}"
                items = [i for i in block.items if not _is_key(i.expr, block)]
            else:
                start = f"For each combination of {listing(values)}"
                if len(values) == 1:
                    start = f"For each value of {values[0]}"
        having = self._having(", if ")
        results = self._results(items)
        verb = self.rng.choice(["give", "show"])
        before = sentence(f"consider {scene}")
        return f"{before} {start}{having}, {verb} {results}{self._ordering()}."

    def _identified(self, keys: list[Entity]) -> bool:
        """Whether the grouping keys tell one entity from another."""
        for entity in keys:
            own = [k for k in self.block.keys or () if any(r is entity for r in refs(k))]
            whole = any(isinstance(k, EntityRef) for k in own)
            names = {k.key for k in own if isinstance(k, ir.Prop)}
            wanted = self.words.keys(entity.types)
            if not whole and not (wanted and names >= set(wanted)):
                return False
        return bool(keys)

    def _plain_key(self, key: ir.Expr) -> bool:
        inner, _ = unfolded(key)
        if isinstance(inner, EntityRef):
            return True
        words = self.speech.of(inner) if isinstance(inner, ir.Prop) else None
        return words is not None and words.kind is not Kind.BOOLEAN

    def _key_nouns(self) -> str:
        nouns = []
        for key in self.block.keys or ():
            words = self.speech.of(key)
            if words is None:
                raise NotExpressible("a group of things and values")
            nouns.append(words.noun)
        return f"combination of {listing(nouns)}" if len(nouns) > 1 else nouns[0]

    def _having(self, start: str) -> str:
        if not self.block.having:
            return ""
        return f"{start}{listing([self.teller.condition(c) for c in self.block.having])}"

    # --- results, order ------------------------------------------------------------------

    def _results(self, items: list[ir.Item], *, owner: bool = True) -> str:
        """Results as a list; neighbours that one thing owns are said together."""
        said: list[str] = []
        last: Entity | None = None
        for item in items:
            thing = _owner(item.expr)
            if self.speech.its is not None and thing is not self.speech.its:
                self.speech.its = None
            if isinstance(item.expr, ir.Agg) and not owner:
                said.append(f"the {self.speech.bare_measure(item.expr, owner=owner)}")
            else:
                text = self.speech.np(item.expr)
                words = self.speech.of(item.expr)
                joins = said and last is not None and thing is last and words is not None
                if joins and words is not None and words.kind is not Kind.BOOLEAN:
                    said[-1] += f"\0{words.noun}"
                else:
                    said.append(text)
            last = thing
        self.speech.its = None
        parts = [listing(text.split("\0")) for text in said]
        if len(parts) == 2 and any("\0" in text for text in said):
            return ", and ".join(parts)
        return listing(parts)

    def _roots(self) -> list[Entity]:
        """What one result is about."""
        found = row_entities(self.block, optional=False, within_group=False)
        if len(found) > 1 and connected(self.block):
            about = [e for e in ordered(self.block.items) if e in found]
            return (about or found)[:1]
        return found

    def _optional(self, head: Entity | None = None) -> str:
        """Optional parts: ", whether or not they have …"."""
        said = []
        for part in self.block.optional:
            anchors = [
                end
                for link in part.links
                for end in (link.left, link.right)
                if self.teller.is_known(end)
            ]
            if not anchors:
                raise NotExpressible("an optional part of its own")
            anchor = anchors[0]
            known = [e for e in self.teller.known if e is not anchor]
            teller = self.teller.inside(part, known)
            described = teller.describe(anchor, "plural")
            clause = described.removeprefix(teller.head(anchor, "plural")).strip()
            clause = clause.removeprefix("that ").removeprefix("who ")
            self.teller.known += part.entities
            who = "they" if anchor is head else f"the {plural(anchor.name)}"
            said.append(f", whether or not {who} {clause}{teller.tail()}")
        return "".join(said)

    def _ordering(self) -> str:
        """Order and window: ", sorted by … from highest to lowest, keeping only the first five"."""
        keys = [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]
        said = ""
        if keys:
            said = f", sorted by {', then by '.join(self._sorted_by(key) for key in keys)}"
        return said + window(self.block.skip, self.block.limit)

    def _sorted_by(self, key: ir.SortKey) -> str:
        words = self.speech.of(key.expr)
        said = self.speech.np(key.expr)
        if isinstance(key.expr, ir.Agg | ir.Arith | Derived) or words is None:
            way = ("highest", "lowest")
        elif words.temporal or words.year or words.clock:
            way = ("latest", "earliest")
        elif words.kind is Kind.STRING:
            return f"{said} in {'reverse ' if key.descending else ''}alphabetical order"
        else:
            way = ("highest", "lowest")
        first, last = way if key.descending else way[::-1]
        return f"{said} from {first} to {last}"


def _other_way_round(key: Entity, block: Block) -> None:
    """Call the grouped thing by its noun, and what is counted "other", not by a role."""
    if key.name == key.noun:
        return
    for entity in block.entities:
        if entity is not key and entity.name == key.noun:
            entity.name, key.name = f"other {key.noun}", key.noun


def _owner(expr: ir.Expr) -> Entity | None:
    match unfolded(expr)[0]:
        case ir.Prop(EntityRef(entity=entity)):
            return entity
    return None


def _short(name: str) -> str:
    """How an earlier result is taken up again: "that number"."""
    return name.removeprefix("the ").partition(" of ")[0]


def _stages(block: Block) -> list[Block]:
    found = []
    while block.previous is not None:
        block = block.previous
        found.append(block)
    return found[::-1]


def _is_key(expr: ir.Expr, block: Block) -> bool:
    return any(expr == key or expr is key for key in block.keys or ())


def _plural_of(words: PropertyWords) -> str:
    noun = words.noun if words.plural else plural(words.noun)
    return f"{noun} in {words.unit}" if words.unit else noun


def superlative(words: PropertyWords, *, descending: bool) -> str:
    """ "highest fee", "most visitors", "earliest opening date"."""
    if words.temporal or words.year:
        return f"{'latest' if descending else 'earliest'} {words.noun}"
    if words.plural:
        return f"{'most' if descending else 'fewest'} {words.noun}"
    return f"{'highest' if descending else 'lowest'} {words.noun}"
