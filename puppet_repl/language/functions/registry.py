"""Built-in functions as objects: declared by decorators, found by name, called with values.

A module of this package that declares functions is a theme. A declaration is all there is to
do for a new function: it is found by its name, checked, documented and completed from then on.

    @function("shout", "String $text", returns="String", examples=("shout('a')  # => 'A!'",))
    def shout(text: str) -> str:
        \"\"\"Return a string in upper case, with an exclamation mark at its end.\"\"\"
        return text.upper() + "!"

Further signatures follow with ``@shout.dispatch(...)``; the first one in the order of declaration
that accepts the arguments and the block is called.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.modules import import_module
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.signatures import Dispatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from puppet_repl.base.profiles import Profile
    from puppet_repl.language.functions.documentation import Tags
    from puppet_repl.language.functions.signatures import BlockTest, Implementation, Signature, Test
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

    # The tests of the arguments with their positions, the test of the block, the dispatch.
    Candidate = tuple[tuple[tuple[int, frozenset[type], Test], ...], BlockTest | None, Dispatch]
    Decorator = Callable[[Implementation], Implementation]

# The candidates of calls with more arguments are not cached: their number has no bound.
MAX_KEPT_COUNT = 31


class Function:
    """A built-in function.

    ``doc`` begins with one sentence on a line of its own, ``declared_doc`` has the tags of its
    parameters as well; ``examples`` are programs with their result after ``# =>``, or with what
    they log after ``# notice:``. ``aliases`` are names of types that the signatures of this
    function may use. ``dispatches`` are tried in the order of their declaration.
    """

    __slots__ = (
        "_with_block",
        "_without_block",
        "aliases",
        "declared_doc",
        "dispatches",
        "examples",
        "name",
        "theme",
    )

    def __init__(
        self,
        name: str,
        *,
        theme: str,
        doc: str,
        examples: tuple[str, ...] = (),
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.theme = theme
        self.declared_doc = doc
        self.examples = examples
        self.aliases = aliases or {}
        self.dispatches: list[Dispatch] = []
        # The dispatches that may fit, by the number of arguments: selected at the first call
        # with that number, so that later calls cost little more than the tests of the arguments.
        self._with_block: dict[int, tuple[Candidate, ...]] = {}
        self._without_block: dict[int, tuple[Candidate, ...]] = {}

    @property
    def doc(self) -> str:
        """Return what the declaration says of the function as a whole."""
        from puppet_repl.language.functions.documentation import text_and_tags

        return text_and_tags(self.declared_doc)[0]

    @property
    def tags(self) -> Tags:
        """Return what the declaration says of the parameters and of the result."""
        from puppet_repl.language.functions.documentation import text_and_tags

        return text_and_tags(self.declared_doc)[1]

    def result_text(self, signature: Signature) -> str:
        """Return the type of the result of a signature, as far as it is known: for readers.

        Puppet declares few of these types, and checks only those.
        """
        return signature.returns if signature.returns != "Any" else self.tags.type_text or "Any"

    def of(self, profile: Profile) -> Function:
        """Return the function as a profile of the language has it; most are the same in all."""
        return self

    def dispatch(self, signature: str, returns: str = "Any") -> Decorator:
        """Declare one more signature, implemented by the decorated callable.

        It is called with the arguments, and by keyword with ``context`` if it has such a
        parameter, and with ``block`` if the signature has one.
        """

        def declare(implementation: Implementation) -> Implementation:
            self.dispatches.append(
                Dispatch(signature, returns, implementation, self.aliases, explains=False)
            )
            return implementation

        return declare

    def mismatch(self, signature: str) -> Decorator:
        """Declare arguments that are always wrong: the decorated callable returns the reason."""

        def declare(implementation: Implementation) -> Implementation:
            self.dispatches.append(
                Dispatch(signature, "Any", implementation, self.aliases, explains=True)
            )
            return implementation

        return declare

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return the result of the first dispatch that accepts the arguments.

        Raises RuntimeFailure with Puppet's text when none does.
        """
        count = len(args)
        selected = self._without_block if block is None else self._with_block
        candidates = selected.get(count)
        if candidates is None:
            candidates = self._select(count, block is not None)
        for tests, block_test, dispatch in candidates:
            for index, classes, accepts in tests:
                if type(args[index]) not in classes and not accepts(args[index]):
                    break
            else:
                if block is not None and block_test is not None and not block_test(block):
                    continue
                implementation = dispatch.implementation
                if dispatch.explains:
                    raise RuntimeFailure(f"'{self.name}' {implementation(*args)}")
                if dispatch.wants_block:
                    if dispatch.wants_context:
                        return implementation(*args, context=context, block=block)
                    return implementation(*args, block=block)
                if dispatch.wants_context:
                    return implementation(*args, context=context)
                return implementation(*args)
        raise self.rejection(args, block)

    def direct(self, context: Context, count: int) -> Callable[..., Value] | None:
        """Return what calls the function with ``count`` arguments and without a block.

        None for numbers of arguments that no signature takes, and for classes with their own way.
        """
        if type(self).call is not Function.call:
            return None
        candidates = self._without_block.get(count) or self._select(count, has_block=False)
        if not candidates or candidates[0][2].explains:
            return None
        tests, _, dispatch = candidates[0]
        implementation = dispatch.implementation
        given: dict[str, Any] = {}
        if dispatch.wants_block:
            given["block"] = None
        if dispatch.wants_context:
            given["context"] = context

        def call(*args: Value) -> Value:
            for index, classes, accepts in tests:
                if type(args[index]) not in classes and not accepts(args[index]):
                    return self.call(context, args)
            return implementation(*args, **given)

        return call

    def rejection(self, args: tuple[Value, ...], block: Closure | None) -> RuntimeFailure:
        """Return the error that says why no signature accepts these arguments."""
        from puppet_repl.language.types.text.signatures import argument_at_fault, signature_mismatch

        signatures = self.signatures()
        return RuntimeFailure(
            signature_mismatch(self.name, signatures, args, block),
            culprit=argument_at_fault(signatures, args),
        )

    def signatures(self) -> list[Dispatch]:
        """Return the dispatches that can serve a call, in the order of their declaration."""
        signatures = [dispatch for dispatch in self.dispatches if not dispatch.explains]
        for dispatch in signatures:
            dispatch.prepare()
        return signatures

    def _select(self, count: int, has_block: bool) -> tuple[Candidate, ...]:
        candidates: list[Candidate] = []
        for dispatch in self.dispatches:
            dispatch.prepare()
            if dispatch.accepts_shape(count, has_block):
                block_test = dispatch.block_test() if has_block else None
                candidates.append((dispatch.tests(count), block_test, dispatch))
        selected = tuple(candidates)
        if count <= MAX_KEPT_COUNT:
            (self._with_block if has_block else self._without_block)[count] = selected
        return selected


