"""Checks of data files: syntax, interpolation, encryption, options, and parameters of classes."""

from __future__ import annotations

import os
import re
from itertools import chain

from puppet_repl.base.errors import PuppetError, Report
from puppet_repl.base.lenient_base64 import decode_leniently
from puppet_repl.environment.hiera.options import OPTIONS
from puppet_repl.environment.hiera.search import no_lookup_value
from puppet_repl.language.data.files import DATA_ERROR, is_lookup_value
from puppet_repl.language.data.pkcs7 import DecryptionError, check_structure
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.advice.model import Advice, replacements
from puppet_repl.tools.validation import (
    data_parameters,
    interpolations,
    lookup_options,
    nested_data,
)
from puppet_repl.tools.validation.documents import in_order, read_data
from puppet_repl.tools.validation.hiera_config import repeated_keys
from puppet_repl.tools.validation.hiera_layout import EYAML, FUNCTION_OF, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.validation.documents import Document, Span
    from puppet_repl.tools.validation.file import File

_FOREIGN = "foreign_key"
_ENCRYPTED_VALUE = "encrypted_value"
_ENCRYPTED = re.compile(r"ENC\[PKCS7,([^]]*)(\]?)", re.IGNORECASE)
_DIGITS = re.compile(r"[A-Za-z0-9+/]*={0,2}", re.ASCII)


def check(file: File) -> Iterator[Report | PuppetError]:
    """Yield the findings in a data file."""
    yield from in_order(_findings(file), file)


def _findings(file: File) -> Iterator[Report | PuppetError]:
    root = file.root
    functions = set() if root is None else root.data.functions(file.inside)
    if functions and not any(map(reader_of, functions)):
        return  # the function of a module reads it as it likes
    usual = FUNCTION_OF.get(os.path.splitext(file.inside)[1], "yaml_data")
    function = next(iter(sorted(filter(reader_of, functions))), usual)
    try:
        document = read_data(reader_of(function) or function, file.source)
    except PuppetError as error:
        yield error
        return
    yield from repeated_keys(document)
    if not functions:
        return
    if type(document.value) is not PuppetHash:
        yield _no_hash(document, file)
        return
    if function != EYAML:
        yield from _no_data(document, function)
    yield from texts(document)
    module = root.name if root is not None and root.holder is None else None
    for span, is_error, code, message, old, near in lookup_options.problems(document, module):
        yield finding(document, span, is_error, code, message, old, near)
    if root is None or not file.options.advice:
        return
    foreign = _foreign_keys(document, module) if module and root.is_sure else {}
    for key, span in foreign.items():
        message = f"Puppet ignores '{key}': keys in the data of a module begin with {module}::"
        yield finding(document, span, False, _FOREIGN, message)
    keys = [key for key in document.places() if key not in foreign]
    index, changed = file.workspace.index(root), file.workspace.changed_keys(root)
    found = chain(
        data_parameters.problems(document, keys, index, changed, file.workspace.mentions(root)),
        nested_data.problems(document, keys, index, changed),
    )
    for span, is_error, code, message, old, near in found:
        yield finding(document, span, is_error, code, message, old, near)


def _foreign_keys(document: Document, module: str) -> dict[str, Span]:
    """Return the keys, each with its span, that are not the module's own."""
    return {
        key: span
        for key, (span, _) in document.places().items()
        if key != OPTIONS and not key.startswith(f"{module}::")
    }


def _no_data(document: Document, function: str) -> Iterator[Report]:
    """Yield the errors of values that data cannot have, such as symbols of Ruby."""
    path = document.source.name or ""
    for key, (_, span) in document.places().items():
        value = document.value_of(key)
        if not is_lookup_value(value):
            error = no_lookup_value(key, value, function, path)
            yield finding(document, span, True, error.code, error.message)


def texts(document: Document) -> Iterator[Report]:
    """Yield the findings in the texts of a data file: interpolations, encrypted values."""
    for text, span in document.strings():
        if "%{" in text:
            for wrong, is_error, code, message, old, near in interpolations.problems(
                text, methods=True
            ):
                place = document.part(wrong, span)
                yield finding(document, place, is_error, code, message, old, near)
        if "ENC[" in text:
            for part, is_error, code, message in _undecipherable(text):
                yield finding(document, document.part(part, span), is_error, code, message)


def finding(
    document: Document,
    span: Span,
    is_error: bool,
    code: str,
    message: str,
    old: str = "",
    near: str | None = None,
) -> Report:
    """Return an error with Puppet's message, or the warning of a rule.

    ``near`` is the name that may have been meant instead of ``old``.
    """
    source = document.source
    meant = replacements(source.text, *span, old, near)
    if is_error:
        report = Report("err", message, code, source, *span)
        report.replacements = meant
        return report
    return Advice(code, message, source, *span, replacements=meant)


def _no_hash(document: Document, file: File) -> Report:
    """Return what Puppet says about a YAML file without a hash: it warns of an empty one."""
    message = f"{document.source.name}: file does not contain a valid yaml hash"
    if document.value is None or document.value is False:
        return Advice("empty_data", message, document.source, 0, 0)
    level = "err" if file.options.strict == "error" else "warning"
    return Report(level, message, DATA_ERROR, document.source, 0, 0)


def _undecipherable(text: str) -> Iterator[tuple[str, bool, str, str]]:
    """Yield the encrypted parts of a text that nobody can decrypt, with a level, rule and reason.

    A level is whether it is an error: what does not look like a message stays as it is. No key is
    needed.
    """
    for found in _ENCRYPTED.finditer(text):
        digits = "".join(found[1].split())
        is_message = digits.startswith("MII") and _DIGITS.fullmatch(digits) is not None
        if not found[2]:
            if is_message:  # otherwise it may be a text about encryption
                message = "the closing bracket is missing: the text stays the same"
                yield found.group(), False, _ENCRYPTED_VALUE, message
        elif _DIGITS.fullmatch(digits) is None:
            yield (
                found.group(),
                False,
                _ENCRYPTED_VALUE,
                "the value is not Base64: the text stays the same",
            )
        else:
            reason = _reason(digits)
            if reason is not None:
                yield found.group(), True, _ENCRYPTED_VALUE, reason


def _reason(digits: str) -> str | None:
    try:
        check_structure(decode_leniently(digits))
    except DecryptionError:
        if len(digits) % 4:
            return "the value cannot be decrypted: its Base64 is cut off"
        return "the value cannot be decrypted: these bytes are not a message of PKCS #7"
    return None
