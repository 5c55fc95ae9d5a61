"""Every node of Graph-IR: the one meaning of a query, as frozen typed values.

The semantics are those of Cypher's reads (openCypher 9, Neo4j 5), made explicit: bags,
three-valued logic, nulls last in ascending order, grouping keys, match modes, hop ranges. No
node knows a language. Nodes are compared and hashed by content; `span` (where it stood in the
text) and `type` (filled by `graph_ir.bind`) take no part in that.

It is one long file on purpose: the whole language, to be read from top to bottom.

Names in the tree are plain text without quoting. Variables that the author did not name are
None in patterns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from graphmill.errors import Span
from schemagraph.model import ANY, Type


@dataclass(frozen=True, slots=True)
class Node:
    """Root of all IR nodes: a value, with the place it came from."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """Root of expressions: they carry a type after binding."""

    type: Type = field(default=ANY, compare=False, repr=False, kw_only=True)


# --- label expressions ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LabelName(Node):
    """`:A`: has this label, or is of this edge type."""

    name: str


@dataclass(frozen=True, slots=True)
class LabelAnd(Node):
    """`A&B` (and Cypher's `:A:B`)."""

    args: tuple[LabelExpr, ...]


@dataclass(frozen=True, slots=True)
class LabelOr(Node):
    """`A|B`."""

    args: tuple[LabelExpr, ...]


@dataclass(frozen=True, slots=True)
class LabelNot(Node):
    """`!A`."""

    arg: LabelExpr


@dataclass(frozen=True, slots=True)
class LabelAny(Node):
    """`%`: has at least one label."""


type LabelExpr = LabelName | LabelAnd | LabelOr | LabelNot | LabelAny


# --- expressions ---------------------------------------------------------------------------


class CompareOp(StrEnum):
    """Comparisons; all are null when an operand is null."""

    EQ = "="
    NE = "<>"
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


class BoolOp(StrEnum):
    """Connectives of three-valued logic."""

    AND = "AND"
    OR = "OR"
    XOR = "XOR"


class ArithOp(StrEnum):
    """Arithmetic; `ADD` also concatenates strings and lists, `DIV` of integers truncates."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    MOD = "%"
    POW = "^"


class TextOp(StrEnum):
    """Tests of a string against a string; null when an operand is null or no string."""

    STARTS = "STARTS WITH"
    ENDS = "ENDS WITH"
    CONTAINS = "CONTAINS"
    REGEX = "=~"


class QuantifierKind(StrEnum):
    """`all(x IN list WHERE p)` and its relatives, three-valued."""

    ALL = "all"
    ANY = "any"
    NONE = "none"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class Var(Expr):
    """A variable in scope: element, path or value."""

    name: str


@dataclass(frozen=True, slots=True)
class Prop(Expr):
    """`base.key`: property of an element, entry of a map, component of a temporal value."""

    base: Expr
    key: str


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    """A constant. Temporal and other values are calls: `date('2024-01-01')`.

    True and 1 are different constants, and so are 1 and 1.0: the kind takes part in equality.
    """

    value: bool | int | float | str | None
    kind: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", type(self.value).__name__)


@dataclass(frozen=True, slots=True)
class Param(Expr):
    """`$name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """One comparison; a chain `a < b < c` is a conjunction of two."""

    op: CompareOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Bool(Expr):
    """AND, OR, XOR of two or more operands (a run of one connective is one node)."""

    op: BoolOp
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """Negation of three-valued logic."""

    arg: Expr


@dataclass(frozen=True, slots=True)
class Arith(Expr):
    """A binary operator, left-associative as written."""

    op: ArithOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Neg(Expr):
    """Unary minus of anything but a number literal (those are negative literals)."""

    arg: Expr


@dataclass(frozen=True, slots=True)
class Text(Expr):
    """STARTS WITH, ENDS WITH, CONTAINS, =~ (a whole match)."""

    op: TextOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class In(Expr):
    """`item IN list`, three-valued."""

    item: Expr
    list: Expr


@dataclass(frozen=True, slots=True)
class IsNull(Expr):
    """`IS NULL`, or `IS NOT NULL` when negated."""

    arg: Expr
    negated: bool = False


@dataclass(frozen=True, slots=True)
class LabelTest(Expr):
    """`n:A&B`: a predicate on an element's labels or an edge's type."""

    arg: Expr
    labels: LabelExpr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A scalar function under Cypher's canonical name: `toLower`, `date`, `duration.between`."""

    name: str
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Agg(Expr):
    """An aggregate: count (no argument: `count(*)`), sum, avg, min, max, collect, stDev,
    stDevP, percentileCont, percentileDisc."""

    name: str
    args: tuple[Expr, ...] = ()
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class When(Node):
    """One branch of a CASE."""

    condition: Expr
    result: Expr


@dataclass(frozen=True, slots=True)
class Case(Expr):
    """CASE; with `operand` the simple form (compare operand with each condition).

    A WHEN that goes on with the operand (`CASE x WHEN > 3`) is read as a CASE without one.
    """

    whens: tuple[When, ...]
    default: Expr | None = None
    operand: Expr | None = None


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    """`[a, b]`."""

    items: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry(Node):
    """One `key: value` of a map."""

    key: str
    value: Expr


@dataclass(frozen=True, slots=True)
class MapOf(Expr):
    """`{a: 1, b: x}`."""

    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class MapProjection(Expr):
    """`n {.a, b: x, .*}`: named entries, and all properties when `all_properties`."""

    base: Expr
    entries: tuple[Entry, ...] = ()
    all_properties: bool = False


@dataclass(frozen=True, slots=True)
class Index(Expr):
    """`base[i]`: item of a list (0-based, negative from the end) or property by name."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Slice(Expr):
    """`base[lo..hi]`, hi exclusive."""

    base: Expr
    lo: Expr | None = None
    hi: Expr | None = None


@dataclass(frozen=True, slots=True)
class ListComp(Expr):
    """`[var IN list WHERE where | result]`; `result` None returns the item itself."""

    var: str
    list: Expr
    where: Expr | None = None
    result: Expr | None = None


@dataclass(frozen=True, slots=True)
class Quantifier(Expr):
    """all / any / none / single `(var IN list WHERE where)`."""

    kind: QuantifierKind
    var: str
    list: Expr
    where: Expr


@dataclass(frozen=True, slots=True)
class Reduce(Expr):
    """`reduce(acc = init, var IN list | step)`."""

    acc: str
    init: Expr
    var: str
    list: Expr
    step: Expr


@dataclass(frozen=True, slots=True)
class PatternComp(Expr):
    """`[path WHERE where | result]`."""

    path: Path
    result: Expr
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class PathExpr(Expr):
    """A path pattern as a value: `shortestPath(…)` outside MATCH."""

    path: Path


class ExistsForm(StrEnum):
    """How an existence test was written."""

    SUBQUERY = "subquery"  # EXISTS { … }
    FUNCTION = "function"  # exists((a)-->(b))
    PATTERN = "pattern"  # (a)-->(b)


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    """`EXISTS { … }`; a bare pattern as a predicate is the same. True or false, never null.

    `form` is how the author wrote it. It means nothing, but the shorter forms may stand in fewer
    places and introduce no variables, which `graph_ir.bind` checks.
    """

    query: Statement
    form: ExistsForm = field(default=ExistsForm.SUBQUERY, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CountOf(Expr):
    """`COUNT { … }`."""

    query: Statement


@dataclass(frozen=True, slots=True)
class CollectOf(Expr):
    """`COLLECT { … }`; keeps nulls, unlike the aggregate."""

    query: Statement


# --- patterns ------------------------------------------------------------------------------


class Direction(StrEnum):
    """How an edge pattern is walked, seen from left to right."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


class PathMode(StrEnum):
    """What may repeat inside one path (ISO/IEC 39075:2024 §16.6)."""

    WALK = "WALK"
    TRAIL = "TRAIL"
    ACYCLIC = "ACYCLIC"
    SIMPLE = "SIMPLE"


class SelectorKind(StrEnum):
    """Which of the paths between two ends are kept (ISO/IEC 39075:2024 §16.6).

    `FUNCTION_*` are Cypher's shortestPath() and allShortestPaths(), whose predicates in WHERE
    take part in the search; the others filter after it.
    """

    FUNCTION_ONE = "shortestPath"
    FUNCTION_ALL = "allShortestPaths"
    ANY = "ANY"
    ANY_SHORTEST = "ANY SHORTEST"
    ALL_SHORTEST = "ALL SHORTEST"
    SHORTEST_K = "SHORTEST k"
    SHORTEST_GROUPS = "SHORTEST k GROUPS"


class MatchMode(StrEnum):
    """Whether one edge may be bound twice in a MATCH; Cypher's default is DIFFERENT_EDGES."""

    DIFFERENT_EDGES = "DIFFERENT EDGES"
    REPEATABLE = "REPEATABLE ELEMENTS"


@dataclass(frozen=True, slots=True)
class Selector(Node):
    """A path search prefix; `count` is k."""

    kind: SelectorKind
    count: int = 1


@dataclass(frozen=True, slots=True)
class Hops(Node):
    """Variable length `lo..hi`; `hi` None is unbounded. `*` is 1..None."""

    lo: int = 1
    hi: int | None = None


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    """`(var:labels {props} WHERE where)`; `props` is a map literal or a parameter."""

    var: str | None = None
    labels: LabelExpr | None = None
    props: MapOf | Param | None = None
    where: Expr | None = None
    type: Type = field(default=ANY, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class EdgePattern(Node):
    """`-[var:types*lo..hi {props} WHERE where]->`; with `hops`, `var` is a list of edges."""

    var: str | None = None
    types: LabelExpr | None = None
    direction: Direction = Direction.OUT
    hops: Hops | None = None
    props: MapOf | Param | None = None
    where: Expr | None = None
    type: Type = field(default=ANY, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """A quantified path pattern `((a)-[r]->(b) WHERE where){lo,hi}`; its variables are lists."""

    path: Path
    hops: Hops
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Step(Node):
    """One step of a path and the node it leads to."""

    edge: EdgePattern | Quantified
    node: NodePattern


@dataclass(frozen=True, slots=True)
class Path(Node):
    """A linear path pattern."""

    head: NodePattern
    steps: tuple[Step, ...] = ()
    var: str | None = None
    selector: Selector | None = None
    mode: PathMode | None = None


# --- clauses -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match(Node):
    """MATCH or OPTIONAL MATCH of comma-separated paths."""

    paths: tuple[Path, ...]
    where: Expr | None = None
    optional: bool = False
    mode: MatchMode = MatchMode.DIFFERENT_EDGES


@dataclass(frozen=True, slots=True)
class Unwind(Node):
    """`UNWIND expr AS alias`."""

    expr: Expr
    alias: str


@dataclass(frozen=True, slots=True)
class Item(Node):
    """One column. `alias` is the column's name, also where the text gave none (then it is the
    text of the expression, and `named` is False)."""

    expr: Expr
    alias: str
    named: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class SortKey(Node):
    """One ORDER BY key; nulls come last ascending and first descending."""

    expr: Expr
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Project(Node):
    """WITH, or RETURN when `final`.

    `group` is None without aggregates; else it holds the grouping keys, which are the
    expressions of the items that contain no aggregate. `*` is expanded by the front end.
    `order` sees the items' aliases first, then (without DISTINCT and aggregates) the variables
    before the projection. `where` filters the projected rows after skip and limit, and sees what
    `order` sees.
    """

    items: tuple[Item, ...]
    distinct: bool = False
    order: tuple[SortKey, ...] = ()
    skip: Expr | None = None
    limit: Expr | None = None
    where: Expr | None = None
    final: bool = False
    group: tuple[Expr, ...] | None = None


@dataclass(frozen=True, slots=True)
class Subquery(Node):
    """`CALL (imports) { query }`; `optional` keeps rows without a result."""

    query: Statement
    imports: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Yield(Node):
    """One `name AS alias` of a YIELD; `*` is every column."""

    name: str
    alias: str


@dataclass(frozen=True, slots=True)
class Procedure(Node):
    """`CALL name(args) YIELD …`: a dialect says it where the name belongs to no product.

    `args` None: written without parentheses, the arguments are parameters of the same names.
    """

    name: str
    args: tuple[Expr, ...] | None = ()
    yields: tuple[Yield, ...] = ()
    where: Expr | None = None


# Writes are parsed and recognised, so that reads can be told from writes with certainty.


@dataclass(frozen=True, slots=True)
class Create(Node):
    """CREATE of patterns."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class SetItem(Node):
    """`target = value`, `target += value` (`add`), or `target:labels` (value None)."""

    target: Expr
    value: Expr | None = None
    labels: tuple[str, ...] = ()
    add: bool = False


@dataclass(frozen=True, slots=True)
class Set(Node):
    """SET of properties and labels."""

    items: tuple[SetItem, ...]


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """REMOVE of properties (value None) and labels."""

    items: tuple[SetItem, ...]


@dataclass(frozen=True, slots=True)
class Merge(Node):
    """MERGE of one path with its ON CREATE and ON MATCH."""

    path: Path
    on_create: tuple[SetItem, ...] = ()
    on_match: tuple[SetItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Delete(Node):
    """DELETE or DETACH DELETE."""

    exprs: tuple[Expr, ...]
    detach: bool = False


@dataclass(frozen=True, slots=True)
class Foreach(Node):
    """`FOREACH (var IN list | clauses)`."""

    var: str
    list: Expr
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class LoadCsv(Node):
    """LOAD CSV; never a read for us, because it reads files and hosts."""

    url: Expr
    alias: str
    headers: bool = False
    separator: str | None = None


@dataclass(frozen=True, slots=True)
class ServerOption(Node):
    """`CYPHER text` before a query: a server's choice of version, planner or way to search.

    What it means is the server's: `CYPHER 25`, `CYPHER runtime = slotted`, or a vendor's own.
    """

    text: str


type ReadClause = Match | Unwind | Project | Subquery | Procedure | ServerOption
type WriteClause = Create | Set | Remove | Merge | Delete | Foreach | LoadCsv
type Clause = ReadClause | WriteClause

WRITES = (Create, Set, Remove, Merge, Delete, Foreach, LoadCsv)


@dataclass(frozen=True, slots=True)
class Query(Node):
    """A sequence of clauses. Bodies of EXISTS and COUNT may end without RETURN."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Union(Node):
    """UNION (distinct) or UNION ALL; both sides have the same column names."""

    left: Statement
    right: Query
    all: bool = False


type Statement = Query | Union

NODE_CLASSES: dict[str, type[Node]] = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, Node) and value not in (Node, Expr)
}
