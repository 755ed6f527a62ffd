"""What goes wrong, as a sentence for the user. Knows nothing of how films are drawn."""

import errno
import traceback
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from model.errors import Unusable

PROJECT = Path(__file__).parents[1]


class FilmFailed(Exception):  # noqa: N818 - it reads as the sentence it prints
    """A film's own code raised; the message names film, beat, error and line."""


class Unwritable(Unusable):
    """The media directory does not take what is written; every other film would fare the same."""


def code_failed(what: str, source: Path, error: Exception) -> FilmFailed:
    """Return the sentence for an error raised by the code of a film's file: `what` went wrong."""
    where = _where(source, error.__traceback__)
    return FilmFailed(f"{what}: {_what(error)} ({where}): mend that line.")


def making_failed(slug: str, error: Exception) -> FilmFailed:
    """Return the sentence for an error that is ours, not the film's, or nobody's."""
    if isinstance(error, BrokenProcessPool):
        died = f"A process that worked on {slug} ended unexpectedly"
        return FilmFailed(f"{died}, perhaps for lack of memory: try again with -j 1.")
    return FilmFailed(f"Making {slug} failed: {internal_error(error)}")


def internal_error(error: Exception) -> str:
    """Return the sentence for an error that nobody foresaw."""
    return f"{_what(error)} ({_where(Path(), error.__traceback__)}): please report it."


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into a sentence that names the folder."""
    try:
        yield
    except Exception as error:
        refused = refusal(error)
        if refused is None:
            raise
        raise unwritable(folder, refused) from error


def refusal(error: BaseException) -> OSError | None:
    """Return the disk's refusal to write that stands behind an error, if one does."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, OSError) and found.errno in REFUSALS:
            return found
        found = found.__cause__ or found.__context__
    return None


def unwritable(folder: Path, refused: OSError) -> Unwritable:
    """Return the sentence for a disk that does not take what is written to `folder`."""
    if refused.errno in FULL:
        return Unwritable(
            f"There is no room left on the disk for {folder}: make room, or choose another place "
            "with --media_dir."
        )
    return Unwritable(
        f"{folder} cannot be written ({refused.strerror}): choose a place that you may write to "
        "with --media_dir."
    )


FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
REFUSALS = FULL | {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.ENAMETOOLONG,
    errno.EIO,
}


def _what(error: Exception) -> str:
    """Return an error's name and message on one line."""
    message = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _where(source: Path, trace: TracebackType | None) -> str:
    """Return the file and line, in the film's own code if the error passed through it."""
    frames = traceback.extract_tb(trace)
    own = [frame for frame in frames if Path(frame.filename) == source]
    ours = [frame for frame in frames if PROJECT in Path(frame.filename).parents]
    frame = next(iter((own or ours or frames)[-1:]), None)
    if frame is None:  # it comes from another process
        return "where, is not known"
    path = Path(frame.filename)
    shown = path.relative_to(PROJECT) if PROJECT in path.parents else path
    return f"{shown}:{frame.lineno}"
