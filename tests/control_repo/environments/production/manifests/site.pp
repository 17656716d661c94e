# Every machine has the role of its certificate; those without one say what they are.
node 'web01.example.com', 'web02.example.com' {
  include role::web
}

node /^db\d+\.example\.com$/ {
  include role::db
}

node default {
  include role::base
}
