"""Hints for errors: the name that was probably meant, or what Puppet has for what was written.

A hint never changes the message, which stays Puppet's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from puppet_repl.base.matching import did_you_mean, nearest
from puppet_repl.environment.facts.legacy_facts import AMBIGUOUS, structured
from puppet_repl.environment.modules import public_modules
from puppet_repl.environment.modules.layout import Layout, install_command, parts_of
from puppet_repl.language.data.files import NOT_FOUND
from puppet_repl.language.syntax.calls import STATEMENT_CALLS
from puppet_repl.language.syntax.headings import parameter_texts
from puppet_repl.session.symbols import SessionSymbols, type_spelling
from puppet_repl.session.top_scope import SERVER_VARIABLES
from puppet_repl.tools.hints.habits import habit_hint, places_of
from puppet_repl.tools.hints.key_hints import hint_for_existing_key, hint_for_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import PuppetError, Subject, SubjectKind
    from puppet_repl.session import Session

# Functions of the standard library, of now or of earlier versions, and what Puppet itself has.
REPLACEMENTS = {
    "concat": "$a + $b",
    "count": "$array.filter |$x| { ... }.length",
    "delete_undef_values": "$hash.filter |$k, $v| { $v =~ NotUndef }",
    "has_key": "'key' in $hash",
    "hash": "Hash($array)",
    "is_array": "$x =~ Array",
    "is_bool": "$x =~ Boolean",
    "is_float": "$x =~ Float",
    "is_function_available": "defined",
    "is_hash": "$x =~ Hash",
    "is_integer": "$x =~ Integer",
    "is_numeric": "$x =~ Numeric",
    "is_string": "$x =~ String",
    "member": "$x in $array",
    "merge": "$a + $b",
    "num2bool": "Boolean($x)",
    "range": "Array(Integer[1, 10])",
    "bool2str": "String($x)",
    "str2bool": "Boolean($x)",
    "type3x": "type($x)",
    "type_of": "type($x)",
    "validate_array": "assert_type(Array, $x), or a typed parameter",
    "validate_bool": "assert_type(Boolean, $x), or a typed parameter",
    "validate_hash": "assert_type(Hash, $x), or a typed parameter",
    "validate_integer": "assert_type(Integer, $x), or a typed parameter",
    "validate_re": "assert_type(Pattern[...], $x), or a typed parameter",
    "validate_string": "assert_type(String, $x), or a typed parameter",
}

# A default value that is a fact: $facts['name'], $facts.get('path') or $::name.
_FACT = re.compile(
    r"""\$(?:::)?facts(?:\[['"](?P<name>\w+)['"]\].*|\.get\(['"](?P<path>[\w.]+)['"].*)"""
    r"""|\$::(?P<variable>\w+)"""
)

# A template whose first tag ends before a second bar.
_OPEN_PARAMETERS = re.compile(r"\s*(?:<%#(?:[^%]|%(?!>))*%>\s*)*<%-?\s*(\|)[^|%]*-?%>")
# Errors about a name alone: nothing uses it, or it is not a number.
_BARE_NAMES = ("IDEM_EXPRESSION_NOT_LAST", "NOT_NUMERIC")
_LISTED = re.compile(r"attempt to pass argument list to the function '(\w+)' which cannot be")
_NAME = re.compile(r"[a-z]\w+")
# The word that begins a statement, if a name or a string follows it.
_FIRST_OF_TWO = re.compile(r"(?:^|[;{}])[ \t]*([a-z]+)[ \t]+(?=[\w'\":/])")
# The name of a type as an option, an operand or an argument, not that of a parameter.
_TYPE_WORD = re.compile(r"[A-Z]\w*(?=\s*(?:[,)}\n]|:(?!:)|=>|\Z))")
_DEFINING = ("class", "define", "function", "node", "type")

# What a message says, and what to do about it; groups are filled in.
_MESSAGES = (
    (
        re.compile(
            r"Comparison of: (?:String [<>]=? (?:Integer|Float)|(?:Integer|Float) [<>]=? String),"
        ),
        "a string is compared as a number by Integer($x) or Float($x)",
    ),
    (
        re.compile(r"a Method call, '\w+' expects .*\barguments?, got (?:\d+|none)"),
        "the value in front of the dot is the first of the arguments",
    ),
    (
        re.compile(r"a Method call, 'join' parameter 'arg' expects"),
        "the array comes first: ['a', 'b'].join(',')",
    ),
    (
        re.compile(
            r"a Function Call, Class\[(?P<name>[\w:]+)\]: "
            r"expects a value for parameter '(?P<parameter>\w+)'"
        ),
        "class {{ '{name}': {parameter} => ... }} gives it one; include takes it from data",
    ),
    (
        re.compile(r"hiera\.yaml version 3 cannot be used in an environment"),
        "strict=warning ignores the file; hiera_config takes it for the global layer",
    ),
)
# Usual directories of data.
_DATA = ("data", "hieradata", "hiera")


def hint_for(known: SessionSymbols, error: PuppetError) -> str | None:
    """Return a hint for an error of a session, or None if there is none worth giving."""
    session = known.session
    hint = (
        hint_for_existing_key(known, error)
        or _parameters_hint(error)
        or habit_hint(error, set(known.user_functions()))
    )
    if hint is not None:
        return hint
    subject = error.subject
    if subject is None:
        if error.code == NOT_FOUND:
            return hint_on_data(session)
        return _keyword_hint(known, error) or _call_hint(known, error) or _message_hint(error)
    if subject.kind == "function":
        hint = _other_kind(known, subject.name) or hint_for_key(known, error)
    return (
        hint
        or hint_on_name(session, subject)
        or _missing_module(known, subject)
        or _FINDERS[subject.kind](known, subject)
        or _string_hint(error, subject)
    )


def _string_hint(error: PuppetError, subject: Subject) -> str | None:
    """Return how a string is written, for an unknown type that may be meant as one: ``RedHat:``."""
    source, start = error.source, error.start
    if subject.kind not in ("type", "resource type") or source is None or start is None:
        return None
    word = _TYPE_WORD.match(source.text, start)
    if word is None or source.text[:start].endswith("["):
        return None
    return f"a word with a capital letter is a type; the string is '{word[0]}'"


def _parameters_hint(error: PuppetError) -> str | None:
    """Return where the parameters of a template begin, if their end is missing."""
    if error.source is None or error.code != "SYNTAX_ERROR" or error.start is None:
        return None
    opened = _OPEN_PARAMETERS.match(error.source.text)
    if opened is None or error.start < opened.end() or error.source.text[error.start] == "|":
        return None
    line = error.source.position(opened.start(1))[0]
    return f"the | of line {line} that begins the parameters is never closed: | String $name | -%>"


def _call_hint(known: SessionSymbols, error: PuppetError) -> str | None:
    """Return what is meant by a name that is before a value: ``split 'a'``, ``incldue a``."""
    source, start, end = error.source, error.start, error.end
    listed = _LISTED.search(error.message)
    if listed is not None:
        near = nearest(listed[1], STATEMENT_CALLS, likeness=0.75)
        return None if near is None else f"did you mean {near}?"
    if error.code not in _BARE_NAMES or source is None or start is None:
        return None
    name = source.text[start:end]
    if name in known.function_names():
        return f"{name} is a function, write its arguments in parentheses: {name}(...)"
    if error.code != "IDEM_EXPRESSION_NOT_LAST" or not _NAME.fullmatch(name):
        return None
    near = nearest(name, STATEMENT_CALLS, likeness=0.75)
    return _other_kind(known, name) or (None if near is None else f"did you mean {near}?")


def _keyword_hint(known: SessionSymbols, error: PuppetError) -> str | None:
    """Return the keyword that the first word of a definition is meant to be: ``clas x { }``."""
    for source, _, place, _ in places_of(error):
        line, column = source.position(place)
        words = [
            each for each in _FIRST_OF_TWO.finditer(source.line(line)) if each.start(1) < column
        ]
        name = words[-1][1] if words else ""
        near = nearest(name, _DEFINING, likeness=0.75)
        is_known = near is None or name in (near, *known.function_names())
        if not is_known and name not in known.resource_type_names():
            return f"did you mean {near}?"
    return None


def _message_hint(error: PuppetError) -> str | None:
    for pattern, hint in _MESSAGES:
        found = pattern.search(error.message)
        if found is not None:
            words = {name: word.lower() for name, word in found.groupdict().items()}
            return hint.format(**words)
    return None


def _other_kind(known: SessionSymbols, name: str) -> str | None:
    """Return what a name is that was taken for a function."""
    name = name.removeprefix("::")
    if name == "notify":
        return "notify is a resource type: notify { 'x': }; notice('x') writes to the log"
    if name in known.resource_type_names():
        return f"{name} is a resource type: {name} {{ 'title': ... }}"
    if name in known.class_names():
        return f"{name} is a class: include {name}"
    return None


def _missing_module(known: SessionSymbols, subject: Subject) -> str | None:
    """Return which module a name is from, where that module is not on the module path.

    It is one of the Puppetfile, or a public one.
    """
    if subject.kind not in ("function", "type", "resource type", "class"):
        return None
    name = subject.name.removeprefix("::").lower()
    prefix, colons, _ = name.partition("::")
    module: str | None = prefix
    if not colons and subject.kind == "function":
        module = public_modules.module_of_function(name)
    elif not colons and subject.kind != "class":
        module = public_modules.module_of_resource_type(name)
    for wanted in (module, prefix):
        hint = None if wanted is None else _of_puppetfile(known, subject.name, wanted)
        if hint is not None:
            return hint
    forge_name = None if module is None else public_modules.forge_name(module)
    if forge_name is None or module in known.module_names():
        return None
    hint = f"{subject.name} belongs to the module {forge_name}, {_not_there(known, module)}"
    if subject.kind == "function" and name in REPLACEMENTS:
        hint += f"; Puppet itself has {REPLACEMENTS[name]}"
    return hint


def _of_puppetfile(known: SessionSymbols, name: str, module: str) -> str | None:
    """Return that the Puppetfile of the environment names a module which is not installed."""
    environment = known.session.environment
    directory = None if environment is None else environment.directory
    if directory is None or module in known.module_names():
        return None
    from puppet_repl.environment.modules.puppetfile import entry_of_missing

    entry = entry_of_missing(directory, module, known.session.reach)
    if entry is None:
        return None
    hint = f"{name} belongs to the module {entry.text} of the Puppetfile, which is not installed"
    if entry.kind not in ("forge", "git", "tarball"):
        return hint
    return f"{hint}; '{install_command(directory)}' installs it"


def missing_module(session: Session, subject: Subject | None) -> str | None:
    """Return the module that an unknown name would be of, where that is not on the module path.

    That is its short name. None for a name that may be misspelt in what is there.
    """
    if subject is None or subject.kind not in ("function", "type", "resource type", "class"):
        return None
    known = SessionSymbols(session)
    name = subject.name.removeprefix("::").lower()
    module, colons, _ = name.partition("::")
    if not colons and subject.kind != "class":
        of_kind = public_modules.module_of_function
        if subject.kind != "function":
            of_kind = public_modules.module_of_resource_type
        found = of_kind(name)
        return None if found in known.module_names() else found
    is_there = module in known.module_names() or _defines_in(known, module)
    return None if is_there else module


def _unknown_module(known: SessionSymbols, name: str) -> str | None:
    """Return that a qualified name begins with that of a module which is not there."""
    module, colons, _ = name.removeprefix("::").lower().partition("::")
    if not colons or module in known.module_names():
        return None
    return _of_module(known, name, module)


def _of_module(known: SessionSymbols, name: str, module: str) -> str | None:
    if _defines_in(known, module):
        return None
    return f"{name} would be of a module {module}, {_not_there(known, module)}"


def _defines_in(known: SessionSymbols, module: str) -> bool:
    """Tell whether the session has defined something that is named after a module."""
    defined = (*known.definitions(), *known.defines(), *known.user_functions())
    return any(each.startswith(f"{module}::") for each in defined)


def _is_left_out(known: SessionSymbols, module: str | None) -> bool:
    environment = known.session.environment
    return environment is not None and any(each.name == module for each in environment.left_out)


def _not_there(known: SessionSymbols, module: str | None) -> str:
    if _is_left_out(known, module):
        return "which Puppet leaves out because of its metadata.json"
    found = known.session.options.found
    problem = None if found is None else found.problem
    if problem is not None:
        return f"which is not on the module path; the module of this directory has {problem}"
    how = ":modulepath" if known.session.has_commands else "--modulepath"
    return f"which is not on the module path; {how} DIR names where modules are"


def _variable(known: SessionSymbols, subject: Subject) -> str | None:
    name = subject.name
    if name.removeprefix("::").startswith("settings::"):
        return did_you_mean(name, known.setting_variables(), "${}")
    names = [*subject.candidates, *known.variable_names(), *known.class_variables()]
    meant = did_you_mean(name, names, "${}")
    plain = name.removeprefix("::")
    if plain in SERVER_VARIABLES:
        return f"${plain} is there where a server compiles: choose a node (:node, --node NAME)"
    if known.facts().has(plain):
        return f"facts are read as $facts['{plain}']"
    fact = structured(plain)
    if fact is not None and (plain != name or plain not in AMBIGUOUS):
        return f"the fact {plain} of earlier versions is {fact} now"
    return meant


def _function(known: SessionSymbols, subject: Subject) -> str | None:
    if subject.name in REPLACEMENTS:
        return f"Puppet has {REPLACEMENTS[subject.name]} for this"
    return _unknown_module(known, subject.name) or did_you_mean(
        subject.name, known.function_names()
    )


def _type(known: SessionSymbols, subject: Subject) -> str | None:
    resource_types = [type_spelling(each) for each in known.resource_type_names()]
    return _unknown_module(known, subject.name) or did_you_mean(
        subject.name, [*known.type_names(), *resource_types]
    )


def _resource_type(known: SessionSymbols, subject: Subject) -> str | None:
    name = subject.name
    if name in known.class_names():
        return f"{name} is a class: class {{ '{name}': }} or include {name}"
    return _unknown_module(known, name) or did_you_mean(name, known.resource_type_names())


def _class(known: SessionSymbols, subject: Subject) -> str | None:
    name = subject.name
    if name in known.defined_type_names():
        return f"{name} is a defined type, it is declared as {name} {{ 'title': }}"
    return (
        did_you_mean(name, known.class_names())
        or _unknown_module(known, name)
        or _misspelt_module(known, name)
    )


def _misspelt_module(known: SessionSymbols, name: str) -> str | None:
    """Return what a class is meant to be that has the name of a module which is not there."""
    module = name.removeprefix("::").lower()
    if "::" in module or module in known.module_names():
        return None
    near = nearest(module, public_modules.names(), likeness=0.75)
    if near is None or near in known.module_names() or _is_left_out(known, module):
        return _of_module(known, name, module)
    forge_name = public_modules.forge_name(near)
    return f"did you mean {near}? It belongs to the module {forge_name}, {_not_there(known, near)}"


def _attribute(known: SessionSymbols, subject: Subject) -> str | None:
    return did_you_mean(subject.name, subject.candidates)


def _fact(known: SessionSymbols, subject: Subject) -> str | None:
    """Return which fact is missing that the default value of a parameter is taken from."""
    for text in _parameter_texts(known, subject.name):
        before, _, default = text.partition(" = ")
        name = before.rpartition("$")[2]
        found = _FACT.fullmatch(default.strip())
        if found is None or name not in subject.candidates:
            continue
        fact = found["name"] or found["path"] or found["variable"]
        if not known.facts().has(fact.partition(".")[0]):
            return f"${name} is the fact {fact}, which is not known; :facts {fact}=VALUE sets it"
    return None


def _parameter_texts(known: SessionSymbols, name: str) -> list[str]:
    found = known.definitions().get(name) or known.defines().get(name)
    if found is not None:
        return parameter_texts(found.source, found.start)
    unloaded = known.in_module_file(name)
    return [] if unloaded is None else parameter_texts(unloaded[0], unloaded[1].start)


_FINDERS: dict[SubjectKind, Callable[[SessionSymbols, Subject], str | None]] = {
    "variable": _variable,
    "function": _function,
    "type": _type,
    "resource type": _resource_type,
    "class": _class,
    "attribute": _attribute,
    "undef parameters": _fact,
}


_TAKES = "':environment .' takes it"
# Where modules keep what has a name without their own, in Ruby.
_IN_RUBY = {
    "function": ("lib/puppet/functions", "lib/puppet/parser/functions"),
    "resource type": ("lib/puppet/type",),
    "type": ("lib/puppet/type",),
}


def hint_on_name(session: Session, subject: Subject) -> str | None:
    """Return the hint that the working directory has a module with an unknown name, or None."""
    directory = _offered(session)
    if directory is None or subject.kind not in (*_IN_RUBY, "class"):
        return None
    name = subject.name.removeprefix("::").lower()
    layout = Layout(directory)
    module = _module_with(layout, subject.kind, name)
    if module is not None:
        return f"this directory has the module {module}: {_TAKES}"
    is_own = subject.kind == "function" and "::" not in name
    if is_own and os.path.isfile(os.path.join(directory, "functions", f"{name}.pp")):
        return f"this directory has the function {name}: {_TAKES}"
    return None


def hint_on_data(session: Session) -> str | None:
    """Return the hint that data are there where none were found, or None.

    They are those of the working directory, or of an environment that does not name them.
    """
    environment, reach = session.options.environment, session.reach
    if environment is not None and session.options.hiera_config is None:
        paths = [os.path.join(environment, name) for name in ("hiera.yaml", *_DATA)]
        found = [(reach is None or reach.allows(path)) and os.path.exists(path) for path in paths]
        if True in found and not found[0]:
            name = _DATA[found.index(True) - 1]
            return (
                f"the environment has the directory {name}, but no hiera.yaml with a level for it"
            )
    directory = _offered(session)
    if directory is None or not os.path.exists(os.path.join(directory, "hiera.yaml")):
        return None
    return f"this directory has hiera.yaml: {_TAKES}"


def _offered(session: Session) -> str | None:
    """Return the working directory, where the user of a session could take it by a command."""
    options = session.options
    if not session.has_commands or options.environment is not None or options.hermetic:
        return None
    try:
        directory = os.getcwd()
    except OSError:  # it was removed
        return None
    # Manifests alone make no environment: any module has them.
    return directory if set(parts_of(directory)) - {"manifests", "Puppetfile"} else None


def _module_with(layout: Layout, kind: str, name: str) -> str | None:
    prefix, colons, _ = name.partition("::")
    if prefix in layout.names:
        return prefix
    if colons:
        return None
    for module in (each for modules in layout.modules.values() for each in modules):
        for directory in _IN_RUBY.get(kind, ()):
            if os.path.isfile(module.file(*directory.split("/"), f"{name}.rb")):
                return module.name
    return None
