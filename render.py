# ruff: noqa: PLC0415 - manim and torch take seconds to import: only a command that needs them does
"""The command line of Transformer Films."""

import configparser
import errno
import io
import json
import math
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from model import companions
from model.errors import Unusable
from rendering.failures import FilmFailed, internal_error
from rendering.new_film import ACTS, new_film, new_own_film
from rendering.options import PICTURE, REQUEST, checked, options, place, prompt
from rendering.pictures import DECKS, Picture, picture

if TYPE_CHECKING:
    from checking.report import Report
    from rendering.job import Job
    from rendering.progress import Summary

FAILED, UNUSABLE, BY_SIGNAL = 1, 2, 128
ENDING = ("SIGTERM", "SIGHUP")  # signals that end a command as Ctrl-C does
SHORT_FOR = "render"
DEFAULT_FILM = "dot-product-grid"
OUT = Path("checkpoints/gpt")
LARGEST_SEED = 2**63 - 1
MEGABYTE = 10**6  # bytes


class Films(click.Group):
    """Commands, of which `render` may be left out: `render.py dot-product-grid`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put in the command that was left out."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            ctx.meta["commands"] = [*self.commands]
            args = [SHORT_FOR, *args]
        return super().parse_args(ctx, args or ["--help"])


@click.group(cls=Films, context_settings={"help_option_names": ["-h", "--help"]})
def films() -> None:
    """Short films about the transformer, every number in them computed by a real one.

    `render.py FILM...` is short for `render.py render FILM...`. A FILM is a name such as
    dot-product-grid, or all.
    """


@films.command("list")
@options("json")
def list_films(*, as_json: bool) -> None:
    """Show every film and its beats."""
    from rendering.film_index import describe
    from rendering.job import Subject
    from scenes import FILMS

    found = [describe(film, Subject().request()) for film in FILMS]
    if as_json:
        _print_json({"films": found})
        return
    for film in found:
        click.echo(f"{film['film']}: {film['title']} ({film['act']}; {film['length']} s)")
        click.echo(f"  {film['goal']}\n  prompt: {film['prompt']}")
        for number, beat in enumerate(film["beats"], 1):
            click.echo(f"  {number:2} {beat['name']}: {beat['narration']}")


@films.command()
@options(
    "films", *PICTURE, "preview", "beat", "jobs", "scheduler", "again", *REQUEST, "aspect", "voice",
    "music", "stems", "media", "json",
)  # fmt: skip
@click.pass_context
def render(
    ctx: click.Context,
    /,
    names: tuple[str, ...],
    *,
    as_json: bool,
    **chosen: Any,  # noqa: ANN401 - options
) -> None:
    """Make films; what is fresh is kept."""
    wanted = _picture(chosen)

    from rendering import session

    def tell(summary: "Summary") -> None:
        if as_json:
            _print_json(summary.told())
        for path in summary.results:
            if not as_json:
                click.echo(path)
            if chosen["preview"]:
                click.launch(str(path))

    jobs = session.jobs(names, wanted, chosen, ctx.meta.get("commands", ()))
    session.render(jobs, session.hire(chosen["jobs"], chosen["scheduler"]), tell)


@films.command()
@click.option("--to", "kind", type=click.Choice(list(DECKS)), default="html", show_default=True,
              help="What the deck is shown with.")  # fmt: skip
@click.option("-o", "--out", callback=checked(place), metavar="PATH",
              help="The deck's folder, or its file for pptx and --one-file.")  # fmt: skip
@click.option("--film", "whole", is_flag=True, help="A whole film on a slide, not a beat.")
@click.option("--one-file", "one_file", is_flag=True, help="html: everything in one file.")
@click.option("--embed", is_flag=True,
              help="html: print the slides for a deck of reveal.js that you have; with -o its "
              "folder, to which the clips are copied.")  # fmt: skip
@click.option("--captions/--no-captions", default=True, help="html: show captions at first.")
@click.option("--on-click", "on_click", is_flag=True, help="pptx: clips wait for a click.")
@options("films", "quality", "fps", "format", "transparent", *REQUEST, "aspect", "voice", "media",
         "jobs", "scheduler")  # fmt: skip
def deck(names: tuple[str, ...], **chosen: Any) -> None:  # noqa: ANN401 - options
    """Make slides that play films, a beat a slide.

    Clips that are there are used; the others are made first.
    """
    from rendering import session, slides

    of_deck = ("kind", "out", "whole", "one_file", "embed", "captions", "on_click")
    wanted = slides.Wanted(**{key: chosen[key] for key in of_deck})
    of_clips = ("quality", "fps", "aspect", "file_format", "transparent")
    jobs = session.jobs(names, picture(**{key: chosen[key] for key in of_clips}), chosen)
    wanted.refuse_unsuited(jobs[0].picture)
    made: list[Job] = []
    session.render(
        jobs,
        session.hire(chosen["jobs"], chosen["scheduler"]),
        lambda summary: made.extend(each.job for each in summary.outcomes if each.is_done),
        with_course=False,
    )
    click.echo(slides.write(made, wanted))


@films.command()
@options("films or all", *PICTURE, *REQUEST, "aspect", "voice", "music", "stems", "media", "json")
def status(names: tuple[str, ...], *, as_json: bool, **chosen: Any) -> None:  # noqa: ANN401 - options
    """Say which films are fresh, stale or missing, and why."""
    from rendering import session
    from rendering.film_index import ALL
    from rendering.freshness import freshness

    found = [freshness(job) for job in session.jobs(names or (ALL,), _picture(chosen), chosen)]
    if as_json:
        _print_json({"films": [each.told() for each in found]})
        return
    for each in found:
        why = f": {', '.join(each.reasons)}" if each.reasons else ""
        name = " ".join(filter(None, (each.job.entry.slug, each.job.variant)))
        click.echo(f"{name}: {each.state}{why}")


@films.command()
@options("films or all", *PICTURE, *REQUEST, "aspect", "voice", "media")
@click.pass_context
def watch(ctx: click.Context, /, names: tuple[str, ...], **chosen: Any) -> None:  # noqa: ANN401 - options
    """Make stale films again whenever the checkpoint or their code changes."""
    from rendering import session, watch
    from rendering.film_index import ALL

    jobs = session.jobs(names or (ALL,), _picture(chosen), chosen)
    sources = {job.entry.source for job in jobs}
    slugs = [job.entry.slug for job in jobs]
    watch.watch(jobs[0].subject.folder, sources, _given_options(ctx), slugs, _say)


@films.command()
@options("film", "two checkpoints", "quality", "fps", "constant", "prompt", "layer", "head",
         "theme", "media", "jobs", "scheduler", "again", "json")  # fmt: skip
def compare(
    name: str,
    checkpoints: list[Path],
    *,
    as_json: bool,
    **chosen: Any,  # noqa: ANN401 - options
) -> None:
    """Show a film of two models in one clip, side by side."""
    from rendering import session

    if len(checkpoints) != 2:
        raise Unusable("A comparison is of two models: give --checkpoint twice.")
    whole = picture(chosen["quality"], chosen["fps"], constant=chosen["constant"])
    workers = session.hire(chosen["jobs"], chosen["scheduler"])
    made = session.compare(name, checkpoints, whole, chosen, workers)
    if as_json:
        _print_json({"film": name, "file": str(made)})
    else:
        click.echo(made)


@films.command()
@options("films", *REQUEST, "aspect", "media")
def storyboard(names: tuple[str, ...], **chosen: Any) -> None:  # noqa: ANN401 - options
    """Draw every beat's last frame on one sheet a film."""
    from rendering import session
    from rendering.storyboard import write_storyboard

    jobs = session.jobs(names, picture(aspect=chosen["aspect"]), chosen)
    session.for_each(jobs, lambda job: click.echo(write_storyboard(job)), _say)


