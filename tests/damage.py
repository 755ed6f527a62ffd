"""Damages a checkpoint's files again and again and loads it each time, within bounded memory.

Run as a program, `damage.py FOLDER TIMES`: it prints how many loads ended well and how many in a
refusal, and fails if one ends in anything else.
"""

import random
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from model.checkpoint import load
from model.errors import Unusable

SLACK = 64 * 2**20  # bytes; what the libraries may keep for themselves
HEADER = 4000  # bytes at the start of a file, in which most of its structure stands


def damages(whole: dict[str, bytes], times: int) -> Iterator[tuple[str, bytes]]:
    """Yield a file's name and what it is damaged to: bytes changed, cut off, doubled or moved."""
    chance = random.Random(0)  # noqa: S311 - it damages files, it keeps no secret
    for _ in range(times):
        name = chance.choice(sorted(whole))
        content = bytearray(whole[name])
        reach = len(content) if chance.random() < 0.3 else min(len(content), HEADER)
        start = chance.randrange(reach)
        match chance.randrange(6):
            case 0:
                del content[start:]
            case 1:
                content[start:start] = content[start : start + chance.randrange(1, 200)]
            case 2:
                del content[start : start + chance.randrange(1, 30)]
            case 3:
                digits = str(chance.choice([0, -1, 2**31, 2**63, 10**30])).encode()
                content[start : start + len(digits)] = digits
            case _:
                for _ in range(chance.choice((1, 1, 4, 30))):
                    content[chance.randrange(reach)] = chance.randrange(256)
        yield name, bytes(content)


def main(folder: Path, times: int) -> None:
    """Load the honest folder, bound the memory, then load the damaged ones."""
    load(folder)
    names = ("config.json", "model.safetensors", "tokenizer.json")
    whole = {name: (folder / name).read_bytes() for name in names}
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = used + 2 * sum(map(len, whole.values())) + SLACK
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    loaded = refused = 0
    for name, content in damages(whole, times):
        (folder / name).write_bytes(content)
        try:
            load(folder)
            loaded += 1
        except Unusable as refusal:
            refused += 1
            if "\n" in str(refusal):
                raise
        (folder / name).write_bytes(whole[name])
    print(loaded, refused)  # noqa: T201 - a program of its own


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
