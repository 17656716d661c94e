"""``environment.conf``: the settings of one environment, read and refused as Puppet does.

The settings that matter here are ``modulepath`` and ``manifest``. The script of ``config_version``
is not run.
"""

from __future__ import annotations

import errno
import os
import stat

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.patterns import LatePattern
from puppet_repl.base.profiles import DEFAULT_LANGUAGE, PROFILES
from puppet_repl.base.reach import REASON, OutOfReach
from puppet_repl.base.stamp import stamp_of
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.modules import issues
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import decode
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from puppet_repl.base.profiles import Profile
    from puppet_repl.base.reach import Reach
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.puppet_settings import PuppetSettings

NAME = "environment.conf"
# The directory that Puppet calls $codedir, where an environment is not below one.
CODE_DIRECTORY = "/etc/puppetlabs/code"
_CONFIGURATION_DIRECTORY = "/etc/puppetlabs/puppet"

_OTHERS = ("config_version", "environment_timeout", "static_catalogs", "rich_data")
_TRUTH_VALUES = ("static_catalogs", "rich_data")
_KNOWN = ("modulepath", "manifest", *_OTHERS)
_DATA_PROVIDER = "environment_data_provider"
# The setting that lets no environment have a manifest of its own.
_IS_FIXED = "disable_per_environment_manifest"
_SETTING = LatePattern(r"\s*(\w+)\s*=\s*(.*?)\s*")
_SECTION = LatePattern(r"\s*\[(\w+)\]\s*")
_NOTHING = LatePattern(r"\s*(#.*)?")
# The owner and mode of a file, which Puppet takes from a value.
_FILE_OPTIONS = LatePattern(r"\{\s*([^}]+)\s*\}")
_FILE_OPTION = LatePattern(r"\s*(\w+)\s*=\s*(\w+)\s*")
_VARIABLE = LatePattern(r"\$(\w+)")
_MAGIC = LatePattern(r"[*?\[]")
_DURATION = LatePattern(r"\d+[smhdy]?|unlimited")


class SiteSettings:
    """The settings of Puppet that a site has changed, and what finds the name of the node.

    The server is on the node itself: its certname is that name.
    """

    __slots__ = ("given", "node_name")

    def __init__(self, given: Mapping[str, object], node_name: Callable[[], str]) -> None:
        self.given = given
        self.node_name = node_name

    def with_values(self, values: Mapping[str, object]) -> PuppetSettings:
        """Return all settings, with further values where the site has not changed them."""
        # Most environments name no other setting, and Puppet has many.
        from puppet_repl.language.runtime.puppet_settings import PuppetSettings

        return PuppetSettings(self.given, {"certname": self.node_name(), **values})


NO_SETTINGS = SiteSettings({}, lambda: "localhost")


class EnvironmentConf:
    """The settings of an environment: paths are absolute, and need not exist.

    ``warnings`` are those of Puppet about the file, and ``errors`` those that refuse nothing;
    ``conflict`` is what refuses to compile anything. ``data_provider`` is the older setting that
    chooses where data come from, None if there is none. ``others`` are texts of further settings.
    ``written`` are the settings in the file, by name: their texts, and the offsets of their lines;
    that of a section has its name in brackets.
    """

    __slots__ = (
        "conflict",
        "data_provider",
        "errors",
        "manifest",
        "modulepath",
        "others",
        "warnings",
        "written",
    )

    def __init__(
        self, modulepath: tuple[str, ...], manifest: str, warnings: tuple[str, ...] = ()
    ) -> None:
        self.modulepath = modulepath
        self.manifest = manifest
        self.data_provider: str | None = None
        self.warnings = warnings
        self.errors: tuple[str, ...] = ()
        self.conflict: PuppetError | None = None
        self.others: dict[str, str] = {}
        self.written: dict[str, tuple[str, int]] = {}


class WatchedConf:
    """The settings of an environment as they are now; the defaults while the file is wrong."""

    __slots__ = ("_problem", "_profile", "_reach", "_settings", "_stamp", "conf", "directory")

    def __init__(
        self,
        directory: str,
        profile: Profile,
        reach: Reach | None = None,
        settings: SiteSettings = NO_SETTINGS,
    ) -> None:
        self.directory = directory
        self._profile = profile
        self._reach = reach
        self._settings = settings
        self.conf = default_conf(directory, settings)
        self._problem: PuppetError | None = None
        self._stamp: Stamp | None = None
        self._read()

    def _read(self) -> None:
        self._problem = None
        try:
            self.conf = read_environment_conf(
                self.directory, self._profile, self._reach, self._settings
            )
        except PuppetError as error:
            self.conf, self._problem = default_conf(self.directory, self._settings), error
        self._stamp = stamp_of(os.path.join(self.directory, NAME))

    def refresh(self) -> None:
        """Read the file again if it has changed, or was wrong."""
        if self._problem is not None or self._stamp != stamp_of(os.path.join(self.directory, NAME)):
            self._read()

    def check(self) -> None:
        """Raise PuppetError where the directory is gone, or the file is wrong."""
        _check_directory(self.directory)
        _raise_copy(self._problem)

    def tell(self, context: Context) -> None:
        """Log what Puppet says about the file; raise PuppetError if nothing can be compiled."""
        for text in self.conf.errors:
            context.log_once(text, "err", text)
        for text in self.conf.warnings:
            context.warn_once(text, text)
        _raise_copy(self.conf.conflict)


