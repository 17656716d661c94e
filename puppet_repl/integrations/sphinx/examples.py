"""Examples in a documentation: checked while it is built, and shown with what they print."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Node
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from puppet_repl.base.file_reading import read_text
from puppet_repl.frontends.doctest import Block, Difference, Runner, blocks_of, examples_of
from puppet_repl.frontends.doctest.documents import DIRECTIVE
from puppet_repl.frontends.doctest.runner import SECONDS

__all__ = ["ExamplesBuilder", "PuppetExample", "setup_examples"]

logger = logging.getLogger(__name__)
RUNNER = "puppet_repl.example_runner"
BLOCKS = "puppet_repl.example_blocks"


def differences_in(app: Sphinx, docname: str, text: str) -> list[Difference]:
    """Run the examples of a page."""
    path = str(app.env.doc2path(docname))
    return runner_of(app.config).run_document(path, text)


def runner_of(config: Config) -> Runner:
    """Return what runs the examples of one page."""
    return Runner(facts=config.puppet_example_facts, seconds=config.puppet_example_seconds)


def report(app: Sphinx, docname: str, found: list[Difference]) -> None:
    """Warn of every example that does not hold, at its line."""
    for difference in found:
        logger.warning(
            difference.summary,
            location=(docname, difference.line),
            type="puppet",
            subtype="example",
        )


def check_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """Check the examples of a page that has been read."""
    if app.config.puppet_check_examples:
        data: Any = app.env.temp_data
        data[BLOCKS] = blocks_of(str(app.env.doc2path(docname)), source[0])
        if app.builder.name != ExamplesBuilder.name:
            report(app, docname, differences_in(app, docname, source[0]))


class ExamplesBuilder(Builder):
    """``sphinx-build -b puppet-examples``: run the examples of all pages, write nothing else."""

    name = "puppet-examples"
    epilog = "The differences are above, if there are any, and in %(outdir)s/differences.txt."
    allow_parallel = False

    def get_outdated_docs(self) -> set[str]:
        """Examples are run every time."""
        return set(self.env.found_docs)

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """Pages have no addresses here."""
        return ""

    def write_documents(self, docnames: Iterable[str]) -> None:
        """Run the examples of the pages and write down what differs."""
        texts = []
        for docname in sorted(docnames):
            path = Path(str(self.env.doc2path(docname)))
            found = differences_in(self.app, docname, read_text(str(path)))
            report(self.app, docname, found)
            texts += [difference.text(str(path)) for difference in found]
        Path(self.outdir, "differences.txt").write_text("".join(texts), encoding="utf-8")
        if texts:
            self.app.statuscode = 1

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        """Nothing is written for a page."""

    def finish(self) -> None:
        """Nothing is left to do."""


class PuppetExample(SphinxDirective):
    """``.. puppet-example::``: code that is run; with ``:output:`` shown as a session.

    All examples of a page share one session, unless ``:session:`` names another one.
    """

    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "output": directives.flag,
        "session": directives.unchanged,
        "hide": directives.flag,
    }

    def run(self) -> list[Node]:
        """Return the code, or the session that it becomes."""
        lines = list(self.content)
        options = {name: value or "" for name, value in self.options.items()}
        block = Block(DIRECTIVE, self.lineno, lines, options=options)
        runner = self._runner()
        shown = "\n".join(lines)
        language = "puppet-console" if block.is_console else "puppet"
        if block.is_shown:
            language = "puppet-console"
            shown = "\n".join(_transcript(runner, block))
        else:
            runner.run_block(block)
        if "hide" in self.options:
            return []
        literal = nodes.literal_block(shown, shown, language=language)
        self.set_source_info(literal)
        return [literal]

    def _runner(self) -> Runner:
        """Return the runner of the page, after the examples above the directive."""
        data: Any = self.env.temp_data
        if RUNNER not in data:
            data[RUNNER] = runner_of(self.config)
        runner: Runner = data[RUNNER]
        blocks: list[Block] = data.get(BLOCKS, [])
        while blocks and blocks[0].line + len(blocks[0].lines) <= self.lineno:
            block = blocks.pop(0)
            if block.language != DIRECTIVE:
                runner.run_block(block)
        return runner


def _transcript(runner: Runner, block: Block) -> list[str]:
    """Return inputs after prompts, each with what the terminal prints for it."""
    runner.use_session(block.session)
    lines: list[str] = []
    for example in examples_of(block):
        first, *rest = example.code.split("\n")
        lines += [f">> {first}", *[f".. {line}" for line in rest]]
        printed = runner.printed(example.code)
        if printed:
            lines += printed.split("\n")
    return lines


def setup_examples(app: Sphinx) -> None:
    """Add directive, builder and settings; pages are checked as they are read."""
    app.add_config_value("puppet_check_examples", True, "env", types=[bool])
    app.add_config_value("puppet_example_facts", None, "env", types=[dict])
    app.add_config_value("puppet_example_seconds", SECONDS, "env", types=[float, int])
    app.add_directive("puppet-example", PuppetExample)
    app.add_builder(ExamplesBuilder)
    app.connect("source-read", check_source)
