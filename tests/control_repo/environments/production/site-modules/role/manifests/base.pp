# What every machine is.
class role::base {
  include profile::base
}
