"""What the taxonomy says of values and degrees, as the distribution specification has it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from generators.schemas.national import PERSONAL, at_home, check_in, pattern_in, plate_in, vat_in
from generators.synthesis import spec
from generators.taxonomy.load import PLACEHOLDER
from generators.taxonomy.model import (
    Bend,
    By,
    Cell,
    Choice,
    Code,
    Degrees,
    Entity,
    Fake,
    Flag,
    Foremost,
    Fraction,
    Made,
    Moment,
    Nothing,
    Number,
    Phrase,
    Place,
    Relation,
    Rows,
    Stake,
    SubDomain,
    Value,
)
from generators.taxonomy.values import DIGITS
from schemagraph.model import Kind

# People are at work from eight to six, and some of them later.
_HOURS = (1, 1, 1, 1, 1, 2, 4, 8, 14, 18, 18, 16, 13, 16, 17, 16, 14, 11, 8, 7, 6, 5, 3, 2)
_DAYS: dict[str, Literal["", "first", "last"]] = {"first": "first", "last": "last"}
_WORKDAYS = (20, 21, 21, 20, 18, 0, 0)
_SHOPDAYS = (16, 16, 16, 17, 18, 17, 0)
_DIGITS_AT_END = 4
# Where few nodes have very many edges, most have none: directors, owners, those who refer others.
_RARE, _RARE_SHARE = 2.5, 0.35
_FEW = 12  # loans of a borrower: no tail, as nobody has twenty
_SKEWED = 2.6  # where the taxonomy is silent: the tenth with most has about two fifths


class Teller:
    """Says the values of one element; `spelt` gives a property's name in the schema, `key` that of
    the key of an edge's end."""

    def __init__(
        self,
        domain: SubDomain,
        spelt: Callable[[str], str],
        rows: Rows | None = None,
        locale: str = "en_US",
        key: Callable[[str], str] = str,
    ) -> None:
        self.key = key
        self.domain = domain
        self.spelt = spelt
        self.rows = rows
        self.locale = locale

    def value(self, given: Value, *, key: bool = False) -> spec.Distribution:
        """A value's distribution; keys made of codes count up where chance would repeat them."""
        match given:
            case Choice(values):
                return _categorical(values)
            case Number():
                return _number(given)
            case Fraction(of, low, high, places, vat):
                low, high = (vat_in(self.locale),) * 2 if vat else (low, high)
                factor = spec.Uniform(low=low, high=high, decimals=4)
                return spec.Scaled(column=self.spelt(of), factor=factor, decimals=places)
            case Moment():
                return self._moment(given)
            case Flag(share):
                return spec.Flag(share=share)
            case Code():
                return self._code(given, key=key)
            case Phrase(template):
                return self._phrase(template)
            case Fake(provider):
                locale = self.locale if provider in PERSONAL else "en_US"
                return spec.Faker(provider=provider, locale=locale)
            case Cell(column):
                return self._cell(column)
            case By():
                return self._by(given)
            case Made():
                return self._made(given)
            case Bend(of, points, deviation, places):
                return spec.Curve(
                    column=self.spelt(of),
                    points=tuple(spec.Point(x=x, y=y) for x, y in points),
                    deviation=deviation,
                    decimals=places,
                )
            case Place(of=end, by=by) if end in ("source", "target"):
                order = self.spelt(by) if by else None
                return spec.Ordinal(column=self.key(end), by=order, start=given.start)
            case Place(otherwise=otherwise):
                return _number(otherwise)
            case Nothing():
                return spec.Absent()
            case Foremost(end, _, otherwise) if end not in ("source", "target"):
                return self.value(otherwise)  # until the schema shows that relation
            case Foremost(end, first, otherwise):
                return spec.First(
                    column=self.key(end), of=self.value(first), otherwise=self.value(otherwise)
                )
            case Stake(end, whole, low, high, places):
                return spec.Allotted(
                    whole=whole, by=self.key(end), low=low, high=high, decimals=places
                )

    def _made(self, given: Made) -> spec.Distribution:
        columns = tuple(self.spelt(name) for name in given.of)
        if given.how == "sum":
            return spec.Sum(columns=columns, decimals=given.places)
        if given.how == "annuity":
            amount, rate, months = columns
            return spec.Annuity(amount=amount, rate=rate, months=months, decimals=given.places)
        if given.how == "year":
            back, most = (int(end) for end in given.factor or (0, 0))
            *bands, last = (
                spec.Band(
                    upto=f"{year}-12-31",
                    of=spec.Categorical(values=tuple(range(year - most, year - back + 1))),
                )
                for year in range(1930, 2028)
            )
            return spec.Banded(column=columns[0], bands=tuple(bands), otherwise=last.of)
        if given.how == "elapsed":
            start, end = columns
            return spec.Elapsed(start=start, end=end, unit=given.unit, decimals=given.places)
        factor = None
        if given.factor is not None:
            factor = spec.Uniform(low=given.factor[0], high=given.factor[1], decimals=4)
        return spec.Product(columns=columns, factor=factor, decimals=given.places)

    def _code(self, given: Code, *, key: bool) -> spec.Distribution:
        """A code of the graph's country; a key that ends in a few digits is a running number."""
        if given.national == "plate":
            text, lists = plate_in(self.locale)
            return spec.Template(text=text, lists=lists)
        if given.national:
            pattern = pattern_in(self.locale, given.national)
            check = check_in(self.locale, given.national)
        else:
            pattern, check = at_home(given.pattern, self.locale), given.check
        if check:
            return spec.Pattern(text=pattern, check=check)
        return _code(pattern, key=key)

    def _list(self, name: str) -> tuple[tuple[str, float], ...]:
        """The values of a list: of that for the graph's country where there is one."""
        national = f"{name}_{self.locale.partition('_')[2].lower()}"
        return (self.domain.lists.get(national) or self.domain.lists[name]).values

    def _moment(self, given: Moment) -> spec.Distribution:
        until = f"{given.last}-12-31" + ("T23:59:59" if given.clock else "")
        if given.after:
            low, high = given.gap
            gap = spec.Uniform(low=low, high=high, decimals=3 if given.clock else 0)
            return spec.After(
                columns=(self.spelt(given.after),),
                gap=gap,
                unit=given.unit,
                until=None if given.planned else until,
                hours=hours_of(given)
                if given.hours and given.unit == "days" and not given.planned
                else (),
                workdays=given.workdays,
                shopdays=given.shopdays,
                every=given.every,
                monthly=given.monthly,
                day=given.day,
                months=season_of(given),
            )
        usual, busy = (0.0, 1.0) if given.only else (1.0, 2.0)
        months = tuple(busy if n in given.busy else usual for n in range(1, 13))
        return spec.Dates(
            start=f"{given.first}-01-01" + ("T00:00:00" if given.clock else ""),
            end=until,
            months=months if given.busy else (),
            weekdays=_WORKDAYS if given.workdays else _SHOPDAYS if given.shopdays else (),
            hours=hours_of(given),
            workdays=given.workdays,
            shopdays=given.shopdays,
            every=given.every,
            day=_DAYS.get(given.day, ""),
        )

    def _phrase(self, template: str) -> spec.Distribution:
        alone = PLACEHOLDER.fullmatch(template)
        if alone and alone[1] in self.domain.lists:
            return _categorical(self._list(alone[1]))
        lists: dict[str, tuple[str, ...]] = {}
        text = template
        for number, digits in enumerate(DIGITS.findall(template), 1):
            name = f"number_{number}"
            least = 10 ** (len(digits) - 1)
            lists[name] = tuple(str(n) for n in range(least, 10 * least))
            text = DIGITS.sub(f"{{{name}}}", text, count=1)
        for name, slug in PLACEHOLDER.findall(template):
            if name in self.domain.lists:
                lists[name] = tuple(value for value, _ in self._list(name))
            else:
                text = text.replace(f"{{{name}{slug}}}", f"{{{self.spelt(name)}{slug}}}")
        return spec.Template(text=text, lists=lists)

    def _cell(self, column: str) -> spec.Distribution:
        rows = self.rows
        assert rows is not None  # noqa: S101 - the loader has checked that there are rows
        first = rows.columns[0]
        kind = _cells_kind(rows.column(column))
        values = [_cell(text, kind) for text in rows.column(column)]
        if column == first:
            return spec.Categorical(values=tuple(values))
        cases = dict(zip(rows.column(first), values, strict=True))
        if len(set(values)) == 1:
            return spec.Categorical(values=(values[0],))
        return spec.Conditional(
            column=self.spelt_column(first),
            cases={name: spec.Categorical(values=(value,)) for name, value in cases.items()},
            otherwise=spec.Categorical(values=(values[0],)),
        )

    def spelt_column(self, column: str) -> str:
        """The property that holds a column of the rows."""
        return self.spelt(f"row:{column}")

    def _by(self, given: By) -> spec.Distribution:
        if "." in given.of and given.of.partition(".")[0] not in ("source", "target"):
            return self.value(given.otherwise or given.cases[0][1])
        return self.cases(given, self.spelt(given.of), given.otherwise or given.cases[-1][1])

    def cases(self, given: By, column: str, otherwise: Value) -> spec.Distribution:
        """The cases of a value, by a column."""
        other = self.value(otherwise)
        if given.upto:
            bands = tuple(
                spec.Band(
                    upto=upto if set(upto[1:]) & set("-:") else float(upto), of=self.value(value)
                )
                for upto, value in given.cases
            )
            return spec.Banded(column=column, bands=bands, otherwise=other)
        cases = {case: self.value(value) for case, value in given.cases}
        return spec.Conditional(column=column, cases=cases, otherwise=other)


