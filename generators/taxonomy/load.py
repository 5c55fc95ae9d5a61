"""Load the taxonomy: the files that graphmill ships, and folders of users.

A folder of a taxonomy holds a folder for each industry, with `_industry.toml` for what its
sub-domains share and a file for each sub-domain. `_general.toml` is shared by all industries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from generators.taxonomy.files import EntityTable, TaxonomyFile
from generators.taxonomy.model import (
    Bend,
    By,
    Cell,
    Choice,
    Entity,
    Fits,
    Foremost,
    Fraction,
    Hint,
    Made,
    Moment,
    Number,
    Phrase,
    Place,
    Relation,
    Rows,
    SubDomain,
    Taxonomy,
    Value,
)
from generators.taxonomy.nearest import nearest
from generators.taxonomy.relations import relation
from generators.taxonomy.values import LineError, choice, hint, name
from graphmill.english.inflection import plural
from graphmill.errors import ConfigError, UnknownNameError, did_you_mean
from graphmill.files import data_folder
from graphmill.messages import one_line

GENERAL = "_general.toml"
INDUSTRY = "_industry.toml"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)(:slug)?\}")


@dataclass
class Part:
    """The parsed content of one file, or of a few that lie above a sub-domain."""

    entities: dict[str, Entity] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], Relation] = field(default_factory=dict)
    lists: dict[str, Choice] = field(default_factory=dict)
    rows: dict[str, Rows] = field(default_factory=dict)
    topics: dict[str, frozenset[str]] = field(default_factory=dict)

    def under(self, other: Part) -> Part:
        """This part with what `other` adds or says anew."""
        return Part(
            self.entities | other.entities,
            self.relations | other.relations,
            self.lists | other.lists,
            self.rows | other.rows,
            self.topics | other.topics,
        )


def load_taxonomy(folders: Sequence[Path] = ()) -> Taxonomy:
    """The shipped taxonomy with the folders of users laid over it, all of it checked.

    A sub-domain of a later folder replaces one of the same name.

    Raises:
        ConfigError: a file is wrong; `violations` has every problem with file and line.
    """
    return _loaded(tuple(folders))


@dataclass
class _State:
    """What has been read so far."""

    general: Part = field(default_factory=Part)
    shared: dict[str, Part] = field(default_factory=dict)
    subdomains: dict[str, SubDomain] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def copy(self) -> _State:
        """One to go on with, which leaves this one as it is."""
        return _State(
            self.general,
            dict(self.shared),
            dict(self.subdomains),
            dict(self.titles),
            list(self.problems),
        )


@cache
def _shipped() -> _State:
    state = _State()
    _read(data_folder() / "taxonomy", state)
    return state


@cache
def _loaded(folders: tuple[Path, ...]) -> Taxonomy:
    state = _shipped().copy()
    for folder in folders:
        _read(folder, state)
    if state.problems:
        shown = "\n".join(map(one_line, state.problems[:20]))
        raise ConfigError(
            f"Problems of the taxonomy: {len(state.problems)}.\n{shown}", state.problems
        )
    return Taxonomy(state.subdomains, state.titles)


@cache
def shipped_subdomain(path: str) -> SubDomain | None:
    """A sub-domain that graphmill ships, from its own files and those above it alone; None where
    there is none of that name, or where its files are wrong: `load_taxonomy` tells."""
    folder, (industry, _, title) = data_folder() / "taxonomy", path.partition("/")
    file = folder / industry / f"{title}.toml"
    if not _NAME.fullmatch(industry) or not _NAME.fullmatch(title) or not file.is_file():
        return None
    state = _State()
    for general in _files(folder, GENERAL):
        state.general = _part(TaxonomyFile(general), state.general, state.problems)
    _read_file(file, state)
    return None if state.problems else state.subdomains.get(path)


def _read(folder: Path, state: _State) -> None:
    """Lay one folder over what has been read; a file is one sub-domain, of its folder's name."""
    if folder.is_file():
        _read_file(folder, state)
        return
    if not folder.is_dir():
        state.problems.append(f"There is no folder {folder}, nor a file.")
        return
    flat = [path for path in _files(folder, "*.toml") if not path.name.startswith("_")]
    if not flat and not _files(folder, GENERAL) and not _files(folder, "*/*.toml"):
        state.problems.append(
            f"{folder} holds no sub-domain: write INDUSTRY/SUB-DOMAIN.toml in it "
            "(docs/taxonomy.md)."
        )
    for path in _files(folder, GENERAL):
        added = _part(TaxonomyFile(path), state.general, state.problems)
        state.general = state.general.under(added)
    for path in (*_files(folder, INDUSTRY), *_files(folder, f"*/{INDUSTRY}")):
        _read_industry(path, state)
    for path in (*_files(folder, "*/[!_]*.toml"), *flat):
        _read_subdomain(path, state)


