"""Functions of stdlib that check domain names and e-mail addresses."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.stdlib.declaring import (
    TABLES,
    stdlib_function,
    stdlib_legacy_function,
)
from puppet_repl.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context
    from puppet_repl.values.protocols import Value

# The types of the module that the signatures name; messages print both sides.
_LABEL = r"[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9]"
_LAST_LABEL = r"[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9]"
_MAIL_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_TYPES = {
    "Stdlib::Fqdn": rf"Pattern[/\A(({_LABEL})\.)*({_LAST_LABEL})\z/]",
    "Stdlib::Dns::Zone": (
        r"Pattern[/\A((([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)+|\.)\z/]"
    ),
    "Stdlib::Email": (
        rf"Pattern[/\A[a-zA-Z0-9.!#$%&'*+\/=?^_`{{|}}~-]+@{_MAIL_LABEL}(?:\.{_MAIL_LABEL})*\z/]"
    ),
}


@stdlib_function(
    "stdlib::validate_domain_name",
    "Variant[Stdlib::Fqdn, Stdlib::Dns::Zone] *$values",
    returns="Undef",
    examples=("stdlib::validate_domain_name('example.com')  # => undef",),
    aliases=_TYPES,
    versions=(9,),
)
def validate_domain_name(*values: str) -> None:
    """Stop with an error unless all arguments are domain names, with or without a dot at the end."""
    _check_given(values, "validate_domain_name")


@stdlib_function(
    "stdlib::validate_email_address",
    "Stdlib::Email *$values",
    returns="Undef",
    examples=("stdlib::validate_email_address('ada@example.com')  # => undef",),
    aliases=_TYPES,
    versions=(9,),
)
def validate_email_address(*values: str) -> None:
    """Stop with an error unless all arguments are e-mail addresses."""
    _check_given(values, "validate_email_address")


def _check_given(values: tuple[str, ...], function: str) -> None:
    if not values:
        raise RuntimeFailure(f"stdlib::{function}(): Wrong number of arguments need at least one")


@stdlib_legacy_function(
    "validate_domain_name",
    "String +$values",
    returns="Undef",
    examples=("validate_domain_name('example.com')  # => undef",),
    counts=False,
    versions=(8,),
)
def validate_domain_name_8(values: tuple[Value, ...], *, context: Context) -> None:
    """Stop with an error unless all arguments are domain names, by is_domain_name()."""
    _check(values, "domain_name", "a syntactically correct domain name", context)


@stdlib_legacy_function(
    "validate_email_address",
    "String +$values",
    returns="Undef",
    examples=("validate_email_address('ada@example.com')  # => undef",),
    counts=False,
    versions=(8,),
)
def validate_email_address_8(values: tuple[Value, ...], *, context: Context) -> None:
    """Stop with an error unless all arguments are e-mail addresses, by is_email_address()."""
    _check(values, "email_address", "a valid email address", context)


def _check(values: tuple[Value, ...], kind: str, described: str, context: Context) -> None:
    """Check values by the function ``is_⟨kind⟩`` of stdlib 8."""
    if not values:
        raise RuntimeFailure(
            f"validate_{kind}(): wrong number of arguments ({len(values)}; must be > 0)"
        )
    test = TABLES[8].find(f"is_{kind}")
    assert test is not None
    for value in values:
        if type(value) is not str:
            raise RuntimeFailure(f"{ruby_inspect(value)} is not a string.")
        if test.call(context, (value,)) is not True:
            raise RuntimeFailure(f"{ruby_inspect(value)} is not {described}")
