"""A filled query told back as a question, to be held against the question that it came with."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from generators.masked.chinese import Chinese
from generators.masked.english import English
from generators.masked.filling import Filled
from generators.masked.uniqueness import without_note
from graph_ir.values import lost
from graphmill.similarity.texts import Similarity
from schemagraph.model import SchemaGraph

# Least similarity of a question and its query told back (docs/masked.md says how they were found)
THRESHOLDS = {("trigrams", "en"): 0.5, ("trigrams", "zh"): 0.35, ("minilm", "en"): 0.6}
OTHER = 0.5  # of other encoders, unless one is given


@dataclass(frozen=True, slots=True)
class BackTranslation:
    """The query in the words of another author, and how alike the two questions are."""

    text: str
    similarity: float


class BackTranslator:
    """Tells queries back: English by the rules for questions, Chinese by templates."""

    def __init__(
        self,
        schema: SchemaGraph,
        similarity: Similarity,
        by: English | Chinese,
        threshold: float,
    ) -> None:
        self.schema = schema
        self.similarity = similarity
        self.by = by
        self.threshold = threshold

    def translate(self, filled: Filled, question: str, rng: Random) -> BackTranslation:
        """The query told back, without a look at the question.

        Raises:
            NotExpressible: the author has no words for it.
        """
        text = self.by.back_translated(filled.statement)
        return BackTranslation(text, self.similarity.of(without_note(question), text))

    def objection(
        self, filled: Filled, question: str, back_translation: BackTranslation
    ) -> tuple[str, str] | None:
        """Code and reason to drop the pair: `value-lost` or `told-differently`."""
        if gone := lost(filled.statement, question):
            return "value-lost", f"The question does not say {', '.join(map(repr, gone))}."
        if back_translation.similarity < self.threshold:
            reason = (
                f"The query says “{back_translation.text}”; that is like the question to "
                f"{back_translation.similarity:.2f}, and {self.threshold:.2f} is needed."
            )
            return "told-differently", reason
        return None


def threshold_for(similarity: str, language: str) -> float:
    """The threshold of a way to compare, where none is given."""
    return THRESHOLDS.get((similarity, language), OTHER)
