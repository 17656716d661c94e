# @summary What validate_array() accepted.
type Stdlib::Compat::Array = Array[Any]
