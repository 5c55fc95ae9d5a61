"""What a configuration asks for and cannot have is told before anything is read or written."""

from __future__ import annotations

import os
import sqlite3
from itertools import islice
from pathlib import Path

import pytest

from generators.queries.archetypes.load import load_archetypes
from generators.taxonomy import load_taxonomy
from graphmill.errors import ConfigError
from pipelines.cli.commands import main
from pipelines.configuration.config import Config, load
from pipelines.configuration.feasibility import split_warnings, warnings
from pipelines.configuration.proposals import pairs_of

RELATIONAL = """[[source]]
kind = "relational"
url = "{url}"
name = "{name}"
domain = "{domain}"
subdomain = "s"
"""
SYNTHETIC = """[[source]]
kind = "synthetic"
domain = "{domain}"
subdomain = "{sub}"
"""


def loaded(folder: Path, corpus: str, *sources: str, more: str = "") -> Config:
    """The configuration with these sources, in a folder with a database, a text and a folder."""
    sqlite3.connect(folder / "a.sqlite").execute(
        "CREATE TABLE IF NOT EXISTS t (id INTEGER)"
    ).connection.close()
    (folder / "text.sqlite").write_text("hello")
    (folder / "empty.sqlite").touch()
    (folder / "folder.sqlite").mkdir(exist_ok=True)
    (folder / "c.toml").write_text("\n".join([f'[corpus]\nname = "c"\n{corpus}', *sources, more]))
    return load(folder / "c.toml")


def relational(name: str = "a", url: str = "a.sqlite", domain: str = "d") -> str:
    return RELATIONAL.format(name=name, url=url, domain=domain)


def test_names_that_differ_in_case_alone_are_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"source\.2\.name: a second source is called 'A', but"):
        loaded(tmp_path, "", relational("a"), relational("A"))
    with pytest.raises(ConfigError, match=r"a second source is called 'a'; set"):
        loaded(tmp_path, "", relational("a"), relational("a"))


def test_a_graph_that_takes_long_to_draw_is_told_of(tmp_path: Path) -> None:
    drawn = SYNTHETIC.format(domain="travel", sub="hotels")
    with pytest.raises(
        ConfigError, match=r"nodes: input should be less than or equal to 100000000"
    ):
        loaded(tmp_path, "", f"{drawn}nodes = 1_000_000_000\n")
    (told,) = warnings(loaded(tmp_path, "", f"{drawn}nodes = 96_000_000\n"))
    assert told == "hotels has 96,000,000 nodes and edges, which take 4 minutes or more to draw."
    assert not list(warnings(loaded(tmp_path, "", f"{drawn}nodes = 40_000_000\n")))


def test_a_file_without_any_pair_is_an_error_of_its_source(tmp_path: Path) -> None:
    pairs = 'pairs = "a.sqlite"\n'
    config = loaded(tmp_path, "", f"{relational()}{pairs}")
    for most in (None, 1):  # a build with --limit takes a few
        with pytest.raises(ConfigError, match=r"a\.sqlite has no pair: none of its \d+ items can"):
            list(islice(pairs_of(config, config.source[0]), most))
    (tmp_path / "some.jsonl").write_text('x\n{"question": "q", "sql": "SELECT 1"}\n')
    config = loaded(tmp_path, "", f"{relational()}{pairs.replace('a.sqlite', 'some.jsonl')}")
    assert len(list(pairs_of(config, config.source[0]))) == 2


def test_only_a_synthetic_source_fills_a_synthetic_test(tmp_path: Path) -> None:
    only = 'test = "synthetic-only"'
    with pytest.raises(ConfigError, match=r"corpus\.test: no source is synthetic"):
        loaded(tmp_path, only, relational())
    drawn = SYNTHETIC.format(domain="travel", sub="hotels")
    assert loaded(tmp_path, only, relational(), drawn)
    shares = "splits = { train = 0.9, validation = 0.1, test = 0.0 }"
    assert loaded(tmp_path, f"{only}\n{shares}", relational())