@films.command()
@click.option("-o", "--out", callback=checked(place), metavar="FILE", help="The file to write.")
@options("films", *REQUEST, "aspect")
def script(names: tuple[str, ...], out: Path | None, **chosen: Any) -> None:  # noqa: ANN401 - options
    """Write what a speaker reads, beat by beat, with times."""
    from model.files import write_whole
    from rendering import session
    from rendering.script import script as script_of

    jobs = session.jobs(names, picture(aspect=chosen["aspect"]), {**chosen, "media": Path()})
    texts = "\n".join(script_of(job) for job in jobs)
    if out is None:
        click.echo(texts, nl=False)
    else:
        write_whole({out: texts.encode()})
        click.echo(out)


@films.command()
@options("films", *REQUEST, "aspect", "voice", "media", "jobs", "json")
@click.pass_context
def check(ctx: click.Context, /, names: tuple[str, ...], *, as_json: bool, **chosen: Any) -> None:  # noqa: ANN401 - options
    """Look for faults in films, and list their numbers."""
    from checking import report_on
    from rendering import session

    reports: list[Report] = []
    jobs = session.jobs(names, picture(aspect=chosen["aspect"]), chosen)
    try:
        with session.hire(chosen["jobs"]) as workers:
            report_of = workers.doing(report_on, jobs)
            session.for_each(jobs, lambda job: reports.append(report_of(job)), _say)
    finally:
        if as_json:
            _print_json({"films": [_report(report) for report in reports]})
        else:
            _print_reports(reports)
    found = sum(len(report.findings) for report in reports)
    if found:
        bad = [report.film for report in reports if report.findings]
        _say(f"check found {_counted(found, 'fault')} in {', '.join(bad)}: mend what it names.")
        ctx.exit(FAILED)


