# @summary An IP address, with or without the length of a prefix.
type Stdlib::IP::Address = Variant[
  Stdlib::IP::Address::V4,
  Stdlib::IP::Address::V6,
]
