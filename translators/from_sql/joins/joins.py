"""Which equalities of a block are traversals, and which are value joins.

A foreign key's edge exists exactly where its columns equal the referenced ones, so an equality
of all its columns is the edge. The ends of a link table's edge are nodes whose key properties
are the link table's columns. Equalities are followed through classes of equal columns.
"""

from __future__ import annotations

from collections.abc import Iterable

from schemagraph.mapping import EdgeTable, ForeignKey, NodeTable
from translators.from_sql.expressions.conditions import Column, Condition
from translators.from_sql.joins.blocks import Block
from translators.from_sql.joins.links import (
    Classes,
    Key,
    Link,
    Pattern,
    alike,
    comparable,
    equality,
    key_of,
)
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.from_items import EdgeItem, Ending, FromItem, NodeItem
from translators.from_sql.statement.names import camel


class Joiner:
    """Finds the pattern of one block after another; knows the sources bound so far.

    `implied` are the columns that the patterns so far make equal, for functional dependence.
    """

    def __init__(self, site: Site, bound: Iterable[FromItem]) -> None:
        self.site = site
        self.bound = list(bound)
        self.outer = frozenset(map(id, self.bound))
        self.implied = Classes()
        self.links: list[Link] = []
        self.tables: dict[str, NodeTable] = {}
        # Nodes that no alias stands for, and the aliases that turned up for them later.
        self.hidden: set[str] = set()
        self.renamed: dict[str, str] = {}
        for source in self.bound:
            self._learn(source)

    def _learn(self, source: FromItem) -> None:
        if isinstance(source, NodeItem):
            self.tables[source.var] = source.table
        elif isinstance(source, EdgeItem):
            for end in source.ends:
                self.tables[end.var] = end.table
                self.imply(source, end)

    def imply(self, source: EdgeItem, end: Ending) -> None:
        """The columns of an edge's end are those of its node, unless the edge may be missing."""
        if source.optional and end.shared:
            return
        for own, other in zip(end.columns, end.referenced, strict=True):
            self.implied.union((end.var, other), (source.var, own))

    def pattern(self, block: Block) -> Pattern:
        """The pattern of `block`, whose sources are bound from now on."""
        work = _Work(self, block)
        joined = work.run()
        self.bound += block.sources
        self.links += joined.links
        return joined


