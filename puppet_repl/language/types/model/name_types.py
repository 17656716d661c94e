"""Types of names: of members, of types, and of URIs, as Pcore describes them."""

from __future__ import annotations

from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.scalar import PatternType, RegexpType

URI_PATTERN = RegexpType(r"[a-zA-Z][\-+.a-zA-Z\d]*:")
MEMBER_NAME = PatternType((RegexpType(r"\A[a-z_]\w*\z"),))
TYPE_NAME = PatternType((RegexpType(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z"),))
SIMPLE_TYPE_NAME = PatternType((RegexpType(r"\A[A-Z]\w*\z"),))
PCORE_URI = TypeAliasType("Pcore::URI", lambda: PatternType((URI_PATTERN,)))
PCORE_ALIASES = {
    "Pcore::MemberName": TypeAliasType("Pcore::MemberName", lambda: MEMBER_NAME),
    "Pcore::QRef": TypeAliasType("Pcore::QRef", lambda: TYPE_NAME),
    "Pcore::SimpleTypeName": TypeAliasType("Pcore::SimpleTypeName", lambda: SIMPLE_TYPE_NAME),
    "Pcore::TypeName": TypeAliasType("Pcore::TypeName", lambda: TYPE_NAME),
    "Pcore::URI": PCORE_URI,
    "Pcore::URI_RX": TypeAliasType("Pcore::URI_RX", lambda: URI_PATTERN),
}
