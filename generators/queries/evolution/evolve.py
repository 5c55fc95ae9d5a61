"""Evolution by rule: a query becomes a harder one, step by step, each grounded in an answer.

After Text2GQL-Bench (section 4.3): run the query, look at instances of its answer, complicate
the query with what was seen there, run it again, keep it only when it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from engines import ENGINES, default_engines
from engines.base import Result
from engines.compare import normalise, tied
from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.parts import unnamed
from generators.queries.base import Ground, Proposal, Wanted
from generators.queries.evolution.operators import all_operators
from generators.queries.evolution.width import exceeded
from generators.queries.rewriting.operator import Operator, Step
from generators.queries.rewriting.site import ROWS, Site
from generators.questions.lexicon.model import Lexicon
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.coverage import groups
from graph_ir.difficulty import tier
from graph_ir.features import Features, features
from graph_ir.rewrites import Probe, probe
from graph_ir.walk import find
from graphmill.errors import GraphmillError, Refused
from graphmill.record import DIFFICULTIES, Evolved, Reject
from translators.render import render

# Strict GQL and what the first engines run: `cypher` says all, `sql` is the referee's.
LANGUAGES = (
    "gql",
    *(
        ENGINES.get(name).profiles[each]
        for each, name in default_engines().items()
        if each != "sql"
    ),
)
DEPTH = 6  # steps
MOST = {"conditions": 4, "subqueries": 2, "hops": 6, "edge_patterns": 7, "stages": 3}
NOTHING = Wanted()
STAGE = "evolution"
FRUITLESS = 6  # times in a row that an operator brings no step, after which it is left alone
TRIES = 2  # steps of one operator that are run before the next operator has its turn
UNSEEN = 40.0  # times as likely is an operator that no released query shows
HOPELESS = 12  # drafts of an operator that were in vain, after which it is left alone for good,
PATIENT = 24  # and more for each that was released


class RuleEvolver:
    """Makes queries harder by the operators of `generators.queries.evolution.operators`.

    `languages` are those that must be able to say a query, `asked` says whether people ask for one
    and there are words for it, `sketched` the same of a query whose constants are not those that
    it will have: nothing is looked up for a step that has no words. `rejects` are the ledger's
    lines, the operator under `maker` of the evidence: `no-site` (no operator builds on such a
    query), `nothing-fits`, `invalid`, `refused` (a language cannot say it), `too-many-matches`,
    `no-wording`, `no-answer`, `empty`, `null`, `zero`, `same-answer`, `tie` (the last row within a
    LIMIT ties with the next). `lexicon` is what the graph's own file says: names, what is hidden.
    """

    name: ClassVar[str] = "rules"
    version: ClassVar[str] = "1"

    def __init__(
        self,
        ground: Ground,
        languages: tuple[str, ...] = LANGUAGES,
        asked: Callable[[ir.Statement], bool] = lambda _: True,
        sketched: Callable[[ir.Statement], bool] = lambda _: True,
        lexicon: Lexicon | None = None,
    ) -> None:
        self.ground = ground
        self.facets = Facets(ground.schema, ground.statistics, lexicon)
        self.languages = languages
        self.asked = asked
        self.sketched = sketched
        self.rejects: list[Reject] = []
        self._fruitless: Counter[str] = Counter()
        loops = any(edge.source == edge.target for edge in ground.schema.edges)
        self.closed = frozenset(() if loops else ("variable-length",))  # groups no step leads to

    def start_anew(self) -> None:
        """Forget which operators brought nothing: what follows depends on nothing before it."""
        self._fruitless.clear()

    def evolve(self, parent: Proposal, rng: Random, wanted: Wanted = NOTHING) -> Iterator[Proposal]:
        """Harder queries, each made from the one before it.

        Those that are not what is wanted are passed through on the way to it, and not yielded.
        The same parents in the same order since `start_anew`, graph and seeds give the same
        proposals: an operator that has no words here again and again is left alone.
        """
        current = parent
        after = features(parent.statement)
        out_of_reach = self.closed - groups(after)
        missing = {name: n for name, n in wanted.groups.items() if name not in out_of_reach}
        wanted = replace(wanted, groups=missing)
        answer = self._answer(parent.statement)
        if isinstance(answer, str):
            self._reject("", answer, _REASONS[answer], parent)
            return
        refusal = self._refusal(parent.statement)
        if refusal:
            self._reject("", "refused", refusal, parent)
            return
        for _ in range(DEPTH):
            site = Site.of(self.ground, self.facets, current.statement, answer)
            if site is None:
                self._reject("", "no-site", _REASONS["no-site"], current)
                return
            kept, text = None, _text(current.statement)
            for operator in _order(site, current, after, rng, wanted):
                if self._fruitless[operator.name] >= FRUITLESS:
                    continue
                kept = self._kept(site, operator, current, text, rng, wanted)
                if kept is not None:
                    self._fruitless[operator.name] = 0
                    break
                self._fruitless[operator.name] += 1
            if kept is None:
                self._reject("", "nothing-fits", _REASONS["nothing-fits"], current)
                return
            current, answer, after = kept
            if len(answer.rows) <= ROWS and _is_wanted(after, wanted):
                yield current

    def _kept(
        self,
        site: Site,
        operator: Operator,
        parent: Proposal,
        text: str,
        rng: Random,
        wanted: Wanted,
    ) -> tuple[Proposal, Result, Features] | None:
        """The first step of an operator that holds, with its answer and features."""
        keep = frozenset(n.var for n in find(parent.statement, ir.NodePattern) if n.var)
        site.sayable = lambda sketch: self.sketched(unnamed(sketch, keep))
        tried = 0
        for step in operator.steps(site, rng):
            statement = unnamed(step.statement, keep)
            after = features(statement)
            if _is_too_hard(after, wanted):
                continue
            if not self.asked(statement):
                self._reject(operator.name, "no-wording", _REASONS["no-wording"], parent, statement)
                continue
            answer = self._judge(statement, step, site.answer, final=_is_wanted(after, wanted))
            if isinstance(answer, Result):
                done = Evolved(operator.name, text, step.evidence)
                made = replace(
                    parent,
                    statement=statement,
                    maker="evolution",
                    trace=(*parent.trace, done),
                    question="",
                    may_be_empty=step.may_be_empty,
                    place="",
                )
                return made, answer, after
            self._reject(operator.name, *answer, parent, statement)
            tried += 1
            if tried == TRIES:
                return None
        return None

    def _judge(
        self, statement: ir.Statement, step: Step, before: Result, *, final: bool
    ) -> Result | tuple[str, str]:
        """The answer of a step that holds, or why it does not.

        `final`: all languages must be able to say it, as it is no step on the way to another.
        """
        own = bound(statement, self.ground.schema)
        if own.errors:
            return "invalid", own.errors[0].message
        if wide := exceeded(statement, self.ground):
            return "too-many-matches", wide
        answer = self._answer(statement)
        if isinstance(answer, str):
            if answer != "empty" or not step.may_be_empty:
                return answer, _REASONS[answer]
            answer = Result(tuple(name for name, _ in own.columns), ())
        if _same(answer, before):
            return "same-answer", _REASONS["same-answer"]
        refusal = self._refusal(statement) if final else ""
        return ("refused", refusal) if refusal else answer

    def _refusal(self, statement: ir.Statement) -> str:
        """The first language that cannot say a query, and why; empty where all can."""
        for language in self.languages:
            try:
                render(statement, language, self.ground.schema)
            except Refused as problem:
                return f"{language}: {problem}"
        return ""

    def _answer(self, statement: ir.Statement) -> Result | str:
        """A sound answer, or the code of what is wrong with it."""
        if isinstance(statement, ir.Query) and any(map(self._is_torn, _windows(statement))):
            return "tie"
        asked = probe(statement)
        if asked is None:
            return "no-answer"
        if asked.limit is None:
            answer = self.ground.ask(statement, ROWS + 1)
            return "no-answer" if answer is None else _flaw(answer.rows) or answer
        # As many rows as its proof will look at, so that they are asked for once.
        answer = self.ground.ask(asked.statement, max(asked.skip + asked.limit, ROWS) + 1)
        if answer is None:
            return "no-answer"
        if _cuts_tie(asked, answer):
            return "tie"
        width = len(answer.columns) - asked.keys
        rows = tuple(row[:width] for row in answer.rows[asked.skip : asked.skip + asked.limit])
        return _flaw(rows) or Result(answer.columns[:width], rows)

    def _is_torn(self, window: ir.Query) -> bool:
        """Whether rows tie where a query's window cuts; so where nobody can say."""
        asked = probe(window)
        if asked is None or asked.limit is None:
            return True
        answer = self.ground.ask(asked.statement, asked.skip + asked.limit + 1)
        return answer is None or _cuts_tie(asked, answer)

    def _reject(
        self,
        operator: str,
        code: str,
        reason: str,
        parent: Proposal,
        statement: ir.Statement | None = None,
    ) -> None:
        evidence = {
            "maker": operator or "evolution",
            "parent": _text(parent.statement),
            "author": self.name,
        }
        try:
            text = "" if statement is None else _text(statement)
        except GraphmillError:
            text = ""
        name = self.ground.schema.name
        self.rejects.append(Reject(STAGE, code, reason, name, "", text, evidence=evidence))


