"""Places: postal codes are those of the town that an element is in."""

from __future__ import annotations

from generators.schemas.blueprint import LOCATED
from generators.schemas.national import lettered
from generators.schemas.triangles import Settings
from generators.synthesis import spec
from generators.taxonomy.model import Code, Entity, Phrase, Rows
from schemagraph.specification.distributions import Distribution

# The letters that postal codes have behind the town, in Britain and in Canada.
_LETTERS = "ABEGHJLNPRSTWXYZ"
_TOWNS = ("town", "town_name", "club_town", "place_stem")


class Places(Settings):
    """The rules for what is written otherwise in each town."""

    def postal_codes(self) -> None:
        """A postal code is that of the town; in a graph without towns, all are of one."""
        codes, cities = (self.rows.get(name) for name in ("city_codes", "cities"))
        if codes is None or cities is None:
            return
        more = self.rows.get("national_cities", Rows((), ()))
        at = cities.columns.index("country")
        home = {row[0] for row in (*cities.rows, *more.rows) if row[at] == self.home}
        pattern = dict(zip(codes.column("city"), codes.column("postal"), strict=True))
        for entity in self.chosen.entities:
            for hint in entity.properties:
                if isinstance(hint.value, Code) and hint.value.national == "postal":
                    of = self._postal(entity, pattern, home)
                    if of is not None:
                        name = self.column(entity.name, hint.name)
                        self.put(self.node[entity.name].name, name, of)

    def named_after_towns(self) -> None:
        """What is called after a made-up town is called after the city that it is in."""
        for entity in self.chosen.entities:
            for hint in entity.properties:
                if not isinstance(hint.value, Phrase):
                    continue
                town = next((n for n in _TOWNS if f"{{{n}}}" in hint.value.template), None)
                known = town is not None and town in self.domain.lists
                column = self._city_of(entity, alone=hint.unique) if known else None
                if town is None or column is None:
                    continue
                node, name = self.node[entity.name].name, self.column(entity.name, hint.name)
                of = self.given.nodes[node].properties[name].of
                if not isinstance(of, spec.Template) or town not in of.lists:
                    continue
                lists = {key: values for key, values in of.lists.items() if key != town}
                text = of.text.replace(f"{{{town}}}", f"{{{column}}}")
                self.put(node, name, spec.Template(text=text, lists=lists))

    def _city_of(self, entity: Entity, *, alone: bool) -> str | None:
        """The column with the name of the city that every such element is in, for itself alone."""
        cardinalities = ("1:1",) if alone else ("1:1", "n:1")
        for relation, _, edge in self.edges:
            ends = self.ends(relation)
            if ends is None or ends[0] != entity.name or relation.many not in cardinalities:
                continue
            one = self.entities[ends[1]]
            plain = not (relation.order or relation.fits or relation.match)
            if one.rows == "cities" and LOCATED.match(relation.type) and plain:
                hint = one.property("name")
                if hint is not None and not self.given.edges[edge.name].same:
                    return f"{edge.name}.{self.column(one.name, hint.name)}"
        return None

    def _postal(
        self, entity: Entity, pattern: dict[str, str], home: set[str]
    ) -> Distribution | None:
        national = [text for city, text in pattern.items() if city in home]
        if not national:
            return None
        usual = _code(national[0])
        for relation, _, edge in self.edges:
            ends = self.ends(relation)
            if ends is None or ends[0] != entity.name or not LOCATED.match(relation.type):
                continue
            one = self.entities[ends[1]]
            hint = one.property("name")
            if one.rows != "cities" or hint is None:
                continue
            cases: dict[str, Distribution] = {city: _code(text) for city, text in pattern.items()}
            column = f"{edge.name}.{self.column(one.name, hint.name)}"
            return spec.Conditional(column=column, cases=cases, otherwise=usual)
        return usual


def _code(text: str) -> Distribution:
    """Codes of a pattern, or one of those that a town has."""
    if not {"#", "?"} & set(text):
        return spec.Template(text="{code}", lists={"code": tuple(text.split(","))})
    if "?" not in text:
        return spec.Pattern(text=text)
    text, lists = lettered(text, {"?": _LETTERS})
    return spec.Template(text=text, lists=lists)
