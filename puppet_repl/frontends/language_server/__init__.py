"""The language server, ``puppet-repl language-server``: editors ask, in JSON-RPC.

``loop`` reads messages and answers them in order; ``server`` is a plain function from a message to
messages. ``features`` answers the requests about documents with what ``tools.editing`` knows, and
``translate`` turns that into the protocol's types. ``roots`` keeps checks and names for the
files of one directory.

Only files of the open directories are read. Nothing is evaluated here, and no process is started
but by a command of the user: ``worker_requests`` makes a job of it, which ``jobs`` gives to the
process of ``worker``.
"""
