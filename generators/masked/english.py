"""Masked questions in English: "Which lakes are fed by a river that rises in [t]?"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generators.masked.base import fresh_names
from generators.masked.forms import Asked
from generators.masked.uniqueness import Uniqueness
from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import is_person
from generators.questions.lexicon.properties import PropertyWords
from generators.questions.lexicon.relations import EdgeWords, Lexicon, Predicate
from generators.questions.lexicon.vocabulary import Vocabulary
from graph_ir import nodes as ir
from graphmill.english.inflection import a, listing, plural
from schemagraph.model import Kind, SchemaGraph
from schemagraph.views import Hop, SubSchema


class English:
    """Says what is asked; raises NotExpressible where it knows no words."""

    def __init__(
        self,
        schema: SchemaGraph,
        lexicon: Lexicon | None = None,
        unique: Uniqueness | None = None,
    ) -> None:
        self.schema = schema
        self.words = Vocabulary(schema, lexicon)
        self.unique = unique or Uniqueness()

    def question(self, asked: Asked) -> str:
        """The question with its masks."""
        path = asked.path
        noun = self._noun(path.nodes[-1])
        if not path.hops:
            return self._alone(asked, noun)
        if self._winds(path):
            return self._stepwise(asked, noun)
        inner = self._inner(path)
        predicate = self._predicate(path.hops[-1])
        nouns = f"{self._other(path, len(path.hops) - 1)}{plural(noun)}"
        which, clause = _asking(nouns, predicate, inner)
        match asked.form:
            case "names":
                return f"{which} {clause}?"
            case "count":
                there = "" if predicate.plural else "are there "
                return f"How many {nouns} {there}{clause}?"
            case "value":
                verb, said = self._values(asked, noun)
                each = f"each {self._other(path, len(path.hops) - 1)}{noun}"
                return f"What {verb} {said} of {each} {_relative(noun, predicate, inner)}?"
            case "edge-value":
                return f"{which} {clause}, {self._in_each_case(asked)}"
            case _:
                return f"{which} {self._with(asked, noun)} {clause}?"

    def told_back(self, statement: ir.Query) -> str:
        """What a query of one path asks, read from the query alone.

        Raises:
            NotExpressible: the query is no path with one projection.
        """
        match, last = statement.clauses[0], statement.clauses[-1]
        plain = len(statement.clauses) == 2 and isinstance(match, ir.Match)
        if not plain or not isinstance(match, ir.Match) or not isinstance(last, ir.Project):
            raise NotExpressible("clause", "Only queries of one path are told back.")
        (path,) = match.paths
        nouns = {path.head.var or "": self._label(path.head)}
        named = "".join(f" {_value(v)}" for v in _constants(path.head))
        text = f"the {self._label(path.head)}{named}"
        before = self._label(path.head)
        for place, step in enumerate(path.steps, 1):
            if not isinstance(step.edge, ir.EdgePattern):
                raise NotExpressible("quantified path")
            noun = nouns[step.node.var or ""] = self._label(step.node)
            out = step.edge.direction is ir.Direction.OUT
            ends = (before, noun) if out else (noun, before)
            words = self.words.edge(step.edge.types, *ends, ())
            nouns[step.edge.var or "-"] = words.noun
            said = words.backward if out else words.forward
            many = place == len(path.steps)
            text = f"{plural(noun) if many else a(noun)} {_relative(noun, said, text, many=many)}"
            before = noun
        test = "" if match.where is None else f" whose {self._tested(match.where, nouns)}"
        items = listing([self._shown(item, nouns) for item in last.items])
        if items.startswith("how many"):
            return f"How many {text}{test} are there?"
        return f"What are the {items} of {text}{test}?"

    def _label(self, pattern: ir.NodePattern) -> str:
        return self.words.entity_noun(pattern.labels, ())

    def _tested(self, where: ir.Expr, nouns: dict[str, str]) -> str:
        match where:
            case ir.Compare(op, ir.Prop(ir.Var(name), key), ir.Literal(value)):
                said = self.words.property((), key, nouns.get(name, ""))
                than = {ir.CompareOp.GT: "more than "}.get(op, "")
                return f"{said.noun} is {than}{_value(value)}"
            case ir.Compare(op, ir.Prop(ir.Var(name), key), ir.Call(_, (ir.Literal(value),))):
                said = self.words.property((), key, nouns.get(name, ""))
                return f"{said.noun} is {'after ' if op is ir.CompareOp.GT else ''}{value}"
        raise NotExpressible("condition")

    def _shown(self, item: ir.Item, nouns: dict[str, str]) -> str:
        match item.expr:
            case ir.Prop(ir.Var(name), key):
                return self.words.property((), key, nouns.get(name, "")).noun
            case ir.Agg("count"):
                return "how many"
        raise NotExpressible("column")

    def _stepwise(self, asked: Asked, noun: str) -> str:
        """Step by step, where clauses within clauses would be hard to follow."""
        steps = []
        before = f"the {self._noun(asked.path.start)} [{fresh_names(asked.path, self.schema)[0]}]"
        for place, hop in enumerate(asked.path.hops):
            one, predicate = self._noun(hop.ends[1]), self._predicate(hop)
            clause = _relative(one, predicate, before, many=True)
            if place == len(asked.path.hops) - 1 and asked.form in ("above", "equal"):
                clause = f"{self._with(asked, noun)} and {clause}"
            steps.append(f"the {self._other(asked.path, place)}{plural(one)} {clause}")
            before = "one of these" if place % 2 == 0 else "one of those"
        nouns = plural(noun)
        ending = {
            "count": f"How many of these {nouns} are there?",
            "value": "What {} {} of each of these {}?".format(*self._values(asked, noun), nouns),
            "edge-value": f"Which {nouns} are these, {self._in_each_case(asked)}",
        }.get(asked.form, f"Which {nouns} are these?")
        note = self.unique.note(asked.path, "en")
        return f"Take {', then '.join(steps)}. {note}{ending}"

    def _winds(self, path: SubSchema) -> bool:
        """Whether a sentence would hold clauses within clauses, or very many of them."""
        inside = [bool(self._predicate(hop).relative) for hop in path.hops]
        return len(path.hops) > 3 or any(inside[1:]) or self.unique.once(path)

    def _values(self, asked: Asked, noun: str) -> tuple[str, str]:
        """Verb and nouns for the name and the property of each: "are", "the name and the ID"."""
        if asked.form != "value" or asked.owner is None:
            return "is", "the name"
        end = self.schema.node_by_name[asked.path.nodes[-1]]
        shown = [name for name in asked.called if name != _key(asked)]
        words = [self.words.property((end.name,), name, noun) for name in (*shown, _key(asked))]
        verb = "are" if len(words) > 1 else _is(words[0])
        return verb, listing([f"the {_full(word)}" for word in words])

    def _in_each_case(self, asked: Asked) -> str:
        hop = asked.path.hops[-1]
        if asked.form != "edge-value":
            return ""
        said = self.words.property((hop.edge.name,), _key(asked))
        return f"and what {_is(said)} the {_full(said)} in each case?"

    def _alone(self, asked: Asked, noun: str) -> str:
        if asked.form == "value":
            said = self._property(asked, noun)
            return f"What {_is(said)} the {_full(said)} of the {noun} {asked.masks[0]}?"
        if asked.form in ("above", "equal"):
            return f"Which {plural(noun)} are there {self._with(asked, noun)}?"
        return f"How many {plural(noun)} are there?"

    def _inner(self, path: SubSchema) -> str:
        """The chain from the mask to the last node but one."""
        text = f"the {self._noun(path.start)} [{fresh_names(path, self.schema)[0]}]"
        for place, hop in enumerate(path.hops[:-1]):
            noun = self._noun(hop.ends[1])
            one = f"another {noun}" if self.unique.other(path, place) else a(noun)
            text = f"{one} {_relative(noun, self._predicate(hop), text)}"
        return text

    def _with(self, asked: Asked, noun: str) -> str:
        said = self._property(asked, noun)
        value = _value(asked.constant)
        if asked.form == "equal":
            return f"whose {said.noun} is {value}"
        if asked.moment or said.year:
            return f"whose {said.noun} is after {asked.constant}"
        unit = f" {said.unit}" if said.unit else ""
        if said.plural:
            return f"with more than {value}{unit} {said.noun}"
        return f"whose {said.noun} is more than {value}{unit}"

    def _other(self, path: SubSchema, place: int) -> str:
        return "other " if self.unique.other(path, place) else ""

    def _property(self, asked: Asked, noun: str) -> PropertyWords:
        return self.words.property((asked.path.nodes[-1],), _key(asked), noun)

    def _predicate(self, hop: Hop) -> Predicate:
        words = self._edge(hop)
        said = words.backward if hop.forward else words.forward
        if not is_person(self._noun(hop.ends[1])):
            return said
        return replace(said, relative=said.relative.replace(" which ", " whom ", 1))

    def _edge(self, hop: Hop) -> EdgeWords:
        source, target = self._noun(hop.edge.source), self._noun(hop.edge.target)
        return self.words.edge(ir.LabelName(hop.edge.label), source, target, (hop.edge,))

    def _noun(self, name: str) -> str:
        return self.words.noun(self.schema.node_by_name[name].labels[0])


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


def _relative(noun: str, predicate: Predicate, inner: str, *, many: bool = False) -> str:
    """What a thing, or many, does to another, as a clause behind its noun."""
    if predicate.relative:
        return predicate.relative.format(inner)
    who = "who" if is_person(noun) else "that"
    return f"{who} {predicate.verb(plural=many).format(inner)}"


def _full(said: PropertyWords) -> str:
    return f"{said.noun} status" if said.kind is Kind.BOOLEAN else said.full


def _is(said: PropertyWords) -> str:
    return "are" if said.plural and not said.full.startswith("number of ") else "is"


def _asking(nouns: str, predicate: Predicate, inner: str) -> tuple[str, str]:
    """How the question begins, and the clause that ends it."""
    if predicate.plural:
        return f"Which {nouns}", predicate.plural.format(inner)
    return f"What are the {nouns}", predicate.relative.format(inner)
