"""A helper for tests of a class, with functions of Python in place of those of a module."""

import puppet_repl as puppet


@puppet.function("vault::get", "String $key")
def vault_get(key: str) -> puppet.Sensitive:
    return puppet.Sensitive(f"secret of {key}")


def declared(code: str, **facts: object) -> puppet.Catalog:
    return puppet.compile(code, facts=["debian-12", facts], functions=[vault_get])


catalog = declared("file { '/etc/token': content => vault::get($facts['role']) }", role="web")
token = catalog.assert_contains("File", "/etc/token", content=puppet.Sensitive("secret of web"))
print(token, token["content"].value)
try:
    catalog.assert_lacks("File", "/etc/token")
except AssertionError as error:
    print(str(error).splitlines()[0])
try:
    declared("vault::get(1)")
except puppet.CompileError as error:
    print(error.message.rpartition(", ")[0], error.line, error.column)
