"""What is wrong with a film: faults of layout, and numbers that are not what they claim to be."""
