# @summary Another name of Stdlib::Port::Dynamic.
type Stdlib::Port::Ephemeral = Stdlib::Port::Dynamic
