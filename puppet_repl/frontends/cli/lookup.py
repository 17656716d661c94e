"""``puppet-repl lookup KEY...``: values of the data, and the steps that found them.

The texts are those of ``puppet lookup``. Exit status: 0 when a value was found or explained, 1 when
none was found or something failed, 2 for wrong usage, where Puppet has 1.
"""

from __future__ import annotations

import argparse
import sys

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.safe_text import visible_json, visible_lines
from puppet_repl.base.wording import listed
from puppet_repl.environment.facts.facts import STANDING_IN
from puppet_repl.environment.hiera.explain_data import explain_data
from puppet_repl.environment.hiera.explain_text import explain_text
from puppet_repl.frontends.cli.program import colored
from puppet_repl.host.argument_parser import ArgumentParser, utf8_text
from puppet_repl.host.session_options import (
    UsageError,
    add_session_options,
    host_of,
)
from puppet_repl.host.surroundings import take_surroundings
from puppet_repl.language.functions.stdlib.yaml_text import yaml_text
from puppet_repl.language.ruby_library.json_text import JsonWriter
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_text
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.symbol import RubySymbol
from puppet_repl.tools.rendering.diagnostics import error_text
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.rendering.logs import render_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from puppet_repl.environment.hiera.explanation import Explanation
    from puppet_repl.host.host import Log
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session

FAILED = 1
USAGE = 2
# In the order of Puppet's message.
STRATEGIES = ("first", "hash", "unique", "deep")
FORMATS = ("s", "json", "yaml")
_KNOCK_OUT = "--knock-out-prefix"
_END = "\0"
_GLOBAL = "__global__"  # Puppet's name for a key that no lookup_options are meant for

EPILOG = """\
examples:
  puppet-repl lookup profile::web::port --environment . --facts debian-12
  puppet-repl lookup users --environment . --node web01.example.com --trusted pp_role=web --explain
  puppet-repl lookup users --environment . --facts web01.yaml --merge deep --format json

Of several keys, the first that has a value counts. Facts come from files, from a bundled set or
from this machine, never from PuppetDB.

exit status:
  0  a value was found, or explained     1  no value, or something failed     2  wrong usage
"""


def make_parser(name: str = "lookup") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Look keys up in the data of an environment, as 'puppet lookup' does.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("keys", nargs="*", metavar="KEY", type=utf8_text)
    parser.add_argument(
        "--merge",
        metavar="STRATEGY",
        help="how values of several levels become one: first, unique, hash, deep",
    )
    parser.add_argument(
        "--knock-out-prefix",
        metavar="PREFIX",
        type=lambda text: text.removesuffix(_END),
        help="with --merge deep: elements with it remove others",
    )
    parser.add_argument(
        "--sort-merged-arrays", action="store_true", help="with --merge deep: sort them"
    )
    parser.add_argument(
        "--merge-hash-arrays",
        action="store_true",
        help="with --merge deep: merge hashes in arrays by their position",
    )
    parser.add_argument(
        "--type", metavar="TYPE", type=utf8_text, help="the data type that the value must have"
    )
    parser.add_argument(
        "--default", metavar="VALUE", type=utf8_text, help="the value if none is found"
    )
    parser.add_argument("--explain", action="store_true", help="print where values were looked for")
    parser.add_argument(
        "--explain-options", action="store_true", help="the same for the lookup_options"
    )
    parser.add_argument(
        "--format",
        "--render-as",
        metavar="FORM",
        type=str.lower,
        help=f"{', '.join(FORMATS)} (default: yaml, s with --explain)",
    )
    parser.add_argument(
        "-c", "--compile", action="store_true", help="run the manifests of the environment first"
    )
    add_session_options(parser)
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    given = make_parser().parse_args(_protected(argv))
    color = not given.no_color and colored(sys.stderr)

    def log(level: str, message: str) -> None:
        fragments = render_log(level, message)
        print(ansi(fragments) if color else plain(fragments), file=sys.stderr)

    try:
        _check(given)
        take_surroundings(given)
        host = host_of(given, lambda text: log("warning", text))
    except UsageError as error:
        log("err", str(error))
        return USAGE
    host.show_logs(log, every_level=True)
    session = host.session
    if given.explain:
        session.count_failed_interpolations(None)
    if given.facts is None:
        source = f"the bundled set {STANDING_IN}" if given.hermetic else "this machine"
        log("info", f"The facts are those of {source}; --facts takes a file or a bundled set")
    try:
        return _look_up(given, session, log)
    except PuppetError as error:
        sys.stderr.write(error_text(error, color=color).rstrip("\n") + "\n")
        return FAILED


