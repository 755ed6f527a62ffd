"""`python -m benchmarks`: measure, print one table, write BENCHMARKS.md.

Everything is measured from outside, by running the commands as a user would, in a copy of the
project that may be changed; nothing of a former run is used.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.likeness import worst_ssim
from rendering.pictures import QUALITIES
from rendering.voice.voices import DEFAULT, NONE

PROJECT = Path(__file__).parents[1]
PARTS = ("model", "scenes", "rendering", "benchmarks", "assets", "render.py", "pyproject.toml")
MAXRSS = 1 if sys.platform == "darwin" else 1024  # bytes in what the system counts memory by
COMPARED = 20  # of how many frames one is compared
TWO = 2  # worker processes, unless there is one only


@dataclass(frozen=True)
class Run:
    """A command that was run: how long it took, and its largest process."""

    seconds: float
    megabytes: float
    output: str


@dataclass(frozen=True)
class Film:
    """What was measured of one film: seconds, megabytes, and the lowest SSIM."""

    slug: str
    manim: Run
    ours: Run
    alone: Run
    floor: float
    manims_size: float
    our_size: float
    likeness: float

    def cells(self) -> list[str]:
        """Return the row of the table."""
        a, b, c = self.manim.seconds, self.ours.seconds, self.floor
        return [
            self.slug,
            *(f"{each:.1f}" for each in (a, b, self.alone.seconds, c)),
            f"{a / b:.1f}",
            f"{b / c:.2f}",
            f"{self.manims_size:.2f}",
            f"{self.our_size:.2f}",
            f"{self.ours.megabytes:.0f}",
            f"{self.likeness:.3f}",
        ]


HEAD = [
    "film",
    "(a) manim, s",
    "(b) ours, s",
    "ours, 1 worker, s",
    "(c) floor, s",
    "a / b",
    "b / c",
    "manim, MB",
    "ours, MB",
    "largest process, MB",
    "lowest SSIM",
]


@dataclass(frozen=True)
class Bench:
    """A copy of the project in a folder of its own, and the quality that is measured."""

    folder: Path
    quality: str

    def films(self, slugs: Sequence[str]) -> list[Film]:
        """Measure films, one after the other."""
        return [self.film(slug) for slug in slugs]

    def film(self, slug: str) -> Film:
        """Measure one film: manim, ours and the floor, one right after the other."""
        file, scene = self._where(slug)
        manims = self.folder / "manim"
        flags = ("--disable_caching", f"-q{self.quality}", "--media_dir", manims)
        manim = self.run("-m", "manim", "render", *flags, file, scene)
        ours = self.render(slug, media=self.folder / f"media-{slug}")
        floor = float(self.run("-m", "benchmarks.floor", slug, self.quality, TWO).output)
        alone = self.render(slug, "-j", 1, media=self.folder / f"alone-{slug}")
        one = next(manims.glob(f"videos/**/{scene}.mp4"))
        other = next((self.folder / f"media-{slug}").glob("**/film.mp4"))
        rate = QUALITIES[self.quality][2]
        return Film(
            slug, manim, ours, alone, floor, _size(one), _size(other),
            worst_ssim(one, other, rate, COMPARED),
        )  # fmt: skip

    def together(self, slugs: Sequence[str]) -> list[tuple[str, Run]]:
        """Measure all films in one command, and what it costs when little or nothing changed."""
        media = self.folder / "media-all"
        spoken = self.folder / "media-spoken"
        found = [("all these films in one command", self.render(*slugs, media=media))]
        for what, again in (("the same, speaking", True), ("speaking, nothing changed", False)):
            speaking = self.render(*slugs, "--voice", DEFAULT, media=spoken, again=again)
            found.append((what, speaking))
        found.append(("again, nothing changed", self.render(*slugs, media=media, again=False)))
        found.append(("status, nothing changed", self.run(
            "render.py", "status", *slugs, *self._picture(media)
        )))  # fmt: skip
        with (self.folder / self._where(slugs[0])[0]).open("a") as file:
            file.write("\nEDITED = True\n")
        edited = self.render(*slugs, media=media, again=False)
        found.append((f"again, {slugs[0]} edited", edited))
        self.run("-m", "benchmarks.retrained", self.folder / "assets" / "gpt")
        retrained = self.render(*slugs, media=media, again=False)
        found.append(("again, model retrained", retrained))
        return found

    def render(self, *arguments: object, media: Path, again: bool = True) -> Run:
        """Render with two workers unless told."""
        flags = ["-f"] if again else []
        workers = [] if "-j" in arguments else ["-j", TWO]
        return self.run("render.py", "render", *arguments, *workers, *flags, *self._picture(media))

    def run(self, *arguments: object) -> Run:
        """Run Python in the copy; raises CalledProcessError if it fails."""
        command = [sys.executable, *map(str, arguments)]
        environment = os.environ | {
            "PYTHONPATH": str(self.folder),
            "OMP_NUM_THREADS": "1",
            "FILMS_VOICE": NONE,  # as manim's films are
        }
        start = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own commands
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command, output)
        return Run(seconds, usage.ru_maxrss * MAXRSS / 2**20, output)

    def _picture(self, media: Path) -> list[object]:
        return ["-q", self.quality, "--media_dir", media]

    def _where(self, slug: str) -> tuple[str, str]:
        """Return a film's file and class."""
        script = f"""
import inspect
from scenes import FILMS
film = next(film for film in FILMS if film.slug() == {slug!r})
print(inspect.getfile(film), film.__name__)
"""
        file, scene = self.run("-c", script).output.split()
        return str(Path(file).relative_to(self.folder)), scene


