"""Limits of data in any format."""

from __future__ import annotations

MAX_DIGITS = 100_000
"""How many digits a number may have to be read, in any base.

Ruby knows no limit. Python takes half a second for so many, a hundred times as long for ten times
as many, and nothing can interrupt it.
"""

MAX_DATA_DEPTH = 1_000
"""How deep YAML and JSON may be nested.

Ruby's library for JSON allows 100 levels, Puppet some hundred of YAML.
"""
