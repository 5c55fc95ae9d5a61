"""A corpus of a DuckDB file and of database servers: their own engines prove the source SQL."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from graphmill.errors import ConfigError
from graphmill.files import read_records
from graphmill.record import Record
from pipelines import run
from pipelines.configuration.config import RelationalSource, load
from pipelines.configuration.progress import Watch
from pipelines.verification.verify import verify
from tests.pipelines.conftest import SCHEMA
from tests.schemagraph.cases import duck_database
from tests.servers import PASSWORD, execute

pytestmark = pytest.mark.slow

QUIET = Watch(quiet=True)


def records(corpus: Path) -> list[Record]:
    files = sorted((corpus / "data").glob("*.parquet"))
    return [record for path in files for _, record in read_records(path)]


def pointed_at(config: Path, url: str, name: str) -> Path:
    named = f'{url}"\nname = "{name}'
    text = config.read_text("utf-8").replace("sqlite:///ferries.sqlite", named)
    config.write_text(text, encoding="utf-8")
    return config


def proven_by(corpus: Path, engine: str) -> int:
    found = records(corpus)
    assert len(found) >= 5
    for record in found:
        engines = {certificate.engine for certificate in record.certificates}
        assert {engine, "grafeo", "duckdb"} <= engines
        assert all(certificate.agrees for certificate in record.certificates)
    return len(found)


def test_a_duckdb_file(ferries: Path, tmp_path: Path) -> None:
    duck_database(ferries.parent, SCHEMA, "ferries.duckdb")
    out = tmp_path / "corpus"
    config = load(pointed_at(ferries, "duckdb:///ferries.duckdb", "ferries"))
    run.build(config, out, QUIET, limit=8)
    proven_by(out, "duckdb-file")
    source = out / "sources" / "ferries.duckdb"
    assert source.is_file()
    assert verify(out, QUIET).problems == []
    next((out / "graphs" / "ferries" / "nodes").glob("*.parquet")).unlink()
    found = verify(out, QUIET)
    assert found.runs  # the source needs no graph
    assert {each.code for each in found.problems} == {"file-missing", "file-damaged"}
    assert found.left_out["duckdb-file", "whose graph cannot be had"] == 0
    assert found.left_out["grafeo", "whose graph cannot be had"] > 0
    source.write_bytes(b"no database")
    codes = {each.code for each in verify(out, QUIET).problems}
    assert codes == {"file-missing", "file-damaged", "file-changed", "engine-unavailable"}


@pytest.mark.parametrize(
    ("server", "engine"), [("postgres_server", "postgresql"), ("mariadb_server", "mysql")]
)
def test_a_server(
    server: str,
    engine: str,
    ferries: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = request.getfixturevalue(server)
    tables = ("calls_at", "crossing", "ship", "port")
    drop = [f"DROP TABLE IF EXISTS {name}" for name in tables]
    script = SCHEMA
    if engine == "mysql":
        # which drops a foreign key that stands beside its column, and folds case by default
        own = "INTEGER, FOREIGN KEY (home) REFERENCES port (id))"
        script = script.replace("INTEGER\n  REFERENCES port (id))", own)
        script = script.replace("TEXT", "TEXT COLLATE utf8mb4_bin")
    execute(address, [*drop, *filter(str.strip, script.split(";"))])
    monkeypatch.setenv("SHOP_SECRET", PASSWORD)
    secret = address.replace(address.split(":")[2].split("@")[0], "${SHOP_SECRET}")
    assert "s3cret" not in unquote(secret)
    out = tmp_path / "corpus"
    run.build(load(pointed_at(ferries, secret, "ferries")), out, QUIET, limit=8)
    proven_by(out, engine)
    assert verify(out, QUIET).problems == []
    written = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    for text in (b"s3cret", b"tester", b"SHOP_SECRET"):
        assert text not in written
    execute(address, drop)
    monkeypatch.delenv("SHOP_SECRET")
    with pytest.raises(ConfigError, match=r"line [0-9]+: .*the variable SHOP_SECRET is not set"):
        run.build(load(ferries), out, QUIET)


def test_an_address_of_another_kind_is_refused(ferries: Path) -> None:
    with pytest.raises(ConfigError, match="url must be one of sqlite:///PATH"):
        load(pointed_at(ferries, "oracle://host/db", "ferries"))


def test_a_path_is_the_address_of_its_file(ferries: Path) -> None:
    text = ferries.read_text("utf-8")
    for name, scheme in (("a.db", "sqlite"), ("b.SQLITE", "sqlite"), ("c.duckdb", "duckdb")):
        (ferries.parent / name).touch()
        ferries.write_text(text, encoding="utf-8")
        (source,) = load(pointed_at(ferries, name, "ferries")).source
        assert isinstance(source, RelationalSource)
        assert source.url == f"{scheme}:///{name}"
    ferries.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"or a path that ends in \.sqlite"):
        load(pointed_at(ferries, "ferries.csv", "ferries"))
