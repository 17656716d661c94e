"""Hints after an error: names of other languages, keys of the terminal, names that are alike."""
