"""Lexicons: proposed for a graph folder, and put beside the graphs of a corpus."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generators.questions.lexicon.completion.complete import SEED
from generators.questions.lexicon.completion.store import merged, read_for
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.doubts.listing import Coverage, Doubt, coverage, doubts
from generators.questions.lexicon.lint import lexicon_warnings
from generators.questions.lexicon.lint_data import data_warnings
from generators.questions.lexicon.model import CONFIDENCE, FILE, Lexicon, Provenance
from generators.questions.lexicon.settle import comments_in, settled
from generators.questions.lexicon.toml_file import lexicon_text, place_text, read_lexicon
from graphmill.files import remove, write_bytes, write_text
from graphmill.llm.client import Client
from graphmill.messages import one_line
from graphmill.toml_lines import line_of, positions
from pipelines.author.authors import REPLIES
from pipelines.configuration.config import Config, GraphSource, Source, SyntheticSource
from pipelines.release.lock import LOCK
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import different_rows, gather_statistics


@dataclass(frozen=True)
class Proposal:
    """A lexicon that was written to `path`, what it is unsure of, what it covers.

    `checked` says that nothing was written, `changes` whether a run writes another text than the
    file has. `refused` are the entries of a model that were not taken, each with the reason;
    `warnings` what a user says that is hardly meant.
    """

    path: Path
    lexicon: Lexicon
    doubts: tuple[Doubt, ...]
    coverage: Coverage
    refused: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    changes: bool = True
    checked: bool = False

    def to_json(self) -> dict[str, Any]:
        """The line that the command prints."""
        return {
            "lexicon": str(self.path),
            **({"changes": self.changes} if self.checked else {}),
            "coverage": self.coverage.to_json(),
            "doubts": [doubt.to_json() for doubt in self.doubts],
            **({"refused": list(self.refused)} if self.refused else {}),
            **({"warnings": list(self.warnings)} if self.warnings else {}),
        }

    def text(self, most: int = 20) -> str:
        """For people: the coverage, then the doubts, what unlocks most first."""
        lines = [f"{one_line(str(self.path))}: words for {self.coverage.text()}."]
        if self.checked:
            would = "would be written anew" if self.changes else "would stay as it is"
            lines.append(f"Nothing was written; without --check the file {would}.")
        if self.doubts:
            lines.append(
                "Answer these there, by words, sure = 1.0 (yes) or sure = 0.0 (never to be used), "
                "what unlocks most first:"
            )
            lines += [doubt.text() for doubt in self.doubts[:most]]
        if len(self.doubts) > most:
            lines.append(f"      and {len(self.doubts) - most} more")
        lines += [f"not taken: {one_line(reason)}" for reason in self.refused]
        lines += [f"warning: {one_line(warning)}" for warning in self.warnings]
        return "".join(f"{line}\n" for line in lines)


def propose(
    graph: Path,
    out: Path | None = None,
    client: Client | None = None,
    confidence: float = CONFIDENCE,
    *,
    check: bool = False,
) -> Proposal:
    """Write the lexicon of a graph folder, `graph/lexicon.toml` by default.

    What a user said in the file that is there, and comments above entries, are kept. With
    `client`, a model is asked once for what the rules do not know. With `check` nothing is written.

    Raises:
        LexiconError: the file that is there is wrong.
        LLMError: the model gives no answer.
    """
    schema = load_schema(graph)
    statistics = gather_statistics(graph, schema, SEED)
    made = derive(schema, statistics)
    path = out or graph / FILE
    comments = None
    if path.exists():
        read_for(path, schema)
        file = read_lexicon(path)
        made = merged(settled(file), made)
        comments = comments_in(made, file)
    refused: tuple[str, ...] = ()
    if client is not None:
        from generators.questions.lexicon.completion.ask import ask_model

        made, refused = ask_model(client, made, schema, statistics, confidence)
    text = lexicon_text(made, comments)
    changes = not path.exists() or path.read_bytes() != text.encode()
    if not check:
        write_text(path, text)
    unsure = tuple(doubts(made, schema, confidence, statistics.properties))
    names = {
        name: different_rows(graph, schema.node_by_name[name], thing.name)
        for name, thing in made.things.items()
        if thing.source is Provenance.USER and thing.name
    }
    known = positions(path.read_text("utf-8-sig") if check and path.exists() else text)[0]
    terms = [term.term for term in made.glossary]
    warnings = tuple(lexicon_warnings(made, statistics.properties))
    warnings += tuple(
        f"{path}:{line_of(known, place)}: {place_text(place, terms)}: {what}"
        for place, what in data_warnings(made, statistics.properties, names)
    )
    covered = coverage(made, schema, confidence)
    return Proposal(path, made, unsure, covered, refused, warnings, changes, check)


def replies_of(graph: Path, out: Path | None) -> Path:
    """Where a model's replies are recorded: beside `out`, else beside the graph's folder, but in
    no corpus, which has no such file: then beside the corpus."""
    beside = Path(os.path.abspath(graph if out is None else out))
    corpora = [folder for folder in beside.resolve().parents if (folder / LOCK).exists()]
    if corpora:
        name = f"{corpora[-1].name}.{graph.resolve().name}.{REPLIES}"
        return corpora[-1].with_name(name)
    return beside.with_name(f"{beside.name}.{REPLIES}")


def place_lexicon(config: Config, source: Source, folder: Path) -> None:
    """Put a source's lexicon beside its graph in the corpus: the setting's, else the origin's own.

    Raises:
        LexiconError: it is wrong, or does not fit the schema.
    """
    given = _given(config, source)
    target = folder / FILE
    if target.is_dir():
        remove(target)
    if given is not None:
        read_for(given, load_schema(folder))
        content = given.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            write_bytes(target, content)
    elif not isinstance(source, SyntheticSource):
        target.unlink(missing_ok=True)  # of an earlier configuration


def _given(config: Config, source: Source) -> Path | None:
    if source.lexicon:
        return config.path(source.lexicon)
    if isinstance(source, GraphSource) and "://" not in source.path:
        own = Path(config.origin(source)) / FILE
        return own if own.is_file() else None
    return None
