# A machine that keeps data.
class role::db {
  include profile::base
  include profile::db
}
