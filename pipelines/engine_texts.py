"""What an engine is given for a user's text: its own dialect of it, or the text as it is.

Engines answer some constructs of their languages wrongly, or do not read them; what dialects of
ours write for them says the same otherwise. What has no such form is run as it is, and its answer
says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engines.base import Engine
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.variables import columns
from graphmill.errors import EngineError, QueryTextError, Refused
from schemagraph.folder.serde import load_schema
from translators.base import Rendered
from translators.language import DIALECTS, Origin, readable, reader
from translators.render import render

type Fault = dict[str, str]

UNREAD = "unread"
REJECTED = "rejected"
BROKEN = "fault"


@dataclass(frozen=True, slots=True)
class EngineText:
    """The text for an engine, and what makes its answer doubtful: `code` and `message` each.

    Where `text` is another than the given one, `columns` are the names that the given one has for
    its columns, and `faults` what the engine is known to answer wrongly in that one. Where it is
    the given one because the dialect refuses that, `refusal` says why: it is right, even if the
    engine does not read it.
    """

    text: str
    unsound: tuple[Fault, ...] = ()
    columns: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    refusal: str = ""


class EngineTexts:
    """Texts in `language` made ready for `engine`, over the graph in `folder` or none.

    An engine of sources has no dialect of ours; one whose dialect is the language itself gets the
    text as it is, as every engine does with `as_is`.
    """

    def __init__(
        self, engine: type[Engine], language: str, folder: Path | None, *, as_is: bool = False
    ) -> None:
        self._engine, self._language = engine, language
        self._profile = engine.profiles.get(language, language)
        own = self._profile != language and self._profile in DIALECTS.names()
        self._renders = own and not as_is
        names = {language, self._profile}
        self._declared = [fault for fault in engine.unsound if names & set(fault.dialects)]
        self._reads = self._renders or bool(self._declared)
        self._schema = load_schema(folder) if self._reads and folder is not None else None
        known = self._reads and language in readable()
        self._read = reader(language, Origin(folder, self._schema)) if known else None

    def ready(self, text: str) -> EngineText:
        """What the engine is given for `text`.

        Text that graphmill cannot read is `unread`: what is wrong with its answer is not known.
        """
        if not self._reads:
            return EngineText(text)
        if self._read is None:
            return EngineText(text, (self._unread("it has no reader of it"),))
        try:
            return self._known(text, self._read(text))
        except (QueryTextError, Refused) as problem:
            return EngineText(text, (self._unread(_line(problem)),))
        except RecursionError:
            return EngineText(text, (self._unread("it is nested too deeply."),))
        except Exception as problem:  # noqa: BLE001 # a fault of ours keeps no text from running
            why = f"graphmill failed on it ({type(problem).__name__}: {_line(problem)})."
            return EngineText(text, (self._doubt(BROKEN, why),))

    def rejected(self, own: EngineText, problem: EngineError) -> tuple[Fault, ...]:
        """What makes the answer of the given text doubtful, after `own` failed with `problem`."""
        why = f"what {self._profile} makes of it fails: {_line(problem)}"
        return (self._doubt(REJECTED, why), *own.faults)

    def _known(self, text: str, statement: ir.Statement) -> EngineText:
        checked = bound(statement, self._schema)
        own = checked.statement
        faults = [fault for fault in self._declared if fault.applies(own)]
        known = tuple(
            {"code": each.code, "message": f"{self._engine.name} answers this wrongly: {each.why}"}
            for each in faults
        )
        if not self._renders or any(self._profile in each.dialects for each in faults):
            declared = known and self._renders and not checked.errors
            return EngineText(text, known, refusal=known[0]["message"] if declared else "")
        made = self._rendered(statement)
        if isinstance(made, Refused):
            why = f"{self._profile} cannot say it ({made.code}). {made.reason}"
            doubt = self._doubt(made.code, f"{self._profile} cannot say it. {made.reason}")
            return EngineText(text, (doubt, *known), refusal=why)
        if not isinstance(made, Rendered):
            return EngineText(text, (made, *known))
        if made.text == text:
            return EngineText(text)
        return EngineText(made.text, columns=columns(own), faults=known)

    def _rendered(self, statement: ir.Statement) -> Rendered | Refused | Fault:
        try:
            made = render(statement, self._profile, self._schema)
        except Refused as problem:
            return problem
        except QueryTextError as problem:
            return self._doubt(problem.code, _line(problem))
        if made.caveats:  # it means the same on a condition, and nobody is there to ask
            caveat = made.caveats[0]
            return Refused(caveat.code, self._language, caveat.reason)
        return made

    def _doubt(self, code: str, why: str) -> Fault:
        message = (
            f"This {self._language} was run as it is, and {self._engine.name} may answer it "
            f"wrongly: {why}"
        )
        return {"code": code, "message": message}

    def _unread(self, why: str) -> Fault:
        message = (
            f"graphmill cannot read this {self._language}, so that it was run as it is and what "
            f"{self._engine.name} is known to answer wrongly was not looked for: {why}"
        )
        return {"code": UNREAD, "message": message}


def _line(problem: Exception) -> str:
    """The sentence of an error, without the text and the caret below it."""
    return str(problem).partition("\n")[0]
