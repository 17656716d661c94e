"""A report on where the data of nodes come from."""

import tempfile
from pathlib import Path

import puppet_repl as puppet

HIERARCHY = "version: 5\nhierarchy:\n  - {name: all, paths: ['%{role}.yaml', common.yaml]}\n"
with tempfile.TemporaryDirectory() as scratch:
    data = Path(scratch, "data")
    data.mkdir()
    Path(scratch, "hiera.yaml").write_text(HIERARCHY)
    data.joinpath("web.yaml").write_text("port: 80\n")
    data.joinpath("common.yaml").write_text("port: 22\nusers: [root]\n")
    for role in ("web", "db"):
        for key in ("port", "users"):
            value = puppet.lookup(key, facts={"role": role}, environment=scratch)
            explanation = puppet.explain(key, facts={"role": role}, environment=scratch)
            (place,) = [each for each in explanation.places() if each.taken]
            print(role, key, value, Path(place.location or "").name, place.line)
    print(puppet.lookup("nothing", facts={}, environment=scratch, default="-"))
