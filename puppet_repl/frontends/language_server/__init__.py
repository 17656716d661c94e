"""The language server, ``puppet-repl language-server``: editors ask, in JSON-RPC.

``loop`` reads messages and answers them in order; ``server`` is a plain function from a message to
messages. ``features`` answers the requests about documents with what ``tools.editing`` knows, and
``translate`` turns that into the protocol's types. ``roots`` keeps checks and names for the
files of one directory.

Nothing is evaluated, no process is started, and only files of the open directories are read.
"""
