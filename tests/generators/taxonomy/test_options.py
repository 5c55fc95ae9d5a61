"""All pairs of options of a relation: each is honoured in what is drawn, or refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.reified import reified
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.spec import After, Banded, Edges
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import Relation
from generators.taxonomy.relations import _OPTIONS, relation
from generators.taxonomy.values import LineError
from schemagraph.model import EdgeType
from schemagraph.specification.check import check_synthesis

TEXT = """
title = "Visits"
purpose = "Counts visits to shops."
questions = ["Who comes often?"]
core = ["visit", "shop", "owner"]

[visit]
share = 6
visit_no = "code VI-#####; key"
kind = "a | b; need"
size = "s | l; need"
country = "Germany | France; need"
visited_on = "date 2015..2024; need"
left_on = "date after visited_on 1..5; need"

[shop]
share = 2
shop_no = "code SH-####; key"
kind = "a | b; need"
size = "s | l; need"
country = "Germany | France; need"
opened_on = "date 2005..2018; need"
seen_on = "date after opened_on 1..90; need"
closed_on = "date after opened_on 7000..8000; need"

[owner]
owner_no = "code OW-###; key"
nickname = "Ada | Ben | Cleo; need"

[relations]
"visit MADE_BY owner" = "was made by / made; n:1; always"
"shop RUN_BY owner" = "is run by / runs; n:1; always"
"visit AFTER_ONE_AT shop" = "was after one at / was before; n:1; always; anytime"
"""
SHOP = {
    "out": "out 1..3",
    "in": "in 1..9",
    "role": "role hierarchy",
    "symmetric": "symmetric",
    "reciprocal": "reciprocal 0.2",
    "oneway": "oneway",
    "order": "order target.seen_on < source.visited_on",
    "match": "match kind = kind",
    "during": "during",
    "later": "later 3..40",
    "only": "only kind = a",
    "within": "within 3..90",
    "via": "via MADE_BY.owner_no = RUN_BY.owner_no",
    "fits": "fits size = size: s > s | l > l",
    "apart": "apart AFTER_ONE_AT",
    "anytime": "anytime",
    "alone": "alone",
    "once": "once kind",
    "home": "home",
    "node": "node stop: OF_VISIT is of / has, AT_SHOP is at / has",
}
ITSELF = SHOP | {
    "order": "order target.left_on < source.visited_on",
    "via": "via MADE_BY.owner_no = MADE_BY.owner_no",
}
# Of these nothing is to be seen in edges: names, and whether a schema has the relation; of a seat
# nothing but where it leads to towns.
SILENT = {"also", "noun", "own", "always", "free", "unless", "seat"}
CARDINALITIES = ("n:m", "n:1", "n:1?", "1:n", "1:1")


def test_all_options_are_tried() -> None:
    assert SHOP.keys() | SILENT == _OPTIONS.keys() | {"fits"}


@pytest.mark.parametrize("many", CARDINALITIES)
@pytest.mark.parametrize("itself", [False, True])
def test_two_options_are_both_honoured_or_refused(many: str, itself: bool, tmp_path: Path) -> None:
    options = ITSELF if itself else SHOP
    target = "visit" if itself else "shop"
    lines = {
        pair: f"comes near / is near; {many}; always; {'; '.join(options[word] for word in pair)}"
        for pair in combinations(options, 2)
    }
    honoured, lost = 0, []
    for pair, line in lines.items():
        given = read(f"visit NEAR {target}", line)
        if given is None or "node" in pair:
            continue
        file = tmp_path / f"{'-'.join(pair)}.toml"
        edge, proposal = authored(f'"visit NEAR {target}" = "{line}"', file)
        assert not list(check_synthesis(proposal.schema, proposal.specification)), pair
        lost += [(pair, word) for word in pair if not SEEN[word](edge, proposal)]
        assert given.always
        honoured += 1
    assert not lost
    assert honoured >= 3


def read(title: str, line: str) -> Relation | None:
    """The relation; None where two of its options are told not to go together."""
    try:
        return relation(title, line, {})
    except LineError as problem:
        told = str(problem)
    assert "do not go together" in told, (line, told)
    return None


def authored(line: str, file: Path) -> tuple[EdgeType, SchemaProposal]:
    """A schema with the relation of `line`."""
    file.write_text(f"{TEXT}{line}\n", encoding="utf-8")
    domain = subdomain(load_taxonomy((file,)), f"{file.parent.name}/{file.stem}")
    made = next(RuleSchemaAuthor().generate(SchemaRequest(domain, 1), Random(3)))
    return next(e for e in made.schema.edges if "comes near" in e.note), made


def part(edge: EdgeType, made: SchemaProposal) -> Edges:
    return made.specification.edges[edge.name]


def ordered(edge: EdgeType, made: SchemaProposal) -> bool:
    return any(
        order.first.startswith("target") and order.then.startswith("source")
        for order in part(edge, made).order
    )


def begins_over(edge: EdgeType, made: SchemaProposal, *, gap: bool) -> bool:
    """Whether the many begin after what the edge leads to; where some lack it, only then."""
    many = edge.target if part(edge, made).cardinality == "1:n" else edge.source
    for column in made.specification.nodes[many].properties.values():
        of = column.of.bands[0].of if isinstance(column.of, Banded) else column.of
        if isinstance(of, After) and of.columns[0].startswith(edge.name):
            return (of.gap is not None) == gap
    return False


def preferred(edge: EdgeType, made: SchemaProposal, name: str) -> bool:
    ends = (part(edge, made).source, part(edge, made).target)
    return any(end.prefer is not None and end.prefer.column.lower() == name for end in ends)


SEEN: dict[str, Callable[[EdgeType, SchemaProposal], bool]] = {
    "out": lambda e, m: getattr(part(e, m).source.degree, "ratio", 0) == 3,
    "in": lambda e, m: getattr(part(e, m).target.degree, "ratio", 0) == 9,
    "role": lambda e, m: e.source != e.target or part(e, m).acyclic or ordered(e, m),
    "symmetric": lambda e, m: part(e, m).symmetric,
    "reciprocal": lambda e, m: part(e, m).reciprocity == 0.2,
    "oneway": lambda e, m: part(e, m).oneway,
    "order": ordered,
    "match": lambda e, m: any(s.source.lower() == "kind" for s in part(e, m).same),
    "fits": lambda e, m: any(s.pairs for s in part(e, m).same),
    "via": lambda e, m: any("." in s.source for s in part(e, m).same),
    "during": lambda e, m: begins_over(e, m, gap=False),
    "later": lambda e, m: begins_over(e, m, gap=True),
    "only": lambda e, m: preferred(e, m, "kind"),
    "home": lambda e, m: preferred(e, m, "country"),
    "within": lambda e, m: any((o.gap, o.within) == (3, 90) for o in part(e, m).order),
    "apart": lambda e, m: bool(part(e, m).apart),
    "anytime": lambda e, m: not ordered(e, m) and not begins_over(e, m, gap=False),
    "alone": lambda e, m: part(e, m).alone is not None,
    "once": lambda e, m: bool(part(e, m).once),
}


@pytest.mark.parametrize("word", sorted(SHOP))
def test_what_a_node_of_a_relation_keeps(word: str, tmp_path: Path) -> None:
    """A relation that has become a node keeps an option, or refuses it."""
    line = f"comes near / is near; {SHOP['node']}; {SHOP[word] if word != 'node' else 'always'}"
    given = read("visit NEAR shop", line)
    if given is None:
        return
    domain = next(iter(load_taxonomy()))
    edges = reified(domain, given)[1]
    kept = {
        "out": lambda: edges[0].incoming == given.outgoing,
        "in": lambda: edges[1].incoming == given.incoming,
        "role": lambda: {edge.role for edge in edges} == {"event"},
        "order": lambda: any(edge.order for edge in edges),
        "match": lambda: any(edge.via for edge in edges),
        "via": lambda: any(edge.via for edge in edges),
        "fits": lambda: any(edge.fits for edge in edges),
        "within": lambda: any(edge.within for edge in edges),
        "anytime": lambda: all(edge.anytime for edge in edges),
        "node": lambda: all(edge.always for edge in edges),
    }
    assert kept[word]()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("n:1; 1:n", "'n:1' and '1:n' both say how many there are; keep one"),
        ("n:1; in 1..3; in 2..4", "The option 'in' is there twice"),
        ("later 1..3", "'n:m' and 'later' do not go together: no end has only one; write n:1"),
        ("n:1; during; later 0..1", "'during' and 'later' do not go together: both say when"),
        ("1:1; match kind = kind", "'match' and 1:1 that is no chain do not go together"),
    ],
)
def test_a_refusal_says_what_to_do(line: str, told: str) -> None:
    with pytest.raises(LineError) as refused:
        relation("visit NEAR shop", f"comes near / is near; {line}", {})
    assert told in str(refused.value)
