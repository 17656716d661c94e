"""Debuggers of editors and notebooks, in the Debug Adapter Protocol.

``debugger`` answers the requests about code that is stopped: breakpoints, frames, variables,
expressions. It reads texts by ``sources`` and describes values by ``rows``; ``stopped`` waits in
the thread of the code. The kernel uses these for the cells of a notebook.
"""
