"""The documentation of a module: what it defines, and what its comments say of that.

``module.read_module`` reads manifests, Ruby files and tasks, without running any of them, into the
data of ``model``. Comments are split as puppet-strings and YARD split them.
"""
