"""Act V: training, history, use."""
