"""environment.conf: errors and warnings of Puppet, and paths to nothing."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.profiles import PROFILES
from puppet_repl.environment.modules.environment_conf import read_environment_conf
from puppet_repl.environment.modules.puppetfile import MODULEDIR, NAME, read_puppetfile
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.tools.validation.module_index import read_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.modules.environment_conf import EnvironmentConf
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_CODE = "ENVIRONMENT_CONF"


def check(file: File) -> Iterator[Diagnostic]:
    """Yield the findings in an environment.conf."""
    directory = os.path.dirname(os.path.abspath(file.path or ""))
    profile, reach = PROFILES[file.options.language], file.workspace.reach
    try:
        conf = read_environment_conf(directory, profile, reach)
    except PuppetError as error:
        yield file.error(_CODE, error.message, error.line, error.column)
        return
    for warning in conf.warnings:
        name = _subject(warning, conf)
        yield file.warning("environment_setting", warning, *_place(file, conf, name))
    for name, path in _missing(file, conf, directory):
        yield from file.advice("missing_path", f"{path} does not exist", *_place(file, conf, name))


def _subject(warning: str, conf: EnvironmentConf) -> str:
    """Return the setting that a warning is about, or the section."""
    start, _, rest = warning.rpartition(": ")
    if start.startswith("Invalid sections"):
        return "[" + rest.strip("'").partition(",")[0] + "]"
    if start.startswith("Invalid settings"):
        return rest.partition(",")[0]
    named = [name for name in conf.written if f"'{name}'" in warning]
    return named[0] if named else "modulepath"


def _place(file: File, conf: EnvironmentConf, name: str) -> tuple[int, ...]:
    """Return where a setting is in the file: its name, after the blanks before it."""
    if name not in conf.written:
        return ()
    start = conf.written[name][1]
    start += len(file.text[start:]) - len(file.text[start:].lstrip())
    return (*file.at(start), *file.at(start + len(name)))


def _missing(file: File, conf: EnvironmentConf, directory: str) -> Iterator[tuple[str, str]]:
    """Yield settings and paths in the environment that do not exist, though none installs them."""
    reach = file.workspace.reach
    values = {name: text.strip("'\"") for name, (text, _) in conf.written.items()}
    paths = [("modulepath", path) for path in values.get("modulepath", "").split(os.pathsep)]
    paths.append(("manifest", values.get("manifest", "")))
    paths.append(("config_version", values.get("config_version", "").partition(" ")[0]))
    installed = _installed(file, directory)
    for name, path in paths:
        if not path or path.startswith(("/", "~")) or any(sign in path for sign in "$*?[{"):
            continue
        whole = os.path.normpath(os.path.join(directory, path))
        if name == "modulepath" and whole in installed:
            continue
        if (reach is None or reach.allows(whole)) and not os.path.lexists(whole):
            yield name, path


def _installed(file: File, directory: str) -> set[str]:
    """Return the directories that get modules when the environment is deployed."""
    found = {MODULEDIR}
    text = read_within(os.path.join(directory, NAME), file.workspace.reach)
    try:
        content = read_puppetfile(text)
    except RubyError:
        pass
    else:
        found |= {each for module in content.modules if (each := module.directory) is not None}
        if content.moduledir is not None and content.moduledir.string is not None:
            found.add(content.moduledir.string)
    return {os.path.normpath(os.path.join(directory, each)) for each in found}
