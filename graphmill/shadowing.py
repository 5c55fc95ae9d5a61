"""Whether Python finds graphmill's other packages where graphmill itself lies.

They have plain names (`engines`, `qa`), so that a file of a user's may stand before them on the
path. It imports little: it runs with every `import graphmill`.
"""

import os
import sys
from importlib.util import find_spec

PACKAGES = (
    "schemagraph",
    "graph_ir",
    "translators",
    "engines",
    "generators",
    "qa",
    "evaluation",
    "pipelines",
)
HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def shadows(home: str = HOME) -> list[tuple[str, str]]:
    """The packages that are not those in the folder `home`: name, and the file that is found
    instead; no file where nothing of the name can be imported."""
    pairs = [(name, _origin(name)) for name in PACKAGES]
    return [
        (name, origin)
        for name, origin in pairs
        if os.path.dirname(os.path.dirname(os.path.realpath(origin))) != home
        or os.path.basename(origin).partition(".")[0] != "__init__"
    ]


def refuse_shadows() -> None:
    """Stop where one of the packages is not ours; the program `graphmill` ends with the sentence.

    Raises:
        ShadowedError: another module has the name of one of them.
    """
    wrong = shadows()
    if not wrong:
        return
    from graphmill.errors import ShadowedError

    problem = ShadowedError(sentence(wrong))
    if _is_command():
        sys.exit(f"graphmill: {problem}")
    raise problem


def _is_command() -> bool:
    """Whether this process is `graphmill` or `python -m graphmill`, not a program of a user's."""
    program = sys.argv[0] if sys.argv else ""
    if program == "-m":  # Python looks the module up
        return "graphmill" in sys.orig_argv[sys.orig_argv.index("-m") + 1 :][:1]
    return os.path.splitext(os.path.basename(program))[0] == "graphmill"


def sentence(wrong: list[tuple[str, str]]) -> str:
    """What stands in the way, and what to do, in one sentence."""
    files = [f"{origin} hides its package '{name}'" for name, origin in wrong if origin]
    gone = [f"its package '{name}' is not installed" for name, origin in wrong if not origin]
    advice = "rename that, or take its folder from sys.path" if files else "install graphmill again"
    return f"graphmill cannot work: {', '.join([*files, *gone])}; {advice}."


def _origin(name: str) -> str:
    """The file of the module called `name`, the folder of one without; empty where there is none.

    A module that is loaded already counts as it is.
    """
    try:
        spec = find_spec(name)
    except ValueError:  # loaded by hand, without a spec
        return getattr(sys.modules[name], "__file__", None) or "a module made in this program"
    if spec is None:
        return ""
    return spec.origin or next(iter(spec.submodule_search_locations or ()), "")
