"""The business level: an analyst's goal; how things are linked is left out, no value is."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from generators.questions.author import NotExpressible
from generators.questions.compact import MORE, Compact, role_of
from generators.questions.english import a, cardinal, listing, plural, sentence
from generators.questions.logical import Logical, superlative, window
from generators.questions.naming import name_all
from generators.questions.nouns import PropertyWords
from generators.questions.plan import Block, Combined, Entity, EntityRef, Link, Plan, refs
from generators.questions.rows import connected, grouped_by, row_entities
from generators.questions.vocabulary import Vocabulary
from generators.questions.wording import FLIPPED, constant, unfolded
from graph_ir import nodes as ir


@dataclass(frozen=True, slots=True)
class Business:
    """The question, and what it leaves for the reader to know, as sentences."""

    text: str
    notes: tuple[str, ...] = ()


def business(plan: Plan, words: Vocabulary, rng: Random) -> Business:
    """The question.

    Raises:
        NotExpressible: there is no good way to say it.
    """
    if isinstance(plan, Combined):
        return _combined(plan, words, rng)
    name_all(plan)
    analyst = Analyst(plan, words, rng)
    text = analyst.question()
    return Business(text, tuple(analyst.notes))


def _combined(plan: Combined, words: Vocabulary, rng: Random) -> Business:
    said, notes = [], []
    for part in plan.parts:
        if isinstance(part, Combined):
            raise NotExpressible("nested set operations")
        name_all(part)
        analyst = Analyst(part, words, rng)
        said.append(analyst.wanted())
        notes += analyst.notes
    if plan.order:
        way = "descending" if plan.order[0].descending else "ascending"
        end = f", in {way} order"
    else:
        end = ""
    end += window(plan.skip, plan.limit)
    columns = said[0].columns
    things = [part.described for part in said]
    same = len({part.columns for part in said}) == 1
    if plan.kind in ("union", "union all"):
        each = "" if plan.kind == "union" else ", repeats included"
        if same:
            text = f"which {columns} do we find for {' or for '.join(things)}{each}{end}"
        else:
            whole = [f"the {part.columns} for {part.described}" for part in said]
            return Business(sentence(f"pull together {listing(whole)}{each}{end}"), tuple(notes))
    elif plan.kind == "intersect":
        if same:
            text = f"which {columns} do we find both for {' and for '.join(things)}{end}"
        else:
            whole = [f"among the {part.columns} of {part.described}" for part in said]
            text = f"which values are both {' and '.join(whole)}{end}"
    else:
        others = listing(things[1:], "or")
        text = f"which {columns} do we find for {things[0]} but not for {others}{end}"
    return Business(sentence(text, "?"), tuple(notes))


class Analyst(Logical):
    """Says one block as a goal."""

    teller: Compact
    teller_class = Compact

    @property
    def notes(self) -> list[str]:
        """What was left out, as sentences without capital and mark."""
        found = list(self.teller.notes)
        for expr, name in self.speech.cases:
            if isinstance(expr, ir.Case):
                found.insert(0, f"{name} is {self.speech.case(expr)}")
        return list(dict.fromkeys(found))

    def _spoken(self, *entities: Entity | None) -> None:
        """Entities that results or order name, so that modifiers need not."""
        about = [e for i in self.block.items for e in refs(i.expr) if isinstance(e, Entity)]
        about += [e for k in self.block.order for e in refs(k.expr) if isinstance(e, Entity)]
        self.teller.spoken = [*about, *(e for e in entities if e is not None)]

    # --- without aggregates --------------------------------------------------------------

    def _plain(self) -> str:
        block = self.block
        root = self._subject()
        if root is None or not self._listable() or not connected(block):
            return self._each()
        self._spoken(root)
        found = [unfolded(item.expr)[0] for item in block.items]
        columns = [self.speech.of(e) for e in found if isinstance(e, ir.Prop)]
        names = [w for w in columns if w is not None and w.identity]
        others = [w for w in columns if w is not None and not w.identity]
        top = self._superlative(root)
        if top is not None:
            return self._best(root, top, names, others)
        described = self.teller.describe(root, "plural")
        extra = self._optional(root)
        end = f"{extra}{self._ranked_by(root)}"
        tail = self.teller.tail()
        if block.distinct and columns:
            return self._range(described + tail, columns, end)
        if names and not others:
            ways = ["which {} are there", "which {} do we have", "name {}", "which {} are there"]
            if is_first_person(root):
                ways = ["who are {}", "name {}"]
            return _ask(self.rng.choice(ways), f"{described}{tail}{end}", the=True)
        if not columns:
            return _ask("show everything on {}", f"{described}{tail}{end}")
        if self._named(root):
            return self._known(described + tail, others or names, end)
        if names:
            theirs = listing([_plural(w) for w in others])
            way = self.rng.choice(
                ["which {} are there, and what are their ", "give an overview of {} with their "]
            )
            return _ask(way, f"{described}{tail}", after=f"{theirs}{end}")
        wanted = listing([_plural(w) for w in others])
        ways = [f"what are the {wanted} of {{}}", f"what {wanted} do we have on record for {{}}"]
        return _ask(self.rng.choice(ways), f"{described}{tail}{end}")

    def _known(self, described: str, columns: list[PropertyWords], end: str) -> str:
        nouns = [w.full for w in columns]
        ways = [
            f"what do we know about the {listing(nouns)} of {{}}",
            f"look up the {listing(nouns)} of {{}}",
        ]
        return _ask(self.rng.choice(ways), f"{described}{end}")

    def _range(self, described: str, columns: list[PropertyWords | None], end: str) -> str:
        nouns = listing([_plural(w) for w in columns if w is not None])
        ways = [f"which {nouns} occur among {{}}", f"what range of {nouns} do we see among {{}}"]
        return _ask(self.rng.choice(ways), f"{described}{end}")

    def _best(
        self,
        root: Entity,
        top: tuple[PropertyWords, bool],
        names: list[PropertyWords],
        others: list[PropertyWords],
    ) -> str:
        """ "which five museums have the most annual visitors, and …"."""
        words, descending = top
        limit = self.block.limit or 1
        described = self.teller.describe(root, "plural")
        best = superlative(words, descending=descending)
        keys = [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]
        ties = ""
        if len(keys) > 1:
            self.speech.here = root
            ties = f" (ties broken by {', then '.join(self._sorted_by(k) for k in keys[1:])})"
            self.speech.here = None
        tail = self.teller.tail()
        asked = [w for w in others if w.noun != words.noun]
        if limit == 1:
            single = self._singular(root, described)
            if not names:
                nouns = listing([w.full for w in others])
                return _ask(f"what is the {nouns} of the {{}} with the {best}{ties}", single + tail)
            also = f", and what is its {listing([w.full for w in asked])}" if asked else ""
            if not asked and words in others:
                also = ", and how much is it" if words.numeric else ", and which one is it"
                if words.temporal or words.year:
                    also = ", and when is that"
            return _ask(f"which {{}} has the {best}{ties}{also}", single + tail)
        also = f", and what are their {listing([_plural(w) for w in asked])}" if asked else ""
        if not asked and words in others:
            also = f", and what are their {_plural(words)}"
        if not names:
            nouns = listing([_plural(w) for w in others])
            start = f"what are the {nouns} of the {cardinal(limit)} {{}} with the {best}{ties}"
            return _ask(start, described + tail)
        start = f"which {cardinal(limit)} {{}} have the {best}{ties}{also}"
        return _ask(start, described + tail)

    def _singular(self, root: Entity, described: str) -> str:
        return described.replace(plural(root.noun), root.noun, 1)

    def _ranked_by(self, root: Entity) -> str:
        keys = [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]
        if not keys and not self.block.windowed:
            return ""
        return self._ordering()

    def _each(self) -> str:
        """Results of several things."""
        block = self.block
        roots = self._roots()
        if not roots:
            raise NotExpressible("a query without a pattern")
        self._spoken()
        if len(roots) == 1:
            described = self.teller.describe(roots[0], "plural")
            where = f"{described}{self.teller.tail()}{self._optional(roots[0])}"
        else:
            where = f"pairs of {self._scene(roots)}"
        results = self._results(block.items)
        ways = ["for {}, what are ", "looking at {}, give ", "give an overview of {}, with "]
        way = self.rng.choice(ways)
        different = ", without repeats" if block.distinct else ""
        return _ask(way, where, after=f"{results}{different}{self._ordering()}")

    # --- aggregates ----------------------------------------------------------------------

    def _total(self) -> str:
        block = self.block
        if block.having or block.order or block.windowed or block.optional:
            raise NotExpressible("a filtered total")
        if not block.entities and block.previous is not None:
            return super()._total()
        roots = self._roots()
        if len(roots) != 1:
            over = f"pairs of {self._scene(roots)}"
            return _ask("across {}, what are ", over, after=self._results(block.items, owner=False))
        (root,) = roots
        self._spoken(root)
        if len(block.items) == 1 and self._counts(block.items[0].expr, root):
            described = self.teller.describe(root, "plural") + self.teller.tail()
            ways = ["how many {} are there", "how many {} do we have", "how many {} are on record"]
            return _ask(self.rng.choice(ways), described)
        described = self.teller.describe(root, "plural")
        where = described + self.teller.tail()
        results = self._results(block.items, owner=False)
        many = len(block.items) > 1
        way = self.rng.choice(["across", "over", "for"])
        return _ask(f"what {'are' if many else 'is'} {results} {way} {{}}", where)

    def _counts(self, expr: ir.Expr, root: Entity) -> bool:
        match expr:
            case ir.Agg("count", ()):
                return True
            case ir.Agg("count", (EntityRef(entity=entity),)):
                return entity is root and not expr.distinct
        return False

    # --- groups --------------------------------------------------------------------------

    def _grouped(self) -> str:
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
        _other_first(key, block)
        identified = self._identified(keys) or self._by_name()
        counted = self._counted_thing(key)
        if counted is None:
            return self._measured(key, identified=identified)
        return self._per(key, counted, identified=identified)

    def _by_name(self) -> bool:
        keys = [self.speech.of(key) for key in self.block.keys or ()]
        return len(keys) == 1 and keys[0] is not None and keys[0].identity

    def _counted_thing(self, key: Entity) -> Entity | None:
        """What is counted, where the only measure is a count of one kind of thing."""
        aggregates = [e for e in self._measures() if isinstance(e, ir.Agg)]
        if not aggregates or any(e != aggregates[0] for e in aggregates):
            return None
        (agg, *_) = aggregates
        if agg.name != "count" or agg.distinct:
            return None
        if not agg.args:
            rows = row_entities(self.block)
            return rows[0] if len(rows) == 1 and rows[0] is not key else None
        inner, _ = unfolded(agg.args[0])
        match inner:
            case EntityRef(entity=entity) if entity is not key:
                return entity
            case ir.Prop(EntityRef(entity=entity), name) if name in self.words.keys(entity.types):
                return entity if entity is not key else None
        return None

    def _measures(self) -> list[ir.Expr]:
        block = self.block
        exprs = [item.expr for item in block.items]
        exprs += [key.expr for key in block.order if not isinstance(key.expr, ir.IsNull)]
        for condition in block.having:
            match condition:
                case ir.Compare(_, left, right):
                    exprs += [left, right]
                case _:
                    raise NotExpressible("a filter on groups")
        return [e for e in exprs if not _is(e, block.keys or []) and constant(e) is None]

    def _per(self, key: Entity, counted: Entity, *, identified: bool) -> str:
        """Counting one thing for another: "which museums have more than five loans"."""
        block = self.block
        optional = next((p for p in block.optional if counted in p.entities), None)
        links = [*block.links, *(optional.links if optional else [])]
        way = path(links, key, counted)
        if way is None or [p for p in block.optional if p is not optional]:
            raise NotExpressible("a count over parts that are not linked")
        self._spoken(key, counted)
        described, things = self._both(key, counted, way, optional)
        having = self._bound()
        shown = any(isinstance(item.expr, ir.Agg) for item in block.items)
        extra = self._extra(key)
        ranking = self._ranking()
        noun = plural(key.noun)
        if not identified:
            return self._by_value(key, described, things, having, shown=shown)
        if ranking and not having:
            limit = block.limit or 1
            most = "most" if _descending(block) else "fewest"
            also = self._also(extra, shown=shown, one=limit == 1)
            if limit == 1:
                single = described.replace(noun, key.noun, 1)
                return _ask(f"which {{}} has the {most} {things}{also}", single)
            return _ask(f"which {cardinal(limit)} {{}} have the {most} {things}{also}", described)
        order = self._sorting(things)
        if having:
            also = self._also(extra, shown=shown, one=False)
            return _ask(f"which {{}} have {having} {things}{also}{order}", described)
        none = ", even if none" if optional else ""
        with_ = f", and what are their {extra}" if extra else ""
        single = described.replace(noun, key.noun, 1)
        ways = [f"how many {things} does each {{}} have{none}{with_}{order}"]
        if not extra and not none:
            ways.append(f"how do {{}} compare by the number of {things}{order}")
        pick = self.rng.randrange(len(ways))
        return _ask(ways[pick], described if pick else single)

    def _also(self, extra: str, *, shown: bool, one: bool) -> str:
        said = ", and how many" if shown else ""
        if extra:
            said += f", and what {'is its' if one else 'are their'} {extra}"
        return said

    def _extra(self, key: Entity) -> str:
        """Columns of the grouped thing beyond its name and key."""
        nouns = []
        for item in self.block.items:
            match unfolded(item.expr)[0]:
                case ir.Prop(EntityRef(entity=entity)) if entity is key:
                    words = self.speech.of(item.expr)
                    if words is not None and not words.identity:
                        nouns.append(_plural(words))
                case ir.Agg():
                    continue
                case _:
                    raise NotExpressible("results beside a count")
        return listing(nouns)

    def _by_value(
        self, key: Entity, described: str, things: str, having: str, *, shown: bool
    ) -> str:
        """Groups by values of something linked: "how many artworks are there per country"."""
        block = self.block
        nouns = self._key_nouns()
        modified = described.removeprefix(plural(key.noun)).strip()
        of = f"{key.noun} {nouns}" if key.noun.split()[-1] not in nouns.split() else nouns
        where = f" of {described}" if modified else ""
        per = nouns if modified else of
        order = self._sorting(things)
        if having:
            many = ", and how many is that for each" if shown else ""
            text = f"which {plural(per)}{where} account for {having} {things}{many}{order}"
            return sentence(text, "?")
        ranking = self._ranking()
        if ranking:
            most = "most" if _descending(block) else "fewest"
            limit = block.limit or 1
            head = f"{cardinal(limit)} {plural(per)}" if limit > 1 else per
            verb = "account" if limit > 1 else "accounts"
            many = ", and how many" if shown else ""
            return sentence(f"which {head}{where} {verb} for the {most} {things}{many}", "?")
        return sentence(f"how many {things} are there per {per}{where}{order}", "?")

    def _both(
        self, key: Entity, counted: Entity, way: list[Link], optional: Block | None
    ) -> tuple[str, str]:
        """Both things described; what lies between them goes to the counted one."""
        teller = self.teller
        if optional is not None:
            teller.open_links += optional.links
            teller.open_conditions += optional.conditions
        teller.open_links = [k for k in teller.open_links if not any(k is w for w in way)]
        teller.known += [key, counted]
        described = teller.dressed(key, teller.modifiers(key), "plural")
        mods = teller.modifiers(counted)
        between = self._between(way, key, counted)
        for entity in between:
            teller.known.append(entity)
            more = teller.modifiers(entity)
            if more:
                mods.after.append(f"with {teller.dressed(entity, more, 'a')}")
        if between:
            names = listing([plural(e.noun) for e in between])
            one, two = plural(key.noun), plural(counted.noun)
            teller.notes.append(f"{one} and {two} are connected through {names}")
        things = teller.dressed(counted, mods, "plural")
        role = role_of(way[-1], counted) if len(way) == 1 else ""
        if role and role != key.noun:
            things += f" as {role}"
        rest = teller.rest()
        if rest:
            things += f" where {listing(rest)}"
        return described, things

    @staticmethod
    def _between(way: list[Link], key: Entity, counted: Entity) -> list[Entity]:
        found: list[Entity] = []
        here = key
        for link in way:
            here = link.other(here)
            if here is not counted:
                found.append(here)
        return found

    def _bound(self) -> str:
        """HAVING count(*) > 5 as "more than five"."""
        said = []
        for condition in self.block.having:
            match condition:
                case ir.Compare(op, ir.Agg("count"), ir.Literal(int() as number)):
                    said.append(f"{MORE[op]} {cardinal(number)}")
                case ir.Compare(op, ir.Literal(int() as number), ir.Agg("count")):
                    said.append(f"{MORE[FLIPPED[op]]} {cardinal(number)}")
                case _:
                    raise NotExpressible("a filter on groups")
        return listing(said)

    def _measured(self, key: Entity, *, identified: bool) -> str:
        """Averages, totals and the like for each value or thing."""
        block = self.block
        if block.optional:
            raise NotExpressible("optional parts beside measures")
        self._spoken(key)
        rows = row_entities(block)
        root = key if key in rows or not rows else rows[0]
        measures = [i.expr for i in block.items if not _is(i.expr, block.keys or [])]
        if root is key:
            described = self.teller.describe(key, "plural") + self.teller.tail()
            things = ""
        else:
            way = path(block.links, key, root)
            if way is None:
                raise NotExpressible("measures over parts that are not linked")
            described, things = self._both(key, root, way, None)
        if identified:
            extra = [e for e in measures if not isinstance(e, ir.Agg)]
            if extra:
                raise NotExpressible("columns beside measures")
            per = described.replace(plural(key.noun), key.noun, 1)
            whose, where = per, f" for {things}" if things else ""
        else:
            whose = self._key_nouns()
            modified = described.removeprefix(plural(key.noun)).strip()
            where = f" of {described}" if modified or not things else ""
            where = f" for {things}{where}" if things else where
            if where == f" of {plural(key.noun)}":
                where = ""
                whose = f"{key.noun} {whose}" if things else whose
                where = f" for {described}" if not things else f" for {things}"
        measured = listing([self._measure(e) for e in measures if isinstance(e, ir.Agg)])
        having = self._having_measured()
        ranking = self._ranking()
        if ranking and not having:
            limit = block.limit or 1
            head = whose if limit == 1 else f"{cardinal(limit)} {plural(whose)}"
            verb = "has" if limit == 1 else "have"
            also = ", and what is it" if measured else ""
            return sentence(f"which {head}{where} {verb} {self._ranking_words()}{also}", "?")
        order = self._sorting("")
        if having:
            shown = f", and what are {measured}" if measured else ""
            return sentence(f"which {plural(whose)}{where} have {having}{shown}{order}", "?")
        if not measured:
            return sentence(f"which {plural(whose)} do we see{where}{order}", "?")
        verb = "are" if " and " in measured else "is"
        ways = [f"what {verb} {measured} per {whose}{where}{order}"]
        ways.append(
            f"how {'do' if verb == 'are' else 'does'} {measured} vary by {whose}{where}{order}"
        )
        return sentence(self.rng.choice(ways), "?")

    def _measure(self, agg: ir.Agg) -> str:
        return f"the {self.speech.bare_measure(agg, owner=False)}"

    def _ranking_words(self) -> str:
        (key,) = [k for k in self.block.order if not isinstance(k.expr, ir.IsNull)]
        assert isinstance(key.expr, ir.Agg)  # noqa: S101 - _ranking says so
        best = "highest" if key.descending else "lowest"
        return f"the {best} {self.speech.bare_measure(key.expr, owner=False)}"

    def _having_measured(self) -> str:
        said = []
        for condition in self.block.having:
            match condition:
                case ir.Compare(op, ir.Agg() as agg, ir.Literal(int() | float() as number)):
                    words = self.speech.of(agg)
                    measure = self.speech.bare_measure(agg, owner=False)
                    if agg.name == "count":
                        measure = measure.removeprefix("number of ")
                        said.append(f"{MORE[op]} {cardinal(int(number))} {measure}")
                        continue
                    shown = constant(condition.right)
                    assert shown is not None  # noqa: S101 - a literal is one
                    bound = _BOUND[op].format(shown.text(words))
                    said.append(f"{a(measure)} {bound}")
                case _:
                    raise NotExpressible("a filter on groups")
        return listing(said)

    def _sorting(self, things: str) -> str:
        """The order of groups."""
        block = self.block
        keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        said = []
        for key in keys:
            if isinstance(key.expr, ir.Agg) and key.expr.name == "count":
                said.append(f"{'largest' if key.descending else 'smallest'} number first")
            elif isinstance(key.expr, ir.Agg):
                said.append(f"{'highest' if key.descending else 'lowest'} value first")
            else:
                words = self.speech.of(key.expr)
                if words is None:
                    raise NotExpressible("an order of groups")
                way = "in reverse alphabetical order" if key.descending else "in alphabetical order"
                if words.kind.value != "STRING":
                    way = "in descending order" if key.descending else "in ascending order"
                said.append(f"{words.noun} {way}")
        return (f", {', then '.join(said)}" if said else "") + window(block.skip, block.limit)


_BOUND = {
    ir.CompareOp.EQ: "of {}",
    ir.CompareOp.NE: "other than {}",
    ir.CompareOp.GT: "above {}",
    ir.CompareOp.GE: "of at least {}",
    ir.CompareOp.LT: "below {}",
    ir.CompareOp.LE: "of at most {}",
}


def path(links: list[Link], start: Entity, end: Entity) -> list[Link] | None:
    """The links from one entity to another, the fewest."""
    ways: list[tuple[Entity, list[Link]]] = [(start, [])]
    seen = {id(start)}
    while ways:
        here, way = ways.pop(0)
        if here is end:
            return way
        for link in links:
            if here is link.left or here is link.right:
                other = link.other(here)
                if id(other) not in seen:
                    seen.add(id(other))
                    ways.append((other, [*way, link]))
    return None


def _ask(way: str, described: str, *, the: bool = False, after: str = "") -> str:
    """A question or a wish, by how it begins."""
    if the and way.startswith(("name", "who")):
        described = f"all {described}" if way.startswith("name") else f"the {described}"
    text = way.format(described) + after
    asks = text.startswith(("which", "what", "how", "who", "for ", "across"))
    return sentence(text, "?" if asks else ".")


def is_first_person(root: Entity) -> bool:
    """Whether things of this kind are asked for with "who"."""
    from generators.questions.nouns import is_person

    return is_person(root.noun)


def _is(expr: ir.Expr, keys: list[ir.Expr]) -> bool:
    return any(expr is key or expr == key for key in keys)


def _descending(block: Block) -> bool:
    keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
    return keys[0].descending


def _plural(words: PropertyWords) -> str:
    noun = words.noun if words.plural else plural(words.noun)
    return f"{noun} in {words.unit}" if words.unit else noun


def _other_first(key: Entity, block: Block) -> None:
    for entity in block.every_entity():
        if entity is not key and entity.name == key.noun and key.name != key.noun:
            entity.name, key.name = f"other {key.noun}", key.noun
