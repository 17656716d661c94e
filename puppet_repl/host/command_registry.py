"""The table of commands: their names, arguments, documentation, and what completes them.

This is the only list: ``:help``, completion, the documentation and all front ends read it.
"""

from __future__ import annotations

from puppet_repl.host.command_model import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


NOTATIONS = ("json", "yaml", "table", "full")
"""The forms of ``:show``."""
GRAPH_FORMATS = ("text", "mermaid", "dot", "svg")
"""The formats of ``:graph``."""

COMMON = (
    *("doc", "resources", "graph", "facts", "node", "lookup", "diff", "why", "load", "undo", "set"),
    "tour",
)
"""The commands that ``:help`` shows; ``:help all`` lists all of them."""

COMMANDS = (
    Command(
        "Names",
        "help",
        "[all|keys [PATTERN]|NAME]",
        "list the most useful commands, all, or the keys; explain a name",
        ("name",),
        run="names.help_",
        aliases=("h", "?"),
        examples=(":help all", ":help keys ctrl-x", ":help set", ":help Integer"),
        details=(
            ":help keys lists the keys of the prompt, those of vi only where they do something "
            "else here. Functions of these names are explained by :doc all and :doc keys."
        ),
        when_stopped="looks",
    ),
    Command(
        "Names",
        "tour",
        "[next|back|off|N]",
        "show around at the prompt: ten steps that react to your input",
        (("next", "back", "off"),),
        run="tour.tour",
        examples=(":tour", ":tour next", ":tour 5"),
    ),
    Command(
        "Names",
        "doc",
        "NAME",
        "show the documentation of a function, type, class or variable",
        ("name",),
        run="names.doc",
        examples=(":doc split", ":doc file", ":doc nginx::ensure"),
        when_stopped="looks",
    ),
    Command(
        "Names",
        "vars",
        "[PATTERN]",
        "list the variables of the session and their values",
        ("variable",),
        run="names.vars_",
        aliases=("ls",),
        when_stopped="looks",
    ),
    Command(
        "Names",
        "names",
        "[functions|types|classes] [PATTERN]",
        "list functions, types, and classes with defined types",
        (("functions", "types", "classes"),),
        run="names.names",
        details=(
            "A pattern is a part of a name, or all of it with * or ?. Types are data types, type "
            "aliases and resource types."
        ),
        examples=(":names case", ":names functions", ":names classes nginx*"),
        when_stopped="looks",
    ),
    Command(
        "Catalog",
        "resources",
        "[--failed] [PATTERN]|--exported [clear [NODE]]",
        "list the declared resources; if only one matches, show its code",
        ("resource",),
        run="catalog.resources",
        aliases=("resource",),
        details=(
            "A pattern is a part of a reference; with * or ? it is all of a reference, of a type "
            "or of a title. Case and quotes do not count. Virtual resources and node blocks are "
            "listed as well, though :diff --mark does not keep them. Below the code are the "
            "origins of attributes that the declaration does not set: defaults, overrides, data "
            "and so on, with file and line. --failed is about the catalog as it was when the last "
            "input or the site manifests failed; an input that succeeds drops it. Exported "
            "resources (@@) are kept when :node chooses another node, which collects them with <<| "
            "|>>; --exported lists those of all nodes, and with clear drops them. The next catalog "
            "of a node replaces its exported resources."
        ),
        examples=(
            ":resources",
            ":resources file",
            ":resources File['/etc/motd']",
            ":resources File[/etc/*.conf]",
            ":resources --failed",
            ":resources --exported clear web01",
        ),
        when_stopped="looks",
    ),
    Command(
        "Catalog",
        "catalog",
        "[json|code]",
        "show the catalog as Puppet code or as JSON",
        (("json", "code"),),
        run="catalog.catalog",
        details=(
            "As code it has the resources. Classes and node blocks themselves are left out, which "
            "code would have to define; what they declare is there."
        ),
    ),
    Command(
        "Catalog",
        "graph",
        f"[--failed] [{'|'.join(GRAPH_FORMATS)}] [CLASS|RESOURCE]",
        "show the resources and the order in which they are applied",
        ("graph part",),
        run="graph.graph",
        details=(
            "With a class or a type, only this and its resources are shown; with a resource that "
            "contains nothing, its containers and its neighbours in the order. The text is a tree "
            "of containers: an arrow leads to a resource that is applied later, ~→ also notifies "
            "it. A notebook draws the graph, with boxes around the resources of classes and "
            "defined types; above 60 resources some of them share a box. --failed draws the "
            "catalog of the last input, or of the site manifests, as it was when they failed. In a "
            "shell, puppet-repl compile --format svg writes the picture."
        ),
        examples=(":graph", ":graph nginx", ":graph File['/etc/motd']", ":graph mermaid nginx"),
    ),
    Command(
        "Catalog",
        "facts",
        "[PATTERN] | [SET|FILE]... [PATH=VALUE]...",
        "show the facts, or replace them and reset the session",
        ("fact",),
        run="nodes.facts",
        details=(
            "A bundled fact set (debian-12, rocky-9, ...) or a file replaces all facts: JSON or "
            "YAML from facter, facterdb or Puppet's cache. A later one takes precedence, and "
            "PATH=VALUE changes one fact; 'use' and 'set' may precede them. 'use local' goes back "
            "to this machine. All this resets the session, because every value may depend on the "
            "facts, and runs the site manifests."
        ),
        examples=(
            ":facts os",
            ":facts rocky-9",
            ":facts web01.yaml extra.json os.family=RedHat",
            ":facts processors.count=8",
        ),
    ),
    Command(
        "Catalog",
        "node",
        "[NAME|@PROFILE] [EXTENSION=VALUE]...",
        "show the node, or choose another and reset the session",
        ("node", "extension"),
        run="nodes.node",
        details=(
            "$trusted follows the name, and so do the facts of this machine and of the bundled "
            "sets: clientcert, networking.fqdn, networking.hostname and networking.domain. Facts "
            "from a file keep the name that they have. The site manifests are run for the node. A "
            "profile of .puppet-repl.toml or config.toml brings its facts and environment, too. "
            "Facts that you have named stay: single ones in any case, sets and files if the "
            "profile has none. EXTENSION=VALUE sets an extension of the certificate, which "
            "$trusted has; without a value it is removed."
        ),
        examples=(
            ":node",
            ":node web01.example.com",
            ":node @web01",
            ":node pp_role=web pp_environment=staging",
        ),
    ),
    Command(
        "Catalog",
        "environment",
        "[DIR|off]",
        "show the environment, or choose a directory (resets the session)",
        ("directory",),
        run="environments.environment",
        details=(
            "The modules, functions, types and data of the directory count from then on, and its "
            "site manifests are run. Lines below the command are code."
        ),
        examples=(":environment", ":environment .", ":environment ~/control-repo"),
    ),
    Command(
        "Catalog",
        "modulepath",
        "[DIR...]",
        "list the modules, or set their directories (resets the session)",
        ("directory",),
        run="environments.modulepath",
        examples=(":modulepath", ":modulepath ~/modules"),
    ),
    Command(
        "Catalog",
        "lookup",
        "KEY... [[--] MACHINE...] [--merge STRATEGY] [--explain]",
        "look keys up in the data, and show where they were looked for",
        ("data key", "machine"),
        run="lookup.lookup",
        details=(
            "Each level of each hiera.yaml is a row: its value for the key, before interpolation, "
            "and a tick if this value was used. A machine is a fact set, a file of facts, the "
            "directory of an environment, or the name of a node; with several, each is a row. "
            "After -- any name is that of a node; before it, an unknown name without a dot is a "
            "key. --merge, --type and --default are as in lookup(), --knock-out-prefix PREFIX goes "
            "with --merge deep, --explain shows the text of 'puppet lookup --explain'. Sensitive "
            "values stay hidden, but for --explain."
        ),
        examples=(
            ":lookup profile::web::port",
            ":lookup packages --merge unique",
            ":lookup packages debian-12 rocky-9",
            ":lookup packages -- web01 web02",
        ),
    ),
    Command(
        "Catalog",
        "diff",
        "[A [B]] [--tags] [--json] [--ignore PATTERN] [--only PATTERN] [--same NAMES]"
        " | --mark [NAME]",
        "show what differs between catalogs, or keep one to compare with",
        ("catalog",),
        run="differences.diff",
        details=(
            "--mark keeps the catalog as it is now under a name, or lists the marks, which outlive "
            ":reset, :node and :facts. A and B are marks, machines (a fact set, a file of facts, "
            "the directory of an environment, the name of a node), manifests or JSON files with "
            "catalogs. Without B the catalog of this session is compared with A, without A with "
            "the last mark, and without a mark with the catalog before the last input. On a "
            "machine the inputs of the session are run again. Sensitive values are compared and "
            "never shown. Locations in code, the order of resources, and (without --tags) tags are "
            "ignored. --ignore and --only take patterns: Exec, File[/tmp/*], File[/tmp/*][mode], "
            "@TAG; --same takes order (of arrays), single (a value and an array of it), text (a "
            "number and its text)."
        ),
        examples=(
            ":diff",
            ":diff --mark before",
            ":diff before",
            ":diff rocky-9",
            ":diff debian-12 windows-2022",
        ),
    ),
    Command(
        "Code",
        "on",
        "MACHINE... CODE",
        "run code for several nodes, and show what it does on each",
        ("machine", "expression"),
        run="machines.on",
        details=(
            "A machine is a fact set, a file of facts or a pattern of files, the directory of an "
            "environment, or the name of a node. Names without a dot need -- after the last one. "
            "The inputs of the session are run there first; the session does not change."
        ),
        examples=(
            ":on debian-12 rocky-9 $facts['os']['family']",
            ":on facts/*.json include ntp",
            ":on web01 db01 -- include ntp",
        ),
    ),
    Command(
        "Code",
        "type",
        "EXPR",
        "show the type of a value, or the definition of a type alias",
        ("expression",),
        run="code.type_",
        aliases=("t",),
        examples=(":type [1, 'a']", ":type Stdlib::Port"),
        when_stopped="looks",
    ),
    Command(
        "Code",
        "show",
        f"[{'|'.join(NOTATIONS)}] [EXPR|N]",
        "show a value in full, or as JSON, YAML or a table",
        (NOTATIONS, "expression"),
        run="notations.show",
        details=(
            "The value is that of an expression, or of input N, or the last one. Values that JSON "
            "and YAML do not have are strings, as in interpolation: regular expressions, types, "
            "times, default, and in JSON keys that are not strings. Sensitive values stay hidden. "
            "In a table an array or a hash of hashes has a column for each key; other arrays and "
            "hashes have a row for each item. In a shell, puppet-repl -e CODE --format json does. "
            "Notebooks show the beginning of long lists; :show full :resources shows one whole."
        ),
        examples=(":show", ":show json $facts['os']", ":show table 3"),
        when_stopped="looks",
    ),
    Command(
        "Code",
        "why",
        "EXPR|CONDITION; ...|TYPE VALUE...",
        "explain a condition or choice, or why values do not match a type",
        ("expression",),
        run="conditions.why",
        details=(
            "For a condition, an if, a case or a selector each comparison is shown: its kind, both "
            "operands, and the result. For several conditions (on lines of their own, or between "
            "semicolons) those that do not hold are shown with what was found instead. A condition "
            "holds if its value is true; the command fails if one does not hold. Other statements, "
            "such as assignments, declarations and include, are run before them, together and to "
            "the end of a catalog. After a type, values are tested, which whitespace or commas "
            "separate. The session stays as it is."
        ),
        examples=(
            ":why $facts['os']['family'] ? { 'debian' => 1, default => 2 }",
            ":why include ntp; File['/etc/ntp.conf']['mode'] == '0644'",
            ":why Integer[1, 10] 5 50 'a'",
        ),
        when_stopped="looks",
    ),
    Command(
        "Code",
        "time",
        "[--repeat] CODE",
        "run code, and show how long it took",
        (("--repeat",), "expression"),
        run="code.time_",
        details=(
            "--repeat runs it as often as a second allows, without its messages, and rolls back "
            "each run. The middle time and the best one are shown."
        ),
        examples=(":time include ntp", ":time --repeat [3, 1, 2].sort"),
    ),
    Command(
        "Stopping",
        "break",
        "[PLACE [if COND]|--delete N|all]",
        "stop code at a place, or list or delete such breakpoints",
        ("place",),
        run="debugging.break_",
        aliases=("b",),
        details=(
            "A place is the name of a function, class or defined type, which need not be loaded "
            "yet; a line of a file (FILE:LINE, for modules also ntp/manifests/init.pp:12); a line "
            "of an input (In[3]:2 or 3:2); or while code is stopped, a line of that code. Code "
            "stops before the statement there, if the condition is true. debug::break() in code "
            "stops it, too. While it is stopped expressions, and those of :type, :why, :show, ..., "
            "see the variables of the frame, and their effects are rolled back."
        ),
        examples=(
            ":break profile::web",
            ":break manifests/site.pp:12 if $port == 80",
            ":break 3:2",
        ),
        when_stopped="looks",
    ),
    Command(
        "Stopping",
        "next",
        "",
        "go on to the next statement of this frame, stepping over calls",
        run="debugging.next_",
        aliases=("n",),
        details="An empty line repeats :next and :step. The frame is the selected one.",
        when_stopped="steps",
    ),
    Command(
        "Stopping",
        "step",
        "",
        "go on to the next statement, stepping into calls",
        run="debugging.step",
        aliases=("s",),
        when_stopped="steps",
    ),
    Command(
        "Stopping",
        "out",
        "",
        "go on until this frame has ended",
        run="debugging.out",
        aliases=("finish",),
        details="The frame is the selected one: after :frame up, frames that it called end, too.",
        when_stopped="resumes",
    ),
    Command(
        "Stopping",
        "continue",
        "",
        "go on to the next breakpoint",
        run="debugging.continue_",
        aliases=("c", "cont"),
        when_stopped="resumes",
    ),
    Command(
        "Stopping",
        "where",
        "",
        "list the frames of stopped code, or of the last error",
        run="debugging.where",
        aliases=("bt", "backtrace", "stacktrace"),
        when_stopped="looks",
    ),
    Command(
        "Stopping",
        "frame",
        "[N|up [N]|down [N]|EXPR]",
        "show a frame, its lines and variables, or evaluate in it",
        (("up", "down"), "expression"),
        run="debugging.frame",
        details=(
            "A number selects a frame of :where; up selects its caller, and down the frame that it "
            "called. Without an argument more lines are shown, and the variables. After an error "
            "the frames and their variables are those at the time of the error, until the next "
            "input."
        ),
        examples=(":frame", ":frame 2", ":frame up", ":frame $list.length"),
        when_stopped="looks",
    ),
    Command(
        "Stopping",
        "display",
        "[EXPR|--delete N|all]",
        "show an expression at each stop, or list or delete these",
        (("--delete",), "expression"),
        run="debugging.display",
        details="While code is stopped, :watch EXPR does the same.",
        when_stopped="looks",
    ),
    Command(
        "Session",
        "load",
        "FILE [N|N-M]...",
        "run manifests in this session, or some lines of them",
        ("file",),
        run="files.load",
        details=(
            "A file is one input. One that :save has written has several, and so has one with "
            "marks of cells (# %%), whose commands and cell magics are left out."
        ),
        examples=(":load site.pp", ":load site.pp 3-20", ":load a.pp b.pp"),
    ),
    Command(
        "Session",
        "watch",
        "FILE|EXPR",
        "run a file or code again whenever a file changes that it uses, until Ctrl-C",
        ("expression",),
        run="watch.watch",
        details=(
            "The files are those of modules, templates and data, also where a run failed. Each run "
            "finds the session as it is now, and leaves it so."
        ),
        examples=(":watch site.pp", ":watch include ntp"),
        when_stopped="looks",
    ),
    Command(
        "Session",
        "save",
        "FILE [N|N-M]...",
        "save the inputs of this session as a manifest (.pp) or a notebook (.ipynb)",
        ("file", "earlier input"),
        run="saving.save",
        can_force=True,
        details=(
            "With numbers only these inputs; negative ones are from before this session. A name "
            "that ends in _spec.pp gets the results too, as comments that puppet-repl doctest "
            "compares. A manifest has the last definition of each name only. A file is overwritten "
            "if this session has saved it and nobody has changed it since, unless that would lose "
            "inputs, such as those from before a reset; :save! overwrites any file. Only you may "
            "read a new file; one that is overwritten keeps its permissions."
        ),
        examples=(
            ":save session.pp",
            ":save! session.ipynb",
            ":save web.pp 3-7 9",
            ":save web_spec.pp",
        ),
    ),
    Command(
        "Session",
        "edit",
        "[N]",
        "edit an input in your editor ($VISUAL, $EDITOR), then run it",
        ("earlier input",),
        run="history.edit",
        details="Without a number it is the last one; negative ones are from before this session.",
        examples=(":edit", ":edit 3", ":edit -1"),
    ),
    Command(
        "Session",
        "rerun",
        "N|N-M|-N...",
        "run earlier inputs again, up to one that fails",
        ("earlier input",),
        run="history.rerun",
        details="Negative numbers are those of inputs from before this session: -1 is the newest.",
        examples=(":rerun 3", ":rerun 3-5 8", ":rerun -1", ":rerun -5--1"),
    ),
    Command(
        "Session",
        "history",
        "[PATTERN]",
        "list earlier inputs, also of other sessions; the newest is last",
        run="history.history",
        details=(
            "The numbers are those that :edit, :rerun and :save take. Negative ones are from "
            "before this session and from others beside it, which are read each time: -1 is the "
            "newest of them. At a prompt what failed has no number, nor have commands."
        ),
        examples=(":history", ":history include"),
        when_stopped="looks",
    ),
    Command(
        "Session",
        "set",
        "[NAME [VALUE|--default] [--save]]",
        "show or change settings; --save stores them",
        ("setting", "value"),
        run="state.set_",
        details=(
            "Values are shown as they are typed. --default restores a value; with --save the line "
            "of the setting is removed from config.toml. That file may have options of the command "
            "line, too."
        ),
        examples=(
            ":set",
            ":set editing_mode vi",
            ":set theme monokai --save",
            ":set prompt --default",
        ),
    ),
    Command(
        "Session",
        "undo",
        "[N]",
        "undo the last input that changed something, or the last N",
        run="state.undo",
        details=(
            "Undoes the last input that changed the session, or the last :forget, and any later "
            "inputs that only displayed something. :redo restores all of them."
        ),
    ),
    Command(
        "Session",
        "redo",
        "[N]",
        "take the last :undo back, or the last N",
        run="state.redo",
        details=(
            "Values, numbers of inputs and resources are those from before the :undo. It cannot be "
            "taken back any more once something else has changed the session."
        ),
    ),
    Command(
        "Session",
        "forget",
        "NAME...",
        "forget a variable, function, type or class",
        ("user-defined",),
        run="state.forget",
        examples=(":forget $x", ":forget my::function"),
    ),
    Command(
        "Session",
        "reset",
        "",
        "forget all but the settings, and run the site manifests again",
        run="state.reset",
    ),
    Command(
        "Session",
        "copy",
        "[N|EXPR]",
        "put the value of an input or an expression on the clipboard",
        ("expression",),
        run="notations.copy",
        details=(
            "A string is copied as its characters, anything else as Puppet code. The terminal has "
            "to support it (OSC 52); inside of tmux its option set-clipboard or allow-passthrough "
            "has to be on."
        ),
        examples=(":copy", ":copy 3", ":copy $facts['os']"),
        when_stopped="looks",
    ),
    Command(
        "Session",
        "quit",
        "",
        "exit",
        run="state.quit_",
        aliases=("q", "exit"),
        when_stopped="looks",
    ),
)


def find_command(name: str) -> Command | None:
    """Return the command of that name or alias; an unambiguous prefix of a name will do.

    A name with an exclamation mark is only that of a command that can be forced.
    """
    if name.endswith("!"):
        forced = find_command(name[:-1])
        return forced if forced is not None and forced.can_force else None
    for command in COMMANDS:
        if name == command.name or name in command.aliases:
            return command
    starting = commands_that_start(name)
    return starting[0] if len(starting) == 1 else None


def commands_that_start(prefix: str) -> list[Command]:
    """Return the commands whose names start with a prefix; none for the empty prefix."""
    return [command for command in COMMANDS if prefix and command.name.startswith(prefix)]


def command_names() -> Iterator[str]:
    """Return the names of all commands."""
    return (command.name for command in COMMANDS)