class _Work:
    """One block's analysis."""

    def __init__(self, joiner: Joiner, block: Block) -> None:
        self.joiner = joiner
        self.block = block
        self.classes = joiner.implied.copy()
        self.pattern = Pattern()
        self.equalities: list[tuple[Column, Column, Condition | None]] = []
        self.direct: dict[Link, None] = {}
        # Row variables of this block, and those that other blocks bound.
        self.new = {s.var for s in block.sources if isinstance(s, NodeItem | EdgeItem)}

    def run(self) -> Pattern:
        self._read_conditions()
        for one, other, _ in self.equalities:
            self.classes.union(key_of(one), key_of(other))
        for source in self.joiner.bound:
            if isinstance(source, EdgeItem):
                for end in source.ends:
                    if not (source.optional and end.shared):
                        self._tie(source, end)
        self._merge_with_bound_ends()
        for source in self.block.sources:
            if isinstance(source, EdgeItem):
                self._connect(source)
        for source in self.block.sources:
            if isinstance(source, NodeItem) and source.var in self.new:
                self.pattern.nodes[source.var] = source.table
                self.joiner.tables[source.var] = source.table
        self._foreign_keys()
        self.pattern.links += self.direct
        self._common_targets()
        self._leftovers()
        return self.pattern

    def _read_conditions(self) -> None:
        for one, other in self.block.shared:
            if comparable(one, other):
                self.equalities.append((one, other, None))
            else:
                self.pattern.equal.append((one, other))
        for condition in self.block.conditions:
            pair = equality(condition)
            if pair is not None and comparable(*pair):
                self.equalities.append((*pair, condition))
            elif pair is not None and (
                link := self._declared(*pair) or self._declared(*pair[::-1])
            ):
                # The converter made this edge by SQL's comparison, whatever the types.
                self.direct.setdefault(link)
            else:
                self.pattern.rest.append(condition)

    def _declared(self, own: Column, other: Column) -> Link | None:
        """The edge of a foreign key of one column, where the two are its ends."""
        child, parent = own.source.ref(own.name), other.source.ref(other.name)
        if child is None or parent is None:
            return None
        (one, column), (two, referenced) = child, parent
        if not isinstance(one, NodeItem) or not isinstance(two, NodeItem):
            return None
        for key in one.table.foreign_keys:
            ends = ((column.name,), (referenced.name,))
            if key.table == two.table.table and (key.columns, key.referenced) == ends:
                return Link(key.edge, one.var, two.var, columns=key.columns)
        return None

    def _tie(self, source: EdgeItem, end: Ending) -> None:
        for own, other in zip(end.columns, end.referenced, strict=True):
            self.classes.union((end.var, other), (source.var, own))

    def _connect(self, source: EdgeItem) -> None:
        """Give both ends of a link table's edge their nodes."""
        for end in source.ends:
            end.var = self._end_node(source, end) or self._hidden(end.table)
            self._tie(source, end)
            for own, other in zip(end.columns, end.referenced, strict=True):
                self.joiner.implied.union((end.var, other), (source.var, own))
            end.shared = end.var not in self.new
        one, other = (end.var for end in source.ends)
        table: EdgeTable = source.table
        self.pattern.links.append(Link(table.edge, one, other, source.var))

    def _hidden(self, table: NodeTable) -> str:
        var = self.joiner.site.names.variable(camel(table.label))
        self.pattern.nodes[var] = table
        self.joiner.tables[var] = table
        self.joiner.hidden.add(var)
        self.new.add(var)
        return var

    def _end_node(self, source: EdgeItem, end: Ending) -> str | None:
        """A node that equalities say is this end: of the block, or bound."""
        own = [(source.var, name) for name in end.columns]
        candidates = [
            s.var
            for s in (*self.block.sources, *self.joiner.bound)
            if isinstance(s, NodeItem) and s.table is end.table
        ]
        candidates += [var for var, table in self.joiner.tables.items() if table is end.table]
        for var in candidates:
            if self._all_same(own, [(var, name) for name in end.referenced]):
                return var
        return None

    def _all_same(self, ones: list[Key], others: list[Key]) -> bool:
        return all(self.classes.same(a, b) for a, b in zip(ones, others, strict=True))

    def _merge_with_bound_ends(self) -> None:
        """A node of this block that is the end of a bound edge is that end's variable.

        The end of an edge is always there; in an optional block with nothing else to say, the
        node is missing exactly where the edge is.
        """
        nodes = [s for s in self.block.sources if isinstance(s, NodeItem)]
        for source in nodes:
            for edge in self.joiner.bound:
                if not isinstance(edge, EdgeItem) or (edge.optional and not source.optional):
                    continue
                if id(edge) in self.joiner.outer and len(self.block.sources) == 1:
                    continue  # a subquery has a pattern of its own
                ends = [end for end in edge.ends if not (edge.optional and end.shared)]
                end = next((end for end in ends if self._is_end(source, edge, end)), None)
                more = self.pattern.rest or self.pattern.equal or self.direct
                alone = len(self.block.sources) == 1 and not more
                only = len(self.equalities) == (len(end.columns) if end else 0)
                if end is not None and (not self.block.optional or (alone and only)):
                    self._rename(source, end.var)
                    break

    def _is_end(self, source: NodeItem, edge: EdgeItem, end: Ending) -> bool:
        own = [(edge.var, name) for name in end.columns]
        keys = [(source.var, name) for name in end.referenced]
        return source.table is end.table and self._all_same(own, keys)

    def _rename(self, source: NodeItem, var: str) -> None:
        for name in source.names():
            self.classes.union((var, name), (source.var, name))
        self.new.discard(source.var)
        if var in self.joiner.hidden:
            self.joiner.hidden.discard(var)
            self.joiner.renamed[var] = source.var
        source.var = var

    def _foreign_keys(self) -> None:
        """Edges for the foreign keys whose columns are equal to the referenced ones."""
        named = {s.var: s.table for s in self._sources() if isinstance(s, NodeItem)}
        children = {**named, **self.joiner.tables}  # the ends of edges come last
        for child, own in children.items():
            for key in own.foreign_keys:
                for parent, table in list(self.joiner.tables.items()):
                    if table.table != key.table or parent == child:
                        continue
                    if child not in self.new and parent not in self.new:
                        continue
                    self._link(child, key, parent)

    def _sources(self) -> list[FromItem]:
        return [*self.joiner.bound, *self.block.sources]

    def _link(self, child: str, key: ForeignKey, parent: str) -> bool:
        own = [(child, name) for name in key.columns]
        other = [(parent, name) for name in key.referenced]
        implied = self.joiner.implied
        if not self._all_same(own, other) or not self._alike(child, key, parent):
            return False
        if all(implied.same(a, b) for a, b in zip(own, other, strict=True)):
            return False
        for a, b in zip(own, other, strict=True):
            implied.union(b, a)
        self.pattern.links.append(Link(key.edge, child, parent, columns=key.columns))
        return True

    def _alike(self, child: str, key: ForeignKey, parent: str) -> bool:
        """Whether equality of the values is what makes the edge: classes of equal columns can
        hold an end of another type."""
        sources = {s.var: s.table for s in self._sources() if isinstance(s, NodeItem)}
        tables = {**sources, **self.joiner.tables}
        return _made_by_values(tables[child], key, tables[parent])

    def _common_targets(self) -> None:
        """Two foreign keys to one row that is not in FROM meet in its node.

        One of them must always have its node, else two orphans could be equal.
        """
        nodes = [s for s in self._sources() if isinstance(s, NodeItem)]
        for one in nodes:
            for key in one.table.foreign_keys:
                for other in nodes:
                    for second in other.table.foreign_keys:
                        if self._meet(one, key, other, second):
                            var = self._hidden(self._table(key.table))
                            for name, target in zip(key.columns, key.referenced, strict=True):
                                self.classes.union((one.var, name), (var, target))
                            self._link(one.var, key, var)
                            self._link(other.var, second, var)

    def _table(self, name: str) -> NodeTable:
        return self.joiner.site.house.mapping.node_by_table[name]

    def _meet(self, one: NodeItem, key: ForeignKey, other: NodeItem, second: ForeignKey) -> bool:
        same = key.table == second.table and key.referenced == second.referenced
        if one is other or not same or not key.complete:
            return False
        if one.var not in self.new and other.var not in self.new:
            return False
        target = self._table(key.table)
        if not all(_made_by_values(n.table, k, target) for n, k in ((one, key), (other, second))):
            return False
        own = [(one.var, name) for name in key.columns]
        others = [(other.var, name) for name in second.columns]
        implied = all(self.joiner.implied.same(a, b) for a, b in zip(own, others, strict=True))
        return self._all_same(own, others) and not implied

    def _leftovers(self) -> None:
        """Equalities that the pattern does not make true are value joins."""
        implied = self.joiner.implied
        for one, other, condition in self.equalities:
            if implied.same(key_of(one), key_of(other)):
                continue
            implied.union(key_of(one), key_of(other))
            if condition is None:
                self.pattern.equal.append((one, other))
            else:
                self.pattern.rest.append(condition)


def _made_by_values(child: NodeTable, key: ForeignKey, parent: NodeTable) -> bool:
    """Whether equality of the graph's values is what makes the edges of a foreign key."""
    own, other = ({c.name: c for c in table.columns} for table in (child, parent))
    return all(alike(own[a], other[b]) for a, b in zip(key.columns, key.referenced, strict=True))
