"""Groups at the business level: "which museums have more than five loans", "… per country"."""

from __future__ import annotations

import re

from generators.questions.author import NotExpressible
from generators.questions.levels.analyst import among, asked, descending, measures, path, plain
from generators.questions.levels.business_order import GroupOrder
from generators.questions.lexicon.nouns import is_person
from generators.questions.lexicon.relations import Predicate
from generators.questions.plan.cardinality import connected, grouped_by, row_entities
from generators.questions.plan.measured import WAY, Pair, between, long_things, simple, valued
from generators.questions.plan.model import Block, Derived, Entity, EntityRef, Link, LinkRef, refs
from generators.questions.plan.wording import ABOVE, FLIPPED, MORE, constant
from generators.questions.realise.clauses import key_noun, other_way_round, plural_of
from generators.questions.realise.collections import conditional
from generators.questions.realise.compact import own_role, sharing
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.english.inflection import a, cardinal, listing, plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base, by_past

_SHORT = 4  # words that may stand inside a bound: "a total number of places of barns above 100"
_HAVE = Predicate("has {}", "have {}")
_KEY_ROOM = 6  # words of a subject before its verb
_NESTED = {"avg": "average", "max": "highest", "min": "lowest", "sum": "total"}


class Groups(GroupOrder):
    """Grouped blocks; `different` things are counted once each."""

    different = ""

    def _grouped(self) -> str:
        block = self.block
        keys = grouped_by(block)
        about = [t for e in measures(block) for t in refs(e)]
        if any(isinstance(t, Link) and valued(e, t) for e in measures(block) for t in about):
            raise NotExpressible("measures of links")
        if block.carried and (block.windowed or any(e in block.carried for e in keys)):
            raise NotExpressible("a ranking of what is left")
        if any(link.edge.hops is not None for link in block.every_link()):
            raise NotExpressible("groups over chains")
        if any(conditional(self.speech, e) for e in measures(block) if isinstance(e, ir.Agg)):
            raise NotExpressible("groups with shares")
        if not all(simple(c) for c in block.having) or not self._countable():
            raise NotExpressible("groups with lists or computed results")
        if not connected(block) or any(e not in block.entities for e in keys):
            raise NotExpressible("groups over parts that are not linked")
        if len(keys) != 1 or not self._plain_keys():
            return self._combinations(keys)
        (key,) = keys
        other_way_round(key, block)
        counted = self._counted(key)
        if self._identified(keys) or (self._by_name() and counted is not key):
            if counted is not None and counted is not key:
                return self._per_thing(key, counted)
            return self._measured_things(key)
        return self._per_value(key, counted)

    def _countable(self) -> bool:
        """Whether all results are keys, columns or aggregates that a short question can hold."""
        exprs = [item.expr for item in self.block.items]
        return not any(isinstance(e, ir.Agg) and e.name == "collect" for e in exprs) and all(
            isinstance(plain(e), ir.Agg | ir.Prop | EntityRef | ir.Case | ir.Call)
            or among(e, self.block.keys or [])
            for e in exprs
        )

    def _plain_keys(self) -> bool:
        return all(self._plain_key(key) for key in self.block.keys or ())

    def _counted(self, key: Entity | None) -> Entity | None:
        """What is counted, where the only measure is a count of one kind of thing."""
        found = measures(self.block)
        if not found or any(e != found[0] for e in found):
            return None
        agg = found[0]
        if not isinstance(agg, ir.Agg) or agg.name != "count":
            return None
        if agg.distinct:
            match agg.args:
                case (EntityRef(entity=entity),):
                    self.different = "different "
                    return entity
            return None
        rows = row_entities(self.block)
        argument = plain(agg.args[0]) if agg.args else None
        if argument is None or isinstance(argument, LinkRef):
            return rows[0] if len(rows) == 1 else None
        match argument:
            case EntityRef(entity=entity):
                return entity
            case ir.Prop(EntityRef(entity=entity), name) if name in self.words.keys(entity.types):
                return entity
        return None

    # --- counts for things ---------------------------------------------------------------

    def _per_thing(self, key: Entity, counted: Entity) -> str:
        """Counting one thing for another."""
        block = self.block
        optional = next((p for p in block.optional if counted in p.entities), None)
        if [p for p in block.optional if p is not optional]:
            raise NotExpressible("several optional parts")
        self._spoken(key, counted)
        one = bool(self._ranking()) and block.limit == 1
        several = bool(block.having) or (bool(self._ranking()) and not one)
        pair = self._both(key, counted, optional, many=several)
        extra = self._extra(key)
        shown = any(isinstance(item.expr, ir.Agg) for item in block.items)
        many = ", and how many" if shown else ""
        having, ranking = self._bounds(), self._ranking()
        limit = block.limit or 1
        if ranking:
            if having:
                raise NotExpressible("a ranking of filtered groups")
            one = limit == 1
            extra = self._extra(key, one=one)
            most = f"the {'most' if descending(block) else 'fewest'} {pair.things}"
            verb = pair.verb.verb(plural=not one).format(most)
            which = pair.key_one if one else f"{cardinal(limit)} {pair.key}"
            also = f", and what {self._are_its(key, extra, one=one)} {extra}" if extra else ""
            return asked(f"which {which} {verb}{self._ties()}{many}{also}")
        also = f", and what are their {extra}" if extra else ""
        order = self._group_order()
        if having:
            verb = pair.verb.plural.format(listing([pair.bounded(b) for b in having]))
            return asked(f"which {pair.key} {verb}{many}{also}{order}")
        none = ", even if none" if optional else ""
        room = _KEY_ROOM * (2 if pair.verb.singular.startswith("has {}") else 1)
        if len(pair.key_one.split()) > room:
            raise NotExpressible("a verb after a long subject")
        how = self._how_many(pair)
        return asked(f"{how}{none}{also}{order}")

    @staticmethod
    def _are_its(key: Entity, extra: str, *, one: bool) -> str:
        """ "is its" for one thing, "is their" for one person, "are their" for several."""
        if one and (" and " in extra or "," in extra):
            return "are their" if is_person(key.noun) else "are its"
        if not one:
            return "are their"
        return "is their" if is_person(key.noun) else "is its"

    def _how_many(self, pair: Pair) -> str:
        """ "how many tours does each museum have"."""
        single = pair.verb.singular
        rest = single.replace("{}", "").split()
        before = single.startswith("has {}")
        if before:
            tail = " ".join(rest[1:])
            if re.fullmatch(r"as [a-z]+", tail):
                tail = f"as {plural(tail[3:])}"
            return f"how many {pair.things} does each {pair.key_one} have {tail}".rstrip()
        if single.startswith("is ") and single.endswith(" {}"):
            if rest[-1] in word_set("prepositions") and len(rest) > 3:  # is linked by a share to
                said = " ".join(rest[1:-1])
                return f"{rest[-1]} how many {pair.things} is each {pair.key_one} {said}"
            return f"how many {pair.things} is each {pair.key_one} {' '.join(rest[1:])}"
        first, _, tail = pair.verb.plural.removesuffix(" {}").partition(" ")
        if pair.verb.plural.endswith(" {}") and (past := by_past(first)) and not by_base(first):
            return f"how many {pair.things} did each {pair.key_one} {past.base} {tail}".rstrip()
        if pair.verb.plural.endswith(" {}") and by_base(first) is not None:
            return f"how many {pair.things} does each {pair.key_one} {first} {tail}".rstrip()
        if pair.verb.plural.endswith(" {}"):
            said = pair.verb.plural.removesuffix(" {}")
            return f"how do {pair.key} compare by the number of {pair.things} they {said}"
        return f"how many {pair.things} are there for each {pair.key_one}"

    def _extra(self, key: Entity, *, one: bool = False) -> str:
        """Columns of the grouped thing beyond its name."""
        nouns = []
        for item in self.block.items:
            match plain(item.expr):
                case ir.Prop(EntityRef(entity=entity)) if entity is key:
                    words = self.speech.of(item.expr)
                    if words is not None and not words.identity:
                        nouns.append(words.full if one else plural_of(words))
                case EntityRef(entity=entity) if entity is key:
                    continue
                case ir.Agg():
                    continue
                case _:
                    raise NotExpressible("results beside a count")
        return listing(nouns)

    def _both(
        self, key: Entity, thing: Entity, optional: Block | None = None, *, many: bool = True
    ) -> Pair:
        """Both things described; what lies between them goes to the measured one.

        `many`: the grouped things are spoken of in the plural.
        """
        teller = self.teller
        if optional is not None:
            teller.open_links += optional.links
            teller.open_conditions += optional.conditions
        way = path(teller.open_links, key, thing)
        if way is None:
            raise NotExpressible("groups over parts that are not linked")
        teller.open_links = [k for k in teller.open_links if not any(k is w for w in way)]
        teller.known += [key, thing]
        where = "".join(teller._remarks(link) for link in way)
        mine = teller.modifiers(key, many=many)
        mods = teller.modifiers(thing, many=True)
        midway = between(way, key, thing)
        for entity in midway:
            teller.known.append(entity)
            more = teller.modifiers(entity, many=False)
            if more:
                mods.having.append(teller.text(entity, more, "a"))
        other = "other " if thing.noun == key.noun and thing.name.startswith("other ") else ""
        verb = _HAVE
        alike = len(way) == 2 and way[0].labels == way[1].labels and bool(other) and not where
        if alike and all(link.functional for link in way) and not mods:
            where = f" {sharing(teller.predicate(way[1], thing), midway[0].noun)}"
        elif alike and (way[0].source is key) is (way[1].source is thing):
            hubs = plural(midway[0].noun)
            verb = Predicate(f"shares {hubs} with {{}}", f"share {hubs} with {{}}")
        elif midway:
            names = listing([plural(e.noun) for e in midway])
            note = (
                f"{plural(key.noun)} and {other}{plural(thing.noun)} are connected through {names}"
            )
            teller.notes.append(note)
        apart = midway and thing.noun == key.noun and not alike
        if teller.rest() or len(way) > WAY or apart:
            raise NotExpressible("a grouping with a long description")
        if len(way) == 1:
            predicate = teller.predicate(way[0], key)
            among_them = predicate.singular.startswith("belongs to ")
            if predicate.singular in ("is {}", "is recorded as {}"):
                raise NotExpressible("a count of what something is")
            if predicate.relative and other:
                raise NotExpressible("a count of others who alone have a verb")
            verb = _HAVE if predicate.relative or among_them else predicate
        return Pair(
            teller.text(key, mine, "plural"),
            teller.text(key, mine, "bare"),
            f"{self.different}{other}{teller.text(thing, mods, 'plural')}{where}",
            f"{self.different}{other}{teller.text(thing, mods, 'bare')}{where}",
            verb,
        )

    def _bounds(self) -> list[str]:
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
        return said

    # --- measures for things -------------------------------------------------------------

    def _measured_things(self, key: Entity) -> str:
        """Averages, totals and the like for each thing."""
        block = self.block
        if block.optional:
            raise NotExpressible("optional parts beside measures")
        rows = row_entities(block)
        thing = next((e for e in rows if e is not key), None)
        self._spoken(key, *rows)
        if thing is None:
            raise NotExpressible("a measure of the group itself")
        self._measured_of(thing)
        way = path(block.links, key, thing)
        several = bool(block.having) or (bool(self._ranking()) and block.limit != 1)
        pair = self._both(key, thing, many=several)
        if thing.noun == key.noun and pair.verb is not _HAVE:
            raise NotExpressible("measures of things of the same kind")
        role = own_role(self.teller.predicate(way[0], key)) if way and len(way) == 1 else ""
        role = "" if role in word_set("vague_roles") else role
        per = pair.key_one.replace(key.noun, role, 1) if role else pair.key_one
        many = pair.key.replace(plural(key.noun), plural(role), 1) if role else pair.key
        shown = [e for e in self._shown() if isinstance(e, ir.Agg)]
        said, of = self._measures_of(shown, thing, pair.things)
        extra = self._extra(key)
        also = f", and what are their {extra}" if extra else ""
        counts = all(self._counts_rows(e, thing) for e in self._bounded())
        same = bool(shown) and not counts and shown == self._bounded()
        said_before = bool(said) and not counts and not same and len(of.split()) <= _SHORT
        having = self._having_bounds(of if said_before else "")
        ranking = self._ranking()
        if ranking and not having:
            limit = block.limit or 1
            one = limit == 1
            extra = self._extra(key, one=one)
            also = f", and what {self._are_its(key, extra, one=one)} {extra}" if extra else ""
            which = per if one else f"{cardinal(limit)} {many}"
            best = self._best_measure(thing, pair.things)
            it = f", and what is it{'' if limit == 1 else ' in each case'}" if said else ""
            return asked(f"which {which} {'has' if one else 'have'} {best}{self._ties()}{it}{also}")
        order = self._group_order()
        if not said:
            if not having:
                raise NotExpressible("groups without a measure")
            return asked(f"which {many} have {having} among {pair.things}{also}{order}")
        be = "is" if len(said) == 1 else "are"
        if having:
            bounds = listing([pair.bounded(b) for b in self._bounds()]) if counts else having
            of = (
                " of those"
                if counts and of
                else of.replace(" of ", " of the ")
                if said_before
                else of
            )
            joint = "and with" if re.search(r" (?:that|who|whose|with|which) ", many) else "with"
            if same:
                it = "is it" if len(said) == 1 else "are they"
                it = "how many" if shown[0].name == "count" else f"what {it}"
                over = f"across their {pair.things}, and {it} in each case"
                return asked(f"which {many} have {bounds} {over}{also}{order}")
            return asked(
                f"for each {per} {joint} {bounds}, what {be} {listing(said)}{of}{also}{order}"
            )
        if long_things(pair.things) and not also:
            return asked(f"for each {per}, what {be} {listing(said)}{of}{order}")
        return asked(f"what {be} {listing(said)}{of} per {per}{also}{order}")

    def _counts_rows(self, expr: ir.Expr, thing: Entity) -> bool:
        """Whether an aggregate counts just the measured things."""
        if not isinstance(expr, ir.Agg) or expr.name != "count" or expr.distinct:
            return False
        argument = plain(expr.args[0]) if expr.args else None
        if argument is None or isinstance(argument, LinkRef):
            return row_entities(self.block) == [thing]
        return isinstance(argument, EntityRef) and argument.entity is thing

    def _bounded(self) -> list[ir.Expr]:
        found = []
        for condition in self.block.having:
            match condition:
                case ir.Compare(_, left, right):
                    found.append(left if constant(left) is None else right)
        return found

    def _shown(self) -> list[ir.Expr]:
        keys = self.block.keys or []
        return [i.expr for i in self.block.items if not among(i.expr, keys)]

    def _measure(self, agg: ir.Agg) -> str:
        return f"the {self.speech.bare_measure(agg, owner=False)}"

    def _measures_of(
        self, aggregates: list[ir.Agg], thing: Entity, things: str
    ) -> tuple[list[str], str]:
        """Measures, and of what they are; a count of the things says it itself."""
        if len(aggregates) == 1 and self._counts_rows(aggregates[0], thing):
            return [f"the number of {things}"], ""
        return [self._measure(agg) for agg in aggregates], f" of {things}"

    def _measured_of(self, thing: Entity) -> None:
        """See that all measures are of the one thing.

        Raises:
            NotExpressible: they are of something else that it leads to.
        """
        for expr in measures(self.block):
            for agg in find(expr, ir.Agg):
                if any(e is not thing for arg in agg.args for e in refs(arg)):
                    raise NotExpressible("measures of what things lead to")

    def _best_measure(self, thing: Entity, things: str) -> str:
        key = self._sort_keys()[0]
        assert isinstance(key.expr, ir.Agg)  # noqa: S101 - _ranking says so
        best = "highest" if key.descending else "lowest"
        if self._counts_rows(key.expr, thing):
            return f"the {best} number of {things}"
        return f"the {best} {self.speech.bare_measure(key.expr, owner=False)} of {things}"

    def _having_bounds(self, of: str = "") -> str:
        """Filters on measures: "an average salary of employees above 45,000"."""
        said = []
        for condition in self.block.having:
            match condition:
                case ir.Compare(op, ir.Agg() as agg, ir.Literal(int() | float() as number)):
                    measure = self.speech.bare_measure(agg, owner=False)
                    if agg.name == "count" and isinstance(number, int):
                        things = measure.removeprefix("number of ")
                        said.append(f"{MORE[op]} {cardinal(number)} {things}{of}")
                        continue
                    shown = constant(condition.right)
                    assert shown is not None  # noqa: S101 - a literal is one
                    bound = ABOVE[op].format(shown.text(self.speech.of(agg)))
                    said.append(f"{a(measure)}{of} {bound}")
                case _:
                    raise NotExpressible("a filter on groups")
        return listing(said)

    # --- values --------------------------------------------------------------------------

    def _per_value(self, key: Entity, counted: Entity | None) -> str:
        """Groups by values: "how many artworks are there per genre"."""
        block = self.block
        if block.optional:
            raise NotExpressible("optional parts beside values")
        rows = row_entities(block)
        if len(rows) != 1:
            raise NotExpressible("groups over combinations")
        thing = counted or rows[0]
        if counted is None:
            self._measured_of(thing)
        self._spoken(key, thing)
        nouns = self._value_nouns(key, own=thing is key)
        if thing is key:
            head, rest = self._parts(key, "plural")
            things, one, where = f"{head} {rest}".strip(), "", ""
            one = things.replace(plural(key.noun), key.noun, 1)
        else:
            pair = self._both(key, thing)
            things, one = pair.things, pair.thing
            modified = pair.key != plural(key.noun)
            where = f" of {pair.key}" if modified else ""
        many = plural(nouns)
        order = self._group_order()
        ranking = self._ranking()
        limit = block.limit or 1
        shown = [e for e in self._shown() if isinstance(e, ir.Agg)]
        if counted is not None:
            each = ", and how many each" if shown else ""
            having = [Pair("", "", things, one, _HAVE).bounded(b) for b in self._bounds()]
            if having:
                return asked(f"which {many}{where} account for {listing(having)}{each}{order}")
            if ranking:
                each = each.removesuffix(" each") if limit == 1 else each
                most = f"the {'most' if descending(block) else 'fewest'} {things}"
                which = nouns if limit == 1 else f"{cardinal(limit)} {many}"
                verb = "accounts" if limit == 1 else "account"
                return asked(f"which {which}{where} {verb} for {most}{self._ties()}{each}")
            ways = [f"how many {things} are there per {nouns}{where}{order}"]
            if len(things.split()) < 4 and not where and not order:
                ways.append(f"how are {things} distributed across {many}")
                ways.append(f"break {things} down by {nouns}")
            return asked(self.rng.choice(ways))
        said, of = self._measures_of(shown, thing, things)
        having_text = self._having_bounds()
        if ranking and not having_text:
            which = nouns if limit == 1 else f"{cardinal(limit)} {many}"
            has = "has" if limit == 1 else "have"
            it = f", and what is it{'' if limit == 1 else ' in each case'}" if said else ""
            return asked(
                f"which {which}{where} {has} {self._best_measure(thing, things)}{self._ties()}{it}"
            )
        if having_text:
            each = f", and what {'is' if len(said) == 1 else 'are'} {listing(said)}" if said else ""
            for_ = f" among {things}" if thing is key else of
            return asked(f"which {many}{where}{for_} have {having_text}{each}{order}")
        if not said:
            return asked(f"which {many} do we see{where} among {things}{order}")
        be, do = ("is", "does") if len(said) == 1 else ("are", "do")
        if long_things(things):
            return asked(f"for each {nouns}{where}, what {be} {listing(said)}{of}{order}")
        ways = [f"what {be} {listing(said)}{of} per {nouns}{where}{order}"]
        ways.append(f"how {do} {listing(said)}{of} vary by {nouns}{where}{order}")
        return asked(self.rng.choice(ways))

    def _value_nouns(self, key: Entity, *, own: bool) -> str:
        """What the groups are called: "genre", "artwork genre", "combination of …"."""
        said = []
        for expr in self.block.keys or ():
            words = self.speech.of(expr)
            if words is None:
                raise NotExpressible("a group of things and values")
            noun = key_noun(words)
            if isinstance(expr, ir.Prop):
                noun = self.words.referred(key.types, expr.key) or noun
            others = {
                n for row in row_entities(self.block) if row is not key for n in self._nouns(row)
            }
            clear = own or noun.split()[-1] in word_set("places")
            clear = clear or noun.split()[0] in (*key.noun.split(), "number", "value")
            clear = clear and (own or noun not in others)
            said.append(noun if clear else f"{key.noun} {noun}")
        return f"combination of {listing(said)}" if len(said) > 1 else said[0]

    def _nouns(self, entity: Entity) -> set[str]:
        return self.words.nouns(entity.types, entity.noun)

    # --- several keys --------------------------------------------------------------------

    def _combinations(self, keys: list[Entity]) -> str:
        """Groups by several things, by flags, by computed classes."""
        block = self.block
        rows = row_entities(block)
        if len(rows) != 1 or block.optional:
            raise NotExpressible("groups over combinations")
        (thing,) = rows
        self._spoken(*keys, thing)
        head, rest = self._parts(thing, "plural")
        if ", where" in rest:
            raise NotExpressible("a grouping with a long description")
        things = f"{head} {rest}".strip()
        names = self._group_names(keys)
        flags = [n for n in names if n.startswith("whether ")]
        if flags and len(flags) != len(names):
            raise NotExpressible("groups by flags and values")
        shown = [e for e in self._shown() if isinstance(e, ir.Agg)]
        agg = self._counted(None)
        order = self._group_order()
        if flags:
            said = f"of {things}" if agg is None else ""
            what = (
                listing([self._measure(e) for e in shown])
                if agg is None
                else (f"the number of {things}")
            )
            if block.having:
                raise NotExpressible("a filter on flags")
            do = "do" if agg is None and len(shown) > 1 else "does"
            return asked(f"how {do} {what} {said} differ depending on {listing(names)}{order}")
        per = f"combination of {listing(names)}" if len(names) > 1 else names[0]
        many = plural(per) if len(names) == 1 else f"combinations of {listing(names)}"
        if agg is not None:
            each = ", and how many each" if shown else ""
            one = things.replace(plural(thing.noun), thing.noun, 1)
            having = [Pair("", "", things, one, _HAVE).bounded(b) for b in self._bounds()]
            if having:
                return asked(f"which {many} account for {listing(having)}{each}{order}")
            return asked(f"how many {things} are there per {per}{order}")
        said = listing([self._measure(e) for e in shown])
        bounds = self._having_bounds()
        if bounds:
            also = f", and what are {said}" if said else ""
            return asked(f"which {many} among {things} have {bounds}{also}{order}")
        if not said:
            return asked(f"which {many} occur among {things}{order}")
        be = "are" if len(shown) > 1 else "is"
        if long_things(things):
            return asked(f"for each {per}, what {be} {said} of {things}{order}")
        return asked(f"what {be} {said} of {things} per {per}{order}")

    def _group_names(self, keys: list[Entity]) -> list[str]:
        if self._identified(keys):
            return [entity.name for entity in keys]
        names = []
        about = [thing for key in self.block.keys or () for thing in refs(key)]
        own = row_entities(self.block)
        whole = about and all(thing is about[0] and [thing] == own for thing in about)
        self.speech.here = own[0] if whole else None
        for key in self.block.keys or ():
            said = self.speech.np(key)
            owner = next((e for e in refs(key) if isinstance(e, Entity)), None)
            words = self.speech.of(key)
            if words is not None and owner is not None and not said.startswith("whether "):
                said = f"{owner.name} {words.noun}" if words.identity else words.noun
            names.append(said.removeprefix("the "))
        self.speech.here = None
        return names

    # --- stages --------------------------------------------------------------------------

    def _nested(self) -> str:
        """A measure of a measure: "what is the average number of artworks per owner"."""
        block, inner = self.block, self.block.previous
        if inner is None or block.entities or block.keys != [] or len(block.items) != 1:
            return ""
        if inner.previous or inner.having or inner.windowed or inner.optional or block.having:
            return ""
        match block.items[0].expr:
            case ir.Agg(name, (Derived(expr=ir.Agg() as agg),)) if name in _NESTED:
                best = _NESTED[name]
            case _:
                return ""
        analyst = type(self)(inner, self.words, self.rng)
        keys = grouped_by(inner)
        rows = row_entities(inner)
        if len(keys) != 1 or len(rows) != 1 or not connected(inner) or not analyst._plain_keys():
            return ""
        (key,), (thing,) = keys, rows
        identified = analyst._identified(keys)
        analyst._spoken(key, thing)
        if thing is key:
            things = " ".join(filter(None, analyst._parts(key, "plural")))
            per = analyst._value_nouns(key, own=True)
        else:
            pair = analyst._both(key, thing, many=False)
            if thing.noun == key.noun and pair.verb is not _HAVE:
                raise NotExpressible("measures of things of the same kind")
            things = pair.things
            per = pair.key_one if identified else analyst._value_nouns(key, own=False)
        self.teller.notes += analyst.teller.notes
        counts = agg.name == "count" and (not agg.distinct or agg.args == (EntityRef(thing),))
        things = f"different {things}" if counts and agg.distinct else things
        measure = "number" if counts else analyst.speech.bare_measure(agg, owner=False)
        return asked(f"what is the {best} {measure} of {things} per {per}")
