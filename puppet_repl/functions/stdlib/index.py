"""Which theme declares which function, so that only the theme that is needed is imported.

Written by ``python -m puppet_repl.functions.indexing``: do not edit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

THEMES_8: Mapping[str, str] = {
    "any2array": "arrays",
    "assert_private": "deprecation",
    "defined_with_params": "resources",
    "deprecation": "deprecation",
    "ensure_packages": "resources",
    "ensure_resource": "resources",
    "ensure_resources": "resources",
    "private": "deprecation",
    "stdlib::str2resource": "resources",
}

THEMES_9: Mapping[str, str] = {
    "any2array": "arrays",
    "assert_private": "deprecation",
    "defined_with_params": "resources",
    "deprecation": "deprecation",
    "ensure_packages": "resources",
    "ensure_resource": "resources",
    "ensure_resources": "resources",
    "stdlib::ensure_packages": "resources",
    "stdlib::str2resource": "resources",
}
