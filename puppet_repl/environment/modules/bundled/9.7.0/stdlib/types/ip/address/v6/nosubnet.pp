# @summary An IPv6 address without the length of a prefix.
type Stdlib::IP::Address::V6::Nosubnet = Variant[
  Stdlib::IP::Address::V6::Nosubnet::Full,
  Stdlib::IP::Address::V6::Nosubnet::Compressed,
  Stdlib::IP::Address::V6::Nosubnet::Alternative,
]
