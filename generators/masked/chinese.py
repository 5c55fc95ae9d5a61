"""Masked questions in Chinese, and queries told back step by step, by templates.

The words are the schema's own where its labels are Chinese, else those of a lexicon whose entries
are Chinese (`lexicon.zh.toml`): a noun for a thing, for a path what its start does to its end.
"""

from __future__ import annotations

from typing import Any

from generators.masked.base import edge_of, fresh_names, node_of
from generators.masked.forms import Asked
from generators.masked.uniqueness import Uniqueness
from generators.questions.author import NotExpressible
from generators.questions.lexicon.model import Lexicon
from graph_ir import nodes as ir
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.views import SubSchema


def is_chinese(text: str) -> bool:
    """Whether a text has a Chinese character.

    >>> is_chinese("河流"), is_chinese("river")
    (True, False)
    """
    return any("\u4e00" <= character <= "\u9fff" for character in text)


STEPS = 3  # hops that one phrase can hold


class Chinese:
    """Says what is asked; raises NotExpressible where a word is missing."""

    def __init__(
        self,
        schema: SchemaGraph,
        lexicon: Lexicon | None = None,
        unique: Uniqueness | None = None,
    ) -> None:
        self.schema = schema
        self.lexicon = lexicon or Lexicon()
        self.unique = unique or Uniqueness()

    def question(self, asked: Asked) -> str:
        """The question with its masks."""
        path = asked.path
        end = self.schema.node_by_name[path.nodes[-1]]
        if not path.hops:
            return self._alone(asked, end)
        before = ""
        back = sum(not hop.forward for hop in path.hops)
        if (
            len(path.hops) > STEPS or back > 1 or self.unique.once(path)
        ):  # verbs before verbs are hard to take apart
            before, phrase = self._stepwise(path)
        else:
            phrase = self._phrase(path)
        return before + self._ending(asked, end, phrase)

    def _ending(self, asked: Asked, end: NodeType, phrase: str) -> str:
        match asked.form:
            case "names":
                return f"{phrase}有哪些？"
            case "count":
                return f"{phrase}一共有多少个？"
            case "value":
                shown = [name for name in asked.called if name != _key(asked)]
                nouns = [self.property_noun(end, name) for name in (*shown, _key(asked))]
                return f"{phrase}的{'和'.join(nouns)}分别是什么？"
            case "edge-value":
                prop = self._property(asked.path.hops[-1].edge, asked)
                return f"{phrase}有哪些，对应的{prop}分别是什么？"
            case _:
                return f"{phrase}中，{self._condition(asked, end)}的有哪些？"

    def _alone(self, asked: Asked, end: NodeType) -> str:
        noun = self._noun(end)
        if asked.form == "value":
            return f"{noun}[{asked.masks[0].name}]的{self._property(end, asked)}是什么？"
        if asked.form in ("above", "equal"):
            return f"{self._condition(asked, end)}的{noun}有哪些？"
        return f"一共有多少个{noun}？"

    def _phrase(self, path: SubSchema) -> str:
        """What the path leads to, each step an attribute of the next."""
        name = fresh_names(path, self.schema)[0]
        text = f"{self._noun(self.schema.node_by_name[path.start])}[{name}]"
        for place, hop in enumerate(path.hops):
            noun, verb = self._noun(self.schema.node_by_name[hop.ends[1]]), self._verb(hop.edge)
            other = "其他" if self.unique.other(path, place) else ""
            text = _attribute(text, verb, f"{other}{noun}", forward=hop.forward)
        return text

    def _stepwise(self, path: SubSchema) -> tuple[str, str]:
        """Step by step, where attributes of attributes would be hard to follow; and the last."""
        name = fresh_names(path, self.schema)[0]
        before = f"{self._noun(self.schema.node_by_name[path.start])}[{name}]"
        steps = []
        for place, hop in enumerate(path.hops):
            noun = self._noun(self.schema.node_by_name[hop.ends[1]])
            other = "其他" if self.unique.other(path, place) else ""
            verb = self._verb(hop.edge)
            step = _attribute(before, verb, f"{other}{noun}", forward=hop.forward)
            steps.append(f"找出{step}")
            before = f"这些{noun}"
        return f"先{'，再'.join(steps)}。{self.unique.note(path, 'zh')}", before

    def _condition(self, asked: Asked, end: NodeType) -> str:
        noun = self._property(end, asked)
        if asked.form == "equal":
            return f"{noun}为{_value(asked.constant)}"
        if asked.moment:
            return f"{noun}晚于{asked.constant}"
        return f"{noun}大于{_value(asked.constant)}"

    def _noun(self, node: NodeType) -> str:
        words = self.lexicon.thing(node.name)
        return _chinese(words.singular if words else "", node.labels[0])

    def _verb(self, edge: EdgeType) -> str:
        path = self.lexicon.path((edge.source, f"{edge.label}>", edge.target))
        words = path.forward if path is not None else None
        return _chinese(words.verb or words.be if words else "", edge.label)

    def _property(self, owner: NodeType | EdgeType, asked: Asked) -> str:
        return self.property_noun(owner, _key(asked))

    def property_noun(self, owner: NodeType | EdgeType, name: str) -> str:
        """The noun for a property.

        Raises:
            NotExpressible: neither the schema nor the lexicon has a Chinese one.
        """
        words = self.lexicon.property(owner.name, name)
        return _chinese(words.noun if words else "", name)

    def back_translated(self, statement: ir.Query) -> str:
        """What a query of one path does, step by step, read from the query alone.

        Raises:
            NotExpressible: the query is no path with one projection, or a word is missing.
        """
        match, last = statement.clauses[0], statement.clauses[-1]
        if (
            len(statement.clauses) != 2
            or not isinstance(match, ir.Match)
            or not isinstance(last, ir.Project)
            or len(match.paths) != 1
        ):
            raise NotExpressible("clause", "Only queries of one path are told in Chinese.")
        path = match.paths[0]
        owners: dict[str, tuple[NodeType | EdgeType, str]] = {}
        before = node_of(path.head, self.schema)
        owners[path.head.var or ""] = (before, self._noun(before))
        text = f"{self._noun(before)}{_named(path.head)}"
        steps: list[str] = []
        for step in path.steps:
            if not isinstance(step.edge, ir.EdgePattern):
                raise NotExpressible("quantified path")
            node = node_of(step.node, self.schema)
            edge = edge_of(step.edge, before, node, self.schema)
            verb, noun = self._verb(edge), self._noun(node)
            forward = step.edge.direction is ir.Direction.OUT
            if len(path.steps) > STEPS and steps:  # step by step, as the question is
                text = f"这些{self._noun(before)}"
            text = _attribute(text, verb, noun, forward=forward)
            steps.append(text)
            owners[step.node.var or ""] = (node, noun)
            owners[step.edge.var or "-"] = (edge, verb)
            before = node
        if len(steps) > STEPS:
            text = "，".join(steps)
        test = f"中，{self._test(match.where, owners)}" if match.where is not None else ""
        return f"{text}{test}的{'和'.join(self._item(i, owners) for i in last.items)}是什么？"

    def _test(self, where: ir.Expr, owners: dict[str, tuple[NodeType | EdgeType, str]]) -> str:
        match where:
            case ir.Compare(op, ir.Prop(ir.Var(name), key), right) if op in _SIGNS:
                owner, noun = owners[name]
                value = _value(_plain(right))
                return f"{self.property_noun(owner, key)}{_SIGNS[op]}{value}的{noun}"
        raise NotExpressible("condition")

    def _item(self, item: ir.Item, owners: dict[str, tuple[NodeType | EdgeType, str]]) -> str:
        match item.expr:
            case ir.Prop(ir.Var(name), key):
                return self.property_noun(owners[name][0], key)
            case ir.Agg("count", (ir.Var(name),)):
                return f"{owners[name][1]}个数"
        raise NotExpressible("column")


_SIGNS = {ir.CompareOp.GT: "大于", ir.CompareOp.EQ: "为"}


def _attribute(before: str, verb: str, noun: str, *, forward: bool) -> str:
    """A thing by what it has to do with another: 乐团常驻的城市, 常驻城市X的乐团."""
    if forward:
        bare = verb.removesuffix("于") if len(verb) > 2 else verb  # 坐落的城市
        return f"{before}{bare}的{noun}"
    return f"{verb}{before}的{noun}"


def _key(asked: Asked) -> str:
    return asked.prop.name if asked.prop is not None else ""


def _chinese(chosen: str, own: str) -> str:
    word = chosen or own
    if not is_chinese(word):
        raise NotExpressible("words", f"There is no Chinese word for {own}; give it in a lexicon.")
    return word


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f"“{value}”"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(expr: ir.Expr) -> Any:
    match expr:
        case ir.Literal(value):
            return value
        case ir.Call(_, (ir.Literal(value),)):
            return value
    raise NotExpressible("constant")


def _named(pattern: ir.NodePattern) -> str:
    """The names that a pattern asks for."""
    entries = pattern.props.entries if isinstance(pattern.props, ir.MapOf) else ()
    return "".join(str(_plain(entry.value)) for entry in entries)
