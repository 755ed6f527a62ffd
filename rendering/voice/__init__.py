"""Films that speak: engines and recordings, when cues are said, and one loudness for all."""
