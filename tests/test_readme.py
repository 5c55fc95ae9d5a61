"""The blocks of README run as they stand, in a folder with a small shop."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL
  REFERENCES customers (id), total DECIMAL (8, 2) NOT NULL);
INSERT INTO customers VALUES (1, 'Ada', 'Turin'), (2, 'Béla', 'Pécs'), (3, 'Chi', NULL);
INSERT INTO orders VALUES (1, 1, 20.5), (2, 1, 7), (3, 2, 99.9), (4, 2, 12);
"""
PAIRS = [
    {"question": "How many orders are there?", "sql": "SELECT count(*) FROM orders"},
    {"question": "Who lives in Turin?", "sql": "SELECT name FROM customers WHERE city = 'Turin'"},
    {
        "question": "How many orders has each customer placed?",
        "sql": "SELECT c.name, count(*) FROM orders o JOIN customers c ON o.customer_id = c.id "
        "GROUP BY c.id, c.name",
    },
]


def blocks(kind: str) -> list[str]:
    """The fenced blocks of README that begin with ```kind, exactly."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    database = sqlite3.connect(tmp_path / "shop.sqlite")
    database.executescript(SHOP)
    database.commit()
    database.close()
    lines = "".join(json.dumps(pair) + "\n" for pair in PAIRS)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_the_shell_blocks_run(shop: Path) -> None:
    found = blocks("sh")
    assert len(found) == 2
    commands = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(found)],
        cwd=shop,
        env={**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    lines = done.stdout.splitlines()  # a preview's are for people
    results = [json.loads(line) for line in lines if line.startswith("{")]
    assert {"ok": True, "columns": ["n"], "rows": [[4]]}.items() <= results[-4]["result"].items()
    assert "Did you mean 'Order'?" in results[-3]["diagnostics"][0]["message"]
    assert results[-2]["nodes"] == 2000
    assert results[-1]["rows"] == results[-2]["nodes"] + results[-2]["edges"]


def test_the_set_up_commands_are_those_of_the_script() -> None:
    assert [block.strip() for block in blocks("sh setup")] == ["./dev corpus", "./dev test"]
    usage = subprocess.run(
        ["sh", str(ROOT / "dev"), "help"], capture_output=True, text=True, check=True
    ).stdout
    assert "./dev corpus" in usage
    assert "./dev test" in usage
