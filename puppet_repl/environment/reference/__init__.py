"""The documentation of a module: its definitions, and their comments.

``module.read_module`` reads manifests, Ruby files and tasks, without running any of them, into the
data of ``model``. Comments are split as puppet-strings and YARD split them.
"""
