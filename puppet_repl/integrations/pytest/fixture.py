"""The fixture ``puppet``: the module under test, on a node."""

from __future__ import annotations

import os
from inspect import signature
from typing import Any, ClassVar

from puppet_repl.base.errors import CompileError, EvaluationError, ParseError, PuppetError
from puppet_repl.base.matching import did_you_mean
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.environment.reference.module import read_module
from puppet_repl.frontends.api.arguments import (
    names_of,
    options_of,
    text_of,
    unknown_name,
    values_of,
)
from puppet_repl.frontends.api.compilation import compile as compile_catalog
from puppet_repl.frontends.api.evaluation import evaluate
from puppet_repl.frontends.api.rendering import render
from puppet_repl.frontends.api.resource import copied
from puppet_repl.integrations.pytest.suite import Given, together
from puppet_repl.language.values.quote import source_quote
from puppet_repl.tools.rendering.diagnostics import error_excerpt
from puppet_repl.tools.rendering.fragments import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import NoReturn

    from puppet_repl.environment.reference.model import ResourceTypeEntry
    from puppet_repl.frontends.api.catalog import Catalog
    from puppet_repl.integrations.pytest.suite import Suite

# The function that a lambda in Python is called by.
_BLOCK = "pytest::block"
# The function that returns the values of a test: no variable does, which templates would see.
_GIVEN = "pytest::given"
# The arguments of a compilation that make no session.
_OF_CALL = ("exports", "log", "origins", "pre", "shared")
NAMES = (names_of(compile_catalog) - {"code", "facts"}) | {"pre"}
"""The names of the arguments of ``on`` and of the marker, besides code and facts."""


