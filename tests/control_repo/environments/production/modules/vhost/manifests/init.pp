# A virtual host of a web server.
define vhost (
  String $docroot = lookup('vhost::defaults.docroot'),
  Array[Integer] $ports = [80],
  Hash $options = {},
) {
  file { "/etc/web/${title}.conf":
    ensure  => file,
    content => "root ${docroot}\n",
  }
}