_REASONS = {
    "no-site": "No operator builds on such a query.",
    "nothing-fits": "No operator fits, or all that fit were tried.",
    "no-wording": "Nobody asks for that, or there is no good way to say it.",
    "no-answer": "The referee has no answer to it.",
    "empty": "It has no rows.",
    "null": "Its answer is NULL only.",
    "zero": "Its answer is a lone 0.",
    "same-answer": "Its answer is that of the query before.",
    "tie": "Rows tie where LIMIT cuts, so that the answer is not determined.",
}


def _cuts_tie(asked: Probe, answer: Result) -> bool:
    """Whether the last row within a window and the next have the same sort keys."""
    assert asked.limit is not None  # noqa: S101 # callers looked
    width = len(answer.columns) - asked.keys
    return any(
        0 < cut < len(answer.rows)
        and tied(answer.rows[cut - 1][width:], answer.rows[cut][width:], asked.rough)
        for cut in (asked.skip, asked.skip + asked.limit)
    )


def _windows(statement: ir.Query) -> Iterator[ir.Query]:
    """What the windows before the end choose from, each as a query of its own."""
    for number, clause in enumerate(statement.clauses[:-1]):
        if isinstance(clause, ir.Project) and (clause.limit or clause.skip):
            final = replace(clause, where=None, final=True)
            yield ir.Query((*statement.clauses[:number], final))


