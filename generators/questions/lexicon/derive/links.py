"""Paths: what is said along edges and through junctions, from their names and both ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.clear import is_clear, shortens
from generators.questions.lexicon.derive.data import (
    head_word,
    kind_of,
    listed_pair,
    phrase,
    precision,
    shorter_nouns,
    spells,
    table,
)
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.derive.table_names import own_prefixes
from generators.questions.lexicon.model import (
    Noun,
    Path,
    Phrase,
    Provenance,
    Tense,
    Thing,
    ThingKind,
)
from graphmill.english.inflection import a, ordinal, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.verbs import Verb, by_base, by_past, by_third, supposed
from schemagraph.model import EdgeType, NodeType

_UNSURE = frozenset({"no-phrase", "junction-kinds"})
_PLAIN = word_set("plain_links")  # labels that are prepositions
_OF_ENDS = frozenset({"kind-pair", "noun-pair", "junction-kinds"})  # rules that read no label
_SOMEBODY = (ThingKind.PERSON, ThingKind.ORGANISATION)
_UNDONE = {"operate": "record", "rent": "document event transaction record"}
_WITH = Phrase(particle="with")
_MAKING = frozenset(
    {"build", "compose", "create", "design", "illustrate", "invent", "make", "paint"}
)
# What is said of a job itself, and not of what is worked on in it.
_ABOUT_JOBS = frozenset({"assign", "lead", "manage", "order", "own", "review", "supervise"})
_ABSTRACT = ("ment", "tion", "ship", "ance", "ence")
_BORN = (ThingKind.PERSON, ThingKind.ANIMAL)
_LEADS = frozenset({"has", "have", "of", "in", "at", "on", "for", "with", "belongs", "from", "by"})


def derive_paths(facts: Facts, things: dict[str, Thing]) -> dict[str, Path]:
    """One path for each edge, then those through junctions and events, by a readable name."""
    paths: dict[str, Path] = {}
    for edge in facts.schema.edges:
        _put(paths, edge.name, _Edge(facts, edge).path())
    for node in facts.schema.nodes:
        for path in _through(facts, node, things[node.name]):
            _put(paths, f"{path.start}-{node.name}-{path.end}", path)
    return paths


def _put(paths: dict[str, Path], name: str, path: Path) -> None:
    if path.along not in {known.along for known in paths.values()}:
        number = sum(known.partition("~")[0] == name for known in paths)
        paths[f"{name}~{number + 1}" if number else name] = path


@dataclass(frozen=True)
class _Edge:
    """One edge type, looked at."""

    facts: Facts
    edge: EdgeType

    @property
    def source(self) -> str:
        return self.facts.nouns[self.edge.source]

    @property
    def target(self) -> str:
        return self.facts.nouns[self.edge.target]

    @property
    def kinds(self) -> tuple[ThingKind, ThingKind]:
        return self.facts.kinds[self.edge.source][0], self.facts.kinds[self.edge.target][0]

    @cached_property
    def parts(self) -> list[str]:
        parts = self._label_words()
        if parts[0] in ("is", "are", "was", "were") and len(parts) > 1:
            parts = parts[1:]
        if parts[0] == "has" and len(parts) > 2 and self._is_done(parts[1]):
            parts = parts[1:]  # a foreign key `follows_project`
        if parts[0] == "has" and len(parts) > 2 and parts[1] in self._own_prefixes():
            parts = ["has", *parts[2:]]  # `prop_officer_id` of a proposal
        own = {self.source, *self._own_prefixes()}
        if len(parts) > 2 and parts[0].lower() in own and by_past(parts[1]):
            parts = parts[1:]  # `pilot_trained_by` of a pilot
        rest = [part for part in parts if part.lower() not in self.facts.names.starts]
        return rest or parts

    def _own_prefixes(self) -> set[str]:
        """Short forms of the source that names of its properties start with."""
        node = self.facts.schema.node_by_name[self.edge.source]
        return own_prefixes([each.name for each in node.properties], self.source)

    @staticmethod
    def _is_done(word: str) -> bool:
        """Whether a word is a verb with its -s and no plural: "follows"."""
        verb = by_third(word)
        return verb is not None and verb.base not in word_set("also_nouns")

    def _label_words(self) -> list[str]:
        """The words of the label, with the target's noun where it has the target's name."""
        words = self.facts.spoken(self.edge, self.edge.label)
        name = self.facts.spoken(self.edge, self.edge.target)
        whole = self.target.startswith(" ".join(name).lower())
        if len(words) > len(name) and spells(words[-len(name) :], " ".join(name)) and not whole:
            return [*words[: -len(name)], *self.target.split(" ")]
        return words

    @cached_property
    def single(self) -> bool:
        return self.facts.functional(self.edge)

    def path(self) -> Path:
        """The entry."""
        along = (self.edge.source, f"{self.edge.label}>", self.edge.target)
        names = {singular(part).lower() for part in self.parts}
        made = (
            self._chain()
            or self._done_with()
            or self._verb()
            or self._role()
            or self._pair()
            or (None, None, None, "no-phrase")
        )
        if made[3] in _UNSURE or (made[3] == "kind-pair" and self._is_value()):
            made = self._by_label() or made
        forward, backward, link, rule = self._without_shared_words(made)
        symmetric = self.edge.source == self.edge.target and bool(names & word_set("symmetric"))
        unique = True if self.single else None
        if forward is None and backward is None and link is None:
            rule = "no-phrase"
        return Path(
            along=along,
            forward=forward,
            backward=backward,
            link=link,
            symmetric=symmetric,
            pairs_unique=unique,
            source=Provenance.RULE,
            sure=precision(rule),
            rule=rule,
        )

    def _without_shared_words(self, made: _EdgeWords) -> _EdgeWords:
        """The words without those that another edge between the same types would have as well: a
        co-tenant's tenancies are not the tenancies "of" a gardener, nor a park "with" moves the
        one that they lead to."""
        forward, backward, link, rule = made
        ends = (self.edge.source, self.edge.target)
        alike = [each for each in self.facts.schema.edges if (each.source, each.target) == ends]
        if len(alike) < 2:
            return made
        if rule in _OF_ENDS and not self._names_target():
            return None, None, link, "no-phrase"
        if backward == _WITH and self.parts[0] not in ("has", "have"):
            return forward, None, link, rule
        return made

    def _names_target(self) -> bool:
        """Whether the label says no more than what the edge leads to."""
        rest = [part for part in self.parts if part not in _LEADS]
        return not rest or spells(rest, self.target) or spells(rest, head_word(self.target))

    def _is_value(self) -> bool:
        """Whether the target says what a code of the source means, as a status or a failure."""
        has = head_word(self.target) in word_set("held") or self.kinds[1] is ThingKind.EVENT
        return has and self.parts[0] == "has" and self.edge.target in self.facts.lookups

    def _by_label(self) -> _EdgeWords | None:
        """What a label says word for word where its ends say nothing: HAS_FORM, ABOUT, BELONGS_TO,
        MEMBER_OF, SIMILAR_TO, PROTECTS, and TRYOUT of a player: "have a tryout for"."""
        head, rest = self.parts[0], self.parts[1:]
        back = _WITH if self.single else None
        if head in ("has", "have"):
            own = self.source.split()[-1] in self.target.split()
            alike = {*self.kinds} == {ThingKind.PERSON} or own
            named = spells(rest, self.target) or spells(rest, head_word(self.target))
            if not named or alike:
                return None
            if head_word(self.source) in word_set("done_to") and self.kinds[1] not in _SOMEBODY:
                return Phrase(particle="of"), None, None, "label-has"  # the hire of a costume
            if self.kinds[0] is ThingKind.PERSON and head_word(self.target) in _TEAMS:
                return Phrase(particle="in"), _WITH, None, "label-has"  # nobody has a committee
            return Phrase(verb="have"), None, None, "label-has"
        if head in _PLAIN and (not rest or rest[0] not in word_set("prepositions")):
            return Phrase(particle=head), back, None, "label-preposition"
        tail = " ".join(self._without_target(self.parts)[1:])
        if (head, tail) in (("belongs", "to"), ("member", "of")):
            return Phrase(verb="belong", particle="to"), None, None, "label-verb"
        if (head, tail) in (("next", "to"), ("similar", "to")):
            return Phrase(be=head, particle=tail), None, None, "label-verb"
        lemmas = getAllLemmas(head)
        if set(lemmas) == {"VERB"} and head.endswith("s") and (not tail or tail in _PLAIN):
            return Phrase(verb=lemmas["VERB"][0], particle=tail), None, None, "label-verb"
        return self._by_link(" ".join(self.parts).lower())

    def _is_assigned(self) -> bool:  # work that is given to who does it
        work = head_word(self.source) in word_set("given_work") or self.source == "work order"
        return work and head_word(self.target) in word_set("workers")

    def _by_link(self, noun: str) -> _EdgeWords | None:
        """What links somebody with many things, as what they have: "have a tryout for"."""
        link = kind_of(noun)[0] in (ThingKind.EVENT, ThingKind.DOCUMENT, ThingKind.RECORD)
        if self.single or self.kinds[0] is not ThingKind.PERSON or not link:
            return None
        if self.kinds[1] is ThingKind.PERSON or not is_clear(noun) or noun != singular(noun):
            return None
        if any(by_third(part) or by_past(part) for part in noun.split()[:-1]):
            return None
        deed = phrase(table("links")["deeds"].get(noun, f"have {a(noun)} for"))
        return deed, None, None, "link-noun"

    def _chain(self) -> _EdgeWords | None:
        """HAS_MANAGER of an employee: both roles and the word for a step."""
        if self.edge.source != self.edge.target:
            return None
        chains = table("links")["chains"]
        rest = [part for part in self.parts if part not in _LEADS]
        named = (self.edge.label, *rest[:1], *rest[-1:])
        roles = next((chains[each] for each in named if each in chains), "")
        if not roles:
            return self._noun_of((*rest, "of") if self.parts[-1] == "of" else tuple(rest))
        role, back, link = roles.split(" | ")
        if role == "parent" and self.kinds[0] not in _BORN:  # a branch descends from none
            firm = self.kinds[0] is ThingKind.ORGANISATION
            role, back = f"parent {self.target}", "subsidiary" if firm else f"child {self.target}"
        step = Noun(singular=link, plural=plural(link))
        return Phrase(noun=role), Phrase(noun=back), step, "label-role"

    def _noun_of(self, words: tuple[str, ...]) -> _EdgeWords | None:
        """A noun and the preposition behind it, FILL_OF: "be a fill of"."""
        match words:
            case (noun, ("of" | "to") as particle) if self._is_noun(noun):
                be = noun if noun == "part" else a(noun)  # they are part of it, all of them
                return Phrase(be=be, particle=particle), None, None, "label-verb"
        return None

    def _done_with(self) -> _EdgeWords | None:
        """What somebody did with the thing that a row says was done: OFFICE_HELD of a member."""
        done = self.facts.spoken(self.edge, self.edge.source)[-1]
        verb = by_past(done)
        if verb is None or verb.base not in word_set("own_deeds") or self.source.endswith(done):
            return None
        edges = [each for each in self.facts.schema.edges if each.source == self.edge.source]
        doers = [e.name for e in edges if self.facts.kinds[e.target][0] in _SOMEBODY]
        if doers != [self.edge.name]:
            return None
        return *self._by_somebody(verb), None, "agent-role"

    def _by_somebody(self, verb: Verb) -> tuple[Phrase, Phrase]:
        verb = self._of_deed(verb)
        tense = Tense.PRESENT if verb.base in STATES else Tense.PAST
        done = Phrase(be=verb.participle, particle="by", tense=tense)
        return done, Phrase(verb=verb.base, tense=tense)

    def _of_deed(self, verb: Verb) -> Verb:
        """The verb, or what one does with a deed that is named after it: payments are made."""
        made = by_base(word_map("done_with").get(verb.base, "make"))
        named = head_word(self.source) == verb.event and verb.event != verb.gerund
        return made if named and made is not None else verb

    @staticmethod
    def _is_noun(word: str) -> bool:
        noun = "NOUN" in getAllLemmas(word) and word not in word_set("adjectives")
        return noun and word == singular(word) and not (by_past(word) or by_third(word))

    def _verb(self) -> _EdgeWords | None:
        """ACTED_IN, OWNS, LOCATED_IN, CREATED_BY: the label holds a verb."""
        parts = self._without_target(self.parts)
        head, rest = parts[0], parts[1:]
        if head in _LEADS:
            return None
        particle = " ".join(rest)
        tail = rest[-1] if rest else ""
        if rest and tail not in word_set("prepositions"):
            return None
        flowing = supposed(head) if tail and tail not in ("by", "for", "of") else None
        past, third, base = by_past(head), by_third(head) or flowing, by_base(head)
        if "address" in (base.base if base else "", third.base if third else ""):
            return None
        plain = base is not None and (past is None or past.base == past.past)
        if third is not None and third.base not in ("be", "have"):
            if not rest and third.base in word_set("also_nouns") and singular(head) != third.base:
                return None
            return self._acting(third, particle, Tense.PRESENT, "label-verb")
        if past is not None and not plain:
            return self._done(past, head, particle)
        if base is not None:
            noun = base.base in word_set("also_nouns")
            rule = "label-verb" if rest or not noun else "label-base-verb"
            if not self.single or rest or not noun:
                return self._acting(base, particle, Tense.PAST if noun else Tense.PRESENT, rule)
        return self._adjective(head, particle)

    def _adjective(self, head: str, particle: str) -> _EdgeWords | None:
        if particle and (head in word_set("adjectives") or head.endswith(("ible", "able", "ent"))):
            return Phrase(be=head, particle=particle), None, None, "label-verb"
        if head == "part" and particle == "of":
            return Phrase(be="part", particle="of"), _WITH, None, "label-verb"
        return None

    def _acting(self, verb: Verb, particle: str, tense: Tense, rule: str) -> _EdgeWords:
        particle = particle or ("in" if verb.base in ("enroll", "enrol") else "")
        if particle == "by":
            verb = self._of_deed(verb)
            done = Phrase(be=verb.participle, particle="by", tense=tense)
            return done, Phrase(verb=verb.base, tense=tense), None, rule
        return Phrase(verb=verb.base, particle=particle, tense=tense), None, None, rule

    def _done(self, verb: Verb, head: str, particle: str) -> _EdgeWords:
        tense = Tense.PRESENT if verb.base in STATES else Tense.PAST
        person = self.kinds[0] in (ThingKind.PERSON, ThingKind.ORGANISATION, ThingKind.ANIMAL)
        giving = verb.base in word_set("giving") and particle == "to"
        if particle == "by":
            return *self._by_somebody(verb), None, "label-verb"
        if not particle and not person and verb.base in word_set("giving"):
            given = Phrase(be=verb.participle, particle="to", tense=tense)
            return given, None, None, "label-verb"  # documents are mailed to addresses
        active = verb.active or verb.intransitive or (giving and person)
        if (active or not particle) and (person or verb.intransitive or not particle):
            return Phrase(verb=verb.base, particle=particle, tense=tense), None, None, "label-verb"
        return Phrase(be=verb.participle, particle=particle, tense=tense), None, None, "label-verb"

    def _without_target(self, parts: list[str]) -> list[str]:
        """PRODUCED_IN_COUNTRY without the country; LIVES_IN as it is."""
        if self.target.endswith(" member") and parts[-1] == self.target.removesuffix(" member"):
            return parts[:-1] or parts
        named = [singular(word).lower() for word in self.target.split()]
        low = [singular(part).lower() for part in parts]
        for length in range(len(named), 0, -1):
            if len(low) > length and low[-length:] == named[-length:]:
                return parts[:-length]
        return parts

    def _role(self) -> _EdgeWords | None:
        """HAS_LENDER: the label names what the target is to the source."""
        rest = self.parts[1:] if self.parts[0] in _LEADS else self.parts
        if not rest or self.parts[0] in ("in", "at", "on"):
            return None
        to = self.parts[0] == "to"
        if to and any(e.label == f"FROM{self.edge.label[2:]}" for e in self.facts.schema.edges):
            return Phrase(particle="to"), None, None, "label-preposition"
        if to and spells(self.parts[1:], self.target):
            return None, None, None, "no-phrase"  # the label says it: TO_STATION
        role = _role_words(rest, self.source, self.target, acts=self.kinds[1] in _SOMEBODY)
        noun = " ".join([*role[:-1], singular(role[-1])]).lower() if role else ""
        label = self.facts.spoken(self.edge, self.edge.target)
        whole = " ".join(label).lower()  # "customer order" of an order
        if noun in ("", whole, self.target.lower(), self.source.lower()):
            return self._agent(self.target)
        if noun.partition(" ")[0] in ("also", "once", "now", "then"):
            return None, None, None, "no-phrase"  # ALSO_CUSTOMER: who it is besides
        if not is_clear(noun) or any(c.isdigit() for c in noun):
            lost = self.single and not shortens(noun, self.target)  # "panel op" of a person
            return (None, None, None, "no-phrase") if lost else None
        if noun.rpartition(" ")[2] in word_set("prepositions"):  # no role: "discharges to"
            return None
        if self._is_no_role(noun):
            listed = listed_pair(self.source, self.target)
            return (*listed, None, "noun-pair") if listed else (None, None, None, "no-phrase")
        if noun in word_set("places") and self.kinds[1] is ThingKind.PLACE:
            return Phrase(particle=self.facts.placed("in", noun)), _WITH, None, "kind-pair"
        if not self.single and self.parts[0] not in ("has", "have"):
            return self._deed(noun)
        return self._agent(noun) or (Phrase(noun=noun), None, None, "label-role")

    def _is_no_role(self, noun: str) -> bool:
        """Whether nothing of the target's kind is that: nobody is an employment or a "male person",
        and no school is a bus."""
        kind, rule = kind_of(noun)
        if self.kinds[1] is ThingKind.PERSON:
            return head_word(noun) == "person" or head_word(noun).endswith(_ABSTRACT)
        somebody = {kind, self.kinds[1]} <= {*_SOMEBODY}
        known = rule == "kind-noun" and self.facts.kinds[self.edge.target][1] == "kind-noun"
        return known and kind is not self.kinds[1] and not somebody and " " not in noun

    def _agent(self, noun: str) -> _EdgeWords | None:
        """What somebody with this role does: an author wrote it."""
        if self.kinds[1] not in _SOMEBODY or self.kinds[0] is ThingKind.PERSON:
            return None
        if listed_pair(self.source, self.target) is not None:
            return None
        if " " in noun and self._has_rival(noun):
            return None  # the first host and the second one host
        deed = table("links")["agents"].get(head_word(noun))
        does = phrase(deed) if deed else None
        if does is None or (head_word(noun) == head_word(self.target) and " " in noun):
            return None
        if does.verb == "receive" and head_word(self.source) in word_set("addressed"):
            back = _WITH if noun == self.target.lower() else None  # not that they came
            return Phrase(be="addressed", particle="to"), back, None, "agent-role"
        if does.verb == "teach" and head_word(self.source) in word_set("belonging"):
            return None  # an enrolment has its instructor
        if self.kinds[0].value in _UNDONE.get(does.verb, "").split():
            return None  # what a tenant asks for is not rented
        if does.verb == "fly" and head_word(self.source) not in word_set("flown"):
            does = phrase("-pilot") or does  # a ship is not flown by her pilot
        if does.verb in _MAKING and self.kinds[0] is ThingKind.EVENT:
            return None  # artists have performances, and do not create them
        if does.verb == "write" and self.kinds[0] in (ThingKind.EVENT, ThingKind.TRANSACTION):
            return None  # nor do authors write their registrations
        if does.verb not in _ABOUT_JOBS and head_word(self.source) in ("assignment", "job", "task"):
            does = phrase("-work on") or does  # nobody translates a job
        if self._is_arranged() and does.verb not in word_set("arranging"):
            return self._had_by_somebody()  # nobody donates an appointment
        verb = by_base(does.verb)
        if verb is None or does.particle:
            return None, does, None, "agent-role"
        verb = self._of_deed(verb)  # who donates makes a donation
        done = Phrase(be=verb.participle, particle="by", tense=does.tense)
        return done, replace(does, verb=verb.base), None, "agent-role"

    def _is_arranged(self) -> bool:
        """Whether the source is a meeting or a paper that only some verbs are done with."""
        return head_word(self.source) in word_set("arranged")

    def _had_by_somebody(self) -> _EdgeWords:
        """What somebody has: appointments for donors, who have them."""
        listed = listed_pair(self.source, self.target)
        there = listed[0] if listed is not None else None
        return there or Phrase(particle="for"), Phrase(verb="have"), None, "agent-role"

    def _has_rival(self, role: str) -> bool:
        """Whether another edge between the same types has a role of the same head."""
        ends = (self.edge.source, self.edge.target)
        for other in self.facts.schema.edges:
            if (other.source, other.target) == ends and other.name != self.edge.name:
                words = self.facts.spoken(other, other.label)
                if singular(words[-1]).lower() == head_word(role):
                    return True
        return False

    def _deed(self, noun: str) -> _EdgeWords | None:
        """A noun for what links them: PURCHASE from members to branches."""
        verb = table("links")["deeds"].get(noun.replace(" ", "_")) or table("links")["deeds"].get(
            head_word(noun)
        )
        if {*noun.split()} & word_set("prepositions"):  # "citizen of", "next to"
            return self._pair()
        link = Noun(singular=noun, plural=plural(noun))
        if verb and self.kinds[0] is ThingKind.PERSON:
            return phrase(verb), None, link, "deed"
        pair = self._pair()
        if pair is None:
            return None, None, link, "no-phrase"
        return pair[0], pair[1], link, pair[3]

    def _pair(self) -> _EdgeWords | None:
        """What both ends say: employees work in departments, shops are in cities."""
        listed = self.facts.pair(self.edge)
        if listed is not None:
            there, back = listed
            if there is not None and back is None and self.single and there.verb in ("", "belong"):
                back = _WITH
            return there, back, None, "noun-pair"
        if self._is_assigned():
            back = _WITH if self.single else None
            return Phrase(be="assigned", particle="to"), back, None, "noun-pair"
        own = self.parts[0]
        if own in ("in", "at", "on", "of", "from", "for", "by") and len(self.parts) > 1:
            placed = self.facts.placed(own, self.target)
            return Phrase(particle=placed), _WITH, None, "label-preposition"
        there_kind, back_kind = self.kinds
        particle = self.facts.particle(there_kind, back_kind, self.target)
        particle = "to" if self.facts.is_brought(self.edge) else particle
        if not particle:
            return None
        if not self.single:
            return _WITH, None, None, "junction-kinds"
        people = back_kind is ThingKind.PERSON and there_kind is not ThingKind.PLACE
        grouped = people and head_word(self.source) in word_set("groups")
        back = Phrase(particle="in") if grouped else _WITH  # nobody has a squad
        return Phrase(particle=particle), back, None, "kind-pair"


def _role_words(parts: list[str], source: str, target: str, *, acts: bool) -> list[str]:
    """What a reference calls its target, without sorts of tables, its owner, and the target's noun.

    `acts`: the target is somebody. Nothing is left of HAS_STAFF for a staff member;
    HAS_DRIVER_EMPLOYEE is the driver.
    """
    noun = target.removesuffix(" member").removesuffix(" item").removesuffix(" record").split()
    while len(parts) > 1 and parts[0] in word_set("table_sorts"):
        parts = parts[1:]
    own = source.removesuffix(" member").split()
    parts = [part for part in parts if part != "ID"] or parts
    if len(parts) > 1 and parts[-1] in ("is", "has"):
        parts = parts[:-1]
    if len(parts) > 1 and parts[-1].isdigit():
        parts = [ordinal(int(parts[-1])), *parts[:-1]]
    if len(parts) == 1 and len(parts[0]) == 1:
        return []
    if parts[: len(own)] == own and spells(parts[len(own) :], target):
        parts = parts[len(own) :]
    if spells(parts, " ".join(noun)) or spells(parts, " ".join(noun[-len(parts) :])):
        return []
    before = parts[: -len(noun)]
    if before and spells(parts[-len(noun) :], " ".join(noun)):
        if acts and kind_of(before[-1])[0] is ThingKind.PERSON:
            return before
    elif len(parts) == 1 and parts[0] in word_set("adjectives"):
        return [*parts, target]
    return parts


type _EdgeWords = tuple[Phrase | None, Phrase | None, Noun | None, str]

_TEAMS = frozenset({"band", "choir", "committee", "crew", "group", "squad", "team"})
_STATE_WORDS = """
affiliate assign associate base belong compose connect contain house include know like live locate
own relate require situate
"""
STATES = frozenset(_STATE_WORDS.split())


def _through(facts: Facts, node: NodeType, thing: Thing) -> list[Path]:
    """Paths over a junction, or over an event that links a person with something."""
    edges = [e for e in facts.schema.edges if e.source == node.name and facts.functional(e)]
    junction = node.name in facts.junctions
    if len(edges) < 2 or len(edges) > 4 or (thing.name and not junction):
        return []  # what has a name is spoken of, and not passed over
    paths: list[Path] = []
    for one, other in permutations(edges, 2):
        made = _deed_path(facts, node, one, other) or (
            _kinds_path(facts, one, other) if junction else None
        )
        if made is None or any({one.label, other.label} == _labels(path) for path in paths):
            continue
        if made.forward is not None and facts.nouns[node.name].endswith(" history"):
            made = replace(made, forward=replace(made.forward, tense=Tense.PAST))
        unique = True if junction and len(node.key) > 1 else None
        along = (one.target, f"<{one.label}", node.name, f"{other.label}>", other.target)
        paths.append(replace(made, along=along, pairs_unique=unique))
    return paths


def _labels(path: Path) -> set[str]:
    return {step.strip("<>") for step in path.along[1::2]}


def _deed_path(facts: Facts, node: NodeType, one: EdgeType, other: EdgeType) -> Path | None:
    """Customers bought cars, through sales."""
    source, target = facts.nouns[one.target], facts.nouns[other.target]
    listed = listed_pair(source, target)
    if listed is not None and listed[0] is not None and node.name in facts.junctions:
        return _ruled_path(listed[0], listed[1], "noun-pair")
    deeds = table("links")["deeds"]
    kinds = [facts.kinds[each][0] for each in (one.target, node.name, other.target)]
    if kinds == [ThingKind.PERSON, ThingKind.PERSON, ThingKind.EVENT]:  # the crew of a launch
        return _ruled_path(phrase("-take part in"), None, "deed")
    noun = facts.nouns[node.name].lower().removesuffix(" record").removesuffix(" item")
    nouns = [word.replace(" ", "_") for word in shorter_nouns(noun)]
    verb = next((deeds[word] for word in nouns if word in deeds), "")
    first = facts.kinds[one.target][0]
    second = facts.kinds[other.target][0]
    acts = first in (ThingKind.PERSON, ThingKind.ANIMAL) or head_word(source) in ("team", "company")
    if not verb or not acts or second is ThingKind.PERSON:
        return None
    if head_word(source) in ("salesperson", "seller", "employee", "staff", "member") and (
        verb in ("-buy", "-borrow", "-rent")
    ):
        sells = {"-buy": "-sell", "-borrow": "-lend", "-rent": "-rent out"}
        return _ruled_path(phrase(sells[verb]), None, "deed")
    return _ruled_path(phrase(verb), None, "deed")


def _kinds_path(facts: Facts, one: EdgeType, other: EdgeType) -> Path | None:
    """Students with allergies: the ends of a junction, where nothing names what links them."""
    first, second = facts.kinds[one.target][0], facts.kinds[other.target][0]
    if first in (ThingKind.CATEGORY, ThingKind.PLACE, ThingKind.PERIOD):
        return None
    particle = facts.particle(first, second, facts.nouns[other.target])
    if second is ThingKind.CATEGORY:
        return _ruled_path(_WITH, Phrase(particle="of"), "junction-kinds")
    if not particle:
        return None
    return _ruled_path(Phrase(particle=particle), _WITH, "junction-kinds")


def _ruled_path(forward: Phrase | None, backward: Phrase | None, rule: str) -> Path:
    return Path(
        forward=forward, backward=backward, source=Provenance.RULE, sure=precision(rule), rule=rule
    )
