"""The face of the interpreter for Python programs: what ``import puppet_repl`` has.

Each function makes a session, works and ends it; nothing is kept between two calls. They raise
where something is wrong, and what they return behaves as Python programs expect.
"""
