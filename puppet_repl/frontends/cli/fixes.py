"""``puppet-repl validate --fix``: write the fixed text, or print the difference."""

from __future__ import annotations

import sys
from collections import Counter

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.cli.changed_lines import changed_lines
from puppet_repl.tools.validation import manifests
from puppet_repl.tools.validation.diagnostic import UNREADABLE, Diagnostic, of_file
from puppet_repl.tools.validation.kinds import PUPPET_CODE
from puppet_repl.tools.validation.walk import STANDARD_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.validation.file import File


class Fixer:
    """Fixes files one by one, and counts the findings that are gone."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.fixed: Counter[str] = Counter()
        self.files = 0

    def fix(self, file: File) -> list[Diagnostic]:
        """Fix a file, which has its new text then; return the error if it cannot be written.

        With ``--diff`` the text stays, as on the disk: findings are reported at its lines.
        """
        if file.kind not in PUPPET_CODE:
            return []
        try:
            source = file.source
            counts = manifests.fix(file, asked=self.options.fix_all)
        except (OSError, PuppetError, RecursionError):
            return []  # the check reports it
        try:
            self._write(file, source)
        except OSError as error:
            file.source = source
            why = f"cannot write it: {why_unusable(error)}"
            return [of_file("error", UNREADABLE, why, file.path or STANDARD_INPUT)]
        self.fixed += counts
        self.files += bool(counts)
        return []

    def _write(self, file: File, source: Source) -> None:
        is_same = file.text == source.text
        if self.options.diff:
            name = visible(file.path or STANDARD_INPUT)
            sys.stdout.writelines([] if is_same else changed_lines(source.text, file.text, name))
            file.source = source
        elif file.path is None:
            sys.stdout.write(file.text)
        elif not is_same:
            replace_file(file.path, file.text, sync=False)

    def summary(self, left: int) -> str:
        """Return the line that counts the fixed findings, and the others where files are fixed."""
        total = counted(self.fixed.total(), "finding")
        files = counted(self.files, "file")
        if self.options.diff:
            return f"{total} can be fixed in {files}"
        return f"{total} fixed in {files}, {left} left"