def test_one_database_or_domain_is_not_split_by_itself(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"corpus\.split_by: all is of one database"):
        loaded(tmp_path, 'split_by = "database"', relational())
    with pytest.raises(ConfigError, match=r"corpus\.split_by: all is of one domain"):
        loaded(tmp_path, 'split_by = "domain"', relational("a"), relational("b"))
    assert loaded(tmp_path, 'split_by = "shape"', relational())
    whole = "splits = { train = 1.0, validation = 0.0, test = 0.0 }"
    assert loaded(tmp_path, f'split_by = "database"\n{whole}', relational())


def test_a_split_for_which_no_database_is_left_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [relational(name) for name in "abc"]
    assert not list(split_warnings(loaded(tmp_path, "", *names)))
    assert not list(split_warnings(loaded(tmp_path, "", names[0])))
    (warning,) = split_warnings(loaded(tmp_path, "", *names[:2]))
    assert "2 databases for 3 splits" in warning
    assert main(["build", str(tmp_path / "c.toml"), "--estimate"]) == 0
    assert "warning: there are 2 databases for 3 splits" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("text.sqlite", "neither a SQLite database nor a DuckDB database: .*text.sqlite"),
        ("folder.sqlite", "a folder, and no file: .*folder.sqlite"),
        ("sqlite:///", "a folder, and no file"),
    ],
)
def test_what_is_no_database_is_told(tmp_path: Path, url: str, said: str) -> None:
    with pytest.raises(ConfigError, match=rf"line 6: source\.1\.url: {said}"):
        loaded(tmp_path, "", relational(url=url))


OTHERS = {
    "script": relational().replace('url = "a.sqlite"', 'script = "{file}"'),
    "url": relational(url="sqlite:///{file}"),
    "pairs": relational() + 'pairs = "{file}"\n',
    "lexicon": relational() + 'lexicon = "{file}"\n',
    "path": '[[source]]\nkind = "graph"\npath = "{file}"\ndomain = "d"\nsubdomain = "s"\n',
    "taxonomy.1": SYNTHETIC.format(domain="d", sub="s") + 'taxonomy = ["{file}"]\n',
}


@pytest.mark.parametrize("key", OTHERS)
def test_a_pipe_or_device_is_no_file_of_a_configuration(tmp_path: Path, key: str) -> None:
    """Nothing of it is read: a device never ends, and a pipe never begins."""
    os.mkfifo(tmp_path / "pipe")
    for file, kind in (("pipe", "a named pipe"), ("/dev/zero", "a character device")):
        with pytest.raises(ConfigError, match=rf"source\.1\.{key}: .*{file} is {kind}, no reg"):
            loaded(tmp_path, "", OTHERS[key].format(file=file))


def test_a_pipe_in_a_folder_of_a_configuration_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for load_folders in (load_archetypes, load_taxonomy):
        with pytest.raises(ConfigError, match="is a named pipe, no regular file"):
            load_folders([tmp_path])


def test_a_variable_of_an_address_that_is_not_set_has_a_place(tmp_path: Path) -> None:
    """But for what others build, whose environment is not known here."""
    server = relational(url="postgresql://u:${GRAPHMILL_NOBODY}@localhost/a")
    with pytest.raises(ConfigError, match=r"c\.toml: line 6: source\.1\.url: the variable GRAPHMI"):
        loaded(tmp_path, "", server)
    assert load(tmp_path / "c.toml", here=False).source


def test_an_empty_file_is_a_database_without_tables(tmp_path: Path) -> None:
    assert loaded(tmp_path, "", relational(url="empty.sqlite"))


def test_a_domain_that_nobody_knows_is_told(tmp_path: Path) -> None:
    unknown = SYNTHETIC.format(domain="travle", sub="hotels")
    said = r"source\.1\.subdomain: There is no sub-domain 'travle/hotels'.*travel/hotels.*`path`"
    with pytest.raises(ConfigError, match=said):
        loaded(tmp_path, "", unknown)
    model = '[author]\nkind = "llm"\nbase_url = "http://127.0.0.1:9"\nmodel = "m"'
    assert loaded(tmp_path, "", unknown, more=model), "a model knows any domain"
