"""The logical level: a user's question, every entity and relation named, no query words."""

from __future__ import annotations

from random import Random

from generators.questions.author import NotExpressible
from generators.questions.english import cardinal, listing, plural, sentence
from generators.questions.logical_groups import GroupSayer
from generators.questions.naming import name_all
from generators.questions.nouns import PropertyWords
from generators.questions.plan import Block, Combined, Entity, EntityRef, Plan
from generators.questions.rows import connected, grouped_by
from generators.questions.sayer import is_key, short, superlative, window
from generators.questions.vocabulary import Vocabulary
from generators.questions.wording import unfolded
from graph_ir import nodes as ir


def logical(plan: Plan, words: Vocabulary, rng: Random) -> str:
    """The question.

    Raises:
        NotExpressible: there is no good way to say it.
    """
    if isinstance(plan, Combined):
        return combined(plan, words, rng)
    name_all(plan)
    user = Logical(plan, words, rng)
    text = user.question()
    user.teller.finish()
    return text


def combined(plan: Combined, words: Vocabulary, rng: Random) -> str:
    """A set operation: "Which names do … and … have in common?"."""
    said = []
    for part in plan.parts:
        if isinstance(part, Combined):
            raise NotExpressible("nested set operations")
        name_all(part)
        user = Logical(part, words, rng)
        said.append(user.wanted())
        user.teller.finish()
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


class Wanted:
    """Results of one side of a set operation: column nouns, and the things they are of."""

    def __init__(self, columns: str, described: str) -> None:
        self.columns = columns
        self.described = described


class Logical(GroupSayer):
    """Says one block."""

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
        whole = block.previous is None and not block.windowed and not block.optional
        simple = whole and connected(block) and all(earlier._plain_key(k) for k in block.keys or ())
        if block.keys and simple and len(keys) == 1 and keys[0] in block.entities:
            start = earlier._each_key(keys[0]) + earlier._having(", if ")
            measures = [item for item in block.items if not is_key(item.expr, block)]
            said = listing([earlier.speech.np(item.expr) for item in measures])
            for item in block.items:
                if item in measures:
                    name = earlier.speech.np(item.expr)
                    self.speech.derived[id(block), item.alias] = f"that {short(name)}"
            self.teller.known += block.entities
            earlier.teller.finish()
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
                counted = self._how_many_of(block.items[0].expr, root)
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
                end = f"{self.teller.tail()}{self._repeated(root)}"
                return sentence(f"what {be} {text}{end}", "?")
            over = f"over {self.teller.describe(root, 'all')}{self.teller.tail()}{self._optional()}"
        results = self._results(block.items, owner=False)
        be = "is" if len(block.items) == 1 else "are"
        return sentence(f"{over}, what {be} {results}{self._repeated()}", "?")

    def _of_root(self, expr: ir.Expr, root: Entity) -> bool:
        if not isinstance(expr, ir.Agg) or expr.name in ("count", "collect") or not expr.args:
            return False
        match unfolded(expr.args[0])[0]:
            case ir.Prop(EntityRef(entity=entity)):
                return entity is root
        return False

    def _how_many_of(self, expr: ir.Expr, root: Entity) -> str:
        """A lone count as a question."""
        if not isinstance(expr, ir.Agg) or expr.name != "count":
            return ""
        argument = unfolded(expr.args[0])[0] if expr.args else None
        known = isinstance(argument, EntityRef) and argument.entity is root
        if argument is None or known:
            head = self.teller.head(root, "plural")
            different = "different " if expr.distinct and argument is not None else ""
            described = self.teller.describe(root, "plural").removeprefix(head).strip()
            end = f"{described}{self.teller.tail()}{self._repeated(root)}"
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


def _stages(block: Block) -> list[Block]:
    found = []
    while block.previous is not None:
        block = block.previous
        found.append(block)
    return found[::-1]