def _protected(argv: list[str]) -> list[str]:
    """Return arguments with a mark after the usual prefix, two hyphens, which argparse drops."""
    words: list[str] = []
    for word in argv:
        if word == "--" and words[-1:] == [_KNOCK_OUT]:
            words.pop()
            word = f"{_KNOCK_OUT}=--"
        words.append(word + _END if word == f"{_KNOCK_OUT}=--" else word)
    return words


def _check(given: Namespace) -> None:
    """Raise UsageError for options that do not fit together."""
    deep_only = given.sort_merged_arrays or given.merge_hash_arrays or given.knock_out_prefix
    if deep_only and given.merge != "deep":
        raise UsageError(
            "The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are "
            "only available with '--merge deep'"
        )
    if given.merge is not None and given.merge not in STRATEGIES:
        *others, last = [f"'{strategy}'" for strategy in STRATEGIES]
        raise UsageError(f"The --merge option only accepts {', '.join(others)}, or {last}")
    if not given.keys and (given.explain or not given.explain_options):
        raise UsageError("No keys were given to lookup.")
    if given.format is not None and given.format not in FORMATS:
        raise UsageError(
            f"Unknown rendering format '{given.format}' (there are {', '.join(FORMATS)})"
        )


def _merge_option(given: Namespace) -> dict[str, object] | None:
    if given.merge is None:
        return None
    merge: dict[str, object] = {"strategy": given.merge}
    if given.merge == "deep":
        merge["sort_merged_arrays"] = given.sort_merged_arrays
        merge["merge_hash_arrays"] = given.merge_hash_arrays
        if given.knock_out_prefix is not None:
            merge["knockout_prefix"] = given.knock_out_prefix
    return merge


def _look_up(given: Namespace, session: Session, log: Log) -> int:
    """Look the keys up and print the value or the explanation. Raises PuppetError."""
    if given.compile:
        site = session.compile_site()
        if site.error is not None:
            raise site.error
    only_options = given.explain_options and not given.explain
    outcome, explanation = session.explain(
        tuple(given.keys) or _GLOBAL,
        merge=_merge_option(given),
        type=given.type,
        default=UNSET if given.default is None else given.default,
        options_only=only_options,
    )
    for warning in empty_warnings(explanation):
        log("warning", warning)
    explained = given.explain or given.explain_options
    error = outcome.error
    if error is not None and not given.environment and not explanation.is_found:
        log("info", _searched(given))
    if error is not None and not (explained and explanation.tells_error):
        raise error
    form = given.format or ("s" if explained else "yaml")
    if not explained:
        text = rendered(outcome.value, form)
    elif form == "s":
        text = explain_text(explanation)
    else:
        data = explain_data(explanation)
        text = rendered(_with_symbols(data) if form == "yaml" else data, form)
    if form == "json":
        text = visible_json(text)
    elif explained or sys.stdout.isatty():
        text = visible_lines(text)  # to a file or a program the value goes as it is
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    return 0


def _searched(given: Namespace) -> str:
    """Return what the data of a lookup without an environment are."""
    sources = ["the global layer"] if given.hiera_config else []
    sources += ["the modules of --modulepath"] if given.modulepath else []
    what = f"nothing but {listed(sources)}" if sources else "no data"
    return f"No --environment was given: {what} was searched"


def rendered(value: Value, form: str) -> str:
    """Return a value in one of FORMATS."""
    if form == "yaml":
        return yaml_text(_without_secrets(value), PuppetHash.EMPTY)
    return JsonWriter().write(value) if form == "json" else ruby_text(value)


def _without_secrets(value: Value) -> Value:
    """Return a value with Sensitive values as text, which hides them; Puppet's YAML shows them."""
    if isinstance(value, Sensitive):
        return ruby_text(value)
    if type(value) is tuple:
        return tuple([_without_secrets(item) for item in value])
    if type(value) is PuppetHash:
        return PuppetHash([(key, _without_secrets(item)) for key, item in value.items()])
    return value


def _with_symbols(step: PuppetHash) -> PuppetHash:
    """Return a step of an explanation with the symbols that Ruby has for its words."""
    entries: list[tuple[Value, Value]] = []
    for key, value in step.items():
        if key == "branches":
            value = tuple([_with_symbols(branch) for branch in value])
        elif key in ("event", "type", "merge"):
            value = RubySymbol(value)
        entries.append((RubySymbol(key), value))
    return PuppetHash(entries)


def empty_warnings(explanation: Explanation) -> list[str]:
    """Return what to say about paths with interpolations that were empty, a text for each path."""
    told = []
    for place in explanation.places():
        if place.path_empty:
            empty = listed([f"%{{{expression}}}" for expression in dict.fromkeys(place.path_empty)])
            message = f"Nothing for {empty} in '{place.original}', which became"
            told.append(f"{message} '{place.location}' (level '{place.level}')")
    return list(dict.fromkeys(told))
