class motd {
  file { '/etc/motd': mode => 0644 }
}
include motd
