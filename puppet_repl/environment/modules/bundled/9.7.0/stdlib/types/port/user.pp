# @summary A port that can be registered for a service.
type Stdlib::Port::User = Integer[1024, 49151]
