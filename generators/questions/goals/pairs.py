"""Goals of things of one kind related to each other: pairs, rings, how far they are apart."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.expressions import property_of
from generators.questions.goals.lists import Lists
from generators.questions.goals.model import Ask, Relation, Steps
from generators.questions.goals.trees import Forest
from generators.questions.lexicon.model import Path
from generators.questions.plan.model import Block, Link, Same, Trail
from graph_ir import nodes as ir


class Pairs(Lists):
    """Recognises what things of one kind do to each other."""

    def _pair(self, block: Block, pair: list[Same]) -> Ask:
        """Two things of one kind that do the same to each other."""
        if len(block.links) == 3:
            return self._ring(block, pair)
        (same, *more) = pair
        between = [{id(link.left), id(link.right)} for link in block.links]
        ends = {id(same.one), id(same.two)}
        plain = not block.order and not block.optional and not block.windowed
        if more or len(block.conditions) > 1 or between != [ends, ends] or not plain:
            raise NoWording("a pair")
        first, second = block.links
        if first.source is second.source or first.edge.hops or second.edge.hops:
            raise NoWording("a pair")
        if first.edge.types != second.edge.types:
            raise NoWording("a pair")
        return self._alike("mutual", block, first, ends)

    def _ring(self, block: Block, pairs: list[Same]) -> Ask:
        """Three things of one kind of which each does to the next what the last does to the first;
        the one with the lowest key comes first, so that each ring is there once."""
        links = {id(link.source): link for link in block.links}
        first = next((same.one for same in pairs if same.ordered), pairs[0].one)
        ends = [first]
        while len(ends) <= 3 and id(ends[-1]) in links:
            ends.append(links[id(ends[-1])].target)
        plain = not (block.order or block.optional or block.windowed or block.trails)
        later = {id(end) for end in ends[1:3]}
        after = [id(same.two) for same in pairs if same.ordered and same.one is first]
        apart = [{id(same.one), id(same.two)} for same in pairs if not same.ordered]
        directed = all(
            k.edge.direction is not ir.Direction.BOTH and k.edge.hops is None for k in block.links
        )
        ordered = {*after} == later and apart == [later] and len(pairs) == 3
        closed = len(ends) == 4 and ends[3] is first
        alike = all(k.edge.types == block.links[0].edge.types for k in block.links)
        if not (plain and directed and ordered and closed and alike) or len(block.conditions) > 3:
            raise NoWording("a pair")
        return self._alike("ring", block, links[id(first)], {id(end) for end in ends})

    def _alike(self, goal: str, block: Block, link: Link, ends: set[int]) -> Ask:
        """Things that do one thing to each other, by their names."""
        shown = [property_of(item.expr) for item in block.items]
        forest = Forest(replace(block, links=[link], conditions=[]), self.lexicon)
        start = link.source
        if (words := self._words_of(link)) is None or (goal == "ring" and words.symmetric):
            raise NoWording("a pair")
        if words.forward is None:
            start = link.target  # who is followed by each other follows each other
        focus = forest.grow(start)
        forest.finish()
        (relation,) = focus.relations
        named = all(key in self._naming(focus.type) for _, key in shown)
        if not named or {id(owner) for owner, _ in shown} != ends or relation.tests:
            raise NoWording("a pair")
        focus.relations = []
        ask = Ask(goal, focus, relation=relation, distinct=block.distinct)
        ask.named = self._named(block, start)
        return ask

    def _words_of(self, link: Link) -> Path | None:
        """The words along a link between things of one type, from its source."""
        if len(link.source.types) != 1 or not isinstance(link.edge.types, ir.LabelName):
            return None
        label = f"{link.edge.types.name}>"
        return self.lexicon.path((link.source.types[0], label, link.target.types[0]))

    def _distance(self, block: Block, trail: Trail) -> Ask:
        """The length of the shortest way from one named thing to another of its kind."""
        link, hops = trail.link, trail.link.edge.hops
        plain = not (block.order or block.optional or block.windowed or trail.every)
        whole = hops is not None and hops.lo == 1 and hops.hi is None and len(block.links) == 1
        if not (plain and whole and trail.shortest and len(block.trails) == 1):
            raise NoWording("a search for a path that ends early")
        words = self._words_of(link)
        ends = [link.source, link.target]
        if words is not None and words.forward is None:
            ends.reverse()  # as long is the way back, on which each one follows the next
        step = replace(link, edge=replace(link.edge, hops=None))
        forest = Forest(replace(block, links=[], trails=[]), self.lexicon)
        start, end = map(forest.grow, ends)
        along = (start.type, *forest.step(ends[0], step))
        forest.finish()
        if along[0] != along[-1] or not (start.name and end.name) or start.tests or end.tests:
            raise NoWording("a way between others than two named things")
        relation = Relation(along, end, link=link, steps=Steps(1, None))
        return Ask("distance", start, relation=relation)
