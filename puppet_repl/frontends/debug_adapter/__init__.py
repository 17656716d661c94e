"""Debuggers of editors and notebooks, in the Debug Adapter Protocol.

``debugger`` answers the requests about code that is stopped: breakpoints, frames, variables,
expressions. It describes values by ``rows``; ``stopped`` waits in the thread of the code. The
kernel uses these for the cells of a notebook.

The rest is ``puppet-repl debug-adapter``: ``command`` reads the messages in a thread of its
own, ``adapter`` has the session of one client. ``launch`` reads what the client wants to run,
``program`` runs it in the main thread, with its ``program_debugger`` and ``file_sources``.
"""