def hours_of(given: Moment) -> tuple[int, ...]:
    """How often each hour of the day is; empty for days."""
    if not given.clock or given.hours is None:
        return _HOURS if given.clock else ()
    first, last = given.hours
    return tuple(int(first <= hour <= last) for hour in range(24))


def season_of(given: Moment) -> tuple[int, ...]:
    """The months that days after others lie in; empty where it is any."""
    return given.busy if given.only else ()


def kind_of(given: Value, rows: Rows | None) -> Kind:
    """The type of values; `rows` is the table that cells are taken from."""
    match given:
        case Place():
            return Kind.INTEGER
        case Number() | Fraction() | Made() | Bend():
            return Kind.INTEGER if given.whole else Kind.FLOAT
        case Stake():
            return Kind.INTEGER if given.whole_number else Kind.FLOAT
        case Foremost(first=first):
            return kind_of(first, rows)
        case Moment(clock=clock):
            return Kind.DATETIME if clock else Kind.DATE
        case Flag():
            return Kind.BOOLEAN
        case Cell(column) if rows is not None:
            return _cells_kind(rows.column(column))
        case By(cases=cases, otherwise=otherwise):
            values = [case for _, case in cases] + ([otherwise] if otherwise else [])
            return kind_of(next(v for v in values if not isinstance(v, Nothing)), rows)
    return Kind.STRING


