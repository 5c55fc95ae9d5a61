"""Things: what a node type is called, what kind it is, which of its properties name it."""

from __future__ import annotations

from generators.questions.lexicon.derive.clear import is_clear
from generators.questions.lexicon.derive.data import kind_of, precision
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.model import Noun, Provenance, Thing, ThingKind
from graphmill.english.inflection import plural
from graphmill.english.lists import word_set
from graphmill.english.names import singular
from graphmill.english.spoken import half_name
from schemagraph.model import Kind, NodeType, Property

_NAMES = ("name", "full name", "title", "label", "short name", "caption", "heading")
_CODES = ("code", "number", "symbol", "abbreviation")
_TABLES = frozenset({"detail", "information", "info", "structure"})  # no things, but tables
_UNCOUNTED = frozenset(
    {
        *("weather", "traffic", "climate", "news", "safety", "security", "temperature"),
        *("humidity", "rainfall", "precipitation", "statistics", "demographics", "calendar"),
    }
)
_STATES = frozenset(
    {
        *("status", "season", "log", "history", "measurement", "standing", "result"),
        *("header", "content", "attendance", "rank", "ranking"),
    }
)  # rows of something else
_BRIEF = 40  # characters, above which a description is no name
_TERSE = 2  # characters, up to which it is a code itself
_REPEATS = 0.6  # a name of which fewer of the values differ is a category


def derive_things(facts: Facts) -> dict[str, Thing]:
    """The entries of all node types, in the schema's order."""
    return {node.name: _thing(facts, node) for node in facts.schema.nodes}


def _thing(facts: Facts, node: NodeType) -> Thing:
    noun = facts.nouns[node.name]
    clear = (
        is_clear(noun)
        and len(noun) > 1
        and (" " not in noun or noun.split()[-1].lower() not in _TABLES)
    )
    rule = "thing-noun" if clear else "thing-unclear"
    if node.name in facts.junctions:
        joins = tuple(edge.target for edge in facts.junctions[node.name])
        counted = clear and not noun.endswith(("record", "item")) and _is_event(facts, node)
        row = Noun(singular=noun, plural=plural(noun)) if counted else None
        rule = "junction"
        kind = ThingKind.JUNCTION
        return Thing(
            kind=kind, joins=joins, row=row, source=Provenance.RULE, sure=precision(rule), rule=rule
        )
    kind, kind_rule = facts.kinds[node.name]
    name = _name(facts, node, kind)
    if _is_link(facts, node, named=bool(name)):
        rule = "thing-unclear"
    sure = min(precision(rule), precision(kind_rule))
    return Thing(
        singular=noun,
        plural=plural(noun),
        kind=kind,
        name=name,
        source=Provenance.RULE,
        sure=sure,
        rule=rule if precision(rule) <= precision(kind_rule) else kind_rule,
    )


def _is_link(facts: Facts, node: NodeType, *, named: bool) -> bool:
    """Whether a noun is for rows that join others, or only a verb: a "membership register branch"
    of members and branches, "working records", "qualifyings"."""
    *before, last = facts.nouns[node.name].lower().split()
    rowless = word_set("uncounted") | word_set("plural_only")
    if last in _UNCOUNTED | rowless - word_set("unchanged"):
        return True  # rows are counted: "the two music" are nothing
    ends = {e.target for e in facts.schema.edges if e.source == node.name}
    joins = len(ends) > 1 and not named and kind_of(last)[1] != "kind-noun"
    if last.endswith("ship") and joins:
        return True  # an authorship of an author, a paper, and an institution
    if last in _STATES and not named:
        return True  # the statuses of stations, the match seasons of players
    if named:
        return False
    if last.endswith("ing") and kind_of(last)[1] != "kind-noun":
        return True  # claim processings
    if not before:
        return False
    if last == "record":
        return True
    person = facts.kinds[node.name][0] is ThingKind.PERSON
    if len(before) > 1 and "of" not in before and not person:
        return True  # customer event notes
    nouns = [facts.nouns[e.target].lower() for e in facts.schema.edges if e.source == node.name]
    heads = {part for noun in nouns for part in noun.split()} | {
        "person" if facts.kinds[e.target][0] is ThingKind.PERSON else ""
        for e in facts.schema.edges
        if e.source == node.name
    }
    return (
        len(set(nouns)) > 1
        and singular(last) in heads
        and any(word.startswith(head) for word in before for head in heads if len(head) > 3)
    )


