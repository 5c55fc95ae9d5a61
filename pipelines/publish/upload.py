"""`graphmill publish`: an exported corpus to the Hugging Face Hub, through huggingface_hub.

The token is that of the environment (`HF_TOKEN`) or of the login (`hf auth login`); it is never an
argument, and hidden in every message. The repository is private unless told, and one that is public
already is not written to without being told. An upload that was interrupted goes on where it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmill.errors import ConfigError, GraphmillError
from graphmill.secrets import keep

_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,94}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Upload:
    """What is, or would be, uploaded where: a number of files and bytes."""

    repository: str
    private: bool
    files: int
    size: int
    url: str = ""

    def to_json(self) -> dict[str, Any]:
        """A line of output."""
        line = {"repository": self.repository, "private": self.private, "files": self.files}
        return {**line, "bytes": self.size, **({"url": self.url} if self.url else {})}


def planned(folder: Path, repository: str, *, public: bool) -> Upload:
    """What would be uploaded.

    Raises:
        ConfigError: `repository` is no name of one.
    """
    parts = repository.split("/")
    if not 1 <= len(parts) <= 2 or not all(
        _NAME.fullmatch(part) and "--" not in part and ".." not in part for part in parts
    ):
        raise ConfigError(f"'{repository}' is no name of a repository: NAME or USER/NAME.")
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return Upload(repository, not public, len(sizes), sum(sizes))


def upload(folder: Path, plan: Upload, endpoint: str | None = None) -> Upload:
    """Make the repository where there is none, and upload the folder.

    `endpoint` is the Hub's address; None is that of huggingface_hub (`HF_ENDPOINT`).

    Raises:
        ConfigError: there is no token.
        GraphmillError: the repository is public and `plan` is private; or the Hub refuses, or
            cannot be reached.
    """
    from httpx import HTTPError
    from huggingface_hub import HfApi, get_token
    from huggingface_hub.errors import HfHubHTTPError

    token = get_token()
    if not token:
        raise ConfigError("There is no token: `hf auth login`, or set the variable HF_TOKEN.")
    keep(token)
    hub = HfApi(endpoint=endpoint, token=token)
    try:
        made = hub.create_repo(
            plan.repository, private=plan.private, repo_type="dataset", exist_ok=True
        )
        about = hub.repo_info(made.repo_id, repo_type="dataset")
        if plan.private and not about.private:
            raise GraphmillError(
                f"{made.repo_id} is there and public: --public says that this is meant."
            )
        hub.upload_folder(
            repo_id=made.repo_id,
            folder_path=folder,
            repo_type="dataset",
            commit_message="A corpus of graphmill",
        )
    except (HfHubHTTPError, HTTPError, OSError, ValueError) as problem:
        reason = str(problem).strip().splitlines() or [type(problem).__name__]
        raise GraphmillError(f"The Hub did not take {folder}: {reason[0]}") from problem
    return Upload(made.repo_id, bool(about.private), plan.files, plan.size, str(made))
