# @summary What validate_bool() accepted.
type Stdlib::Compat::Bool = Boolean
