"""Rename a parameter of a template in EPP, and the keys with which code gives it a value."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.tokens import KEYWORDS
from puppet_repl.tools.advice.nodes import called
from puppet_repl.tools.editing.scopes import Variables, scope_of_template, template_of
from puppet_repl.tools.renaming.templates import Templates
from puppet_repl.tools.renaming.values import Looked, Values, Written, arguments
from puppet_repl.tools.renaming.work import Refused, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.editing.scopes import Variable
    from puppet_repl.tools.renaming.sources import Code
    from puppet_repl.tools.renaming.work import Renaming

_NAME = re.compile(r"[a-z]\w*", re.ASCII)
# Variables of the top scope, which every template sees.
_GIVEN = frozenset(("facts", "server_facts", "settings", "trusted", "environment"))


def rename_template_parameter(values: Values, template: str, old: str, new: str) -> Renaming:
    """Return the edits that give a parameter of a template another name.

    ``template`` is as ``epp`` takes it, ``module/file.epp``. Raises Refused if the name cannot be
    changed without a change of the catalog.
    """
    return _TemplateParameter(values, template, old, new).renaming()


class _TemplateParameter(Work):
    def __init__(self, values: Values, template: str, old: str, new: str) -> None:
        super().__init__(values, old, new)
        self.template = template
        found = [each for each in self.sources.codes if template_of(each.path) == template]
        if len(found) != 1:
            raise Refused(f"{'no file is' if not found else 'several files are'} {template}")
        self.code = found[0]

    def renaming(self) -> Renaming:
        """Return all edits."""
        variables = list(Variables(self.code.program))
        self._check_name(variables)
        self.refuse_if_broken(self.template)
        for each in variables:
            if each.name == self.old and each.owner == scope_of_template(self.template):
                for use in each.uses:
                    self.done.edit(self.code.path, use.start, use.end, self.new)
        body = self.code.program.body
        Templates(self.sources).refuse_variable([(self.code, body)], self.old, self.new)
        for code in self.sources.codes:
            for node in code.nodes:
                given = arguments(node) if called(node) == "epp" else ()
                if len(given) > 1:
                    self._call(code, given[0], given[1])
        self._check_ruby()
        return self.done

    def _check_name(self, variables: list[Variable]) -> None:
        owner = scope_of_template(self.template)
        mine = [each for each in variables if each.owner == owner and each.is_parameter]
        if self.old not in [each.name for each in mine]:
            raise Refused(f"{self.template} has no parameter {self.old}")
        if not _NAME.fullmatch(self.new):
            raise Refused(f"'{self.new}' is not the name of a parameter")
        if self.new in _GIVEN or self.new in KEYWORDS:
            raise Refused(f"{self.new} has a meaning in Puppet")
        if self.new in [each.name for each in variables]:
            raise Refused(f"there is a variable ${self.new}: {self.shown(self.code.path)}")

    def _call(self, code: Code, template: ast.Node, given: ast.Node) -> None:
        """Rename the key in the hash of a call that renders the template, perhaps with others."""
        origins = list(self.values.texts(code, template))
        mine = [
            each.text == self.template
            if isinstance(each, Written)
            else isinstance(each, Looked) or self.may_be(each, self.template)
            for each in origins
        ]
        is_certain = all(isinstance(each, Written) for each in origins) and all(mine)
        for key in self.values.keys(code, given) if any(mine) else ():
            is_key = isinstance(key, Written) and key.text == self.old
            if is_key and is_certain:
                self.write(key.code, key.node)
            elif is_key:
                place = self.place(code, template)
                raise Refused(f"{place} gives ${self.old} to a template whose name is computed")
            elif isinstance(key, Looked) or self.may_be(key, self.old):
                place = self.place(key.code, key.node)
                raise Refused(f"{place} computes keys of a hash that the template gets")

    def _check_ruby(self) -> None:
        """Refuse if Ruby code renders the template."""
        for path, text in self.sources.others(".erb", ".rb"):
            if self.template in text:
                line = text.count("\n", 0, text.index(self.template)) + 1
                raise Refused(f"the Ruby code in {self.shown(path)}:{line} has the name")
