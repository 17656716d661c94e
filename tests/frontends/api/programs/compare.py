"""A check of a change of code: what it changes on a node."""

import puppet_repl as puppet


def compiled(port: int) -> puppet.Catalog:
    code = "file { '/etc/port': content => String($port) } notify { \"port ${port}\": }"
    return puppet.compile(code, facts={}, node="web.lan", variables={"port": port})


with puppet.Shared(is_lasting=True) as shared:
    assert puppet.evaluate("1 + 1", facts={}, shared=shared) == 2
difference = compiled(80).diff(compiled(8080), ignore=["Notify"])
print(difference.changed, difference.added, bool(difference))
print(bool(compiled(80).diff(compiled(80))))
