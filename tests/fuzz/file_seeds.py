"""Files of each kind that the project reads, to make hostile ones of, and what to put into them."""

from __future__ import annotations

import json

_CELL = {"cell_type": "code", "source": ["$a = 1\n", "notice($a)"], "metadata": {}, "outputs": []}
_ROW = {"certname": "a", "type": "File", "title": "/a", "tags": ["file"], "exported": True}
_RESOURCE = {"type": "File", "title": "/a", "tags": ["a"], "parameters": {"ensure": "file"}}
_CATALOG = {
    "name": "node.example.com",
    "resources": [{"type": "Class", "title": "main"}, _RESOURCE],
    "edges": [{"source": "Class[main]", "target": "File[/a]"}],
    "classes": ["main"],
}
_METADATA = {
    "name": "me-m",
    "version": "1.0.0",
    "author": "me",
    "source": "x",
    "license": "MIT",
    "summary": "s",
    "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.1.0 < 10.0.0"}],
}
_FACTS = {"os": {"family": "Debian", "release": {"major": "12"}}, "n": [1, 2.5, True, None]}
_DATA = (
    "k: {a: 1}\nl:\n  - a: &x {b: 1}\n  - *x\nm: \"%{facts.a} %{lookup('k')}\"\n"
    "lookup_options:\n  k: {merge: deep}\n",
    "base: &b\n  x: 1\n  y: [yes, ~, 1.5, 0x1f, 1:30]\nk:\n  <<: *b\n  z: !!binary aGk=\n",
    "? [1, 2]\n: !!set {a, b}\nk: |\n  text\n  more\nl: >-\n  folded\n  text\n",
)

SEEDS: dict[str, tuple[str, ...]] = {
    "facts.yaml": (
        *_DATA,
        "--- !ruby/object:Puppet::Node::Facts\nname: a\nvalues:\n  kernel: Linux\n",
        "os:\n  family: Debian\n  release: {major: '12'}\nn: [1, 2.5, true, ~]\n",
    ),
    "facts.json": (json.dumps(_FACTS), json.dumps({"name": "a.b", "values": _FACTS}, indent=1)),
    "hiera.yaml": (
        "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n"
        "  - name: one\n    path: \"%{facts.os.family}.yaml\"\n  - name: two\n    glob: '*.yaml'\n"
        "  - name: three\n    mapped_paths: [facts.n, v, 'x%{v}.yaml']\n",
        "version: 5\nhierarchy:\n  - name: x\n    paths: [x.yaml, y.json]\n"
        "    data_hash: json_data\n"
        "  - name: u\n    uri: 'http://x/%{k}'\n    lookup_key: eyaml_lookup_key\n"
        "    options: {a: 1}\ndefault_hierarchy:\n  - name: d\n    path: x.yaml\n",
        "version: 4\nbackends: yaml\nhierarchy:\n  - name: x\n    backend: yaml\n    path: x\n",
        ":backends: [yaml]\n:hierarchy:\n  - x\n:yaml:\n  :datadir: data\n",
    ),
    "data.yaml": _DATA,
    "data.json": (json.dumps({"k": {"a": [1, 1.5, None, "%{facts.n}"]}, "l": "\ud83d\ude00"}),),
    "data.conf": (
        'k = {a = 1}\nl { a = [1, 2], b = ${k.a} "x" }\nm : """t"""\n',
        'include "x"\nk += 1\n',
    ),
    "environment.conf": (
        "modulepath = modules:$basemodulepath\nmanifest = manifests\nconfig_version = 'x'\n"
        "environment_timeout = unlimited\n# c\n[main]\nrich_data = true\n",
    ),
    "metadata.json": (json.dumps(_METADATA, indent=2),),
    "notebook.ipynb": (json.dumps({"cells": [_CELL], "nbformat": 4, "metadata": {}}, indent=1),),
    "config.toml": ('prompt = "> "\nstrict = "error"\npager = true\n# c\nlog_level = "debug"\n',),
    "history": ("\n# 2024-01-01 00:00:00\n+$a = 1\n+notice($a)\n\n# 2024\n+1\n",),
    "catalog.json": (
        json.dumps(_CATALOG),
        "Notice: compiled\n" + json.dumps({"data": _CATALOG, "document_type": "Catalog"}),
    ),
    "exports.json": (json.dumps([_ROW, {**_ROW, "parameters": {"mode": "0644"}, "line": 3}]),),
}
"""Contents by the name of the file."""

WORDS = (
    *(
        "null",
        "~",
        "true",
        "yes",
        "NaN",
        "-Infinity",
        ".inf",
        ".nan",
        "1e999",
        "-0",
        "0x" + "f" * 40,
    ),
    *("9" * 30, "9" * 4400, "1" + "0" * 400 + ".5", "0777", "1:30", "1_000", "1,000", "08", "0b1"),
    *("2024-13-45", "0000-01-01", "2024-01-01T25:61:61+99:99", "2024-02-30", ":a", "::", ":'a'"),
    *("!!int x", "!!float x", "!!bool x", "!!timestamp x", "!!binary '/'", "!!set {a, b}"),
    *("!!omap [a: 1]", "!!python/object:os.system x", "!ruby/object:X {a: 1}", "!ruby/regexp /(/"),
    *("!ruby/sym a", "! 1", "!<x> 1", "&x 1", "*x", "*nope", "&x [*x]", "&x {<<: *x}", "<<: *x"),
    *(
        "%YAML 9.9",
        "%TAG ! x",
        "---",
        "...",
        "|",
        ">+9",
        "? ",
        "? {a: [1]}",
        ": ",
        "- ",
        "#",
        "@",
        "`",
    ),
    *(
        "[",
        "]",
        "{",
        "}",
        "[[[[",
        "{{{{",
        '"',
        "'",
        '"""',
        "\\",
        "\\ud800",
        "\\u0000",
        "\\x",
        ",",
        "=",
    ),
    *(
        "%{",
        "%{facts.}",
        "%{lookup('k')}",
        "%{alias('k')}",
        "%{hiera('l')}",
        "%{::a.b.0}",
        "%{scope:x}",
    ),
    *(
        "%{literal('%')}",
        "${k}",
        "${?x}",
        "$modules",
        "$environment",
        "..",
        "/",
        "/dev/zero",
        "~root",
    ),
    *(
        "{a,b}" * 20,
        "**/*",
        "*" * 40,
        "a" * 5000,
        "[" * 2000,
        "- " * 500,
        "{a: " * 300,
        "\t",
        " " * 300,
    ),
)
"""What is put into a file somewhere."""

BYTES = (b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\x0c", b"\x1b", b"\xe2\x80\xa8")
