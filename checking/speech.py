"""What a voice would have to spell out of what a film itself says."""

import re
from collections.abc import Iterator

from checking.layout import Fault
from scenes.film import Beat, Film
from scenes.narration import cues_of
from scenes.pronunciation import spelled

GAP = re.compile(r"\{[^}]*\}")  # what stands there is the prompt's, and spelled if it has to be


def speech_faults(film: Film, beat: Beat) -> Iterator[Fault]:
    """Yield what of a beat's line is neither a word nor a sign that voices read."""
    circumstances = film.circumstances()
    line = beat.spoken_line(circumstances) or beat.line(circumstances)
    for each in spelled(GAP.sub(" ", " ".join(cues_of(line)))):
        yield Fault(
            "speech",
            f"A voice would spell out '{each}': say it in words, or give the beat a line to be "
            "spoken.",
        )