def _read_file(path: Path, state: _State) -> None:
    """Lay one sub-domain over what has been read, with what its industry's folder shares."""
    shared = path.with_name(INDUSTRY)
    if path.name in (GENERAL, INDUSTRY):
        state.problems.append(f"{path} is what sub-domains share; name its folder, or one of them.")
        return
    if shared.is_file():
        _read_industry(shared, state)
    _read_subdomain(path, state)


def _read_industry(path: Path, state: _State) -> None:
    file = TaxonomyFile(path)
    industry = path.resolve().parent.name
    known = state.shared.get(industry, Part())
    added = _part(file, state.general.under(known), state.problems)
    state.shared[industry] = known.under(added)
    state.titles[industry] = file.head.title if file.head else industry


def _read_subdomain(path: Path, state: _State) -> None:
    industry = path.resolve().parent.name
    above = state.general.under(state.shared.get(industry, Part()))
    entry = _subdomain(TaxonomyFile(path), industry, above, state.problems)
    state.titles.setdefault(industry, industry)
    if entry is not None:
        state.subdomains[entry.path] = entry


class UnknownDomain(UnknownNameError):
    """There is no such sub-domain; `near` says that and which are near, without what to do."""

    def __init__(self, near: str, advice: str) -> None:
        super().__init__(f"{near} {advice}")
        self.near = near


def plain_name(name: str) -> str:
    """What the name of a domain or an industry is told by.

    >>> plain_name("ENERGY/Power-Grid") == plain_name("energy/power grid")
    True
    """
    return re.sub(r"[\s_-]", "", name.casefold())


def spelled(path: str, names: Iterable[str]) -> str:
    """The one of `names` that `path` is but for case, spaces, hyphens and underscores; `path`
    itself where none or several are."""
    same = {name for name in names if plain_name(name) == plain_name(path)}
    return path if path in same or len(same) != 1 else same.pop()


def subdomain(taxonomy: Taxonomy, path: str) -> SubDomain:
    """The sub-domain called `industry/sub-domain`.

    Raises:
        UnknownDomain: there is none; the message names the nearest ones and other ways.
    """
    path = spelled(path, taxonomy.subdomains)
    entry = taxonomy.subdomains.get(path)
    if entry is not None:
        return entry
    head, slash, tail = path.partition("/")
    path = spelled(head, taxonomy.industries) + slash + tail
    industry, _, rest = path.partition("/")
    within = [n for n in taxonomy.names() if n.startswith(f"{industry}/")]
    near = nearest(taxonomy, path)
    if within and not rest:
        offered = f" The industry {industry} has: {', '.join(within)}."
    elif near:
        offered = f" Nearest of ours: {', '.join(near)}."
    else:
        offered = f" None of ours is near it; the industries are {', '.join(taxonomy.industries)}."
    raise UnknownDomain(
        f"There is no sub-domain '{path}'.{offered} `graphmill synth --list` prints all of them.",
        "Bring one of your own with --taxonomy FILE or a folder (docs/taxonomy.md), or a schema "
        "with --schema FILE or a folder (docs/synthesis.md); with --author llm a model writes one "
        "of any domain.",
    )


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


# --- parts ---------------------------------------------------------------------------------


