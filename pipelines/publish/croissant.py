"""`croissant.json`: the corpus as Croissant 1.0 (MLCommons) describes data sets.

Each Parquet file is a FileObject with its SHA-256, and a RecordSet of its flat columns. Columns
that hold structures (queries, answer, certificates, …) are left to Parquet's own schema: a
language's configuration has its queries as a flat column.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphmill.files import file_digest, stored_layout
from graphmill.record import SPLITS
from pipelines.publish.licences import Licences
from pipelines.release.description import Description
from pipelines.release.hub import configurations

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(folder: Path, about: Description, licences: Licences, canary: str) -> dict[str, Any]:
    """The description of the exported corpus in `folder`."""
    parts = list(_parts(folder))
    stated = sorted({each for each in (licences.corpus, *licences.graphs.values()) if each})
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "description": (
            f"{about.name}: questions with graph queries that answer them, each proven by "
            f"execution. Not to be trained on where it is a test: canary {canary}."
        ),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **({"license": [_licence(each) for each in stated]} if stated else {}),
        "keywords": ["text-to-cypher", "text-to-gql", "graph-database", "property-graph"],
        "version": "1.0.0",
        "citeAs": f"@misc{{corpus, title = {{{_braceless(about.name)}}}, note = {{graphmill}}}}",
        "distribution": [distribution for distribution, _ in parts],
        "recordSet": [record_set for _, record_set in parts],
    }


def _licence(name: str) -> str:
    """SPDX's page of a licence; one whose name is none of SPDX's stays a name."""
    plain = name.replace("-", "").replace(".", "").replace("+", "")
    return f"https://spdx.org/licenses/{name}.html" if plain.isalnum() else name


def _braceless(text: str) -> str:
    return text.replace("{", "").replace("}", "")


def _parts(folder: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """A file and its record set, configuration after configuration and split after split."""
    for config, place in configurations(folder).items():
        for split in SPLITS:
            for path in sorted((folder / place).glob(f"{split}-*.parquet")):
                name = path.relative_to(folder).as_posix()
                yield (
                    {
                        "@type": "cr:FileObject",
                        "@id": name,
                        "name": name,
                        "contentUrl": name,
                        "contentSize": f"{path.stat().st_size} B",
                        "encodingFormat": "application/x-parquet",
                        "sha256": file_digest(path),
                    },
                    {
                        "@type": "cr:RecordSet",
                        "@id": f"{config}/{split}",
                        "name": f"{config}/{split}",
                        "description": f"The {split} split of the configuration {config}.",
                        "key": {"@id": f"{config}/{split}/id"},
                        "field": list(_fields(f"{config}/{split}", name, stored_layout(path))),
                    },
                )


def _fields(of: str, file: str, layout: Any) -> Iterator[dict[str, Any]]:
    import pyarrow.types as types

    for column in layout:
        is_list = types.is_list(column.type)
        if not types.is_string(column.type.value_type if is_list else column.type):
            continue
        yield {
            "@type": "cr:Field",
            "@id": f"{of}/{column.name}",
            "name": f"{of}/{column.name}",
            "dataType": "sc:Text",
            **({"repeated": True} if is_list else {}),
            "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
        }
