"""Candidates for the site at the cursor, from the names of the session."""

from __future__ import annotations

import re

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.base.log_levels import LEVELS
from puppet_repl.language.syntax.calls import STATEMENT_CALLS
from puppet_repl.language.syntax.scan import Scan, recent
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.quote import escape_inside, source_quote
from puppet_repl.session.symbols import (
    EXPRESSION_KEYWORDS,
    GIVEN_VARIABLES,
    KEYWORDS,
    STATEMENT_KEYWORDS,
    SessionSymbols,
    type_spelling,
)
from puppet_repl.tools.completion.details import MAX_CHARACTERS, MAX_PARTS, explain
from puppet_repl.tools.completion.model import (
    MAX_COMPLETIONS,
    MAX_EXPLAINED,
    Completion,
    Completions,
)
from puppet_repl.tools.completion.receivers import NEVER, Receiver, receiver_type
from puppet_repl.tools.completion.type_words import parameter_words, variable_words
from puppet_repl.tools.inspection.attribute_texts import usual_values
from puppet_repl.tools.inspection.attributes import attribute_summaries
from puppet_repl.tools.inspection.bindings import is_binding
from puppet_repl.tools.inspection.cursor_context import MODULE_FILES, Site, site_of
from puppet_repl.tools.inspection.values import short_value
from puppet_repl.tools.inspection.values_in_data import values_in_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.completion.model import CompletionKind
    from puppet_repl.tools.inspection.cursor_context import SiteKind

# Numbers of an array that are offered as its keys.
MAX_INDICES = 20
# Functions that are called for their effect: offered as statements, not as methods.
STATEMENT_FUNCTIONS = (STATEMENT_CALLS | {*LEVELS}) - {"break", "import", "next", "return"}
# Functions that are often called with a dot come first after one.
USUAL_METHODS = frozenset(
    (
        "all",
        "any",
        "capitalize",
        "downcase",
        "each",
        "empty",
        "filter",
        "flatten",
        "join",
        "keys",
        "length",
        "lest",
        "map",
        "reduce",
        "size",
        "sort",
        "split",
        "then",
        "type",
        "unique",
        "upcase",
        "values",
        "with",
    )
)
NOT_AS_METHODS = frozenset(("import", "break", "next", "return"))
_COMPARES = re.compile(r"\w*\s*[=!]=")
# Whether the template that a function takes is one in EPP.
_TEMPLATES = {"epp": True, "template": False}
REFERENCES = frozenset(("before", "notify", "require", "subscribe"))


def complete_code(
    known: SessionSymbols, before: str, explained: int = MAX_EXPLAINED, following: str = ""
) -> Completions:
    """Return completions at the end of Puppet code, best first; ``following`` is after the cursor.

    The first ones are ``explained``; ``explain`` does it for others on request.
    """
    offset = recent(before)
    site, scan = site_of(before[offset:])
    sources = _Sources(known, site, scan, following)
    source = sources.by_kind().get(site.kind)
    items = [] if source is None else ranked(_distinct(source()), site.prefix)[:MAX_COMPLETIONS]
    explain(known, items[:explained])
    return Completions(offset + site.start, len(before), items)


def _distinct(items: Iterator[Completion]) -> Iterator[Completion]:
    seen = set()
    for item in items:
        if item.text not in seen:
            seen.add(item.text)
            yield item


