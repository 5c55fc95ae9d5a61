"""Amounts over edges: totals of lines, parts of a whole, what is the same as elsewhere."""

from __future__ import annotations

from typing import Literal

from generators.schemas.national import around_bank, lettered
from generators.schemas.triangles import Settings
from generators.synthesis import spec
from generators.taxonomy.model import (
    By,
    Code,
    Copy,
    Entity,
    Foremost,
    Hint,
    Number,
    Place,
    Relation,
)
from schemagraph.model import EdgeType, Kind
from schemagraph.specification.columns import End
from schemagraph.specification.distributions import Distribution

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANY = 1e15  # no number of the taxonomy is above it


class Amounts:
    """The rules for numbers that follow from those of other elements."""

    def __init__(self, draft: Settings) -> None:
        self.draft = draft

    def numbers(self) -> None:
        """Lessons, lines and stops are numbered within what they are part of; amounts follow."""
        for entity in self.draft.chosen.entities:
            for hint in entity.properties:
                for copied in hint.copied:
                    if self._follows(entity, hint, copied):
                        break
                if isinstance(hint.value, Place):
                    self._numbered(entity, hint, hint.value)
                if isinstance(hint.value, By) and "." in hint.value.of:
                    self._by_other(entity, hint, hint.value)
                if isinstance(hint.value, Foremost):
                    self._foremost(entity, hint, hint.value)

    def _by_other(self, entity: Entity, hint: Hint, given: By) -> None:
        """Values that depend on the one element that a relation joins with."""
        kind, _, key = given.of.partition(".")
        for relation, _, edge in self.draft.edges:
            ends = self.draft.ends(relation)
            if relation.type != kind or ends is None or ends[0] != entity.name:
                continue
            if self.draft.entities[ends[1]].property(key) is None or ends[0] == ends[1]:
                continue
            column = f"{edge.name}.{self.draft.column(ends[1], key)}"
            of = self.draft.teller(entity).cases(
                given, column, given.otherwise or given.cases[0][1]
            )
            self.draft.put(
                self.draft.node[entity.name].name,
                self.draft.column(entity.name, hint.name),
                of,
            )

    def _foremost(self, entity: Entity, hint: Hint, given: Foremost) -> None:
        """One value for the first of those that a relation joins with the same element."""
        for relation, _, edge in self.draft.edges:
            ends = self.draft.ends(relation)
            if relation.type == given.of and ends and ends[0] == entity.name:
                tell = self.draft.teller(entity)
                of = spec.First(
                    column=f"{edge.name}.{self.draft.node[ends[1]].key[0]}",
                    of=tell.value(given.first),
                    otherwise=tell.value(given.otherwise),
                )
                self.draft.put(
                    self.draft.node[entity.name].name,
                    self.draft.column(entity.name, hint.name),
                    of,
                )

    def _numbered(self, entity: Entity, hint: Hint, place: Place) -> None:
        for relation, _, edge in self.draft.edges:
            ends = self.draft.ends(relation)
            if relation.type == place.of and ends and ends[0] == entity.name:
                key = self.draft.node[ends[1]].key[0]
                by = self.draft.column(entity.name, place.by) if place.by else None
                of = spec.Ordinal(column=f"{edge.name}.{key}", by=by, start=place.start)
                self.draft.put(
                    self.draft.node[entity.name].name,
                    self.draft.column(entity.name, hint.name),
                    of,
                )

    def _follows(self, entity: Entity, hint: Hint, copied: Copy) -> bool:
        """Whether the schema shows what a property follows, which it then does."""
        for number, (relation, _, edge) in enumerate(self.draft.edges):
            if relation.type != copied.relation:
                continue
            if copied.how in ("sum", "count", "least", "most"):
                if self._gathered(entity, hint, copied, number):
                    return True
                continue
            ends = self.draft.ends(relation)
            if ends is not None and relation.many.startswith("1:1") and ends[1] == entity.name:
                ends = ends[1], ends[0]
            if ends is not None and ends[0] == entity.name and ends[0] != ends[1]:
                return self._of_one(entity, hint, copied, (relation, edge, ends[1]))
        return False

    def _gathered(self, entity: Entity, hint: Hint, copied: Copy, number: int) -> bool:
        """A number that is made of all edges of a relation."""
        relation, names, edge = self.draft.edges[number]
        node = self.draft.node[entity.name]
        if entity.name not in (relation.source, relation.target) or relation.symmetric:
            return False
        if relation.source == relation.target:
            return False
        column: str | None = None
        if copied.how != "count":
            other = relation.target if relation.source == entity.name else relation.source
            if copied.property in names.properties:
                column = names.properties[copied.property]
                kind = edge.property(column)
            else:
                theirs = self.draft.entities[other].property(copied.property)
                if theirs is None:
                    return False
                name = self.draft.column(other, theirs.name)
                side = End.SOURCE if edge.source == self.draft.node[other].name else End.TARGET
                column, kind = f"{side}.{name}", self.draft.node[other].property(name)
            mine = node.property(self.draft.column(entity.name, hint.name))
            if kind is None or mine is None or kind.type.kind is not mine.type.kind:
                return False
        usual = (
            self.draft.given.nodes[node.name]
            .properties[self.draft.column(entity.name, hint.name)]
            .of
        )
        of = spec.Aggregated(
            edge=edge.name,
            how=copied.how,  # type: ignore[arg-type]  # the caller looks
            column=column,
            decimals=getattr(usual, "decimals", 2),
            otherwise=usual if copied.how != "count" else None,
        )
        return self.draft.put(node.name, self.draft.column(entity.name, hint.name), of, null=0.0)

    def _of_one(
        self, entity: Entity, hint: Hint, copied: Copy, to: tuple[Relation, EdgeType, str]
    ) -> bool:
        """A value that is that of the one element which a relation joins with, or a part of it."""
        relation, edge, owner = to
        one = self.draft.entities[owner].property(copied.property)
        if one is None:
            return False
        column = f"{edge.name}.{self.draft.column(owner, one.name)}"
        node, name = (
            self.draft.node[entity.name].name,
            self.draft.column(entity.name, hint.name),
        )
        usual = self.draft.given.nodes[node].properties[name].of
        mine = self.draft.node[entity.name].property(name)
        whole = mine is not None and mine.type.kind is Kind.INTEGER
        places = getattr(usual, "decimals", 0 if whole else 2)
        of: Distribution = spec.Copied(column=column)
        if copied.how == "times":
            own = self.draft.column(entity.name, copied.own)
            of = spec.Product(columns=(own, column), decimals=places)
        low, high = copied.low, copied.high
        if copied.how == "part":
            key = self.draft.node[owner].key[0]
            of = spec.Allotted(
                column=column,
                by=f"{edge.name}.{key}",
                low=1.0 if low is None else low,
                high=1.0 if high is None else high,
                decimals=places,
                spread=0.0 if copied.even else 0.4,
            )
        elif low is not None and high is not None:
            # A twelfth of a yearly premium is right to the cent, so one factor is not rounded much.
            factor = spec.Uniform(low=low, high=high, decimals=4 if low < high else 8)
            of = spec.Scaled(column=column, factor=factor, decimals=places)
        if copied.how == "prefix":
            code = one.value
            check = code.check if isinstance(code, Code) else ""
            of = (
                iban_at(column, self.draft.teller(entity).locale)
                if copied.own == "iban"
                else _beginning(column, copied.own, "container" if check == "container" else "")
            )
        loose = one.null or relation.many.endswith("?") or relation.order
        if of.kind != "template" and (isinstance(one.value, Number) or of.kind != "copied"):
            # Where there is no such element, or it has no such value, the number is its own.
            if copied.how == "part":  # of one whole, whatever the cases
                bands = (spec.Band(upto=_ANY, of=of),)
                whole_of = spec.Banded(column=column, bands=bands, otherwise=usual)
                return self.draft.put(node, name, whole_of)
            return self.draft.put(node, name, _following(usual, column, of))
        if loose:
            return False
        part = self.draft.given.edges[edge.name]
        self.draft.put_edge(edge.name, same=self.draft.yielding(edge.name, part.same))
        self.draft.anchored.add(edge.name)
        return self.draft.put(node, name, of)


