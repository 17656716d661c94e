# @summary An IP address without the length of a prefix.
type Stdlib::IP::Address::Nosubnet = Variant[
  Stdlib::IP::Address::V4::Nosubnet,
  Stdlib::IP::Address::V6::Nosubnet,
]
