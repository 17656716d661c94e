"""A table of options as a class: a row describes an option, an object has a value of each."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, ClassVar, Literal, TypeAlias, dataclass_transform

    from puppet_repl.language.values.hash import PuppetHash

    Path: TypeAlias = "str | os.PathLike[str]"
    Kind: TypeAlias = (
        Literal["choice", "data", "extensions", "functions", "limit", "number", "path", "paths"]
        | Literal["program", "search_path", "settings", "size", "switch", "text", "theme"]
    )
    Data: TypeAlias = "Mapping[str, object] | Sequence[Mapping[str, object]]"
    Functions: TypeAlias = "Mapping[str, Callable[..., Any]] | Iterable[Callable[..., Any]]"

    # The types of options that are given in another form than they are kept in.

    class PathValue:
        """A path, kept as a string."""

        def __get__(self, options: object, owner: Any = None) -> str | None: ...
        def __set__(self, options: object, value: Path | None) -> None: ...

    class PathsValue:
        """Several paths, kept as strings."""

        def __get__(self, options: object, owner: Any = None) -> tuple[str, ...]: ...
        def __set__(self, options: object, value: Path | Iterable[Path]) -> None: ...

    class ExtensionsValue:
        """Extensions of a certificate by name."""

        def __get__(self, options: object, owner: Any = None) -> Mapping[str, object]: ...
        def __set__(self, options: object, value: Mapping[str, object] | None) -> None: ...

    class SettingsValue(ExtensionsValue):
        """Settings of Puppet by name."""

    class FunctionsValue:
        """Functions of Python by name, or a list of those that ``function`` has declared."""

        def __get__(
            self, options: object, owner: Any = None
        ) -> Mapping[str, Callable[..., Any]]: ...
        def __set__(self, options: object, value: Functions) -> None: ...

    class DataValue:
        """Layers of data, kept as Hashes."""

        def __get__(self, options: object, owner: Any = None) -> tuple[PuppetHash, ...]: ...
        def __set__(self, options: object, value: Data) -> None: ...

else:

    def dataclass_transform(**_):
        """Return a decorator that does nothing: only type checkers use it."""
        return lambda decorated: decorated


# Accepted types of arguments that differ from the type of the option; for the signature.
_ACCEPTED = {
    "data": "Mapping[str, object] | Sequence[Mapping[str, object]]",
    "extensions": "Mapping[str, object] | None",
    "functions": "Mapping[str, Callable[..., Any]] | Iterable[Callable[..., Any]]",
    "path": "Path | None",
    "paths": "Path | Iterable[Path]",
    "search_path": "Path | Iterable[Path]",
    "settings": "Mapping[str, object] | None",
}


class Option:
    """A row of the table; ``option`` makes it and explains its parts."""

    name = ""
    kind: Kind
    default: object
    help: str
    choices: tuple[str, ...] = ()
    highest: int | None = None
    flag = ""
    metavar = ""
    flag_help = ""
    key_help = ""
    is_setting = False
    at_prompt = False
    resets = False
    no_key = ""
    default_of_key: object = None

    def taken(self, value: object) -> Any:
        """Return a value as a session has it. Raises ValueError or TypeError."""
        if value in self.choices if self.kind == "choice" else value is self.default:
            return value
        from puppet_repl.language.runtime.option_values import taken

        return taken(self, self.name, value)


def option(
    *,
    default: object,
    kind: Kind,
    help: str,
    choices: tuple[str, ...] = (),
    highest: int | None = None,
    flag: str = "",
    flag_help: str = "",
    key_help: str = "",
    is_setting: bool = False,
    at_prompt: bool = True,
    resets: bool = False,
    no_key: str = "",
    default_of_key: object = None,
) -> Any:
    """Describe an option, in a row of ``Options``.

    ``kind`` is the kind of its values, which may be limited to ``choices`` or to numbers up to
    ``highest``. A "limit" is a number of seconds, a "program" a word or a path, a "search_path"
    directories that may be joined in one string, as ``a:b``. ``help`` describes the option.
    ``flag`` is its argument on the command line, with the name of the value: ``--node NAME``;
    ``flag_help`` and ``key_help`` replace ``help`` for the command line and for ``batch``. With
    ``is_setting`` users can set the option in their configuration file, and also at the prompt
    unless ``at_prompt`` is false; with ``resets`` that restarts the session. ``no_key`` is the
    reason why a request of ``batch`` cannot have the option, ``default_of_key`` a different default
    there.
    """
    row = Option()
    row.kind = kind
    row.default = default
    row.help = help
    row.choices = choices
    row.highest = highest
    row.flag, _, row.metavar = flag.partition(" ")
    row.flag_help = flag_help
    row.key_help = key_help or help
    row.is_setting = is_setting
    row.at_prompt = is_setting and at_prompt
    row.resets = resets
    row.no_key = no_key
    row.default_of_key = default if default_of_key is None else default_of_key
    return row


class _Signature:
    """The signature of the constructor; it is made when somebody asks for it."""

    def __get__(self, table: object, owner: type[Table]) -> Any:
        from inspect import Parameter, Signature

        return Signature(
            [
                Parameter(
                    name,
                    Parameter.KEYWORD_ONLY,
                    default=row.default,
                    annotation=_ACCEPTED.get(row.kind) or owner.__annotations__[name],
                )
                for name, row in owner.rows.items()
            ],
            return_annotation="None",
        )


@dataclass_transform(kw_only_default=True, field_specifiers=(option,))
class Table:
    """A class whose body is a table of options; its objects have a value for each.

    For type checkers it is a dataclass.
    """

    rows: ClassVar[dict[str, Option]] = {}
    __signature__ = _Signature()

    def __init_subclass__(cls) -> None:
        cls.rows = {}
        for name, row in list(vars(cls).items()):
            if isinstance(row, Option):
                row.name = name
                cls.rows[name] = row
                delattr(cls, name)  # objects without it have the value in the fastest way

    def __init__(self, **given: Any) -> None:
        values = self.__dict__
        for name, row in self.rows.items():
            if name in given:
                values[name] = row.taken(given.pop(name))
            else:  # a mutable default belongs to one object
                values[name] = {} if row.default == {} else row.default
        for name in given:
            raise TypeError(f"{type(self).__name__}() has no option '{name}'")
        self.check()

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.rows:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self.__dict__[name] = value

    def check(self) -> None:
        """Check the values together, where a table needs that."""

    def __repr__(self) -> str:
        values = [  # data may hold secrets
            f"{name}={'...' if row.kind == 'data' else repr(getattr(self, name))}"
            for name, row in self.rows.items()
            if getattr(self, name) != row.default
        ]
        return f"{type(self).__name__}({', '.join(values)})"