def _categorical(values: tuple[tuple[str, float], ...]) -> spec.Categorical:
    return spec.Categorical(
        values=tuple(value for value, _ in values), weights=tuple(weight for _, weight in values)
    )


def _number(given: Number) -> spec.Distribution:
    low, high, places = given.low, given.high, given.places
    match given.shape, given.parameters:
        case "uniform", (least, most):
            return spec.Uniform(low=least, high=most, decimals=places)
        case "normal", (mean, deviation):
            return spec.Normal(mean=mean, deviation=deviation, low=low, high=high, decimals=places)
        case "lognormal", (median, sigma):
            return spec.LogNormal(median=median, sigma=sigma, low=low, high=high, decimals=places)
        case "one", numbers:
            whole = places <= 0
            often = Counter(int(n) if whole else n for n in numbers)
            weights = tuple(map(float, often.values())) if len(often) < len(numbers) else ()
            return spec.Categorical(values=tuple(often), weights=weights)
        case "zipf", (exponent, most):
            return spec.Zipf(values=tuple(range(1, int(most) + 1)), exponent=exponent)
    (mean,) = given.parameters
    return _poisson(mean, int(low or 0), high)


def _poisson(mean: float, low: int, high: float | None) -> spec.Categorical:
    """Counts by chance alone, up to where they get too rare to matter."""
    most = int(high) if high is not None else math.ceil(mean + 5 * math.sqrt(mean) + 2)
    counts = tuple(range(low, most + 1))
    weights = [math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in counts]
    return spec.Categorical(values=counts, weights=tuple(round(w, 9) for w in weights))


