"""nGQL of NebulaGraph 3.x: grammar, checker, read-back, and the `MATCH` dialect."""

from __future__ import annotations

from translators.language import Language

LANGUAGE = Language(
    name="ngql",
    title="nGQL",
    dialect="translators.ngql.emit.dialect:Ngql",
    checker="translators.ngql.grammar.check:checker",
    read_back="translators.ngql.read.reader:read_back",
    proof="translators.ngql.read.proof:difference",
)