class Puppet:
    """The module under test, and the node that its code is compiled for.

    ``on`` returns another one with other facts, or other options of the session. Its methods return
    values and catalogs, or raise ``CompileError``, ``EvaluationError``
    and ``ParseError``, whose messages show the line of code.
    """

    PuppetError: ClassVar[type[PuppetError]] = PuppetError
    CompileError: ClassVar[type[CompileError]] = CompileError
    EvaluationError: ClassVar[type[EvaluationError]] = EvaluationError
    ParseError: ClassVar[type[ParseError]] = ParseError

    def __init__(
        self,
        suite: Suite,
        facts: Any,
        options: Mapping[str, Any] | None = None,
        *,
        node: str | None = None,
        pre: str = "",
    ) -> None:
        self._suite = suite
        self._given = facts
        self._options = options or {}
        self._facts: Mapping[str, Any] | None = None
        self.node = node
        """The name of the node, None for the one that the facts say."""
        self.pre = pre
        """The code that is compiled before that of the test."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts of the node."""
        if self._facts is None:
            self._facts = self._suite.facts_of(self._given)
        found: Mapping[str, Any] = copied(self._facts)
        return found

    @property
    def module(self) -> str:
        """The name of the module under test, '' if there is none."""
        return self._suite.name

    @property
    def modulepath(self) -> tuple[str, ...]:
        """The directories that modules come from; the first is the module under test itself."""
        return self._suite.modulepath

    def on(
        self, *facts: Any, node: str | None = None, pre: str | None = None, **options: Any
    ) -> Puppet:
        """Return the fixture for another node; missing arguments are inherited.

        ``facts`` are the name of a system (``debian-12``, ``almalinux-9``), a file, a mapping, or
        several of these, in which later ones override earlier ones, fact by fact; a single mapping
        overrides the present facts. ``options`` are those of ``puppet_repl.compile``: ``trusted``,
        ``hiera``, ``functions``, ``strict`` and so on. Data come on top of the present data,
        functions and ``variables`` are added to the present ones.
        """
        __tracebackhide__ = True
        return self._on("on", facts, node=node, pre=pre, **options)

    def _on(
        self,
        called: str,
        facts: Sequence[Any],
        /,
        *,
        node: str | None = None,
        pre: str | None = None,
        **options: Any,
    ) -> Puppet:
        """Return the fixture for another node; errors about arguments name the called method."""
        __tracebackhide__ = True
        layers: Any = self._given
        if facts:
            is_on_top = len(facts) == 1 and hasattr(facts[0], "keys")
            layers = [self._given, *facts] if is_on_top else list(facts)
        try:
            check_arguments(called, {"node": node, **options})
            made = Puppet(
                self._suite,
                layers,
                together(self._options, options),
                node=self.node if node is None else node,
                pre=self.pre if pre is None else pre,
            )
            if facts:
                _ = made.facts
        except (FactsError, TypeError, ValueError) as error:
            _raise(error)
        return made

    def compile(self, code: str | os.PathLike[str] | None = None, **options: Any) -> Catalog:
        """Return the catalog of code, by default of ``include`` and the name of the module.

        A path names a manifest. ``options`` are those of ``on``, with ``facts``, and of
        ``puppet_repl.compile``.
        """
        __tracebackhide__ = True
        if options:
            facts = [options.pop("facts")] if "facts" in options else []
            return self._on("compile", facts, **options).compile(code)
        try:
            text = self._suite.default_code if code is None else text_of(code)[0]
        except (PuppetError, OSError, TypeError) as error:
            _raise(error)
        try:
            given = self._suite.given(self._options)
            return self._suite.compile(self._after_pre(text), self.facts, self.node, given)
        except PuppetError as error:
            _raise(error)

    def declare(self, name: str, title: str | None = None, /, **parameters: Any) -> Catalog:
        """Return the catalog with a class of these parameters, or with a title a resource.

        ``declare("nginx", worker_processes=2)``, ``declare("nginx::resource::server", "www")``.
        """
        __tracebackhide__ = True
        kind, head = ("class", name) if title is None else (name, title)
        lines = [f"  {parameter} => {_GIVEN}('{parameter}')," for parameter in parameters]
        code = "\n".join([f"{kind} {{ {source_quote(head)}:", *lines, "}"])
        return self.compile(code, functions={_GIVEN: Given(parameters)})

    def evaluate(self, code: str, variables: Mapping[str, Any] | None = None) -> Any:
        """Return the value of code: that of a function of the module, for example.

        ``variables`` are those of the top scope, as for ``compile``, beside those of ``on``.
        """
        __tracebackhide__ = True
        if variables is not None:
            return self.on(variables=variables).evaluate(code)
        text = self._after_pre(code)
        try:
            given = self._given_to(evaluate)
            return evaluate(text, facts=self.facts, node=self.node, **given)
        except PuppetError as error:
            _raise(error)

    def call(
        self, function: str, /, *arguments: Any, block: str | Callable[..., Any] | None = None
    ) -> Any:
        """Return what a function returns for values of Python.

        ``block`` is the lambda of the call: Puppet code (``|$x| { $x + 1 }``), or a callable.
        """
        __tracebackhide__ = True
        listed = ", ".join([f"{_GIVEN}({number})" for number in range(1, len(arguments) + 1)])
        code = f"{function}({listed})"
        called = self.on(functions={_GIVEN: Given(dict(enumerate(arguments, 1)))})
        if callable(block):
            called = called.on(functions={_BLOCK: block})
            return called.evaluate(f"{code} {_lambda_for(block)}")
        return called.evaluate(code if block is None else f"{code} {block}")

    def accepts(self, type: str, value: Any) -> bool:
        """Tell whether a data type, such as an alias of the module, has a value as an instance."""
        __tracebackhide__ = True
        given = self.on(functions={_GIVEN: Given({1: value})})
        return bool(given.evaluate(f"{_GIVEN}(1) =~ {type}"))

    def assert_type(self, name: str, /, **kinds: Iterable[str]) -> ResourceTypeEntry:
        """Return what the module says of a resource type; raise AssertionError for missing parts.

        ``kinds`` are names of ``properties``, ``parameters``, ``features`` and ``providers``. The
        message names all missing parts. The Ruby of the module is read, not run.
        """
        __tracebackhide__ = True
        module = self._suite.module
        known = () if module is None else read_module(module.path).resource_types
        entry = next((each for each in known if each.name == name), None)
        if entry is None:
            raise AssertionError(f"the module has no resource type {name}")
        has = {
            "properties": {each.name for each in entry.of_kind("property")},
            "parameters": {each.name for each in entry.of_kind("parameter", "check")},
            "features": {each.name for each in entry.features},
            "providers": {*entry.providers},
        }
        problems = []
        for kind, names in kinds.items():
            if kind not in has:
                hint = did_you_mean(kind, has) or f"the kinds are {', '.join(has)}"
                raise TypeError(f"a resource type has no {kind}; {hint}")
            missing = sorted({*([names] if isinstance(names, str) else names)} - has[kind])
            if missing:
                there = ", ".join(sorted(has[kind])) or "none"
                problems.append(f"{kind}: {', '.join(missing)} (found: {there})")
        if problems:
            raise AssertionError(f"{name} lacks " + "\n  ".join(problems))
        return entry

    def _after_pre(self, code: str) -> str:
        return f"{self.pre}\n{code}" if self.pre else code

    def _given_to(self, function: Callable[..., Any]) -> dict[str, Any]:
        """Return the arguments for a function of the API, without those of ``compile`` alone."""
        given = self._suite.given(self._options)
        only = names_of(compile_catalog) - names_of(function)
        return {name: each for name, each in given.items() if name not in only}

    def render(self, template: str, /, **parameters: Any) -> str:
        """Return the text of a template: ``nginx/server.conf.epp``, or the text of an EPP."""
        __tracebackhide__ = True
        try:
            given = self._given_to(render)
            return render(template, parameters, facts=self.facts, node=self.node, **given)
        except (PuppetError, OSError) as error:
            _raise(error)

    def __repr__(self) -> str:
        return f"<puppet: module {self.module or 'none'}, facts of {self._given}>"


def _lambda_for(function: Callable[..., Any]) -> str:
    """Return a lambda that calls a callable, with a parameter for each that has no default."""
    given = [each for each in signature(function).parameters.values() if each.default is each.empty]
    parameters = [
        f"{'*' if each.kind is each.VAR_POSITIONAL else ''}$x{number}"
        for number, each in enumerate(given)
    ]
    listed = ", ".join(parameters)
    return f"|{listed}| {{ {_BLOCK}({listed}) }}"


def check_arguments(called: str, arguments: Mapping[str, Any]) -> None:
    """Raise TypeError or ValueError for arguments that no catalog can be compiled with.

    A test then fails at its own line, even if it compiles nothing.
    """
    given = {**arguments}
    for name in given:
        if name not in NAMES:
            hint = "facts come first, without a name" if name == "facts" else ""
            raise unknown_name(called, name, NAMES, hint)
    values_of(given.pop("variables", None))
    for name in _OF_CALL:
        given.pop(name, None)
    options_of(**given)


def _raise(error: Exception) -> NoReturn:
    """Raise an error where the test is; one of Puppet code has the line of code and the hints."""
    __tracebackhide__ = True
    excerpt = plain(error_excerpt(error)) if isinstance(error, PuppetError) else ""
    if excerpt and excerpt not in error.__notes__:
        error.add_note(excerpt)
    raise error.with_traceback(None) from None
