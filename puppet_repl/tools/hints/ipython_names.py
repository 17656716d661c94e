"""Commands and cell magics of IPython that this prompt lacks, and what does the same."""

from __future__ import annotations

from puppet_repl.base.matching import nearest
from puppet_repl.host.cell_magics import CELL_MAGICS
from puppet_repl.tools.hints.habit_rules import SHELL

_AGAIN = ":edit N opens an earlier input again"
_CALLS = "errors show the calls that led there; :where lists them, :frame shows the variables"
_COMMANDS = "commands begin with a colon or a percent sign"
_DEBUG = (
    ":break NAME stops code, :where and :frame show what the last error has left; notebooks have "
    "a debugger; :why EXPR explains the result of a condition"
)
_DIRECTORY = ":environment DIR takes a directory as the environment; the working directory stays"
_DOCUMENTED = ":doc NAME shows documentation"
_FORGET = ":forget NAME forgets a variable, function, type or class"
_INSTALL = "modules of Puppet are taken from the module path: :modulepath DIR"
_LIST = ":help all lists the commands"
_LOAD = ":load FILE runs a manifest"
_NOTHING = "there is nothing to load; :help all lists the commands"
_PLOT = "there are no plots; :graph draws the catalog"
_PUPPET = "cells hold Puppet code; other languages are not run"
_SAVE = ":save FILE writes the inputs of the session"
_SOURCE = ":doc NAME tells where a name is defined"
_TEXT = "write text, HTML and formulas in a Markdown cell; :graph draws the catalog"
_VARIABLES = ":vars lists the variables"

COMMANDS = {
    "HTML": _TEXT,
    "SVG": _TEXT,
    "alias": SHELL,
    "autocall": _COMMANDS,
    "automagic": _COMMANDS,
    "autoreload": "modules are read again when they have changed",
    "bash": SHELL,
    "bookmark": _DIRECTORY,
    "capture": "in a notebook %%capture $name keeps what a cell shows",
    "cd": _DIRECTORY,
    "clear": "Ctrl-L clears the screen",
    "cls": "Ctrl-L clears the screen",
    "colors": ":set theme NAME chooses the colours of the terminal",
    "conda": _INSTALL,
    "config": ":set lists the settings, :set NAME VALUE changes one",
    "cp": SHELL,
    "debug": _DEBUG,
    "dhist": _DIRECTORY,
    "dir": SHELL,
    "dirs": _DIRECTORY,
    "gui": _PLOT,
    "html": _TEXT,
    "javascript": _TEXT,
    "latex": _TEXT,
    "ldir": SHELL,
    "lf": SHELL,
    "lk": SHELL,
    "ll": SHELL,
    "load_ext": _NOTHING,
    "loadpy": _LOAD,
    "logoff": _SAVE,
    "logon": _SAVE,
    "logstart": _SAVE,
    "logstate": _SAVE,
    "logstop": _SAVE,
    "lsmagic": _LIST,
    "lx": SHELL,
    "macro": "a function keeps code: function f($x) { ... }; :edit N opens an earlier input again",
    "magic": _LIST,
    "mamba": _INSTALL,
    "markdown": _TEXT,
    "matplotlib": _PLOT,
    "micromamba": _INSTALL,
    "mkdir": SHELL,
    "mv": SHELL,
    "notebook": ":save FILE.ipynb writes the session as a notebook",
    "pastebin": _SAVE,
    "pdb": _DEBUG,
    "pdef": _DOCUMENTED,
    "pdoc": _DOCUMENTED,
    "perl": _PUPPET,
    "pfile": _SOURCE,
    "pinfo": _DOCUMENTED,
    "pinfo2": _DOCUMENTED,
    "pip": _INSTALL,
    "popd": _DIRECTORY,
    "pprint": ":show shows a value in full",
    "precision": "sprintf('%.2f', $x) formats a number",
    "prun": ":time --repeat CODE measures how long code takes",
    "psearch": ":names PATTERN lists the names that match a pattern",
    "psource": _SOURCE,
    "pushd": _DIRECTORY,
    "pwd": ":environment shows the directory of the environment",
    "pylab": _PLOT,
    "pypy": _PUPPET,
    "python": _PUPPET,
    "python2": _PUPPET,
    "python3": _PUPPET,
    "quickref": _LIST,
    "recall": _AGAIN,
    "reload_ext": _NOTHING,
    "rep": _AGAIN,
    "reset_selective": _FORGET,
    "rm": SHELL,
    "rmdir": SHELL,
    "ruby": _PUPPET,
    "run": _LOAD,
    "script": SHELL,
    "set_env": "code sees the machine by its facts; :facts NAME=VALUE sets one",
    "store": ":save FILE writes the inputs of the session, :load FILE runs them",
    "svg": _TEXT,
    "sx": SHELL,
    "system": SHELL,
    "tb": _CALLS,
    "timeit": ":time --repeat CODE runs code many times and shows how long one run takes",
    "unload_ext": _NOTHING,
    "uv": _INSTALL,
    "who": _VARIABLES,
    "who_ls": _VARIABLES,
    "whos": _VARIABLES,
    "writefile": "in a notebook %%file NAME writes a cell to a file",
    "xdel": _FORGET,
    "xmode": _CALLS,
}
"""Commands of IPython that this one lacks, and what does the same."""

_OF_CELLS = {
    "puppet": "a cell is Puppet code without a magic",
    "sh": SHELL,
    "timeit": ":time --repeat CODE runs code many times; %%time prints the time of a cell",
    "writefile": "%%file NAME writes a cell to a file",
}
"""Cell magics of IPython that have other hints than the commands of that name, or none of them."""


def command_hint(name: str) -> str | None:
    """Return what does the same as a command of IPython; None for any other name."""
    return COMMANDS.get(name)


def cell_magic_hint(name: str) -> str | None:
    """Return what does the same as a cell magic of IPython; None for any other name."""
    return _OF_CELLS.get(name) or COMMANDS.get(name)


def notebook_magic_hint(name: str) -> str | None:
    """Return what does the same as a cell magic of a notebook, or one with a name like it."""
    meant = name if name in CELL_MAGICS else nearest(name.lower(), CELL_MAGICS)
    if meant is None:
        return None
    return f"%%{meant} is for cells of notebooks; here {CELL_MAGICS[meant].at_prompt}"
