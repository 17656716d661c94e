node default {
  notify { "${trusted['certname']} is a ${facts['os']['family']}": }
}
