# @summary A port that any user may listen on.
type Stdlib::Port::Unprivileged = Integer[1024, 65535]
