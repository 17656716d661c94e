"""The built-in functions: one object each, found by name in ``registry``, grouped in themes.

One declaration feeds checks of arguments, messages, ``:help``, completion and the site; the tests
run its examples. A function that needs the running program has a parameter called ``context``, all
others are pure. ``index`` names the module of each function, to import no others.
"""
