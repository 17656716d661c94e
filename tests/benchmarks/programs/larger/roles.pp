class site::params {
  $packages = $facts['os'] ? { Undef => ['curl', 'rsync'], default => ['curl', 'rsync', 'vim'] }
  $root = '/srv'
}
class profile::base(String[1] $owner = 'root', Pattern[/\A0[0-7]{3}\z/] $mode = '0644') {
  include site::params
  package { $site::params::packages: ensure => installed }
  File { owner => $owner, mode => $mode }
  file { $site::params::root: ensure => directory, mode => '0755' }
}
define profile::site(
  String[1] $domain,
  Integer[1, 65535] $port = 80,
  Enum['present', 'absent'] $ensure = present,
  Array[String] $aliases = [],
  Optional[Hash[String, String]] $options = undef,
) {
  include profile::base
  $names = [$domain] + $aliases
  if $ensure == present {
    file { "/srv/${domain}":
      ensure => directory,
      before => Service["web-${title}"],
    }
    $names.each |$index, $name| {
      file { "/srv/${domain}/${index}.conf":
        content => inline_epp("server <%= \$name %>:<%= \$port %>\n", { name => $name, port => $port }),
        tag     => ['conf', "site-${title}"],
      }
    }
  }
  $settings = $options ? {
    Undef   => {},
    default => $options.filter |$key, $value| { $value != '' },
  }
  service { "web-${title}":
    ensure => $ensure ? { present => running, default => stopped },
    enable => $ensure == present,
    status => "check ${settings.map |$key, $value| { "${key}=${value}" }.join(',')}",
  }
  File <| tag == "site-${title}" |> ~> Service["web-${title}"]
}
Integer[1, 200].each |$n| {
  $code = $n % 4 ? { 0 => absent, default => present }
  profile::site { "s${n}":
    ensure  => $code,
    domain  => "s${n}.example.com",
    port    => 8000 + $n,
    aliases => ["www${n}.example.com", "old${n}.example.com"],
    options => { 'cache' => 'on', 'log' => '', 'size' => "${n}k" },
  }
}
