"""Text-to-graph-query corpora whose gold is proven by execution: the Python API, and the floor.

`import graphmill as gm` costs nothing: each name of the API is one of `pipelines.api`, a higher
layer, and is loaded when it is first used (PEP 562). The types are in `__init__.pyi`. Beside it
lies the floor that every layer stands on: errors, records, registry, seeds and files.
"""

from graphmill.shadowing import refuse_shadows

__version__ = "0.1.0"

# What `pipelines.api` offers, name by name; a test holds the two together.
_API = (
    "ConfigError",
    "Corpus",
    "Diagnostic",
    "EngineError",
    "EngineUnavailable",
    "Graph",
    "GraphmillError",
    "LLMError",
    "LosslessError",
    "QueryError",
    "QueryTextError",
    "QueryTimeout",
    "QueryTooLarge",
    "QueryUnsound",
    "Refused",
    "Result",
    "Runner",
    "SchemaError",
    "ShadowedError",
    "SourceError",
    "Translation",
    "UnknownNameError",
    "Verified",
    "build",
    "check",
    "convert",
    "evaluate",
    "preview",
    "run",
    "synth",
    "translate",
    "verify",
)
__all__ = ["__version__", *_API]

refuse_shadows()


def __getattr__(name: str) -> object:
    if name not in _API:
        raise AttributeError(f"module 'graphmill' has no attribute '{name}'")
    from importlib import import_module

    value: object = getattr(import_module("pipelines.api"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_API})
