"""Fuzzers: hostile inputs for the engine, and for the readers of files."""
