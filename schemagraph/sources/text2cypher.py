"""Read text2cypher's schema files: schemas with statistics, for which a graph is synthesised.

A file may hold several databases; `FILE#DATABASE` names one of them.
"""

from __future__ import annotations

from pathlib import Path

from graphmill.errors import SourceError, did_you_mean
from graphmill.files import digest
from schemagraph.convert.elements import Elements, convert_elements
from schemagraph.convert.source import Asked
from schemagraph.report import ConversionReport
from schemagraph.sources.formats.json_text import BOM, head_keys
from schemagraph.sources.formats.structured import Structured, read_structured, records
from schemagraph.sources.formats.synthesis_text import synthesise

SEED = 7


class Text2CypherSource:
    """JSON, JSON lines or CSV with `structured_schema`, or the structured schema alone."""

    name = "text2cypher"
    says = "a text2cypher schema file"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the keys, or the names of the columns."""
        if path is None:
            return False
        keys = head_keys(head)
        first = head.removeprefix(BOM).split(b"\n", 1)[0]
        is_table = b"structured_schema" in first.replace(b'"', b"").strip().split(b",")
        is_record = "structured_schema" in keys or (
            keys.get("database") == '"' and keys.get("schema") == '"'
        )
        return is_table or is_record or bool(keys.keys() & {"node_props", "rel_props"})

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        return self.convert_part(source, "", out, licence)

    def convert_part(self, source: str, part: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.PartedSource`."""
        return self.convert_asked(source, part, out, licence, {})

    def convert_asked(
        self, source: str, part: str, out: Path, licence: str, asked: Asked
    ) -> ConversionReport:
        """See `schemagraph.convert.source.AskedSource`."""
        path = Path(source)
        where, name, content = self._choose(path, part)
        schema = read_structured(where, name, content)
        return convert_elements(
            out,
            name,
            lambda elements: _read(schema, elements, asked),
            lambda number: f"{where}, synthesised element {number}",
            kind=self.name,
            origin={
                "kind": self.name,
                "file": path.name,
                "database": name,
                "sha256": digest(content),
                "seed": SEED,
                **({"asked": digest(asked)} if asked else {}),
            },
            licence=licence,
        )

    def _choose(self, path: Path, part: str) -> tuple[str, str, object]:
        databases = list(records(path))
        names = [name for _, name, _ in databases]
        chosen = [item for item in databases if item[1] == part] if part else databases
        if len(chosen) == 1:
            return chosen[0]
        if not databases:
            raise SourceError(f"{path} holds no schema.")
        if part and not chosen:
            raise SourceError(f"{path} has no database {part}.{did_you_mean(part, names)}")
        what = f"the database {part} {len(chosen)} times" if part else f"{len(databases)} databases"
        shown = ", ".join(sorted(set(names)))
        raise SourceError(f"{path} holds {what}: give one as {path.name}#NAME. There are: {shown}.")


def _read(schema: Structured, elements: Elements, asked: Asked) -> None:
    synthesise(schema, elements, SEED, asked)
    elements.notes.append(
        f"The source is a schema without data: the graph is made up from its statistics and "
        f"examples (seed {SEED})."
    )
    for label in sorted(schema.edges.keys() - {label for _, label, _ in schema.triples}):
        elements.warnings.append(f"Relationship type {label} connects nothing: it is left out.")


SOURCE = Text2CypherSource()
