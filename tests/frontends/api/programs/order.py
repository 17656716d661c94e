"""A report on the order of a catalog, and its picture for Graphviz."""

import puppet_repl as puppet

catalog = puppet.compile(
    """
    package { 'nginx': } -> file { '/etc/nginx.conf': } ~> service { 'nginx': }
    notify { 'alone': }
    """,
    facts="debian-12",
)
for each in catalog:
    print(each.ref, [other.ref for other in catalog.dependencies(each)])
print([each.ref for each in catalog.dependents("Package[nginx]")])
print([edge for edge in catalog.edges if edge.kind == "notify"])
print(catalog.to_dot().splitlines()[0])
