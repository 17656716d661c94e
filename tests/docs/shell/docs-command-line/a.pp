file { '/tmp/motd': mode => '0644' }
user { 'al': groups => ['wheel', 'www'] }
