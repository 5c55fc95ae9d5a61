"""Strict ISO GQL: the text form of the international standard ISO/IEC 39075:2024.

What the standard cannot say exactly is refused. Writes are said, too: whoever wants reads only,
as the corpora do, has to ask the query (`graph_ir.nodes.WRITES`). Profiles of engines
(`gql-grafeo`, `gql-neo4j`) are subclasses with declared differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from graph_ir import nodes as ir
from translators.base import OPTION, Caveat, Dialect
from translators.gql.emit import (
    clauses,
    expressions,
    functions,
    lists,
    patterns,
    projections,
    writes,
)
from translators.gql.emit.scope import Scope

READS_ONLY: Mapping[type[ir.Node], tuple[str, str]] = dict.fromkeys(
    (*ir.WRITES, ir.SetItem), ("write", "Only queries that read are translated.")
)


class Gql(Dialect):
    """ISO GQL from bound IR.

    What says a node, and what profiles may say otherwise, is listed below: functions of the modules
    of this folder, whose first argument is the dialect.
    """

    name: ClassVar[str] = "gql"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        ir.Foreach: ("foreach", "ISO GQL has no FOREACH; at the end, of one clause, it is FOR."),
        ir.LoadCsv: ("load-csv", "ISO GQL reads no files."),
        ir.Merge: ("merge", "ISO GQL has no MERGE: it matches, or it inserts."),
        ir.PathExpr: ("path-expression", "ISO GQL searches paths in MATCH only."),
        ir.Reduce: ("reduce", "ISO GQL cannot fold a list."),
        ir.ServerOption: OPTION,
    }

    # --- what profiles set, and the state of one `generate` ----------------------------------

    # Whether `/` of two integers is known to truncate, as in Cypher (clause 20.21 leaves it open).
    DIVISION_TRUNCATES: ClassVar[bool] = False
    NO_DURATIONS: ClassVar[str] = "DURATION 'PT0S'"  # their sum; Cypher's is the integer 0
    # Whether `=` of constants may be Neo4j's, which is folded: an integer and a float are floats.
    FOLDS: ClassVar[bool] = True
    # Whether CONTAINS and =~ are known, as in Cypher; the standard has neither.
    TEXT_TESTS: ClassVar[bool] = False
    scope: Scope
    # The variables of edge patterns, as GQL calls them.
    edges: set[str]
    # Whether each group of the RETURN at hand has a row: then SUM of a value is a value.
    grouped: bool = False
    components: ClassVar[frozenset[str]] = functions.COMPONENTS
    # The function that counts the items of a list.
    LIST_LENGTH: ClassVar[str] = "CARDINALITY"
    # Cypher's constructor of a point in time -> the type that CAST makes.
    TYPES: ClassVar[dict[str, str]] = functions.TYPES
    # The words of the two match modes.
    DIFFERENT: ClassVar[str] = "DIFFERENT EDGES"
    REPEATABLE: ClassVar[str] = "REPEATABLE ELEMENTS"
    # Whether nodes(p) and relationships(p) are rebuilt from the variables of the pattern.
    PATH_FUNCTIONS: ClassVar[bool] = False
    # Whether a path search that names no path mode is one for walks (clause 16.6).
    SEARCHES_WALKS: ClassVar[bool] = True
    # Cypher's function -> the attribute that says it.
    CALLS: ClassVar[dict[str, str]] = functions.CALLS | {
        "nodes": "path_part",
        "relationships": "path_part",
    }
    # IR names of paths whose nodes() or relationships() the query asks for.
    opened: frozenset[str] = frozenset()
    # GQL path variable -> (its nodes, its edges) as list values.
    parts: dict[str, tuple[str, str]]
    # Whether a delimited name may be used where a variable is referred to.
    DELIMITED_VARIABLES: ClassVar[bool] = False
    # Names that are read as values, though delimited, where a column is meant.
    UNREADABLE: ClassVar[frozenset[str]] = frozenset()
    # Whether ORDER BY takes a name for the column, whatever variable has it too, and for nothing
    # else than a column where that column is a variable by another name.
    SORTS_BY_COLUMN: ClassVar[bool] = False
    # Whether a column beside GROUP BY may have the name of a variable before it.
    GROUPS_REDECLARE: ClassVar[bool] = True
    # What may not hold an aggregate: it is made after the grouping.
    COMPUTED_AFTER: ClassVar[tuple[type[ir.Expr], ...]] = ()
    # Whether columns say their name even where it is that of a variable: the sides of a UNION.
    aliased: bool = False
    # Whether an accent in a delimited name is doubled instead of escaped.
    DOUBLED_ACCENTS: ClassVar[bool] = False
    # The set operator that drops duplicates.
    UNION: ClassVar[str] = "UNION"
    # Whether a subquery may have a column with the name of a variable around it.
    REDECLARES: ClassVar[bool] = True
    # IR names of pairs of nodes that are surely two.
    apart: frozenset[frozenset[str]] = frozenset()
    # The variables around the query that is said.
    around: frozenset[str] = frozenset()
    # What must hold for the text to mean the same.
    caveats: list[Caveat]
    # How many braces are open: a subquery inside a subquery.
    depth: int = 0

    # --- what says what -----------------------------------------------------------------------

    # expressions
    identifier = expressions.identifier_text
    standing = expressions.standing
    column = expressions.column
    operand = expressions.operand
    infix = expressions.infix
    text = expressions.text
    emit_Literal = expressions.literal
    number_text = expressions.number_text
    emit_Param = expressions.param
    emit_Var = expressions.variable
    condition = expressions.condition
    negation = expressions.negation
    emit_Compare = expressions.compare
    side = expressions.side
    emit_Bool = expressions.connective
    emit_Not = expressions.not_
    emit_IsNull = expressions.is_null
    emit_LabelTest = expressions.label_test_of
    label_test = expressions.label_test
    emit_Text = expressions.text_test
    affix = expressions.affix
    emit_Arith = expressions.arith
    known_number = expressions.known_number
    remainder = expressions.remainder
    joined_lists = expressions.joined_lists
    emit_Neg = expressions.neg
    emit_Case = expressions.case_of
    emit_When = expressions.when
    emit_Entry = expressions.entry
    emit_MapOf = expressions.map_of
    emit_MapProjection = expressions.map_projection
    emit_Agg = expressions.agg
    aggregate = expressions.aggregate
    # lists
    emit_ListOf = lists.list_of
    some = lists.some
    unknown = lists.unknown
    is_not = lists.is_not
    number_of = lists.number_of
    among = lists.among
    emit_Quantifier = lists.quantifier
    quantified = lists.quantified
    is_true = lists.is_true
    quantifier_true = lists.quantifier_true
    is_false = lists.is_false
    quantifier_false = lists.quantifier_false
    emit_Index = lists.index_of
    emit_Prop = lists.prop
    item_at = lists.item_at
    emit_Slice = lists.slice_of
    emit_ListComp = lists.list_comp
    counted = lists.counted
    range_of = lists.range_of
    # functions
    emit_Call = functions.call
    day_text = functions.day_text_of
    coalesced = functions.coalesced
    size_of = functions.size_of
    is_empty = functions.is_empty
    length_of = functions.length_of
    substring = functions.substring
    to_string = functions.to_string
    to_integer = functions.to_integer
    to_float = functions.to_float
    to_boolean = functions.to_boolean
    rounded = functions.rounded
    sign_of = functions.sign_of
    list_end = functions.list_end
    tail_of = functions.tail_of
    range_items = functions.range_items
    variable_of = functions.variable_of
    element_id = functions.element_id
    element_key = functions.element_key
    edge_type = functions.edge_type
    labels_of = functions.labels_of
    compare_special = functions.compare_special
    emit_In = functions.in_list
    member_true = functions.member_true
    member_false = functions.member_false
    now = functions.now
    instant_of = functions.instant_of
    instant = functions.instant
    from_map = functions.from_map
    duration_of = functions.duration_of
    component = functions.component
    year_test = functions.year_test
    # patterns
    emit_LabelName = patterns.label_name
    emit_LabelAnd = patterns.label_and
    emit_LabelOr = patterns.label_or
    emit_LabelNot = patterns.label_not
    emit_LabelAny = patterns.label_any
    emit_Match = patterns.match_clause
    optional = patterns.optional
    match = patterns.match_text
    match_mode = patterns.match_mode
    no_edge_twice = patterns.no_edge_twice
    declare = patterns.declare
    emit_Path = patterns.path_pattern
    open_mode = patterns.open_mode
    emit_Selector = patterns.selector
    path_part = patterns.path_part
    emit_Step = patterns.step
    emit_NodePattern = patterns.node_pattern
    emit_EdgePattern = patterns.edge_pattern
    node_text = patterns.node_text
    node_labels = patterns.node_labels
    edge_labels = patterns.edge_labels
    filled = patterns.filled
    property_map = patterns.property_map
    emit_Hops = patterns.hops
    emit_Quantified = patterns.quantified
    # projections
    project = projections.project
    column_name = projections.column_name
    return_clause = projections.return_clause
    emit_Item = projections.item
    emit_SortKey = projections.sort_key
    sort_key = projections.sort_key_text
    # writes
    emit_Create = writes.create
    emit_Set = writes.set_items
    emit_SetItem = writes.set_item
    emit_Remove = writes.remove
    emit_Delete = writes.delete_of
    # clauses
    generate = clauses.generate
    outermost = clauses.outermost
    emit_Query = clauses.query_of
    emit_Union = clauses.union_of
    statement = clauses.statement
    between = clauses.between
    branch = clauses.branch
    linear = clauses.linear
    emit_Project = clauses.project
    passed = clauses.passed
    passed_on = clauses.passed_on
    emit_Unwind = clauses.unwind
    emit_Procedure = clauses.procedure
    emit_Yield = clauses.yield_text
    emit_Subquery = clauses.subquery
    inside = clauses.inside
    emit_Exists = clauses.exists_test
    exists = clauses.exists
    emit_CountOf = clauses.count_of
    value = clauses.value
    emit_CollectOf = clauses.collect_of
    emit_PatternComp = clauses.pattern_comp
