"""Names that Puppet itself defines: its core functions, and the states of its resources.

Kept apart from the lexer so that the lists can be renewed for a new Puppet without touching rules.
"""

from __future__ import annotations

#: Functions that every Puppet 8 has, without any module.
FUNCTIONS = (
    *("abs", "alert", "all", "annotate", "any", "assert_type", "binary_file", "break"),
    *("call", "camelcase", "capitalize", "ceiling", "chomp", "chop", "compare", "contain"),
    *("convert_to", "create_resources", "crit", "debug", "defined", "dig", "digest"),
    *("downcase", "each", "emerg", "empty", "epp", "err", "eyaml_lookup_key", "fail", "file"),
    *("filter", "find_file", "find_template", "flatten", "floor", "fqdn_rand", "generate"),
    *("get", "getvar", "group_by", "hiera", "hiera_array", "hiera_hash", "hiera_include"),
    *("hocon_data", "import", "include", "index", "info", "inline_epp", "inline_template"),
    *("join", "json_data", "keys", "length", "lest", "lookup", "lstrip", "map", "match", "max"),
    *("md5", "min", "module_directory", "new", "next", "notice", "partition", "realize"),
    *("reduce", "regsubst", "require", "return", "reverse_each", "round", "rstrip", "scanf"),
    *("sha1", "sha256", "shellquote", "size", "slice", "sort", "split", "sprintf", "step"),
    *("strftime", "strip", "tag", "tagged", "template", "then", "tree_each", "type", "unique"),
    *("unwrap", "upcase", "values", "versioncmp", "warning", "with", "yaml_data"),
)

#: Functions that may be called as statements, without parentheses around their arguments.
STATEMENT_FUNCTIONS = (
    *("break", "debug", "err", "fail", "import", "info", "next", "notice", "realize"),
    *("return", "tag", "warning"),
)

#: States that resources are wanted in: values of ``ensure`` that mean nothing else as bare words.
STATES = (
    *("absent", "held", "installed", "latest", "mounted", "present", "purged", "running"),
    *("stopped", "unmounted"),
)
