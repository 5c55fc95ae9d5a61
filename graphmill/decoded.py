"""How many bytes a Parquet or gzip file becomes, told before anybody reads it whole.

A few kilobytes can decode to any number: values that repeat are stored once. It lies on the lowest
layer because corpora, sources and tables of foreign programs are all read like this.
"""

from __future__ import annotations

import gzip
import os
import zlib
from itertools import chain
from pathlib import Path

from graphmill.errors import ConfigError, SourceError
from graphmill.regular import check_regular

OPTION = "GRAPHMILL_MAX_DECODED_MB"
_FLOOR = 1 << 30  # bytes that any file may become
_TIMES = 100  # or as many times its own size, if that is more
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
_ROWS = 16_384
_DEFLATE = 1032  # the most that deflate makes of a byte


def limit(path: Path) -> int:
    """Bytes that a file may decode to: GRAPHMILL_MAX_DECODED_MB, else 1 GB, or 100 times its size
    where that is more.

    Raises:
        ConfigError: the variable is no number of megabytes.
    """
    text = os.environ.get(OPTION, "")
    if not text:
        return max(_FLOOR, _TIMES * path.stat().st_size)
    if not text.isdecimal() or not int(text):
        raise ConfigError(f"{OPTION} is a number of megabytes, not '{text[:40]}'.")
    return int(text) << 20


def check_parquet(path: Path) -> None:
    """Refuse a Parquet file that decodes to more than it may.

    Texts and bytes are counted with their dictionaries as they are stored, so that nothing large
    is ever made.

    Raises:
        SourceError: it would be larger; the message names file, limit and option.
        OSError, pyarrow.ArrowException: it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    check_regular(path)
    most = limit(path)
    with pq.ParquetFile(path) as file:
        fixed = open_ended = 0
        texts = []
        for group in range(file.metadata.num_row_groups):
            part = file.metadata.row_group(group)
            for number in range(part.num_columns):
                chunk = part.column(number)
                width = _WIDTHS.get(chunk.physical_type)
                if width is None and chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
                    width = file.schema.column(number).length
                fixed += chunk.num_values * (width or 4)
                if width is None:
                    open_ended += chunk.num_values * chunk.total_uncompressed_size
                    texts.append(chunk.path_in_schema)
                elif chunk.total_uncompressed_size > most:
                    raise _too_large(path, most)
        if fixed > most:
            raise _too_large(path, most)
        if fixed + open_ended <= most:
            return
    length = fixed
    with pq.ParquetFile(path, read_dictionary=sorted(set(texts))) as file:
        # one group after the other: Arrow cannot convert nested columns across them
        groups = range(file.metadata.num_row_groups)
        parts = (file.iter_batches(_ROWS, [n], columns=sorted(set(texts))) for n in groups)
        for batch in chain.from_iterable(parts):
            for column in batch.columns:
                while pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
                    column = column.flatten()
                if pa.types.is_dictionary(column.type):
                    sizes = pc.take(pc.binary_length(column.dictionary), column.indices)
                    length += pc.sum(sizes, min_count=0).cast(pa.int64()).as_py()
                else:
                    length += column.nbytes
                if length > most:
                    raise _too_large(path, most)


def check_gzip(path: Path) -> None:
    """Refuse a gzip file that decodes to more than it may.

    Raises:
        SourceError: it would be larger, or is damaged.
    """
    check_regular(path)
    most = limit(path)
    if path.stat().st_size * _DEFLATE <= most:
        return
    length = 0
    try:
        with gzip.open(path) as stream:
            while piece := stream.read(1 << 20):
                length += len(piece)
                if length > most:
                    raise _too_large(path, most)
    except (OSError, EOFError, zlib.error) as problem:
        raise SourceError(f"{path} cannot be read: {problem}.") from None


def _too_large(path: Path, most: int) -> SourceError:
    return SourceError(
        f"{path} has {path.stat().st_size:,} bytes and decodes to more than {most >> 20:,} MB, the "
        f"limit. If that is meant, set {OPTION} to more."
    )