def _raise_copy(problem: PuppetError | None) -> None:
    """Raise a problem, if there is one, again: what an error has passed through is added to it."""
    if problem is not None:
        from copy import copy

        raise copy(problem)


def _check_directory(path: str) -> None:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise issues.unreadable_environment(path, why_unusable(error)) from None
    if not stat.S_ISDIR(mode):
        raise issues.unreadable_environment(path, os.strerror(errno.ENOTDIR))


def is_mere_name(environment: str) -> bool:
    """Tell whether an environment has no files: it is given by a word, and no directory is there.

    A path is always that of a directory, and it is an error when that is gone.
    """
    return os.path.basename(environment) == environment and not os.path.isdir(environment)


def code_directory(directory: str) -> str | None:
    """Return what contains ``environments/NAME``; None for an environment in another place."""
    parent = os.path.dirname(directory)
    return os.path.dirname(parent) if os.path.basename(parent) == "environments" else None


def default_conf(directory: str, settings: SiteSettings = NO_SETTINGS) -> EnvironmentConf:
    """Return the settings of an environment without environment.conf, by its absolute path.

    ``settings`` are those of Puppet that a site has changed.
    """
    base = _base_settings(directory, settings)
    common = base["basemodulepath"].split(os.pathsep)
    modulepath = (os.path.join(directory, "modules"), *filter(None, common))
    return EnvironmentConf(
        modulepath, os.path.abspath(os.path.join(directory, base["default_manifest"]))
    )


def _base_settings(directory: str, settings: SiteSettings) -> dict[str, str]:
    """Return the settings that paths of an environment are made of.

    They follow from its place where the site has not changed them.
    """
    code = code_directory(directory)
    found = {
        "codedir": code or CODE_DIRECTORY,
        "confdir": _CONFIGURATION_DIRECTORY,
        "basemodulepath": "" if code is None else os.path.join(code, "modules"),
        "default_manifest": "manifests",
    }
    given = settings.given
    if given:
        every = settings.with_values({"codedir": found["codedir"]})
        changed = {*given, *(("basemodulepath",) if "codedir" in given else ())}
        found |= {name: str(every.value(name)) for name in found if name in changed}
    return found


def read_environment_conf(
    directory: str,
    profile: Profile = PROFILES[DEFAULT_LANGUAGE],
    reach: Reach | None = None,
    settings: SiteSettings = NO_SETTINGS,
) -> EnvironmentConf:
    """Return the settings of an environment, by its absolute path.

    ``settings`` are those of Puppet that a site has changed. The profile of the language decides
    which settings exist, except for paths. Raises PuppetError, with the line of the file, for
    settings that Puppet refuses. With a ``reach``, paths and patterns out of reach are left out,
    with a warning and without a look at them; so is ``~``, which depends on environment variables.
    """
    path = os.path.join(directory, NAME)
    try:
        if reach is not None:
            reach.check(path)
        data = read_bytes(path)
    except FileNotFoundError:
        conf = default_conf(directory, settings)
    except OSError as error:
        raise issues.unreadable_environment(path, why_unusable(error)) from None
    else:
        conf = _Reader(directory, decode(data, path), profile, reach, settings).conf()
    return conf if reach is None else _within(reach, conf, path)


def _within(reach: Reach, conf: EnvironmentConf, path: str) -> EnvironmentConf:
    """Return settings without the directories of modules that may not be read."""
    left_out = [each for each in conf.modulepath if not reach.allows(each)]
    conf.modulepath = tuple([each for each in conf.modulepath if each not in left_out])
    conf.warnings += tuple([_left_out(each, path) for each in left_out])
    return conf


def _left_out(part: str, path: str) -> str:
    return f"{part} in the modulepath of {path} is {REASON}: it is left out"


