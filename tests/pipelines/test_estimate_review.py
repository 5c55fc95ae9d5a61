"""What an estimate missed by more than three times is explained, and nothing else."""

import pytest

from pipelines.build.estimate_review import missed

ESTIMATED = {"seeds": {"calls": [10, 40], "prompt_tokens": [10_000, 60_000]}}
ESTIMATED["seeds"]["completion_tokens"] = [1_000, 24_000]
FITS = {"calls": 20, "prompt_tokens": 24_000, "completion_tokens": 4_000}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, []),
        # at the edge: three times the most, a third of the least
        ({"calls": 120, "prompt_tokens": 120_000, "completion_tokens": 24_000}, []),
        (
            {"calls": 121, "prompt_tokens": 121_000, "completion_tokens": 24_200},
            ["121 calls, not 10 to 40 (to the ledger: 7 tier-full, 2 duplicate)"],
        ),
        ({"calls": 3, "prompt_tokens": 3_000, "completion_tokens": 600}, ["3 calls, not 10 to 40"]),
        ({"prompt_tokens": 200_000}, ["10,000 prompt tokens a call, not 1,000 to 1,500"]),
        ({"completion_tokens": 400}, ["20 completion tokens a call, not 100 to 600"]),
    ],
)
def test_a_stage_that_was_off_is_explained(change: dict[str, int], says: list[str]) -> None:
    rejects = {("seeds", "tier-full"): 7, ("seeds", "duplicate"): 2, ("prove", "timeout"): 9}
    sentences = missed(ESTIMATED, {"seeds": {**FITS, **change}}, rejects)
    assert len(sentences) == bool(says)
    for part in says:
        assert part in sentences[0]


def test_a_stage_that_nobody_expected_is_told() -> None:
    assert missed({}, {"knowledge": FITS}, {}) == [
        "Estimate of knowledge: 20 calls, where none were expected."
    ]
