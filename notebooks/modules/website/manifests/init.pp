# A web site: the package, one file of configuration, the service.
#
# @param server_name The name under which the site is reached.
# @param port The port that the server listens on.
# @param options Directives of the server block, by name.
# @param redirects Old paths, and where they lead now.
class website (
  Stdlib::Fqdn                      $server_name,
  Stdlib::Port                      $port      = 80,
  Hash[String[1], Scalar]           $options   = {},
  Hash[Stdlib::Unixpath, String[1]] $redirects = {},
) {
  $directives = stdlib::merge({ 'server_tokens' => 'off' }, $options)
  $slug       = website::slug($server_name)

  stdlib::ensure_packages(['nginx'])

  file { "/etc/nginx/sites-enabled/${slug}.conf":
    ensure  => file,
    content => template('website/site.conf.erb'),
    require => Package['nginx'],
    notify  => Service['nginx'],
  }

  $redirects.each |$from, $to| {
    website_redirect { $from:
      target => $to,
      site   => $slug,
    }
  }

  service { 'nginx':
    ensure => running,
  }
}
