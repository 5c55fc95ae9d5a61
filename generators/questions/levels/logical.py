"""The logical level: a user's question, every entity and relation named, no query words."""

from __future__ import annotations

import re
from random import Random

from generators.questions.author import NotExpressible
from generators.questions.levels.stages import StageSayer
from generators.questions.lexicon.vocabulary import Vocabulary
from generators.questions.plan.cardinality import connected
from generators.questions.plan.model import Block, Combined, Entity, EntityRef, Plan
from generators.questions.plan.naming import in_order, name_all
from generators.questions.plan.wording import unfolded
from generators.questions.realise.clauses import window
from graph_ir import nodes as ir
from graphmill.english.inflection import are, listing, sentence


def logical(plan: Plan, words: Vocabulary, rng: Random) -> str:
    """The question.

    Raises:
        NotExpressible: there is no good way to say it.
    """
    if isinstance(plan, Combined):
        return combined(plan, words, rng)
    name_all(plan)
    state = rng.getstate()

    def say() -> str:
        rng.setstate(state)
        user = Logical(plan, words, rng)
        text = user.question()
        user.teller.finish()
        return text

    return in_order(plan, say)


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


class Logical(StageSayer):
    """Says one block."""

    # --- whole questions -----------------------------------------------------------------

    def question(self) -> str:
        """The whole question."""
        before = "".join(self.stage(earlier) for earlier in _stages(self.block))
        if self.block.once:
            self.teller.known += self.block.carried
        if self.block.keys is None:
            return tidied(before + self._plain())
        if not self.block.keys:
            return tidied(before + self._total())
        return tidied(before + self._grouped())

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
            be = "is" if one and len(block.items) == 1 else are([columns])
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
        told = self._told(verb, self._results(block.items))
        different = ", without repeating a result" if block.distinct else ""
        return sentence(f"{start}, {told}{different}{self._ordering()}")

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
                root = self._counted_once(block.items[0].expr) or root
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

    def _counted_once(self, expr: ir.Expr) -> Entity | None:
        """What a lone count of different things counts: of those it is asked."""
        match expr:
            case ir.Agg("count", (EntityRef(entity=entity),), distinct=True):
                whole = not self.block.optional and not self.block.carried
                return entity if whole and entity in self.block.entities else None
        return None

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
            also = self._optional(root)
            end = f"{described}{self.teller.tail()}{also}{self._repeated(root)}"
            if self.rng.random() < 0.7:
                return sentence(f"how many {different}{head} are there {end}", "?")
            return sentence(f"what is the number of {different}{head} {end}", "?")
        if expr.distinct and isinstance(argument, ir.Prop) and argument.base is not None:
            measure = self.speech.bare_measure(expr, owner=False).removeprefix("number of ")
            described = self.teller.describe(root, "all")
            return sentence(
                f"how many {measure} are there among {described}{self.teller.tail()}", "?"
            )
        return ""


def tidied(text: str) -> str:
    """What things of an earlier stage do to a sentence: "of the these" is "of these"."""
    text = re.sub(r"\b([Oo]f) the (these|all of these)\b", r"\1 \2", text)
    text = re.sub(r"\b([Ff]or) (?:each of the|all) this\b", r"\1 this", text)
    text = re.sub(r"\b([Oo]f) the this\b", r"\1 this", text)
    text = re.sub(r"\b([Hh]ow many (?:different )?)these\b", r"\1of these", text)
    return re.sub(r"\b(all|every) these\b", "all of these", text)


def _stages(block: Block) -> list[Block]:
    found = []
    while block.previous is not None:
        block = block.previous
        found.append(block)
    return found[::-1]
