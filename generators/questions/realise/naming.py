"""What is shown of things: the names or numbers that they are known by, and columns."""

from __future__ import annotations

from lemminflect import getAllLemmas

from generators.questions.goals.model import Ask, Test
from generators.questions.lexicon.model import Property, Role, Thing, ThingKind
from generators.questions.phrases.tree import NP, Listing, Phrase, Text
from generators.questions.realise.groups import Groups
from generators.questions.realise.pieces import SORTED, amount_of, of_owner
from graphmill.english.inflection import listing, plural

_NUMBERED = frozenset({ThingKind.TRANSACTION, ThingKind.DOCUMENT})  # people know their numbers
_NAMELESS = frozenset({ThingKind.RECORD, ThingKind.THING, ThingKind.CATEGORY, ThingKind.JUNCTION})
_TOLD_BY = frozenset({"barcode", "code", "number", "plate", "reference", "tag"})
_PLAIN = frozenset({"find", "rank", "tally", "sequence", "with-or-without", "best-of-each"})


class Naming(Groups):
    """Says what is shown of things."""

    def _differing(self, ask: Ask, columns: Phrase) -> Phrase:
        """Columns of what is not named itself: those that differ."""
        kinds = {self.tests.words(column.owner, column.key).kind for column in ask.columns}
        if kinds <= {Role.NAME, Role.CODE}:
            return columns
        return Listing((Text("different"), columns), "\0")

    def _repeats_a_noun(self, ask: Ask) -> bool:
        """Whether what is shown beside the thing is called as what it is shown by, or as another
        column: the last names of vets and those of their bosses."""
        own = [
            self.tests.words(column.owner, column.key).noun for column in ask.columns if column.key
        ]
        keys = (self.lexicon.property(ask.focus.type, key) for key in ask.named)
        nouns = [*own, *{words.noun for words in keys if words is not None}]
        return len(nouns) > len(set(nouns))

    def _misreads(self, ask: Ask) -> bool:
        """Whether one of several columns would take what follows for its own: the "names and
        numbers of platforms" of stations."""
        if not ask.named:
            return False
        words = [self.tests.words(column.owner, column.key) for column in ask.columns if column.key]
        return any(" of " in amount_of(each) for each in words)

    def _only_sorts(self, ask: Ask) -> bool:
        """Whether all that comes back is what sort each is: its sex, its type, its status."""
        columns = [column for column in ask.columns if column.key]
        nouns = [self.tests.words(column.owner, column.key).noun for column in columns]
        return bool(nouns) and all(noun.rpartition(" ")[2] in SORTED for noun in nouns)

    def _is_by_name(self, ask: Ask) -> bool:
        """Whether "which" says what comes back: names alone."""
        thing = self.lexicon.thing(ask.focus.type)
        named = bool(ask.named) and thing is not None and {*ask.named} <= {*thing.name}
        return named and not self._is_numbered(ask.focus.type)

    def _is_plain_which(self, ask: Ask) -> bool:
        """Whether "which" says what comes back: names alone, and no number of things that have
        others as well: a serial number beside an asset tag."""
        thing = self.lexicon.thing(ask.focus.type)
        if thing is None or not self._is_by_name(ask):
            return False
        props = self.lexicon.properties.get(ask.focus.type, {})
        telling = [key for key, words in props.items() if _is_told_by(words)]
        named = [props[key] for key in thing.name if key in props]
        numbered = bool(named) and all(map(_is_told_by, named))
        return not numbered or {*telling} <= {*thing.name} or named[0].kind is Role.KEY

    def _is_by_description(self, ask: Ask) -> bool:
        """Whether what is chosen by others beside it is known by its description alone, which
        "which" asks for."""
        props = self.lexicon.properties.get(ask.focus.type, {})
        nouns = [props[key].noun for key in ask.named if key in props]
        chosen = ask.goal in ("threshold", "rank-by-tally") and self.form == "contracted"
        return chosen and nouns == ["description"] and self._is_plain_which(ask)

    def _is_by_part_of_name(self, ask: Ask) -> bool:
        """Whether names alone come back of what is known by a part of its name, which need not be
        said twice: "courses with “Awareness” in the title"."""
        parts = [t.key for t in ask.focus.tests if isinstance(t, Test) and t.op == "contains"]
        return self._is_by_name(ask) and not ask.columns and {*parts} == {*ask.named}

    def _is_known(self, ask: Ask) -> bool:
        """Whether what things are shown by goes without saying: a name of which a part is given;
        but at level 2 a number of theirs: "Which samples weigh more than 6 kg?"."""
        numbers = self.form != "explicit" and not ask.columns
        bare = numbers and self._names(ask, many=False, plain=True) == ["number"]
        return bare or self._is_by_part_of_name(ask)

    def _is_reference(self, ask: Ask, key: str) -> bool:
        words = self.lexicon.property(ask.focus.type, key)
        return words is not None and words.kind is Role.REFERENCE

    def _has_names(self, ask: Ask) -> bool:
        """Whether what is listed is known by a name or by a number that people use: an order has
        its number, a log line has none, and what happens has one that few ask for."""
        thing = self.lexicon.thing(ask.focus.type)
        known = self._is_by_name(ask) or not self._is_by_number(ask)
        if thing is None or known:
            return True
        if thing.kind in _NUMBERED:
            return not self.lexicon.is_line(ask.focus.type)
        if thing.kind not in _NAMELESS and ask.goal not in _PLAIN:
            return True
        roles = (self.lexicon.property(ask.focus.type, key) for key in ask.named)
        return any(role is not None and role.kind is Role.CODE for role in roles)

    def _is_by_number(self, ask: Ask) -> bool:
        """Whether a key or a number alone comes back: the ID of a log line, an order's number."""
        thing = self.lexicon.thing(ask.focus.type)
        keys = {key for key in ask.named if thing is None or key not in thing.name}
        props = {key: self.lexicon.property(ask.focus.type, key) for key in ask.named}
        numbered = {
            key for key, prop in props.items() if prop is not None and prop.noun == "number"
        }
        bare = {key for key in keys if (prop := props[key]) is None or prop.kind is Role.KEY}
        return bool(ask.named) and len(numbered) < 2 and bare | numbered == {*ask.named}

    def _naming(self, ask: Ask, *, many: bool = False) -> str:
        """What things are shown by: "names", "IDs", "IDs and full names"."""
        return listing(self._names(ask, many=many)) or ("IDs" if many else "ID")

    def _named_by(self, ask: Ask, *, many: bool) -> NP:
        """What one thing, or many, are shown by; several columns are several."""
        naming = self._naming(ask, many=many)
        return NP(naming, naming, many=many or len(self._names(ask, many=False)) > 1)

    def _names(self, ask: Ask, *, many: bool, plain: bool = False) -> list[str]:
        """The nouns of what is asked for is shown by."""
        return self._nouns_of_names(ask.focus.type, ask.named, many=many, plain=plain)

    def _nouns_of_names(
        self, type: str, keys: tuple[str, ...], *, many: bool, plain: bool = False
    ) -> list[str]:
        """The nouns of what things are shown by; first and last names are one. Their own numbers
        are "lot numbers", as numbers count ("the numbers of the lots"); behind their possessive,
        and the one of one thing, plain "number"."""
        nouns: list[str] = []
        thing = self.lexicon.thing(type)
        several = thing is not None and len(thing.name) > 1
        whole = several and thing is not None and {*thing.name} <= {*keys}
        for key in keys:
            if whole and thing is not None and key in thing.name:  # not "first and last …"
                name = "full name" if self.form == "explicit" else "name"
                nouns.append(plural(name) if many else name)
                continue
            prop = self.lexicon.property(type, key)
            by_key = thing is None or key not in thing.name
            own = thing.noun.singular if thing is not None and thing.noun is not None else ""
            numbered = prop is not None and of_owner(prop.noun, own) == "number"
            if numbered and prop is not None and own:  # there may be an ID as well
                said_of = self._is_said_of(thing, keys)
                last = own.rpartition(" ")[2]
                long = own.count(" ") > 1 or (said_of and "ADJ" not in getAllLemmas(last))
                short = last if long else own  # a long noun, once
                whole_noun = f"{short} number" if prop.noun == "number" else prop.noun
                number = "number" if plain or (said_of and not many) else whole_noun
                nouns.append(plural(number) if many else number)
            elif numbered or (by_key and (prop is None or prop.kind is Role.KEY)):
                nouns.append("IDs" if many else "ID")
            elif prop is not None and self._is_plain_name(prop.noun, thing):
                nouns.append("names" if many else "name")
            elif prop is not None and prop.noun:
                nouns.append(prop.plural or plural(prop.noun) if many else prop.noun)
        nouns.sort(key=lambda noun: noun.rstrip("s") != "ID")  # before the first and last names
        return list(dict.fromkeys(nouns))

    @staticmethod
    def _is_said_of(thing: Thing | None, keys: tuple[str, ...]) -> bool:
        """Whether a number stands before what it is of, which need not be said in full: "the visit
        numbers of the service visits". People have more."""
        return len(keys) == 1 and thing is not None and thing.kind is not ThingKind.PERSON

    def _is_plain_name(self, noun: str, thing: Thing | None) -> bool:
        """Whether it is the name of what is named: the service name of a service type."""
        if noun == "full name":
            return self.form != "explicit"
        what, _, last = noun.rpartition(" ")
        own = thing.noun.singular if thing is not None and thing.noun is not None else ""
        return bool(what) and last == "name" and own.startswith(f"{what} ")


def _is_told_by(words: Property) -> bool:
    """Whether a property tells things apart by a number or a mark."""
    return words.noun.rpartition(" ")[2] in _TOLD_BY and words.kind is not Role.REFERENCE