def _part(file: TaxonomyFile, above: Part, problems: list[str]) -> Part:
    """What a file adds; `above` is what it may refer to."""
    part = Part()
    if file.head is not None:
        _lists(file, part)
    known = above.under(part)
    for title, (table, lines) in file.entities.items():
        entity = _entity(file, title, table, lines, known)
        if entity is not None:
            part.entities[title] = known.entities[title] = entity
    for title, (line, lines) in file.relations.items():
        _relation(file, title, line, lines, part, known)
    for made in part.entities.values():
        for given in made.properties:
            _check_value(file, made, given, known, made.name, given.name)
    for key, declared in part.relations.items():
        names = [p.name for p in declared.properties]
        for end in ("source", "target"):
            owner = known.entities[getattr(declared, end)]
            names += [f"{end}.{p.name}" for p in owner.properties]
        for given in declared.properties:
            for need in _siblings(given.value):
                if need not in names:
                    file.wrong(f"There is no property '{need}' there.", "relations", " ".join(key))
    problems += file.problems
    return part


def _lists(file: TaxonomyFile, part: Part) -> None:
    assert file.head is not None  # noqa: S101 - the caller looks
    for key, entry in file.head.lists.items():
        try:
            part.lists[name(key)] = choice(entry if isinstance(entry, str) else " | ".join(entry))
        except LineError as problem:
            file.wrong(str(problem), "lists", key)
    for key, entry in file.head.topics.items():
        text = entry if isinstance(entry, str) else " | ".join(entry)
        part.topics[key] = frozenset(value.strip() for value in text.split("|") if value.strip())
    for key, lines in file.head.rows.items():
        cells = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
        for number, row in enumerate(cells):
            if len(row) != len(cells[0]):
                file.wrong(
                    f"Row {number} of {key} has {len(row)} cells; the first has {len(cells[0])}.",
                    "rows",
                    key,
                )
        firsts = [row[0] for row in cells]
        for twice in sorted({first for first in firsts if firsts.count(first) > 1}):
            file.wrong(f"'{twice}' begins two rows of {key}.", "rows", key)
        if len(cells) < 2:
            file.wrong(f"{key} has no row below its columns.", "rows", key)
        else:
            part.rows[key] = Rows(cells[0], tuple(cells[1:]))


def _entity(
    file: TaxonomyFile, entity: str, table: EntityTable, lines: Mapping[str, str], known: Part
) -> Entity | None:
    hints: dict[str, Hint] = {}
    rows, local = table.rows, table.local
    if table.parent:
        parent = known.entities.get(table.parent)
        if parent is None:
            near = did_you_mean(table.parent, known.entities)
            file.wrong(f"There is no entity '{table.parent}' above it.{near}", entity, "is")
        else:
            hints |= {p.name: p for p in parent.properties}
            rows, local = rows or parent.rows, local or parent.local
    if rows and rows not in known.rows:
        file.wrong(f"There are no rows '{rows}'.{did_you_mean(rows, known.rows)}", entity, "rows")
    if local and known.rows.get(local, Rows((), ())).columns != getattr(
        known.rows.get(rows), "columns", None
    ):
        file.wrong(f"'{local}' has not the columns of '{rows}'.", entity, "local")
    elif local and "country" not in known.rows[rows].columns:
        file.wrong(f"'{rows}' has no column country.", entity, "local")
    try:
        name(entity)
    except LineError as problem:
        file.wrong(str(problem), entity)
    for key, line in lines.items():
        if line == "-":
            hints.pop(key, None)
            continue
        try:
            hints[key] = _with_column(hint(key, line))
        except LineError as problem:
            file.wrong(f"{key}: {problem}", entity, key)
    if sum(p.key for p in hints.values()) > 1:
        # An entity of its own key does not take its parent's.
        own = {k for k, p in hints.items() if p.key and k in lines}
        hints = {k: p if k in own or not p.key else replace(p, key=False) for k, p in hints.items()}
    if not hints:
        file.wrong(f"The entity '{entity}' has no property.", entity)
        return None
    singular, _, many = (part.strip() for part in (table.noun or entity).partition("/"))
    singular = singular.replace("_", " ")
    return Entity(
        entity,
        singular,
        many or plural(singular),
        tuple(part.strip() for part in table.also.split(",") if part.strip()),
        table.share,
        table.most,
        table.parent,
        rows,
        local,
        tuple(hints.values()),
        table.note,
    )