@films.command()
@options("checkpoint", "json")
def heads(*, as_json: bool, **chosen: Any) -> None:  # noqa: ANN401 - options
    """Show what each attention head does, measured."""
    from model import checkpoint
    from model.heads import measured
    from rendering.job import Subject

    found = measured(checkpoint.load(Subject.of(chosen).folder))
    if as_json:
        scores = [{"layer": one.layer, "head": one.head, "scores": one.scores()} for one in found]
        _print_json({"heads": scores})
        return
    from rich.console import Console
    from rich.table import Table

    names = [name.replace("_", " ") for name in found[0].scores()]
    table = Table("layer", "head", *names, title="Mean attention given, 0 to 1")
    for one in found:
        cells = ["-" if score is None else f"{score:.2f}" for score in one.scores().values()]
        table.add_row(str(one.layer), str(one.head), *cells)
    Console().print(table)


@films.command()
@click.option("--prompt", "prompts", multiple=True, required=True, metavar="TEXT...",
              help="Texts to compare, side by side.")  # fmt: skip
@click.argument("more", nargs=-1, metavar="")
@options("checkpoint", "layer", "head", "json")
def look(
    prompts: tuple[str, ...],
    more: tuple[str, ...],
    *,
    as_json: bool,
    layer: int | None,
    head: int | None,
    **chosen: Any,  # noqa: ANN401 - options
) -> None:
    """Show what a model makes of several prompts, side by side."""
    from checking import look as looking
    from rendering.job import Subject

    looks = looking.look(
        [prompt(text) for text in (*prompts, *more)], Subject.of(chosen).folder, layer, head
    )
    if as_json:
        _print_json({"prompts": [each.told() for each in looks]})
        return
    from rich.console import Console

    Console().print(looking.table(looks))


@films.command()
@click.argument("slug", metavar="SLUG|FILE.py")
@click.option("--act", type=click.Choice(list(ACTS)), help="Where a film of ours belongs.")
def new(slug: str, act: str | None) -> None:
    """Write the skeleton of a film, which renders at once.

    A SLUG becomes a film of this project, with its test; FILE.py is one of your own, anywhere.
    """
    if slug.endswith(".py"):
        click.echo(new_own_film(place(slug)))
        return
    if act is None:
        raise Unusable(f"Say where {slug} belongs with --act, or name a file such as {slug}.py.")
    for path in new_film(slug, act):
        click.echo(path)


@films.command()
@click.option("-o", "--out", callback=checked(place), required=True, metavar="FILE",
              help="The safetensors file to write.")  # fmt: skip