def _code(pattern: str, *, key: bool) -> spec.Distribution:
    """A code; a key whose only marks are a few digits at its end is a running number."""
    stem = pattern.rstrip("#")
    digits = len(pattern) - len(stem)
    few = sum(mark in "#?*" for mark in pattern) <= max(digits, 1) and digits > 0
    if key and few:
        start = 10 ** (digits - 1) + 1 if digits >= _DIGITS_AT_END else 1
        return spec.Sequence(start=start, prefix=stem, digits=digits)
    return spec.Pattern(text=pattern)


def _cells_kind(cells: tuple[str, ...]) -> Kind:
    for kind, convert in ((Kind.INTEGER, int), (Kind.FLOAT, float)):
        try:
            for cell in cells:
                convert(cell)
        except ValueError:
            continue
        return kind
    return Kind.STRING


def _cell(text: str, kind: Kind) -> int | float | str:
    if kind is Kind.INTEGER:
        return int(text)
    return float(text) if kind is Kind.FLOAT else text


# --- edges ---------------------------------------------------------------------------------

_MEAN = {"fixed": 1.0, "poisson": 1.0}


def edges(
    relation: Relation,
    *,
    turned: bool,
    source: Entity,
    columns: Mapping[str, spec.Column],
    spelt: Callable[[str, str], str],
) -> spec.Edges:
    """How the edges of a relation choose their ends.

    `turned` edges run from target to source. `spelt` gives the name of a property of an entity.
    """
    many = relation.many.rstrip("?")
    outgoing, incoming, rare = _ends(relation, turned=turned)
    to_itself = relation.source == relation.target
    same = tuple(_same(relation, spelt))
    acyclic = to_itself and relation.role in ("hierarchy", "chain")
    if any(one.partition(".")[2] != other.partition(".")[2] for one, other in relation.order):
        acyclic = False  # what ends before the other begins closes no circle
    # A friend's friend is a friend where people have several, and not of those who are married.
    closing = relation.symmetric and relation.role == "self" and _mean(relation.outgoing) > 2
    closing = closing and not (same or relation.via or relation.fits)

    order = tuple(_order(relation, spelt))
    if turned:
        outgoing, incoming = incoming, outgoing
        many = {"n:1": "1:n", "1:n": "n:1"}.get(many, many)
        same = tuple(_turned(pair) for pair in same)
        order = tuple(
            o.model_copy(update={"first": _swapped(o.first), "then": _swapped(o.then)})
            for o in order
        )
    return spec.Edges(
        cardinality=many,  # type: ignore[arg-type]  # the loader admits only these
        weight=round(source.share * (_RARE_SHARE if rare else 1) * _mean(relation.outgoing), 4),
        source=outgoing,
        target=incoming,
        acyclic=acyclic,
        symmetric=relation.symmetric,
        reciprocity=0.0 if acyclic or relation.symmetric or same else relation.reciprocity,
        oneway=relation.oneway,
        triangles=0.2 if closing else 0.0,
        parallel=many == "n:m" and not relation.oneway and _repeats(relation),
        same=same,
        order=order,
        properties=dict(columns),
    )


def _ends(relation: Relation, *, turned: bool) -> tuple[spec.End, spec.End, bool]:
    """How many edges leave and reach an entity, and whether they are rare."""
    many = relation.many.rstrip("?")
    demanded = relation.many == "n:m" and relation.source != relation.target
    demanded = demanded and _at_least_one(relation.outgoing)
    mandatory = demanded or (relation.many == "n:1" and not turned)
    outgoing = _end(relation.outgoing, mandatory=mandatory)
    incoming = _end(relation.incoming, mandatory=relation.many == "1:n" and not turned)
    if relation.many.endswith("?"):
        share = 0.95 if relation.role == "hierarchy" else 0.7
        if many in ("n:1", "1:1"):
            outgoing = outgoing.model_copy(update={"share": share})
        else:
            incoming = incoming.model_copy(update={"share": share})
    skewed = spec.End(degree=spec.PowerLaw(exponent=_SKEWED))
    if not relation.incoming.shape and many in ("n:1", "n:m"):
        incoming = skewed.model_copy(update={"share": incoming.share})
    if not relation.outgoing.shape and many in ("1:n", "n:m"):
        outgoing = skewed.model_copy(update={"share": outgoing.share})
    rare = many == "n:m" and relation.outgoing.shape == "power" and _rare(relation.outgoing)
    if rare:
        outgoing = outgoing.model_copy(update={"share": _RARE_SHARE})
    return outgoing, incoming, rare


