"""Speech that was made once, kept beside the films under its digest. It knows no engine.

The folder may be deleted at any time: what is in it is then made once more, the same.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from model.files import write_whole
from rendering.voice.speech import Speech

SCALE = 32767  # of whole numbers of 16 bits


def kept_speech(folder: Path, made_of: Mapping[str, Any], make: Callable[[], Speech]) -> Speech:
    """Return speech that was made of something and kept in a folder, or make and keep it.

    It is returned as it is kept, also the first time.
    """
    key = hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:32]
    path = folder / f"{key}.npz"
    found = _read(path)
    if found is None:
        made, speech = io.BytesIO(), make()
        samples = np.rint(np.clip(speech.samples, -1, 1) * SCALE).astype(np.int16)
        np.savez(made, samples=samples, starts=speech.starts)
        write_whole({path: made.getvalue()})
        found = _read(path)
        assert found is not None
    return found


def _read(path: Path) -> Speech | None:
    try:
        with np.load(path, allow_pickle=False) as kept:
            samples = kept["samples"].astype(np.float32) / SCALE
            return Speech(samples, tuple(kept["starts"].tolist()))
    except (OSError, ValueError, EOFError, KeyError):
        return None