def _with_column(given: Hint) -> Hint:
    return replace(given, value=Cell(given.name)) if given.value == Cell("") else given


def _relation(
    file: TaxonomyFile,
    title: str,
    line: str,
    lines: Mapping[str, str],
    part: Part,
    known: Part,
) -> None:
    try:
        declared = relation(title, line, lines)
    except LineError as problem:
        file.wrong(str(problem), "relations", title)
        return
    for end in (declared.source, declared.target):
        if end not in known.entities:
            near = did_you_mean(end, known.entities)
            file.wrong(f"There is no entity '{end}'.{near}", "relations", title)
            return
    for reference in (each for order in declared.order for each in order):
        side, _, key = reference.partition(".")
        if "." in key:  # over another relation, which a schema may lack
            continue
        end = declared.source if side == "source" else declared.target
        given = known.entities[end].property(key)
        kinds = Moment | Number | Fraction | Made | Bend | Cell
        if given is None or not isinstance(given.value, kinds):
            file.wrong(f"'{key}' of {end} is no date or number.", "relations", title)
    agreeing = (*declared.match, *((fit.ours, fit.theirs) for fit in declared.fits))
    for ours, theirs in agreeing:
        for end, key in ((declared.source, ours), (declared.target, theirs)):
            if "." not in key and known.entities[end].property(key) is None:
                file.wrong(f"The entity {end} has no property '{key}'.", "relations", title)
    if declared.unless and declared.unless not in known.entities:
        near = did_you_mean(declared.unless, known.entities)
        file.wrong(f"There is no entity '{declared.unless}'.{near}", "relations", title)
    part.relations[declared.source, declared.type, declared.target] = declared


def _check_value(file: TaxonomyFile, entity: Entity, given: Hint, known: Part, *at: str) -> None:
    """Lists, rows and properties that the values refer to exist."""
    for value in _parts(given.value):
        match value:
            case Phrase(template):
                for placeholder, _ in PLACEHOLDER.findall(template):
                    if placeholder not in known.lists and entity.property(placeholder) is None:
                        near = did_you_mean(placeholder, known.lists)
                        file.wrong(f"There is no list '{placeholder}'.{near}", *at)
            case Cell(column):
                rows = known.rows.get(entity.rows)
                if rows is None or column not in rows.columns:
                    near = did_you_mean(column, rows.columns if rows else ())
                    file.wrong(f"Its rows have no column '{column}'.{near}", *at)
    names = [p.name for p in entity.properties]
    for need in _siblings(given.value):
        if need not in names:
            file.wrong(f"There is no property '{need}'.{did_you_mean(need, names)}", *at)


def _parts(value: Value) -> Iterator[Value]:
    yield value
    if isinstance(value, By):
        for _, case in value.cases:
            yield from _parts(case)
        if value.otherwise is not None:
            yield from _parts(value.otherwise)
    if isinstance(value, Foremost):
        yield from _parts(value.first)
        yield from _parts(value.otherwise)


def _siblings(value: Value) -> Iterator[str]:
    """Properties of the same element that a value depends on."""
    for part in _parts(value):
        match part:
            case By(of=of) if of[:1].isupper():
                continue  # of what a relation leads to, which a schema may lack
            case Fraction(of=of) | By(of=of) | Bend(of=of):
                yield of
            case Made(of=several):
                yield from several
            case Place(by=by) if by:
                yield by
            case Moment(after=after) if after:
                yield after


# --- sub-domains ---------------------------------------------------------------------------


