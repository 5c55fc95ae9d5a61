"""`zero-shot`: the schema and the question, no example (AT-1: Ŷ = LLM(Q, 𝒮))."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from evaluation.answering.schema_text import CYPHER
from evaluation.systems.few_shot import FewShot


class ZeroShot(FewShot):
    """Settings: `schema` the form of the schema (`ddl`, `cypher`, `json`)."""

    name: ClassVar[str] = "zero-shot"
    defaults: ClassVar[Mapping[str, str]] = {"schema": CYPHER}


SYSTEM = ZeroShot
