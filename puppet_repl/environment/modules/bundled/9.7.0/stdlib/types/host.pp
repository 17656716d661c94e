# @summary A host: its name or its IP address.
type Stdlib::Host = Variant[Stdlib::Fqdn, Stdlib::IP::Address]
