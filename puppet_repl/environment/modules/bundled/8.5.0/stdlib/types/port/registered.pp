# @summary Another name of Stdlib::Port::User.
type Stdlib::Port::Registered = Stdlib::Port::User
