"""A control repository as sites have them: roles, profiles, modules, data for roles and nodes.

It is generated, so that it can have any number of nodes: every twentieth runs a database, every
tenth balances loads, the others are web servers, on three systems.
"""

from __future__ import annotations

import json
from pathlib import Path

from puppet_repl.environment.facts.facts import bundled_facts

SYSTEMS = ("debian-12", "ubuntu-24.04", "rocky-9")
FILES = {
    "environment.conf": "modulepath = site:modules\n",
    "hiera.yaml": """\
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: role, path: "roles/%{facts.role}.yaml"}
  - {name: system, path: "os/%{facts.os.family}.yaml"}
  - {name: all, path: common.yaml}
""",
    "manifests/site.pp": """\
File { backup => false }
node default {
  include "role::${facts['role']}"
}
""",
    "data/common.yaml": """\
lookup_options:
  profile::users::users: {merge: {strategy: deep}}
  profile::base::packages: {merge: unique}
profile::base::packages: [vim, curl, tmux, htop, rsync, git, lsof, strace]
profile::base::sysctl:
  net.ipv4.ip_forward: 0
  net.core.somaxconn: 1024
  vm.swappiness: 10
  fs.file-max: 100000
  kernel.panic: 30
profile::users::users:
  alice: {uid: 1001, groups: [admin], keys: [AAAA1, AAAA2]}
  bob: {uid: 1002, groups: [admin, dev], keys: [BBBB1]}
  carol: {uid: 1003, groups: [dev], keys: [CCCC1]}
  dave: {uid: 1004, groups: [], keys: []}
clock::servers: [0.pool.example.com, 1.pool.example.com, 2.pool.example.com]
""",
    "data/roles/web.yaml": """\
profile::base::packages: [nginx-common, php-fpm]
profile::web::sites:
  www.example.com: {port: 443, docroot: /srv/www, aliases: [example.com]}
  shop.example.com: {port: 443, docroot: /srv/shop, aliases: []}
  static.example.com: {port: 80, docroot: /srv/static, aliases: [img.example.com]}
  api.example.com: {port: 8443, docroot: /srv/api, aliases: []}
""",
    "data/roles/database.yaml": """\
profile::base::packages: [pg-activity]
profile::database::databases: [shop, users, stock, audit]
profile::users::users:
  dba: {uid: 1100, groups: [admin], keys: [DDDD1]}
""",
    "data/roles/balancer.yaml": "profile::balancer::backends: 24\n",
    "data/os/RedHat.yaml": "clock::service: chronyd\n",
    "data/os/Debian.yaml": "clock::service: chrony\n",
    "site/role/manifests/web.pp": "class role::web { include profile::base, profile::web }\n",
    "site/role/manifests/database.pp": (
        "class role::database { include profile::base, profile::database }\n"
    ),
    "site/role/manifests/balancer.pp": (
        "class role::balancer { include profile::base, profile::balancer }\n"
    ),
    "site/profile/manifests/base.pp": """\
class profile::base (
  Array[String[1]] $packages,
  Hash[String[1], Integer] $sysctl,
) {
  include profile::users
  include clock
  package { $packages: ensure => installed }
  $sysctl.each |$key, $value| {
    file { "/etc/sysctl.d/${regsubst($key, '\\\\.', '_', 'G')}.conf":
      content => "${key} = ${value}\\n",
      notify  => Exec['sysctl'],
    }
  }
  exec { 'sysctl': command => '/sbin/sysctl --system', refreshonly => true }
  file { '/etc/motd':
    content => epp('profile/motd.epp', { 'role' => $facts['role'] }),
  }
  case $facts['os']['family'] {
    'Debian': { file { '/etc/apt/apt.conf.d/99proxy': content => "Acquire::Retries 3;\\n" } }
    'RedHat': { file { '/etc/dnf/dnf.conf': content => "[main]\\nretries=3\\n" } }
    default: { fail("no ${facts['os']['family']}") }
  }
}
""",
    "site/profile/templates/motd.epp": """\
<%- | String $role | -%>
<%= $facts['networking']['fqdn'] %> is a <%= $role %> on <%= $facts['os']['name'] %>.
<% ['rules', 'of', 'the', 'house'].each |$index, $word| { -%>
<%= $index + 1 %>. <%= $word.capitalize %>
<% } -%>
""",
    "site/profile/manifests/users.pp": """\
class profile::users (Hash[String[1], Hash] $users) {
  ['admin', 'dev'].each |$group| { group { $group: ensure => present } }
  $users.each |$name, $user| {
    profile::account { $name: * => $user }
  }
}
""",
    "site/profile/manifests/account.pp": """\
define profile::account (Integer[1000] $uid, Array[String] $groups, Array[String] $keys) {
  user { $title: ensure => present, uid => $uid, groups => $groups, home => "/home/${title}" }
  file { "/home/${title}": ensure => directory, owner => $title, mode => '0700' }
  file { "/home/${title}/.ssh": ensure => directory, owner => $title, mode => '0700' }
  $keys.each |$index, $key| {
    file { "/home/${title}/.ssh/key${index}":
      content => "ssh-ed25519 ${key} ${title}@${facts['networking']['domain']}\\n",
      owner   => $title,
      require => User[$title],
    }
  }
}
""",
    "site/profile/manifests/web.pp": """\
class profile::web (Hash[String[1], Hash] $sites) {
  package { 'nginx': ensure => installed }
  -> file { '/etc/nginx/sites': ensure => directory }
  ~> service { 'nginx': ensure => running, enable => true }
  $sites.each |$name, $site| { profile::site { $name: * => $site } }
}
""",
    "site/profile/manifests/site.pp": """\
define profile::site (
  Integer[1, 65535] $port,
  String[1] $docroot,
  Array[String[1]] $aliases = [],
) {
  file { $docroot: ensure => directory }
  file { "/etc/nginx/sites/${title}.conf":
    content => epp('profile/site.epp', {
      'name' => $title, 'names' => [$title, *$aliases], 'port' => $port, 'docroot' => $docroot,
    }),
    notify  => Service['nginx'],
  }
}
""",
    "site/profile/templates/site.epp": """\
<%- | String $name, Array[String] $names, Integer $port, String $docroot | -%>
server {
  listen <%= $port %><% if $port in [443, 8443] { %> ssl<% } %>;
  server_name <%= $names.join(' ') %>;
  root <%= $docroot %>;
  error_log /var/log/nginx/<%= $name %>.log;
}
""",
    "site/profile/manifests/database.pp": """\
class profile::database (Array[String[1]] $databases) {
  package { 'postgresql': ensure => installed }
  service { 'postgresql': ensure => running, require => Package['postgresql'] }
  $memory = $facts['processors']['count'] * 256
  file { '/etc/postgresql.conf': content => "shared_buffers = ${memory}MB\\n" }
  ~> Service['postgresql']
  $databases.each |$name| {
    exec { "create ${name}":
      command => "/usr/bin/createdb ${name}",
      unless  => "/usr/bin/psql -lqt | grep -qw ${name}",
      require => Service['postgresql'],
    }
  }
}
""",
    "site/profile/manifests/balancer.pp": """\
class profile::balancer (Integer[1] $backends) {
  package { 'haproxy': ensure => installed }
  $lines = Integer[1, $backends].map |$n| { sprintf('  server web%02d 10.0.0.%d:443', $n, $n) }
  file { '/etc/haproxy.cfg': content => ['backend web', *$lines, ''].join("\\n") }
  ~> service { 'haproxy': ensure => running }
}
""",
    "modules/clock/manifests/init.pp": """\
class clock (Array[String[1], 1] $servers, String[1] $service) {
  package { 'chrony': ensure => installed }
  file { '/etc/chrony.conf':
    content => epp('clock/chrony.epp', { 'servers' => $servers.sort }),
    require => Package['chrony'],
  }
  service { $service: ensure => running, enable => true, subscribe => File['/etc/chrony.conf'] }
}
""",
    "modules/clock/templates/chrony.epp": """\
<%- | Array[String] $servers | -%>
<% $servers.each |$server| { -%>
server <%= $server %> iburst
<% } -%>
driftfile /var/lib/chrony/drift
""",
}


def write_repository(directory: Path, count: int) -> None:
    """Write the environment ``production``, data of every tenth node, and ``facts`` of all."""
    environment = directory / "production"
    for name, text in FILES.items():
        path = environment / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (environment / "data" / "nodes").mkdir()
    (directory / "facts").mkdir()
    sets = [dict(bundled_facts(name)) for name in SYSTEMS]
    for number in range(count):
        role = "database" if number % 20 == 0 else "balancer" if number % 10 == 1 else "web"
        host = f"{role}{number:04}"
        name = f"{host}.example.com"
        facts = sets[number % len(sets)]
        networking = {**facts["networking"], "fqdn": name, "hostname": host}
        own = {**facts, "networking": networking, "clientcert": name, "role": role}
        (directory / "facts" / f"{name}.json").write_text(json.dumps(own), encoding="utf-8")
        if number % 10 == 0:
            data = environment / "data" / "nodes" / f"{name}.yaml"
            data.write_text(f"clock::servers: [ntp{number % 7}.example.com]\n", encoding="utf-8")
