# @summary What validate_string() accepted.
type Stdlib::Compat::String = Optional[String]
