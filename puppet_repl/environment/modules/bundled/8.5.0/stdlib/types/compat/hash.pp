# @summary What validate_hash() accepted.
type Stdlib::Compat::Hash = Hash[Any, Any]
