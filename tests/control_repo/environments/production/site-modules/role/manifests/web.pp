# A machine that serves pages.
class role::web {
  include profile::base
  include profile::web
}
