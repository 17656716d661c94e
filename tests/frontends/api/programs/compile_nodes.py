"""A script that compiles nodes and reports those that fail."""

from concurrent.futures import ThreadPoolExecutor

import puppet_repl as puppet

SITE = """
node /^web/ { package { 'nginx': } -> service { 'nginx': ensure => running } }
node /^db/ { include nothing }
"""
nodes: dict[str, str] = {"web1.lan": "debian-12", "web2.lan": "rocky-9", "db1.lan": "debian-12"}
failed = 0
with ThreadPoolExecutor(2) as executor:
    results = list(puppet.compile_nodes(nodes, SITE, executor=executor))
for each in sorted(results, key=lambda each: each.node):
    if each.catalog is None:
        failed += 1
        print(f"{each.node}: {each.error}")
    else:
        print(f"{each.node}: {len(each.catalog)} resources, {each.catalog.facts['os']['name']}")
print(f"{failed} of {len(results)} failed")
