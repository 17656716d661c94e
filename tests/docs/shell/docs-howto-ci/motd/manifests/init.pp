# @summary Writes the message of the day
class motd (
  String $text = "Welcome to ${facts['os']['name']}",
) {
  file { '/etc/motd':
    content => "${text}\n",
    mode    => '0644',
  }
}