@options("prompt", "checkpoint")
def trace(out: Path, **chosen: Any) -> None:  # noqa: ANN401 - options
    """Write every tensor of one forward pass."""
    from model import checkpoint
    from model.trace import record
    from rendering.film_index import find
    from rendering.job import Subject

    loaded = checkpoint.load(Subject.of(chosen).folder)
    (film,) = find([DEFAULT_FILM])
    record(loaded.model, loaded.tokenizer, chosen["prompt"] or film.prompt).write(out)
    click.echo(out)


@films.command()
@click.option("--companion", type=click.Choice(companions.NAMES),
              help="Train one of the small models beside the model instead.")  # fmt: skip
@click.option("--out", callback=checked(place), metavar="DIR|FILE",
              help=f"The checkpoint folder to write ({OUT}), or the companion's file.")  # fmt: skip
@click.option("--steps", type=click.IntRange(1), help="Steps of training; fewer are quicker.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), default=0,
              show_default=True)  # fmt: skip
@click.pass_context
def train(
    ctx: click.Context, companion: str | None, out: Path | None, steps: int | None, seed: int
) -> None:
    """Train the model and write a checkpoint folder, or train one of its companions."""
    from model import progress
    from model import train as training

    if companion and steps:
        raise click.UsageError("--steps is for the model; a companion has its own number of them")
    if companion:
        click.echo(_train_companion(companion, out, seed))
        return
    out = out or OUT
    try:
        with progress.shown() as tell:
            outcome = training.train(out, steps=steps or training.STEPS, seed=seed, tell=tell)
    except training.Stopped as stopped:
        _say(str(stopped))
        ctx.exit(_interrupted(stopped))
    _say(progress.summary(outcome))
    click.echo(out)


def _train_companion(name: str, out: Path | None, seed: int) -> Path:
    """Train a companion of the shipped model; return its file."""
    from model import checkpoint, progress
    from model.companions import shelf, training
    from rendering.job import SHIPPED

    out = out or shelf.path_of(name)
    with progress.shown() as tell:
        training.train(name, checkpoint.load(SHIPPED).tokenizer, out, seed=seed, tell=tell)
    return out


@films.command()
@click.argument("model", metavar="smollm2|hub:OWNER/NAME[@REVISION]")
@click.option("-o", "--out", callback=checked(place), metavar="DIR",
              help="The folder to write; models/NAME unless told.")  # fmt: skip