def _is_event(facts: Facts, node: NodeType) -> bool:
    kinds = (ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.RECORD, ThingKind.DOCUMENT)
    return facts.kinds[node.name][0] in kinds


def _name(facts: Facts, node: NodeType, kind: ThingKind) -> tuple[str, ...]:
    """The properties that together name one thing of the type; none where nothing does."""
    texts = [p for p in node.properties if p.type.kind in (Kind.STRING, Kind.ANY)]
    nouns = {p.name: facts.words(node, p).noun.lower() for p in texts}
    halves = {half_name(noun): name for name, noun in reversed(nouns.items())}
    for wanted in ("name", "full name"):
        for name, noun in nouns.items():
            if noun == wanted and not _repeats(facts, node, name):
                return (name,)
    if "first" in halves and "last" in halves:
        return (halves["first"], halves["last"])
    if "last" in halves and kind is ThingKind.PERSON:
        return (halves["last"],)
    for wanted in _NAMES:
        for name, noun in nouns.items():
            if noun == wanted and not _repeats(facts, node, name):
                return (name,)
    own = set(facts.nouns[node.name].lower().split())
    owned = [p.name for p in texts if facts.words(node, p).identity]
    owned += [name for name, noun in nouns.items() if noun.endswith((" name", " title"))]
    owned = [name for name in owned if _is_own(nouns[name], own, kind)]
    owned += [p.name for p in texts if {w.lower() for w in facts.spoken(node, p.name)} <= own]
    for name in owned:
        foreign = nouns[name].rpartition(" ")[0] in word_set("part_names")
        if not _repeats(facts, node, name) and (not foreign or _differs(facts, node, name)):
            return (name,)
    for name in (p.name for p in texts if nouns[p.name].endswith("description")):
        if _describes(facts, node, name):
            return (name,)  # what a code means
    for wanted in _CODES:
        for name, noun in nouns.items():
            unique = facts.figures(node, _property(node, name))
            if noun.endswith(wanted) and unique.count and unique.distinct == unique.count:
                return (name,)
    if len(node.key) == 1 and node.key[0] in nouns and node.key[0] != "row_number":
        return node.key  # a text that is a key: a language, an airport's code
    return ()


def _is_own(noun: str, own: set[str], kind: ThingKind) -> bool:
    """Whether a name is that of the thing, not of another: the vendor's name of a payment."""
    before = [word for word in noun.split()[:-1] if word not in own]
    if not before:
        return True
    other, rule = kind_of(before[-1])
    return rule == "kind-unknown" or other is kind or before[-1] in ("common", "display", "full")


def _differs(facts: Facts, node: NodeType, name: str) -> bool:
    figures = facts.figures(node, _property(node, name))
    return bool(figures.count) and figures.distinct == figures.count


def _describes(facts: Facts, node: NodeType, name: str) -> bool:
    """Whether descriptions are as good as names: short, no codes, and each only once."""
    texts = [str(text) for text in facts.figures(node, _property(node, name)).sample]
    brief = bool(texts) and all(_TERSE < len(text) <= _BRIEF for text in texts)
    return brief and len(node.key) == 1 and _differs(facts, node, name)


def _repeats(facts: Facts, node: NodeType, name: str) -> bool:
    figures = facts.figures(node, _property(node, name))
    return figures.count > 5 and figures.distinct < _REPEATS * figures.count


def _property(node: NodeType, name: str) -> Property:
    column = node.property(name)
    if column is None:
        raise KeyError(name)
    return column
