"""What became of the estimate of a build: stages whose cost it missed widely, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pipelines.build.estimate import SCHEMA

FACTOR = 3  # an estimate that was off by more is explained
SHOWN = 3  # reject codes that an explanation names

Usage = Mapping[str, float]  # calls, prompt_tokens, completion_tokens
Bounds = Mapping[str, Sequence[int]]  # the same, [least, most]


def missed(
    estimated: Mapping[str, Bounds],
    used: Mapping[str, Usage],
    rejects: Mapping[tuple[str, str], int],
) -> list[str]:
    """A sentence for each stage whose calls, or tokens a call, were off by more than `FACTOR`.

    `estimated` and `used` are by stage, of all runs of the build; `rejects` counts what went to
    the ledger by (stage, code).
    """
    return [
        f"Estimate of {stage}: {'; '.join(parts)}."
        for stage in sorted({*estimated, *used})
        if (parts := list(_parts(stage, estimated.get(stage), used.get(stage, {}), rejects)))
    ]


def _parts(
    stage: str, bounds: Bounds | None, used: Usage, rejects: Mapping[tuple[str, str], int]
) -> Iterator[str]:
    calls = used.get("calls", 0)
    if bounds is None:
        yield f"{calls:,.0f} calls, where none were expected"
        return
    least, most = bounds["calls"]
    if _off(calls, least, most):
        yield f"{calls:,.0f} calls, not {least:,} to {most:,}{_gone(stage, rejects)}"
    if not calls or not most:
        return
    reasons = {
        "prompt_tokens": f"an estimate supposes {len(SCHEMA):,} characters of schema",
        "completion_tokens": "the model's answers are shorter or longer than the room they have",
    }
    for kind, reason in reasons.items():
        each = used.get(kind, 0) / calls
        high = bounds[kind][1] / most
        low = bounds[kind][0] / least if least else high
        if _off(each, low, high):
            name = kind.replace("_", " ")
            yield f"{each:,.0f} {name} a call, not {low:,.0f} to {high:,.0f}: {reason}"


def _off(value: float, least: float, most: float) -> bool:
    return value > FACTOR * most or value * FACTOR < least


def _gone(stage: str, rejects: Mapping[tuple[str, str], int]) -> str:
    """What went to the ledger there, so that more or less was asked afterwards."""
    mine = [(code, number) for (where, code), number in rejects.items() if where == stage]
    mine = sorted(mine or [(c, n) for (_, c), n in rejects.items()], key=lambda e: (-e[1], e[0]))
    if not mine:
        return ""
    return f" (to the ledger: {', '.join(f'{n:,} {code}' for code, n in mine[:SHOWN])})"
