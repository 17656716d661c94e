"""A script that writes configuration files from templates, with secrets kept apart."""

import puppet_repl as puppet

TEMPLATE = "<%- | String $host, Integer $port = 80 | -%>\nlisten <%= $host %>:<%= $port %>;\n"
print(puppet.render(TEMPLATE, {"host": "::1"}, facts={}), end="")
try:
    puppet.render(TEMPLATE, {"port": 1}, facts={})
except puppet.EvaluationError as error:
    print(error.message.splitlines()[-1])
print(puppet.format_text("if true {notice( 'x' )}"), end="")
value = puppet.evaluate("{ a => Sensitive('x'), b => [1, undef] }", facts={})
print(value, puppet.to_json(value))
print(puppet.Deferred("vault::get", ["key"]))
