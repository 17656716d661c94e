"""Comments that switch rules off in files of any kind, and the rules that they misspell."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError, Report
from puppet_repl.base.matching import nearest
from puppet_repl.base.yaml_data import YamlError, compose_yaml
from puppet_repl.tools.advice.comments import IGNORED, Silenced, comments_in, comments_of
from puppet_repl.tools.validation.documents import scalars
from puppet_repl.tools.validation.file_rules import TEXTS, rule_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.validation.diagnostic import Diagnostic, Finding
    from puppet_repl.tools.validation.file import File

_BEGINNING = re.compile(r"<%-?#|(?:^|(?<=\s))#")
_YAML = frozenset(("data", "fixtures", "hiera", "plan"))
_KINDS = _YAML | {"environment", "erb", "puppetfile", "ruby"}
# The least ratio of letters that a misspelt name has in common with the right one.
_LIKENESS = 0.85

LINT_CHECKS = frozenset(
    (
        *("140chars", "2sp_soft_tabs", "80chars", "arrow_alignment"),
        *("arrow_on_right_operand_line", "case_without_default"),
        *("class_inherits_from_params_class", "code_on_top_scope", "documentation"),
        *("double_quoted_strings", "hard_tabs"),
        *("inherits_across_namespaces", "names_containing_dash"),
        *("nested_classes_or_defines", "parameter_order", "right_to_left_relationship"),
        *("selector_inside_resource", "slash_comments", "space_before_arrow"),
        *("star_comments", "trailing_whitespace", "unquoted_node_name"),
        *("variable_contains_dash", "variable_is_lowercase"),
        *("variables_not_enclosed",),
    )
)
"""Names of puppet-lint's checks without a rule here, which comments may switch off, too."""

LINT_PLUGINS = frozenset(
    (
        *("anchor_resource", "check_unsafe_interpolations", "empty_string_assignment"),
        *("empty_trailing_lines", "exec_idempotency", "file_ensure", "file_source_rights"),
        *(
            "global_definition",
            "global_function",
            "global_resource",
            "lookup_in_parameter",
            "parameter_types",
            "parameter_documentation",
        ),
        *("no_symbolic_file_modes", "params_empty_string_assignment"),
        *("resource_reference_syntax", "resource_reference_without_title_capital"),
        *("resource_reference_without_whitespace", "strict_indent", "top_scope_variables"),
        *("trailing_comma", "trailing_newline", "undef_in_function"),
        *("world_writable_files"),
    )
)
"""Names of checks of its plugins that resemble another name."""


class FileComments:
    """The comments about rules in one file without Puppet code; read when somebody asks."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._found: list[tuple[int, bool, str]] | None = None
        self._silenced: Silenced | None = None

    def cover(self, found: Finding) -> bool:
        """Tell whether a comment switches off the rule of a finding at its line."""
        if isinstance(found, PuppetError) or found.code not in TEXTS or not self._comments():
            return False
        line = found.position[0] if isinstance(found, Report) else found.line
        if line is None:
            return False
        if self._silenced is None:
            self._silenced = Silenced(self._file.source, self._comments())
        return self._silenced.covers(found.code, line, line)

    def misspelt(self) -> Iterator[Diagnostic]:
        """Yield the warnings about names that no rule has, while a similar one exists."""
        return _misspelt(self._file, self._comments())

    def _comments(self) -> list[tuple[int, bool, str]]:
        if self._found is None:
            self._found = list(self._read()) if self._file.kind.name in _KINDS else []
        return self._found

    def _read(self) -> Iterator[tuple[int, bool, str]]:
        file = self._file
        try:
            if "lint:ignore:" not in file.text or file.inside.endswith(".json"):
                return
            root = compose_yaml(file.text) if file.kind.name in _YAML else None
        except YamlError:
            root = None
        except (OSError, PuppetError):
            return
        texts = [range(*each.span) for each in scalars(root)]
        yield from comments_in(file.source, texts, _BEGINNING)


def misspelt_in(file: File, program: ast.Program) -> Iterator[Diagnostic]:
    """Yield the warnings about the comments of a manifest or template, as for other files."""
    if "lint:ignore:" in program.source.text:
        yield from _misspelt(file, comments_of(program))


def _misspelt(file: File, comments: Iterable[tuple[int, bool, str]]) -> Iterator[Diagnostic]:
    for line, _, text in comments:
        start = len(file.source.line(line)) - len(text) + 1
        for found in IGNORED.finditer(text):
            name = found["rule"]
            if (
                not name
                or name in LINT_CHECKS
                or name in LINT_PLUGINS
                or rule_named(name) is not None
            ):
                continue
            near = nearest(name, [*TEXTS, *LINT_CHECKS], likeness=_LIKENESS)
            if near is not None:
                message = f"no rule has the name {name}; did you mean {near}?"
                place = line, start + found.start("rule"), line, start + found.end("rule")
                yield from file.advice("unknown_rule", message, *place)
