"""Masked questions in English: "Which lakes are fed by a river that rises in [t]?".

The words are the lexicon's, the sentences phrases that the lineariser of questions puts in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from generators.masked.base import edge_of, fresh_names, node_of
from generators.masked.forms import Asked
from generators.masked.uniqueness import Uniqueness
from generators.questions.author import NotExpressible
from generators.questions.lexicon.derive.names import Names
from generators.questions.lexicon.model import Lexicon, Noun, Property, Role, ThingKind, filled
from generators.questions.lexicon.model import Phrase as Wording
from generators.questions.phrases.lineariser import Lineariser, inflected, text_of
from generators.questions.phrases.tree import NP, Clause, Phrase, Text
from graph_ir import nodes as ir
from graphmill.english.inflection import is_plural, listing, plural
from graphmill.english.spoken import spoken
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.views import Hop, SubSchema

_LINES = Lineariser()
_LONG = 3  # hops from which on it goes step by step


class English:
    """Says what is asked; raises NotExpressible where it knows no words."""

    def __init__(
        self,
        schema: SchemaGraph,
        lexicon: Lexicon | None = None,
        unique: Uniqueness | None = None,
    ) -> None:
        self.schema = schema
        self.lexicon = lexicon or Lexicon()
        self.unique = unique or Uniqueness()
        self._names = Names(schema)

    def question(self, asked: Asked) -> str:
        """The question with its masks."""
        path = asked.path
        if not path.hops:
            return self._alone(asked)
        if self._winds(path):
            return self._stepwise(asked)
        inner = self._inner(path)
        whole = asked.form != "value" and not inner.relative
        clause = self._clause(path.hops[-1], inner, whole=whole)
        nouns = self._things(asked)
        match asked.form:
            case "count":
                return _asking("how many", nouns, clause)
            case "value":
                each = replace(nouns, many=False, det="each", relative=(clause,))
                verb, values = self._values(asked)
                return _sentence(f"what {verb} {values} of {{N}}", {"N": each})
            case "edge-value":
                return _asking("which", nouns, clause, self._in_each_case(asked))
            case _:
                return _asking("which", nouns, clause)

    def back_translated(self, statement: ir.Query) -> str:
        """What a query of one path asks, read from the query alone.

        Raises:
            NotExpressible: the query is no path with one projection.
        """
        match, last = statement.clauses[0], statement.clauses[-1]
        plain = len(statement.clauses) == 2 and isinstance(match, ir.Match)
        if not plain or not isinstance(match, ir.Match) or not isinstance(last, ir.Project):
            raise NotExpressible("clause", "Only queries of one path are told back.")
        (path,) = match.paths
        before = node_of(path.head, self.schema)
        owners: dict[str, NodeType | EdgeType] = {path.head.var or "": before}
        named = "".join(f" {_value(v)}" for v in _constants(path.head))
        np: NP = self._np(before, det="the", post=(Text(named.strip()),) if named else ())
        for place, step in enumerate(path.steps, 1):
            if not isinstance(step.edge, ir.EdgePattern):
                raise NotExpressible("quantified path")
            node = node_of(step.node, self.schema)
            edge = edge_of(step.edge, before, node, self.schema)
            owners[step.node.var or ""] = node
            owners[step.edge.var or "-"] = edge
            clause = self._clause(Hop(edge, step.edge.direction is ir.Direction.OUT), np)
            many = place == len(path.steps)
            np = self._np(node, many=many, det="" if many else "a", relative=(clause,))
            before = node
        if match.where is not None:
            np = replace(np, post=(*np.post, self._tested(match.where, owners)))
        items = listing([self._shown(item, owners) for item in last.items])
        if items.startswith("how many"):
            return _sentence("how many {N} are there", {"N": replace(np, det="")})
        be = "is" if len(last.items) == 1 and not is_plural(items) else "are"
        return _sentence(f"what {be} the {items} of {{N}}", {"N": np})

    def _tested(self, where: ir.Expr, owners: dict[str, NodeType | EdgeType]) -> Phrase:
        match where:
            case ir.Compare(op, ir.Prop(ir.Var(name), key), right):
                value = right.args[0] if isinstance(right, ir.Call) else right
                if isinstance(value, ir.Literal):
                    above = op is ir.CompareOp.GT
                    return self._test(owners[name], key, value.value, above=above)
        raise NotExpressible("condition")

    def _shown(self, item: ir.Item, owners: dict[str, NodeType | EdgeType]) -> str:
        match item.expr:
            case ir.Prop(ir.Var(name), key):
                return self._noun_of(owners[name], key)
            case ir.Agg("count"):
                return "how many"
        raise NotExpressible("column")

    # --- sentences ---------------------------------------------------------------------------

    def _things(self, asked: Asked) -> NP:
        """What is asked for, in the plural, with its condition."""
        path = asked.path
        node = self._node(path.nodes[-1])
        other = self.unique.other(path, len(path.hops) - 1) if path.hops else False
        pre = (Text("other"),) if other else ()
        post: tuple[Phrase, ...] = ()
        if asked.form in ("above", "equal"):
            post = (self._test(node, _key(asked), asked.constant, above=asked.form == "above"),)
        return self._np(node, many=True, pre=pre, post=post)

    def _stepwise(self, asked: Asked) -> str:
        """Step by step, where clauses within clauses would be hard to follow."""
        path = asked.path
        before: Phrase = self._masked(path)
        steps = []
        nouns = self._things(asked)
        for place, hop in enumerate(path.hops):
            pre = (Text("other"),) if self.unique.other(path, place) else ()
            one = self._np(self._node(hop.ends[1]), many=True, det="the", pre=pre)
            if place == len(path.hops) - 1:
                one = replace(one, post=nouns.post)
            one = replace(one, relative=(self._clause(hop, before),))
            steps.append(" ".join(token for token in _LINES.phrase(one) if token))
            before = Text("one of these" if place % 2 == 0 else "one of those")
        slots = {"N": replace(nouns, det="these", pre=(), post=())}
        verb, values = self._values(asked)
        ending = {
            "count": "how many of {N} are there",
            "value": f"what {verb} {values} of each of {{N}}",
            "edge-value": f"which {{N}} are these, {self._in_each_case(asked)}",
        }.get(asked.form, "which {N} are these")
        if asked.form not in ("count", "value"):
            slots["N"] = replace(slots["N"], det="")
        note = self.unique.note(path, "en")
        return f"Take {', then '.join(steps)}. {note}{_sentence(ending, slots)}"

    def _winds(self, path: SubSchema) -> bool:
        """Whether a sentence would hold clauses within clauses, or very many of them."""
        turned = [self._clause(hop, Text("")).subject is not None for hop in path.hops]
        return len(path.hops) > _LONG or any(turned[1:]) or self.unique.once(path)

    def _values(self, asked: Asked) -> tuple[str, str]:
        """Verb and nouns for the name and the property of each: "are", "the name and the ID"."""
        if asked.form != "value" or asked.owner is None:
            return "is", "the name"
        end = self._node(asked.path.nodes[-1])
        shown = [name for name in asked.called if name != _key(asked)]
        nouns = [self._noun_of(end, name) for name in (*shown, _key(asked))]
        verb = "are" if len(nouns) > 1 or is_plural(nouns[0]) else "is"
        return verb, listing([f"the {noun}" for noun in nouns])

    def _in_each_case(self, asked: Asked) -> str:
        if asked.form != "edge-value":
            return ""
        noun = self._noun_of(asked.path.hops[-1].edge, _key(asked))
        return f"and what {'are' if is_plural(noun) else 'is'} the {noun} in each case"

    def _alone(self, asked: Asked) -> str:
        node = self._node(asked.path.nodes[-1])
        if asked.form == "value":
            noun = self._noun_of(node, _key(asked))
            verb = "are" if is_plural(noun) else "is"
            masked = self._np(node, det="the", post=(Text(str(asked.masks[0])),))
            return _sentence(f"what {verb} the {noun} of {{N}}", {"N": masked})
        start = "which" if asked.form in ("above", "equal") else "how many"
        return _sentence(f"{start} {{N}} are there", {"N": self._things(asked)})

    def _inner(self, path: SubSchema) -> NP:
        """The chain from the mask to the last node but one."""
        np = self._masked(path)
        for place, hop in enumerate(path.hops[:-1]):
            det = "another" if self.unique.other(path, place) else "a"
            clause = self._clause(hop, np)
            np = self._np(self._node(hop.ends[1]), det=det, relative=(clause,))
        return np

    def _masked(self, path: SubSchema) -> NP:
        name = fresh_names(path, self.schema)[0]
        return self._np(self._node(path.start), det="the", post=(Text(f"[{name}]"),))

    # --- words -------------------------------------------------------------------------------

    def _node(self, name: str) -> NodeType:
        return self.schema.node_by_name[name]

    def _np(self, node: NodeType, **parts: Any) -> NP:
        thing = self.lexicon.thing(node.name)
        noun = thing.noun if thing is not None else None
        if noun is None:
            one = self._names.noun(node.labels[0])
            noun = Noun(singular=one, plural=plural(one))
        who = thing is not None and thing.kind is ThingKind.PERSON
        return NP(noun.singular, noun.plural, who=who, **parts)

    def _clause(self, hop: Hop, other: Phrase, *, whole: bool = False) -> Clause:
        """What the end of a hop has to do with where it starts, `other`.

        With `whole` it is the question's own verb, else a clause within others, where the passive
        is easier to follow.
        """
        old, new = hop.ends
        step = f"<{hop.edge.label}" if hop.forward else f"{hop.edge.label}>"
        path = self.lexicon.path((new, step, old))
        forward, backward = (path.forward, path.backward) if path is not None else (None, None)
        clause = _as_verb(forward, other) if forward is not None else None
        if clause is None and backward is not None:
            clause = _as_verb_of_other(backward, other, whole=whole)
        if clause is not None:
            return clause
        if forward is not None:
            return _as_preposition(forward, other)
        if backward is not None:
            return _as_preposition_of_other(backward, other)
        link = path.link.singular if path is not None and path.link is not None else ""
        words = link or f"“{' '.join(spoken(hop.edge.label))}”"
        return Clause(be=f"linked by {words}", particle="to", object=other)

    def _property(self, owner: NodeType | EdgeType, key: str) -> Property:
        return self.lexicon.property(owner.name, key) or Property()

    def _noun_of(self, owner: NodeType | EdgeType, key: str) -> str:
        words = self._property(owner, key)
        noun = words.noun or self._names.property(owner, key).noun
        if words.kind is Role.FLAG:
            return f"{noun} status"
        return f"{noun} in {words.unit}" if words.unit and words.unit not in noun else noun

    def _test(self, owner: NodeType | EdgeType, key: str, value: Any, *, above: bool) -> Phrase:
        """A condition on a property, behind its owner's noun."""
        words = self._property(owner, key)
        frame = words.above if above else words.equal
        unit = f" {words.unit}" if words.unit and isinstance(value, int | float) else ""
        if frame and not words.values:
            return Text(filled(frame, f"{_value(value)}{unit}"))
        noun = words.noun or self._names.property(owner, key).noun
        than = "" if not above else "after " if isinstance(value, str) else "more than "
        be = "are" if is_plural(noun) else "is"
        return Text(f"whose {noun} {be} {than}{_value(value)}{unit}")


