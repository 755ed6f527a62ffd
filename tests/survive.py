"""Damages checkpoints and runs the command line on each, in a process of its own.

Run as a program, `survive.py FOLDER TIMES SEED [NUMBER]`: each checkpoint in FOLDER, which is
honest, is damaged TIMES times. It prints a line for each run that ended as no user should see it,
with the seed and number that make this damage again, and last how often each command ended how.

The project is imported once, and each run is a fork. It may take no more memory beyond ours than
the honest run took, twice the size of the checkpoint's files, and what libraries may keep.
"""

import gc
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

import safetensors
from damage import damage

import render
from model import corpus, heads
from rendering.film_index import find

SLACK = 64 * 2**20  # bytes
PATIENCE = 30  # seconds of processor time
HANGING = 4  # times as long by the clock: it waits for what never comes
PROMPT = ("--prompt", "the blue fox")
FILM = "cutting-text-into-tokens"
COMMANDS = {  # and how often each is run, in a hundred
    ("trace", "-o", "trace.safetensors", *PROMPT): 76,
    ("heads", "--json"): 15,
    ("status", FILM, "--json", *PROMPT): 7,
    ("check", FILM, "--json", *PROMPT): 2,
}
SENTENCE = re.compile(r"[A-Z].*[a-z)'].*\.\n")
Command = tuple[str, ...]


@dataclass(frozen=True)
class Ending:
    """How a run ended; a status below zero is the signal that ended it."""

    status: int
    out: str
    err: str
    most: int  # bytes of address space


def run(command: Command, most: int | None = None) -> Ending:
    """Run the command line in a fork, within so many bytes of address space."""
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place, name) for name in ("out", "err", "most")]
        for file in files:
            file.touch()
        child = os.fork()
        if not child:
            _become(command, most, files)
        _, status = os.waitpid(child, 0)
        out, err, taken = (file.read_text(errors="replace") for file in files)
    return Ending(os.waitstatus_to_exitcode(status), out, err, int(taken or 0))


def _become(command: Command, most: int | None, files: list[Path]) -> NoReturn:
    """End as `render.py` would end, without the time that Python takes to tidy up."""
    out, err, taken = (os.open(file, os.O_WRONLY) for file in files)
    status = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # pytest has a handler of its own
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        signal.setitimer(signal.ITIMER_REAL, HANGING * PATIENCE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(out, sys.stdout.fileno())
        os.dup2(err, sys.stderr.fileno())
        if most is not None:
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        try:
            render.main([*command, "--checkpoint", "checkpoint"])
        except SystemExit as ending:
            status = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        os.write(taken, str(_memory("VmPeak")).encode())
    except BaseException:  # noqa: BLE001 - whatever it is, it would have ended the program
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _memory(what: str) -> int:
    """Return how many bytes of address space this process has, or has had at most."""
    found = re.search(rf"{what}:\s*(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


def faults(command: Command, ending: Ending) -> Iterator[str]:
    """What is wrong with a run's ending and with what it left in the folder."""
    if ending.status in {-signal.SIGALRM, -signal.SIGPROF}:
        yield f"it hung for {PATIENCE} s or more"
        return
    has_findings = command[0] == "check" and ending.status == 1 and "check found" in ending.err
    if ending.status not in {0, 2} and not has_findings:
        yield f"exit status {ending.status}"
    if "Traceback" in ending.err or "panicked" in ending.err:
        yield "a traceback"
    if ending.status == 2 and not (
        SENTENCE.fullmatch(ending.err) and ending.err.removesuffix("\n").isprintable()
    ):
        yield "no sentence and nothing else"
    if "--json" in command and (ending.out or ending.status == 0) and not _is_json(ending.out):
        yield "no JSON document"
    if command[0] == "trace":
        yield from _trace_faults(ending)
    left = {path.name for path in Path().iterdir()} - {"checkpoint", "trace.safetensors"}
    if left:
        yield f"{left} left behind"


def _is_json(text: str) -> bool:
    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


def _trace_faults(ending: Ending) -> Iterator[str]:
    trace = Path("trace.safetensors")
    if trace.exists() != (ending.status == 0):
        yield "a trace where none should be, or none"
    elif trace.exists():
        try:
            with safetensors.safe_open(trace, framework="np") as file:
                assert "logits" in file.keys()  # noqa: SIM118 - not a dict
        except safetensors.SafetensorError:
            yield "half a trace"


def warm_up() -> None:
    """Do once what every run would do in the same way, whatever the checkpoint."""
    for card in find(["all"]):
        card.load()
    next(iter(corpus.documents(0, "held_out")))
    list(corpus.noun_phrases(0, heads.PHRASES))
    gc.collect()
    gc.freeze()


def fresh(kind: Path) -> None:
    """Empty the working directory and put an honest checkpoint there."""
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(kind, "checkpoint")


@cache
def honest_most(kind: Path, command: Command) -> int:
    """How much address space a command takes with an honest checkpoint, which it must accept.

    That of this process, of which each run is a copy, and which grows with the runs, is left out.
    """
    fresh(kind)
    ours = _memory("VmSize")
    ending = run(command)
    assert ending.status < 2, (kind, command, ending)
    assert not list(faults(command, ending)), (kind, command, ending)
    return ending.most - ours


def survive(kind: Path, seed: int, number: int) -> tuple[str, str]:
    """Damage a checkpoint and run a command on it: how it ended, and what was wrong with that."""
    chance = random.Random(f"{kind.name} {seed} {number}")  # noqa: S311 - it damages files
    (command,) = chance.choices(list(COMMANDS), list(COMMANDS.values()))
    most = honest_most(kind, command) + 2 * sum(path.stat().st_size for path in kind.iterdir())
    most += _memory("VmSize")
    fresh(kind)
    how = damage(Path("checkpoint"), chance)
    ending = run(command, most + SLACK)
    found = "; ".join(faults(command, ending))
    if found:
        found = (
            f"{kind.name} {seed} {number}: {command[0]} after {how}: {found}: {ending.err[-600:]}"
        )
    return f"{command[0]} {ending.status}", found


def main(folder: Path, times: int, seed: int, only: int | None = None) -> bool:
    """Answer whether all runs ended well."""
    kinds = sorted(path.resolve() for path in folder.iterdir())
    numbers = range(times) if only is None else [only]
    warm_up()
    endings, is_well = Counter[str](), True
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for number in numbers:
            for kind in kinds:
                ending, found = survive(kind, seed, number)
                endings[ending] += 1
                if found:
                    is_well = False
                    print(found, flush=True)  # noqa: T201 - a program of its own
        os.chdir("/")
    print(json.dumps(endings, sort_keys=True))  # noqa: T201 - a program of its own
    return is_well


if __name__ == "__main__":
    sys.exit(not main(Path(sys.argv[1]), *map(int, sys.argv[2:])))
