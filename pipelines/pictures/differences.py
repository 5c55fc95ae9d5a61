"""What changed from one text to another, word by word, as HTML."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from markupsafe import Markup

from pipelines.pictures.texts import shown

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_LONGEST = 4_000  # characters; of longer ones, no word is compared with every other


def changed(before: str, after: str) -> Markup:
    """The second text, with what went and what came marked; all of it is escaped.

    >>> str(changed("RETURN a", "RETURN <b>"))
    'RETURN <del>a</del><ins>&lt;b&gt;</ins>'
    """
    old, new = (_TOKEN.findall(shown(text, _LONGEST)) for text in (before, after))
    parts: list[Markup] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(Markup.escape("".join(new[c:d])))
            continue
        if b > a:
            parts.append(Markup("<del>{}</del>").format("".join(old[a:b])))
        if d > c:
            parts.append(Markup("<ins>{}</ins>").format("".join(new[c:d])))
    return Markup("").join(parts)