def get(model: str, out: Path | None) -> None:
    """Fetch a real language model; after that, --checkpoint finds it by name."""
    from model import progress
    from model.collection import hub, smollm2
    from model.collection.shelf import SHELF, SMOLLM2
    from model.train import Progress

    with progress.shown() as tell:

        def downloaded(done: int, whole: int) -> None:
            tell(Progress("downloading, MB", done // MEGABYTE, max(1, whole // MEGABYTE)))

        if model.lower() == SMOLLM2:
            folder = out or SHELF / SMOLLM2
            is_new = smollm2.get(folder, downloaded, _say)
        else:
            repository = hub.Repository.of(model)
            folder = out or SHELF / repository.short_name
            is_new = hub.get(repository, folder, downloaded, _say)
    if not is_new:
        _say(f"{folder} is there already, whole: nothing to do.")
    click.echo(folder)


@films.command("list-models")
@options("json")
def list_models(*, as_json: bool) -> None:
    """Show the models at hand: their sizes, and how well their best head binds adjectives."""
    from model.collection.shelf import checkpoints
    from model.collection.survey import survey
    from rendering.job import SHIPPED

    found = survey([SHIPPED, *checkpoints()])
    if as_json:
        _print_json({"models": [each.told() for each in found]})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("model", "layers x heads", "width", "parameters", "MB", "binds adjectives")
    for each in found:
        table.add_row(*each.row())
    Console().print(table)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; whatever goes wrong is one sentence on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what a terminal of old has no letter for
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of the libraries; a user can do nothing about them
    _heed_signals()
    status = _status(arguments)
    if status > BY_SIGNAL:  # at once: taking torch apart in good order can take two seconds
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _status(arguments: Sequence[str] | None) -> int:
    """Run a command and return the exit status."""
    try:
        return films.main(arguments, standalone_mode=False) or 0
    except BrokenPipeError:  # whoever read our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - whatever it is, one sentence
        status, sentence = _ending(error)
        _say(sentence)
        return status


def _ending(error: BaseException) -> tuple[int, str]:
    """Return the exit status and the sentence for what ended a command."""
    match error:
        case KeyboardInterrupt() | click.Abort():
            said = "Interrupted: what was finished is kept, run it again for the rest."
            return _interrupted(error), said
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "films"
            said = " ".join(error.format_message().split()).rstrip(".")
            return UNUSABLE, f"{said}: see {command} --help."
        case FilmFailed():
            return FAILED, str(error)
        case SyntaxError():
            where = f"{error.filename}, line {error.lineno},"
            return FAILED, f"{where} is no Python ({error.msg}): mend that line."
    if unusable := _unusable(error):
        return UNUSABLE, unusable
    return FAILED, internal_error(cast("Exception", error))


def _heed_signals() -> None:
    """Let what asks a command to end do what Ctrl-C does, unless whoever started it minds."""

    def end(number: int, _: object) -> None:
        raise KeyboardInterrupt(number)

    for name in ENDING:
        number = getattr(signal, name, None)  # Windows has one of them
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def _interrupted(error: BaseException) -> int:
    """Return the exit status for an interruption: 130 after Ctrl-C, 143 after SIGTERM."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, KeyboardInterrupt) and found.args:
            return BY_SIGNAL + int(found.args[0])
        found = found.__cause__ or found.__context__
    return BY_SIGNAL + signal.SIGINT


def _unusable(error: BaseException) -> str:
    """Return the sentence for what the user can mend; none if that is not so."""
    match error:
        case Unusable():
            return str(error)
        case configparser.Error():
            said = " ".join(str(error).split())
            return f"A manim.cfg cannot be read ({said}): mend it, or take it away."
        case OSError(errno=errno.ENOSPC, filename=None):
            return "There is no room where the output goes: make room there."
    return ""


def _given_options(ctx: click.Context) -> list[str]:
    """Return the options of the command line as another command can be given them."""
    given = [f"--prompt={ctx.params['prompt']}"] if ctx.params["prompt"] is not None else []
    for option in ctx.command.params:
        name = option.name or ""
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE and option.expose_value:
            value = ctx.params[name]
            if isinstance(option, click.Option):
                given += option.opts[-1:] if option.is_flag else [f"{option.opts[-1]}={value}"]
    return given


def _picture(chosen: dict[str, Any]) -> Picture:
    """Return the picture that a command's options ask for."""
    keys = (
        *("quality", "fps", "aspect", "file_format"),
        *("last_frame", "transparent", "constant", "loop"),
    )
    return picture(**{key: chosen[key] for key in keys})


def _say(line: str) -> None:
    click.echo(line, err=True)


def _print_json(document: dict[str, Any]) -> None:
    click.echo(json.dumps(document, indent=2, allow_nan=False))


def _report(report: "Report") -> dict[str, Any]:
    """Return what `check --json` tells of a film; infinity and NaN, which JSON lacks, are null."""
    numbers = [asdict(number) for number in report.numbers]
    for number in numbers:
        number["value"] = number["value"] if math.isfinite(number["value"]) else None
    return {
        "film": report.film,
        "prompt": report.prompt,
        "checkpoint": str(report.checkpoint),
        "findings": [asdict(finding) for finding in report.findings],
        "numbers": numbers,
    }


def _print_reports(reports: "Sequence[Report]") -> None:
    for report in reports:
        found = _counted(len(report.findings), "fault")
        click.echo(f"{report.film}: {found}, {_counted(len(report.numbers), 'number')} shown")
        for finding in report.findings:
            click.echo(f"  {finding.beat}: {finding.kind}: {finding.message}")


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


if __name__ == "__main__":
    main()