def iban_at(column: str, locale: str) -> spec.Template:
    """IBANs of the banks whose BICs a column has: one bank has one code in all of them."""
    before, bank, behind = around_bank(locale)
    text, lists = lettered(f"{before}\0{behind}", {"?": _LETTERS})
    text = text.replace("\0", f"{{{column}:{bank}}}")
    return spec.Template(text=text, lists=lists, check="iban")


def _beginning(column: str, digits: str, check: Literal["", "container"]) -> spec.Template:
    """Codes that begin with the value of a column: flights with the letters of their airline."""
    mark = digits.index("#")
    figures = {f"digit_{n}": tuple("0123456789") for n in range(len(digits) - mark)}
    figures["digit_0"] = tuple("123456789")
    text = "".join(f"{{{name}}}" for name in figures)
    return spec.Template(text=f"{{{column}}}{digits[:mark]}{text}", lists=figures, check=check)


def _following(usual: Distribution, column: str, of: Distribution) -> Distribution:
    """What follows a column where that has a value; a case without a value stays without one."""
    match usual:
        case spec.Absent():
            return usual
        case spec.Conditional():
            cases = {case: _following(part, column, of) for case, part in usual.cases.items()}
            otherwise = _following(usual.otherwise, column, of)
            return usual.model_copy(update={"cases": cases, "otherwise": otherwise})
    bands = (spec.Band(upto=_ANY, of=of),)
    return spec.Banded(column=column, bands=bands, otherwise=usual)
