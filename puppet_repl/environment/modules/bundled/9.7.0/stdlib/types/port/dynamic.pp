# @summary A port that is never assigned to a service.
type Stdlib::Port::Dynamic = Integer[49152, 65535]
