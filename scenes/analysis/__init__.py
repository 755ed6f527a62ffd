"""What is found in tensors, by subject: arrays with their sources in, findings out."""
