"""The documentation of variables that only a text binds: parameters and assignments."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.brackets import (
    enclosing_bracket,
    outside_brackets,
    pieces_of,
    split_at_commas,
)
from puppet_repl.language.syntax.headings import declared_parameters
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.inspection.bindings import in_parameters, is_binding, last_bar
from puppet_repl.tools.inspection.documentation import Detail, Documentation, Location
from puppet_repl.tools.inspection.names import (
    comment_before,
    document_class,
    document_resource_type,
    tag_texts,
)
from puppet_repl.tools.inspection.notation import LAMBDAS
from puppet_repl.tools.inspection.values_in_data import IN_DATA, values_in_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.bindings import Binding
    from puppet_repl.language.syntax.scan import Frame, Scan, Token
    from puppet_repl.session.symbols import SessionSymbols

# A longer list of parameters is not read.
_LONGEST = 8000
_DEFINITIONS = {"class": "class", "define": "defined type", "function": "function", "plan": "plan"}
_KINDS: dict[type[ast.Node], str] = {
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "defined type",
    ast.FunctionDefinition: "function",
    ast.PlanDefinition: "plan",
}
_HAVE_PARAMETERS = (
    ast.HostClassDefinition
    | ast.ResourceTypeDefinition
    | ast.FunctionDefinition
    | ast.PlanDefinition
    | ast.LambdaExpression
)
_PARAMETER = re.compile(
    r"(?P<type>.*?)\s*(?P<rest>\*?)\s*\$(?P<name>\w+)\s*(?:=\s*(?P<default>.*))?", re.DOTALL
)


class Heading:
    """The parameters that hold in a block: those of a lambda, a definition or a template.

    ``owner`` is the function that calls the lambda ('' if there is none), or the name that is
    defined; ``start`` is the offset of the definition.
    """

    __slots__ = ("kind", "owner", "parameters", "start")

    def __init__(self, kind: str, owner: str, parameters: list[str], start: int) -> None:
        self.kind = kind
        self.owner = owner
        self.parameters = parameters
        self.start = start


def document_parameter(scan: Scan, text: str, name: str) -> Documentation | None:
    """Return the documentation of a parameter that holds at the end of a scan of a text."""
    for heading in _headings(scan, text):
        for index, parameter in enumerate(heading.parameters):
            match = _PARAMETER.fullmatch(parameter.strip())
            if match is not None and match["name"] == name:
                return _documentation(heading, index, match, text)
    return None


def document_class_parameter(known: SessionSymbols, name: str) -> Documentation | None:
    """Return the documentation of a parameter of a class or defined type: ``web::port``."""
    owner, _, last = name.removeprefix("$").removeprefix("::").rpartition("::")
    for found, declared in _definitions(known, owner):
        if last in declared:
            assert found.location is not None
            comment = comment_before(found.location.source, found.location.start)
            said = tag_texts(comment).get(f"${last}", "")
            in_data = values_in_data(known, owner) if found.kind == "class" else {}
            return _of_definition(found, last, declared[last], said, in_data.get(last, ""))
    return None


def class_parameter_names(known: SessionSymbols, name: str) -> list[str]:
    """Return the parameters of the class or defined type that a name begins with: ``web::x``."""
    owner = name.removeprefix("$").removeprefix("::").rpartition("::")[0]
    return [f"{owner}::{each}" for _, declared in _definitions(known, owner) for each in declared]


def _definitions(
    known: SessionSymbols, owner: str
) -> Iterator[tuple[Documentation, dict[str, tuple[str, str]]]]:
    """Yield the class and defined type of a name, and the parameters of each."""
    for find in (document_class, document_resource_type) if owner else ():
        found = find(known, owner)
        if found is not None and found.location is not None:
            yield found, declared_parameters(found.location.source, found.location.start)


def _of_definition(
    owner: Documentation, name: str, declared: tuple[str, str], said: str, in_data: str
) -> Documentation:
    type_, default = declared
    details = [Detail("Type", type_ or "`Any`, none is declared", is_code=bool(type_))]
    if default or in_data:
        remark = "" if default else IN_DATA
        details.append(Detail("Default", default or in_data, is_code=True, remark=remark))
    text = f"A parameter of the {owner.kind} {owner.title}."
    text = "\n\n".join([part for part in (text, said) if part])
    return Documentation(f"${name}", "parameter", text, details=tuple(details))


def _documentation(heading: Heading, index: int, match: re.Match[str], text: str) -> Documentation:
    name = f"${match['name']}"
    declared = match["type"]
    details = [Detail("Type", declared or "`Any`, none is declared", is_code=bool(declared))]
    if match["default"]:
        details.append(Detail("Default", match["default"], is_code=True))
    if heading.kind == "lambda":
        said = _role(heading, index, is_rest=bool(match["rest"]))
    elif heading.kind == "template":
        said = "A parameter of the template."
    else:
        said = f"A parameter of the {heading.kind} {heading.owner}."
        tags = tag_texts(comment_before(Source(text), heading.start))
        said = "\n\n".join(part for part in (said, tags.get(name, "")) if part)
    signature = " ".join(match[0].split())
    return Documentation(name, "parameter", said, signatures=(signature,), details=tuple(details))


def _role(heading: Heading, index: int, *, is_rest: bool) -> str:
    """Say what a parameter of a lambda is given."""
    owner = f"{heading.owner}()" if heading.owner else "a function"
    said = f"A parameter of the lambda that {owner} calls"
    roles = LAMBDAS.get(heading.owner, {}).get(len(heading.parameters), ())
    if is_rest:
        return f"{said}; it takes all further arguments, as an array."
    return f"{said}: {roles[index]}." if index < len(roles) else f"{said}."


def document_assigned(scan: Scan, text: str, name: str) -> Documentation | None:
    """Return where a text has assigned a variable last, at the end of a scan of it."""
    for level in reversed(scan.levels):
        for index in range(len(level.tokens) - 1, -1, -1):
            token = level.tokens[index]
            following = level.tokens[index + 1 : index + 2]
            is_assigned = bool(following) and following[0].text == "="
            if token.text == f"${name}" and is_assigned and is_binding(level.tokens, index):
                source = Source(text)
                line = source.position(token.start)[0]
                shown = source.line(line).strip()
                details = (Detail("Assigned", shown, is_code=True), Detail("Line", str(line)))
                return Documentation(f"${name}", "variable", "", details=details)
    return None


def document_binding(binding: Binding | None, name: str) -> Documentation | None:
    """Return the documentation of a variable by the tree of the program that binds it.

    The name may be qualified: with that of a class.
    """
    if binding is None:
        return None
    source, node, scope = binding.source, binding.node, binding.scope
    start = binding.span[0]
    location = Location(source, start)
    if not isinstance(node, ast.Parameter) or not isinstance(scope, _HAVE_PARAMETERS):
        line = source.position(start)[0]
        details = (
            Detail("Assigned", source.line(line).strip(), is_code=True),
            Detail("Line", str(line)),
        )
        return Documentation(f"${name}", "variable", "", details=details, location=location)
    texts = [source.text[each.start : each.end] for each in scope.parameters]
    index = scope.parameters.index(node)
    match = _PARAMETER.fullmatch(texts[index].strip())
    if match is None:
        return None
    kind, owner = "lambda", binding.caller
    if isinstance(scope, ast.LambdaExpression):
        kind = "template" if isinstance(scope.body, ast.EppExpression) else kind
    else:
        kind, owner = _KINDS[type(scope)], scope.name
    found = _documentation(Heading(kind, owner, texts, scope.start), index, match, source.text)
    found.location = location
    return found


def _headings(scan: Scan, text: str) -> Iterator[Heading]:
    """Yield the lists of parameters that hold at the end of a scan, the innermost first."""
    for level in reversed(scan.levels):
        yield from _unfinished(level, text)
        for bracket, opening in reversed(level.brackets):
            if bracket == "{":
                found = _lambda_before(level.tokens, opening, text) or _definition_before(
                    level.tokens, opening, text
                )
                if found is not None:
                    yield found


def _unfinished(level: Frame, text: str) -> Iterator[Heading]:
    """Yield the list of parameters that a level ends in."""
    tokens = level.tokens
    index = len(tokens) - 1
    if index < 1 or not in_parameters(tokens, index):
        return
    distance = enclosing_bracket(token.operator for token in reversed(tokens[:index]))
    opening = -1 if distance is None else index - 1 - distance
    bar = last_bar(tokens, opening + 1, index)
    if bar is not None:
        owner = _caller(tokens, bar)
        parameters = _list_from(text, tokens[bar].start + 1, "|")
        # Only the program of a template begins with parameters.
        kind = "lambda" if bar else "template"
        yield Heading(kind, owner, parameters, tokens[bar].start)
    else:
        yield _definition(tokens, opening - 2, text)


def _lambda_before(tokens: list[Token], opening: int, text: str) -> Heading | None:
    """Return the parameters of a lambda whose block begins at ``opening``."""
    closing = opening - 1
    if closing < 1 or tokens[closing].operator != "|":
        return None
    bar = last_bar(tokens, max(closing - 80, 0), closing)
    if bar is None:
        return None
    parameters = _list_from(text, tokens[bar].start + 1, "|")
    return Heading("lambda", _caller(tokens, bar), parameters, tokens[bar].start)


def _definition_before(tokens: list[Token], opening: int, text: str) -> Heading | None:
    """Return the parameters of the definition whose body begins at ``opening``."""
    pieces = [token.operator for token in tokens[:opening]]
    closing = next((i for i in range(opening - 1, 1, -1) if pieces[i] == ")"), None)
    if closing is None:
        return None
    distance = enclosing_bracket(reversed(pieces[:closing]))
    first = -1 if distance is None else closing - 1 - distance
    if first < 2 or tokens[first - 2].text not in _DEFINITIONS:
        return None
    # Only a parent or a type may be between the parentheses and the body.
    if any(piece in ("{", "}", ";") for piece in pieces[closing:opening]):
        return None
    return _definition(tokens, first - 2, text)


def _definition(tokens: list[Token], at: int, text: str) -> Heading:
    """Return the parameters of the definition whose keyword is the token ``at``."""
    parameters = _list_from(text, tokens[at + 2].start + 1, ")")
    return Heading(_DEFINITIONS[tokens[at].text], tokens[at + 1].text, parameters, tokens[at].start)


def _caller(tokens: list[Token], bar: int) -> str:
    """Return the function whose lambda begins at a bar, ''  if there is none."""
    at = bar - 1
    if at > 0 and tokens[at].operator == ")":
        distance = enclosing_bracket(token.operator for token in reversed(tokens[:at]))
        at = -1 if distance is None else at - 1 - distance - 1
    return tokens[at].text if at >= 0 and tokens[at].kind in ("name", "type") else ""


def _list_from(text: str, start: int, closing: str) -> list[str]:
    """Return the texts of parameters from an offset up to what closes their list."""
    pieces = pieces_of(text[start : start + _LONGEST])
    end = next(
        (index for index, piece in outside_brackets(pieces) if piece == closing), len(pieces)
    )
    kept = [" " if piece.startswith(("#", "/*")) else piece for piece in pieces[:end]]
    return split_at_commas("".join(kept))