class _Sources:
    """The candidates for one site, by its kind."""

    def __init__(self, known: SessionSymbols, site: Site, scan: Scan, following: str) -> None:
        self.known = known
        self.site = site
        self.scan = scan
        self.following = following

    def by_kind(self) -> dict[SiteKind, Callable[[], Iterator[Completion]]]:
        """Return the source of each kind of site that has one."""
        return {
            "variable": self.variables,
            "interpolation": self.interpolated,
            "method": self.methods,
            "key": self.keys,
            "title": self.titles,
            "data key": self.data_keys,
            "module file": self.module_files,
            "class": self.classes,
            "attribute": self.attributes,
            "value": self.values,
            "query": self.query,
            "query value": self.values,
            "compared value": self.compared_values,
            "type": self.types,
            "class or type": self.classes_and_types,
            "parameter": self.parameters,
            "resource type": self.resource_types,
            "node": self.nodes,
            "expression": self.expression,
            "statement": self.statement,
        }

    # Variables

    def variables(self) -> Iterator[Completion]:
        """Yield the local variables of the text, then those of the session."""
        dollar = "$" if self.site.prefix.startswith("$") else ""
        absolute = "::" if self.site.prefix.startswith("$::") else ""
        if self.site.prefix.startswith("$") and self.scan.text.endswith(
            "${" + self.site.prefix.removeprefix("$")
        ):
            # ``${na``: the dollar of the prefix is not part of the text there.
            dollar = ""
            self.site.prefix = self.site.prefix.removeprefix("$")
        yield from self._named_variables(dollar + absolute)

    def interpolated(self) -> Iterator[Completion]:
        """Yield what can follow ``${``: variables without their dollar, and functions."""
        yield from self._named_variables("")
        yield from self.functions(10)

    def _named_variables(self, sign: str) -> Iterator[Completion]:
        for name in self._local_names():
            yield Completion(sign + name, "variable", detail="in this text", name=f"${name}")
        for name in self.known.variable_names():
            weight = 9 if name[:1] == "_" else 2 if name in GIVEN_VARIABLES else 1
            yield Completion(sign + name, "variable", name=f"${name}", weight=weight)
        if "::" in self.site.prefix or not self.site.prefix.strip("$"):
            for name in self.known.class_variables():
                yield Completion(sign + name, "variable", name=f"${name}", weight=5)
            class_name = self.site.prefix.strip("$").removeprefix("::").rpartition("::")[0]
            for name in self.known.variables_in_module(class_name) if class_name else ():
                qualified = f"{class_name}::{name}"
                yield Completion(sign + qualified, "variable", name=f"${qualified}", weight=5)
        elif self.site.prefix.strip("$"):
            for name in self.known.class_variables():
                yield Completion(sign + name, "variable", name=f"${name}", weight=6)
        if self.site.prefix.removeprefix("$").removeprefix("::").startswith("settings::"):
            for name in self.known.setting_variables():
                yield Completion(sign + name, "variable", name=f"${name}", weight=5)

    def _local_names(self) -> list[str]:
        """Return the variables that the text before the cursor assigns or takes as parameters."""
        names: dict[str, None] = {}
        tokens = self.scan.all_tokens
        for index, token in enumerate(tokens):
            if token.kind == "variable" and is_binding(tokens, index):
                name = token.text[1:]
                if name and token.start != self.site.start:
                    names[name] = None
        return list(dict.fromkeys([*reversed(names), *self.known.text_variables()]))

    # Functions

    def functions(self, weight: int = 0) -> Iterator[Completion]:
        """Yield all functions, those of the session first, statement functions last."""
        own = self.known.user_functions()
        for name in self.known.function_names():
            more = 3 if name in STATEMENT_FUNCTIONS else 1
            yield Completion(name, "function", weight=weight + (0 if name in own else more))

    def methods(self) -> Iterator[Completion]:
        """Yield the functions that can be called with a dot and take the value, as far as known."""
        type_name = ""
        if not self.site.subject or self.site.subject[0] not in self._local_names():
            type_name = receiver_type(self.known, self.site, self.scan)
        receiver = Receiver(self.known, type_name) if type_name else None
        for name in self.known.function_names():
            if name not in NOT_AS_METHODS and name not in STATEMENT_FUNCTIONS:
                weight = 0 if name in USUAL_METHODS else 1
                if receiver is not None:
                    weight += receiver.weight(name)
                if weight >= NEVER:
                    continue
                yield Completion(name, "function", weight=weight)

    # Keys and titles

    def keys(self) -> Iterator[Completion]:
        """Yield the keys of a hash or array whose value is known."""
        found, value = self.known.variable(self.site.subject)
        if not found:
            return
        if type(value) is PuppetHash:
            for order, key in enumerate(value.keys()):
                yield self._quoted(key, "key", min(order, 400))
        elif type(value) is tuple and not self.site.quote:
            for order in range(min(len(value), MAX_INDICES)):
                yield Completion(str(order), "key", weight=order)
        if not self.site.quote and self.site.prefix:
            yield from self.expression()

    def _in_quotes(self, text: str) -> str:
        """Return a string as a literal, or without its quotes inside of a string."""
        if self.site.quote:
            return escape_inside(text, single=self.site.quote == "'")
        return source_quote(text)

    def _quoted(self, key: Value, kind: CompletionKind, weight: int) -> Completion:
        path = (*self.site.subject, str(key))
        name = "$" + path[0] + "".join([f"['{part}']" for part in path[1:]])
        if type(key) is not str:
            return Completion(str(key), kind, name=name, weight=weight)
        text = self._in_quotes(key)
        return Completion(text, kind, label=key, name=name, weight=weight)

    def titles(self) -> Iterator[Completion]:
        """Yield the titles for ``File[``; for the parameters of a data type, types."""
        type_name = self.site.subject[0].removeprefix("::")
        if type_name in DOCUMENTED and type_name not in ("Resource",):
            if not self.site.quote:
                yield from self.types()
            return
        for order, title in enumerate(self.known.titles(type_name)):
            name = f"{type_name}[{source_quote(title)}]"
            yield Completion(self._in_quotes(title), "title", label=title, name=name, weight=order)
        if not self.site.quote and self.site.prefix:
            yield from self.expression()

    def data_keys(self) -> Iterator[Completion]:
        """Yield the keys of the data, with their values."""
        for item in data_keys(self.known):
            text = self._in_quotes(item.text)
            yield Completion(text, "data key", label=item.text, detail=item.detail)

    def module_files(self) -> Iterator[Completion]:
        """Yield the modules, then the files that the chosen one has in the wanted directory."""
        directory = self.site.attribute
        name, slash, _ = self.site.prefix.partition("/")
        for module in self.known.module_names():
            if not slash:
                if next(self._files_of(module), None) is not None:
                    yield Completion(f"{module}/", "file", detail=f"{directory} of the module")
            elif module == name:
                for path in self._files_of(module):
                    text = escape_inside(f"{module}/{path}", single=self.site.quote == "'")
                    yield Completion(text, "file", detail=f"in {directory}")

    def _files_of(self, module: str) -> Iterator[str]:
        """Yield the files of a module that the function takes: ``epp`` and ``template`` differ."""
        takes_epp = _TEMPLATES.get(self.site.subject[0]) if self.site.subject else None
        for path in self.known.module_files(module, self.site.attribute):
            if takes_epp is None or path.endswith(".epp") == takes_epp:
                yield path

    # Resources

    def classes(self) -> Iterator[Completion]:
        """Yield the names of classes."""
        for name in self.known.class_names():
            yield Completion(name, "class")

    def attributes(self) -> Iterator[Completion]:
        """Yield the attributes that a resource may set and does not set yet."""
        type_name, title = self.site.subject
        texts = attribute_summaries(self.known, type_name, title)
        needed = self.known.needed_parameters(title if type_name == "class" else type_name)
        if needed and type_name == "class":
            needed -= values_in_data(self.known, title.removeprefix("::")).keys()
        for order, name in enumerate(self.known.attributes(type_name, title)):
            if name in self.site.given:
                continue
            weight = -1 if name == "ensure" else order - 1000 * (name in needed)
            owner = title if type_name == "class" else type_name
            yield Completion(
                name,
                "attribute",
                label=name,
                detail=texts.get(name, "") or (f"of {owner}" if owner else ""),
                name=f"{type_name}.{name}",
                weight=weight,
            )

    def parameters(self) -> Iterator[Completion]:
        """Yield the parameters of a template or a type, as keys that a hash does not have yet."""
        kind, owner = self.site.subject
        if kind == "type":
            self.site.subject = (owner, "")
            for item in self.attributes():
                item.text = self._in_quotes(item.text)
                yield item
            return
        found = self.known.template_parameters(owner)
        for name, (type_, default) in ({} if found is None else found).items():
            if name not in self.site.given:
                yield Completion(
                    self._in_quotes(name),
                    "attribute",
                    label=name,
                    detail=f"{type_} = {default}" if default else type_,
                    name=f"{owner}.{name}",
                    weight=bool(default),
                )

    def query(self) -> Iterator[Completion]:
        """Yield what the resources of a collector can be chosen by; classes are not collected."""
        if self.site.subject[0] == "class":
            return
        sign = "" if _COMPARES.match(self.following) else " == "
        detail = "The title of a resource."
        yield Completion(f"title{sign}", "attribute", label="title", detail=detail, weight=-2)
        for item in self.attributes():
            item.text += sign
            yield item

    def values(self) -> Iterator[Completion]:
        """Yield the values that an attribute is known to take, then expressions."""
        type_name, title = self.site.subject
        attribute = self.site.attribute
        owner = title if type_name == "class" else type_name
        yield from self._words(
            parameter_words(self.known, owner, attribute), f"{owner}::{attribute}"
        )
        meanings = usual_values(type_name, attribute)
        native = self.known.resource_type(type_name)
        known = () if native is None else native.values.get(attribute, ())
        if attribute == "provider":
            known = (
                *meanings,
                *[word for word in self.known.providers(type_name) if word not in meanings],
            )
        for order, word in enumerate(known or meanings):
            detail = meanings.get(word) or f"of {attribute}"
            yield Completion(word, "value", detail=detail, weight=order - 50)
        if self.site.quote:
            if attribute == "source":
                yield Completion(MODULE_FILES, "value", detail="files of modules", weight=-60)
            return
        if attribute in REFERENCES:
            for type_, title in self.known.references():
                yield Completion(f"{type_}[{source_quote(title)}]", "title", weight=-10)
        yield from self.expression() if self.site.prefix else self.local_variables()

    def _words(self, words: Iterator[tuple[str, bool]], owner: str) -> Iterator[Completion]:
        """Yield the words of a type that are not given yet; in quotes only texts."""
        for order, (word, is_text) in enumerate(words):
            if word not in self.site.given and (is_text or not self.site.quote):
                text = self._in_quotes(word) if is_text else word
                detail = f"of {owner}"
                yield Completion(text, "value", label=word, detail=detail, weight=order - 50)

    def compared_values(self) -> Iterator[Completion]:
        """Yield the values that the type of a variable names, then expressions."""
        name, option = self.site.subject
        yield from self._words(variable_words(self.known, self.scan, name), f"${name}")
        if option and not self.site.quote and "default" not in self.site.given:
            yield Completion("default", "keyword", weight=-1)
        if not self.site.quote:
            yield from self.expression()

    def nodes(self) -> Iterator[Completion]:
        """Yield the names of nodes that have data files."""
        for name in self.known.node_names():
            yield Completion(self._in_quotes(name), "value", label=name, detail="has a data file")

    def classes_and_types(self) -> Iterator[Completion]:
        """Yield classes and types, whose names ``defined`` takes."""
        yield from self.classes()
        yield from self.resource_types()

    def resource_types(self) -> Iterator[Completion]:
        """Yield the types of resources."""
        for name in self.known.resource_type_names():
            yield Completion(name, "resource type")

    def types(self) -> Iterator[Completion]:
        """Yield data types, aliases, and resource types as references."""
        sign = "::" if self.site.prefix.startswith("::") else ""
        own = self.known.type_aliases()
        for name in self.known.type_names():
            yield Completion(sign + name, "type", name=name, weight=0 if name in own else 1)
        for name in self.known.resource_type_names():
            yield Completion(sign + type_spelling(name), "resource type", name=name, weight=4)

    # Whole expressions

    def expression(self) -> Iterator[Completion]:
        """Yield the functions, keywords and types that can begin an operand."""
        if not self.site.prefix:
            yield from self.local_variables()
        for word in EXPRESSION_KEYWORDS:
            yield Completion(word, "keyword", weight=2)
        yield from self.functions(1)
        yield from self.types()

    def local_variables(self) -> Iterator[Completion]:
        """Yield the local variables of the text, with their dollar."""
        for name in self._local_names():
            yield Completion(f"${name}", "variable", detail="in this text", weight=-2)

    def statement(self) -> Iterator[Completion]:
        """Yield names and words that can begin a statement."""
        if not self.site.prefix:
            return
        for name in self.known.resource_type_names():
            yield Completion(name, "resource type", weight=2)
        for word in STATEMENT_KEYWORDS:
            yield Completion(word, "keyword", weight=0)
        for word in KEYWORDS:
            yield Completion(word, "keyword", weight=6)
        for name in sorted(STATEMENT_FUNCTIONS):
            yield Completion(name, "function", weight=1)
        yield from self.functions(1)
        yield from self.types()


def data_keys(known: SessionSymbols) -> Iterator[Completion]:
    """Yield the keys of the data, with what they hold in the level that comes first."""
    for key, value in sorted(known.session.data_keys.values().items()):
        yield Completion(key, "data key", detail=short_value(value, MAX_CHARACTERS, MAX_PARTS))
