# ruff: noqa: PLC0415 - the client of the hub is slow to import
"""A model of the Hugging Face hub: its weights as safetensors and its tokenizer, nothing else.

What cannot be shown is refused by its config.json, before the weights are fetched.
"""

from __future__ import annotations

import logging
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from model.collection.download import Tell
from model.collection.shelf import Say, put
from model.errors import Unusable
from model.huggingface.families import architecture_in
from model.huggingface.folder import INDEX, TOKENIZERS, WEIGHTS, read_json

ADDRESS = re.compile(r"hub:([\w.-]+)/([\w.-]+)(?:@([\w./-]+))?")
ROOM = 1.05  # of a model's size, that must be free


@dataclass(frozen=True)
class Repository:
    """A model on the hub, at a revision."""

    name: str  # OWNER/NAME
    revision: str = "main"

    @classmethod
    def of(cls, address: str) -> Repository:
        """Read `hub:OWNER/NAME[@REVISION]`; raises `Unusable` for what is none."""
        found = ADDRESS.fullmatch(address)
        if not found:
            raise Unusable(
                f"{address} names no model: give smollm2, or hub:OWNER/NAME such as "
                "hub:HuggingFaceTB/SmolLM2-135M."
            )
        owner, name, revision = found.groups()
        return cls(f"{owner}/{name}", revision or "main")

    @property
    def short_name(self) -> str:
        """The name of its folder on the shelf."""
        return self.name.rpartition("/")[2].lower()


def get(repository: Repository, out: Path, tell: Tell, say: Say) -> bool:
    """Write a model of the hub to a folder, unless it is there; return whether it was not.

    Raises `Unusable` if it is missing, not free to have, of a kind that cannot be shown, or if
    the hub cannot be reached.
    """
    say(f"Asking the hub for {repository.name}.")
    hub = _Hub(repository)

    def make(folder: Path, workshop: Path) -> None:
        there = workshop / "hub"
        hub.fetch("config.json", there)
        keys = read_json(there / "config.json")
        if "quantization_config" in keys:
            raise Unusable(
                f"{repository.name} is quantised, which cannot be read: choose the model that it "
                "was made from."
            )
        architecture_in(keys).read_config(keys)
        names = hub.wanted()
        whole = sum(hub.sizes[name] for name in names)
        _refuse_no_room(out, whole)
        done = 0
        for name in names:
            hub.fetch(name, there)
            done += hub.sizes[name]
            tell(done, whole)
        for name in names:
            (there / name).replace(folder / name)

    return put(f"{repository.name}@{hub.commit}", out, make, say)


class _Hub:
    """What a repository holds, and its files one by one; refusals become sentences."""

    def __init__(self, repository: Repository) -> None:
        from huggingface_hub import HfApi

        logging.getLogger("httpx2").setLevel(logging.WARNING)  # every request, where others log
        self.repository = repository
        try:
            info = HfApi().model_info(
                repository.name, revision=repository.revision, files_metadata=True
            )
        except Exception as error:
            raise self._refusal(error) from error
        self.commit = str(info.sha)
        self.sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}  # bytes

    def wanted(self) -> list[str]:
        """Return the files that make up a checkpoint; raises `Unusable` if some are not there."""
        name = self.repository.name
        shards = [each for each in self.sizes if re.fullmatch(r"model-[\w-]+\.safetensors", each)]
        weights = [WEIGHTS] if WEIGHTS in self.sizes else [INDEX, *shards] if shards else []
        if not weights:
            raise Unusable(f"{name} has no safetensors, and pickled weights are never read.")
        words = next((names for names in TOKENIZERS if {*names} <= {*self.sizes}), ())
        if not words:
            raise Unusable(f"{name} has no tokenizer.json: its tokenizer would need code to run.")
        return ["config.json", *words, *weights]

    def fetch(self, name: str, folder: Path) -> None:
        """Fetch a file into a folder, unless it is there; one that was cut goes on."""
        from huggingface_hub import hf_hub_download
        from huggingface_hub.utils.tqdm import disable_progress_bars

        disable_progress_bars()
        try:
            hf_hub_download(self.repository.name, name, revision=self.commit, local_dir=folder)
        except Exception as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> Exception:
        """Return an error of the client's as a sentence; the disk's stay what they are."""
        from huggingface_hub import errors

        name = self.repository.name
        match error:
            case errors.GatedRepoError():
                return Unusable(
                    f"{name} is gated: accept its terms on huggingface.co and log in with "
                    "`hf auth login`, then run this again."
                )
            case errors.RepositoryNotFoundError():
                return Unusable(f"There is no model {name} on the hub: check its name.")
            case errors.RevisionNotFoundError():
                return Unusable(f"{name} has no revision {self.repository.revision}: check it.")
            case errors.EntryNotFoundError():
                return Unusable(f"{name} has no config.json: it is no model of transformers.")
            case OSError() if error.errno is not None and error.filename is not None:
                return error
        return Unusable(
            f"The hub cannot be reached for {name} ({type(error).__name__}): check the network "
            "connection and run it again; it goes on where it stopped."
        )


def _refuse_no_room(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed * ROOM:
        raise Unusable(
            f"{out} needs {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB are free: make room, or "
            "choose another place with -o."
        )
