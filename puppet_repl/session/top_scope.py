"""The variables that the top scope has without an assignment: facts and the like.

They are evaluated when one of them is first read, because collecting the facts of a node takes
longer than evaluating most inputs.
"""

from __future__ import annotations

from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash, from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.environment.hiera.hiera import Hiera
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.classification import Classification

# The facts that local_facts may find: reading any other name must not collect them.
LOCAL_FACTS = frozenset(
    (
        "clientcert",
        "facterversion",
        "fips_enabled",
        "identity",
        "implementation",
        "is_pe",
        "is_virtual",
        "kernel",
        "kernelmajversion",
        "kernelrelease",
        "kernelversion",
        "load_averages",
        "memory",
        "mountpoints",
        "networking",
        "os",
        "package_provider",
        "partitions",
        "path",
        "processors",
        "puppet_environmentpath",
        "puppet_server",
        "puppet_vardir",
        "puppetversion",
        "python",
        "root_home",
        "service_provider",
        "system_uptime",
        "systemd",
        "timezone",
        "virtual",
    )
)
_ALWAYS = frozenset(("facts", "server_facts", "trusted"))
_STRINGS = frozenset((str,))
SERVER_VARIABLES = frozenset(("serverimplementation", "serverip", "servername", "serverversion"))


class TopVariables:
    """Finds the values of names that are not bound; for ``context.top_variable``."""

    __slots__ = ("_has_server", "_values", "context")

    def __init__(self, context: Context) -> None:
        self.context = context
        self._values: dict[str, Value] | None = None
        # Whether the values have those that only a server gives.
        self._has_server = False

    def __call__(self, name: str) -> Value:
        """Return the value of a variable, or UNSET."""
        if name == "title" or name == "name":
            return "main"
        if name == "module_name":
            return ""
        if name == "environment":
            return self.context.environment_name
        values = self._values
        if values is None:
            known = LOCAL_FACTS if self.context.facts is None else self.context.facts
            if name not in known and name not in _ALWAYS and not self._is_of_node(name):
                return UNSET
            values = self._values = self._collect()
        if self.context.has_server and not self._has_server:
            self._has_server = True  # a site may be compiled after facts were read
            self._add_those_of_server(values)
        return values.get(name, UNSET)

    def _is_of_node(self, name: str) -> bool:
        """Tell whether a variable may come from a server or a classifier."""
        if name in SERVER_VARIABLES and self.context.has_server:
            return True
        classification = self.context.classification
        return classification is not None and name in classification.parameters

    def _collect(self) -> dict[str, Value]:
        from puppet_repl.environment.facts.facts import machine_facts, trusted_facts

        context = self.context
        profile = context.options.profile
        facts = context.facts
        if facts is None:
            from puppet_repl.environment.facts.sample_facts import facts_of_node

            facts = context.facts = facts_of_node(machine_facts(), context.options.node, profile)
        node = context.options.certname(facts)
        converted = {name: _of_fact(value) for name, value in facts.items()}
        values: dict[str, Value] = dict(converted)
        values.pop("environment", None)
        self._add_those_of_classifier(values)
        values["facts"] = PuppetHash.of_strings(converted)
        extensions = context.options.trusted
        trusted = trusted_facts(node, extensions, is_remote=bool(extensions))
        values["trusted"] = from_data(trusted)
        values["server_facts"] = from_data({"environment": context.environment_name})
        return values

    def _add_those_of_classifier(self, values: dict[str, Value]) -> None:
        """Add the parameters of the node, which hide facts."""
        classification = self.context.classification
        if classification is None:
            return
        from puppet_repl.environment.facts.facts import fact_stays

        given = classification.parameters
        for name, fact in values.items():
            if name in given:
                warning = fact_stays(name, given[name], fact, self.context.node_name)
                self.context.warn_once(warning, warning)
        values.update(given)

    def _add_those_of_server(self, values: dict[str, Value]) -> None:
        """Add what a server that compiles gives, for a node that sent a request to it."""
        from puppet_repl.environment.facts.facts import fact_stays, server_facts, trusted_facts

        context = self.context
        options = context.options
        node = options.certname(context.facts)
        values["trusted"] = from_data(trusted_facts(node, options.trusted, is_remote=True))
        facts = server_facts(node, context.environment_name, options.profile)
        values["server_facts"] = PuppetHash.of_strings(facts)
        for name, value in facts.items():
            if name in SERVER_VARIABLES and name in values:
                warning = fact_stays(name, values[name], value, node)
                context.warn_once(warning, warning)
            elif name in SERVER_VARIABLES:
                values[name] = value


def _of_fact(fact: Any) -> Value:
    """Return a fact as Puppet keeps it: null becomes the empty string."""
    if isinstance(fact, dict):
        values = {
            name: value if type(value) is str else _of_fact(value) for name, value in fact.items()
        }
        if set(map(type, values)) <= _STRINGS:
            return PuppetHash.of_strings(values)
        return PuppetHash(values.items())
    if isinstance(fact, (list, tuple)):
        return tuple([_of_fact(value) for value in fact])
    return "" if fact is None else fact


def attach(context: Context) -> None:
    """Attach facts to a context, and modules where the options name any."""
    context.top_variable = TopVariables(context)
    context.make_ruby = _make_ruby
    context.query_puppetdb = _query_puppetdb
    options = context.options
    if options.enc is not None:
        context.make_classification = _classify
    if _is_chosen(options) or options.environment:
        context.make_environment = _make_environment


def _is_chosen(options: Options) -> bool:
    """Tell whether options other than that of the environment need one."""
    has_modules = options.modulepath or options.found or options.stubs or options.stdlib != "off"
    return bool(has_modules or options.hiera_config or options.data)


def _make_environment(context: Context) -> Environment | None:
    """Return the environment that the options describe; None if they describe none."""
    # Most programs refer to nothing outside of themselves.
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.modules.environment_conf import is_mere_name

    options = context.options
    directory = options.environment
    if directory is not None and is_mere_name(directory):
        directory = None
    if directory is None and not _is_chosen(options):
        return None
    return Environment(context, options.search_path, directory, _make_hiera)


def _make_hiera(directory: str | None, module_directory: Callable[[str], str | None]) -> Hiera:
    # Most programs look up no data.
    from puppet_repl.environment.hiera.hiera import Hiera

    return Hiera(directory, module_directory)


def _classify(context: Context, node: str) -> Classification:
    # Most sessions have no classifier.
    from puppet_repl.session.classification import classify

    return classify(context, node)


def _query_puppetdb(context: Context, query: object) -> object:
    # Most programs ask no PuppetDB.
    from puppet_repl.environment.puppetdb.answers import answer_query

    return answer_query(context, query)


def _make_ruby(context: Context) -> RubyHost:
    # Most programs need no Ruby.
    from puppet_repl.environment.ruby.host import RubyHost

    return RubyHost(context)
