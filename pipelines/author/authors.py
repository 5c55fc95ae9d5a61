"""`[author]` of a configuration: who writes, the rules or a model, and how the model is reached."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    Discriminator,
    Field,
    Tag,
    ValidationError,
    field_serializer,
    model_validator,
)

from graphmill.errors import ConfigError
from graphmill.messages import write_message
from graphmill.secrets import without_user
from graphmill.settings import ADDRESS, Part, Seconds, Text

if TYPE_CHECKING:
    from graphmill.llm.budget import Prices as Rates
    from graphmill.llm.client import Client

type Dollars = Annotated[float, Field(ge=0, le=1_000_000_000)]

REPLIES = "replies.jsonl"


class Prices(Part):
    """US dollars for a million tokens, as the provider lists them."""

    input: Dollars
    output: Dollars


class RulesAuthor(Part):
    """Everything is written by rule: no model, no network, no cost."""

    kind: Literal["rules"] = "rules"

    def identity(self) -> dict[str, Any]:
        """What the author's products depend on."""
        return {"kind": self.kind}

    def wording(self) -> dict[str, Any]:
        """What queries and questions depend on."""
        return self.identity()


class ModelAuthor(Part):
    """A model writes schemas and programs of synthetic sources, queries and questions.

    `queries` and `questions` say who writes those; synthetic sources are always the model's.
    Questions that do not pass, also after their repair round, go to the ledger, or to the rules
    (`fallback`). With `back_translations`, each business question is translated back so many
    times, without its knowledge and with it; a query that never comes back is not released.
    `api_key_env` names the environment variable that holds the key; without it, none is sent.
    `timeout` is seconds a call, `per_minute` the calls begun a minute (0: any number),
    `max_tokens` the longest answer that the endpoint gives.
    """

    kind: Literal["llm"]
    base_url: Annotated[str, Field(pattern=ADDRESS)]
    model: Text
    api_key_env: Annotated[str, Field(max_length=80)] = ""
    budget_usd: Dollars | None = None
    prices: Prices | None = None
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 16
    per_minute: Annotated[float, Field(ge=0, le=1_000_000)] = 0
    timeout: Seconds = 120.0
    max_tokens: Annotated[int, Field(ge=256, le=100_000_000)] | None = None
    queries: Literal["llm", "rules"] = "llm"
    questions: Literal["llm", "rules"] = "llm"
    fallback: Literal["ledger", "rules"] = "ledger"
    back_translations: Annotated[int, Field(ge=0, le=9)] = 0

    @model_validator(mode="before")
    @classmethod
    def _no_key(cls, given: Any) -> Any:
        """A key in a file would end up in repositories and logs; it is not repeated here."""
        if not isinstance(given, dict):
            return given
        name = given.get("api_key_env", "")
        if "api_key" in given or (isinstance(name, str) and name and not _is_variable(name)):
            raise ValueError(
                "no key belongs into a configuration: put it into an environment variable and "
                "give that variable's name, such as api_key_env = 'OPENAI_API_KEY'"
            )
        return given

    @field_serializer("base_url")
    def _without_secrets(self, url: str) -> str:
        return without_user(url)

    @model_validator(mode="after")
    def _priced(self) -> ModelAuthor:
        if self.budget_usd is not None and self.prices is None:
            raise ValueError(
                "budget_usd needs prices = { input = …, output = … }, dollars a million tokens"
            )
        return self

    def identity(self) -> dict[str, Any]:
        """What the author's products depend on: not its budget, nor how fast it may be asked."""
        return {"kind": self.kind, "model": self.model}

    def wording(self) -> dict[str, Any]:
        """What queries and questions depend on beside that."""
        chosen = {"queries", "questions", "fallback", "back_translations"}
        return {**self.identity(), **self.model_dump(include=chosen)}

    def rates(self) -> Rates:
        """The prices for the books; nothing where none are given."""
        from graphmill.llm.budget import Prices as Rates

        return Rates(self.prices.input, self.prices.output) if self.prices else Rates()

    def connect(self, replies: Path, *, seed: int, replay: bool = False) -> Client:
        """A client of the model, whose answers are recorded in the file `replies`; where some of
        these are gone or damaged, standard error has a warning.

        Raises:
            LLMError: the package openai or the key is missing.
        """
        from graphmill.llm.client import Settings, connect

        settings = Settings(
            base_url=self.base_url,
            model=self.model,
            api_key_env=self.api_key_env,
            budget_usd=self.budget_usd,
            prices=self.rates(),
            concurrency=self.concurrency,
            per_minute=self.per_minute,
            timeout=self.timeout,
            max_tokens=self.max_tokens,
            seed=seed,
        )
        return connect(settings, replies, replay=replay, note=_warn)


def _warn(text: str) -> None:
    write_message(text)


def _kind(given: Any) -> Any:
    return given.get("kind", "rules") if isinstance(given, dict) else getattr(given, "kind", None)


type Author = Annotated[
    Annotated[RulesAuthor, Tag("rules")] | Annotated[ModelAuthor, Tag("llm")],
    Discriminator(_kind),
]


def author_of(arguments: argparse.Namespace) -> RulesAuthor | ModelAuthor:
    """The author that the options of a command (`cli.add_author_options`) describe.

    Raises:
        ConfigError: an option is missing or wrong, or is given with the rules.
    """
    given = model_options(arguments)
    if arguments.author == "rules":
        if given or arguments.replay:
            raise ConfigError("The options of a model need --author llm.")
        return RulesAuthor()
    return model_author(given)


def model_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was given of the options of a model (`cli.add_model_options`)."""
    names = ("base_url", "model", "api_key_env", "budget_usd", "prices", "max_tokens")
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def model_author(given: dict[str, Any]) -> ModelAuthor:
    """The model that options describe.

    Raises:
        ConfigError: an option is missing or wrong.
    """
    if "prices" in given:
        given["prices"] = {"input": given["prices"][0], "output": given["prices"][1]}
    try:
        return ModelAuthor.model_validate({"kind": "llm", **given})
    except ValidationError as problem:
        messages = []
        for error in problem.errors():
            place = ".".join(map(str, error["loc"])).replace("_", "-")
            message = str(error["msg"]).removeprefix("Value error, ")
            messages.append(f"--{place}: {message}" if place else message)
        raise ConfigError(f"{'; '.join(messages)}.", messages) from problem


def _is_variable(name: str) -> bool:
    """Whether a text names an environment variable; keys have small letters, dashes and dots."""
    return name.isidentifier() and name == name.upper() and len(name) <= 64
