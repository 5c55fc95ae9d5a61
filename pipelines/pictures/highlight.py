"""Query texts with their parts marked, as HTML without script: names, strings, keywords.

It colours; it does not parse. What it takes for a keyword is a word of one list for all languages.
"""

from __future__ import annotations

import re

from markupsafe import Markup

from pipelines.pictures.texts import shown

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """ALL AND ANY AS ASC ASCENDING BETWEEN BY CALL CASE COLLECT CONTAINS COUNT DESC DESCENDING
        DISTINCT ELSE END ENDS EXCEPT EXISTS FALSE FETCH FILTER FOR FROM FULL GO GRAPH GROUP HAVING
        IN INNER INTERSECT IS JOIN LEFT LET LIKE LIMIT LOOKUP MATCH NEXT NONE NOT NULL OFFSET ON
        OPTIONAL OR ORDER OUTER OVER PREFIX RETURN RIGHT SELECT SHORTEST SINGLE SKIP STARTS STEPS
        THEN TRAIL TRUE UNION UNWIND USE USING VALUE VALUES WALK WHEN WHERE WITH XOR YIELD""",
    )
)
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|--\ [^\n]*|/\*.*?\*/)
    |(?P<string>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*")
    |(?P<quoted>`(?:[^`]|``)*`)
    |(?P<label>(?<=[\w\s(\[|&!]):\s?[^\W\d]\w*)
    |(?P<number>\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)
    |(?P<parameter>\$\w+)
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)
_CLASSES = {
    "comment": "c",
    "string": "s",
    "quoted": "q",
    "label": "l",
    "number": "n",
    "parameter": "p",
}


def highlighted(text: str) -> Markup:
    """The text as HTML; all of it is escaped.

    >>> str(highlighted("MATCH (a:City) WHERE a.name = '<b>'"))
    '<b class="k">MATCH</b> (a<b class="l">:City</b>) <b class="k">WHERE</b> a.name = <b class="s">&#39;&lt;b&gt;&#39;</b>'
    """  # noqa: E501 - one text, one line
    text = shown(text, 20_000)
    parts: list[str] = []
    at = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup or ""
        name = _CLASSES.get(kind)
        if kind == "word":
            name = "k" if token[0].upper() in _KEYWORDS else None
            if name is None and text[token.end() : token.end() + 1] == "(":
                name = "f"
        if name is None:
            continue
        parts.append(Markup.escape(text[at : token.start()]))
        parts.append(Markup('<b class="{}">{}</b>').format(name, token[0]))
        at = token.end()
    parts.append(Markup.escape(text[at:]))
    return Markup("").join(parts)
