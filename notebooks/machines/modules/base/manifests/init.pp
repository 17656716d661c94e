# What each machine has.
class base {
  file { '/etc/motd':
    ensure  => file,
    content => "This is ${trusted['certname']}.\n",
  }
}
