"""What all tables of a configuration have in common, and the texts that they hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A table: it has no other keys than its own, and no number that is not finite."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


type Text = Annotated[str, Field(min_length=1, pattern=r"\S")]  # says something
# Of a folder: one that begins with a dot is hidden, and left out of what is exported.
type Name = Annotated[str, Field(pattern=r"^[\w-][\w.-]*$", max_length=80)]
