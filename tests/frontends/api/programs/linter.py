"""A linter that writes the problems of texts in the form of compilers, and a fixer."""

import puppet_repl as puppet

TEXTS = {
    "open.pp": "class a {\n  $x = [1\n",
    "mode.pp": "file { '/a': mode => 644 }\n",
    "good.pp": "notice('x')\n",
}
for name, text in TEXTS.items():
    found = puppet.validate(text=text, name=name, advice=True)
    for each in found:
        start, end = (each.line, each.column), (each.end_line, each.end_column)
        print(f"{each.file}:{start}-{end}: {each.severity}: {each.message} [{each.code}]")
        for other in each.related:
            print(f"{other.file}:{other.line}:{other.column}: {other.message}")
    if all(each.severity == "warning" for each in found):
        print(puppet.fix_text(text, name=name, fix_all=True), end="")