@click.command()
@click.option("--quick", is_flag=True, help="One film at 480p15: to see that it works.")
@click.argument("slugs", metavar="[FILM]...", nargs=-1)
def main(slugs: tuple[str, ...], *, quick: bool) -> None:
    """Measure films, the first three unless named."""
    with TemporaryDirectory() as folder:
        copy = Path(folder).resolve()
        for part in PARTS:
            source = PROJECT / part
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, copy / part)
        bench = Bench(copy, "l" if quick else "h")
        chosen = slugs or _first(bench, 1 if quick else 3)
        text = report(bench.quality, bench.films(chosen), bench.together(chosen))
    click.echo(text)
    if not quick:
        (PROJECT / "BENCHMARKS.md").write_text(text, encoding="utf-8")


def report(quality: str, films: Iterable[Film], together: Iterable[tuple[str, Run]]) -> str:
    """Return what BENCHMARKS.md says."""
    width, height, rate = QUALITIES[quality]
    rows = [film.cells() for film in films]
    cases = [[name, f"{run.seconds:.1f}", f"{run.megabytes:.0f}"] for name, run in together]
    return f"""# Benchmarks

{width} x {height}, {rate} frames a second; {os.cpu_count()} cores, {platform.machine()},
Python {platform.python_version()}, manim {version("manim")}, PyAV {version("av")}; {_today()}.
`make bench` makes this table anew: each film is rendered by `manim render` (caching off, its
defaults) and by us (two workers unless said), and its distinct frames are encoded alone.

{_table(HEAD, rows)}

(a) is the plain command on the same film. (c) is the time in which two workers encode the film's
distinct frames, converted beforehand, with the same encoder and nothing else to do. The lowest
SSIM is that of the frame of ours that is least like manim's at the same time; one frame of
{COMPARED} is compared.

{_table(["what", "s", "largest process, MB"], cases)}
"""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, its columns aligned."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    rule = ["-" * width for width in widths]
    return "\n".join(
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in (lines[0], rule, *lines[1:])
    )


def _first(bench: Bench, count: int) -> tuple[str, ...]:
    """Return the first films' slugs."""
    script = f"from scenes import FILMS;print(*[film.slug() for film in FILMS[:{count}]])"
    return tuple(bench.run("-c", script).output.split())


def _size(file: Path) -> float:
    """Return a file's size in megabytes."""
    return file.stat().st_size / 1e6


def _today() -> str:
    return time.strftime("%Y-%m-%d")


if __name__ == "__main__":
    main()