class _Reader:
    """Reads one file."""

    def __init__(
        self,
        directory: str,
        source: Source,
        profile: Profile,
        reach: Reach | None,
        given: SiteSettings,
    ) -> None:
        self.directory = directory
        self.reach = reach
        self.given = given
        self.known = (*_KNOWN, *([_DATA_PROVIDER] if profile.environment_data_provider else []))
        self.source = source
        self.warnings: list[str] = []
        # Name -> value and offset of its line; of a setting that is given twice the first counts.
        self.settings: dict[str, tuple[str, int]] = {}
        # The sections that are not read, likewise.
        self.sections: dict[str, tuple[str, int]] = {}

    def conf(self) -> EnvironmentConf:
        """Return the settings that the text holds."""
        self._read_lines()
        made = default_conf(self.directory, self.given)
        if "modulepath" in self.settings:
            made.modulepath = self._modulepath(*self.settings["modulepath"])
        if _DATA_PROVIDER in self.settings and _DATA_PROVIDER in self.known:
            made.data_provider = self.settings[_DATA_PROVIDER][0]
        if "manifest" in self.settings:
            path, start = self._path("manifest"), self.settings["manifest"][1]
            if self.given.given.get(_IS_FIXED) is True:
                self._compare_with_fixed(made, path, start)
            else:
                made.manifest = os.path.abspath(self._interpolated("manifest", path, start))
        timeout, start = self.settings.get("environment_timeout", ("0", 0))
        if not _DURATION.fullmatch(timeout):
            raise self._error(
                f"Invalid 'time to live' format '\"{timeout}\"' for parameter: environment_timeout",
                start,
            )
        others = (*_OTHERS, *([_DATA_PROVIDER] if made.data_provider is not None else []))
        made.others = {name: self._other(name) for name in others if name in self.settings}
        made.warnings = tuple(self.warnings)
        made.written = {**self.settings, **self.sections}
        return made

    def _compare_with_fixed(self, made: EnvironmentConf, path: str, start: int) -> None:
        """Note what Puppet says where all environments have the same manifest, and here another."""
        fixed = _base_settings(self.directory, self.given)["default_manifest"]
        if path != fixed:
            made.errors = (
                f"The '{_IS_FIXED}' setting is true, but the environment located at"
                f" {self.directory} has a manifest setting in its {NAME} of '{path}' which does not"
                f" match the default_manifest setting '{fixed}'. If this environment is expecting"
                f" to find modules in '{path}', they will not be available!",
            )
        if self.settings["manifest"][0] not in ("", fixed):
            made.conflict = self._error(
                f"Compilation has been halted because: The '{_IS_FIXED}' setting is true, and the"
                f" '{os.path.basename(self.directory)}' environment has an {NAME} manifest that"
                " conflicts with the 'default_manifest' setting. For more information, see"
                " https://puppet.com/docs/puppet/latest/environments_about.html",
                start,
            )

    def _other(self, name: str) -> str:
        """Return the text of a further setting, which Puppet can convert."""
        value, start = self.settings[name]
        if name == "config_version":
            value = self._path(name)
        elif name in _TRUTH_VALUES and value.lower() in ("true", "false"):
            return value.lower()
        if name in _TRUTH_VALUES or "$" in value:
            named = {**self._named_settings(), name: value}
            try:
                self.given.with_values(named).value(name)
            except ValueError as problem:
                raise self._error(str(problem), start) from None
        return value

    def _named_settings(self) -> dict[str, str]:
        """Return the settings that follow from the place of the environment."""
        base = _base_settings(self.directory, self.given)
        return {**base, "environment": os.path.basename(self.directory)}

    def _read_lines(self) -> None:
        section = "main"
        start = 0
        for line in self.source.text.split("\n"):
            text = line.rstrip("\r")
            opened = _SECTION.fullmatch(text)
            found = _SETTING.fullmatch(text)
            if opened is not None:
                section = opened[1]
                if section != "main":
                    self.sections.setdefault(f"[{section}]", (section, start))
            elif found is not None:
                value = self._value(found[2], start)
                if section == "main":
                    self.settings.setdefault(found[1], (value, start))
            elif not _NOTHING.fullmatch(text):
                raise self._error(f"Could not match line {text}", start)
            start += len(line) + 1
        path = self.source.name
        if self.sections:
            others = ",".join([name for name, _ in self.sections.values()])
            self.warnings.append(
                f"Invalid sections in {NAME} at '{path}'. Environment conf may not have sections."
                f" The following sections are being ignored: '{others}'"
            )
        unknown = [name for name in self.settings if name not in self.known]
        if unknown:
            self.warnings.append(
                f"Invalid settings in {NAME} at '{path}'. The following unknown setting(s) are"
                f" being ignored: {', '.join(unknown)}"
            )

    def _value(self, text: str, start: int) -> str:
        """Return a value without quotes around it, and without the owner and mode of a file."""
        if "\0" in text:
            raise self._error("string contains null byte", start)
        text = text[1:] if text[:1] in ("'", '"') else text
        text = text[:-1] if text[-1:] in ("'", '"') else text
        text = text.rstrip()
        options = _FILE_OPTIONS.search(text)
        if options is None:
            return text
        for part in options[1].split(","):
            option = _FILE_OPTION.fullmatch(part)
            if option is None:
                notes = ("write variables without braces: $basemodulepath",)
                raise self._error(f"Could not parse '{text}'", start, notes if "${" in text else ())
            if option[1] not in ("owner", "mode", "group"):
                raise self._error(f"Invalid file option '{option[1]}'", start)
            if option[1] == "mode" and not option[2].isdigit():
                raise self._error("File modes must be numbers", start)
        return (text[: options.start()] + text[options.end() :]).rstrip()

    def _modulepath(self, value: str, start: int) -> tuple[str, ...]:
        parts = value.split(os.pathsep)
        while parts and not parts[-1]:
            parts.pop()
        expanded: list[str] = []
        for part in parts:
            try:
                if self.reach is not None and part.startswith("~"):
                    raise OutOfReach(part)
                expanded += self._matching(self._absolute(part))
            except OutOfReach:
                self.warnings.append(_left_out(part, os.path.join(self.directory, NAME)))
            except RuntimeFailure as error:
                raise self._error(error.message, start) from None
        text = self._interpolated("modulepath", os.pathsep.join(expanded), start)
        return tuple(os.path.abspath(part) for part in text.split(os.pathsep) if part)

    def _matching(self, path: str) -> list[str]:
        """Return a path, or the paths that match it if it is a pattern. Raises OutOfReach."""
        if not _MAGIC.search(path):
            return [path]
        from puppet_repl.language.ruby_library.files import glob_files

        return sorted(glob_files(path, None if self.reach is None else self.reach.check))

    def _path(self, setting: str) -> str:
        value, start = self.settings[setting]
        if self.reach is not None and value.startswith("~"):
            raise self._error(f"{value} is {REASON}", start)
        return self._absolute(value)

    def _absolute(self, path: str) -> str:
        if path.startswith("$"):
            return path
        return os.path.normpath(os.path.join(self.directory, os.path.expanduser(path)))

    def _interpolated(self, setting: str, text: str, start: int) -> str:
        """Return a value with the settings that it names; Puppet leaves ``$environment`` alone."""
        if "$" not in text:
            return text
        from puppet_repl.language.runtime.puppet_settings_table import SETTINGS

        is_left = False
        settings = self.given.with_values(self._named_settings())

        def value(found: re.Match[str]) -> str:
            nonlocal is_left
            if found[1] == "environment":
                is_left = True
                return found[0]
            try:
                named = settings.value(found[1]) if found[1] in SETTINGS else None
            except ValueError as problem:
                raise self._error(str(problem), start) from None
            if named is None:
                raise self._error(
                    f"Error converting value for param '{setting}': Could not find value for"
                    f" {found[0]}",
                    start,
                )
            return ruby_text(named)

        text = _VARIABLE.sub(value, text)
        if self.reach is not None:
            for path in text.split(os.pathsep) if setting == "modulepath" else (text,):
                if path and not os.path.isabs(path):  # that is below the process's directory
                    raise self._error(f"{path} is {REASON}", start)
        if is_left:
            self.warnings.append(
                f"You cannot interpolate $environment within '{setting}' when using directory"
                f" environments. Its value will remain {text}."
            )
        return text

    def _error(self, message: str, start: int, notes: tuple[str, ...] = ()) -> PuppetError:
        end = self.source.text.find("\n", start)
        end = len(self.source.text) if end < 0 else end
        return PuppetError(
            message, "ENVIRONMENT_CONF", source=self.source, start=start, end=end, notes=notes
        )


def manifest_files(manifest: str, reach: Reach | None = None) -> list[str]:
    """Return the site manifests: a file, or the ``.pp`` files below a directory.

    They are ordered by path, as Puppet reads them. Hidden files, and directories after links, are
    left out; links to nothing or to themselves are not. Raises OSError if a directory or, with a
    ``reach``, a file cannot be read.
    """
    if reach is not None:
        reach.check(manifest)
    if not os.path.isdir(manifest):
        return [manifest] if os.path.isfile(manifest) or _is_broken(manifest) else []
    found: list[str] = []

    def refuse(error: OSError) -> None:
        raise error

    for where, directories, names in os.walk(manifest, onerror=refuse):
        directories[:] = [name for name in directories if not name.startswith(".")]
        found += [
            os.path.join(where, name)
            for name in (*names, *directories)
            if name.endswith(".pp") and not name.startswith(".")
        ]
    if reach is not None:
        for path in found:
            reach.check(path)
    return sorted(found, key=os.fsencode)


def _is_broken(path: str) -> bool:
    """Tell whether a path is that of a link to nothing, or to itself."""
    return os.path.islink(path) and not os.path.exists(path)
