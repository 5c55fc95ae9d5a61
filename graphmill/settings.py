"""What all tables of a configuration have in common, and the texts and numbers that they hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A table: it has no other keys than its own, and no number that is not finite."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


# Numbers have an end: beyond it are slips of the hand, which no machine has the time or memory for.
type Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]  # a record has it as 64 bits with a sign
type Pairs = Annotated[int, Field(gt=0, le=1_000_000)]  # of a database
# Nodes or edges of a graph: as many are drawn in minutes; of more, a build would not end in a day.
type Elements = Annotated[int, Field(gt=0, le=100_000_000)]
type Seconds = Annotated[float, Field(gt=0, le=86_400)]
# Of a query that is to be answered: starting and stopping it alone takes some milliseconds.
type QuerySeconds = Annotated[float, Field(ge=0.1, le=86_400)]
type Megabytes = Annotated[int, Field(ge=256, le=2**24)]
SOMETHING, ADDRESS = r"\S", r"^https?://\S+$"
type Text = Annotated[str, Field(min_length=1, pattern=SOMETHING)]
# Of a folder: one that begins with a dot is hidden, and left out of what is exported.
NAME = r"^[\w-][\w.-]*$"
type Name = Annotated[str, Field(pattern=NAME, max_length=80)]
