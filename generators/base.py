"""`Generator`, what everything that proposes something offers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar, Protocol


class Generator[Request, Product](Protocol):
    """Proposes products for a request. The same request and seed give the same products.

    A generator never judges its own products: `qa` does, and `pipelines` loops.
    """

    name: ClassVar[str]
    version: ClassVar[str]

    def generate(self, request: Request, rng: Random) -> Iterator[Product]:
        """The products, in a stable order.

        Raises:
            GraphmillError: the request cannot be met.
        """
        ...
