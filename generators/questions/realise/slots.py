"""What fills the slots of a goal's frames: phrases for its things, measures, links and bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Against,
    Ask,
    Atom,
    Column,
    Figure,
    Relation,
    Thing,
    Year,
)
from generators.questions.lexicon.model import MOMENTS, Lexicon, Path, Property, Role, turned
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text
from generators.questions.realise.tests import Form, Option
from generators.questions.realise.things import Described, Things, _backward, _forward
from generators.questions.realise.values import number_text, value_text
from graphmill.english.inflection import plural
from graphmill.english.verbs import by_base

type Slots = dict[str, Phrase]

_AVERAGES = {"avg": "average", "sum": "total", "min": "lowest", "max": "highest"}
_TIMED = {"min": "earliest", "max": "latest", "avg": "average"}
_BOUNDS = {
    ">": "more than {}",
    ">=": "at least {}",
    "<": "less than {}",
    "<=": "at most {}",
    "=": "exactly {}",
}
_ABOVE = {">": "above", ">=": "at or above", "<": "below", "<=": "at or below"}


class Filling:
    """Fills slots, in one form."""

    def __init__(self, lexicon: Lexicon, form: Form) -> None:
        self.lexicon = lexicon
        self.form = form
        self.things = Things(lexicon, form)
        self.tests = self.things.tests

    def of(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Fillings of the slots of a goal, each with its cost.

        Raises:
            NoWording: a part of it has no words.
        """
        nothing = Text("")
        first = nothing
        if ask.top is not None and not ask.top.count and isinstance(ask.top.by, Figure):
            said = ", highest first" if ask.top.most else ", lowest first"
            first = Text(said, (ask.top,))
        marks: Slots = {
            "LF": first,
            "NM" if ask.named else "UN": nothing,
            "ID": Text(self._naming(ask)),
            "IDS": Text(self._naming(ask, many=True)),
            "SH" if ask.shown else "NS": nothing,
            "ZE" if ask.zero else "NZ": nothing,
        }
        for slots, cost in self._of(ask):
            verb = next((slots[name] for name in ("V", "VT", "MORE", "T") if name in slots), None)
            head = slots.get("KF", slots.get("F"))
            if isinstance(verb, Clause) and isinstance(head, NP):
                whole = _with(head, Option("rel", verb))
                name = "FVM" if head.many else "FV1"
                slots = slots if whole is None else {**slots, name: whole}
            yield {**slots, **marks}, cost

    def _naming(self, ask: Ask, *, many: bool = False) -> str:
        """What things are shown by: "names", "IDs", "first and last names"."""
        nouns: list[str] = []
        thing = self.lexicon.thing(ask.focus.type)
        for key in ask.named:
            prop = self.lexicon.property(ask.focus.type, key)
            by_key = thing is None or key not in thing.name
            if by_key and (prop is None or prop.kind is Role.KEY):
                nouns.append("IDs" if many else "ID")
            elif prop is not None and prop.noun:
                nouns.append(prop.plural or plural(prop.noun) if many else prop.noun)
        if len(nouns) == 2 and nouns[0].split()[-1] == nouns[1].split()[-1]:
            return f"{nouns[0].rpartition(' ')[0]} and {nouns[1]}"
        return " and ".join(nouns) or ("IDs" if many else "ID")

    def _of(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        match ask.goal:
            case "detail":
                yield from self._detail(ask)
            case "count" | "figure" | "share":
                yield from self._overall(ask)
            case "rank":
                yield from self._rank(ask)
            case "breakdown" | "trend":
                yield from self._breakdown(ask)
            case "tally" | "rank-by-tally" | "threshold" | "count-threshold" | "figure-of-figures":
                yield from self._groups(ask)
            case "exception":
                yield from self._exception(ask)
            case "best-of-each":
                yield from self._best(ask)
            case "follow-up":
                yield from self._follow_up(ask)
            case "with-or-without":
                yield from self._shown(ask, [])
            case "both" | "this-not-that":
                yield from self._merged(ask)
            case _:
                if ask.top is None:
                    yield from self._find(ask)

    # --- things and what is said of them -------------------------------------------------

    def _find(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """A list: all of it in one noun phrase, or one restriction as the verb."""
        whole = [c for c in ask.columns if not c.key]
        if whole:
            yield from self._shown(ask, whole)
            return
        if shared := self._shared(ask):
            yield from shared
            return
        extra = self._shown_columns(ask.columns)
        for each in self.things.describe(ask.focus):
            yield {"F": each.np, **extra}, each.cost
        yield from self._with_predicate(ask.focus, extra)

    def _with_predicate(self, focus: Thing, extra: Slots) -> Iterator[tuple[Slots, float]]:
        who = self.things.who(focus.type)
        for rest in (*focus.tests, *focus.relations):
            try:
                heads = self.things.describe(focus, but=[rest])
                options = self.things.predicates(rest, who)
            except NoWording:
                continue
            mild = 0.4 if focus.relations and not isinstance(rest, Relation) else 0.0
            for head in heads[:2]:
                for option in options:
                    cost = head.cost + option.cost + mild
                    yield {"F": head.np, _verb("P", option.phrase): option.phrase, **extra}, cost

    def _shown_columns(self, columns: list[Column]) -> Slots:
        if not columns:
            return {}
        return {"C": self._nouns(columns, many=True)}

    def _nouns(self, columns: list[Column], *, many: bool) -> Phrase:
        """The nouns of what is shown."""
        parts: list[Phrase] = []
        for column in columns:
            words = self.tests.words(column.owner, column.key)
            parts.append(
                NP(words.noun, words.plural or plural(words.noun), many=many, atoms=(column,))
            )
        return parts[0] if len(parts) == 1 else Listing(tuple(parts), "and")

    def _shown(self, ask: Ask, whole: list[Column]) -> Iterator[tuple[Slots, float]]:
        """Things together with others beside them: "the cars and their buyers"."""
        columns = whole or [c for c in ask.columns if not c.key]
        rest = [c for c in ask.columns if c.key]
        if len(columns) != 1 or rest:
            raise NoWording("several things side by side")
        (column,) = columns
        relation = next((r for r in ask.focus.relations if r.other is column.thing), None)
        if relation is None:
            raise NoWording("things that are far apart")
        for head in self.things.describe(ask.focus, but=[relation])[:2]:
            if column.thing.bare and not relation.tests:
                noun = self.things.noun(column.thing.type)
                many = not relation.one
                plain = NP(noun.singular, noun.plural, many=True, atoms=(column, relation))
                if many or relation.one:
                    cost = self._own(relation)
                    yield {"F": head.np, "W": plain}, head.cost + cost
            for other in self._linked(relation):
                np = replace(other.np, atoms=(*other.np.atoms, column))
                yield {"F": head.np, "O": np}, head.cost + other.cost

    def _own(self, relation: Relation) -> float:
        """What it costs to call the other end theirs; a verb that is known says more."""
        path = self.lexicon.path(relation.along)
        if path is None or (path.forward is None and path.backward is None):
            raise NoWording(f"the path {' '.join(relation.along)}")
        known = path.forward is not None and (path.forward.verb not in ("", "have"))
        return 1.5 if known else 0.0

    def _linked(self, relation: Relation) -> Iterator[Described]:
        """The other end with the relation behind it: "the cars that they bought"."""
        along = turned(relation.along)
        path = self.lexicon.path(along)
        if path is None:
            raise NoWording(f"the path {' '.join(along)}")
        back = Relation(along, relation.other, tests=relation.tests)
        adjuncts = self.things.adjuncts(back)
        for head in self.things.describe(relation.other, det="the"):
            found: list[Option] = []
            if path.forward is not None:
                them = NP("them", "them", many=True)
                found += _forward(path.forward, them, back, adjuncts, (relation,))
            if path.backward is not None:
                they = NP("they", "they", many=True)
                found += _backward(path.backward, they, back, adjuncts, (relation,))
            for option in found:
                if option.place in ("post", "rel") and (np := _with(head.np, option)):
                    yield Described(np, head.cost + option.cost)

    def _shared(self, ask: Ask) -> list[tuple[Slots, float]]:
        """What shares a third thing with a named one."""
        focus = ask.focus
        for relation in focus.relations:
            third = relation.other
            back = third.relations[0] if len(third.relations) == 1 else None
            if back is None or third.tests or third.name or relation.how != "some":
                continue
            one = back.other
            if back.along != turned(relation.along) or not one.name or one.tests or one.relations:
                continue
            if one.type != focus.type or relation.tests or back.tests or ask.columns:
                continue
            ask.goal = "shared-with"
            return list(self._sharing(focus, relation, back))
        return []

    def _sharing(
        self, focus: Thing, relation: Relation, back: Relation
    ) -> Iterator[tuple[Slots, float]]:
        path = self.lexicon.path(relation.along)
        if path is None or path.forward is None:
            raise NoWording("what things have in common")
        noun = self.things.noun(relation.other.type)
        atoms = (relation, back)
        if not (relation.one or path.pairs_unique):
            raise NoWording("what may share with itself")
        for one in self.things.describe(back.other):
            same = (Text("same"),)
            as_ = Listing((Text("as"), one.np), "\0")
            if relation.one:
                other = NP(noun.singular, noun.plural, det="the", pre=same, post=(as_,))
            else:
                again = self._again(path, one.np)
                who = self.things.who(relation.other.type)
                other = NP(noun.singular, noun.plural, det="a", relative=(again,), who=who)
            for option in _forward(path.forward, other, relation, (), atoms):
                for head in self.things.describe(focus, but=[relation])[:2]:
                    cost = head.cost + option.cost + one.cost
                    if option.place == "pred":
                        yield {"F": head.np, "P": option.phrase}, cost
                    else:
                        np = _with(head.np, option)
                        if np is not None:
                            yield {"FP": np}, cost

    def _again(self, path: Path, one: NP) -> Clause:
        """What a named one has to do with the third: "that Ann Lee took too"."""
        there, back = path.forward, path.backward
        too = (Text("too"),)
        if there is not None and there.verb:
            return Clause(
                verb=there.verb, particle=there.particle, tense=there.tense, subject=one, tail=too
            )
        if back is not None and back.verb:
            return Clause(
                verb=back.verb, particle=back.particle, tense=back.tense, object=one, tail=too
            )
        raise NoWording("what things have in common")

    def _merged(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Two relations of one kind, said at once: "bought both A and B", "A but not B"."""
        focus = ask.focus
        pair = [r for r in focus.relations if r.how in ("some", "no")]
        if len(pair) != 2 or ask.columns or len(focus.relations) != 2:
            yield from self._find(ask)
            return
        one, two = sorted(pair, key=lambda r: r.how == "no")
        path = self.lexicon.path(one.along)
        if path is None or one.tests or two.tests:
            raise NoWording("two links of one kind")
        joiner = "but not" if two.how == "no" else "and"
        det = "" if one.other.name else "a"
        firsts = self.things.describe(one.other, many=False, det=det, deep=True)
        seconds = self.things.describe(two.other, many=False, det=det, deep=True)
        lead = joiner == "and" and det == ""
        second = seconds[0].np if det == "" else _one(seconds[0].np, joiner)
        joiner = "but" if det and joiner == "but not" else joiner
        parts = Listing((firsts[0].np, second), joiner)
        whole = Listing((Text("both"), parts), "\0") if lead else parts
        cost = firsts[0].cost + seconds[0].cost
        merged = Relation(one.along, one.other)
        found: list[Option] = []
        if path.forward is not None:
            found += _forward(path.forward, whole, merged, (), (one, two))  # type: ignore[arg-type]
        for head in self.things.describe(focus, but=pair)[:2]:
            for option in found:
                if option.place == "pred":
                    name = _verb("P", option.phrase)
                    yield {"F": head.np, name: option.phrase}, head.cost + option.cost + cost
                elif (np := _with(head.np, option)) is not None:
                    yield {"F": np}, head.cost + option.cost + cost + 0.5

    # --- one thing -----------------------------------------------------------------------

    def _detail(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        focus = ask.focus
        if not ask.columns or focus.tests:
            raise NoWording("a look-up of nothing")
        for each in self.things.describe(focus, many=False):
            yield {"N": each.np, "C": self._nouns(ask.columns, many=False)}, each.cost
            if len(ask.columns) == 1:
                (column,) = ask.columns
                yield from self._asked(column.owner, column.key, column, {"N": each.np})

    def _asked(
        self, owner: str, key: str, atom: Atom, slots: Slots
    ) -> Iterator[tuple[Slots, float]]:
        """ "How old is", "where are … from", "how much does … cost"."""
        words = self.tests.words(owner, key)
        if not words.ask:
            return
        front, dots, end = words.ask.partition("…")
        front, end = front.strip(), end.strip()
        verb = words.verb
        clause = Clause(be="", atoms=(atom,))
        if verb is not None:
            clause = Clause(
                verb=verb.verb, be=verb.be, particle=end or verb.particle if not verb.be else "",
                tense=verb.tense, atoms=(atom,),
            )  # fmt: skip
            end = ""
        elif end and by_base(end.split()[0]) is not None:
            clause, end = Clause(verb=end, atoms=(atom,)), ""
        if not dots and not words.verb and front in ("how much", "how many"):
            return
        yield {**slots, "Q": Text(front), "A": clause, "R": Text(end)}, 0.0

    # --- figures -------------------------------------------------------------------------

    def _measure(self, figure: Figure, words: Property | None = None) -> NP:
        """ "average price", "number of orders"."""
        if not figure.key:
            raise NoWording("a measure of nothing")
        words = words or self.tests.words(figure.owner, figure.key)
        if (figure.how == "sum" and not words.sums) or (figure.how == "avg" and not words.averages):
            raise NoWording(f"the {figure.how} of {figure.key}", "Such a figure means nothing.")
        table = _TIMED if words.kind in MOMENTS else _AVERAGES
        if figure.how not in table:
            raise NoWording(f"the figure {figure.how}")
        noun = words.noun
        prefix = table[figure.how]
        first = noun.split()[0]
        if first in ("total", "average", "highest", "lowest", "latest", "earliest", "number"):
            if prefix == "total" and first == "number":
                prefix = "total"
            elif first != "number":
                raise NoWording("a figure of a figure")
        said = f"{prefix} {noun}"
        return NP(said, f"{prefix} {words.plural or plural(noun)}", atoms=(figure,))

    def _extremes(self, figures: list[Figure]) -> Slots:
        low, high = sorted(figures, key=lambda f: f.how != "min")
        first, second = self._measure(low), self._measure(high)
        adjective = first.one.partition(" ")[0]
        return {
            "LO": NP(adjective, adjective, atoms=(low,)),
            "HI": NP(second.one, second.several, atoms=(high,)),
        }

    def _overall(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        figure = ask.figures[0]
        focus = ask.focus
        if focus.against:
            if ask.goal != "count" or len(focus.against) > 1:
                raise NoWording("a figure of exceptions")
            for slots, cost in self._exception(ask):
                whole = slots["F"]
                assert isinstance(whole, NP)  # noqa: S101 - a description is one
                yield {**slots, "F": replace(whole, atoms=(*whole.atoms, figure))}, cost
            return
        if ask.goal == "share" and figure.test is not None:
            test = figure.test
            for head in self.things.describe(focus):
                for option in self.things.predicates(test, self.things.who(focus.type)):
                    phrase = _also(option.phrase, figure, test)
                    yield {"F": head.np, "P": phrase}, head.cost + option.cost
            return
        if figure.key and figure.how == "count":
            words = self.tests.words(figure.owner, figure.key)
            noun = NP(words.noun, words.plural or plural(words.noun), many=True, atoms=(figure,))
            for head in self.things.describe(focus):
                yield {"F": head.np, "CV": noun}, head.cost
            return
        for head in self.things.describe(focus):
            np = head.np
            if not figure.key:
                np = replace(np, atoms=(*np.atoms, figure))
                yield {"F": np}, head.cost
            elif len(ask.figures) == 2:
                yield {"F": np, **self._extremes(ask.figures)}, head.cost
                words = self.tests.words(figure.owner, figure.key)
                if words.most and words.least and words.ask and "…" not in words.ask:
                    low, high = sorted(ask.figures, key=lambda f: f.how != "min")
                    yield (
                        {
                            "Q": Text(words.ask),
                            "F": np,
                            "INF": Text(words.least, (low,)),
                            "SUP": Text(words.most, (high,)),
                        },
                        head.cost,
                    )
            else:
                yield {"F": np, "M": self._measure(figure)}, head.cost
                if figure.how == "avg":
                    for slots, cost in self._asked(figure.owner, figure.key, figure, {"F": np}):
                        yield slots, cost + head.cost
        if not figure.key:
            with_predicate = self._with_predicate(focus, {})
            for slots, cost in with_predicate:
                head_np = slots["F"]
                assert isinstance(head_np, NP)  # noqa: S101 - a description is one
                slots["F"] = replace(head_np, atoms=(*head_np.atoms, figure))
                yield slots, cost

    def _breakdown(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        group = ask.group
        assert isinstance(group, Column | Year)  # noqa: S101 - breakdowns have one
        figures = ask.figures
        if len(figures) > 1 and {f.how for f in figures} != {"min", "max"}:
            raise NoWording("several figures for each group")
        words = self.tests.words(group.owner, group.key)
        if isinstance(group, Year):
            noun = group.part
            if self.form == "explicit" or not _only_moment(self.lexicon, group):
                noun = f"{group.part} of the {words.noun}"
        else:
            noun = words.group or words.noun
        atoms: list[Atom] = [group]
        if ask.relation is not None:
            if not group.thing.bare or ask.relation.tests or ask.relation.how != "some":
                raise NoWording("groups by a part of what is beside")
            if not ask.relation.one and figures[0].how != "count":
                raise NoWording("figures that count for several groups")
            other = self.things.noun(group.thing.type).singular
            noun = noun if noun == other else f"{noun} of the {other}"
            noun = other if noun == f"name of the {other}" else noun
            atoms.append(ask.relation)
        if ask.bound is not None or (ask.top is not None and ask.top.count):
            yield from self._top_groups(ask, noun, atoms)
            return
        if ask.top is not None and not isinstance(ask.top.by, Figure):
            if ask.top.most or not isinstance(ask.top.by, Year):
                raise NoWording("groups in an order")
            atoms.append(ask.top)
        g = NP(noun, plural(noun), atoms=tuple(atoms))
        figure = figures[0]
        for head in self.things.describe(ask.focus):
            np = head.np
            if figure.how == "share" and figure.test is not None:
                for option in self.things.predicates(figure.test, self.things.who(ask.focus.type)):
                    phrase = _also(option.phrase, figure, figure.test)
                    yield {"F": np, "P": phrase, "G": g}, head.cost + option.cost
            elif not figure.key:
                yield {"F": replace(np, atoms=(*np.atoms, figure)), "G": g}, head.cost
            elif len(figures) == 2:
                yield {"F": np, "G": g, **self._extremes(figures)}, head.cost
            else:
                yield {"F": np, "M": self._measure(figure), "G": g}, head.cost

    def _top_groups(self, ask: Ask, noun: str, atoms: list[Atom]) -> Iterator[tuple[Slots, float]]:
        """Values of a property by how many things have them, or by a figure of those."""
        (figure,) = ask.figures
        top, bound = ask.top, ask.bound
        if isinstance(ask.group, Year):
            raise NoWording("years in an order")
        for head in self.things.describe(ask.focus):
            np = head.np
            if top is not None:
                many = top.count != 1
                number = number_text(top.count) if many else ""
                said: tuple[Atom, ...] = (figure, top)
                kg = NP(noun, plural(noun), many=many, det=number, atoms=tuple(atoms))
                slots: Slots = {"KG": kg, "F": np}
                if figure.key:
                    slots["M"] = self._measure(figure)
                    slots["HI"] = Text("highest" if top.most else "lowest", (top,))
                else:
                    common = Text("most common" if top.most else "least common", said)
                    slots |= {"CO": common, "CG": replace(kg, pre=(common,))}
                yield slots, head.cost
            elif bound is not None:
                g = NP(noun, plural(noun), many=True, atoms=tuple(atoms))
                if figure.key:
                    words = self.tests.words(figure.owner, figure.key)
                    than = f"{_ABOVE[bound.op]} {value_text(bound.value, words)}"
                    yield (
                        {"G": g, "F": np, "M": self._measure(figure), "BV": Text(than, (bound,))},
                        head.cost,
                    )
                elif isinstance(bound.value.value, int):
                    number = number_text(bound.value.value)
                    det = _BOUNDS.get(bound.op, "").replace("{}", number).replace("less", "fewer")
                    counted = replace(np, det=det, atoms=(*np.atoms, figure, bound))
                    yield {"G": g, "BO": counted}, head.cost

    # --- ranks ---------------------------------------------------------------------------

    def _rank(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        top, focus = ask.top, ask.focus
        assert top is not None  # noqa: S101 - ranks have one
        if not isinstance(top.by, Column) or top.by.thing is not focus:
            raise NoWording("a rank by what is far away")
        words = self.tests.words(top.by.owner, top.by.key)
        if words.kind in (Role.CATEGORY, Role.FLAG, Role.NAME, Role.TEXT, Role.CODE):
            raise NoWording("a rank by the alphabet")
        if any(not column.key for column in ask.columns):
            raise NoWording("things beside a rank")
        by = top.by
        most = top.most
        superlative = words.most if most else words.least
        kind = ("latest", "earliest") if words.kind in MOMENTS else ("highest", "lowest")
        extreme = kind[0] if most else kind[1]
        many = top.count != 1
        noun = words.noun if not many else words.plural or plural(words.noun)
        number = "" if not many else number_text(top.count)
        have = f"the {extreme} {noun}"
        if not many:
            have = f"the {extreme} {words.noun}"
        extra: Slots = {}
        if ask.columns:
            extra = {"C": self._nouns(ask.columns, many=many)}
        said: tuple[Atom, ...] = (top, by)
        for head in self.things.describe(focus, many=many):
            kf = replace(head.np, det=number)
            base: Slots = {"KF": kf, **extra}
            clause = Clause(verb="have", object=Text(have), atoms=said)
            yield {**base, "T": clause, "TM": Text(have[4:], said)}, head.cost
            with_it = _with(kf, Option("post", Text(f"with {have}", said)))
            if with_it is not None:
                yield {**base, "KM" if many else "K1": with_it}, head.cost
            yield {**base, "M": Text(words.noun, said)} if most and many else {}, head.cost
            if superlative:
                yield {**base, "S": Text(superlative, said)}, head.cost - 0.3
                lead = f"{number} {superlative}".strip()
                sf = replace(
                    head.np, det="the" if self.form != "search" else "",
                    pre=(Text(lead, said), *head.np.pre),
                )  # fmt: skip
                yield {"SF": sf, **base}, head.cost

    # --- figures for each thing ----------------------------------------------------------

    def _groups(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        relation, focus = ask.relation, ask.focus
        if relation is None or not isinstance(ask.group, Thing):
            yield from self._value_groups(ask)
            return
        if len(ask.figures) != 1 or ask.columns:
            raise NoWording("several figures for each thing")
        (figure,) = ask.figures
        if figure.how == "count" and figure.key:
            raise NoWording("a number of values for each thing")
        if ask.goal == "tally":
            yield from self._tally(ask, relation, figure)
        elif figure.key:
            yield from self._by_measure(ask, relation, figure)
        else:
            yield from self._by_count(ask, relation, figure, focus)

    def _tally(self, ask: Ask, relation: Relation, figure: Figure) -> Iterator[tuple[Slots, float]]:
        for head in self.things.describe(ask.focus, many=False):
            g = replace(head.np, det="each")
            if figure.key:
                if not relation.other.bare or relation.tests:
                    raise NoWording("a figure of a part of what is beside")
                measure = self._measure(figure)
                for linked in self._of_each(relation, g):
                    yield {"M": measure, "OG": linked.np}, head.cost + linked.cost
                theirs = self._theirs(relation)
                yield {"M": measure, "g": replace(g, det=""), "THEIR": theirs}, head.cost
                continue
            for other in self.things.describe(relation.other, deep=True):
                o = replace(other.np, atoms=(*other.np.atoms, figure))
                cost = head.cost + other.cost
                bare = NP("", "")
                for option in self._said_of(relation, bare):
                    if isinstance(option.phrase, Clause) and option.phrase.subject is None:
                        clause = replace(option.phrase, object=None)
                        yield {"O": o, "V": clause, "g": g}, cost + option.cost
                there = replace(o, atoms=(*o.atoms, relation))
                if not relation.tests:
                    one = replace(g, det="")
                    theirs = replace(there, det="their")
                    yield {"OT": there, "g": g, "a": one}, cost + 0.4
                    yield {"THEIR": theirs, "g": one}, cost + self._own(relation)
            for linked in self._of_each(relation, g):
                np = replace(linked.np, atoms=(*linked.np.atoms, figure), det="")
                yield {"OG": np}, head.cost + linked.cost

    def _of_each(self, relation: Relation, each: NP) -> Iterator[Described]:
        """The counted things with what they belong to: "the orders placed by each customer"."""
        path = self.lexicon.path(turned(relation.along))
        if path is None:
            return
        back = Relation(turned(relation.along), relation.other, tests=relation.tests)
        adjuncts = self.things.adjuncts(back)
        for head in self.things.describe(relation.other, det="the", deep=True):
            found: list[Option] = []
            if path.forward is not None:
                found += _forward(path.forward, each, back, adjuncts, (relation,))
            if path.backward is not None:
                found += _backward(path.backward, each, back, adjuncts, (relation,))
            for option in found:
                if option.place in ("post", "rel") and (np := _with(head.np, option)):
                    yield Described(np, head.cost + option.cost)

    def _by_measure(
        self, ask: Ask, relation: Relation, figure: Figure
    ) -> Iterator[tuple[Slots, float]]:
        """Things ranked or bounded by a figure of what is beside them."""
        focus = ask.focus
        own = self.lexicon.property(focus.type, figure.key)
        words = self.tests.words(figure.owner, figure.key)
        if own is not None and own.noun == words.noun and self.form == "contracted":
            raise NoWording("a figure that the things have themselves")
        if not relation.other.bare or relation.tests:
            raise NoWording("a figure of a part of what is beside")
        measure = self._measure(figure)
        atoms = (relation,)
        theirs = self._theirs(relation)
        if ask.top is not None and ask.goal == "rank-by-tally":
            many = ask.top.count != 1
            extreme = "highest" if ask.top.most else "lowest"
            number = number_text(ask.top.count) if many else ""
            for head in self.things.describe(focus, many=many):
                kf = replace(head.np, det=number)
                said = f"the {extreme} {measure.one}"
                clause = Clause(verb="have", object=Text(said, (figure, ask.top)), atoms=atoms)
                slots: Slots = {
                    "KF": kf,
                    "T": clause,
                    "TO": Text(said[4:], (figure, ask.top, *atoms)),
                }
                slots |= {"M": measure, "THEIR": theirs, "HI": Text(extreme, (ask.top,))}
                yield slots, head.cost
        elif ask.bound is not None:
            bound = value_text(ask.bound.value, words)
            if ask.bound.op not in _ABOVE:
                raise NoWording("a figure that is exactly so much")
            than = f"{_ABOVE[ask.bound.op]} {bound}"
            for head in self.things.describe(focus):
                said = f"{measure.one} {than}"
                one = NP(said, said, det="a", atoms=(figure, ask.bound))
                yield (
                    {
                        "F": head.np,
                        "V": Clause(verb="have", object=one, atoms=atoms),
                        "BO": replace(one, det="", atoms=(figure, ask.bound, *atoms)),
                        "M": measure,
                        "THEIR": theirs,
                        "BV": Text(than, (ask.bound,)),
                    },
                    head.cost,
                )
        elif ask.goal == "figure-of-figures":
            raise NoWording("a figure of measures")

    def _theirs(self, relation: Relation) -> NP:
        noun = self.things.noun(relation.other.type)
        return NP(noun.singular, noun.plural, many=True, det="their", atoms=(relation,))

    def _by_count(
        self, ask: Ask, relation: Relation, figure: Figure, focus: Thing
    ) -> Iterator[tuple[Slots, float]]:
        """Things ranked or bounded by how many others they have."""
        if ask.zero:
            raise NoWording("things with none beside those with some")
        if ask.goal == "figure-of-figures":
            yield from self._figures(ask, relation, figure)
            return
        top, bound = ask.top, ask.bound
        atoms: tuple[Atom, ...]
        many = True
        if top is not None and ask.goal == "rank-by-tally":
            det = "the most" if top.most else "the fewest"
            atoms = (figure, top)
            many = top.count != 1
        elif bound is not None and isinstance(bound.value.value, int):
            number = number_text(bound.value.value)
            det = _BOUNDS.get(bound.op, "").replace("{}", number).replace("less than", "fewer than")
            atoms = (figure, bound)
            if top is not None:
                raise NoWording("a bound and an order")
        else:
            raise NoWording("a tally without a bound")
        plain = bound is not None and bound.value.value == 1
        for head in self.things.describe(focus, many=many):
            lead = number_text(top.count) if top is not None and top.count != 1 else ""
            kf = replace(head.np, det=lead)
            for other in self.things.describe(
                relation.other, many=not plain or top is not None, det=det, deep=True
            ):
                counted = replace(other.np, atoms=(*other.np.atoms, *atoms))
                for option in self._said_of(relation, counted):
                    cost = head.cost + other.cost + option.cost
                    base: Slots = {"KF": kf, "F": kf, _verb("V", option.phrase): option.phrase}
                    yield base, cost
                short = replace(
                    counted, det=det.removeprefix("the "), atoms=(*counted.atoms, relation)
                )
                yield {"KF": kf, "F": kf, "TO": short, "BO": short}, head.cost + other.cost

    def _said_of(self, relation: Relation, other: NP) -> Iterator[Option]:
        """What a thing says of the other end, as the verb of the question."""
        path = self.lexicon.path(relation.along)
        if path is None:
            raise NoWording(f"the path {' '.join(relation.along)}")
        adjuncts = self.things.adjuncts(relation)
        atoms = (relation,)
        plain = Relation(relation.along, relation.other, tests=relation.tests)
        said = False
        if path.forward is not None:
            for option in _forward(path.forward, other, plain, adjuncts, atoms):
                if option.place == "pred":
                    said = True
                    yield option
        if path.backward is not None and path.backward.verb not in ("", "have"):
            yield Option(
                "pred",
                Clause(
                    verb=path.backward.verb,
                    particle=path.backward.particle,
                    tense=path.backward.tense,
                    subject=other,
                    tail=adjuncts,
                    atoms=atoms,
                ),
                1.0,
            )
            said = True
        back = path.backward
        if not said and back is not None and back.particle in ("of", "by", "for", "in", "at", "on"):
            clause = Clause(verb="have", object=other, tail=adjuncts, atoms=atoms)
            yield Option("pred", clause, 0.3)

    def _figures(
        self, ask: Ask, relation: Relation, figure: Figure
    ) -> Iterator[tuple[Slots, float]]:
        outer = next(atom for atom in ask.extra if isinstance(atom, Figure))
        noun = self.things.noun(relation.other.type)
        if not relation.other.bare or relation.tests:
            raise NoWording("a figure of a part of what is beside")
        atoms: tuple[Atom, ...] = (figure, outer)
        o = NP(noun.singular, noun.plural, many=True, atoms=atoms)
        one = NP(noun.singular, noun.plural, many=True)
        for head in self.things.describe(ask.focus, many=False):
            f = head.np
            for option in self._said_of(relation, one):
                if not isinstance(option.phrase, Clause) or option.phrase.subject is not None:
                    continue
                clause = replace(option.phrase, object=None)
                cost = head.cost + option.cost
                if outer.how == "avg":
                    yield {"O": o, "V": clause, "a": replace(f, det="a")}, cost
                    group = replace(f, many=True)
                    some = NP(noun.singular, noun.plural, many=True, det="any")
                    having = replace(option.phrase, object=some)
                    plain = replace(f, atoms=())
                    yield (
                        {
                            "F": group,
                            "HAVE": having,
                            "O": o,
                            "f": replace(plain, pre=(), post=(), relative=()),
                        },
                        cost,
                    )
                else:
                    extreme = "largest" if outer.how == "max" else "smallest"
                    yield (
                        {
                            "O": replace(o, atoms=(figure,)),
                            "V": clause,
                            "f": f,
                            "HI": Text(extreme, (outer,)),
                        },
                        cost,
                    )
            if outer.how != "avg":
                extreme = "largest" if outer.how == "max" else "smallest"
                plain_o = replace(o, atoms=(figure, relation))
                yield {"O": plain_o, "f": f, "HI": Text(extreme, (outer,))}, head.cost
            else:
                yield {"O": replace(o, atoms=(*o.atoms, relation)), "f": f}, head.cost

    def _value_groups(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Values of a property that have many or few things."""
        if ask.goal not in ("threshold", "rank-by-tally"):
            raise NoWording("figures of values")
        yield from self._breakdown(ask)

    # --- comparisons ---------------------------------------------------------------------

    def _exception(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        focus = ask.focus
        if len(focus.against) != 1 or ask.top is not None:
            raise NoWording("several comparisons")
        (against,) = focus.against
        figure = against.figure
        assert figure is not None  # noqa: S101 - it is what makes an exception
        words = self.tests.words(focus.type, against.key)
        if not words.averages and figure.how == "avg":
            raise NoWording("an average that means nothing")
        columns = [c for c in ask.columns if c.key]
        if len(columns) < len(ask.columns):
            raise NoWording("things beside an exception")
        extra = self._shown_columns(columns)
        for head in self.things.describe(replace_focus(focus)):
            for clause, cost in self._held(ask, against, figure, words):
                yield {"F": head.np, "MORE": clause, **extra}, head.cost + cost
            for phrase, cost in self._held_short(ask, against, figure, words):
                yield {"F": head.np, "ABOVE": phrase, **extra}, head.cost + cost

    def _held(
        self, ask: Ask, against: Against, figure: Figure, words: Property
    ) -> Iterator[tuple[Clause, float]]:
        high = against.op in (">", ">=")
        atoms: tuple[Atom, ...] = (against, figure)
        average, extra = self._average(ask, against, figure)
        atoms = (*atoms, *extra)
        strict = against.op in (">", "<")
        if not strict:
            raise NoWording("at least the average")
        cmp = words.more if high else words.less
        if against.times != 1:
            if against.times != 2 or not high:
                raise NoWording("a multiple of the average")
            said = f"{words.noun} more than twice"
            whole = Listing((Text(said), Text("the"), average), "\0")
            yield (
                Clause(verb="have", object=Listing((_an(), whole), "\0"), atoms=atoms),
                0.0,
            )
            return
        alone = isinstance(average, Text) and average.words == "average"
        if cmp and alone:
            yield Clause(be=f"{cmp} average", atoms=atoms), -0.5
        elif cmp:
            dear = 2.0 if self.form == "explicit" else 0.0
            yield Clause(be=cmp, object=Listing((Text("the"), average), "\0"), atoms=atoms), dear
        side = "above" if high else "below"
        whole = Listing((Text(f"{words.noun} {side} the"), average), "\0")
        yield Clause(verb="have", object=Listing((_an(), whole), "\0"), atoms=atoms), 0.5
        if not against.of_group and alone:
            said = f"{side}-average {words.noun}"
            yield Clause(verb="have", object=NP(said, said, det="a"), atoms=atoms), 0.0

    def _held_short(
        self, ask: Ask, against: Against, figure: Figure, words: Property
    ) -> Iterator[tuple[Phrase, float]]:
        side = "above" if against.op in (">", ">=") else "below"
        average, extra = self._average(ask, against, figure)
        atoms: tuple[Atom, ...] = (against, figure, *extra)
        if against.times != 1:
            side = "more than twice"
        yield Listing((Text(f"{words.noun} {side}"), average), "\0", atoms), 0.0

    def _average(
        self, ask: Ask, against: Against, figure: Figure
    ) -> tuple[Phrase, tuple[Atom, ...]]:
        """ "average", "average of their team", "average of all women"."""
        how = {"avg": "average"}.get(figure.how)
        if how is None:
            raise NoWording("a comparison with a sum")
        if against.of_group:
            relation = ask.relation
            if relation is None or not relation.one or not isinstance(ask.group, Thing):
                raise NoWording("an average of several groups")
            if not ask.group.bare:
                raise NoWording("an average of one group")
            noun = self.things.noun(ask.group.type).singular
            return Text(f"{how} of their {noun}"), (relation,)
        whole = against.other
        if whole is None or whole.bare:
            plain = self.form == "contracted" and ask.focus.bare_but_against
            if plain or self.form == "search":
                return Text(how), ()
            return Text(f"{how} of all {self.things.noun(ask.focus.type).plural}"), ()
        others = self.things.describe(whole, det="all", deep=True)
        return Listing((Text(f"{how} of"), others[0].np), "\0"), ()

    def _best(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        top, focus, relation = ask.top, ask.focus, ask.relation
        assert top is not None and relation is not None  # noqa: S101, PT018 - so it is made
        assert isinstance(top.by, Column) and isinstance(ask.group, Thing)  # noqa: S101, PT018
        words = self.tests.words(top.by.owner, top.by.key)
        if words.kind in (Role.CATEGORY, Role.FLAG, Role.NAME, Role.TEXT, Role.CODE):
            raise NoWording("a rank by the alphabet")
        columns = [c for c in ask.columns if c.key]
        extra: Slots = {"C": self._nouns(columns, many=False)} if columns else {}
        said: tuple[Atom, ...] = (top, top.by)
        superlative = words.most if top.most else words.least
        kind = ("latest", "earliest") if words.kind in MOMENTS else ("highest", "lowest")
        extreme = kind[0] if top.most else kind[1]
        clause = Clause(verb="have", object=Text(f"the {extreme} {words.noun}"), atoms=said)
        noun = self.things.noun(focus.type)
        for group in self.things.describe(ask.group, many=False):
            their = self.things.describe(focus, many=True)
            for head in their[:2]:
                theirs = replace(
                    head.np, det="its" if not self.things.who(ask.group.type) else "their",
                    atoms=(*head.np.atoms, relation),
                )  # fmt: skip
                one = NP(noun.singular, noun.plural)
                tm = Text(f"the {extreme} {words.noun}", said)
                yield (
                    {"g": group.np, "THEIR": theirs, "TM": tm, **extra},
                    head.cost + group.cost,
                )
                yield (
                    {"g": group.np, "THEIR": theirs, "T": clause, "f": one, **extra},
                    head.cost + group.cost,
                )
            if superlative or self.form == "search":
                word = superlative or f"{extreme}-{words.noun}"
                each = replace(group.np, det="each")
                for linked in self._placed_by(relation, focus, each):
                    sg = replace(
                        linked.np, det="the" if self.form != "search" else "",
                        pre=(Text(word, said), *linked.np.pre),
                    )  # fmt: skip
                    yield {"SG": sg, **extra}, linked.cost + group.cost + (0 if superlative else 3)

    def _placed_by(self, relation: Relation, focus: Thing, each: NP) -> Iterator[Described]:
        """One thing by what it belongs to: "player of each team"."""
        path = self.lexicon.path(relation.along)
        if path is None or path.forward is None:
            return
        for head in self.things.describe(focus, many=False):
            for option in _forward(
                path.forward, each, Relation(relation.along, focus), (), (relation,)
            ):
                if option.place in ("post", "rel"):
                    np = _with(head.np, option)
                    if np is not None:
                        yield Described(np, head.cost + option.cost)

    def _follow_up(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """What is beside the first few: "Which products did the three best customers buy?"."""
        second, relation = ask.second, ask.relation
        assert second is not None and relation is not None  # noqa: S101, PT018
        if second.relation is None or len(second.figures) != 1 or ask.columns or ask.distinct:
            raise NoWording("a follow-up with figures")
        for firsts, cost in self._groups(second):
            if "V" not in firsts or not isinstance(firsts["V"], Clause):
                continue
            kf, said = firsts["KF"] if "KF" in firsts else firsts["F"], firsts["V"]
            assert isinstance(kf, NP)  # noqa: S101 - a description is one
            option = Option("rel", said)
            if said.subject is not None:
                continue
            lead = f"the {kf.det}".strip()
            chosen = _with(replace(kf, det=lead), option)
            if chosen is None:
                continue
            plain = Relation(relation.along, ask.focus)
            path = self.lexicon.path(relation.along)
            if path is None:
                raise NoWording("a follow-up")
            found: list[Option] = []
            if path.forward is not None:
                found += _forward(path.forward, chosen, plain, (), (relation,))
            if path.backward is not None and path.backward.verb not in ("", "have"):
                found += _backward(path.backward, replace(chosen), plain, (), (relation,))
                b = path.backward
                clause = Clause(
                    verb=b.verb,
                    particle=b.particle,
                    tense=b.tense,
                    subject=chosen,
                    atoms=(relation,),
                )
                found.append(Option("pred", clause))
            for head in self.things.describe(ask.focus):
                for each in found:
                    if each.place == "pred":
                        name = _verb("P", each.phrase)
                        yield {"F": head.np, name: each.phrase}, cost + head.cost + each.cost
                    elif (np := _with(head.np, each)) is not None:
                        yield {"FP": np}, cost + head.cost + each.cost


def replace_focus(focus: Thing) -> Thing:
    """The thing without the comparison that is said elsewhere."""
    return Thing(focus.type, focus.entity, focus.name, focus.tests, focus.relations)


def _also(phrase: Phrase, *atoms: Atom) -> Phrase:
    """The phrase with more atoms; those it has already stay once."""
    assert isinstance(phrase, Clause | Listing | Text | NP)  # noqa: S101
    have = {id(atom) for atom in phrase.atoms}
    return replace(phrase, atoms=(*phrase.atoms, *(a for a in atoms if id(a) not in have)))


def _verb(name: str, phrase: Phrase) -> str:
    """The slot of a verb: another one where it has a subject of its own."""
    return f"{name}T" if isinstance(phrase, Clause) and phrase.subject is not None else name


def _one(np: NP, joiner: str) -> NP:
    """The second of a kind: "and one with …", "and a blue one", "but none with …"."""
    if joiner == "and":
        return replace(np, one="one", det="a" if np.pre else "")
    if np.pre:
        return replace(np, one="one", det="no")
    return replace(np, one="none", det="")


def _an() -> Phrase:
    return Text("a\0")


def _with(np: NP, option: Option) -> NP | None:
    """The noun phrase with one more restriction behind it."""
    if option.place == "post":
        return replace(np, post=(*np.post, option.phrase)) if len(np.post) < 2 else None
    if option.place == "rel" and isinstance(option.phrase, Clause) and not np.relative:
        return replace(np, relative=(option.phrase,))
    if option.place == "pre":
        return replace(np, pre=(*np.pre, option.phrase)) if len(np.pre) < 2 else None
    return None


def _only_moment(lexicon: Lexicon, year: Year) -> bool:
    """Whether the thing has one moment, so that its year needs no name."""
    moments = [
        name
        for name, words in lexicon.properties.get(year.owner, {}).items()
        if words.kind in MOMENTS and not words.hidden
    ]
    return moments == [year.key]
