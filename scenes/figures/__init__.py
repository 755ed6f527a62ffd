"""Figures of one film each, too large for its file. At its second use a figure is a noun."""
