"""What grafeo 0.6 is known to answer wrongly, as predicates over Graph-IR."""

from __future__ import annotations

from engines.base import Unsound

UNSOUND: tuple[Unsound, ...] = ()
