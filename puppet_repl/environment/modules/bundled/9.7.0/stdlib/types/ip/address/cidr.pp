# @summary An IP address with the length of its prefix.
type Stdlib::IP::Address::CIDR = Variant[
  Stdlib::IP::Address::V4::CIDR,
  Stdlib::IP::Address::V6::CIDR,
]
