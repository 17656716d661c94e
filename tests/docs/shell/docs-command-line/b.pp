file { '/tmp/motd': mode => '0600' }
user { 'al': groups => ['www', 'wheel'] }
package { 'vim': }
