"""Whether the engines that a configuration names can be had, and which of them proved nothing."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engines import ENGINE_OF, ENGINES
from engines.isolation import IsolatedEngine
from graphmill.errors import ConfigError, EngineError, EngineLost, EngineUnavailable
from pipelines.author.authors import REPLIES, ModelAuthor
from pipelines.configuration.certify import Certify
from pipelines.configuration.config import Config

_LONGEST = 31_536_000  # a year; timers of a system overflow beyond centuries
_MOST_MB = 2**40  # whose bytes are a C long


def check_limits(timeout: float, memory_mb: int) -> None:
    """Refuse limits of a query, in seconds and MB, that are none.

    Raises:
        ConfigError: one is not above 0, or beyond what a system can hold to.
    """
    if not 0 < timeout <= _LONGEST:
        raise ConfigError(f"A timeout is above 0 and at most {_LONGEST} seconds, not {timeout:g}.")
    if not 0 < memory_mb <= _MOST_MB:
        raise ConfigError(f"A memory limit is above 0 and at most {_MOST_MB} MB, not {memory_mb}.")


def check_key(config: Config, work: Path) -> None:
    """See that the variable with the model's key is set, before anything is done. Where answers are
    recorded in the folder `work` they may be all that is needed, and a build goes on without.

    Raises:
        ConfigError: it is not.
    """
    author = config.author
    if not isinstance(author, ModelAuthor) or not author.api_key_env:
        return
    if not os.environ.get(author.api_key_env) and not (work / REPLIES).is_file():
        raise ConfigError(
            f"author.api_key_env: the variable {author.api_key_env} of the environment, which is "
            "to hold the model's key, is not set."
        )


def check_engines(config: Config) -> None:
    """See that all engines that are to prove can be had, before anything is done.

    A server is reached and a Java machine started once; of what runs in a worker alone, the
    packages are looked for. An engine of "all" that no language of the corpus needs is not asked.

    Raises:
        EngineUnavailable: one cannot be had.
        EngineLost: somebody killed one twice.
    """
    asked = {*config.languages}
    for name in config.engines:
        kind = ENGINES.get(name)
        if not (kind.by_name or asked.intersection(kind.languages)):
            continue
        missing = [package for package in kind.packages if find_spec(package) is None]
        if not (missing or kind.by_name) and kind.needs.address_space:
            continue
        try:
            with IsolatedEngine(
                name,
                None,
                memory_mb=config.certify.memory_mb,
                persists=True,
                **start_options(name, config.certify),
            ) as engine:
                engine.version()
        except EngineLost as problem:
            raise EngineLost(f"{problem} Or leave {name} out: --without {name}.") from problem
        except EngineError as problem:
            raise unproven(name, problem) from problem


def start_options(name: str, certify: Certify) -> dict[str, Any]:
    """What an engine over a graph is started with."""
    return {"url": certify.neo4j_url} if name == "neo4j" and certify.neo4j_url else {}


def must_prove(name: str) -> bool:
    """Whether nothing is released without this engine: that of a source, and one that somebody
    asked for by name. One that comes with "all" may be unable to hold a graph."""
    return name in ENGINE_OF.values() or ENGINES.get(name).by_name


def unproven(name: str, problem: EngineError) -> EngineUnavailable:
    """Why nothing can be proven, with what to do."""
    what = str(problem).rstrip(".")
    if name in ENGINE_OF.values():
        return EngineUnavailable(f"{what}. Source SQL is proven by {name}, which must answer.")
    alone = ENGINES.get(name).by_name  # no part of "all"
    listed = f"names {name}" if alone else f'lists {name}, by its name or in "all"'
    return EngineUnavailable(
        f"{what}. The configuration {listed}, so that it must prove: mend this, leave it out "
        f"with --without {name}, or take {name} out of the list. What is finished is kept."
    )


def idle_engines(
    config: Mapping[str, Any],
    ran: Mapping[str, Collection[str]],
    homes: Mapping[str, Collection[str]],
) -> dict[str, list[str]]:
    """The engines that proved nothing of a database though they were to, and can run one of the
    languages there, each with these databases.

    `config` is a configuration as `corpus.lock` has it, `ran` are the engines with certificates by
    database, `homes` the splits in which a database has records.
    """
    corpus, certify = config.get("corpus", {}), config.get("certify", {})
    engines, languages = certify.get("engines", ()), _languages(corpus)
    idle: dict[str, set[str]] = {}
    for split, proof in (("", {}), *config.get("split", {}).items()):
        here = [db for db in ran if not split or split in homes.get(db, ())]
        for name in _able([*engines, *proof.get("engines", ())], languages | _languages(proof)):
            idle.setdefault(name, set()).update(db for db in here if name not in ran[db])
    return {name: sorted(databases) for name, databases in idle.items() if databases}


def _languages(part: Mapping[str, Any]) -> set[str]:
    return {*part.get("languages", ()), *part.get("also", ())}


def _able(engines: Sequence[str], languages: Collection[str]) -> list[str]:
    """Those of the engines that can run one of the languages."""
    return [
        name
        for name in engines
        if name in ENGINES.names() and {*ENGINES.get(name).languages} & {*languages}
    ]