def _as_verb(wording: Wording, other: Phrase) -> Clause | None:
    """A direction that has a noun or a verb, said of where the clause begins."""
    if wording.noun:
        return Clause(verb="have", object=other, tail=(Text(f"as {wording.noun}"),))
    if wording.verb or wording.be:
        return Clause(wording.verb, wording.be, wording.particle, wording.tense, object=other)
    return None


def _as_verb_of_other(back: Wording, other: Phrase, *, whole: bool) -> Clause | None:
    """The same of the other direction, in the passive unless it is the question's own verb."""
    if back.noun:
        return Clause(be=f"{back.noun} of", object=other)
    if back.verb and not back.particle and not whole:
        done = inflected(back.verb, "VBN")
        if " " not in back.verb and back.verb != "have":
            return Clause(be=done, particle="by", tense=back.tense, object=other)
    if back.verb or back.be:
        return Clause(back.verb, back.be, back.particle, back.tense, subject=_subject(other))
    return None


def _as_preposition(wording: Wording, other: Phrase) -> Clause:
    """A direction that has a preposition alone."""
    if wording.particle == "with":
        return Clause(verb="have", object=other)
    if wording.particle == "of":
        return Clause(verb="belong", particle="to", object=other)
    return Clause(particle=wording.particle, object=other)