def _flaw(rows: tuple[tuple[Any, ...], ...]) -> str:
    if not rows:
        return "empty"
    if all(value is None for row in rows for value in row):
        return "null"
    if len(rows) == 1 and len(rows[0]) == 1 and rows[0][0] == 0:
        return "zero"
    return ""


def _same(answer: Result, before: Result) -> bool:
    if len(answer.rows) != len(before.rows) or len(answer.rows) > ROWS:
        return False
    if len(answer.columns) != len(before.columns):
        return False
    first, second = (sorted(repr(normalise(row)) for row in r.rows) for r in (answer, before))
    return first == second


def _text(statement: ir.Statement) -> str:
    return render(statement, "cypher").text


def _order(
    site: Site, current: Proposal, before: Features, rng: Random, wanted: Wanted
) -> list[Operator]:
    """The operators that fit, in a random order that prefers what leads to what is wanted."""
    done = [step.operation for step in current.trace]
    open_tiers = _open_tiers(wanted)
    own = groups(before)
    short = wanted.groups.get("three-hops", 0) > 0 and "three-hops" not in own
    weights: dict[str, float] = {}
    fitting = []
    for operator in all_operators():
        if not operator.fits(site):
            continue
        after = operator.effect.applied(before)
        if _is_too_large(after) or _is_too_hard(after, wanted):
            continue
        tried = wanted.proposed.get(operator.name, 0)
        brought = wanted.released.get(operator.name, 0)
        if tried >= HOPELESS + PATIENT * brought:
            continue
        weight = operator.weight * 0.25 ** done.count(operator.name) / (1 + tried) ** 0.5
        if not brought:
            weight *= UNSEEN
        if any(wanted.groups.get(name, 0) > 0 for name in groups(after) - own):
            weight *= 20
        if short and "hops" in operator.effect.grows:
            weight *= 20  # one hop of several that are needed
        if open_tiers:
            now, then = (DIFFICULTIES.index(tier(each)) for each in (before, after))
            if then in open_tiers and now not in open_tiers:
                weight *= 8
            elif then > now:
                weight *= 3
        weights[operator.name] = weight
        fitting.append(operator)
    return sorted(fitting, key=lambda op: rng.random() ** (1 / weights[op.name]), reverse=True)


def _open_tiers(wanted: Wanted) -> set[int]:
    return {DIFFICULTIES.index(name) for name, left in wanted.tiers.items() if left > 0}


def _is_too_hard(after: Features, wanted: Wanted) -> bool:
    """Whether the query is above every wanted tier, so that no further step leads there."""
    tiers = _open_tiers(wanted)
    return bool(tiers) and DIFFICULTIES.index(tier(after)) > max(tiers)


def _is_too_large(after: Features) -> bool:
    """Whether nobody would ask so much at once."""
    return any(getattr(after, name) > most for name, most in MOST.items())


def _is_wanted(after: Features, wanted: Wanted) -> bool:
    tiers = _open_tiers(wanted)
    short = {name for name, left in wanted.groups.items() if left > 0}
    return (not tiers or DIFFICULTIES.index(tier(after)) in tiers) and (
        not short or bool(short & groups(after))
    )
