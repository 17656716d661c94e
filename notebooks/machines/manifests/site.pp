# The server begins here, for each machine that asks.

# What stands outside of node blocks is for all machines.
File {
  owner => 'root',
}

node 'web01.example.com' {
  include base
  include web
}

node /^db\d+\.example\.com$/ {
  include base
  include database
}

node default {
  include base
}
