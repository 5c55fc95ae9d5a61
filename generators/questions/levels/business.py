"""The business level: an analyst's goal; how things are linked is left out, no value is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from generators.questions.author import NotExpressible
from generators.questions.levels.analyst import LONG, AnalystBase, asked, plain
from generators.questions.levels.business_groups import Groups
from generators.questions.levels.logical import Logical
from generators.questions.lexicon.nouns import half_name, is_person
from generators.questions.lexicon.properties import PropertyWords
from generators.questions.lexicon.vocabulary import Vocabulary
from generators.questions.plan.cardinality import connected
from generators.questions.plan.model import Combined, Entity, EntityRef, Plan
from generators.questions.plan.naming import in_order, name_all
from generators.questions.realise import style
from generators.questions.realise.clauses import plural_of, superlative, window
from generators.questions.realise.noun_phrases import Teller
from graph_ir import nodes as ir
from graphmill.english.inflection import are, cardinal, listing, sentence

MAX_WORDS = 50
MAX_SENTENCES = 2
_LEANS = re.compile(r"of |\w+(?:ed|ing|own|ilt) ")  # stands right behind its noun: "hired after …"


@dataclass(frozen=True, slots=True)
class Business:
    """The question, and what it leaves for the reader to know, as sentences."""

    text: str
    notes: tuple[str, ...] = ()


def business(plan: Plan, words: Vocabulary, rng: Random, keeps: Callable[[str], None]) -> Business:
    """The question; `keeps` raises where a text would lose a value.

    Raises:
        NotExpressible: there is no good way to say it.
    """
    if isinstance(plan, Combined):
        return _combined(plan, words, rng, keeps)
    name_all(plan)
    state = rng.getstate()
    last = NotExpressible("business")
    for way in (Analyst, Longer, Longest):
        said: list[AnalystBase] = []

        def say(way: type[AnalystBase] = way, said: list[AnalystBase] = said) -> str:
            rng.setstate(state)
            said.append(way(plan, words, rng))
            text = said[-1].question()
            said[-1].teller.finish()
            return text

        try:
            text = in_order(plan, say)
            return _styled(text, tuple(said[-1].notes), rng, keeps, words)
        except NotExpressible as problem:
            last = problem
    raise last


def _styled(
    text: str,
    notes: tuple[str, ...],
    rng: Random,
    keeps: Callable[[str], None],
    words: Vocabulary,
) -> Business:
    """The question in an analyst's words, where these keep all values, else as it is."""
    said = style.analyst(text, rng, words.fixed)
    try:
        keeps(f"{said} {knowledge(notes)}")
    except NotExpressible:
        said = text
        keeps(f"{said} {knowledge(notes)}")
    return Business(said, notes)


def knowledge(notes: tuple[str, ...]) -> str:
    """Notes as at most two sentences and fifty words; the first ones matter most."""
    said: list[str] = []
    for note in notes[:MAX_SENTENCES]:
        text = sentence(note)
        if sum(len(s.split()) for s in [*said, text]) <= MAX_WORDS:
            said.append(text)
    return " ".join(said)


def _short(rest: str) -> bool:
    """Whether so little stands behind a noun that a verb may still follow."""
    return len(rest.split()) <= LONG and "," not in rest


class Longer(AnalystBase):
    """The sentences of the logical level with compact descriptions, where no short one is known."""

    def question(self) -> str:
        """The whole question."""
        self._name_computed()
        return super().question()


class Longest(Longer):
    """The same with the descriptions of the logical level, which say everything."""

    teller_class = Teller  # type: ignore[assignment] # it takes no notes

    def _parts(self, entity: Entity, det: str) -> tuple[str, str]:
        head = self.teller.head(entity, det)
        said = self.teller.describe(entity, det).removeprefix(head).strip()
        return head, f"{said}{self._optional()}{self.teller.tail()}".strip()

    def _optional(self, head: Entity | None = None) -> str:
        return Logical._optional(self, head)


def _combined(
    plan: Combined, words: Vocabulary, rng: Random, keeps: Callable[[str], None]
) -> Business:
    said, notes = [], []
    for part in plan.parts:
        if isinstance(part, Combined):
            raise NotExpressible("nested set operations")
        name_all(part)
        analyst = Analyst(part, words, rng)
        said.append(analyst.wanted())
        analyst.teller.finish()
        notes += analyst.notes
    end = ""
    if plan.order:
        ways = {key.descending for key in plan.order}
        if len(ways) > 1 or any(not isinstance(key.expr, ir.Var) for key in plan.order):
            raise NotExpressible("an order of several columns")
        end = f", in {'descending' if ways == {True} else 'ascending'} order"
    end += window(plan.skip, plan.limit)
    columns = said[0].columns
    things = [part.described for part in said]
    same = len({part.columns for part in said}) == 1
    whole = [f"the {part.columns} of {part.described}" for part in said]
    if plan.kind in ("union", "union all"):
        each = "" if plan.kind == "union" else ", repeats included"
        if same:
            text = f"which {columns} do we find for {' or for '.join(things)}{each}{end}"
        else:
            text = f"pull together {listing(whole)}{each}{end}"
    elif plan.kind == "intersect" and same:
        text = f"which {columns} do we find both for {' and for '.join(things)}{end}"
    elif plan.kind == "intersect":
        text = f"which values are both among {' and among '.join(whole)}{end}"
    elif same:
        others = listing(things[1:], "or")
        text = f"which {columns} do we find for {things[0]} but not for {others}{end}"
    else:
        text = f"which of {whole[0]} are not among {listing(whole[1:], 'or')}{end}"
    return _styled(asked(text), tuple(notes), rng, keeps, words)