def _same(relation: Relation, spelt: Callable[[str, str], str]) -> Iterator[spec.Same]:
    """What both ends of an edge have alike."""
    for ours, theirs in relation.match:
        yield spec.Same(
            source=spelt(relation.source, ours), target=spelt(relation.target, theirs), share=1.0
        )
    for fit in relation.fits:
        if fit.pairs and "." not in fit.ours + fit.theirs:
            yield spec.Same(
                source=spelt(relation.source, fit.ours),
                target=spelt(relation.target, fit.theirs),
                share=1.0,
                pairs=dict(fit.pairs),
                keys="target" if fit.back else "source",
            )


def _turned(pair: spec.Same) -> spec.Same:
    keys = "target" if pair.pairs and pair.keys == "source" else "source"
    return pair.model_copy(update={"source": pair.target, "target": pair.source, "keys": keys})


def _order(relation: Relation, spelt: Callable[[str, str], str]) -> Iterator[spec.Before]:
    """Which moments of an edge and its ends come before which."""

    def dotted(reference: str) -> str:
        end, _, name = reference.partition(".")
        entity = relation.source if end == "source" else relation.target
        return f"{end}.{spelt(entity, name)}"

    gap, within = relation.gap, relation.within  # a distance is kept by the first order
    for earlier, later in relation.order:
        if earlier.count(".") > 1 or later.count(".") > 1:
            continue  # over another relation, which the rules look for
        yield spec.Before(first=dotted(earlier), then=dotted(later), gap=gap, within=within)
        gap, within = 0, None


def _rare(given: Degrees) -> bool:
    return given.parameters[0] >= _RARE


def _repeats(relation: Relation) -> bool:
    """Whether two nodes can be linked several times: events at moments of their own."""
    timely = any(isinstance(hint.value, Moment) for hint in relation.properties)
    return timely and relation.role in ("event", "cycle") and not relation.symmetric


def _swapped(name: str) -> str:
    end, _, rest = name.partition(".")
    return f"{'target' if end == 'source' else 'source'}.{rest}"


def _end(given: Degrees, *, mandatory: bool) -> spec.End:
    match given.shape, given.parameters:
        case "power", (_, most) if most <= _FEW:
            degree: spec.PowerLaw | spec.Poisson | spec.Even | spec.Spread = spec.Spread(
                ratio=max(2.0, most)
            )
        case "power", (exponent, _):
            degree = spec.PowerLaw(exponent=min(max(exponent, 1.6), 5.0))
        case "uniform", (low, high):
            degree = spec.Spread(ratio=max(1.0, min(100.0, high / max(low, 1.0))))
        case "fixed", _:
            degree = spec.Even()
        case _:
            degree = spec.Poisson()
    return spec.End(degree=degree, least_one=mandatory, most=_most(given))


def _most(given: Degrees) -> float | None:
    """How many edges a node has on average at most, where people know a bound."""
    match given.shape, given.parameters:
        case "power", (_, most) if most <= _FEW:
            return (1 + most) / 2
        case ("uniform", (_, high)) | ("fixed", (high,)):
            return high
        case "poisson", (mean,):
            return 3 * mean
    return None


def _at_least_one(given: Degrees) -> bool:
    return given.shape in ("uniform", "fixed") and given.parameters[0] >= 1


def _mean(given: Degrees) -> float:
    """About how many edges a node has, to share the edges out among their types."""
    match given.shape, given.parameters:
        case "power", (exponent, most):
            return min(4.0, 1.0 + math.log10(most) * (3.2 - min(exponent, 3.0)))
        case "uniform", (low, high):
            return (low + high) / 2
        case (("poisson" | "fixed"), (mean,)):
            return mean
    return 2.0
