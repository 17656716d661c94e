"""Functions of stdlib that check domain names and e-mail addresses."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_function

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
    """Stop with an error unless all arguments are domain names; a dot at their end is allowed.

    @param values the names
    """
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
    """Stop with an error unless all arguments are e-mail addresses.

    @param values the addresses
    """
    _check_given(values, "validate_email_address")


def _check_given(values: tuple[str, ...], function: str) -> None:
    if not values:
        raise RuntimeFailure(f"stdlib::{function}(): Wrong number of arguments need at least one")