class VaryingFunction(Function):
    """A function whose signatures are not the same in all profiles of the language.

    Its own are those of the default profile; a variant is in its place in the others.
    """

    __slots__ = ("_variants",)

    def __init__(self, name: str, *, theme: str, doc: str, examples: tuple[str, ...] = ()) -> None:
        super().__init__(name, theme=theme, doc=doc, examples=examples)
        self._variants: list[tuple[Callable[[Profile], bool], Function]] = []

    def variant(self, counts: Callable[[Profile], bool]) -> Function:
        """Return a function to declare signatures of, for the profiles that ``counts`` accepts."""
        made = Function(self.name, theme=self.theme, doc=self.declared_doc, examples=self.examples)
        self._variants.append((counts, made))
        return made

    def of(self, profile: Profile) -> Function:
        """Return the function as a profile of the language has it."""
        for counts, variant in self._variants:
            if counts(profile):
                return variant
        return self

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return the result of the function that the language of the session has."""
        function = self.of(context.options.profile)
        if function is self:
            return super().call(context, args, block)
        return function.call(context, args, block)


class LegacyFunction(Function):
    """A function of Puppet's older kind (3.x), which only counts its arguments.

    Its only signature is for the documentation: types of arguments are not checked. Its
    implementation takes the arguments as one tuple, converted as Puppet converts them for such
    functions; ``keeps_references`` leaves references to resources as they are. With ``counts``
    False, as it declares no number of arguments in Puppet, the implementation checks the number.
    """

    __slots__ = ("_convert", "counts", "keeps_references")

    def __init__(
        self,
        name: str,
        *,
        theme: str,
        doc: str,
        examples: tuple[str, ...] = (),
        keeps_references: bool = False,
        counts: bool = True,
    ) -> None:
        super().__init__(name, theme=theme, doc=doc, examples=examples)
        self.keeps_references = keeps_references
        self.counts = counts
        self._convert: Callable[..., tuple[Value, ...]] | None = None

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return the result. Blocks are ignored, as such functions do."""
        convert = self._convert
        if convert is None:
            from puppet_repl.language.functions.legacy import converted_arguments

            convert = self._convert = converted_arguments
        return self.run(convert(args, keep_references=self.keeps_references), context)

    def direct(self, context: Context, count: int) -> Callable[..., Value] | None:
        """Return what calls the function with ``count`` arguments, None for a wrong number.

        Classes with their own way to be called have none either.
        """
        if (type(self).call, type(self).run) != (LegacyFunction.call, LegacyFunction.run):
            return None
        from puppet_repl.language.functions.legacy import converted_arguments

        dispatch = self.dispatches[0]
        dispatch.prepare()
        maximum = dispatch.maximum
        if self.counts and count_failure(self.name, count, dispatch.minimum, maximum):
            return None
        implementation = dispatch.implementation
        keep = self.keeps_references
        if dispatch.wants_context:
            return lambda *args: implementation(
                converted_arguments(args, keep_references=keep), context=context
            )
        return lambda *args: implementation(converted_arguments(args, keep_references=keep))

    def run(self, values: tuple[Value, ...], context: Context) -> Value:
        """Return the result for arguments as they are, as Ruby code calls ``function_NAME``."""
        dispatch = self.dispatches[0]
        dispatch.prepare()
        if self.counts and len(values) != dispatch.minimum:
            failure = count_failure(self.name, len(values), dispatch.minimum, dispatch.maximum)
            if failure is not None:
                raise failure
        if dispatch.wants_context:
            return dispatch.implementation(values, context=context)
        return dispatch.implementation(values)


