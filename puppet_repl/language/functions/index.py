"""Which theme declares which function, so that only the theme that is needed is imported.

Written by ``python -m puppet_repl.language.functions.indexing``: do not edit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

THEMES: Mapping[str, str] = {
    name: theme
    for theme, names in {
        "access": "empty keys length size values",
        "calls": "break call import lest next return then with",
        "catalog": "contain create_resources defined include realize require tag tagged",
        "collections": "flatten join sort unique",
        "comparison": "compare max min versioncmp",
        "conversion": "annotate assert_type convert_to new type unwrap",
        "debugging": "debug::break",
        "digests": "digest fqdn_rand md5 sha1 sha256",
        "files": "binary_file file find_file find_template generate module_directory",
        "formatting": "scanf shellquote sprintf strftime",
        "grouping": "group_by partition slice",
        "hiera": (
            "eyaml_lookup_key hiera hiera_array hiera_hash hiera_include hocon_data json_data "
            "lookup yaml_data"
        ),
        "iteration": "all any each filter index map reduce",
        "iterators": "reverse_each step tree_each",
        "logging": "alert crit debug emerg err fail info notice warning",
        "math": "abs ceiling floor round",
        "navigation": "dig get getvar",
        "patterns": "match regsubst split",
        "puppetdb": "puppetdb_query",
        "strings": "camelcase capitalize chomp chop downcase lstrip rstrip strip upcase",
        "templates": "epp inline_epp inline_template template",
    }.items()
    for name in names.split()
}
