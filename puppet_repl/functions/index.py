"""Which module holds which function, so that only the module that is needed is imported."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_THEME: Mapping[str, str] = {
    "access": "dig get getvar keys values length size empty",
    "calls": "call with then lest break next return import",
    "catalog": "include contain require realize create_resources tag tagged defined",
    "collections": "flatten join sort unique",
    "comparison": "max min compare versioncmp",
    "conversion": "new convert_to type assert_type annotate unwrap",
    "digests": "md5 sha1 sha256 digest fqdn_rand",
    "files": "file binary_file find_file find_template module_directory generate",
    "formatting": "sprintf shellquote strftime scanf",
    "grouping": "slice group_by partition",
    "hiera": (
        "lookup hiera hiera_array hiera_hash hiera_include yaml_data json_data hocon_data "
        "eyaml_lookup_key"
    ),
    "iteration": "each map filter reduce all any index",
    "iterators": "step reverse_each tree_each",
    "logging": "debug info notice warning err alert crit emerg fail",
    "math": "abs ceiling floor round",
    "patterns": "match regsubst split",
    "strings": "upcase downcase capitalize camelcase chomp chop strip lstrip rstrip",
    "templates": "epp inline_epp template inline_template",
}

THEMES: Mapping[str, str] = {
    name: theme for theme, names in _BY_THEME.items() for name in names.split()
}
