"""Puppet's log levels, from the least important to the most."""

from __future__ import annotations

LEVELS = ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit")
# Levels that a user can choose as the lowest to see; levels above err are always shown.
THRESHOLDS = LEVELS[: LEVELS.index("err") + 1]
# Of lines that are not from the log of a program: what a front end tells about an input.
NOTE = "note"
# Levels of errors, which are displayed alike.
ERRORS = LEVELS[LEVELS.index("err") :]
# Levels that tell of something wrong.
PROBLEMS = LEVELS[LEVELS.index("warning") :]
