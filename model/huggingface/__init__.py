"""Checkpoints as Hugging Face's `transformers` writes them: files, configs and names of weights."""
