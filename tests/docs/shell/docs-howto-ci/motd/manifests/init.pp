# @summary Writes the message of the day
#
# @param text What is shown after the login.
class motd (
  String $text = "Welcome to ${facts['os']['name']}",
) {
  file { '/etc/motd':
    content => "${text}\n",
    mode    => '0644',
  }
}
