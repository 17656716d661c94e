# @summary A port that only the superuser may listen on.
type Stdlib::Port::Privileged = Integer[1, 1023]
