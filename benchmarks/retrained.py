"""Change every weight of a checkpoint a little, as training it anew would.

Run as `python -m benchmarks.retrained FOLDER`.
"""

import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

SHARE = 0.01  # of each weight


def change(folder: Path) -> None:
    """Write the checkpoint's weights anew, each off by up to a share of itself."""
    file = folder / "model.safetensors"
    weights = load_file(file)
    torch.manual_seed(0)
    changed = {
        name: weight * (1 + SHARE * torch.rand_like(weight)) for name, weight in weights.items()
    }
    save_file(changed, file, metadata={"format": "pt"})


if __name__ == "__main__":
    change(Path(sys.argv[1]))
