# @summary An IPv6 address in any notation, with or without the length of a prefix.
type Stdlib::IP::Address::V6 = Variant[
  Stdlib::IP::Address::V6::Full,
  Stdlib::IP::Address::V6::Compressed,
  Stdlib::IP::Address::V6::Alternative,
  Stdlib::IP::Address::V6::Nosubnet,
]