def count_failure(
    name: str, count: int, minimum: int, maximum: int | None
) -> RuntimeFailure | None:
    """Return the error for the number of arguments of a 3.x function, None for a right number.

    Such a function declares an exact or a least number. If ``maximum`` differs from ``minimum``, it
    is only for the documentation.
    """
    if count == minimum or (count > minimum != maximum):
        return None
    expected = str(minimum) if minimum == maximum else f"minimum {minimum}"
    return RuntimeFailure(f"{name}(): Wrong number of arguments given ({count} for {expected})")


def function(
    name: str,
    signature: str,
    *,
    returns: str = "Any",
    doc: str = "",
    examples: tuple[str, ...] = (),
    aliases: Mapping[str, str] | None = None,
) -> Callable[[Implementation], Function]:
    """Declare a built-in function, whose first signature the decorated callable implements.

    The name of the callable becomes that of the Function. Its documentation is ``doc``, or the
    docstring of the callable; its theme is the module of the callable.
    """

    def declare(implementation: Implementation) -> Function:
        declared = Function(
            name,
            theme=theme_of(implementation),
            doc=doc or implementation.__doc__ or "",
            examples=examples,
            aliases=aliases,
        )
        _register(declared, signature, returns, implementation)
        return declared

    return declare


def varying_function(
    name: str, signature: str, *, examples: tuple[str, ...] = ()
) -> Callable[[Implementation], VaryingFunction]:
    """Declare a function that has variants, implemented by the decorated callable."""

    def declare(implementation: Implementation) -> VaryingFunction:
        declared = VaryingFunction(
            name,
            theme=theme_of(implementation),
            doc=implementation.__doc__ or "",
            examples=examples,
        )
        _register(declared, signature, "Any", implementation)
        return declared

    return declare


