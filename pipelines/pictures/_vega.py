"""The process that draws plots: a Vega-Lite specification a line comes in as JSON, a picture a line
goes out. Started by `pipelines.pictures.drawing`; it ends with its input."""

from __future__ import annotations

import json
import sys

import vl_convert

VEGA_LITE = "6.4"


def serve() -> None:
    """Draw what comes in, one after the other; a specification that is none is an error of it."""
    for line in sys.stdin.buffer:
        try:
            answer = {"svg": vl_convert.vegalite_to_svg(json.loads(line), vl_version=VEGA_LITE)}
        except ValueError as problem:
            answer = {"error": str(problem)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
