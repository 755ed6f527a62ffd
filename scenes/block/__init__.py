"""Act IV: the block and the model."""
