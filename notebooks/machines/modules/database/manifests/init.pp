# A database.
class database {
  package { 'postgresql':
    ensure => installed,
  }
}