def legacy_function(
    name: str,
    signature: str,
    *,
    returns: str = "Any",
    doc: str = "",
    examples: tuple[str, ...] = (),
    keeps_references: bool = False,
) -> Callable[[Implementation], LegacyFunction]:
    """Declare a function of the older kind, implemented by the decorated callable."""

    def declare(implementation: Implementation) -> LegacyFunction:
        declared = LegacyFunction(
            name,
            theme=theme_of(implementation),
            doc=doc or implementation.__doc__ or "",
            examples=examples,
            keeps_references=keeps_references,
        )
        _register(declared, signature, returns, implementation)
        return declared

    return declare


def theme_of(implementation: Implementation) -> str:
    """Return the name of the module that an implementation is in."""
    return implementation.__module__.rpartition(".")[2]


def _register(
    declared: Function, signature: str, returns: str, implementation: Implementation
) -> None:
    """Give a function its first signature, and make it known by its name."""
    declared.dispatch(signature, returns)(implementation)
    BUILTINS.add(declared)


class FunctionTable:
    """Functions by name, declared in the themes of one package.

    ``themes`` is the written index: the theme of each name. A theme is imported when one of its
    functions is looked up.
    """

    def __init__(self, package: str, themes: Mapping[str, str]) -> None:
        self.package = package
        self.themes = themes
        self._declared: dict[str, Function] = {}
        self._superseded: dict[str, LegacyFunction] = {}

    def add(self, declared: Function) -> None:
        """Make a function known by its name; raise ValueError where two themes declare it."""
        earlier = self._declared.get(declared.name)
        if earlier is not None and earlier.theme != declared.theme:
            raise ValueError(
                f"the function '{declared.name}' is declared twice, "
                f"in {earlier.theme} and in {declared.theme}"
            )
        self._declared[declared.name] = declared

    def find(self, name: str) -> Function | None:
        """Return the function of that name, or None. Import only its theme."""
        declared = self._declared.get(name)
        if declared is None:
            theme = self.themes.get(name)
            if theme is not None:
                self._import_theme(theme)
                declared = self._declared.get(name)
            if declared is None:
                declared = self._find_unindexed(name)
        return declared

    def add_superseded(self, declared: LegacyFunction) -> None:
        """Make a function of the older kind known, which one of the newer kind is before."""
        self._superseded[declared.name] = declared

    def find_legacy(self, name: str) -> LegacyFunction | None:
        """Return the function of the older kind of that name, or None."""
        declared = self.find(name)
        if isinstance(declared, LegacyFunction):
            return declared
        return self._superseded.get(name)

    def _find_unindexed(self, name: str) -> Function | None:
        """Return a function that was declared after the index was written, or None."""
        from puppet_repl.language.functions.source_search import themes_that_may_declare

        for theme in themes_that_may_declare(self.package, name):
            self._import_theme(theme)
            if name in self._declared:
                return self._declared[name]
        return None

    def _import_theme(self, theme: str) -> None:
        """Import a theme, which registers its functions. A missing module declares none."""
        module = f"{self.package}.{theme}"
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise

    def theme_functions(self, theme: str) -> dict[str, Function]:
        """Return the functions of one theme by name."""
        self._import_theme(theme)
        return {name: each for name, each in self._declared.items() if each.theme == theme}

    def names(self) -> Iterator[str]:
        """Return the names of all functions, in alphabetical order. Imports nothing."""
        return iter(sorted({*self.themes, *self._declared}))


# The functions of Puppet itself.
BUILTINS = FunctionTable("puppet_repl.language.functions", THEMES)


def find(name: str) -> Function | None:
    """Return the function of that name of Puppet itself, or None. Import only its theme."""
    return None if _is_added(name) else BUILTINS.find(name)


def find_added(name: str) -> Function | None:
    """Return the function of that name that Puppet lacks, or None. Functions of modules precede it.

    It is a function of PuppetDB, or its name has a namespace, unlike those of Puppet's functions.
    """
    return BUILTINS.find(name) if _is_added(name) and name in THEMES else None


def _is_added(name: str) -> bool:
    return "::" in name or name == "puppetdb_query"
