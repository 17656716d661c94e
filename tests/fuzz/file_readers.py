"""What reads a file of each kind: a function of its path, which raises Flaw for a wrong outcome."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from puppet_repl.catalog.content import DocumentError
from puppet_repl.catalog.exports_file import ExportsError, exports_text, read_exports
from puppet_repl.environment.facts.facts import FactsError, file_facts
from puppet_repl.environment.modules.layout import Layout
from puppet_repl.frontends.commands.files import notebook_inputs
from puppet_repl.host.catalogs import content_of_file
from puppet_repl.host.history import History
from puppet_repl.host.settings import SettingError, Settings
from puppet_repl.session import NOTHING, Options, Session
from puppet_repl.session.outcome import Outcome
from puppet_repl.tools.reports.parts import CommandError
from tests.fuzz.targets import Flaw

Reader = Callable[[Path], bool]
HIERA = "version: 5\nhierarchy:\n  - name: x\n    path: {name}\n    data_hash: {function}\n"
FUNCTIONS = {".yaml": "yaml_data", ".json": "json_data", ".conf": "hocon_data"}
HISTORY_SECONDS = 60


def _checked(session: Session, outcome: Outcome) -> bool:
    """Show what a session returned; raise Flaw for an error that is none of Puppet's."""
    if outcome.error is not None:
        if "internal error" in str(outcome.error):
            raise Flaw(str(outcome.error)[:300])
        return False
    if outcome.value is not NOTHING:
        session.describe(outcome.value)
    return True


def facts(path: Path) -> bool:
    """Read facts, and use them in a session."""
    try:
        found = file_facts(str(path))
    except FactsError:
        return False
    session = Session(facts=found)
    try:
        return _checked(session, session.execute("[$facts, $facts['os'], $trusted['certname']]"))
    finally:
        session.close()


def _in_environment(directory: Path, code: str) -> bool:
    session = Session(
        Options(environment=str(directory)), facts={"os": {"family": "x"}, "n": ["x"]}
    )
    try:
        return _checked(session, session.execute(code))
    finally:
        session.close()


def hiera_config(path: Path) -> bool:
    """Look a key up with a hiera.yaml."""
    data = path.parent / "data"
    data.mkdir(exist_ok=True)
    (data / "x.yaml").write_text("k: {a: 1}\n", "utf-8")
    assert Layout(str(path.parent)).data_text is not None
    return _in_environment(
        path.parent, "[lookup('k', {default_value => 1}), lookup('k.a', Any, deep)]"
    )


def hiera_data(path: Path) -> bool:
    """Look keys up in a data file."""
    directory = path.parent
    (directory / "data").mkdir(exist_ok=True)
    shutil.move(path, directory / "data" / path.name)
    text = HIERA.format(name=path.name, function=FUNCTIONS[path.suffix])
    (directory / "hiera.yaml").write_text(text, "utf-8")
    return _in_environment(
        directory, "['k', 'l', 'm', 'k.a'].map |$k| { lookup($k, Any, deep, 1) }"
    )


def environment_conf(path: Path) -> bool:
    """Open an environment."""
    list(Layout(str(path.parent)).texts)
    return _in_environment(path.parent, "1")


def metadata(path: Path) -> bool:
    """Use a module with a metadata.json, which has its name or another one."""
    module = path.parent / "modules" / "me-m"
    module.mkdir(parents=True, exist_ok=True)
    shutil.move(path, module / path.name)
    session = Session(Options(modulepath=(str(module.parent),), stdlib="9"), facts={})
    try:
        return _checked(session, session.execute("load_module_metadata('m', true)"))
    finally:
        session.close()


def notebook(path: Path) -> bool:
    """Take the inputs from a notebook."""
    session = Session(facts={})
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return all(isinstance(code, str) for code in notebook_inputs(session, text, path))
    except (CommandError, UnicodeDecodeError):
        return False
    finally:
        session.close()


def settings(path: Path) -> bool:
    """Load settings, and save one."""
    read = Settings()
    problems = read.load(path)
    try:
        read.save(path, "theme")
    except (OSError, SettingError):
        return False
    return not problems and not Settings().load(path)


def history(path: Path) -> bool:
    """Read the history, and add to it."""
    read = History(path)
    if not read.loaded.wait(HISTORY_SECONDS):
        raise Flaw("the history was never read")
    before = len(read.entries)
    read.add("added\nhere")
    again = History(path)
    if not again.loaded.wait(HISTORY_SECONDS):
        raise Flaw("the history was not read again")
    if again.entries[-1:] != ["added\nhere"]:
        raise Flaw("an input was lost")
    return len(again.entries) >= before


def catalog(path: Path) -> bool:
    """Read a catalog to compare."""
    try:
        return content_of_file(str(path)) is not None
    except DocumentError:
        return False


def exports(path: Path) -> bool:
    """Read exported resources, and write them."""
    try:
        return bool(exports_text(read_exports(str(path))))
    except ExportsError:
        return False


READERS: dict[str, Reader] = {
    "facts.yaml": facts,
    "facts.json": facts,
    "hiera.yaml": hiera_config,
    "data.yaml": hiera_data,
    "data.json": hiera_data,
    "data.conf": hiera_data,
    "environment.conf": environment_conf,
    "metadata.json": metadata,
    "notebook.ipynb": notebook,
    "config.toml": settings,
    "history": history,
    "catalog.json": catalog,
    "exports.json": exports,
}
"""Readers by the name of the file, as tests.fuzz.file_seeds has them."""
