# Press Run, and look at the tab "Graph".
$sites = {
  'shop' => 8080,
  'blog' => 8081,
}

package { 'nginx':
  ensure => installed,
}

$sites.each |$name, $port| {
  file { "/etc/nginx/sites-enabled/${name}":
    content => "server { listen ${port}; }\n",
    require => Package['nginx'],
    notify  => Service['nginx'],
  }
}

service { 'nginx':
  ensure => running,
  enable => true,
}

notice("${sites.length} sites on ${facts['os']['name']}")
$sites.map |$name, $port| {
  { 'site' => "${name}.example.com", 'port' => $port }
}
