"""Queries to PuppetDB, whose installation brings this function to a Puppet server."""

from __future__ import annotations

from puppet_repl.language.functions.registry import function
from puppet_repl.language.values.hash import from_data
from puppet_repl.language.values.python import to_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


@function(
    "puppetdb_query",
    "Variant[String[1], Array[Data, 1]] $query",
    returns="Data",
    examples=(
        "puppetdb_query('nodes { }')  # error: Evaluation Error: Error while evaluating a Function "
        "Call, this session has no PuppetDB; name a file or an address with puppetdb",
    ),
)
def puppetdb_query(query: Value, *, context: Context) -> Value:
    """Return what PuppetDB answers to a query.

    The option ``--puppetdb`` names a file with answers, or the address of a PuppetDB.

    @param query the query: a string in PQL, or an array in PuppetDB's AST language
    """
    return from_data(context.query_puppetdb(context, to_python(query)))
