"""Plans in YAML: what Bolt refuses to load, in its words."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_nodes import Mapping, Scalar, Sequence
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.tools.validation.yaml_files import Pair, YamlFile, is_empty, scalar_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.base.yaml_nodes import Node
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_CODE = "yaml_plan"
_KEYS = ("parameters", "private", "steps", "return", "version", "description")
_OF_PARAMETER = ("type", "default", "description")
_NAME = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
_ANY_STEP = ("name", "description", "targets")


class _Step:
    """One kind of step: the keys that it needs, and further ones."""

    def __init__(self, needs: tuple[str, ...], others: tuple[str, ...]) -> None:
        self.needs = needs
        self.allowed = (*needs, *others, *_ANY_STEP)


_CATCH = ("catch_errors", "run_as")
_STEPS = {
    "command": _Step(("command", "targets"), (*_CATCH, "env_vars")),
    "download": _Step(("download", "destination", "targets"), _CATCH),
    "eval": _Step(("eval",), ()),
    "message": _Step(("message",), ()),
    "verbose": _Step(("verbose",), ()),
    "plan": _Step(("plan",), (*_CATCH, "parameters")),
    "resources": _Step(("resources", "targets"), (*_CATCH, "noop")),
    "script": _Step(("script", "targets"), (*_CATCH, "arguments", "env_vars", "pwsh_params")),
    "task": _Step(("targets", "task"), (*_CATCH, "noop", "parameters")),
    "upload": _Step(("destination", "targets", "upload"), _CATCH),
}


def check(file: File) -> list[Diagnostic]:
    """Return the findings in a plan in YAML."""
    data = YamlFile(file)
    if data.is_refused:
        return data.found
    if type(data.root) is not Mapping:
        message = f"The data loaded from {file.path} does not contain an object"
        data.found.append(file.error(_CODE, message, 1, 1))
        return data.found
    _Plan(data).check(data.mapping(data.root))
    return data.found


def _listed(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


class _Plan:
    """The checks of one plan."""

    def __init__(self, data: YamlFile) -> None:
        self.data = data
        self.names: set[str] = set()

    def check(self, plan: dict[str, Pair]) -> None:
        """Add all findings."""
        data = self.data
        unknown = [name for name in plan if name not in _KEYS]
        if unknown:
            message = f"Plan contains illegal key(s) {_listed(unknown)}"
            data.error(_CODE, message, plan[unknown[0]].key)
        private = plan.get("private")
        if private is not None and scalar_value(private.value) not in (None, True, False):
            data.error(_CODE, "'private' must be a boolean", private.value)
        self._check_parameters(plan.get("parameters"))
        steps = plan.get("steps")
        if steps is None or type(steps.value) is not Sequence:
            message = "Plan must specify an array of steps"
            if steps is None:
                data.found.append(data.file.error(_CODE, message, 1, 1))
            else:
                data.error(_CODE, message, steps.value)
            return
        for step in steps.value.items:
            if type(step) is Mapping:
                self._check_step(step, data.mapping(step))
            else:
                data.error(_CODE, "Plan step must be an object with valid step keys.", step)

    def _check_parameters(self, parameters: Pair | None) -> None:
        data = self.data
        if parameters is None:
            return
        if type(parameters.value) is not Mapping:
            data.error(_CODE, "Plan parameters must be a Hash", parameters.value)
            return
        for name, key, definition in data.pairs(parameters.value):
            if not _NAME.fullmatch(name):
                data.error(_CODE, f'Invalid parameter name "{name}"', key)
            self.names.add(name)
            if is_empty(definition):
                continue
            if type(definition) is not Mapping:
                data.error(_CODE, f'the parameter "{name}" must be a Hash', definition)
                continue
            options = data.mapping(definition)
            unknown = [option for option in options if option not in _OF_PARAMETER]
            if unknown:
                message = f'Plan parameter "{name}" contains illegal key(s) {_listed(unknown)}'
                data.error(_CODE, message, options[unknown[0]].key)
            kind = options.get("type")
            if kind is not None and type(kind.value) is Scalar and not is_empty(kind.value):
                try:
                    parse_type(kind.value.text)
                except PuppetError as error:
                    message = f"the type of '{name}': {error.message}"
                    data.error("plan_type", message, kind.value)

    # Steps

    def _check_step(self, node: Node, step: dict[str, Pair]) -> None:
        data = self.data
        actions = [name for name in _STEPS if name in step]
        if len(actions) != 1:
            several = f"Multiple action keys detected: {_listed(actions)}"
            data.error(_CODE, several if actions else "No valid action detected", node)
            return
        action = actions[0]
        kind = _STEPS[action]
        unknown = [name for name in step if name not in kind.allowed]
        if unknown:
            message = f'The "{action}" step does not support: {_listed(unknown)} key(s)'
            data.error(_CODE, message, step[unknown[0]].key)
        missing = [name for name in kind.needs if name not in step]
        if missing:
            message = f'The "{action}" step requires: {_listed(missing)} key(s)'
            data.error(_CODE, message, step[action].key)
        self._check_values(step)
        for pair in step.values():
            self._check_code(pair.name, pair.value)
        if action == "resources":
            self._check_resources(step["resources"].value)
        self._check_name(step.get("name"))

    def _check_values(self, step: dict[str, Pair]) -> None:
        data = self.data
        parameters, arguments = step.get("parameters"), step.get("arguments")
        if parameters is not None and type(parameters.value) is not Mapping:
            data.error(_CODE, "Parameters key must be a hash", parameters.value)
        if arguments is not None and not (
            is_empty(arguments.value) or type(arguments.value) is Sequence
        ):
            data.error(_CODE, "arguments key must be an array", arguments.value)
        pwsh = step.get("pwsh_params")
        if pwsh is not None and not (is_empty(pwsh.value) or type(pwsh.value) is Mapping):
            data.error(_CODE, "pwsh_params key must be a hash", pwsh.value)

    def _check_name(self, name: Pair | None) -> None:
        if name is None:
            return
        text = scalar_value(name.value)
        if type(text) is not str or not _NAME.fullmatch(text):
            shown = (
                f'"{text}"' if type(text) is str else self.data.file.text[slice(*name.value.span)]
            )
            self.data.error(_CODE, f"Invalid step name: {shown}", name.value)
            return
        if text in self.names:
            message = f'Duplicate step name or parameter detected: "{text}"'
            self.data.error(_CODE, message, name.value)
        self.names.add(text)

    def _check_resources(self, node: Node) -> None:
        data = self.data
        for resource in node.items if type(node) is Sequence else ():
            keys = {pair.name for pair in data.pairs(resource)}
            if keys & {"type", "title"}:
                if "type" not in keys:
                    message = "Resource declaration must include type key if title key is set"
                    data.error(_CODE, message, resource)
                elif "title" not in keys:
                    message = "Resource declaration must include title key if type key is set"
                    data.error(_CODE, message, resource)
                continue
            types = sorted(keys - {"parameters"})
            if not types:
                data.error(_CODE, "Resource declaration is missing a type", resource)
            elif len(types) > 1:
                message = f"Resource declaration has ambiguous type: could be {' or '.join(types)}"
                data.error(_CODE, message, resource)

    def _check_code(self, key: str, node: Node) -> None:
        """Parse Puppet code: blocks, values that begin with $, and texts with variables."""
        if type(node) is Scalar:
            if node.style == "|":
                self._parse(key, node, node.text)
            elif node.style in (None, "") and node.text.startswith("$"):
                self._parse(key, node, node.text)
            elif node.style in (None, "", '"') and "$" in node.text:
                self._parse(key, node, _quoted(node.text))
            return
        if type(node) is Sequence:
            for item in node.items:
                self._check_code(key, item)
        elif type(node) is Mapping:
            for _, value in node.pairs:
                self._check_code(key, value)

    def _parse(self, key: str, node: Scalar, code: str) -> None:
        try:
            validate(parse(Source(code), tasks=True), tasks=True)
        except PuppetError as error:
            message = error.reports[-1].message if error.reports else error.message
            self.data.error("plan_code", f'Error parsing "{key}": {message}', node)


def _quoted(text: str) -> str:
    """Return a string in double quotes in which variables are interpolated."""
    text = re.sub(r"\\(?![$s])", r"\\\\", text).replace('"', '\\"')
    for sign, escape in (("\t", "\\t"), ("\n", "\\n"), ("\f", "\\f")):
        text = text.replace(sign, escape)
    return f'"{text}"'