def _as_preposition_of_other(back: Wording, other: Phrase) -> Clause:
    """The same of the other direction."""
    if back.particle == "with":
        return Clause(verb="belong", particle="to", object=other)
    if back.particle == "of":
        return Clause(verb="have", object=other)
    return Clause(particle=back.particle, subject=_subject(other))


def _subject(other: Phrase) -> NP | Text:
    assert isinstance(other, NP | Text)  # noqa: S101 - it was made here
    return other


def _asking(start: str, nouns: NP, clause: Clause, end: str = "") -> str:
    """A question for things by what they do, or by what is done to them."""
    tail = f", {end}" if end else ""
    slots: dict[str, Phrase] = {"N": nouns, "C": clause}
    if clause.subject is not None:
        return _sentence(f"{start} {{N}} {{C~S}}{tail}", {**slots, "S": clause.subject})
    return _sentence(f"{start} {{N}} {{C/N}}{tail}", slots)


def _sentence(template: str, slots: Mapping[str, Phrase]) -> str:
    return text_of(_LINES.frame(template, slots), "?")


def _key(asked: Asked) -> str:
    return asked.prop.name if asked.prop is not None else ""


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:g}" if isinstance(value, float) else str(value)


def _constants(pattern: ir.NodePattern) -> list[Any]:
    """The values that a node pattern names."""
    entries = pattern.props.entries if isinstance(pattern.props, ir.MapOf) else ()
    return [entry.value.value for entry in entries if isinstance(entry.value, ir.Literal)]