def _subdomain(
    file: TaxonomyFile, industry: str, above: Part, problems: list[str]
) -> SubDomain | None:
    """A sub-domain with what it uses of `above`."""
    part = _part(file, above, problems)
    if file.head is None or file.problems:
        return None
    known = above.under(part)
    wrong: list[str] = []
    for key in ("uses", "core"):
        pool = above.entities if key == "uses" else known.entities
        for entity in getattr(file.head, key):
            if entity not in pool:
                near = did_you_mean(entity, pool)
                wrong.append(f"{file.at(key)}: {key} names no entity '{entity}'.{near}")
    for key in ("purpose", "questions", "core"):
        if not getattr(file.head, key):
            wrong.append(f"{file.at()}: A sub-domain needs {key}.")
    problems += wrong
    if wrong:
        return None
    pool = {n: known.entities[n] for n in (*part.entities, *file.head.uses)}
    return SubDomain(
        industry,
        file.path.stem,
        file.head.title,
        file.head.purpose,
        file.head.questions,
        file.head.core,
        frozenset(part.entities),
        pool,
        tuple(_expanded(known.relations.values(), part, pool, known)),
        known.lists,
        known.rows,
        file.head.homes,
    )


def _expanded(
    relations: Iterable[Relation], part: Part, pool: Mapping[str, Entity], known: Part
) -> Iterator[Relation]:
    """Relations between entities of the pool; those of a parent hold for what is one too."""
    seen: set[tuple[str, str, str]] = set()
    for declared in sorted(
        relations, key=lambda r: (r.source, r.type, r.target) not in part.relations
    ):
        ends = [
            (s, t) for s in _being(declared.source, pool) for t in _being(declared.target, pool)
        ]
        own = (declared.source, declared.type, declared.target) in part.relations
        for source, target in ends:
            if own and (source, target) != (declared.source, declared.target):
                continue
            if declared.source == declared.target and source != target:
                continue
            if declared.own and (source, target) != (declared.source, declared.target):
                continue
            key = (source, declared.type, target)
            if key not in seen:
                seen.add(key)
                yield _with_topics(replace(declared, source=source, target=target), pool, known)


def _with_topics(declared: Relation, pool: Mapping[str, Entity], known: Part) -> Relation:
    """The relation with the pairs of values that are of one topic."""
    fits = []
    for fit in declared.fits:
        if "." in fit.ours + fit.theirs:  # over another relation, which a schema may have
            fits.append(fit)
            continue
        ours = pool[declared.source].property(fit.ours)
        theirs = pool[declared.target].property(fit.theirs)
        if ours is None or theirs is None:
            continue
        if fit.listed:
            fits.append(fit)
            continue
        mine, others = (
            _texts_of(h, e, known)
            for h, e in ((ours, pool[declared.source]), (theirs, pool[declared.target]))
        )
        topics = known.topics.values()
        neutral = {value for value in others if not any(value in topic for topic in topics)}
        pairs = []
        for value in mine:
            sharing = [topic for topic in topics if value in topic]
            if sharing:
                listed = neutral.union(*(topic & others.keys() for topic in sharing))
                pairs.append((value, tuple(other for other in others if other in listed)))
        fits.append(Fits(fit.ours, fit.theirs, tuple(pairs)))
    return replace(declared, fits=tuple(fits))


def _texts_of(given: Hint, entity: Entity, known: Part) -> dict[str, None]:
    """The texts that a property can have, as far as the taxonomy lists them."""
    texts: dict[str, None] = {}
    for value in _parts(given.value):
        match value:
            case Choice(values):
                texts |= dict.fromkeys(text for text, _ in values)
            case Phrase(template) if template[1:-1] in known.lists:
                texts |= dict.fromkeys(text for text, _ in known.lists[template[1:-1]].values)
            case Cell(column) if entity.rows in known.rows:
                texts |= dict.fromkeys(known.rows[entity.rows].column(column))
    return texts


def _being(entity: str, pool: Mapping[str, Entity]) -> list[str]:
    """The entities of the pool that are `entity` or a special case of it."""
    return [n for n, e in pool.items() if entity in (n, e.parent)]