class Analyst(Groups):
    """Says one block as a goal."""

    def question(self) -> str:
        """The whole question, in the short form where there is one."""
        self._name_computed()
        return self._nested() or super().question()

    # --- without aggregates --------------------------------------------------------------

    def _plain(self) -> str:
        block = self.block
        root = self._subject()
        if root is None or not self._listable() or not connected(block) or block.optional:
            return self._each()
        self._spoken(root)
        found = [plain(item.expr) for item in block.items]
        found = list(dict.fromkeys(found))
        columns = [w for e in found if isinstance(e, ir.Prop) and (w := self.speech.of(e))]
        both = {"first", "last"} <= {half_name(w.noun) for w in columns}
        names = [w for w in columns if (half_name(w.noun) if both else w.identity)]
        keys = self.words.keys(root.types)
        own = [e.key for e in found if isinstance(e, ir.Prop)]
        if not names and len(keys) == 1 and keys[0] in own:
            names = [columns[own.index(keys[0])]] if len(columns) == len(own) else []
        others = [w for w in columns if w not in names]
        top = self._superlative(root)
        if top is not None:
            return self._best(root, top, names, others)
        order = self._order_words(root)
        if names and not others and not block.order and not block.skip and block.limit:
            head, rest = self._parts(root, "bare" if block.limit == 1 else "plural")
            return asked(f"name any {cardinal(block.limit)} {head} {rest}")
        if block.distinct and others:
            return self._range(root, columns, order)
        asked_for = [w for w in columns if not w.identity]
        if self._named(root) and asked_for:
            return self._known(root, asked_for, order)
        head, rest = self._parts(root, "plural")
        if not columns:
            return asked(f"show everything on {head} {rest}{order}")
        if not names:
            wanted = listing([plural_of(w) for w in others])
            ways = [
                f"what {are([wanted])} the {wanted} of",
                f"which {wanted} do we have on record for",
            ]
            ways = ways[:1] if are([wanted]) == "is" else ways
            return asked(f"{self.rng.choice(ways)} {head} {rest}{order}")
        if others:
            wanted = listing([plural_of(w) for w in others])
            if len(rest.split()) > LONG or self.rng.random() < 0.5:
                start = self.rng.choice(["give an overview of", "list", "find"])
                return asked(f"{start} {head} {rest}, including their {wanted}{order}")
            return asked(
                f"which {head} {rest} are there, and what {are([wanted])} their {wanted}{order}"
            )
        return self._names(root, head, rest, order)

    def _names(self, root: Entity, head: str, rest: str, order: str) -> str:
        """Only who or which they are."""
        if is_person(root.noun):
            ways = ["who are the {} {}", "name all {} {}", "which {} are there {}"]
        elif _LEANS.match(rest):
            ways = ["find all {} {}", "we are looking for all {} {}"]  # "hired after …"
        elif len(rest.split()) > LONG:
            ways = ["find all {} {}", "we are looking for all {} {}", "which {} are there {}"]
        else:
            ways = ["which {} {} are there", "which {} {} do we have", "name all {} {}"]
            if order:
                ways = ["which {} are there {}", "name all {} {}"]
        return asked(f"{self.rng.choice(ways).format(head, rest)}{order}")

    def _known(self, root: Entity, others: list[PropertyWords], order: str) -> str:
        head, rest = self._parts(root, "any")
        nouns = listing([w.full for w in others])
        be = "is" if len(others) == 1 and not others[0].several else "are"
        ways = [f"what {be} the {nouns} of", f"look up the {nouns} of", f"we need the {nouns} of"]
        return asked(f"{self.rng.choice(ways)} {head} {rest}{order}")

    def _range(self, root: Entity, columns: list[PropertyWords], order: str) -> str:
        head, rest = self._parts(root, "plural")
        if len(columns) == 1 and columns[0].identity:
            return self._names(root, head, rest, order)
        nouns = listing([plural_of(w) for w in columns])
        ways = [f"which {nouns} occur among", f"which different {nouns} do we see among"]
        return asked(f"{self.rng.choice(ways)} {head} {rest}{order}")

    def _best(
        self,
        root: Entity,
        top: tuple[PropertyWords, bool],
        names: list[PropertyWords],
        others: list[PropertyWords],
    ) -> str:
        """ "which five museums have the most annual visitors, and …"."""
        words, down = top
        limit = self.block.limit or 1
        one = limit == 1
        head, rest = self._parts(root, "bare" if one and (names or not others) else "plural")
        best = superlative(words, descending=down)
        ties = ""
        if len(self._sort_keys()) > 1:
            self.speech.here = root
            keys = [self.speech.sorted_by(key) for key in self._sort_keys()[1:]]
            ties = f" (ties broken by {', then '.join(keys)})"
            self.speech.here = None
        others = [w for w in others if w.noun != words.noun] + [
            w for w in others if w.noun == words.noun
        ]
        which = head if one else f"{cardinal(limit)} {head}"
        if not names and not others:
            has = "has" if one else "have"
            return asked(f"which {which} {rest} {has} the {best}{ties}")
        if not names:
            be = "is" if one and len(others) == 1 and not others[0].several else "are"
            nouns = listing([w.full if one else plural_of(w) for w in others])
            if one:
                chosen = f"the one with the {best}{ties} among {head} {rest}"
                return asked(f"what {be} the {nouns} of {chosen}")
            if rest:
                chosen = f"{which} with the {best}{ties} among those {rest}"
                return asked(f"what {be} the {nouns} of the {chosen}")
            return asked(f"what {be} the {nouns} of the {which} {rest} with the {best}{ties}")
        also = ""
        if others:
            be = "is its" if one and len(others) == 1 and not others[0].several else "are their"
            be = "are its" if one and be == "are their" else be
            be = be.replace("its", "their") if is_person(root.noun) else be
            also = f", and what {be} {listing([w.full if one else plural_of(w) for w in others])}"
        has = "has" if one else "have"
        return asked(f"which {which} {rest} {has} the {best}{ties}{also}")

    def _each(self) -> str:
        """Results of several things."""
        block = self.block
        roots = self._roots()
        if not roots:
            raise NotExpressible("a query without a pattern")
        self._spoken()
        if len(roots) == 1:
            head, rest = self._parts(roots[0], "plural")
            where = f"{head} {rest}"
            self.speech.here = roots[0]
        else:
            where = f"pairs of {self._scene(roots)}"
        results = self._results(block.items)
        different = ", without repeats" if block.distinct else ""
        end = f"{different}{self._order_words(self.speech.here)}"
        self.speech.here = None
        if self.rng.random() < 0.5 and "whether " not in results:
            words = self.speech.of(block.items[0].expr)
            one = len(block.items) == 1 and not (words is not None and words.plural)
            return sentence(f"for {where}, what {'is' if one else 'are'} {results}{end}", "?")
        results = self._told("give", results)
        start = self.rng.choice(["looking at", "for all"])
        start = "looking at" if len(roots) > 1 else start
        return sentence(f"{start} {where}, {results}{end}")

    # --- totals --------------------------------------------------------------------------

    def _total(self) -> str:
        block = self.block
        if block.having or block.order or block.windowed:
            raise NotExpressible("a filtered total")
        if not block.entities:
            return super()._total()
        roots = self._roots()
        if len(roots) != 1:
            over = f"pairs of {self._scene(roots)}"
            return asked(f"across {over}, what are {self._results(block.items, owner=False)}")
        (root,) = roots
        once = self._counted_once(block.items[0].expr) if len(block.items) == 1 else None
        if once is not None:
            self._spoken(once)
            head, rest = self._parts(once, "plural")
            ways = ["how many different {} are there {}", "how many different {} do we have {}"]
            if _LEANS.match(rest) and _short(rest):
                ways = ["how many different {} {} are there"]
            return asked(self.rng.choice(ways).format(head, rest))
        self._spoken(root)
        head, rest = self._parts(root, "plural")
        if len(block.items) == 1 and self._counts(block.items[0].expr, root):
            self.counted_root = root
            ways = ["how many {} are there {}", "how many {} do we have {}"]
            if _LEANS.match(rest) and _short(rest):
                ways = ["how many {} {} are there"]
            if _short(rest):
                ways += ["how many {} {} are on record", "how many {} {} do we know of"]
            return asked(self.rng.choice(ways).format(head, rest))
        self.speech.here = root
        results = self._results(block.items, owner=False)
        self.speech.here = None
        be = "is" if len(block.items) == 1 else "are"
        if len(block.items) == 1 and results.startswith("the number of different "):
            things = results.removeprefix("the number of ")
            if things == f"different {head}":
                return asked(f"how many {things} are there {rest}")
            return asked(f"how many {things} are there among {head} {rest}")
        if not rest and re.search(rf"\b{re.escape(head)}\b", results):
            return asked(f"what {be} {results}")
        if re.search(rf"(?:share|percentage) of {re.escape(head)}\b", results):
            return asked(f"among {head} {rest}, what {be} {results}")
        if all(self._of_root(item.expr, root) for item in block.items):
            way = self.rng.choice(["of", "across"])
        else:
            way = "for"
        return asked(f"what {be} {results} {way} {head} {rest}")

    def _counts(self, expr: ir.Expr, root: Entity) -> bool:
        match expr:
            case ir.Agg("count", ()):
                return True
            case ir.Agg("count", (EntityRef(entity=entity),)):
                return entity is root and not expr.distinct
        return False
